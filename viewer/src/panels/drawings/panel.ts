// Drawings and sheets: plans, sections and elevations that the server draws to scale, shown here and laid over the model; the sheets that are
// kept with the model, as paper.

import type { Context } from "../../page/context";
import { idOf, keyOf, type Point } from "../../view/types";
import { h } from "../../dom";
import { openDock, type Dock } from "../dock";
import { storeys as loadStoreys, type Storey } from "../rooms/data";
import { fetched, fileName, files, handOver, linked, linkOf, save, text, type Link, type Linked } from "../server";
import { awaited, button, choice, count, fill, input, said, state, toggle, type Choice } from "../ui";
import { zoomable } from "../zoom";
import { readDrawing } from "./clean";
import { planOver } from "./placement";
import { sheetSection } from "./sheets";

const KINDS: readonly Choice[] = [
  ["plan", "Plan"], ["ceiling", "Ceiling plan"], ["section-x", "Section, looking north"], ["section-y", "Section, looking west"],
  ["north", "Elevation north"], ["east", "Elevation east"], ["south", "Elevation south"], ["west", "Elevation west"],
  ["south_west", "Axonometry from south-west"], ["south_east", "Axonometry from south-east"], ["north_east", "Axonometry from north-east"], ["north_west", "Axonometry from north-west"],
];
const SCALES: readonly Choice[] = ["20", "50", "100", "200", "500"].map((v): Choice => [v, `1:${v}`]);
const LANGUAGES: readonly Choice[] = [["en", "English"], ["de", "Deutsch"], ["es", "Español"], ["fr", "Français"], ["it", "Italiano"], ["nl", "Nederlands"], ["tr", "Türkçe"]];

export interface Drawn {
  kind?: string;
  scale?: string;
  paper?: [number, number];
  notes?: string[];
}

const kept = { kind: "plan", storey: "", scale: "100", height: "1200", at: "", rooms: "", language: "en", dimensions: true };

