// Lines of some pixels' width over the model.

import { Color, type Scene, type Vector3 } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Viewer } from "./viewer";

export interface Stroke {
  from: Vector3;
  to: Vector3;
  colour?: number | undefined;
}

export class Strokes {
  private line: LineSegments2 | undefined;
  private readonly material: LineMaterial;

  constructor(
    private readonly viewer: Viewer,
    private readonly scene: Scene,
    width: number,
    dashed = false,
    over = true,
  ) {
    this.material = new LineMaterial({ linewidth: width, vertexColors: true, depthTest: !over, transparent: over, dashed, dashSize: 0.15, gapSize: 0.1, toneMapped: false });
  }

  set(strokes: Stroke[]) {
    this.clear();
    if (strokes.length === 0) return;
    const geometry = new LineSegmentsGeometry();
    geometry.setPositions(strokes.flatMap(({ from, to }) => [from.x, from.y, from.z, to.x, to.y, to.z]));
    const accent = this.viewer.materials.uniforms.accent.value;
    const c = new Color();
    geometry.setColors(strokes.flatMap(({ colour }) => {
      if (colour === undefined) c.copy(accent);
      else c.set(colour);
      return [c.r, c.g, c.b, c.r, c.g, c.b];
    }));
    this.line = new LineSegments2(geometry, this.material);
    if (this.material.dashed) this.line.computeLineDistances();
    this.line.frustumCulled = false;
    this.line.renderOrder = 20;
    this.scene.add(this.line);
  }

  private clear() {
    if (!this.line) return;
    this.scene.remove(this.line);
    this.line.geometry.dispose();
    this.line = undefined;
  }

  dispose() {
    this.clear();
    this.material.dispose();
  }
}
