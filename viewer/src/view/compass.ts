// The cube that shows how one looks at the model, north, and the scale. Its faces are buttons: standard views by click or keyboard.

import { Vector3 } from "three";
import { h } from "../dom";
import type { Side } from "./types";
import type { Part, Viewer } from "./viewer";

const HALF = 22;
/** The radius of the ring with north on it. */
const RING = 58;
const FACES: { side: Side; says: string; turn: string }[] = [
  { side: "front", says: "Front", turn: "" },
  { side: "back", says: "Back", turn: "rotateY(180deg)" },
  { side: "right", says: "Right", turn: "rotateY(90deg)" },
  { side: "left", says: "Left", turn: "rotateY(-90deg)" },
  { side: "top", says: "Top", turn: "rotateX(90deg)" },
  { side: "bottom", says: "Bottom", turn: "rotateX(-90deg)" },
];

/** Round lengths that a scale bar may have. */
export function round(metres: number): number {
  const power = 10 ** Math.floor(Math.log10(metres));
  const lead = metres / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

export class Compass implements Part {
  private readonly cube = h("div", { class: "view-cube" });
  private readonly ring: HTMLElement;
  private readonly north = h("span", { class: "view-north", "aria-hidden": "true" }, "N");
  private readonly bar = h("span", { class: "view-scale-bar" });
  private readonly length = h("span", {});
  private readonly host: HTMLElement;
  private drawn = "";

  constructor(
    private readonly viewer: Viewer,
    turn: (side: Side) => void,
  ) {
    for (const { side, says, turn: transform } of FACES) {
      const face = h("button", { type: "button", title: `View from ${side === "top" ? "above" : side === "bottom" ? "below" : `the ${side}`}` }, says);
      face.style.transform = `${transform} translateZ(${HALF}px)`;
      face.addEventListener("click", () => turn(side));
      this.cube.append(face);
    }
    this.ring = h("div", { class: "view-ring", "aria-hidden": "true" });
    this.ring.style.transform = `rotateX(90deg) translateZ(${-HALF - 12}px)`;
    this.cube.append(this.ring);
    const home = h("button", { type: "button", class: "view-home", title: "View from the corner" }, "Corner");
    home.addEventListener("click", () => turn("iso"));
    this.host = h("div", { class: "view-compass", role: "group", "aria-label": "Orientation" }, h("div", { class: "view-cube-room" }, this.cube, this.north), home, h("div", { class: "view-scale" }, this.bar, this.length));
    viewer.host.append(this.host);
  }

  after() {
    const { rig } = this.viewer;
    const e = rig.camera.matrixWorldInverse.elements;
    // the page's y goes down
    const m = [e[0], -e[1], e[2], 0, -e[4], e[5], -e[6], 0, e[8], -e[9], e[10], 0, 0, 0, 0, 1].map((v) => (v ?? 0).toFixed(4)).join(",");
    if (m !== this.drawn) {
      this.cube.style.transform = `matrix3d(${m})`;
      // beside the cube, before or behind it
      const [y, z] = [-HALF - 12, -RING];
      const [nx, ny, nz] = [0, 1, 2].map((k) => e[4 + k]! * y + e[8 + k]! * z) as [number, number, number];
      const near = 420 / (420 - nz);
      // seen along the ground, north would stand in the middle and say nothing
      this.north.style.opacity = Math.min(1, Math.max(0, Math.abs(e[6]!) * 6 - 0.3) + Math.max(0, Math.abs(nx) / 20 - 1)).toFixed(2);
      this.north.style.zIndex = nz < 0 ? "-1" : "1";
      this.north.style.transform = `translate(${(nx * near).toFixed(1)}px, ${(-ny * near).toFixed(1)}px)`;
    }
    this.drawn = m;
    const distance = rig.isPerspective ? rig.camera.position.distanceTo(rig.controls.getTarget(new Vector3())) : 1;
    const pixel = rig.pixel() * distance;
    const metres = round(pixel * 92);
    const width = `${(metres / pixel).toFixed(0)}px`;
    if (this.bar.style.width !== width) this.bar.style.width = width;
    const text = metres < 1 ? `${Math.round(metres * 100)} cm` : metres >= 1000 ? `${metres / 1000} km` : `${metres} m`;
    if (this.length.textContent !== text) this.length.textContent = text;
  }

  dispose() {
    this.host.remove();
  }
}
