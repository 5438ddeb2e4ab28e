// A run as something to look into: what has which value at a step, and where that changes.
//
// Each name has the list of its changes, so the value at any step is found by bisection, and going to a far
// step costs what going to the next one does.

import type { FormulaNode, Trace } from "./api";

const [LANE, FILE, LINE, COLUMN, FUNCTION, DEPTH, KIND, TEXT, ADDRESS, OWNER, FRAME, CHANGES] = Array(12).keys();

export interface Step {
  lane: number;
  file: string;
  line: number;
  column: number;
  function: string;
  depth: number;
  kind: string;
  text: string;
  address: string;
}

/** Where bytes of memory without a name are, such as those of the stack. */
export const MEMORY = "memory";

export type Sort = "atom" | "lock" | "register" | "io" | "variable";

/** What a lock has instead of the lanes that hold it. */
export const FREE = "free";

/** Something that has a value: a register, an I/O register, a variable of a function or of all, an atom. */
export interface Signal {
  name: string;
  /** The function whose variable it is. */
  scope: string;
  /** The call whose variable it is, from 1; 0 where it lives longer. */
  frame: number;
  sort: Sort;
  /** Steps at which it changes, and to what. */
  steps: number[];
  values: string[];
}

/** A row of the list of steps: one step, or rounds of a loop that are left out. */
export type Shown = { step: number } | Fold;

/** Steps that are left out, from the first to before the last. */
export interface Fold {
  from: number;
  to: number;
  rounds: number;
}

/** Active calls of which variables are shown. */
const DEEPEST = 50;

export class Model {
  readonly length: number;
  readonly signals: Signal[] = [];
  /** Signals that live as long as the run, by what they are, and those of each call. */
  private readonly bySort = new Map<Sort, Signal[]>();
  private readonly byFrame = new Map<number, Signal[]>();
  /** For each step the last one up to it that has a place in a source, and that has an address; or -1. */
  private readonly lastPlaced: Int32Array;
  private readonly lastAddressed: Int32Array;
  /** The steps of each lane. */
  private readonly ofLane: number[][];
  private readonly folds: Fold[];
  /** Loops that go round at least so often are folded. */
  private static readonly ROUNDS = 4;

  constructor(
    readonly trace: Trace,
    registers: Set<string>,
  ) {
    this.length = trace.steps.length;
    const { texts, steps } = trace;
    const known = new Map<string, Signal>();
    const isMachine = steps.some((row) => texts[row[KIND]] === "instruction");
    for (let step = 0; step < steps.length; step++) {
      const row = steps[step];
      for (let at = CHANGES; at + 1 < row.length; at += 2) {
        const name = texts[row[at]];
        const isAtom = name.startsWith("{");
        const frame = row[OWNER];
        const lane = frame && trace.lanes.length > 1 ? ` (${trace.lanes[row[LANE]]})` : "";
        const scope = /^0x/.test(name) ? MEMORY : frame ? `${texts[trace.frames[frame - 1][0]]}${lane}` : "";
        const key = `${frame}\n${name}`;
        let signal = known.get(key);
        if (!signal) {
          const sort: Sort = isAtom ? "atom" : !isMachine ? "variable" : sortOf(name, registers);
          signal = { name, scope, frame, sort, steps: [], values: [] };
          known.set(key, signal);
          this.signals.push(signal);
          if (frame) append(this.byFrame, frame, signal);
          else append(this.bySort, sort, signal);
        }
        put(signal, step, texts[row[at + 1]]);
      }
    }
    this.addLocks();
    this.lastPlaced = this.last((row) => row[LINE] > 0);
    this.lastAddressed = this.last((row) => texts[row[ADDRESS]].startsWith("0x"));
    this.ofLane = trace.lanes.map(() => []);
    steps.forEach((row, step) => this.ofLane[row[LANE]].push(step));
    this.folds = this.foldable();
  }

