// A way between two rooms for somebody on foot, in a wheelchair, with a bed or a cart: drawn over the model, walked along, with its doors and
// its narrowest place; or what stands in the way.

import type { Context } from "../../page/context";
import { idOf, type Point } from "../../view/types";
import { h } from "../../dom";
import { brief, button, byName, choice, iconButton, input, number, said, state, type Choice } from "../ui";
import { go } from "./card";
import { titleOf, type Rooms } from "./data";
import type { Painter } from "./paint";
import type { Obstacle } from "./reach";

type Mm = [number, number, number];

interface Named {
  id: string;
  name?: string;
  class?: string;
}

export interface Way {
  found: boolean;
  from: string;
  to: string;
  distance?: number;
  time?: number;
  path?: Mm[];
  doors?: (Named & { clear_width: number; basis: string; operation?: string })[];
  stairs?: (Named & { rise: number; risers?: number; clear_width?: number; slope?: number })[];
  ramps?: (Named & { rise: number; clear_width?: number; slope?: number })[];
  lifts?: (Named & { rise: number })[];
  narrowest?: { width: number; at: Mm };
  steepest?: number;
  obstacles?: Obstacle[];
  turning?: { room: string; free: number; required: number; enough: boolean }[];
  notes?: string[];
}

const TRAVELLERS: readonly Choice[] = [
  ["foot", "On foot"],
  ["wheelchair", "Wheelchair (step-free)"],
  ["bed", "Bed"],
  ["cart", "Cart"],
];
const WIDTHS: Record<string, number> = { foot: 600, wheelchair: 800, bed: 1000, cart: 700 };

/** mm to metres. */
export const metres = (path: Mm[]): Point[] => path.map((p) => p.map((v) => v / 1000) as Point);

