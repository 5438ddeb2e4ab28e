// The stack bound as a flame of its call path: each call below the one that made it, as wide as its bytes.

import { api } from "./api";
import { h, svg } from "./dom";
import { to } from "./state";

interface Frame {
  bytes: number;
  ends_with: string;
  function: string;
  interrupt: string | null;
  place: { address: number; file?: string; line?: number };
}

interface Bound {
  verdict: string;
  bytes: number | null;
  available: number | null;
  path: Frame[];
  functions: { function: string; address: number; own: number | null; total: number | null }[];
  assumptions: string[];
  unknown: unknown[];
}

export async function stackPage(program: string): Promise<HTMLElement> {
  const bound = (await api.stack(program)) as unknown as Bound;
  const fits: Record<string, string> = { fits: "holds", overflows: "violated" };
  const functions = [...bound.functions].sort((one, other) => (other.total ?? 0) - (one.total ?? 0));
  return h(
    "div",
    { class: "page" },
    h("h1", null, "Stack", h("small", null, ` of ${program}`)),
    h("p", null, h("span", { class: `verdict ${fits[bound.verdict] ?? "unknown"}` }, bound.verdict),
      ` ${bound.bytes ?? "?"} bytes at the most, ${bound.available ?? "?"} available`),
    bound.path.length ? flame(bound.path) : null,
    h("h2", null, "Functions"),
    h("table", { class: "properties" },
      h("thead", null, h("tr", null, h("th", null, "function"), ...["own bytes", "with what it calls"].map((title) => h("th", { class: "number" }, title)))),
      h("tbody", null, ...functions.map((one) => h("tr", null,
        h("td", null, h("a", { href: to("asm", program, one.address) }, one.function)),
        h("td", { class: "number" }, one.own ?? "?"), h("td", { class: "number" }, one.total ?? "?"))))),
    bound.assumptions.length ? h("section", null, h("h2", null, "This rests on"), h("ul", null, ...bound.assumptions.map((one) => h("li", null, one)))) : null,
    bound.unknown.length ? h("section", null, h("h2", null, "Not known"), h("pre", null, JSON.stringify(bound.unknown, null, 2))) : null,
  );
}

/** The outermost call below, each further one on top of it, from where its bytes begin. */
function flame(path: Frame[]): HTMLElement {
  const total = path.reduce((sum, frame) => sum + frame.bytes, 0) || 1;
  const [width, row] = [1000, 30];
  let start = 0;
  const parts = path.map((frame, index) => {
    const x = (start / total) * width;
    const y = (path.length - 1 - index) * row;
    start += frame.bytes;
    const place = frame.place.file ? `${frame.place.file.split("/").pop()}:${frame.place.line}` : `0x${frame.place.address.toString(16)}`;
    const ends: Record<string, string> = { interrupt: `${frame.interrupt ?? "a handler"} comes`, call: "calls", deepest: "is deepest" };
    const text = `${frame.function}: ${frame.bytes} bytes, ${ends[frame.ends_with] ?? frame.ends_with} at ${place}`;
    return svg("g", { class: path[index - 1]?.ends_with === "interrupt" ? "flame interrupt" : "flame" },
      svg("rect", { x, y, width: width - x, height: row - 2, rx: 3 }),
      svg("rect", { class: "own", x, y, width: Math.max(2, (frame.bytes / total) * width), height: row - 2, rx: 3 }),
      svg("text", { x: Math.min(x + 8, width - 420), y: y + 19 }, text), svg("title", null, text));
  });
  const made = h("div", { class: "flames" });
  made.append(svg("svg", { viewBox: `0 0 ${width} ${path.length * row}`, role: "img", "aria-label": "The deepest call path" }, ...parts));
  return made;
}
