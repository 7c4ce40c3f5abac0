// One room: all its measures, what it is next to, its doors and windows, daylight.

import type { Context } from "../../page/context";
import { keyOf } from "../../view/types";
import { h } from "../../dom";
import { awaited, number } from "../ui";
import { titleOf, type Room, type Rooms } from "./data";

interface Opening {
  id: string;
  name?: string;
  width: number;
  height: number;
  sill: number;
  to: string[];
  faces?: string;
}

interface Detail extends Omit<Room, "usage"> {
  doors?: Opening[];
  windows?: Opening[];
  net_perimeter?: number;
  ceiling_area?: number;
  daylight?: { window_to_floor: number; factor: number };
  usable_width?: { room: number; furnished: number };
  notes?: string[];
}

export function roomCard(context: Context, room: Room, all: Rooms): HTMLElement {
  const place = h("section", { class: "p-card", "aria-label": titleOf(room) });
  awaited(
    place,
    "Measuring the room…",
    (signal) => context.call<Detail>("room_analysis", { room_id: room.id, include: ["openings", "exposure", "contents"] }, signal),
    (detail) => place.append(h("h3", {}, titleOf(room)), measures(detail), openings(context, "Doors", detail.doors ?? [], all), openings(context, "Windows", detail.windows ?? [], all)),
  );
  return place;
}

function measures(room: Detail): HTMLElement {
  const rows: [string, string | undefined][] = [
    ["Net floor area", room.area === undefined ? undefined : `${number(room.area, 2)} m²`],
    ["Gross floor area", room.gross_area === undefined ? undefined : `${number(room.gross_area, 2)} m²`],
    ["Volume", room.volume === undefined ? undefined : `${number(room.volume, 2)} m³`],
    ["Clear height", room.height && `${number(room.height.least / 1000, 2)} m, mean ${number(room.height.mean / 1000, 2)} m`],
    ["Perimeter", room.perimeter === undefined ? undefined : `${number(room.perimeter / 1000, 2)} m`],
    ["Net wall area", room.net_wall_area === undefined ? undefined : `${number(room.net_wall_area, 2)} m²`],
    ["Windows to floor", room.daylight && `${number(room.daylight.window_to_floor * 100)} %`],
    ["Mean daylight factor", room.daylight && `${number(room.daylight.factor, 2)} %`],
    ["Free circle on the floor", room.usable_width && `${number(room.usable_width.furnished / 1000, 2)} m`],
  ];
  return h("dl", { class: "p-values" }, ...rows.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

function openings(context: Context, title: string, list: Opening[], all: Rooms): HTMLElement | string {
  if (list.length === 0) return "";
  const names = new Map(all.rooms.map((r) => [r.id, titleOf(r)]));
  return h(
    "div", {},
    h("h4", {}, title),
    h(
      "ul", { class: "p-list" },
      ...list.map((o) =>
        h(
          "li", {},
          h("button", { type: "button", class: "link", onclick: () => go(context, o.id) }, `${number(o.width, 0)} × ${number(o.height, 0)} mm`),
          ` to ${o.to.map((id) => names.get(id) ?? id).join(", ") || "nothing"}${o.faces ? `, faces ${o.faces}` : ""}`,
        ),
      ),
    ),
  );
}

/** Selects an element of the shown model and brings it into view. */
export function go(context: Context, id: string): void {
  const shown = context.shown();
  if (shown) context.select([keyOf(shown.model, id)], { fit: true, reveal: true });
}
