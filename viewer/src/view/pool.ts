// The worker that prepares tiles. Where none may be started (a page in one file under a strict policy), the page does it itself.

import type { Prepared } from "./prepare";

interface Answer {
  id: number;
  prepared?: Prepared;
  message?: string;
}

export class Pool {
  private workers: Worker[] | undefined = [];
  private readonly waiting = new Map<number, { resolve: (p: Prepared) => void; reject: (e: Error) => void; data: ArrayBuffer | undefined }>();
  private next = 0;

  constructor(private readonly most = Math.max(1, Math.min(3, (navigator.hardwareConcurrency || 2) - 1))) {}

  async prepare(data: ArrayBuffer): Promise<Prepared> {
    const worker = this.worker();
    if (!worker) return (await import("./prepare")).prepare(data);
    const id = ++this.next;
    return new Promise((resolve, reject) => {
      // the bytes are copied, not given away, so that the page can take over from a worker that does not start
      this.waiting.set(id, { resolve, reject, data });
      worker.postMessage({ id, data });
    });
  }

  private worker(): Worker | undefined {
    if (!this.workers) return undefined;
    const free = this.workers.length >= this.most ? this.workers[this.next % this.most] : undefined;
    if (free) return free;
    try {
      const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
      worker.onmessage = (e: MessageEvent<Answer>) => this.answer(e.data);
      worker.onerror = () => void this.alone();
      this.workers.push(worker);
      return worker;
    } catch {
      this.workers = undefined;
      return undefined;
    }
  }

  private answer({ id, prepared, message }: Answer) {
    const one = this.waiting.get(id);
    this.waiting.delete(id);
    if (prepared) one?.resolve(prepared);
    else one?.reject(new Error(message ?? "a tile could not be read"));
  }

  /** Without workers from here on. */
  private async alone() {
    this.workers?.forEach((w) => w.terminate());
    this.workers = undefined;
    const { prepare } = await import("./prepare");
    for (const [id, { resolve, reject, data }] of [...this.waiting]) {
      this.waiting.delete(id);
      try {
        if (data) resolve(prepare(data));
      } catch (error) {
        reject(error as Error);
      }
    }
  }

  dispose() {
    this.workers?.forEach((w) => w.terminate());
    this.workers = [];
    for (const { reject } of this.waiting.values()) reject(new Error("the view is closed"));
    this.waiting.clear();
  }
}
