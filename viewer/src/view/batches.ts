// What is drawn: tiles of one model merged into few meshes, so that many models take few draw calls.

import * as THREE from "three";
import type { Kind } from "./glb";
import { KINDS } from "./glb";
import type { Materials } from "./materials";
import { leanOf } from "./lean";
import type { Resident } from "./models";
import { FLAG } from "./states";
import type { States } from "./states";

/** The layer that occlusion and shadows look at. */
export const SOLID_LAYER = 1;
/** A batch takes tiles up to so many corners. */
const FULL = 900_000;

interface Drawn {
  solid: THREE.Mesh;
  ghost: THREE.Mesh;
  marked: THREE.Mesh;
}

interface Batch {
  tiles: Resident[];
  group: THREE.Group;
  parts: Map<Kind, Drawn>;
  lines: THREE.LineSegments | undefined;
  corners: number;
  box: THREE.Box3;
}

const cornersOf = (tile: Resident) => tile.prepared.parts.reduce((n, p) => n + p.features.length, 0);

export class Batches {
  readonly group = new THREE.Group();
  private readonly of = new Map<Resident, Batch>();
  private readonly batches = new Set<Batch>();
  edges = true;

  constructor(
    private readonly materials: Materials,
    private readonly states: States,
  ) {
    this.group.matrixAutoUpdate = false;
  }

  get count(): number {
    return this.batches.size;
  }

  add(tile: Resident) {
    this.make([tile]);
  }

  drop(tile: Resident) {
    const batch = this.of.get(tile);
    if (!batch) return;
    this.unmake(batch);
    const rest = batch.tiles.filter((t) => t !== tile);
    if (rest.length > 0) this.make(rest);
  }

  /** Merges two small batches of a model, if there are any; answers whether there were. One at a time, so that no picture waits. */
  merge(): boolean {
    const small = new Map<string, Batch>();
    for (const batch of this.batches) {
      const model = batch.tiles[0]!.model.id;
      const other = small.get(model);
      if (other && other.corners + batch.corners <= FULL) {
        this.unmake(other);
        this.unmake(batch);
        this.make([...other.tiles, ...batch.tiles]);
        return true;
      }
      if (!other || batch.corners < other.corners) small.set(model, batch);
    }
    return false;
  }

  /** Puts batches where their tiles are, after a model was moved, shown or hidden. */
  place() {
    for (const batch of this.batches) {
      const first = batch.tiles[0]!;
      batch.group.position.copy(first.at);
      batch.group.visible = first.model.visible;
      batch.group.updateMatrix();
      batch.group.updateMatrixWorld(true);
      boxOf(batch);
    }
  }

  /** Turns passes on and off as the states of elements want them. */
  passes() {
    for (const batch of this.batches) {
      let flags = 0;
      for (const t of batch.tiles) for (let i = 0; i < t.prepared.ids.length; i++) flags |= this.states.flags(t.base + i);
      for (const drawn of batch.parts.values()) {
        drawn.ghost.visible = (flags & FLAG.ghost) !== 0;
        drawn.marked.visible = (flags & FLAG.selected) !== 0;
      }
    }
  }

  /** Leaves out what is too small to be seen, and edges of what is far: a line a pixel wide on a facade of a hand's breadth is only dark. */
  detail(eye: THREE.Vector3, pixel: number, perspective: boolean) {
    for (const { lines, box, group, tiles } of this.batches) {
      const size = pixel * (perspective ? Math.max(box.distanceToPoint(eye), 0.01) : 1);
      const reach = box.min.distanceTo(box.max);
      group.visible = tiles[0]!.model.visible && reach > size * 1.5;
      if (lines) lines.visible = this.edges && size < 0.3;
    }
  }

  private make(tiles: Resident[]) {
    const first = tiles[0]!;
    const batch: Batch = { tiles, group: new THREE.Group(), parts: new Map(), lines: undefined, corners: tiles.reduce((n, t) => n + cornersOf(t), 0), box: new THREE.Box3() };
    batch.group.matrixAutoUpdate = false;
    for (const kind of KINDS) {
      const geometry = surfaces(tiles, kind);
      if (!geometry) continue;
      const mesh = (material: THREE.Material, order: number) => {
        const m = new THREE.Mesh(geometry, material);
        m.renderOrder = order;
        m.matrixAutoUpdate = false;
        batch.group.add(m);
        return m;
      };
      const drawn = {
        solid: mesh(this.materials.solid[kind], kind === "opaque" ? 0 : kind === "clear" ? 4 : 5),
        ghost: mesh(this.materials.ghost, 6),
        marked: mesh(this.materials.marked, 7),
      };
      drawn.ghost.visible = drawn.marked.visible = false;
      if (kind === "opaque") {
        drawn.solid.layers.enable(SOLID_LAYER);
        drawn.solid.castShadow = true;
        drawn.solid.receiveShadow = true;
        drawn.solid.customDepthMaterial = this.materials.shadow;
      }
      batch.parts.set(kind, drawn);
    }
    const lines = edges(tiles);
    if (lines) {
      batch.lines = new THREE.LineSegments(lines, this.materials.lines);
      batch.lines.renderOrder = 2;
      batch.lines.matrixAutoUpdate = false;
      batch.group.add(batch.lines);
    }
    batch.group.position.copy(first.at);
    batch.group.visible = first.model.visible;
    batch.group.updateMatrix();
    boxOf(batch);
    this.group.add(batch.group);
    batch.group.updateMatrixWorld(true);
    this.batches.add(batch);
    for (const tile of tiles) this.of.set(tile, batch);
  }

