// Elements of the page that stand at places of the model: measures, pins, handles.

import { Vector3, type Camera } from "three";
import { h } from "../dom";

export interface Label {
  element: HTMLElement;
  at: Vector3;
  /** Not drawn where something else lies before it. */
  hidden?: boolean;
}

export class Labels {
  readonly host = h("div", { class: "view-labels" });
  private readonly all = new Set<Label>();
  private readonly v = new Vector3();

  constructor(parent: HTMLElement) {
    parent.append(this.host);
  }

  add(element: HTMLElement, at: Vector3): Label {
    const label: Label = { element, at };
    this.all.add(label);
    this.host.append(element);
    return label;
  }

  remove(label: Label) {
    this.all.delete(label);
    label.element.remove();
  }

  /** Puts all where the camera sees their places. */
  place(camera: Camera, width: number, height: number) {
    for (const { element, at, hidden } of this.all) {
      const p = this.v.copy(at).project(camera);
      const seen = !hidden && p.z < 1 && p.z > -1 && Math.abs(p.x) < 1.1 && Math.abs(p.y) < 1.1;
      if (element.hidden === seen) element.hidden = !seen;
      if (seen) element.style.transform = `translate(-50%, -50%) translate(${(((p.x + 1) / 2) * width).toFixed(1)}px, ${(((1 - p.y) / 2) * height).toFixed(1)}px)`;
    }
  }

  dispose() {
    this.host.remove();
  }
}
