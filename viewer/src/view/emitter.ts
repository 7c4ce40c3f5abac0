// Who listens to what the view tells.

import type { Events } from "./types";

export class Emitter {
  private readonly listeners: { [K in keyof Events]?: Set<Events[K]> } = {};

  on<K extends keyof Events>(event: K, listener: Events[K]): () => void {
    const set = (this.listeners[event] ??= new Set() as never) as Set<Events[K]>;
    set.add(listener);
    return () => void set.delete(listener);
  }

  tell<K extends keyof Events>(event: K, ...args: Parameters<Events[K]>) {
    for (const listener of [...((this.listeners[event] ?? []) as Iterable<(...a: Parameters<Events[K]>) => void>)]) {
      // a panel that fails must not stop the picture
      try {
        listener(...args);
      } catch (error) {
        console.error(error);
      }
    }
  }
}
