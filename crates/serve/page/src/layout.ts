// Graphs from the texts that Kripke writes for Graphviz, and places for their nodes.
//
// Layers after Sugiyama, Tagawa and Toda (1981): edges that close cycles are turned, nodes are put into layers by
// longest paths, and within each layer in the order of the middles of their neighbours.

export interface Node {
  id: string;
  lines: string[];
  group: string;
  x: number;
  y: number;
  width: number;
  height: number;
  layer: number;
}

export interface Edge {
  from: Node;
  to: Node;
  label: string;
  isDashed: boolean;
  /** It closes a cycle. */
  isBack: boolean;
}

export interface Drawing {
  nodes: Node[];
  edges: Edge[];
  groups: { name: string; title: string }[];
  width: number;
  height: number;
}

const CHARACTER = 6.7;
const LINE = 14;
const GAP = 26;
const LAYER = 44;
/** Lines of a node and characters of a line that are shown. */
const LINES = 14;
const CHARACTERS = 60;

const STATEMENT = /^\s*(?:"?([\w.]+)"?\s*(?:->\s*"?([\w.]+)"?)?\s*\[(.*)\];?|"?([\w.]+)"?\s*->\s*"?([\w.]+)"?;?)\s*$/;

/** Reads a graph: a statement a line, as Kripke writes it. */
export function parse(text: string): { nodes: Node[]; edges: Edge[]; groups: { name: string; title: string }[] } {
  const nodes = new Map<string, Node>();
  const edges: Edge[] = [];
  const groups: { name: string; title: string }[] = [];
  let group = "";
  for (const line of text.split("\n")) {
    const opens = /^\s*subgraph "?(\w+)"?/.exec(line);
    if (opens) {
      group = opens[1];
      groups.push({ name: group, title: group });
      continue;
    }
    if (/^\s*\}/.test(line)) group = "";
    const title = /^\s*label="((?:\\.|[^"])*)"/.exec(line);
    if (title && group) groups[groups.length - 1].title = unescaped(title[1])[0] ?? group;
    const found = STATEMENT.exec(line);
    if (!found) continue;
    const attributes = found[3] ?? "";
    const label = unescaped(/label="((?:\\.|[^"])*)"/.exec(attributes)?.[1] ?? "");
    const from = found[1] ?? found[4];
    const target = found[2] ?? found[5];
    if (from === "node" || from === "edge" || from === "graph") continue;
    if (target === undefined) {
      // `; /folder/file.c:12` is long and says little more than `; file.c:12`.
      const short = label.map((one) => one.replace(/^; .*\//, "; "));
      const lines = short.map((one) => (one.length > CHARACTERS ? `${one.slice(0, CHARACTERS)}…` : one));
      const shown = lines.length > LINES ? [...lines.slice(0, LINES - 2), "…", lines[lines.length - 1]] : lines;
      const width = Math.max(3, ...shown.map((one) => one.length)) * CHARACTER + 16;
      nodes.set(from, { id: from, lines: shown, group, x: 0, y: 0, width, height: Math.max(1, shown.length) * LINE + 12, layer: 0 });
      continue;
    }
    const [one, other] = [nodes.get(from), nodes.get(target)];
    if (!one || !other) continue;
    edges.push({ from: one, to: other, label: label.join("\n"), isDashed: /dashed|dotted/.test(attributes), isBack: false });
  }
  return { nodes: [...nodes.values()], edges, groups };
}

function unescaped(label: string): string[] {
  const lines = label.split(/\\[lnr]/).map((line) => line.replace(/\\(.)/g, "$1"));
  while (lines.length && !lines[lines.length - 1]) lines.pop();
  return lines;
}

/** Gives the nodes of some groups their places; all where none are named. */
export function layout(text: string, wanted: (group: string) => boolean): Drawing {
  const parsed = parse(text);
  const nodes = parsed.nodes.filter((node) => wanted(node.group));
  const isShown = new Set(nodes);
  const edges = parsed.edges.filter((edge) => isShown.has(edge.from) && isShown.has(edge.to));
  turnBack(nodes, edges);
  const layers = layered(nodes, edges);
  order(layers, edges);
  const { width, height } = place(layers);
  return { nodes, edges, groups: parsed.groups, width, height };
}

function turnBack(nodes: Node[], edges: Edge[]): void {
  const out = new Map<Node, Edge[]>();
  for (const edge of edges) out.set(edge.from, [...(out.get(edge.from) ?? []), edge]);
  const color = new Map<Node, number>();
  for (const root of nodes) {
    if (color.has(root)) continue;
    const stack: [Node, number][] = [[root, 0]];
    color.set(root, 1);
    while (stack.length) {
      const top = stack[stack.length - 1];
      const edge = out.get(top[0])?.[top[1]++];
      if (!edge) {
        color.set(top[0], 2);
        stack.pop();
      } else if (color.get(edge.to) === 1) edge.isBack = true;
      else if (!color.has(edge.to)) {
        color.set(edge.to, 1);
        stack.push([edge.to, 0]);
      }
    }
  }
}

function layered(nodes: Node[], edges: Edge[]): Node[][] {
  const missing = new Map(nodes.map((node) => [node, 0]));
  const forward = edges.filter((edge) => !edge.isBack && edge.from !== edge.to);
  const out = new Map<Node, Node[]>();
  for (const { from, to } of forward) {
    missing.set(to, (missing.get(to) ?? 0) + 1);
    out.set(from, [...(out.get(from) ?? []), to]);
  }
  const ready = nodes.filter((node) => missing.get(node) === 0);
  for (const node of ready) {
    for (const to of out.get(node) ?? []) {
      to.layer = Math.max(to.layer, node.layer + 1);
      missing.set(to, (missing.get(to) ?? 0) - 1);
      if (missing.get(to) === 0) ready.push(to);
    }
  }
  const layers: Node[][] = [];
  for (const node of nodes) (layers[node.layer] ??= []).push(node);
  return layers.filter(Boolean);
}

function order(layers: Node[][], edges: Edge[]): void {
  const near = new Map<Node, Node[]>();
  for (const { from, to } of edges) {
    near.set(from, [...(near.get(from) ?? []), to]);
    near.set(to, [...(near.get(to) ?? []), from]);
  }
  const place = new Map<Node, number>();
  const number = (layer: Node[]) => layer.forEach((node, index) => place.set(node, index / Math.max(1, layer.length - 1 || 1)));
  layers.forEach(number);
  for (let round = 0; round < 8; round++) {
    const isDown = round % 2 === 0;
    const sequence = isDown ? layers : [...layers].reverse();
    for (const layer of sequence) {
      const middle = new Map(
        layer.map((node) => {
          const others = (near.get(node) ?? []).filter((other) => (isDown ? other.layer < node.layer : other.layer > node.layer));
          const sum = others.reduce((total, other) => total + (place.get(other) ?? 0), 0);
          return [node, others.length ? sum / others.length : (place.get(node) ?? 0)];
        }),
      );
      layer.sort((one, other) => (middle.get(one) ?? 0) - (middle.get(other) ?? 0));
      number(layer);
    }
  }
}

function place(layers: Node[][]): { width: number; height: number } {
  const widths = layers.map((layer) => layer.reduce((sum, node) => sum + node.width + GAP, -GAP));
  const width = Math.max(0, ...widths);
  let y = 20;
  layers.forEach((layer, index) => {
    let x = (width - widths[index]) / 2 + 40;
    const height = Math.max(...layer.map((node) => node.height));
    for (const node of layer) {
      node.x = x;
      node.y = y;
      x += node.width + GAP;
    }
    y += height + LAYER;
  });
  return { width: width + 80, height: y };
}
