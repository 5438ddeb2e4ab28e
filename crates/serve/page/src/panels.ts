// What has which value at a step: formula, variables, registers, I/O registers bit by bit.

import type { FormulaNode, Names } from "./api";
import { h } from "./dom";
import { bits, lastChange, MEMORY, type Model, nextChange, type Signal, type Sort, truths, valueAt } from "./model";

const FLAGS = ["C", "Z", "N", "V", "S", "H", "T", "I"];
/** More variables than that are not shown at once. */
const MOST = 300;

export interface Acts {
  go: (step: number) => void;
  /** Whether a signal has a waveform, and a turn of that. */
  isChosen: (signal: Signal) => boolean;
  choose: (signal: Signal) => void;
}

export class Panels {
  readonly element = h("div", { class: "panels", role: "region", "aria-label": "Values", tabindex: "0" });
  private readonly truths: ((step: number) => boolean | null)[];
  private readonly bitNames = new Map<string, string[]>();
  private filter = "";
  private readonly body = h("div");
  private at = 0;

  constructor(
    private readonly model: Model,
    private readonly nodes: FormulaNode[],
    names: Names | null,
    private readonly acts: Acts,
  ) {
    this.truths = truths(nodes, model);
    for (const register of names?.registers ?? []) {
      const all: string[] = Array(8).fill("");
      for (const [name, bit] of Object.entries(register.bits)) all[bit] = all[bit] ? `${all[bit]}, ${name}` : name;
      this.bitNames.set(register.name, all);
    }
    const filter = h("input", {
      type: "search",
      placeholder: "filter values",
      "aria-label": "Filter values",
      oninput: () => {
        this.filter = filter.value.toLowerCase();
        this.show(this.at);
      },
    });
    this.element.append(filter, this.body);
  }

  private wanted(sort: Sort): Signal[] {
    const all = this.model.alive(sort, this.at);
    const isWanted = (signal: Signal) => `${signal.scope} ${signal.name}`.toLowerCase().includes(this.filter);
    return this.filter ? all.filter(isWanted) : all;
  }

  show(step: number): void {
    this.at = step;
    const parts: (HTMLElement | null)[] = [this.formula(), this.variables(), this.io(), this.registers()];
    this.body.replaceChildren(...parts.filter((part) => part !== null));
  }

  private section(title: string, ...content: HTMLElement[]): HTMLElement {
    return h("section", null, h("h3", null, title), ...content);
  }

  /** The signal's name, with what can be done with it. */
  private name(signal: Signal, text = signal.name): HTMLElement {
    const jump = (by: number) => {
      const step = nextChange(signal, this.at, by);
      if (step !== null) this.acts.go(step);
    };
    const isChosen = this.acts.isChosen(signal);
    const label = (what: string) => `${what} of ${signal.name}`;
    return h(
      "span",
      { class: "name" },
      h(
        "button",
        {
          class: isChosen ? "plain signal chosen" : "plain signal",
          title: `${signal.name}: ${isChosen ? "no waveform" : "show as a waveform"}`,
          "aria-pressed": String(isChosen),
          onclick: () => this.acts.choose(signal),
        },
        text,
      ),
      h("button", { class: "plain jump", "aria-label": label("change before"), onclick: () => jump(-1) }, "‹"),
      h("button", { class: "plain jump", "aria-label": label("next change"), onclick: () => jump(1) }, "›"),
    );
  }

  private isNow(signal: Signal): boolean {
    return signal.steps[lastChange(signal, this.at)] === this.at;
  }

  private formula(): HTMLElement | null {
    const atoms = this.wanted("atom");
    if (!atoms.length) return null;
    const rows = this.nodes.length
      ? this.nodes.map((node, index) => {
          const signal = atoms.find((one) => one.name === node.atom);
          return this.truth(signal ?? null, node.text, this.truths[index](this.at));
        })
      : atoms.map((signal) => this.truth(signal, signal.name, valueAt(signal, this.at) === "true"));
    return this.section("Formula", h("table", { class: "formula" }, ...rows));
  }

  private truth(signal: Signal | null, text: string, value: boolean | null): HTMLElement {
    const word = value === null ? "–" : String(value);
    const isNow = signal !== null && this.isNow(signal);
    return h(
      "tr",
      { class: isNow ? "now" : null },
      h("td", null, signal ? this.name(signal, text) : h("span", { class: "part" }, text)),
      h("td", { class: `truth ${word}`, title: value === null ? "not told by this run" : null }, word),
    );
  }

