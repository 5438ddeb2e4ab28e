// A property as it is written: errors, class and verdicts at once, names to choose from, patterns to fill in.

import { type Answer, api, type Names, type Property } from "./api";
import { button, h, later, notice } from "./dom";
import { filled, PATTERNS } from "./patterns";
import { failed, state, to } from "./state";

const FORMS: [string, string][] = [
  ["invariant", "invariant: true in every state"],
  ["ctl", "CTL: branching time"],
  ["ltl", "LTL: linear time"],
  ["id", "a safety property, by its id"],
];
const VERDICTS = ["", "holds", "violated", "presumably holds", "presumably violated", "unknown"];
const CONTROL = ["at", "in", "handler", "interrupts"];

export function editor(programName: string, propertyName: string | null): HTMLElement {
  const program = state.program(programName);
  if (!program) return h("p", null, `There is no program '${programName}'.`);
  const before: Property | undefined = program.properties.find((one) => one.name === propertyName);
  const isFirmware = program.kind === "firmware";
  const forms = FORMS.filter(([form]) => isFirmware ? form !== "id" : form === "ltl" || form === "id");

  const name = h("input", { id: "name", value: before?.name ?? "", autocomplete: "off", spellcheck: "false" });
  const form = h(
    "select",
    { id: "form", onchange: () => { fillPatterns(); look(); } },
    ...forms.map(([value, text]) => h("option", { value, selected: value === (before?.form ?? forms[0][0]) }, text)),
  );
  const text = h("textarea", {
    id: "formula",
    rows: 4,
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": "answer",
    oninput: () => { complete(); askSoon(); },
    onkeydown: (event: KeyboardEvent) => keys(event),
    onclick: () => complete(),
    onblur: () => setTimeout(() => offers.replaceChildren(), 200),
  }, before?.text ?? "");
  text.value = before?.text ?? "";
  const expected = h("select", { id: "expected" }, ...VERDICTS.map((word) => h("option", { value: word, selected: word === (before?.expected ?? "") }, word || "nothing")));
  const answer = h("div", { id: "answer", class: "answer", "aria-live": "polite" });
  const offers = h("div", { class: "offers", role: "listbox", "aria-label": "Names" });
  const pattern = h("select", { id: "pattern", onchange: () => showPattern() });
  const parts = h("div", { class: "parts" });
  let names: Names | null = null;
  state.names(programName).then((found) => { names = found; }, (error: Error) => {
    answer.replaceChildren(h("p", { class: "faint" }, error.message));
  });

  async function look(): Promise<void> {
    const asked = text.value;
    if (!asked.trim()) {
      answer.replaceChildren(h("p", { class: "faint" }, "Atoms are C expressions in braces: ", h("code", null, isFirmware ? "{PORTB == 0}" : "{charge > min}")));
      return;
    }
    try {
      const said = await api.formula(programName, form.value, asked);
      if (asked === text.value) answer.replaceChildren(...shown(said, asked));
    } catch (error) {
      failed(error);
    }
  }
  const askSoon = later(look, 120);

  /** The word before the cursor, if names are of use there. */
  function word(): { start: number; text: string } | null {
    const cursor = text.selectionStart;
    const start = /[A-Za-z_]\w*$/.exec(text.value.slice(0, cursor))?.index;
    return start === undefined ? null : { start, text: text.value.slice(start, cursor) };
  }

  function complete(): void {
    const typed = word();
    const isInside = text.value.lastIndexOf("{", text.selectionStart - 1) > text.value.lastIndexOf("}", text.selectionStart - 1);
    if (!typed || !names || !isInside || typed.text.length < 1) return offers.replaceChildren();
    const all: [string, string][] = [
      ...names.variables.map((one): [string, string] => [one.name, one.function ? `variable of ${one.function}` : "variable"]),
      ...names.registers.map((one): [string, string] => [one.name, "register"]),
      ...names.functions.map((one): [string, string] => [one.name, "function"]),
      ...names.interrupts.map((one): [string, string] => [one, "interrupt"]),
      ...names.registers.flatMap((one) => Object.keys(one.bits).map((bit): [string, string] => [bit, `bit of ${one.name}`])),
      ...(isFirmware ? CONTROL.map((one): [string, string] => [one, "where the program is"]) : []),
    ];
    const wanted = typed.text.toLowerCase();
    const starts = all.filter(([one]) => one.toLowerCase().startsWith(wanted) && one !== typed.text);
    const unique = [...new Map(starts).entries()].slice(0, 8);
    offers.replaceChildren(...unique.map(([one, kind], index) =>
      h("div", { role: "option", class: index === 0 ? "chosen" : null, "aria-selected": String(index === 0), onpointerdown: (event: Event) => { event.preventDefault(); take(one); } },
        h("code", null, one), " ", h("small", null, kind))));
  }

  function take(one: string): void {
    const typed = word();
    if (typed) text.setRangeText(one, typed.start, text.selectionStart, "end");
    offers.replaceChildren();
    text.focus();
    look();
  }

  function keys(event: KeyboardEvent): void {
    const all = [...offers.children] as HTMLElement[];
    const at = all.findIndex((one) => one.classList.contains("chosen"));
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return void check();
    if (!all.length) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const next = all[(at + (event.key === "ArrowDown" ? 1 : all.length - 1)) % all.length];
      for (const one of all) {
        one.classList.toggle("chosen", one === next);
        one.setAttribute("aria-selected", String(one === next));
      }
    } else if (event.key === "Tab" || event.key === "Enter") take(all[at].firstChild?.textContent ?? "");
    else if (event.key === "Escape") offers.replaceChildren();
    else return;
    event.preventDefault();
  }

  function fillPatterns(): void {
    const key = form.value === "ctl" ? "ctl" : "ltl";
    const can = form.value === "ctl" || form.value === "ltl" ? PATTERNS.filter((one) => one[key]) : [];
    pattern.replaceChildren(h("option", { value: "" }, can.length ? "choose a pattern …" : "patterns are for CTL and LTL"),
      ...can.map((one) => h("option", { value: one.name }, `${one.name}: ${one.says}`)));
    showPattern();
  }

  function showPattern(): void {
    const chosen = PATTERNS.find((one) => one.name === pattern.value);
    if (!chosen) return parts.replaceChildren();
    const formula = (form.value === "ctl" ? chosen.ctl : chosen.ltl) ?? "";
    const inputs = Object.entries(chosen.parts).map(([part, says]) => {
      const input = h("input", { "data-part": part, placeholder: "a C expression", spellcheck: "false", oninput: () => fill() });
      return h("label", null, h("code", null, part), ` ${says} `, input);
    });
    const fill = () => {
      const given = Object.fromEntries([...parts.querySelectorAll("input")].map((input) => [input.dataset.part ?? "", input.value]));
      text.value = filled(formula, given);
      look();
    };
    parts.replaceChildren(h("p", null, h("code", null, formula)), ...inputs);
    fill();
  }

  function property() {
    return { name: name.value.trim() || "unnamed", form: form.value, text: text.value, expected: expected.value || null };
  }

  async function check(): Promise<void> {
    try {
      const { id } = await api.start({ program: programName, formula: property(), options: {} });
      location.hash = to("run", id);
    } catch (error) {
      failed(error);
    }
  }

  /** The project file as it is when the property is shown. */
  let seen = state.project?.hash;

  async function save(): Promise<void> {
    if (!name.value.trim()) {
      name.focus();
      return notice("a property needs a name", true);
    }
    const project = state.project;
    if (!project) return;
    try {
      await api.save(before ? "PUT" : "POST", { program: programName, hash: seen, name: before?.name, property: property() });
      notice(`saved in ${project.file}`);
      location.hash = to();
    } catch (error) {
      failed(error);
    }
    await state.load().catch(failed);
    seen = state.project?.hash;
  }

  async function remove(): Promise<void> {
    if (!before || !confirm(`Remove '${before.name}' from kripke.toml?`)) return;
    try {
      await api.save("DELETE", { program: programName, hash: seen, name: before.name });
      location.hash = to();
    } catch (error) {
      failed(error);
    }
    await state.load().catch(failed);
    seen = state.project?.hash;
  }

  fillPatterns();
  look();
  const field = (label: string, id: string, ...content: HTMLElement[]) =>
    h("div", { class: "field" }, h("label", { for: id }, label), h("div", null, ...content));
  return h(
    "div",
    { class: "page editor" },
    h("h1", null, before ? `Property ${before.name}` : "New property", h("small", null, ` of ${programName}`)),
    field("Name", "name", name),
    field("Form", "form", form),
    field("Pattern", "pattern", pattern, parts),
    field("Formula", "formula", text, offers, answer),
    field("Expected verdict", "expected", expected),
    h("p", { class: "buttons" },
      h("button", { class: "main", onclick: save, disabled: state.project?.single === true }, "Save"),
      button("Check without saving", "Check without saving (Ctrl+Enter)", check),
      before ? h("button", { class: "bad", onclick: remove }, "Remove") : null,
    ),
    state.project?.single ? h("p", { class: "faint" }, "A single file is opened: there is no kripke.toml to save into.") : null,
  );
}

function shown(said: Answer, text: string): HTMLElement[] {
  if (!said.ok) {
    const made: HTMLElement[] = [h("p", { class: "bad-text" }, said.message ?? "")];
    if (said.start !== undefined) {
      const end = Math.max(said.start + 1, said.end ?? 0);
      made.push(h("pre", null, text.slice(0, said.start), h("mark", null, text.slice(said.start, end) || " "), text.slice(end)));
    }
    if (said.hint) made.push(h("p", null, said.hint));
    return made;
  }
  return [
    h("p", null, h("strong", null, said.class ?? ""), said.explanation ? `: ${said.explanation}` : ""),
    h("p", null, "possible verdicts: ", (said.verdicts ?? []).join(", ") || "–"),
    ...(said.warnings ?? []).map((warning) => h("p", { class: "warning" }, warning)),
  ];
}
