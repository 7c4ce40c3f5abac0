// The legend at the corner of the view: of what a link lays over the model, of colours by a property, of two versions.

import { h, icon, many } from "../dom";

export interface LegendRow {
  colour?: string;
  /** Classes of a swatch that is no plain colour. */
  kind?: string;
  says: string;
  count?: string;
  /** Part of the longest row, for a histogram. */
  part?: number;
  act?(): void;
}

export interface LegendContent {
  title: string;
  note?: string;
  rows: LegendRow[];
  /** What stands above the rows, such as a slider. */
  above?: HTMLElement;
  close(): void;
}

export class Legend {
  readonly element = h("aside", { class: "legend", hidden: true, "aria-label": "Legend" });
  private owner: symbol | undefined;
  private closing: (() => void) | undefined;

  /** Shows a legend in the place of the one before, which is closed. Answers a function that takes it away, if it is still there. */
  show(content: LegendContent): () => void {
    this.close();
    const owner = (this.owner = Symbol(content.title));
    this.closing = content.close;
    const pressed = new Set<HTMLElement>();
    const row = (one: LegendRow): HTMLElement => {
      const swatch = h("i", { class: one.kind ? `swatch ${one.kind}` : "swatch" });
      if (one.colour) swatch.style.background = one.colour;
      const parts = [swatch, h("span", { class: "says" }, one.says), one.count !== undefined && h("span", { class: "count" }, one.count)];
      const item = h("li", {});
      if (one.part !== undefined) {
        const bar = h("b", { class: "bar-part" });
        bar.style.width = `${Math.round(one.part * 100)}%`;
        item.append(bar);
      }
      if (!one.act) {
        item.append(...parts.filter((p) => p !== false));
        return item;
      }
      const act = one.act;
      const press = h(
        "button",
        {
          type: "button",
          class: "legend-row",
          "aria-pressed": "false",
          title: "Show these alone",
          onclick: () => {
            const was = press.getAttribute("aria-pressed") === "true";
            pressed.forEach((other) => other.setAttribute("aria-pressed", "false"));
            press.setAttribute("aria-pressed", String(!was));
            act();
          },
        },
        ...parts,
      );
      pressed.add(press);
      item.append(press);
      return item;
    };
    this.element.replaceChildren(
      h("header", {}, h("h2", {}, content.title), h("button", { type: "button", class: "quiet", title: "Take away", "aria-label": "Take the legend away", onclick: () => this.close() }, icon("close"))),
      ...(content.above ? [content.above] : []),
      h("ul", {}, ...content.rows.map(row)),
      ...(content.note ? [h("p", { class: "note" }, content.note)] : []),
    );
    this.element.hidden = false;
    return () => {
      if (this.owner === owner) this.close();
    };
  }

  close(): void {
    const closing = this.closing;
    this.owner = this.closing = undefined;
    this.element.hidden = true;
    this.element.replaceChildren();
    closing?.();
  }
}

export const elementsSay = (count: number): string => many(count, "element");
