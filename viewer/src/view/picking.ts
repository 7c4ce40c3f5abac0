// What lies under the pointer: by trees of triangles, so that it needs no picture; what is hidden or cut away is not hit.

import * as THREE from "three";
import type { Models, Resident } from "./models";
import { FLAG, type States } from "./states";
import { KINDS, type Kind } from "./glb";

export interface Struck {
  tile: Resident;
  /** The element's number in the tile. */
  index: number;
  kind: Kind;
  distance: number;
  point: THREE.Vector3;
  normal: THREE.Vector3;
  /** Corners of the triangle. */
  corners: [THREE.Vector3, THREE.Vector3, THREE.Vector3];
}

export interface PickOptions {
  /** Also hits what is faint. */
  ghosts?: boolean;
  /** Leaves out what this answers false for. */
  accept?: (tile: Resident, index: number, kind: Kind) => boolean;
  far?: number;
}

export class Picker {
  /** What cuts away: points with a negative distance are gone. */
  planes: THREE.Plane[] = [];

  constructor(
    private readonly models: Models,
    private readonly states: States,
  ) {}

  /** The first thing that a ray hits. Rooms give way to what stands in them. */
  cast(ray: THREE.Ray, options: PickOptions = {}): Struck | undefined {
    let best: Struck | undefined;
    let room: Struck | undefined;
    const local = new THREE.Ray();
    const box = new THREE.Box3();
    for (const tile of this.models.tiles()) {
      if (!tile.model.visible) continue;
      local.copy(ray);
      local.origin.sub(tile.at);
      for (const kind of KINDS) {
        const bvh = tile.bvh.get(kind);
        if (!bvh) continue;
        const limit = () => Math.min((kind === "space" ? room : best)?.distance ?? Infinity, options.far ?? Infinity);
        bvh.getBoundingBox(box);
        const near = enters(local, box);
        if (near === undefined || near > limit()) continue;
        const hit = this.strike(tile, kind, local, limit(), options);
        if (hit && kind === "space") room = hit;
        else if (hit) best = hit;
      }
    }
    return best ?? room;
  }

  private strike(tile: Resident, kind: Kind, local: THREE.Ray, far: number, options: PickOptions): Struck | undefined {
    const part = tile.prepared.parts.find((p) => p.kind === kind);
    const bvh = tile.bvh.get(kind);
    if (!part || !bvh) return undefined;
    const at = new THREE.Vector3();
    let found: { distance: number; triangle: number; point: THREE.Vector3 } | undefined;
    bvh.shapecast({
      boundsTraverseOrder: (box) => enters(local, box) ?? Infinity,
      intersectsBounds: (box) => {
        const near = enters(local, box);
        return near !== undefined && near <= (found?.distance ?? far);
      },
      intersectsTriangle: (triangle, number) => {
        const feature = part.features[part.indices[number * 3]!]!;
        const flags = this.states.flags(feature);
        if ((flags & FLAG.hidden) !== 0 || ((flags & FLAG.ghost) !== 0 && !options.ghosts)) return false;
        if (!local.intersectTriangle(triangle.a, triangle.b, triangle.c, false, at)) return false;
        const distance = at.distanceTo(local.origin);
        if (distance > (found?.distance ?? far) || this.isCut(at, tile.at)) return false;
        if (options.accept && !options.accept(tile, feature - tile.base, kind)) return false;
        found = { distance, triangle: number, point: at.clone() };
        return false;
      },
    });
    if (!found) return undefined;
    const [a, b, c] = [0, 1, 2].map((k) => new THREE.Vector3().fromArray(part.positions, part.indices[found!.triangle * 3 + k]! * 3).add(tile.at)) as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
    const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
    if (normal.dot(local.direction) > 0) normal.negate();
    const index = part.features[part.indices[found.triangle * 3]!]! - tile.base;
    return { tile, index, kind, distance: found.distance, point: found.point.add(tile.at), normal, corners: [a, b, c] };
  }

  private isCut(p: THREE.Vector3, at: THREE.Vector3): boolean {
    for (const plane of this.planes) if (plane.normal.x * (p.x + at.x) + plane.normal.y * (p.y + at.y) + plane.normal.z * (p.z + at.z) + plane.constant < -1e-4) return true;
    return false;
  }

