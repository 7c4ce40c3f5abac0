// Finding: one field for names, classes, GlobalIds and selectors, with completion; what is found is a list that selects.

import { button, h, icon, many, message } from "../../dom";
import { isSpatial, label, search, title } from "../../tree";
import { keyOf, modelOf, type ElementKey } from "../../view/types";
import type { App } from "../app";
import { isSelector, partAt, quote, ranked, type Proposal } from "../completion";
import type { Panel } from "../context";
import { describe } from "../values";
import { VirtualList } from "../virtual";

interface Found {
  key: ElementKey;
  name: string;
  className: string;
  note: string;
}

const FIELDS = ["Name", "type", "material", "storey", "space", "system", "group", "classification", "predefined_type", "host", "area", "volume", "thickness", "facing"];
/** Elements of a selector at most: beyond it, a list is read by nobody. */
const MOST = 5000;

export function findPanel(app: App): Panel {
  let text = "";
  return {
    id: "find",
    title: "Find",
    icon: "search",
    fits: (shown) => shown?.kind === "ifc",
    open: (host) => new FindView(app, host, text, (now) => (text = now)).start(),
  };
}

class FindView {
  private readonly field = h("input", {
    type: "search",
    class: "find-field",
    placeholder: 'Name, class, GlobalId or IfcWall, storey="Level 1"',
    "aria-label": "Find",
    role: "combobox",
    "aria-expanded": "false",
    "aria-autocomplete": "list",
    "aria-controls": "find-proposals",
    autocomplete: "off",
    spellcheck: "false",
  });
  private readonly proposals = h("div", { id: "find-proposals", class: "choices proposals", role: "listbox", "aria-label": "Proposals", hidden: true });
  private readonly say = h("p", { class: "more", role: "status" });
  private readonly results = h("div", { class: "results", role: "listbox", tabindex: "0", "aria-label": "Found", "aria-multiselectable": "true" });
  private readonly list: VirtualList<Found>;
  private found: Found[] = [];
  private offered: Proposal[] = [];
  private at = -1;
  private active = 0;
  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly selectAll = button("Select all", () => this.app.select(this.found.map((one) => one.key), { fit: true }), { icon: "isolate" });

  constructor(
    private readonly app: App,
    private readonly host: HTMLElement,
    text: string,
    private readonly keep: (text: string) => void,
  ) {
    this.field.value = text;
    this.list = new VirtualList(this.results, 44, (one, index) => this.row(one, index));
  }

  start(): () => void {
    this.selectAll.hidden = true;
    this.host.append(h("div", { class: "search" }, icon("search"), this.field, this.proposals), h("div", { class: "tools-row" }, this.say, h("span", { class: "gap" }), this.selectAll), this.results);
    this.field.addEventListener("input", () => this.typed());
    this.field.addEventListener("keydown", (e) => this.key(e));
    this.field.addEventListener("blur", () => setTimeout(() => this.offer([]), 150));
    this.results.addEventListener("keydown", (e) => this.walk(e));
    const ends = [this.app.on("selection", () => this.list.refresh()), this.app.on("fresh", () => void this.run())];
    this.field.focus();
    void this.run();
    return () => {
      clearTimeout(this.timer);
      ends.forEach((end) => end());
      this.list.dispose();
    };
  }

  private typed(): void {
    this.keep(this.field.value);
    void this.complete();
    clearTimeout(this.timer);
    // words are looked up here; a selector is a question to the server
    this.timer = setTimeout(() => void this.run(), isSelector(this.field.value) ? 500 : 120);
  }

