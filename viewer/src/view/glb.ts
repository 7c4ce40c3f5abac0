// Reading our own tiles: batches of triangles with the number of the element at each corner, meshes with the places they stand at,
// and a table of the elements. All places are written out, so that the rest sees one list of triangles to each kind. The general
// glTF loader is not needed for that. It knows neither page nor three.js, so that a worker can run it.

/** Opaque, seen through, or a room. */
export type Kind = "opaque" | "clear" | "space";
export const KINDS: Kind[] = ["opaque", "clear", "space"];
/** What an element consists of is a sum of these. */
export const KIND_BITS = { opaque: 1, clear: 2, space: 4 } as const;

/** Triangles of one kind, relative to the tile's origin, y up. */
export interface Part {
  kind: Kind;
  positions: Float32Array;
  /** Four to a corner; the last one says how much the element wins where it shares a face (lean.ts). */
  normals: Int8Array;
  /** As on screen (sRGB), with opacity. */
  colours: Uint8Array;
  /** The element's number in the tile, for each corner. */
  features: Uint32Array;
  indices: Uint32Array;
}

export interface Tile {
  parts: Part[];
  ids: string[];
  classes: string[];
  /** Numbers of elements that a box stands for. */
  boxes: number[];
}

interface Accessor {
  bufferView: number;
  byteOffset?: number;
  componentType: number;
  count: number;
}

interface BufferView {
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
  bufferViews?: BufferView[];
  extensions?: { EXT_structural_metadata?: { propertyTables?: { count: number; properties: Record<string, Texts> }[] } };
}

/** A GLB's document and the view of its bytes; throws on what is none. */
function open(data: ArrayBuffer): { document: Gltf; bytes: DataView } {
  const view = new DataView(data);
  if (data.byteLength < 20 || view.getUint32(0, true) !== 0x46546c67) throw new Error("not a GLB");
  const length = view.getUint32(12, true);
  if (20 + length > data.byteLength) throw new Error("GLB is cut off");
  const document = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 20, length))) as Gltf;
  const at = 28 + length;
  if (at > data.byteLength) return { document, bytes: new DataView(new ArrayBuffer(0)) };
  const size = view.getUint32(20 + length, true);
  if (at + size > data.byteLength) throw new Error("GLB is cut off");
  return { document, bytes: new DataView(data, at, size) };
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
function numbers(document: Gltf, bytes: DataView, accessor: number, size: number): Float32Array {
  const a = document.accessors?.[accessor];
  const view = a && document.bufferViews?.[a.bufferView];
  const [width, read] = COMPONENTS[a?.componentType ?? 0] ?? [0, undefined];
  if (!a || !view || !read) throw new Error(`tile lacks accessor ${accessor}`);
  const stride = view.byteStride ?? width * size;
  const start = (view.byteOffset ?? 0) + (a.byteOffset ?? 0);
  const out = new Float32Array(a.count * size);
  for (let i = 0, o = 0; i < a.count; i++) {
    for (let k = 0; k < size; k++) out[o++] = read(bytes, start + i * stride + k * width);
  }
  return out;
}

/** A column of texts in the table of elements. */
function texts(document: Gltf, bytes: DataView, column: Texts | undefined, count: number): string[] {
  const [values, offsets] = column ? [document.bufferViews?.[column.values], document.bufferViews?.[column.stringOffsets]] : [];
  if (!values || !offsets) return [];
  const decoder = new TextDecoder();
  const from = bytes.byteOffset + (values.byteOffset ?? 0);
  const end = (i: number) => bytes.getUint32((offsets.byteOffset ?? 0) + i * 4, true);
  return Array.from({ length: count }, (_, i) => decoder.decode(new Uint8Array(bytes.buffer, from + end(i), end(i + 1) - end(i))));
}

/** Where a mesh stands, as a matrix of three rows, and whose it is there. */
interface Place {
  matrix: number[];
  mirrored: boolean;
  scale: number[];
  element: number | undefined;
}

function place(t: ArrayLike<number>, r: ArrayLike<number>, s: ArrayLike<number>, element: number | undefined): Place {
  const [x, y, z, w] = [r[0] ?? 0, r[1] ?? 0, r[2] ?? 0, r[3] ?? 1];
  const [a, b, c] = [s[0] ?? 1, s[1] ?? 1, s[2] ?? 1];
  const matrix = [
    (1 - 2 * (y * y + z * z)) * a, 2 * (x * y - z * w) * b, 2 * (x * z + y * w) * c, t[0] ?? 0,
    2 * (x * y + z * w) * a, (1 - 2 * (x * x + z * z)) * b, 2 * (y * z - x * w) * c, t[1] ?? 0,
    2 * (x * z - y * w) * a, 2 * (y * z + x * w) * b, (1 - 2 * (x * x + y * y)) * c, t[2] ?? 0,
  ];
  return { matrix, mirrored: a * b * c < 0, scale: [a, b, c], element };
}

const encoded = (v: number) => Math.round(255 * (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055));

