// Bars that are a table: a row for each thing, its parts as lengths on one axis, the values beside them. So the chart is its own text.

import { h } from "../../dom";
import { steps } from "../palette";
import { tidy } from "../ui";

export interface Part {
  name: string;
  value: number;
  colour: string;
}

export interface BarRow {
  name: string;
  /** Parts of one bar; of several bars, one list for each. */
  bars: Part[][];
  after?: (string | Node)[];
  press?: () => void;
}

export interface BarsOptions {
  caption: string;
  first: string;
  units: string;
  rows: BarRow[];
  /** Headings of what stands after the bars. */
  after?: string[];
  legend?: { name: string; colour: string }[];
}

export function bars({ caption, first, units, rows, after = [], legend = [] }: BarsOptions): HTMLElement {
  const sums = rows.flatMap((r) => r.bars.map((parts) => parts.reduce((m, p) => m + Math.max(p.value, 0), 0)));
  const ticks = steps(0, Math.max(...sums, 0.001), 3);
  const top = ticks.at(-1) ?? 1;
  const share = (value: number) => `${(Math.max(value, 0) / top) * 100}%`;
  const axis = h("div", { class: "e-axis" });
  for (const tick of ticks) {
    const mark = h("span", {}, tidy(tick));
    mark.style.left = share(tick);
    axis.append(mark);
  }
  const body = rows.map((row) =>
    h(
      "tr", {},
      h("th", { scope: "row" }, row.press ? h("button", { type: "button", class: "link", onclick: row.press }, row.name) : row.name),
      h("td", { class: "e-cell" }, h("div", { class: "e-grid" }, ...ticks.map((tick) => placed(h("i", {}), share(tick)))), ...row.bars.map((parts) => bar(parts, units, share))),
      ...(row.after ?? []).map((words) => h("td", { class: "num" }, words)),
    ),
  );
  const block = h(
    "table", { class: "p-table e-bars" }, h("caption", {}, caption),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, first), h("th", { scope: "col", class: "e-head" }, h("span", { class: "e-unit" }, units), axis), ...after.map((words) => h("th", { scope: "col", class: "num" }, words)))),
    h("tbody", {}, ...body),
  );
  if (legend.length < 2) return block;
  return h(
    "div", {}, block,
    h("ul", { class: "e-legend", "aria-label": "Colours" }, ...legend.map(({ name, colour }) => {
      const patch = h("i", { class: "p-swatch" });
      patch.style.background = colour;
      return h("li", {}, patch, name);
    })),
  );
}

function placed(element: HTMLElement, left: string): HTMLElement {
  element.style.left = left;
  return element;
}

function bar(parts: Part[], units: string, share: (value: number) => string): HTMLElement {
  const words = parts.filter((p) => p.value > 0).map((p) => `${p.name} ${tidy(p.value)} ${units}`).join(", ");
  return h(
    "div", { class: "e-bar", role: "img", "aria-label": words || `0 ${units}`, title: words || `0 ${units}` },
    ...parts.filter((p) => p.value > 0).map((p) => {
      const piece = h("i", {});
      piece.style.width = share(p.value);
      piece.style.background = p.colour;
      return piece;
    }),
  );
}
