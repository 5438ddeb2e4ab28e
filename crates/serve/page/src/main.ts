// The page: a head, the project at the side, and the view that the address names.

import "./page.css";
import { Assembly, Source } from "./code";
import { button, h, later } from "./dom";
import { editor } from "./editor";
import { Graph } from "./graph";
import { overview } from "./overview";
import { isGoing, runList, runPage } from "./runs";
import { follow } from "./scale";
import { simulatePage } from "./simulate";
import { simulateProgram } from "./simulate_program";
import { stackPage } from "./stack";
import { failed, state, to } from "./state";
import { restore, turn } from "./theme";
import { TraceView } from "./trace";

const byId = (id: string) => document.getElementById(id) as HTMLElement;
let trace: TraceView | null = null;
/** Views that show runs are drawn anew when these change. */
let redraw: (() => void) | null = null;
let shown = 0;

function parts(): string[] {
  return location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent).filter(Boolean);
}

function put(made: HTMLElement): void {
  byId("main").replaceChildren(made);
}

/** A view that is drawn from what is known of runs. */
function live(view: () => HTMLElement): void {
  redraw = () => {
    // What is typed or opened is not taken away.
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && byId("main").contains(focused) && focused.matches("input, textarea, select")) return;
    put(view());
  };
  put(view());
}

async function show(): Promise<void> {
  const number = ++shown;
  const [view, ...rest] = parts();
  redraw = null;
  trace?.close();
  trace = null;
  document.body.dataset.view = view ?? "project";
  document.title = `${[...rest].reverse().join(" ") || (state.project?.title ?? "")} – Kripke`;
  side();
  try {
    const made = await made_of(view, rest);
    if (made && number === shown) put(made);
  } catch (error) {
    if (number !== shown) return;
    put(h("div", { class: "page" }, h("p", { class: "bad-text" }, error instanceof Error ? error.message : String(error))));
  }
}

async function made_of(view: string | undefined, rest: string[]): Promise<HTMLElement | null> {
  const program = rest[0];
  switch (view) {
    case undefined:
      live(overview);
      return null;
    case "runs":
      live(runList);
      return null;
    case "run":
      return runView(rest);
    case "edit":
      return editor(program, rest[1] ?? null);
    case "source": {
      const source = new Source();
      const text = (await state.source(program)).text;
      put(h("div", { class: "file" }, h("h1", null, program), source.list.element));
      source.setText(text);
      source.mark(Number(rest[1] ?? 0));
      return null;
    }
    case "asm": {
      const assembly = new Assembly();
      const rows = await state.disassembly(program);
      put(h("div", { class: "file" }, h("h1", null, `Assembly of ${program}`), assembly.list.element));
      assembly.setRows(rows);
      if (rest[1]) assembly.mark(Number(rest[1]));
      return null;
    }
    case "graph": {
      put(h("div", { class: "page" }, "…"));
      const dot = await state.graph(program, rest[1] ?? "cfg");
      const title = rest[1] === "states" ? "States" : "Control flow";
      return h("div", { class: "file" }, h("h1", null, `${title} of ${program}`), new Graph(dot, () => {}).element);
    }
    case "stack":
      return stackPage(program);
    case "simulate":
      put(h("div", { class: "page" }, "…"));
      return state.program(program)?.kind === "firmware" ? simulatePage(program) : simulateProgram(program);
  }
  return h("div", { class: "page" }, h("p", null, "There is no such view. "), h("a", { href: "#/" }, "To the project"));
}

async function runView(rest: string[]): Promise<HTMLElement | null> {
  const id = Number(rest[0]);
  const run = state.runs.get(id);
  if (!run) throw new Error("There is no such run: it was forgotten, or kripke serve was started anew since.");
  if (rest[1] === undefined) {
    live(() => runPage(state.runs.get(id) ?? run));
    return null;
  }
  const result = run.results[Number(rest[1])];
  if (!result || result.trace === null) throw new Error("This verdict has no run to show.");
  put(h("div", { class: "page" }, "…"));
  const step = rest[2] === undefined ? null : Number(rest[2]) - 1;
  trace = await TraceView.open(run, Number(rest[1]), step);
  return trace.element;
}

