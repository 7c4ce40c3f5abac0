// What is shown and what is selected, and the server's tools: all that the parts of the page share.

import * as api from "../api";
import { message } from "../dom";
import { readTileset, type Tileset } from "../view/tileset";
import { index, readTree, type Node } from "../tree";
import { idOf, keyOf, modelOf, type ElementKey, type Point, type Source, type View } from "../view/types";
import type { Commit, Context, PageEvents, Shown } from "./context";
import { Emitter } from "./emitter";
import * as tools from "./tools";
import { Visibility } from "./visibility";

/** The line that follows the newest version of the model's first branch. */
export const HEAD = "head";

/** A model in view with what the page knows of it. */
export interface Loaded {
  shown: Shown;
  record: api.ModelRecord;
  /** `head` or a branch, which are followed, or a version, which stands. */
  line: string;
  tree: Node[];
  nodes: Map<string, Node>;
  tileset: Tileset | undefined;
  visible: boolean;
  offset?: Point;
  colour?: string;
}

/** What concerns the page's own parts, besides what every panel hears. */
interface OwnEvents extends PageEvents {
  /** The list of models, or which of them are in view. */
  models(): void;
  busy(busy: boolean): void;
  /** A part of what is shown changed: trees and properties read it anew. */
  fresh(model: string): void;
  toast(text: string, options: { bad?: boolean; undo?: () => Promise<void> }): void;
}

const VERSION = /^[0-9a-f]{64}$/;

export class App implements Context {
  readonly visibility: Visibility;
  private readonly events = new Emitter<OwnEvents>();
  private readonly loaded = new Map<string, Loaded>();
  private primary: string | undefined;
  private chosen: ElementKey[] = [];
  private loading: AbortController | undefined;
  models: api.ModelRecord[] = [];
  person: tools.Person | undefined;
  /** Versions that were made from this page, the last one last: what Ctrl+Z takes back. */
  readonly own: { model: string; version: string }[] = [];
  private calling = 0;

  constructor(readonly view: View) {
    this.visibility = new Visibility(view);
  }

  on<K extends keyof OwnEvents>(event: K, listener: OwnEvents[K]): () => void {
    return this.events.on(event, listener);
  }

  shown(): Shown | undefined {
    return this.current()?.shown;
  }

  federation(): Shown[] {
    return this.all().map((one) => one.shown);
  }

  /** What is shown first, with all that is known of it. */
  current(): Loaded | undefined {
    return this.primary === undefined ? undefined : this.loaded.get(this.primary);
  }

  all(): Loaded[] {
    return [...this.loaded.values()];
  }

  of(model: string): Loaded | undefined {
    return this.loaded.get(model);
  }

  node(key: ElementKey): Node | undefined {
    return this.loaded.get(modelOf(key))?.nodes.get(idOf(key));
  }

  selection(): ElementKey[] {
    return this.chosen;
  }

  select(keys: ElementKey[], options: { fit?: boolean; reveal?: boolean } = {}): void {
    this.chosen = [...new Set(keys)];
    const whole = this.expand(this.chosen);
    // what is gone to is to be seen
    if (options.fit) this.visibility.bring(whole);
    this.view.select(whole);
    if (options.fit && whole.length > 0) this.view.fit({ keys: whole });
    this.events.emit("selection", this.chosen);
  }

  /** Elements for what may be a storey, a building or a whole with parts: what has a shape of its own is below. */
  expand(keys: ElementKey[]): ElementKey[] {
    const out = new Set<ElementKey>();
    for (const key of keys) {
      const model = modelOf(key);
      const walk = (node: Node) => {
        out.add(keyOf(model, node.id));
        node.children.forEach(walk);
      };
      const node = this.node(key);
      if (node && node.class !== "IfcSpace") walk(node);
      else out.add(key);
    }
    return [...out];
  }

  may(tool: string): boolean {
    return tools.may(this.person, tool);
  }

  /** Whether the person may call a tool that changes what is shown: an older version stays as it is. */
  mayChange(tool: string, model = this.primary): boolean {
    const at = model === undefined ? undefined : this.loaded.get(model);
    return this.may(tool) && at !== undefined && !VERSION.test(at.line);
  }

