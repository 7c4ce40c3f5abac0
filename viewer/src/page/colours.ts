// Elements by the values of a field: as classes of colour with counts, numbers as steps with a histogram.

import { value } from "../properties";

/** A row of a legend. */
export interface Bucket {
  colour: string;
  says: string;
  ids: string[];
}

/** Twelve colours that are told apart in light and dark, none of them the accent. */
const DISTINCT = ["#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#9c755f", "#ff9da7", "#2f6b4f", "#8a5fbf", "#c0b4a5"];
/** From little to much, also for those who see no red. */
const STEPS = ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725"];
const REST = "#9aa1ab";

const natural = new Intl.Collator(undefined, { numeric: true });
const bare = (v: unknown): unknown => (typeof v === "object" && v !== null && !Array.isArray(v) && "value" in v ? (v as { value: unknown }).value : v);

/** A bound of a step, rounded so that one can read it. */
const read = (n: number): string => {
  const size = Math.abs(n);
  return String(Number(n.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 4)));
};

/** Whether values are numbers to be put into steps, and not a handful of them that stand for themselves. */
export function isContinuous(values: unknown[]): boolean {
  return values.length > 0 && values.every((v) => typeof v === "number") && new Set(values).size > 8;
}

/** Classes or steps of values by element. */
export function buckets(of: ReadonlyMap<string, unknown>, unit = ""): Bucket[] {
  const entries = [...of].map(([id, v]) => [id, bare(v)] as const).filter(([, v]) => v !== null && v !== undefined && v !== "");
  const after = unit ? ` ${unit}` : "";
  if (isContinuous(entries.map(([, v]) => v))) {
    const numbers = entries.map(([, v]) => v as number);
    const low = numbers.reduce((a, b) => Math.min(a, b), Infinity);
    const high = numbers.reduce((a, b) => Math.max(a, b), -Infinity);
    const width = (high - low) / STEPS.length;
    const out: Bucket[] = STEPS.map((colour, i) => ({ colour, says: `${read(low + i * width)} – ${read(low + (i + 1) * width)}${after}`, ids: [] }));
    for (const [id, v] of entries) out[Math.min(STEPS.length - 1, Math.floor(((v as number) - low) / width))]?.ids.push(id);
    return out;
  }
  const classes = new Map<string, string[]>();
  for (const [id, v] of entries) {
    const says = `${value(v)}${typeof v === "number" ? after : ""}`;
    const list = classes.get(says);
    if (list) list.push(id);
    else classes.set(says, [id]);
  }
  const numeric = entries.every(([, v]) => typeof v === "number");
  const sorted = [...classes].sort(numeric ? (a, b) => natural.compare(a[0], b[0]) : (a, b) => b[1].length - a[1].length || natural.compare(a[0], b[0]));
  const first = sorted.slice(0, sorted.length > DISTINCT.length ? DISTINCT.length - 1 : DISTINCT.length);
  const rest = sorted.slice(first.length);
  const out = first.map(([says, ids], i) => ({ colour: DISTINCT[i] ?? REST, says, ids }));
  if (rest.length > 0) out.push({ colour: REST, says: `${rest.length} more values`, ids: rest.flatMap(([, ids]) => ids) });
  return out;
}
