// Where a plan lies in the model. The answer of create_section does not say it; but a way that is drawn along is drawn at known places, so its
// ends tell. The plan is asked for with a way of two points, and the way is taken out again.

import type { Context } from "../../page/context";
import type { Drawing, Point } from "../../view/types";
import { linked, text, type Linked } from "../server";
import type { Storey } from "../rooms/data";

/** The disc and the tip of the first way in a drawing, in its own units. */
export function wayEnds(svg: string): { from: [number, number]; to: [number, number] } | undefined {
  const paths = [...svg.matchAll(/<path data-layer="route"[^>]*? d="([^"]*)"/g)].map((m) => m[1] ?? "");
  const disc = paths.find((d) => /A/.test(d));
  const arrow = paths.find((d) => /^M[^A]*Z$/.test(d));
  const circle = disc && /^M(-?[\d.]+)[ ,](-?[\d.]+)A[\d. ,]+? 0 [01] [01] (-?[\d.]+)[ ,](-?[\d.]+)/.exec(disc);
  const tip = arrow && /^M(-?[\d.]+)[ ,](-?[\d.]+)/.exec(arrow);
  if (!circle || !tip) return undefined;
  const [ax, ay, bx, by] = circle.slice(1).map(Number) as [number, number, number, number];
  return { from: [(ax + bx) / 2, (ay + by) / 2], to: [Number(tip[1]), Number(tip[2])] };
}

/** The placement of a drawing without turns in which two places of the world, metres, are at two of the paper. */
export function placed(world: [Point, Point], paper: { from: [number, number]; to: [number, number] }, z: number): Omit<Drawing, "svg"> | undefined {
  const [dx, dy] = [paper.to[0] - paper.from[0], paper.to[1] - paper.from[1]];
  if (Math.abs(dx) < 1e-6 || Math.abs(dy) < 1e-6) return undefined;
  const sx = (world[1][0] - world[0][0]) / dx;
  const sy = (world[1][1] - world[0][1]) / dy;
  // a plan is drawn to one scale, and its y goes down
  if (!(sx > 0) || Math.abs(sx + sy) > sx * 0.02) return undefined;
  return { origin: [world[0][0] - paper.from[0] * sx, world[0][1] - paper.from[1] * sy, z], x: [sx, 0, 0], y: [0, sy, 0] };
}

/** A drawing without its paper, its way and its title, so that the model is seen through it. */
export function stripped(svg: string): string {
  const document = new DOMParser().parseFromString(svg, "image/svg+xml");
  for (const element of Array.from(document.querySelectorAll('[data-layer="route"], [data-layer="title-block"], svg > rect'))) element.remove();
  return new XMLSerializer().serializeToString(document);
}

/** The plan of a storey and where it lies. */
export async function planOver(context: Context, storey: Storey, scale: number, signal?: AbortSignal): Promise<Drawing> {
  const extent = context.view.extent();
  if (!extent) throw new Error("Nothing of the model is in view yet.");
  const at = (share: number): Point => [
    extent.min[0] + (extent.max[0] - extent.min[0]) * share, extent.min[1] + (extent.max[1] - extent.min[1]) * share, storey.elevation,
  ];
  const world: [Point, Point] = [at(0.4), at(0.6)];
  const answer = await context.call<Linked<object>>(
    "create_section",
    { cut_plane: { level_id: storey.id }, scale, dimensions: false, path: world.map((p) => p.map((v) => v * 1000)) },
    signal,
  );
  const link = linked(answer, ".svg");
  const svg = link && (await text(link, signal));
  const ends = svg ? wayEnds(svg) : undefined;
  const where = ends && placed(world, ends, storey.elevation);
  if (!svg || !where) throw new Error("The drawing does not tell where it lies in the model.");
  return { svg: stripped(svg), ...where };
}
