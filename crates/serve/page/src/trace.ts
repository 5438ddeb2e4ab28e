// The counterexample: steps, source, assembly, graph, values and waveforms, all at the same step.

import { api, type FormulaNode, type Names, type Result, type Run } from "./api";
import { Assembly, Source } from "./code";
import { button, h, notice, verdict } from "./dom";
import { Graph } from "./graph";
import { List } from "./list";
import { MEMORY, Model, nextChange, type Rows, type Signal, valueAt } from "./model";
import { Panels } from "./panels";
import { failed, state, to } from "./state";
import { Waves } from "./wave";

const ROW = 19;

export class TraceView {
  readonly element = h("div", { class: "trace" });
  private readonly model: Model;
  private readonly source: Source;
  private readonly assembly: Assembly | null = null;
  private graph: Graph | null = null;
  private readonly panels: Panels;
  private readonly waves: Waves;
  private readonly list: List;
  private rows: Rows;
  private isFolded = true;
  private readonly open = new Set<number>();
  private file = "";
  private at = 0;
  private playing = 0;
  private readonly where = h("span", { class: "where", "aria-live": "off" });
  private readonly what = h("div", { class: "what" });
  private readonly stale = h("strong", { class: "warning stale", role: "status" });
  private readonly slider: HTMLInputElement;
  private readonly search: HTMLInputElement;
  private readonly play: HTMLButtonElement;
  private readonly middle = h("div", { class: "middle" });
  private selected: Signal | null = null;
  private readonly turnTheme = () => this.waves.draw();

  static async open(run: Run, index: number, step: number | null): Promise<TraceView> {
    const result = run.results[index];
    const program = state.program(result.program || run.program);
    const isFirmware = program?.kind === "firmware";
    const names = program ? state.names(program.name).catch(() => null) : null;
    const rows = isFirmware ? state.disassembly(program.name).catch(() => null) : null;
    const text = formulaText(result);
    const nodes = text
      ? api.formula(program?.name ?? "", text.form, text.text).then((answer) => answer.nodes ?? [], () => [])
      : [];
    const trace = await api.trace(run.id, result.trace ?? 0);
    const known = await names;
    const model = new Model(trace, registerNames(known));
    const view = new TraceView(run, index, model, isFirmware ? known : null, await nodes);
    const code = await rows;
    if (code && view.assembly) view.assembly.setRows(code);
    await view.go(step ?? trace.steps.length - 1);
    return view;
  }

  private constructor(
    private readonly run: Run,
    private readonly index: number,
    model: Model,
    names: Names | null,
    nodes: FormulaNode[],
  ) {
    this.model = model;
    this.rows = model.rows(true, this.open);
    const result = run.results[index];
    this.source = new Source((line) => this.goToLine(line));
    if (names) this.assembly = new Assembly((address) => this.goToAddress(address));
    this.list = new List("Steps", ROW, 0, (row) => this.row(row), { class: "steps" });
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: Math.max(0, model.length - 1),
      "aria-label": "Step",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.search = h("input", {
      type: "search",
      placeholder: "search (/)",
      "aria-label": "Search steps",
      onkeydown: (event: KeyboardEvent) => {
        if (event.key === "Enter") this.find(event.shiftKey ? -1 : 1);
      },
    });
    this.play = button("▶", "Play (space)", () => this.turnPlay());
    const ports = model.signals.filter((signal) => signal.sort === "io" && /^PORT|^PIN/.test(signal.name));
    const atoms = model.signals.filter((signal) => signal.sort === "atom");
    const variables = model.signals.filter((signal) => signal.sort === "variable" && signal.steps.length > 1 && signal.scope !== MEMORY);
    const locks = model.signals.filter((signal) => signal.sort === "lock");
    const first = [...atoms, ...locks.slice(0, 3), ...ports, ...variables.slice(0, 3)].slice(0, 5);
    this.selected = first.find((signal) => signal.steps.length > 1) ?? null;
    this.waves = new Waves(model, (step) => this.go(step), (signal) => this.choose(signal), first, 0);
    this.panels = new Panels(model, nodes, names, {
      go: (step) => this.go(step),
      isChosen: (signal) => this.waves.signals.includes(signal),
      choose: (signal) => this.choose(signal),
    });
    this.fold(true);
    this.build(result);
    addEventListener("theme", this.turnTheme);
  }

