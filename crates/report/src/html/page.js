// The report's page: a list of properties, and the run of the one that is chosen.
//
// All texts are set as texts, never as markup. Of long runs only what is near the current step is in the
// document, so that a step costs the same however long the run is.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
// The fields of a step, in the order in which the report writes them.
const [NUMBER, LANE, FILE, LINE, COLUMN, FUNCTION, DEPTH, KIND, TEXT, CHANGES] = Array(10).keys();
// Steps in the list before and behind the current one.
const WINDOW = 60;

let entry = null; // what is shown
let run = null; // its run
let at = 0; // the current step
let values = new Map(); // name -> {value, where, step}, as of the current step
let undo = []; // for each step up to the current one, what it replaced
let shownFile = null;
let listed = [];

function element(tag, text, ...classes) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  made.classList.add(...classes.filter(Boolean));
  return made;
}

const wordClass = (verdict) => verdict.split(" ")[0];

function place(of) {
  if (!of.file) return "";
  const line = of.line ? `:${of.line}` : "";
  const column = of.line && of.column ? `:${of.column}` : "";
  return of.file + line + column + (of.function ? ` in ${of.function}` : "");
}

// The list of properties

function showHead() {
  byId("outcome").textContent = data.outcome;
  byId("outcome").className = data.outcome === "violated" || data.outcome === "unknown" ? data.outcome : "holds";
  const counts = new Map();
  for (const { verdict } of data.entries) counts.set(verdict, (counts.get(verdict) || 0) + 1);
  const texts = [...counts].map(([verdict, count]) => `${count} ${verdict}`);
  byId("counts").textContent = `${data.entries.length} properties: ${texts.join(", ")}`;
  document.title = `${data.outcome}: Kripke report`;
  const rests = byId("rests");
  const assumptions = new Set(data.checks.flatMap((check) => check.assumptions));
  if (assumptions.size) {
    rests.append(element("strong", "The verdicts rest on:"));
    const list = element("ul");
    for (const assumption of assumptions) list.append(element("li", assumption));
    rests.append(list);
  }
  rests.append(element("p", `kripke ${data.version}`));
}

function showList() {
  const wanted = byId("filter").value.toLowerCase();
  const all = byId("all").checked;
  const isShown = (one) => {
    const text = `${one.program} ${one.id} ${one.kind} ${one.verdict} ${one.message} ${one.file}`;
    return (all || wanted || !(one.verdict === "holds" || one.skipped)) && text.toLowerCase().includes(wanted);
  };
  listed = data.entries.filter(isShown);
  if (!listed.length && !wanted) listed = data.entries;
  const items = listed.map((one) => {
    const item = element("li");
    const mark = one.known ? " (known)" : one.expected ? " (expected)" : "";
    item.append(element("strong", `${one.verdict}${mark} `, wordClass(one.verdict)));
    item.append(element("span", one.kind));
    item.append(element("span", ` ${one.message}`));
    item.append(element("small", [one.program, one.id, place(one)].filter(Boolean).join(" · ")));
    item.classList.toggle("now", one === entry);
    item.onclick = () => choose(one);
    return item;
  });
  byId("entries").replaceChildren(...items);
}

function choose(one) {
  entry = one;
  byId("title").textContent = one ? `${one.verdict}: ${one.kind}` : "There is nothing to show";
  byId("title").className = one ? wordClass(one.verdict) : "";
  byId("message").textContent = one ? one.message : "";
  byId("where").textContent = one ? [one.program, one.id, place(one)].filter(Boolean).join(" · ") : "";
  byId("help").hidden = !one;
  if (one) {
    byId("help").firstElementChild.textContent = one.title;
    byId("help").lastElementChild.textContent = one.cure;
  }
  [...byId("entries").children].forEach((item, index) => {
    item.classList.toggle("now", listed[index] === one);
    if (listed[index] === one) item.scrollIntoView({ block: "nearest" });
  });
  run = one && one.trace !== null ? data.traces[one.trace] : null;
  byId("run").hidden = !run;
  shownFile = null;
  if (run) open();
}

// The run

