// What a run found: how it ended, end uses by source, loads and unmet hours by zone, comfort; and over time, with the zones in colours.

import { h } from "../../dom";
import { category } from "../palette";
import { alone } from "../server";
import { awaited, button, choice, number, said, state, tidy, type Choice } from "../ui";
import { bars, type BarRow } from "./bars";
import type { Energy } from "./panel";
import { nameOf, type EndUses, type Run, type Use } from "./runs";
import { openTimes } from "./times";

export interface Summary {
  success: boolean;
  errors?: { fatal: number; severe: number; warnings: number; groups?: { level: string; text: string; occurrences?: number }[] };
  end_uses?: EndUses;
  unmet_hours?: { facility?: Record<Unmet, number>; zones: ({ zone: string } & Record<Unmet, number>)[] };
  notes?: string[];
}
type Unmet = "heating" | "cooling" | "occupied_heating" | "occupied_cooling";

interface PeakZone {
  zone: string;
  floor_area_m2?: number;
  sized_w?: number;
  sized_w_per_m2?: number;
  design?: { components: [name: string, w: number, percent?: number][] };
}
export interface Peaks {
  cooling?: { zones: PeakZone[]; sized_w?: number; sized_w_per_m2?: number; unavailable?: string };
  heating?: { zones: PeakZone[]; sized_w?: number; sized_w_per_m2?: number; unavailable?: string };
  flags?: { check: string; message: string }[];
}

const SOURCES = ["Electricity", "Natural Gas", "District Heating Water", "District Cooling", "Fuel Oil No 2", "Propane"];
export const sourceColour = (source: string): string => category(Math.max(SOURCES.indexOf(source), 0) === 0 && source !== "Electricity" ? 6 : SOURCES.indexOf(source));

/** Energy by use, its sources as parts of one bar; what is no energy (water) is not among them. */
export function useRows(uses: Use[], area?: number): { rows: BarRow[]; sources: string[] } {
  const energy = uses.filter((u) => u.kwh !== undefined && u.kwh > 0.5);
  const names = [...new Set(energy.map((u) => u.use))];
  const total = (name: string) => energy.filter((u) => u.use === name).reduce((m, u) => m + (u.kwh ?? 0), 0);
  const rows = names.map((name): BarRow & { sum: number } => {
    const sum = total(name);
    return {
      name, sum,
      bars: [energy.filter((u) => u.use === name).map((u) => ({ name: u.source, value: u.kwh ?? 0, colour: sourceColour(u.source) }))],
      after: [number(sum, 0), ...(area ? [number(sum / area)] : [])],
    };
  });
  return { rows: rows.sort((a, b) => b.sum - a.sum), sources: [...new Set(energy.map((u) => u.source))] };
}

export function usesChart(end: EndUses): HTMLElement {
  const { rows, sources } = useRows(end.uses, end.floor_area_m2);
  if (rows.length === 0) return state("empty", end.notes?.[0] ?? "This run has no energy by end use: it needs a run period.");
  return bars({ caption: "Energy by end use", first: "End use", units: "kWh", rows, after: ["kWh", ...(end.floor_area_m2 ? ["kWh/m²"] : [])], legend: sources.map((name) => ({ name, colour: sourceColour(name) })) });
}

