// The model in a chat (MCP Apps): the same view as in the browser, in a page that may fetch nothing. Tiles come as answers of a tool that
// only pages call; what is picked goes back to the agent.

import { h, icon } from "../dom";
import { createView } from "../view";
import { idOf, keyOf, type ElementKey, type View } from "../view/types";
import style from "./style.css?inline";

/** What view_model answers, as far as it is used here. */
interface Shown {
  model_id?: string;
  version?: string;
  name?: string;
  url?: string;
  message?: string;
}

/** How the page speaks to the chat around it. */
export interface Chat {
  /** Calls a tool through the chat. */
  call(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Asks the chat for something of its own. */
  ask(method: string, params: Record<string, unknown>): Promise<unknown>;
  /** Tells that the page has another height. */
  grown(): void;
}

interface Piece {
  data?: string;
  next_offset?: number;
  message?: string;
}

/** Elements that are named to the agent at most. */
const NAMED = 50;

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

/** The list of tiles, or one of them, put together of its pieces. */
async function whole(chat: Chat, args: Record<string, unknown>, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    signal?.throwIfAborted();
    const piece: Piece = await chat.call("get_view_data", { ...args, offset });
    if (piece.data === undefined) throw new Error(piece.message ?? "The model could not be read.");
    pieces.push(bytesOf(piece.data));
    offset = piece.next_offset;
  }
  const all = new Uint8Array(pieces.reduce((sum, p) => sum + p.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Shows the answer of view_model in `root`. */
export async function show(answer: Shown, root: HTMLElement, chat: Chat): Promise<void> {
  const css = document.createElement("style");
  css.textContent = style;
  document.head.append(css);
  const { model_id: model, version, name = "Model", url } = answer;
  const open = url === undefined ? undefined : h("button", { class: "open", onclick: () => void chat.ask("ui/open-link", { url }) }, "Open in the browser");
  if (!model || !version) {
    root.replaceChildren(h("p", { class: "line" }, answer.message ?? "There is nothing to show."), open ?? "");
    chat.grown();
    return;
  }
  const stage = h("div", { class: "stage" });
  const line = h("p", { class: "line", role: "status" }, `${name}: reading …`);
  root.replaceChildren(stage, h("div", { class: "foot" }, line, open ?? ""));
  chat.grown();
  const args = { model_id: model, model_version: version };
  let view: View;
  try {
    view = createView(stage);
  } catch {
    await picture(chat, args, stage, line, name);
    return;
  }
  view.settings({ theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light" });
  stage.append(bar(view));
  pick(view, chat, line, name, args);
  try {
    const tileset: unknown = JSON.parse(new TextDecoder().decode(await whole(chat, args)));
    await view.show({
      model,
      version,
      name,
      tileset,
      tile: async (tile, signal) => (await whole(chat, { ...args, tile }, signal)).buffer,
    });
    view.fit({ side: "iso", jump: true });
    const count = view.stats().elements;
    line.textContent = `${name}: ${count === 1 ? "1 element" : `${count.toLocaleString()} elements`}`;
  } catch (error) {
    line.textContent = error instanceof Error ? error.message : String(error);
  }
}

/** The buttons over the picture. */
function bar(view: View): HTMLElement {
  let spaces = false;
  const rooms = h("button", {
    title: "Show rooms",
    "aria-pressed": "false",
    onclick: () => {
      spaces = !spaces;
      rooms.setAttribute("aria-pressed", String(spaces));
      view.settings({ spaces });
    },
  }, icon("rooms"));
  return h(
    "div",
    { class: "bar", role: "toolbar", "aria-label": "View" },
    h("button", { title: "Everything in view", onclick: () => view.fit() }, icon("fit")),
    h("button", { title: "From the corner", onclick: () => view.fit({ side: "iso" }) }, icon("iso")),
    h("button", { title: "From above", onclick: () => view.fit({ side: "top" }) }, icon("plan")),
    rooms,
  );
}

/** What is picked is told here by its name, and to the agent. */
function pick(view: View, chat: Chat, line: HTMLElement, name: string, args: Record<string, unknown>) {
  let selected: ElementKey[] = [];
  let asked = 0;
  const tell = async () => {
    const turn = ++asked;
    view.select(selected);
    const ids = selected.map(idOf);
    line.textContent = ids.length === 0 ? name : `${ids.length} selected …`;
    const rows: { id: string; name?: string; class?: string; storey?: string }[] = [];
    if (ids.length > 0) {
      const selector = ids.slice(-NAMED).join(" + ");
      const found = await chat.call("query_elements", { ...args, selector, fields: ["class", "storey"], limit: NAMED });
      if (turn !== asked) return;
      rows.push(...((found["rows"] as typeof rows | undefined) ?? []));
      const one = rows.at(-1);
      line.textContent = ids.length === 1 && one ? [one.name, one.class, one.storey].filter(Boolean).join(" · ") : `${ids.length} elements selected`;
    }
    const said = ids.length === 0 ? `Nothing is selected in ${name}.` : `Selected in ${name}: ${rows.map((r) => `${r.class ?? ""} ${r.name ?? ""} (${r.id})`).join(", ")}`;
    // a chat that takes no context still shows the picture
    await chat.ask("ui/update-model-context", { content: [{ type: "text", text: said }], structuredContent: { ...args, selection: ids } }).catch(() => undefined);
  };
  view.on("pick", (hit, add) => {
    if (!hit) selected = [];
    else if (!add) selected = [hit.key];
    else selected = selected.includes(hit.key) ? selected.filter((k) => k !== hit.key) : [...selected, hit.key];
    void tell().catch((error: unknown) => (line.textContent = error instanceof Error ? error.message : String(error)));
  });
  view.on("doublePick", (hit) => view.fit({ keys: [keyOf(args["model_id"] as string, idOf(hit.key))] }));
}

/** Where the page cannot draw, the server does. */
async function picture(chat: Chat, args: Record<string, unknown>, stage: HTMLElement, line: HTMLElement, name: string) {
  const answer = (await chat.ask("tools/call", { name: "render_view", arguments: { ...args, width: 1024 } })) as {
    content?: { type: string; data?: string; mimeType?: string }[];
  };
  const image = answer.content?.find((part) => part.type === "image");
  if (image?.data) stage.replaceChildren(h("img", { src: `data:${image.mimeType ?? "image/png"};base64,${image.data}`, alt: name }));
  line.textContent = image ? name : "Neither this page nor the server can draw the model.";
  chat.grown();
}
