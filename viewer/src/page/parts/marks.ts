// Places that a person points at, as a text for an agent: coordinates, what is there, in which room.

import { h, iconButton } from "../../dom";
import { title } from "../../tree";
import { idOf, modelOf, type ElementKey, type Mark, type Point } from "../../view/types";
import type { App } from "../app";
import type { Sight } from "../state";

const mm = (n: number) => Math.round(n * 1000);
const place = (p: Point) => `[${mm(p[0])}, ${mm(p[1])}, ${mm(p[2])}] mm`;

/** One mark in words. */
export function say(mark: Mark, name: (key: ElementKey) => string, rooms: (string | undefined)[]): string {
  const at = mark.points.map((p, i) => {
    const key = mark.on[i];
    const on = key ? ` on ${name(key)} (${idOf(key)})` : "";
    const room = rooms[i] ? ` in ${rooms[i]}` : "";
    return `${place(p)}${on}${room}`;
  });
  return mark.kind === "line" ? `Line: ${at.join(" – ")}` : `Place: ${at[0] ?? ""}`;
}

interface Room {
  name: string;
  min: Point;
  max: Point;
}

export class Marks {
  readonly element = h("div", { class: "marks", hidden: true });
  private readonly rooms = new Map<string, Promise<Room[]>>();

  constructor(
    private readonly app: App,
    private readonly sight: Sight,
  ) {
    app.view.on("marked", (all) => this.have(all));
    app.on("shown", (shown) => shown === undefined && this.clear());
  }

  clear(): void {
    this.app.view.marks([]);
    // the view tells of marks that the person makes alone
    this.have([]);
  }

  private have(all: Mark[]): void {
    this.sight.marks = all;
    this.draw();
    this.sight.changed();
    void this.place(all);
  }

  copy(): void {
    const text = [`In ${this.app.shown()?.name ?? "the model"}, version ${this.app.shown()?.version.slice(0, 12) ?? ""}:`, ...this.texts()].join("\n");
    void navigator.clipboard.writeText(text).then(
      () => this.app.toast("Copied: give it to your agent."),
      () => this.app.toast("The browser does not let this page copy.", { bad: true }),
    );
  }

  private texts(): string[] {
    const name = (key: ElementKey) => {
      const node = this.app.node(key);
      return node ? title(node) : idOf(key);
    };
    return this.sight.marks.map((mark) => say(mark, name, this.sight.rooms.get(mark.id) ?? []));
  }

  private draw(): void {
    const texts = this.texts();
    this.element.hidden = texts.length === 0;
    this.element.replaceChildren(
      h("header", {}, h("h2", {}, "Marks"), iconButton("copy", "Copy as text for an agent", () => this.copy()), iconButton("close", "Remove the marks", () => this.clear())),
      h("ol", {}, ...texts.map((text) => h("li", {}, text))),
    );
  }

  /** Finds the rooms that the marks are in. */
  private async place(all: Mark[]): Promise<void> {
    for (const mark of all) {
      if (this.sight.rooms.has(mark.id)) continue;
      const model = mark.on.find((key) => key !== undefined);
      const rooms = await this.roomsOf(model ? modelOf(model) : (this.app.shown()?.model ?? "")).catch(() => []);
      this.sight.rooms.set(
        mark.id,
        mark.points.map((p) => roomAt(rooms, p)),
      );
    }
    this.draw();
    this.sight.changed();
  }

  private roomsOf(model: string): Promise<Room[]> {
    const version = this.app.of(model)?.shown.version ?? "";
    const key = `${model}@${version}`;
    const known = this.rooms.get(key);
    if (known) return known;
    const asked = this.readRooms(model);
    this.rooms.set(key, asked);
    asked.catch(() => this.rooms.delete(key));
    return asked;
  }

  private async readRooms(model: string): Promise<Room[]> {
    const rooms: Room[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.app.call<{ rows?: { id: string; name?: string; bbox?: unknown }[]; next_cursor?: string }>("query_elements", {
        model_id: model,
        selector: "IfcSpace",
        fields: ["bbox"],
        limit: 500,
        ...(cursor ? { cursor } : {}),
      });
      for (const row of page.rows ?? []) {
        const box = row.bbox as { min?: number[]; max?: number[] } | undefined;
        if (box?.min?.length !== 3 || box.max?.length !== 3) continue;
        const metres = (list: number[]) => list.map((n) => n / 1000) as Point;
        rooms.push({ name: row.name ?? row.id, min: metres(box.min), max: metres(box.max) });
      }
      cursor = page.next_cursor;
    } while (cursor);
    return rooms;
  }
}

/** The smallest room whose box holds a point, or nearly: a point on a wall is of the room before it. */
export function roomAt(rooms: Room[], p: Point, reach = 0.15): string | undefined {
  const holds = (room: Room, by: number) => ([0, 1, 2] as const).every((i) => p[i] >= room.min[i] - by && p[i] <= room.max[i] + by);
  const size = (room: Room) => ([0, 1, 2] as const).reduce<number>((all, i) => all * (room.max[i] - room.min[i]), 1);
  const inside = rooms.filter((room) => holds(room, 0.001));
  const near = inside.length > 0 ? inside : rooms.filter((room) => holds(room, reach));
  return near.sort((a, b) => size(a) - size(b))[0]?.name;
}
