// A firmware stepped by hand: the user is its environment.

import { api } from "./api";
import { Assembly, Source } from "./code";
import { Console } from "./console";
import { button, h } from "./dom";
import { state } from "./state";

const ASKED = ["choices", "registers", "io", "variables", "stack"];

/** Four registers a line, in the place of eight. */
function narrow(text: string): string {
  return text.replace(/^((?:r\d+ +\S+ +){4})/gm, "$1\n");
}

export async function simulatePage(programName: string): Promise<HTMLElement> {
  const program = state.program(programName);
  const { id } = await api.simulate(programName);
  const names = await state.names(programName);
  const source = new Source();
  const assembly = new Assembly();
  assembly.setRows(await state.disassembly(programName));
  const panes = Object.fromEntries(ASKED.map((name) => [name, h("pre", { class: "pane" })]));
  const choices = h("div", { class: "choices" });
  const interrupts = h("select", { "aria-label": "Interrupt" }, ...names.interrupts.map((name) => h("option", null, name)));
  const registers = h("select", { "aria-label": "Input register" },
    ...names.registers.filter((one) => one.name.startsWith("PIN")).map((one) => h("option", null, one.name)));
  const value = h("input", { "aria-label": "Value of the input register", placeholder: "value", size: 6 });
  let file = "";
  const console = new Console(id, "a command, such as: until PORTB == 1 (help lists them)", look);
  const act = (command: string) => console.act(command);

  async function look(): Promise<void> {
    const answers = await console.ask([...ASKED, "disassemble"]);
    ASKED.forEach((name, index) => { panes[name].textContent = narrow(answers[index].trimEnd()) || "–"; });
    const numbers = answers[0].split("\n").filter((line) => /^\d+:/.test(line));
    choices.replaceChildren(...numbers.map((line) => {
      const number = line.split(":")[0];
      return button(line, `Let this happen: ${line}`, () => act(`choose ${number}`));
    }));
    const address = Number.parseInt(/^>0x([0-9a-f]+)/m.exec(answers[ASKED.length])?.[1] ?? "-1", 16);
    assembly.mark(address);
    const row = (await state.disassembly(programName)).find((one) => one[0] === address);
    if (row?.[5] && row[5] !== file) {
      file = row[5];
      source.setText((await state.source(file).catch((error: Error) => ({ text: `(${file}: ${error.message})` }))).text);
    }
    source.mark(row?.[6] ?? 0);
  }

  const run = (text: string, label: string, command: string) => button(text, label, () => act(command));
  const page = h(
    "div",
    { class: "simulate" },
    h("div", { class: "title" }, h("strong", null, `Simulate ${programName}`), h("span", { class: "faint" }, `${names.device ?? ""} ${program?.firmware ?? ""}`)),
    h("div", { class: "controls", role: "toolbar", "aria-label": "Simulation" },
      run("back", "One step back", "back"), run("step", "One instruction", "step"), run("line", "To another source line", "line"),
      run("run", "Until a breakpoint or a fault", "run 100000"), run("reset", "Reset", "reset"),
      h("span", { class: "group" }, interrupts, button("comes", "This interrupt comes", () => act(`interrupt ${interrupts.value}`))),
      h("span", { class: "group" }, registers, value, button("hold", "Hold the input register at the value", () => act(`input ${registers.value} ${value.value}`))),
      run("random", "A random environment", "policy random"), run("quiet", "No interrupts, inputs are 0", "policy quiet"),
      console.input),
    h("div", { class: "left" }, h("h3", null, "What can happen next"), choices, console.log),
    h("div", { class: "middle" }, source.list.element, assembly.list.element),
    h("div", { class: "panels", tabindex: "0", role: "region", "aria-label": "Values" },
      ...ASKED.slice(1).map((name) => h("section", null, h("h3", null, { io: "I/O registers that are not 0" }[name] ?? name), panes[name]))),
  );
  await look();
  return page;
}
