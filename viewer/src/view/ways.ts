// Going along a way as somebody would who walks it.

import * as THREE from "three";
import type { Camera, Point } from "./types";
import type { Part, Viewer } from "./viewer";

const EYE = 1.62;
const SPEED = 1.5;
/** One looks so far ahead. */
const AHEAD = 2.2;

/** The place so many metres along a way. */
export function along(path: THREE.Vector3[], metres: number): THREE.Vector3 {
  let left = Math.max(0, metres);
  for (let i = 1; i < path.length; i++) {
    const length = path[i]!.distanceTo(path[i - 1]!);
    if (left <= length && length > 0) return path[i - 1]!.clone().lerp(path[i]!, left / length);
    left -= length;
  }
  return (path.at(-1) ?? new THREE.Vector3()).clone();
}

export class Ways implements Part {
  private path: THREE.Vector3[] | undefined;
  private length = 0;
  private gone = 0;
  private last = 0;
  private back: Camera | undefined;
  private readonly gaze = new THREE.Vector3();

  constructor(
    private readonly viewer: Viewer,
    private readonly playing: (on: boolean) => void,
  ) {}

  play(path: Point[] | undefined) {
    const { rig, space } = this.viewer;
    if (!path || path.length < 2) {
      if (!this.path) return;
      this.path = undefined;
      this.viewer.steered = false;
      rig.controls.enabled = true;
      this.playing(false);
      if (this.back) rig.look(this.back);
      this.back = undefined;
      return;
    }
    this.back ??= rig.get();
    rig.project("perspective");
    this.path = path.map((p) => space.to(p));
    this.length = this.path.slice(1).reduce((sum, p, i) => sum + p.distanceTo(this.path![i]!), 0);
    this.gone = 0;
    this.last = performance.now();
    this.gaze.copy(along(this.path, AHEAD));
    this.viewer.steered = true;
    rig.controls.enabled = false;
    this.playing(true);
    this.viewer.draw();
  }

  before(now: number): boolean {
    if (!this.path) return false;
    const seconds = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    this.gone += SPEED * seconds;
    const at = along(this.path, this.gone);
    // at the end one looks on in the direction one came
    const ahead = this.gone + AHEAD <= this.length ? along(this.path, this.gone + AHEAD) : at.clone().add(this.gaze.clone().sub(at).setLength(AHEAD));
    this.gaze.lerp(ahead, 1 - Math.exp(-seconds * 4));
    void this.viewer.rig.controls.setLookAt(at.x, at.y + EYE, at.z, this.gaze.x, this.gaze.y + EYE - 0.15, this.gaze.z, false);
    this.viewer.rig.controls.update(0);
    if (this.gone < this.length) return true;
    this.play(undefined);
    return false;
  }
}
