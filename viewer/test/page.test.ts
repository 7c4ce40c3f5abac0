import { describe, expect, it } from "vitest";
import { bcfOf, directions, viewpointXml } from "../src/page/bcf";
import { buckets, isContinuous } from "../src/page/colours";
import { isSelector, partAt, quote, ranked } from "../src/page/completion";
import { ofClashes, ofIssues, ofSpecification } from "../src/page/findings";
import { commitOf, takeEvents, wait } from "../src/page/live";
import { idsIn } from "../src/page/parts/activity";
import { typed } from "../src/page/parts/edit";
import { common, sums } from "../src/page/parts/many";
import { roomAt, say } from "../src/page/parts/marks";
import { sayChanges, sorted } from "../src/page/say";
import { readAddress, readCamera, writeAddress, writeCamera } from "../src/page/state";
import { action, addressed, may } from "../src/page/tools";
import { kindOf } from "../src/page/upload";
import { crc32, unzip, zip } from "../src/page/zip";

describe("addresses", () => {
  it("open to the same sight", () => {
    const camera = { eye: [1.5, -2, 3], target: [0, 0, 1], projection: "orthographic", height: 12 } as const;
    const asked = { model: "m", version: "variant", elements: ["0a$", "1b_"], camera: { ...camera, eye: [...camera.eye] as [number, number, number], target: [...camera.target] as [number, number, number] }, overlay: "x/y.json" };
    const address = writeAddress(asked);
    expect(readAddress(address.slice(address.indexOf("?")))).toEqual(asked);
  });

  it("keep the parameters of before", () => {
    expect(readAddress("?model=Duplex&version=abc&element=0x&overlay=k")).toEqual({ model: "Duplex", version: "abc", elements: ["0x"], overlay: "k" });
    expect(writeAddress({ model: "m", version: "head", elements: ["0x"] })).toBe("/viewer?model=m&element=0x");
  });

  it("take no camera that is none", () => {
    for (const bad of [null, "", "1,2,3", "1,2,3,4,5,NaN,p", "a,b,c,d,e,f,p"]) expect(readCamera(bad)).toBeUndefined();
    expect(readCamera(writeCamera({ eye: [0, 0, 1], target: [1, 1, 1], projection: "perspective" }))?.projection).toBe("perspective");
  });
});

describe("events of the server", () => {
  it("are taken as they come, whole ones alone", () => {
    const first = takeEvents('id: 4\nevent: WallCreated\ndata: {"a":1}\n\nid: 5\nda');
    expect(first.events).toEqual([{ id: "4", event: "WallCreated", data: '{"a":1}' }]);
    expect(takeEvents(`${first.rest}ta: x\r\ndata: y\r\n\r\n`).events).toEqual([{ id: "5", data: "x\ny" }]);
    expect(takeEvents(": keep alive\n\n").events).toEqual([]);
  });

  it("are commits where they name a version", () => {
    const data = JSON.stringify({ model_id: "m", version: "v", branch: "main", event_type: "WallCreated", tool: "create_wall", actor: "ada", reasoning: "asked", time_ms: 7 });
    expect(commitOf({ data })).toEqual({ model: "m", version: "v", branch: "main", kind: "WallCreated", tool: "create_wall", author: "ada", reasoning: "asked", time_ms: 7 });
    expect(commitOf({ data: "{}" })).toBeUndefined();
    expect(commitOf({ data: "no json" })).toBeUndefined();
  });

  it("are asked for again, less and less often", () => {
    expect([0, 1, 2, 9].map(wait)).toEqual([1000, 2000, 4000, 30_000]);
  });
});

describe("calls of tools", () => {
  const at = { model: "m", version: "v1", line: "head" };
  it("read the version shown and change the newest", () => {
    expect(addressed("query_elements", { selector: "IfcWall" }, at)).toEqual({ model_id: "m", model_version: "v1", selector: "IfcWall" });
    expect(addressed("set_properties", {}, at)).toEqual({ model_id: "m" });
    expect(addressed("set_properties", {}, { ...at, line: "variant" })).toEqual({ model_id: "m", model_version: "variant" });
    expect(addressed("undo", { model_version: "v0" }, at)).toEqual({ model_id: "m", model_version: "v0" });
  });

  it("name no model where a tool takes none", () => {
    expect(addressed("whoami", {}, at)).toEqual({});
    expect(addressed("get_audit_log", {}, at)).toEqual({ model_id: "m" });
    expect(addressed("query_elements", { model_id: "other" }, at)).toEqual({ model_id: "other" });
  });

  it("are offered to those who may", () => {
    const reader = { name: "r", roles: ["viewer"], may: [{ actions: ["query", "export"], on: "everywhere" }] };
    expect(["get_element", "export_ifc", "set_properties", "delete_elements", "decide_approval"].map((tool) => may(reader, tool))).toEqual([true, true, false, false, false]);
    expect(may(undefined, "get_element")).toBe(false);
    expect(["create_wall", "delete_elements", "undo"].map(action)).toEqual(["create", "delete", "modify"]);
  });
});

