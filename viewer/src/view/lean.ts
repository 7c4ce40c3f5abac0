// Which of two elements is seen where they share a face.

/** How much an element wins where it shares a face with another, from 0 to 127: the bigger the more. */
export function leanOf(boxes: Float32Array, index: number): number {
  const o = index * 6;
  const size = Math.hypot(boxes[o + 3]! - boxes[o]!, boxes[o + 4]! - boxes[o + 1]!, boxes[o + 5]! - boxes[o + 2]!);
  return size > 0.125 ? Math.min(127, Math.round((Math.log2(size) + 3) * 11)) : 0;
}
