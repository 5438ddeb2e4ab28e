/**
 * What the JSON report of `kripke check` (docs/json.md) says of each property, for diagnostics and the gutter.
 */

import * as path from "node:path";

export type Verdict = "holds" | "violated" | "unknown" | "presumably-holds" | "presumably-violated";

/** What is known of a property. */
export interface Finding {
  /** The property's name, by which the debug adapter chooses its counterexample. */
  property: string;
  program: string;
  kind: string;
  verdict: Verdict;
  message: string;
  /** Absolute; empty where the property has no place. */
  file: string;
  /** From 1. */
  line: number;
  column: number;
  function: string;
  /** Whether there is a run to replay. */
  hasTrace: boolean;
  /** No answer, but a run that violates it if callers or objects are as the run has them. */
  isPossible: boolean;
}

interface Place {
  file?: string;
  line?: number;
  column?: number;
  function?: string;
}

interface Result {
  property?: { id?: string; kind?: string; description?: string; place?: Place };
  verdict?: Verdict;
  reason?: { kind?: string; what?: string };
  place?: Place;
  rank?: string;
  trace?: { steps?: { step?: string; message?: string }[] };
}

interface Part {
  program?: string;
  results?: Result[];
  findings?: Result[];
}

/** All findings of a report; relative paths begin at a folder. */
export function findings(text: string, folder: string): Finding[] {
  const whole = JSON.parse(text) as Part & { reports?: Part[] };
  const parts = [whole, ...(Array.isArray(whole.reports) ? whole.reports : [])];
  return parts.flatMap((part) => {
    const results = Array.isArray(part.results) ? part.results : [];
    // By rank, the worst first.
    const runs = new Map<string | undefined, Result>();
    for (const run of Array.isArray(part.findings) ? part.findings : []) {
      if (run.rank !== "excluded" && !runs.has(run.property?.id)) {
        runs.set(run.property?.id, run);
      }
    }
    const answers = results
      .filter((result) => runs.has(result.property?.id) || result.reason?.kind !== "not-checked")
      .map((result) => finding(result, runs.get(result.property?.id), part.program ?? "", folder));
    const known = new Set(results.map((result) => result.property?.id));
    const more = [...runs.values()].filter((run) => !known.has(run.property?.id));
    return [...answers, ...more.map((run) => finding(run, run, part.program ?? "", folder))];
  });
}

function finding(result: Result, run: Result | undefined, program: string, folder: string): Finding {
  const property = result.property ?? {};
  const verdict = result.verdict ?? "unknown";
  const isPossible = verdict === "unknown" && run !== undefined;
  const hasRun = run !== undefined && (isPossible || verdict === "violated");
  const place = (hasRun ? run.place : result.place) ?? property.place ?? {};
  const trace = result.trace ?? (hasRun ? run.trace : undefined);
  const last = trace?.steps?.at(-1);
  const detail = last?.step === "violation" ? last.message : undefined;
  const description = property.description ?? property.id ?? "";
  const said = detail && detail !== description ? `${description}: ${detail}` : description;
  const reason = verdict === "unknown" && result.reason?.kind ? ` (unknown: ${result.reason.kind})` : "";
  const why = isPossible ? " (possible: it depends on callers or objects)" : reason;
  return {
    property: property.id ?? "",
    program,
    kind: property.kind ?? "",
    verdict,
    message: said + why,
    // Kripke's own library, such as <library>/threads.c, is no file.
    file: place.file && !place.file.startsWith("<") ? path.resolve(folder, place.file) : "",
    line: place.line ?? 0,
    column: place.column ?? 0,
    function: place.function ?? property.place?.function ?? "",
    hasTrace: trace !== undefined,
    isPossible,
  };
}

/** The verdict on several properties together: the worst. */
export function together(verdicts: Verdict[]): Verdict | undefined {
  const order: Verdict[] = ["violated", "presumably-violated", "unknown", "presumably-holds", "holds"];
  return order.find((verdict) => verdicts.includes(verdict));
}
