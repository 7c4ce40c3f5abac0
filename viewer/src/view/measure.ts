// Measurements that stand in the view, and the making of them.

import * as THREE from "three";
import { h } from "../dom";
import type { Task } from "./draft";
import { said, valueOf } from "./geometry";
import type { Label, Labels } from "./labels";
import type { Snapped } from "./snap";
import { Strokes, type Stroke } from "./strokes";
import type { Measurement, Point } from "./types";
import type { Viewer } from "./viewer";

const name = () => (crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2));
const LEAST = { distance: 2, angle: 3, area: 3, height: 1 } as const;

export class Measures {
  all: Measurement[] = [];
  private readonly strokes: Strokes;
  private shown: Label[] = [];

  constructor(
    private readonly viewer: Viewer,
    private readonly labels: Labels,
  ) {
    this.strokes = new Strokes(viewer, viewer.over, 2);
  }

  set(all: Measurement[]) {
    this.all = all;
    this.draw();
  }

  task(kind: Measurement["kind"]): Task {
    const { space } = this.viewer;
    return {
      count: kind === "area" ? undefined : LEAST[kind],
      least: LEAST[kind],
      closed: kind === "area",
      says: (points) => {
        const p = points.map((v) => space.from(v));
        if (kind === "angle" && p.length < 3) return said("distance", valueOf("distance", p));
        if (kind === "area" && p.length < 3) return said("distance", valueOf("distance", p));
        return said(kind, valueOf(kind, p));
      },
      done: (points) => this.done(kind, points),
    };
  }

  private done(kind: Measurement["kind"], snapped: Snapped[]) {
    const points = snapped.map((s) => s.point.clone());
    const snaps = snapped.map((s) => s.kind);
    if (kind === "height") {
      const other = this.opposite(snapped[0]!);
      if (!other) return;
      points.push(other);
      snaps.push("face");
    }
    const places = points.map((p) => this.viewer.space.from(p));
    this.all = [...this.all, { id: name(), kind, points: places, value: valueOf(kind, places), snaps }];
    this.draw();
    this.viewer.emitter.tell("measured", this.all);
  }

  /** What lies over a floor, or under a ceiling. */
  private opposite({ struck, point }: Snapped): THREE.Vector3 | undefined {
    const cast = (sign: number) => {
      const direction = new THREE.Vector3(0, sign, 0);
      return this.viewer.picker.cast(new THREE.Ray(point.clone().addScaledVector(direction, 0.01), direction), { accept: (_t, _i, kind) => kind !== "space" })?.point;
    };
    if (struck.normal.y > 0.5) return cast(1);
    if (struck.normal.y < -0.5) return cast(-1);
    return cast(-1) ?? cast(1);
  }

  private draw() {
    for (const label of this.shown) this.labels.remove(label);
    this.shown = [];
    const strokes: Stroke[] = [];
    const { space } = this.viewer;
    for (const m of this.all) {
      const p = m.points.map((v: Point) => space.to(v));
      p.slice(1).forEach((to, i) => strokes.push({ from: p[i]!, to }));
      if (m.kind === "area" && p.length > 2) strokes.push({ from: p.at(-1)!, to: p[0]! });
      const at = m.kind === "angle" ? p[1]! : p.reduce((s, v) => s.add(v), new THREE.Vector3()).divideScalar(p.length || 1);
      const text = said(m.kind, m.value);
      const remove = h("button", { type: "button", class: "view-measure", title: `${m.kind}: ${text}. Click to take it away` }, text);
      remove.addEventListener("click", () => {
        this.set(this.all.filter((o) => o.id !== m.id));
        this.viewer.emitter.tell("measured", this.all);
      });
      this.shown.push(this.labels.add(remove, at));
      for (const v of p) this.shown.push(this.labels.add(h("div", { class: "view-end" }), v));
    }
    this.strokes.set(strokes);
    this.viewer.draw();
  }

  dispose() {
    this.strokes.dispose();
  }
}