  /** A signal for each lock: who holds it. */
  private addLocks(): void {
    const { texts, lanes, locks } = this.trace;
    const known = new Map<number, { signal: Signal; holders: Set<number> }>();
    for (const [step, lane, name, holds] of locks) {
      let lock = known.get(name);
      if (!lock) {
        const signal: Signal = { name: texts[name], scope: "", frame: 0, sort: "lock", steps: [], values: [] };
        lock = { signal, holders: new Set() };
        known.set(name, lock);
        this.signals.push(signal);
        append(this.bySort, "lock", signal);
      }
      if (holds) lock.holders.add(lane);
      else lock.holders.delete(lane);
      const holders = [...lock.holders].map((holder) => lanes[holder]);
      put(lock.signal, step, holders.join(", ") || FREE);
    }
  }

  private last(is: (row: number[]) => boolean): Int32Array {
    const found = new Int32Array(this.length);
    let last = -1;
    this.trace.steps.forEach((row, step) => {
      if (is(row)) last = step;
      found[step] = last;
    });
    return found;
  }

  /** The signals of a sort that exist at a step: those of the whole run and of the calls that are active. */
  alive(sort: Sort, step: number): Signal[] {
    const all = [...(this.bySort.get(sort) ?? [])];
    if (sort !== "variable") return all;
    for (const frame of this.active(step)) all.push(...(this.byFrame.get(frame) ?? []));
    return all;
  }

  /** The calls that are active after a step, in its lane first, innermost first. */
  private active(step: number): number[] {
    const { steps, frames } = this.trace;
    const own = steps[step][LANE];
    const lanes = [own, ...this.ofLane.keys()].filter((lane, index) => index === 0 || lane !== own);
    const active: number[] = [];
    for (const lane of lanes) {
      const last = bisect(this.ofLane[lane], step);
      if (last < 0) continue;
      let frame = steps[this.ofLane[lane][last]][FRAME];
      for (; frame && active.length < DEEPEST; frame = frames[frame - 1][1]) active.push(frame);
    }
    return active;
  }

  step(index: number): Step {
    const row = this.trace.steps[index];
    const { texts } = this.trace;
    return {
      lane: row[LANE],
      file: texts[row[FILE]],
      line: row[LINE],
      column: row[COLUMN],
      function: texts[row[FUNCTION]],
      depth: row[DEPTH],
      kind: texts[row[KIND]],
      text: texts[row[TEXT]],
      address: texts[row[ADDRESS]],
    };
  }

  lane(index: number): number {
    return this.trace.steps[index][LANE];
  }

  /** The changes of a step in words. */
  changes(index: number): string {
    const row = this.trace.steps[index];
    const { texts } = this.trace;
    if (texts[row[KIND]] === "assign") return "";
    const all: string[] = [];
    for (let at = CHANGES; at + 1 < row.length; at += 2) all.push(`${texts[row[at]]} = ${texts[row[at + 1]]}`);
    return all.join("  ");
  }

  /** The byte address of a step of firmware. */
  address(index: number): number {
    const address = this.step(index).address;
    return address.startsWith("0x") ? Number.parseInt(address, 16) : -1;
  }

  /** The address of a step, or of the last one before it that has one. */
  lastAddress(index: number): number {
    const step = this.lastAddressed[index];
    return step < 0 ? -1 : this.address(step);
  }

  /** The next step, or the one before, of which something is true. */
  find(from: number, by: number, test: (index: number) => boolean): number | null {
    for (let index = from + by; index >= 0 && index < this.length; index += by) if (test(index)) return index;
    return null;
  }

  /** Where the source is: a step without a place is where the run was before. */
  placed(index: number): Step {
    if (this.lastPlaced[index] >= 0) return this.step(this.lastPlaced[index]);
    const next = this.find(index, 1, (at) => this.trace.steps[at][LINE] > 0);
    return { ...this.step(next ?? index), line: next === null ? 0 : -this.step(next).line };
  }

  /** The next step that contains a text. */
  search(from: number, by: number, text: string): number | null {
    const wanted = text.toLowerCase();
    const has = this.trace.texts.map((one) => one.toLowerCase().includes(wanted));
    const { steps } = this.trace;
    return this.find(from, by, (index) => {
      const row = steps[index];
      if (has[row[TEXT]] || has[row[FUNCTION]] || has[row[ADDRESS]]) return true;
      for (let at = CHANGES; at < row.length; at++) if (has[row[at]]) return true;
      return false;
    });
  }

