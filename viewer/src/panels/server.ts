// What the panels ask of the server beside a tool's answer: the files that answers link to, and lists that an answer cut.

import { bytes, paths } from "../api";
import type { Context } from "../page/context";

export interface Link {
  href: string;
  title?: string;
  name?: string;
}

export type Linked<T> = T & { links?: Link[]; omitted?: string[]; session?: string };

/** The address of a link on this host: the server may know itself by another name than the browser does. */
export function local(href: string): string {
  const url = new URL(href, location.href);
  return url.pathname + url.search;
}

/** The bytes behind a link. */
export const fetched = (link: Link, signal?: AbortSignal): Promise<ArrayBuffer> => bytes(local(link.href), signal);

/** The text behind a link. */
export const text = async (link: Link, signal?: AbortSignal): Promise<string> => new TextDecoder().decode(await fetched(link, signal));

/** A JSON document behind a link. */
export const document = async <T>(link: Link, signal?: AbortSignal): Promise<T> => JSON.parse(await text(link, signal)) as T;

/** The name that a link gives its file. */
export const fileName = (link: Link): string => link.name ?? decodeURIComponent(local(link.href).split("/").pop() ?? "file");

/** A link whose file ends so. */
export const linked = (answer: { links?: Link[] }, ending: string): Link | undefined =>
  answer.links?.find((link) => fileName(link).toLowerCase().endsWith(ending));

/** Hands a file to the person. */
export function handOver(content: BlobPart, name: string, type: string): void {
  const link = window.document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Calls a tool; where its lists were cut, the whole answer is fetched from the file that has it. */
export async function ask<T>(context: Context, tool: string, args: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Linked<T>> {
  const answer = await context.call<Linked<T>>(tool, args, signal);
  const whole = answer.omitted?.length ? linked(answer, `${tool}.json`) : undefined;
  return whole ? { ...answer, ...(await document<T>(whole, signal)) } : answer;
}

/** Arguments of a call that is about a session, or about no model at all: nothing of what is shown is added. */
export const alone = (args: Record<string, unknown>): Record<string, unknown> => ({ model_id: undefined, model_version: undefined, ...args });

/** Arguments of a call that changes the shown model: it goes on the branch's newest version, not on the one that is looked at. */
export const change = (context: Context, args: Record<string, unknown>): Record<string, unknown> => ({
  model_id: context.shown()?.model,
  model_version: undefined,
  ...args,
});

const TYPES: Record<string, string> = {
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  dxf: "image/vnd.dxf",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** Hands the file behind a link to the person. */
export async function save(link: Link, signal?: AbortSignal): Promise<void> {
  const name = fileName(link);
  handOver(await fetched(link, signal), name, TYPES[name.split(".").pop()?.toLowerCase() ?? ""] ?? "application/octet-stream");
}

/** A file that was uploaded, or that a tool made. */
export interface Stored {
  name: string;
  bucket_key: string;
  uploaded_at: string;
  model_version?: string;
}

/** The files of this account, the latest first: as many pages as a thousand files take. */
export async function files(context: Context, signal?: AbortSignal): Promise<Stored[]> {
  const found: Stored[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 10; page++) {
    const next: { files: Stored[]; next_cursor?: string } = await context.call("list_files", alone({ limit: 100, ...(cursor ? { cursor } : {}) }), signal);
    found.push(...next.files);
    cursor = next.next_cursor;
    if (!cursor) break;
  }
  return found;
}

/** The link of a stored file. */
export const linkOf = (file: Stored): Link => ({ href: paths.file(file.bucket_key), name: file.name });
