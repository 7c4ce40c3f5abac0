// The rooms of a version: their measures, floors, neighbours and what leads outside, fetched together and kept while the version is shown.

import type { Context } from "../../page/context";
import { readOverlay, type Overlay, type RoomFloor } from "../../view/overlay";
import { ask, type Linked } from "../server";
import { json, paths } from "../../api";

/** A room as room_analysis tells it, and what other calls say of it. Areas m², volumes m³, heights mm. */
export interface Room {
  id: string;
  name: string;
  long_name?: string;
  storey?: string;
  /** Found between walls, where the file has no IfcSpace. */
  found?: boolean;
  outdoors?: boolean;
  area?: number;
  gross_area?: number;
  volume?: number;
  perimeter?: number;
  net_wall_area?: number;
  height?: { least: number; mean: number };
  /** What it is used for, and whether the file says so or its name does. */
  usage: string;
  stated: boolean;
  /** Doors and openings from outside. */
  depth?: number;
}

export interface Total {
  storey?: string;
  rooms: number;
  area?: number;
  gross_area?: number;
  volume?: number;
  net_wall_area?: number;
  facade?: number;
}

export interface Pair {
  a: string;
  b: string;
  through: "door" | "opening" | "window" | "wall" | "slab";
  /** mm in plan. */
  length?: number;
  /** m². */
  area?: number;
  elements?: string[];
}

export interface Storey {
  id: string;
  name: string;
  /** Metres. */
  elevation: number;
}

export interface Rooms {
  rooms: Room[];
  totals: Total[];
  storeys: Storey[];
  floors: Map<string, RoomFloor>;
  overlay: Overlay | undefined;
}

/** The usage that a name speaks of: "Bedroom 2" and "Bedroom" are one. */
export function usageOf(name: string): string {
  const bare = name.replace(/[\s_.\-/]*[(]?\d+[\d.\-/]*[a-z]?[)]?\s*$/i, "").trim();
  return bare || name;
}

/** What a room is called in lists: number and name. */
export const titleOf = (room: { name: string; long_name?: string }): string =>
  room.long_name && room.long_name !== room.name ? `${room.name} ${room.long_name}` : room.name;

interface TreeNode {
  id: string;
  name?: string;
  class: string;
  elevation?: number;
  children?: TreeNode[];
}

const METRES: Record<string, number> = { m: 1, mm: 0.001, cm: 0.01, ft: 0.3048, in: 0.0254 };

/** The storeys of a spatial tree, the lowest first. */
export function storeysOf(tree: TreeNode[], unit = "m"): Storey[] {
  const found: Storey[] = [];
  const look = (node: TreeNode) => {
    if (node.class === "IfcBuildingStorey") found.push({ id: node.id, name: node.name ?? node.id, elevation: (node.elevation ?? 0) * (METRES[unit] ?? 1) });
    else node.children?.forEach(look);
  };
  tree.forEach(look);
  return found.sort((a, b) => a.elevation - b.elevation);
}

export async function storeys(context: Context, signal?: AbortSignal): Promise<Storey[]> {
  const { tree, unit } = await context.call<{ tree: TreeNode[]; unit?: string }>("spatial_tree", { depth: 5 }, signal);
  return storeysOf(tree, unit);
}

/** The depth that a legend's colour stands for: "2 doors from outside". */
export function depthsOf(overlay: Overlay): Map<string, number> {
  const byColour = new Map<string, number>();
  for (const entry of overlay.legend) {
    const said = /^(\d+)/.exec(entry.says);
    if (said) byColour.set(entry.colour, Number(said[1]));
  }
  const depths = new Map<string, number>();
  for (const room of overlay.rooms) {
    const depth = byColour.get(room.colour);
    if (depth !== undefined) depths.set(room.id, depth);
  }
  return depths;
}

/** The floors of all rooms, coloured by how deep they lie in the building. */
async function floorsOf(context: Context, signal?: AbortSignal): Promise<Overlay | undefined> {
  if (!context.may("view_model")) return undefined;
  const { url } = await context.call<{ url?: string }>("view_model", { rooms: "depth" }, signal);
  const key = url && new URL(url, location.href).searchParams.get("overlay");
  if (!key) return undefined;
  return readOverlay(await json<unknown>(paths.file(key), signal));
}

