// Versions: who made what, when and why; comparing, restoring, branching; undo and redo.

import * as api from "../../api";
import { button, choice, h, icon, iconButton, message, when, words } from "../../dom";
import { value } from "../../properties";
import { label } from "../../tree";
import { idOf, keyOf } from "../../view/types";
import { HEAD, type App } from "../app";
import { difference, showDifference, type Difference } from "../compare";
import type { Panel } from "../context";
import type { Legend } from "../legend";
import { ask, confirm, menu } from "../menu";
import { sayChanges } from "../say";
import { mergeForm } from "./merge";

interface Branch {
  name: string;
  version: string;
}

export function versionsPanel(app: App, legend: Legend): Pick<Panel, "open"> {
  return {
    open: (host) => new VersionsView(app, legend, host).start(),
  };
}

class VersionsView {
  private versions: api.VersionRecord[] = [];
  private branches: Branch[] = [];
  private cursor: string | undefined;
  private base: string | undefined;
  private close: (() => void) | undefined;
  private asked = 0;
  private readonly top = h("div", { class: "tools-row" });
  private readonly compared = h("div", { class: "compared", hidden: true });
  private readonly list = h("ol", { class: "timeline" });
  private readonly say = h("p", { class: "more", role: "status" });
  private readonly more = button("Older versions", () => void this.read(true).catch(this.app.fail));

  constructor(
    private readonly app: App,
    private readonly legend: Legend,
    private readonly host: HTMLElement,
  ) {}

  start(): () => void {
    this.host.append(this.top, this.compared, h("div", { class: "scroll" }, this.list, this.say, this.more));
    void this.fresh();
    const ends = [this.app.on("commit", () => void this.fresh()), this.app.on("shown", () => void this.fresh())];
    return () => {
      this.close?.();
      ends.forEach((end) => end());
    };
  }

  private async fresh(): Promise<void> {
    try {
      await this.read(false);
    } catch (error) {
      this.say.textContent = message(error);
    }
  }

  private async read(older: boolean): Promise<void> {
    const one = this.app.current();
    const asked = ++this.asked;
    if (!one) return;
    const { model } = one.shown;
    const isMain = one.line === HEAD || one.line.length === 64;
    const cursor = older ? this.cursor : undefined;
    const [page, listed] = await Promise.all([
      isMain
        ? api.json<unknown>(api.paths.versions(model, cursor))
        : this.app.call<unknown>("list_versions", { model_id: model, model_version: one.line, limit: 50, ...(cursor ? { cursor } : {}) }),
      this.app.call<{ branches?: Branch[] }>("list_versions", { model_id: model, model_version: one.record.head, limit: 1 }).catch(() => undefined),
    ]);
    if (asked !== this.asked) return;
    const next = api.rows<api.VersionRecord>(page, "versions");
    this.versions = older ? [...this.versions, ...next.rows] : next.rows;
    this.cursor = next.cursor;
    this.branches = listed?.branches ?? [];
    this.say.textContent = "";
    this.draw();
  }

  private draw(): void {
    const one = this.app.current();
    if (!one) return;
    const lines: [string, string][] = [[HEAD, "main"], ...this.branches.filter((b) => b.name !== "main").map((b): [string, string] => [b.name, b.name])];
    const standing = one.line.length === 64;
    if (standing) lines.unshift([one.line, `Version ${one.line.slice(0, 8)}`]);
    const may = (tool: string) => this.app.mayChange(tool);
    this.top.replaceChildren(
      h("label", { class: "field" }, icon("branch"), choice("Branch", lines, one.line, (line) => void this.app.open(one.shown.model, line).catch(this.app.fail))),
      h("span", { class: "gap" }),
      ...(may("undo") ? [iconButton("undo", "Undo the last change", () => void this.change("undo"))] : []),
      ...(may("redo") ? [iconButton("redo", "Redo", () => void this.change("redo"))] : []),
      ...(this.app.may("merge_branch") && this.branches.length > 1 ? [iconButton("merge", "Merge a branch", () => this.merge())] : []),
    );
    this.list.replaceChildren(...this.versions.map((v, i) => this.row(v, i)));
    this.more.hidden = this.cursor === undefined;
  }

