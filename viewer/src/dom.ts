// Making elements, without a framework.

type Child = Node | string | undefined | null | false;
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

const SHAPES = {
  chevron: "M9 6l6 6-6 6",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 100-6 3 3 0 000 6z",
  hidden: "M4 4l16 16M9.9 5.8A9.5 9.5 0 0112 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 01-3 3.8M6.2 7.3A15.600 15.600 0 002.500 12S6 18.500 12 18.500a9.300 9.300 0 004.500-1.200",
  search: "M11 18a7 7 0 100-14 7 7 0 000 14zM16 16l4.500 4.500",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  upload: "M12 16V5M7 9l5-5 5 5M5 20h14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  iso: "M12 3l8 4.500v9L12 21l-8-4.500v-9zM12 12l8-4.500M12 12v9M12 12L4 7.500",
  top: "M5 5h14v14H5zM5 12h14M12 5v14",
  spaces: "M4 5h16v14H4zM10 5v6M10 15v4M14 11h6",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
} as const;

/** A line icon. */
export function icon(name: keyof typeof SHAPES): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  return svg;
}