async function allRooms(context: Context, signal?: AbortSignal): Promise<{ rooms: Omit<Room, "usage" | "stated">[]; totals: Total[] }> {
  const rooms: Omit<Room, "usage" | "stated">[] = [];
  let totals: Total[] = [];
  let cursor: string | undefined;
  do {
    const args = { room_id: "all", include: [], limit: 100, ...(cursor ? { cursor } : {}) };
    const page = await context.call<Linked<{ rooms?: Room[]; totals?: Total[]; next_cursor?: string } & Partial<Room>>>("room_analysis", args, signal);
    // a model with one room alone answers that room itself
    if (page.rooms) rooms.push(...page.rooms);
    else if (page.id && page.name) rooms.push(page as Room);
    if (page.totals) totals = page.totals;
    cursor = page.next_cursor;
  } while (cursor);
  return { rooms, totals };
}

interface UsageRow {
  id: string;
  ObjectType?: string;
  [field: string]: unknown;
}
const OCCUPANCY = "Pset_SpaceOccupancyRequirements.OccupancyType";

/** What the file says that rooms are used for. */
async function usages(context: Context, signal?: AbortSignal): Promise<Map<string, string>> {
  const said = new Map<string, string>();
  let cursor: string | undefined;
  do {
    const page = await context.call<{ rows?: UsageRow[]; next_cursor?: string }>(
      "query_elements",
      { selector: "IfcSpace", fields: [OCCUPANCY, "ObjectType"], limit: 200, ...(cursor ? { cursor } : {}) },
      signal,
    );
    for (const row of page.rows ?? []) {
      const use = row[OCCUPANCY] ?? row.ObjectType;
      if (typeof use === "string" && use.trim()) said.set(row.id, use.trim());
    }
    cursor = page.next_cursor;
  } while (cursor);
  return said;
}

const kept = new Map<string, Promise<Rooms>>();

/** All that the panels need of the rooms of the shown version. */
export function loadRooms(context: Context): Promise<Rooms> {
  const shown = context.shown();
  const key = shown ? `${shown.model}/${shown.version}` : "";
  let found = kept.get(key);
  if (!found) {
    found = load(context);
    // of a refusal nothing is kept, so that it can be tried again
    found.catch(() => kept.delete(key));
    kept.set(key, found);
    if (kept.size > 4) kept.delete(kept.keys().next().value ?? "");
  }
  return found;
}

async function load(context: Context): Promise<Rooms> {
  const [measured, levels, overlay, stated] = await Promise.all([
    allRooms(context),
    storeys(context),
    // rooms can be listed and measured where their floors cannot be drawn
    floorsOf(context).catch(() => undefined),
    usages(context).catch(() => new Map<string, string>()),
  ]);
  const depths = overlay ? depthsOf(overlay) : new Map<string, number>();
  const rooms = measured.rooms.map((room): Room => {
    const depth = depths.get(room.id);
    const use = stated.get(room.id);
    return {
      ...room,
      usage: use ?? (room.found ? "Not stated" : usageOf(room.long_name || room.name)),
      stated: use !== undefined,
      ...(depth === undefined ? {} : { depth }),
    };
  });
  return { rooms, totals: measured.totals, storeys: levels, floors: new Map(overlay?.rooms.map((f) => [f.id, f])), overlay };
}

/** Which rooms are neighbours, and of each its middle in mm. */
export interface Graph {
  nodes: { id: string; name: string; storey?: string; area?: number; middle?: [number, number] }[];
  pairs: Pair[];
}

export async function neighbours(context: Context, signal?: AbortSignal): Promise<Graph> {
  // the one form has the middles, the other what the rooms share
  const args = { kind: "all", outdoors: true };
  const [graph, list] = await Promise.all([
    ask<{ rooms?: Graph["nodes"] }>(context, "adjacency_matrix", { ...args, format: "graph" }, signal),
    ask<{ rooms?: Graph["nodes"]; pairs?: Pair[] }>(context, "adjacency_matrix", { ...args, format: "list" }, signal),
  ]);
  return { nodes: graph.rooms ?? list.rooms ?? [], pairs: list.pairs ?? [] };
}

