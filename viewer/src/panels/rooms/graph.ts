// Which rooms are neighbours, as a diagram over the plan: a node at each room's middle, a line for each door, opening, window, wall or slab
// that two share. It is zoomed by wheel, buttons and keys, and what is clicked is selected in the view.

import type { Context } from "../../page/context";
import { idOf, keyOf } from "../../view/types";
import { h } from "../../dom";
import { openDock } from "../dock";
import { awaited, choice, count, number, s, state } from "../ui";
import { neighbours, titleOf, type Graph, type Pair, type Rooms } from "./data";
import type { Group } from "./groups";
import { zoomable } from "../zoom";
import { isLight } from "../palette";
import { outline } from "./outline";

const WORDS: Record<Pair["through"], string> = { door: "Doors", opening: "Openings", window: "Windows", wall: "Walls", slab: "Slabs" };

/** Whether a pair is drawn on a storey: one of its rooms has to stand there, and the other, or lie outside. */
export function onStorey(pair: Pair, storeyOf: (id: string) => string | undefined, storey: string): boolean {
  if (!storey) return true;
  const [a, b] = [storeyOf(pair.a), storeyOf(pair.b)];
  return (a === storey && (b === storey || pair.b === "outdoors")) || (b === storey && pair.a === "outdoors");
}

export function openGraph(host: HTMLElement, context: Context, all: Rooms, look: () => { groups: Group[]; storey: string }): void {
  const control = new AbortController();
  let off: (() => void) | undefined;
  const dock = openDock(host, "Adjacency of rooms", {
    tall: true,
    closed: () => {
      control.abort();
      off?.();
    },
  });
  const shown = new Set<Pair["through"]>(["door", "opening"]);
  let storey = look().storey || all.rooms.find((r) => r.storey)?.storey || "";

  awaited(dock.body, "Looking for neighbours…", (signal) => neighbours(context, signal), (graph) => {
    const kinds = h("div", { class: "p-row wrap" });
    const storeys = [...new Set(all.rooms.map((r) => r.storey).filter((x): x is string => !!x))];
    const place = h("div", { class: "graph" });
    const side = h("div", { class: "graph-side", "aria-live": "polite" });
    dock.tools.append(
      choice("Storey", [["", "All"], ...storeys.map((x) => [x, x] as const)], storey, (v) => {
        storey = v;
        draw();
      }),
      kinds,
    );
    for (const through of Object.keys(WORDS) as Pair["through"][]) {
      const n = graph.pairs.filter((p) => p.through === through).length;
      if (n === 0) continue;
      const box = h("input", { type: "checkbox", onchange: () => { if (box.checked) shown.add(through); else shown.delete(through); draw(); } });
      box.checked = shown.has(through);
      kinds.append(h("label", { class: "p-toggle" }, box, h("i", { class: `edge-mark ${through}` }), h("span", {}, `${WORDS[through]} ${n}`)));
    }
    dock.body.append(place, side);

    function draw(): void {
      place.replaceChildren(picture(context, graph, all, { storey, shown, groups: look().groups }, (words) => side.replaceChildren(...words)));
      mark();
    }
    function mark(): void {
      const ids = new Set(context.selection().map(idOf));
      for (const node of place.querySelectorAll<SVGElement>("[data-room]")) node.classList.toggle("chosen", ids.has(node.dataset["room"] ?? ""));
      for (const line of place.querySelectorAll<SVGElement>(".edge")) line.classList.toggle("chosen", ids.has(line.dataset["a"] ?? "") || ids.has(line.dataset["b"] ?? ""));
    }
    draw();
    off = context.on("selection", mark);
  });
}

interface Look {
  storey: string;
  shown: Set<Pair["through"]>;
  groups: Group[];
}

