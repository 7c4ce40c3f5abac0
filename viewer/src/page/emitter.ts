// Who wants to know, and telling them.

type Listener = (...args: never[]) => void;

export class Emitter<E> {
  private readonly listeners = new Map<keyof E, Set<Listener>>();

  on<K extends keyof E>(event: K, listener: E[K]): () => void {
    const set = this.listeners.get(event) ?? new Set<Listener>();
    this.listeners.set(event, set);
    set.add(listener as Listener);
    return () => void set.delete(listener as Listener);
  }

  emit<K extends keyof E>(event: K, ...args: E[K] extends (...a: infer A) => void ? A : never): void {
    // a listener may take itself away while it is told
    for (const listener of [...(this.listeners.get(event) ?? [])]) (listener as (...a: unknown[]) => void)(...args);
  }
}