/** One mesh to be written out at its places. */
interface Piece {
  kind: Kind;
  colour: number[];
  positions: Float32Array;
  normals: Float32Array;
  features: Float32Array | undefined;
  indices: Float32Array;
  places: Place[];
}

function pieces(document: Gltf, bytes: DataView): Piece[] {
  const out: Piece[] = [];
  for (const node of document.nodes ?? []) {
    const instancing = node.extensions?.EXT_mesh_gpu_instancing?.attributes;
    let places = [place(node.translation ?? [], [], node.scale ?? [], undefined)];
    if (instancing) {
      const of = (name: string, size: number) => numbers(document, bytes, instancing[name] ?? -1, size);
      const [t, r, s, f] = [of("TRANSLATION", 3), of("ROTATION", 4), of("SCALE", 3), of("_FEATURE_ID_0", 1)];
      places = Array.from(f, (e, i) => place(t.subarray(i * 3), r.subarray(i * 4), s.subarray(i * 3), e));
    }
    for (const p of document.meshes?.[node.mesh]?.primitives ?? []) {
      const material = document.materials?.[p.material];
      const [r, g, b, a] = material?.pbrMetallicRoughness?.baseColorFactor ?? [0.5, 0.5, 0.5, 1];
      const feature = p.attributes["_FEATURE_ID_0"];
      out.push({
        kind: KINDS.find((k) => k === material?.name) ?? "opaque",
        colour: [encoded(r ?? 0), encoded(g ?? 0), encoded(b ?? 0), Math.round((a ?? 1) * 255)],
        positions: numbers(document, bytes, p.attributes["POSITION"] ?? -1, 3),
        normals: numbers(document, bytes, p.attributes["NORMAL"] ?? -1, 3),
        features: feature === undefined ? undefined : numbers(document, bytes, feature, 1),
        indices: numbers(document, bytes, p.indices, 1),
        places,
      });
    }
  }
  return out;
}

/** Writes pieces of one kind out as one list of triangles. */
function written(kind: Kind, list: Piece[]): Part {
  const corners = list.reduce((n, p) => n + (p.positions.length / 3) * p.places.length, 0);
  const part: Part = {
    kind,
    positions: new Float32Array(corners * 3),
    normals: new Int8Array(corners * 4),
    colours: new Uint8Array(corners * 4),
    features: new Uint32Array(corners),
    indices: new Uint32Array(list.reduce((n, p) => n + Math.floor(p.indices.length / 3) * 3 * p.places.length, 0)),
  };
  let [v, t] = [0, 0];
  for (const { colour, positions, normals, features, indices, places } of list) {
    const count = positions.length / 3;
    for (const { matrix: m, mirrored, scale, element } of places) {
      const [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = m as [number, number, number, number, number, number, number, number, number, number, number, number];
      const [a, b, c] = scale.map((s) => 1 / (s * s || 1)) as [number, number, number];
      for (let i = 0; i < count; i++) {
        const [x, y, z] = [positions[i * 3]!, positions[i * 3 + 1]!, positions[i * 3 + 2]!];
        const o = v + i;
        part.positions[o * 3] = m0 * x + m1 * y + m2 * z + m3;
        part.positions[o * 3 + 1] = m4 * x + m5 * y + m6 * z + m7;
        part.positions[o * 3 + 2] = m8 * x + m9 * y + m10 * z + m11;
        const [p, q, r] = [normals[i * 3]! * a, normals[i * 3 + 1]! * b, normals[i * 3 + 2]! * c];
        const [n0, n1, n2] = [m0 * p + m1 * q + m2 * r, m4 * p + m5 * q + m6 * r, m8 * p + m9 * q + m10 * r];
        const k = 127 / (Math.sqrt(n0 * n0 + n1 * n1 + n2 * n2) || 1);
        part.normals[o * 4] = Math.round(n0 * k);
        part.normals[o * 4 + 1] = Math.round(n1 * k);
        part.normals[o * 4 + 2] = Math.round(n2 * k);
        part.colours.set(colour, o * 4);
        part.features[o] = element ?? features?.[i] ?? 0;
      }
      for (let i = 0; i + 2 < indices.length; i += 3) {
        const [p, q, r] = [indices[i]!, indices[i + 1]!, indices[i + 2]!];
        part.indices[t++] = v + p;
        part.indices[t++] = v + (mirrored ? r : q);
        part.indices[t++] = v + (mirrored ? q : r);
      }
      v += count;
    }
  }
  return part;
}

/** Reads a tile. */
export function readTile(data: ArrayBuffer): Tile {
  const { document, bytes } = open(data);
  const table = document.extensions?.EXT_structural_metadata?.propertyTables?.[0];
  const count = table?.count ?? 0;
  const all = pieces(document, bytes);
  return {
    parts: KINDS.map((kind) => written(kind, all.filter((p) => p.kind === kind))).filter((p) => p.indices.length > 0),
    ids: texts(document, bytes, table?.properties["GlobalId"], count),
    classes: texts(document, bytes, table?.properties["class"], count),
    boxes: document.scenes?.[0]?.extras?.boxes ?? [],
  };
}
