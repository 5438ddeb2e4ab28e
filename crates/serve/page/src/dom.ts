// Elements without a framework. Texts are set as texts, never as markup.

type Props = Record<string, unknown>;
export type Child = Node | string | number | null | undefined | false | Child[];

/** An element with properties (`on…` are listeners, `class`, `aria-…` and `data-…` attributes) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props | null = null,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  set(made, props);
  add(made, children);
  return made;
}

/** The same in SVG. */
export function svg(tag: string, props: Props | null = null, ...children: Child[]): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(made, props);
  add(made, children);
  return made;
}

function set(made: Element, props: Props | null): void {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value as EventListener);
    else if (name === "value" && "value" in made) (made as HTMLInputElement).value = String(value);
    else if (name === "checked" || name === "disabled" || name === "selected" || name === "hidden") {
      (made as unknown as Record<string, unknown>)[name] = value;
    } else made.setAttribute(name, value === true ? "" : String(value));
  }
}

function add(made: Element, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) add(made, child);
    else if (child instanceof Node) made.append(child);
    else if (child !== null && child !== undefined && child !== false) made.append(String(child));
  }
}

/** Shows a sentence for a while. */
export function notice(text: string, isBad = false): void {
  const box = document.getElementById("notices");
  const line = h("div", { class: isBad ? "notice bad" : "notice", "data-text": text }, text);
  // What is said again is not shown twice.
  for (const shown of box?.querySelectorAll<HTMLElement>(".notice") ?? []) if (shown.dataset.text === text) shown.remove();
  const close = h("button", { class: "plain", "aria-label": "Close", onclick: () => line.remove() }, "×");
  line.append(close);
  box?.append(line);
  setTimeout(() => line.remove(), isBad ? 15000 : 5000);
}

/** A button with a name for those who do not see its sign. */
export function button(text: string, label: string, act: () => void, extra: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", "aria-label": label, title: label, onclick: act, ...extra }, text);
}

/** A verdict as a coloured word. */
export function verdict(word: string): HTMLElement {
  return h("span", { class: `verdict ${word.split(" ").join("-")}` }, word);
}

/** Waits until nothing was called for a while. */
export function later(act: () => void, milliseconds: number): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(act, milliseconds);
  };
}
