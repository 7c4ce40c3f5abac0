import { describe, expect, it } from "vitest";
import { BoxGeometry, BufferAttribute, BufferGeometry, Plane, Vector2, Vector3 } from "three";
import { MeshBVH } from "three-mesh-bvh";
import { round } from "../src/view/compass";
import { edgesOf } from "../src/view/edges";
import { onwards } from "../src/view/fit";
import { angle, area, said, valueOf } from "../src/view/geometry";
import type { Part } from "../src/view/glb";
import { crosses } from "../src/view/picking";
import { clusters } from "../src/view/pins";
import { axesOf, cut, filled, outlines } from "../src/view/slice";
import { Space } from "../src/view/space";
import { FLAG, States } from "../src/view/states";
import { along } from "../src/view/ways";
import { Box3 } from "three";

/** A box of one element, or two side by side. */
function box(width: number, height: number, depth: number, at = new Vector3()): Part {
  const g = new BoxGeometry(width, height, depth).translate(at.x, at.y, at.z);
  const count = g.getAttribute("position").count;
  return {
    kind: "opaque",
    positions: new Float32Array(g.getAttribute("position").array),
    normals: new Int8Array(count * 4),
    colours: new Uint8Array(count * 4),
    features: new Uint32Array(count),
    indices: new Uint32Array(g.getIndex()!.array),
  };
}

function tree(part: Part): MeshBVH {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(part.positions, 3));
  geometry.setIndex(new BufferAttribute(part.indices, 1));
  return new MeshBVH(geometry);
}

const surface = (triangles: number[]) => {
  let sum = 0;
  for (let i = 0; i < triangles.length; i += 6) {
    const [ax, ay, bx, by, cx, cy] = triangles.slice(i, i + 6) as [number, number, number, number, number, number];
    sum += Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2;
  }
  return sum;
};

describe("edges", () => {
  it("a box has twelve, and none across its faces", () => {
    const edges = edgesOf(box(2, 3, 4));
    expect(edges.features.length).toBe(24);
    const lengths = Array.from({ length: 12 }, (_, i) => new Vector3().fromArray(edges.positions, i * 6).distanceTo(new Vector3().fromArray(edges.positions, i * 6 + 3)));
    expect(lengths.map((l) => Math.round(l)).sort()).toEqual([2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4]);
  });

  it("a face alone has its border only, one folded flat no more", () => {
    const part = box(1, 1, 1);
    part.indices = part.indices.slice(0, 6);
    expect(edgesOf(part).features.length).toBe(8);
  });

  it("elements that touch keep the edges between them", () => {
    const part = box(1, 1, 1);
    part.features.fill(1, 12);
    expect(edgesOf(part).features.length).toBeGreaterThan(24);
  });
});

describe("slices", () => {
  it("a box is cut to a rectangle of the right size, whichever way it is cut", () => {
    const part = box(2, 3, 4);
    const bvh = tree(part);
    for (const [normal, size] of [[new Vector3(1, 0, 0), 12], [new Vector3(0, 1, 0), 8], [new Vector3(0, 0, -1), 6]] as const) {
      const plane = new Plane(normal, 0.3);
      const lines = cut(part, bvh, plane, axesOf(normal), () => true).get(0)!;
      const loops = outlines(lines);
      expect(loops.length).toBe(1);
      expect(surface(filled(loops))).toBeCloseTo(size, 3);
    }
  });

  it("what is not accepted is not cut, nor what the plane misses", () => {
    const part = box(2, 3, 4);
    const [bvh, normal] = [tree(part), new Vector3(0, 1, 0)];
    expect(cut(part, bvh, new Plane(normal, 0), axesOf(normal), () => false).size).toBe(0);
    expect(cut(part, bvh, new Plane(normal, 9), axesOf(normal), () => true).size).toBe(0);
  });

  it("holes stay open and islands in them are filled", () => {
    const square = (r: number) => [[-r, -r], [r, -r], [r, r], [-r, r]].map(([x, y]) => new Vector2(x, y));
    expect(surface(filled([square(1), square(3), square(2)]))).toBeCloseTo(36 - 16 + 4, 6);
  });

  it("lines in any order and direction become one outline; what does not close is left out", () => {
    expect(outlines([0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1])[0]).toHaveLength(4);
    expect(outlines([0, 0, 1, 0, 1, 0, 1, 1])).toHaveLength(0);
    // ends a millimetre apart are meant to be one
    expect(outlines([0, 0, 1, 0, 1, 0.001, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0])).toHaveLength(1);
  });

  it("axes are square to each other and the normal", () => {
    for (const n of [new Vector3(0, 1, 0), new Vector3(0, -1, 0), new Vector3(1, 2, 3).normalize()]) {
      const [u, v] = axesOf(n);
      expect([u.dot(v), u.dot(n), v.dot(n)].every((d) => Math.abs(d) < 1e-9)).toBe(true);
      expect(u.length()).toBeCloseTo(1);
    }
  });
});

