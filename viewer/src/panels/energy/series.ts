// Series of a run: its CSV as columns, times as seconds, energies as powers where that is what one wants to see.

import type { Context } from "../../page/context";
import { alone, linked, text, type Linked } from "../server";

export interface Series {
  variable: string;
  /** Units as they are shown. */
  units: string;
  /** An environment: a run period or a design day. */
  environment: string;
  /** Ends of the intervals, seconds since 1970 of the clock there. */
  times: number[];
  /** Whether the year is one of the run, or there is none. */
  dated: boolean;
  columns: { key: string; values: (number | null)[] }[];
}

/** The cells of a line of CSV. */
export function cells(line: string): string[] {
  if (!line.includes('"')) return line.split(",");
  const out: string[] = [];
  let at = 0;
  while (at <= line.length) {
    if (line[at] === '"') {
      let cell = "";
      at++;
      while (at < line.length) {
        if (line[at] === '"' && line[at + 1] === '"') {
          cell += '"';
          at += 2;
        } else if (line[at] === '"') {
          at++;
          break;
        } else cell += line[at++];
      }
      out.push(cell);
      at++;
    } else {
      const end = line.indexOf(",", at);
      out.push(line.slice(at, end < 0 ? undefined : end));
      if (end < 0) break;
      at = end + 1;
    }
  }
  return out;
}

/** The end of an interval: `2017-01-01 24:00` is the end of that day; design days have no year, and months no hour. */
export function timeOf(said: string): number | undefined {
  const m = /^(?:(\d{4})-)?(\d{2})(?:-(\d{2}))?(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(said.trim());
  if (!m) return undefined;
  const [year, month, day, hour, minute, second] = [m[1] ?? "2017", m[2], m[3] ?? "01", m[4] ?? "0", m[5] ?? "0", m[6] ?? "0"].map(Number) as [number, number, number, number, number, number];
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

const UNITS: Record<string, string> = { C: "°C", J: "kWh", W: "W", m3: "m³", kgWater: "kg", "kgWater/kgDryAir": "kg/kg", deltaC: "K" };

/** Series of a CSV, one for each environment. Energies of intervals come as kWh. */
export function parse(csv: string, variable: string): Series[] {
  const lines = csv.split(/\r?\n/).filter(Boolean);
  const head = cells(lines[0] ?? "").slice(2);
  const unit = /\[([^\]]*)\]\s*$/.exec(head[0] ?? "")?.[1] ?? "";
  const divisor = unit === "J" ? 3.6e6 : 1;
  const keys = head.map((name) => {
    const at = name.lastIndexOf(`:${variable}`);
    return at >= 0 ? name.slice(0, at) : name.replace(/\s*\[[^\]]*\]\s*$/, "");
  });
  const found = new Map<string, Series>();
  for (const line of lines.slice(1)) {
    const row = cells(line);
    const [environment = "", said = ""] = row;
    const time = timeOf(said);
    if (time === undefined) continue;
    let series = found.get(environment);
    if (!series) {
      series = { variable, units: UNITS[unit] ?? unit, environment, times: [], dated: /^\d{4}-/.test(said), columns: keys.map((key) => ({ key, values: [] })) };
      found.set(environment, series);
    }
    // a run may come over the same hour twice where the clock is set back: a chart goes forward only
    if (time <= (series.times.at(-1) ?? -Infinity)) continue;
    series.times.push(time);
    series.columns.forEach((column, i) => {
      const cell = row[i + 2];
      column.values.push(cell === undefined || cell === "" ? null : Number(cell) / divisor);
    });
  }
  // a key that has nothing in an environment is none of it
  for (const series of found.values()) series.columns = series.columns.filter((c) => c.values.some((v) => v !== null));
  return [...found.values()].filter((s) => s.columns.length > 0);
}

export interface Variable {
  name: string;
  units: string;
  type: string;
  frequency: string;
  key_count: number;
  keys?: string[];
}

export async function variables(context: Context, run: string, signal?: AbortSignal): Promise<Variable[]> {
  const answer = await context.call<{ variables?: Variable[] }>("list_output_variables", alone({ job_id: run, limit: 500 }), signal);
  return answer.variables ?? [];
}

const kept = new Map<string, Promise<Series[]>>();

/** All points of a variable, kept for as long as the page is open: results of a run do not change. */
export function series(context: Context, run: string, variable: string, frequency?: string): Promise<Series[]> {
  const key = `${run}/${variable}/${frequency ?? ""}`;
  let found = kept.get(key);
  if (!found) {
    found = (async () => {
      const answer = await context.call<Linked<object>>("export_timeseries", alone({ job_id: run, variable_name: variable, ...(frequency ? { frequency } : {}) }));
      const link = linked(answer, ".csv");
      if (!link) throw new Error("The server sent no series.");
      return parse(await text(link), variable);
    })();
    found.catch(() => kept.delete(key));
    kept.set(key, found);
    if (kept.size > 12) kept.delete(kept.keys().next().value ?? "");
  }
  return found;
}

/** The zone that a key of a series speaks of: its own name, or the longest that it begins with ("OFFICE IDEAL LOADS"). */
export function zoneOf(key: string, zones: readonly string[]): string | undefined {
  const wanted = key.toUpperCase();
  let best: string | undefined;
  for (const zone of zones) {
    const name = zone.toUpperCase();
    if (wanted === name) return zone;
    if (wanted.startsWith(`${name} `) && name.length > (best?.length ?? 0)) best = zone;
  }
  return best;
}

/** Least, greatest, mean and sum of values. */
export function figures(values: readonly (number | null)[]): { min: number; max: number; mean: number; sum: number; minAt: number; maxAt: number } | undefined {
  let [min, max, sum, n, minAt, maxAt] = [Infinity, -Infinity, 0, 0, 0, 0];
  values.forEach((v, i) => {
    if (v === null) return;
    if (v < min) [min, minAt] = [v, i];
    if (v > max) [max, maxAt] = [v, i];
    sum += v;
    n++;
  });
  return n > 0 ? { min, max, mean: sum / n, sum, minAt, maxAt } : undefined;
}

/** The words for the end of an interval. */
export function timeWords(seconds: number, dated: boolean): string {
  const date = new Date(seconds * 1000);
  const day = date.toLocaleDateString("en-GB", { timeZone: "UTC", day: "numeric", month: "short", ...(dated ? { year: "numeric", weekday: "short" } : {}) });
  return `${day}, ${date.toISOString().slice(11, 16)}`;
}

/** Hours of values below, within and above two bounds, for intervals of so many seconds. */
export function hoursOf(values: readonly (number | null)[], low: number, high: number, interval: number): [number, number, number] {
  const hours: [number, number, number] = [0, 0, 0];
  for (const v of values) if (v !== null) hours[v < low ? 0 : v > high ? 2 : 1] += interval / 3600;
  return hours;
}
