// The logic of the panels: tables, groups, outlines, series, drawings, energy objects.
import { describe, expect, it } from "vitest";
import { harmless, inside } from "../src/panels/drawings/clean";
import { onFloor } from "../src/panels/drawings/placement";
import { definitions } from "../src/panels/drawings/sheets";
import { compared } from "../src/panels/energy/compare";
import { objectsOf } from "../src/panels/energy/objects";
import { shade } from "../src/panels/energy/painting";
import { useRows } from "../src/panels/energy/results";
import { cells, figures, hoursOf, parse, timeOf, zoneOf } from "../src/panels/energy/series";
import { spacesOf } from "../src/panels/energy/subject";
import { boundaryWords, normalOf, surfaceGroups } from "../src/panels/energy/surfaces";
import { isLight, ramp, steps } from "../src/panels/palette";
import { depthsOf, storeysOf, usageOf, type Room } from "../src/panels/rooms/data";
import { onStorey } from "../src/panels/rooms/graph";
import { boundsOf, groupsOf, OUTDOORS } from "../src/panels/rooms/groups";
import { outline } from "../src/panels/rooms/outline";
import { byUsage } from "../src/panels/rooms/totals";
import { duration } from "../src/panels/rooms/ways";
import { sheetOf, takeoffSheet } from "../src/panels/schedules/data";
import { arrange, compare, csv, isNumeric, meets, totals, type Column, type Row } from "../src/panels/table-model";
import { brief } from "../src/panels/ui";
import { fitted, zoomed } from "../src/panels/zoom";

const room = (id: string, more: Partial<Room> = {}): Room => ({ id, name: id, usage: "Office", stated: false, ...more });

describe("tables", () => {
  const columns: Column[] = [
    { heading: "Name", numeric: false },
    { heading: "Area", unit: "m²", numeric: true, total: "sum" },
  ];
  const rows: Row[] = [
    { cells: ["B10", 4], ids: ["b"] },
    { cells: ["A2", 12], ids: ["a"] },
    { cells: ["C", null], ids: ["c"] },
  ];
  const wish = { filters: ["", ""], sort: undefined, group: -1, folded: new Set<string>() };

  it("compares numbers, and words with numbers in them, and puts what is empty last either way", () => {
    expect(compare("A2", "A10", false)).toBeLessThan(0);
    expect(compare(null, 3, false)).toBeGreaterThan(0);
    expect(compare(null, 3, true)).toBeGreaterThan(0);
    expect(compare(1, 2, true)).toBeGreaterThan(0);
  });
  it("filters by words, bounds, ranges, and what is not", () => {
    expect(meets("Living Room", "room")).toBe(true);
    expect(meets(12, ">= 12")).toBe(true);
    expect(meets(12, "2..10")).toBe(false);
    expect(meets("x", ">3")).toBe(false);
    expect(meets(null, "-")).toBe(true);
    expect(meets("Kitchen", "!kitchen")).toBe(false);
  });
  it("sorts, groups with sums, and folds", () => {
    expect(arrange(columns, rows, { ...wish, sort: { column: 1, down: true } }).rows.map((r) => r.ids[0])).toEqual(["a", "b", "c"]);
    const grouped = arrange(columns, rows, { ...wish, group: 0, folded: new Set(["A2"]) });
    expect(grouped.lines.map((l) => (l.kind === "group" ? l.name : l.row.ids[0]))).toEqual(["A2", "B10", "b", "C", "c"]);
    expect(totals(columns, rows)).toEqual([null, 16]);
    expect(isNumeric(rows, 0)).toBe(false);
    expect(isNumeric(rows, 1)).toBe(true);
  });
  it("writes CSV in which nothing is computed", () => {
    expect(csv(columns, [{ cells: ['=1+1, "x"', 3], ids: ["i"] }])).toBe('Name,Area (m²),GlobalId\r\n"\'=1+1, ""x""",3,i\r\n');
  });
  it("reads schedules with their ids, and take-offs with the columns that are filled", () => {
    const sheet = sheetOf("Doors", [{ heading: "Mark", field: "Tag", editable: true }], [["1", "a b"]], []);
    expect(sheet.rows[0]).toEqual({ cells: ["1"], ids: ["a", "b"] });
    const take = takeoffSheet({ grouping: ["class"], quantities: [{ class: "IfcWall", quantity: "NetVolume", unit: "m³", value: 2.5, elements: 3 }] });
    expect(take.columns.map((c) => c.heading)).toEqual(["Class", "Quantity", "Value", "Unit", "Elements"]);
  });
});

