// What the checks of the server find, in one form: findings of constraints, packs, clashes, the schema and an IDS.

import { words } from "../dom";
import { idOf, keyOf, type ElementKey, type Point } from "../view/types";
import type { App } from "./app";

export type Severity = "error" | "warning" | "info";

export interface Finding {
  id: string;
  /** The check that it is from. */
  check: string;
  rule: string;
  title: string;
  severity: Severity;
  text: string;
  elements: ElementKey[];
  storey?: string;
  room?: string;
  /** IFC coordinates in metres. */
  at?: Point;
  measured?: string;
  required?: string;
  suggestion?: string;
  /** Whether `fix_findings` can mend it, and of which pack it is. */
  fix: boolean;
  standard?: string;
  /** Whether it can be waived. */
  waive: boolean;
}

export interface Check {
  id: string;
  title: string;
  tool: string;
  note: string;
  run(app: App, stop: AbortSignal): Promise<{ findings: Finding[]; notes: string[]; waived: number }>;
}

interface Element {
  id: string;
  name?: string;
  class?: string;
}

interface Issue {
  id: string;
  rule: string;
  clause?: string;
  severity: string;
  message: string;
  elements?: Element[];
  storey?: string;
  room?: string;
  measured?: string;
  required?: string;
  point?: number[];
  suggestion?: string;
  fix?: unknown[];
}

const metres = (p: number[] | undefined): Point | undefined => (p?.length === 3 ? (p.map((n) => n / 1000) as Point) : undefined);
const severity = (text: string): Severity => (text === "error" || text === "warning" ? text : "info");

/** What the tools of rules answer, as findings. */
export function ofIssues(model: string, check: string, issues: Issue[], titles: ReadonlyMap<string, string>, standard?: string): Finding[] {
  return issues.map((issue) => {
    const short = issue.rule.split(".").slice(1).join(".") || issue.rule;
    const at = metres(issue.point);
    return {
      id: issue.id,
      check,
      rule: issue.rule,
      title: titles.get(short) ?? titles.get(issue.rule) ?? words(short.replaceAll("-", " ")),
      severity: severity(issue.severity),
      text: issue.message,
      elements: (issue.elements ?? []).map((e) => keyOf(model, e.id)),
      fix: (issue.fix?.length ?? 0) > 0,
      waive: true,
      ...(issue.storey ? { storey: issue.storey } : {}),
      ...(issue.room ? { room: issue.room } : {}),
      ...(at ? { at } : {}),
      ...(issue.measured ? { measured: issue.measured } : {}),
      ...(issue.required ? { required: issue.required } : {}),
      ...(issue.suggestion ? { suggestion: issue.suggestion } : {}),
      ...(standard ? { standard } : {}),
    };
  });
}

interface Clash {
  id: string;
  a: Element;
  b: Element;
  kind: string;
  point?: number[];
  depth?: number;
  distance?: number;
  volume?: number;
}

export function ofClashes(model: string, other: string, clashes: Clash[]): Finding[] {
  const name = (e: Element) => e.name || e.class || e.id;
  return clashes.map((c) => {
    const at = metres(c.point);
    const size = c.depth !== undefined ? `${Math.round(c.depth)} mm deep` : c.distance !== undefined ? `${Math.round(c.distance)} mm apart` : c.volume !== undefined ? `${(c.volume * 1000).toFixed(1)} litres shared` : "";
    return {
      id: c.id,
      check: "clashes",
      rule: `clash ${c.kind}`,
      title: `Clash: ${[c.a.class, c.b.class].map((n) => (n ?? "").replace(/^Ifc/, "")).sort().join(" × ")}`,
      severity: "error",
      text: `${name(c.a)} and ${name(c.b)}${size ? `, ${size}` : ""} (${c.kind})`,
      elements: [keyOf(model, c.a.id), keyOf(other, c.b.id)],
      fix: false,
      waive: true,
      ...(at ? { at } : {}),
      ...(size ? { measured: size } : {}),
    };
  });
}

/** All pages of a tool's findings, up to a bound. */
async function pages<T>(app: App, tool: string, args: Record<string, unknown>, stop: AbortSignal, take: (answer: T) => number, most = 1500): Promise<void> {
  let cursor: string | undefined;
  let read = 0;
  do {
    const answer = await app.call<T & { next_cursor?: string }>(tool, { ...args, limit: 200, ...(cursor ? { cursor } : {}) }, stop);
    read += take(answer);
    cursor = answer.next_cursor;
  } while (cursor && read < most && !stop.aborted);
}

interface Ruled {
  issues?: Issue[];
  constraint_errors?: Issue[];
  violations?: Issue[];
  rules?: { rule: string; title?: string; not_judged?: string }[];
  waived?: unknown[];
  notes?: string[];
}

function ruled(id: string, title: string, tool: string, args: Record<string, unknown>, note: string, standard?: string): Check {
  return {
    id,
    title,
    tool,
    note,
    async run(app, stop) {
      const model = app.shown()?.model ?? "";
      const findings: Finding[] = [];
      const titles = new Map<string, string>();
      let notes: string[] = [];
      let waived = 0;
      await pages<Ruled>(app, tool, args, stop, (answer) => {
        for (const rule of answer.rules ?? []) if (rule.title) titles.set(rule.rule, rule.title);
        const issues = answer.issues ?? answer.constraint_errors ?? answer.violations ?? [];
        findings.push(...ofIssues(model, id, issues, titles, standard));
        notes = answer.notes ?? notes;
        waived = Math.max(waived, answer.waived?.length ?? 0);
        return issues.length;
      });
      return { findings, notes, waived };
    },
  };
}

