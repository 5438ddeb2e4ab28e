// What has which value at a step: formula, variables, registers, I/O registers bit by bit.

import type { FormulaNode, Names } from "./api";
import { h, notice } from "./dom";
import {
  bits, flips, FREE, lastChange, MEMORY, type Model, nextChange, type Signal, type Sort, type Truth, truths, valueAt,
} from "./model";

const FLAGS = ["C", "Z", "N", "V", "S", "H", "T", "I"];
/** More variables than that are not shown at once. */
const MOST = 300;

export interface Acts {
  go: (step: number) => void;
  /** Whether a signal has a waveform, and a turn of that. */
  isChosen: (signal: Signal) => boolean;
  choose: (signal: Signal) => void;
}

/** A row of the formula: an atom with its signal, or another subformula. */
interface Part {
  text: string;
  signal: Signal | null;
  truth: Truth;
}

export class Panels {
  readonly element = h("div", { class: "panels", role: "region", "aria-label": "Values", tabindex: "0" });
  private readonly parts: Part[];
  private readonly bitNames = new Map<string, string[]>();
  private filter = "";
  private readonly body = h("div");
  private at = 0;

  constructor(
    private readonly model: Model,
    nodes: FormulaNode[],
    names: Names | null,
    private readonly acts: Acts,
  ) {
    this.parts = partsOf(nodes, model);
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
    const parts: (HTMLElement | null)[] = [this.formula(), this.locks(), this.variables(), this.io(), this.registers()];
    this.body.replaceChildren(...parts.filter((part) => part !== null));
  }

  private section(title: string, ...content: HTMLElement[]): HTMLElement {
    return h("section", null, h("h3", null, title), ...content);
  }

  /** The signal's name, with what can be done with it. */
  private name(signal: Signal, text = signal.name): HTMLElement {
    const isChosen = this.acts.isChosen(signal);
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
      ...this.jumps(signal.name, (by) => nextChange(signal, this.at, by)),
    );
  }

  /** Arrows to the change before and the next one. */
  private jumps(name: string, find: (by: number) => number | null): HTMLElement[] {
    const jump = (by: number, what: string, text: string) => {
      const onclick = () => {
        const step = find(by);
        if (step !== null) this.acts.go(step);
        else notice(by > 0 ? `${name} stays so to the end` : `${name} is so from the start`);
      };
      return h("button", { class: "plain jump", "aria-label": `${what} of ${name}`, onclick }, text);
    };
    return [jump(-1, "change before", "‹"), jump(1, "next change", "›")];
  }

  private isNow(signal: Signal): boolean {
    return signal.steps[lastChange(signal, this.at)] === this.at;
  }

  /** Whether there is a formula. */
  get hasFormula(): boolean {
    return this.parts.length > 0;
  }

  /** The next step, or the one before, at which an atom or another subformula flips. */
  nextFlip(by: number, parts: Part[] = this.parts): number | null {
    return this.model.find(this.at, by, (step) => parts.some((part) => flips(part.truth, step)));
  }

  private formula(): HTMLElement | null {
    const parts = this.parts.filter((part) => part.text.toLowerCase().includes(this.filter));
    if (!parts.length) return null;
    return this.section("Formula", h("table", { class: "formula" }, ...parts.map((part) => this.part(part))));
  }

  private part(part: Part): HTMLElement {
    const { signal, text, truth } = part;
    const value = truth(this.at);
    const word = value === null ? "–" : String(value);
    const name = signal
      ? this.name(signal, text)
      : h("span", { class: "name" }, h("span", { class: "part" }, text), ...this.jumps(text, (by) => this.nextFlip(by, [part])));
    return h(
      "tr",
      { class: flips(truth, this.at) || (signal && this.isNow(signal)) ? "now" : null },
      h("td", null, name),
      h("td", { class: `truth ${word}`, title: value === null ? "not told by this run" : null }, word),
    );
  }

  /** Locks by who holds them. */
  private locks(): HTMLElement | null {
    const all = this.wanted("lock");
    const held = new Map<string, Signal[]>();
    for (const signal of all) {
      const holder = valueAt(signal, this.at) ?? FREE;
      held.set(holder, [...(held.get(holder) ?? []), signal]);
    }
    const holders = [...held.keys()].sort((one, other) => Number(one === FREE) - Number(other === FREE) || one.localeCompare(other));
    if (!holders.length) return null;
    const rows = holders.flatMap((holder) => [
      h("tr", { class: "scope" }, h("td", null, holder === FREE ? FREE : `held by ${holder}`)),
      ...(held.get(holder) ?? []).map((signal) => h("tr", { class: this.isNow(signal) ? "now" : null }, h("td", null, this.name(signal)))),
    ]);
    return this.section("Locks", h("table", { class: "locks" }, ...rows));
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

function partsOf(nodes: FormulaNode[], model: Model): Part[] {
  const atoms = model.signals.filter((signal) => signal.sort === "atom");
  if (!atoms.length) return [];
  const known = truths(nodes, model);
  if (nodes.length) {
    return nodes.map((node, index) => {
      const signal = atoms.find((one) => one.name === node.atom) ?? null;
      return { text: node.text, signal, truth: known[index] };
    });
  }
  return atoms.map((signal) => {
    const truth = (step: number) => {
      const value = valueAt(signal, step);
      return value === null ? null : value === "true";
    };
    return { text: signal.name, signal, truth };
  });
}
