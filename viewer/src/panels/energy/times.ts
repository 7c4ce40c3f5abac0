// A variable of a run over time: its chart, a slider through its times, and the zones in the colours of their values at the time.

import { h } from "../../dom";
import { openDock } from "../dock";
import type { Scale } from "../palette";
import { awaited, choice, fill, glyph, number, said, state, tidy, type Choice } from "../ui";
import { chart, type Chart, type Line } from "./chart";
import { scaleBar } from "./legend";
import { inRooms, onSurfaces, type Painting } from "./painting";
import type { Energy } from "./panel";
import { nameOf, type Run } from "./runs";
import type { Scene } from "./scene";
import { figures, hoursOf, series, timeWords, variables, zoneOf, type Series, type Variable } from "./series";
import { loadSurfaces } from "./surfaces";
import { bars } from "./bars";
import { category } from "../palette";

const id = (v: Variable) => `${v.name}\n${v.frequency}`;
const FIRST = ["Zone Operative Temperature", "Zone Mean Air Temperature", "Zone Air Temperature"];
/** Air between these is taken as comfortable, °C. */
const COMFORT = [20, 26] as const;

export function openTimes(energy: Energy, run: Run): void {
  const { context, host, subject } = energy;
  const tall = context.shown()?.kind === "energyplus";
  const stops: (() => void)[] = [];
  let plot: Chart | undefined;
  let scene: Scene | undefined;
  let painting: Painting | undefined;
  let playing = 0;
  let asked = 0;

  const dock = openDock(host, `Results over time: ${nameOf(run)}`, {
    tall,
    closed: () => {
      stops.forEach((f) => f());
      clearInterval(playing);
      plot?.close();
      painting?.clear();
      scene?.close();
    },
  });

  stops.push(awaited(dock.body, "Asking what the run recorded…", async (signal) => {
    const found = await variables(context, run.job, signal);
    if (subject.building) return { found };
    const [surfaces, made] = await Promise.all([loadSurfaces(context, subject.model, signal), import("./scene")]);
    return { found, surfaces, made };
  }, ({ found, surfaces, made }) => {
    if (found.length === 0) {
      dock.body.append(state("empty", "The run recorded no series."));
      return;
    }
    const zones = subject.zones.map((z) => z.name);
    const conditioned = new Set(subject.zones.filter((z) => z.thermostats?.length).map((z) => z.name));
    if (made && surfaces) {
      scene = made.scene(surfaces);
      painting = onSurfaces(scene, surfaces);
      scene.picked = (surface) => painting?.choose(surface?.zone);
    } else painting = inRooms(context, subject);

    const first = FIRST.map((name) => found.find((v) => v.name === name)).find((v) => v) ?? found.find((v) => v.type === "variable") ?? found[0];
    let current = first ? id(first) : "";
    let all: Series[] = [];
    let shown: Series | undefined;
    let at = 0;
    let range: [number, number] = [0, 1];
    let scale: Scale = "cividis";
    let other: Run | undefined;

    const others = energy.runs.filter((r) => r.job !== run.job);
    const environment = choice("Period", [], "", (v) => { shown = all.find((s) => s.environment === v); void draw(); });
    const place = h("div", { class: "times-chart" });
    const comfort = h("div", {});
    const legend = h("div", { class: "times-scale" });
    const clock = h("output", { class: "times-clock" });
    const slider = h("input", { type: "range", min: "0", max: "0", value: "0", step: "1", "aria-label": "Time", class: "times-slider", oninput: () => go(Number(slider.value)) });
    const play = h("button", { type: "button", class: "quiet", "aria-label": "Play", title: "Play", onclick: () => toggle() }, glyph("play"));
    dock.tools.append(
      choice("Variable", variableChoices(found, zones), current, (v) => { current = v; void load(); }), environment,
      ...(others.length > 0 ? [choice("Beside it", [["", "No other run"], ...others.map((r): Choice => [r.job, nameOf(r)])], "", (job) => { other = others.find((r) => r.job === job); void draw(); })] : []),
    );
    const line = h("div", { class: "times-line" }, play, slider, clock);
    const side = h("div", { class: "times-side" }, place, comfort);
    dock.body.append(h("div", { class: scene ? "times with-scene" : "times" }, ...(scene ? [h("div", { class: "times-scene" }, scene.element, legend)] : []), side, line));
    if (!scene) line.append(legend);

    async function load(): Promise<void> {
      const [name = "", frequency] = current.split("\n");
      const mine = ++asked;
      place.replaceChildren(state("busy", "Reading the series…"));
      try {
        all = await series(context, run.job, name, frequency);
      } catch (error) {
        if (mine === asked) place.replaceChildren(state("bad", said(error)));
        return;
      }
      if (mine !== asked || !dock.isOpen) return;
      fill(environment.lastChild as HTMLSelectElement, all.map((s): Choice => [s.environment, s.environment]));
      environment.hidden = all.length < 2;
      shown = all.find((s) => s.environment === (environment.lastChild as HTMLSelectElement).value) ?? all[0];
      at = 0;
      await draw();
    }

    async function draw(): Promise<void> {
      plot?.close();
      place.replaceChildren();
      comfort.replaceChildren();
      const now = shown;
      if (!now) {
        place.append(state("empty", "Nothing was recorded of it."));
        return;
      }
      const lines: Line[] = now.columns.map((c, i): Line => ({ name: c.key || now.variable, values: c.values, colour: category(i), hidden: i >= 8 }));
      if (other) {
        const [name = "", frequency] = current.split("\n");
        const theirs = await series(context, other.job, name, frequency).catch(() => [] as Series[]);
        if (now !== shown) return;
        const match = theirs.find((s) => s.environment === now.environment) ?? theirs.find((s) => s.times.length === now.times.length);
        for (const [i, c] of now.columns.entries()) {
          const same = match?.columns.find((m) => m.key === c.key);
          if (same && same.values.length === now.times.length) lines.push({ name: `${c.key || now.variable} (other run)`, values: same.values, colour: category(i), dashed: true, hidden: i >= 4 });
        }
        if (!match) comfort.append(h("p", { class: "p-note" }, "The other run did not record this variable for the period."));
      }
      plot = chart({ label: now.variable, units: now.units || "–", times: now.times, dated: now.dated, lines, pointed: (i) => { if (!playing) go(i, true); } });
      place.append(plot.element);
      // what nobody heats or cools, an attic, goes to extremes: the colours span the others, where there are some
      const ofZones = now.columns.filter((c) => zoneOf(c.key, zones));
      const held = ofZones.filter((c) => conditioned.has(zoneOf(c.key, zones) ?? ""));
      const values = (held.length > 0 ? held : ofZones).map((c) => figures(c.values)).filter((f) => f !== undefined);
      range = values.length > 0 ? [Math.min(...values.map((f) => f.min)), Math.max(...values.map((f) => f.max))] : [0, 1];
      scale = now.units === "°C" ? "coldhot" : "cividis";
      legend.replaceChildren(...(values.length > 0 ? [scaleBar(range, now.units, scale)] : [h("p", { class: "p-note" }, "This variable is not of zones: they have no colours.")]));
      slider.max = String(now.times.length - 1);
      // noon of the first day says more than midnight
      at = at || Math.min(12, now.times.length - 1);
      slider.value = String(at);
      if (now.units === "°C") comfort.append(...comfortBars(now, zones));
      go(at);
    }

    function go(index: number, fromChart = false): void {
      const now = shown;
      if (!now) return;
      at = Math.min(Math.max(index, 0), now.times.length - 1);
      slider.value = String(at);
      const words = timeWords(now.times[at] ?? 0, now.dated);
      clock.textContent = words;
      slider.setAttribute("aria-valuetext", words);
      if (!fromChart) plot?.mark(at);
      const values = new Map<string, number>();
      for (const c of now.columns) {
        const zone = zoneOf(c.key, zones);
        const value = c.values[at];
        if (zone && value !== null && value !== undefined) values.set(zone.toUpperCase(), value);
      }
      if (values.size > 0) painting?.values(values, range, scale);
      else painting?.clear();
    }

    function toggle(): void {
      if (playing) {
        clearInterval(playing);
        playing = 0;
      } else {
        // a year in steps of an hour would take too long: about a minute for all of it, by whole hours
        const step = Math.max(1, Math.round((shown?.times.length ?? 1) / 720));
        playing = window.setInterval(() => {
          const end = (shown?.times.length ?? 1) - 1;
          go(at >= end ? 0 : at + step);
        }, 120);
      }
      play.replaceChildren(glyph(playing ? "pause" : "play"));
      play.setAttribute("aria-label", playing ? "Pause" : "Play");
      play.title = playing ? "Pause" : "Play";
    }

    void load();
    requestAnimationFrame(() => scene?.fit());
  }));
}

