// The properties of what is selected: of one element all that is known, of many what they have in common and what it sums up to.

import * as api from "../../api";
import { button, h, icon, iconButton, many, message, when, words } from "../../dom";
import { number, value } from "../../properties";
import { label, title } from "../../tree";
import { idOf, keyOf, modelOf, type ElementKey } from "../../view/types";
import type { App } from "../app";
import type { Layout } from "../layout";
import { recall, remember } from "../kept";
import { editable } from "./edit";
import { manySelected } from "./many";

export interface ElementDocument {
  id: string;
  name?: string;
  class: string;
  attributes?: Record<string, unknown>;
  psets?: Record<string, Record<string, unknown>>;
  quantities?: Record<string, Record<string, unknown>>;
  inherited?: string[];
  type?: Record<string, unknown>;
  material?: Record<string, unknown>;
  relations?: Record<string, unknown>;
  geometry?: Record<string, unknown>;
  notes?: string[];
}

const documents = new Map<string, Promise<ElementDocument>>();

/** All that is known of an element at the version shown. */
export function documentOf(app: App, key: ElementKey): Promise<ElementDocument> {
  const version = app.of(modelOf(key))?.shown.version ?? "head";
  const at = `${key}@${version}`;
  const known = documents.get(at);
  if (known) return known;
  const asked = api.json<ElementDocument>(api.paths.element(modelOf(key), version, idOf(key)));
  documents.set(at, asked);
  asked.catch(() => documents.delete(at));
  if (documents.size > 300) documents.delete(documents.keys().next().value ?? "");
  return asked;
}

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === "object" && v !== null && !Array.isArray(v);

/** A value with its unit, small and grey. */
export function shown(v: unknown): (Node | string)[] {
  if (isObject(v) && "value" in v) {
    const unit = v["unit"];
    return [value(v["value"]), ...(typeof unit === "string" && unit ? [h("span", { class: "unit" }, ` ${unit}`)] : [])];
  }
  return [value(v)];
}

/** Places, whose long name takes the place of the tag that elements have. */
const SPATIAL = /^Ifc(Project|Site|Building|BuildingStorey|Space|Facility|FacilityPart|Bridge|Road|Railway|SpatialZone)$/;

export class Inspector {
  private readonly head = h("div", { class: "title" });
  private readonly filter = h("input", { type: "search", placeholder: "Filter properties", "aria-label": "Filter properties", oninput: () => this.sift() });
  private readonly body = h("div", { class: "properties", tabindex: "0", role: "group", "aria-label": "Properties" });
  private readonly closed = new Set<string>(recall<string[]>("closed-sections", []));
  private asked = "";
  private keys = "";

  constructor(
    private readonly app: App,
    private readonly layout: Layout,
  ) {
    layout.inspector.append(this.head, h("div", { class: "sift" }, icon("search"), this.filter), this.body);
    app.on("selection", (keys) => void this.show(keys, true));
    app.on("fresh", () => {
      // the same elements at another version
      this.asked = "";
      void this.show(app.selection(), false);
    });
  }

  private async show(keys: ElementKey[], chosen: boolean): Promise<void> {
    // what was closed stays closed when the model under it changes
    if (chosen || keys.length === 0) this.layout.inspect(keys.length > 0);
    const versions = keys.map((key) => this.app.of(modelOf(key))?.shown.version).join();
    const asked = `${keys.join("\n")}@${versions}`;
    if (asked === this.asked) return;
    const same = this.keys === keys.join("\n");
    this.keys = keys.join("\n");
    this.asked = asked;
    if (keys.length === 0) return;
    const scroll = same ? this.body.scrollTop : 0;
    try {
      if (keys.length === 1) await this.one(keys[0]!, () => asked === this.asked);
      else {
        this.headingOfMany(keys);
        this.body.replaceChildren(h("p", { class: "more", role: "status" }, "Reading …"));
        const parts = await manySelected(this.app, keys);
        if (asked === this.asked) this.fill(parts);
      }
      this.body.scrollTop = scroll;
    } catch (error) {
      if (asked === this.asked) this.body.replaceChildren(h("p", { class: "more bad" }, message(error)));
    }
  }

  private async one(key: ElementKey, stands: () => boolean): Promise<void> {
    const node = this.app.node(key);
    this.heading(key, node ? title(node) : "", node?.class ?? "");
    const document = await documentOf(this.app, key);
    if (!stands()) return;
    this.heading(key, document.name || (node ? title(node) : ""), document.class);
    this.fill(this.sections(key, document));
  }

  private fill(parts: HTMLElement[]): void {
    this.body.replaceChildren(...parts);
    this.sift();
  }

