// Walking through the model: feet on the ground, walls stop, doors let one through, steps are climbed.

import * as THREE from "three";
import { h } from "../dom";
import type { PickOptions } from "./picking";
import type { Place } from "./pointer";
import type { Part, Viewer } from "./viewer";

const EYE = 1.62;
const RADIUS = 0.28;
/** The highest step that is climbed. */
const STEP = 0.42;
const SPEED = 1.9;
const HEIGHTS = [0.5, 1.0, 1.5];
const KEYS: Record<string, "ahead" | "back" | "left" | "right"> = {
  KeyW: "ahead", ArrowUp: "ahead", KeyS: "back", ArrowDown: "back", KeyA: "left", ArrowLeft: "left", KeyD: "right", ArrowRight: "right",
};

export class Walk implements Part {
  private on = false;
  private readonly feet = new THREE.Vector3();
  private heading = 0;
  private pitch = 0;
  private fall = 0;
  private readonly held = new Set<string>();
  private last = 0;
  /** Where the camera was put last. */
  private stood = "";
  private look: { from: Place; heading: number; pitch: number } | undefined;
  private readonly pad = h("div", { class: "view-pad", hidden: true, "aria-hidden": "true" }, h("div", {}));
  private stick = new THREE.Vector2();
  private readonly keyDown = (e: KeyboardEvent) => this.key(e, true);
  private readonly keyUp = (e: KeyboardEvent) => this.key(e, false);
  private readonly blurred = () => this.held.clear();

  constructor(private readonly viewer: Viewer) {
    viewer.host.append(this.pad);
    this.pad.addEventListener("pointerdown", (e) => this.steer(e));
    document.addEventListener("keydown", this.keyDown);
    document.addEventListener("keyup", this.keyUp);
    window.addEventListener("blur", this.blurred);
  }

  /** What stops a walker or carries one: no doors, no rooms, nothing hidden. */
  private readonly solid: PickOptions = {
    accept: (tile, index, kind) => kind !== "space" && !/^IfcDoor|^IfcOpening/i.test(tile.prepared.classes[index] ?? ""),
  };

  enter(wanted: boolean) {
    if (wanted === this.on) return;
    this.on = wanted;
    const { viewer } = this;
    const { rig } = viewer;
    viewer.steered = wanted;
    rig.controls.enabled = !wanted;
    this.pad.hidden = !wanted || !matchMedia("(pointer: coarse)").matches;
    this.held.clear();
    if (!wanted) {
      // turning goes on around what is just ahead
      const eye = this.eye();
      const ahead = eye.clone().addScaledVector(this.direction(), 4);
      void rig.controls.setLookAt(eye.x, eye.y, eye.z, ahead.x, ahead.y, ahead.z, false);
      viewer.draw();
      return;
    }
    rig.project("perspective");
    const [eye, target] = [rig.controls.getPosition(new THREE.Vector3()), rig.controls.getTarget(new THREE.Vector3())];
    const way = target.clone().sub(eye);
    this.heading = Math.atan2(way.x, -way.z);
    this.pitch = 0;
    this.stand(this.begin(eye, target));
    this.last = performance.now();
    this.stood = "";
    viewer.draw();
  }

  /** Somewhere to stand: here if the camera is inside, else what one looks at, else before the building. */
  private begin(eye: THREE.Vector3, target: THREE.Vector3): THREE.Vector3 {
    const box = this.viewer.bounds();
    if (box.containsPoint(eye)) return eye;
    const struck = this.viewer.cast({ x: this.viewer.width / 2, y: this.viewer.height / 2 });
    if (struck && struck.normal.y > 0.7) return struck.point.clone().setY(struck.point.y + 1);
    const back = eye.clone().sub(target).setY(0).normalize();
    return (struck?.point ?? target).clone().addScaledVector(back, 2.5).setY((struck?.point.y ?? box.min.y) + 0.5);
  }

  private stand(at: THREE.Vector3) {
    const ground = this.ground(at.x, at.z, at.y + 0.3);
    this.feet.set(at.x, ground ?? this.viewer.bounds().min.y, at.z);
    this.fall = 0;
  }

  /** The height of what lies under a place. */
  private ground(x: number, z: number, from: number): number | undefined {
    return this.viewer.picker.cast(new THREE.Ray(new THREE.Vector3(x, from, z), new THREE.Vector3(0, -1, 0)), this.solid)?.point.y;
  }

  private eye(): THREE.Vector3 {
    return this.feet.clone().setY(this.feet.y + EYE);
  }

  private direction(): THREE.Vector3 {
    const flat = Math.cos(this.pitch);
    return new THREE.Vector3(Math.sin(this.heading) * flat, Math.sin(this.pitch), -Math.cos(this.heading) * flat);
  }

  before(now: number): boolean {
    if (!this.on) return false;
    const seconds = Math.min(Math.max(now - this.last, 0) / 1000, 0.4);
    this.last = now;
    const ahead = (this.held.has("ahead") ? 1 : 0) - (this.held.has("back") ? 1 : 0) - this.stick.y;
    const aside = (this.held.has("right") ? 1 : 0) - (this.held.has("left") ? 1 : 0) + this.stick.x;
    const move = new THREE.Vector3(
      Math.sin(this.heading) * ahead + Math.cos(this.heading) * aside, 0,
      -Math.cos(this.heading) * ahead + Math.sin(this.heading) * aside,
    );
    const still = move.lengthSq() < 1e-4;
    if (!still) {
      move.clampLength(0, 1).multiplyScalar(SPEED * (this.held.has("fast") ? 2.2 : 1) * seconds);
      // in short steps, so that no wall is walked through in a slow picture
      const steps = Math.ceil(move.length() / 0.1);
      for (let i = 0; i < steps; i++) this.advance(move.clone().divideScalar(steps));
    }
    const falling = this.settle(seconds);
    const [eye, to] = [this.eye(), this.direction()];
    const stood = `${eye.toArray().join()} ${to.toArray().join()}`;
    if (stood === this.stood) return !still || falling || this.look !== undefined;
    this.stood = stood;
    void this.viewer.rig.controls.setLookAt(eye.x, eye.y, eye.z, eye.x + to.x, eye.y + to.y, eye.z + to.z, false);
    this.viewer.rig.controls.update(0);
    return !still || falling || this.look !== undefined;
  }

