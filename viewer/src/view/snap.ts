// Where a click is meant: at a corner or an edge that is near, else on the face.

import * as THREE from "three";
import type { Struck } from "./picking";
import type { Place } from "./pointer";
import type { Viewer } from "./viewer";

export interface Snapped {
  point: THREE.Vector3;
  kind: "vertex" | "edge" | "face";
  struck: Struck;
}

const NEAR = 11;

export function snap(viewer: Viewer, at: Place): Snapped | undefined {
  // a corner is often missed by a little
  let struck = viewer.cast(at);
  for (const [x, y] of struck ? [] : [[-6, 0], [6, 0], [0, -6], [0, 6]] as const) struck ??= viewer.cast({ x: at.x + x, y: at.y + y });
  if (!struck) return undefined;
  const { tile, index } = struck;
  const feature = tile.base + index;
  const matrix = new THREE.Matrix4().multiplyMatrices(viewer.rig.camera.projectionMatrix, viewer.rig.camera.matrixWorldInverse);
  const [p, q] = [new THREE.Vector4(), new THREE.Vector4()];
  const place = (list: Float32Array, o: number, v: THREE.Vector4): boolean => {
    v.set(list[o]! + tile.at.x, list[o + 1]! + tile.at.y, list[o + 2]! + tile.at.z, 1).applyMatrix4(matrix);
    if (v.w <= 0) return false;
    v.set(((v.x / v.w + 1) / 2) * viewer.width, ((1 - v.y / v.w) / 2) * viewer.height, v.z / v.w, v.w);
    return true;
  };
  let corner: { d: number; point: THREE.Vector3 } | undefined;
  let edge: { d: number; point: THREE.Vector3 } | undefined;
  const eye = viewer.ray(at);
  for (const { edges } of tile.prepared.parts) {
    if (!edges) continue;
    for (let i = 0; i < edges.features.length; i += 2) {
      if (edges.features[i] !== feature || !place(edges.positions, i * 3, p) || !place(edges.positions, i * 3 + 3, q)) continue;
      const world = (k: number) => new THREE.Vector3().fromArray(edges.positions, (i + k) * 3).add(tile.at);
      for (const [k, v] of [p, q].entries()) {
        const d = Math.hypot(v.x - at.x, v.y - at.y);
        if (d < NEAR && (!corner || d < corner.d) && isSeen(viewer, world(k))) corner = { d, point: world(k) };
      }
      const [dx, dy] = [q.x - p.x, q.y - p.y];
      const square = dx * dx + dy * dy;
      if (square < 1) continue;
      const t = Math.min(1, Math.max(0, ((at.x - p.x) * dx + (at.y - p.y) * dy) / square));
      const d = Math.hypot(p.x + dx * t - at.x, p.y + dy * t - at.y);
      if (d >= NEAR * 0.8 || (edge && d >= edge.d)) continue;
      // halfway on the screen is not halfway in depth: the place nearest to the line of sight
      const point = new THREE.Vector3();
      eye.distanceSqToSegment(world(0), world(1), undefined, point);
      if (isSeen(viewer, point)) edge = { d, point };
    }
  }
  if (corner) return { point: corner.point, kind: "vertex", struck };
  if (edge) return { point: edge.point, kind: "edge", struck };
  return { point: struck.point, kind: "face", struck };
}

/** Whether nothing lies before a place. */
function isSeen(viewer: Viewer, point: THREE.Vector3): boolean {
  const at = viewer.screen(point);
  if (!at || viewer.picker.planes.some((plane) => plane.distanceToPoint(point) < -1e-3)) return false;
  const ray = viewer.ray(at);
  const distance = ray.origin.distanceTo(point);
  const hit = viewer.picker.cast(ray, { far: distance });
  return !hit || hit.distance > distance - Math.max(0.01, distance * 0.002);
}
