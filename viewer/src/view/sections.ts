// Planes and a box that cut the model.

import * as THREE from "three";
import { turned } from "./space";
import type { SectionBox, SectionPlane } from "./types";
import type { Part, Viewer } from "./viewer";

export class Sections implements Part {
  readonly name = "sections";
  planes: SectionPlane[] = [];
  box: SectionBox | undefined;
  /** Cuts of a plan, which no handle moves. */
  private more: THREE.Plane[] = [];

  constructor(private readonly viewer: Viewer) {}

  set(planes: SectionPlane[], box?: SectionBox) {
    this.planes = planes.map((p) => ({ ...p }));
    this.box = box;
    this.apply();
    this.viewer.emitter.tell("sections", this.planes, this.box);
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
      for (const [axis, v] of [["x", 0], ["y", 1], ["z", 2]] as const) {
        const n = new THREE.Vector3().setComponent(v, 1);
        out.push(new THREE.Plane(n.clone(), -box.min[axis]), new THREE.Plane(n.negate(), box.max[axis]));
      }
    }
    return [...out, ...this.more];
  }

  private apply() {
    const planes = this.all();
    this.viewer.materials.clip(planes);
    this.viewer.picker.planes = planes;
    this.refresh();
    this.viewer.draw();
  }

  /** What is cut looks otherwise. */
  refresh() {
    this.viewer.draw();
  }
}
