// The zones of an energy model with areas and volumes, and its surfaces in 3D by what they border on, are made of, or enclose.

import { h } from "../../dom";
import { openDock } from "../dock";
import { swatch } from "../rooms/list";
import { awaited, button, byName, choice, count, number, tidy, type Choice } from "../ui";
import type { Energy } from "./panel";
import type { Scene } from "./scene";
import type { Zone } from "./subject";
import { loadSurfaces, surfaceGroups, type ColourBy, type Surface } from "./surfaces";

const BYS: readonly Choice[] = [["boundary", "Boundary condition"], ["construction", "Construction"], ["zone", "Zone"], ["kind", "Kind of surface"]];

export function modelPage(pane: HTMLElement, energy: Energy): () => void {
  const { zones } = energy.subject;
  const card = h("div", {});
  const sum = (of: (z: Zone) => number | undefined) => zones.reduce((m, z) => m + (of(z) ?? 0) * (z.multiplier ?? 1), 0);
  const rows = [...zones].sort((a, b) => byName(a.name, b.name)).map((zone) => {
    const press = h("button", { type: "button", class: "link", onclick: () => choose(zone) }, zone.name);
    return h("tr", {}, h("th", { scope: "row" }, press), h("td", { class: "num" }, number(zone.floor_area_m2)), h("td", { class: "num" }, number(zone.volume_m3)), h("td", { class: "num" }, number(zone.height_m, 2)));
  });
  pane.append(
    button("Surfaces in 3D", () => openSurfaces(energy), { primary: true }),
    h(
      "table", { class: "p-table" }, h("caption", {}, `${energy.subject.name}: ${count(zones.length, "zone")}`),
      h("thead", {}, h("tr", {}, ...["Zone", "Floor m²", "Volume m³", "Height m"].map((w, i) => h("th", { scope: "col", class: i ? "num" : undefined }, w)))),
      h("tbody", {}, ...rows),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "All"), h("td", { class: "num" }, number(sum((z) => z.floor_area_m2))), h("td", { class: "num" }, number(sum((z) => z.volume_m3))), h("td", {}))),
    ),
    card,
  );

  function choose(zone: Zone): void {
    const space = energy.subject.building?.spaces.get(zone.name.toUpperCase());
    if (space && energy.subject.building) energy.context.select([`${energy.subject.building.model}/${space}`], { fit: true });
    const areas = Object.entries(zone.areas ?? {}).map(([kind, area]): [string, string] => [`${kind[0]?.toUpperCase()}${kind.slice(1)}`, `${number(area)} m²`]);
    const points = (zone.thermostats ?? []).flatMap((t) => Object.entries(t.set_points ?? {}).map(([name, schedule]): [string, string] => [name, schedule]));
    const values: [string, string][] = [...areas, ["Windows and doors", `${number(zone.openings)} m²`], ["Surfaces", String(zone.surfaces ?? 0)], ["Closed", zone.closed === false ? "No" : "Yes"], ...points];
    card.replaceChildren(
      h("section", { class: "p-card", "aria-label": zone.name }, h("h3", {}, zone.name), h("dl", { class: "p-values" }, ...values.map(([n, v]) => h("div", {}, h("dt", {}, n), h("dd", {}, v)))),
        ...(zone.constructions?.length ? [h("h4", {}, "Constructions"), h("p", {}, zone.constructions.join(", "))] : []),
        ...(zone.hvac?.length ? [h("h4", {}, "HVAC"), h("p", {}, zone.hvac.join(", "))] : [])),
    );
    card.scrollIntoView({ block: "nearest" });
  }
  // an energy model has nothing else to look at, so its surfaces are shown where there is room beside the list
  if (energy.context.shown()?.kind === "energyplus" && window.innerWidth > 860) openSurfaces(energy);
  return () => {};
}

/** The surfaces in the dock, with a legend that chooses. */
function openSurfaces(energy: Energy): void {
  const { context, host, subject } = energy;
  let scene: Scene | undefined;
  let stop: (() => void) | undefined;
  const dock = openDock(host, `Surfaces of ${subject.name}`, {
    tall: context.shown()?.kind === "energyplus",
    closed: () => {
      stop?.();
      scene?.close();
    },
  });
  let by: ColourBy = "boundary";
  let only: string | undefined;
  stop = awaited(
    dock.body, "Placing the surfaces…",
    async (signal) => {
      const [surfaces, made] = await Promise.all([loadSurfaces(context, subject.model, signal), import("./scene")]);
      return { surfaces, made };
    },
    ({ surfaces, made }) => {
      scene = made.scene(surfaces);
      const legend = h("div", { class: "p-legend" });
      const about = h("div", { class: "p-result", "aria-live": "polite" });
      const draw = () => {
        const groups = surfaceGroups(surfaces, by);
        scene?.colour(new Map(groups.filter((g) => !only || g.name === only).flatMap((g) => g.surfaces.map((s) => [s.name, g.colour] as const))));
        legend.replaceChildren(
          ...groups.map((g) =>
            h(
              "button", { type: "button", class: "p-legend-row", "aria-pressed": String(only === g.name), onclick: () => { only = only === g.name ? undefined : g.name; draw(); } },
              swatch(g.colour), h("span", { class: "words" }, g.name), h("span", { class: "num" }, String(g.surfaces.length)), h("span", { class: "num wide" }, `${number(g.area)} m²`),
            ),
          ),
        );
      };
      scene.picked = (surface) => {
        scene?.choose(new Set(surface ? [surface.name] : []));
        about.replaceChildren(...(surface ? words(surface) : []));
      };
      dock.tools.append(choice("Colour by", BYS, by, (v) => { by = v as ColourBy; only = undefined; draw(); }));
      dock.body.append(h("div", { class: "split" }, scene.element, h("div", { class: "split-side" }, legend, about)));
      draw();
      scene.fit();
    },
  );
}

function words(s: Surface): Node[] {
  const values: [string, string][] = [["Kind", s.kind], ["Zone", s.zone || "None"], ["Boundary", s.boundary ?? "None"], ["Construction", s.construction ?? "Not stated"], ["Area", `${tidy(s.area)} m²`]];
  return [h("h3", {}, s.name), h("dl", { class: "p-values" }, ...values.map(([n, v]) => h("div", {}, h("dt", {}, n), h("dd", {}, v))))];
}
