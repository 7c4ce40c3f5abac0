// The surfaces of an energy model: corners where the program places them, and what the objects say of boundary and construction.

import type { Context } from "../../page/context";
import { bytes, paths } from "../../api";
import { category, NONE } from "../palette";
import { objectsOf } from "./objects";
import { byName } from "../ui";

export interface Surface {
  name: string;
  kind: string;
  zone: string;
  corners: [number, number, number][];
  boundary?: string;
  construction?: string;
  /** m², of the outline. */
  area: number;
}

export type ColourBy = "boundary" | "construction" | "zone" | "kind";

interface Geometry {
  surfaces?: [string, string, string, [number, number, number][]][];
  next_surface?: number;
  unplaced?: { object_type: string; name: string; reason: string }[];
  north_axis?: number;
}

/** The area of a flat polygon, and its normal. */
export function normalOf(corners: readonly [number, number, number][]): { normal: [number, number, number]; area: number } {
  const n: [number, number, number] = [0, 0, 0];
  corners.forEach((a, i) => {
    const b = corners[(i + 1) % corners.length] ?? a;
    n[0] += (a[1] - b[1]) * (a[2] + b[2]);
    n[1] += (a[2] - b[2]) * (a[0] + b[0]);
    n[2] += (a[0] - b[0]) * (a[1] + b[1]);
  });
  const l = Math.hypot(...n);
  return { normal: l > 0 ? [n[0] / l, n[1] / l, n[2] / l] : [0, 0, 1], area: l / 2 };
}

/** The words for a boundary condition: one spelling, and the ground's many kinds as one. */
export function boundaryWords(said: string | undefined): string {
  if (!said) return "Not stated";
  const low = said.toLowerCase();
  if (low.startsWith("ground") || low === "foundation") return "Ground";
  if (low === "outdoors") return "Outdoors";
  if (low === "adiabatic") return "Adiabatic";
  if (low === "surface" || low === "zone" || low === "space") return "Another zone";
  return said;
}

export async function loadSurfaces(context: Context, model: string, signal?: AbortSignal): Promise<Surface[]> {
  const about = { model_id: model, model_version: context.shown()?.model === model ? context.shown()?.version : undefined };
  const rows: NonNullable<Geometry["surfaces"]> = [];
  let from: number | undefined;
  do {
    const page: Geometry = await context.call<Geometry>("view_geometry", { ...about, ...(from === undefined ? {} : { from_surface: from }) }, signal);
    rows.push(...(page.surfaces ?? []));
    // the first answer may only say that the corners come in pieces
    from = page.next_surface;
  } while (from !== undefined);
  const file = await bytes(paths.download(model, about.model_version ?? "head"), signal);
  const fields = objectsOf(new TextDecoder().decode(file));
  return rows.map(([name, kind, zone, corners]): Surface => {
    // the other side of a surface that borders on a zone is the program's own: `iz-` before the name of that surface
    const own = fields.get(name.toUpperCase()) ?? fields.get(name.replace(/^iz-/i, "").toUpperCase());
    const boundary = own?.boundary ?? (own?.host ? fields.get(own.host.toUpperCase())?.boundary : undefined);
    return {
      name, kind, zone, corners, area: normalOf(corners).area,
      ...(kind === "shading" ? {} : { boundary: boundaryWords(boundary) }),
      ...(own?.construction ? { construction: own.construction } : {}),
    };
  });
}

const FIXED: Record<string, string> = {
  Outdoors: "#4e9ac7", Ground: "#9d7660", "Another zone": "#8fb996", Adiabatic: "#c79bb0", wall: "#d8c9a8", window: "#6fa8dc", glassdoor: "#6fa8dc", door: "#9d7660", roof: "#b8604f", ceiling: "#c9ccd1",
  floor: "#a99f8c", shading: "#8c8c8c",
};

/** Surfaces in groups with a colour each, and the area of each. */
export function surfaceGroups(surfaces: Surface[], by: ColourBy): { name: string; colour: string; surfaces: Surface[]; area: number }[] {
  const of = (s: Surface): string => (by === "kind" ? s.kind : by === "zone" ? s.zone : by === "boundary" ? s.boundary : s.construction) || (s.kind === "shading" ? "Shading" : "Not stated");
  const groups = new Map<string, Surface[]>();
  for (const surface of surfaces) {
    const members = groups.get(of(surface));
    if (members) members.push(surface);
    else groups.set(of(surface), [surface]);
  }
  const sorted = [...groups].sort(([a], [b]) => byName(a, b));
  let next = 0;
  return sorted.map(([name, members]) => ({
    name,
    colour: name === "Not stated" || name === "Shading" ? NONE : (by === "boundary" || by === "kind" ? FIXED[name] : undefined) ?? category(next++),
    surfaces: members,
    area: members.reduce((m, s) => m + s.area, 0),
  }));
}
