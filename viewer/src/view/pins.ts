// Pins at places of findings and topics; where many lie over each other, one with their number.

import * as THREE from "three";
import { h } from "../dom";
import type { Pin } from "./types";
import type { Part, Viewer } from "./viewer";

const NEAR = 30;
const WORST = ["error", "warning", "info", "neutral"] as const;

/** Pins by the squares of the screen they are in, then those of one square that are near. */
export function clusters<T extends { x: number; y: number }>(places: T[], near = NEAR): T[][] {
  const out: { x: number; y: number; of: T[] }[] = [];
  const grid = new Map<string, number[]>();
  for (const p of places) {
    const [cx, cy] = [Math.floor(p.x / near), Math.floor(p.y / near)];
    let home: number | undefined;
    for (let i = -1; i <= 1 && home === undefined; i++) for (let j = -1; j <= 1 && home === undefined; j++) {
      home = grid.get(`${cx + i},${cy + j}`)?.find((k) => Math.hypot(out[k]!.x - p.x, out[k]!.y - p.y) < near);
    }
    if (home !== undefined) out[home]!.of.push(p);
    else {
      const key = `${cx},${cy}`;
      grid.set(key, [...(grid.get(key) ?? []), out.length]);
      out.push({ x: p.x, y: p.y, of: [p] });
    }
  }
  return out.map((c) => c.of);
}

export class Pins implements Part {
  private readonly host = h("div", { class: "view-pins" });
  private pins: { pin: Pin; at: THREE.Vector3 }[] = [];
  private buttons: HTMLButtonElement[] = [];

  constructor(private readonly viewer: Viewer) {
    viewer.host.append(this.host);
  }

  set(pins: Pin[]) {
    this.pins = pins.map((pin) => ({ pin, at: this.viewer.space.to(pin.at) }));
    this.viewer.draw();
  }

  after() {
    const places = this.pins.flatMap(({ pin, at }) => {
      const s = this.viewer.screen(at);
      return s && s.x > -20 && s.y > -20 && s.x < this.viewer.width + 20 && s.y < this.viewer.height + 20 ? [{ ...s, pin, at }] : [];
    });
    const groups = clusters(places);
    while (this.buttons.length > groups.length) this.buttons.pop()!.remove();
    groups.forEach((group, i) => {
      let button = this.buttons[i];
      if (!button) {
        button = h("button", { type: "button", class: "view-pin" });
        this.buttons.push(button);
        this.host.append(button);
      }
      const [first] = group;
      const tone = WORST.find((t) => group.some((g) => g.pin.tone === t)) ?? "neutral";
      const text = group.length > 1 ? String(group.length) : first!.pin.label;
      if (button.textContent !== text) button.textContent = text;
      button.className = `view-pin ${tone}${group.length > 1 ? " many" : ""}`;
      button.setAttribute("aria-label", group.length > 1 ? `${group.length} pins` : `Pin ${text}`);
      const [x, y] = [group.reduce((s, g) => s + g.x, 0) / group.length, group.reduce((s, g) => s + g.y, 0) / group.length];
      button.style.transform = `translate(-50%, -100%) translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      button.onclick = () => {
        const box = new THREE.Box3().setFromPoints(group.map((g) => g.at));
        const apart = box.getSize(new THREE.Vector3()).length();
        if (group.length === 1 || apart < 0.05) this.viewer.emitter.tell("pin", first!.pin.id);
        else this.viewer.rig.fit(box.expandByScalar(Math.max(1, apart * 0.3)), undefined);
      };
    });
  }

  dispose() {
    this.host.remove();
  }
}
