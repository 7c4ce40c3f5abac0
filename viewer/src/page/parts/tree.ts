// The model tree: grouped as one likes, with what is hidden, alone or faint at each row; an ARIA tree of any length.

import { choice, h, icon, many, message } from "../../dom";
import { label } from "../../tree";
import { modelOf, type ElementKey } from "../../view/types";
import type { App } from "../app";
import type { Panel } from "../context";
import { byPlace, byValue, flatten, members, named, size, wayTo, type Group, type GroupRow } from "../groups";
import { recall, remember } from "../kept";
import { describe, valuesOf } from "../values";
import { VirtualList } from "../virtual";

const ROW = 28;
const BY: [string, string][] = [
  ["place", "Storey"],
  ["class", "Class"],
  ["type", "Type"],
  ["system", "System"],
  ["material", "Material"],
  ["space", "Room"],
  ["property", "Property …"],
];

/** What stays of a tree while its panel is closed. */
interface Kept {
  by: string;
  property: string;
  open: Set<string>;
  fresh: boolean;
}

export function treePanel(app: App): Panel {
  const kept: Kept = { by: recall("group-by", "place"), property: recall("group-property", ""), open: new Set(), fresh: true };
  if (kept.by === "property" && !kept.property) kept.by = "place";
  let model: string | undefined;
  app.on("shown", (shown) => {
    // another version of the same model stays open where it was
    if (shown?.model !== model) kept.fresh = true;
    model = shown?.model;
  });
  return {
    id: "tree",
    title: "Model tree",
    icon: "tree",
    fits: (shown) => shown?.kind === "ifc",
    open: (host) => new TreeView(app, host, kept).start(),
  };
}

class TreeView {
  private groups: Group[] = [];
  private active: string | undefined;
  private typed = { text: "", at: 0 };
  private chosen = new Set<ElementKey>();
  private readonly tree = h("div", { class: "tree", role: "tree", tabindex: "0", "aria-label": "Model", "aria-multiselectable": "true", onkeydown: (e) => this.key(e as KeyboardEvent) });
  private readonly list: VirtualList<GroupRow>;
  private readonly say = h("p", { class: "more", role: "status", hidden: true });
  private readonly property = h("input", { type: "search", list: "group-properties", class: "group-property", placeholder: "Set.Property", "aria-label": "Property to group by", hidden: true });
  private readonly known = h("datalist", { id: "group-properties" });
  private asked = 0;
  private models = 0;

  constructor(
    private readonly app: App,
    private readonly host: HTMLElement,
    private readonly kept: Kept,
  ) {
    this.list = new VirtualList(this.tree, ROW, (row, index) => this.row(row, index));
  }

  start(): () => void {
    const by = choice("Group by", BY, this.kept.by, (value) => this.group(value));
    const reset = h("button", { type: "button", class: "link", onclick: () => this.app.visibility.showAll() }, "Show all");
    const visible = () => (reset.hidden = !this.app.visibility.changed);
    visible();
    this.property.value = this.kept.property;
    this.property.addEventListener("change", () => {
      this.kept.property = this.property.value.trim();
      remember("group-property", this.kept.property);
      void this.build();
    });
    this.host.append(h("div", { class: "tools-row" }, h("label", { class: "field" }, "Group by", by), this.property, this.known, h("span", { class: "gap" }), reset), this.say, this.tree);
    if (this.kept.by === "property") this.offer();
    void this.build();
    const ends = [
      this.app.on("fresh", () => void this.build()),
      this.app.on("models", () => this.groups.length > 0 && this.app.all().length !== this.models && void this.build()),
      this.app.on("selection", (keys) => this.select(keys)),
      this.app.visibility.onChange(() => {
        visible();
        this.list.refresh();
      }),
      () => this.list.dispose(),
    ];
    return () => ends.forEach((end) => end());
  }

  private group(by: string): void {
    this.kept.by = by;
    remember("group-by", by);
    this.kept.open.clear();
    this.kept.fresh = true;
    if (by === "property") {
      this.offer();
      this.property.focus();
      if (!this.kept.property) return;
    } else this.property.hidden = true;
    void this.build();
  }

  private offer(): void {
    this.property.hidden = false;
    void describe(this.app).then(
      (all) => this.known.replaceChildren(...all.map((p) => h("option", { value: p.field }))),
      () => undefined,
    );
  }