  /** Frees what outlives the document. */
  close(): void {
    clearInterval(this.playing);
    removeEventListener("theme", this.turnTheme);
  }

  private build(result: Result): void {
    const fold = button("fold loops", "Fold loops (f)", () => this.fold(!this.isFolded), { "aria-pressed": "true" });
    fold.classList.add("fold");
    const exports = [["json", "JSON"], ["html", "HTML"], ["sarif", "SARIF"], ["vcd", "VCD"]];
    const isFirmware = this.assembly !== null;
    const links = exports
      .filter(([format]) => format !== "vcd" || isFirmware)
      .map(([format, text]) => h("a", { href: `/api/runs/${this.run.id}/export/${format}`, download: true }, text));
    const harness = h("button", { class: "plain", title: "A C file that reproduces this in the compiled program",
      onclick: () => this.harness().catch(failed) }, "harness");
    const tabs = ["source", "assembly", "both", "graph"].filter((tab) => isFirmware || tab === "source" || tab === "graph");
    const chosen = isFirmware ? "both" : "source";
    const pane = h(
      "div",
      { class: "tabs", role: "group", "aria-label": "Code" },
      ...tabs.map((tab) =>
        h("button", { "aria-pressed": String(tab === chosen), onclick: (event: Event) => {
          for (const other of pane.children) other.setAttribute("aria-pressed", String(other === event.target));
          this.showTab(tab);
        } }, tab),
      ),
    );
    this.element.append(
      h(
        "div",
        { class: "title" },
        h("a", { href: to("run", this.run.id), class: "back" }, `run ${this.run.id}`),
        verdict(result.verdict),
        h("strong", null, result.id),
        h("code", null, result.description),
        this.stale,
        h("span", { class: "exports" }, "export ", ...links, isFirmware ? null : harness),
        button("copy link", "Copy a link to this step", () => {
          navigator.clipboard.writeText(location.href).then(() => notice("link copied"), failed);
        }),
      ),
      h(
        "div",
        { class: "controls", role: "toolbar", "aria-label": "Steps" },
        button("⇤", "First step (Home)", () => this.go(0)),
        button("←", "Step back (left arrow)", () => this.go(this.at - 1)),
        this.play,
        button("→", "Step on (right arrow)", () => this.go(this.at + 1)),
        button("⇥", "Last step (End)", () => this.go(this.model.length - 1)),
        button("line", "Next source line (n)", () => this.nextLine(1)),
        button("out", "To the end of this function (o)", () => this.out()),
        this.panels.hasFormula ? button("flip", "Next step where an atom or a subformula flips (t)", () => this.flip(1)) : null,
        this.slider,
        this.where,
        this.search,
        fold,
        pane,
        button("-", "Waveform of more steps", () => this.waves.scale(2)),
        button("+", "Waveform of fewer steps", () => this.waves.scale(0.5)),
      ),
      h("div", { class: "left" }, this.what, this.list.element),
      this.middle,
      this.panels.element,
      this.waves.element,
    );
    this.showTab(chosen);
  }

  /** Saves the harness, for which the program is checked once more. */
  private async harness(): Promise<void> {
    notice("the program is checked once more …");
    const text = await api.harness(this.run.id);
    const file = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    h("a", { href: file, download: `run-${this.run.id}-harness.c` }).click();
    URL.revokeObjectURL(file);
  }

  private showTab(tab: string): void {
    const parts: HTMLElement[] = [];
    if (tab === "source" || tab === "both") parts.push(this.source.list.element);
    if (this.assembly && (tab === "assembly" || tab === "both")) parts.push(this.assembly.list.element);
    if (tab === "graph") {
      const holder = h("div", { class: "graph-holder" }, "drawing …");
      parts.push(holder);
      const program = this.run.program;
      state.graph(program, "cfg").then((dot) => {
        this.graph ??= new Graph(dot, () => {});
        holder.replaceChildren(this.graph.element);
        this.graph.markFor(this.model.address(this.at), this.model.step(this.at));
      }, failed);
    }
    this.middle.replaceChildren(...parts);
    this.source.list.draw(true);
    this.assembly?.list.draw(true);
    if (this.model.length) this.show();
  }

  private fold(isFolded: boolean): void {
    this.isFolded = isFolded;
    this.rows = this.model.rows(isFolded, this.open);
    this.element.querySelector(".fold")?.setAttribute("aria-pressed", String(isFolded));
    this.list.resize(this.rows.count);
    if (this.model.length) this.list.show(this.rows.place(this.at));
  }

