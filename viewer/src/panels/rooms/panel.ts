// Rooms and ways: the rooms with their measures and colours, how one gets from one to another, and the ways out.

import type { Context } from "../../page/context";
import { h } from "../../dom";
import { closeDock } from "../dock";
import { awaited, tabs } from "../ui";
import { loadRooms, type Rooms } from "./data";
import { egressPage } from "./egress";
import { listPage } from "./list";
import { painter } from "./paint";
import { waysPage } from "./ways";

export function open(host: HTMLElement, context: Context): () => void {
  const place = h("div", { class: "p-panel" });
  host.append(place);
  let close: (() => void) | undefined;
  let stop: (() => void) | undefined;
  let rooms: Rooms | undefined;
  let page = "list";
  const paint = painter(context, () => rooms);

  function begin(): void {
    stop?.();
    close?.();
    close = undefined;
    paint.clear();
    if (!context.shown()) return;
    stop = awaited(place, "Measuring the rooms…", () => loadRooms(context), (found) => {
      rooms = found;
      const remember = (id: string, body: (pane: HTMLElement) => () => void) => (pane: HTMLElement) => {
        page = id;
        return body(pane);
      };
      const pages = [
        { id: "list", title: "Rooms", open: remember("list", (pane) => listPage(pane, context, found, paint)) },
        ...(context.may("path_finding") ? [{ id: "ways", title: "Ways", open: remember("ways", (pane) => waysPage(pane, context, found, paint)) }] : []),
        ...(context.may("egress_analysis") ? [{ id: "egress", title: "Egress", open: remember("egress", (pane) => egressPage(pane, context, found, paint)) }] : []),
      ];
      const all = tabs("Rooms and ways", pages);
      place.append(all.element);
      all.show(pages.some((p) => p.id === page) ? page : "list");
      close = all.close;
    });
  }

  const off = context.on("shown", begin);
  begin();
  return () => {
    off();
    stop?.();
    close?.();
    closeDock();
    paint.clear();
    place.remove();
  };
}