function picture(context: Context, graph: Graph, all: Rooms, look: Look, tell: (words: Node[]) => void): Element {
  const colours = new Map(look.groups.flatMap((g) => g.ids.map((id) => [id, g.colour] as const)));
  const rooms = new Map(all.rooms.map((r) => [r.id, r]));
  const storeyOf = (id: string) => rooms.get(id)?.storey;
  const nodes = graph.nodes.filter((n) => n.middle && (!look.storey || storeyOf(n.id) === look.storey));
  if (nodes.length === 0) return state("empty", "No rooms on this storey.");
  const places = new Map(nodes.map((n) => [n.id, [n.middle![0] / 1000, -n.middle![1] / 1000] as [number, number]]));
  const xs = [...places.values()].map((p) => p[0]);
  const ys = [...places.values()].map((p) => p[1]);
  const floors = nodes.flatMap((n) => all.floors.get(n.id) ?? []);
  for (const floor of floors) for (const [x, y] of floor.points) (xs.push(x), ys.push(-y));
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const size = Math.max(x1 - x0, y1 - y0, 4);
  const r = Math.min(Math.max(size / 34, 0.22), 0.75);
  const pairs = graph.pairs.filter((p) => look.shown.has(p.through) && onStorey(p, storeyOf, look.storey));
  // the open air is on all sides: what leads there goes to the nearest edge of the plan, and not across it
  const margin = size * 0.07;
  const doors = pairs.filter((p) => p.a === "outdoors" || p.b === "outdoors");
  const exits = new Map(doors.map((pair, i) => [pair, `outdoors ${i}`]));
  const taken: [number, number][] = [];
  for (const pair of doors) {
    const from = places.get(pair.a === "outdoors" ? pair.b : pair.a);
    if (!from) continue;
    const sides: [number, number][] = [[x0 - margin, from[1]], [x1 + margin, from[1]], [from[0], y0 - margin], [from[0], y1 + margin]];
    const free = sides.filter(([x, y]) => taken.every(([tx, ty]) => Math.hypot(tx - x, ty - y) > r * 3.4));
    const near = (free.length > 0 ? free : sides).sort((a, b) => Math.hypot(a[0] - from[0], a[1] - from[1]) - Math.hypot(b[0] - from[0], b[1] - from[1]))[0];
    if (!near) continue;
    taken.push(near);
    places.set(exits.get(pair) ?? "", near);
  }

  const floorLayer = s("g", { class: "floors" });
  for (const floor of floors) {
    const d = outline(floor).map((ring) => `M${ring.map(([x, y]) => `${x.toFixed(3)} ${(-y).toFixed(3)}`).join("L")}Z`).join("");
    const shape = s("path", { d, "data-room": floor.id, fill: colours.get(floor.id) ?? "none", "fill-rule": "evenodd", class: "floor" });
    floorLayer.append(shape);
  }
  const lines = s("g", {});
  const many = new Map<string, number>();
  for (const pair of pairs) {
    const at = (id: string) => places.get(id === "outdoors" ? (exits.get(pair) ?? id) : id);
    const [a, b] = [at(pair.a), at(pair.b)];
    if (!a || !b) continue;
    // pairs of the same two rooms are drawn beside each other
    const key = [pair.a, pair.b].sort().join();
    const nth = many.get(key) ?? 0;
    many.set(key, nth + 1);
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const l = Math.hypot(dx, dy) || 1;
    const shift = Math.ceil(nth / 2) * (nth % 2 ? 1 : -1) * r * 0.7;
    const mid: [number, number] = [(a[0] + b[0]) / 2 - (dy / l) * shift * 2, (a[1] + b[1]) / 2 + (dx / l) * shift * 2];
    const wide = pair.length ? `${number(pair.length / 1000, 2)} m` : `${number(pair.area)} m²`;
    const name = `${WORDS[pair.through].slice(0, -1)}, ${wide}: ${nameOf(pair.a)} to ${nameOf(pair.b)}`;
    const press = () => {
      const model = context.shown()?.model;
      if (model && pair.elements?.length) context.select(pair.elements.map((id) => keyOf(model, id)), { fit: true });
      tell([h("p", {}, name), h("p", { class: "p-note" }, `${number(pair.area, 2)} m² shared${pair.elements?.length ? `, ${count(pair.elements.length, "element")}` : ", no element between"}`)]);
    };
    const line = s("g", { class: `edge ${pair.through}`, "data-a": pair.a, "data-b": pair.b, tabindex: 0, role: "button", "aria-label": name });
    const d = `M${a[0]} ${a[1]}Q${mid[0]} ${mid[1]} ${b[0]} ${b[1]}`;
    line.append(s("path", { d, class: "hit", "stroke-width": r * 1.1 }), s("path", { d, "stroke-width": pair.through === "wall" || pair.through === "slab" ? r * 0.08 : Math.min(Math.max((pair.length ?? 500) / 1000, 0.5), 3) * r * 0.16 }));
    if (pair.through !== "wall" && pair.through !== "slab") line.append(s("text", { x: (mid[0] + (a[0] + b[0]) / 2) / 2, y: (mid[1] + (a[1] + b[1]) / 2) / 2, "font-size": r * 0.62 }, wide));
    pressed(line, press);
    lines.append(line);
  }
  const dots = s("g", {});
  for (const [id, [x, y]] of places) {
    const room = rooms.get(id);
    const fill = colours.get(id);
    const name = nameOf(id);
    const node = s("g", { class: "node", "data-room": id, tabindex: 0, role: "button", "aria-label": `${name}${room?.area ? `, ${number(room.area)} m²` : ""}` });
    node.append(s("circle", { cx: x, cy: y, r, fill: fill ?? "var(--surface)" }));
    const label = room?.name && room.name.length <= 5 ? room.name : undefined;
    if (label) node.append(s("text", { x, y: y + r * 0.22, "font-size": r * 0.68, class: fill ? (isLight(fill) ? "on-light" : "on-dark") : "plain" }, label));
    const under = id.startsWith("outdoors") ? "Outside" : label ? (room?.long_name ?? "") : name;
    if (under) node.append(s("text", { x, y: y + r * 1.75, "font-size": r * 0.66, class: "under" }, under));
    pressed(node, () => {
      const model = context.shown()?.model;
      if (model && room && !room.found) context.select([keyOf(model, id)]);
      tell(neighbourWords(id));
    });
    dots.append(node);
  }

  function nameOf(id: string): string {
    const room = rooms.get(id);
    return id.startsWith("outdoors") ? "outside" : room ? titleOf(room) : id;
  }
  function neighbourWords(id: string): Node[] {
    const own = id.startsWith("outdoors") ? "outdoors" : id;
    const mine = graph.pairs.filter((p) => (p.a === own || p.b === own) && look.shown.has(p.through));
    return [
      h("h3", {}, nameOf(id)),
      h("ul", { class: "p-list" }, ...mine.map((p) => h("li", {}, `${nameOf(p.a === own ? p.b : p.a)} `, h("span", { class: "num" }, `${p.through}, ${p.length ? `${number(p.length / 1000, 2)} m` : `${number(p.area)} m²`}`)))),
      ...(mine.length === 0 ? [h("p", { class: "p-note" }, "No such neighbour.")] : []),
    ];
  }

  const pad = r * 3 + (doors.length > 0 ? margin : 0);
  const content = s("g", {}, floorLayer, lines, dots);
  return zoomable(content, { x: x0 - pad, y: y0 - pad, width: x1 - x0 + 2 * pad, height: y1 - y0 + 2 * pad }, `Adjacency of ${count(nodes.length, "room")}, ${count(pairs.length, "connection")}`);
}

/** By pointer, Enter and Space. */
function pressed(element: SVGElement, press: () => void): void {
  element.addEventListener("click", press);
  element.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" && e.key !== " ") return;
    e.preventDefault();
    press();
  });
}
