// Which tile is fetched next: what is big and near in the picture first, a few at a time, within a bound of memory. A lost connection is
// waited for; a broken tile leaves the others alone.

import type { Box3 } from "three";
import type { Model, Resident } from "./models";
import type { Pool } from "./pool";
import type { Prepared } from "./prepare";
import { identity, type TileEntry } from "./tileset";

/** A tile that is to come. */
interface Wanted {
  id: string;
  model: Model;
  entry: TileEntry;
  /** Everything that came with it has to be there before any of it is shown. */
  group: Group;
  running: AbortController | undefined;
  tries: number;
  after: number;
}

/** Tiles that were asked for together. */
export interface Group {
  model: Model;
  /** Taken in at once when all are there: a next version must not be seen half. */
  together: boolean;
  ready: { entry: TileEntry; prepared: Prepared }[];
  open: Set<string>;
  stopped: boolean;
  done: () => void;
}

export interface Hooks {
  /** How much of the picture a box takes; nought where it is not in it. */
  size(box: Box3): number;
  box(model: Model, entry: TileEntry): Box3;
  take(model: Model, entry: TileEntry, prepared: Prepared): void;
  drop(tile: Resident): void;
  tiles(): Iterable<Resident>;
  failed(model: string, tile: string, message: string): void;
  changed(): void;
}

const PARALLEL = 6;
const TRIES = 6;
/** A lost connection is asked for again at least so often. */
const LONGEST_MS = 8000;
/** About what a triangle takes, with its corners, edges and its place in the tree. */
const BYTES = 80;
const device = (globalThis.navigator as { deviceMemory?: number } | undefined)?.deviceMemory ?? 8;
/** Bytes of tiles that are kept; a phone has less. */
export const MEMORY = device <= 4 ? 350e6 : 900e6;

export class Streamer {
  private readonly wanted = new Map<string, Wanted>();
  /** Tiles that were dropped for want of memory; they come back when they are seen. */
  private readonly put = new Map<string, { model: Model; entry: TileEntry }>();
  private running = 0;
  /** What the tiles that are on their way may take. */
  private coming = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  bytes = 0;
  fetched = 0;
  limit = MEMORY;

  constructor(
    private readonly pool: Pool,
    private readonly hooks: Hooks,
  ) {
    globalThis.addEventListener?.("online", this.again);
  }

  get waiting(): number {
    return this.wanted.size;
  }

  /** The connection is there again: nothing waits any longer. */
  readonly again = () => {
    for (const w of this.wanted.values()) w.after = 0;
    this.go();
  };

  /** Asks for tiles of a model; settles when they are there or known not to come. */
  load(model: Model, entries: TileEntry[], together: boolean, done: (group: Group) => void): Group {
    const group: Group = { model, together, ready: [], open: new Set(), stopped: false, done: () => done(group) };
    for (const entry of entries) {
      const id = `${model.id} ${identity(entry)}`;
      group.open.add(id);
      this.wanted.set(id, { id, model, entry, group, running: undefined, tries: 0, after: 0 });
    }
    if (entries.length === 0) group.done();
    this.go();
    return group;
  }

  /** No more of a model is wanted. */
  stop(model: Model) {
    const groups = new Set<Group>();
    for (const w of [...this.wanted.values()]) {
      if (w.model !== model) continue;
      w.group.stopped = true;
      w.running?.abort();
      this.wanted.delete(w.id);
      groups.add(w.group);
    }
    for (const group of groups) group.done();
    for (const [id, p] of this.put) if (p.model === model) this.put.delete(id);
  }

  /** Starts what should run now. */
  go() {
    if (this.running >= PARALLEL || this.wanted.size === 0) return;
    const now = performance.now();
    const ranked: { w: Wanted; rank: number }[] = [];
    let soonest = Infinity;
    for (const w of this.wanted.values()) {
      if (w.running) continue;
      if (w.after > now) soonest = Math.min(soonest, w.after);
      else ranked.push({ w, rank: w.model.visible ? this.hooks.size(this.hooks.box(w.model, w.entry)) : -1 });
    }
    ranked.sort((a, b) => b.rank - a.rank);
    for (const { w, rank } of ranked) {
      if (this.running >= PARALLEL) break;
      if (this.bytes + this.coming > this.limit && !this.free(rank)) {
        this.shelve(w);
        continue;
      }
      void this.run(w);
    }
    if (soonest < Infinity) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.go(), soonest - now + 5);
    }
  }

  /** There is no room for it: it is asked for again when the camera moves. */
  private shelve(w: Wanted) {
    this.wanted.delete(w.id);
    this.put.set(w.id, { model: w.model, entry: w.entry });
    this.settle(w);
  }

  /** Makes room by dropping what was not seen for longest and is worth less than what is to come. */
  private free(rank: number): boolean {
    let least: Resident | undefined;
    for (const tile of this.hooks.tiles()) {
      if (tile.model.older || this.hooks.size(this.hooks.box(tile.model, tile.entry)) >= rank) continue;
      if (!least || tile.seen < least.seen) least = tile;
    }
    if (!least) return false;
    this.put.set(`${least.model.id} ${least.id}`, { model: least.model, entry: least.entry });
    this.hooks.drop(least);
    return this.bytes + this.coming <= this.limit || this.free(rank);
  }

  /** After the camera came to rest: what was dropped and is in view now is fetched again. */
  look() {
    const back = new Map<Model, TileEntry[]>();
    for (const [id, { model, entry }] of this.put) {
      if (!model.visible || this.hooks.size(this.hooks.box(model, entry)) <= 0.02) continue;
      this.put.delete(id);
      back.set(model, [...(back.get(model) ?? []), entry]);
    }
    for (const [model, entries] of back) this.load(model, entries, false, () => undefined);
    this.go();
  }

  private async run(w: Wanted) {
    const running = (w.running = new AbortController());
    this.running++;
    this.coming += w.entry.triangles * BYTES;
    try {
      const data = await w.model.source.tile(w.entry.key, running.signal);
      this.fetched++;
      if (w.group.stopped) return;
      const prepared = await this.pool.prepare(data).catch((e: Error) => {
        throw Object.assign(e, { broken: true });
      });
      if (w.group.stopped) return;
      this.wanted.delete(w.id);
      if (w.group.together) w.group.ready.push({ entry: w.entry, prepared });
      else this.hooks.take(w.model, w.entry, prepared);
      this.settle(w);
    } catch (error) {
      if (w.group.stopped) return;
      const { status, broken, message } = error as { status?: number; broken?: boolean; message?: string };
      w.running = undefined;
      // refused by the server or unreadable: asking again changes nothing
      // no answer at all is a lost connection: it is waited for as long as it takes
      const isRefused = status !== undefined && ((status < 500 && status !== 429 && status !== 408) || w.tries >= TRIES);
      w.tries++;
      if (broken || isRefused) {
        this.wanted.delete(w.id);
        this.hooks.failed(w.model.id, w.entry.key, message ?? String(error));
        this.settle(w);
      } else w.after = performance.now() + Math.min(LONGEST_MS, 300 * 2 ** w.tries);
    } finally {
      this.running--;
      this.coming -= w.entry.triangles * BYTES;
      this.hooks.changed();
      this.go();
    }
  }

  private settle(w: Wanted) {
    w.group.open.delete(w.id);
    if (w.group.open.size === 0) w.group.done();
  }

  dispose() {
    globalThis.removeEventListener?.("online", this.again);
    clearTimeout(this.timer);
    for (const w of this.wanted.values()) {
      w.group.stopped = true;
      w.running?.abort();
    }
    this.wanted.clear();
  }
}
