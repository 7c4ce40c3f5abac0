import { expect, it } from "vitest";
import { number, sections } from "../src/properties";

it("an element's sets become sections, with units", () => {
  const found = sections({
    id: "0abc",
    name: "North",
    class: "IfcWall",
    attributes: { Name: "North", Tag: "17", ObjectPlacement: null },
    psets: { Pset_WallCommon: { IsExternal: true, FireRating: "REI 90" } },
    quantities: { Qto_WallBaseQuantities: { Length: { value: 7, unit: "m" } } },
    material: { name: "Brick" },
    relations: {},
  });
  expect(found.map((s) => s.title)).toEqual(["General", "Attributes", "Pset_WallCommon", "Qto_WallBaseQuantities"]);
  expect(found[0]?.rows).toEqual([{ name: "Material", value: "Brick" }]);
  expect(found[2]?.rows[0]).toEqual({ name: "IsExternal", value: "Yes" });
  expect(found[3]?.rows[0]).toEqual({ name: "Length", value: "7", unit: "m" });
});

it("numbers are shown without noise", () => {
  expect(number(0.30000000000000004)).toBe("0.3");
  expect(number(12345.678)).toBe("12345.7");
  expect(number(2.7950000000001)).toBe("2.795");
});

it("what is no element has no sections", () => {
  expect(sections(null)).toEqual([]);
  expect(sections("x")).toEqual([]);
});