  /** All steps, or with the middle rounds of loops left out. `open` are folds that are to be shown. */
  rows(isFolded: boolean, open: Set<number>): Rows {
    return new Rows(this.length, isFolded ? this.folds.filter((fold) => !open.has(fold.from)) : []);
  }

  /** The middle rounds of each loop that goes round often. */
  private foldable(): Fold[] {
    const folds: Fold[] = [];
    const key = this.trace.steps.map((row) => (row[ADDRESS] * 1000003 + row[LINE] * 31 + row[TEXT]) | 0);
    const next = new Int32Array(this.length).fill(-1);
    const last = new Map<number, number>();
    for (let index = this.length - 1; index >= 0; index--) {
      next[index] = last.get(key[index]) ?? -1;
      last.set(key[index], index);
    }
    let index = 0;
    while (index < this.length) {
      const period = next[index] < 0 ? 0 : next[index] - index;
      let end = index + period;
      if (period > 0) while (end < this.length && key[end] === key[end - period]) end++;
      const rounds = period > 0 ? Math.floor((end - index) / period) : 0;
      if (rounds < Model.ROUNDS) {
        index++;
        continue;
      }
      const to = index + (rounds - 1) * period;
      folds.push({ from: index + period, to, rounds: rounds - 2 });
      index = to;
    }
    return folds;
  }
}

/** The rows of the list of steps, of which none is made before it is looked at. */
export class Rows {
  readonly count: number;
  /** The row of each fold. */
  private readonly places: number[] = [];
  private readonly starts: number[];

  constructor(
    length: number,
    private readonly folds: Fold[],
  ) {
    let hidden = 0;
    for (const fold of folds) {
      this.places.push(fold.from - hidden);
      hidden += fold.to - fold.from - 1;
    }
    this.starts = folds.map((fold) => fold.from);
    this.count = length - hidden;
  }

  at(row: number): Shown {
    const index = bisect(this.places, row);
    if (index < 0) return { step: row };
    return this.places[index] === row ? this.folds[index] : { step: this.folds[index].to + row - this.places[index] - 1 };
  }

  place(step: number): number {
    const index = bisect(this.starts, step);
    if (index < 0) return step;
    return step < this.folds[index].to ? this.places[index] : this.places[index] + 1 + step - this.folds[index].to;
  }
}

