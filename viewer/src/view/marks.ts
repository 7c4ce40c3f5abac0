// Places that a person points out to an agent: points with a number, lines.

import { h } from "../dom";
import type { Task } from "./draft";
import type { Label, Labels } from "./labels";
import { Strokes, type Stroke } from "./strokes";
import type { Mark } from "./types";
import type { Viewer } from "./viewer";

const RED = 0xd6402b;
const name = () => (crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2));

export class Marks {
  all: Mark[] = [];
  private readonly strokes: Strokes;
  private shown: Label[] = [];

  constructor(
    private readonly viewer: Viewer,
    private readonly labels: Labels,
  ) {
    this.strokes = new Strokes(viewer, viewer.over, 3);
  }

  set(all: Mark[]) {
    this.all = all;
    for (const label of this.shown) this.labels.remove(label);
    this.shown = [];
    const strokes: Stroke[] = [];
    all.forEach((mark, i) => {
      const p = mark.points.map((v) => this.viewer.space.to(v));
      p.slice(1).forEach((to, k) => strokes.push({ from: p[k]!, to, colour: RED }));
      if (!p[0]) return;
      this.shown.push(this.labels.add(h("div", { class: "view-mark", title: `Mark ${i + 1}` }, String(i + 1)), p[0]));
    });
    this.strokes.set(strokes);
    this.viewer.draw();
  }

  task(kind: Mark["kind"]): Task {
    return {
      count: kind === "point" ? 1 : undefined,
      least: kind === "point" ? 1 : 2,
      closed: false,
      says: (points) => `${points.slice(1).reduce((sum, p, i) => sum + p.distanceTo(points[i]!), 0).toFixed(2)} m`,
      done: (points) => {
        const on = points.map((s) => this.viewer.keyOf(s.struck));
        this.set([...this.all, { id: name(), kind, points: points.map((s) => this.viewer.space.from(s.point)), on }]);
        this.viewer.emitter.tell("marked", this.all);
      },
    };
  }

  dispose() {
    this.strokes.dispose();
  }
}
