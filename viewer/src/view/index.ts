// The 3D view as the page sees it.

import { Sections } from "./sections";
import type { Camera, Colouring, Comparison, Drawing, ElementKey, Events, Mark, Measurement, Mode, Pin, Point, SectionBox, SectionPlane, Settings, Side, Source, View } from "./types";
import { Viewer } from "./viewer";
import { Compare } from "./compare";
import { Flash } from "./flash";
import { pictureOf } from "./picture";

export function createView(host: HTMLElement): View {
  const viewer = new Viewer(host);
  const { looks, models, rig, emitter, loader } = viewer;
  const sections = new Sections(viewer);
  const compare = new Compare(viewer);
  const flash = new Flash(viewer);
  viewer.parts.push(flash, sections);
  let mode: Mode = "select";
  let measurements: Measurement[] = [];
  let marks: Mark[] = [];

  return {
    on: <K extends keyof Events>(event: K, listener: Events[K]) => emitter.on(event, listener),

    show: (source: Source) => loader.show(source),
    remove: (model) => loader.remove(model),
    adjust(id, change) {
      const model = models.all.get(id);
      if (!model) return;
      if (change.visible !== undefined) model.visible = change.visible;
      if ("colour" in change) model.colour = change.colour;
      if (change.offset) loader.move(model, change.offset);
      viewer.batches.place();
      viewer.changedLooks();
      viewer.changedModels();
      if (change.visible) loader.look();
    },

    select(keys: ElementKey[]) {
      const touched = new Set([...looks.selected, ...keys]);
      looks.selected = new Set(keys);
      viewer.changedLooks(touched);
    },
    hide(keys) {
      const touched = new Set([...looks.hidden, ...keys]);
      looks.hidden = new Set(keys);
      viewer.changedLooks(touched);
      sections.refresh();
    },
    isolate(keys) {
      looks.isolated = keys && new Set(keys);
      viewer.changedLooks();
      sections.refresh();
    },
    ghost(keys) {
      const touched = new Set([...looks.ghosts, ...keys]);
      looks.ghosts = new Set(keys);
      viewer.changedLooks(touched);
      sections.refresh();
    },
    colour(colouring: Colouring | undefined) {
      looks.colouring(colouring);
      viewer.changedLooks();
      sections.refresh();
    },
    compare: (comparison: Comparison | undefined) => compare.show(comparison),
    flash: (keys) => flash.start(keys),
    extent(keys) {
      const box = viewer.extent(keys);
      return box.isEmpty() ? undefined : viewer.space.corners(box);
    },

    camera: () => rig.get(),
    look: (camera: Camera, options) => rig.look(camera, options?.jump),
    fit(options: { keys?: ElementKey[]; side?: Side; jump?: boolean } = {}) {
      const box = viewer.extent(options.keys);
      if (box.isEmpty()) return;
      // an element with something of what is around it
      if (options.keys) box.expandByScalar(Math.max(0.8, box.max.distanceTo(box.min) * 0.2));
      rig.fit(box, options.side, options.jump);
    },
    plan: () => undefined,

    mode(next) {
      mode = next;
      emitter.tell("mode", mode);
    },
    sections: (planes: SectionPlane[], box?: SectionBox) => sections.set(planes, box),
    measurements(all) {
      measurements = all;
      void measurements;
    },
    marks(all) {
      marks = all;
      void marks;
    },
    pins: (_pins: Pin[]) => undefined,
    drawing: (_drawing: Drawing | undefined) => undefined,
    overlay: (_overlay: unknown) => undefined,
    play: (_path: Point[] | undefined) => undefined,

    settings(change: Partial<Settings>) {
      Object.assign(viewer.settings, change);
      looks.spaces = viewer.settings.spaces;
      viewer.batches.edges = viewer.settings.edges;
      viewer.stage.settings(viewer.settings);
      if (change.spaces !== undefined) viewer.changedLooks();
      viewer.theme();
      return { ...viewer.settings };
    },
    stats: () => viewer.stats(),
    picture: (width, height) => pictureOf(viewer, width, height),
    dispose: () => viewer.dispose(),
  };
}