export function open(host: HTMLElement, context: Context): () => void {
  const off: (() => void)[] = [];
  let dock: Dock | undefined;
  let stop: (() => void) | undefined;
  let control = new AbortController();
  let laid = false;
  /** The number of the sheet that is in the dock. */
  let sheet: string | undefined;
  let levels: Storey[] = [];

  const kind = choice("Drawing", KINDS, kept.kind, (v) => { kept.kind = v; adapt(); });
  const storey = choice("Storey", [], "", (v) => { kept.storey = v; if (laid) void lay(true); });
  const cut = input("Cut over the floor, mm", { type: "number", min: "100", max: "20000", step: "50", value: kept.height }, (v) => (kept.height = v));
  const place = input("Cut at, mm", { type: "number", step: "100", placeholder: "middle", value: kept.at }, (v) => (kept.at = v));
  const colours = choice("Room colours", [["", "None"], ["area", "By area"], ["name", "By name"]], kept.rooms, (v) => (kept.rooms = v));
  const over = toggle("Lay the storey's plan over the model", false, (on) => void lay(on));
  const note = h("p", { class: "p-note", role: "status" });
  const made = h("div", {});
  const sheets = h("div", {});
  const panel = h(
    "div", { class: "p-panel" },
    h(
      "section", { class: "p-section" },
      h("div", { class: "p-form" }, kind, storey, cut, place, choice("Scale", SCALES, kept.scale, (v) => (kept.scale = v)), colours, choice("Language", LANGUAGES, kept.language, (v) => (kept.language = v))),
      toggle("Dimensions", kept.dimensions, (on) => (kept.dimensions = on)),
      h("div", { class: "p-row wrap" }, button("Draw", () => draw(), { primary: true }), button("PDF", () => void file("pdf"), { icon: "download" }), button("DXF", () => void file("dxf"), { icon: "download" })),
      over, note,
    ),
    sheets, made,
  );
  host.append(panel);

  function adapt(): void {
    const plan = kept.kind === "plan" || kept.kind === "ceiling";
    storey.hidden = cut.hidden = !plan;
    place.hidden = !kept.kind.startsWith("section");
    colours.hidden = kept.kind !== "plan";
    over.hidden = kept.kind !== "plan";
  }

  function args(): Record<string, unknown> {
    const level = levels.find((s) => s.id === kept.storey) ?? levels[0];
    const common = { scale: Number(kept.scale), dimensions: kept.dimensions, language: kept.language };
    if (kept.kind === "plan" || kept.kind === "ceiling") {
      return {
        ...common,
        cut_plane: { level_id: level?.id, ...(kept.height ? { height: Number(kept.height) } : {}), ...(kept.kind === "ceiling" ? { ceiling: true } : {}) },
        ...(kept.kind === "plan" && kept.rooms ? { rooms: kept.rooms } : {}),
      };
    }
    if (kept.kind.startsWith("section")) {
      const along = kept.kind === "section-x" ? 1 : 0;
      const extent = context.view.extent();
      const middle = extent ? ((extent.min[along] ?? 0) + (extent.max[along] ?? 0)) * 500 : 0;
      const origin: Point = [0, 0, 0];
      origin[along] = kept.at ? Number(kept.at) : middle;
      // the normal points to the viewer
      return { ...common, cut_plane: { origin, normal: along === 1 ? [0, -1, 0] : [1, 0, 0] } };
    }
    return { ...common, cut_plane: { side: kept.kind } };
  }

  const title = () => KINDS.find(([v]) => v === kept.kind)?.[1] ?? "Drawing";

  function draw(): void {
    const asked = args();
    sheet = undefined;
    show(title(), async (signal) => {
      const answer = await context.call<Linked<Drawn>>("create_section", { ...asked, format: "svg" }, signal);
      const link = linked(answer, ".svg");
      if (!link) throw new Error("The server sent no drawing.");
      return { link, svg: await text(link, signal), notes: answer.notes ?? [], words: answer.scale ?? "" };
    });
  }

  function show(name: string, load: (signal: AbortSignal) => Promise<{ link: Link; svg: string; notes: string[]; words: string }>): void {
    stop?.();
    if (!dock?.isOpen) dock = openDock(host, name, { closed: () => stop?.() });
    const into = dock;
    into.title(name);
    into.tools.replaceChildren();
    stop = awaited(into.body, "Drawing…", load, ({ link, svg, notes, words }) => {
      into.title(words ? `${name}, ${words}` : name);
      into.tools.append(button("SVG", () => handOver(svg, fileName(link), "image/svg+xml"), { icon: "download" }));
      const { content, box } = readDrawing(svg);
      const sight = zoomable(content, box, name, { paper: true });
      content.addEventListener("click", (e) => pick(e.target as Element));
      into.body.append(sight, ...notes.map((n) => h("p", { class: "p-note" }, n)));
      mark();
      void listMade();
    });
  }

  /** What is clicked in a drawing is selected in the view. */
  function pick(target: Element): void {
    const id = target.closest("[data-id]")?.getAttribute("data-id");
    const model = context.shown()?.model;
    if (id && model) context.select([keyOf(model, id)], { reveal: true });
  }

  function mark(): void {
    if (!dock?.isOpen) return;
    const ids = new Set(context.selection().map(idOf));
    for (const element of dock.body.querySelectorAll<SVGElement>("[data-id]")) element.classList.toggle("chosen", ids.has(element.dataset["id"] ?? ""));
  }

  async function file(format: "pdf" | "dxf"): Promise<void> {
    try {
      const link = linked(await context.call<Linked<Drawn>>("create_section", { ...args(), format }), `.${format}`);
      if (link) await save(link);
    } catch (error) {
      context.toast(said(error), { bad: true });
    }
  }

  async function lay(on: boolean): Promise<void> {
    control.abort();
    control = new AbortController();
    const { signal } = control;
    laid = on;
    note.textContent = "";
    if (!on) {
      context.view.drawing(undefined);
      context.view.plan(undefined);
      return;
    }
    const level = levels.find((s) => s.id === kept.storey) ?? levels[0];
    if (!level) return;
    note.textContent = "Laying the plan over the model…";
    try {
      const drawing = await planOver(context, level, Number(kept.scale), signal);
      if (signal.aborted) return;
      context.view.plan({ elevation: level.elevation, cut: level.elevation + (Number(kept.height) || 1200) / 1000 });
      context.view.drawing(drawing);
      note.textContent = "";
    } catch (error) {
      if (!signal.aborted) note.textContent = said(error);
    }
  }

  /** Drawings that were made of the shown version before, by whomever of this account. */
  async function listMade(): Promise<void> {
    const shown = context.shown();
    if (!shown) return;
    const all = await files(context).catch(() => []);
    const drawings = all.filter((f) => f.model_version === shown.version && /\.(svg|pdf|dxf)$/i.test(f.name)).slice(0, 20);
    if (drawings.length === 0) {
      made.replaceChildren();
      return;
    }
    const rows = drawings.map((f) => {
      const link = linkOf(f);
      const press = () => (f.name.endsWith(".svg") ? show(f.name, async (signal) => ({ link, svg: await text(link, signal), notes: [], words: "" })) : void save(link).catch((e: unknown) => context.toast(said(e), { bad: true })));
      return h("li", {}, h("button", { type: "button", class: "link", onclick: press }, f.name), h("span", { class: "num faint" }, f.uploaded_at.slice(11, 16)));
    });
    made.replaceChildren(h("details", { class: "p-fold" }, h("summary", {}, `Made of this version (${count(rows.length, "file")})`), h("ul", { class: "p-list" }, ...rows)));
  }

  let seen: string | undefined;
  function begin(): void {
    // a sheet that was just made is a version, and is being shown
    if (context.shown()?.model !== seen) stop?.();
    seen = context.shown()?.model;
    context.view.drawing(undefined);
    if (laid) {
      laid = false;
      (over.firstChild as HTMLInputElement).checked = false;
      context.view.plan(undefined);
    }
    if (!context.shown()) return;
    const { signal } = (control = new AbortController());
    loadStoreys(context, signal).then(
      (found) => {
        levels = found;
        fill(storey.lastChild as HTMLSelectElement, found.map((s): Choice => [s.id, s.name]), kept.storey || (found.find((s) => s.elevation > -0.5)?.id ?? ""));
        kept.storey = (storey.lastChild as HTMLSelectElement).value;
        if (found.length === 0) note.textContent = "This model has no storeys: plans cannot be drawn.";
      },
      (error: unknown) => {
        if (!signal.aborted) note.replaceChildren(state("bad", said(error)));
      },
    );
    void listMade();
    sheets.replaceChildren(
      sheetSection(context, () => levels, {
        show(name, link) {
          sheet = name.split(" ")[0];
          show(name, async (s) => ({ link, svg: await text(link, s), notes: [], words: "" }));
        },
        gone: (number) => number === sheet && dock?.close(),
        openPdf,
      }),
    );
  }

  /** A PDF in a tab of its own: the page's policy has no frames. */
  async function openPdf(link: Link): Promise<void> {
    const content = await fetched(link);
    const address = URL.createObjectURL(new Blob([content], { type: "application/pdf" }));
    const tab = window.open(address, "_blank");
    if (!tab) await save(link);
    setTimeout(() => URL.revokeObjectURL(address), 300_000);
  }

  adapt();
  off.push(context.on("selection", mark), context.on("shown", begin));
  begin();
  return () => {
    stop?.();
    control.abort();
    off.forEach((f) => f());
    dock?.close();
    if (laid) context.view.plan(undefined);
    context.view.drawing(undefined);
    panel.remove();
  };
}
