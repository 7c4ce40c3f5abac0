// The panels of rooms and ways, schedules, drawings and energy. Each is a name here; its body is fetched when it is first opened.

import type { Context, Panel, Shown } from "../page/context";
import { h } from "../dom";

type Body = { open(host: HTMLElement, context: Context): () => void };

/** A panel whose body comes when it is opened. */
function later(id: string, title: string, icon: string, fits: (shown: Shown) => boolean, load: () => Promise<Body>): Panel {
  return {
    id,
    title,
    icon,
    fits: (shown) => shown !== undefined && fits(shown),
    open(host, context) {
      let close: (() => void) | undefined;
      let gone = false;
      host.replaceChildren(h("p", { class: "more", role: "status" }, "Opening…"));
      load()
        .then((body) => {
          if (gone) return;
          host.replaceChildren();
          close = body.open(host, context);
        })
        .catch((error: unknown) => {
          if (!gone) host.replaceChildren(h("p", { class: "more", role: "alert" }, error instanceof Error ? error.message : String(error)));
        });
      return () => {
        gone = true;
        close?.();
        host.replaceChildren();
      };
    },
  };
}

const isBuilding = (shown: Shown) => shown.kind === "ifc";

export const panels: Panel[] = [
  later("rooms", "Rooms and ways", "rooms", isBuilding, () => import("./rooms/panel")),
  later("schedules", "Schedules and quantities", "schedule", isBuilding, () => import("./schedules/panel")),
  later("drawings", "Drawings and sheets", "sheet", isBuilding, () => import("./drawings/panel")),
  later("energy", "Energy", "energy", () => true, () => import("./energy/panel")),
];
