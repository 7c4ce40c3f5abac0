// Rooms in groups that have a colour each: by what they are used for, how large they are, how deep they lie.

import { category, NONE, ramp, steps } from "../palette";
import { byName, tidy } from "../ui";
import type { Room } from "./data";

export interface Group {
  words: string;
  colour: string;
  ids: string[];
}

/** The classes of area, m², that all pictures and drawings of the server share. */
const AREAS_AT = [5, 10, 20, 40, 80] as const;

export type By = "usage" | "storey" | "area" | "volume" | "height" | "depth" | "way" | "finding";

export const BYS: readonly (readonly [By | "", string])[] = [
  ["", "No colours"],
  ["usage", "Usage"],
  ["storey", "Storey"],
  ["area", "Area"],
  ["volume", "Volume"],
  ["height", "Clear height"],
  ["depth", "Doors from outside"],
  ["way", "Way to an exit"],
  ["finding", "Findings"],
];

/** What is known of rooms beside their measures. */
export interface More {
  /** Metres from the farthest place of a room to an exit; undefined where there is no way. */
  ways?: Map<string, number | undefined>;
  /** The worst that a check says of a room. */
  findings?: Map<string, "error" | "warning" | "info">;
}

function categories(rooms: Room[], of: (room: Room) => string | undefined, colour: (name: string, i: number) => string, order = byName): Group[] {
  const names = new Map<string, string[]>();
  for (const room of rooms) {
    const name = of(room) ?? "Not stated";
    const ids = names.get(name);
    if (ids) ids.push(room.id);
    else names.set(name, [room.id]);
  }
  const sorted = [...names].sort(([a], [b]) => order(a, b));
  return sorted.map(([words, ids], i) => ({ words, colour: words === "Not stated" ? NONE : colour(words, i), ids }));
}

/** Classes between bounds: below the first, between each two, from the last on. */
export function classes(rooms: Room[], of: (room: Room) => number | undefined, bounds: readonly number[], unit: string, colours: (i: number, n: number) => string): Group[] {
  const groups: Group[] = [];
  const n = bounds.length + 1;
  for (let i = 0; i < n; i++) {
    const [low, high] = [bounds[i - 1], bounds[i]];
    const words = low === undefined ? `below ${tidy(high)} ${unit}` : high === undefined ? `${tidy(low)} ${unit} and more` : `${tidy(low)} to ${tidy(high)} ${unit}`;
    groups.push({ words, colour: colours(i, n), ids: [] });
  }
  const without: string[] = [];
  for (const room of rooms) {
    const value = of(room);
    if (value === undefined) without.push(room.id);
    else {
      const at = bounds.findIndex((bound) => value < bound);
      groups[at < 0 ? n - 1 : at]?.ids.push(room.id);
    }
  }
  if (without.length > 0) groups.push({ words: "Not known", colour: NONE, ids: without });
  return groups.filter((g) => g.ids.length > 0);
}

/** Bounds of about five classes over the values that there are. */
export function boundsOf(values: (number | undefined)[]): number[] {
  const known = values.filter((v): v is number => v !== undefined && Number.isFinite(v));
  if (known.length === 0) return [];
  const [min, max] = [Math.min(...known), Math.max(...known)];
  return steps(min, max).slice(1, -1);
}

const SEVERITIES = [
  ["error", "Error", "#c4453c"],
  ["warning", "Warning", "#d9902f"],
  ["info", "To be judged", "#4e79a7"],
] as const;

/** Rooms in groups by what is asked. What lies outdoors is no part of the building: it is a group of its own, without a colour that says something. */
export function groupsOf(rooms: Room[], by: By, more: More = {}): Group[] {
  const outdoors = rooms.filter((r) => r.outdoors).map((r) => r.id);
  const groups = inside(rooms.filter((r) => !r.outdoors), by, more);
  return outdoors.length > 0 ? [...groups, { words: OUTDOORS, colour: NONE, ids: outdoors }] : groups;
}

/** The name of the group of what lies outdoors. */
export const OUTDOORS = "Outdoors";

function inside(rooms: Room[], by: By, more: More): Group[] {
  const even = (i: number, n: number) => ramp(n > 1 ? i / (n - 1) : 0.5, "cividis");
  switch (by) {
    case "usage":
      return categories(rooms, (r) => r.usage, (_, i) => category(i));
    case "storey":
      return categories(rooms, (r) => r.storey, (_, i) => category(i));
    case "area":
      return classes(rooms, (r) => r.area, AREAS_AT, "m²", (i, n) => ramp(i / (n - 1), "areas"));
    case "volume":
      return classes(rooms, (r) => r.volume, boundsOf(rooms.map((r) => r.volume)), "m³", even);
    case "height": {
      const metres = (r: Room) => (r.height ? r.height.least / 1000 : undefined);
      return classes(rooms, metres, boundsOf(rooms.map(metres)), "m", even);
    }
    case "way": {
      const { ways } = more;
      const reached = rooms.filter((r) => ways?.get(r.id) !== undefined);
      const cut = rooms.filter((r) => ways?.has(r.id) && ways.get(r.id) === undefined).map((r) => r.id);
      const groups = classes(reached, (r) => ways?.get(r.id), boundsOf(reached.map((r) => ways?.get(r.id))), "m", even);
      return cut.length > 0 ? [...groups, { words: "No way out", colour: "#c4453c", ids: cut }] : groups;
    }
    case "depth": {
      const deepest = Math.max(1, ...rooms.map((r) => r.depth ?? 0));
      const words = (r: Room) => (r.depth === undefined ? undefined : `${r.depth} ${r.depth === 1 ? "door" : "doors"} from outside`);
      return categories(rooms, words, (name) => ramp(parseInt(name, 10) / deepest, "areas"));
    }
    case "finding": {
      const of = (r: Room) => more.findings?.get(r.id);
      const groups: Group[] = SEVERITIES.map(([id, words, colour]) => ({ words, colour, ids: rooms.filter((r) => of(r) === id).map((r) => r.id) }));
      groups.push({ words: "Nothing found", colour: "#8fb996", ids: rooms.filter((r) => !of(r)).map((r) => r.id) });
      return groups.filter((g) => g.ids.length > 0);
    }
  }
}