function open() {
  at = 0;
  values = new Map();
  undo = [];
  apply(0);
  byId("slider").max = run.steps.length - 1;
  const lanes = run.lanes.map((name, lane) => {
    const row = element("div", undefined, "lane");
    const label = element("span", name);
    label.title = name;
    row.append(label, element("canvas"));
    row.onclick = (event) => {
      const box = row.lastChild.getBoundingClientRect();
      if (event.clientX < box.left) return sameLane(1, lane);
      go(Math.round(((event.clientX - box.left) / box.width) * (run.steps.length - 1)));
    };
    return row;
  });
  byId("lanes").replaceChildren(...lanes);
  go(run.steps.length - 1);
}

// Takes the changes of a step into the values, and notes what they replace.
function apply(index) {
  const step = run.steps[index];
  const before = [];
  const isMachine = !step[FUNCTION] || /^0x/.test(step[TEXT]);
  for (const [name, value] of step[CHANGES]) {
    const called = step[KIND] === "call" && /^→ (.*?)\(/.exec(step[TEXT]);
    const where = called ? called[1] : isMachine ? "" : step[FUNCTION];
    const key = `${where}\n${name}`;
    before.push([key, values.get(key)]);
    values.set(key, { name, value, where, step: index });
  }
  undo.push(before);
}

function revert() {
  for (const [key, old] of undo.pop().reverse()) {
    if (old) values.set(key, old);
    else values.delete(key);
  }
}

function go(to) {
  const wanted = Math.max(0, Math.min(run.steps.length - 1, to));
  while (at < wanted) apply(++at);
  while (at > wanted) {
    revert();
    at--;
  }
  show();
}

function sameLane(by, lane = run.steps[at][LANE]) {
  for (let index = at + by; run.steps[index]; index += by) {
    if (run.steps[index][LANE] === lane) return go(index);
  }
}

function show() {
  const step = run.steps[at];
  byId("slider").value = at;
  const left = run.thinned ? ` (${run.steps.length} of ${run.all} shown)` : "";
  byId("at").textContent = `step ${step[NUMBER]} of ${run.all}${left}`;
  showLanes(step);
  showSteps();
  showValues();
  showSource(step);
}

function showLanes(step) {
  const style = getComputedStyle(document.documentElement);
  [...byId("lanes").children].forEach((row, lane) => {
    row.classList.toggle("now", lane === step[LANE]);
    const canvas = row.lastChild;
    const width = (canvas.width = canvas.clientWidth || 600);
    const height = (canvas.height = 14);
    const pen = canvas.getContext("2d");
    const count = run.steps.length;
    const x = (index) => (index / Math.max(1, count)) * width;
    const paint = (name) => (pen.fillStyle = color(style, name));
    paint("--line");
    pen.fillRect(0, height / 2 - 0.5, width, 1);
    for (let index = 0; index < count; index++) {
      if (run.steps[index][LANE] !== lane) continue;
      paint(index <= at ? "--input" : "--faint");
      let end = index;
      while (end + 1 < count && run.steps[end + 1][LANE] === lane && (end < at) === (end + 1 <= at)) end++;
      pen.fillRect(x(index), 3, Math.max(1, x(end + 1) - x(index)), height - 6);
      index = end;
    }
    if (run.loop !== null) {
      paint("--open");
      pen.fillRect(x(run.loop), 0, 2, height);
    }
    if (lane === step[LANE]) {
      paint("--bad");
      pen.fillRect(Math.min(width - 3, x(at)), 0, 3, height);
    }
  });
}

// The colour of a property that has one for light and one for dark.
function color(style, name) {
  const probe = byId("outcome");
  const old = probe.style.color;
  probe.style.color = `var(${name})`;
  const found = getComputedStyle(probe).color;
  probe.style.color = old;
  return found;
}

function showSteps() {
  const from = Math.max(0, at - WINDOW);
  const to = Math.min(run.steps.length, at + WINDOW + 1);
  const items = [];
  for (let index = from; index < to; index++) {
    const step = run.steps[index];
    const item = element("li", undefined, step[KIND], index === at && "now", index > at && "ahead");
    const lane = run.lanes.length > 1 ? `${run.lanes[step[LANE]]}: ` : "";
    item.textContent = `${"  ".repeat(Math.min(10, step[DEPTH]))}${lane}${step[TEXT]}`;
    if (index === run.loop) {
      item.classList.add("loop");
      item.title = "the run repeats from here on for ever";
    }
    item.onclick = () => go(index);
    items.push(item);
  }
  byId("steps").replaceChildren(...items);
  items[at - from].scrollIntoView({ block: "nearest" });
}

function showValues() {
  const known = [...values.values()].sort((one, other) => other.step - one.step).slice(0, 200);
  const rows = known.map(({ name, value, where, step }) => {
    const row = element("tr", undefined, step === at && "now");
    row.append(element("td", name), element("td", value), element("td", where && `in ${where}`));
    row.title = `since step ${run.steps[step][NUMBER]}`;
    row.onclick = () => go(step);
    return row;
  });
  byId("values").tBodies[0].replaceChildren(...rows);
}

function showSource(step) {
  // A step without a place is shown where the run was before.
  let index = at;
  while (index > 0 && !(data.files[run.steps[index][FILE]] && run.steps[index][LINE])) index--;
  const shown = run.steps[index];
  const file = shown[FILE];
  const pieces = data.files[file];
  const panel = byId("source");
  if (!pieces || !shown[LINE]) {
    shownFile = null;
    panel.replaceChildren(element("div", step[FILE] || "no source", "file"));
    return;
  }
  if (shownFile !== file) {
    shownFile = file;
    const lines = [element("div", file, "file")];
    const last = run.steps[run.steps.length - 1];
    const visited = new Set(run.steps.filter((one) => one[FILE] === file).map((one) => one[LINE]));
    pieces.forEach(([first, texts], piece) => {
      if (piece) lines.push(element("div", "…", "gap"));
      texts.forEach((text, offset) => {
        const number = first + offset;
        const isEnd = last[FILE] === file && last[LINE] === number;
        const line = element("div", undefined, "line", visited.has(number) && "was", isEnd && "end");
        line.dataset.line = number;
        line.append(element("b", number), element("span", text || " "));
        lines.push(line);
      });
    });
    panel.replaceChildren(...lines);
  }
  for (const old of panel.querySelectorAll(".now")) {
    old.classList.remove("now");
    old.lastChild.replaceChildren(old.lastChild.textContent);
  }
  const line = panel.querySelector(`[data-line="${shown[LINE]}"]`);
  if (!line) return;
  line.classList.add("now");
  markColumn(line.lastChild, shown[COLUMN]);
  const middle = line.offsetTop - panel.offsetTop - panel.clientHeight / 2;
  const isSeen =
    line.offsetTop - panel.offsetTop >= panel.scrollTop &&
    line.offsetTop - panel.offsetTop + line.clientHeight <= panel.scrollTop + panel.clientHeight;
  if (!isSeen) panel.scrollTop = middle;
}

function markColumn(span, column) {
  const text = span.textContent;
  if (!column || column > text.length) return;
  const word = /^[\w.]+|^./u.exec(text.slice(column - 1))[0];
  span.replaceChildren(
    text.slice(0, column - 1),
    element("span", word, "column"),
    text.slice(column - 1 + word.length),
  );
}

// Keys and buttons

function turn() {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  if (run) showLanes(run.steps[at]);
}

function neighbour(by) {
  const next = listed[listed.indexOf(entry) + by];
  if (next) choose(next);
}

const keys = {
  ArrowRight: () => run && go(at + 1),
  ArrowLeft: () => run && go(at - 1),
  l: () => run && go(at + 1),
  h: () => run && go(at - 1),
  PageDown: () => run && go(at + 20),
  PageUp: () => run && go(at - 20),
  Home: () => run && go(0),
  End: () => run && go(run.steps.length - 1),
  "]": () => run && sameLane(1),
  "[": () => run && sameLane(-1),
  ArrowDown: () => neighbour(1),
  ArrowUp: () => neighbour(-1),
  j: () => neighbour(1),
  k: () => neighbour(-1),
  d: turn,
  "/": () => byId("filter").focus(),
};

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input[type=search]");
  if (isTyping && event.key === "Escape") return event.target.blur();
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});
const goes = { first: "Home", back: "ArrowLeft", on: "ArrowRight", last: "End" };
for (const button of document.querySelectorAll("[data-go]")) {
  button.onclick = () => keys[goes[button.dataset.go]]();
}
byId("slider").oninput = () => go(Number(byId("slider").value));
byId("theme").onclick = turn;
byId("filter").oninput = showList;
byId("all").onchange = showList;
addEventListener("resize", () => run && showLanes(run.steps[at]));

showHead();
showList();
choose(listed[0] || null);
