// A graph to look at: moved with the pointer, enlarged with the wheel or keys, one node marked.

import { button, h, svg } from "./dom";
import { type Drawing, layout, type Node, parse } from "./layout";
import type { Step } from "./model";

export class Graph {
  readonly element = h("div", { class: "graph" });
  private readonly canvas = svg("svg", { role: "img", "aria-label": "Graph", tabindex: "0" });
  private readonly scene = svg("g");
  private readonly groups: { name: string; title: string }[];
  private readonly choice: HTMLSelectElement;
  private drawing: Drawing | null = null;
  private readonly shapes = new Map<string, SVGElement>();
  /** The node of each instruction. */
  private readonly addresses = new Map<number, Node>();
  private x = 0;
  private y = 0;
  private scale = 1;
  private shown = "";

  constructor(
    private readonly text: string,
    private readonly chosen: (node: Node) => void,
  ) {
    const parsed = parse(text);
    this.groups = parsed.groups;
    for (const node of parsed.nodes) {
      for (const line of node.lines) {
        const address = /^\s*([0-9a-f]+):\s/.exec(line);
        if (address) this.addresses.set(Number.parseInt(address[1], 16), node);
      }
    }
    this.choice = h("select", { "aria-label": "Function", onchange: () => this.draw(this.choice.value) },
      ...(parsed.nodes.length <= 60 || !this.groups.length ? [h("option", { value: "" }, "all")] : []),
      ...this.groups.map((group) => h("option", { value: group.name }, group.title)));
    const main = this.groups.find((group) => /^main\b/.test(group.title)) ?? this.groups[0];
    this.choice.value = main?.name ?? "";
    this.canvas.append(svg("defs", null, arrow("arrow"), arrow("arrow-back")), this.scene);
    this.element.append(
      h("div", { class: "graph-tools" }, this.groups.length ? this.choice : null,
        button("−", "Smaller", () => this.zoom(0.8)), button("+", "Larger", () => this.zoom(1.25)),
        button("fit", "Show all of it", () => this.fit())),
      this.canvas,
    );
    this.listen();
    new ResizeObserver(() => this.fit()).observe(this.element);
    this.draw(this.choice.value);
  }

  private draw(group: string): void {
    this.shown = group;
    this.choice.value = group;
    this.drawing = layout(this.text, (one) => !group || one === group);
    this.shapes.clear();
    const nodes = this.drawing.nodes.map((node) => {
      const shape = svg("g", { class: "node", transform: `translate(${node.x} ${node.y})`, onclick: () => this.chosen(node) },
        svg("rect", { width: node.width, height: node.height, rx: 5 }),
        ...node.lines.map((line, index) => svg("text", { x: 8, y: 17 + index * 14, class: line.startsWith(";") ? "place" : null }, line.replaceAll(" ", "\u00a0"))));
      this.shapes.set(node.id, shape);
      return shape;
    });
    this.scene.replaceChildren(...this.drawing.edges.map((edge) => this.edge(edge)), ...nodes);
    this.fit();
  }

  private edge(edge: Drawing["edges"][number]): SVGElement {
    const { from, to } = edge;
    const [x1, y1] = [from.x + from.width / 2, from.y + from.height];
    const [x2, y2] = [to.x + to.width / 2, to.y];
    let path = `M${x1} ${y1} C${x1} ${y1 + 22} ${x2} ${y2 - 22} ${x2} ${y2 - 3}`;
    if (edge.isBack || from === to) {
      // Round the right side.
      const isBetween = (node: Node) => node.y <= from.y + from.height && node.y + node.height >= to.y;
      const between = this.drawing?.nodes.filter(isBetween) ?? [];
      const right = Math.max(...between.map((node) => node.x + node.width)) + 10;
      const [a, b] = [from.y + from.height / 2, to.y + to.height / 2];
      path = `M${from.x + from.width} ${a} C${right + 24} ${a} ${right + 24} ${b} ${to.x + to.width + 3} ${from === to ? b + 8 : b}`;
    }
    const classes = ["edge", edge.isBack && "back", edge.isDashed && "dashed"].filter(Boolean).join(" ");
    const line = svg("path", { class: classes, d: path, "marker-end": "url(#arrow)" });
    line.append(svg("title", null, `${from.lines[0]} → ${to.lines[0]}${edge.label ? `: ${edge.label}` : ""}`));
    const short = edge.label.split("\n")[0];
    const label = short && short.length < 40 && !edge.isBack ? svg("text", { class: "edge-label", x: (x1 + x2) / 2 + 4, y: (y1 + y2) / 2 }, short) : null;
    return svg("g", null, line, label);
  }

  private listen(): void {
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = this.canvas.getBoundingClientRect();
      this.zoom((event as WheelEvent).deltaY > 0 ? 0.87 : 1.15, (event as WheelEvent).clientX - box.left, (event as WheelEvent).clientY - box.top);
    }, { passive: false });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!(event.buttons & 1)) return;
      this.x += event.movementX;
      this.y += event.movementY;
      this.move();
    });
    this.canvas.addEventListener("keydown", (event) => {
      const by: Record<string, [number, number]> = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
      if (by[event.key]) {
        this.x += by[event.key][0];
        this.y += by[event.key][1];
        this.move();
      } else if (event.key === "+") this.zoom(1.25);
      else if (event.key === "-") this.zoom(0.8);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  private zoom(by: number, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2): void {
    const scale = Math.max(0.05, Math.min(4, this.scale * by));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.move();
  }

  private fit(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (!this.drawing || !clientWidth || !clientHeight) return;
    const whole = Math.min(clientWidth / this.drawing.width, clientHeight / this.drawing.height);
    this.scale = Math.max(0.35, Math.min(1.1, whole));
    this.x = (clientWidth - this.drawing.width * this.scale) / 2;
    this.y = whole < this.scale ? 0 : (clientHeight - this.drawing.height * this.scale) / 2;
    this.move();
  }

  private move(): void {
    this.scene.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`);
  }

  /** Marks the node of a step. */
  markFor(address: number, step: Step): void {
    const node = this.addresses.get(address);
    if (node && this.shown && node.group !== this.shown) this.draw(node.group);
    if (!node && !this.addresses.size && step.function) {
      const group = this.groups.find((one) => one.title === step.function);
      if (group && this.shown && group.name !== this.shown) this.draw(group.name);
    }
    for (const shape of this.shapes.values()) shape.classList.remove("now");
    const shape = node && this.shapes.get(node.id);
    const placed = this.drawing?.nodes.find((one) => one.id === node?.id);
    if (!shape || !placed) return;
    shape.classList.add("now");
    const { clientWidth, clientHeight } = this.canvas;
    const [left, top] = [placed.x * this.scale + this.x, placed.y * this.scale + this.y];
    if (left < 0 || left + placed.width * this.scale > clientWidth) this.x = clientWidth / 2 - (placed.x + placed.width / 2) * this.scale;
    if (top < 0 || top + placed.height * this.scale > clientHeight) this.y = clientHeight / 2 - (placed.y + placed.height / 2) * this.scale;
    this.move();
  }
}

function arrow(id: string): SVGElement {
  return svg("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
    svg("path", { d: "M0 0 L8 4 L0 8 z", class: "arrow" }));
}
