// A C program stepped by hand: whoever looks at it gives the values that it asks for.

import { api } from "./api";
import { Source } from "./code";
import { Console } from "./console";
import { button, h } from "./dom";
import { state } from "./state";

const ASKED = ["choices", "variables", "stack", "list"];

export async function simulateProgram(name: string): Promise<HTMLElement> {
  const program = state.program(name);
  const { id } = await api.simulate(name);
  const source = new Source((line) => act(`break ${line}`));
  const panes = Object.fromEntries(["variables", "stack"].map((one) => [one, h("pre", { class: "pane" })]));
  const question = h("p", { class: "question", "aria-live": "polite" });
  const choices = h("div", { class: "choices" });
  let file = "";
  let isAsked = false;
  const console = new Console(id, "a value or a command, such as: until count == 1 (help lists them)", look, () => isAsked ? "input" : "");
  const act = (command: string) => console.act(command);

  async function look(): Promise<void> {
    const [offered, variables, stack, list] = await console.ask(ASKED);
    panes.variables.textContent = variables.trimEnd();
    panes.stack.textContent = stack.trimEnd();
    const lines = offered.split("\n");
    const asks = lines.find((line) => line.startsWith("? "));
    isAsked = asks !== undefined;
    question.textContent = asks?.slice(2) ?? "";
    choices.replaceChildren(...lines.filter((line) => /^\d+:/.test(line)).map((line) => {
      const number = line.split(":")[0];
      const what = line.slice(number.length + 2);
      return button(what, isAsked ? `Take ${what}` : `Let this happen: ${what}`, () => act(`choose ${number}`));
    }));
    await place(list.split("\n"));
  }

  /** Shows the source at the last step. */
  async function place(list: string[]): Promise<void> {
    const line = Number(list.map((one) => /^>\s*(\d+)/.exec(one)?.[1]).find(Boolean) ?? 0);
    const at = line > 0 ? list[0] : (program?.sources[0] ?? "");
    if (at && at !== file) {
      file = at;
      source.setText((await state.source(at).catch((error: Error) => ({ text: `(${at}: ${error.message})` }))).text);
    }
    source.mark(line);
  }

  const run = (text: string, label: string, command: string) => button(text, label, () => act(command));
  const page = h(
    "div",
    { class: "simulate" },
    h("div", { class: "title" }, h("strong", null, `Simulate ${name}`), h("span", { class: "faint" }, program?.sources.join(" "))),
    h("div", { class: "controls", role: "toolbar", "aria-label": "Simulation" },
      run("back", "One step back", "back"), run("step", "One step", "step"), run("line", "To another source line, over calls", "line"),
      run("finish", "Until this call returns", "finish"), run("run", "Until a breakpoint, a violation or the end", "run"),
      run("reset", "Back to the start", "reset"),
      run("ask", "Ask for values", "policy ask"), run("zeros", "Values are 0", "policy quiet"),
      run("random", "Values, threads and handlers by chance", "policy random"),
      console.input),
    h("div", { class: "left" }, h("h3", null, "What can happen next"), question, choices, console.log),
    h("div", { class: "middle" }, source.list.element),
    h("div", { class: "panels", tabindex: "0", role: "region", "aria-label": "Values" },
      ...Object.keys(panes).map((one) => h("section", null, h("h3", null, { stack: "calls" }[one] ?? one), panes[one]))),
  );
  await look();
  return page;
}
