// What a version changed, in words.

import type { Changes } from "../api";
import { label } from "../tree";

const list = (counts: Record<string, number> | undefined): string[] => Object.entries(counts ?? {}).map(([name, count]) => `${count} ${label(name).toLowerCase()}${count === 1 ? "" : "s"}`);

/** `Added 1 window, 1 opening element; changed 1 wall. Upper Floor` */
export function sayChanges(changes: Changes | undefined, most = 4): string {
  if (!changes) return "";
  const part = (verb: string, counts: Record<string, number> | undefined) => {
    const all = list(counts);
    if (all.length === 0) return [];
    const more = all.length > most ? `, ${all.length - most} more` : "";
    return [`${verb} ${all.slice(0, most).join(", ")}${more}`];
  };
  const parts = [...part("added", changes.added), ...part("removed", changes.removed), ...part("changed", changes.modified)];
  const text = parts.join("; ");
  if (!text) return changes.instances ? `${changes.instances} instances` : "";
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Elements by what happened to them, given which are there before and after. */
export function sorted(ids: Iterable<string>, before: (id: string) => boolean, after: (id: string) => boolean): { added: string[]; removed: string[]; changed: string[] } {
  const out = { added: [] as string[], removed: [] as string[], changed: [] as string[] };
  for (const id of new Set(ids)) {
    const [was, is] = [before(id), after(id)];
    if (was && is) out.changed.push(id);
    else if (is) out.added.push(id);
    else if (was) out.removed.push(id);
  }
  return out;
}
