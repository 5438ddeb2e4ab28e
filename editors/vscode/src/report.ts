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
    const known = new Set(results.map((result) => result.property?.id));
    const more = (Array.isArray(part.findings) ? part.findings : []).filter(
      (finding) => !known.has(finding.property?.id),
    );
    return [...results, ...more].map((result) => finding(result, part.program ?? "", folder));
  });
}

function finding(result: Result, program: string, folder: string): Finding {
  const property = result.property ?? {};
  const place = result.place ?? property.place ?? {};
  const verdict = result.verdict ?? (result.trace ? "violated" : "unknown");
  const last = result.trace?.steps?.at(-1);
  const detail = last?.step === "violation" ? last.message : undefined;
  const description = property.description ?? property.id ?? "";
  const said = detail && detail !== description ? `${description}: ${detail}` : description;
  const why = verdict === "unknown" && result.reason?.kind ? ` (unknown: ${result.reason.kind})` : "";
  return {
    property: property.id ?? "",
    program,
    kind: property.kind ?? "",
    verdict,
    message: said + why,
    file: place.file ? path.resolve(folder, place.file) : "",
    line: place.line ?? 0,
    column: place.column ?? 0,
    function: place.function ?? property.place?.function ?? "",
    hasTrace: result.trace !== undefined,
  };
}

/** The verdict on several properties together: the worst. */
export function together(verdicts: Verdict[]): Verdict | undefined {
  const order: Verdict[] = ["violated", "presumably-violated", "unknown", "presumably-holds", "holds"];
  return order.find((verdict) => verdicts.includes(verdict));
}
