// C source and assembly to read: coloured, with one line marked.

import type { Row } from "./api";
import { h } from "./dom";
import { List } from "./list";

const LINE = 19;

const KEYWORDS = new Set(
  ("auto break case char const continue default do double else enum extern float for goto if inline int long " +
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while " +
    "_Bool bool uint8_t uint16_t uint32_t int8_t int16_t int32_t size_t ISR").split(" "),
);
const TOKEN = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\b\d[\w.]*|[A-Za-z_]\w*|\s+|./g;

/** Whether each line begins within a comment. */
function comments(lines: string[]): boolean[] {
  let inside = false;
  return lines.map((line) => {
    const begins = inside;
    for (const [token] of (inside ? `/*${line}` : line).matchAll(TOKEN)) {
      if (token.startsWith("/*")) inside = !token.endsWith("*/") || token.length < 4;
      else if (inside) inside = false;
    }
    return begins;
  });
}

function coloured(line: string, isComment: boolean): (Node | string)[] {
  if (!isComment && /^\s*#/.test(line)) return [h("i", { class: "pre" }, line)];
  const text = isComment ? `/*${line}` : line;
  let isFirst = isComment;
  return [...text.matchAll(TOKEN)].map(([token]) => {
    const shown = isFirst ? token.slice(2) : token;
    isFirst = false;
    if (token.startsWith("/*") || token.startsWith("//")) return h("i", { class: "comment" }, shown);
    if (/^["']/.test(token)) return h("i", { class: "text" }, shown);
    if (/^\d/.test(token)) return h("i", { class: "number" }, shown);
    if (KEYWORDS.has(token)) return h("i", { class: "key" }, shown);
    return shown;
  });
}

export class Source {
  readonly list: List;
  private lines: string[] = [];
  private inside: boolean[] = [];
  private now = 0;
  private column = 0;
  /** Lines that a run comes to. */
  visited = new Set<number>();

  constructor(private readonly chosen: (line: number) => void = () => {}) {
    this.list = new List("Source", LINE, 0, (index) => this.row(index), { class: "code" });
  }

  setText(text: string): void {
    this.lines = text.split("\n");
    if (this.lines.at(-1) === "") this.lines.pop();
    this.inside = comments(this.lines);
    this.list.resize(this.lines.length);
  }

  /** Marks a line, numbered from 1; 0 marks none. */
  mark(line: number, column = 0): void {
    this.now = line;
    this.column = column;
    if (line > 0) this.list.show(line - 1);
    else this.list.draw(true);
  }

  private row(index: number): HTMLElement {
    const number = index + 1;
    const isNow = number === this.now;
    const row = h("div", { class: isNow ? "line now" : "line", onclick: () => this.chosen(number) });
    if (this.visited.has(number)) row.classList.add("visited");
    if (isNow) row.setAttribute("aria-current", "true");
    const line = this.lines[index].replaceAll("\t", "    ");
    row.append(h("b", null, number));
    const code = h("span", null, ...coloured(line, this.inside[index]));
    row.append(code);
    if (isNow && this.column > 0) row.dataset.column = String(this.column);
    return row;
  }
}

export class Assembly {
  readonly list: List;
  private rows: Row[] = [];
  private places = new Map<number, number>();
  private shown: (number | string)[] = [];
  private now = -1;

  constructor(private readonly chosen: (address: number) => void = () => {}) {
    this.list = new List("Assembly", LINE, 0, (index) => this.row(index), { class: "code assembly" });
  }

  setRows(rows: Row[]): void {
    this.rows = rows;
    this.shown = [];
    this.places.clear();
    rows.forEach((row, index) => {
      for (const label of row[4].slice(-1)) this.shown.push(`${label}:`);
      this.places.set(row[0], this.shown.length);
      this.shown.push(index);
    });
    this.list.resize(this.shown.length);
  }

  /** Marks an instruction; -1 marks none. */
  mark(address: number): void {
    this.now = address;
    const place = this.places.get(address);
    if (place !== undefined) this.list.show(place);
    else this.list.draw(true);
  }

  private row(index: number): HTMLElement {
    const shown = this.shown[index];
    if (typeof shown === "string") return h("div", { class: "line label" }, shown);
    const [address, bytes, code, remark] = this.rows[shown];
    const isNow = address === this.now;
    const row = h("div", { class: isNow ? "line now" : "line", onclick: () => this.chosen(address) });
    if (isNow) row.setAttribute("aria-current", "true");
    row.append(h("b", null, address.toString(16).padStart(4, "0")), h("small", null, bytes));
    const [name, ...rest] = code.split(" ");
    row.append(h("span", null, h("i", { class: "key" }, name.padEnd(6)), rest.join(" ")));
    if (remark) row.append(h("i", { class: "comment" }, `; ${remark}`));
    return row;
  }
}
