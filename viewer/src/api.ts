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

/** A version in a model's history. */
export interface VersionRecord {
  version: string;
  parent?: string;
  tool?: string;
  author?: string;
  reasoning?: string;
  time_ms: number;
  event_type?: string;
}

/** A refusal, in the server's words. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

const enc = encodeURIComponent;

/** Addresses of a model, a version and what belongs to them. */
export const paths = {
  models: (cursor?: string) => `/api/models${cursor ? `?cursor=${enc(cursor)}` : ""}`,
  versions: (model: string, cursor?: string) =>
    `/api/models/${enc(model)}/versions${cursor ? `?cursor=${enc(cursor)}` : ""}`,
  version: (model: string, version: string) => `/api/models/${enc(model)}/versions/${enc(version)}`,
  tileset: (model: string, version: string) => `${paths.version(model, version)}/tileset.json`,
  tile: (model: string, version: string, key: string) => `${paths.version(model, version)}/tiles/${enc(key)}.glb`,
  tree: (model: string, version: string) => `${paths.version(model, version)}/tree`,
  element: (model: string, version: string, id: string) => `${paths.version(model, version)}/elements/${enc(id)}`,
  download: (model: string, version: string) => `/bucket/${enc(model)}/${enc(version)}`,
  file: (key: string) => `/bucket/files/${key.split("/").map(enc).join("/")}`,
  upload: (name: string) => `/bucket?name=${enc(name)}`,
};

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  let message = `${response.status} ${response.statusText}`;
  try {
    const body: unknown = await response.json();
    const said = (body as { message?: unknown })?.message;
    if (typeof said === "string") message = said;
  } catch {
    // not a Fault: the status has to do
  }
  throw new Refusal(message, response.status);
}

/** A JSON document. */
export async function json<T>(path: string, signal?: AbortSignal): Promise<T> {
  const init: RequestInit = { headers: { accept: "application/json", ...key.headers() } };
  if (signal) init.signal = signal;
  const response = await checked(await fetch(path, init));
  return (await response.json()) as T;
}

/** The bytes of a tile. */
export async function bytes(path: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  const response = await checked(await fetch(path, { headers: key.headers(), ...(signal ? { signal } : {}) }));
  return response.arrayBuffer();
}

/** A file for the person to keep, with the name that the server gives it. */
export async function save(path: string): Promise<void> {
  const response = await checked(await fetch(path, { headers: key.headers() }));
  const named = /filename="([^"]*)"/.exec(response.headers.get("content-disposition") ?? "");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = named?.[1] ?? "model.ifc";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
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

/** Sends a file; answers what the server says about the new model. */
export async function upload(file: File): Promise<{ model_id?: string }> {
  const response = await checked(
    await fetch(paths.upload(file.name), {
      method: "POST",
      body: file,
      headers: { "content-type": "application/x-step", ...key.headers() },
    }),
  );
  return (await response.json()) as { model_id?: string };
}
