// A wide place along the lower edge, over the 3D view and beside its panel: for tables, charts, drawings. One at a time; it is made higher by
// its upper edge, with pointer or arrows, and fills the page where the page is narrow.

import { h } from "../dom";
import { iconButton } from "./ui";

export interface Dock {
  /** Where its content goes. */
  body: HTMLElement;
  /** Buttons beside its title. */
  tools: HTMLElement;
  title(words: string): void;
  close(): void;
  readonly isOpen: boolean;
}

const HEIGHT = "pensaer-dock-height";
let current: Dock | undefined;

/** Closes whatever stands in the dock. */
export const closeDock = (): void => current?.close();

/** Opens the dock for a panel; the one before is closed. */
export function openDock(host: HTMLElement, words: string, options: { tall?: boolean; closed?: () => void } = {}): Dock {
  current?.close();
  const back = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
  const heading = h("h2", {}, words);
  const body = h("div", { class: "dock-body" });
  const tools = h("div", { class: "dock-tools" });
  const edge = h("div", {
    class: "dock-edge", role: "separator", tabindex: "0", "aria-orientation": "horizontal", "aria-label": "Height of the panel below",
    "aria-valuemin": "20", "aria-valuemax": "94",
  });
  const element = h(
    "section", { class: "dock", "aria-label": words }, edge,
    h("header", {}, heading, tools, iconButton("grow", "Larger or smaller", () => setShare(share > 0.8 ? 0.46 : 0.94)), iconButton("close", "Close", () => dock.close())),
    body,
  );
  let share = options.tall ? 0.94 : Number(localStorage.getItem(HEIGHT)) || 0.46;

  const area = () => {
    // the panel's own column stays free; where there is no room beside it, all of the page is taken
    const box = (host.closest(".p-panel")?.parentElement ?? host).getBoundingClientRect();
    const narrow = window.innerWidth <= 860;
    const left = !narrow && box.right < window.innerWidth * 0.6 ? box.right : 0;
    const top = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
    return { narrow, left, top, height: window.innerHeight - top };
  };
  const place = () => {
    const { narrow, left, height } = area();
    element.style.left = `${Math.round(left)}px`;
    element.style.height = `${Math.round(narrow ? height : height * share)}px`;
    edge.setAttribute("aria-valuenow", String(Math.round(share * 100)));
  };
  const setShare = (next: number) => {
    share = Math.min(Math.max(next, 0.2), 0.94);
    if (!options.tall) localStorage.setItem(HEIGHT, share.toFixed(3));
    place();
  };
  edge.addEventListener("pointerdown", (e) => {
    edge.setPointerCapture(e.pointerId);
    const move = (m: PointerEvent) => setShare((window.innerHeight - m.clientY) / area().height);
    edge.addEventListener("pointermove", move);
    edge.addEventListener("pointerup", () => edge.removeEventListener("pointermove", move), { once: true });
  });
  edge.addEventListener("keydown", (e) => {
    const step = e.key === "ArrowUp" ? 0.04 : e.key === "ArrowDown" ? -0.04 : 0;
    if (!step) return;
    e.preventDefault();
    setShare(share + step);
  });
  element.addEventListener("keydown", (e) => {
    // keys of the page behind (isolate, hide, walk) mean nothing in here
    e.stopPropagation();
    if (e.key === "Escape" && !e.defaultPrevented) dock.close();
  });

  const watch = new ResizeObserver(place);
  watch.observe(host);
  window.addEventListener("resize", place);
  let open = true;
  const dock: Dock = {
    body,
    tools,
    title(next) {
      heading.textContent = next;
      element.setAttribute("aria-label", next);
    },
    close() {
      if (!open) return;
      open = false;
      if (current === dock) current = undefined;
      watch.disconnect();
      window.removeEventListener("resize", place);
      element.remove();
      options.closed?.();
      if (back?.isConnected) back.focus();
    },
    get isOpen() {
      return open;
    },
  };
  current = dock;
  (document.querySelector("#app") ?? document.body).append(element);
  place();
  return dock;
}
