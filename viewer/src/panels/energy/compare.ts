// Two runs side by side: end uses with their difference, energy for the floor area, unmet hours.

import { h } from "../../dom";
import { alone } from "../server";
import { awaited, choice, number, state, tidy, type Choice } from "../ui";
import { bars, type BarRow } from "./bars";
import type { Energy } from "./panel";
import type { Summary } from "./results";
import { nameOf, type EndUses, type Run, type Use } from "./runs";

const COLOURS = ["#4e79a7", "#f28e2b"] as const;

/** Energy of both runs by use, the largest first, with the change of the second against the first. */
export function compared(a: Use[], b: Use[]): { name: string; a: number; b: number; change: number | undefined }[] {
  const sum = (uses: Use[], name: string) => uses.filter((u) => u.use === name).reduce((m, u) => m + (u.kwh ?? 0), 0);
  const names = [...new Set([...a, ...b].filter((u) => (u.kwh ?? 0) > 0.5).map((u) => u.use))];
  return names
    .map((name) => ({ name, a: sum(a, name), b: sum(b, name) }))
    .map((row) => ({ ...row, change: row.a > 0 ? (row.b / row.a - 1) * 100 : undefined }))
    .sort((x, y) => Math.max(y.a, y.b) - Math.max(x.a, x.b));
}

const signed = (v: number | undefined, decimals = 1): string => (v === undefined ? "new" : `${v > 0 ? "+" : ""}${number(v, decimals)}`);

export function comparePage(pane: HTMLElement, energy: Energy): () => void {
  const { context } = energy;
  const place = h("div", {});
  let stop: (() => void) | undefined;
  let pair: [Run | undefined, Run | undefined] = [undefined, undefined];

  const begin = () => {
    // design days have no energy by end use: beside a year they would look like savings
    const runs = energy.runs.filter((r) => (r.status.end_uses?.uses.length ?? 0) > 0);
    if (runs.length < 2) {
      place.replaceChildren(state("empty", runs.length === 0 ? "No run over a period yet: only those have energy by end use." : "There is one run over a period. Another one, of an edited model or of other weather, can be compared with it."));
      return;
    }
    pair = [runs[1], runs[0]];
    const choices = runs.map((r): Choice => [r.job, nameOf(r)]);
    const set = (i: 0 | 1) => (job: string) => {
      pair[i] = runs.find((r) => r.job === job);
      show();
    };
    place.replaceChildren(h("div", { class: "p-form one" }, choice("First run", choices, pair[0]?.job ?? "", set(0)), choice("Second run", choices, pair[1]?.job ?? "", set(1))), body);
    show();
  };
  const body = h("div", {});

  interface Both { end: EndUses; unmet?: NonNullable<Summary["unmet_hours"]> | undefined }
  const load = async (run: Run, signal: AbortSignal): Promise<Both> => {
    const summary = await context.call<Summary>("get_results_summary", alone({ job_id: run.job }), signal).catch(() => undefined);
    if (summary?.end_uses) return { end: summary.end_uses, unmet: summary.unmet_hours };
    return { end: run.status.end_uses ?? { uses: [], totals: [] } };
  };

  function show(): void {
    stop?.();
    const [first, second] = pair;
    if (!first || !second) return;
    stop = awaited(body, "Comparing…", (signal) => Promise.all([load(first, signal), load(second, signal)]), ([a, b]) => {
      const rows = compared(a.end.uses, b.end.uses);
      if (rows.length === 0) body.append(state("empty", "Neither run has energy by end use: both simulated design days only."));
      else {
        body.append(
          bars({
            caption: "Energy by end use", first: "End use", units: "kWh", after: ["First", "Second", "%"],
            rows: rows.map((r): BarRow => ({ name: r.name, bars: [[{ name: "First run", value: r.a, colour: COLOURS[0] }], [{ name: "Second run", value: r.b, colour: COLOURS[1] }]], after: [number(r.a, 0), number(r.b, 0), signed(r.change)] })),
            legend: [{ name: "First run", colour: COLOURS[0] }, { name: "Second run", colour: COLOURS[1] }],
          }),
        );
      }
      const site = (end: EndUses) => end.site_and_source?.find((s) => s.name === "Total Site Energy");
      const [sa, sb] = [site(a.end), site(b.end)];
      const lines: [string, number | undefined, number | undefined][] = [
        ["Site energy, kWh", sa?.kwh, sb?.kwh], ["Site energy, kWh/m²", sa?.kwh_per_m2, sb?.kwh_per_m2],
        ["Unmet heating, h", a.unmet?.facility?.heating, b.unmet?.facility?.heating], ["Unmet cooling, h", a.unmet?.facility?.cooling, b.unmet?.facility?.cooling],
        ["Warnings", first.status.warnings, second.status.warnings], ["Severe errors", first.status.severe, second.status.severe],
      ];
      body.append(
        h("table", { class: "p-table" }, h("caption", {}, "Figures"), h("thead", {}, h("tr", {}, ...["", "First", "Second", "Difference"].map((w, i) => h("th", { scope: "col", class: i ? "num" : undefined }, w)))),
          h("tbody", {}, ...lines.filter(([, x, y]) => x !== undefined || y !== undefined).map(([name, x, y]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "num" }, tidy(x)), h("td", { class: "num" }, tidy(y)), h("td", { class: "num" }, x === undefined || y === undefined ? "–" : signed(y - x, Number.isInteger(y - x) ? 0 : 1)))))),
      );
    });
  }

  pane.append(place);
  if (energy.runs.length > 0) begin();
  else stop = awaited(place, "Looking for runs…", () => energy.refresh(), begin);
  return () => stop?.();
}
