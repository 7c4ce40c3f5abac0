// The page: what is chosen, what is shown, and the address that says so.

import * as api from "./api";
import { h, icon } from "./dom";
import { readTile } from "./glb";
import * as key from "./key";
import { length, readOverlay, type Overlay } from "./overlay";
import { Panel } from "./panel";
import { Scene } from "./scene";
import { Sidebar } from "./sidebar";
import { changes, identity, readTileset, type Tileset } from "./tileset";
import { index, readTree, type Node } from "./tree";

const POLL_MS = 3000;

const app = document.getElementById("app") ?? document.body;
const view = h("main", { class: "view" });
const status = h("div", { class: "status" });
const legend = h("aside", { class: "legend", hidden: true, "aria-label": "Legend" });
const toasts = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
const empty = h("div", { class: "empty", hidden: true });
const progress = h("div", { class: "progress", hidden: true });

let models: api.ModelRecord[] = [];
let versions: api.VersionRecord[] = [];
let model: string | undefined;
/** `head`, or a version that does not follow the model. */
let version = "head";
let shownVersion: string | undefined;
let nodes = new Map<string, Node>();
let selected: string | undefined;
let spaces = false;
let loading: AbortController | undefined;
let shown: Tileset | undefined;
/** The key of what the link lays over the version. */
let overlaid: string | undefined;

const scene = new Scene(view, (id) => choose(id, { reveal: true }));
const panel = new Panel(() => choose(undefined));
const sidebar = new Sidebar({
  select: (id) => choose(id, { reveal: false }),
  focus: (id) => scene.fit({ element: id }),
  storey: (id, visible) => scene.showStorey(id, visible),
});

const modelSelect = h("select", { "aria-label": "Model", onchange: () => void openModel(modelSelect.value) });
const versionSelect = h("select", { "aria-label": "Version", onchange: () => void openVersion(versionSelect.value) });
const download = h("button", { class: "button", title: "Download this version as IFC", onclick: () => void save() }, icon("download"), "IFC");
const file = h("input", { type: "file", accept: ".ifc,.ifczip", hidden: true, onchange: () => void send(file.files) });
const spacesButton = h("button", { title: "Show rooms", "aria-pressed": "false", onclick: () => toggleSpaces() }, icon("spaces"), "Rooms");

app.append(
  h(
    "header",
    { class: "bar" },
    h("a", { class: "brand", href: "/viewer", title: "Pensaer" }, h("span", { class: "mark" }), "Pensaer"),
    h("label", { class: "pick" }, h("span", {}, "Model"), modelSelect),
    h("label", { class: "pick" }, h("span", {}, "Version"), versionSelect),
    h("span", { class: "gap" }),
    download,
    h("button", { class: "button", title: "Upload an IFC file", onclick: () => file.click() }, icon("upload"), "Upload"),
    file,
  ),
  sidebar.element,
  view,
  panel.element,
);
view.append(
  progress,
  empty,
  h(
    "div",
    { class: "tools", role: "toolbar", "aria-label": "View" },
    h("button", { title: "Everything in view (F)", onclick: () => scene.fit() }, icon("fit"), "Fit"),
    h("button", { title: "From the corner", onclick: () => scene.fit({ side: "iso" }) }, icon("iso"), "Corner"),
    h("button", { title: "From above", onclick: () => scene.fit({ side: "top" }) }, icon("top"), "Plan"),
    h("span", { class: "rule" }),
    spacesButton,
  ),
  status,
  legend,
  toasts,
);

function toast(message: string, bad = false) {
  const item = h("div", { class: bad ? "toast bad" : "toast" }, message);
  toasts.append(item);
  setTimeout(() => item.remove(), bad ? 9000 : 3500);
}

function fail(error: unknown) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  toast(error instanceof Error ? error.message : String(error), true);
}

