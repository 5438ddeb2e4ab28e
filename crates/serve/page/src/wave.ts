// Lanes and waveforms of a run, drawn to the pixel, with the step that is shown.

import { h } from "./dom";
import { type Model, numeric, type Signal } from "./model";
import { scale } from "./scale";
import { colour } from "./theme";

/** Heights of a signal and of a lane, and the width of their names, in an unscaled window. */
const ROW = 26;
const LANE = 16;
const LABEL = 150;

/** Lanes above, waveforms of the chosen signals below; a click or a drag goes to a step. */
export class Waves {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { role: "img", "aria-label": "Lanes and waveforms over the steps" });
  private readonly labels = h("div", { class: "labels" });
  /** The part that is shown. */
  private from = 0;
  private to: number;
  /** By how much all is larger than in an ordinary window. */
  private unit = 1;
  /** Drawn without the mark of the step, which moves most. */
  private still: HTMLCanvasElement | null = null;

  constructor(
    private readonly model: Model,
    private readonly go: (step: number) => void,
    private readonly drop: (signal: Signal) => void,
    public signals: Signal[],
    public at: number,
  ) {
    this.to = model.length;
    this.element = h("div", { class: "waves" }, this.labels, this.canvas);
    const pick = (event: PointerEvent) => {
      const box = this.canvas.getBoundingClientRect();
      const part = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
      this.go(Math.min(model.length - 1, Math.floor(this.from + part * (this.to - this.from))));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      pick(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) pick(event);
    });
    this.canvas.addEventListener("wheel", (event) => this.zoom(event), { passive: false });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  private zoom(event: WheelEvent): void {
    if (!event.ctrlKey && !event.shiftKey && Math.abs(event.deltaX) < Math.abs(event.deltaY) && !event.altKey) return;
    event.preventDefault();
    const box = this.canvas.getBoundingClientRect();
    this.scale(event.deltaY > 0 ? 1.25 : 0.8, (event.clientX - box.left) / box.width);
  }

  /** Shows more or fewer steps around a part of what is seen. */
  scale(by: number, around = (this.at - this.from) / (this.to - this.from)): void {
    const size = Math.min(this.model.length, Math.max(20, (this.to - this.from) * by));
    const middle = this.from + around * (this.to - this.from);
    this.from = Math.max(0, Math.min(this.model.length - size, middle - around * size));
    this.to = Math.min(this.model.length, this.from + size);
    this.draw();
  }

  /** The step that is shown is another one. */
  move(step: number): void {
    this.at = step;
    if (step < this.from || step >= this.to) {
      const size = this.to - this.from;
      this.from = Math.max(0, Math.min(this.model.length - size, step - size / 2));
      this.to = this.from + size;
      this.draw();
    } else this.mark();
  }

  /** Draws all of it. */
  draw(): void {
    const lanes = this.model.trace.lanes;
    this.unit = scale();
    const [row, laneHeight] = [ROW * this.unit, LANE * this.unit];
    const width = Math.max(100, this.element.clientWidth - LABEL * this.unit - 2);
    const height = lanes.length * laneHeight + this.signals.length * row + 4;
    const dots = devicePixelRatio || 1;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.canvas.width = width * dots;
    this.canvas.height = height * dots;
    const still = h("canvas", { width: width * dots, height: height * dots });
    const pen = still.getContext("2d");
    if (!pen) return;
    pen.scale(dots, dots);
    this.loop(pen, width, height);
    lanes.forEach((_, lane) => this.lane(pen, lane, lane * laneHeight, width));
    this.signals.forEach((signal, at) => this.wave(pen, signal, lanes.length * laneHeight + at * row, width));
    this.still = still;
    this.labels.replaceChildren(
      ...lanes.map((lane) => h("div", { class: "lane", title: lane }, lane)),
      ...this.signals.map((signal) =>
        h(
          "div",
          { class: "signal", title: signal.name },
          h("span", null, signal.name),
          h("button", { class: "plain", "aria-label": `No waveform of ${signal.name}`, onclick: () => this.drop(signal) }, "×"),
        ),
      ),
    );
    this.mark();
  }

  private x(step: number, width: number): number {
    return ((step - this.from) / (this.to - this.from)) * width;
  }

  private mark(): void {
    const pen = this.canvas.getContext("2d");
    if (!pen || !this.still) return;
    const dots = devicePixelRatio || 1;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.still, 0, 0);
    pen.scale(dots, dots);
    const width = this.canvas.width / dots;
    const x = this.x(this.at + 0.5, width);
    pen.fillStyle = colour("mark");
    pen.fillRect(x - 1, 0, 2, this.canvas.height / dots);
  }

  private loop(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const start = this.model.trace.loop;
    if (start === null) return;
    const x = Math.max(0, this.x(start, width));
    pen.fillStyle = colour("loop");
    pen.fillRect(x, 0, width - x, height);
    pen.fillStyle = colour("loop-edge");
    pen.fillRect(x, 0, 2, height);
  }

  /** Which pixels of a lane have steps of it. */
  private lane(pen: CanvasRenderingContext2D, lane: number, top: number, width: number): void {
    const height = LANE * this.unit;
    pen.fillStyle = colour("line");
    pen.fillRect(0, top + height / 2, width, 1);
    pen.fillStyle = colour(`lane${lane % 5}`);
    const { steps } = this.model.trace;
    const last = Math.min(steps.length, Math.ceil(this.to));
    for (let step = Math.floor(this.from); step < last; step++) {
      if (steps[step][0] !== lane) continue;
      let end = step + 1;
      while (end < last && steps[end][0] === lane) end++;
      const x = this.x(step, width);
      pen.fillRect(x, top + 4, Math.max(1, this.x(end, width) - x), height - 7);
      step = end;
    }
  }

  /** Changes of a signal: levels where there are two values, else values in boxes. */
  private wave(pen: CanvasRenderingContext2D, signal: Signal, top: number, width: number): void {
    const bottom = top + ROW * this.unit;
    pen.strokeStyle = colour("line");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(0, bottom - 0.5);
    pen.lineTo(width, bottom - 0.5);
    pen.stroke();
    const numbers = signal.values.map(numeric);
    const isLevel = numbers.every((number) => number === 0 || number === 1);
    const [high, low] = [top + 5, bottom - 6];
    pen.strokeStyle = colour("wave");
    pen.fillStyle = colour("faint");
    pen.font = `${11 * this.unit}px ui-monospace, monospace`;
    pen.textBaseline = "middle";
    pen.lineWidth = 1.3;
    let lastPixel = -1;
    let isFirst = true;
    pen.beginPath();
    for (let index = 0; index < signal.steps.length; index++) {
      const start = this.x(signal.steps[index], width);
      const end = index + 1 < signal.steps.length ? this.x(signal.steps[index + 1], width) : width;
      if (end < 0 || start > width) continue;
      // Several changes within a pixel look like one.
      if (Math.floor(end) === lastPixel && Math.floor(start) === lastPixel) continue;
      lastPixel = Math.floor(start);
      const from = Math.max(0, start);
      if (isLevel) {
        const y = numbers[index] === 1 ? high : low;
        if (isFirst) pen.moveTo(from, y);
        else pen.lineTo(from, y);
        isFirst = false;
        pen.lineTo(Math.min(width, end), y);
        continue;
      }
      pen.moveTo(from, low);
      pen.lineTo(from, high);
      pen.lineTo(Math.min(width, end), high);
      pen.moveTo(from, low);
      pen.lineTo(Math.min(width, end), low);
      const text = signal.values[index].split(" ")[0];
      if (Math.min(width, end) - from > text.length * 7 * this.unit + 6) pen.fillText(text, from + 4, (top + bottom) / 2);
    }
    pen.stroke();
  }
}
