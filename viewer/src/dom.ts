// Making elements, without a framework.

export type Child = Node | string | undefined | null | false;
type Attributes = Record<string, string | boolean | ((e: Event) => void) | undefined>;

/** An element with attributes (functions are listeners) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((c): c is Node | string => c !== undefined && c !== null && c !== false));
  return element;
}

const SHAPES: Record<string, string> = {
  activity: "M3 12h4l3-8 4 16 3-8h4",
  add: "M12 5v14M5 12h14",
  angle: "M20 19H4L17 5M12.500 19a7 7 0 00-2.300-6",
  approve: "M12 3l7.500 3v5.500c0 4.500-3 8-7.500 9.500-4.500-1.500-7.500-5-7.500-9.500V6zM8.500 12l2.500 2.500 4.500-5",
  area: "M4 8l7-4 9 5-3 11H6zM4 8h.01M11 4h.01M20 9h.01",
  branch: "M7 4v16M7 14c6 0 10-2 10-7M7 4h.01M17 4.500a1.500 1.500 0 110 3 1.500 1.500 0 010-3z",
  camera: "M4 8h4l2-2.500h4L16 8h4v11H4zM12 16a3 3 0 100-6 3 3 0 000 6z",
  check: "M5 12.500l4.500 4.500L19 7",
  chevron: "M9 6l6 6-6 6",
  clear: "M5 19h14M7 15l8-9 4 4-6 6H9z",
  close: "M6 6l12 12M18 6L6 18",
  colour: "M12 4a8 8 0 100 16c1.500 0 2-1 1.500-2-.8-1.600.2-3 2-3H18c1.500 0 2-1 2-3 0-4.500-3.500-8-8-8zM8 11h.01M11 8h.01M15 8.500h.01",
  compare: "M12 3v18M4 7h5v10H4zM15 7h5v10h-5z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  cube: "M12 3l8 4.500v9L12 21l-8-4.500v-9zM12 12l8-4.500M12 12v9M12 12L4 7.500",
  distance: "M3 17L17 3l4 4L7 21zM7 13l2 2M10 10l2 2M13 7l2 2",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  energy: "M13 3L5 14h6l-1 7 8-11h-6z",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 100-6 3 3 0 000 6z",
  filter: "M4 5h16l-6 8v6l-4-2v-4z",
  finding: "M12 4L2.500 20h19zM12 10v4.500M12 17.300h.01",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  ghost: "M5 20V11a7 7 0 0114 0v9l-2.500-2-2.200 2L12 18l-2.300 2-2.200-2zM9.500 11h.01M14.500 11h.01",
  height: "M5 4h14M5 20h14M12 5v14M9 8l3-3 3 3M9 16l3 3 3-3",
  help: "M12 21a9 9 0 100-18 9 9 0 000 18zM9.500 9.500a2.500 2.500 0 115 0c0 1.700-2.500 2-2.500 3.800M12 16.800h.01",
  hidden: "M4 4l16 16M9.9 5.8A9.5 9.5 0 0112 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 01-3 3.8M6.2 7.3A15.600 15.600 0 002.500 12S6 18.500 12 18.500a9.300 9.300 0 004.500-1.200",
  iso: "M12 3l8 4.500v9L12 21l-8-4.500v-9zM12 12l8-4.500M12 12v9M12 12L4 7.500",
  isolate: "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M9 9h6v6H9z",
  key: "M8 20a4 4 0 110-8 4 4 0 010 8zM11 13l9-9M16 8l3 3",
  line: "M5 19L19 5M5 19h.01M19 5h.01",
  link: "M10 14a4 4 0 005.700 0l3-3a4 4 0 00-5.700-5.700l-1 1M14 10a4 4 0 00-5.700 0l-3 3a4 4 0 005.700 5.700l1-1",
  mark: "M12 21s-6.500-6-6.500-11a6.500 6.500 0 0113 0c0 5-6.500 11-6.500 11zM12 12.500a2.500 2.500 0 100-5 2.500 2.500 0 000 5z",
  merge: "M7 20V9M7 4v.01M17 20v-4c0-4-10-3-10-8V4M4 7l3-3 3 3",
  models: "M4 8l8-4 8 4-8 4zM4 12l8 4 8-4M4 16l8 4 8-4",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  orbit: "M12 15a3 3 0 100-6 3 3 0 000 6zM4 14c-3-4 3-8 9-8s10 4 7 7-9 5-13 3M5.500 18.500L7 16l-2.500-1.500",
  plan: "M4 4h16v16H4zM4 11h7V4M11 15v5M15 11h5",
  plane: "M4 7l10-4v14L4 21zM14 8l6-2.500M14 14l6-2.500",
  redo: "M19 8H9a5 5 0 000 10h7M15 4l4 4-4 4",
  restore: "M4 5v5h5M4.500 10A8 8 0 1112 20a8 8 0 01-7-4M12 8v4.500l3 2",
  rooms: "M4 5h16v14H4zM10 5v6M10 15v4M14 11h6",
  save: "M12 3l2.700 5.600 6.300.9-4.500 4.300 1 6.200-5.500-2.900L6.500 20l1-6.200L3 9.500l6.300-.9z",
  schedule: "M4 5h16v14H4zM4 10h16M4 14.500h16M10 5v14",
  search: "M11 18a7 7 0 100-14 7 7 0 000 14zM16 16l4.500 4.500",
  section: "M12 3l8 4.500v9L12 21l-8-4.500v-9zM8 5.300v13.400M8 12h8",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 9.200a2.200 2.200 0 100-4.400 2.200 2.200 0 000 4.400zM9 19.200a2.200 2.200 0 100-4.400 2.200 2.200 0 000 4.400z",
  share: "M10 14L20 4M14 4h6v6M18 14v6H4V6h6",
  sheet: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  signout: "M10 4H5v16h5M9 12h11M16 8l4 4-4 4",
  spaces: "M4 5h16v14H4zM10 5v6M10 15v4M14 11h6",
  table: "M4 5h16v14H4zM4 10h16M4 14.500h16M10 5v14",
  top: "M5 5h14v14H5zM5 12h14M12 5v14",
  topic: "M4 5h16v11H11l-4 4v-4H4zM8 9h8M8 12h5",
  trash: "M5 7h14M10 4h4M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5",
  tree: "M4 5h6M4 5v14h4M4 12h4M12 12h8M12 19h8M14 5h6",
  undo: "M5 8h10a5 5 0 010 10H8M9 4L5 8l4 4",
  upload: "M12 16V5M7 9l5-5 5 5M5 20h14",
  versions: "M12 7v5l3.500 2M4 12a8 8 0 108-8c-3 0-5.500 1.500-7 4M4.500 3.500V8H9",
  walk: "M13 5.500a1.500 1.500 0 100-3 1.500 1.500 0 000 3zM9 21l2.500-6L9 12l1-5 4 1.500 2 3 3 .5M11.500 15l3.500 2 1 4M10 7l-3 2v3",
  ways: "M6 20c0-5 12-3 12-8s-12-3-12-8M4 20h4M16 4h4",
  wrench: "M14 7a4 4 0 015-3l-2.500 2.500 1 2 2 1L22 7a4 4 0 01-6 5l-8 8-3-3 8-8a4 4 0 011-2z",
};

/** A line icon; a plain square for a name that there is none of. */
export function icon(name: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", SHAPES[name] ?? "M5 5h14v14H5z");
  svg.append(path);
  return svg;
}

