// Topics: issues that are kept with the model, each with a viewpoint that is shown again as it was: camera, selection, section.

import * as api from "../../api";
import { button, choice, h, iconButton, many, message, when, words } from "../../dom";
import { idOf, keyOf, modelOf } from "../../view/types";
import type { App } from "../app";
import { bcfOf, readViewpoint, type Viewpoint } from "../bcf";
import type { Panel } from "../context";
import type { Finding } from "../findings";
import type { Sight } from "../state";
import { unzip } from "../zip";

interface Topic {
  guid: string;
  title: string;
  description?: string;
  type?: string;
  status?: string;
  priority?: string;
  author?: string;
  date?: string;
  assigned_to?: string;
  due?: string;
  labels?: string[];
  elements?: { id: string; name?: string; class?: string }[];
  comments?: number | { author?: string; date?: string; text: string }[];
  history?: { time: string; by: string; what: string }[];
}

const STATUS: [string, string][] = ["Open", "In progress", "Resolved", "Closed"].map((s) => [s, s]);
const time = (iso: string | undefined) => (iso ? when(Date.parse(/Z|[+-]\d\d:\d\d$/.test(iso) ? iso : `${iso}Z`)) : "");

/** Topics with all that the page does to them. */
export class Topics {
  private viewpoints: { at: string; all: Promise<Map<string, Viewpoint>> } | undefined;

  constructor(
    readonly app: App,
    private readonly sight: Sight,
  ) {}

  /** Keeps a new topic with what is seen now. */
  async create(topic: { title: string; description?: string; type?: string; assigned_to?: string; comment?: string; selection?: string[] }): Promise<void> {
    const shown = this.app.shown();
    if (!shown) return;
    const { view } = this.app;
    const selection = topic.selection ?? this.app.selection().filter((key) => modelOf(key) === shown.model).map(idOf);
    const file = bcfOf(
      {
        guid: crypto.randomUUID(),
        title: topic.title,
        type: topic.type ?? "Issue",
        status: "Open",
        author: this.app.person?.name ?? "",
        date: `${new Date().toISOString().slice(0, 19)}Z`,
        ...(topic.description ? { description: topic.description } : {}),
        ...(topic.assigned_to ? { assigned_to: topic.assigned_to } : {}),
        ...(topic.comment ? { comment: topic.comment } : {}),
        viewpoint: { camera: view.camera(), selection, planes: this.sight.planes, picture: view.picture(960, 600) },
      },
      { viewpoint: crypto.randomUUID(), comment: crypto.randomUUID() },
    );
    const kept = await api.upload<{ bucket_key: string }>(api.paths.uploadFile("topic.bcf"), new Blob([file]));
    await this.app.call("keep_topics", { file: kept.bucket_key, reasoning: topic.title });
  }

  async ofFinding(finding: Finding): Promise<void> {
    const model = this.app.shown()?.model ?? "";
    await this.create({
      title: finding.title === finding.text ? finding.text : `${finding.title}: ${finding.text}`.slice(0, 200),
      description: [finding.text, finding.measured && finding.required ? `Measured ${finding.measured}, required ${finding.required}.` : "", finding.suggestion ?? ""].filter(Boolean).join("\n"),
      type: finding.check.startsWith("clashes") ? "Clash" : "Issue",
      selection: finding.elements.filter((key) => modelOf(key) === model).map(idOf),
    });
    this.app.toast("Kept as a topic.");
  }

  /** The viewpoints of all topics at the version shown, by topic. */
  private all(): Promise<Map<string, Viewpoint>> {
    const shown = this.app.shown();
    const at = `${shown?.model}@${shown?.version}`;
    if (this.viewpoints?.at === at) return this.viewpoints.all;
    const all = this.read();
    this.viewpoints = { at, all };
    all.catch(() => (this.viewpoints = undefined));
    return all;
  }

  private async read(): Promise<Map<string, Viewpoint>> {
    const made = await this.app.call<{ links?: { href: string }[] }>("export_bcf", { kept: true, pictures: false });
    const href = made.links?.[0]?.href;
    const out = new Map<string, Viewpoint>();
    if (!href) return out;
    const archive = new Uint8Array(await api.bytes(api.own(href)));
    for (const [name, data] of await unzip(archive, (n) => n.endsWith(".bcfv"))) {
      const guid = name.split("/")[0]?.toLowerCase() ?? "";
      // the first viewpoint is the topic's own
      if (!out.has(guid)) out.set(guid, readViewpoint(new TextDecoder().decode(data)));
    }
    return out;
  }

