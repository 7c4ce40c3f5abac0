import { expect, it } from "vitest";
import { changes, extent, identity, readTileset } from "../src/view/tileset";

const child = (key: string, x: number, storey = "s1") => ({
  boundingVolume: { box: [1, 2, 3, 1, 0, 0, 0, 2, 0, 0, 0, 3] },
  transform: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 20, 30, 1],
  content: { uri: `tiles/${key}.glb` },
  extras: { key, storey, elements: 4, triangles: 40 },
});

const set = (...children: unknown[]) =>
  readTileset({ root: { children }, extras: { storeys: [{ global_id: "s1", name: "Ground", class: "IfcBuildingStorey" }], drawn: 4 } });

it("tiles stand where their transform says", () => {
  const [tile] = set(child("a", 10)).tiles;
  expect(tile?.origin).toEqual([10, 20, 30]);
  expect(tile?.min).toEqual([10, 20, 30]);
  expect(tile?.max).toEqual([12, 24, 36]);
  expect(extent(set(child("a", 10), child("b", 110)).tiles)).toEqual({ min: [10, 20, 30], max: [112, 24, 36] });
});

it("only what changed is loaded and dropped", () => {
  const before = set(child("a", 0), child("b", 10));
  const after = set(child("a", 0), child("c", 10));
  const { load, drop } = changes(before.tiles.map(identity), after.tiles);
  expect(load.map((t) => t.key)).toEqual(["c"]);
  expect(drop).toEqual([identity(before.tiles[1]!)]);
});

it("the same content at another place is another tile", () => {
  const { load, drop } = changes(set(child("a", 0)).tiles.map(identity), set(child("a", 5)).tiles);
  expect([load.length, drop.length]).toEqual([1, 1]);
});

it("a document that is none gives no tiles", () => {
  expect(readTileset(null).tiles).toEqual([]);
  expect(extent([])).toBeUndefined();
});