describe("measurements", () => {
  it("angles, areas and their words", () => {
    expect(angle([1, 0, 0], [0, 0, 0], [0, 5, 0])).toBeCloseTo(90);
    expect(area([[0, 0, 1], [4, 0, 1], [4, 3, 1], [0, 3, 1]])).toBeCloseTo(12);
    expect(valueOf("distance", [[0, 0, 0], [3, 4, 0]])).toBe(5);
    expect([said("distance", 0.5), said("height", 2.5), said("area", 12), said("angle", 45.06)]).toEqual(["500 mm", "2.500 m", "12.00 m²", "45.1°"]);
  });

  it("places along a way", () => {
    const path = [new Vector3(), new Vector3(2, 0, 0), new Vector3(2, 0, 3)];
    expect(along(path, 3).toArray()).toEqual([2, 0, 1]);
    expect(along(path, 99).toArray()).toEqual([2, 0, 3]);
  });

  it("a scale bar has a round length", () => {
    expect([0.7, 1.9, 4.4, 73].map(round)).toEqual([0.5, 1, 2, 50]);
  });
});

describe("pins", () => {
  it("near ones become one, far ones stay", () => {
    const groups = clusters([{ x: 0, y: 0 }, { x: 10, y: 5 }, { x: 29, y: 0 }, { x: 200, y: 0 }]);
    expect(groups.map((g) => g.length)).toEqual([3, 1]);
  });
});

describe("places", () => {
  it("go to the picture and back, however far from nought", () => {
    const space = new Space();
    space.settle([500_000.5, 5_400_000.25, 210]);
    const p: [number, number, number] = [500_010.125, 5_400_020.5, 212.75];
    expect(space.from(space.to(p))).toEqual(p);
    const { min, max } = space.corners(space.box([500_001, 5_400_002, 211], p));
    expect([min, max]).toEqual([[500_001, 5_400_002, 211], p]);
  });

  it("a box is just in view, from any direction", () => {
    const wanted = new Box3(new Vector3(-4, 0, -2), new Vector3(6, 3, 9));
    for (const d of [new Vector3(0.7, 0.6, 1), new Vector3(0, 1, 1e-5), new Vector3(-1, 0, 0)]) {
      d.normalize();
      const { distance } = onwards(wanted, d, 1.6, 0.38, 1.05);
      expect(distance).toBeGreaterThan(5);
      expect(distance).toBeLessThan(40);
    }
    expect(onwards(wanted, new Vector3(0, 0, 1), 1, 0, 1).height).toBeCloseTo(10);
  });

  it("a line runs through a box or beside it", () => {
    const [min, max] = [{ x: 0, y: 0 }, { x: 1, y: 1 }];
    expect(crosses(-1, 0.5, 2, 0.5, min, max)).toBe(true);
    expect(crosses(-1, 2, 2, 2, min, max)).toBe(false);
    expect(crosses(-1, 1.5, 1.5, 4, min, max)).toBe(false);
  });
});

describe("states", () => {
  it("numbers are given out one after another, and again once they are given back", () => {
    const states = new States();
    const [a, b] = [states.take(10), states.take(5000)];
    expect(b).toBe(a + 10);
    states.set(b + 4999, FLAG.hidden | FLAG.coloured, 0x123456);
    expect([states.flags(b + 4999), states.colour(b + 4999)]).toEqual([FLAG.hidden | FLAG.coloured, 0x123456]);
    states.give(a, 10);
    expect(states.take(4)).toBe(a);
    expect(states.take(6)).toBe(a + 4);
    // the texture grew and kept what was in it
    states.take(20_000);
    expect(states.colour(b + 4999)).toBe(0x123456);
  });
});