function address() {
  const query = new URLSearchParams();
  if (model) query.set("model", model);
  if (version !== "head") query.set("version", version);
  if (selected) query.set("element", selected);
  if (overlaid) query.set("overlay", overlaid);
  history.replaceState(null, "", `/viewer${query.size > 0 ? `?${query.toString()}` : ""}`);
}

function when(ms: number): string {
  const date = new Date(ms);
  const today = new Date().toDateString() === date.toDateString();
  return today
    ? date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })
    : date.toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
}

/** `WallCreated` → `Wall created`. */
function eventName(v: api.VersionRecord): string {
  const words = (v.event_type ?? v.tool ?? "Version").replace(/_/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function fillSelects() {
  modelSelect.replaceChildren(...models.map((m) => h("option", { value: m.model_id, selected: m.model_id === model }, m.name)));
  modelSelect.disabled = models.length === 0;
  const head = h("option", { value: "head", selected: version === "head" }, "Latest, as it changes");
  const rows = versions.map((v) =>
    h("option", { value: v.version, selected: v.version === version }, `${when(v.time_ms)} · ${eventName(v)}`),
  );
  // an older version than the list reaches is still what is shown
  if (version !== "head" && !versions.some((v) => v.version === version)) {
    rows.push(h("option", { value: version, selected: true }, version.slice(0, 12)));
  }
  versionSelect.replaceChildren(head, ...rows);
  versionSelect.disabled = models.length === 0;
  download.disabled = !model;
}

async function save() {
  if (!model) return;
  await api.save(api.paths.download(model, version)).catch(fail);
}

/** Asks for the key where the server does not know who calls. */
function askForKey(why: string) {
  const field = h("input", { type: "password", "aria-label": "Key", autocomplete: "off", placeholder: "psk_…" });
  const enter = (e: Event) => {
    e.preventDefault();
    key.keep(field.value);
    location.reload();
  };
  empty.replaceChildren(
    h("h1", {}, "Who is there?"),
    h("form", { class: "key", onsubmit: enter }, field, h("button", { class: "button primary", type: "submit" }, "Enter")),
    h("p", {}, why),
  );
  empty.hidden = false;
  field.focus();
}

async function listModels() {
  models = (await api.all<api.ModelRecord>(api.paths.models, "models")).filter((m) => m.kind === "ifc");
}

async function openModel(id: string | undefined, at = "head") {
  scene.clear();
  nodes = new Map();
  shownVersion = undefined;
  versions = [];
  model = id;
  version = at;
  lay(undefined);
  sidebar.show([], new Set());
  choose(undefined);
  if (!id) {
    blank();
    return;
  }
  empty.hidden = true;
  await load(true).catch(fail);
}

async function openVersion(v: string) {
  version = v;
  lay(undefined);
  address();
  await load(false).catch(fail);
}

function blank() {
  fillSelects();
  empty.replaceChildren(
    h("h1", {}, "No model yet"),
    h("p", {}, "Drop an IFC file here, or ask your agent to create a project."),
    h("button", { class: "button primary", onclick: () => file.click() }, icon("upload"), "Upload an IFC file"),
  );
  empty.hidden = false;
  status.replaceChildren();
}

/** Lays over the version what the server keeps under a key. */
async function fetchOverlay(at: string) {
  try {
    const overlay = readOverlay(await api.json<unknown>(api.paths.file(at)));
    if (!overlay) throw new Error("What this link was to show cannot be read.");
    lay(overlay, at);
  } catch (error) {
    const gone = error instanceof api.Refusal && error.status === 404;
    fail(gone ? new Error("What this link was to show is not kept any more. Ask for it again.") : error);
  }
}

/** Shows an overlay with its legend, or takes it away. */
function lay(overlay: Overlay | undefined, at?: string) {
  const before = overlaid;
  overlaid = overlay && at;
  if (!overlay && before === undefined) return;
  legend.hidden = !overlay;
  if (!overlay) {
    scene.covered = { left: 0, bottom: 0 };
    scene.lay(undefined);
    return;
  }
  const row = (swatch: HTMLElement, says: string, count?: string) =>
    h("li", {}, swatch, h("span", {}, says), count !== undefined && h("span", { class: "count" }, count));
  const colour = (value: string) => {
    const swatch = h("i", { class: "swatch" });
    swatch.style.background = value;
    return swatch;
  };
  const title = overlay.colours === "area" ? "Area of rooms" : overlay.colours === "depth" ? "Doors from outside" : overlay.path.length > 1 ? "Way" : "Highlighted";
  const close = () => {
    lay(undefined);
    scene.fit({ side: "iso" });
    address();
  };
  legend.replaceChildren(
    h("header", {}, h("h2", {}, title), h("button", { class: "quiet", title: "Take away", onclick: close }, icon("close"))),
    h(
      "ul",
      {},
      ...overlay.legend.map((l) => row(colour(l.colour), l.says, l.rooms === 1 ? "1 room" : `${l.rooms} rooms`)),
      overlay.path.length > 1 && row(h("i", { class: "swatch way" }), `Way, ${length(overlay.path).toFixed(1)} m`),
      overlay.elements.length > 0 && row(h("i", { class: "swatch chosen" }), overlay.elements.length === 1 ? "1 element" : `${overlay.elements.length} elements`),
    ),
  );
  const [page, own] = [view.getBoundingClientRect(), legend.getBoundingClientRect()];
  scene.covered = { left: Math.min(0.5, (own.right - page.left) / page.width), bottom: Math.min(0.5, (page.bottom - own.top) / page.height) };
  scene.lay(overlay);
  address();
}

/** Loads what the current version has and the view has not. */
async function load(first: boolean) {
  const id = model;
  if (!id) return;
  loading?.abort();
  const stop = (loading = new AbortController());
  progress.hidden = false;
  try {
    // the head is named once, so that tree, tiles and properties speak of one state
    const record = models.find((m) => m.model_id === id);
    const at = version === "head" ? (record?.head ?? "head") : version;
    const [tileset, tree, list] = await Promise.all([
      api.json<unknown>(api.paths.tileset(id, at), stop.signal).then(readTileset),
      api.json<unknown>(api.paths.tree(id, at), stop.signal).then(readTree),
      api.all<api.VersionRecord>((c) => api.paths.versions(id, c), "versions", 2),
    ]);
    if (stop.signal.aborted) return;
    versions = list;
    shownVersion = at;
    nodes = index(tree);
    fillSelects();
    sidebar.show(tree, new Set(tileset.tiles.map((t) => t.storey ?? "")));
    await tiles(id, at, tileset, first, stop.signal);
    shown = tileset;
    report(tileset);
    if (selected) choose(selected, { reveal: first });
  } finally {
    if (loading === stop) progress.hidden = true;
  }
}

async function tiles(id: string, at: string, tileset: Tileset, first: boolean, signal: AbortSignal) {
  const { load, drop } = changes(scene.tiles(), tileset.tiles);
  let jumped = !first;
  const queue = [...load];
  const worker = async () => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      const tile = readTile(await api.bytes(api.paths.tile(id, at, entry.key), signal));
      if (signal.aborted) return;
      scene.add(entry, tile);
      if (!jumped) {
        jumped = true;
        scene.fit({ side: "iso", jump: true });
      }
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  if (signal.aborted) return;
  const kept = new Set(tileset.tiles.map(identity));
  drop.filter((d) => !kept.has(d)).forEach((d) => scene.drop(d));
  if (first) scene.fit({ side: "iso", jump: true });
  if (first && tileset.tiles.length === 0) {
    empty.replaceChildren(h("h1", {}, "Nothing to see yet"), h("p", {}, "This version has no element with a shape."));
    empty.hidden = false;
  } else empty.hidden = true;
}

function report(tileset: Tileset) {
  const list = (title: string, notes: Tileset["unmeshed"]) =>
    notes.length > 0 &&
    h(
      "details",
      {},
      h("summary", {}, title),
      h(
        "ul",
        {},
        ...notes.slice(0, 200).map((n) =>
          h("li", {}, h("button", { onclick: () => choose(n.global_id, { reveal: true }) }, nodes.get(n.global_id)?.name || n.class), ` ${n.item} ${n.reason}`),
        ),
      ),
    );
  const head = models.find((m) => m.model_id === model)?.head;
  const older = version !== "head" && head !== undefined && version !== head;
  status.replaceChildren(
    h("span", {}, `${tileset.drawn.toLocaleString()} elements`),
    ...(older ? [h("span", {}, "Not the latest version. ", h("button", { class: "link", onclick: () => void openVersion("head") }, "Show the latest"))] : []),
    ...[
      list(`${tileset.boxes.length} shown as boxes`, tileset.boxes),
      list(`${tileset.simplified.length} simplified`, tileset.simplified),
      list(`${tileset.unmeshed.length} without a shape`, tileset.unmeshed),
    ].filter((n) => n !== false),
  );
}

function choose(id: string | undefined, options: { reveal?: boolean } = {}) {
  selected = id;
  const node = id === undefined ? undefined : nodes.get(id);
  const visible = scene.select(id);
  if (id !== undefined && node?.class === "IfcSpace" && !visible && !spaces) toggleSpaces();
  sidebar.select(id, options.reveal === true);
  if (id !== undefined && model) void panel.open(model, shownVersion ?? version, id, node);
  else panel.close();
  address();
}

function toggleSpaces() {
  spaces = !spaces;
  spacesButton.setAttribute("aria-pressed", String(spaces));
  scene.showSpaces(spaces);
}

async function send(list: FileList | null | undefined) {
  for (const item of list ?? []) {
    toast(`Uploading ${item.name} …`);
    try {
      const made = await api.upload(item);
      await listModels();
      toast(`${item.name} is in.`);
      await openModel(made.model_id ?? models[0]?.model_id);
    } catch (error) {
      fail(error);
    }
  }
  file.value = "";
}

/** Follows the model while its latest version is shown. */
async function poll() {
  if (document.hidden) return;
  const before = models.find((m) => m.model_id === model)?.head;
  const names = JSON.stringify(models.map((m) => [m.model_id, m.name]));
  await listModels();
  if (!model && models[0]) return openModel(models[0].model_id);
  const after = models.find((m) => m.model_id === model)?.head;
  if (version === "head" && after !== undefined && after !== before) await load(scene.tiles().length === 0);
  else if (version !== "head" && after !== before && shown) {
    fillSelects();
    report(shown);
  } else if (JSON.stringify(models.map((m) => [m.model_id, m.name])) !== names) fillSelects();
}

addEventListener("keydown", (e) => {
  const typing = e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement;
  if (e.key === "Escape") choose(undefined);
  else if (e.key === "/" && !typing) {
    e.preventDefault();
    sidebar.search.focus();
  } else if (e.key === "f" && !typing && !e.ctrlKey && !e.metaKey) scene.fit(selected ? { element: selected } : {});
});
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
  void send(e.dataTransfer?.files);
});

async function start() {
  key.takeFromAddress();
  const query = new URLSearchParams(location.search);
  await listModels();
  const element = query.get("element") ?? undefined;
  await openModel(query.get("model") ?? models[0]?.model_id, query.get("version") ?? "head");
  const over = query.get("overlay");
  if (over && model) await fetchOverlay(over);
  if (element) {
    choose(element, { reveal: true });
    scene.fit({ element });
  }
  // one poll after the other, never two at once
  const again = () => setTimeout(() => void poll().catch(() => undefined).finally(again), POLL_MS);
  again();
}

void start().catch((error: unknown) => {
  if (error instanceof api.Refusal && error.status === 401) askForKey(error.message);
  else fail(error);
});