  async call<T>(tool: string, args: Record<string, unknown> = {}, signal?: AbortSignal): Promise<T> {
    const named = typeof args["model_id"] === "string" ? this.loaded.get(args["model_id"]) : undefined;
    const at = named ?? this.current();
    const place = at && { model: at.shown.model, version: at.shown.version, line: at.line };
    const writes = tools.writes(tool, args);
    if (writes) this.calling++;
    try {
      const answer = await api.send<T>("POST", api.paths.tool(tool), tools.addressed(tool, args, place), signal);
      const made = answer as { model_id?: unknown; model_version?: unknown } | undefined;
      if (writes && typeof made?.model_version === "string" && typeof made.model_id === "string") {
        this.own.push({ model: made.model_id, version: made.model_version });
      }
      return answer;
    } finally {
      if (writes) this.calling--;
    }
  }

  /** Whether a version came from this page. An event may be here before the call that made it has its answer. */
  isOwn(event: Commit): boolean {
    return this.own.some((one) => one.version === event.version) || (this.calling > 0 && event.author === this.person?.name);
  }

  /** Takes a version back, if nothing came after it; the server refuses otherwise. */
  async undo(model: string, version: string): Promise<void> {
    await this.call("undo", { model_id: model, model_version: version, reasoning: "taken back in the viewer" });
    // what was taken back is not to be taken back once more, and neither is the taking back
    this.own.splice(0, this.own.length, ...this.own.filter((one) => one.version !== version).slice(0, -1));
  }

  toast(text: string, options: { bad?: boolean; undo?: () => Promise<void> } = {}): void {
    this.events.emit("toast", text, options);
  }

  /** Says what went wrong, unless it was given up on purpose. */
  readonly fail = (error: unknown): void => {
    if (error instanceof DOMException && error.name === "AbortError") return;
    this.toast(message(error), { bad: true });
  };

  async listModels(): Promise<void> {
    const before = JSON.stringify(this.models);
    this.models = await api.all<api.ModelRecord>(api.paths.models, "models");
    // lists are not made anew under somebody's hand for nothing
    if (JSON.stringify(this.models) !== before) this.events.emit("models");
  }

  async open(model: string, version: string = HEAD): Promise<void> {
    if (this.primary !== model) {
      this.clear();
      this.primary = model;
    }
    await this.read(model, version, true);
  }

  /** Closes everything. */
  clear(): void {
    this.loading?.abort();
    for (const model of this.loaded.keys()) this.view.remove(model);
    this.loaded.clear();
    this.primary = undefined;
    this.select([]);
    this.visibility.showAll();
    this.events.emit("shown", undefined);
  }

  /** Adds a model to those in view. */
  async add(model: string): Promise<void> {
    if (this.loaded.has(model)) return;
    if (this.primary === undefined) return this.open(model);
    await this.read(model, HEAD, false);
  }

  take(model: string): void {
    if (model === this.primary || !this.loaded.delete(model)) return;
    this.view.remove(model);
    this.select(this.chosen.filter((key) => modelOf(key) !== model));
    this.events.emit("models");
  }

  /** Changes how a model of a federation lies in view. */
  adjust(model: string, change: { visible?: boolean; offset?: Point; colour?: string | undefined }): void {
    const one = this.loaded.get(model);
    if (!one) return;
    if (change.visible !== undefined) one.visible = change.visible;
    if (change.offset !== undefined) one.offset = change.offset;
    if ("colour" in change) {
      if (change.colour === undefined) delete one.colour;
      else one.colour = change.colour;
    }
    this.view.adjust(model, change);
    this.events.emit("models");
  }

  /** A version as the view takes it. */
  async source(model: string, version: string, signal?: AbortSignal): Promise<Source> {
    const tileset = await api.json<unknown>(api.paths.tileset(model, version), signal);
    const one = this.loaded.get(model);
    return {
      model,
      version,
      name: one?.shown.name ?? model,
      tileset,
      tile: (key, stop) => api.bytes(api.paths.tile(model, version, key), stop),
      ...(one?.offset ? { offset: one.offset } : {}),
      ...(one?.colour ? { colour: one.colour } : {}),
    };
  }

