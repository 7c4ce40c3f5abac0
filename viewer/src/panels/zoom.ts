// A drawing that is zoomed and moved: by wheel, by two fingers, by dragging, by buttons, and by + - 0 and the arrows.

import { h } from "../dom";
import { iconButton, s } from "./ui";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The box that shows `box` and no other than the shape of a place `width` by `height`. */
export function fitted(box: Box, width: number, height: number): Box {
  if (width <= 0 || height <= 0) return box;
  const scale = Math.max(box.width / width, box.height / height);
  const [w, tall] = [width * scale, height * scale];
  return { x: box.x - (w - box.width) / 2, y: box.y - (tall - box.height) / 2, width: w, height: tall };
}

/** A box made smaller about a place that stays where it is. */
export function zoomed(box: Box, at: [number, number], factor: number): Box {
  return { x: at[0] + (box.x - at[0]) * factor, y: at[1] + (box.y - at[1]) * factor, width: box.width * factor, height: box.height * factor };
}

export function zoomable(content: SVGElement, whole: Box, label: string, options: { paper?: boolean } = {}): HTMLElement {
  const svg = s("svg", { class: "zoomable", tabindex: 0, role: "group", "aria-label": `${label}. Plus and minus zoom, arrows move, 0 shows all.`, preserveAspectRatio: "xMidYMid meet" }, content);
  let box = whole;
  let touched = false;
  const set = (next: Box) => {
    if (next.width < whole.width / 400 || next.width > whole.width * 8) return;
    box = next;
    svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
  };
  const place = (x: number, y: number): [number, number] => {
    const r = svg.getBoundingClientRect();
    const shownBox = fitted(box, r.width, r.height);
    return [shownBox.x + ((x - r.left) / (r.width || 1)) * shownBox.width, shownBox.y + ((y - r.top) / (r.height || 1)) * shownBox.height];
  };
  const about = (factor: number) => {
    touched = true;
    set(zoomed(box, [box.x + box.width / 2, box.y + box.height / 2], factor));
  };
  const fit = () => {
    touched = false;
    const r = svg.getBoundingClientRect();
    set(fitted(whole, r.width, r.height));
  };

  svg.addEventListener("wheel", (e) => {
    e.preventDefault();
    touched = true;
    set(zoomed(box, place(e.clientX, e.clientY), Math.exp(Math.min(Math.max(e.deltaY, -120), 120) * 0.0022)));
  }, { passive: false });

  const down = new Map<number, [number, number]>();
  let moved = 0;
  svg.addEventListener("pointerdown", (e) => {
    down.set(e.pointerId, [e.clientX, e.clientY]);
    moved = 0;
  });
  svg.addEventListener("pointermove", (e) => {
    const before = down.get(e.pointerId);
    if (!before) return;
    const now: [number, number] = [e.clientX, e.clientY];
    moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (moved > 4 && !svg.hasPointerCapture(e.pointerId)) svg.setPointerCapture(e.pointerId);
    const other = [...down].find(([id]) => id !== e.pointerId)?.[1];
    const [a, b] = [place(...before), place(...now)];
    if (other) {
      const far = (p: [number, number]) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
      set(zoomed(box, place(...other), far(before) / far(now)));
    } else if (moved > 4) set({ ...box, x: box.x - (b[0] - a[0]), y: box.y - (b[1] - a[1]) });
    if (moved > 4) touched = true;
    down.set(e.pointerId, now);
  });
  for (const end of ["pointerup", "pointercancel"] as const) svg.addEventListener(end, (e) => down.delete(e.pointerId));
  // what was dragged was not clicked
  svg.addEventListener("click", (e) => {
    if (moved > 4) e.stopPropagation();
  }, { capture: true });
  svg.addEventListener("keydown", (e) => {
    const [dx = 0, dy = 0] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key] ?? [0, 0];
    if (dx || dy) set({ ...box, x: box.x + dx * box.width * 0.1, y: box.y + dy * box.height * 0.1 });
    else if (e.key === "+" || e.key === "=") about(0.8);
    else if (e.key === "-") about(1.25);
    else if (e.key === "0") fit();
    else return;
    e.preventDefault();
  });

  const host = h(
    "div", { class: options.paper ? "zoom-host paper" : "zoom-host" }, svg,
    h("div", { class: "zoom-tools" }, iconButton("plus", "Zoom in", () => about(0.75)), iconButton("minus", "Zoom out", () => about(1.333)), iconButton("fit", "Show all", fit)),
  );
  set(whole);
  new ResizeObserver(() => {
    if (!touched) fit();
  }).observe(svg);
  return host;
}