/** Variables of zones first, then others, then meters. */
function variableChoices(found: Variable[], zones: string[]): Choice[] {
  const rank = (v: Variable) => (v.type === "meter" ? 2 : v.keys?.some((k) => zoneOf(k, zones)) ? 0 : 1);
  return [...found].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name)).map((v): Choice => [id(v), `${v.name}, ${v.frequency.toLowerCase()}`]);
}

/** Hours in which each zone is below, within and above the bounds of comfort. */
function comfortBars(now: Series, zones: string[]): HTMLElement[] {
  const interval = (now.times[1] ?? 0) - (now.times[0] ?? 0);
  const columns = now.columns.filter((c) => zoneOf(c.key, zones));
  if (columns.length === 0 || interval <= 0 || interval > 86400) return [];
  const [low, high] = COMFORT;
  const names = [`below ${low} °C`, `${low} to ${high} °C`, `above ${high} °C`] as const;
  const colours = ["#4e79a7", "#8fb996", "#d1603d"] as const;
  const rows = columns.map((c) => {
    const hours = hoursOf(c.values, low, high, interval);
    const all = hours[0] + hours[1] + hours[2];
    return { name: c.key, bars: [hours.map((value, i) => ({ name: names[i] ?? "", value, colour: colours[i] ?? "" }))], after: [tidy(hours[0]), tidy(hours[2]), all > 0 ? `${number((hours[1] / all) * 100, 0)} %` : "–"] };
  });
  return [bars({ caption: `Comfort: ${now.variable}, hours`, first: "Zone", units: "h", rows, after: ["Cold h", "Hot h", "Within"], legend: names.map((name, i) => ({ name, colour: colours[i] ?? "" })) })];
}
