// The outline of a floor that comes as triangles: the edges that one triangle alone has, joined to rings.

import type { RoomFloor } from "../../view/overlay";

export function outline(floor: Pick<RoomFloor, "points" | "triangles">): [number, number][][] {
  const edges = new Map<string, [number, number]>();
  for (let i = 0; i + 2 < floor.triangles.length; i += 3) {
    const corners = floor.triangles.slice(i, i + 3);
    corners.forEach((a, k) => {
      const b = corners[(k + 1) % 3] ?? a;
      // the neighbour's edge runs the other way; both are within the floor
      if (!edges.delete(`${b}/${a}`)) edges.set(`${a}/${b}`, [a, b]);
    });
  }
  const next = new Map<number, number[]>();
  for (const [a, b] of edges.values()) next.set(a, [...(next.get(a) ?? []), b]);
  const rings: [number, number][][] = [];
  for (const start of next.keys()) {
    let at = next.get(start)?.pop();
    if (at === undefined) continue;
    const ring = [start];
    while (at !== undefined && at !== start && ring.length <= edges.size) {
      ring.push(at);
      at = next.get(at)?.pop();
    }
    if (ring.length > 2) rings.push(ring.map((i) => floor.points[i] ?? [0, 0]));
  }
  return rings;
}
