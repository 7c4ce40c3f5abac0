// From IFC's coordinates (z up, far from nought) to those of the picture (y up, near nought) and back.

import { Box3, Vector3 } from "three";
import type { Point } from "./types";

export class Space {
  /** What lies at nought in the picture: whole metres, set by the first model. */
  private origin: Point | undefined;

  get base(): Point {
    return this.origin ?? [0, 0, 0];
  }

  settle(at: Point) {
    this.origin ??= at.map(Math.floor) as Point;
  }

  forget() {
    this.origin = undefined;
  }

  to(p: Point, into = new Vector3()): Vector3 {
    const [x, y, z] = this.base;
    return into.set(p[0] - x, p[2] - z, -(p[1] - y));
  }

  from(v: Vector3): Point {
    const [x, y, z] = this.base;
    return [v.x + x, -v.z + y, v.y + z];
  }

  box(min: Point, max: Point): Box3 {
    return new Box3().setFromPoints([this.to(min), this.to(max)]);
  }

  corners(box: Box3): { min: Point; max: Point } {
    const [a, b] = [this.from(box.min), this.from(box.max)];
    return { min: [a[0], b[1], a[2]], max: [b[0], a[1], b[2]] };
  }
}

/** Directions have no origin. */
export const turned = (p: Point): Vector3 => new Vector3(p[0], p[2], -p[1]);
export const turnedBack = (v: Vector3): Point => [v.x, -v.z || 0, v.y];
