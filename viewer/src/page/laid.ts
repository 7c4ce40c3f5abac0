// What a link lays over the model: a way, rooms in colours, elements. The server keeps it beside the version; the legend says what it is.

import * as api from "../api";
import { length, readOverlay, type Overlay } from "../view/overlay";
import { keyOf } from "../view/types";
import type { App } from "./app";
import type { Legend } from "./legend";
import type { Sight } from "./state";

/** Fetches what is kept under a key and lays it over. */
export async function lay(app: App, sight: Sight, legend: Legend, at: string): Promise<void> {
  try {
    const document = await api.json<unknown>(api.paths.file(at));
    const overlay = readOverlay(document);
    if (!overlay) throw new Error("What this link was to show cannot be read.");
    show(app, sight, legend, overlay, document);
    sight.overlay = at;
    sight.changed();
  } catch (error) {
    const gone = error instanceof api.Refusal && error.status === 404;
    app.fail(gone ? new Error("What this link was to show is not kept any more. Ask for it again.") : error);
  }
}

function show(app: App, sight: Sight, legend: Legend, overlay: Overlay, document: unknown): void {
  const title = overlay.colours === "area" ? "Area of rooms" : overlay.colours === "depth" ? "Doors from outside" : overlay.path.length > 1 ? "Way" : "Highlighted";
  const model = app.shown()?.model ?? "";
  const highlighted = overlay.elements.map((id) => keyOf(model, id));
  app.view.overlay(document);
  const end = app.on("shown", () => legend.close());
  legend.show({
    title,
    rows: [
      ...overlay.legend.map((l) => ({ colour: l.colour, says: l.says, count: l.rooms === 1 ? "1 room" : `${l.rooms} rooms` })),
      ...(overlay.path.length > 1 ? [{ kind: "way", says: `Way, ${length(overlay.path).toFixed(1)} m` }] : []),
      ...(highlighted.length > 0 ? [{ kind: "chosen", says: highlighted.length === 1 ? "1 element" : `${highlighted.length} elements`, act: () => app.select(highlighted, { fit: true }) }] : []),
    ],
    close: () => {
      end();
      app.view.overlay(undefined);
      sight.overlay = undefined;
      sight.changed();
      if (app.shown()) app.view.fit({ side: "iso" });
    },
  });
}