/** "1 min 20 s". */
export function duration(seconds: number): string {
  const s = Math.round(seconds);
  return s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`;
}

const kept = { from: "", to: "outside", by: "foot", clearance: "" };

export function waysPage(pane: HTMLElement, context: Context, all: Rooms, paint: Painter): () => void {
  const places = (): Choice[] => [
    ["outside", "Outside"],
    ...[...all.rooms].sort((a, b) => byName(`${a.storey} ${titleOf(a)}`, `${b.storey} ${titleOf(b)}`)).map((r): Choice => [r.id, `${titleOf(r)}${r.storey ? ` (${r.storey})` : ""}`]),
  ];
  const ids = new Set(all.rooms.map((r) => r.id));
  if (!ids.has(kept.from)) kept.from = all.rooms[0]?.id ?? "outside";
  if (!ids.has(kept.to)) kept.to = "outside";
  let closed: Named[] = [];
  let control = new AbortController();

  const from = choice("From", places(), kept.from, (v) => { kept.from = v; void find(); });
  const to = choice("To", places(), kept.to, (v) => { kept.to = v; void find(); });
  const width = input("Clear width, mm", { type: "number", min: "100", max: "5000", step: "10", inputmode: "numeric", placeholder: String(WIDTHS[kept.by]) }, (v) => { kept.clearance = v; void find(); });
  const widthBox = width.querySelector("input");
  if (widthBox) widthBox.value = kept.clearance;
  const result = h("div", { class: "p-result", "aria-live": "polite" });
  const swap = iconButton("swap", "The other way round", () => {
    [kept.from, kept.to] = [kept.to, kept.from];
    (from.lastChild as HTMLSelectElement).value = kept.from;
    (to.lastChild as HTMLSelectElement).value = kept.to;
    void find();
  });
  pane.append(
    h("div", { class: "p-ends" }, h("div", {}, from, to), swap),
    h(
      "div", { class: "p-form" },
      choice("Traveller", TRAVELLERS, kept.by, (v) => {
        kept.by = v;
        if (widthBox) widthBox.placeholder = String(WIDTHS[v]);
        void find();
      }),
      width,
    ),
    h("p", { class: "p-note" }, "A room selected in the view becomes the start; with two selected, the second is the end."),
    result,
  );

  async function find(): Promise<void> {
    control.abort();
    control = new AbortController();
    const { signal } = control;
    if (kept.from === kept.to) {
      paint.way(undefined);
      result.replaceChildren(state("empty", "Choose two different places."));
      return;
    }
    result.replaceChildren(state("busy", "Looking for the way…"));
    try {
      const way = await context.call<Way>(
        "path_finding",
        {
          from_room: kept.from, to_room: kept.to, by: kept.by,
          ...(kept.clearance ? { clearance: Number(kept.clearance) } : {}),
          ...(closed.length > 0 ? { closed_doors: closed.map((d) => d.id) } : {}),
        },
        signal,
      );
      if (!signal.aborted) show(way);
    } catch (error) {
      if (signal.aborted) return;
      paint.way(undefined);
      result.replaceChildren(state("bad", said(error)));
    }
  }

  function show(way: Way): void {
    const path = metres(way.path ?? []);
    paint.way(path.length > 1 ? path : undefined);
    context.view.pins((way.obstacles ?? []).flatMap((o, i) => (o.at ? [{ id: `obstacle-${i}`, at: metres([o.at])[0] as Point, label: String(i + 1), tone: "error" as const }] : [])));
    result.replaceChildren();
    if (way.found) result.append(figures(way, path), doorsOf(way), climbs(way));
    else result.append(h("p", { class: "p-verdict bad" }, `No way from ${way.from} to ${way.to}.`));
    if (closed.length > 0) {
      result.append(h("h4", {}, "Shut doors"), h("ul", { class: "p-list" }, ...closed.map((d) => h("li", {}, `${brief(d.name ?? d.id)} `, h("button", { type: "button", class: "link", onclick: () => { closed = closed.filter((c) => c !== d); void find(); } }, "open")))));
    }
    if (way.obstacles?.length) result.append(h("h4", {}, "What would open one"), obstacleList(context, way.obstacles));
    for (const t of way.turning ?? []) {
      result.append(h("p", { class: t.enough ? "p-note" : "p-note bad" }, `Turning space in ${t.room}: ${number(t.free / 1000, 2)} m, ${number(t.required / 1000, 2)} m ${t.enough ? "are due" : "are due and not there"}.`));
    }
    for (const words of way.notes ?? []) result.append(h("p", { class: "p-note" }, words));
  }

  function figures(way: Way, path: Point[]): HTMLElement {
    const values: [string, string][] = [["Length", `${number((way.distance ?? 0) / 1000, 2)} m`]];
    if (way.time !== undefined) values.push(["Time", duration(way.time)]);
    values.push(["Doors", String(way.doors?.length ?? 0)]);
    if (way.narrowest) values.push(["Narrowest", `${number(way.narrowest.width, 0)} mm`]);
    if (way.steepest !== undefined) values.push(["Steepest", `${number(way.steepest)} %`]);
    return h(
      "div", {},
      h("dl", { class: "p-figures" }, ...values.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
      path.length > 1 &&
        h("div", { class: "p-row" }, button("Walk it", () => context.view.play(path), { icon: "play", primary: true }), button("Stop", () => context.view.play(undefined), { icon: "stop" })),
    );
  }

  function doorsOf(way: Way): HTMLElement | string {
    if (!way.doors?.length) return "";
    const least = Math.min(...way.doors.map((d) => d.clear_width));
    return h(
      "div", {},
      h("h4", {}, "Doors on the way"),
      h(
        "ol", { class: "p-list" },
        ...way.doors.map((d) =>
          h(
            "li", {},
            h("button", { type: "button", class: "link", onclick: () => go(context, d.id) }, brief(d.name ?? d.id)),
            h("span", { class: d.clear_width === least ? "num least" : "num", title: d.basis }, `${number(d.clear_width, 0)} mm clear`), " ",
            h("button", { type: "button", class: "link", onclick: () => { closed = [...closed, d]; void find(); } }, "shut"),
          ),
        ),
      ),
    );
  }

  function climbs(way: Way): HTMLElement | string {
    const all = [...(way.stairs ?? []).map((s) => ({ ...s, word: "Stair" })), ...(way.ramps ?? []).map((s) => ({ ...s, word: "Ramp" })), ...(way.lifts ?? []).map((s) => ({ ...s, word: "Lift" }))];
    if (all.length === 0) return "";
    return h(
      "div", {},
      h("h4", {}, "Stairs, ramps, lifts"),
      h("ol", { class: "p-list" }, ...all.map((s) => h("li", {}, h("button", { type: "button", class: "link", onclick: () => go(context, s.id) }, s.word), ` ${s.rise < 0 ? "down" : "up"} ${number(Math.abs(s.rise) / 1000, 2)} m${"risers" in s && typeof s.risers === "number" ? `, ${s.risers} risers` : ""}${"clear_width" in s && typeof s.clear_width === "number" ? `, ${number(s.clear_width, 0)} mm clear` : ""}`))),
    );
  }

  const off = context.on("selection", (keys) => {
    const model = context.shown()?.model;
    const rooms = keys.filter((k) => k.startsWith(`${model}/`)).map(idOf).filter((id) => ids.has(id));
    const [first, second] = rooms.slice(-2);
    if (!first || (first === kept.from && (!second || second === kept.to))) return;
    kept.from = first;
    if (second) kept.to = second;
    (from.lastChild as HTMLSelectElement).value = kept.from;
    (to.lastChild as HTMLSelectElement).value = kept.to;
    void find();
  });
  const offPin = context.view.on("pin", (id) => result.querySelector(`[data-pin="${CSS.escape(id)}"]`)?.scrollIntoView({ block: "nearest" }));
  void find();
  return () => {
    control.abort();
    off();
    offPin();
    context.view.pins([]);
    paint.way(undefined);
  };
}

/** What stands in the way, numbered as its pins in the view. */
export function obstacleList(context: Context, obstacles: Obstacle[]): HTMLElement {
  return h(
    "ol", { class: "p-list" },
    ...obstacles.map((o, i) =>
      h(
        "li", { "data-pin": `obstacle-${i}` }, o.say,
        o.measured !== undefined && h("span", { class: "num" }, ` ${number(o.measured, 0)}${o.required === undefined ? "" : ` of ${number(o.required, 0)}`} mm`),
        ...(o.elements ?? []).slice(0, 3).map((e) => h("button", { type: "button", class: "link block", onclick: () => go(context, e.id) }, brief(e.name ?? e.class ?? e.id))),
      ),
    ),
  );
}