  private row(index: number): HTMLElement {
    const row = this.rows.at(index);
    if (!("step" in row)) {
      const text = `⟲ ${row.rounds} more rounds, ${row.to - row.from} steps`;
      return h("div", { class: "step folded", onclick: () => {
        this.open.add(row.from);
        this.fold(true);
      } }, text);
    }
    const step = this.model.step(row.step);
    const isNow = row.step === this.at;
    const { lanes, loop } = this.model.trace;
    const classes = ["step", step.kind, isNow && "now", row.step > this.at && "ahead", row.step === loop && "loop"];
    const made = h("div", { class: classes.filter(Boolean).join(" "), onclick: () => this.go(row.step) });
    if (isNow) made.setAttribute("aria-current", "step");
    if (row.step === loop) made.title = "the run repeats from here on for ever";
    const lane = lanes.length > 1 ? h("i", { class: `lane l${step.lane % 5}`, title: lanes[step.lane] }) : null;
    const indent = "\u00a0\u00a0".repeat(Math.min(step.depth, 8));
    made.append(
      h("b", null, row.step + 1),
      ...(lane ? [lane] : []),
      h("span", null, `${indent}${step.text}`),
      h("small", null, this.model.changes(row.step)),
    );
    return made;
  }

  /** Shows a step. */
  async go(step: number): Promise<void> {
    this.at = Math.max(0, Math.min(this.model.length - 1, step));
    const fold = this.rows.at(this.rows.place(this.at));
    if (fold && !("step" in fold)) {
      this.open.add(fold.from);
      this.fold(this.isFolded);
    } else this.list.show(this.rows.place(this.at));
    await this.show();
    const address = to("run", this.run.id, this.index, this.at + 1);
    history.replaceState(null, "", address);
  }

  private async show(): Promise<void> {
    const step = this.model.step(this.at);
    this.slider.value = String(this.at);
    this.where.textContent = `${this.at + 1} / ${this.model.length}`;
    const { lanes, loop } = this.model.trace;
    const facts = [
      lanes.length > 1 ? lanes[step.lane] : "",
      step.function && `in ${step.function}`,
      step.line ? `${step.file}:${step.line}` : "",
      loop !== null && this.at >= loop ? "in the loop" : "",
    ];
    this.what.replaceChildren(
      h("strong", null, step.text),
      h("span", null, this.model.changes(this.at)),
      h("small", null, facts.filter(Boolean).join(" · ")),
    );
    this.waves.move(this.at);
    this.assembly?.mark(this.model.lastAddress(this.at));
    this.graph?.markFor(this.model.address(this.at), step);
    // Last, as lists ask for their sizes, which lays out what has changed until then.
    this.panels.show(this.at);
    let placed = this.model.placed(this.at);
    if (placed.file && placed.file !== this.file) {
      const { file } = placed;
      const text = await state.source(file).catch((error: Error) => ({ text: `(${file}: ${error.message})`, modified: 0 }));
      // Another step may be shown by now.
      placed = this.model.placed(this.at);
      if (placed.file !== file) return;
      this.file = file;
      this.stale.textContent = text.modified > this.run.began ? `${file} has changed since this check` : "";
      this.source.visited = this.visited(file);
      this.source.setText(text.text);
    }
    this.source.mark(Math.abs(placed.line), placed.column);
  }

  private visited(file: string): Set<number> {
    const number = this.model.trace.texts.indexOf(file);
    return new Set(this.model.trace.steps.filter((row) => row[1] === number).map((row) => row[2]));
  }

  private goToLine(line: number): void {
    const number = this.model.trace.texts.indexOf(this.file);
    const isThere = (index: number) => {
      const row = this.model.trace.steps[index];
      const before = this.model.trace.steps[index - 1];
      return row[1] === number && row[2] === line && !(before && before[1] === number && before[2] === line);
    };
    const step = this.model.find(this.at, 1, isThere) ?? this.model.find(-1, 1, isThere);
    if (step !== null) this.go(step);
    else notice(`the run does not come to line ${line}`);
  }

  private goToAddress(address: number): void {
    const isThere = (index: number) => this.model.address(index) === address;
    const step = this.model.find(this.at, 1, isThere) ?? this.model.find(-1, 1, isThere);
    if (step !== null) this.go(step);
    else notice("the run does not come to this instruction");
  }