  private async complete(): Promise<void> {
    const text = this.field.value;
    const part = partAt(text, this.field.selectionStart ?? text.length);
    if (!/^!?\s*I/.test(text.trim()) && !isSelector(text)) return this.offer([]);
    let all: Proposal[] = [];
    if (part.kind === "class") {
      const counts = new Map<string, number>();
      for (const one of this.app.all()) for (const node of one.nodes.values()) counts.set(node.class, (counts.get(node.class) ?? 0) + 1);
      all = [...counts].sort((a, b) => b[1] - a[1]).map(([name, count]) => ({ text: name, says: name, note: String(count) }));
    } else {
      const described = await describe(this.app, part.classes[0] ?? "IfcProduct").catch(() => []);
      if (text !== this.field.value) return;
      if (part.kind === "property") {
        all = [...FIELDS.map((f) => ({ text: `${f}=`, says: f })), ...described.map((p) => ({ text: `${p.set.includes(" ") || p.name.includes(" ") ? `"${p.set}"."${p.name}"` : p.field}=`, says: p.field, ...(p.unit ? { note: p.unit } : {}) }))];
      } else {
        const name = part.property?.replaceAll('"', "") ?? "";
        const known = described.find((p) => p.field === name);
        const own = this.valuesHere(name);
        all = (known?.values ?? own).map(([v, count]) => ({ text: quote(v === "true" ? "TRUE" : v === "false" ? "FALSE" : v), says: v, note: String(count) }));
      }
    }
    if (text === this.field.value) this.offer(ranked(all, part.text));
  }

  /** Values that the tree knows: names of storeys and rooms. */
  private valuesHere(field: string): [string, number][] {
    const classes: Record<string, string> = { storey: "IfcBuildingStorey", space: "IfcSpace", building: "IfcBuilding" };
    const wanted = classes[field];
    if (!wanted) return [];
    const names = new Map<string, number>();
    for (const one of this.app.all()) for (const node of one.nodes.values()) if (node.class === wanted && node.name) names.set(node.name, node.children.length);
    return [...names];
  }

  private offer(all: Proposal[]): void {
    this.offered = all;
    this.at = -1;
    this.proposals.hidden = all.length === 0;
    this.field.setAttribute("aria-expanded", String(all.length > 0));
    this.proposals.replaceChildren(
      ...all.map((p, i) =>
        h("div", { role: "option", id: `proposal-${i}`, "aria-selected": "false", onpointerdown: (e) => { e.preventDefault(); this.take(p); } }, h("span", {}, p.says), p.note !== undefined && h("span", { class: "what" }, p.note)),
      ),
    );
    this.mark();
  }

  private mark(): void {
    [...this.proposals.children].forEach((child, i) => child.setAttribute("aria-selected", String(i === this.at)));
    if (this.at >= 0) this.field.setAttribute("aria-activedescendant", `proposal-${this.at}`);
    else this.field.removeAttribute("aria-activedescendant");
    this.proposals.children[this.at]?.scrollIntoView({ block: "nearest" });
  }

  private take(p: Proposal): void {
    const text = this.field.value;
    const part = partAt(text, this.field.selectionStart ?? text.length);
    this.field.value = text.slice(0, part.from) + p.text + text.slice(part.to);
    const at = part.from + p.text.length;
    this.field.setSelectionRange(at, at);
    this.field.focus();
    this.offer([]);
    this.typed();
  }

