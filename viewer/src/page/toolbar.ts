// The toolbar that floats over the view: how one looks, cuts, measures and marks.

import { button, h, icon, many } from "../dom";
import type { Camera, Measurement, Mode, Side } from "../view/types";
import type { App } from "./app";
import { recall, remember } from "./kept";
import { menu, popover } from "./menu";
import type { ColourBy } from "./parts/colour";
import type { Marks } from "./parts/marks";
import type { Sight } from "./state";

export const SIDES: [Side, string][] = [
  ["iso", "Corner"],
  ["top", "Top"],
  ["front", "Front"],
  ["back", "Back"],
  ["left", "Left"],
  ["right", "Right"],
  ["bottom", "Bottom"],
];
/** Metres over a storey's floor at which its plan is cut. */
const CUT = 1.2;

interface SavedView {
  name: string;
  camera: Camera;
  planes: Sight["planes"];
  box?: NonNullable<Sight["box"]>;
  storey?: string;
  visibility: { hidden: string[]; ghosted: string[]; isolated?: string[] };
}

export class Toolbar {
  readonly element = h("div", { class: "tools", hidden: true, role: "toolbar", "aria-label": "View" });
  private readonly hint = h("div", { class: "hint", hidden: true, role: "status" });
  private readonly buttons: Record<string, HTMLButtonElement> = {};
  private mode: Mode = "select";
  private measured: Measurement[] = [];

  constructor(
    private readonly app: App,
    private readonly sight: Sight,
    private readonly colours: ColourBy,
    private readonly marks: Marks,
  ) {
    const make = (id: string, name: string, label: string, act: (anchor: HTMLElement) => void) => {
      const made = h("button", { type: "button", title: label, "aria-label": label, onclick: () => act(made) }, icon(name));
      this.buttons[id] = made;
      return made;
    };
    const rule = () => h("span", { class: "rule" });
    this.element.append(
      make("fit", "fit", "Everything in view (F)", () => this.fit()),
      make("views", "cube", "Standard and saved views", (a) => this.views(a)),
      make("walk", "walk", "Walk (W)", () => this.toggle("walk")),
      make("plan", "plan", "Plan of a storey (P)", (a) => this.plan(a)),
      rule(),
      make("section", "section", "Section (S)", (a) => this.section(a)),
      make("measure", "distance", "Measure (M)", (a) => this.measure(a)),
      make("mark", "mark", "Point at a place", (a) => this.mark(a)),
      rule(),
      make("colour", "colour", "Colour by a property", (a) => this.colours.open(a)),
      make("spaces", "spaces", "Rooms", () => this.spaces()),
      make("settings", "settings", "Settings of the view", (a) => this.settings(a)),
    );
    const { view } = app;
    view.on("mode", (mode) => this.became(mode));
    view.on("measured", (all) => (this.measured = all));
    let model: string | undefined;
    app.on("shown", (shown) => {
      this.element.hidden = shown?.kind !== "ifc";
      // the next version of the same model is seen as the one before
      if (shown?.model !== model && this.sight.storey !== undefined) {
        view.plan(undefined);
        this.sight.storey = undefined;
      }
      model = shown?.model;
      this.mirror();
    });
    this.settle();
  }

  get hintElement(): HTMLElement {
    return this.hint;
  }

  fit(): void {
    const keys = this.app.expand(this.app.selection());
    this.app.view.fit(keys.length > 0 ? { keys } : {});
  }

  side(side: Side): void {
    if (this.sight.storey) this.storey(undefined);
    this.app.view.fit({ side });
  }

  toggle(mode: Mode): void {
    this.app.view.mode(this.mode === mode ? "select" : mode);
  }

  /** Back to pointing; true where something else was on. */
  leave(): boolean {
    if (this.mode === "select") return false;
    this.app.view.mode("select");
    return true;
  }

  openFor(id: "plan" | "section" | "measure"): void {
    this.buttons[id]?.click();
  }

  private became(mode: Mode): void {
    this.mode = mode;
    const say: Partial<Record<Mode, string>> = {
      walk: "Walking: W A S D or arrows, drag to look around, Esc ends.",
      "measure-distance": "Click two points. Esc ends.",
      "measure-angle": "Click three points, the corner second. Esc ends.",
      "measure-area": "Click corners, then the first one again or Enter. Esc ends.",
      "measure-height": "Click a place: the clear height above it is measured. Esc ends.",
      section: "Click a face: the model is cut there. Drag the handle to move the cut. Esc ends.",
      "mark-point": "Click what you mean. Esc ends.",
      "mark-line": "Click points of a line, Enter ends it. Esc gives it up.",
    };
    this.hint.hidden = say[mode] === undefined;
    this.hint.textContent = say[mode] ?? "";
    this.mirror();
  }

