// Values of zones as colours, in the rooms of the building or on the surfaces of the energy model.

import type { Context } from "../../page/context";
import { keyOf } from "../../view/types";
import { NONE, ramp, type Scale } from "../palette";
import type { Scene } from "./scene";
import type { Subject } from "./subject";
import type { Surface } from "./surfaces";

/** Colours are few, so that zones of nearly one value are one group for the view. */
const SHADES = 24;

export interface Painting {
  values(of: Map<string, number>, range: [number, number], scale: Scale): void;
  choose(zone: string | undefined): void;
  clear(): void;
}

/** The shade of a value within a range. */
export function shade(value: number, [min, max]: [number, number], scale: Scale): string {
  const share = max > min ? (value - min) / (max - min) : 0.5;
  return ramp(Math.round(Math.min(Math.max(share, 0), 1) * SHADES) / SHADES, scale);
}

export function inRooms(context: Context, subject: Subject): Painting | undefined {
  const { building } = subject;
  if (!building) return undefined;
  return {
    values(of, range, scale) {
      const groups = new Map<string, string[]>();
      const without: string[] = [];
      for (const [zone, space] of building.spaces) {
        const value = of.get(zone);
        const key = keyOf(building.model, space);
        if (value === undefined) without.push(key);
        else {
          const colour = shade(value, range, scale);
          groups.set(colour, [...(groups.get(colour) ?? []), key]);
        }
      }
      if (without.length > 0) groups.set(NONE, without);
      context.view.colour({ groups: [...groups].map(([colour, keys]) => ({ colour, keys })), others: "ghost" });
    },
    choose(zone) {
      const space = zone && building.spaces.get(zone.toUpperCase());
      context.select(space ? [keyOf(building.model, space)] : []);
    },
    clear: () => context.view.colour(undefined),
  };
}

export function onSurfaces(scene: Scene, surfaces: Surface[]): Painting {
  return {
    values(of, range, scale) {
      const colours = new Map<string, string>();
      for (const s of surfaces) {
        const value = of.get(s.zone.toUpperCase());
        if (value !== undefined) colours.set(s.name, shade(value, range, scale));
      }
      scene.colour(colours);
    },
    choose(zone) {
      scene.choose(new Set(zone ? surfaces.filter((s) => s.zone.toUpperCase() === zone.toUpperCase()).map((s) => s.name) : []));
    },
    clear: () => scene.colour(new Map()),
  };
}
