// The model as groups: by place, class, or any value. Groups are made once for a grouping; rows are the part of them that is open.

import { isSpatial, label, title, type Node } from "../tree";
import { keyOf, type ElementKey } from "../view/types";
import { value } from "../properties";

/** A group, or an element that may have parts. */
export interface Group {
  /** Of the row, unique in the tree. */
  key: string;
  title: string;
  /** What it is, where the title does not say so. */
  note?: string;
  /** The element that it is, where it is one. */
  element?: ElementKey;
  spatial: boolean;
  children: Group[];
}

export interface GroupRow {
  group: Group;
  depth: number;
  open: boolean;
  /** Its place among its siblings, for those who hear the tree. */
  at: number;
  of: number;
}

const natural = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** The tree by place: as the file has it, with elements under a place grouped by class. */
export function byPlace(model: string, roots: Node[]): Group[] {
  const make = (node: Node): Group => {
    const children: Group[] = [];
    const classes = new Map<string, Node[]>();
    for (const child of node.children) {
      if (isSpatial(child.class) || !isSpatial(node.class)) children.push(make(child));
      else {
        const list = classes.get(child.class);
        if (list) list.push(child);
        else classes.set(child.class, [child]);
      }
    }
    for (const [name, nodes] of [...classes].sort(([a], [b]) => natural.compare(a, b))) {
      children.push({ key: `${model}/${node.id}/${name}`, title: label(name), spatial: false, children: nodes.map(make) });
    }
    const spatial = isSpatial(node.class);
    return { key: keyOf(model, node.id), title: title(node), element: keyOf(model, node.id), spatial, children, ...(spatial ? { note: label(node.class) } : {}) };
  };
  return roots.map(make);
}

/** Every element that is no place, parts under their wholes. */
export function elements(roots: Node[]): Node[] {
  const out: Node[] = [];
  const walk = (node: Node) => {
    if (isSpatial(node.class)) node.children.forEach(walk);
    else {
      out.push(node);
      // rooms hold furniture, which is no part of them
      if (node.class === "IfcSpace") node.children.forEach(walk);
    }
  };
  roots.forEach(walk);
  return out;
}

const leaf = (model: string, node: Node, prefix: string): Group => ({
  key: `${prefix}/${node.id}`,
  title: title(node),
  element: keyOf(model, node.id),
  spatial: false,
  children: node.class === "IfcSpace" ? [] : node.children.map((child) => leaf(model, child, prefix)),
});

/** Elements by what `of` says of each; those that it says nothing of come last. */
export function byValue(model: string, roots: Node[], of: (node: Node) => string | undefined, without: string): Group[] {
  const groups = new Map<string, Node[]>();
  const rest: Node[] = [];
  for (const node of elements(roots)) {
    const name = of(node);
    if (name === undefined || name === "") {
      rest.push(node);
      continue;
    }
    const list = groups.get(name);
    if (list) list.push(node);
    else groups.set(name, [node]);
  }
  const make = (name: string, nodes: Node[]): Group => {
    const key = `${model}//${name}`;
    return { key, title: name, spatial: false, children: nodes.map((node) => leaf(model, node, key)) };
  };
  const out = [...groups].sort(([a], [b]) => natural.compare(a, b)).map(([name, nodes]) => make(name, nodes));
  if (rest.length > 0) out.push(make(without, rest));
  return out;
}

/** What a value is called as a group. */
export function named(v: unknown, unit?: string): string | undefined {
  if (v === undefined || v === null) return undefined;
  const text = value(v);
  return unit && typeof v === "number" ? `${text} ${unit}` : text;
}

/** The rows that are to be seen, given what is open. */
export function flatten(groups: Group[], open: ReadonlySet<string>): GroupRow[] {
  const rows: GroupRow[] = [];
  const walk = (list: Group[], depth: number) => {
    list.forEach((group, i) => {
      const isOpen = group.children.length > 0 && open.has(group.key);
      rows.push({ group, depth, open: isOpen, at: i + 1, of: list.length });
      if (isOpen) walk(group.children, depth + 1);
    });
  };
  walk(groups, 0);
  return rows;
}

const collected = new WeakMap<Group, ElementKey[]>();

/** The elements of a group, itself among them; each once. */
export function members(group: Group): ElementKey[] {
  const known = collected.get(group);
  if (known) return known;
  const out = new Set<ElementKey>();
  const walk = (one: Group) => {
    if (one.element) out.add(one.element);
    one.children.forEach(walk);
  };
  walk(group);
  const all = [...out];
  collected.set(group, all);
  return all;
}

const counted = new WeakMap<Group, number>();

/** How many elements are below, places not counted. */
export function size(group: Group): number {
  const known = counted.get(group);
  if (known !== undefined) return known;
  const sum = group.children.reduce((all, child) => all + (child.element && !child.spatial ? 1 : 0) + size(child), 0);
  counted.set(group, sum);
  return sum;
}

/** The keys that have to be open for an element to be seen, and its row's key. */
export function wayTo(groups: Group[], element: ElementKey): { open: string[]; row: string } | undefined {
  for (const group of groups) {
    if (group.element === element) return { open: [], row: group.key };
    const below = wayTo(group.children, element);
    if (below) return { open: [group.key, ...below.open], row: below.row };
  }
  return undefined;
}