  /** Variables by function, structures and arrays unfolded below their names. */
  private variables(): HTMLElement | null {
    const all = this.wanted("variable").filter((signal) => lastChange(signal, this.at) >= 0);
    if (!all.length) return null;
    // What belongs to all comes first, bytes without a name last.
    const rank = (scope: string) => (scope === MEMORY ? 2 : scope ? 1 : 0);
    const scopes = new Map<string, Signal[]>();
    for (const signal of all.slice(0, MOST)) {
      const key = `${signal.frame} ${signal.scope}`;
      const list = scopes.get(key) ?? [];
      list.push(signal);
      scopes.set(key, list);
    }
    const rows: HTMLElement[] = [];
    const sorted = [...scopes.values()].sort((one, other) => rank(one[0].scope) - rank(other[0].scope));
    for (const signals of sorted) {
      const { scope } = signals[0];
      if (scope) rows.push(h("tr", { class: "scope" }, h("td", { colspan: 2 }, scope === MEMORY ? scope : `in ${scope}`)));
      signals.sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
      let path: string[] = [];
      for (const signal of signals) {
        const parts = signal.name.match(/^\(.*?\)|^\**\w+|(?:\.|->)\w+|\[[^\]]*\]/g) ?? [signal.name];
        const whole = parts.join("") === signal.name ? parts : [signal.name];
        for (let depth = 0; depth < whole.length - 1; depth++) {
          if (path[depth] === whole[depth]) continue;
          path = whole.slice(0, depth + 1);
          const style = `depth${Math.min(depth, 5)}`;
          rows.push(h("tr", null, h("td", { colspan: 2, class: `${style} whole` }, whole[depth])));
        }
        path = whole;
        const depth = Math.min(whole.length - 1, 5);
        rows.push(
          h(
            "tr",
            { class: this.isNow(signal) ? "now" : null },
            h("td", { class: `depth${depth}` }, this.name(signal, whole[whole.length - 1])),
            h("td", { class: "value" }, valueAt(signal, this.at)),
          ),
        );
      }
    }
    const more = all.length > MOST ? h("p", { class: "faint" }, `${all.length - MOST} more: use the filter`) : h("p");
    return this.section("Variables", h("table", null, ...rows), more);
  }

  private io(): HTMLElement | null {
    const all = this.wanted("io");
    if (!all.length) return null;
    const rows = all.map((signal) => {
      const place = lastChange(signal, this.at);
      const now = bits(place < 0 ? null : signal.values[place]);
      const isNow = this.isNow(signal);
      const before = isNow ? bits(place < 1 ? null : signal.values[place - 1]) : now;
      const names = this.bitNames.get(signal.name) ?? (signal.name === "SREG" ? FLAGS : Array(8).fill(""));
      const cells = [...now].map((bit, at) => {
        const name = names[7 - at];
        const kind = bit === "1" ? "one" : bit === "0" ? "zero" : "open";
        const title = `${signal.name} bit ${7 - at}${name ? ` (${name})` : ""}: ${bit}`;
        return h("td", { class: `bit ${kind}${before[at] !== bit ? " flipped" : ""}`, title }, bit);
      });
      return h(
        "tr",
        { class: isNow ? "now" : null },
        h("td", null, this.name(signal)),
        ...cells,
        h("td", { class: "value" }, place < 0 ? "" : signal.values[place]),
      );
    });
    const head = h("tr", { class: "scope" }, h("td"), ...[7, 6, 5, 4, 3, 2, 1, 0].map((bit) => h("td", null, bit)), h("td"));
    return this.section("I/O registers", h("table", { class: "io" }, head, ...rows));
  }

  private registers(): HTMLElement | null {
    const all = this.wanted("register");
    if (!all.length) return null;
    const known = new Map(all.map((signal) => [signal.name, signal]));
    const cells: HTMLElement[] = [];
    for (let number = 0; number < 32; number++) {
      const signal = known.get(`r${number}`);
      const value = signal ? valueAt(signal, this.at) : null;
      const isNow = signal !== undefined && this.isNow(signal);
      cells.push(
        h(
          "div",
          { class: isNow ? "cell now" : "cell" },
          signal ? this.name(signal) : h("span", { class: "faint" }, `r${number}`),
          h("span", { class: "value" }, value?.replace("0x", "") ?? ""),
        ),
      );
    }
    return this.section("Registers", h("div", { class: "registers" }, ...cells));
  }
}
