// A list of very many rows of the same height, of which only those that are seen are in the document.

import { h } from "./dom";
import { scale } from "./scale";

export class List {
  readonly element: HTMLElement;
  private readonly space: HTMLElement;
  private readonly window: HTMLElement;
  /** Of a row, in this window. */
  private height = 0;
  private first = -1;
  private last = -1;
  /** Kept, as asking the document for them lays it out anew. */
  private seen = 0;
  private top = 0;
  /** The row that was asked for last: it is seen when there is a size, or another one. */
  private wanted: number | null = null;

  constructor(
    label: string,
    private readonly unscaled: number,
    public count: number,
    private readonly render: (index: number) => HTMLElement,
    props: Record<string, unknown> = {},
  ) {
    this.window = h("div", { class: "window" });
    this.space = h("div", { class: "space" }, this.window);
    this.element = h("div", { "aria-label": label, tabindex: "0", role: "region", ...props }, this.space);
    this.element.classList.add("list");
    this.element.addEventListener("scroll", () => {
      this.top = this.element.scrollTop;
      this.draw(false);
    }, { passive: true });
    new ResizeObserver(() => {
      this.seen = this.element.clientHeight;
      if (this.height !== this.unscaled * scale()) this.resize(this.count);
      this.top = this.element.scrollTop;
      if (this.wanted !== null) this.show(this.wanted);
      else this.draw(false);
    }).observe(this.element);
    this.resize(count);
  }

  /** There are so many rows now. */
  resize(count: number): void {
    this.count = count;
    this.height = this.unscaled * scale();
    this.space.style.height = `${count * this.height}px`;
    this.draw(true);
  }

  /** Draws what is seen; all of it anew where rows look different now. */
  draw(anew: boolean): void {
    const { top } = this;
    const seen = this.seen || 600;
    const first = Math.max(0, Math.floor(top / this.height) - 5);
    const last = Math.min(this.count, Math.ceil((top + seen) / this.height) + 5);
    if (!anew && first === this.first && last === this.last) return;
    this.first = first;
    this.last = last;
    const rows: HTMLElement[] = [];
    for (let index = first; index < last; index++) rows.push(this.render(index));
    this.window.style.transform = `translateY(${first * this.height}px)`;
    this.window.replaceChildren(...rows);
  }

  /** Scrolls so that a row is seen. */
  show(index: number): void {
    const { seen } = this;
    this.wanted = index;
    if (!seen) return;
    const { top } = this;
    const at = index * this.height;
    const margin = Math.min(3 * this.height, seen / 4);
    if (at < top + margin || at + this.height > top + seen - margin) {
      this.element.scrollTop = Math.max(0, at - seen / 2);
      this.top = this.element.scrollTop;
    }
    this.draw(true);
  }
}
