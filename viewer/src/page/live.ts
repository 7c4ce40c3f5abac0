// Following a model: its events as they come, with a connection that comes back by itself and goes on where it was.

import * as api from "../api";
import type { Commit } from "./context";

/** One event of a stream of server-sent events. */
export interface Sent {
  id?: string;
  event?: string;
  data: string;
}

/** Takes whole events off the text that has come; answers what is left of it. */
export function takeEvents(text: string): { events: Sent[]; rest: string } {
  const events: Sent[] = [];
  const blocks = text.replace(/\r\n?/g, "\n").split("\n\n");
  const rest = blocks.pop() ?? "";
  for (const block of blocks) {
    const sent: Sent = { data: "" };
    const data: string[] = [];
    for (const line of block.split("\n")) {
      const at = line.indexOf(":");
      if (at <= 0) continue;
      const value = line.slice(at + 1).replace(/^ /, "");
      const field = line.slice(0, at);
      if (field === "data") data.push(value);
      else if (field === "id") sent.id = value;
      else if (field === "event") sent.event = value;
    }
    if (data.length > 0) events.push({ ...sent, data: data.join("\n") });
  }
  return { events, rest };
}

/** What an event says, where it made a version. */
export function commitOf(sent: Sent): (Commit & { branch: string; kind: string }) | undefined {
  let event: Record<string, unknown>;
  try {
    event = JSON.parse(sent.data) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const text = (name: string) => (typeof event[name] === "string" ? (event[name] as string) : undefined);
  const [model, version] = [text("model_id"), text("version")];
  if (!model || !version) return undefined;
  const reasoning = text("reasoning");
  return {
    model,
    version,
    branch: text("branch") ?? "main",
    kind: text("event_type") ?? "",
    tool: text("tool") ?? text("event_type") ?? "",
    author: text("actor") ?? "",
    ...(reasoning ? { reasoning } : {}),
    time_ms: typeof event["time_ms"] === "number" ? event["time_ms"] : Date.now(),
  };
}

/** Milliseconds until the next try: longer each time, up to half a minute. */
export const wait = (tries: number): number => Math.min(30_000, 1000 * 2 ** Math.min(tries, 5));

export interface Following {
  commit(event: Commit & { branch: string; kind: string }): void;
  /** Any other event: a branch, an approval. */
  other(kind: string): void;
  /** Whether the connection stands. */
  standing(is: boolean): void;
}

/** Follows one model at a time. */
export class Live {
  private stop: AbortController | undefined;
  private model: string | undefined;
  private last: number | undefined;

  constructor(private readonly tell: Following) {
    document.addEventListener("visibilitychange", () => {
      // a browser grants few connections to all its tabs, so one that nobody looks at gives its own back
      if (document.hidden) this.stop?.abort();
      else if (this.model !== undefined) void this.run(this.model);
    });
    addEventListener("online", () => this.model !== undefined && void this.run(this.model));
  }

  follow(model: string | undefined): void {
    if (model === this.model) return;
    this.model = model;
    this.last = undefined;
    this.stop?.abort();
    if (model !== undefined) void this.run(model);
  }

  private async run(model: string): Promise<void> {
    this.stop?.abort();
    const stop = (this.stop = new AbortController());
    for (let tries = 0; !stop.signal.aborted; tries++) {
      try {
        const reader = (await api.stream(api.paths.events(model, this.last), stop.signal)).getReader();
        this.tell.standing(true);
        tries = 0;
        await this.read(reader, stop.signal);
      } catch (error) {
        if (stop.signal.aborted) return;
        if (error instanceof api.Refusal && (error.status === 401 || error.status === 403)) return;
      }
      if (stop.signal.aborted) return;
      this.tell.standing(false);
      await new Promise((resolve) => setTimeout(resolve, wait(tries)));
    }
  }

  private async read(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal): Promise<void> {
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done || signal.aborted) return;
      text += decoder.decode(value, { stream: true });
      const { events, rest } = takeEvents(text);
      text = rest;
      for (const sent of events) {
        const at = Number(sent.id);
        if (Number.isFinite(at)) this.last = at;
        const commit = commitOf(sent);
        if (commit) this.tell.commit(commit);
        else this.tell.other(sent.event ?? "");
      }
    }
  }
}