export function resultsPage(pane: HTMLElement, energy: Energy): () => void {
  const { context } = energy;
  const place = h("div", {});
  const head = h("div", {});
  const stops: (() => void)[] = [];
  pane.append(head, place);

  const begin = () => {
    const { chosen, runs } = energy;
    stops.splice(0).forEach((f) => f());
    head.replaceChildren();
    place.replaceChildren();
    if (!chosen) {
      place.append(state("empty", "Nothing was simulated yet. Begin a run under Runs."));
      return;
    }
    head.append(choice("Run", runs.map((r): Choice => [r.job, nameOf(r)]), chosen.job, (job) => { energy.chosen = runs.find((r) => r.job === job); begin(); }));
    show(chosen);
  };

  function show(run: Run): void {
    stops.push(
      awaited(
        place, "Reading the results…",
        async (signal) => {
          const [summary, peaks] = await Promise.all([
            context.call<Summary>("get_results_summary", alone({ job_id: run.job }), signal),
            context.call<Peaks>("analyze_peak_loads", alone({ job_id: run.job }), signal).catch(() => undefined),
          ]);
          return { summary, peaks };
        },
        ({ summary, peaks }) => {
          const end = summary.end_uses ?? { uses: [], totals: [] };
          place.append(
            figuresOf(end, run, summary),
            h("div", { class: "p-row wrap" },
              button("Over time", () => openTimes(energy, run), { primary: true }),
              context.may("results_to_ifc") && energy.subject.building && button("Write to the rooms", () => void write(run))),
            usesChart(end),
            ...(peaks ? loads(peaks) : []),
            ...unmet(summary),
            comfort(run),
            ...messages(summary),
          );
        },
      ),
    );
  }

  function figuresOf(end: EndUses, run: Run, summary?: Summary): HTMLElement {
    const site = end.site_and_source?.find((s) => s.name === "Total Site Energy");
    const values: [string, string][] = [["Ended", run.status.status]];
    if (site && site.kwh > 0) values.push(["Site energy", `${number(site.kwh, 0)} kWh`]);
    if (site?.kwh_per_m2) values.push(["Per floor area", `${number(site.kwh_per_m2)} kWh/m²`]);
    const f = summary?.unmet_hours?.facility;
    if (f) values.push(["Unmet hours, occupied", `${tidy(f.occupied_heating + f.occupied_cooling)} h`]);
    values.push(["Warnings, severe", `${summary?.errors?.warnings ?? run.status.warnings ?? 0}, ${summary?.errors?.severe ?? run.status.severe ?? 0}`]);
    return h("dl", { class: "p-figures" }, ...values.map(([n, v]) => h("div", {}, h("dt", {}, n), h("dd", {}, v))));
  }

  function loads(peaks: Peaks): HTMLElement[] {
    const names = [...new Set([...(peaks.heating?.zones ?? []), ...(peaks.cooling?.zones ?? [])].map((z) => z.zone))];
    const of = (list: PeakZone[] | undefined, zone: string) => list?.find((z) => z.zone === zone);
    const rows = names.map((zone): BarRow => {
      const [heat, cool] = [of(peaks.heating?.zones, zone), of(peaks.cooling?.zones, zone)];
      return { name: zone, bars: [[{ name: "Heating", value: heat?.sized_w ?? 0, colour: "#d1603d" }], [{ name: "Cooling", value: cool?.sized_w ?? 0, colour: "#4e79a7" }]], after: [number(heat?.sized_w_per_m2), number(cool?.sized_w_per_m2)] };
    });
    if (rows.length === 0) return peaks.heating?.unavailable ? [h("p", { class: "p-note" }, peaks.heating.unavailable)] : [];
    return [
      bars({ caption: "Design loads by zone", first: "Zone", units: "W", rows, after: ["Heating W/m²", "Cooling W/m²"], legend: [{ name: "Heating", colour: "#d1603d" }, { name: "Cooling", colour: "#4e79a7" }] }),
      ...(peaks.flags ?? []).map((f) => h("p", { class: "p-note" }, f.message)),
    ];
  }

  function unmet(summary: Summary): HTMLElement[] {
    const zones = summary.unmet_hours?.zones ?? [];
    if (zones.length === 0) return [];
    const rows = zones.map((z): BarRow => ({ name: z.zone, bars: [[{ name: "Heating", value: z.heating, colour: "#d1603d" }, { name: "Cooling", value: z.cooling, colour: "#4e79a7" }]], after: [tidy(z.occupied_heating + z.occupied_cooling)] }));
    return [bars({ caption: "Hours in which set points were not met", first: "Zone", units: "h", rows, after: ["Occupied h"], legend: [{ name: "Heating", colour: "#d1603d" }, { name: "Cooling", colour: "#4e79a7" }] })];
  }

  /** Comfort by ASHRAE 55, where the run's report has it. */
  function comfort(run: Run): HTMLElement {
    interface Tables { tables?: { columns: { name: string }[]; rows: { name: string; values: unknown[] }[] }[] }
    const box = h("div", {});
    context.call<Tables>("query_simulation_table", alone({ job_id: run.job, report_name: "SystemSummary", table_name: "Time Not Comfortable Based on Simple ASHRAE 55-2004" })).then(
      ({ tables }) => {
        const found = tables?.[0];
        const at = found?.columns.findIndex((c) => c.name === "Summer or Winter Clothes") ?? -1;
        const rows = (found?.rows ?? []).flatMap((r): BarRow[] => {
          const hours = r.values[at];
          return typeof hours === "number" && hours > 0 && r.name !== "Facility" ? [{ name: r.name, bars: [[{ name: "Not comfortable", value: hours, colour: "#b07aa1" }]], after: [number(hours, 0)] }] : [];
        });
        if (rows.length > 0) box.append(bars({ caption: "Occupied hours that are not comfortable (ASHRAE 55-2004, summer or winter clothes)", first: "Zone", units: "h", rows, after: ["h"] }));
      },
      // a run of design days has no such table
      () => undefined,
    );
    return box;
  }

  function messages(summary: Summary): HTMLElement[] {
    const groups = summary.errors?.groups ?? [];
    if (groups.length === 0) return [];
    return [h("details", { class: "p-fold" }, h("summary", {}, `Messages of the run (${groups.length})`), h("ul", { class: "p-list" }, ...groups.map((g) => h("li", { class: `p-finding ${g.level === "warning" ? "warning" : "error"}` }, g.text, (g.occurrences ?? 0) > 1 && h("span", { class: "num" }, ` ${number(g.occurrences, 0)} times`)))))];
  }

  async function write(run: Run): Promise<void> {
    try {
      const answer = await context.call<{ spaces: number }>("results_to_ifc", alone({ job_id: run.job, reasoning: "results written to the rooms in the viewer" }));
      context.toast(`${answer.spaces} rooms have the results of this run now.`);
    } catch (error) {
      context.toast(said(error), { bad: true });
    }
  }

  if (energy.runs.length > 0) begin();
  else stops.push(awaited(place, "Looking for runs…", () => energy.refresh(), begin));
  return () => stops.forEach((f) => f());
}
