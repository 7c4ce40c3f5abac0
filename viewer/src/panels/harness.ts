// A page with the view and one panel, for their checks: ?model=NAME-OR-ID&panel=rooms; &plain without shadows. Not part of what is built.

import * as api from "../api";
import { h } from "../dom";
import * as key from "../key";
import { addressed } from "../page/tools";
import type { Context, PageEvents, Shown } from "../page/context";
import { createView } from "../view";
import type { ElementKey } from "../view/types";
import { panels } from "./index";

interface Harness {
  context: Context;
  open(panel: string): void;
  show(model: string): Promise<void>;
  toasts: string[];
  calls: string[];
}
declare global {
  interface Window {
    harness: Harness;
  }
}

const app = document.getElementById("app") as HTMLElement;
const bar = h("header", { class: "bar" });
const host = h("div", {});
const stage = h("main", { class: "view", "aria-label": "3D view" });
app.append(bar, host, stage);
const narrow = matchMedia("(max-width: 860px)");
const place = () => {
  app.style.display = "grid";
  app.style.grid = narrow.matches ? '"bar" 48px "view" minmax(0, 1fr) "side" 46% / minmax(0, 1fr)' : '"bar bar" 48px "side view" minmax(0, 1fr) / 336px minmax(0, 1fr)';
};
narrow.addEventListener("change", place);
place();
Object.assign(bar.style, { gridArea: "bar", overflow: "auto", height: "48px" });
Object.assign(host.style, { gridArea: "side", overflow: "auto", background: "var(--surface)", borderRight: "1px solid var(--line)", minHeight: "0" });
Object.assign(stage.style, { gridArea: "view", position: "relative" });

const view = createView(stage);
const listeners: { [K in keyof PageEvents]: Set<PageEvents[K]> } = { shown: new Set(), selection: new Set(), commit: new Set() };
let shown: Shown | undefined;
let selection: ElementKey[] = [];
const toasts: string[] = [];
const calls: string[] = [];

const context: Context = {
  view,
  shown: () => shown,
  federation: () => (shown ? [shown] : []),
  selection: () => selection,
  select(keys, options) {
    selection = keys;
    view.select(keys);
    if (options?.fit && keys.length > 0) view.fit({ keys });
    listeners.selection.forEach((f) => f(keys));
  },
  on(event, listener) {
    listeners[event].add(listener as never);
    return () => listeners[event].delete(listener as never);
  },
  async call<T>(tool: string, args: Record<string, unknown> = {}, signal?: AbortSignal): Promise<T> {
    calls.push(tool);
    const at = shown && { model: shown.model, version: shown.version, line: "head" };
    const response = await fetch(`/tools/${tool}`, {
      method: "POST", body: JSON.stringify(addressed(tool, args, at)), headers: { "content-type": "application/json", ...key.headers() }, signal: signal ?? null,
    });
    const body = (await response.json()) as T & { message?: string; model_version?: string; model_id?: string };
    if (!response.ok) throw new api.Refusal(body.message ?? response.statusText, response.status);
    // a version that was made here is shown at once, as the page does when it hears of it
    if (shown && body.model_id === shown.model && body.model_version && body.model_version !== shown.version && shown.latest) void show(shown.model);
    return body;
  },
  may: () => true,
  open: (model) => show(model),
  toast(message) {
    toasts.push(message);
  },
};

async function show(wanted: string): Promise<void> {
  const models = await api.all<api.ModelRecord>(api.paths.models, "models");
  // an energy model has the name of the building that it was made of
  const named = models.filter((m) => m.name === wanted);
  const model = models.find((m) => m.model_id === wanted) ?? named.find((m) => m.kind === "ifc") ?? named[0];
  if (!model) throw new Error(`no model ${wanted}`);
  if (shown && shown.model !== model.model_id) view.remove(shown.model);
  const before = shown?.model;
  shown = { model: model.model_id, name: model.name, kind: model.kind === "energyplus" ? "energyplus" : "ifc", version: model.head, latest: true };
  listeners.shown.forEach((f) => f(shown));
  if (shown.kind !== "ifc") return;
  await view.show({
    model: model.model_id, version: model.head, name: model.name, tileset: await api.json(api.paths.tileset(model.model_id, model.head)),
    tile: (tile, signal) => api.bytes(api.paths.tile(model.model_id, model.head, tile), signal),
  });
  if (before !== model.model_id) view.fit({ side: "iso", jump: true });
}

view.on("pick", (hit, add) => context.select(hit ? (add ? [...selection, hit.key] : [hit.key]) : []));

let close: (() => void) | undefined;
function open(id: string): void {
  close?.();
  const panel = panels.find((p) => p.id === id);
  if (!panel) throw new Error(`no panel ${id}`);
  close = panel.open(host, context);
}

bar.append(h("strong", {}, "Panels"), ...panels.map((p) => h("button", { class: "button", type: "button", onclick: () => open(p.id) }, p.title)));
window.harness = { context, open, show, toasts, calls };
const query = new URLSearchParams(location.search);
// for pictures on machines that draw in software
if (query.has("plain")) view.settings({ shadows: false, occlusion: false });
await show(query.get("model") ?? "").catch((error: unknown) => bar.append(String(error)));
open(query.get("panel") ?? "rooms");
