// The model tree: project, site, building, storeys, spaces, elements; and finding things in it.

/** A node. */
export interface Node {
  id: string;
  class: string;
  name: string;
  children: Node[];
}

const text = (v: unknown) => (typeof v === "string" ? v : "");

/** Reads a tree; elements and parts become children like spatial structures. */
export function readTree(document: unknown): Node[] {
  const seen = new Set<string>();
  const read = (value: unknown, depth: number): Node | undefined => {
    if (typeof value !== "object" || value === null || depth > 64) return undefined;
    const o = value as Record<string, unknown>;
    const id = text(o["id"]) || text(o["global_id"]) || text(o["GlobalId"]);
    // a thing that is listed twice (contained and part of a whole) is shown where it comes first
    if (id && seen.has(id)) return undefined;
    if (id) seen.add(id);
    const lists = ["children", "elements", "contains", "parts"].map((k) => o[k]).filter(Array.isArray);
    const children = lists.flat().map((c) => read(c, depth + 1));
    return {
      id,
      class: text(o["class"]) || text(o["type"]),
      name: text(o["name"]) || text(o["Name"]),
      children: children.filter((c) => c !== undefined),
    };
  };
  const o = document as Record<string, unknown> | null;
  const roots = Array.isArray(document) ? document : [o?.["tree"] ?? o?.["root"] ?? o?.["project"] ?? document];
  return roots
    .flat()
    .map((r) => read(r, 0))
    .filter((r) => r !== undefined);
}

/** `IfcWallStandardCase` → `Wall standard case`. */
export function label(className: string): string {
  const words = className
    .replace(/^Ifc(BuildingStorey$)?/, (_, storey) => (storey ? "Storey" : ""))
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name to show: names that repeat what everyone knows are cut (`Basic Wall:Interior:12345`). */
export function title(node: { name: string; class: string }): string {
  return node.name.trim() || label(node.class);
}

const SPATIAL = /^Ifc(Project|Site|Building|BuildingStorey|Facility|FacilityPart|Bridge|BridgePart|Road|RoadPart|Railway|RailwayPart|MarineFacility|SpatialZone|ExternalSpatialElement)$/;

/** Whether a class structures space (storeys and what is above them). */
export const isSpatial = (className: string) => SPATIAL.test(className);

/** Nodes whose name, class or GlobalId holds all words; at most `limit`. */
export function search(roots: Node[], query: string, limit = 200): Node[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Node[] = [];
  const walk = (node: Node) => {
    if (found.length >= limit) return;
    const hay = `${node.name} ${node.class} ${label(node.class)} ${node.id}`.toLowerCase();
    if (words.every((w) => hay.includes(w))) found.push(node);
    node.children.forEach(walk);
  };
  if (words.length > 0) roots.forEach(walk);
  return found;
}

/** All nodes by GlobalId. */
export function index(roots: Node[]): Map<string, Node> {
  const map = new Map<string, Node>();
  const walk = (node: Node) => {
    if (node.id) map.set(node.id, node);
    node.children.forEach(walk);
  };
  roots.forEach(walk);
  return map;
}
