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

/** How many nodes are below. */
export function count(node: Node): number {
  return node.children.reduce((sum, c) => sum + 1 + count(c), 0);
}

const SPATIAL = /^Ifc(Project|Site|Building|BuildingStorey|Facility|FacilityPart|Bridge|BridgePart|Road|RoadPart|Railway|RailwayPart|MarineFacility|SpatialZone|ExternalSpatialElement)$/;

/** Elements directly under a spatial structure stand grouped by class. */
export type Row =
  | { kind: "node"; node: Node; depth: number; open: boolean; leaf: boolean }
  | { kind: "group"; key: string; class: string; nodes: Node[]; depth: number; open: boolean };

/** Whether a class structures space (storeys and what is above them). */
export const isSpatial = (className: string) => SPATIAL.test(className);

/** The rows that are visible, from the roots down, given what is open. */
export function visible(roots: Node[], open: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const add = (node: Node, depth: number) => {
    const isOpen = open.has(node.id);
    rows.push({ kind: "node", node, depth, open: isOpen, leaf: node.children.length === 0 });
    if (!isOpen) return;
    const groups = new Map<string, Node[]>();
    for (const child of node.children) {
      if (isSpatial(child.class)) add(child, depth + 1);
      else if (isSpatial(node.class)) {
        const list = groups.get(child.class);
        if (list) list.push(child);
        else groups.set(child.class, [child]);
      } else add(child, depth + 1);
    }
    for (const [className, nodes] of [...groups].sort(([a], [b]) => a.localeCompare(b))) {
      const key = `${node.id}/${className}`;
      const groupOpen = open.has(key);
      rows.push({ kind: "group", key, class: className, nodes, depth: depth + 1, open: groupOpen });
      if (groupOpen) for (const child of nodes) add(child, depth + 2);
    }
  };
  for (const root of roots) add(root, 0);
  return rows;
}

/** What has to be open to see a node: the ids and group keys on the way to it. */
export function way(roots: Node[], id: string): string[] | undefined {
  const walk = (node: Node): string[] | undefined => {
    if (node.id === id) return [];
    for (const child of node.children) {
      const below = walk(child);
      if (below) {
        const grouped = isSpatial(node.class) && !isSpatial(child.class);
        return grouped ? [node.id, `${node.id}/${child.class}`, ...below] : [node.id, ...below];
      }
    }
    return undefined;
  };
  for (const root of roots) {
    const found = walk(root);
    if (found) return found;
  }
  return undefined;
}

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
