// What mouse, finger and pen do on the picture: clicks, hovering, a dragged box. Turning and moving are the camera's.

export interface Place {
  x: number;
  y: number;
}

export interface PointerHooks {
  click(at: Place, add: boolean): void;
  double(at: Place): void;
  hover(at: Place | undefined): void;
  box(from: Place, to: Place, add: boolean): void;
  /** Before the camera gets it; answers whether the camera is to leave it alone. */
  grab(at: Place, e: PointerEvent): boolean;
  drag(at: Place): void;
  release(): void;
}

const SLACK = 5;
const HELD_MS = 450;

export class Pointer {
  private start: (Place & { id: number; touch: boolean; add: boolean; time: number }) | undefined;
  private doing: "none" | "camera" | "box" | "grab" = "none";
  private readonly frame = document.createElement("div");
  private last: { at: Place; time: number } | undefined;
  private readonly off: (() => void)[] = [];
  private hovering: { at: Place | undefined } | undefined;
  private held: ReturnType<typeof setTimeout> | undefined;
  private fingers = 0;

  constructor(
    private readonly canvas: HTMLElement,
    host: HTMLElement,
    private readonly hooks: PointerHooks,
    private readonly camera: (enabled: boolean) => void,
  ) {
    this.frame.className = "view-box";
    Object.assign(this.frame.style, { position: "absolute", left: "0", top: "0", border: "1px solid var(--accent)", pointerEvents: "none", display: "none", borderRadius: "2px" });
    host.append(this.frame);
    const on = <K extends keyof HTMLElementEventMap>(type: K, listener: (e: HTMLElementEventMap[K]) => void, capture = false) => {
      canvas.addEventListener(type, listener, { capture });
      this.off.push(() => canvas.removeEventListener(type, listener, { capture }));
    };
    on("pointerdown", (e) => this.down(e), true);
    on("pointermove", (e) => this.move(e));
    on("pointerup", (e) => this.up(e));
    on("pointercancel", () => this.cancel());
    on("pointerleave", () => this.later(undefined));
    on("contextmenu", (e) => e.preventDefault());
  }

  private at(e: MouseEvent): Place {
    const r = this.canvas.getBoundingClientRect();
    return { x: e.clientX - r.left, y: e.clientY - r.top };
  }

  private down(e: PointerEvent) {
    this.fingers = e.isPrimary ? 1 : this.fingers + 1;
    clearTimeout(this.held);
    if (!e.isPrimary) {
      if (this.doing === "box") this.cancel();
      this.start = undefined;
      return;
    }
    this.camera(true);
    this.doing = "none";
    if (e.button !== 0) return;
    const at = this.at(e);
    this.start = { ...at, id: e.pointerId, touch: e.pointerType === "touch", add: e.ctrlKey || e.metaKey || e.shiftKey, time: performance.now() };
    if (this.hooks.grab(at, e)) this.doing = "grab";
    else if (e.shiftKey || e.altKey) this.doing = "box";
    // a finger that is held still before it moves draws a box
    else if (this.start.touch) {
      this.held = setTimeout(() => {
        if (!this.start || this.fingers !== 1 || this.doing !== "none") return;
        this.doing = "box";
        this.camera(false);
        navigator.vibrate?.(12);
      }, HELD_MS);
    }
    if (this.doing !== "none") {
      this.camera(false);
      this.canvas.setPointerCapture(e.pointerId);
    }
  }

  private move(e: PointerEvent) {
    const at = this.at(e);
    const s = this.start;
    if (!s || s.id !== e.pointerId) {
      if (e.pointerType !== "touch" && e.buttons === 0) this.later(at);
      return;
    }
    const far = Math.hypot(at.x - s.x, at.y - s.y) > SLACK;
    if (this.doing === "grab") this.hooks.drag(at);
    else if (this.doing === "box" && far) this.draw(s, at);
    else if (this.doing === "none" && far) {
      clearTimeout(this.held);
      this.doing = "camera";
      this.later(undefined);
    }
  }

  private up(e: PointerEvent) {
    clearTimeout(this.held);
    this.fingers = 0;
    const s = this.start;
    this.start = undefined;
    this.frame.style.display = "none";
    this.camera(true);
    if (!s || s.id !== e.pointerId) return;
    const at = this.at(e);
    const far = Math.hypot(at.x - s.x, at.y - s.y) > SLACK;
    if (this.doing === "grab") this.hooks.release();
    else if (this.doing === "box" && far) this.hooks.box(s, at, s.add && (e.ctrlKey || e.metaKey));
    else if (!far) {
      const again = this.last && performance.now() - this.last.time < 350 && Math.hypot(at.x - this.last.at.x, at.y - this.last.at.y) < 8;
      this.last = again ? undefined : { at, time: performance.now() };
      if (again) this.hooks.double(at);
      else this.hooks.click(at, s.add);
    }
    this.doing = "none";
  }

  private cancel() {
    clearTimeout(this.held);
    if (this.doing === "grab") this.hooks.release();
    this.start = undefined;
    this.doing = "none";
    this.frame.style.display = "none";
    this.camera(true);
  }

  /** Hovering is looked at once a picture. */
  private later(at: Place | undefined) {
    if (this.hovering) {
      this.hovering.at = at;
      return;
    }
    this.hovering = { at };
    requestAnimationFrame(() => {
      const h = this.hovering;
      this.hovering = undefined;
      if (h) this.hooks.hover(h.at);
    });
  }

  private draw(a: Place, b: Place) {
    const s = this.frame.style;
    s.display = "block";
    s.borderStyle = b.x >= a.x ? "solid" : "dashed";
    s.background = "color-mix(in srgb, var(--accent) 12%, transparent)";
    s.width = `${Math.abs(b.x - a.x)}px`;
    s.height = `${Math.abs(b.y - a.y)}px`;
    s.transform = `translate(${Math.min(a.x, b.x)}px, ${Math.min(a.y, b.y)}px)`;
  }

  dispose() {
    clearTimeout(this.held);
    this.off.forEach((f) => f());
    this.frame.remove();
  }
}
