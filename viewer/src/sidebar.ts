// The model tree at the left: open and close, search, select, hide storeys.

import { h, icon } from "./dom";
import { count, isSpatial, label, search, title, visible, way, type Node, type Row } from "./tree";

/** Rows beyond this many are cut, with a line that says so. */
const MOST = 1500;

export class Sidebar {
  readonly search = h("input", {
    type: "search",
    placeholder: "Search name, class or GlobalId",
    "aria-label": "Search the model",
    oninput: () => this.draw(),
  });
  private readonly list = h("div", { class: "tree", role: "tree", "aria-label": "Model" });
  readonly element = h(
    "nav",
    { class: "side" },
    h("div", { class: "search" }, icon("search"), this.search),
    this.list,
  );
  private roots: Node[] = [];
  private open = new Set<string>();
  private storeys = new Set<string>();
  private readonly hidden = new Set<string>();
  private selected: string | undefined;

  constructor(
    private readonly act: {
      select: (id: string | undefined) => void;
      focus: (id: string) => void;
      storey: (id: string, visible: boolean) => void;
    },
  ) {}

  /** Shows a tree; `storeys` are those that can be hidden. What was open stays open. */
  show(roots: Node[], storeys: Set<string>) {
    const fresh = this.roots.length === 0;
    this.roots = roots;
    this.storeys = storeys;
    if (fresh) {
      // down to the storeys
      this.open = new Set();
      const walk = (node: Node) => {
        if (!isSpatial(node.class) || node.class === "IfcBuildingStorey") return;
        this.open.add(node.id);
        node.children.forEach(walk);
      };
      roots.forEach(walk);
    }
    this.draw();
  }

  /** Marks an element; with `reveal`, opens and scrolls to it. */
  select(id: string | undefined, reveal: boolean) {
    this.selected = id;
    if (id !== undefined && reveal) {
      if (this.search.value) this.search.value = "";
      way(this.roots, id)?.forEach((key) => this.open.add(key));
    }
    this.draw();
    if (reveal) this.list.querySelector(".row.selected")?.scrollIntoView({ block: "nearest" });
  }

  private toggle(key: string) {
    if (this.open.has(key)) this.open.delete(key);
    else this.open.add(key);
    this.draw();
  }

  private draw() {
    const query = this.search.value.trim();
    const rows: Row[] = query
      ? search(this.roots, query).map((node) => ({ kind: "node", node, depth: 0, open: false, leaf: true }))
      : visible(this.roots, this.open);
    const items: HTMLElement[] = rows.slice(0, MOST).map((row) => this.row(row, query !== ""));
    if (rows.length > MOST) items.push(h("p", { class: "more" }, `${rows.length - MOST} more: search to find them.`));
    if (query && rows.length === 0) items.push(h("p", { class: "more" }, "Nothing found."));
    this.list.replaceChildren(...items);
  }

  private row(row: Row, flat: boolean): HTMLElement {
    const depth = String(Math.min(row.depth, 12));
    if (row.kind === "group") {
      return h(
        "div",
        { class: "row group", "data-depth": depth, role: "treeitem", "aria-expanded": String(row.open), onclick: () => this.toggle(row.key) },
        h("span", { class: row.open ? "twist open" : "twist" }, icon("chevron")),
        h("span", { class: "name" }, label(row.class)),
        h("span", { class: "count" }, String(row.nodes.length)),
      );
    }
    const { node } = row;
    const hidden = this.hidden.has(node.id);
    const twist = h("span", { class: row.open ? "twist open" : "twist" }, row.leaf ? "" : icon("chevron"));
    if (!row.leaf) {
      twist.addEventListener("click", (e) => {
        e.stopPropagation();
        this.toggle(node.id);
      });
    }
    const eye =
      this.storeys.has(node.id) &&
      h(
        "button",
        {
          class: "eye",
          title: hidden ? "Show" : "Hide",
          onclick: (e) => {
            e.stopPropagation();
            if (hidden) this.hidden.delete(node.id);
            else this.hidden.add(node.id);
            this.act.storey(node.id, hidden);
            this.draw();
          },
        },
        icon(hidden ? "hidden" : "eye"),
      );
    const classes = ["row"];
    if (isSpatial(node.class)) classes.push("spatial");
    if (node.id === this.selected) classes.push("selected");
    if (hidden) classes.push("off");
    return h(
      "div",
      {
        class: classes.join(" "),
        "data-depth": depth,
        role: "treeitem",
        "aria-expanded": row.leaf ? undefined : String(row.open),
        "aria-selected": String(node.id === this.selected),
        title: `${node.class} · ${node.id}`,
        onclick: () => this.act.select(node.id),
        ondblclick: () => this.act.focus(node.id),
      },
      twist,
      h("span", { class: "name" }, title(node)),
      flat || isSpatial(node.class) ? h("span", { class: "what" }, label(node.class)) : undefined,
      !flat && node.class === "IfcBuildingStorey" && h("span", { class: "count" }, String(count(node))),
      eye,
    );
  }
}
