// Ways out by the International Building Code: persons, exits with their capacity, the longest ways as lines, what does not comply.

import type { Context } from "../../page/context";
import { h } from "../../dom";
import { awaited, brief, choice, count, number, toggle, type Choice } from "../ui";
import { ask } from "../server";
import { go } from "./card";
import type { Rooms } from "./data";
import type { Painter } from "./paint";
import type { Egress, Violation } from "./reach";
import { metres } from "./ways";

const USES: readonly Choice[] = [
  ["auto", "As the rooms say"],
  ["business", "Business"],
  ["residential", "Residential"],
  ["assembly", "Assembly"],
  ["classroom", "Educational"],
  ["mercantile", "Mercantile"],
  ["industrial", "Industrial"],
  ["storage", "Storage"],
];

const WORDS = { error: "Error", warning: "Warning", info: "To be judged" } as const;

export function egressPage(pane: HTMLElement, context: Context, _all: Rooms, paint: Painter): () => void {
  let occupancy = "auto";
  let sprinklers = false;
  let stop: (() => void) | undefined;
  const place = h("div", {});
  pane.append(
    h("div", { class: "p-form one" }, choice("Occupancy", USES, occupancy, (v) => { occupancy = v; run(); })),
    toggle("Sprinklers throughout", sprinklers, (on) => { sprinklers = on; run(); }),
    place,
  );

  function run(): void {
    stop?.();
    paint.way(undefined);
    stop = awaited(place, "Checking the ways out…", (signal) => ask<Egress>(context, "egress_analysis", { occupancy, sprinklers, paths: 60, limit: 60 }, signal), show);
  }

  function show(egress: Egress): void {
    const { compliance } = egress;
    const total = compliance.counts.error + compliance.counts.warning;
    place.append(
      h("p", { class: compliance.compliant ? "p-verdict good" : "p-verdict bad" }, compliance.compliant ? "Complies with the IBC 2021 as far as was judged." : `${count(total, "violation")} of the IBC 2021.`),
      h("dl", { class: "p-figures" }, ...[["Persons", number(egress.persons, 0)], ["Exits", String(egress.exits?.length ?? 0)], ["Occupancy", egress.occupancy]].map(([n, v]) => h("div", {}, h("dt", {}, n), h("dd", {}, v)))),
    );
    if (compliance.violations.length > 0) place.append(h("h4", {}, "Violations"), h("ul", { class: "p-list" }, ...compliance.violations.map(violation)));
    if (egress.exits?.length) place.append(exits(egress.exits));
    if (egress.paths?.length) place.append(paths(egress.paths));
    for (const words of egress.notes ?? []) place.append(h("p", { class: "p-note" }, words));
  }

  function violation(v: Violation): HTMLElement {
    const element = v.elements?.find((e) => e.id);
    return h(
      "li", { class: `p-finding ${v.severity}` },
      h("span", { class: "tone" }, WORDS[v.severity]), " ", v.message, v.clause && h("span", { class: "faint" }, ` (${v.clause})`),
      element?.id && h("button", { type: "button", class: "link block", onclick: () => go(context, element.id ?? "") }, brief(element.name ?? element.class ?? "Show")),
      v.suggestion && h("span", { class: "p-note block" }, v.suggestion),
    );
  }

  function exits(list: NonNullable<Egress["exits"]>): HTMLElement {
    return h(
      "table", { class: "p-table" }, h("caption", {}, "Exits"),
      h("thead", {}, h("tr", {}, ...["Door", "Clear mm", "Capacity", "Persons"].map((w, i) => h("th", { scope: "col", class: i ? "num" : undefined }, w)))),
      h("tbody", {}, ...list.map((e) => h("tr", {}, h("td", {}, h("button", { type: "button", class: "link", title: e.door, onclick: () => go(context, e.id) }, brief(e.door))), h("td", { class: "num" }, number(e.clear_width, 0)), h("td", { class: "num" }, number(e.capacity, 0)), h("td", { class: "num" }, number(e.persons, 1))))),
    );
  }

  function paths(list: NonNullable<Egress["paths"]>): HTMLElement {
    const rows = list.map((p) => {
      const points = p.points && p.points.length > 1 ? metres(p.points) : undefined;
      const press = () => {
        for (const other of body.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === open));
        paint.way(points);
      };
      const open = h("button", { type: "button", class: "link", "aria-pressed": "false", onclick: press }, p.room);
      return h(
        "tr", {},
        h("td", {}, points ? open : p.room), h("td", { class: "num" }, number(p.persons, 1)),
        h("td", { class: "num" }, p.length === undefined ? "no way" : `${number(p.length / 1000)} m`), h("td", { class: "num" }, p.common_path === undefined ? "–" : `${number(p.common_path / 1000)} m`),
      );
    });
    const body = h("tbody", {}, ...rows);
    return h(
      "table", { class: "p-table" }, h("caption", {}, "Ways out, the longest first"),
      h("thead", {}, h("tr", {}, ...["Room", "Persons", "Travel", "Common path"].map((w, i) => h("th", { scope: "col", class: i ? "num" : undefined }, w)))), body,
    );
  }

  run();
  return () => {
    stop?.();
    paint.way(undefined);
  };
}
