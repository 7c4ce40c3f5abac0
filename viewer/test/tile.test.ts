import { describe, expect, it } from "vitest";
import { Lookup, readTile } from "../src/glb";

/** A GLB of two triangles, one to each of two elements, as the server writes it. */
function glb(): ArrayBuffer {
  const document = {
    asset: { version: "2.0" },
    scenes: [
      {
        nodes: [0],
        extras: {
          elements: [
            { id: "wall", class: "IfcWall", ranges: [[0, 0, 1]] },
            { id: "slab", class: "IfcSlab", box: true, ranges: [[0, 1, 1]] },
          ],
        },
      },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1, COLOR_0: 2 }, indices: 3, material: 0 }] }],
    materials: [{ name: "opaque" }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3 },
      { bufferView: 1, componentType: 5120, count: 3 },
      { bufferView: 2, componentType: 5121, count: 3 },
      { bufferView: 3, componentType: 5123, count: 6 },
    ],
    bufferViews: [
      { byteOffset: 0, byteLength: 36 },
      { byteOffset: 36, byteLength: 12, byteStride: 4 },
      { byteOffset: 48, byteLength: 12 },
      { byteOffset: 60, byteLength: 12 },
    ],
  };
  let text = JSON.stringify(document);
  while (text.length % 4) text += " ";
  const bytes = new Uint8Array(20 + text.length + 8 + 72);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, bytes.length, true);
  view.setUint32(12, text.length, true);
  view.setUint32(16, 0x4e4f534a, true);
  bytes.set(new TextEncoder().encode(text), 20);
  const bin = 20 + text.length;
  view.setUint32(bin, 72, true);
  view.setFloat32(bin + 8 + 12, 2.5, true);
  [0, 1, 2, 0, 2, 1].forEach((i, n) => view.setUint16(bin + 8 + 60 + 2 * n, i, true));
  return bytes.buffer;
}

describe("tiles", () => {
  it("are read with their elements", () => {
    const tile = readTile(glb());
    expect(tile.primitives).toHaveLength(1);
    expect(tile.primitives[0]?.positions[3]).toBe(2.5);
    expect([...(tile.primitives[0]?.indices ?? [])]).toEqual([0, 1, 2, 0, 2, 1]);
    expect(tile.primitives[0]?.normals.stride).toBe(4);
    expect(tile.elements.map((e) => [e.id, e.box])).toEqual([
      ["wall", false],
      ["slab", true],
    ]);
  });

  it("know whose a triangle is", () => {
    const lookup = new Lookup(readTile(glb()).elements);
    expect(lookup.at("opaque", 0)).toBe(0);
    expect(lookup.at("opaque", 1)).toBe(1);
    expect(lookup.at("opaque", 2)).toBeUndefined();
    expect(lookup.at("space", 0)).toBeUndefined();
  });

  it("refuse what is no GLB", () => {
    expect(() => readTile(new ArrayBuffer(40))).toThrow("not a GLB");
  });
});
