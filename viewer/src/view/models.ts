// The models in view: which tiles of each are there, and where every element is.

import { Box3, BufferAttribute, BufferGeometry, Vector3 } from "three";
import { MeshBVH } from "three-mesh-bvh";
import type { Kind } from "./glb";
import type { Prepared, PreparedPart } from "./prepare";
import type { Space } from "./space";
import { States } from "./states";
import { identity, type TileEntry } from "./tileset";
import { keyOf, type ElementKey, type Point, type Source } from "./types";

/** A tile that is drawn. */
export interface Resident {
  id: string;
  model: Model;
  entry: TileEntry;
  prepared: Prepared;
  /** The number of its first element among those of all tiles. */
  base: number;
  /** Where its origin is in the picture. */
  at: Vector3;
  bvh: Map<Kind, MeshBVH>;
  /** When it was last in view, for what is dropped first. */
  seen: number;
}

export interface Model {
  id: string;
  source: Source;
  offset: Point;
  visible: boolean;
  colour: string | undefined;
  entries: TileEntry[];
  tiles: Map<string, Resident>;
  /** The older version of a comparison; not one of the models that are shown. */
  older?: Set<string>;
}

/** An element in a tile. */
export interface Ref {
  tile: Resident;
  index: number;
}

const KEEP_INDEX = { setIndex: false };

export class Models {
  readonly all = new Map<string, Model>();
  private readonly refs = new Map<ElementKey, Ref[]>();

  constructor(
    private readonly space: Space,
    readonly states: States,
  ) {}

  place(tile: { model: Model; entry: TileEntry; at: Vector3 }) {
    const [x, y, z] = tile.model.offset;
    const [a, b, c] = tile.entry.origin;
    this.space.to([a + x, b + y, c + z], tile.at);
  }

  /** Takes a tile in. */
  add(model: Model, entry: TileEntry, prepared: Prepared): Resident {
    const base = this.states.take(prepared.ids.length);
    const tile: Resident = { id: identity(entry), model, entry, prepared, base, at: new Vector3(), bvh: new Map(), seen: performance.now() };
    this.place(tile);
    for (const part of prepared.parts) {
      for (const list of [part.features, part.edges?.features]) if (list) for (let i = 0; i < list.length; i++) list[i]! += base;
      tile.bvh.set(part.kind, bvhOf(part));
    }
    prepared.ids.forEach((id, index) => {
      const key = keyOf(model.id, id);
      const list = this.refs.get(key);
      if (list) list.push({ tile, index });
      else this.refs.set(key, [{ tile, index }]);
    });
    model.tiles.set(tile.id, tile);
    return tile;
  }

  drop(tile: Resident) {
    const { model, prepared, base } = tile;
    model.tiles.delete(tile.id);
    for (const id of prepared.ids) {
      const key = keyOf(model.id, id);
      const rest = (this.refs.get(key) ?? []).filter((r) => r.tile !== tile);
      if (rest.length > 0) this.refs.set(key, rest);
      else this.refs.delete(key);
    }
    this.states.give(base, prepared.ids.length);
  }

  find(key: ElementKey): Ref[] {
    return this.refs.get(key) ?? [];
  }

  keys(): Iterable<ElementKey> {
    return this.refs.keys();
  }

  *tiles(): Generator<Resident> {
    for (const model of this.all.values()) yield* model.tiles.values();
  }

  /** The element's box in the picture. */
  boxOf({ tile, index }: Ref, into = new Box3()): Box3 {
    const b = tile.prepared.boxes;
    const o = index * 6;
    into.min.set(b[o]!, b[o + 1]!, b[o + 2]!).add(tile.at);
    into.max.set(b[o + 3]!, b[o + 4]!, b[o + 5]!).add(tile.at);
    return into;
  }

  /** The box of a tile that need not be there yet. */
  entryBox(model: Model, entry: TileEntry): Box3 {
    const moved = (p: readonly number[]) => p.map((v, k) => v + (model.offset[k] ?? 0)) as Point;
    return this.space.box(moved(entry.min), moved(entry.max));
  }
}

function bvhOf(part: PreparedPart): MeshBVH {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(part.positions, 3));
  geometry.setIndex(new BufferAttribute(part.indices, 1));
  return MeshBVH.deserialize(part.bvh, geometry, KEEP_INDEX);
}
