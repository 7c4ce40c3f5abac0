// The page's frame: bar, rail of panels, side, view, inspector. Widths are dragged and remembered; on a narrow page side and inspector become
// sheets over the view, of which one is open at a time.

import { h, icon, iconButton, message } from "../dom";
import type { Context, Panel, Shown } from "./context";
import { recall, remember } from "./kept";

const NARROW = "(max-width: 860px)";

interface Widths {
  side: number;
  inspector: number;
  sheet: number;
}

export class Layout {
  readonly bar = h("header", { class: "bar" });
  readonly rail = h("nav", { class: "rail", "aria-label": "Panels" });
  readonly side = h("section", { class: "side", hidden: true, "aria-label": "Panel" });
  readonly view = h("main", { class: "view" });
  readonly inspector = h("aside", { class: "panel", hidden: true, "aria-label": "Properties" });
  readonly toasts = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
  private readonly head = h("h2", { class: "side-title" });
  private readonly body = h("div", { class: "side-body" });
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private panels: Panel[] = [];
  private open: string | undefined;
  private close: (() => void) | undefined;
  private readonly narrow = matchMedia(NARROW);
  private readonly widths: Widths = { side: 320, inspector: 340, sheet: 46, ...recall<Partial<Widths>>("widths", {}) };
  onPanel: (id: string | undefined) => void = () => undefined;

  constructor(
    app: HTMLElement,
    private readonly context: () => Context,
  ) {
    const closing = iconButton("close", "Close the panel", () => this.show(undefined), { class: "quiet side-close" });
    this.side.append(this.grip("side"), h("header", { class: "side-head" }, this.head, closing), this.body);
    this.inspector.append(this.grip("inspector"));
    app.append(this.bar, this.rail, this.side, this.view, this.inspector);
    this.size();
    this.narrow.addEventListener("change", () => this.size());
  }

  get isNarrow(): boolean {
    return this.narrow.matches;
  }

  get opened(): string | undefined {
    return this.open;
  }

  /** Takes panels into the rail, in their order. */
  register(panels: Panel[]): void {
    this.panels.push(...panels);
    for (const panel of panels) {
      const title = panel.title;
      const button = h(
        "button",
        { type: "button", class: "rail-button", title, "aria-label": title, "aria-pressed": "false", "data-panel": panel.id, onclick: () => this.show(this.open === panel.id ? undefined : panel.id) },
        icon(panel.icon),
        h("span", {}, title.split(" ")[0] ?? title),
      );
      this.buttons.set(panel.id, button);
      this.rail.append(button);
    }
  }

  /** Shows only panels that have something to say of what is shown. */
  fit(shown: Shown | undefined): void {
    for (const panel of this.panels) {
      const fits = panel.fits(shown);
      const button = this.buttons.get(panel.id);
      if (button) button.hidden = !fits;
      if (!fits && this.open === panel.id) this.show(undefined);
    }
  }

  /** A number beside a panel's icon: what waits there. */
  badge(id: string, count: number): void {
    const button = this.buttons.get(id);
    button?.querySelector(".badge-count")?.remove();
    if (count > 0) button?.append(h("i", { class: "badge-count" }, count > 99 ? "99+" : String(count)));
  }

  show(id: string | undefined): void {
    if (id === this.open) return;
    const panel = this.panels.find((one) => one.id === id);
    if (id !== undefined && !panel) return;
    this.close?.();
    this.close = undefined;
    this.body.replaceChildren();
    this.open = panel?.id;
    for (const [name, button] of this.buttons) button.setAttribute("aria-pressed", String(name === this.open));
    this.side.hidden = !panel;
    document.body.classList.toggle("with-side", panel !== undefined);
    if (panel) {
      this.head.textContent = panel.title;
      this.body.dataset["panel"] = panel.id;
      if (this.isNarrow) this.inspect(false);
      try {
        this.close = panel.open(this.body, this.context());
      } catch (error) {
        this.body.append(h("p", { class: "more bad" }, message(error)));
      }
    }
    if (!this.isNarrow || panel === undefined) remember("panel", this.open ?? null);
    this.onPanel(this.open);
  }

  /** Opens or closes the inspector. On a narrow page it takes the place of the panel's sheet. */
  inspect(open: boolean): void {
    this.inspector.hidden = !open;
    document.body.classList.toggle("with-panel", open);
  }

  private size(): void {
    const style = document.documentElement.style;
    style.setProperty("--side", `${this.widths.side}px`);
    style.setProperty("--inspector", `${this.widths.inspector}px`);
    style.setProperty("--sheet", `${this.widths.sheet}%`);
  }

  /** The edge that is dragged, with the pointer or the arrow keys. */
  private grip(which: "side" | "inspector"): HTMLElement {
    const label = which === "side" ? "Width of the panel" : "Width of the properties";
    const grip = h("div", { class: `grip ${which}`, role: "separator", tabindex: "0", "aria-label": label, "aria-orientation": "vertical" });
    const set = (value: number) => {
      if (this.isNarrow) this.widths.sheet = Math.max(18, Math.min(88, value));
      else this.widths[which] = Math.max(240, Math.min(620, value));
      grip.setAttribute("aria-valuenow", String(Math.round(this.isNarrow ? this.widths.sheet : this.widths[which])));
      this.size();
    };
    set(this.isNarrow ? this.widths.sheet : this.widths[which]);
    grip.addEventListener("pointerdown", (e) => {
      e.preventDefault();
      grip.setPointerCapture(e.pointerId);
      const from = { x: e.clientX, y: e.clientY, width: this.widths[which], sheet: this.widths.sheet };
      const move = (now: PointerEvent) => {
        if (this.isNarrow) set(from.sheet + ((from.y - now.clientY) / innerHeight) * 100);
        else set(from.width + (which === "side" ? now.clientX - from.x : from.x - now.clientX));
      };
      const end = () => {
        grip.removeEventListener("pointermove", move);
        remember("widths", this.widths);
      };
      grip.addEventListener("pointermove", move);
      grip.addEventListener("pointerup", end, { once: true });
      grip.addEventListener("pointercancel", end, { once: true });
    });
    grip.addEventListener("keydown", (e) => {
      const step = { ArrowLeft: -16, ArrowRight: 16, ArrowUp: 4, ArrowDown: -4 }[e.key];
      if (step === undefined) return;
      e.preventDefault();
      set(this.isNarrow ? this.widths.sheet + step : this.widths[which] + (which === "side" ? step : -step));
      remember("widths", this.widths);
    });
    return grip;
  }
}
