// The plan of a storey: from straight above, without what lies over the cut.

import * as THREE from "three";
import type { Sections } from "./sections";
import type { Camera } from "./types";
import type { Viewer } from "./viewer";

/** So much of what carries the storey is still seen. */
const BELOW = 0.6;

export class Plan {
  private before: Camera | undefined;
  shown: { elevation: number; cut: number } | undefined;

  constructor(
    private readonly viewer: Viewer,
    private readonly sections: Sections,
  ) {}

  show(storey: { elevation: number; cut: number } | undefined) {
    const { rig, space } = this.viewer;
    const again = this.shown !== undefined;
    this.shown = storey;
    this.viewer.stage.plan(storey !== undefined);
    if (!storey) {
      if (!again) return;
      this.sections.also([]);
      rig.mouse(false);
      if (this.before) rig.look(this.before, true);
      this.before = undefined;
      return;
    }
    if (!again) this.before = rig.get();
    const height = (z: number) => z - space.base[2];
    this.sections.also([
      new THREE.Plane(new THREE.Vector3(0, -1, 0), height(storey.cut)),
      new THREE.Plane(new THREE.Vector3(0, 1, 0), -height(storey.elevation - BELOW)),
    ]);
    rig.project("orthographic");
    rig.mouse(true);
    if (again) return;
    const box = this.viewer.bounds().clone();
    box.min.y = height(storey.elevation);
    box.max.y = height(storey.cut);
    rig.fit(box, "top", true);
  }
}
