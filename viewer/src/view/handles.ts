// Things to take hold of: each moves along one direction, by pointer or arrow keys.

import * as THREE from "three";
import { h, icon } from "../dom";
import type { Label, Labels } from "./labels";
import type { Viewer } from "./viewer";

export interface HandleOptions {
  at: THREE.Vector3;
  direction: THREE.Vector3;
  name: string;
  /** So far from where it began, in metres; `done` at the end of a movement. */
  moved(by: number, done: boolean): void;
  removed?: (() => void) | undefined;
}

const STEP = 0.1;

export class Handles {
  private readonly labels: Label[] = [];

  constructor(
    private readonly viewer: Viewer,
    private readonly layer: Labels,
  ) {}

  add(o: HandleOptions): Label {
    const button = h("button", { class: "view-handle", type: "button", title: `${o.name}: drag, or arrow keys${o.removed ? "; Delete takes it away" : ""}`, "aria-label": o.name }, icon("chevron"));
    const label = this.layer.add(button, o.at);
    this.labels.push(label);
    const { viewer } = this;
    /** How many pixels right and down a metre is here. */
    const scale = (): THREE.Vector2 => {
      const [a, b] = [viewer.screen(o.at), viewer.screen(o.at.clone().add(o.direction))];
      return a && b ? new THREE.Vector2(b.x - a.x, b.y - a.y) : new THREE.Vector2();
    };
    const turn = () => {
      const s = scale();
      (button.firstElementChild as SVGElement).style.transform = `rotate(${Math.atan2(s.y, s.x)}rad)`;
    };
    turn();
    button.addEventListener("pointerdown", (e) => {
      e.preventDefault();
      e.stopPropagation();
      button.focus();
      button.setPointerCapture(e.pointerId);
      const from = new THREE.Vector2(e.clientX, e.clientY);
      const s = scale();
      let by = 0;
      const move = (m: PointerEvent) => {
        const square = s.lengthSq();
        // seen along its direction it cannot be pulled: up and down of the pointer has to do
        const d = new THREE.Vector2(m.clientX, m.clientY).sub(from);
        by = square > 16 ? d.dot(s) / square : -d.y * viewer.rig.pixel() * (viewer.rig.isPerspective ? viewer.rig.camera.position.distanceTo(o.at) : 1);
        o.moved(by, false);
      };
      const up = () => {
        button.removeEventListener("pointermove", move);
        button.removeEventListener("pointerup", up);
        button.removeEventListener("pointercancel", up);
        o.moved(by, true);
      };
      button.addEventListener("pointermove", move);
      button.addEventListener("pointerup", up);
      button.addEventListener("pointercancel", up);
    });
    button.addEventListener("keydown", (e) => {
      const way = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[e.key];
      if (way !== undefined) o.moved(way * STEP * (e.shiftKey ? 10 : 1), true);
      else if ((e.key === "Delete" || e.key === "Backspace") && o.removed) o.removed();
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
    return label;
  }

  clear() {
    for (const label of this.labels.splice(0)) this.layer.remove(label);
  }

  /** Whether one of them is in use by keyboard: it must not be made anew. */
  index(): number {
    return this.labels.findIndex((l) => l.element === document.activeElement);
  }

  focus(index: number) {
    this.labels[index]?.element.focus();
  }
}
