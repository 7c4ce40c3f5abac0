// Lines over the view: how much is shown, what could not be drawn as it is, whether the connection stands; and what stands there where nothing is shown.

import { button, h, icon } from "../dom";
import * as key from "../key";
import { label, title } from "../tree";
import { keyOf } from "../view/types";
import type { Note } from "../view/tileset";
import type { App } from "./app";

export class Status {
  readonly element = h("div", { class: "status" });
  readonly progress = h("div", { class: "progress", hidden: true, role: "progressbar", "aria-label": "Loading" });
  readonly empty = h("div", { class: "empty", hidden: true });
  private readonly lost = h("div", { class: "lost", hidden: true, role: "status" }, h("span", { class: "spinner" }), "Connection lost, trying again");
  private readonly hover = h("div", { class: "hover", hidden: true });
  private failed = new Map<string, string>();
  private busy = 0;

  constructor(
    private readonly app: App,
    private readonly choose: () => void,
  ) {
    app.on("busy", (busy) => {
      this.busy = Math.max(0, this.busy + (busy ? 1 : -1));
      this.progress.hidden = this.busy === 0;
    });
    app.on("shown", (shown) => {
      this.failed.clear();
      this.draw();
      if (shown?.kind === "energyplus") this.say("An energy model", "It has zones, loads and results, and no building to walk around in: see its panels at the left.");
    });
    app.on("fresh", () => this.draw());
    app.on("models", () => this.draw());
    app.visibility.onChange(() => this.draw());
    const { view } = app;
    view.on("failed", (model, tile, message) => {
      this.failed.set(`${model}/${tile}`, message);
      this.draw();
    });
    view.on("hover", (hit) => {
      const node = hit && app.node(hit.key);
      this.hover.hidden = !node;
      if (node) this.hover.textContent = `${label(node.class)} · ${title(node)}`;
    });
  }

  elements(): HTMLElement[] {
    return [this.progress, this.empty, this.element, this.hover, this.lost];
  }

  connection(stands: boolean): void {
    this.lost.hidden = stands;
  }

  /** Words in the place of a model. */
  say(head: string, text: string, ...more: HTMLElement[]): void {
    this.empty.replaceChildren(h("h1", {}, head), h("p", {}, text), ...more);
    this.empty.hidden = false;
  }

  /** Nothing is here yet. */
  blank(): void {
    const upload = this.app.may("load_model") ? [button("Upload a model", this.choose, { icon: "upload", kind: "primary" })] : [];
    this.say("No model yet", "Drop an IFC, ifcZIP, IDF or epJSON file here, or ask your agent to create a project.", ...upload);
  }

  refused(text: string): void {
    this.say("This cannot be shown", text);
  }

  /** Asks for the key where the server does not know who calls. */
  signIn(why: string): void {
    const field = h("input", { type: "password", "aria-label": "Key", autocomplete: "off", placeholder: "psk_…" });
    const enter = (e: Event) => {
      e.preventDefault();
      if (!field.value.trim()) return;
      key.keep(field.value);
      location.reload();
    };
    key.forget();
    this.say("Sign in", why, h("form", { class: "key", onsubmit: enter }, field, h("button", { class: "button primary", type: "submit" }, icon("key"), "Sign in")));
    field.focus();
  }

  private draw(): void {
    const all = this.app.all().filter((one) => one.tileset !== undefined);
    const drawn = all.reduce((sum, one) => sum + (one.tileset?.drawn ?? 0), 0);
    const notes = (pick: "boxes" | "simplified" | "unmeshed", says: string) => {
      const list = all.flatMap((one) => (one.tileset?.[pick] ?? []).map((note) => ({ model: one.shown.model, note })));
      return list.length > 0 && this.list(`${list.length} ${says}`, list);
    };
    const parts = [
      drawn > 0 && h("span", {}, `${drawn.toLocaleString()} elements`),
      notes("boxes", "shown as boxes"),
      notes("simplified", "simplified"),
      notes("unmeshed", "without a shape"),
      this.app.visibility.changed && h("span", {}, "Not all is shown. ", h("button", { type: "button", class: "link", onclick: () => this.app.visibility.showAll() }, "Show all")),
      this.failed.size > 0 && h("span", { class: "bad", title: [...new Set(this.failed.values())].join("\n") }, `${this.failed.size} parts could not be read`),
    ];
    this.element.replaceChildren(...parts.filter((p) => p !== false));
    const one = this.app.current();
    if (one?.tileset && one.tileset.tiles.length === 0) this.say("Nothing to see yet", "This version has no element with a shape.");
    else if (one && one.shown.kind === "ifc") this.empty.hidden = true;
  }

  private list(says: string, list: { model: string; note: Note }[]): HTMLElement {
    const rows = list.slice(0, 200).map(({ model, note }) => {
      const at = keyOf(model, note.global_id);
      const name = this.app.node(at)?.name || label(note.class);
      return h("li", {}, h("button", { type: "button", class: "link", onclick: () => this.app.select([at], { reveal: true, fit: true }) }, name), ` ${note.item} ${note.reason}`);
    });
    return h("details", {}, h("summary", {}, says), h("ul", {}, ...rows));
  }
}
