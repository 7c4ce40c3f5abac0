// Sums of the rooms by storey and by usage. Those by storey are the server's, which leaves out what lies outdoors.

import { h } from "../../dom";
import { byName, number } from "../ui";
import type { Room, Rooms } from "./data";

export interface Sum {
  name: string;
  rooms: number;
  area: number;
  volume: number;
}

/** Sums by usage; rooms outdoors are not counted, as in the sums by storey. */
export function byUsage(rooms: Room[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const room of rooms) {
    if (room.outdoors) continue;
    const sum = sums.get(room.usage) ?? { name: room.usage, rooms: 0, area: 0, volume: 0 };
    sum.rooms++;
    sum.area += room.area ?? 0;
    sum.volume += room.volume ?? 0;
    sums.set(room.usage, sum);
  }
  return [...sums.values()].sort((a, b) => b.area - a.area || byName(a.name, b.name));
}

function table(title: string, first: string, sums: Sum[]): HTMLElement {
  return h(
    "table", { class: "p-table" },
    h("caption", {}, title),
    h("thead", {}, h("tr", {}, ...[first, "Rooms", "Area m²", "Volume m³"].map((words, i) => h("th", { scope: "col", class: i > 0 ? "num" : undefined }, words)))),
    h(
      "tbody", {},
      ...sums.map((s) =>
        h("tr", {}, h("th", { scope: "row" }, s.name), h("td", { class: "num" }, String(s.rooms)), h("td", { class: "num" }, number(s.area)), h("td", { class: "num" }, number(s.volume))),
      ),
    ),
  );
}

export function totalsTable(all: Rooms): HTMLElement {
  const storeys = all.totals.map((t): Sum => ({ name: t.storey ?? "All", rooms: t.rooms, area: t.area ?? 0, volume: t.volume ?? 0 }));
  return h(
    "details", { class: "p-fold", open: true },
    h("summary", {}, "Totals"),
    ...(storeys.length > 0 ? [table("By storey", "Storey", storeys)] : []),
    table("By usage", "Usage", byUsage(all.rooms)),
  );
}
