// The keys of the page. Where one types, they are letters.

import type { App } from "./app";
import { help } from "./help";
import type { Layout } from "./layout";
import { closeMenu } from "./menu";
import { SIDES, type Toolbar } from "./toolbar";

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && !["checkbox", "radio", "range"].includes(target.type)) || (target instanceof HTMLElement && target.isContentEditable);

export function shortcuts(app: App, layout: Layout, toolbar: Toolbar): void {
  let walking = false;
  app.view.on("mode", (mode) => (walking = mode === "walk"));
  const all = () => app.expand(app.selection());
  const letters: Record<string, () => void> = {
    f: () => toolbar.fit(),
    h: () => app.visibility.hide(all()),
    i: () => app.visibility.isolate(all().length > 0 && !app.visibility.isolated ? all() : undefined),
    g: () => app.visibility.ghost(all()),
    a: () => app.visibility.showAll(),
    m: () => toolbar.openFor("measure"),
    s: () => toolbar.openFor("section"),
    p: () => toolbar.openFor("plan"),
    w: () => toolbar.toggle("walk"),
    "?": () => help(),
    "/": () => {
      layout.show("find");
      document.querySelector<HTMLInputElement>(".find-field")?.focus();
    },
  };
  SIDES.forEach(([side], i) => (letters[String(i + 1)] = () => toolbar.side(side)));
  addEventListener("keydown", (e) => {
    if (e.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (e.key === "Escape") {
      if (closeMenu() || toolbar.leave()) return;
      return app.select([]);
    }
    if (isTyping(e.target) || e.altKey) return;
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z" && !e.shiftKey) {
      const last = app.own.at(-1);
      if (!last) return;
      e.preventDefault();
      void app.undo(last.model, last.version).then(() => app.toast("Taken back."), app.fail);
      return;
    }
    if (e.ctrlKey || e.metaKey) return;
    // one who walks has the letters for the feet
    if (walking && /^[wasdqe]$/i.test(e.key)) return;
    const act = letters[e.key.toLowerCase()];
    if (!act || !app.shown()) return;
    e.preventDefault();
    act();
  });
}
