// The page: its parts put together, and the address that says what is shown.

import * as api from "./api";
import { h, icon, isAbort, message, words } from "./dom";
import * as key from "./key";
import { App, HEAD } from "./page/app";
import type { Panel, Shown } from "./page/context";
import { lay } from "./page/laid";
import { later, once } from "./page/later";
import { Layout } from "./page/layout";
import { Legend } from "./page/legend";
import { Live } from "./page/live";
import { recall } from "./page/kept";
import { ColourBy } from "./page/parts/colour";
import { findPanel } from "./page/parts/find";
import { Inspector } from "./page/parts/inspector";
import { Marks } from "./page/parts/marks";
import { treePanel } from "./page/parts/tree";
import { shortcuts } from "./page/shortcuts";
import { readAddress, Sight } from "./page/state";
import { Status } from "./page/status";
import type { Person } from "./page/tools";
import { Toolbar } from "./page/toolbar";
import { TopBar } from "./page/topbar";
import { ACCEPT, Uploads } from "./page/upload";
import { Approvals } from "./page/waiting";
import { createView } from "./view";
import { keyOf, modelOf } from "./view/types";

/** How often the list of models is read: events tell of the first model alone. */
const LIST_MS = 15_000;

const layout = new Layout(document.getElementById("app") ?? document.body, () => app);
const app = new App(createView(layout.view));
const legend = new Legend();
const sight = new Sight(app);
const file = h("input", { type: "file", accept: ACCEPT, multiple: true, hidden: true, "aria-label": "Files" });
const choose = () => file.click();
const status = new Status(app, choose);
const colours = new ColourBy(app, legend);
const marks = new Marks(app, sight);
const toolbar = new Toolbar(app, sight, colours, marks);
const findings = once(async () => new (await import("./page/parts/findings")).Findings(app));
const topics = once(async () => new (await import("./page/parts/topics")).Topics(app, sight));
const approvals = new Approvals(app, (count) => layout.badge("approvals", count));
const uploads = new Uploads(app, {
  ids: (name, at) => {
    void findings().then((all) => all.addIds(name, at), app.fail);
    layout.show("findings");
  },
  topics: () => layout.show("topics"),
});
new TopBar(app, sight, layout.bar);
new Inspector(app, layout);
layout.view.append(...status.elements(), toolbar.element, toolbar.hintElement, legend.element, h("div", { class: "corner" }, marks.element, uploads.element, layout.toasts));
layout.bar.append(file);

app.on("toast", (text, { bad, undo }) => {
  const item = h("div", { class: bad ? "toast bad" : "toast" }, h("span", {}, text));
  if (undo) {
    const act = async () => {
      item.remove();
      await undo();
    };
    item.append(h("button", { type: "button", class: "link", onclick: () => void act().catch(app.fail) }, "Undo"));
  }
  item.append(h("button", { type: "button", class: "quiet", title: "Close", "aria-label": "Close", onclick: () => item.remove() }, icon("close")));
  layout.toasts.append(item);
  while (layout.toasts.childElementCount > 4) layout.toasts.firstElementChild?.remove();
  setTimeout(() => item.remove(), bad || undo ? 15_000 : 4000);
});

app.view.on("pick", (hit, add) => {
  if (!hit) {
    if (!add) app.select([]);
    return;
  }
  const now = app.selection();
  if (!add) app.select([hit.key], { reveal: true });
  else app.select(now.includes(hit.key) ? now.filter((one) => one !== hit.key) : [...now, hit.key], { reveal: true });
});
app.view.on("doublePick", (hit) => app.view.fit({ keys: [hit.key] }));
app.view.on("box", (keys, add) => app.select(add ? [...app.selection(), ...keys] : keys));
app.on("selection", (keys) => {
  if (keys.some((one) => app.node(one)?.class === "IfcSpace")) toolbar.showSpaces();
});
app.on("shown", (shown) => {
  layout.fit(shown);
  energy(shown);
});

const live = new Live({
  commit: (event) => {
    if (event.kind.startsWith("Approval")) void approvals.read();
    if (event.kind.startsWith("Branch")) return;
    void app.advance(event).catch(app.fail);
    if (event.kind.startsWith("Approval")) return;
    const who = app.isOwn(event) ? "You" : event.author;
    const where = event.branch === "main" ? "" : ` on ${event.branch}`;
    const why = event.reasoning ? `: ${event.reasoning}` : "";
    const may = app.may("undo") && event.kind !== "ModelLoaded";
    app.toast(`${who}${where} · ${words(event.kind || event.tool)}${why}`, may ? { undo: () => app.undo(event.model, event.version) } : {});
  },
  other: (kind) => {
    if (kind.startsWith("Approval")) void approvals.read();
  },
  standing: (is) => status.connection(is),
});
app.on("shown", (shown) => live.follow(shown?.model));

file.addEventListener("change", () => {
  const list = [...(file.files ?? [])];
  file.value = "";
  void uploads.take(list);
});
addEventListener("pensaer-files", (e) => void uploads.take((e as CustomEvent<File[]>).detail));
addEventListener("dragover", (e) => {
  e.preventDefault();
  document.body.classList.add("dropping");
});
addEventListener("dragleave", (e) => {
  if (!e.relatedTarget) document.body.classList.remove("dropping");
});
addEventListener("drop", (e) => {
  e.preventDefault();
  document.body.classList.remove("dropping");
  void uploads.take([...(e.dataTransfer?.files ?? [])]);
});

