// Prepares tiles beside the page.

import { buffersOf, prepare } from "./prepare";

const scope = self as unknown as { onmessage: (e: MessageEvent<{ id: number; data: ArrayBuffer }>) => void; postMessage(m: unknown, t?: ArrayBuffer[]): void };

scope.onmessage = ({ data: { id, data } }) => {
  try {
    const prepared = prepare(data);
    scope.postMessage({ id, prepared }, buffersOf(prepared));
  } catch (error) {
    scope.postMessage({ id, message: error instanceof Error ? error.message : String(error) });
  }
};
