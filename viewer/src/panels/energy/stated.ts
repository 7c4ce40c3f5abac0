// Results that were written to a building (results_to_ifc): the property set EnergyPlus_Results of its rooms, as colours and as a table.

import type { Context } from "../../page/context";
import { keyOf } from "../../view/types";
import { h } from "../../dom";
import { ramp } from "../palette";
import { choice, count, tidy, type Choice } from "../ui";
import { scaleBar } from "./legend";

const SET = "EnergyPlus_Results";

/** Properties, what they are called, and their units. */
export const RESULTS: readonly (readonly [property: string, words: string, units: string])[] = [
  ["HeatingDesignLoad_W", "Heating design load", "W"],
  ["CoolingDesignLoad_W", "Cooling design load", "W"],
  ["AirTemperatureLowest_C", "Lowest air temperature", "°C"],
  ["AirTemperatureHighest_C", "Highest air temperature", "°C"],
  ["HeatingEnergy_kWh", "Heating energy", "kWh"],
  ["CoolingEnergy_kWh", "Cooling energy", "kWh"],
  ["UnmetHeating_h", "Unmet heating hours", "h"],
  ["UnmetCooling_h", "Unmet cooling hours", "h"],
];

interface Row {
  id: string;
  name?: string;
  LongName?: string;
  [field: string]: unknown;
}

/** The results that rooms carry; empty until they are read, and where there are none. */
export function statedSection(context: Context): HTMLElement {
  const section = h("section", { class: "p-section", hidden: true });
  const shown = context.shown();
  if (!shown) return section;
  const fields = ["LongName", ...RESULTS.map(([f]) => `${SET}.${f}`), `${SET}.WeatherFile`, `${SET}.Environment`];
  const rows: Row[] = [];
  const read = async () => {
    let cursor: string | undefined;
    do {
      const page = await context.call<{ rows?: Row[]; next_cursor?: string }>("query_elements", { selector: "IfcSpace", fields, limit: 200, ...(cursor ? { cursor } : {}) });
      rows.push(...(page.rows ?? []));
      cursor = page.next_cursor;
    } while (cursor);
  };
  read().then(show, () => undefined);

  function show(): void {
    const there = RESULTS.filter(([f]) => rows.some((r) => typeof r[`${SET}.${f}`] === "number"));
    if (there.length === 0 || !section.isConnected) return;
    section.hidden = false;
    const table = h("div", {});
    const draw = (field: string) => {
      const about = there.find(([f]) => f === field);
      const values = rows.flatMap((r) => (typeof r[`${SET}.${field}`] === "number" ? [{ row: r, value: r[`${SET}.${field}`] as number }] : [])).sort((a, b) => b.value - a.value);
      if (!about) {
        context.view.colour(undefined);
        table.replaceChildren();
        return;
      }
      const [min, max] = [values.at(-1)?.value ?? 0, values[0]?.value ?? 0];
      const scale = field.startsWith("Air") ? "coldhot" : "cividis";
      const colour = (v: number) => ramp(max > min ? (v - min) / (max - min) : 0.5, scale);
      context.view.colour({ groups: values.map(({ row, value }) => ({ colour: colour(value), keys: [keyOf(shown!.model, row.id)] })), others: "ghost" });
      table.replaceChildren(
        scaleBar([min, max], about[2], scale),
        h("table", { class: "p-table" }, h("caption", {}, about[1]), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Room"), h("th", { scope: "col", class: "num" }, about[2]))), h("tbody", {}, ...values.map(({ row, value }) => h("tr", {}, h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => context.select([keyOf(shown!.model, row.id)], { fit: true }) }, [row.name, row.LongName].filter(Boolean).join(" ") || row.id)), h("td", { class: "num" }, tidy(value)))))),
      );
    };
    const from = rows.find((r) => r[`${SET}.Environment`]);
    const weather = from?.[`${SET}.WeatherFile`];
    section.append(
      h("h3", {}, "Results in this building"),
      h("p", { class: "p-note" }, `${count(rows.filter((r) => there.some(([f]) => r[`${SET}.${f}`] !== undefined)).length, "room")}, ${from?.[`${SET}.Environment`] === "annual" ? "run periods" : "design days"}${typeof weather === "string" ? `, ${weather}` : ""}`),
      choice("Colour the rooms by", [["", "Nothing"], ...there.map(([f, w, u]): Choice => [f, `${w}, ${u}`])], "", draw),
      table,
    );
  }
  return section;
}
