// The key of the user of this machine. A link brings it in its fragment, which no server sees; it is kept for this tab alone, and sent with
// every request.

const PLACE = "pensaer-key";

/** Takes the key out of an address's fragment; answers the address without it. */
export function taken(hash: string): { key?: string; rest: string } {
  const parts = hash.replace(/^#/, "").split("&").filter(Boolean);
  const at = parts.findIndex((part) => part.startsWith("key="));
  if (at < 0) return { rest: hash };
  const [part] = parts.splice(at, 1);
  return { key: decodeURIComponent(part!.slice("key=".length)), rest: parts.length > 0 ? `#${parts.join("&")}` : "" };
}

/** Keeps the key that the page's address brings, and takes it out of the address. */
export function takeFromAddress(): void {
  const { key, rest } = taken(location.hash);
  if (!key) return;
  keep(key);
  history.replaceState(history.state, "", location.pathname + location.search + rest);
}

/** Keeps a key for this tab. */
export function keep(key: string): void {
  sessionStorage.setItem(PLACE, key.trim());
}

/** Whether a key is kept. */
export const isKept = (): boolean => sessionStorage.getItem(PLACE) !== null;

/** Forgets the key. */
export function forget(): void {
  sessionStorage.removeItem(PLACE);
}

/** The headers that show the key, if there is one. */
export function headers(): Record<string, string> {
  const key = sessionStorage.getItem(PLACE);
  return key ? { "x-api-key": key } : {};
}
