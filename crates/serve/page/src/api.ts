// What the server knows, and how it is asked.

export interface Property {
  name: string;
  form: string | null;
  text: string | null;
  expected: string | null;
  define: string[];
  unwind: number | null;
}

export interface Program {
  name: string;
  kind: "c" | "firmware";
  sources: string[];
  firmware: string | null;
  built: boolean;
  checks: boolean;
  properties: Property[];
}

export interface Project {
  title: string;
  file: string;
  single: boolean;
  hash: string;
  error: string | null;
  programs: Program[];
  files: string[];
}

export interface Result {
  program: string;
  id: string;
  kind: string;
  description: string;
  file: string;
  line: number;
  function: string;
  verdict: string;
  trace: number | null;
  steps: number | null;
  argument?: { kind: string; [more: string]: unknown };
  reason?: { kind: string; [more: string]: unknown };
  temporal?: { formula: string; class: string; value: string; notes: string[]; bounds: unknown[] };
  bound?: number;
}

export interface Run {
  id: number;
  program: string;
  label: string;
  property: string | null;
  formula: string | null;
  options: string[];
  status: "waiting" | "running" | "done" | "stopped" | "failed";
  is_stopping: boolean;
  /** When it started, in milliseconds. */
  began: number;
  seconds: number;
  progress: string;
  lines: string[];
  failure: string | null;
  rows: { program: string; property: string; verdict: string; expected?: string; seconds: number }[];
  results: Result[];
  assumptions: string[];
  statistics: { seconds?: number; bound?: number; peak_memory?: number; queries?: number }[];
  version: number;
}

export interface Trace {
  texts: string[];
  lanes: string[];
  steps: number[][];
  /** For each call its function, and the call that it is made in: numbers from 1, 0 for none. */
  frames: [number, number][];
  /** From which step on a lane holds a lock or does not: step, lane, lock, 1 or 0. */
  locks: [number, number, number, number][];
  loop: number | null;
  stack: { function: string; call: { file: string; line: number } }[];
}

export interface SourceFile {
  text: string;
  /** When it was changed last, in milliseconds. */
  modified: number;
}

export interface Names {
  functions: { name: string; file?: string | null; line?: number | null; address?: number; bytes?: number }[];
  variables: { name: string; file?: string | null; line?: number; bytes?: number; function?: string | null }[];
  registers: { name: string; address: number; bits: Record<string, number> }[];
  interrupts: string[];
  device?: string;
}

export interface FormulaNode {
  operator: string;
  text: string;
  atom: string | null;
  parts: number[];
}

export interface Answer {
  ok: boolean;
  message?: string;
  hint?: string | null;
  start?: number;
  end?: number;
  class?: string;
  explanation?: string;
  verdicts?: string[];
  warnings?: string[];
  nodes?: FormulaNode[];
}

/** Address, bytes, instruction, remark, labels, file and line. */
export type Row = [number, string, string, string, string[], string, number];

async function asked<R>(path: string, init?: RequestInit): Promise<R> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, init);
  } catch {
    throw new Error("the server does not answer; was kripke serve ended?");
  }
  const isJson = response.headers.get("content-type")?.includes("json");
  const body = isJson ? await response.json() : await response.text();
  if (!response.ok) throw new Error(isJson ? body.error : `the server refuses this (${response.status}): ${body}`);
  return body as R;
}

function query(path: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${path}?${new URLSearchParams(given)}`;
}

function send<R>(method: string, path: string, body: unknown): Promise<R> {
  const headers = { "content-type": "application/json" };
  return asked<R>(path, { method, headers, body: JSON.stringify(body) });
}

export const api = {
  project: () => asked<Project>("project"),
  source: (path: string) => asked<SourceFile>(query("source", { path })),
  names: (program: string) => asked<Names>(query("names", { program })),
  disassembly: (program: string) => asked<Row[]>(query("disassembly", { program })),
  graph: (program: string, what: string, watch?: string) => asked<string>(query("graph", { program, what, watch })),
  stack: (program: string) => asked<Record<string, unknown>>(query("stack", { program })),
  formula: (program: string, form: string, text: string) =>
    send<Answer>("POST", "formula", { program, form, text }),
  save: (method: "POST" | "PUT" | "DELETE", body: unknown) => send<{ hash: string }>(method, "properties", body),
  start: (body: unknown) => send<{ id: number }>("POST", "runs", body),
  stop: (id: number) => send("POST", `runs/${id}/stop`, {}),
  trace: (id: number, number: number) => asked<Trace>(`runs/${id}/trace/${number}`),
  harness: (id: number) => asked<string>(`runs/${id}/export/harness`),
  simulate: (program: string) => send<{ id: number }>("POST", "simulations", { program }),
  command: (id: number, commands: string[]) =>
    send<{ answers: string[] }>("POST", `simulations/${id}`, { commands }),
};
