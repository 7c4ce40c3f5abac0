// The list of tiles (3D Tiles 1.1 with our extras) and what of it has to be loaded or dropped when it changes.

/** One tile to load. */
export interface TileEntry {
  key: string;
  storey?: string;
  /** IFC coordinates (z up), metres. */
  origin: [number, number, number];
  /** IFC coordinates (z up), metres. */
  min: [number, number, number];
  max: [number, number, number];
  elements: number;
  triangles: number;
}

/** An element that is not shown as it should be. */
export interface Note {
  global_id: string;
  class: string;
  item: string;
  reason: string;
}

/** A storey with tiles. */
export interface Storey {
  global_id: string;
  name: string;
  class: string;
  elevation?: number;
}

/** The tiles of a version. */
export interface Tileset {
  tiles: TileEntry[];
  storeys: Storey[];
  drawn: number;
  unmeshed: Note[];
  boxes: Note[];
  simplified: Note[];
}

interface Child {
  boundingVolume?: { box?: number[] };
  transform?: number[];
  extras?: { key?: string; storey?: string; elements?: number; triangles?: number };
}

/** Reads a tileset document. */
export function readTileset(document: unknown): Tileset {
  const root = (document as { root?: { children?: Child[] } })?.root;
  const extras = ((document as { extras?: Partial<Tileset> })?.extras ?? {}) as Partial<Tileset>;
  const tiles: TileEntry[] = [];
  for (const child of root?.children ?? []) {
    const key = child.extras?.key;
    const box = child.boundingVolume?.box;
    if (!key || !box) continue;
    const n = (list: number[] | undefined, i: number) => list?.[i] ?? 0;
    const origin: [number, number, number] = [n(child.transform, 12), n(child.transform, 13), n(child.transform, 14)];
    const centre = [0, 1, 2].map((i) => n(box, i) + (origin[i] ?? 0));
    const half = [n(box, 3), n(box, 7), n(box, 11)];
    const side = (sign: number) =>
      [0, 1, 2].map((i) => (centre[i] ?? 0) + sign * (half[i] ?? 0)) as [number, number, number];
    tiles.push({
      key,
      ...(child.extras?.storey ? { storey: child.extras.storey } : {}),
      origin,
      min: side(-1),
      max: side(1),
      elements: child.extras?.elements ?? 0,
      triangles: child.extras?.triangles ?? 0,
    });
  }
  return {
    tiles,
    storeys: extras.storeys ?? [],
    drawn: extras.drawn ?? 0,
    unmeshed: extras.unmeshed ?? [],
    boxes: extras.boxes ?? [],
    simplified: extras.simplified ?? [],
  };
}

/** A tile is the same when its content and its place are. */
export const identity = (t: TileEntry) => `${t.key}@${t.origin.join(",")}@${t.storey ?? ""}`;

/** What to load and what to drop to get from the tiles shown to a new list. */
export function changes(shown: Iterable<string>, next: TileEntry[]): { load: TileEntry[]; drop: string[] } {
  const have = new Set(shown);
  const want = new Map(next.map((t) => [identity(t), t]));
  return {
    load: [...want].filter(([id]) => !have.has(id)).map(([, t]) => t),
    drop: [...have].filter((id) => !want.has(id)),
  };
}

/** The box around tiles: IFC coordinates, metres; undefined for none. */
export function extent(tiles: TileEntry[]): { min: number[]; max: number[] } | undefined {
  if (tiles.length === 0) return undefined;
  const fold = (pick: "min" | "max", f: (...v: number[]) => number) =>
    [0, 1, 2].map((i) => f(...tiles.map((t) => t[pick][i] ?? 0)));
  return { min: fold("min", Math.min), max: fold("max", Math.max) };
}
