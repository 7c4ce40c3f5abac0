// What a link lays over the model: a way, floors of rooms in colours with their legend, highlighted elements. The server keeps it beside the
// version; lengths are metres, z is up.

export type Point = [number, number, number];

/** The floor of a room in its colour. */
export interface RoomFloor {
  id: string;
  name: string;
  colour: string;
  height: number;
  points: [number, number][];
  triangles: number[];
}

/** A colour and what has it. */
export interface LegendEntry {
  colour: string;
  says: string;
  rooms: number;
}

export interface Overlay {
  /** Where the building is cut to show a storey's plan. */
  cut?: number;
  min: Point;
  max: Point;
  elements: string[];
  colours?: "area" | "depth";
  legend: LegendEntry[];
  rooms: RoomFloor[];
  path: Point[];
}

const isNumbers = (value: unknown, count: number): value is number[] =>
  Array.isArray(value) && value.length === count && value.every((n) => typeof n === "number" && Number.isFinite(n));
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isColour = (value: unknown): value is string => typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value);

/** Reads an overlay; undefined for what is none. */
export function readOverlay(document: unknown): Overlay | undefined {
  const d = (document ?? {}) as Record<string, unknown>;
  if (!isNumbers(d["min"], 3) || !isNumbers(d["max"], 3)) return undefined;
  const rooms: RoomFloor[] = [];
  for (const entry of list(d["rooms"])) {
    const r = (entry ?? {}) as Record<string, unknown>;
    const points = list(r["points"]).filter((p): p is [number, number] => isNumbers(p, 2));
    const triangles = list(r["triangles"]).filter((i): i is number => Number.isInteger(i) && (i as number) >= 0 && (i as number) < points.length);
    if (!isColour(r["colour"]) || typeof r["height"] !== "number" || triangles.length % 3 !== 0) continue;
    rooms.push({ id: String(r["id"] ?? ""), name: String(r["name"] ?? ""), colour: r["colour"], height: r["height"], points, triangles });
  }
  const legend: LegendEntry[] = [];
  for (const entry of list(d["legend"])) {
    const l = (entry ?? {}) as Record<string, unknown>;
    if (isColour(l["colour"])) legend.push({ colour: l["colour"], says: String(l["says"] ?? ""), rooms: Number(l["rooms"] ?? 0) });
  }
  const colours = d["colours"];
  return {
    ...(typeof d["cut"] === "number" ? { cut: d["cut"] } : {}),
    ...(colours === "area" || colours === "depth" ? { colours } : {}),
    min: d["min"] as Point,
    max: d["max"] as Point,
    elements: list(d["elements"]).filter((id): id is string => typeof id === "string"),
    legend,
    rooms,
    path: list(d["path"]).filter((p): p is Point => isNumbers(p, 3)),
  };
}

/** The length of a way in metres. */
export function length(path: Point[]): number {
  return path.slice(1).reduce((sum, p, i) => sum + Math.hypot(...p.map((v, k) => v - (path[i]?.[k] ?? 0))), 0);
}

/** A way as triangles: a ribbon with round corners, a disc where it starts and an arrow where it ends. Corners in threes, relative to `origin`;
 * `edge` makes it wider all around, to lie under another. */
export function ribbon(path: Point[], half: number, origin: Point, edge = 0): Point[] {
  const out: Point[] = [];
  const points = path.map((p) => p.map((v, k) => v - (origin[k] ?? 0)) as Point);
  const off = (p: Point, x: number, y: number): Point => [p[0] + x, p[1] + y, p[2]];
  const ahead = (a: Point, b: Point): [number, number] => {
    const l = Math.hypot(b[0] - a[0], b[1] - a[1]);
    return l > 1e-9 ? [(b[0] - a[0]) / l, (b[1] - a[1]) / l] : [0, 1];
  };
  const disc = (p: Point, radius: number) => {
    const at = (k: number) => off(p, Math.cos((k * Math.PI) / 8) * radius, Math.sin((k * Math.PI) / 8) * radius);
    for (let k = 0; k < 16; k++) out.push(p, at(k), at(k + 1));
  };
  points.forEach((p, i) => {
    const before = points[i - 1];
    if (before) {
      const [x, y] = ahead(before, p);
      const w = half + edge;
      const [left, right] = [off(before, -y * w, x * w), off(before, y * w, -x * w)];
      const [l, r] = [off(p, -y * w, x * w), off(p, y * w, -x * w)];
      out.push(left, right, r, left, r, l);
    }
    disc(p, (i === 0 ? 2.6 * half : half) + edge);
  });
  const [last, before] = [points.at(-1), points.at(-2)];
  if (last && before) {
    const [x, y] = ahead(before, last);
    // the sides of the arrow keep the same distance from those of a narrower one
    const [tip, wide] = [4.8 * half + 1.9 * edge, 3 * half + 2.2 * edge];
    const base = off(last, -x * edge, -y * edge);
    out.push(off(last, x * tip, y * tip), off(base, -y * wide, x * wide), off(base, y * wide, -x * wide));
  }
  return out;
}

/** Where a room's name stands: the middle of its floor, or of its largest triangle where that lies outside. */
export function middle(room: RoomFloor): Point | undefined {
  let [sum, x, y] = [0, 0, 0];
  let best: { size: number; at: [number, number] } | undefined;
  const corners: [number, number][][] = [];
  for (let i = 0; i + 2 < room.triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => room.points[room.triangles[i + k] ?? 0] ?? [0, 0]) as [[number, number], [number, number], [number, number]];
    const size = Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
    const at: [number, number] = [(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3];
    corners.push([a, b, c]);
    [sum, x, y] = [sum + size, x + at[0] * size, y + at[1] * size];
    if (!best || size > best.size) best = { size, at };
  }
  if (!best || sum <= 0) return undefined;
  const centre: [number, number] = [x / sum, y / sum];
  const holds = ([a, b, c]: [number, number][]) => {
    const side = (p: [number, number], q: [number, number]) => (q[0] - p[0]) * (centre[1] - p[1]) - (q[1] - p[1]) * (centre[0] - p[0]);
    const signs = [side(a!, b!), side(b!, c!), side(c!, a!)];
    return signs.every((s) => s >= -1e-9) || signs.every((s) => s <= 1e-9);
  };
  const [px, py] = corners.some(holds) ? centre : best.at;
  return [px, py, room.height];
}
