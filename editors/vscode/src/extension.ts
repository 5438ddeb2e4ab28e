/**
 * The extension: checks on demand, verdicts beside the code, lenses, tasks, and the debugger that replays
 * counterexamples. What can be said without an editor is in the other files, which the tests cover.
 */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

import * as vscode from "vscode";

import { Check, checkArguments } from "./commandline";
import { functionAt, functions } from "./functions";
import { properties, PropertyEntry } from "./project";
import { Finding, findings, together, Verdict } from "./report";

const PROJECT_FILE = "kripke.toml";

/** A finding, and the report whose counterexample it has. */
interface Known extends Finding {
  report: string;
  folder: string;
  /** What was checked. */
  target: string;
}

/** How a run of kripke ended. */
interface Ended {
  code: number;
  /** What it said last. */
  last: string;
}

class Kripke {
  private readonly diagnostics = vscode.languages.createDiagnosticCollection("kripke");
  private readonly output = vscode.window.createOutputChannel("Kripke");
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly reports = mkdtempSync(path.join(tmpdir(), "kripke-"));
  private readonly gutter: Map<string, vscode.TextEditorDecorationType>;
  private known: Known[] = [];
  private count = 0;
  private saving?: vscode.TextDocument;

  readonly lensesChanged = this.changed.event;

  constructor(context: vscode.ExtensionContext) {
    this.gutter = new Map(
      ["violated", "unknown", "holds"].map((name) => [
        name,
        vscode.window.createTextEditorDecorationType({
          gutterIconPath: context.asAbsolutePath(path.join("media", `${name}.svg`)),
          gutterIconSize: "contain",
        }),
      ]),
    );
    context.subscriptions.push(this.diagnostics, this.output, this.changed, ...this.gutter.values());
  }

  dispose() {
    rmSync(this.reports, { recursive: true, force: true });
  }