/** Notes a value; one that is the same as before is no change. */
function put(signal: Signal, step: number, value: string): void {
  const last = signal.steps.length - 1;
  if (signal.steps[last] === step) {
    signal.values[last] = value;
    if (signal.values[last - 1] !== value) return;
    signal.steps.pop();
    signal.values.pop();
  } else if (signal.values[last] !== value) {
    signal.steps.push(step);
    signal.values.push(value);
  }
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** The last of rising numbers that is not larger, or -1. */
function bisect(numbers: number[], wanted: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function sortOf(name: string, registers: Set<string>): Sort {
  if (/^r\d+$/.test(name)) return "register";
  if (registers.has(name)) return "io";
  return "variable";
}

/** The place of a signal's last change up to a step, or -1. */
export function lastChange(signal: Signal, step: number): number {
  return bisect(signal.steps, step);
}

export function valueAt(signal: Signal, step: number): string | null {
  const at = lastChange(signal, step);
  return at < 0 ? null : signal.values[at];
}

/** The next step at which a signal changes, or the one before. */
export function nextChange(signal: Signal, step: number, by: number): number | null {
  const at = lastChange(signal, by > 0 ? step : step - 1);
  return signal.steps[by > 0 ? at + 1 : at] ?? null;
}

/** A value as a number, where it is one. */
export function numeric(text: string | null): number | null {
  if (text === null) return null;
  if (text === "true") return 1;
  if (text === "false") return 0;
  const number = /^-?(0x[0-9a-f]+|\d+(\.\d+)?)/i.exec(text)?.[0];
  return number === undefined || /^0[01?]{7}/.test(text) ? null : Number(number);
}

/** Eight bits, the highest first: `1`, `0`, `?` or ` ` where nothing is known yet. */
export function bits(text: string | null): string {
  if (text === null) return "        ";
  if (text === "?") return "????????";
  if (/^[01?]{8}$/.test(text)) return text;
  const number = numeric(text);
  return number === null ? "????????" : (number & 255).toString(2).padStart(8, "0");
}

/**
 * The truth of each subformula at each step: true, false, or null where it is not known. Temporal operators are
 * known on a run that goes round for ever, and only without X, as letters may repeat.
 */
export function truths(nodes: FormulaNode[], model: Model): Truth[] {
  const atoms = new Map(model.signals.filter((one) => one.sort === "atom").map((one) => [one.name, one]));
  const loop = model.trace.loop;
  const isKnown = loop !== null && !nodes.some((node) => node.operator === "X" || node.operator === "path");
  const found: Truth[] = [];
  for (const node of nodes) {
    const parts = node.parts.map((part) => found[part]);
    found.push(truth(node, parts, atoms, isKnown ? { loop: loop ?? 0, length: model.length } : null));
  }
  return found;
}

/** Whether something is true at a step; null where that is not known. */
export type Truth = (step: number) => boolean | null;

/** Whether a truth is another one than at the step before. */
export function flips(truth: Truth, step: number): boolean {
  if (step === 0) return false;
  const [before, now] = [truth(step - 1), truth(step)];
  return before !== null && now !== null && before !== now;
}

function truth(
  node: FormulaNode,
  parts: Truth[],
  atoms: Map<string, Signal>,
  lasso: { loop: number; length: number } | null,
): Truth {
  const [a, b] = parts;
  const not = (value: boolean | null) => (value === null ? null : !value);
  const or = (step: number, all: Truth[]) => {
    const values = all.map((part) => part(step));
    return values.includes(true) ? true : values.includes(null) ? null : false;
  };
  const negated = parts.map((part): Truth => (step) => not(part(step)));
  switch (node.operator) {
    case "true":
      return () => true;
    case "false":
      return () => false;
    case "atom": {
      const signal = atoms.get(node.atom ?? "");
      return (step) => {
        const value = signal ? valueAt(signal, step) : null;
        return value === "true" ? true : value === "false" ? false : null;
      };
    }
    case "not":
      return (step) => not(a(step));
    case "and":
      return (step) => not(or(step, negated));
    case "or":
      return (step) => or(step, parts);
    case "implies":
      return (step) => or(step, [negated[0], b]);
    case "xor":
    case "iff":
      return (step) => {
        const [one, other] = [a(step), b(step)];
        return one === null || other === null ? null : (one === other) === (node.operator === "iff");
      };
  }
  if (!lasso) return () => null;
  const yes: Truth = () => true;
  switch (node.operator) {
    case "F":
      return until(yes, a, lasso, false);
    case "G":
      return flipped(until(yes, negated[0], lasso, false));
    case "U":
      return until(a, b, lasso, false);
    case "W":
      return until(a, b, lasso, true);
    case "R":
      return flipped(until(negated[0], negated[1], lasso, false));
    case "M":
      return until(b, (step) => not(or(step, negated)), lasso, false);
  }
  return () => null;
}

function flipped(of: Truth): Truth {
  return (step) => {
    const value = of(step);
    return value === null ? null : !value;
  };
}

/** a U b (or a W b) on a lasso: once round to find the fixpoint, once more to write it down. */
function until(a: Truth, b: Truth, lasso: { loop: number; length: number }, isWeak: boolean): Truth {
  let values: (boolean | null)[] | null = null;
  const compute = () => {
    const made: (boolean | null)[] = new Array(lasso.length).fill(isWeak);
    for (let round = 0; round < 2; round++) {
      let after = round === 0 ? isWeak : made[lasso.loop];
      for (let step = lasso.length - 1; step >= 0; step--) {
        const [now, goes] = [b(step), a(step)];
        if (now === true) after = true;
        else if (goes === true && now === false) after = after;
        else if (goes === false && now === false) after = false;
        else after = now === null || goes === null ? null : after;
        made[step] = after;
      }
    }
    return made;
  };
  return (step) => (values ??= compute())[step];
}
