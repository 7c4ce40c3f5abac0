// What a link lays over the model: coloured floors, a way, elements; in the plan of a storey or over the whole building.

import * as THREE from "three";
import { Layer } from "./layer";
import { readOverlay } from "./overlay";
import type { Plan } from "./plan";
import { keyOf } from "./types";
import type { Part, Viewer } from "./viewer";

export class Lay implements Part {
  private readonly layer: Layer;
  private planned = false;
  /** What the camera was brought to last: the same floors in other colours do not move it. */
  private fitted = "";

  constructor(
    private readonly viewer: Viewer,
    private readonly plan: Plan,
  ) {
    this.layer = new Layer(viewer.host);
    viewer.over.add(this.layer.group);
  }

  set(document: unknown) {
    const { viewer } = this;
    const overlay = readOverlay(document);
    const [x, y, z] = viewer.space.base;
    this.layer.show(overlay, new THREE.Vector3(x, z, -y));
    const elements = new Set(overlay?.elements);
    viewer.looks.highlighted = new Set([...viewer.models.all.keys()].flatMap((model) => [...elements].map((id) => keyOf(model, id))));
    const whole = overlay !== undefined && overlay.cut === undefined && overlay.rooms.length + overlay.path.length > 0;
    viewer.looks.faint = whole;
    viewer.changedLooks();
    if (overlay?.cut !== undefined) {
      // rooms lie on their floor; without any, the floor is where the way runs
      const floor = overlay.rooms[0]?.height ?? overlay.path[0]?.[2] ?? overlay.min[2];
      this.plan.show({ elevation: Math.min(floor, overlay.cut), cut: overlay.cut });
      this.planned = true;
    } else if (this.planned) {
      this.plan.show(undefined);
      this.planned = false;
    }
    const place = overlay ? JSON.stringify([overlay.min, overlay.max, overlay.cut]) : "";
    if (overlay && place !== this.fitted) {
      const box = viewer.space.box(overlay.min, overlay.max).expandByScalar(1);
      viewer.rig.fit(box, overlay.cut === undefined ? "iso" : "top", true);
    }
    this.fitted = place;
    viewer.draw();
  }

  after(camera: THREE.Camera) {
    this.layer.place(camera, this.viewer.width, this.viewer.height);
  }
}
