import { describe, expect, it } from "vitest";
import { byPlace, byValue, flatten, members, named, size, wayTo } from "../src/page/groups";
import { readTree, type Node } from "../src/tree";

const tree = readTree({
  tree: [
    {
      id: "p",
      class: "IfcProject",
      name: "House",
      children: [
        {
          id: "s",
          class: "IfcBuildingStorey",
          name: "Ground",
          children: [
            { id: "w1", class: "IfcWall", name: "North" },
            { id: "d1", class: "IfcDoor", name: "" },
            { id: "w2", class: "IfcWall", name: "South", children: [{ id: "part", class: "IfcBuildingElementPart", name: "Layer" }] },
            { id: "r", class: "IfcSpace", name: "Hall", children: [{ id: "chair", class: "IfcFurniture", name: "Chair" }] },
          ],
        },
      ],
    },
  ],
});

describe("the model as groups", () => {
  it("has the elements of a storey by class", () => {
    const rows = flatten(byPlace("m", tree), new Set(["m/p", "m/s", "m/s/IfcWall"]));
    expect(rows.map((r) => r.group.title)).toEqual(["House", "Ground", "Door", "Space", "Wall", "North", "South"]);
    expect(rows.map((r) => r.depth)).toEqual([0, 1, 2, 2, 2, 3, 3]);
    expect(rows.at(-1)).toMatchObject({ at: 2, of: 2, open: false });
  });

  it("counts elements and not places", () => {
    expect(size(byPlace("m", tree)[0]!)).toBe(6);
    expect(members(byPlace("m", tree)[0]!)).toHaveLength(8);
  });

  it("knows the way to an element", () => {
    expect(wayTo(byPlace("m", tree), "m/w2")).toEqual({ open: ["m/p", "m/s", "m/s/IfcWall"], row: "m/w2" });
    expect(wayTo(byPlace("m", tree), "m/nowhere")).toBeUndefined();
  });

  it("puts elements under values, furniture beside its room, and the rest last", () => {
    const groups = byValue("m", tree, (node) => ({ w1: "10", w2: "9" })[node.id], "Without");
    expect(groups.map((g) => g.title)).toEqual(["9", "10", "Without"]);
    expect(groups[2]?.children.map((g) => g.element)).toEqual(["m/d1", "m/r", "m/chair"]);
    expect(groups[0]?.children[0]?.children[0]?.element).toBe("m/part");
  });

  it("names values with their unit", () => {
    expect(named(0.3, "m")).toBe("0.3 m");
    expect(named("Brick", "m")).toBe("Brick");
    expect(named(undefined)).toBeUndefined();
  });

  it("is made of a hundred thousand elements in a moment", () => {
    const children: Node[] = Array.from({ length: 100_000 }, (_, i) => ({ id: `e${i}`, class: `IfcClass${i % 40}`, name: `Element ${i}`, children: [] }));
    const big: Node[] = [{ id: "s", class: "IfcBuildingStorey", name: "S", children }];
    const begun = performance.now();
    const groups = byPlace("m", big);
    const rows = flatten(groups, new Set(["m/s", ...Array.from({ length: 40 }, (_, i) => `m/s/IfcClass${i}`)]));
    expect(rows).toHaveLength(100_041);
    expect(size(groups[0]!)).toBe(100_000);
    expect(performance.now() - begun).toBeLessThan(3000);
  });
});
