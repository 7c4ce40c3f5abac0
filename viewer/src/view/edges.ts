// The edges that are drawn: where the surface of an element bends or ends, not where a flat face was cut into triangles.

import type { Part } from "./glb";

/** Ends of lines in pairs, and the element of each end. */
export interface Edges {
  positions: Float32Array;
  features: Uint32Array;
}

/** Corners nearer than this are one, in metres. */
const WELD = 2e-4;
/** Facets that bend by less than this belong to one curved face. */
const BEND = Math.cos((28 * Math.PI) / 180);
/** Faces of less than this (square of twice the area) have no direction that can be trusted. */
const SLIVER = 1e-14;

/** Numbers corners so that those at one place of one element have one number. */
function weld({ positions, features }: Part): Uint32Array {
  const count = features.length;
  let size = 1024;
  while (size < count * 2) size *= 2;
  const table = new Int32Array(size).fill(-1);
  const grid = new Int32Array(count * 3);
  const out = new Uint32Array(count);
  for (let i = 0; i < count * 3; i++) grid[i] = Math.round(positions[i]! / WELD);
  for (let i = 0; i < count; i++) {
    const [x, y, z, f] = [grid[i * 3]!, grid[i * 3 + 1]!, grid[i * 3 + 2]!, features[i]!];
    let slot = (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791) ^ Math.imul(f, 2654435761)) & (size - 1);
    for (;;) {
      const j = table[slot]!;
      if (j < 0) {
        table[slot] = i;
        out[i] = i;
        break;
      }
      if (grid[j * 3] === x && grid[j * 3 + 1] === y && grid[j * 3 + 2] === z && features[j] === f) {
        out[i] = j;
        break;
      }
      slot = (slot + 1) & (size - 1);
    }
  }
  return out;
}

/** The normals of a part's triangles, unit length; zero for slivers. */
function faces({ positions, indices }: Part): Float32Array {
  const out = new Float32Array(indices.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [indices[t]! * 3, indices[t + 1]! * 3, indices[t + 2]! * 3];
    const [ux, uy, uz] = [positions[b]! - positions[a]!, positions[b + 1]! - positions[a + 1]!, positions[b + 2]! - positions[a + 2]!];
    const [vx, vy, vz] = [positions[c]! - positions[a]!, positions[c + 1]! - positions[a + 1]!, positions[c + 2]! - positions[a + 2]!];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const square = x * x + y * y + z * z;
    if (square < SLIVER) continue;
    const k = 1 / Math.sqrt(square);
    out[t] = x * k;
    out[t + 1] = y * k;
    out[t + 2] = z * k;
  }
  return out;
}

/** The edges of a part. */
export function edgesOf(part: Part): Edges {
  const { positions, features, indices } = part;
  const corner = weld(part);
  const normals = faces(part);
  const sides = indices.length;
  let size = 1024;
  while (size < sides * 2) size *= 2;
  // open addressing: the first side seen of each edge, and the sides that share it as a chain
  const table = new Int32Array(size).fill(-1);
  const next = new Int32Array(sides).fill(-1);
  const ends = new Uint32Array(sides * 2);
  const heads: number[] = [];
  for (let s = 0; s < sides; s++) {
    const t = s - (s % 3);
    const [p, q] = [corner[indices[s]!]!, corner[indices[t + ((s + 1) % 3)]!]!];
    if (p === q) continue;
    const [a, b] = p < q ? [p, q] : [q, p];
    ends[s * 2] = a;
    ends[s * 2 + 1] = b;
    let slot = (Math.imul(a, 2654435761) ^ Math.imul(b, 40503)) & (size - 1);
    for (;;) {
      const head = table[slot]!;
      if (head < 0) {
        table[slot] = s;
        heads.push(s);
        break;
      }
      if (ends[head * 2] === a && ends[head * 2 + 1] === b) {
        next[s] = next[head]!;
        next[head] = s;
        break;
      }
      slot = (slot + 1) & (size - 1);
    }
  }
  const kept: number[] = [];
  for (const head of heads) if (bends(head, next, normals)) kept.push(head);
  const out: Edges = { positions: new Float32Array(kept.length * 6), features: new Uint32Array(kept.length * 2) };
  kept.forEach((s, i) => {
    for (let k = 0; k < 2; k++) {
      const v = ends[s * 2 + k]!;
      out.positions.set(positions.subarray(v * 3, v * 3 + 3), i * 6 + k * 3);
      out.features[i * 2 + k] = features[v]!;
    }
  });
  return out;
}

/** Whether the faces at an edge differ in direction, or there is but one. */
function bends(head: number, next: Int32Array, normals: Float32Array): boolean {
  let [first, faces] = [-1, 0];
  for (let s = head; s >= 0; s = next[s]!) {
    const t = s - (s % 3);
    const [x, y, z] = [normals[t]!, normals[t + 1]!, normals[t + 2]!];
    if (x === 0 && y === 0 && z === 0) continue;
    faces++;
    if (first < 0) first = t;
    // surfaces that are open may turn either way, so a face folded flat onto its neighbour is no bend
    else if (Math.abs(x * normals[first]! + y * normals[first + 1]! + z * normals[first + 2]!) < BEND) return true;
  }
  return faces === 1;
}
