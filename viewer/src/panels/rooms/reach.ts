// What checks say of rooms: how far each is from an exit, and what is wrong with it.

import type { Context } from "../../page/context";
import { ask } from "../server";
import type { Rooms } from "./data";

export interface Obstacle {
  kind: string;
  elements?: { id: string; name?: string; class?: string }[];
  measured?: number;
  required?: number;
  at?: [number, number, number];
  say: string;
}

export interface Reached {
  id: string;
  name: string;
  storey?: string;
  /** mm. */
  distance?: number;
  farthest?: { distance: number; at: [number, number, number] };
  exit?: string;
  obstacles?: Obstacle[];
}

export async function reached(context: Context, options: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Reached[]> {
  const answer = await ask<{ rooms?: Reached[] }>(context, "circulation_check", { start: "outside", end: "rooms", ...options }, signal);
  return answer.rooms ?? [];
}

/** Metres from the farthest place of each room to its nearest exit; undefined where there is no way. */
export async function waysOf(context: Context, signal?: AbortSignal): Promise<Map<string, number | undefined>> {
  const rooms = await reached(context, {}, signal);
  return new Map(rooms.map((r) => [r.id, r.farthest ? r.farthest.distance / 1000 : r.distance === undefined ? undefined : r.distance / 1000]));
}

export interface Violation {
  id: string;
  rule?: string;
  clause?: string;
  severity: "error" | "warning" | "info";
  message: string;
  elements?: { id?: string; name?: string; class?: string; storey?: string; room?: string }[];
  measured?: unknown;
  required?: unknown;
  at?: [number, number, number];
  suggestion?: string;
}

export interface Egress {
  occupancy: string;
  persons?: number;
  rooms?: number;
  exits?: { door: string; id: string; stair?: string; clear_width: number; capacity: number; persons: number }[];
  paths?: {
    room: string; id?: string; persons: number; occupancy?: string; assumed?: boolean; length?: number; common_path?: number; exits_required: number;
    exit?: string; points?: [number, number, number][];
  }[];
  compliance: { compliant: boolean; counts: Record<"error" | "warning" | "info", number>; violations: Violation[]; next_cursor?: string };
  notes?: string[];
}

const WORST = { error: 3, warning: 2, info: 1 } as const;

/** The worst finding of each room: of the egress check, and that nobody gets out of it. */
export async function egressFindings(context: Context, all: Rooms, signal?: AbortSignal): Promise<Map<string, "error" | "warning" | "info">> {
  const [ways, egress] = await Promise.all([
    reached(context, {}, signal),
    ask<Egress>(context, "egress_analysis", { occupancy: "auto", limit: 200, paths: 1 }, signal),
  ]);
  const found = new Map<string, "error" | "warning" | "info">();
  const note = (id: string, severity: "error" | "warning" | "info") => {
    const before = found.get(id);
    if (!before || WORST[severity] > WORST[before]) found.set(id, severity);
  };
  const named = new Map(all.rooms.flatMap((r) => [[r.id, r.id], [r.name, r.id], [`${r.name} ${r.long_name ?? ""}`.trim(), r.id]] as const));
  for (const way of ways) if (way.distance === undefined && way.obstacles?.length) note(way.id, "error");
  for (const violation of egress.compliance.violations) {
    for (const element of violation.elements ?? []) {
      const id = named.get(element.id ?? "") ?? named.get(element.room ?? "");
      if (id) note(id, violation.severity);
    }
  }
  return found;
}
