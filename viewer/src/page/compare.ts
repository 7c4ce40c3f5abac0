// Two versions of a model over each other: what was added, removed and changed, by colour in the view and with a slider between the two.

import * as api from "../api";
import { h } from "../dom";
import { index, readTree, type Node } from "../tree";
import { keyOf } from "../view/types";
import type { App } from "./app";
import type { Legend } from "./legend";
import { sorted } from "./say";

export const TONES = { added: "#2f9e5f", removed: "#d1453b", changed: "#e0a020" };

export interface Difference {
  base: string;
  target: string;
  added: string[];
  removed: string[];
  changed: string[];
  names: Map<string, { name: string; class: string }>;
  properties: Map<string, { property: string; before?: unknown; after?: unknown }[]>;
  changes: api.Changes;
}

const trees = new Map<string, Promise<Map<string, Node>>>();

/** The elements of a version. */
export function nodesAt(model: string, version: string): Promise<Map<string, Node>> {
  const key = `${model}/${version}`;
  const known = trees.get(key);
  if (known) return known;
  const asked = api.json<unknown>(api.paths.tree(model, version)).then((tree) => index(readTree(tree)));
  trees.set(key, asked);
  asked.catch(() => trees.delete(key));
  if (trees.size > 8) trees.delete(trees.keys().next().value ?? "");
  return asked;
}

/** What differs between two versions, all pages of it up to a bound. */
export async function difference(app: App, model: string, base: string, target: string): Promise<Difference> {
  const changes: api.Changes = {};
  const names = new Map<string, { name: string; class: string }>();
  const properties = new Map<string, { property: string; before?: unknown; after?: unknown }[]>();
  let cursor: string | undefined;
  for (let page = 0; page < 20; page++) {
    const answer = await app.call<{ summary?: api.Changes; next_cursor?: string }>("diff_versions", { model_id: model, model_version: target, base, target, limit: 500, ...(cursor ? { cursor } : {}) });
    if (page === 0) Object.assign(changes, answer.summary);
    for (const e of answer.summary?.elements ?? []) names.set(e.id, { name: e.name ?? "", class: e.class ?? "" });
    for (const p of answer.summary?.properties ?? []) {
      const list = properties.get(p.id) ?? [];
      if (!list.some((one) => one.property === p.property)) list.push(p);
      properties.set(p.id, list);
    }
    cursor = answer.next_cursor;
    if (!cursor) break;
  }
  const [before, after] = await Promise.all([nodesAt(model, base), nodesAt(model, target)]);
  const ids = [...names.keys(), ...properties.keys()];
  const parts = sorted(ids, (id) => before.has(id), (id) => after.has(id));
  // what both lists of elements tell is more than the bound of the answer
  for (const id of after.keys()) if (!before.has(id) && !parts.added.includes(id)) parts.added.push(id);
  for (const id of before.keys()) if (!after.has(id) && !parts.removed.includes(id)) parts.removed.push(id);
  for (const id of [...parts.added, ...parts.removed, ...parts.changed]) {
    const node = after.get(id) ?? before.get(id);
    if (node && !names.has(id)) names.set(id, { name: node.name, class: node.class });
  }
  return { base, target, ...parts, names, properties, changes };
}

/** Shows a difference in the view, with its legend and a slider between before and after. Answers what takes it away. */
export async function showDifference(app: App, legend: Legend, model: string, diff: Difference, labels: { title: string; before: string; after: string }, closed: () => void): Promise<() => void> {
  const before = await app.source(model, diff.base);
  const show = (balance: number) => app.view.compare({ model, before, added: diff.added, removed: diff.removed, changed: diff.changed, balance });
  show(0.5);
  const slider = h("input", { type: "range", min: "0", max: "100", value: "50", "aria-label": `From ${labels.before} to ${labels.after}` });
  slider.addEventListener("input", () => show(Number(slider.value) / 100));
  const touched = [...diff.added, ...diff.removed, ...diff.changed].map((id) => keyOf(model, id));
  const pick = (ids: string[]) => () => app.select(ids.map((id) => keyOf(model, id)), { fit: true });
  const row = (colour: string, says: string, ids: string[]) => ({ colour, says, count: ids.length.toLocaleString(), act: pick(ids) });
  const close = legend.show({
    title: labels.title,
    above: h("label", { class: "balance" }, h("span", {}, labels.before), slider, h("span", {}, labels.after)),
    rows: [
      ...(diff.added.length > 0 ? [row(TONES.added, "Added", diff.added)] : []),
      ...(diff.removed.length > 0 ? [row(TONES.removed, "Removed", diff.removed)] : []),
      ...(diff.changed.length > 0 ? [row(TONES.changed, "Changed", diff.changed)] : []),
      ...(touched.length === 0 ? [{ says: "No element differs" }] : []),
    ],
    close: () => {
      app.view.compare(undefined);
      closed();
    },
  });
  return close;
}
