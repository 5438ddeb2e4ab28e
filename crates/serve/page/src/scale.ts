// How large things are: on very wide windows, which are those of large screens, all of it is larger.

const WIDTHS: [MediaQueryList, number][] = [
  [matchMedia("(min-width: 3400px)"), 1.5],
  [matchMedia("(min-width: 2400px)"), 1.25],
];

/** By how much what is measured in pixels is larger than in an ordinary window. */
export function scale(): number {
  return WIDTHS.find(([wide]) => wide.matches)?.[1] ?? 1;
}

function apply(): void {
  document.documentElement.style.setProperty("--scale", String(scale()));
}

/** Keeps the style sheet's `--scale` right. */
export function follow(): void {
  apply();
  for (const [wide] of WIDTHS) wide.addEventListener("change", apply);
}
