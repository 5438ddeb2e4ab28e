// All runs, and one of them: how it goes, its verdicts, what it said.

import { api, type Result, type Run } from "./api";
import { button, h, verdict } from "./dom";
import { answer, working } from "./overview";
import { failed, state, to } from "./state";

export function isGoing(run: Run): boolean {
  return run.status === "running" || run.status === "waiting";
}

/** The worst verdict of a run. */
function outcome(run: Run): HTMLElement {
  if (isGoing(run)) return working(run);
  if (run.status !== "done") return h("span", { class: `verdict ${run.status}` }, run.status);
  const order = ["violated", "presumably violated", "possible", "unknown", "presumably holds", "holds"];
  const found = order.find((word) => run.results.some((result) => result.verdict === word));
  return found ? verdict(found) : h("span", { class: "faint" }, "nothing was checked");
}

const seconds = (time: number) => `${time < 10 ? time.toFixed(2) : Math.round(time)} s`;

export function runList(): HTMLElement {
  const runs = [...state.runs.values()].reverse();
  const rows = runs.map((run) =>
    h("tr", null, h("td", null, h("a", { href: to("run", run.id) }, run.id)), h("td", null, run.program), h("td", null, run.label),
      h("td", null, outcome(run)), h("td", { class: "number" }, seconds(run.seconds)), h("td", null, h("code", null, run.options.join(" "))),
      h("td", null, isGoing(run) ? button("stop", `Stop run ${run.id}`, () => api.stop(run.id).catch(failed)) : null)));
  return h("div", { class: "page" }, h("h1", null, "Runs"),
    runs.length ? h("table", { class: "properties" },
      h("thead", null, h("tr", null, ...["", "program", "property", "verdict", "time", "options", ""].map((title) => h("th", null, title)))),
      h("tbody", null, ...rows)) : h("p", { class: "faint" }, "Nothing was checked yet."));
}

export function runPage(run: Run): HTMLElement {
  const known = { bound: 0, queries: 0, memory: 0 };
  for (const one of run.statistics) {
    known.bound = Math.max(known.bound, one.bound ?? 0);
    known.queries += one.queries ?? 0;
    known.memory = Math.max(known.memory, one.peak_memory ?? 0);
  }
  const facts = [
    seconds(run.seconds),
    known.memory ? `${Math.round(known.memory / (1 << 20))} MB` : "",
    known.bound ? `bound ${known.bound}` : "",
    known.queries ? `${known.queries} queries` : "",
    run.options.join(" "),
  ];
  const order = ["violated", "presumably violated", "possible", "unknown", "presumably holds", "holds"];
  const results = run.results.map((result, index) => ({ result, index }));
  results.sort((one, other) => order.indexOf(one.result.verdict) - order.indexOf(other.result.verdict));
  const again = () =>
    api.start({ program: run.program, property: run.formula === null ? run.property : null, options: {},
      formula: undefined }).then(({ id }) => { location.hash = to("run", id); }, failed);
  return h(
    "div",
    { class: "page run" },
    h("h1", null, run.label, h("small", null, ` ${run.program} · run ${run.id}`)),
    run.formula ? h("p", null, h("code", null, run.formula)) : null,
    h("p", { class: "state" }, outcome(run), h("span", { class: "faint" }, facts.filter(Boolean).join(" · "))),
    run.failure ? h("p", { class: "bad-text" }, run.failure) : null,
    h("p", { class: "buttons" },
      isGoing(run) ? button(run.is_stopping ? "End at once" : "Stop", "Stop this run", () => api.stop(run.id).catch(failed))
        : run.formula === null ? button("Check again", "Check again", again) : null,
      ...(run.status === "done" ? ["json", "html", "sarif"].map((format) =>
        h("a", { class: "button", href: `/api/runs/${run.id}/export/${format}`, download: true }, format.toUpperCase())) : [])),
    results.length ? h("table", { class: "properties" },
      h("thead", null, h("tr", null, ...["verdict", "property", "", "why"].map((title) => h("th", null, title)))),
      h("tbody", null, ...results.map(({ result, index }) =>
        h("tr", null, h("td", null, answer(run, index)), h("td", null, result.id), h("td", null, place(result), h("code", null, result.description)),
          h("td", { class: "faint" }, why(result)))))) : null,
    run.assumptions.length ? h("section", null, h("h2", null, "The verdicts rest on"), h("ul", null, ...run.assumptions.map((one) => h("li", null, one)))) : null,
    run.lines.length ? h("section", null, h("h2", null, "What the check said"), h("pre", { class: "said" }, run.lines.join("\n"))) : null,
  );
}

function place(result: Result): HTMLElement | null {
  if (!result.line || !result.file) return null;
  return h("a", { class: "place", href: to("source", result.file, result.line) }, `${result.file}:${result.line} `);
}

/** What a verdict rests on, or why there is none. */
function why(result: Result): string {
  const fields = (one: { kind: string; [more: string]: unknown } | undefined) => {
    if (!one) return "";
    const { kind, ...more } = one;
    const rest = Object.entries(more).map(([name, value]) => `${name} ${String(value)}`);
    return [kind.replaceAll("-", " "), ...rest].join(", ");
  };
  const notes = result.temporal ? [`${result.temporal.class}`, ...result.temporal.notes] : [];
  return [fields(result.argument), fields(result.reason), ...notes].filter(Boolean).join("; ");
}
