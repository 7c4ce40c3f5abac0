// A page with nothing but the view, for its checks: ?model=NAME-OR-ID&version=…&memory=MEGABYTES; several models by several of them. Not part of what is built.

import * as api from "../api";
import { createView } from "./index";
import type { Source, View } from "./types";

declare global {
  interface Window {
    view: View;
    sourceOf(model: string, version?: string): Promise<Source>;
    fetched: string[];
    ready: Promise<void>;
  }
}

const host = document.getElementById("view") as HTMLElement;
Object.assign(host.style, { position: "fixed", inset: "0" });
const query = new URLSearchParams(location.search);
const memory = Number(query.get("memory")) * 1e6;
const view = (window.view = createView(host, memory > 0 ? { memory } : {}));
window.fetched = [];

window.sourceOf = async (wanted, version = "head") => {
  const models = await api.all<api.ModelRecord>(api.paths.models, "models");
  const model = models.find((m) => m.model_id === wanted || m.name === wanted);
  if (!model) throw new Error(`no model ${wanted}`);
  const v = version === "head" ? model.head : version;
  return {
    model: model.model_id,
    version: v,
    name: model.name,
    tileset: await api.json(api.paths.tileset(model.model_id, v)),
    tile: (key, signal) => {
      window.fetched.push(key);
      return api.bytes(api.paths.tile(model.model_id, v, key), signal);
    },
  };
};

window.ready = (async () => {
  const version = query.get("version") ?? "head";
  await Promise.all(query.getAll("model").map(async (m) => view.show(await window.sourceOf(m, version))));
})();
