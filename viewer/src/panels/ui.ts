// The small parts that the panels are made of: labelled controls, tabs, states, numbers with their units.

import { h } from "../dom";
import "./panels.css";

const SVG = "http://www.w3.org/2000/svg";

/** An element of SVG. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | undefined> = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

const GLYPHS = {
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  stop: "M6 6h12v12H6z",
  close: "M6 6l12 12M18 6L6 18",
  grow: "M14 4h6v6M10 20H4v-6M20 4l-7 7M4 20l7-7",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  graph: "M6 8a2 2 0 100-4 2 2 0 000 4zM18 12a2 2 0 100-4 2 2 0 000 4zM8 20a2 2 0 100-4 2 2 0 000 4zM8 6.500l8.200 3M6.500 8l1.200 8M16.500 11.500L9.500 16.500",
  plan: "M4 4h16v16H4zM4 11h7M11 4v3M11 20v-6M16 11h4",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  swap: "M7 4v13M4 14l3 3 3-3M17 20V7M14 10l3-3 3 3",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
} as const;

/** A line icon of the panels. */
export function glyph(name: keyof typeof GLYPHS): SVGSVGElement {
  return s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, s("path", { d: GLYPHS[name] }));
}

export type GlyphName = keyof typeof GLYPHS;

/** A quiet button with an icon; its name is what a screen reader says and the pointer shows. */
export function iconButton(name: GlyphName, label: string, press: () => void): HTMLButtonElement {
  return h("button", { class: "quiet", type: "button", "aria-label": label, title: label, onclick: press }, glyph(name));
}

export function button(words: string, press: () => void, options: { primary?: boolean; icon?: GlyphName } = {}): HTMLButtonElement {
  return h(
    "button",
    { class: options.primary ? "button primary" : "button", type: "button", onclick: press },
    options.icon && glyph(options.icon),
    words,
  );
}

export type Choice = readonly [value: string, words: string];

/** A select with its label. */
export function choice(label: string, choices: readonly Choice[], value: string, change: (value: string) => void): HTMLLabelElement {
  const select = h("select", { onchange: () => change(select.value) });
  fill(select, choices, value);
  return h("label", { class: "p-field" }, h("span", {}, label), select);
}

/** Gives a select other choices; keeps its value where it is still among them. */
export function fill(select: HTMLSelectElement, choices: readonly Choice[], value = select.value): void {
  select.replaceChildren(...choices.map(([v, words]) => h("option", { value: v }, words)));
  select.value = choices.some(([v]) => v === value) ? value : (choices[0]?.[0] ?? "");
}

/** A text or number with its label. */
export function input(label: string, attributes: Record<string, string>, change: (value: string) => void): HTMLLabelElement {
  const box = h("input", { ...attributes, onchange: () => change(box.value) });
  return h("label", { class: "p-field" }, h("span", {}, label), box);
}

export function toggle(label: string, on: boolean, change: (on: boolean) => void): HTMLLabelElement {
  const box = h("input", { type: "checkbox", onchange: () => change(box.checked) });
  box.checked = on;
  return h("label", { class: "p-toggle" }, box, h("span", {}, label));
}

/** Tabs of a panel; arrows go from one to the next. Answers the row of tabs and the pane. */
export function tabs(
  label: string,
  pages: readonly { id: string; title: string; open: (pane: HTMLElement) => (() => void) | void }[],
): { element: HTMLElement; show: (id: string) => void; close: () => void } {
  const row = h("div", { class: "p-tabs", role: "tablist", "aria-label": label });
  const pane = h("div", { class: "p-pane", role: "tabpanel", tabindex: "0" });
  let close: (() => void) | void;
  const buttons = pages.map((page) =>
    h("button", { type: "button", role: "tab", id: `tab-${page.id}`, onclick: () => show(page.id) }, page.title),
  );
  row.append(...buttons);
  row.addEventListener("keydown", (e) => {
    const at = buttons.findIndex((b) => b === document.activeElement);
    const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    const next = step && at >= 0 ? pages[(at + step + pages.length) % pages.length] : undefined;
    if (!next) return;
    e.preventDefault();
    show(next.id);
    buttons[pages.indexOf(next)]?.focus();
  });
  function show(id: string): void {
    close?.();
    pane.replaceChildren();
    pane.setAttribute("aria-labelledby", `tab-${id}`);
    pages.forEach((page, i) => {
      const on = page.id === id;
      buttons[i]?.setAttribute("aria-selected", String(on));
      buttons[i]?.setAttribute("tabindex", on ? "0" : "-1");
      if (on) close = page.open(pane);
    });
  }
  return { element: h("div", { class: "p-tabbed" }, row, pane), show, close: () => close?.() };
}

/** What stands where nothing else can: it is being fetched, there is none, it was refused. */
export function state(kind: "busy" | "empty" | "bad", words: string): HTMLElement {
  return h("p", { class: `p-state p-${kind}`, role: kind === "bad" ? "alert" : "status" }, words);
}

/** Words of an error for a person. */
export const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether something failed only because nobody wants it any more. */
export const dropped = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

/** Fills a place with what a promise brings: a word while it is awaited, the refusal where there is one. What comes too late is dropped. */
export function awaited<T>(place: HTMLElement, words: string, start: (signal: AbortSignal) => Promise<T>, show: (value: T) => void): () => void {
  const control = new AbortController();
  place.replaceChildren(state("busy", words));
  place.setAttribute("aria-busy", "true");
  start(control.signal)
    .then((value) => {
      if (control.signal.aborted) return;
      place.replaceChildren();
      show(value);
    })
    .catch((error: unknown) => {
      if (!control.signal.aborted && !dropped(error)) place.replaceChildren(state("bad", said(error)));
    })
    .finally(() => {
      if (!control.signal.aborted) place.removeAttribute("aria-busy");
    });
  return () => control.abort();
}

const formats = new Map<number, Intl.NumberFormat>();

/** A number as people write it, with so many decimals. */
export function number(value: number | undefined | null, decimals = 1): string {
  if (value === undefined || value === null || !Number.isFinite(value)) return "–";
  let format = formats.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    formats.set(decimals, format);
  }
  return format.format(value);
}

/** A number with as many digits as its size needs. */
export function tidy(value: number | undefined | null): string {
  if (value === undefined || value === null) return "–";
  const size = Math.abs(value);
  return number(value, size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/** "1 room", "3 rooms". */
export const count = (n: number, one: string, many = `${one}s`): string => `${number(n, 0)} ${n === 1 ? one : many}`;

/** Names as people sort them: A2 before A10. */
export const byName = new Intl.Collator("en", { numeric: true, sensitivity: "base" }).compare;

/** A name without what programs repeat in it: "Flush:900 x 2100:900 x 2100:146596" is "Flush 900 x 2100". */
export function brief(name: string): string {
  const parts = name.split(":").map((part) => part.trim()).filter(Boolean);
  if (parts.length < 2) return name;
  if (/^\d+$/.test(parts.at(-1) ?? "")) parts.pop();
  return [...new Set(parts)].join(" ");
}
