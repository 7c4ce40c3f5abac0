// Where a plane cuts elements: lines in the plane, closed to outlines and filled with triangles. Numbers alone, no picture.

import { ShapeUtils, Vector2, Vector3, type Plane } from "three";
import type { MeshBVH } from "three-mesh-bvh";
import type { Part } from "./glb";

/** Two directions that span a plane; with its normal they are a right-handed frame. */
export function axesOf(normal: Vector3): [Vector3, Vector3] {
  const u = Math.abs(normal.y) > 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0).cross(normal).normalize();
  u.addScaledVector(normal, -u.dot(normal)).normalize();
  return [u, new Vector3().crossVectors(normal, u)];
}

/** The lines in which a plane cuts each element of a part: x and y of both ends along `axes`, by element. Everything relative to the tile. */
export function cut(part: Part, bvh: MeshBVH, plane: Plane, axes: [Vector3, Vector3], accept: (feature: number) => boolean): Map<number, number[]> {
  const out = new Map<number, number[]>();
  const [u, v] = axes;
  const p = new Vector3();
  const { positions, indices, features } = part;
  // a plane through corners would cut nothing or everything there
  const constant = plane.constant + 1.37e-5;
  const height = (i: number) => plane.normal.x * positions[i * 3]! + plane.normal.y * positions[i * 3 + 1]! + plane.normal.z * positions[i * 3 + 2]! + constant;
  /** Worked out from the lower number to the higher one, so that neighbours meet in the very same place. */
  const meet = (i: number, j: number, hi: number, hj: number, into: number[]) => {
    const back = positions[i * 3]! > positions[j * 3]! || (positions[i * 3] === positions[j * 3] && (positions[i * 3 + 1]! > positions[j * 3 + 1]! || (positions[i * 3 + 1] === positions[j * 3 + 1] && positions[i * 3 + 2]! > positions[j * 3 + 2]!)));
    const [a, b, ha, hb] = back ? [j, i, hj, hi] : [i, j, hi, hj];
    const t = ha / (ha - hb);
    p.set(
      positions[a * 3]! + (positions[b * 3]! - positions[a * 3]!) * t,
      positions[a * 3 + 1]! + (positions[b * 3 + 1]! - positions[a * 3 + 1]!) * t,
      positions[a * 3 + 2]! + (positions[b * 3 + 2]! - positions[a * 3 + 2]!) * t,
    );
    into.push(p.dot(u), p.dot(v));
  };
  bvh.shapecast({
    intersectsBounds: (box) => plane.intersectsBox(box),
    intersectsTriangle: (_, t) => {
      const corner = [indices[t * 3]!, indices[t * 3 + 1]!, indices[t * 3 + 2]!] as const;
      const feature = features[corner[0]]!;
      const h = [height(corner[0]), height(corner[1]), height(corner[2])] as const;
      const above = (h[0] > 0 ? 1 : 0) + (h[1] > 0 ? 1 : 0) + (h[2] > 0 ? 1 : 0);
      if (above === 0 || above === 3 || !accept(feature)) return false;
      let list = out.get(feature);
      if (!list) out.set(feature, (list = []));
      // the corner that is alone on its side
      const k = (above === 1 ? h.findIndex((x) => x > 0) : h.findIndex((x) => x <= 0)) as 0 | 1 | 2;
      const [a, b] = [((k + 1) % 3) as 0 | 1 | 2, ((k + 2) % 3) as 0 | 1 | 2];
      meet(corner[k], corner[a], h[k], h[a], list);
      meet(corner[k], corner[b], h[k], h[b], list);
      return false;
    },
  });
  return out;
}

const GRID = 5e-4;
/** Ends that are this near are brought together where an outline would stay open. */
const GAP = 4e-3;

