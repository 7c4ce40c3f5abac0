// From how far a box is just in view.

import { Vector3, type Box3 } from "three";

export const cornersOf = (box: Box3): Vector3[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((i) => new Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z));

/** Where to look and from how far, in a direction from the target to the eye; `tan` of half the field of view, nought for an orthographic camera. */
export function onwards(box: Box3, direction: Vector3, aspect: number, tan: number, margin: number): { target: Vector3; distance: number; height: number } {
  const right = new Vector3().crossVectors(new Vector3(0, 1, 0), direction).normalize();
  if (right.lengthSq() < 0.5) right.set(1, 0, 0);
  const above = new Vector3().crossVectors(direction, right);
  const corners = cornersOf(box);
  const target = box.getCenter(new Vector3());
  const size = box.getSize(new Vector3()).length();
  let distance = size;
  let height = 1;
  if (tan <= 0) {
    const reach = (axis: Vector3) => Math.max(...corners.map((c) => Math.abs(c.clone().sub(target).dot(axis))));
    height = Math.max(2 * reach(above), (2 * reach(right)) / aspect, 0.5) * margin;
    return { target, distance, height };
  }
  // near corners look larger: aim at the middle of what is seen, not of the box
  for (let round = 0; round < 4; round++) {
    distance = 0.3;
    const relative = corners.map((c) => c.clone().sub(target));
    for (const c of relative) {
      const wide = Math.max(Math.abs(c.dot(right)) / aspect, Math.abs(c.dot(above)));
      distance = Math.max(distance, c.dot(direction) + (wide / tan) * margin);
    }
    for (const axis of [right, above]) {
      const seen = relative.map((c) => c.dot(axis) / (distance - c.dot(direction)));
      target.addScaledVector(axis, ((Math.min(...seen) + Math.max(...seen)) / 2) * distance);
    }
  }
  return { target, distance, height: 2 * distance * tan };
}
