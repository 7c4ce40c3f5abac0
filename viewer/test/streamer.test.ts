import { Box3, Vector3 } from "three";
import { expect, it } from "vitest";
import type { Model, Resident } from "../src/view/models";
import type { Pool } from "../src/view/pool";
import type { Prepared } from "../src/view/prepare";
import { Streamer } from "../src/view/tiles";
import type { TileEntry } from "../src/view/tileset";

const entry = (key: string, x: number): TileEntry => ({ key, origin: [x, 0, 0], min: [x, 0, 0], max: [x + 1, 1, 1], elements: 1, triangles: 1 });
const soon = () => new Promise((r) => setTimeout(r, 5));

/** A streamer whose tiles come when they are let. */
function made(options: { broken?: string; limit?: number } = {}) {
  const asked: string[] = [];
  const open = new Map<string, (data: ArrayBuffer) => void>();
  const taken: string[] = [];
  const failed: string[] = [];
  const tiles: Resident[] = [];
  const model = {
    id: "m", visible: true, tiles: new Map(), entries: [],
    source: {
      tile: (key: string, signal: AbortSignal) => {
        asked.push(key);
        return new Promise<ArrayBuffer>((resolve, reject) => {
          open.set(key, resolve);
          signal.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
        });
      },
    },
  } as unknown as Model;
  let last = "";
  const pool = { prepare: async () => { if (last === options.broken) throw new Error("not a GLB"); return { bytes: 100 } as Prepared; } } as unknown as Pool;
  const streamer = new Streamer(pool, {
    size: (box) => 100 - box.min.x,
    box: (_, e) => new Box3(new Vector3(...e.min), new Vector3(...e.max)),
    take: (m, e, prepared) => {
      taken.push(e.key);
      streamer.bytes += prepared.bytes;
      tiles.push({ id: e.key, model: m, entry: e, prepared, seen: 0 } as unknown as Resident);
    },
    drop: (tile) => {
      tiles.splice(tiles.indexOf(tile), 1);
      streamer.bytes -= tile.prepared.bytes;
    },
    tiles: () => tiles,
    failed: (_, key) => failed.push(key),
    changed: () => undefined,
  });
  if (options.limit) streamer.limit = options.limit;
  const come = async (key: string) => {
    last = key;
    open.get(key)?.(new ArrayBuffer(4));
    await soon();
  };
  return { streamer, model, asked, taken, failed, tiles, come };
}

it("the biggest in the picture comes first, a few at a time", async () => {
  const { streamer, model, asked, come } = made();
  streamer.load(model, Array.from({ length: 9 }, (_, i) => entry(`t${i}`, 80 - i * 10)), false, () => undefined);
  expect(asked).toEqual(["t8", "t7", "t6", "t5", "t4", "t3"]);
  await come("t8");
  expect(asked.at(-1)).toBe("t2");
});

it("a next version is taken in when all of it is there", async () => {
  const { streamer, model, taken, come } = made();
  let ready: string[] = [];
  streamer.load(model, [entry("a", 0), entry("b", 1)], true, (g) => (ready = g.ready.map((r) => r.entry.key)));
  await come("a");
  expect([taken, ready]).toEqual([[], []]);
  await come("b");
  expect(ready.sort()).toEqual(["a", "b"]);
});

it("a broken tile leaves the others alone, and is told once", async () => {
  const { streamer, model, taken, failed, come } = made({ broken: "b" });
  let done = false;
  streamer.load(model, [entry("a", 0), entry("b", 1), entry("c", 2)], false, () => (done = true));
  await come("b");
  await come("a");
  await come("c");
  expect([failed, taken, done, streamer.waiting]).toEqual([["b"], ["a", "c"], true, 0]);
});

it("what is stopped settles and is not taken", async () => {
  const { streamer, model, taken, come } = made();
  let stopped: boolean | undefined;
  streamer.load(model, [entry("a", 0)], false, (g) => (stopped = g.stopped));
  streamer.stop(model);
  await come("a");
  expect([stopped, taken, streamer.waiting]).toEqual([true, [], 0]);
});

it("memory is bounded: what is smaller in the picture waits, or makes room", async () => {
  const { streamer, model, tiles, come } = made({ limit: 150 });
  streamer.load(model, [entry("far", 50)], false, () => undefined);
  await come("far");
  streamer.load(model, [entry("near", 1)], false, () => undefined);
  await come("near");
  expect(tiles.map((t) => t.id)).toEqual(["far", "near"]);
  // full now: what is nearer drives out the farthest, what is farther stays away
  streamer.load(model, [entry("nearest", 0), entry("farthest", 90)], false, () => undefined);
  await come("nearest");
  expect(tiles.map((t) => t.id)).toEqual(["near", "nearest"]);
  expect(streamer.waiting).toBe(0);
});