/** The page's own panels: the tree at once, the others when they are opened. */
function ownPanels(): Panel[] {
  const isBuilding = (shown: Shown | undefined) => shown?.kind === "ifc";
  return [
    treePanel(app),
    findPanel(app),
    later("models", "Models", "models", () => true, async () => (await import("./page/parts/models")).modelsPanel(app, choose)),
    later("versions", "Versions", "versions", (shown) => shown !== undefined, async () => (await import("./page/parts/versions")).versionsPanel(app, legend)),
    later("activity", "Activity", "activity", (shown) => shown !== undefined && app.may("get_audit_log"), async () => (await import("./page/parts/activity")).activityPanel(app)),
    later("findings", "Findings", "finding", (shown) => isBuilding(shown) && app.may("validate_constraints"), async () => {
      const { findingsPanel } = await import("./page/parts/findings");
      return findingsPanel(app, await findings(), async (f) => (await topics()).ofFinding(f));
    }),
    later("topics", "Topics", "topic", (shown) => isBuilding(shown) && app.may("list_topics"), async () => (await import("./page/parts/topics")).topicsPanel(app, await topics())),
    later("approvals", "Approvals", "approve", () => app.may("list_approvals"), async () => (await import("./page/parts/approvals")).approvalsPanel(app, approvals)),
  ];
}

/** Panels that others write; the page stands without them. */
async function further(): Promise<Panel[]> {
  const found = import.meta.glob<{ panels: Panel[] }>("./panels/index.ts");
  const lists = await Promise.all(Object.values(found).map((read) => read().then((m) => m.panels)));
  return lists.flat();
}

/** Where there is no building to look at, the panel that says what there is stands open. */
function energy(shown: Shown | undefined): void {
  if (shown?.kind === "energyplus" && layout.opened === undefined && !layout.isNarrow) layout.show("energy");
}

/** Reads the list of models again now and then: other models of a federation are followed by it. */
async function look(): Promise<void> {
  if (document.hidden) return;
  const before = new Map(app.models.map((m) => [m.model_id, m.head]));
  await app.listModels();
  const first = app.models[0];
  if (!app.shown() && first && before.size === 0) return app.open(first.model_id);
  for (const one of app.all()) {
    const record = app.models.find((m) => m.model_id === one.shown.model);
    if (!record || one.line !== HEAD || record.head === one.shown.version || one === app.current()) continue;
    await app.advance({ model: record.model_id, version: record.head, branch: "main", tool: "", author: "", time_ms: record.changed_ms ?? Date.now() });
  }
}

async function start(): Promise<void> {
  key.takeFromAddress();
  const asked = readAddress(location.search);
  // who one is decides what is offered, so it is asked first
  app.person = await app.call<Person>("whoami");
  await app.listModels();
  layout.register(ownPanels());
  void approvals.read();
  layout.fit(undefined);
  shortcuts(app, layout, toolbar);
  const model = asked.model ?? app.models[0]?.model_id;
  const wanted = recall<string | null>("panel", "tree");
  if (model === undefined) status.blank();
  else {
    const opened = app.open(model, asked.version ?? HEAD);
    opened.catch(() => undefined);
    await new Promise<void>((resolve) => {
      const end = app.on("shown", () => (end(), resolve()));
      void opened.finally(resolve).catch(() => undefined);
    });
    if (!layout.isNarrow && wanted !== null) layout.show(wanted);
    await opened;
    await restore(asked);
  }
  void further().then((panels) => {
    layout.register(panels);
    layout.fit(app.shown());
    // the one that was open last time may be among them
    if (!layout.isNarrow && wanted !== null && layout.opened === undefined && panels.some((one) => one.id === wanted)) layout.show(wanted);
    energy(app.shown());
  }, app.fail);
  const again = () => setTimeout(() => void look().catch(() => undefined).finally(again), LIST_MS);
  again();
}

/** The rest of what an address asks for, once its model is there. */
async function restore(asked: ReturnType<typeof readAddress>): Promise<void> {
  const shown = app.shown();
  if (!shown) return;
  if (asked.storey) toolbar.storey(asked.storey);
  if (asked.overlay) await lay(app, sight, legend, asked.overlay);
  const keys = asked.elements.map((id) => keyOf(shown.model, id));
  if (keys.length > 0) app.select(keys, { reveal: true, fit: asked.camera === undefined });
  if (asked.camera) app.view.look(asked.camera, { jump: true });
}

void start().catch((error: unknown) => {
  if (isAbort(error)) return;
  if (error instanceof api.Refusal && error.status === 401) status.signIn(message(error));
  else status.refused(message(error));
});

// what a person sees is read by tests, and by whoever looks on with them
Object.assign(window, { pensaer: { state: () => sight.viewerState(), view: app.view, select: (ids: string[]) => app.select(ids.map((id) => (id.includes("/") ? id : keyOf(app.shown()?.model ?? "", id)))), selection: () => app.selection().map((one) => [modelOf(one), one]) } });
