// A chart of series over time: axes with units, a read-out under the pointer, arrows for the keyboard, and the figures as a table beside it.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { h } from "../../dom";
import { category } from "../palette";
import { tidy } from "../ui";
import { figures, timeWords } from "./series";

export interface Line {
  name: string;
  values: (number | null)[];
  colour?: string;
  dashed?: boolean;
  hidden?: boolean;
}

export interface Chart {
  element: HTMLElement;
  /** Marks a time, as a slider does. */
  mark(index: number): void;
  close(): void;
}

export interface ChartOptions {
  label: string;
  units: string;
  times: number[];
  lines: Line[];
  dated: boolean;
  height?: number;
  /** Somebody pointed at a time. */
  pointed?(index: number): void;
}

/** Values of the colours that the page has at the moment. */
const tone = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function chart(options: ChartOptions): Chart {
  const place = h("div", { class: "chart-place" });
  const live = h("p", { class: "visually-hidden", role: "status" });
  const element = h("figure", { class: "chart", tabindex: "0", role: "group", "aria-label": `${options.label}, ${options.units}. Arrows go from time to time.` }, place, live, figuresTable(options));
  let plot: uPlot | undefined;
  let marked: number | undefined;
  let at = 0;
  let hidden = options.lines.map((l) => l.hidden === true);

  const size = () => ({ width: Math.max(place.clientWidth, 220), height: options.height ?? Math.max(180, Math.min(element.clientHeight || 300, 420) - 40) });

  function make(): void {
    plot?.destroy();
    const [ink, grid] = [tone("--soft"), tone("--line")];
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 }, font: "11px ui-sans-serif, system-ui, sans-serif", labelFont: "11px ui-sans-serif, system-ui, sans-serif" };
    plot = new uPlot(
      {
        ...size(),
        // the clock of the weather file, whatever that of the reader is
        tzDate: (ts) => uPlot.tzDate(new Date(ts * 1000), "UTC"),
        cursor: { drag: { x: true, y: false }, points: { size: 6 } },
        legend: { live: true, markers: { width: 2 } },
        scales: { x: { time: true } },
        axes: [
          { ...axis, values: options.dated ? DATED : UNDATED },
          { ...axis, label: options.units, labelSize: 18, size: 54, values: (_u, ticks) => ticks.map((v) => tidy(v)) },
        ],
        series: [
          { label: "Time", value: (_u, v: number | null) => (v === null ? "–" : timeWords(v, options.dated)) },
          ...options.lines.map((line, i) => ({
            label: line.name,
            stroke: line.colour ?? category(i),
            width: 1.4,
            show: !hidden[i],
            points: { show: options.times.length < 40 },
            ...(line.dashed ? { dash: [5, 4] } : {}),
            value: (_u: uPlot, v: number | null) => (v === null ? "–" : `${tidy(v)} ${options.units}`),
          })),
        ],
        hooks: {
          setCursor: [(u) => { if (u.cursor.idx !== null && u.cursor.idx !== undefined && u.cursor.idx !== at) { at = u.cursor.idx; options.pointed?.(at); } }],
          setSeries: [(u) => (hidden = u.series.slice(1).map((s) => s.show === false))],
          draw: [drawMark],
        },
      },
      [options.times, ...options.lines.map((l) => l.values)] as uPlot.AlignedData,
      place,
    );
    // a legend's rows are switches, which a keyboard has to reach, too
    place.querySelectorAll<HTMLElement>(".u-series:not(:first-child) th").forEach((row) => {
      row.tabIndex = 0;
      row.setAttribute("role", "button");
      row.addEventListener("keydown", (e) => {
        if (e.key !== "Enter" && e.key !== " ") return;
        e.preventDefault();
        e.stopPropagation();
        row.click();
      });
    });
  }

  function drawMark(u: uPlot): void {
    const time = marked === undefined ? undefined : options.times[marked];
    if (time === undefined) return;
    const x = Math.round(u.valToPos(time, "x", true));
    const { ctx } = u;
    ctx.save();
    ctx.strokeStyle = tone("--accent");
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(x, u.bbox.top);
    ctx.lineTo(x, u.bbox.top + u.bbox.height);
    ctx.stroke();
    ctx.restore();
  }

  element.addEventListener("keydown", (e) => {
    if (!plot || e.target !== element) return;
    const day = options.times.length > 200 ? 24 : 1;
    const step = { ArrowRight: 1, ArrowLeft: -1, PageDown: day, PageUp: -day }[e.key];
    if (step === undefined) return;
    e.preventDefault();
    at = Math.min(Math.max(at + step, 0), options.times.length - 1);
    const time = options.times[at] ?? 0;
    plot.setCursor({ left: plot.valToPos(time, "x"), top: 10 });
    const lines = options.lines.filter((_, i) => !hidden[i]).slice(0, 4);
    live.textContent = `${timeWords(time, options.dated)}: ${lines.map((l) => `${l.name} ${tidy(l.values[at])} ${options.units}`).join("; ")}`;
    options.pointed?.(at);
  });

  const watch = new ResizeObserver(() => {
    if (!plot) make();
    else plot.setSize(size());
  });
  watch.observe(place);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", make);

  return {
    element,
    mark(index) {
      marked = index;
      plot?.redraw(false, false);
    },
    close() {
      watch.disconnect();
      dark.removeEventListener("change", make);
      plot?.destroy();
    },
  };
}

const hour = (d: Date): string => d.toISOString().slice(11, 16);
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Words of the ticks: hours within a day, days and months over more. */
function ticks(values: number[]): string[] {
  const step = (values[1] ?? 0) - (values[0] ?? 0);
  let day = "";
  return values.map((v) => {
    const d = new Date(v * 1000);
    const date = `${d.getUTCDate()} ${MONTHS[d.getUTCMonth()]}`;
    if (step >= 27 * 86400) return MONTHS[d.getUTCMonth()] ?? "";
    if (step >= 86400) return date;
    const words = date === day ? hour(d) : `${hour(d)}\n${date}`;
    day = date;
    return words;
  });
}
const DATED = (_u: uPlot, values: number[]): string[] => ticks(values);
const UNDATED = (_u: uPlot, values: number[]): string[] => values.map((v) => hour(new Date(v * 1000)));

/** Least, mean, greatest of each series, for who does not see the lines. */
function figuresTable({ lines, units, times, dated, label }: ChartOptions): HTMLElement {
  const energy = units === "kWh" || units === "J" || units === "m³";
  const rows = lines.flatMap((line) => {
    const f = figures(line.values);
    if (!f) return [];
    const when = (i: number) => timeWords(times[i] ?? 0, dated);
    return [h("tr", {}, h("th", { scope: "row" }, line.name), ...[`${tidy(f.min)} (${when(f.minAt)})`, tidy(f.mean), `${tidy(f.max)} (${when(f.maxAt)})`, ...(energy ? [tidy(f.sum)] : [])].map((w) => h("td", { class: "num" }, w)))];
  });
  return h(
    "details", { class: "p-fold" }, h("summary", {}, "Figures as a table"),
    h("table", { class: "p-table" }, h("caption", {}, `${label}, ${units}`), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Series"), ...["Least", "Mean", "Greatest", ...(energy ? ["Sum"] : [])].map((w) => h("th", { scope: "col", class: "num" }, w)))), h("tbody", {}, ...rows)),
  );
}
