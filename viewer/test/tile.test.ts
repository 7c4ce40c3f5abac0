import { describe, expect, it } from "vitest";
import { readTile } from "../src/view/glb";

/** A GLB as the server writes it: a triangle of a wall in steps of half a metre, and one that stands for a slab and, mirrored, a door. */
function glb(): ArrayBuffer {
  const parts: { bytes: ArrayBuffer; stride?: number }[] = [];
  const write = (size: number, put: (view: DataView) => void, stride?: number) => {
    const bytes = new ArrayBuffer(Math.ceil(size / 4) * 4);
    put(new DataView(bytes));
    return parts.push({ bytes, ...(stride ? { stride } : {}) }) - 1;
  };
  const corner = (view: DataView, at: number, p: number[], feature: number, normal: number[]) => {
    p.forEach((v, i) => view.setUint16(at + 2 * i, v, true));
    view.setUint16(at + 6, feature, true);
    normal.forEach((v, i) => view.setInt8(at + 8 + i, v));
  };
  const triangle = (feature: number) =>
    write(
      36,
      (v) => [[0, 0, 0], [2, 0, 0], [0, 4, 0]].forEach((p, i) => corner(v, i * 12, p, feature, [0, 0, 127])),
      12,
    );
  const floats = (list: number[]) =>
    write(list.length * 4, (v) => list.forEach((n, i) => v.setFloat32(i * 4, n, true)));
  const shorts = (list: number[], stride = 2) =>
    write(list.length * stride, (v) => list.forEach((n, i) => v.setUint16(i * stride, n, true)), stride > 2 ? stride : undefined);
  const text = (s: string) => write(s.length, (v) => [...s].forEach((c, i) => v.setUint8(i, c.charCodeAt(0))));
  const longs = (list: number[]) => write(list.length * 4, (v) => list.forEach((n, i) => v.setUint32(i * 4, n, true)));

  const [batch, index, mesh] = [triangle(0), shorts([0, 1, 2]), triangle(0)];
  const half = Math.SQRT1_2;
  // the slab stands 10 m up, turned a quarter about y; the door is mirrored along x, at twice the size
  const [t, r] = [floats([0, 10, 0, 5, 0, 0]), floats([0, half, 0, half, 0, 0, 0, 1])];
  const [s, f] = [floats([0.5, 0.5, 0.5, -1, 1, 1]), shorts([1, 2], 4)];
  const [ids, idEnds] = [text("wallslabdoor"), longs([0, 4, 8, 12])];
  const [classes, classEnds] = [text("IfcWallIfcSlabIfcDoor"), longs([0, 7, 14, 21])];
  const accessor = (bufferView: number, componentType: number, count: number, byteOffset = 0) => ({
    bufferView,
    componentType,
    count,
    byteOffset,
  });
  let at = 0;
  const bufferViews = parts.map(({ bytes, stride }) => {
    const view = { byteOffset: at, byteLength: bytes.byteLength, ...(stride ? { byteStride: stride } : {}) };
    at += bytes.byteLength;
    return view;
  });
  const document = {
    asset: { version: "2.0" },
    scenes: [{ nodes: [0, 1], extras: { boxes: [1] } }],
    nodes: [
      { mesh: 0, translation: [100, 0, 0], scale: [0.5, 0.5, 0.5] },
      { mesh: 1, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 6, ROTATION: 7, SCALE: 8, _FEATURE_ID_0: 9 } } } },
    ],
    meshes: [
      { primitives: [{ attributes: { POSITION: 0, NORMAL: 1, _FEATURE_ID_0: 2 }, indices: 3, material: 0 }] },
      { primitives: [{ attributes: { POSITION: 4, NORMAL: 5 }, indices: 3, material: 1 }] },
    ],
    materials: [
      { name: "opaque", pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 1] } },
      { name: "opaque", pbrMetallicRoughness: { baseColorFactor: [0, 1, 0, 1] } },
    ],
    accessors: [
      accessor(batch, 5123, 3),
      accessor(batch, 5120, 3, 8),
      accessor(batch, 5123, 3, 6),
      accessor(index, 5123, 3),
      accessor(mesh, 5123, 3),
      accessor(mesh, 5120, 3, 8),
      accessor(t, 5126, 2),
      accessor(r, 5126, 2),
      accessor(s, 5126, 2),
      accessor(f, 5123, 2),
    ],
    bufferViews,
    extensions: {
      EXT_structural_metadata: {
        propertyTables: [
          {
            count: 3,
            properties: {
              GlobalId: { values: ids, stringOffsets: idEnds },
              class: { values: classes, stringOffsets: classEnds },
            },
          },
        ],
      },
    },
  };
  let json = JSON.stringify(document);
  while (json.length % 4) json += " ";
  const out = new Uint8Array(20 + json.length + 8 + at);
  const view = new DataView(out.buffer);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, out.length, true);
  view.setUint32(12, json.length, true);
  view.setUint32(16, 0x4e4f534a, true);
  out.set(new TextEncoder().encode(json), 20);
  view.setUint32(20 + json.length, at, true);
  let to = 28 + json.length;
  for (const { bytes } of parts) {
    out.set(new Uint8Array(bytes), to);
    to += bytes.byteLength;
  }
  return out.buffer;
}

describe("tiles", () => {
  it("are read with their elements", () => {
    const tile = readTile(glb());
    expect(tile.ids).toEqual(["wall", "slab", "door"]);
    expect(tile.classes).toEqual(["IfcWall", "IfcSlab", "IfcDoor"]);
    expect(tile.boxes).toEqual([1]);
  });

  it("have their steps undone and their places written out", () => {
    const [p] = readTile(glb()).parts;
    const at = (i: number) => [...(p?.positions ?? [])].slice(i * 3, i * 3 + 3).map((v) => Math.round(v * 1e4) / 1e4 + 0);
    expect([0, 1, 2].map(at)).toEqual([[100, 0, 0], [101, 0, 0], [100, 2, 0]]);
    expect([3, 4, 5].map(at)).toEqual([[0, 10, 0], [0, 10, -1], [0, 12, 0]]);
    expect([6, 7, 8].map(at)).toEqual([[5, 0, 0], [3, 0, 0], [5, 4, 0]]);
    expect([...(p?.normals ?? [])].slice(12, 15)).toEqual([127, 0, 0]);
    expect([...(p?.colours ?? [])].slice(8, 16)).toEqual([255, 0, 0, 255, 0, 255, 0, 255]);
  });

  it("keep the outside of what is mirrored outside", () => {
    const [p] = readTile(glb()).parts;
    expect([...(p?.indices ?? [])]).toEqual([0, 1, 2, 3, 4, 5, 6, 8, 7]);
  });

  it("know whose a corner is", () => {
    const [p] = readTile(glb()).parts;
    expect([...(p?.features ?? [])]).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2]);
  });

  it("refuse what is no GLB", () => {
    expect(() => readTile(new ArrayBuffer(40))).toThrow();
  });
});
