import { expect, it } from "vitest";
import { length, middle, readOverlay, ribbon, type Point, type RoomFloor } from "../src/view/overlay";

const room = (points: [number, number][], triangles: number[]): RoomFloor => ({ id: "r", name: "Kitchen", colour: "#41b6c4", height: 3, points, triangles });
const square = room([[0, 0], [4, 0], [4, 2], [0, 2]], [0, 1, 2, 0, 2, 3]);

it("an overlay is read, and what is broken in it left out", () => {
  const read = readOverlay({
    cut: 4.2,
    min: [0, 0, 3],
    max: [4, 2, 5],
    elements: ["a", 7],
    colours: "area",
    legend: [{ colour: "#41b6c4", says: "5 to 10 m²", rooms: 1 }, { colour: "red" }],
    rooms: [square, { ...square, colour: "url(x)" }, { ...square, triangles: [0, 1, 9] }],
    path: [[1, 1, 3], [2, 1], [3, 1, 3]],
  });
  expect(read).toEqual({
    cut: 4.2,
    min: [0, 0, 3],
    max: [4, 2, 5],
    elements: ["a"],
    colours: "area",
    legend: [{ colour: "#41b6c4", says: "5 to 10 m²", rooms: 1 }],
    rooms: [square],
    path: [[1, 1, 3], [3, 1, 3]],
  });
  expect(readOverlay({ rooms: [] })).toBeUndefined();
  expect(readOverlay(null)).toBeUndefined();
});

it("a way is as long as its parts, over stairs too", () => {
  expect(length([[0, 0, 0], [3, 4, 0], [3, 4, 12]])).toBe(17);
  expect(length([])).toBe(0);
});

it("a way is a ribbon as wide as asked, relative to an origin, with an arrow ahead", () => {
  const path: Point[] = [[100, 10, 3], [104, 10, 3]];
  const corners = ribbon(path, 0.1, [100, 0, 0]);
  expect(corners.length % 3).toBe(0);
  // the ribbon itself: its two triangles are 4 m by 0.2 m
  const strip = corners.slice(16 * 3, 16 * 3 + 6);
  expect(new Set(strip.map(([x, y]) => `${x},${y.toFixed(2)}`))).toEqual(new Set(["0,10.10", "0,9.90", "4,9.90", "4,10.10"]));
  const [tip] = corners.slice(-3);
  expect(tip![0]).toBeCloseTo(4.48);
  expect(tip![1]).toBeCloseTo(10);
  // straight up there is no direction in plan, and still a way
  expect(ribbon([[0, 0, 0], [0, 0, 3]], 0.1, [0, 0, 0]).flat().every(Number.isFinite)).toBe(true);
});

it("a room's name stands in its middle, and never outside it", () => {
  expect(middle(square)).toEqual([2, 1, 3]);
  // an L whose centre of area lies outside
  const l = room([[0, 0], [10, 0], [10, 0.5], [0.5, 0.5], [0.5, 10], [0, 10]], [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5]);
  const [x, y] = middle(l)!;
  expect(y <= 0.5 || x <= 0.5).toBe(true);
  expect(middle(room([], []))).toBeUndefined();
});