  private async build(): Promise<void> {
    const asked = ++this.asked;
    const { by } = this.kept;
    try {
      const groups: Group[] = [];
      const all = this.app.all().filter((one) => one.shown.kind === "ifc");
      this.models = this.app.all().length;
      for (const one of all) {
        const model = one.shown.model;
        let own: Group[];
        if (by === "place") own = byPlace(model, one.tree);
        else if (by === "class") own = byValue(model, one.tree, (node) => label(node.class), "Without a class");
        else {
          const field = by === "property" ? this.kept.property : by;
          this.progress("Reading …");
          const values = await valuesOf(this.app, model, field, undefined, (part) => asked === this.asked && this.progress(`Reading … ${Math.round(part * 100)} %`));
          const without = by === "property" ? `Without ${field}` : `Without ${BY.find(([v]) => v === by)?.[1].toLowerCase()}`;
          own = byValue(model, one.tree, (node) => named(values.of.get(node.id), values.unit), without);
        }
        if (all.length === 1) groups.push(...own);
        else groups.push({ key: `model ${model}`, title: one.shown.name, note: "Model", spatial: true, children: own });
      }
      if (asked !== this.asked) return;
      this.groups = groups;
      this.progress(undefined);
      if (this.kept.fresh) this.unfold();
      this.select(this.app.selection());
    } catch (error) {
      if (asked !== this.asked) return;
      this.groups = [];
      this.draw();
      this.progress(message(error));
    }
  }

  private progress(text: string | undefined): void {
    this.say.hidden = text === undefined;
    this.say.textContent = text ?? "";
  }

  /** Opens what is above the storeys, so that they are seen at first. */
  private unfold(): void {
    this.kept.fresh = false;
    this.kept.open.clear();
    const walk = (group: Group) => {
      const storey = group.element !== undefined && this.app.node(group.element)?.class === "IfcBuildingStorey";
      if (!group.spatial || storey) return;
      this.kept.open.add(group.key);
      group.children.forEach(walk);
    };
    this.groups.forEach(walk);
  }

  private select(keys: ElementKey[]): void {
    this.chosen = new Set(keys);
    const last = keys.at(-1);
    const way = last === undefined ? undefined : wayTo(this.groups, last);
    if (way) way.open.forEach((key) => this.kept.open.add(key));
    this.draw();
    if (!way) return;
    const index = this.index(way.row);
    if (document.activeElement !== this.tree || this.active === undefined) this.active = way.row;
    if (index >= 0) this.list.reveal(index);
  }

  private rows: GroupRow[] = [];

  private draw(): void {
    this.rows = flatten(this.groups, this.kept.open);
    if (this.active !== undefined && this.index(this.active) < 0) this.active = undefined;
    this.list.set(this.rows);
    this.point();
  }

  private index(key: string): number {
    return this.rows.findIndex((row) => row.group.key === key);
  }

  private point(): void {
    const index = this.active === undefined ? -1 : this.index(this.active);
    if (index >= 0) this.tree.setAttribute("aria-activedescendant", `tree-${index}`);
    else this.tree.removeAttribute("aria-activedescendant");
  }

  private toggle(group: Group): void {
    if (group.children.length === 0) return;
    if (this.kept.open.has(group.key)) this.kept.open.delete(group.key);
    else this.kept.open.add(group.key);
    this.draw();
  }

  private pick(group: Group, add: boolean): void {
    this.active = group.key;
    const keys = group.element ? [group.element] : members(group);
    if (!add) return this.app.select(keys);
    const now = this.app.selection();
    const had = keys.every((key) => this.chosen.has(key));
    this.app.select(had ? now.filter((key) => !keys.includes(key)) : [...now, ...keys]);
  }

