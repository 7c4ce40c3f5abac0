// A plan laid over the model, where create_section says that its paper lies.

import type { Context } from "../../page/context";
import type { Drawing, Point } from "../../view/types";
import { linked, text, type Linked } from "../server";
import type { Storey } from "../rooms/data";

/** Where paper lies in the world: its upper left corner in mm, and mm of the world by a mm of paper to the right and down. */
export interface Placement {
  corner: Point;
  right: Point;
  down: Point;
}

/** The placement in metres, on a floor. */
export function onFloor({ corner, right, down }: Placement, z: number): Omit<Drawing, "svg"> {
  const metres = (p: Point): Point => [p[0] / 1000, p[1] / 1000, p[2] / 1000];
  const [x, y] = metres(corner);
  return { origin: [x, y, z], x: metres(right), y: metres(down) };
}

/** A drawing without its paper and its title, so that the model is seen through it. */
export function stripped(svg: string): string {
  const document = new DOMParser().parseFromString(svg, "image/svg+xml");
  for (const element of Array.from(document.querySelectorAll('[data-layer="title-block"], svg > rect'))) element.remove();
  return new XMLSerializer().serializeToString(document);
}

/** The plan of a storey and where it lies. */
export async function planOver(context: Context, storey: Storey, scale: number, signal?: AbortSignal): Promise<Drawing> {
  const answer = await context.call<Linked<{ placement?: Placement }>>(
    "create_section",
    { cut_plane: { level_id: storey.id }, scale, dimensions: false },
    signal,
  );
  const link = linked(answer, ".svg");
  const svg = link && (await text(link, signal));
  if (!svg || !answer.placement) throw new Error("The drawing does not tell where it lies in the model.");
  return { svg: stripped(svg), ...onFloor(answer.placement, storey.elevation) };
}