  private mirror(): void {
    const press = (id: string, is: boolean) => this.buttons[id]?.setAttribute("aria-pressed", String(is));
    press("walk", this.mode === "walk");
    press("plan", this.sight.storey !== undefined);
    press("section", this.mode === "section" || this.sight.planes.length > 0 || this.sight.box !== undefined);
    press("measure", this.mode.startsWith("measure"));
    press("mark", this.mode.startsWith("mark"));
    press("spaces", this.app.view.settings({}).spaces);
  }

  private spaces(): void {
    this.app.view.settings({ spaces: !this.app.view.settings({}).spaces });
    this.mirror();
  }

  /** Rooms are shown where one of them is chosen. */
  showSpaces(): void {
    this.app.view.settings({ spaces: true });
    this.mirror();
  }

  private views(anchor: HTMLElement): void {
    const saved = this.saved();
    const projection = this.app.view.camera().projection;
    menu(anchor, "Views", [
      ...SIDES.map(([side, label], i) => ({ label, note: String(i + 1), act: () => this.side(side) })),
      undefined,
      { label: "Parallel projection", pressed: projection === "orthographic", act: () => this.project(projection === "orthographic" ? "perspective" : "orthographic") },
      undefined,
      ...saved.map((one) => ({ label: one.name, icon: "camera", act: () => this.restore(one) })),
      { label: "Save this view", icon: "add", act: () => this.save() },
      ...(saved.length > 0 ? [{ label: "Forget saved views", icon: "trash", act: () => remember(this.place(), []) }] : []),
    ]);
  }

  private project(projection: Camera["projection"]): void {
    const { view } = this.app;
    const camera = view.camera();
    const away = Math.hypot(...([0, 1, 2] as const).map((i) => camera.eye[i] - camera.target[i]));
    view.look({ eye: camera.eye, target: camera.target, projection, ...(projection === "orthographic" ? { height: away * 0.8 } : {}) });
  }

  private place(): string {
    return `views-${this.app.shown()?.model ?? ""}`;
  }

  private saved(): SavedView[] {
    return recall<SavedView[]>(this.place(), []);
  }

  private save(): void {
    const all = this.saved();
    const { planes, box, storey } = this.sight;
    all.push({ name: `View ${all.length + 1}`, camera: this.app.view.camera(), planes, ...(box ? { box } : {}), ...(storey ? { storey } : {}), visibility: this.app.visibility.state() });
    remember(this.place(), all);
    this.app.toast(`Saved as ${all.at(-1)?.name}, in this browser.`);
  }

  private restore(one: SavedView): void {
    this.storey(one.storey);
    this.app.visibility.restore(one.visibility);
    this.app.view.sections(one.planes, one.box);
    this.app.view.look(one.camera);
  }

  private storeys(): { id: string; name: string; elevation: number }[] {
    const list = this.app.current()?.tileset?.storeys ?? [];
    return list
      .filter((s) => s.elevation !== undefined && s.class === "IfcBuildingStorey")
      .map((s) => ({ id: s.global_id, name: s.name || "Storey", elevation: s.elevation ?? 0 }))
      .sort((a, b) => b.elevation - a.elevation);
  }

  private plan(anchor: HTMLElement): void {
    const items = this.storeys().map((s) => ({ label: s.name, note: `${s.elevation.toFixed(2)} m`, pressed: this.sight.storey === s.id, act: () => this.storey(s.id) }));
    if (items.length === 0) return this.app.toast("This model has no storey with an elevation.", { bad: true });
    menu(anchor, "Storeys", [...items, undefined, { label: "Whole building", icon: "cube", pressed: this.sight.storey === undefined, act: () => this.storey(undefined) }]);
  }

  /** Shows a storey's plan, or the whole building again. */
  storey(id: string | undefined): void {
    const storey = this.storeys().find((s) => s.id === id);
    if (!storey && this.sight.storey === undefined) return;
    this.app.view.plan(storey && { elevation: storey.elevation, cut: storey.elevation + CUT });
    this.sight.storey = storey?.id;
    this.sight.changed();
    this.mirror();
  }