describe("selectors", () => {
  it("are told from words", () => {
    for (const text of ["IfcWall", "IfcWall, Name=x", 'storey="Level 1"', "IfcDoor + IfcWindow", "volume>2", "2O2Fr$t4X7Zf8NOew3FNtn"]) expect(isSelector(text)).toBe(true);
    for (const text of ["wall", "Ifc wall", "north facade", "A101", ""]) expect(isSelector(text)).toBe(false);
  });

  it("are completed part by part", () => {
    expect(partAt("IfcW", 4)).toMatchObject({ kind: "class", text: "IfcW", from: 0, to: 4 });
    expect(partAt("IfcWall, Pset", 13)).toMatchObject({ kind: "property", text: "Pset", from: 9, classes: ["IfcWall"] });
    expect(partAt('IfcWall, storey="Lev', 20)).toMatchObject({ kind: "value", property: "storey", text: "Lev", from: 16 });
    expect(partAt("IfcWall, Name=a + IfcD", 22)).toMatchObject({ kind: "class", text: "IfcD", classes: ["IfcD"] });
    expect(partAt('IfcWall, Name="a, b", st', 24)).toMatchObject({ kind: "property", text: "st" });
  });

  it("quote what is more than a word, and rank beginnings first", () => {
    expect([quote("Level 1"), quote("F90"), quote('a"b c')]).toEqual(['"Level 1"', "F90", '"ab c"']);
    const all = ["IfcWallStandardCase", "IfcCurtainWall", "IfcDoor"].map((text) => ({ text, says: text }));
    expect(ranked(all, "ifcwall").map((p) => p.text)).toEqual(["IfcWallStandardCase"]);
    expect(ranked(all, "wall").map((p) => p.text)).toEqual(["IfcWallStandardCase", "IfcCurtainWall"]);
  });
});

describe("colours by a property", () => {
  it("are classes with the most first", () => {
    const found = buckets(new Map([["a", "x"], ["b", "y"], ["c", "y"], ["d", null]]));
    expect(found.map((b) => [b.says, b.ids.length])).toEqual([["y", 2], ["x", 1]]);
    expect(new Set(found.map((b) => b.colour)).size).toBe(2);
  });

  it("are steps of numbers that hold each of them once", () => {
    const of = new Map(Array.from({ length: 100 }, (_, i) => [`e${i}`, i / 4]));
    const found = buckets(of, "m²");
    expect(found).toHaveLength(8);
    expect(found.reduce((sum, b) => sum + b.ids.length, 0)).toBe(100);
    expect(found[0]?.says.endsWith("m²")).toBe(true);
    expect(isContinuous([1, 2, 3])).toBe(false);
  });

  it("gather what is beyond twelve values", () => {
    const found = buckets(new Map(Array.from({ length: 30 }, (_, i) => [`e${i}`, `v${i}`])));
    expect(found).toHaveLength(12);
    expect(found[11]).toMatchObject({ says: "19 more values" });
  });
});

describe("findings", () => {
  it("of rules have their place in metres", () => {
    const issue = { id: "1", rule: "constraints.overlap", severity: "error", message: "m", elements: [{ id: "a" }], point: [1000, -2000, 500], fix: [{}] };
    expect(ofIssues("m", "c", [issue], new Map([["overlap", "Overlaps"]]))[0]).toMatchObject({ title: "Overlaps", at: [1, -2, 0.5], elements: ["m/a"], fix: true, severity: "error" });
  });

  it("of clashes speak of both models", () => {
    const clash = { id: "x", a: { id: "a", class: "IfcWall" }, b: { id: "b", class: "IfcBeam", name: "B" }, kind: "hard", depth: 20.4 };
    expect(ofClashes("m", "n", [clash])[0]).toMatchObject({ title: "Clash: Beam × Wall", elements: ["m/a", "n/b"], text: "IfcWall and B, 20 mm deep (hard)" });
  });

  it("of an IDS are one for each element", () => {
    const found = ofSpecification("m", "ids", { name: "S", status: "failed", requirements: [{ requirement: "R", failed: 2, elements: [{ id: "a", name: "A", reason: "none" }] }] });
    expect(found.map((f) => [f.text, f.elements])).toEqual([["A: none", ["m/a"]]]);
    expect(ofSpecification("m", "ids", { name: "S", status: "failed" })).toHaveLength(1);
  });
});

