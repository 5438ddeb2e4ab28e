// The project: its programs with properties and verdicts, and what can be done with them.

import { api, type Program, type Result, type Run } from "./api";
import { button, h, verdict } from "./dom";
import { options, given } from "./options";
import { failed, state, to } from "./state";

/** So many violated properties are named. */
const SHOWN = 3;

export async function start(program: string, property: string | null, extra: Record<string, unknown> = {}): Promise<void> {
  try {
    await api.start({ program, property, ...extra, options: given(program) });
  } catch (error) {
    failed(error);
  }
}

export function overview(): HTMLElement {
  const project = state.project;
  if (!project) return h("p", null, "…");
  const all = async () => {
    for (const program of project.programs) await start(program.name, null);
  };
  return h(
    "div",
    { class: "page overview" },
    h("h1", null, project.title, h("small", null, ` ${project.single ? project.programs[0]?.name ?? "" : project.file}`)),
    project.error ? h("p", { class: "bad-text" }, `${project.file}: ${project.error}`) : null,
    h("p", { class: "buttons" }, h("button", { class: "main", onclick: all }, "Check everything"),
      button("Reload", "Read the project file anew", () => { state.forget(); state.load().catch(failed); })),
    ...project.programs.map(card),
  );
}

function card(program: Program): HTMLElement {
  const link = (text: string, ...parts: string[]) => h("a", { href: to(...parts) }, text);
  const isFirmware = program.kind === "firmware";
  const rows = program.properties.map((property) => {
    const id = property.form === "id" ? (property.text ?? "") : property.name;
    const known = state.verdict(program.name, id);
    const going = state.underWay(program.name, property.name);
    return h(
      "tr",
      null,
      h("td", null, h("a", { href: to("edit", program.name, property.name) }, property.name)),
      h("td", null, h("small", { class: "faint" }, property.form), " ", h("code", null, property.text)),
      h("td", null, going ? working(going) : known ? answer(known.run, known.index) : h("span", { class: "faint" }, "not checked")),
      h("td", { class: "expected" }, expected(property.expected, known?.result.verdict)),
      h("td", { class: "acts" },
        going ? button("stop", `Stop ${property.name}`, () => api.stop(going.id).catch(failed))
          : button("check", `Check ${property.name}`, () => start(program.name, property.name))),
    );
  });
  const going = state.underWay(program.name, null);
  const safety = lastSafety(program);
  return h(
    "section",
    { class: "card" },
    h("h2", null, program.name, h("span", { class: "kind" }, isFirmware ? "firmware" : "C"),
      h("span", { class: "links" },
        ...program.sources.map((source) => link(source, "source", source)),
        isFirmware ? link("assembly", "asm", program.name) : null,
        link(isFirmware ? "control flow" : "model", "graph", program.name, "cfg"),
        isFirmware ? link("states", "graph", program.name, "states") : null,
        isFirmware ? link("stack", "stack", program.name) : null,
        link("simulate", "simulate", program.name))),
    h("table", { class: "properties" },
      h("thead", null, h("tr", null, ...["property", "formula", "verdict", "expected", ""].map((title) => h("th", null, title)))),
      h("tbody", null, ...rows,
        program.checks ? h("tr", { class: "safety" }, h("td", null, isFirmware ? "faults" : "safety properties"),
          h("td", { class: "faint" }, isFirmware ? "what no firmware may do" : "overflow, bounds, assertions, …"),
          h("td", null, going ? working(going) : (safety ?? h("span", { class: "faint" }, "not checked"))), h("td"), h("td")) : null)),
    h("p", { class: "buttons" },
      going ? button("Stop", `Stop ${program.name}`, () => api.stop(going.id).catch(failed))
        : button("Check all", `Check all of ${program.name}`, () => start(program.name, null)),
      h("a", { class: "button", href: to("edit", program.name) }, "Add a property"),
      options(program)),
  );
}

function expected(wanted: string | null, found: string | undefined): HTMLElement | string {
  if (!wanted) return "";
  const isMet = found === undefined || wanted.replaceAll("-", " ") === found;
  return h("span", { class: isMet ? "faint" : "bad-text" }, isMet ? wanted : `${wanted} (!)`);
}

/** The safety properties of the latest run that looked at them, together. */
function lastSafety(program: Program): HTMLElement | null {
  const named = new Set(program.properties.map((property) => property.name));
  for (const run of [...state.runs.values()].reverse()) {
    if (run.program !== program.name || run.formula !== null) continue;
    const looked = run.results.filter((result) => !named.has(result.id) && !["ltl", "ctl", "invariant"].includes(result.kind));
    if (!looked.length) continue;
    const bad = looked.filter((result) => result.verdict === "violated");
    const open = looked.filter((result) => result.verdict === "unknown");
    const text = bad.length ? "violated" : open.length ? "unknown" : "holds";
    const title = "show the run";
    const way = (result: Result) => to("run", run.id, run.results.indexOf(result));
    const names = bad.slice(0, SHOWN).flatMap((one) => [" ", h("a", { href: way(one), title }, h("small", null, one.id))]);
    const more = bad.length > SHOWN ? h("small", { class: "faint" }, ` and ${bad.length - SHOWN} more`) : null;
    const all = h("a", { href: bad.length ? way(bad[0]) : to("run", run.id) }, verdict(text));
    return h("span", null, all, ...(bad.length ? [...names, more] : [h("small", { class: "faint" }, ` ${looked.length} properties`)]));
  }
  return null;
}

/** A verdict that leads to its counterexample. */
export function answer(run: Run, index: number): HTMLElement {
  const result = run.results[index];
  const word = verdict(result.verdict);
  if (result.trace === null) return word;
  return h("a", { href: to("run", run.id, index), title: "show the run" }, word, h("small", null, ` ${result.steps} steps`));
}

export function working(run: Run): HTMLElement {
  const text = run.status === "waiting" ? "waiting" : run.is_stopping ? "stopping …" : run.progress.replace(/^\[\d+ s\] /, "") || "running …";
  return h("a", { class: "working", href: to("run", run.id) }, h("span", { class: "spinner", "aria-hidden": "true" }), text);
}
