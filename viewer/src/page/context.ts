// What a panel gets from the page: the view, the model and version that are shown, the server's tools, and the selection that all
// parts share. A panel knows this and the view's types alone, so that panels can be written, tested and taken away one by one.

import type { ElementKey, View } from "../view/types";

/** A model and the version of it that is shown. */
export interface Shown {
  model: string;
  name: string;
  kind: "ifc" | "energyplus";
  /** The version that tree, tiles and properties speak of: an id, never "head". */
  version: string;
  /** Whether the shown version is the latest, and follows it. */
  latest: boolean;
}

/** What changed on the page. */
export interface PageEvents {
  /** Another model or version is shown. */
  shown(shown: Shown | undefined): void;
  /** All that is selected, the last one last. */
  selection(keys: ElementKey[]): void;
  /** Somebody committed a version of a model in view. */
  commit(event: Commit): void;
}

/** A version that was made while the page looked on. */
export interface Commit {
  model: string;
  version: string;
  tool: string;
  author: string;
  reasoning?: string;
  time_ms: number;
}

/** The answer of a tool over HTTP: its own members lie in `value`. */
export interface Answer<T> {
  value: T;
  note?: string;
  links?: { href: string; name?: string; media_type?: string }[];
}

export interface Context {
  readonly view: View;
  /** What is shown first, or nothing. */
  shown(): Shown | undefined;
  /** All models in view, where it is a federation. */
  federation(): Shown[];
  selection(): ElementKey[];
  select(keys: ElementKey[], options?: { fit?: boolean; reveal?: boolean }): void;
  on<K extends keyof PageEvents>(event: K, listener: PageEvents[K]): () => void;
  /** Calls a tool of the server by its name on the model and version shown, unless the arguments name others. Refusals are thrown in the server's words. */
  call<T>(tool: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<T>;
  /** Whether the person may call a tool; a panel shows nothing that would be refused. */
  may(tool: string): boolean;
  /** Opens a model, or a version of it. */
  open(model: string, version?: string): Promise<void>;
  toast(message: string, options?: { bad?: boolean; undo?: () => Promise<void> }): void;
}

/** A part of the page that is opened from the rail at its side. */
export interface Panel {
  id: string;
  title: string;
  /** A name of `icon()` in dom.ts. */
  icon: string;
  /** Whether it has something to say about what is shown. */
  fits(shown: Shown | undefined): boolean;
  /** Fills the host; what it answers takes everything away again. */
  open(host: HTMLElement, context: Context): () => void;
}
