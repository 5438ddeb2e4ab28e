// Dark or light: as the system says, until the user says otherwise.

const KEY = "kripke-theme";

export function restore(): void {
  const chosen = localStorage.getItem(KEY);
  if (chosen) document.documentElement.dataset.theme = chosen;
}

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export function turn(): void {
  const next = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem(KEY, next);
  dispatchEvent(new Event("theme"));
}

/** Colours that were asked for, as to ask for one has the whole page's style computed. */
const colours = new Map<string, string>();

/** A colour of the style sheet. */
export function colour(name: string): string {
  const key = `${isDark()} ${name}`;
  let known = colours.get(key);
  if (known === undefined) {
    known = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    colours.set(key, known);
  }
  return known;
}
