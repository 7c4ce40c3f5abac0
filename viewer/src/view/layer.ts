// The drawn part of an overlay: floors in their colours, the way over everything, names of rooms where there is space for them.

import * as THREE from "three";
import { h } from "../dom";
import { middle, ribbon, type Overlay, type Point } from "./overlay";

/** Above floors, so that they do not show through. */
const ABOVE = 0.02;
const WAY = 0xe23c18;

interface Name {
  element: HTMLElement;
  at: THREE.Vector3;
  /** Half the room's extent in plan: a name that is wider is left out. */
  half: THREE.Vector3;
}

export class Layer {
  readonly group = new THREE.Group();
  private readonly names = h("div", { class: "names", "aria-hidden": "true" });
  private labels: Name[] = [];

  constructor(host: HTMLElement) {
    host.append(this.names);
  }

  /** Shows an overlay in coordinates relative to `origin` (y up), or nothing. */
  show(overlay: Overlay | undefined, origin: THREE.Vector3) {
    this.group.traverse((o) => {
      if (o instanceof THREE.Mesh) {
        o.geometry.dispose();
        (o.material as THREE.Material).dispose();
      }
    });
    this.group.clear();
    this.labels = [];
    this.names.replaceChildren();
    if (!overlay) return;
    // as IFC has it, z up
    const base: Point = [origin.x, -origin.z, origin.y];
    for (const room of overlay.rooms) {
      const at = (i: number): Point => {
        const [x, y] = room.points[i] ?? [0, 0];
        return [x - base[0], y - base[1], room.height + ABOVE - base[2]];
      };
      const floor = new THREE.MeshBasicMaterial({ color: room.colour, side: THREE.DoubleSide, transparent: true, opacity: overlay.cut === undefined ? 0.7 : 0.86, depthWrite: false });
      this.add(room.triangles.map(at), floor, 4);
      const place = middle(room);
      // over a whole building they would lie over each other
      if (!place || !room.name || overlay.cut === undefined) continue;
      const box = new THREE.Box2().setFromPoints(room.points.map(([x, y]) => new THREE.Vector2(x, y)));
      const size = box.getSize(new THREE.Vector2());
      const element = h("span", { class: dark(room.colour) ? "on-dark" : "on-light" }, room.name);
      this.names.append(element);
      const [x, y, z] = place.map((v, k) => v - (base[k] ?? 0)) as Point;
      this.labels.push({ element, at: new THREE.Vector3(x, z + ABOVE, -y), half: new THREE.Vector3(size.x / 2, 0, size.y / 2) });
    }
    if (overlay.path.length > 1) {
      const reach = Math.hypot(overlay.max[0] - overlay.min[0], overlay.max[1] - overlay.min[1]);
      const half = Math.max(0.06, reach * 0.0032);
      const over = { depthTest: false, transparent: true, side: THREE.DoubleSide } as const;
      this.add(ribbon(overlay.path, half, base, half * 0.7), new THREE.MeshBasicMaterial({ ...over, color: 0xffffff }), 8);
      this.add(ribbon(overlay.path, half, base), new THREE.MeshBasicMaterial({ ...over, color: WAY }), 9);
    }
  }

  private add(corners: Point[], material: THREE.Material, order: number) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners.flatMap(([x, y, z]) => [x, z, -y]), 3));
    const mesh = new THREE.Mesh(geometry, material);
    mesh.renderOrder = order;
    mesh.frustumCulled = false;
    this.group.add(mesh);
  }

  /** Puts the names where the camera sees their rooms. */
  place(camera: THREE.Camera, width: number, height: number) {
    const seen = (v: THREE.Vector3) => v.clone().project(camera);
    for (const { element, at, half } of this.labels) {
      const p = seen(at);
      const [a, b] = [seen(at.clone().sub(half)), seen(at.clone().add(half))];
      const wide = Math.max(Math.abs(b.x - a.x) * width, Math.abs(b.y - a.y) * height) / 2;
      const inside = Math.abs(p.x) < 1 && Math.abs(p.y) < 1 && p.z < 1;
      element.hidden = !inside || wide < 36;
      if (element.hidden) continue;
      element.style.maxWidth = `${Math.round((Math.abs(b.x - a.x) * width) / 2)}px`;
      element.style.transform = `translate(-50%, -50%) translate(${((p.x + 1) / 2) * width}px, ${((1 - p.y) / 2) * height}px)`;
    }
  }
}

/** Whether a colour wants light letters. */
function dark(colour: string): boolean {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)) as [number, number, number];
  return 0.299 * r + 0.587 * g + 0.114 * b < 140;
}
