// Clicking places one after another, for measurements and marks: with snapping, a line that follows the pointer, and keys to end or undo.

import * as THREE from "three";
import { h } from "../dom";
import type { Label, Labels } from "./labels";
import type { Place } from "./pointer";
import { snap, type Snapped } from "./snap";
import { Strokes, type Stroke } from "./strokes";
import type { Part, Viewer } from "./viewer";

export interface Task {
  /** How many places it takes; undefined for as many as one likes, ended by a double click or Enter. */
  count: number | undefined;
  /** Fewer make nothing. */
  least: number;
  closed: boolean;
  /** What is said at the pointer while it is drawn. */
  says(points: THREE.Vector3[]): string;
  done(points: Snapped[]): void;
}

const SIGNS = { vertex: "view-snap vertex", edge: "view-snap edge", face: "view-snap face" } as const;

export class Draft implements Part {
  private task: Task | undefined;
  private points: Snapped[] = [];
  private next: Snapped | undefined;
  private readonly strokes: Strokes;
  private readonly sign: Label;
  private readonly text: Label;
  private readonly keys = (e: KeyboardEvent) => this.key(e);

  constructor(
    private readonly viewer: Viewer,
    labels: Labels,
  ) {
    this.strokes = new Strokes(viewer, viewer.over, 2);
    this.sign = labels.add(h("div", { class: "view-snap" }), new THREE.Vector3());
    this.text = labels.add(h("div", { class: "view-measure draft" }), new THREE.Vector3());
    this.sign.hidden = this.text.hidden = true;
    document.addEventListener("keydown", this.keys);
  }

  start(task: Task | undefined) {
    this.task = task;
    this.points = [];
    this.next = undefined;
    this.viewer.canvas.style.cursor = task ? "crosshair" : "";
    this.draw();
  }

  click(at: Place): boolean {
    if (!this.task) return false;
    const found = snap(this.viewer, at);
    if (!found) return true;
    // back on the first one: an area is closed
    if (this.task.closed && this.points.length >= this.task.least && found.point.distanceTo(this.points[0]!.point) < 1e-3) {
      this.end();
      return true;
    }
    this.points.push(found);
    if (this.points.length === this.task.count) this.end();
    else this.draw();
    return true;
  }

  double(at: Place): boolean {
    if (!this.task) return false;
    if (this.task.count === undefined) this.end();
    else this.click(at);
    return true;
  }

  hover(at: Place | undefined): boolean {
    if (!this.task) return false;
    this.next = at && snap(this.viewer, at);
    this.draw();
    return true;
  }

  private key(e: KeyboardEvent) {
    if (!this.task || (e.target as Element | null)?.closest?.("input, textarea, select, [contenteditable]")) return;
    if (e.key === "Enter" && this.points.length >= this.task.least) this.end();
    else if (e.key === "Backspace" && this.points.length > 0) {
      this.points.pop();
      this.draw();
    } else return;
    e.preventDefault();
  }

  private end() {
    const { task, points } = this;
    this.points = [];
    this.next = undefined;
    if (task && points.length >= task.least) task.done(points);
    this.draw();
  }

  private draw() {
    const { next, task } = this;
    const all = [...this.points.map((p) => p.point), ...(next && task ? [next.point] : [])];
    const strokes: Stroke[] = all.slice(1).map((to, i) => ({ from: all[i]!, to }));
    if (task?.closed && all.length > 2) strokes.push({ from: all.at(-1)!, to: all[0]! });
    this.strokes.set(strokes);
    this.sign.hidden = !next;
    this.text.hidden = !task || all.length < 2;
    if (next) {
      this.sign.element.className = SIGNS[next.kind];
      this.sign.at.copy(next.point);
    }
    if (task && all.length > 1) {
      this.text.element.textContent = task.says(all);
      this.text.at.copy(all.at(-1)!).lerp(all.at(-2)!, 0.5);
      if (task.closed) this.text.at.copy(all.reduce((s, p) => s.add(p), new THREE.Vector3()).divideScalar(all.length));
    }
    this.viewer.draw();
  }

  dispose() {
    document.removeEventListener("keydown", this.keys);
    this.strokes.dispose();
  }
}
