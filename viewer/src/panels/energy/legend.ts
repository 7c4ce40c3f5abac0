// A scale of colours with its values, and the control that goes through times.

import { h } from "../../dom";
import { ramp, steps, type Scale } from "../palette";
import { tidy } from "../ui";

/** A bar from the least to the greatest value, with round values under it. */
export function scaleBar(range: [number, number], units: string, scale: Scale): HTMLElement {
  const [min, max] = range;
  const strip = h("div", { class: "scale-strip", role: "img", "aria-label": `Colours from ${tidy(min)} to ${tidy(max)} ${units}` });
  const stops = Array.from({ length: 9 }, (_, i) => `${ramp(i / 8, scale)} ${(i / 8) * 100}%`);
  strip.style.background = `linear-gradient(90deg, ${stops.join(", ")})`;
  const marks = h("div", { class: "scale-marks" });
  const inner = max > min ? steps(min, max, 4).filter((v) => v > min + (max - min) * 0.12 && v < max - (max - min) * 0.22) : [];
  for (const value of [min, ...inner, max]) {
    const share = max > min ? (value - min) / (max - min) : 0;
    const mark = h("span", {}, value === max ? `${tidy(value)} ${units}` : tidy(value));
    mark.style.left = `${share * 100}%`;
    if (value === min) mark.classList.add("first");
    else if (value === max) mark.classList.add("last");
    marks.append(mark);
  }
  return h("div", { class: "scale" }, strip, marks);
}
