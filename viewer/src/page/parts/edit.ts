// A property, an attribute or a dimension that is changed where it stands: one version with the person's name on it. What the server says against it stands beside the field.

import { h, icon, message } from "../../dom";
import { value as said } from "../../properties";
import { shown } from "./inspector";

interface Property {
  name: string;
  value: unknown;
  /** Whether it comes from the type: a change gives the element a value of its own. */
  inherited?: boolean;
  may: boolean;
  /** Makes the version that has the new value. */
  save(after: unknown): Promise<unknown>;
}

const bare = (v: unknown): unknown => (typeof v === "object" && v !== null && !Array.isArray(v) && "value" in v ? (v as { value: unknown }).value : v);

/** What was typed, in the kind of the value before: numbers stay numbers. */
export function typed(before: unknown, text: string): unknown {
  if (typeof before === "boolean") return text === "true";
  if (typeof before === "number") {
    const trimmed = text.trim().replace(",", ".");
    const number = Number(trimmed);
    return trimmed !== "" && Number.isFinite(number) ? number : text;
  }
  return text;
}

/** A row that turns into a field at a click or Enter. */
export function editable(p: Property): HTMLElement {
  const origin = p.inherited && h("span", { class: "origin", title: "From the type; a change gives this element its own" }, "type");
  const dd = h("dd", {});
  const row = h("div", {}, h("dt", { title: p.name }, p.name), dd);
  const before = bare(p.value);
  const plain = () => {
    const able = p.may && !Array.isArray(before) && (typeof before !== "object" || before === null);
    const isNothing = before === undefined || before === null || before === "";
    const edit = h("button", { type: "button", class: "edit", title: `Change ${p.name}`, "aria-label": `Change ${p.name}: ${isNothing ? "none" : said(p.value)}`, onclick: () => open() }, ...(isNothing ? [h("span", { class: "nothing" }, "none")] : shown(p.value)), icon("edit"));
    dd.replaceChildren(...(able ? [edit] : shown(p.value)), ...(origin ? [origin] : []));
  };
  const open = () => {
    const field =
      typeof before === "boolean"
        ? h("select", { "aria-label": p.name }, h("option", { value: "true", selected: before }, "Yes"), h("option", { value: "false", selected: !before }, "No"))
        : h("input", { type: "text", "aria-label": p.name, inputmode: typeof before === "number" ? "decimal" : "text", autocomplete: "off" });
    if (field instanceof HTMLInputElement) field.value = before === null || before === undefined ? "" : String(before);
    const bad = h("p", { class: "bad", role: "alert" });
    let busy = false;
    const save = async () => {
      const after = typed(before, field.value);
      if (busy) return;
      if (after === before || (after === "" && (before === undefined || before === null))) return plain();
      busy = true;
      field.disabled = true;
      bad.textContent = "";
      try {
        await p.save(after);
        const unit = typeof p.value === "object" && p.value !== null ? { ...p.value, value: after } : after;
        // until the next version is read, what was typed stands
        dd.replaceChildren(...shown(unit));
      } catch (error) {
        busy = false;
        field.disabled = false;
        bad.textContent = message(error);
        field.focus();
      }
    };
    field.addEventListener("keydown", (e) => {
      const pressed = (e as KeyboardEvent).key;
      if (pressed !== "Enter" && pressed !== "Escape") return;
      e.preventDefault();
      e.stopPropagation();
      if (pressed === "Enter") void save();
      else plain();
    });
    field.addEventListener("change", () => field instanceof HTMLSelectElement && void save());
    field.addEventListener("blur", () => !busy && bad.textContent === "" && field instanceof HTMLInputElement && void save());
    dd.replaceChildren(field, bad);
    field.focus();
    if (field instanceof HTMLInputElement) field.select();
  };
  plain();
  return row;
}