  private row({ group, depth, open, at, of }: GroupRow, index: number): HTMLElement {
    const { visibility } = this.app;
    const keys = () => members(group);
    const isHidden = group.element ? visibility.isHidden(group.element) || (group.children.length > 0 && keys().every((key) => visibility.isHidden(key))) : keys().every((key) => visibility.isHidden(key));
    const selected = group.element !== undefined && this.chosen.has(group.element);
    const classes = ["row", group.spatial && "spatial", !group.element && "group", selected && "selected", isHidden && "off", group.key === this.active && "active"];
    const act = (name: string, text: string, run: () => void) =>
      h(
        "button",
        {
          type: "button",
          class: name === "eye" || name === "hidden" ? "eye" : "eye seldom",
          tabindex: "-1",
          title: text,
          "aria-label": `${text}: ${group.title}`,
          onclick: (e) => {
            e.stopPropagation();
            run();
          },
        },
        icon(name),
      );
    const twist = h("span", { class: open ? "twist open" : "twist" }, group.children.length > 0 && icon("chevron"));
    twist.addEventListener("click", (e) => {
      e.stopPropagation();
      this.toggle(group);
    });
    const count = size(group);
    const row = h(
      "div",
      {
        class: classes.filter(Boolean).join(" "),
        id: `tree-${index}`,
        role: "treeitem",
        "aria-level": String(depth + 1),
        "aria-posinset": String(at),
        "aria-setsize": String(of),
        "aria-expanded": group.children.length > 0 ? String(open) : undefined,
        "aria-selected": String(selected),
        title: group.element ? `${this.app.node(group.element)?.class ?? ""} · ${group.element.slice(modelOf(group.element).length + 1)}` : undefined,
        onclick: (e) => {
          const mouse = e as MouseEvent;
          if (!group.element && !mouse.ctrlKey && !mouse.metaKey && !mouse.shiftKey) {
            this.active = group.key;
            this.toggle(group);
          } else this.pick(group, mouse.ctrlKey || mouse.metaKey || mouse.shiftKey);
        },
        ondblclick: () => this.app.select(group.element ? [group.element] : members(group), { fit: true }),
      },
      twist,
      h("span", { class: "name" }, group.title),
      group.note !== undefined && h("span", { class: "what" }, group.note),
      h("span", { class: "gap" }),
      act("ghost", "Faint", () => visibility.ghost(keys())),
      act("isolate", "Show alone", () => visibility.isolate(keys())),
      count > 0 && h("span", { class: "count", title: many(count, "element") }, count.toLocaleString()),
      act(isHidden ? "hidden" : "eye", isHidden ? "Show" : "Hide", () => (isHidden ? visibility.show(keys()) : visibility.hide(keys()))),
    );
    row.style.paddingLeft = `${6 + Math.min(depth, 14) * 14}px`;
    return row;
  }

  private key(e: KeyboardEvent): void {
    const at = this.active === undefined ? -1 : this.index(this.active);
    const row = this.rows[at];
    const go = (index: number) => {
      const next = this.rows[Math.max(0, Math.min(this.rows.length - 1, index))];
      if (!next) return;
      this.active = next.group.key;
      this.list.refresh();
      this.list.reveal(this.index(next.group.key));
      this.point();
    };
    const { visibility } = this.app;
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(this.rows.length - 1),
      PageDown: () => go(at + this.list.page),
      PageUp: () => go(at - this.list.page),
      ArrowRight: () => row && (row.open || row.group.children.length === 0 ? go(at + 1) : this.toggle(row.group)),
      ArrowLeft: () => {
        if (!row) return;
        if (row.open) return this.toggle(row.group);
        for (let i = at - 1; i >= 0; i--) if ((this.rows[i]?.depth ?? 0) < row.depth) return go(i);
      },
      Enter: () => row && this.pick(row.group, e.ctrlKey || e.metaKey),
      " ": () => row && this.pick(row.group, true),
      h: () => row && (visibility.isHidden(members(row.group)[0] ?? "") ? visibility.show(members(row.group)) : visibility.hide(members(row.group))),
      i: () => row && visibility.isolate(members(row.group)),
      g: () => row && visibility.ghost(members(row.group)),
    };
    const own = !e.altKey && keys[e.key];
    if (own && !((e.ctrlKey || e.metaKey) && e.key.length === 1 && e.key !== " ")) {
      e.preventDefault();
      e.stopPropagation();
      own();
    } else if (e.key.length === 1 && /\p{L}|\d/u.test(e.key) && e.shiftKey) this.type(e, at, go);
  }

  /** Goes to the next row that begins with what is typed with Shift held: single letters are the page's keys. */
  private type(e: KeyboardEvent, at: number, go: (index: number) => void): void {
    e.preventDefault();
    e.stopPropagation();
    const now = Date.now();
    this.typed = { text: (now - this.typed.at < 800 ? this.typed.text : "") + e.key.toLowerCase(), at: now };
    const begin = this.typed.text.length > 1 ? at : at + 1;
    for (let i = 0; i < this.rows.length; i++) {
      const index = (begin + i) % this.rows.length;
      if (this.rows[index]?.group.title.toLowerCase().startsWith(this.typed.text)) return go(index);
    }
  }
}
