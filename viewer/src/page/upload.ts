// Files that are dropped or chosen: each goes to what takes it, with progress, and what was found wrong is told.

import * as api from "../api";
import { button, h, icon, iconButton, many, message } from "../dom";
import type { App } from "./app";

export type Kind = "model" | "ids" | "bcf" | "drawing";

/** What a file is, by its name. */
export function kindOf(name: string): Kind | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return undefined;
  if (["ifc", "ifczip", "ifcxml", "idf", "epjson"].includes(extension)) return "model";
  if (extension === "ids") return "ids";
  if (["bcf", "bcfzip"].includes(extension)) return "bcf";
  if (["dxf", "svg"].includes(extension)) return "drawing";
  return undefined;
}

export const ACCEPT = ".ifc,.ifczip,.idf,.epJSON,.ids,.bcf,.bcfzip,.dxf,.svg";

interface Loaded {
  model_id?: string;
  summary?: { elements?: number; problem_count?: number; problems?: string[]; schema?: string };
}

export class Uploads {
  readonly element = h("div", { class: "uploads", role: "status", "aria-live": "polite" });

  constructor(
    private readonly app: App,
    private readonly then: { ids(name: string, key: string): void; topics(): void },
  ) {}

  async take(files: Iterable<File>): Promise<void> {
    for (const file of files) await this.one(file);
  }

  private async one(file: File): Promise<void> {
    const bar = h("progress", { max: "1", value: "0", "aria-label": `Sending ${file.name}` });
    const say = h("p", {}, "Sending …");
    const item = h("div", { class: "upload" }, h("b", {}, file.name), iconButton("close", "Close", () => item.remove()), bar, say);
    this.element.append(item);
    const kind = kindOf(file.name);
    const progress = (part: number) => {
      bar.value = part;
      if (part >= 1) say.textContent = "Reading …";
    };
    const done = (text: string, ...more: Node[]) => {
      bar.remove();
      say.replaceChildren(text);
      item.append(...more);
      if (more.length === 0) setTimeout(() => item.remove(), 6000);
    };
    try {
      if (kind === undefined) throw new Error("This kind of file is not taken: IFC, ifcZIP, IDF, epJSON, IDS, BCF, DXF and SVG are.");
      if (kind === "model") await this.model(file, progress, done);
      else {
        const kept = await api.upload<{ bucket_key: string }>(api.paths.uploadFile(file.name), file, progress);
        if (!this.app.shown()) throw new Error("Open a model first: this file is about one.");
        if (kind === "ids") {
          this.then.ids(file.name, kept.bucket_key);
          done("Checked under Findings.");
        } else if (kind === "bcf") await this.topics(kept.bucket_key, done);
        else await this.drawing(kept.bucket_key, done);
      }
    } catch (error) {
      bar.remove();
      item.classList.add("bad");
      say.textContent = message(error);
    }
  }

  private async model(file: File, progress: (part: number) => void, done: (text: string, ...more: Node[]) => void): Promise<void> {
    const made = await api.upload<Loaded>(api.paths.upload(file.name), file, progress);
    const { problem_count: problems = 0, elements = 0, schema = "" } = made.summary ?? {};
    await this.app.listModels();
    const found = [...(schema ? [schema] : []), ...(elements > 0 ? [many(elements, "element")] : [])].join(", ");
    const wrong = problems > 0 ? h("details", {}, h("summary", {}, icon("finding"), many(problems, "problem")), h("ul", { class: "notes" }, ...(made.summary?.problems ?? []).map((p) => h("li", {}, p)))) : undefined;
    done(found || "It is in.", ...(wrong ? [wrong] : []));
    if (made.model_id) await this.app.open(made.model_id);
  }

  private async topics(key: string, done: (text: string, ...more: Node[]) => void): Promise<void> {
    const kept = await this.app.call<{ added?: number; changed?: number; unchanged?: number; notes?: string[] }>("keep_topics", { file: key, reasoning: "from a BCF file" });
    const notes = kept.notes ?? [];
    done(`${many(kept.added ?? 0, "topic")} added, ${kept.changed ?? 0} changed, ${kept.unchanged ?? 0} as they were.`, ...(notes.length > 0 ? [h("ul", { class: "notes" }, ...notes.map((n) => h("li", {}, n)))] : []));
    this.then.topics();
  }

  /** A drawn plan becomes walls, doors and rooms of a storey, which has to be said. */
  private async drawing(key: string, done: (text: string, ...more: Node[]) => void): Promise<void> {
    const storeys = this.app.current()?.tileset?.storeys.filter((s) => s.class === "IfcBuildingStorey") ?? [];
    if (storeys.length === 0) throw new Error("This model has no storey that the plan could be made on.");
    const select = h("select", { "aria-label": "Storey" }, ...storeys.map((s) => h("option", { value: s.global_id }, s.name)));
    const scale = h("input", { type: "number", min: "0", step: "any", placeholder: "mm per unit", "aria-label": "Millimetres per unit, where the drawing does not say" });
    const result = h("p", {});
    const run = async () => {
      result.className = "";
      result.textContent = "Making …";
      try {
        const made = await this.app.call<{ walls?: unknown[]; doors?: unknown[]; windows?: unknown[]; spaces?: unknown[]; not_understood?: { count: number }[] }>("import_plan", {
          file: key,
          level_id: select.value,
          reasoning: "from a drawing",
          ...(Number(scale.value) > 0 ? { scale: Number(scale.value) } : {}),
        });
        const not = (made.not_understood ?? []).reduce((sum, one) => sum + one.count, 0);
        const counts = ([["walls", "wall"], ["doors", "door"], ["windows", "window"], ["spaces", "room"]] as const).map(([k, word]) => many(made[k]?.length ?? 0, word));
        result.textContent = `Made ${counts.join(", ")}.${not > 0 ? ` ${many(not, "thing")} in it not understood.` : ""}`;
      } catch (error) {
        result.className = "bad";
        result.textContent = message(error);
      }
    };
    done("On which storey?", h("div", { class: "tools-row" }, select, scale, button("Make walls and rooms", () => void run(), { kind: "primary" })), result);
  }
}