  /** Shows a topic as whoever made it saw it. */
  async show(topic: Topic): Promise<void> {
    const model = this.app.shown()?.model ?? "";
    const viewpoint = (await this.all().catch(() => undefined))?.get(topic.guid.toLowerCase());
    const ids = viewpoint && viewpoint.selection.length > 0 ? viewpoint.selection : (topic.elements ?? []).map((e) => e.id);
    const keys = ids.map((id) => keyOf(model, id)).filter((key) => this.app.node(key) !== undefined);
    this.app.view.sections(viewpoint?.planes ?? []);
    this.app.select(keys, { reveal: true, fit: viewpoint?.camera === undefined });
    if (viewpoint?.camera) this.app.view.look(viewpoint.camera);
  }
}

export function topicsPanel(app: App, topics: Topics): Pick<Panel, "open"> {
  return {
    open: (host) => new TopicsView(app, topics, host).start(),
  };
}

class TopicsView {
  private status = "";
  private open: string | undefined;
  private asked = 0;
  private readonly top = h("div", { class: "tools-row" });
  private readonly form = h("div", { class: "new-topic", hidden: true });
  private readonly list = h("div", { class: "scroll" });

  constructor(
    private readonly app: App,
    private readonly topics: Topics,
    private readonly host: HTMLElement,
  ) {}

  start(): () => void {
    this.host.append(this.top, this.form, this.list);
    void this.read();
    const ends = [this.app.on("commit", () => void this.read()), this.app.on("shown", () => void this.read())];
    return () => ends.forEach((end) => end());
  }

  private async read(): Promise<void> {
    const asked = ++this.asked;
    if (!this.app.shown()) return;
    try {
      const page = await this.app.call<{ total: number; by_status?: Record<string, number>; topics?: Topic[] }>("list_topics", { limit: 200, ...(this.status ? { status: this.status } : {}) });
      if (asked !== this.asked) return;
      const statuses = Object.entries(page.by_status ?? {}).map(([s, n]): [string, string] => [s, `${s} (${n})`]);
      const may = this.app.mayChange("keep_topics");
      this.top.replaceChildren(
        choice("Status", [["", "All"], ...statuses], this.status, (v) => {
          this.status = v;
          void this.read();
        }),
        h("span", { class: "gap" }),
        ...(this.app.may("export_bcf") ? [iconButton("download", "Download all as BCF", () => void this.download())] : []),
        ...(may ? [button("New topic", () => this.make(), { icon: "add", kind: "primary" })] : []),
      );
      const rows = page.topics ?? [];
      this.list.replaceChildren(
        ...(rows.length === 0 ? [h("p", { class: "empty-note" }, this.status ? "No topic of this status." : "No topic is kept with this model. Drop a BCF file here, or make a topic of what you see.")] : []),
        h("ul", { class: "topics" }, ...rows.map((t) => this.row(t))),
      );
    } catch (error) {
      this.list.replaceChildren(h("p", { class: "more bad" }, message(error)));
    }
  }

  private row(t: Topic): HTMLElement {
    const body = h("div", { class: "topic-body" });
    const isOpen = this.open === t.guid;
    const toggle = () => {
      this.open = this.open === t.guid ? undefined : t.guid;
      if (this.open) void this.topics.show(t).catch(this.app.fail);
      void this.read();
    };
    if (isOpen) void this.whole(t, body);
    const comments = typeof t.comments === "number" ? t.comments : (t.comments?.length ?? 0);
    return h(
      "li",
      { class: `topic${isOpen ? " selected" : ""}`, "data-guid": t.guid },
      h("button", { type: "button", class: "topic-title", "aria-expanded": String(isOpen), onclick: toggle }, h("i", { class: `state ${(t.status ?? "").toLowerCase().replace(/\s/g, "-")}` }), t.title),
      h("p", { class: "what" }, [t.status, t.type, t.assigned_to && `for ${t.assigned_to}`, t.author, time(t.date), comments > 0 ? many(comments, "comment") : "", t.elements?.length ? many(t.elements.length, "element") : ""].filter(Boolean).join(" · ")),
      body,
    );
  }