  private row(v: api.VersionRecord, at: number): HTMLElement {
    const one = this.app.current();
    const shown = one?.shown.version === v.version;
    const says = sayChanges(v.changes);
    const places = v.changes?.storeys?.join(", ");
    const open = () => one && void this.app.open(one.shown.model, at === 0 && one.line.length !== 64 ? one.line : v.version === one.record.head ? HEAD : v.version).catch(this.app.fail);
    const acts = h("button", { type: "button", class: "quiet", "aria-label": `More of ${words(v.event_type ?? "version")}`, title: "More", onclick: () => this.acts(acts, v, at) }, icon("more"));
    return h(
      "li",
      { class: `version${shown ? " shown" : ""}${this.base === v.version ? " base" : ""}`, "data-version": v.version },
      h(
        "header",
        {},
        h("button", { type: "button", class: "version-name", title: shown ? "This version is shown" : "Show this version", "aria-current": shown ? "true" : undefined, onclick: open }, words(v.event_type ?? v.tool ?? "Version")),
        h("time", {}, when(v.time_ms)),
        acts,
      ),
      v.reasoning !== undefined && h("p", { class: "why" }, v.reasoning),
      says !== "" && h("p", { class: "what" }, says, places ? ` · ${places}` : ""),
      h("p", { class: "who" }, v.author ?? "", v.tool ? ` · ${words(v.tool)}` : "", ` · ${v.version.slice(0, 8)}`),
    );
  }

  private acts(anchor: HTMLElement, v: api.VersionRecord, at: number): void {
    const one = this.app.current();
    if (!one) return;
    const previous = v.parent ?? this.versions[at + 1]?.version;
    const isShown = one.shown.version === v.version;
    menu(anchor, "Version", [
      ...(previous ? [{ label: "What it changed", icon: "compare", act: () => void this.compare(previous, v.version) }] : []),
      ...(!isShown ? [{ label: "Compare with what is shown", icon: "compare", act: () => void this.compare(...this.order(v)) }] : []),
      ...(this.base && this.base !== v.version ? [{ label: "Compare with the one marked", icon: "compare", act: () => void this.compare(this.base!, v.version) }] : []),
      { label: "Mark, to compare", icon: "mark", act: () => this.mark(v.version) },
      undefined,
      ...(this.app.may("restore_version") && at > 0 ? [{ label: "Restore", icon: "restore", act: () => void this.restore(v) }] : []),
      ...(this.app.may("create_branch") ? [{ label: "Branch from here", icon: "branch", act: () => void this.branch(v.version) }] : []),
      { label: "Download as IFC", icon: "download", act: () => void api.save(api.paths.download(one.shown.model, v.version)).catch(this.app.fail) },
    ]);
  }

  /** The older of a version and the one shown first. */
  private order(v: api.VersionRecord): [string, string] {
    const shown = this.app.shown()?.version ?? "";
    const of = (version: string) => this.versions.findIndex((one) => one.version === version);
    const [a, b] = [of(v.version), of(shown)];
    return b < 0 || a > b ? [v.version, shown] : [shown, v.version];
  }

  private mark(version: string): void {
    this.base = version;
    this.draw();
    this.app.toast("Marked. Choose another version to compare it with.");
  }

  private async compare(base: string, target: string): Promise<void> {
    const one = this.app.current();
    if (!one) return;
    this.close?.();
    this.compared.hidden = false;
    this.compared.replaceChildren(h("p", { class: "more", role: "status" }, "Comparing …"));
    try {
      // the newer one is what is shown, the older one is laid over it
      if (one.shown.version !== target) await this.app.open(one.shown.model, target === one.record.head ? HEAD : target);
      const diff = await difference(this.app, one.shown.model, base, target);
      const name = (version: string) => {
        const v = this.versions.find((row) => row.version === version);
        return v ? when(v.time_ms) : version.slice(0, 8);
      };
      this.close = await showDifference(this.app, this.legend, one.shown.model, diff, { title: "Difference", before: name(base), after: name(target) }, () => {
        this.compared.hidden = true;
        this.close = undefined;
      });
      this.tell(one.shown.model, diff);
    } catch (error) {
      this.compared.replaceChildren(h("p", { class: "more bad" }, message(error)));
    }
  }