  /** Moves as far as nothing stands in the way, along walls where one is hit. */
  advance(move: THREE.Vector3): void {
    for (let round = 0; round < 2 && move.lengthSq() > 1e-8; round++) {
      const wall = this.wall(move);
      if (!wall) break;
      const into = move.dot(wall);
      if (into >= 0) break;
      move.addScaledVector(wall, -into);
      if (round === 1 && this.wall(move)) return;
    }
    const next = this.feet.clone().add(move);
    const ground = this.ground(next.x, next.z, this.feet.y + STEP + 0.05);
    const top = this.ground(next.x, next.z, this.feet.y + 1.4);
    if (top !== undefined && top > this.feet.y + STEP && top < this.feet.y + 1.3) return;
    this.feet.set(next.x, ground !== undefined && ground > this.feet.y ? this.feet.y + Math.min(ground - this.feet.y, 0.12) : this.feet.y, next.z);
  }

  /** The flat direction that a wall in the way faces. */
  private wall(move: THREE.Vector3): THREE.Vector3 | undefined {
    const direction = move.clone().normalize();
    const side = new THREE.Vector3(-direction.z, 0, direction.x);
    let best: { distance: number; normal: THREE.Vector3 } | undefined;
    for (const height of HEIGHTS) for (const aside of [-0.2, 0, 0.2]) {
      const from = this.feet.clone().addScaledVector(side, aside).setY(this.feet.y + height);
      const hit = this.viewer.picker.cast(new THREE.Ray(from, direction), { ...this.solid, far: RADIUS + move.length() });
      if (!hit || Math.abs(hit.normal.y) > 0.75 || (best && hit.distance >= best.distance)) continue;
      best = { distance: hit.distance, normal: hit.normal.clone().setY(0).normalize() };
    }
    return best?.normal;
  }

  private settle(seconds: number): boolean {
    const ground = this.ground(this.feet.x, this.feet.z, this.feet.y + STEP + 0.05) ?? this.viewer.bounds().min.y;
    const gap = this.feet.y - ground;
    if (Math.abs(gap) < 0.004) {
      this.fall = 0;
      return false;
    }
    if (gap < 0) this.feet.y = Math.min(ground, this.feet.y + 2.2 * seconds);
    else {
      this.fall += 9.81 * seconds;
      this.feet.y = Math.max(ground, this.feet.y - Math.max(this.fall * seconds, gap < STEP ? 1.6 * seconds : 0));
    }
    return true;
  }

  private key(e: KeyboardEvent, down: boolean) {
    if (!this.on || e.ctrlKey || e.metaKey || (e.target as Element | null)?.closest?.("input, textarea, select, [contenteditable]")) return;
    const what = e.code === "ShiftLeft" || e.code === "ShiftRight" ? "fast" : KEYS[e.code];
    if (!what) return;
    if (down) this.held.add(what);
    else this.held.delete(what);
    if (what !== "fast") e.preventDefault();
    this.last = Math.max(this.last, performance.now() - 30);
    this.viewer.draw();
  }

  grab(at: Place): boolean {
    if (!this.on) return false;
    this.look = { from: at, heading: this.heading, pitch: this.pitch };
    return true;
  }

  drag(at: Place) {
    if (!this.look) return;
    const k = 2.6 / this.viewer.height;
    this.heading = this.look.heading - (at.x - this.look.from.x) * k;
    this.pitch = Math.max(-1.4, Math.min(1.4, this.look.pitch + (at.y - this.look.from.y) * k));
    this.viewer.draw();
  }

  release() {
    this.look = undefined;
  }

  /** A double click on a floor goes there. */
  double(at: Place): boolean {
    if (!this.on) return false;
    const struck = this.viewer.cast(at);
    if (struck && struck.normal.y > 0.7) this.stand(struck.point);
    this.viewer.draw();
    return true;
  }

  hover(): boolean {
    return this.on;
  }

  private steer(e: PointerEvent) {
    e.preventDefault();
    this.pad.setPointerCapture(e.pointerId);
    const knob = this.pad.firstElementChild as HTMLElement;
    const move = (m: PointerEvent) => {
      const r = this.pad.getBoundingClientRect();
      this.stick.set((m.clientX - r.left) / r.width - 0.5, (m.clientY - r.top) / r.height - 0.5).multiplyScalar(2).clampLength(0, 1);
      knob.style.transform = `translate(${this.stick.x * 28}px, ${this.stick.y * 28}px)`;
      this.viewer.draw();
    };
    const up = () => {
      this.stick.set(0, 0);
      knob.style.transform = "";
      this.pad.removeEventListener("pointermove", move);
      this.pad.removeEventListener("pointerup", up);
      this.pad.removeEventListener("pointercancel", up);
    };
    move(e);
    this.pad.addEventListener("pointermove", move);
    this.pad.addEventListener("pointerup", up);
    this.pad.addEventListener("pointercancel", up);
  }

  dispose() {
    document.removeEventListener("keydown", this.keyDown);
    document.removeEventListener("keyup", this.keyUp);
    window.removeEventListener("blur", this.blurred);
    this.pad.remove();
  }
}