describe("rooms", () => {
  it("hears the usage in a name", () => {
    expect(usageOf("Bedroom 2")).toBe("Bedroom");
    expect(usageOf("Office 1.04a")).toBe("Office");
    expect(usageOf("101")).toBe("101");
  });
  it("puts rooms in classes of area, and what lies outdoors beside them", () => {
    const groups = groupsOf([room("a", { area: 4 }), room("b", { area: 30 }), room("c", { outdoors: true, area: 90 })], "area");
    expect(groups.map((g) => [g.words, g.ids])).toEqual([["below 5 m²", ["a"]], ["20 to 40 m²", ["b"]], [OUTDOORS, ["c"]]]);
    expect(groupsOf([room("a"), room("b", { usage: "Hall" })], "usage").map((g) => g.words)).toEqual(["Hall", "Office"]);
    expect(groupsOf([room("a")], "finding", { findings: new Map([["a", "error"]]) })[0]?.words).toBe("Error");
    expect(groupsOf([room("a"), room("b")], "way", { ways: new Map([["a", 12], ["b", undefined]]) }).at(-1)).toMatchObject({ words: "No way out", ids: ["b"] });
    expect(boundsOf([2, 9])).toEqual([4, 6, 8]);
  });
  it("sums by usage without the outdoors", () => {
    expect(byUsage([room("a", { area: 2 }), room("b", { area: 3, volume: 9 }), room("c", { outdoors: true, area: 50 })])).toEqual([{ name: "Office", rooms: 2, area: 5, volume: 9 }]);
  });
  it("finds storeys in metres, the lowest first", () => {
    const tree = [{ id: "p", class: "IfcProject", children: [{ id: "u", name: "Up", class: "IfcBuildingStorey", elevation: 3000 }, { id: "d", name: "Down", class: "IfcBuildingStorey", elevation: -2500 }] }];
    expect(storeysOf(tree, "mm").map((s) => [s.name, s.elevation])).toEqual([["Down", -2.5], ["Up", 3]]);
  });
  it("reads depths from an overlay's legend", () => {
    const base = { name: "", height: 0, points: [], triangles: [] };
    const overlay = { min: [0, 0, 0], max: [1, 1, 1], elements: [], path: [], legend: [{ colour: "#111111", says: "2 doors from outside", rooms: 1 }], rooms: [{ id: "a", colour: "#111111", ...base }] };
    expect(depthsOf(overlay as never).get("a")).toBe(2);
  });
  it("draws the outline of triangles, with holes", () => {
    const square = outline({ points: [[0, 0], [2, 0], [2, 2], [0, 2]], triangles: [0, 1, 2, 0, 2, 3] });
    expect(square).toHaveLength(1);
    expect(square[0]).toHaveLength(4);
  });
  it("knows which neighbours a storey's diagram has", () => {
    const on = (id: string) => ({ a: "1", b: "1", c: "2" })[id];
    const pair = (a: string, b: string) => ({ a, b, through: "door" as const });
    expect(onStorey(pair("a", "b"), on, "1")).toBe(true);
    expect(onStorey(pair("a", "c"), on, "1")).toBe(false);
    expect(onStorey(pair("a", "outdoors"), on, "1")).toBe(true);
    expect(onStorey(pair("outdoors", "c"), on, "1")).toBe(false);
  });
  it("says times and names as people do", () => {
    expect(duration(16.3)).toBe("16 s");
    expect(duration(80)).toBe("1 min 20 s");
    expect(brief("M_Flush:0864 x 2032mm:0864 x 2032mm:150478")).toBe("M_Flush 0864 x 2032mm");
    expect(brief("Door 1")).toBe("Door 1");
  });
});

describe("drawings", () => {
  it("lie on the floor of their storey, in metres", () => {
    const where = onFloor({ corner: [-2170, 5383, 1000], right: [100, 0, 0], down: [0, -100, 0] }, 3);
    expect(where).toEqual({ origin: [-2.17, 5.383, 3], x: [0.1, 0, 0], y: [0, -0.1, 0] });
  });
  it("takes nothing from outside into the page", () => {
    expect(harmless("onclick", "x()")).toBe(false);
    expect(harmless("style", "fill:red")).toBe(false);
    expect(harmless("fill", "url(#hatch)")).toBe(true);
    expect(harmless("fill", "url(https://a.example/x)")).toBe(false);
    expect(inside("use", "#a")).toBe(true);
    expect(inside("use", "https://a.example/#a")).toBe(false);
    expect(inside("image", "data:image/svg+xml;base64,AA")).toBe(false);
  });
  it("reads kept sheets and passes over what is none", () => {
    expect(definitions({ "A-101": '{"number":"x","name":"Plans","views":[]}', other: "{" })).toEqual([{ number: "A-101", name: "Plans", views: [] }]);
    expect(definitions(undefined)).toEqual([]);
  });
  it("zooms about the place that is pointed at", () => {
    expect(fitted({ x: 0, y: 0, width: 10, height: 10 }, 200, 100)).toEqual({ x: -5, y: 0, width: 20, height: 10 });
    expect(zoomed({ x: 0, y: 0, width: 10, height: 10 }, [10, 0], 0.5)).toEqual({ x: 5, y: 0, width: 5, height: 5 });
  });
});