/** Lines put together to closed outlines; what does not close is left out. */
export function outlines(lines: number[]): Vector2[][] {
  const name = (x: number, y: number) => `${Math.round(x / GRID)},${Math.round(y / GRID)}`;
  const at = new Map<string, number[]>();
  const count = lines.length / 4;
  const used = new Uint8Array(count);
  const end = (e: number): [number, number] => [lines[e * 2]!, lines[e * 2 + 1]!];
  for (let e = 0; e < count * 2; e++) {
    const [x, y] = end(e);
    const [ox, oy] = end(e ^ 1);
    if (name(x, y) === name(ox, oy)) {
      used[e >> 1] = 1;
      continue;
    }
    const key = name(x, y);
    const list = at.get(key);
    if (list) list.push(e);
    else at.set(key, [e]);
  }
  const next = (x: number, y: number): number | undefined => {
    const here = at.get(name(x, y))?.find((e) => !used[e >> 1]);
    if (here !== undefined) return here;
    let best: { e: number; d: number } | undefined;
    for (let i = -1; i <= 1; i++) for (let j = -1; j <= 1; j++) {
      for (const e of at.get(`${Math.round(x / GRID) + i},${Math.round(y / GRID) + j}`) ?? []) {
        if (used[e >> 1]) continue;
        const d = Math.hypot(end(e)[0] - x, end(e)[1] - y);
        if (!best || d < best.d) best = { e, d };
      }
    }
    return best?.e;
  };
  const open: Vector2[][] = [];
  const closed: Vector2[][] = [];
  for (let s = 0; s < count; s++) {
    if (used[s]) continue;
    used[s] = 1;
    const loop = [new Vector2(...end(s * 2)), new Vector2(...end(s * 2 + 1))];
    for (;;) {
      const last = loop.at(-1)!;
      const e = next(last.x, last.y);
      if (e === undefined) break;
      used[e >> 1] = 1;
      loop.push(new Vector2(...end(e ^ 1)));
      if (loop.at(-1)!.distanceTo(loop[0]!) < GRID * 1.5) break;
    }
    if (loop.length > 3 && loop[0]!.distanceTo(loop.at(-1)!) < GAP) {
      loop.pop();
      closed.push(loop);
    } else open.push(loop);
  }
  // pieces whose ends nearly meet become one
  for (const piece of open) {
    for (const other of open) {
      if (other === piece || other.length === 0 || piece.length === 0) continue;
      if (piece.at(-1)!.distanceTo(other[0]!) < GAP) piece.push(...other.splice(0));
      else if (piece.at(-1)!.distanceTo(other.at(-1)!) < GAP) piece.push(...other.splice(0).reverse());
    }
    if (piece.length > 3 && piece[0]!.distanceTo(piece.at(-1)!) < GAP) closed.push(piece.slice(0, -1));
  }
  return closed;
}

function holds(loop: Vector2[], p: Vector2): boolean {
  let inside = false;
  for (let i = 0, j = loop.length - 1; i < loop.length; j = i++) {
    const [a, b] = [loop[i]!, loop[j]!];
    if (a.y > p.y !== b.y > p.y && p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

/** The area between outlines as triangles, x and y of each corner: what lies in an odd number of them is filled. */
export function filled(loops: Vector2[][]): number[] {
  const out: number[] = [];
  const sized = loops.map((loop) => ({ loop, size: Math.abs(ShapeUtils.area(loop)) })).filter((l) => l.size > 1e-7).sort((a, b) => b.size - a.size);
  const around = sized.map(({ loop }, i) => sized.slice(0, i).flatMap((o, j) => (holds(o.loop, loop[0]!) ? [j] : [])));
  sized.forEach(({ loop }, i) => {
    if (around[i]!.length % 2 === 1) return;
    const depth = around[i]!.length;
    const holes = sized.filter((_, j) => around[j]!.length === depth + 1 && around[j]!.includes(i)).map((h) => h.loop);
    // three's triangulation wants outlines one way round and holes the other
    const contour = ShapeUtils.isClockWise(loop) ? [...loop].reverse() : loop;
    const inner = holes.map((h) => (ShapeUtils.isClockWise(h) ? h : [...h].reverse()));
    const corners = [contour, ...inner].flat();
    for (const triangle of ShapeUtils.triangulateShape(contour, inner)) for (const k of triangle) out.push(corners[k]!.x, corners[k]!.y);
  });
  return out;
}
