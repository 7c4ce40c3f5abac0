// Everything that is worked out from a tile's bytes before it can be drawn and picked: run by a worker, or here where there is none.

import { BufferAttribute, BufferGeometry } from "three";
import { MeshBVH, SAH, type SerializedBVH } from "three-mesh-bvh";
import { edgesOf, type Edges } from "./edges";
import { KIND_BITS, readTile, type Part } from "./glb";
import { leanOf } from "./lean";

export interface PreparedPart extends Part {
  edges: Edges | undefined;
  bvh: SerializedBVH;
}

export interface Prepared {
  ids: string[];
  classes: string[];
  /** Box of each element, six numbers, relative to the tile's origin, y up. */
  boxes: Float32Array;
  /** What each element consists of: a sum of `KIND_BITS`. */
  kinds: Uint8Array;
  parts: PreparedPart[];
  triangles: number;
  /** What it takes in memory. */
  bytes: number;
}

function kindsOf(parts: Part[], count: number): Uint8Array {
  const out = new Uint8Array(count);
  for (const { kind, features } of parts) for (const f of features) out[f]! |= KIND_BITS[kind];
  return out;
}

function boxesOf(parts: Part[], count: number): Float32Array {
  const out = new Float32Array(count * 6);
  for (let i = 0; i < count; i++) out.fill(Infinity, i * 6, i * 6 + 3).fill(-Infinity, i * 6 + 3, i * 6 + 6);
  for (const { positions, features } of parts) {
    for (let i = 0; i < features.length; i++) {
      const o = features[i]! * 6;
      for (let k = 0; k < 3; k++) {
        const v = positions[i * 3 + k]!;
        if (v < out[o + k]!) out[o + k] = v;
        if (v > out[o + 3 + k]!) out[o + 3 + k] = v;
      }
    }
  }
  return out;
}

export function prepare(data: ArrayBuffer): Prepared {
  const tile = readTile(data);
  let [triangles, bytes] = [0, 0];
  const parts = tile.parts.map((part): PreparedPart => {
    const edges = part.kind === "space" ? undefined : edgesOf(part);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(part.positions, 3));
    geometry.setIndex(new BufferAttribute(part.indices, 1));
    // turns the order of triangles; each corner knows its element, so nothing else minds
    const bvh = MeshBVH.serialize(new MeshBVH(geometry, { strategy: SAH, targetLeafSize: 8 }), { cloneBuffers: false });
    triangles += part.indices.length / 3;
    bytes += part.features.length * 24 + part.indices.length * 4 + (edges?.features.length ?? 0) * 16;
    for (const root of bvh.roots as ArrayBuffer[]) bytes += root.byteLength;
    return { ...part, edges, bvh };
  });
  const count = tile.ids.length;
  const boxes = boxesOf(tile.parts, count);
  const lean = Int8Array.from({ length: count }, (_, i) => leanOf(boxes, i));
  for (const { normals, features } of tile.parts) for (let i = 0; i < features.length; i++) normals[i * 4 + 3] = lean[features[i]!]!;
  return { ids: tile.ids, classes: tile.classes, boxes, kinds: kindsOf(tile.parts, count), parts, triangles, bytes };
}

/** The buffers that go over to another thread whole. */
export function buffersOf(prepared: Prepared): ArrayBuffer[] {
  const all = new Set<ArrayBufferLike>([prepared.boxes.buffer, prepared.kinds.buffer]);
  for (const p of prepared.parts) {
    for (const a of [p.positions, p.normals, p.colours, p.features, p.indices]) all.add(a.buffer);
    if (p.edges) all.add(p.edges.positions.buffer).add(p.edges.features.buffer);
    for (const root of p.bvh.roots as ArrayBuffer[]) all.add(root);
  }
  return [...all] as ArrayBuffer[];
}