  private async read(model: string, line: string, first: boolean): Promise<void> {
    const record = this.models.find((one) => one.model_id === model) ?? this.models.find((one) => one.name === model);
    if (!record) {
      if (first) this.primary = undefined;
      throw new Error("There is no such model here, or none that you may see.");
    }
    if (record.model_id !== model) {
      // an address may name it by its name
      if (first) this.primary = record.model_id;
      model = record.model_id;
    }
    if (first) this.loading?.abort();
    const stop = new AbortController();
    if (first) this.loading = stop;
    this.events.emit("busy", true);
    try {
      await this.fetch(model, record, line, first, stop.signal);
    } finally {
      if (!first || this.loading === stop) this.events.emit("busy", false);
    }
  }

  private async fetch(model: string, record: api.ModelRecord, line: string, first: boolean, signal: AbortSignal): Promise<void> {
    // the head is named once, so that tree, tiles and properties speak of one state
    const version = await this.versionOf(record, line, signal);
    const before = this.loaded.get(model);
    const shown: Shown = { model, name: record.name, kind: record.kind === "energyplus" ? "energyplus" : "ifc", version, latest: !VERSION.test(line) };
    const one: Loaded = { shown, record, line, tree: [], nodes: new Map(), tileset: undefined, visible: before?.visible ?? true };
    if (before?.offset) one.offset = before.offset;
    if (before?.colour) one.colour = before.colour;
    if (shown.kind === "energyplus") {
      this.loaded.set(model, one);
      if (first) this.events.emit("shown", shown);
      this.events.emit("models");
      return;
    }
    const [source, tree] = await Promise.all([this.source(model, version, signal), api.json<unknown>(api.paths.tree(model, version), signal).then(readTree)]);
    if (signal.aborted) return;
    one.tileset = readTileset(source.tileset);
    one.tree = tree;
    one.nodes = index(tree);
    this.loaded.set(model, one);
    if (first) this.events.emit("shown", shown);
    this.events.emit("models");
    this.events.emit("fresh", model);
    await this.view.show(source);
    if (!one.visible) this.view.adjust(model, { visible: false });
  }

  private async versionOf(record: api.ModelRecord, line: string, signal: AbortSignal): Promise<string> {
    if (line === HEAD) return record.head;
    if (VERSION.test(line)) return line;
    const asked = { model_id: record.model_id, model_version: line, limit: 1 };
    const list = await api.send<{ versions?: { version: string }[] }>("POST", api.paths.tool("list_versions"), asked, signal);
    const version = list.versions?.[0]?.version;
    if (!version) throw new Error(`There is no version or branch ${line} of this model.`);
    return version;
  }

  /** Goes on to a newer state of a model that is followed; tells the elements that it changed. */
  async advance(event: Commit & { branch: string }): Promise<void> {
    const record = this.models.find((one) => one.model_id === event.model);
    if (record && event.branch === "main") record.head = event.version;
    const one = this.loaded.get(event.model);
    if (!one) return;
    const follows = one.line === HEAD ? event.branch === "main" : one.line === event.branch;
    const before = one.shown.version;
    if (!follows || before === event.version) {
      this.events.emit("commit", event);
      return;
    }
    await this.read(event.model, one.line === HEAD ? HEAD : event.version, event.model === this.primary);
    const now = this.loaded.get(event.model);
    if (now && one.line !== HEAD) {
      now.line = one.line;
      now.shown.latest = true;
    }
    const still = this.chosen.filter((key) => modelOf(key) !== event.model || this.node(key) !== undefined);
    if (still.length < this.chosen.length) this.select(still);
    else this.view.select(this.expand(this.chosen));
    this.events.emit("commit", event);
    void this.flash(event.model, before, event.version);
  }

  private async flash(model: string, base: string, target: string): Promise<void> {
    const diff = await this.call<{ summary?: api.Changes }>("diff_versions", { model_id: model, base, target, limit: 500 }).catch(() => undefined);
    const keys = (diff?.summary?.elements ?? []).map((e) => keyOf(model, e.id)).filter((key) => this.node(key) !== undefined);
    if (keys.length > 0) this.view.flash(keys);
  }
}
