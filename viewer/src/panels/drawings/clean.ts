// An SVG document of the server as elements of the page: what is known is taken over, everything else stays behind. Names of elements in it are
// somebody else's text, and scripts, styles and addresses have no place in a drawing.

const SPACE = "http://www.w3.org/2000/svg";

const TAGS = new Set(
  "svg g path rect circle ellipse line polyline polygon text tspan title desc defs clipPath pattern marker mask linearGradient radialGradient stop symbol use image".split(" "),
);

const ATTRIBUTES = new Set(
  (
    "id d x y x1 y1 x2 y2 cx cy r rx ry width height points viewBox transform preserveAspectRatio fill fill-rule fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-dasharray " +
    "stroke-dashoffset stroke-miterlimit stroke-opacity opacity paint-order clip-path clip-rule clipPathUnits mask patternUnits patternTransform patternContentUnits gradientUnits gradientTransform offset " +
    "stop-color stop-opacity font-size font-weight font-family font-style text-anchor textLength lengthAdjust dominant-baseline dx dy rotate markerWidth markerHeight refX refY orient marker-start marker-end " +
    "data-id data-class data-layer data-part data-hatch"
  ).split(" "),
);

/** Whether an attribute's text names nothing outside the document. */
export function harmless(name: string, text: string): boolean {
  if (!ATTRIBUTES.has(name)) return false;
  return !/url\s*\(\s*["']?\s*(?!#)/i.test(text) && !/javascript:/i.test(text);
}

/** Whether an address of `use` or `image` may stay: a part of this document, or a picture within it. */
export const inside = (tag: string, href: string): boolean =>
  tag === "use" ? href.startsWith("#") : tag === "image" && /^data:image\/(png|jpeg);base64,/i.test(href);

function copy(from: Element): Element | undefined {
  if (from.namespaceURI !== SPACE || !TAGS.has(from.localName)) return undefined;
  const to = document.createElementNS(SPACE, from.localName);
  for (const { localName, name, value } of Array.from(from.attributes)) {
    if (localName === "href") {
      if (inside(from.localName, value)) to.setAttribute("href", value);
    } else if (harmless(name, value)) to.setAttribute(name, value);
  }
  for (const child of Array.from(from.childNodes)) {
    if (child.nodeType === Node.TEXT_NODE) to.append(child.textContent ?? "");
    else if (child instanceof Element) {
      const taken = copy(child);
      if (taken) to.append(taken);
    }
  }
  return to;
}

/** A drawing's elements and its size in its own units. */
export function readDrawing(svg: string): { content: SVGGElement; box: { x: number; y: number; width: number; height: number } } {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  const root = parsed.documentElement;
  if (root.localName !== "svg" || parsed.querySelector("parsererror")) throw new Error("The drawing could not be read.");
  const [x = 0, y = 0, width = 297, height = 210] = (root.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  const content = document.createElementNS(SPACE, "g");
  for (const name of ["font-family", "fill", "fill-rule", "stroke-linecap", "stroke-miterlimit"]) {
    const text = root.getAttribute(name);
    if (text) content.setAttribute(name, text);
  }
  for (const child of Array.from(root.children)) {
    if (child.localName === "title") continue;
    const taken = copy(child);
    if (taken) content.append(taken);
  }
  return { content, box: { x, y, width, height } };
}