  /** Runs a check and shows its verdicts. */
  async check(check: Check, scope?: vscode.Uri): Promise<void> {
    const folder = folderOf(scope ?? vscode.Uri.file(check.target));
    const report = path.join(this.reports, `${++this.count}.json`);
    const settings = vscode.workspace.getConfiguration("kripke", scope);
    const command = checkArguments(check, settings.get<string[]>("arguments", []), report);
    const what = nameOf(check);
    const ended = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: `Kripke checks ${what}`, cancellable: true },
      (progress, token) => this.run(command, folder, progress, token, scope),
    );
    if (ended === undefined) {
      return;
    }
    if (ended.code > 2) {
      const shown = await vscode.window.showErrorMessage(`kripke check failed: ${ended.last}`, "Show");
      if (shown) {
        this.output.show();
      }
      return;
    }
    this.take(report, folder, check);
  }

  /** Runs kripke; how that ended, or nothing where it was cancelled or is not there. */
  private run(
    command: string[],
    folder: string,
    progress: vscode.Progress<{ message?: string }>,
    token: vscode.CancellationToken,
    scope?: vscode.Uri,
  ): Promise<Ended | undefined> {
    this.output.appendLine(`kripke ${command.join(" ")}`);
    return new Promise((resolve) => {
      const child = spawn(program(scope), command, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
      let last = "";
      token.onCancellationRequested(() => child.kill());
      child.stdout.on("data", (text: Buffer) => this.output.append(text.toString()));
      child.stderr.on("data", (text: Buffer) => {
        this.output.append(text.toString());
        last = text.toString().trim().split("\n").pop() || last;
        progress.report({ message: last });
      });
      child.on("error", (error) => {
        const text = `${program(scope)} cannot be started (${error.message}); where is it?`;
        void vscode.window.showErrorMessage(text, "Settings").then((choice) => {
          if (choice) {
            void vscode.commands.executeCommand("workbench.action.openSettings", "kripke.path");
          }
        });
        resolve(undefined);
      });
      child.on("close", (code) =>
        resolve(token.isCancellationRequested || code === null ? undefined : { code, last }),
      );
    });
  }

  /** Takes in a report; what it speaks of again is replaced. */
  private take(report: string, folder: string, check: Check) {
    let found: Known[];
    try {
      const { target } = check;
      found = findings(readFileSync(report, "utf8"), folder).map((one) => ({ ...one, report, folder, target }));
    } catch (error) {
      void vscode.window.showErrorMessage(`the report of kripke check cannot be read: ${String(error)}`);
      return;
    }
    if (check.isProject) {
      placeAtProperties(found, path.join(check.target, PROJECT_FILE));
    }
    // What was found before, and is not any more, is gone; what is said of other files stays.
    const key = (one: Finding) => `${one.program}/${one.property}`;
    const again = new Set(found.map(key));
    const isWhole = check.property === undefined && (check.function ?? "*") === "*";
    const isReplaced = (one: Known) =>
      one.target === check.target && (isWhole || one.function === check.function || again.has(key(one)));
    this.known = [...this.known.filter((one) => !isReplaced(one)), ...found];
    this.show();
    const verdict = together(found.map((one) => one.verdict));
    if (verdict === "violated") {
      const what = nameOf(check);
      void vscode.window.showWarningMessage(`${what} is violated`, "Replay").then((choice) => {
        const first = found.find((one) => one.verdict === "violated" && one.hasTrace);
        if (choice && first) {
          void this.replay(first);
        }
      });
    } else if (verdict !== undefined) {
      vscode.window.setStatusBarMessage(`Kripke: ${verdict}`, 5000);
    }
  }

  /** Saves what is about to be checked, which is not checked for being saved, too. */
  async save(document: vscode.TextDocument): Promise<void> {
    // It is told of after the promise is kept.
    this.saving = document.isDirty ? document : undefined;
    if (!(await document.save())) {
      this.saving = undefined;
    }
  }

  /** Whether it was saved by the above; it answers once. */
  wasSaved(document: vscode.TextDocument): boolean {
    const isIt = this.saving === document;
    this.saving = isIt ? undefined : this.saving;
    return isIt;
  }

  /** Asks for the lenses anew. */
  updateLenses() {
    this.changed.fire();
  }

  /** Publishes diagnostics and verdicts. */
  private show() {
    const byFile = new Map<string, vscode.Diagnostic[]>();
    for (const one of this.known) {
      if (!one.file || one.line === 0 || one.verdict === "holds" || one.verdict === "presumably-holds") {
        continue;
      }
      const line = Math.max(0, one.line - 1);
      const column = Math.max(0, one.column - 1);
      const range = new vscode.Range(line, column, line, one.column > 0 ? column + 1 : 200);
      const severity = severityOf(one);
      const diagnostic = new vscode.Diagnostic(range, one.message, severity);
      diagnostic.source = "kripke";
      diagnostic.code = one.kind;
      byFile.set(one.file, [...(byFile.get(one.file) ?? []), diagnostic]);
    }
    this.diagnostics.clear();
    byFile.forEach((all, file) => this.diagnostics.set(vscode.Uri.file(file), all));
    vscode.window.visibleTextEditors.forEach((editor) => this.decorate(editor));
    this.changed.fire();
  }

  /** The verdict on each line, in the gutter. */
  decorate(editor: vscode.TextEditor) {
    const lines = new Map<number, Verdict[]>();
    for (const one of this.known.filter((one) => one.file === editor.document.uri.fsPath && one.line > 0)) {
      lines.set(one.line, [...(lines.get(one.line) ?? []), one.verdict]);
    }
    const ranges = new Map<string, vscode.Range[]>();
    lines.forEach((verdicts, line) => {
      const worst = together(verdicts) ?? "unknown";
      const name = worst === "violated" || worst === "holds" ? worst : "unknown";
      ranges.set(name, [...(ranges.get(name) ?? []), new vscode.Range(line - 1, 0, line - 1, 0)]);
    });
    this.gutter.forEach((type, name) => editor.setDecorations(type, ranges.get(name) ?? []));
  }

  /** What is known of a function, or of a property of a project. */
  about(matches: (one: Known) => boolean): { verdict?: Verdict; violated?: Known } {
    const all = this.known.filter(matches);
    const verdict = together(all.map((one) => one.verdict));
    const withRun = all.filter((one) => one.hasTrace);
    return { verdict, violated: withRun.find((one) => one.verdict === "violated") ?? withRun[0] };
  }

  /** Starts the debugger on a counterexample; asks which, where none is named. */
  async replay(finding?: Known): Promise<void> {
    const chosen = finding ?? (await this.choose());
    if (!chosen) {
      return;
    }
    const { report, program, property } = chosen;
    const isAlso = (one: Known) => one.report === report && one.property === property && one.hasTrace;
    const isAmbiguous = program !== "" && this.known.filter(isAlso).length > 1;
    await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(vscode.Uri.file(chosen.folder)), {
      type: "kripke",
      request: "launch",
      name: `Replay ${chosen.property}`,
      report: chosen.report,
      property: isAmbiguous ? `${program}/${property}` : property,
      cwd: chosen.folder,
    });
  }

  private async choose(): Promise<Known | undefined> {
    const all = this.known.filter((one) => one.hasTrace);
    if (all.length === 0) {
      void vscode.window.showInformationMessage("Nothing is known to be violated; check something first");
      return undefined;
    }
    // Names such as main.assertion.1 are of one program only.
    const where = (one: Known) => one.program || path.basename(one.target);
    const items = all.map((one) => ({
      label: one.property,
      description: `${where(one)}: ${one.message}`,
      one,
    }));
    const options = { title: "Replay a counterexample", matchOnDescription: true };
    return (await vscode.window.showQuickPick(items, options))?.one;
  }

  /** Shows what a kind of finding means. */
  async explain(kind?: string): Promise<void> {
    const name = kind ?? (await vscode.window.showInputBox({ prompt: "A kind of finding, such as data-race" }));
    if (name) {
      const token = new vscode.CancellationTokenSource().token;
      this.output.show();
      await this.run(["explain", name], folderOf(undefined), { report: () => undefined }, token);
    }
  }
}

