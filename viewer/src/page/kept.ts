// What this browser remembers of how somebody works: widths, what is open, saved views. Nothing of it is needed.

export function recall<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`pensaer-${name}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(`pensaer-${name}`, JSON.stringify(value));
  } catch {
    // a full or forbidden store costs the memory alone
  }
}