  /** Elements in a box of the picture, from -1 to 1: all of each, or a part of it. */
  within(camera: THREE.Camera, min: THREE.Vector2, max: THREE.Vector2, whole: boolean): { tile: Resident; index: number }[] {
    const out: { tile: Resident; index: number }[] = [];
    const matrix = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const p = new THREE.Vector4();
    for (const tile of this.models.tiles()) {
      if (!tile.model.visible) continue;
      const inside = new Uint8Array(tile.prepared.ids.length);
      // bits: 1 some of it is in the box, 2 some of it is not
      for (const part of tile.prepared.parts) {
        const { positions, features } = part;
        for (let i = 0; i < features.length; i++) {
          const index = features[i]! - tile.base;
          if (inside[index] === 3) continue;
          const flags = this.states.flags(features[i]!);
          if ((flags & (FLAG.hidden | FLAG.ghost)) !== 0) continue;
          p.set(positions[i * 3]! + tile.at.x, positions[i * 3 + 1]! + tile.at.y, positions[i * 3 + 2]! + tile.at.z, 1);
          if (this.planes.some((plane) => plane.normal.x * p.x + plane.normal.y * p.y + plane.normal.z * p.z + plane.constant < 0)) continue;
          p.applyMatrix4(matrix);
          const [x, y] = [p.x / p.w, p.y / p.w];
          inside[index]! |= p.w > 0 && x >= min.x && x <= max.x && y >= min.y && y <= max.y ? 1 : 2;
        }
      }
      inside.forEach((bits, index) => {
        if (whole ? bits === 1 : (bits & 1) !== 0 || (bits === 2 && this.touches(tile, index, matrix, min, max))) out.push({ tile, index });
      });
    }
    return out;
  }

  /** Whether a big element without a corner in the box still has an edge that runs through it. */
  private touches(tile: Resident, index: number, matrix: THREE.Matrix4, min: THREE.Vector2, max: THREE.Vector2): boolean {
    const feature = tile.base + index;
    const [p, q] = [new THREE.Vector4(), new THREE.Vector4()];
    for (const { edges } of tile.prepared.parts) {
      if (!edges) continue;
      for (let i = 0; i < edges.features.length; i += 2) {
        if (edges.features[i] !== feature) continue;
        for (const [k, v] of [p, q].entries()) {
          const o = (i + k) * 3;
          v.set(edges.positions[o]! + tile.at.x, edges.positions[o + 1]! + tile.at.y, edges.positions[o + 2]! + tile.at.z, 1).applyMatrix4(matrix);
        }
        if (p.w > 0 && q.w > 0 && crosses(p.x / p.w, p.y / p.w, q.x / q.w, q.y / q.w, min, max)) return true;
      }
    }
    return false;
  }
}

/** The distance at which a ray enters a box; nought from inside. */
function enters(ray: THREE.Ray, box: THREE.Box3): number | undefined {
  let [near, far] = [0, Infinity];
  for (const axis of ["x", "y", "z"] as const) {
    const d = ray.direction[axis];
    const o = ray.origin[axis];
    if (Math.abs(d) < 1e-12) {
      if (o < box.min[axis] || o > box.max[axis]) return undefined;
      continue;
    }
    const [a, b] = [(box.min[axis] - o) / d, (box.max[axis] - o) / d];
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
    if (near > far) return undefined;
  }
  return near;
}

/** Whether a line from one place to another runs through a box. */
export function crosses(ax: number, ay: number, bx: number, by: number, min: { x: number; y: number }, max: { x: number; y: number }): boolean {
  let [from, to] = [0, 1];
  for (const [a, b, low, high] of [[ax, bx, min.x, max.x], [ay, by, min.y, max.y]] as const) {
    const d = b - a;
    if (Math.abs(d) < 1e-12) {
      if (a < low || a > high) return false;
      continue;
    }
    const [s, e] = [(low - a) / d, (high - a) / d];
    from = Math.max(from, Math.min(s, e));
    to = Math.min(to, Math.max(s, e));
    if (from > to) return false;
  }
  return true;
}