/** What is checked, as it is told. */
function nameOf({ property, function: name, target }: Check): string {
  return property ?? (name === undefined || name === "*" ? path.basename(target) : name);
}

/** Only what is violated is an error. */
function severityOf(one: Finding): vscode.DiagnosticSeverity {
  if (one.verdict === "violated") {
    return vscode.DiagnosticSeverity.Error;
  }
  return one.isPossible ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Information;
}

/** What has no line in the program, such as a formula of branching time, has the line of its property. */
function placeAtProperties(found: Finding[], file: string) {
  const entries = properties(readFileSync(file, "utf8"));
  for (const one of found.filter((one) => one.line === 0)) {
    const entry = entries.find((entry) => isAbout(one, entry));
    if (entry) {
      Object.assign(one, { file, line: entry.line + 1, column: 0 });
    }
  }
}

function isAbout(one: Finding, entry: PropertyEntry): boolean {
  return one.program === entry.program && (one.property === entry.name || one.property === entry.id);
}

function program(scope?: vscode.Uri): string {
  return vscode.workspace.getConfiguration("kripke", scope).get<string>("path", "kripke");
}

/** Where checks of a file run. */
function folderOf(uri: vscode.Uri | undefined): string {
  const folder = (uri && vscode.workspace.getWorkspaceFolder(uri)) ?? vscode.workspace.workspaceFolders?.[0];
  return folder?.uri.fsPath ?? (uri ? path.dirname(uri.fsPath) : process.cwd());
}

function wantsLenses(document: vscode.TextDocument): boolean {
  return vscode.workspace.getConfiguration("kripke", document.uri).get<boolean>("codeLens", true);
}