describe("energy", () => {
  const text = 'environment,time,ATTIC:Zone Mean Air Temperature [C],"B, 1:Zone Mean Air Temperature [C]"\nANNUAL,2017-01-01 24:00,-5.5,20\nANNUAL,2017-01-02 01:00,,21\nDAY,07-21 01:00,24,25\n';
  it("reads series by environment, with the end of the day at its place", () => {
    const [annual, day] = parse(text, "Zone Mean Air Temperature");
    expect(annual?.times).toEqual([Date.UTC(2017, 0, 2) / 1000, Date.UTC(2017, 0, 2, 1) / 1000]);
    expect(annual?.columns.map((c) => c.key)).toEqual(["ATTIC", "B, 1"]);
    expect(annual?.columns[0]?.values).toEqual([-5.5, null]);
    expect(annual?.units).toBe("°C");
    expect(annual?.dated).toBe(true);
    expect(day?.dated).toBe(false);
    expect(parse("environment,time,Heating:Electricity [J]\nA,2017-01-01 01:00,3600000\n", "Heating:Electricity")[0]?.columns[0]?.values).toEqual([1]);
    expect(cells('a,"b ""c""",')).toEqual(["a", 'b "c"', ""]);
    expect(timeOf("nonsense")).toBeUndefined();
  });
  it("knows the zone of a key by its longest name", () => {
    expect(zoneOf("OFFICE 1 IDEAL LOADS", ["Office", "Office 1"])).toBe("Office 1");
    expect(zoneOf("HALL", ["Hallway"])).toBeUndefined();
    expect(spacesOf(["A101 Foyer", "x"], [{ id: "s", name: "A101", long_name: "Foyer" }])).toEqual(new Map([["A101 FOYER", "s"]]));
  });
  it("adds up hours and figures", () => {
    expect(hoursOf([18, 22, 27, null], 20, 26, 1800)).toEqual([0.5, 0.5, 0.5]);
    expect(figures([1, null, 3])).toMatchObject({ min: 1, max: 3, mean: 2, sum: 4, maxAt: 2 });
    expect(figures([null])).toBeUndefined();
  });
  it("reads surfaces of IDF, with and without spaces, and of epJSON", () => {
    const idf = (version: string, space: string) => `Version,${version};\n BuildingSurface:Detailed, W 1, Wall, Brick, Z, ${space}Ground, , ;! a comment; with, all\n FenestrationSurface:Detailed, G, Window, Glass, W 1;`;
    for (const found of [objectsOf(idf("25.2", ", ")), objectsOf(idf("9.5", ""))]) {
      expect(found.get("W 1")).toEqual({ boundary: "Ground", construction: "Brick" });
      expect(found.get("G")).toEqual({ construction: "Glass", host: "W 1" });
    }
    expect(objectsOf('{"Roof":{"R":{"construction_name":"Tiles"}}}').get("R")).toEqual({ boundary: "Outdoors", construction: "Tiles" });
    expect(boundaryWords("GroundFCfactorMethod")).toBe("Ground");
    expect(boundaryWords("Surface")).toBe("Another zone");
  });
  it("measures polygons and groups them", () => {
    const corners: [number, number, number][] = [[0, 0, 0], [2, 0, 0], [2, 3, 0], [0, 3, 0]];
    expect(normalOf(corners)).toEqual({ normal: [0, 0, 1], area: 6 });
    const groups = surfaceGroups([{ name: "a", kind: "floor", zone: "Z", corners, area: 6, boundary: "Ground" }, { name: "b", kind: "roof", zone: "Z", corners, area: 6 }], "boundary");
    expect(groups.map((g) => [g.name, g.area])).toEqual([["Ground", 6], ["Not stated", 6]]);
  });
  it("puts end uses in order, and compares two runs", () => {
    const uses = [{ use: "Fans", source: "Electricity", value: 1, units: "GJ", kwh: 100 }, { use: "Heating", source: "Natural Gas", value: 1, units: "GJ", kwh: 300 }, { use: "Water", source: "Water", value: 9, units: "m3" }];
    expect(useRows(uses, 10).rows.map((r) => [r.name, r.after])).toEqual([["Heating", ["300", "30.0"]], ["Fans", ["100", "10.0"]]]);
    expect(compared(uses, [{ use: "Heating", source: "Natural Gas", value: 1, units: "GJ", kwh: 150 }]).map((r) => [r.name, r.b, r.change])).toEqual([["Heating", 150, -50], ["Fans", 0, -100]]);
  });
});

describe("colours", () => {
  it("go from end to end, in round steps", () => {
    expect(ramp(0, "areas")).toBe("#ffffcc");
    expect(ramp(1, "areas")).toBe("#253494");
    expect(shade(99, [0, 10], "cividis")).toBe(ramp(1, "cividis"));
    expect(steps(0, 0.3, 3)).toEqual([0, 0.1, 0.2, 0.3]);
    expect(steps(5, 5)).toEqual([5]);
    expect(isLight("#ffffcc")).toBe(true);
    expect(isLight("#253494")).toBe(false);
  });
});
