// Planes and a box that cut the model, with handles to move them and caps where they cut.

import * as THREE from "three";
import type { Caps } from "./caps";
import { cornersOf } from "./fit";
import { Handles } from "./handles";
import type { Labels } from "./labels";
import { turned, turnedBack } from "./space";
import { Strokes, type Stroke } from "./strokes";
import type { Place } from "./pointer";
import type { Point, SectionBox, SectionPlane } from "./types";
import type { Part, Viewer } from "./viewer";

/** Caps that take longer than this are made only once a plane stands still. */
const LIVE_MS = 25;
const SIDES = ["x", "y", "z"] as const;

export class Sections implements Part {
  planes: SectionPlane[] = [];
  box: SectionBox | undefined;
  /** A click puts a plane. */
  placing = false;
  /** Cuts of a plan, which no handle moves. */
  private more: THREE.Plane[] = [];
  /** Loaded with the first cut. */
  private caps: Caps | undefined;
  private loading = false;
  private readonly handles: Handles;
  private readonly frame: Strokes;
  private stale = false;

  constructor(
    private readonly viewer: Viewer,
    labels: Labels,
    private readonly placed: () => void,
  ) {
    this.handles = new Handles(viewer, labels);
    this.frame = new Strokes(viewer, viewer.over, 1.5);
  }

  set(planes: SectionPlane[], box?: SectionBox) {
    this.planes = planes.map((p) => ({ ...p }));
    this.box = box && { min: [...box.min], max: [...box.max] };
    this.apply();
    this.grips();
    this.tell();
  }

  private tell() {
    this.viewer.emitter.tell("sections", this.planes.map((p) => ({ ...p })), this.box && { ...this.box });
  }

  /** Cuts beside those of the person. */
  also(planes: THREE.Plane[]) {
    this.more = planes;
    this.apply();
  }

  /** All planes; what lies in the direction of their normals stays. */
  all(): THREE.Plane[] {
    const { space } = this.viewer;
    const out = this.planes.map((p) => new THREE.Plane().setFromNormalAndCoplanarPoint(turned(p.normal).normalize().negate(), space.to(p.point)));
    if (this.box) {
      const box = space.box(this.box.min, this.box.max);
      SIDES.forEach((axis, v) => {
        const n = new THREE.Vector3().setComponent(v, 1);
        out.push(new THREE.Plane(n.clone(), -box.min[axis]), new THREE.Plane(n.negate(), box.max[axis]));
      });
    }
    return [...out, ...this.more];
  }

  private apply(moving = false) {
    const planes = this.all();
    this.viewer.materials.clip(planes);
    this.viewer.picker.planes = planes;
    // while a big model's plane moves, its cut faces follow when it stands still
    this.stale = moving && (this.caps?.took ?? 0) > LIVE_MS;
    if (this.caps) this.caps.set(this.stale ? [] : planes, !this.stale);
    else if (planes.length > 0) void this.load();
    this.outline();
    this.viewer.stage.shade();
    this.viewer.draw();
  }

  private async load() {
    if (this.loading) return;
    this.loading = true;
    try {
      const { Caps } = await import("./caps");
      if (this.viewer.disposed) return;
      this.caps = new Caps(this.viewer);
      this.refresh();
    } finally {
      this.loading = false;
    }
  }

  /** What is cut looks otherwise, or there is more of it. */
  refresh() {
    const planes = this.all();
    if (planes.length > 0) this.caps?.set(planes, true);
    this.viewer.draw();
  }

  /** Square metres of all cut faces. */
  area(): number {
    return this.caps?.area() ?? 0;
  }

  click(at: Place): boolean {
    if (!this.placing) return false;
    const struck = this.viewer.cast(at);
    if (!struck) return true;
    // a little inside of what was clicked, so that a cut is seen at once
    const point = struck.point.clone().addScaledVector(struck.normal, -0.15);
    this.set([...this.planes, { point: this.viewer.space.from(point), normal: turnedBack(struck.normal) }], this.box);
    this.placed();
    return true;
  }

