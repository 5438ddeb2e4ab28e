// What the page knows of the project and its runs, and who wants to hear of changes.

import { api, type Names, type Project, type Result, type Row, type Run, type SourceFile } from "./api";
import { notice } from "./dom";

type Heard = () => void;

class State {
  project: Project | null = null;
  readonly runs = new Map<number, Run>();
  connected = false;
  private readonly listeners = new Set<Heard>();
  private readonly kept = new Map<string, Promise<unknown>>();

  /** Calls whenever something changed; what is returned ends that. */
  listen(heard: Heard): () => void {
    this.listeners.add(heard);
    return () => this.listeners.delete(heard);
  }

  changed(): void {
    for (const heard of [...this.listeners]) heard();
  }

  async load(): Promise<void> {
    this.project = await api.project();
    this.changed();
  }

  /** Follows what happens to runs. */
  follow(): void {
    const events = new EventSource("/api/events");
    events.addEventListener("runs", (event) => {
      this.runs.clear();
      for (const run of JSON.parse(event.data) as Run[]) this.runs.set(run.id, run);
      this.connected = true;
      this.changed();
    });
    events.addEventListener("run", (event) => this.take(JSON.parse(event.data) as Run));
    events.addEventListener("error", () => {
      this.connected = false;
      this.changed();
    });
  }

  private take(run: Run): void {
    const before = this.runs.get(run.id);
    if (before && before.version > run.version) return;
    this.runs.set(run.id, run);
    // A check may have built the image.
    if (before?.status === "running" && run.status !== "running") this.forget();
    this.changed();
  }

  program(name: string) {
    return this.project?.programs.find((program) => program.name === name);
  }

  /** The latest verdict on a property. */
  verdict(program: string, id: string): { run: Run; result: Result; index: number } | null {
    for (const run of [...this.runs.values()].reverse()) {
      if (run.program !== program || run.formula !== null) continue;
      const index = run.results.findIndex((result) => result.id === id);
      if (index >= 0) return { run, result: run.results[index], index };
    }
    return null;
  }

  /** The run under way that decides a property. */
  underWay(program: string, property: string | null): Run | null {
    for (const run of this.runs.values()) {
      const isGoing = run.status === "running" || run.status === "waiting";
      if (isGoing && run.program === program && (run.property === null || run.property === property)) return run;
    }
    return null;
  }

  /** What does not change while the files stay as they are is asked for once. */
  private once<R>(key: string, ask: () => Promise<R>): Promise<R> {
    let known = this.kept.get(key) as Promise<R> | undefined;
    if (!known) {
      known = ask();
      this.kept.set(key, known);
      known.catch(() => this.kept.delete(key));
    }
    return known;
  }

  forget(): void {
    this.kept.clear();
  }

  source(path: string): Promise<SourceFile> {
    return this.once(`source ${path}`, () => api.source(path));
  }

  names(program: string): Promise<Names> {
    return this.once(`names ${program}`, () => api.names(program));
  }

  disassembly(program: string): Promise<Row[]> {
    return this.once(`disassembly ${program}`, () => api.disassembly(program));
  }

  graph(program: string, what: string, watch?: string): Promise<string> {
    return this.once(`graph ${program} ${what} ${watch ?? ""}`, () => api.graph(program, what, watch));
  }
}

export const state = new State();

/** Says what went wrong. */
export function failed(error: unknown): void {
  notice(error instanceof Error ? error.message : String(error), true);
}

/** The address of a view. */
export function to(...parts: (string | number)[]): string {
  return `#/${parts.map((part) => encodeURIComponent(part)).join("/")}`;
}
