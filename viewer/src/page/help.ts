// The keys of the page, and their map.

import { button, h } from "../dom";

export const KEYS: [string, string][] = [
  ["F", "Selection or everything in view"],
  ["1 – 7", "Corner, top, front, back, left, right, bottom"],
  ["P", "Plan of a storey"],
  ["W", "Walk"],
  ["S", "Section"],
  ["M", "Measure"],
  ["H", "Hide the selection"],
  ["I", "Show the selection alone, or everything again"],
  ["G", "Make the selection faint"],
  ["A", "Show everything"],
  ["/", "Find"],
  ["Esc", "End what is on, then the selection"],
  ["Ctrl Z", "Take back the last change that was made here"],
  ["Ctrl click", "Add to the selection"],
  ["Shift drag", "Select by a box: to the right what lies in it, to the left what it touches"],
  ["Arrows", "In the tree: move, open, close; Enter selects, Space adds"],
  ["?", "These keys"],
];

export function help(): void {
  const dialog = h(
    "dialog",
    { class: "ask keys", "aria-label": "Keys" },
    h("h2", {}, "Keys"),
    h("dl", {}, ...KEYS.map(([k, says]) => h("div", {}, h("dt", {}, ...k.split(" ").map((part) => (/^(–|click|drag)$/.test(part) ? ` ${part} ` : h("kbd", {}, part)))), h("dd", {}, says)))),
    h("footer", {}, button("Close", () => dialog.close(), { kind: "primary" })),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