  private tell(model: string, diff: Difference): void {
    const part = (verb: string, tone: string, ids: string[]) =>
      ids.length > 0 &&
      h(
        "details",
        { open: ids.length <= 40 },
        h("summary", {}, icon("chevron"), h("i", { class: `dot ${tone}` }), `${verb} ${ids.length}`),
        h(
          "ul",
          {},
          ...ids.slice(0, 500).map((id) => {
            const of = diff.names.get(id);
            const go = () => this.app.select([keyOf(model, id)], { fit: true, reveal: true });
            return h(
              "li",
              {},
              h("button", { type: "button", class: "link", "data-id": idOf(keyOf(model, id)), onclick: go }, of?.name || label(of?.class ?? "") || id),
              h("span", { class: "what" }, label(of?.class ?? "")),
              ...(diff.properties.get(id) ?? []).slice(0, 12).map((p) => h("p", { class: "diff" }, `${p.property.split(".").pop()}: `, h("del", {}, value(p.before)), " → ", h("ins", {}, value(p.after)))),
            );
          }),
        ),
      );
    const parts = [part("Added", "added", diff.added), part("Removed", "removed", diff.removed), part("Changed", "changed", diff.changed)].filter((p) => p !== false);
    const says = sayChanges(diff.changes, 8);
    this.compared.replaceChildren(
      h("header", {}, h("h3", {}, "Difference"), h("span", { class: "gap" }), iconButton("close", "End the comparison", () => this.close?.())),
      h("p", { class: "what" }, says || "No difference."),
      ...parts,
    );
  }

  private async restore(v: api.VersionRecord): Promise<void> {
    const yes = await confirm("Restore this version?", `The model becomes as it was at ${when(v.time_ms)}, as a new version on top: nothing is lost.`, "Restore");
    if (!yes) return;
    const one = this.app.current();
    if (!one) return;
    const branch = one.line === HEAD || one.line.length === 64 ? undefined : one.line;
    if (branch) return this.app.toast("Restoring goes to the main branch: switch to it first.", { bad: true });
    await this.app.call("restore_version", { model_id: one.shown.model, model_version: v.version, reasoning: "restored in the viewer" }).catch(this.app.fail);
    if (one.line !== HEAD) await this.app.open(one.shown.model).catch(this.app.fail);
  }

  private async branch(from: string): Promise<void> {
    const name = await ask("Branch from this version", { label: "Name of the branch", value: "variant", action: "Create", why: "Changes on a branch stay there until it is merged." });
    if (!name) return;
    const one = this.app.current();
    if (!one) return;
    try {
      await this.app.call("create_branch", { model_id: one.shown.model, model_version: from, from, name: name.trim(), switch: false, reasoning: "branched in the viewer" });
      await this.app.open(one.shown.model, name.trim());
    } catch (error) {
      this.app.fail(error);
    }
  }

  private async change(tool: "undo" | "redo"): Promise<void> {
    await this.app.call(tool, { reasoning: `${tool === "undo" ? "taken back" : "made again"} in the viewer` }).catch(this.app.fail);
  }

  private merge(): void {
    const one = this.app.current();
    if (!one) return;
    this.close?.();
    this.compared.hidden = false;
    const form = mergeForm(this.app, this.legend, one.shown.model, this.branches, () => {
      this.compared.hidden = true;
      this.close = undefined;
      void this.fresh();
    });
    this.close = form.close;
    this.compared.replaceChildren(form.element);
  }
}
