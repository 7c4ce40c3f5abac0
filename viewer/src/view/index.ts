// The 3D view as the page sees it.

import "./view.css";
import { Compare } from "./compare";
import { Compass } from "./compass";
import { Draft } from "./draft";
import { Drawn } from "./drawing";
import { Flash } from "./flash";
import { Labels } from "./labels";
import { Lay } from "./lay";
import { Marks } from "./marks";
import { Measures } from "./measure";
import { pictureOf } from "./picture";
import { Pins } from "./pins";
import { Plan } from "./plan";
import { Sections } from "./sections";
import type { Colouring, ElementKey, Events, Mode, SectionBox, SectionPlane, Settings, Side, Source, View } from "./types";
import { Viewer } from "./viewer";
import type { Walk } from "./walk";
import { Ways } from "./ways";

/** `memory` bounds the bytes of tiles that are kept, where it is not to be what the device allows. */
export function createView(host: HTMLElement, { memory }: { memory?: number } = {}): View {
  const viewer = new Viewer(host);
  if (memory) viewer.loader.limit(memory);
  const { looks, models, rig, emitter, loader } = viewer;
  const labels = new Labels(host);
  const sections = new Sections(viewer, labels, () => setMode("select"));
  const compare = new Compare(viewer);
  const flash = new Flash(viewer);
  const draft = new Draft(viewer, labels);
  const measures = new Measures(viewer, labels);
  const marks = new Marks(viewer, labels);
  const pins = new Pins(viewer);
  const plan = new Plan(viewer, sections);
  const drawn = new Drawn(viewer);
  const lay = new Lay(viewer, plan);
  let walk: Walk | undefined;
  const ways = new Ways(viewer, (on) => on && setMode("select"));
  const fit = (options: { keys?: ElementKey[]; side?: Side; jump?: boolean } = {}) => {
    const box = viewer.extent(options.keys);
    if (box.isEmpty()) return;
    // an element with something of what is around it
    if (options.keys) box.expandByScalar(Math.max(0.8, box.max.distanceTo(box.min) * 0.2));
    rig.fit(box, plan.shown ? "top" : options.side, options.jump);
  };
  const compass = new Compass(viewer, (side) => fit({ side }));
  viewer.parts.push(flash, ways, draft, sections, lay, pins, compass, {
    after: (camera) => labels.place(camera, viewer.width, viewer.height),
    dispose: () => {
      labels.dispose();
      measures.dispose();
      marks.dispose();
      drawn.dispose();
    },
  });
  viewer.contentChanged = () => sections.refresh();

  let mode: Mode = "select";
  function setMode(next: Mode) {
    if (next === mode) return;
    mode = next;
    if (next === "walk") {
      plan.show(undefined);
      ways.play(undefined);
    }
    if (walk) walk.enter(next === "walk");
    else if (next === "walk") void walking().catch(() => setMode("select"));
    sections.placing = next === "section";
    const measured = /^measure-(.*)$/.exec(next)?.[1] as "distance" | "angle" | "area" | "height" | undefined;
    draft.start(measured ? measures.task(measured) : next === "mark-point" ? marks.task("point") : next === "mark-line" ? marks.task("line") : undefined);
    emitter.tell("mode", next);
  }

  /** Walking is loaded when it begins; by then it may be over. */
  async function walking() {
    const { Walk } = await import("./walk");
    if (viewer.disposed) return;
    if (!walk) viewer.parts.unshift((walk = new Walk(viewer)));
    walk.enter(mode === "walk");
  }

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
      // a room that is selected is seen
      viewer.changedLooks(touched, false);
    },
    hide(keys) {
      const touched = new Set([...looks.hidden, ...keys]);
      looks.hidden = new Set(keys);
      viewer.changedLooks(touched);
    },
    isolate(keys) {
      looks.isolated = keys && new Set(keys);
      viewer.changedLooks();
    },
    ghost(keys) {
      const touched = new Set([...looks.ghosts, ...keys]);
      looks.ghosts = new Set(keys);
      viewer.changedLooks(touched);
    },
    colour(colouring: Colouring | undefined) {
      looks.colouring(colouring);
      viewer.changedLooks();
    },
    compare: (comparison) => compare.show(comparison),
    flash: (keys) => flash.start(keys),
    extent(keys) {
      const box = viewer.extent(keys);
      return box.isEmpty() ? undefined : viewer.space.corners(box);
    },

    camera: () => rig.get(),
    look: (camera, options) => rig.look(camera, options?.jump),
    fit,
    plan: (storey) => plan.show(storey),

    mode: setMode,
    sections: (planes: SectionPlane[], box?: SectionBox) => sections.set(planes, box),
    measurements: (all) => measures.set(all),
    marks: (all) => marks.set(all),
    pins: (all) => pins.set(all),
    drawing: (drawing) => drawn.set(drawing),
    overlay: (overlay) => lay.set(overlay),
    play: (path) => ways.play(path),

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
