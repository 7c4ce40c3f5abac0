// What is fetched when it is first wanted, so that the first sight of a model does not wait for it.

import { h, message } from "../dom";
import type { Panel, Shown } from "./context";

/** Made at the first call, and kept. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    // what could not be fetched is tried again
    made.catch(() => (made = undefined));
    return made;
  };
}

/** A panel whose body comes when it is opened. */
export function later(id: string, title: string, icon: string, fits: (shown: Shown | undefined) => boolean, load: () => Promise<Pick<Panel, "open">>): Panel {
  return {
    id,
    title,
    icon,
    fits,
    open(host, context) {
      let close: (() => void) | undefined;
      let gone = false;
      const say = h("p", { class: "more", role: "status" }, "Opening …");
      host.append(say);
      load().then(
        (panel) => {
          if (gone) return;
          say.remove();
          close = panel.open(host, context);
        },
        (error: unknown) => (say.textContent = message(error)),
      );
      return () => {
        gone = true;
        close?.();
      };
    },
  };
}