  private heading(key: ElementKey, name: string, className: string): void {
    const id = idOf(key);
    const { visibility, view } = this.app;
    const others = this.app.all().length > 1 ? h("span", { class: "what" }, this.app.of(modelOf(key))?.shown.name ?? "") : undefined;
    this.head.replaceChildren(
      h("div", { class: "top" }, h("span", { class: "badge", title: className }, label(className) || "Element"), others, h("span", { class: "gap" }), iconButton("close", "Close (Esc)", () => this.app.select([]))),
      h("h2", {}, name || label(className)),
      h("p", { class: "guid" }, h("code", {}, id), iconButton("copy", "Copy the GlobalId", () => this.copy(id))),
      h(
        "div",
        { class: "acts", role: "toolbar", "aria-label": "Element" },
        iconButton("fit", "In view (F)", () => view.fit({ keys: this.app.expand([key]) })),
        iconButton("isolate", "Show alone (I)", () => visibility.isolate(this.app.expand([key]))),
        iconButton("hidden", "Hide (H)", () => visibility.hide(this.app.expand([key]))),
        iconButton("ghost", "Faint (G)", () => visibility.ghost(this.app.expand([key]))),
      ),
    );
  }

  private headingOfMany(keys: ElementKey[]): void {
    const { visibility, view } = this.app;
    const all = () => this.app.expand(keys);
    this.head.replaceChildren(
      h("div", { class: "top" }, h("span", { class: "badge" }, "Selection"), h("span", { class: "gap" }), iconButton("close", "Close (Esc)", () => this.app.select([]))),
      h("h2", {}, many(keys.length, "element")),
      h("p", { class: "guid" }, h("span", {}, "GlobalIds"), iconButton("copy", "Copy the GlobalIds", () => this.copy(keys.map(idOf).join("\n")))),
      h(
        "div",
        { class: "acts", role: "toolbar", "aria-label": "Selection" },
        iconButton("fit", "In view (F)", () => view.fit({ keys: all() })),
        iconButton("isolate", "Show alone (I)", () => visibility.isolate(all())),
        iconButton("hidden", "Hide (H)", () => visibility.hide(all())),
        iconButton("ghost", "Faint (G)", () => visibility.ghost(all())),
      ),
    );
  }

  private copy(text: string): void {
    void navigator.clipboard.writeText(text).then(
      () => this.app.toast("Copied."),
      () => this.app.toast("The browser does not let this page copy.", { bad: true }),
    );
  }

  private section(name: string, ...children: (Node | string | false | undefined)[]): HTMLElement {
    const section = h("details", { open: !this.closed.has(name) }, h("summary", {}, icon("chevron"), name), ...children);
    section.addEventListener("toggle", () => {
      if (section.open) this.closed.delete(name);
      else this.closed.add(name);
      remember("closed-sections", [...this.closed]);
    });
    return section;
  }

  private sections(key: ElementKey, d: ElementDocument): HTMLElement[] {
    const out: HTMLElement[] = [];
    const type = d.type;
    const general = [
      row("Class", d.class),
      ...(type ? [h("div", {}, h("dt", {}, "Type"), h("dd", {}, this.link(key, type)))] : []),
      ...this.attributes(key, d),
    ];
    out.push(this.section("General", h("dl", {}, ...general)));
    if (d.notes && d.notes.length > 0) out.push(this.section("Notes", h("ul", { class: "notes" }, ...d.notes.map((note) => h("li", {}, note)))));
    if (d.material) out.push(this.section("Material", ...layers(d.material)));
    const inherited = new Set(d.inherited ?? []);
    const may = this.app.mayChange("set_properties", modelOf(key));
    const sets = Object.entries(d.psets ?? {});
    for (const [set, properties] of sets) {
      const rows = Object.entries(properties).map(([name, v]) => editable({ name, value: v, inherited: inherited.has(`${set}.${name}`), may, save: (after) => this.set(key, set, name, after) }));
      out.push(this.section(set, h("dl", {}, ...rows)));
    }
    for (const [set, quantities] of Object.entries(d.quantities ?? {})) {
      out.push(this.section(set, h("dl", {}, ...Object.entries(quantities).map(([name, v]) => row(name, v, inherited.has(`${set}.${name}`))))));
    }
    const relations = Object.entries(d.relations ?? {}).filter(([, v]) => v !== null);
    if (relations.length > 0) out.push(this.section("Relations", h("dl", {}, ...relations.map(([name, v]) => h("div", {}, h("dt", {}, words(name)), h("dd", {}, ...this.related(key, v)))))));
    if (d.geometry) {
      const { parameters, bbox, unit, ...rest } = d.geometry;
      const inMm = (v: unknown) => (typeof v === "number" ? { value: v, unit: "mm" } : v);
      const mayShape = this.app.mayChange("modify_parameter", modelOf(key));
      const rows = [
        ...Object.entries(isObject(parameters) ? parameters : {}).map(([name, v]) => (typeof v === "number" ? editable({ name: words(name), value: inMm(v), may: mayShape, save: (after) => this.modify(key, name, after) }) : row(words(name), inMm(v)))),
        ...(isObject(bbox) ? [row("Size", `${value(bbox["size"]).replaceAll(", ", " × ")} ${typeof unit === "string" ? unit : ""}`)] : []),
        ...Object.entries(rest).map(([name, v]) => {
          if (name === "volume_m3") return row("Volume", { value: v, unit: "m³" });
          if (name === "surface_m2") return row("Surface", { value: v, unit: "m²" });
          return row(words(name), v);
        }),
      ];
      out.push(this.section("Shape", h("dl", {}, ...rows)));
    }
    out.push(this.history(key));
    if (may) out.push(this.adding(key, sets.map(([name]) => name)));
    return out;
  }