  private nextLine(by: number): void {
    const { steps } = this.model.trace;
    const now = steps[this.at];
    const step = this.model.find(this.at, by, (index) => {
      const row = steps[index];
      return row[2] > 0 && (row[2] !== now[2] || row[1] !== now[1] || row[4] !== now[4]);
    });
    if (step !== null) this.go(step);
  }

  private out(): void {
    const depth = this.model.step(this.at).depth;
    const step = this.model.find(this.at, 1, (index) => this.model.trace.steps[index][5] < depth);
    if (step !== null) this.go(step);
  }

  private sameLane(by: number): void {
    const lane = this.model.lane(this.at);
    const step = this.model.find(this.at, by, (index) => this.model.lane(index) === lane);
    if (step !== null) this.go(step);
  }

  private otherLane(by: number): void {
    const lane = this.model.lane(this.at);
    const step = this.model.find(this.at, by, (index) => this.model.lane(index) !== lane);
    if (step !== null) this.go(step);
  }

  private change(by: number): void {
    const signal = this.selected;
    if (!signal) return;
    const step = nextChange(signal, this.at, by);
    if (step !== null) this.go(step);
    else notice(`${signal.name} stays ${valueAt(signal, this.at) ?? "unknown"}`);
  }

  private flip(by: number): void {
    const step = this.panels.nextFlip(by);
    if (step !== null) this.go(step);
    else notice(by > 0 ? "no atom flips from here on" : "no atom flips before this step");
  }

  private choose(signal: Signal): void {
    const chosen = this.waves.signals;
    this.selected = signal;
    this.waves.signals = chosen.includes(signal) ? chosen.filter((one) => one !== signal) : [...chosen, signal];
    this.waves.draw();
    this.panels.show(this.at);
  }

  private find(by: number): void {
    const text = this.search.value;
    if (!text) return;
    const step = this.model.search(this.at, by, text) ?? this.model.search(by > 0 ? -1 : this.model.length, by, text);
    if (step !== null) this.go(step);
    else notice(`no step has '${text}'`);
  }

  private turnPlay(): void {
    if (this.playing) {
      clearInterval(this.playing);
      this.playing = 0;
    } else {
      if (this.at === this.model.length - 1) this.go(this.model.trace.loop ?? 0);
      this.playing = window.setInterval(() => {
        const isEnd = this.at === this.model.length - 1;
        if (isEnd && this.model.trace.loop === null) return this.turnPlay();
        this.go(isEnd ? (this.model.trace.loop ?? 0) : this.at + 1);
      }, 150);
    }
    this.play.textContent = this.playing ? "⏸" : "▶";
  }

  /** What a key does here. */
  key(event: KeyboardEvent): boolean {
    const acts: Record<string, () => void> = {
      ArrowRight: () => (event.shiftKey ? this.nextLine(1) : this.go(this.at + 1)),
      ArrowLeft: () => (event.shiftKey ? this.nextLine(-1) : this.go(this.at - 1)),
      n: () => this.nextLine(1),
      p: () => this.nextLine(-1),
      o: () => this.out(),
      PageDown: () => this.go(this.at + 20),
      PageUp: () => this.go(this.at - 20),
      Home: () => this.go(0),
      End: () => this.go(this.model.length - 1),
      "]": () => this.sameLane(1),
      "[": () => this.sameLane(-1),
      "}": () => this.otherLane(1),
      "{": () => this.otherLane(-1),
      c: () => this.change(1),
      C: () => this.change(-1),
      t: () => this.flip(1),
      T: () => this.flip(-1),
      f: () => this.fold(!this.isFolded),
      "/": () => this.search.focus(),
      " ": () => this.turnPlay(),
    };
    const act = acts[event.key];
    if (!act) return false;
    act();
    return true;
  }
}

function registerNames(names: Names | null): Set<string> {
  return new Set([...(names?.registers ?? []).map((register) => register.name), "SREG", "SPH", "SPL"]);
}

/** The formula of a property, where it has one. */
function formulaText(result: Result): { form: string; text: string } | null {
  if (result.temporal) return { form: "ltl", text: result.temporal.formula };
  if (["invariant", "ctl", "ltl"].includes(result.kind)) return { form: result.kind, text: result.description };
  return null;
}
