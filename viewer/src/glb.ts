// Reading our own tiles: batches of triangles with the number of the element at each corner, meshes with the places they stand at,
// and a table of the elements. All places are written out here, so that the rest sees one list of triangles to each kind.
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
  byteOffset?: number;
  componentType: number;
  count: number;
}

interface View {
  byteOffset?: number;
  byteLength: number;
  byteStride?: number;
}

interface Texts {
  values: number;
  stringOffsets: number;
}

interface Gltf {
  scenes?: { extras?: { boxes?: number[] } }[];
  nodes?: {
    mesh: number;
    translation?: number[];
    scale?: number[];
    extensions?: { EXT_mesh_gpu_instancing?: { attributes: Record<string, number> } };
  }[];
  meshes?: { primitives: { attributes: Record<string, number>; indices: number; material: number }[] }[];
  materials?: { name: string; pbrMetallicRoughness?: { baseColorFactor?: number[] } }[];
  accessors?: Accessor[];
  bufferViews?: View[];
  extensions?: {
    EXT_structural_metadata?: { propertyTables?: { count: number; properties: Record<string, Texts> }[] };
  };
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

/** Bytes and the reading of one number, by glTF's component type. */
const COMPONENTS: Record<number, [number, (v: DataView, at: number) => number]> = {
  5120: [1, (v, at) => v.getInt8(at)],
  5121: [1, (v, at) => v.getUint8(at)],
  5123: [2, (v, at) => v.getUint16(at, true)],
  5125: [4, (v, at) => v.getUint32(at, true)],
  5126: [4, (v, at) => v.getFloat32(at, true)],
};

/** The numbers of an accessor, `size` to each of its members. */
function numbers(document: Gltf, bytes: ArrayBuffer, accessor: number, size: number): Float64Array {
  const a = document.accessors?.[accessor];
  const view = a && document.bufferViews?.[a.bufferView];
  const [width, read] = COMPONENTS[a?.componentType ?? 0] ?? [0, undefined];
  if (!a || !view || !read) throw new Error(`tile lacks accessor ${accessor}`);
  const stride = view.byteStride ?? width * size;
  const start = (view.byteOffset ?? 0) + (a.byteOffset ?? 0);
  const data = new DataView(bytes);
  const out = new Float64Array(a.count * size);
  for (let i = 0; i < a.count; i++) {
    for (let k = 0; k < size; k++) out[i * size + k] = read(data, start + i * stride + k * width);
  }
  return out;
}

/** A column of texts in the table of elements. */
function texts(document: Gltf, bytes: ArrayBuffer, column: Texts | undefined, count: number): string[] {
  const view = (at: number) => document.bufferViews?.[at];
  const [values, offsets] = column ? [view(column.values), view(column.stringOffsets)] : [];
  if (!values || !offsets) return [];
  const ends = new DataView(bytes, offsets.byteOffset ?? 0, (count + 1) * 4);
  const decoder = new TextDecoder();
  const from = values.byteOffset ?? 0;
  return Array.from({ length: count }, (_, i) => {
    const [start, end] = [ends.getUint32(i * 4, true), ends.getUint32(i * 4 + 4, true)];
    return decoder.decode(new Uint8Array(bytes, from + start, end - start));
  });
}

/** Where a mesh stands: scaled, turned by a quaternion, moved; and whose it is there. */
interface Place {
  t: [number, number, number];
  r: [number, number, number, number];
  s: [number, number, number];
  element: number | undefined;
}

type Triple = [number, number, number];

function turned([x, y, z, w]: Place["r"], [a, b, c]: Triple): Triple {
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

/** Triangles of one kind as they are gathered: corners in any order, triangles by element. */
class Gathered {
  positions: number[] = [];
  normals: number[] = [];
  colours: number[] = [];
  triangles = new Map<number, number[]>();

  add(positions: Float64Array, normals: Float64Array, colour: number[], features: Float64Array | undefined, indices: Float64Array, place: Place) {
    const start = this.positions.length / 3;
    const mirrored = place.s[0] * place.s[1] * place.s[2] < 0;
    for (let i = 0; i < positions.length; i += 3) {
      const at = (list: Float64Array): Triple => [list[i] ?? 0, list[i + 1] ?? 0, list[i + 2] ?? 0];
      const [p, n] = [at(positions), at(normals)];
      const q = turned(place.r, [p[0] * place.s[0], p[1] * place.s[1], p[2] * place.s[2]]);
      this.positions.push(q[0] + place.t[0], q[1] + place.t[1], q[2] + place.t[2]);
      const m = turned(place.r, [n[0] / place.s[0], n[1] / place.s[1], n[2] / place.s[2]]);
      const length = Math.hypot(...m) || 1;
      this.normals.push(...m.map((v) => Math.round((v / length) * 127)), 0);
      this.colours.push(...colour);
    }
    for (let i = 0; i + 2 < indices.length; i += 3) {
      const [a, b, c] = [indices[i] ?? 0, indices[i + 1] ?? 0, indices[i + 2] ?? 0];
      const element = place.element ?? features?.[a] ?? 0;
      let list = this.triangles.get(element);
      if (!list) this.triangles.set(element, (list = []));
      list.push(start + a, start + (mirrored ? c : b), start + (mirrored ? b : c));
    }
  }
}

/** Reads a tile. */
export function readTile(data: ArrayBuffer): Tile {
  const { document, bytes } = chunks(data);
  const table = document.extensions?.EXT_structural_metadata?.propertyTables?.[0];
  const count = table?.count ?? 0;
  const ids = texts(document, bytes, table?.properties["GlobalId"], count);
  const classes = texts(document, bytes, table?.properties["class"], count);
  const boxes = new Set(document.scenes?.[0]?.extras?.boxes ?? []);
  const elements = ids.map((id, i): TileElement => ({ id, class: classes[i] ?? "", box: boxes.has(i), ranges: [] }));

  const gathered = new Map<Kind, Gathered>();
  for (const node of document.nodes ?? []) {
    const instancing = node.extensions?.EXT_mesh_gpu_instancing?.attributes;
    const triple = (list: ArrayLike<number> | undefined, at: number, or: number): Triple => [
      list?.[at] ?? or,
      list?.[at + 1] ?? or,
      list?.[at + 2] ?? or,
    ];
    let places: Place[] = [
      { t: triple(node.translation, 0, 0), r: [0, 0, 0, 1], s: triple(node.scale, 0, 1), element: undefined },
    ];
    if (instancing) {
      const of = (name: string, size: number) => numbers(document, bytes, instancing[name] ?? -1, size);
      const [t, r, s, f] = [of("TRANSLATION", 3), of("ROTATION", 4), of("SCALE", 3), of("_FEATURE_ID_0", 1)];
      places = Array.from(f, (element, i) => ({
        t: triple(t, i * 3, 0),
        r: [...triple(r, i * 4, 0), r[i * 4 + 3] ?? 1],
        s: triple(s, i * 3, 1),
        element,
      }));
    }
    for (const p of document.meshes?.[node.mesh]?.primitives ?? []) {
      const material = document.materials?.[p.material];
      const kind = KINDS.find((k) => k === material?.name) ?? "opaque";
      const colour = (material?.pbrMetallicRoughness?.baseColorFactor ?? [0.5, 0.5, 0.5, 1]).map((v) => Math.round(v * 255));
      const positions = numbers(document, bytes, p.attributes["POSITION"] ?? -1, 3);
      const normals = numbers(document, bytes, p.attributes["NORMAL"] ?? -1, 3);
      const feature = p.attributes["_FEATURE_ID_0"];
      const features = feature === undefined ? undefined : numbers(document, bytes, feature, 1);
      const indices = numbers(document, bytes, p.indices, 1);
      let into = gathered.get(kind);
      if (!into) gathered.set(kind, (into = new Gathered()));
      for (const place of places) into.add(positions, normals, colour, features, indices, place);
    }
  }

  const primitives = [...gathered].map(([kind, g]): Primitive => {
    const indices: number[] = [];
    for (const [element, triangles] of [...g.triangles].sort(([a], [b]) => a - b)) {
      elements[element]?.ranges.push({ kind, first: indices.length / 3, count: triangles.length / 3 });
      for (const i of triangles) indices.push(i);
    }
    return {
      kind,
      positions: new Float32Array(g.positions),
      normals: { array: new Int8Array(g.normals), stride: 4 },
      colours: new Uint8Array(g.colours),
      indices: g.positions.length / 3 > 0xffff ? new Uint32Array(indices) : new Uint16Array(indices),
    };
  });
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