  /** The attributes of an element. Those that anything may have can be given where there are none yet. */
  private attributes(key: ElementKey, d: ElementDocument): HTMLElement[] {
    const may = this.app.mayChange("modify_parameter", modelOf(key));
    const all: Record<string, unknown> = { Name: d.name, Description: undefined, ...(SPATIAL.test(d.class) ? { LongName: undefined } : { Tag: undefined }), ...d.attributes };
    return Object.entries(all)
      .filter(([name, v]) => name !== "GlobalId" && ((v !== null && v !== undefined) || may))
      // what has a unit is a dimension: it is changed under Shape, in the unit that it has there
      .map(([name, v]) => editable({ name: words(name), value: v ?? undefined, may: may && !isObject(v), save: (after) => this.modify(key, name, after) }));
  }

  private set(key: ElementKey, pset: string, name: string, after: unknown): Promise<unknown> {
    return this.app.call("set_properties", { model_id: modelOf(key), element_ids: [idOf(key)], pset, properties: { [name]: after }, reasoning: "edited in the viewer" });
  }

  private modify(key: ElementKey, name: string, after: unknown): Promise<unknown> {
    return this.app.call("modify_parameter", { model_id: modelOf(key), element_id: idOf(key), parameter_name: name, value: after, reasoning: "edited in the viewer" });
  }

  /** Things that an element is bound to: those that are elements are led to. */
  private related(key: ElementKey, v: unknown): (Node | string)[] {
    if (Array.isArray(v)) {
      const shownFirst = v.slice(0, 12).map((one) => h("div", { class: "related" }, ...this.related(key, one)));
      const rest = v.slice(12);
      const more = rest.length > 0 && h("details", { class: "rest" }, h("summary", {}, `${rest.length} more`), ...rest.map((one) => h("div", { class: "related" }, ...this.related(key, one))));
      return more ? [...shownFirst, more] : shownFirst;
    }
    if (isObject(v) && typeof v["id"] === "string") {
      const { filled_by: filled, ...own } = v;
      return [this.link(key, own), ...(filled ? [h("div", { class: "related deep" }, ...this.related(key, filled))] : [])];
    }
    return shown(v);
  }

  private link(key: ElementKey, v: Record<string, unknown>): Node | string {
    const [id, name, cls] = [v["id"], v["name"], v["class"]];
    const text = (typeof name === "string" && name) || (typeof cls === "string" ? label(cls) : value(v));
    if (typeof id !== "string" || id.startsWith("#")) return text;
    const to = keyOf(modelOf(key), id);
    const what = typeof cls === "string" ? cls : "";
    return h("button", { type: "button", class: "link", title: `${what} · ${id}`, onclick: () => this.app.select([to], { reveal: true }) }, text);
  }

  /** Versions that touched the element; asked for when it is opened. */
  private history(key: ElementKey): HTMLElement {
    const list = h("ol", { class: "history" }, h("li", {}, "Reading …"));
    const section = h("details", {}, h("summary", {}, icon("chevron"), "History"), list);
    section.addEventListener("toggle", () => {
      if (section.open && section.dataset["read"] === undefined) {
        section.dataset["read"] = "";
        void this.read(key, list).catch((error: unknown) => list.replaceChildren(h("li", { class: "bad" }, message(error))));
      }
    });
    return section;
  }