  /** The middle of the part of a plane that lies in the model. */
  private middle(plane: THREE.Plane): { corners: THREE.Vector3[]; at: THREE.Vector3 } {
    const box = this.viewer.bounds();
    const all = cornersOf(box.clone().expandByScalar(0.4));
    const corners: THREE.Vector3[] = [];
    for (let i = 0; i < 8; i++) for (const bit of [1, 2, 4]) {
      if (i & bit) continue;
      const hit = plane.intersectLine(new THREE.Line3(all[i]!, all[i | bit]!), new THREE.Vector3());
      if (hit) corners.push(hit);
    }
    const at = corners.reduce((sum, c) => sum.add(c), new THREE.Vector3()).divideScalar(corners.length || 1);
    const axis = corners[0]?.clone().sub(at).normalize() ?? new THREE.Vector3(1, 0, 0);
    const other = new THREE.Vector3().crossVectors(plane.normal, axis);
    const angle = (p: THREE.Vector3) => Math.atan2(p.clone().sub(at).dot(other), p.clone().sub(at).dot(axis));
    return { corners: corners.sort((a, b) => angle(a) - angle(b)), at };
  }

  private outline() {
    const { space } = this.viewer;
    const strokes: Stroke[] = [];
    this.planes.forEach((p) => {
      const { corners } = this.middle(new THREE.Plane().setFromNormalAndCoplanarPoint(turned(p.normal).normalize(), space.to(p.point)));
      corners.forEach((from, i) => strokes.push({ from, to: corners[(i + 1) % corners.length]! }));
    });
    if (this.box) {
      const c = cornersOf(space.box(this.box.min, this.box.max));
      for (let i = 0; i < 8; i++) for (const bit of [1, 2, 4]) if (!(i & bit)) strokes.push({ from: c[i]!, to: c[i | bit]! });
    }
    this.frame.set(strokes);
  }

  /** Makes the handles. */
  private grips() {
    const focused = this.handles.index();
    this.handles.clear();
    const { space } = this.viewer;
    const grip = (name: string, at: THREE.Vector3, direction: THREE.Vector3, move: (by: number) => void, removed?: () => void) => {
      const start = at.clone();
      this.handles.add({
        at, direction, name, removed,
        moved: (by, done) => {
          move(by);
          at.copy(start).addScaledVector(direction, by);
          this.apply(!done);
          if (!done) return;
          this.grips();
          this.tell();
        },
      });
    };
    this.planes.forEach((p, i) => {
      const direction = turned(p.normal).normalize();
      const from = space.to(p.point);
      const { at } = this.middle(new THREE.Plane().setFromNormalAndCoplanarPoint(direction, from));
      grip(`Section plane ${i + 1}`, at, direction, (by) => (p.point = space.from(from.clone().addScaledVector(direction, by))), () => this.set(this.planes.filter((q) => q !== p), this.box));
    });
    const box = this.box;
    if (box) {
      const { min, max } = { min: [...box.min] as Point, max: [...box.max] as Point };
      const centre = min.map((v, k) => (v + max[k]!) / 2) as Point;
      for (const k of [0, 1, 2] as const) for (const upper of [false, true]) {
        const at = [...centre] as Point;
        at[k] = upper ? max[k] : min[k];
        const normal: Point = [0, 0, 0];
        normal[k] = upper ? 1 : -1;
        const name = `Section box, ${upper ? "upper" : "lower"} ${SIDES[k]}`;
        grip(name, space.to(at), turned(normal), (by) => {
          if (upper) box.max[k] = Math.max(box.min[k] + 0.05, max[k] + by);
          else box.min[k] = Math.min(box.max[k] - 0.05, min[k] - by);
        }, () => this.set(this.planes));
      }
    }
    if (focused >= 0) this.handles.focus(focused);
  }

  dispose() {
    this.caps?.dispose();
    this.frame.dispose();
  }
}