function head(): void {
  const going = [...state.runs.values()].filter(isGoing).length;
  byId("head").replaceChildren(
    h("a", { class: "brand", href: "#/" }, h("b", null, "Kripke"), state.project?.title ?? ""),
    h("span", { class: "going", role: "status" }, state.connected ? (going ? `${going} ${going === 1 ? "check runs" : "checks run"}` : "") : "no connection to kripke serve"),
    h("a", { href: "#/runs" }, `runs (${state.runs.size})`),
    button("◐", "Dark or light (d)", turn, { class: "plain" }),
    button("?", "Keys", keys, { class: "plain" }),
  );
}

function side(): void {
  const project = state.project;
  if (!project) return;
  const now = location.hash;
  const link = (text: string, href: string, mark: HTMLElement | null = null) =>
    h("a", { href, class: now === href ? "now" : null, "aria-current": now === href ? "page" : null }, mark, text);
  const programs = project.programs.map((program) =>
    h("section", null, h("h2", null, program.name),
      ...program.properties.map((property) => {
        const known = state.verdict(program.name, property.form === "id" ? (property.text ?? "") : property.name);
        const going = state.underWay(program.name, property.name);
        const kind = going ? "going" : known ? known.result.verdict.replaceAll(" ", "-") : "open";
        const mark = h("i", { class: `dot ${kind}`, title: going ? "running" : (known?.result.verdict ?? "not checked") });
        const has = known && known.result.trace !== null;
        return link(property.name, has ? to("run", known.run.id, known.index) : to("edit", program.name, property.name), mark);
      })));
  const files = h("section", null, h("h2", null, "Files"), ...project.files.map((file) => link(file, to("source", file))));
  byId("side").replaceChildren(...programs, files);
}

function keys(): void {
  const rows = [
    ["→ ←", "step on and back"], ["shift → ←, n p", "next source line, line before"], ["o", "to the end of the function"],
    ["] [", "same thread or handler"], ["} {", "another thread or handler"], ["c C", "next change of the chosen value, change before"],
    ["t T", "next step where an atom or a subformula flips, step before"],
    ["Page down, up", "20 steps"], ["Home End", "first and last step"], ["space", "play"], ["f", "fold loops"], ["/", "search"], ["d", "dark or light"],
  ];
  const dialog = h("dialog", { class: "keys", "aria-label": "Keys" }, h("h2", null, "Keys"),
    h("table", null, ...rows.map(([key, text]) => h("tr", null, h("td", null, h("kbd", null, key)), h("td", null, text)))),
    h("button", { onclick: () => dialog.close() }, "Close"));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  const isTyping = target.matches("input:not([type=range], [type=checkbox]), textarea, select");
  if (isTyping && event.key === "Escape") target.blur();
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === " " && target.matches("button, a, summary, input")) return;
  if (event.key === "d") turn();
  else if (event.key === "?") keys();
  else if (!trace?.key(event)) return;
  event.preventDefault();
});

async function begin(): Promise<void> {
  restore();
  follow();
  if (location.search) history.replaceState(null, "", `/${location.hash}`);
  try {
    await state.load();
  } catch (error) {
    put(h("div", { class: "page" }, h("h1", null, "Kripke"), h("p", { class: "bad-text" }, (error as Error).message)));
    return;
  }
  head();
  side();
  let isFirst = true;
  const soon = later(() => { head(); side(); redraw?.(); }, 60);
  state.listen(() => {
    if (isFirst && state.connected) {
      isFirst = false;
      show();
    }
    soon();
  });
  if (parts()[0] !== "run") show();
  // Files may have been changed in an editor. That a server has ended is said at the top.
  addEventListener("focus", () => { state.forget(); state.load().catch(() => {}); });
  addEventListener("hashchange", () => { show().catch(failed); });
  state.follow();
}

begin();
