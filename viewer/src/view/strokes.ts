// Lines of some pixels' width over the model.

import { Color, type Scene, type Vector3 } from "three";
import type { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import type { Viewer } from "./viewer";

export interface Stroke {
  from: Vector3;
  to: Vector3;
  colour?: number | undefined;
}

export class Strokes {
  private line: LineSegments2 | undefined;
  private material: LineMaterial | undefined;
  private asked = 0;

  constructor(
    private readonly viewer: Viewer,
    private readonly scene: Scene,
    private readonly width: number,
    private readonly dashed = false,
    private readonly over = true,
  ) {}

  set(strokes: Stroke[]) {
    const asked = ++this.asked;
    if (strokes.length === 0) this.clear();
    else void import("./wide").then((wide) => {
      // of two that come while the code is fetched the later one holds
      if (asked === this.asked) this.lay(strokes, wide);
    });
  }

  private lay(strokes: Stroke[], { LineMaterial, LineSegments2, LineSegmentsGeometry }: typeof import("./wide")) {
    const { over, dashed } = this;
    this.clear();
    this.material ??= new LineMaterial({ linewidth: this.width, vertexColors: true, depthTest: !over, transparent: over, dashed, dashSize: 0.15, gapSize: 0.1, toneMapped: false });
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
    if (dashed) this.line.computeLineDistances();
    this.line.frustumCulled = false;
    this.line.renderOrder = 20;
    this.scene.add(this.line);
    this.viewer.draw();
  }

  private clear() {
    if (!this.line) return;
    this.scene.remove(this.line);
    this.line.geometry.dispose();
    this.line = undefined;
  }

  dispose() {
    this.asked++;
    this.clear();
    this.material?.dispose();
  }
}
