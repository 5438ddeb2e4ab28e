// How a program is checked: options of `kripke check`, kept per program while the page is open.

import type { Program } from "./api";
import { h } from "./dom";

type Kind = "switch" | "text" | "lines" | string[];
type Option = [name: string, label: string, kind: Kind, hint?: string];

const LIMITS: Option[] = [
  ["timeout", "time limit", "text", "5m"],
  ["memory-limit", "memory limit", "text", "4G"],
];
const PROGRAM: Option[] = [
  ["unwind", "bound of loops", "text", "grows by itself"],
  ["max-unwind", "largest bound", "text", ""],
  ["context-bound", "switches of threads", "text", "any"],
  ["solver", "solver", ["", "bitwuzla", "z3", "cvc5"]],
  ["explore", "schedules of threads", ["", "merged", "interleavings"]],
  ["fair", "fairness", ["", "none", "weak"]],
  ["all", "go on after the first violation", "switch"],
  ["interrupts", "handlers in the sources come", "switch"],
  ["malloc-may-fail", "malloc may fail", "switch"],
  ["no-k-induction", "no induction", "switch"],
  ["no-invariants", "no loop invariants", "switch"],
  ["no-pdr", "no property-directed reachability", "switch"],
  ["no-lasso", "no infinite counterexamples", "switch"],
  ["no-feasibility", "loops are followed without asking", "switch"],
  ["merge-all", "merge all paths", "switch"],
];
const FIRMWARE: Option[] = [
  ["max-states", "states at the most", "text", ""],
  ["store", "store of states", ["", "tree", "plain", "disk", "hash"]],
  ["nondeterminism", "inputs get values", ["", "auto", "immediate", "delayed"]],
  ["eeprom", "EEPROM holds", ["", "anything", "image"]],
  ["at", "invariants are judged at", ["", "instructions", "statements"]],
  ["fair", "fairness", ["", "none", "weak"]],
  ["nesting", "handlers at once", "text", "any"],
  ["constraint", "inputs satisfy (one a line)", "lines", "(PINA & 3) == 0"],
  ["never", "interrupts that never come (one a line)", "lines", "INT1"],
  ["no-abstract-values", "decide unknown bits", "switch"],
  ["no-widening", "keep all values of variables", "switch"],
  ["no-lazy-stack", "keep what the stack leaves behind", "switch"],
  ["lazy-interrupts", "interrupts right after RETI and SEI", "switch"],
  ["no-path-reduction", "every instruction is a step", "switch"],
  ["no-interrupt-reduction", "interrupts before every instruction", "switch"],
  ["no-dead-variable-reduction", "keep dead registers", "switch"],
];

const chosen = new Map<string, Map<string, string | boolean>>();
const opened = new Set<string>();

/** The options that are chosen for a program. */
export function given(program: string): Record<string, string | boolean> {
  return Object.fromEntries(chosen.get(program) ?? []);
}

export function options(program: Program): HTMLElement {
  const values = chosen.get(program.name) ?? new Map<string, string | boolean>();
  chosen.set(program.name, values);
  const summary = h("summary", null, "");
  const count = () => {
    const set = [...values.values()].filter((value) => value !== "" && value !== false).length;
    summary.textContent = set ? `Options (${set})` : "Options";
  };
  const all = [...LIMITS, ...(program.kind === "firmware" ? FIRMWARE : PROGRAM)];
  const fields = all.map(([name, label, kind, hint]) => {
    const take = (value: string | boolean) => {
      if (value === "" || value === false) values.delete(name);
      else values.set(name, value);
      count();
    };
    const id = `${program.name}-${name}`;
    const now = values.get(name);
    if (kind === "switch") {
      const box = h("input", { id, type: "checkbox", checked: now === true, onchange: () => take(box.checked) });
      return h("label", { class: "switch", for: id, title: `--${name}` }, box, label);
    }
    const text = typeof now === "string" ? now : "";
    const listen = { id, oninput: (event: Event) => take((event.target as HTMLInputElement).value), spellcheck: "false" };
    const field =
      kind === "lines" ? h("textarea", { ...listen, rows: 2, placeholder: hint, value: text })
      : Array.isArray(kind) ? h("select", listen, ...kind.map((one) => h("option", { value: one, selected: one === text }, one || "default")))
      : h("input", { ...listen, placeholder: hint ?? "", value: text });
    return h("label", { for: id, title: `--${name}` }, h("span", null, label), field);
  });
  count();
  const made = h("details", { class: "options", ontoggle: () => (made.open ? opened.add(program.name) : opened.delete(program.name)) },
    summary, h("div", { class: "fields" }, ...fields));
  made.open = opened.has(program.name);
  return made;
}
