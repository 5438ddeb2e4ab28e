/**
 * The command lines of checks. Nothing is given to a shell.
 */

/** What is to be checked. */
export interface Check {
  /** The file, or the folder of the project. */
  target: string;
  isProject: boolean;
  /** The function that is checked by itself; `*` for all. */
  function?: string;
  /** Of a project: `program/property`. */
  property?: string;
}

/** The arguments of kripke, which writes its JSON report to a file. */
export function checkArguments(check: Check, further: string[], report?: string): string[] {
  const own = ["--color", "never", "check", check.target];
  if (check.function !== undefined) {
    own.push(check.function === "*" ? "--each-function" : `--each-function=${check.function}`);
  }
  if (check.property !== undefined) {
    own.push("--property", check.property);
  }
  if (report !== undefined) {
    own.push(check.isProject ? `--report=json=${report}` : `--json=${report}`);
  }
  return [...own, ...further];
}
