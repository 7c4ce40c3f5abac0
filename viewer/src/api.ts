// What the viewer asks of its server. Everything is same-origin; addresses are made here and nowhere else.

import * as key from "./key";

/** A model in the list. */
export interface ModelRecord {
  model_id: string;
  name: string;
  kind: string;
  head: string;
  created_ms?: number;
  changed_ms?: number;
}

/** What a version changed, as the server sums it up. */
export interface Changes {
  added?: Record<string, number>;
  removed?: Record<string, number>;
  modified?: Record<string, number>;
  elements?: { id: string; class?: string; name?: string; changes?: unknown }[];
  storeys?: string[];
  properties?: { id: string; property: string; before?: unknown; after?: unknown }[];
  instances?: number;
}

/** A version in a model's history. */
export interface VersionRecord {
  version: string;
  parent?: string;
  merged?: string;
  tool?: string;
  author?: string;
  reasoning?: string;
  time_ms: number;
  event_type?: string;
  changes?: Changes;
}

/** A refusal, in the server's words. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code?: number,
    readonly data?: Record<string, unknown>,
  ) {
    super(message);
  }
}

const enc = encodeURIComponent;

/** Addresses of a model, a version and what belongs to them. */
export const paths = {
  models: (cursor?: string) => `/api/models${cursor ? `?cursor=${enc(cursor)}` : ""}`,
  versions: (model: string, cursor?: string, limit = 50) => `/api/models/${enc(model)}/versions?limit=${limit}${cursor ? `&cursor=${enc(cursor)}` : ""}`,
  version: (model: string, version: string) => `/api/models/${enc(model)}/versions/${enc(version)}`,
  tileset: (model: string, version: string) => `${paths.version(model, version)}/tileset.json`,
  tile: (model: string, version: string, key: string) => `${paths.version(model, version)}/tiles/${enc(key)}.glb`,
  tree: (model: string, version: string) => `${paths.version(model, version)}/tree`,
  element: (model: string, version: string, id: string) => `${paths.version(model, version)}/elements/${enc(id)}`,
  events: (model: string, after?: number) => `/api/events?model=${enc(model)}${after === undefined ? "" : `&after=${after}`}`,
  approvals: (all: boolean) => `/api/approvals?limit=100${all ? "&all=true" : ""}`,
  approval: (id: string) => `/api/approvals/${enc(id)}`,
  sight: (viewer: string) => `/api/viewers/${enc(viewer)}`,
  tool: (name: string) => `/tools/${enc(name)}`,
  download: (model: string, version: string, format?: string) => `/bucket/${enc(model)}/${enc(version)}${format ? `?format=${enc(format)}` : ""}`,
  file: (key: string) => `/bucket/files/${key.split("/").map(enc).join("/")}`,
  upload: (name: string) => `/bucket?name=${enc(name)}`,
  uploadVersion: (model: string, name: string) => `/bucket/${enc(model)}?name=${enc(name)}`,
  uploadFile: (name: string) => `/bucket/files?name=${enc(name)}`,
};

function refusal(body: unknown, status: number, otherwise: string): Refusal {
  const fault = (body ?? {}) as { message?: unknown; code?: unknown; data?: unknown };
  const said = typeof fault.message === "string" ? fault.message : otherwise;
  const data = typeof fault.data === "object" && fault.data !== null ? (fault.data as Record<string, unknown>) : undefined;
  return new Refusal(said, status, typeof fault.code === "number" ? fault.code : undefined, data);
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  // what is no Fault has its status alone to say
  const body: unknown = await response.json().catch(() => undefined);
  throw refusal(body, response.status, `${response.status} ${response.statusText}`);
}

/** A JSON document. */
export async function json<T>(path: string, signal?: AbortSignal): Promise<T> {
  const init: RequestInit = { headers: { accept: "application/json", ...key.headers() } };
  if (signal) init.signal = signal;
  const response = await checked(await fetch(path, init));
  return (await response.json()) as T;
}

/** Sends a JSON document; answers what comes back. */
export async function send<T>(method: "POST" | "PUT", path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const headers = { "content-type": "application/json", accept: "application/json", ...key.headers() };
  const response = await checked(await fetch(path, { method, headers, body: JSON.stringify(body), ...(signal ? { signal } : {}) }));
  const text = await response.text();
  return (text ? JSON.parse(text) : undefined) as T;
}

/** Takes something away while the page closes: nobody waits for the answer. */
export function leave(path: string): void {
  void fetch(path, { method: "DELETE", headers: key.headers(), keepalive: true }).catch(() => undefined);
}

/** The bytes of a tile. */
export async function bytes(path: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  const response = await checked(await fetch(path, { headers: key.headers(), ...(signal ? { signal } : {}) }));
  return response.arrayBuffer();
}

/** A stream of text, as it comes. */
export async function stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await checked(await fetch(path, { headers: { accept: "text/event-stream", ...key.headers() }, signal }));
  if (!response.body) throw new Error("The server sent no stream.");
  return response.body;
}

/** Gives the person bytes to keep as a file. */
export function keep(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A file for the person to keep, with the name that the server gives it. */
export async function save(path: string): Promise<void> {
  const response = await checked(await fetch(path, { headers: key.headers() }));
  const named = /filename="([^"]*)"/.exec(response.headers.get("content-disposition") ?? "");
  keep(await response.blob(), named?.[1] ?? "model.ifc");
}

/** The path of an address that a tool answered: only what is this server's own is followed. */
export function own(href: string): string {
  const url = new URL(href, location.origin);
  return url.pathname + url.search;
}

/** The rows of a page, whatever the server calls the list. */
export function rows<T>(page: unknown, ...names: string[]): { rows: T[]; cursor?: string } {
  if (Array.isArray(page)) return { rows: page as T[] };
  const object = (page ?? {}) as Record<string, unknown>;
  for (const name of [...names, "items", "rows"]) {
    const list = object[name];
    if (Array.isArray(list)) {
      const cursor = object["next_cursor"] ?? object["cursor"];
      return typeof cursor === "string" ? { rows: list as T[], cursor } : { rows: list as T[] };
    }
  }
  return { rows: [] };
}

/** All pages of a list, up to a number of pages. */
export async function all<T>(path: (cursor?: string) => string, name: string, pages = 10): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages; page++) {
    const next = rows<T>(await json<unknown>(path(cursor)), name);
    found.push(...next.rows);
    cursor = next.cursor;
    if (!cursor) break;
  }
  return found;
}

/** Sends a file, telling how much is there (0 to 1); answers what the server says. */
export function upload<T>(path: string, file: Blob, progress?: (part: number) => void): Promise<T> {
  // fetch tells nothing of how far a body has come
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("content-type", "application/octet-stream");
    for (const [name, value] of Object.entries(key.headers())) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", (e) => e.lengthComputable && progress?.(e.loaded / e.total));
    request.addEventListener("load", () => {
      let body: unknown;
      try {
        body = JSON.parse(request.responseText);
      } catch {
        body = undefined;
      }
      if (request.status >= 200 && request.status < 300) resolve(body as T);
      else reject(refusal(body, request.status, `${request.status} ${request.statusText}`));
    });
    request.addEventListener("error", () => reject(new Error("The connection broke while the file was sent.")));
    request.send(file);
  });
}
