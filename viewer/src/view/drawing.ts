// A drawing of the server laid over the model. It is shown as an image, so nothing in it runs or is fetched.

import * as THREE from "three";
import { turned } from "./space";
import type { Drawing } from "./types";
import type { Viewer } from "./viewer";

const PIXELS = 4096;

/** The part of a document's units that it shows: its view box, or its size. */
export function frameOf(svg: string): { x: number; y: number; width: number; height: number } | undefined {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (root.localName !== "svg") return undefined;
  const box = root.getAttribute("viewBox")?.trim().split(/[\s,]+/).map(Number);
  if (box?.length === 4 && box.every(Number.isFinite)) return { x: box[0]!, y: box[1]!, width: box[2]!, height: box[3]! };
  const [width, height] = ["width", "height"].map((n) => parseFloat(root.getAttribute(n) ?? ""));
  return width && height ? { x: 0, y: 0, width, height } : undefined;
}

export class Drawn {
  private mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial> | undefined;
  private asked = 0;

  constructor(private readonly viewer: Viewer) {}

  set(drawing: Drawing | undefined) {
    const asked = ++this.asked;
    this.clear();
    const frame = drawing && frameOf(drawing.svg);
    if (!drawing || !frame || !(frame.width > 0) || !(frame.height > 0)) return;
    const url = URL.createObjectURL(new Blob([drawing.svg], { type: "image/svg+xml" }));
    const image = new Image();
    image.onload = () => {
      URL.revokeObjectURL(url);
      if (asked === this.asked && !this.viewer.disposed) this.lay(drawing, frame, image);
    };
    image.onerror = () => URL.revokeObjectURL(url);
    image.src = url;
  }

  private lay(drawing: Drawing, frame: { x: number; y: number; width: number; height: number }, image: HTMLImageElement) {
    const scale = PIXELS / Math.max(frame.width, frame.height);
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(frame.width * scale));
    canvas.height = Math.max(1, Math.round(frame.height * scale));
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const texture = new THREE.CanvasTexture(canvas);
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.anisotropy = 8;
    const origin = this.viewer.space.to(drawing.origin);
    const [x, y] = [turned(drawing.x), turned(drawing.y)];
    const corner = (u: number, v: number) => origin.clone().addScaledVector(x, frame.x + u * frame.width).addScaledVector(y, frame.y + v * frame.height);
    const geometry = new THREE.BufferGeometry().setFromPoints([corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]);
    geometry.setAttribute("uv", new THREE.Float32BufferAttribute([0, 1, 1, 1, 1, 0, 0, 0], 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const material = new THREE.MeshBasicMaterial({ map: texture, transparent: true, depthTest: false, side: THREE.DoubleSide, toneMapped: false });
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.renderOrder = 10;
    this.mesh.frustumCulled = false;
    this.viewer.over.add(this.mesh);
    this.viewer.draw();
  }

  private clear() {
    if (!this.mesh) return;
    this.viewer.over.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.material.map?.dispose();
    this.mesh.material.dispose();
    this.mesh = undefined;
    this.viewer.draw();
  }

  dispose() {
    this.asked++;
    this.clear();
  }
}
