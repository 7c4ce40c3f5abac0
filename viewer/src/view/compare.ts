// Two versions over each other: what was added, removed and changed in its colour, the rest faint.

import { olderOf } from "./looks";
import type { Comparison } from "./types";
import type { Viewer } from "./viewer";

export class Compare {
  private shown: { model: string; version: string; of: string } | undefined;
  /** What of the comparison is written into the states of elements. */
  private written = "";

  constructor(private readonly viewer: Viewer) {}

  show(c: Comparison | undefined) {
    const { viewer } = this;
    viewer.looks.comparing(c);
    const model = c && viewer.models.all.get(c.model);
    if (!c || !model) {
      if (this.shown) viewer.loader.remove(olderOf(this.shown.model));
      this.shown = undefined;
      this.written = "";
      viewer.materials.uniforms.balance.value.set(1, 1);
      viewer.changedLooks();
      return;
    }
    const b = Math.min(1, Math.max(0, c.balance));
    viewer.materials.uniforms.balance.value.set(Math.min(1, 2 - 2 * b), Math.min(1, 2 * b));
    const same = this.shown && this.shown.model === c.model && this.shown.version === c.before.version && this.shown.of === model.source.version;
    if (!same) {
      if (this.shown) viewer.loader.remove(olderOf(this.shown.model));
      this.shown = { model: c.model, version: c.before.version, of: model.source.version };
      void viewer.loader.before(model, c.before);
    }
    // a slider moves the balance alone, many times a second
    const written = [c.model, model.source.version, c.before.version, ...[c.added, c.removed, c.changed].map((ids) => ids.join())].join(" ");
    if (written !== this.written) viewer.changedLooks();
    this.written = written;
    viewer.draw();
  }
}
