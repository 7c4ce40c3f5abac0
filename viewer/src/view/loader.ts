// Models coming and going: a first version tile by tile, a next one by what differs, all of it at once.

import * as THREE from "three";
import { olderOf } from "./looks";
import type { Model, Resident } from "./models";
import { Pool } from "./pool";
import type { Prepared } from "./prepare";
import { changes, readTileset, type TileEntry } from "./tileset";
import { Streamer } from "./tiles";
import type { Point, Source } from "./types";
import type { Viewer } from "./viewer";

const FETCHED_BEFORE_MERGE = 2;

export class Loader {
  private readonly pool = new Pool();
  private readonly streamer: Streamer;
  private merging: ReturnType<typeof setTimeout> | undefined;
  private readonly frustum = new THREE.Frustum();
  private told = 0;

  constructor(private readonly viewer: Viewer) {
    this.streamer = new Streamer(this.pool, {
      size: (box) => this.size(box),
      box: (model, entry) => viewer.models.entryBox(model, entry),
      take: (model, entry, prepared) => this.take(model, entry, prepared),
      drop: (tile) => this.drop(tile),
      tiles: () => viewer.models.tiles(),
      failed: (model, tile, message) => viewer.emitter.tell("failed", model, tile, message),
      changed: () => this.progress(),
    });
  }

  get waiting(): number {
    return this.streamer.waiting;
  }

  get bytes(): number {
    return this.streamer.bytes;
  }

  /** How many tiles were fetched so far. */
  get fetched(): number {
    return this.streamer.fetched;
  }

  /** Bytes of tiles that may be kept. */
  limit(bytes: number) {
    this.streamer.limit = bytes;
  }

  look() {
    const now = performance.now();
    this.aim();
    for (const tile of this.viewer.models.tiles()) {
      if (tile.model.visible && this.frustum.intersectsBox(this.viewer.models.entryBox(tile.model, tile.entry))) tile.seen = now;
    }
    this.streamer.look();
    this.merge();
  }

  /** Settles when it is there and can be drawn. */
  async show(source: Source): Promise<void> {
    await Promise.all([this.bring(source), this.viewer.shaders.done]);
  }

  private async bring(source: Source): Promise<void> {
    const { models, space } = this.viewer;
    const next = readTileset(source.tileset).tiles;
    const known = models.all.get(source.model);
    const first = models.all.size === 0;
    if (first && next[0]) space.settle(next[0].origin);
    if (known) {
      this.streamer.stop(known);
      const moved = source.offset !== undefined && source.offset.some((v, k) => v !== known.offset[k]);
      known.source = source;
      known.entries = next;
      if (source.visible !== undefined) known.visible = source.visible;
      if ("colour" in source) known.colour = source.colour;
      if (moved) this.move(known, source.offset!);
      const { load, drop } = changes(known.tiles.keys(), next);
      return this.fetch(known, load, drop);
    }
    const model: Model = {
      id: source.model, source, offset: source.offset ?? [0, 0, 0], visible: source.visible ?? true, colour: source.colour, entries: next, tiles: new Map(),
    };
    models.all.set(model.id, model);
    this.viewer.changedModels();
    if (first) this.viewer.rig.fit(this.viewer.bounds(), "iso", true);
    return this.fetch(model, next, []);
  }

  /** Tiles of an older version that differ from those shown, for a comparison; hidden but for what it names. */
  async before(model: Model, source: Source): Promise<void> {
    this.remove(olderOf(model.id));
    const entries = changes(model.tiles.keys(), readTileset(source.tileset).tiles).load;
    const older: Model = { id: olderOf(model.id), source: { ...source, model: model.id }, offset: model.offset, visible: true, colour: undefined, entries, tiles: new Map(), older: new Set() };
    this.viewer.models.all.set(older.id, older);
    return this.fetch(older, entries, []);
  }

  private fetch(model: Model, load: TileEntry[], drop: string[]): Promise<void> {
    const { viewer } = this;
    const together = model.tiles.size > 0;
    return new Promise((resolve) => {
      this.streamer.load(model, load, together, (group) => {
        // of a version that was overtaken by the next nothing is taken
        if (viewer.models.all.get(model.id) === model && !group.stopped) {
          for (const { entry, prepared } of group.ready) this.take(model, entry, prepared);
          for (const id of drop) {
            const tile = model.tiles.get(id);
            if (tile) this.drop(tile);
          }
          viewer.looks.all();
          viewer.batches.passes();
          viewer.changedModels();
        }
        resolve();
      });
    });
  }

  remove(id: string) {
    const model = this.viewer.models.all.get(id);
    if (!model) return;
    this.streamer.stop(model);
    for (const tile of [...model.tiles.values()]) this.drop(tile);
    this.viewer.models.all.delete(id);
    if (!model.older) this.remove(olderOf(id));
    if (this.viewer.models.all.size === 0) this.viewer.space.forget();
    this.viewer.changedModels();
  }

  move(model: Model, offset: Point) {
    model.offset = offset;
    for (const tile of model.tiles.values()) this.viewer.models.place(tile);
    this.viewer.batches.place();
  }

  private take(model: Model, entry: TileEntry, prepared: Prepared) {
    const tile = this.viewer.models.add(model, entry, prepared);
    this.streamer.bytes += prepared.bytes;
    this.viewer.looks.write(tile);
    this.viewer.states.send();
    this.viewer.batches.add(tile);
    this.viewer.batches.passes();
    this.viewer.stage.shade();
    this.viewer.draw();
  }

  private drop(tile: Resident) {
    this.streamer.bytes -= tile.prepared.bytes;
    this.viewer.batches.drop(tile);
    this.viewer.models.drop(tile);
  }

  private progress() {
    const now = performance.now();
    if (now - this.told < 60 && this.waiting > 0) return;
    this.told = now;
    this.viewer.emitter.tell("stats", this.viewer.stats());
    if (this.waiting === 0) this.merge();
  }

  /** Puts small batches together while nobody waits for a picture. */
  private merge() {
    clearTimeout(this.merging);
    if (this.waiting > 6 || this.viewer.batches.count < FETCHED_BEFORE_MERGE) return;
    this.merging = setTimeout(() => {
      if (this.viewer.disposed || !this.viewer.batches.merge()) return;
      this.viewer.batches.passes();
      this.viewer.stage.shade();
      this.viewer.draw();
      this.merge();
    }, 20);
  }

  private aim() {
    const { camera } = this.viewer.rig;
    camera.updateMatrixWorld();
    this.frustum.setFromProjectionMatrix(new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
  }

  /** How much of the picture a box takes: what is not in it comes after all that is. */
  private size(box: THREE.Box3): number {
    this.aim();
    const { rig } = this.viewer;
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const distance = rig.isPerspective ? Math.max(box.distanceToPoint(rig.camera.position), 0.5) : 1;
    const share = sphere.radius / (distance * rig.pixel(1));
    return this.frustum.intersectsBox(box) ? share : Math.min(share * 1e-3, 1e-3);
  }

  dispose() {
    clearTimeout(this.merging);
    this.streamer.dispose();
    this.pool.dispose();
  }
}