interface Validation {
  groups?: { level: string; kind: string; rule: string; title?: string; count: number; first?: { id: string; message: string; finding?: string }[] }[];
  families?: { met: boolean; say: string }[];
  notes?: string[];
}

const SCHEMA: Check = {
  id: "schema",
  title: "Schema and buildingSMART rules",
  tool: "validate_model",
  note: "ISO 10303-21, the schema, its WHERE rules, implementers' agreements",
  async run(app, stop) {
    const model = app.shown()?.model ?? "";
    const findings: Finding[] = [];
    let notes: string[] = [];
    await pages<Validation>(app, "validate_model", {}, stop, (answer) => {
      for (const group of answer.groups ?? []) {
        (group.first ?? []).forEach((one, i) => {
          const more = i === 0 && group.count > 1 ? ` (${group.count} of this rule)` : "";
          findings.push({
            id: one.finding ?? `${group.rule} ${one.id} ${i}`,
            check: "schema",
            rule: group.rule,
            title: group.title ?? group.rule,
            severity: severity(group.level),
            text: one.message + more,
            elements: /^[0-3][\w$]{21}$/.test(one.id) ? [keyOf(model, one.id)] : [],
            fix: false,
            waive: one.finding !== undefined,
          });
        });
      }
      notes = (answer.families ?? []).filter((f) => !f.met).map((f) => f.say);
      return answer.groups?.length ?? 0;
    });
    return { findings, notes, waived: 0 };
  },
};

interface Clashes {
  clashes?: Clash[];
  approved_count?: number;
  rows?: { source: string; target: string; total: number; note?: string }[];
}

/** Clashes by the shipped matrix, or with another model of the federation. */
export function clashCheck(other?: { model: string; name: string; version: string }): Check {
  return {
    id: other ? `clashes ${other.model}` : "clashes",
    title: other ? `Clashes with ${other.name}` : "Clashes of disciplines",
    tool: "clash_detection",
    note: other ? "Every element of this model against every one of that" : "Structure, walls, services, openings, furniture",
    async run(app, stop) {
      const model = app.shown()?.model ?? "";
      const findings: Finding[] = [];
      let waived = 0;
      const args = other ? { source_category: "IfcElement", target_category: "IfcElement", target_model_id: other.model, target_model_version: other.version } : { matrix: "disciplines" };
      await pages<Clashes>(app, "clash_detection", args, stop, (answer) => {
        findings.push(...ofClashes(model, other?.model ?? model, answer.clashes ?? []).map((f) => (other ? { ...f, check: `clashes ${other.model}` } : f)));
        waived = answer.approved_count ?? waived;
        return answer.clashes?.length ?? 0;
      });
      return { findings, notes: [], waived };
    },
  };
}

interface Ids {
  specifications?: { name: string; status: string; requirements?: { requirement: string; failed?: number; elements?: { id: string; name?: string; reason?: string }[] }[]; note?: string }[];
  notes?: string[];
}

/** An IDS that was sent to the server. */
export function idsCheck(name: string, key: string): Check {
  return {
    id: `ids ${key}`,
    title: name,
    tool: "check_ids",
    note: "Requirements of an IDS",
    async run(app, stop) {
      const model = app.shown()?.model ?? "";
      const findings: Finding[] = [];
      let notes: string[] = [];
      await pages<Ids>(app, "check_ids", { ids: key, elements: 100 }, stop, (answer) => {
        for (const spec of answer.specifications ?? []) if (spec.status === "failed") findings.push(...ofSpecification(model, `ids ${key}`, spec));
        notes = answer.notes ?? notes;
        return answer.specifications?.length ?? 0;
      });
      return { findings, notes, waived: 0 };
    },
  };
}

/** A specification of an IDS that failed: a finding for each element that is told, or one where none is. */
export function ofSpecification(model: string, check: string, spec: NonNullable<Ids["specifications"]>[number]): Finding[] {
  const out: Finding[] = [];
  const base = { check, rule: spec.name, title: spec.name, severity: "error" as const, fix: false, waive: false };
  for (const { requirement, elements } of spec.requirements ?? []) {
    for (const one of elements ?? []) {
      const text = `${one.name || one.id}: ${one.reason ?? requirement}`;
      out.push({ ...base, id: `${spec.name} ${requirement} ${one.id}`, text, elements: [keyOf(model, one.id)], required: requirement });
    }
  }
  if (out.length === 0) out.push({ ...base, id: spec.name, text: spec.note ?? spec.requirements?.map((r) => r.requirement).join("; ") ?? spec.name, elements: [] });
  return out;
}

/** The checks that there are for everybody; packs are asked for. */
export async function checks(app: App): Promise<Check[]> {
  const fixed = [
    ruled("constraints", "Constraints", "validate_constraints", {}, "Overlaps, gaps, duplicates, floating elements, sealed rooms"),
    clashCheck(),
    SCHEMA,
  ];
  const packs = await app.call<{ packs?: { id?: string; title?: string; edition?: string; mistakes?: unknown }[] }>("list_rule_packs").catch(() => ({ packs: [] }));
  const own = (packs.packs ?? []).filter((p) => p.id && !p.mistakes).map((p) => ruled(p.id!, p.title ?? p.id!, "code_compliance", { standard: p.id! }, p.edition ? `Edition ${p.edition}` : "", p.id));
  const fire = ruled("fire", "Fire compartments and ratings", "fire_rating_check", {}, "Weak openings, missing ratings, leaks");
  const federated = app
    .all()
    .slice(1)
    .filter((one) => one.shown.kind === "ifc")
    .map((one) => clashCheck({ model: one.shown.model, name: one.shown.name, version: one.shown.version }));
  return [...fixed, ...federated, ...own, fire].filter((check) => app.may(check.tool));
}

export const plainIds = (f: Finding): string[] => f.elements.map(idOf);