function lensesAt(line: number, check: vscode.Command, verdict?: Verdict, violated?: Known): vscode.CodeLens[] {
  const range = new vscode.Range(line, 0, line, 0);
  const lenses = [new vscode.CodeLens(range, check)];
  if (violated) {
    const arguments_ = [violated];
    const title = violated.verdict === "violated" ? "violated: replay" : `${verdict}, possible: replay`;
    lenses.push(new vscode.CodeLens(range, { title, command: "kripke.replay", arguments: arguments_ }));
  } else if (verdict) {
    lenses.push(new vscode.CodeLens(range, { title: verdict, command: "" }));
  }
  return lenses;
}

function functionLenses(kripke: Kripke): vscode.CodeLensProvider {
  return {
    onDidChangeCodeLenses: kripke.lensesChanged,
    provideCodeLenses: (document) => {
      if (!wantsLenses(document)) {
        return [];
      }
      return functions(document.getText()).flatMap(({ name, line }) => {
        const isOf = (one: Known) => one.function === name && one.file === document.uri.fsPath;
        const { verdict, violated } = kripke.about(isOf);
        const command = "kripke.checkFunction";
        return lensesAt(line, { title: "Check this function", command, arguments: [name] }, verdict, violated);
      });
    },
  };
}

function propertyLenses(kripke: Kripke): vscode.CodeLensProvider {
  return {
    onDidChangeCodeLenses: kripke.lensesChanged,
    provideCodeLenses: (document) => {
      if (!wantsLenses(document)) {
        return [];
      }
      return properties(document.getText()).flatMap((entry) => {
        const folder = path.dirname(document.uri.fsPath);
        const isOf = (one: Known) => one.target === folder && isAbout(one, entry);
        const { verdict, violated } = kripke.about(isOf);
        const command = "kripke.checkProperty";
        const check = { title: "Check this property", command, arguments: [entry.selector] };
        return lensesAt(entry.line, check, verdict, violated);
      });
    },
  };
}

function tasks(): vscode.TaskProvider {
  const task = (definition: vscode.TaskDefinition, name: string) => {
    const isProject = path.extname(String(definition.check)) === "" || definition.check.endsWith(".toml");
    const settings = vscode.workspace.getConfiguration("kripke", vscode.workspace.workspaceFolders?.[0]);
    const further = [...settings.get<string[]>("arguments", []), ...(definition.args ?? [])];
    const command = checkArguments({ target: definition.check, isProject }, further);
    const run = new vscode.ProcessExecution(program(), command);
    const scope = vscode.TaskScope.Workspace;
    return new vscode.Task(definition, scope, name, "kripke", run, ["$kripke", "$kripke-unknown"]);
  };
  return {
    provideTasks: async () => {
      const found = [task({ type: "kripke", check: "${file}" }, "check this file")];
      for (const file of await vscode.workspace.findFiles(`**/${PROJECT_FILE}`, "**/node_modules/**", 50)) {
        const folder = path.dirname(vscode.workspace.asRelativePath(file));
        found.push(task({ type: "kripke", check: folder }, `check ${folder === "." ? "the project" : folder}`));
      }
      return found;
    },
    resolveTask: (asked) => task(asked.definition, asked.name),
  };
}

async function chosenProject(): Promise<vscode.Uri | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active && path.basename(active.fsPath) === PROJECT_FILE) {
    return active;
  }
  const files = await vscode.workspace.findFiles(`**/${PROJECT_FILE}`, "**/node_modules/**", 50);
  if (files.length < 2) {
    return files[0];
  }
  const items = files.map((file) => ({ label: vscode.workspace.asRelativePath(file), file }));
  return (await vscode.window.showQuickPick(items, { title: "Which project?" }))?.file;
}

