import { expect, test } from "vitest";
import { hollow } from "../slim";
import { leanOf } from "../src/view/lean";

test("what is left out of the build keeps its names", () => {
  const out = hollow('import { A } from "a";\nclass PMREM extends A {}\nexport function raycast( a ) { return a; }\nexport { PMREM };\nexport const vertex = `x`;');
  expect(out).toContain("export class PMREM {}");
  expect(out).toContain("export function raycast()");
  expect(out).toContain('export const vertex = "";');
  expect(out).not.toContain("import");
  expect(hollow("export default /* glsl */`x`;")).toBe('export default "";\n');
});

test("of two elements that share a face the bigger one is seen", () => {
  const boxes = new Float32Array([0, 0, 0, 12, 1, 8, 0, 0, 0, 0.1, 0.2, 6, 0, 0, 0, 0.01, 0.01, 0.01]);
  const [roof, rafter, nail] = [0, 1, 2].map((i) => leanOf(boxes, i)) as [number, number, number];
  expect(roof).toBeGreaterThan(rafter);
  expect(rafter).toBeGreaterThan(nail);
  expect(nail).toBe(0);
  expect(leanOf(new Float32Array([0, 0, 0, 1e6, 0, 0]), 0)).toBe(127);
});
