// How each element looks, in a texture that the shaders read by the element's number: so a colour, a selection or a hidden storey costs
// no mesh of its own.

import { DataTexture, NearestFilter, RGBAFormat, UnsignedByteType } from "three";

/** Flags in the texture's fourth byte. */
export const FLAG = {
  hidden: 1,
  ghost: 2,
  coloured: 4,
  selected: 8,
  /** Of the older of two versions that are compared. */
  older: 16,
  /** Of the newer one. */
  newer: 32,
  flash: 64,
  hover: 128,
} as const;

const WIDTH = 1024;

export class States {
  private data = new Uint8Array(WIDTH * 4 * 4);
  readonly uniform: { value: DataTexture };
  private end = 0;
  private readonly free: { at: number; count: number }[] = [];

  constructor() {
    this.uniform = { value: this.texture() };
  }

  private texture(): DataTexture {
    const texture = new DataTexture(this.data, WIDTH, this.data.length / WIDTH / 4, RGBAFormat, UnsignedByteType);
    texture.magFilter = texture.minFilter = NearestFilter;
    texture.generateMipmaps = false;
    texture.needsUpdate = true;
    return texture;
  }

  /** Numbers for some elements, one after another. */
  take(count: number): number {
    const fits = this.free.findIndex((f) => f.count >= count);
    const room = this.free[fits];
    if (room) {
      const at = room.at;
      room.at += count;
      room.count -= count;
      if (room.count === 0) this.free.splice(fits, 1);
      return at;
    }
    const at = this.end;
    this.end += count;
    if (this.end * 4 > this.data.length) {
      let rows = this.data.length / WIDTH / 4;
      while (rows * WIDTH < this.end) rows *= 2;
      const data = new Uint8Array(rows * WIDTH * 4);
      data.set(this.data);
      this.data = data;
      this.uniform.value.dispose();
      this.uniform.value = this.texture();
    }
    return at;
  }

  give(at: number, count: number) {
    if (count > 0) this.free.push({ at, count });
  }

  set(feature: number, flags: number, colour: number) {
    const o = feature * 4;
    this.data[o] = colour >> 16;
    this.data[o + 1] = (colour >> 8) & 255;
    this.data[o + 2] = colour & 255;
    this.data[o + 3] = flags;
  }

  flags(feature: number): number {
    return this.data[feature * 4 + 3] ?? 0;
  }

  colour(feature: number): number {
    const o = feature * 4;
    return ((this.data[o] ?? 0) << 16) | ((this.data[o + 1] ?? 0) << 8) | (this.data[o + 2] ?? 0);
  }

  /** Sends what changed to the graphics card with the next picture. */
  send() {
    this.uniform.value.needsUpdate = true;
  }

  dispose() {
    this.uniform.value.dispose();
  }
}