/** A button that shows an icon alone; what it does is its label. */
export function iconButton(name: string, label: string, act: (e: Event) => void, more: Attributes = {}): HTMLButtonElement {
  return h("button", { type: "button", class: "quiet", title: label, "aria-label": label, onclick: act, ...more }, icon(name));
}

/** A button with a word. */
export function button(label: string, act: (e: Event) => void, options: { icon?: string; kind?: "primary" | "bad"; more?: Attributes } = {}): HTMLButtonElement {
  const kind = options.kind ? `button ${options.kind}` : "button";
  return h("button", { type: "button", class: kind, onclick: act, ...options.more }, options.icon !== undefined && icon(options.icon), label);
}

/** A choice from a list of value and label. */
export function choice(label: string, options: [string, string][], value: string, act: (value: string) => void): HTMLSelectElement {
  const select = h("select", { "aria-label": label }, ...options.map(([v, l]) => h("option", { value: v, selected: v === value }, l)));
  select.addEventListener("change", () => act(select.value));
  return select;
}

/** `WallCreated`, `set_properties` → `Wall created`, `Set properties`. */
export function words(name: string): string {
  const said = name.replace(/_/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** A time: today the hour, else the day with it. */
export function when(ms: number): string {
  const date = new Date(ms);
  const hour = date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
  if (new Date().toDateString() === date.toDateString()) return hour;
  return `${date.toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" })}, ${hour}`;
}

/** `1 wall`, `3 walls`. */
export const many = (count: number, one: string, more = `${one}s`): string => `${count.toLocaleString()} ${count === 1 ? one : more}`;

export const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));
export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";