  private unmake(batch: Batch) {
    this.batches.delete(batch);
    this.group.remove(batch.group);
    for (const { solid } of batch.parts.values()) solid.geometry.dispose();
    batch.lines?.geometry.dispose();
    for (const tile of batch.tiles) this.of.delete(tile);
  }

  /** All meshes anew: the graphics card has lost what it had. */
  renew() {
    for (const batch of [...this.batches]) {
      this.unmake(batch);
      this.make(batch.tiles);
    }
    this.passes();
  }

  dispose() {
    for (const batch of [...this.batches]) this.unmake(batch);
  }
}

/** What was sent to the graphics card is kept by the tiles alone. */
const sent = <A extends THREE.BufferAttribute>(attribute: A, merged: boolean): A => {
  if (merged) attribute.onUpload(function (this: THREE.BufferAttribute) { (this as { array: unknown }).array = new Float32Array(0); });
  return attribute;
};

function boxOf(batch: Batch) {
  batch.box.makeEmpty();
  const corner = new THREE.Vector3();
  for (const { at, prepared } of batch.tiles) {
    const b = prepared.boxes;
    for (let i = 0; i < b.length; i += 3) {
      if (Number.isFinite(b[i]!)) batch.box.expandByPoint(corner.set(b[i]!, b[i + 1]!, b[i + 2]!).add(at));
    }
  }
}

function bounded(geometry: THREE.BufferGeometry, tiles: Resident[]): THREE.BufferGeometry {
  const box = new THREE.Box3();
  const first = tiles[0]!;
  const corner = new THREE.Vector3();
  for (const { at, prepared } of tiles) {
    const b = prepared.boxes;
    for (let i = 0; i < b.length; i += 3) {
      if (Number.isFinite(b[i]!)) box.expandByPoint(corner.set(b[i]!, b[i + 1]!, b[i + 2]!).add(at).sub(first.at));
    }
  }
  geometry.boundingBox = box;
  geometry.boundingSphere = box.getBoundingSphere(new THREE.Sphere());
  return geometry;
}

/** Copies places, moved from their tile's origin to the first tile's. */
function moved(into: Float32Array, from: Float32Array, at: number, by: THREE.Vector3) {
  for (let i = 0; i < from.length; i += 3) {
    into[at + i] = from[i]! + by.x;
    into[at + i + 1] = from[i + 1]! + by.y;
    into[at + i + 2] = from[i + 2]! + by.z;
  }
}

function surfaces(tiles: Resident[], kind: Kind): THREE.BufferGeometry | undefined {
  const list = tiles.flatMap((tile) => tile.prepared.parts.filter((p) => p.kind === kind).map((part) => ({ tile, part })));
  if (list.length === 0) return undefined;
  const merged = list.length > 1;
  let { positions, normals, colours, features, indices } = list[0]!.part;
  if (merged || list[0]!.tile !== tiles[0]) {
    const corners = list.reduce((n, { part }) => n + part.features.length, 0);
    [positions, normals, colours, features] = [new Float32Array(corners * 3), new Int8Array(corners * 4), new Uint8Array(corners * 4), new Uint32Array(corners)];
    indices = new Uint32Array(list.reduce((n, { part }) => n + part.indices.length, 0));
    let [v, t] = [0, 0];
    for (const { tile, part } of list) {
      moved(positions, part.positions, v * 3, tile.at.clone().sub(tiles[0]!.at));
      normals.set(part.normals, v * 4);
      colours.set(part.colours, v * 4);
      features.set(part.features, v);
      for (let i = 0; i < part.indices.length; i++) indices[t + i] = part.indices[i]! + v;
      v += part.features.length;
      t += part.indices.length;
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", sent(new THREE.BufferAttribute(positions, 3), merged));
  const packed = new THREE.InterleavedBuffer(normals, 4);
  geometry.setAttribute("normal", new THREE.InterleavedBufferAttribute(packed, 3, 0, true));
  geometry.setAttribute("lean", new THREE.InterleavedBufferAttribute(packed, 1, 3, true));
  geometry.setAttribute("tint", sent(new THREE.BufferAttribute(colours, 4, true), merged));
  geometry.setAttribute("feature", sent(new THREE.BufferAttribute(features, 1), merged));
  geometry.setIndex(sent(new THREE.BufferAttribute(indices, 1), false));
  return bounded(geometry, tiles);
}

function edges(tiles: Resident[]): THREE.BufferGeometry | undefined {
  const list = tiles.flatMap((tile) => tile.prepared.parts.flatMap(({ edges, kind }) => (edges && edges.features.length > 0 ? [{ tile, edges, kind }] : [])));
  if (list.length === 0) return undefined;
  const ends = list.reduce((n, { edges }) => n + edges.features.length, 0);
  const [positions, features] = [new Float32Array(ends * 3), new Uint32Array(ends)];
  let v = 0;
  for (const { tile, edges, kind } of list) {
    moved(positions, edges.positions, v * 3, tile.at.clone().sub(tiles[0]!.at));
    const lean = tile.prepared.ids.map((_, i) => leanOf(tile.prepared.boxes, i));
    // 24 bits of the element's number, 7 of its lean, one for what is seen through and so is in no picture of surfaces
    const clear = kind === "clear" ? 0x80000000 : 0;
    for (let i = 0; i < edges.features.length; i++) features[v + i] = edges.features[i]! + (lean[edges.features[i]! - tile.base] ?? 0) * 0x1000000 + clear;
    v += edges.features.length;
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", sent(new THREE.BufferAttribute(positions, 3), true));
  geometry.setAttribute("feature", sent(new THREE.BufferAttribute(features, 1), true));
  return bounded(geometry, tiles);
}
