import { expect, it } from "vitest";
import { number, value } from "../src/properties";

it("numbers are shown without noise", () => {
  expect(number(0.30000000000000004)).toBe("0.3");
  expect(number(12345.678)).toBe("12345.7");
  expect(number(2.7950000000001)).toBe("2.795");
});

it("values are one line, with their units", () => {
  expect(value({ value: 7, unit: "m" })).toBe("7 m");
  expect(value(true)).toBe("Yes");
  expect(value(null)).toBe("–");
  expect(value(["a", 2])).toBe("a, 2");
  expect(value({ id: "0abc", name: "North" })).toBe("North");
});