  private async read(key: ElementKey, list: HTMLElement): Promise<void> {
    const [model, id] = [modelOf(key), idOf(key)];
    const versions = await api.all<api.VersionRecord>((cursor) => api.paths.versions(model, cursor, 200), "versions", 3);
    const touched = versions.filter((v) => v.changes?.elements?.some((e) => e.id === id) || v.changes?.properties?.some((p) => p.id === id));
    const row = (v: api.VersionRecord) => {
      const properties = (v.changes?.properties ?? []).filter((p) => p.id === id);
      return h(
        "li",
        {},
        h("button", { type: "button", class: "link", onclick: () => void this.app.open(model, v.version).catch(this.app.fail) }, words(v.event_type ?? v.tool ?? "Version")),
        h("span", { class: "what" }, `${v.author ?? ""} · ${when(v.time_ms)}`),
        v.reasoning !== undefined && h("p", {}, v.reasoning),
        ...properties.slice(0, 8).map((p) => h("p", { class: "diff" }, `${p.property.split(".").pop()}: `, h("del", {}, value(p.before)), " → ", h("ins", {}, value(p.after)))),
      );
    };
    const first = versions.length < 600 ? "As the file came." : "Older versions were not looked through.";
    list.replaceChildren(...touched.map(row), h("li", { class: "what" }, touched.length === 0 && versions.length < 600 ? "No version since the first one touched it." : first));
  }

  private adding(key: ElementKey, sets: string[]): HTMLElement {
    const set = h("input", { type: "text", list: "own-sets", placeholder: "Set", "aria-label": "Property set", required: true });
    const name = h("input", { type: "text", placeholder: "Property", "aria-label": "Property", required: true });
    const v = h("input", { type: "text", placeholder: "Value", "aria-label": "Value", required: true });
    const bad = h("p", { class: "bad", role: "alert" });
    const add = async (e: Event) => {
      e.preventDefault();
      bad.textContent = "";
      const text = v.value.trim();
      const typed: unknown = text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
      try {
        await this.app.call("set_properties", { model_id: modelOf(key), element_ids: [idOf(key)], pset: set.value.trim(), properties: { [name.value.trim()]: typed }, reasoning: "edited in the viewer" });
      } catch (error) {
        bad.textContent = message(error);
      }
    };
    return h(
      "details",
      { class: "adding" },
      h("summary", {}, icon("add"), "Add a property"),
      h("form", { onsubmit: (e) => void add(e) }, set, h("datalist", { id: "own-sets" }, ...sets.map((one) => h("option", { value: one }))), name, v, button("Add", () => undefined, { kind: "primary", more: { type: "submit" } }), bad),
    );
  }

  /** Shows rows that hold the words of the filter alone. */
  private sift(): void {
    const wanted = this.filter.value.trim().toLowerCase();
    for (const section of this.body.querySelectorAll("details")) {
      if (!section.querySelector("dl")) {
        section.hidden = wanted !== "";
        continue;
      }
      const whole = section.querySelector("summary")?.textContent?.toLowerCase().includes(wanted) ?? false;
      let any = false;
      for (const one of section.querySelectorAll<HTMLElement>("dl > div")) {
        one.hidden = wanted !== "" && !whole && !(one.textContent ?? "").toLowerCase().includes(wanted);
        any ||= !one.hidden;
      }
      section.hidden = !any;
    }
  }
}

export function row(name: string, v: unknown, inherited = false): HTMLElement {
  return h("div", {}, h("dt", { title: name }, name), h("dd", {}, ...shown(v), inherited && h("span", { class: "origin", title: "From the type" }, "type")));
}

/** A material: its layers as a bar to scale and a list, or what else it says. */
function layers(material: Record<string, unknown>): HTMLElement[] {
  const list = Array.isArray(material["layers"]) ? material["layers"].filter(isObject) : [];
  const unit = typeof material["unit"] === "string" ? material["unit"] : "";
  const name = typeof material["name"] === "string" ? material["name"] : "";
  if (list.length === 0) {
    const { name: _name, unit: _unit, ...rest } = material;
    return [h("dl", {}, row("Name", name), ...Object.entries(rest).map(([k, v]) => row(words(k), v)))];
  }
  const total = list.reduce((sum, l) => sum + Number(l["thickness"] ?? 0), 0);
  const bar = h("div", { class: "layers", role: "img", "aria-label": `${many(list.length, "layer")}, ${number(total)} ${unit}` });
  list.forEach((l, i) => {
    const part = h("i", { title: value(l["material"]) });
    part.style.flexGrow = String(Math.max(0.02, Number(l["thickness"] ?? 0) / (total || 1)));
    part.dataset["tone"] = String(i % 5);
    bar.append(part);
  });
  const rows = list.map((l) => row(value(l["material"]), { value: l["thickness"], unit }));
  return [h("dl", {}, row("Name", name), row("Thickness", { value: total, unit })), bar, h("dl", { class: "layer-list" }, ...rows)];
}