function commands(kripke: Kripke): [string, (argument?: unknown) => unknown][] {
  const active = () => vscode.window.activeTextEditor;
  const checkFile = (check?: { function: string }) => {
    const document = active()?.document;
    if (document) {
      const target = document.uri.fsPath;
      return kripke.save(document).then(() => kripke.check({ target, isProject: false, ...check }, document.uri));
    }
    return undefined;
  };
  const checkProject = async (property?: string) => {
    const file = await chosenProject();
    if (!file) {
      void vscode.window.showInformationMessage("There is no kripke.toml here; `kripke init` writes one");
      return;
    }
    await vscode.workspace.saveAll(false);
    await kripke.check({ target: path.dirname(file.fsPath), isProject: true, property }, file);
  };
  return [
    [
      "kripke.checkFile",
      () => {
        // A module without `main` starts in each of its functions.
        const all = functions(active()?.document.getText() ?? "");
        return checkFile(all.some(({ name }) => name === "main") ? undefined : { function: "*" });
      },
    ],
    ["kripke.checkProject", () => checkProject()],
    [
      "kripke.checkFunction",
      (name) => {
        const editor = active();
        const at = editor && functionAt(editor.document.getText(), editor.selection.active.line);
        const wanted = typeof name === "string" ? name : at;
        if (!wanted) {
          return undefined;
        }
        // `main` by itself is the program, with its threads.
        return wanted === "main" ? checkFile() : checkFile({ function: wanted });
      },
    ],
    [
      "kripke.checkProperty",
      (selector) => {
        const editor = active();
        const line = editor?.selection.active.line ?? 0;
        const all = editor ? properties(editor.document.getText()) : [];
        const at = all.filter((entry) => entry.line <= line).pop()?.selector;
        return checkProject(typeof selector === "string" ? selector : at);
      },
    ],
    ["kripke.replay", (finding) => kripke.replay(finding as Known | undefined)],
    ["kripke.explain", (kind) => kripke.explain(typeof kind === "string" ? kind : undefined)],
  ];
}

/** What an error of Kripke offers: its explanation. */
const explanations: vscode.CodeActionProvider = {
  provideCodeActions: (_document, _range, context) =>
    context.diagnostics
      .filter((one) => one.source === "kripke" && typeof one.code === "string")
      .map((one) => {
        const title = `Explain ${String(one.code)}`;
        const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        action.command = { title, command: "kripke.explain", arguments: [one.code] };
        action.diagnostics = [one];
        return action;
      }),
};

export function activate(context: vscode.ExtensionContext): void {
  const kripke = new Kripke(context);
  const c = { language: "c", scheme: "file" };
  context.subscriptions.push(
    kripke,
    ...commands(kripke).map(([name, run]) => vscode.commands.registerCommand(name, run)),
    vscode.languages.registerCodeLensProvider(c, functionLenses(kripke)),
    vscode.languages.registerCodeLensProvider({ pattern: `**/${PROJECT_FILE}` }, propertyLenses(kripke)),
    vscode.languages.registerCodeActionsProvider(c, explanations),
    vscode.tasks.registerTaskProvider("kripke", tasks()),
    vscode.debug.registerDebugAdapterDescriptorFactory("kripke", {
      createDebugAdapterDescriptor: (session) =>
        new vscode.DebugAdapterExecutable(program(session.workspaceFolder?.uri), ["dap"]),
    }),
    vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((one) => kripke.decorate(one))),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("kripke.codeLens")) {
        kripke.updateLenses();
      }
    }),
    vscode.workspace.onDidSaveTextDocument((document) => {
      const settings = vscode.workspace.getConfiguration("kripke", document.uri);
      const isAsked = kripke.wasSaved(document);
      if (!isAsked && document.languageId === "c" && settings.get<boolean>("checkOnSave", false)) {
        void kripke.check({ target: document.uri.fsPath, isProject: false, function: "*" }, document.uri);
      }
    }),
  );
}

export function deactivate(): void {}