  private async whole(t: Topic, body: HTMLElement): Promise<void> {
    try {
      const page = await this.app.call<{ topics?: Topic[] }>("list_topics", { guid: t.guid });
      const one = page.topics?.[0] ?? t;
      const may = this.app.mayChange("keep_topics");
      const bad = h("p", { class: "bad", role: "alert" });
      const change = async (what: Record<string, unknown>, why: string) => {
        try {
          await this.app.call("keep_topics", { topics: [{ guid: t.guid, ...what }], reasoning: why });
          await this.read();
        } catch (error) {
          bad.textContent = message(error);
        }
      };
      const comments = Array.isArray(one.comments) ? one.comments : [];
      const comment = h("textarea", { rows: "2", placeholder: "Comment", "aria-label": "Comment" });
      const assigned = h("input", { type: "text", placeholder: "Nobody", "aria-label": "Assigned to" });
      assigned.value = one.assigned_to ?? "";
      assigned.addEventListener("change", () => void change({ assigned_to: assigned.value.trim() }, "assigned in the viewer"));
      const statuses = STATUS.some(([s]) => s === one.status) || !one.status ? STATUS : [[one.status, one.status] as [string, string], ...STATUS];
      body.replaceChildren(
        ...(one.description ? [h("p", { class: "description" }, one.description)] : []),
        h("div", { class: "tools-row" }, button("Viewpoint", () => void this.topics.show(one).catch(this.app.fail), { icon: "camera" })),
        ...(may
          ? [
              h(
                "div",
                { class: "pairs" },
                h("label", { class: "field" }, "Status", choice("Status", statuses, one.status ?? "Open", (v) => void change({ status: v }, `status ${v}`))),
                h("label", { class: "field" }, "Assigned to", assigned),
              ),
            ]
          : []),
        h("ol", { class: "comments" }, ...comments.map((c) => h("li", {}, h("p", {}, c.text), h("p", { class: "who" }, `${c.author ?? ""} · ${time(c.date)}`)))),
        ...(may
          ? [
              comment,
              h(
                "div",
                { class: "tools-row" },
                button("Comment", () => void (comment.value.trim() && change({ comment: comment.value.trim() }, "commented in the viewer")), { kind: "primary" }),
                h("span", { class: "gap" }),
                iconButton("trash", "Keep this topic no longer", () => void this.remove(t)),
              ),
            ]
          : []),
        bad,
        ...(one.history && one.history.length > 1 ? [h("details", { class: "rest" }, h("summary", {}, "History"), ...one.history.map((e) => h("p", { class: "who" }, `${time(e.time)} · ${e.by} · ${words(e.what)}`)))] : []),
      );
    } catch (error) {
      body.replaceChildren(h("p", { class: "bad" }, message(error)));
    }
  }

  private async remove(t: Topic): Promise<void> {
    await this.app.call("keep_topics", { remove: [t.guid], reasoning: `removed in the viewer: ${t.title}` }).catch(this.app.fail);
    await this.read();
  }

  private async download(): Promise<void> {
    try {
      const made = await this.app.call<{ links?: { href: string }[] }>("export_bcf", { kept: true });
      const href = made.links?.[0]?.href;
      if (href) await api.save(api.own(href));
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** A new topic about what is selected, as it is seen now. */
  private make(): void {
    const title = h("input", { type: "text", placeholder: "Title", "aria-label": "Title", required: true });
    const description = h("textarea", { rows: "3", placeholder: "Description", "aria-label": "Description" });
    const assigned = h("input", { type: "text", placeholder: "Assigned to", "aria-label": "Assigned to" });
    const type = choice("Type", ["Issue", "Request", "Clash", "Remark"].map((s) => [s, s]), "Issue", () => undefined);
    const bad = h("p", { class: "bad", role: "alert" });
    const send = async (e: Event) => {
      e.preventDefault();
      bad.textContent = "";
      try {
        await this.topics.create({ title: title.value.trim(), description: description.value.trim(), assigned_to: assigned.value.trim(), type: type.value });
        this.form.hidden = true;
        await this.read();
      } catch (error) {
        bad.textContent = message(error);
      }
    };
    const chosen = this.app.selection().length;
    this.form.hidden = false;
    this.form.replaceChildren(
      h(
        "form",
        { onsubmit: (e) => void send(e) },
        title,
        description,
        h("div", { class: "pairs" }, type, assigned),
        h("p", { class: "what" }, `With this view${chosen > 0 ? `, ${many(chosen, "selected element")}` : ""} and a picture of it.`),
        bad,
        h("div", { class: "tools-row" }, button("Cancel", () => (this.form.hidden = true)), h("span", { class: "gap" }), button("Keep", () => undefined, { kind: "primary", more: { type: "submit" } })),
      ),
    );
    title.focus();
  }
}
