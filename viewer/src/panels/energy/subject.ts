// What the panel speaks of: an energy model, and the building that it was made of where that is what is shown. Zones are shown where they can
// be: in the building's own rooms, or on the surfaces of the energy model.

import type { Context } from "../../page/context";
import { alone, ask, document, fileName, type Linked } from "../server";

export interface Zone {
  name: string;
  floor_area_m2?: number;
  volume_m3?: number;
  height_m?: number;
  areas?: Record<string, number>;
  openings?: number;
  surfaces?: number;
  multiplier?: number;
  closed?: boolean;
  constructions?: string[];
  thermostats?: { control: string; set_points?: Record<string, string> }[];
  hvac?: string[];
}

export interface Subject {
  /** The energy model. */
  model: string;
  name: string;
  zones: Zone[];
  /** The building that is shown, and its space of each zone. */
  building?: { model: string; spaces: Map<string, string> };
}

const label = (words: string): string => words.toUpperCase().replace(/\s+/g, " ").trim();

/** The space of each zone: by the names that ifc_to_energy_model gives zones, "number name" of their spaces. */
export function spacesOf(zones: readonly string[], spaces: readonly { id: string; name?: string; long_name?: string }[]): Map<string, string> {
  const byLabel = new Map<string, string>();
  for (const s of spaces) {
    const both = [s.name, s.long_name].filter(Boolean).join(" ");
    for (const words of [s.long_name, s.name, both]) if (words) byLabel.set(label(words), s.id);
  }
  const found = new Map<string, string>();
  for (const zone of zones) {
    const id = byLabel.get(label(zone));
    if (id) found.set(zone.toUpperCase(), id);
  }
  return found;
}

async function zonesOf(context: Context, model: string, version: string | undefined, signal?: AbortSignal): Promise<Zone[]> {
  const answer = await ask<{ zones?: Zone[] }>(context, "get_zone_properties", { model_id: model, model_version: version }, signal);
  return answer.zones ?? [];
}

export interface Derived {
  model: string;
  name: string;
}

interface Listed {
  model_id: string;
  name: string;
  kind: string;
}

/** Energy models that were made of a building, the latest first. */
export async function derived(context: Context, building: string, signal?: AbortSignal): Promise<Derived[]> {
  const { models } = await context.call<{ models: Listed[] }>("list_models", alone({}), signal);
  const found = await Promise.all(
    models.filter((m) => m.kind === "energyplus").slice(0, 24).map(async (m): Promise<Derived | undefined> => {
      interface Version { manifest?: { inputs?: { role: string; id?: string }[] } }
      const { versions } = await context.call<{ versions: Version[] }>("list_versions", { model_id: m.model_id, model_version: undefined, limit: 200, manifests: true }, signal).catch(() => ({ versions: [] as Version[] }));
      return versions.some((v) => v.manifest?.inputs?.some((i) => i.role === "model" && i.id === building)) ? { model: m.model_id, name: m.name } : undefined;
    }),
  );
  return found.filter((d): d is Derived => d !== undefined);
}

/** The energy model that is shown. */
export async function shownSubject(context: Context, signal?: AbortSignal): Promise<Subject> {
  const shown = context.shown();
  if (!shown) throw new Error("No model is shown.");
  return { model: shown.model, name: shown.name, zones: await zonesOf(context, shown.model, shown.version, signal) };
}

/** An energy model beside the building that it was made of. */
export async function buildingSubject(context: Context, { model, name }: Derived, signal?: AbortSignal): Promise<Subject> {
  const shown = context.shown();
  if (!shown) throw new Error("No model is shown.");
  interface Space { id: string; name?: string; LongName?: string }
  const spaces: { id: string; name?: string; long_name?: string }[] = [];
  let cursor: string | undefined;
  const zones = zonesOf(context, model, undefined, signal);
  do {
    const page = await context.call<{ rows?: Space[]; next_cursor?: string }>("query_elements", { selector: "IfcSpace", fields: ["LongName"], limit: 200, ...(cursor ? { cursor } : {}) }, signal);
    spaces.push(...(page.rows ?? []).map((r) => ({ id: r.id, ...(r.name ? { name: r.name } : {}), ...(r.LongName ? { long_name: r.LongName } : {}) })));
    cursor = page.next_cursor;
  } while (cursor);
  const all = await zones;
  return { model, name, zones: all, building: { model: shown.model, spaces: spacesOf(all.map((z) => z.name), spaces) } };
}

export interface Made {
  model_id: string;
  name: string;
  zones: { zone: string; space: string; usage?: string }[];
  assumptions: { what: string; count?: number; value?: string; source?: string; why?: string }[];
  findings: { where: string; message: string }[];
  counts?: Record<string, number>;
}

/** Makes an energy model of the building that is shown. */
export async function makeModel(context: Context): Promise<Made> {
  const answer = await context.call<Linked<Made>>("ifc_to_energy_model", { model_id: context.shown()?.model });
  const report = answer.links?.find((l) => fileName(l) === "energy-model-report.json");
  return report ? { ...answer, ...(await document<Partial<Made>>(report)) } : answer;
}
