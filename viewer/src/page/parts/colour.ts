// Colour by any property: which one is chosen in a box at the toolbar, the legend stays beside the view.

import { button, h, many } from "../../dom";
import { keyOf, type ElementKey } from "../../view/types";
import type { App } from "../app";
import { buckets, isContinuous } from "../colours";
import type { Legend } from "../legend";
import { popover } from "../menu";
import { describe, FIELDS, valuesOf } from "../values";

export class ColourBy {
  private field: string | undefined;
  private selector: string | undefined;
  private taken: (() => void) | undefined;

  constructor(
    private readonly app: App,
    private readonly legend: Legend,
  ) {
    app.on("fresh", (model) => {
      // a new version has new values
      if (this.field !== undefined && model === app.shown()?.model) void this.show(this.field, this.selector).catch(app.fail);
    });
    app.on("shown", (shown) => shown === undefined && this.taken?.());
  }

  /** The box in which a property is chosen. */
  open(anchor: HTMLElement): void {
    popover(anchor, "Colour by", (box, close) => {
      const classes = [...new Set(this.app.selection().map((key) => this.app.node(key)?.class ?? ""))].filter(Boolean);
      const own = classes.length > 0 && classes.length <= 3;
      const only = h("input", { type: "checkbox", checked: own });
      const search = h("input", { type: "search", placeholder: "Find a property", "aria-label": "Find a property", oninput: () => draw() });
      const list = h("div", { class: "choices", role: "listbox", "aria-label": "Properties" });
      let all: { name: string; label: string; note?: string }[] = FIELDS.map((f) => ({ ...f }));
      const draw = () => {
        const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        const found = all.filter((f) => wanted.every((w) => `${f.label} ${f.note ?? ""}`.toLowerCase().includes(w))).slice(0, 200);
        list.replaceChildren(
          ...found.map((f) =>
            h(
              "button",
              {
                type: "button",
                role: "option",
                "aria-selected": String(f.name === this.field),
                onclick: () => {
                  close();
                  void this.show(f.name, own && only.checked ? classes.join(" + ") : undefined).catch(this.app.fail);
                },
              },
              h("span", {}, f.label),
              f.note !== undefined && h("span", { class: "what" }, f.note),
            ),
          ),
          ...(found.length === 0 ? [h("p", { class: "more" }, "No such property.")] : []),
        );
      };
      draw();
      const read = async () => {
        const described = await describe(this.app, own && only.checked ? classes.join(" + ") : "IfcProduct");
        all = [...FIELDS, ...described.map((p) => ({ name: p.field, label: p.name, note: p.set }))];
        draw();
      };
      only.addEventListener("change", () => void read().catch(this.app.fail));
      void read().catch(this.app.fail);
      box.append(
        h("h2", {}, "Colour by"),
        search,
        ...(own ? [h("label", { class: "check" }, only, `Only ${classes.join(", ")}`)] : []),
        list,
        ...(this.field !== undefined ? [h("footer", {}, button("No colours", () => { close(); this.taken?.(); }))] : []),
      );
    });
  }

  /** Colours by a field; what has no value of it is faint. */
  async show(field: string, selector?: string): Promise<void> {
    const of = new Map<ElementKey, unknown>();
    let unit: string | undefined;
    for (const one of this.app.all()) {
      if (one.shown.kind !== "ifc") continue;
      const values = await valuesOf(this.app, one.shown.model, field, selector);
      unit ??= values.unit;
      for (const [id, v] of values.of) if (one.nodes.has(id)) of.set(keyOf(one.shown.model, id), v);
    }
    const found = buckets(of, unit);
    if (found.length === 0) {
      this.app.toast(`No element has a value of ${field}.`, { bad: true });
      return;
    }
    const name = FIELDS.find((f) => f.name === field)?.label ?? field;
    this.field = field;
    this.selector = selector;
    const most = found.reduce((a, b) => Math.max(a, b.ids.length), 1);
    const without = this.app.all().reduce((sum, one) => sum + (one.tileset?.drawn ?? 0), 0) - of.size;
    let alone: string[] | undefined;
    const taken = this.legend.show({
      title: unit && isContinuous([...of.values()]) ? `${name}, ${unit}` : name,
      ...(without > 0 && !selector ? { note: `${many(without, "element")} without a value` } : {}),
      rows: found.map((b) => ({
        colour: b.colour,
        says: b.says,
        count: b.ids.length.toLocaleString(),
        part: b.ids.length / most,
        act: () => {
          alone = alone === b.ids ? undefined : b.ids;
          this.app.visibility.isolate(alone);
        },
      })),
      close: () => {
        if (alone) this.app.visibility.isolate(undefined);
        this.field = this.taken = undefined;
        this.app.view.colour(undefined);
      },
    });
    this.taken = taken;
    // a legend that was there before has closed by now and taken the name with it
    this.field = field;
    this.app.view.colour({ groups: found.map((b) => ({ colour: b.colour, keys: b.ids })), others: "ghost" });
    if ([...of.keys()].some((key) => this.app.node(key)?.class === "IfcSpace") && [...of.keys()].every((key) => this.app.node(key)?.class === "IfcSpace")) {
      this.app.view.settings({ spaces: true });
    }
  }
}
