// The sheets that are kept with the model: listed, shown, made, taken out, handed over as PDF.

import type { Context } from "../../page/context";
import { h } from "../../dom";
import type { Storey } from "../rooms/data";
import { change, linked, save, type Link, type Linked } from "../server";
import { awaited, button, choice, input, said, state, type Choice } from "../ui";

interface Definition {
  number: string;
  name?: string;
  size?: string;
  views?: { drawing?: string; scale?: number }[];
}

const SIZES: readonly Choice[] = ["A4", "A3", "A2", "A1", "A0", "ANSI B", "ANSI D", "ARCH D"].map((v): Choice => [v, v]);

/** The sheets that a project keeps, as its property set has them. */
export function definitions(set: unknown): Definition[] {
  if (!set || typeof set !== "object") return [];
  return Object.entries(set as Record<string, unknown>).flatMap(([number, text]) => {
    try {
      const read: unknown = typeof text === "string" ? JSON.parse(text) : undefined;
      return read && typeof read === "object" ? [{ ...(read as Definition), number }] : [];
    } catch {
      // a property that is no sheet
      return [];
    }
  });
}

export interface Shows {
  show(name: string, link: Link): void;
  /** A sheet is there no longer: it is shown no longer. */
  gone(number: string): void;
  openPdf(link: Link): Promise<void>;
}

export function sheetSection(context: Context, levels: () => Storey[], { show, gone, openPdf }: Shows): HTMLElement {
  const list = h("div", {});
  const form = h("div", { class: "p-sub" });
  const section = h("section", { class: "p-section" }, h("h3", {}, "Sheets"), list, form);
  const mayMake = context.may("create_sheet") && context.shown()?.latest === true;

  const load = () =>
    awaited(list, "Reading the sheets…", (signal) => context.call<{ rows?: Record<string, unknown>[] }>("query_elements", { selector: "IfcProject", fields: ["Drawing_Sheets"], limit: 1 }, signal), ({ rows }) => {
      const sheets = definitions(rows?.[0]?.["Drawing_Sheets"]);
      if (sheets.length === 0) list.append(state("empty", mayMake ? "No sheet is kept with this model yet." : "No sheet is kept with this version."));
      else list.append(h("ul", { class: "p-list sheets" }, ...sheets.map(row)));
      if (sheets.length > 1) list.append(button("All sheets as one PDF", () => void draw({ format: "pdf" }, openPdf), { icon: "download" }));
    });

  async function draw(args: Record<string, unknown>, then: (link: Link) => Promise<void> | void): Promise<void> {
    try {
      const answer = await context.call<Linked<object>>("create_sheet", { ...args, model_id: context.shown()?.model });
      const link = linked(answer, `.${String(args["format"] ?? "pdf")}`) ?? answer.links?.[0];
      if (link) await then(link);
    } catch (error) {
      context.toast(said(error), { bad: true });
    }
  }

  function row(sheet: Definition): HTMLElement {
    const name = `${sheet.number}${sheet.name ? ` ${sheet.name}` : ""}`;
    const views = (sheet.views ?? []).map((v) => v.drawing ?? "").filter(Boolean).join(", ");
    return h(
      "li", {},
      h("button", { type: "button", class: "link", onclick: () => void draw({ sheets: [sheet.number], format: "svg" }, (link) => show(name, link)) }, name),
      h("span", { class: "p-note block" }, [sheet.size, views].filter(Boolean).join(": ")),
      h(
        "span", { class: "p-row" },
        h("button", { type: "button", class: "link", onclick: () => void draw({ sheets: [sheet.number], format: "pdf" }, openPdf) }, "Open PDF"),
        h("button", { type: "button", class: "link", onclick: () => void draw({ sheets: [sheet.number], format: "pdf" }, save) }, "Download"),
        mayMake && h("button", { type: "button", class: "link bad", onclick: () => void remove(sheet.number) }, "Remove"),
      ),
    );
  }

  async function remove(number: string): Promise<void> {
    try {
      await context.call("create_sheet", change(context, { remove: [number], reasoning: `sheet ${number} taken out in the viewer` }));
      gone(number);
      load();
    } catch (error) {
      // the last one is taken out although there is none left to draw
      context.toast(said(error), { bad: true });
      load();
    }
  }

  if (mayMake) {
    const wish = { name: "", size: "A2", plans: "", scale: "100", extra: "" };
    const make = async (): Promise<void> => {
      const plans = wish.plans ? [wish.plans] : levels().map((s) => s.name);
      const others: Record<string, string[]> = { "": [], elevations: ["elevation:south", "elevation:north", "elevation:east", "elevation:west"], sections: ["section:x", "section:y"], axonometry: ["axonometry:south-west"] };
      const views = [...plans.map((p) => `plan:${p}`), ...(others[wish.extra] ?? [])].map((view) => ({ view, scale: Number(wish.scale) }));
      press.disabled = true;
      try {
        const answer = await context.call<Linked<{ sheets?: { sheet_id: string; name?: string }[] }>>(
          "create_sheet",
          change(context, { views, size: wish.size, format: "svg", reasoning: "sheet made in the viewer", ...(wish.name ? { name: wish.name } : {}) }),
        );
        const link = linked(answer, ".svg");
        const made = answer.sheets?.[0];
        if (link) show([made?.sheet_id ?? "Sheet", made?.name].filter(Boolean).join(" "), link);
        load();
      } catch (error) {
        problem.replaceChildren(state("bad", said(error)));
      } finally {
        press.disabled = false;
      }
    };
    const press = button("Make the sheet", () => {
      problem.replaceChildren();
      void make();
    });
    const problem = h("div", {});
    const body = h("div", {});
    const fold = h("details", { class: "p-fold", ontoggle: () => {
      if (!fold.open || body.childElementCount > 0) return;
      body.append(
        h(
          "div", { class: "p-form" },
          input("Name", { type: "text" }, (v) => (wish.name = v)), choice("Size", SIZES, wish.size, (v) => (wish.size = v)),
          choice("Plans", [["", "All storeys"], ...levels().map((s): Choice => [s.name, s.name])], "", (v) => (wish.plans = v)),
          choice("And", [["", "Nothing else"], ["elevations", "Four elevations"], ["sections", "Two sections"], ["axonometry", "An axonometry"]], "", (v) => (wish.extra = v)),
          choice("Scale", ["50", "100", "200", "500"].map((v): Choice => [v, `1:${v}`]), wish.scale, (v) => (wish.scale = v)),
        ),
        problem, press,
      );
    } }, h("summary", {}, "New sheet"), body);
    form.append(fold);
  }
  load();
  return section;
}
