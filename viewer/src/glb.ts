// Reading our own tiles: a GLB with one mesh, a primitive to each kind of material, and the elements in the scene's extras.
// The general glTF loader is not needed for that.

/** Opaque, seen through, or a room. */
export type Kind = "opaque" | "clear" | "space";

/** One primitive. */
export interface Primitive {
  kind: Kind;
  positions: Float32Array;
  normals: { array: Int8Array; stride: number };
  colours: Uint8Array;
  indices: Uint16Array | Uint32Array;
}

/** An element of a tile and where its triangles are. */
export interface TileElement {
  id: string;
  class: string;
  box: boolean;
  ranges: { kind: Kind; first: number; count: number }[];
}

/** A tile. */
export interface Tile {
  primitives: Primitive[];
  elements: TileElement[];
}

const KINDS: Kind[] = ["opaque", "clear", "space"];

interface Accessor {
  bufferView: number;
  componentType: number;
  count: number;
}

interface View {
  byteOffset?: number;
  byteLength: number;
  byteStride?: number;
}

interface Gltf {
  scenes?: { extras?: { elements?: { id: string; class: string; box?: boolean; ranges: [number, number, number][] }[] } }[];
  meshes?: { primitives: { attributes: Record<string, number>; indices: number; material: number }[] }[];
  materials?: { name: string }[];
  accessors?: Accessor[];
  bufferViews?: View[];
}

/** Splits a GLB into its document and its bytes; throws on what is not one. */
export function chunks(data: ArrayBuffer): { document: Gltf; bytes: ArrayBuffer } {
  const view = new DataView(data);
  if (data.byteLength < 20 || view.getUint32(0, true) !== 0x46546c67) throw new Error("not a GLB");
  const length = view.getUint32(12, true);
  const text = new TextDecoder().decode(new Uint8Array(data, 20, length));
  const document = JSON.parse(text) as Gltf;
  const rest = 20 + length;
  if (rest + 8 > data.byteLength) return { document, bytes: new ArrayBuffer(0) };
  return { document, bytes: data.slice(rest + 8, rest + 8 + view.getUint32(rest, true)) };
}

/** Reads a tile. */
export function readTile(data: ArrayBuffer): Tile {
  const { document, bytes } = chunks(data);
  const locate = (accessor: number) => {
    const a = document.accessors?.[accessor];
    const v = a && document.bufferViews?.[a.bufferView];
    if (!a || !v) throw new Error(`tile lacks accessor ${accessor}`);
    return { a, v, offset: v.byteOffset ?? 0 };
  };
  const primitives = (document.meshes?.[0]?.primitives ?? []).map((p): Primitive => {
    const position = locate(p.attributes["POSITION"] ?? -1);
    const normal = locate(p.attributes["NORMAL"] ?? -1);
    const colour = locate(p.attributes["COLOR_0"] ?? -1);
    const index = locate(p.indices);
    const name = document.materials?.[p.material]?.name;
    return {
      kind: KINDS.find((k) => k === name) ?? "opaque",
      positions: new Float32Array(bytes, position.offset, position.a.count * 3),
      normals: { array: new Int8Array(bytes, normal.offset, normal.v.byteLength), stride: normal.v.byteStride ?? 3 },
      colours: new Uint8Array(bytes, colour.offset, colour.a.count * 4),
      indices:
        index.a.componentType === 5123
          ? new Uint16Array(bytes, index.offset, index.a.count)
          : new Uint32Array(bytes, index.offset, index.a.count),
    };
  });
  const elements = (document.scenes?.[0]?.extras?.elements ?? []).map((e) => ({
    id: e.id,
    class: e.class,
    box: e.box === true,
    ranges: e.ranges.map(([kind, first, count]) => ({ kind: KINDS[kind] ?? "opaque", first, count })),
  }));
  return { primitives, elements };
}

/** Finds the element that a triangle of one kind belongs to. */
export class Lookup {
  private readonly starts = new Map<Kind, { first: number; end: number; element: number }[]>();

  constructor(elements: TileElement[]) {
    elements.forEach((e, element) => {
      for (const { kind, first, count } of e.ranges) {
        let list = this.starts.get(kind);
        if (!list) this.starts.set(kind, (list = []));
        list.push({ first, end: first + count, element });
      }
    });
    for (const list of this.starts.values()) list.sort((a, b) => a.first - b.first);
  }

  /** The element's number in the tile, or undefined. */
  at(kind: Kind, triangle: number): number | undefined {
    const list = this.starts.get(kind) ?? [];
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[middle]?.end ?? 0) <= triangle) low = middle + 1;
      else high = middle;
    }
    const hit = list[low];
    return hit && hit.first <= triangle ? hit.element : undefined;
  }
}
