import { describe, expect, it } from "vitest";
import { index, label, readTree, search } from "../src/tree";

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
            { id: "w2", class: "IfcWall", name: "South" },
            { id: "w1", class: "IfcWall", name: "North, listed twice" },
          ],
        },
      ],
    },
  ],
});

describe("the model tree", () => {
  it("shows an element once", () => {
    expect([...index(tree).keys()]).toEqual(["p", "s", "w1", "d1", "w2"]);
    expect(index(tree).get("w1")?.name).toBe("North");
  });

  it("finds by name, class and id", () => {
    expect(search(tree, "nor wall").map((n) => n.id)).toEqual(["w1"]);
    expect(search(tree, "door").map((n) => n.id)).toEqual(["d1"]);
    expect(search(tree, " ")).toEqual([]);
  });

  it("speaks of classes in words", () => {
    expect(label("IfcWallStandardCase")).toBe("Wall standard case");
  });
});