describe("archives", () => {
  it("are read as they were written", async () => {
    const files = [{ name: "a.txt", data: "Größe" }, { name: "b/c.bin", data: new Uint8Array([1, 2, 3]) }];
    const read = await unzip(zip(files), (name) => name !== "x");
    expect(new TextDecoder().decode(read.get("a.txt"))).toBe("Größe");
    expect([...(read.get("b/c.bin") ?? [])]).toEqual([1, 2, 3]);
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
    await expect(unzip(new Uint8Array(40), () => true)).rejects.toThrow("no archive");
  });

  it("of topics hold markup as text", async () => {
    const camera = { eye: [0, 0, 10], target: [0, 0, 0], projection: "perspective" } as const;
    const seen = { camera: { ...camera, eye: [0, 0, 10] as [number, number, number], target: [0, 0, 0] as [number, number, number] }, selection: ["0a"], planes: [{ point: [1, 2, 3] as [number, number, number], normal: [0, 0, 1] as [number, number, number] }] };
    const file = bcfOf({ guid: "g", title: 'A <b>"wall"</b>\u0000', type: "Issue", status: "Open", author: "a", date: "2026-01-01T00:00:00Z", viewpoint: seen }, { viewpoint: "v", comment: "c" });
    const markup = new TextDecoder().decode((await unzip(file, (n) => n.endsWith("markup.bcf"))).get("g/markup.bcf"));
    expect(markup).toContain("<Title>A &lt;b&gt;&quot;wall&quot;&lt;/b&gt;</Title>");
    expect(viewpointXml("v", seen)).toContain('<Component IfcGuid="0a"/>');
    expect(viewpointXml("v", seen)).toContain("<ClippingPlane><Location><X>1</X>");
    // straight down, north is up
    expect(directions(seen.camera)).toEqual({ direction: [0, 0, -1], up: [0, 1, 0] });
  });
});

describe("words", () => {
  it("of changes", () => {
    expect(sayChanges({ added: { IfcWindow: 2 }, modified: { IfcWall: 1 } })).toBe("Added 2 windows; changed 1 wall");
    expect(sayChanges({})).toBe("");
    expect(sorted(["a", "b", "c", "c", "d"], (id) => "ab".includes(id), (id) => "bc".includes(id))).toEqual({ added: ["c"], removed: ["a"], changed: ["b"] });
  });

  it("of marks have millimetres, host and room", () => {
    const mark = { id: "1", kind: "point" as const, points: [[1.2, 2, 0.0004]] as [number, number, number][], on: ["m/w"] };
    expect(say(mark, () => "Wall 1", ["Hall"])).toBe("Place: [1200, 2000, 0] mm on Wall 1 (w) in Hall");
  });

  it("of rooms: the smallest that holds a place, or the one beside it", () => {
    const rooms = [
      { name: "Hall", min: [0, 0, 0], max: [10, 10, 3] },
      { name: "Closet", min: [1, 1, 0], max: [2, 2, 3] },
    ] as { name: string; min: [number, number, number]; max: [number, number, number] }[];
    expect([roomAt(rooms, [1.5, 1.5, 1]), roomAt(rooms, [5, 5, 1]), roomAt(rooms, [-0.1, 5, 1]), roomAt(rooms, [-1, 5, 1])]).toEqual(["Closet", "Hall", "Hall", undefined]);
  });

  it("that are typed stay of their kind", () => {
    expect([typed(1, "2,5"), typed(1, "many"), typed(true, "false"), typed("a", "1")]).toEqual([2.5, "many", false, "1"]);
  });
});

describe("many elements", () => {
  const wall = (rating: string, length: number) => ({ id: "x", class: "IfcWall", psets: { P: { Rating: rating, Same: true } }, quantities: { Q: { Length: { value: length, unit: "m" } } } });
  it("have in common what all of them have", () => {
    expect(common([wall("A", 1), wall("B", 2)])).toEqual([
      { set: "P", name: "Rating", value: undefined, different: 2 },
      { set: "P", name: "Same", value: true, different: 1 },
    ]);
  });

  it("sum up", () => {
    expect(sums([wall("A", 1), wall("B", 2)])).toEqual([{ name: "Length", sum: 3, unit: "m", of: 2 }]);
  });
});

it("files go to what takes them", () => {
  expect(["a.IFC", "b.ifczip", "c.idf", "d.epJSON", "e.ids", "f.bcfzip", "g.dxf", "h.exe", "none"].map(kindOf)).toEqual(["model", "model", "model", "model", "ids", "bcf", "drawing", undefined, undefined]);
});

it("calls name elements anywhere in their arguments", () => {
  expect(idsIn({ element_ids: ["2O2Fr$t4X7Zf8NOew3FNtn", "doors"], at: { host: "0iUdCde8X7Zf8NOew3FNtn" } })).toEqual(["2O2Fr$t4X7Zf8NOew3FNtn", "0iUdCde8X7Zf8NOew3FNtn"]);
});
