// Rooms and ways in the 3D view. Rooms that the file states are coloured as bodies; those that were found between walls have no element, so
// their floors are laid over. Both parts of the panel share one painter, for the view has one overlay.

import type { Context } from "../../page/context";
import { keyOf, type Point } from "../../view/types";
import type { Rooms } from "./data";
import type { Group } from "./groups";

export interface Painter {
  rooms(groups: Group[] | undefined, only?: Set<string>): void;
  /** Metres. */
  way(path: Point[] | undefined): void;
  plan(elevation: number | undefined): void;
  clear(): void;
}

/** Height over the floor at which a storey's plan is cut, metres. */
export const CUT = 1.2;

export function painter(context: Context, of: () => Rooms | undefined): Painter {
  let groups: Group[] | undefined;
  let only: Set<string> | undefined;
  let path: Point[] | undefined;
  let coloured = false;
  let laid = false;
  let planned = false;

  function draw(): void {
    const { view } = context;
    const shown = context.shown();
    const all = of();
    if (!shown || !all) return;
    const byId = new Map(all.rooms.map((r) => [r.id, r]));
    // a terrace as a body over the roof would hide the house
    const wanted = (id: string) => (!only || only.has(id)) && !byId.get(id)?.outdoors;
    if (groups) {
      const bodies = groups.map((g) => ({
        colour: g.colour,
        keys: g.ids.filter((id) => wanted(id) && !byId.get(id)?.found).map((id) => keyOf(shown.model, id)),
      }));
      view.colour({ groups: bodies.filter((g) => g.keys.length > 0), others: "ghost" });
      coloured = true;
    } else if (path) {
      // a way through closed walls is seen only where they are faint
      view.colour({ groups: [], others: "ghost" });
      coloured = true;
    } else if (coloured) {
      view.colour(undefined);
      coloured = false;
    }
    const floors = (groups ?? []).flatMap((g) =>
      g.ids
        .filter((id) => wanted(id) && byId.get(id)?.found)
        .flatMap((id) => {
          const floor = all.floors.get(id);
          return floor ? [{ ...floor, colour: g.colour }] : [];
        }),
    );
    if (floors.length > 0 || path) {
      const places = [...floors.flatMap((f) => f.points.map(([x, y]): Point => [x, y, f.height])), ...(path ?? [])];
      const bound = (pick: (...v: number[]) => number) => [0, 1, 2].map((k) => places.reduce((m, p) => pick(m, p[k] ?? m), places[0]?.[k] ?? 0)) as Point;
      view.overlay({ min: bound(Math.min), max: bound(Math.max), elements: [], legend: [], rooms: floors, path: path ?? [] });
      laid = true;
    } else if (laid) {
      view.overlay(undefined);
      laid = false;
    }
  }

  return {
    rooms(next, some) {
      groups = next;
      only = some;
      draw();
    },
    way(next) {
      context.view.play(undefined);
      path = next;
      draw();
    },
    plan(elevation) {
      if (elevation === undefined && !planned) return;
      planned = elevation !== undefined;
      context.view.plan(elevation === undefined ? undefined : { elevation, cut: elevation + CUT });
    },
    clear() {
      context.view.play(undefined);
      groups = path = only = undefined;
      draw();
      this.plan(undefined);
    },
  };
}
