// A glow on what just changed, which fades.

import type { ElementKey } from "./types";
import type { Part, Viewer } from "./viewer";

const LASTS_MS = 3200;

export class Flash implements Part {
  private since: number | undefined;

  constructor(private readonly viewer: Viewer) {}

  start(keys: ElementKey[]) {
    const touched = new Set([...this.viewer.looks.flashing, ...keys]);
    this.viewer.looks.flashing = new Set(keys);
    this.since = keys.length > 0 ? performance.now() : undefined;
    this.viewer.changedLooks(touched, false);
  }

  before(): boolean {
    if (this.since === undefined) return false;
    const t = (performance.now() - this.since) / LASTS_MS;
    const { looks, materials } = this.viewer;
    // three beats, each fainter
    materials.uniforms.glow.value = t >= 1 ? 0 : (1 - t) * (0.55 + 0.45 * Math.cos(t * 6 * Math.PI));
    if (t < 1) return true;
    this.since = undefined;
    const done = looks.flashing;
    looks.flashing = new Set();
    looks.some(done);
    return false;
  }
}
