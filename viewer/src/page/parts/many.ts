// What many selected elements have in common, and what they sum up to.

import { h, icon, many } from "../../dom";
import { number, value } from "../../properties";
import { label } from "../../tree";
import { idOf, modelOf, type ElementKey } from "../../view/types";
import type { App } from "../app";
import { documentOf, row, type ElementDocument } from "./inspector";

/** Elements whose properties are read whole; of more only what queries answer. */
const WHOLE = 60;
const PAGE = 400;

interface Row {
  id: string;
  class?: string;
  [field: string]: unknown;
}

export interface Common {
  set: string;
  name: string;
  /** The one value, or undefined where they differ. */
  value: unknown;
  different: number;
}

const unitOf = (v: unknown): string => (typeof v === "object" && v !== null && typeof (v as { unit?: unknown }).unit === "string" ? (v as { unit: string }).unit : "");
const numberOf = (v: unknown): number | undefined => {
  const bare = typeof v === "object" && v !== null && "value" in v ? (v as { value: unknown }).value : v;
  return typeof bare === "number" ? bare : undefined;
};

/** Properties that all of them have. */
export function common(documents: ElementDocument[]): Common[] {
  const [first, ...rest] = documents;
  if (!first) return [];
  const out: Common[] = [];
  for (const [set, properties] of Object.entries(first.psets ?? {})) {
    for (const [name, v] of Object.entries(properties)) {
      const all = rest.map((d) => d.psets?.[set]?.[name]);
      if (all.some((one) => one === undefined)) continue;
      const different = new Set([v, ...all].map((one) => JSON.stringify(one))).size;
      out.push({ set, name, value: different === 1 ? v : undefined, different });
    }
  }
  return out;
}

/** Sums of quantities that more than one of them has, in one unit. */
export function sums(documents: ElementDocument[]): { name: string; sum: number; unit: string; of: number }[] {
  const found = new Map<string, { name: string; sum: number; unit: string; of: number }>();
  for (const d of documents) {
    for (const quantities of Object.values(d.quantities ?? {})) {
      for (const [name, v] of Object.entries(quantities)) {
        const n = numberOf(v);
        if (n === undefined) continue;
        const key = `${name}\n${unitOf(v)}`;
        const one = found.get(key) ?? { name, sum: 0, unit: unitOf(v), of: 0 };
        one.sum += n;
        one.of += 1;
        found.set(key, one);
      }
    }
  }
  return [...found.values()].filter((one) => one.of > 1);
}

async function fields(app: App, keys: ElementKey[]): Promise<{ rows: Row[]; units: Record<string, string> }> {
  const rows: Row[] = [];
  const units: Record<string, string> = {};
  for (const model of new Set(keys.map(modelOf))) {
    const ids = keys.filter((key) => modelOf(key) === model).map(idOf);
    for (let at = 0; at < ids.length && at < 10 * PAGE; at += PAGE) {
      const selector = ids.slice(at, at + PAGE).join(" + ");
      const page = await app.call<{ rows?: Row[]; units?: Record<string, string> }>("query_elements", { model_id: model, selector, fields: ["class", "area", "volume"], limit: PAGE });
      rows.push(...(page.rows ?? []));
      Object.assign(units, page.units);
    }
  }
  return { rows, units };
}

function section(name: string, ...children: Node[]): HTMLElement {
  return h("details", { open: true }, h("summary", {}, icon("chevron"), name), ...children);
}

/** The sections of the inspector for a selection of many. */
export async function manySelected(app: App, keys: ElementKey[]): Promise<HTMLElement[]> {
  const out: HTMLElement[] = [];
  const classes = new Map<string, ElementKey[]>();
  for (const key of keys) {
    const name = app.node(key)?.class ?? "";
    const list = classes.get(name);
    if (list) list.push(key);
    else classes.set(name, [key]);
  }
  const byClass = [...classes].sort((a, b) => b[1].length - a[1].length);
  const pick = (name: string, list: ElementKey[]) =>
    h("div", {}, h("dt", {}, h("button", { type: "button", class: "link", title: "Select these alone", onclick: () => app.select(list) }, label(name) || "Other")), h("dd", {}, list.length.toLocaleString()));
  out.push(section("By class", h("dl", {}, ...byClass.map(([name, list]) => pick(name, list)))));
  const few = keys.slice(0, WHOLE);
  const [asked, ...documents] = await Promise.all([fields(app, keys).catch(() => undefined), ...few.map((key) => documentOf(app, key).catch(() => undefined))]);
  const whole = documents.filter((d) => d !== undefined);
  const total: HTMLElement[] = [];
  for (const name of ["area", "volume"]) {
    const having = (asked?.rows ?? []).filter((r) => typeof r[name] === "number");
    if (having.length === 0) continue;
    const sum = having.reduce((all, r) => all + Number(r[name]), 0);
    const of = having.length < keys.length ? ` (of ${having.length})` : "";
    total.push(row(name === "area" ? "Area" : "Volume", { value: `${number(sum)}${of}`, unit: asked?.units[name] ?? (name === "area" ? "m²" : "m³") }));
  }
  if (keys.length <= WHOLE) for (const one of sums(whole)) total.push(row(one.name, { value: `${number(one.sum)}${one.of < keys.length ? ` (of ${one.of})` : ""}`, unit: one.unit }));
  if (total.length > 0) out.push(section("Sums", h("dl", {}, ...total)));
  if (keys.length > WHOLE) {
    out.push(h("p", { class: "more" }, `Properties in common are told of up to ${WHOLE} elements. Colour by a property, or group the tree by it, for all of them.`));
    return out;
  }
  const sets = new Map<string, Common[]>();
  for (const one of common(whole)) sets.set(one.set, [...(sets.get(one.set) ?? []), one]);
  for (const [set, list] of sets) {
    const rows = list.map((one) => row(one.name, one.different === 1 ? one.value : many(one.different, "different value")));
    rows.forEach((element, i) => element.classList.toggle("varies", (list[i]?.different ?? 1) > 1));
    out.push(section(set, h("dl", {}, ...rows)));
  }
  if (sets.size === 0) out.push(h("p", { class: "more" }, `No property is on all of them. ${value(byClass.length)} classes are selected.`));
  return out;
}
