import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { test } from "node:test";

import { checkArguments } from "../src/commandline";
import { functionAt, functions } from "../src/functions";
import { properties } from "../src/project";
import { findings, together } from "../src/report";

const extension = path.resolve(__dirname, "../..");
const root = path.resolve(extension, "../..");

test("functions are found where they are defined", () => {
  const text = [
    "#define F(x) { x }", // 0
    "/* int no(void) { */ static int a = 1;", // 1
    "int declared(int x);", // 2
    'const char *text = "int not(void) {";', // 3
    "struct s { int x; };", // 4
    "int array[] = { 1, 2 };", // 5
    "static inline unsigned", // 6
    "first(int (*f)(int), char c)", // 7
    "{ if (c) { f('{'); } while (c) { } }", // 8
    "void second(void) __attribute__((noinline)) {", // 9
    "    for (;;) { }", // 10
    "}", // 11
    "ISR(INT0_vect) { }", // 12
    "int main(void) { return 0; } // {", // 13
  ].join("\n");
  assert.deepEqual(functions(text), [
    { name: "first", line: 7 },
    { name: "second", line: 9 },
    { name: "main", line: 13 },
  ]);
  assert.equal(functionAt(text, 10), "second");
  assert.equal(functionAt(text, 3), undefined);
});

test("functions of an example", () => {
  const text = readFileSync(path.join(root, "examples/fan.c"), "utf8");
  const names = functions(text).map((head) => head.name);
  assert.deepEqual(names, ["rpm_of", "fan_pulse", "fan_rpm", "fan_percent"]);
});

test("unfinished text ends", () => {
  for (const text of ["", "/*", '"', "int f(", "int f() {", "}}}{", ")) {", "'"]) {
    functions(text);
    properties(text);
  }
});

test("properties of a project", () => {
  const text = [
    "[[program]]", // 0
    'name = "pump"', // 1
    'sources = ["pump.c"]', // 2
    "[[program.property]] # one", // 3
    "name = 'dry'", // 4
    "ltl = 'G {x}'", // 5
    "[[ program . property ]]", // 6
    'ltl = "F {y}"', // 7
    'name = "wet"', // 8
    "[[program.interrupt]]", // 9
    'name = "tick"', // 10
    "[[program]]", // 11
    "[[program.property]]", // 12
    'name = "alone"', // 13
  ].join("\n");
  assert.deepEqual(
    properties(text).map((one) => [one.selector, one.line]),
    [
      ["pump/dry", 3],
      ["pump/wet", 6],
      ["alone", 12],
    ],
  );
});

test("properties of an example", () => {
  const text = readFileSync(path.join(root, "examples/avr/reentrance/kripke.toml"), "utf8");
  const selectors = properties(text).map((one) => one.selector);
  assert.equal(selectors.length, 8);
  assert.equal(selectors[0], "reentrance/limit");
});

test("findings of a report", () => {
  const place = { file: "a.c", line: 3, column: 5, function: "main" };
  const violated = {
    property: { id: "main.assertion.1", kind: "assertion", description: "x == 2", place },
    verdict: "violated",
    trace: { steps: [{ step: "violation", message: "x is 3" }] },
  };
  const open = {
    property: { id: "main.bounds.1", kind: "bounds", description: "index", place: {} },
    verdict: "unknown",
    reason: { kind: "bound" },
  };
  const report = { results: [violated, open], reports: [{ program: "p", results: [violated] }] };
  const found = findings(JSON.stringify(report), "/src");
  assert.deepEqual(
    found.map((one) => [one.program, one.property, one.verdict, one.file, one.message, one.hasTrace]),
    [
      ["", "main.assertion.1", "violated", "/src/a.c", "x == 2: x is 3", true],
      ["", "main.bounds.1", "unknown", "", "index (unknown: bound)", false],
      ["p", "main.assertion.1", "violated", "/src/a.c", "x == 2: x is 3", true],
    ],
  );
  assert.equal(together(found.map((one) => one.verdict)), "violated");
  assert.equal(together([]), undefined);
  assert.throws(() => findings("no JSON", "/"));
});

test("what depends on callers has a run, what was not checked is not told", () => {
  const property = (id: string, file = "a.c") => ({ id, kind: "bounds", description: id, place: { file, line: 3 } });
  const run = (id: string, rank: string) => ({
    property: property(id), place: { file: "b.c", line: 7 }, rank, trace: { steps: [] },
  });
  const answer = (id: string, kind: string, file?: string) => ({
    property: property(id, file), verdict: "unknown", reason: { kind },
  });
  const report = {
    results: [
      answer("f.bounds.1", "callers"),
      answer("f.bounds.2", "callers"),
      answer("f.bounds.3", "not-checked"),
      answer("f.bounds.4", "time", "<library>/threads.c"),
    ],
    findings: [run("f.bounds.1", "objects"), run("f.bounds.2", "excluded")],
  };
  assert.deepEqual(
    findings(JSON.stringify(report), "/src").map((one) => [one.property, one.file, one.line, one.hasTrace, one.isPossible]),
    [
      ["f.bounds.1", "/src/b.c", 7, true, true],
      ["f.bounds.2", "/src/a.c", 3, false, false],
      ["f.bounds.4", "", 3, false, false],
    ],
  );
});

test("command lines", () => {
  assert.deepEqual(checkArguments({ target: "a.c", isProject: false, function: "f" }, ["--", "-DX"], "r"), [
    "--color", "never", "check", "a.c", "--each-function=f", "--json=r", "--", "-DX",
  ]);
  assert.deepEqual(checkArguments({ target: "p", isProject: true, property: "a/b" }, [], "r"), [
    "--color", "never", "check", "p", "--property", "a/b", "--report=json=r",
  ]);
});

test("the problem matcher reads what kripke prints", () => {
  const manifest = JSON.parse(readFileSync(path.join(extension, "package.json"), "utf8"));
  const [first, second] = manifest.contributes.problemPatterns[0].patterns;
  const head = new RegExp(first.regexp).exec("violated[data-race]: threads access `x` at once");
  assert.deepEqual(head?.slice(1), ["data-race", "threads access `x` at once"]);
  const at = (line: string) => new RegExp(second.regexp).exec(line)?.slice(1);
  assert.deepEqual(at("  --> examples/lost_update.c:27:5 in main"), ["examples/lost_update.c", "27", "5"]);
  assert.deepEqual(at("  --> reentrance.c:32 in main"), ["reentrance.c", "32", undefined]);
});