  private key(e: KeyboardEvent): void {
    const open = this.offered.length > 0;
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      if (!open) {
        if (e.key === "ArrowDown" && this.found.length > 0) this.results.focus();
        return;
      }
      const n = this.offered.length + 1;
      this.at = ((this.at + 1 + (e.key === "ArrowDown" ? 1 : n - 1)) % n) - 1;
      this.mark();
    } else if (e.key === "Enter" || (e.key === "Tab" && open && this.at >= 0)) {
      e.preventDefault();
      const p = this.offered[this.at];
      if (p) this.take(p);
      else {
        this.offer([]);
        clearTimeout(this.timer);
        void this.run().then(() => this.found.length > 0 && this.choose(0, false));
      }
    } else if (e.key === "Escape" && (open || this.field.value)) {
      e.preventDefault();
      e.stopPropagation();
      if (open) this.offer([]);
      else {
        this.field.value = "";
        this.typed();
      }
    }
  }

  private async run(): Promise<void> {
    const asked = ++this.asked;
    const text = this.field.value.trim();
    this.say.classList.remove("bad");
    if (!text) return this.show([], "");
    if (!isSelector(text)) return this.words(text);
    this.say.textContent = "Asking …";
    try {
      const { found, total } = await this.select(text);
      if (asked === this.asked) this.show(found, total > found.length ? `The first ${found.length.toLocaleString()} of ${total.toLocaleString()}` : many(total, "element"));
    } catch (error) {
      if (asked !== this.asked) return;
      this.show([], message(error));
      this.say.classList.add("bad");
    }
  }

  private words(text: string): void {
    const found: Found[] = [];
    for (const one of this.app.all()) {
      for (const node of search(one.tree, text, MOST)) {
        if (node.class === "IfcProject") continue;
        found.push({ key: keyOf(one.shown.model, node.id), name: title(node), className: node.class, note: isSpatial(node.class) ? "" : (node.id ?? "") });
      }
    }
    this.show(found, found.length === 0 ? "Nothing found. A selector such as IfcWall, IsExternal=TRUE finds by properties." : many(found.length, "element"));
  }

  private async select(selector: string): Promise<{ found: Found[]; total: number }> {
    const found: Found[] = [];
    let total = 0;
    const refused: unknown[] = [];
    const all = this.app.all().filter((one) => one.shown.kind === "ifc");
    for (const one of all) {
      let cursor: string | undefined;
      try {
        do {
          const args = { model_id: one.shown.model, selector, fields: ["class", "storey"], limit: 500, ...(cursor ? { cursor } : {}) };
          const page = await this.app.call<{ total: number; rows?: { id: string; name?: string; class?: string; storey?: unknown }[]; next_cursor?: string }>("query_elements", args);
          if (cursor === undefined) total += page.total;
          for (const row of page.rows ?? []) {
            found.push({ key: keyOf(one.shown.model, row.id), name: row.name || label(row.class ?? ""), className: row.class ?? "", note: typeof row.storey === "string" ? row.storey : "" });
          }
          cursor = page.next_cursor;
        } while (cursor && found.length < MOST);
      } catch (error) {
        // in a federation one model may lack what another has
        refused.push(error);
      }
    }
    if (refused.length === all.length && refused[0]) throw refused[0];
    return { found, total };
  }

  private show(found: Found[], text: string): void {
    this.found = found;
    this.active = 0;
    this.say.textContent = text;
    this.selectAll.hidden = found.length < 2;
    this.list.set(found);
  }

  private row(one: Found, index: number): HTMLElement {
    const selected = this.app.selection().includes(one.key);
    return h(
      "div",
      {
        class: `result${selected ? " selected" : ""}${index === this.active ? " active" : ""}`,
        id: `found-${index}`,
        role: "option",
        "aria-selected": String(selected),
        "aria-setsize": String(this.found.length),
        "aria-posinset": String(index + 1),
        onclick: (e) => this.choose(index, (e as MouseEvent).ctrlKey || (e as MouseEvent).metaKey || (e as MouseEvent).shiftKey),
        ondblclick: () => this.app.view.fit({ keys: this.app.expand([one.key]) }),
      },
      h("span", { class: "name" }, one.name),
      h("span", { class: "what" }, [label(one.className), one.note, this.app.all().length > 1 ? this.app.of(modelOf(one.key))?.shown.name : ""].filter(Boolean).join(" · ")),
    );
  }

  private choose(index: number, add: boolean): void {
    const one = this.found[index];
    if (!one) return;
    this.active = index;
    this.app.select(add ? [...this.app.selection(), one.key] : [one.key], { fit: !add });
    this.results.setAttribute("aria-activedescendant", `found-${index}`);
    this.list.reveal(index);
  }

  private walk(e: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: this.list.page, PageUp: -this.list.page, Home: -this.found.length, End: this.found.length }[e.key];
    if (step === undefined && e.key !== "Enter" && e.key !== " ") return;
    e.preventDefault();
    if (e.key === "ArrowUp" && this.active === 0) this.field.focus();
    else this.choose(Math.max(0, Math.min(this.found.length - 1, this.active + (step ?? 0))), e.shiftKey || e.key === " ");
  }
}