  private section(anchor: HTMLElement): void {
    const { view } = this.app;
    const selected = this.app.expand(this.app.selection());
    const extent = view.extent(selected.length > 0 ? selected : undefined);
    const cut = (normal: [number, number, number]) => {
      if (!extent) return;
      const middle = [0, 1, 2].map((i) => (extent.min[i as 0] + extent.max[i as 0]) / 2) as [number, number, number];
      view.sections([...this.sight.planes, { point: middle, normal }], this.sight.box);
    };
    const clear = this.sight.planes.length > 0 || this.sight.box !== undefined;
    menu(anchor, "Section", [
      { label: "At a face that I click", icon: "plane", act: () => view.mode("section") },
      { label: "Along X", act: () => cut([1, 0, 0]) },
      { label: "Along Y", act: () => cut([0, 1, 0]) },
      { label: "Level, from above", act: () => cut([0, 0, 1]) },
      { label: selected.length > 0 ? "Box around the selection" : "Box", icon: "section", act: () => extent && view.sections(this.sight.planes, { min: extent.min, max: extent.max }) },
      ...(clear ? [undefined, { label: "No section", icon: "clear", act: () => view.sections([]) }] : []),
    ]);
  }

  private measure(anchor: HTMLElement): void {
    const { view } = this.app;
    menu(anchor, "Measure", [
      { label: "Distance", icon: "distance", act: () => view.mode("measure-distance") },
      { label: "Angle", icon: "angle", act: () => view.mode("measure-angle") },
      { label: "Area", icon: "area", act: () => view.mode("measure-area") },
      { label: "Clear height", icon: "height", act: () => view.mode("measure-height") },
      ...(this.measured.length > 0 ? [undefined, { label: `Remove ${many(this.measured.length, "measurement")}`, icon: "clear", act: () => this.unmeasure() }] : []),
    ]);
  }

  private unmeasure(): void {
    this.app.view.measurements([]);
    this.measured = [];
  }

  private mark(anchor: HTMLElement): void {
    menu(anchor, "Point at", [
      { label: "A place", icon: "mark", act: () => this.app.view.mode("mark-point") },
      { label: "A line", icon: "line", act: () => this.app.view.mode("mark-line") },
      ...(this.sight.marks.length > 0
        ? [
            undefined,
            { label: `Copy ${many(this.sight.marks.length, "mark")} as text`, icon: "copy", act: () => this.marks.copy() },
            { label: "Remove the marks", icon: "clear", act: () => this.marks.clear() },
          ]
        : []),
    ]);
  }

  private settings(anchor: HTMLElement): void {
    popover(anchor, "Settings of the view", (box) => {
      const now = this.app.view.settings({});
      const row = (name: "shadows" | "occlusion" | "edges" | "ground" | "spaces", label: string) => {
        const input = h("input", { type: "checkbox", checked: now[name] });
        input.addEventListener("change", () => {
          this.app.view.settings({ [name]: input.checked });
          if (name !== "spaces") remember("view", { ...recall<Record<string, boolean>>("view", {}), [name]: input.checked });
          this.mirror();
        });
        return h("label", { class: "check" }, input, label);
      };
      const stats = this.app.view.stats();
      box.append(
        h("h2", {}, "View"),
        row("shadows", "Shadows"),
        row("occlusion", "Ambient occlusion"),
        row("edges", "Edges"),
        row("ground", "Ground and sky"),
        row("spaces", "Rooms"),
        h("p", { class: "note" }, `${stats.elements.toLocaleString()} elements in ${stats.loaded} of ${stats.tiles} tiles, ${(stats.bytes / 1e6).toFixed(1)} MB, ${many(stats.drawCalls, "draw call")}, ${stats.triangles.toLocaleString()} triangles`),
        ...(this.app.visibility.changed ? [h("footer", {}, button("Show all elements", () => this.app.visibility.showAll()))] : []),
      );
    });
  }

  /** The settings of last time, and the theme of the system. */
  private settle(): void {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const theme = () => this.app.view.settings({ theme: dark.matches ? "dark" : "light" });
    this.app.view.settings(recall<Record<string, boolean>>("view", {}));
    theme();
    dark.addEventListener("change", theme);
    this.mirror();
  }
}
