// A field of every element of a model: what trees are grouped by and models coloured by.

import type { App } from "./app";

export interface Values {
  /** By GlobalId, of those that have one. */
  of: Map<string, unknown>;
  unit?: string;
}

/** A field that can be asked for, with the name that people read. */
export interface Field {
  name: string;
  label: string;
}

export const FIELDS: Field[] = [
  { name: "class", label: "Class" },
  { name: "type", label: "Type" },
  { name: "storey", label: "Storey" },
  { name: "material", label: "Material" },
  { name: "predefined_type", label: "Predefined type" },
  { name: "system", label: "System" },
  { name: "zone", label: "Zone" },
  { name: "space", label: "Room" },
  { name: "classification", label: "Classification" },
  { name: "thickness", label: "Thickness" },
  { name: "area", label: "Area" },
  { name: "volume", label: "Volume" },
];

const PAGE = 500;
/** What is coloured and grouped: what one can see, and rooms. */
export const ALL = "IfcElement + IfcSpace";

interface Page {
  total: number;
  rows?: Record<string, unknown>[];
  units?: Record<string, string>;
  next_cursor?: string;
}

const kept = new Map<string, Promise<Values>>();

/** The values of a field, a page after the other. A version never changes, so they are asked for once. */
export function valuesOf(app: App, model: string, field: string, selector = ALL, progress?: (part: number) => void): Promise<Values> {
  const version = app.of(model)?.shown.version ?? "";
  const key = [model, version, field, selector].join("\n");
  const known = kept.get(key);
  if (known) return known;
  const asked = ask(app, model, version, field, selector, progress);
  kept.set(key, asked);
  asked.catch(() => kept.delete(key));
  // a few fields of a few versions are enough to go back and forth
  if (kept.size > 24) kept.delete(kept.keys().next().value ?? "");
  return asked;
}

async function ask(app: App, model: string, version: string, field: string, selector: string, progress?: (part: number) => void): Promise<Values> {
  const values: Values = { of: new Map() };
  let cursor: string | undefined;
  let read = 0;
  do {
    const page = await app.call<Page>("query_elements", { model_id: model, model_version: version, selector, fields: [field], limit: PAGE, ...(cursor ? { cursor } : {}) });
    for (const row of page.rows ?? []) if (row[field] !== undefined && row[field] !== null) values.of.set(String(row["id"]), row[field]);
    const unit = page.units?.[field];
    if (unit) values.unit = unit;
    read += page.rows?.length ?? 0;
    progress?.(page.total > 0 ? read / page.total : 1);
    cursor = page.next_cursor;
  } while (cursor);
  return values;
}

/** The properties that elements have, as `Set.Property`. */
export interface Described {
  field: string;
  set: string;
  name: string;
  unit?: string;
  values: [string, number][];
}

const described = new Map<string, Promise<Described[]>>();

/** All properties that a selector's elements have, with their commonest values. */
export function describe(app: App, selector = "IfcProduct"): Promise<Described[]> {
  const at = app.shown();
  const key = `${at?.model}\n${at?.version}\n${selector}`;
  const known = described.get(key);
  if (known) return known;
  const asked = askDescription(app, selector);
  described.set(key, asked);
  asked.catch(() => described.delete(key));
  if (described.size > 24) described.delete(described.keys().next().value ?? "");
  return asked;
}

interface Description {
  sets?: { set: string; properties?: { name: string; filled?: number; unit?: string; values?: [unknown, number][] }[] }[];
  next_cursor?: string;
}

async function askDescription(app: App, selector: string): Promise<Described[]> {
  const found = new Map<string, Described>();
  let cursor: string | undefined;
  for (let page = 0; page < 12; page++) {
    const answer = await app.call<Description>("describe_properties", { selector, ...(cursor ? { cursor } : {}) });
    for (const set of answer.sets ?? []) {
      for (const p of set.properties ?? []) {
        if (p.filled === 0) continue;
        const field = `${set.set}.${p.name}`;
        const one = found.get(field) ?? { field, set: set.set, name: p.name, values: [], ...(p.unit ? { unit: p.unit } : {}) };
        for (const [value, count] of p.values ?? []) {
          const had = one.values.find((v) => v[0] === String(value));
          if (had) had[1] += count;
          else one.values.push([String(value), count]);
        }
        found.set(field, one);
      }
    }
    cursor = answer.next_cursor;
    if (!cursor) break;
  }
  return [...found.values()].sort((a, b) => a.field.localeCompare(b.field));
}
