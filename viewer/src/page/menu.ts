// Small things that open at a button: menus and popovers. One is open at a time; Esc and a click elsewhere close it.

import { h, icon } from "../dom";

let closing: (() => void) | undefined;

/** Closes what is open; true where something was. */
export function closeMenu(): boolean {
  const was = closing !== undefined;
  closing?.();
  return was;
}

/** Opens a box at a button; `fill` gets it and a function that closes it. Again at the same button closes it. */
export function popover(anchor: HTMLElement, label: string, fill: (box: HTMLElement, close: () => void) => void, kind = "popover"): void {
  const again = anchor.getAttribute("aria-expanded") === "true";
  closing?.();
  if (again) return;
  const box = h("div", { class: kind, role: kind === "menu" ? "menu" : "dialog", "aria-label": label, tabindex: "-1" });
  const close = () => {
    if (closing !== close) return;
    closing = undefined;
    removeEventListener("pointerdown", outside, true);
    removeEventListener("resize", place);
    anchor.setAttribute("aria-expanded", "false");
    const inside = box.contains(document.activeElement);
    box.remove();
    if (inside) anchor.focus();
  };
  const outside = (e: Event) => {
    const at = e.target as globalThis.Node;
    if (!box.contains(at) && !anchor.contains(at)) close();
  };
  const place = () => {
    const [to, own] = [anchor.getBoundingClientRect(), box.getBoundingClientRect()];
    const below = to.bottom + 6 + own.height <= innerHeight;
    // under a wide button it begins where that does
    const left = to.width > 100 ? to.left : to.left + to.width / 2 - own.width / 2;
    box.style.left = `${Math.max(8, Math.min(innerWidth - own.width - 8, left))}px`;
    box.style.top = `${below ? to.bottom + 6 : Math.max(8, to.top - own.height - 6)}px`;
  };
  box.addEventListener("keydown", (e) => {
    if (e.key === "Escape") {
      e.stopPropagation();
      close();
    }
    if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
    const items = [...box.querySelectorAll<HTMLElement>("button:not(:disabled), a")];
    if (kind !== "menu" || items.length === 0) return;
    e.preventDefault();
    const at = items.indexOf(document.activeElement as HTMLElement);
    items[(at + (e.key === "ArrowDown" ? 1 : items.length - 1) + (at < 0 && e.key === "ArrowUp" ? 1 : 0)) % items.length]?.focus();
  });
  closing = close;
  document.body.append(box);
  fill(box, close);
  anchor.setAttribute("aria-expanded", "true");
  place();
  new ResizeObserver(place).observe(box);
  addEventListener("pointerdown", outside, true);
  addEventListener("resize", place);
  (box.querySelector<HTMLElement>("[autofocus], input, button, select") ?? box).focus();
}

export interface Item {
  label: string;
  icon?: string;
  note?: string;
  pressed?: boolean;
  act(): void;
}

/** A menu of things to do; `undefined` is a rule between them. */
export function menu(anchor: HTMLElement, label: string, items: (Item | undefined)[]): void {
  popover(
    anchor,
    label,
    (box, close) => {
      for (const item of items) {
        if (!item) {
          box.append(h("hr"));
          continue;
        }
        const role = item.pressed === undefined ? "menuitem" : "menuitemcheckbox";
        const act = () => {
          close();
          item.act();
        };
        box.append(
          h(
            "button",
            { type: "button", role, "aria-checked": item.pressed === undefined ? undefined : String(item.pressed), onclick: act },
            item.icon !== undefined && icon(item.icon),
            h("span", {}, item.label),
            item.note !== undefined && h("kbd", {}, item.note),
            item.pressed === true && icon("check"),
          ),
        );
      }
    },
    "menu",
  );
}

/** Asks for a text in a small dialog; undefined where it was given up. */
export function ask(title: string, options: { label: string; value?: string; action: string; why?: string; area?: boolean }): Promise<string | undefined> {
  return new Promise((resolve) => {
    const value = options.value ?? "";
    const field = options.area
      ? h("textarea", { rows: "3", "aria-label": options.label, placeholder: options.label })
      : h("input", { type: "text", "aria-label": options.label, placeholder: options.label, autocomplete: "off" });
    field.value = value;
    const done = (answer: string | undefined) => {
      dialog.close();
      dialog.remove();
      resolve(answer);
    };
    const dialog = h(
      "dialog",
      { class: "ask", "aria-label": title },
      h(
        "form",
        {
          onsubmit: (e) => {
            e.preventDefault();
            done(field.value);
          },
        },
        h("h2", {}, title),
        options.why !== undefined && h("p", {}, options.why),
        field,
        h("footer", {}, h("button", { type: "button", class: "button", onclick: () => done(undefined) }, "Cancel"), h("button", { type: "submit", class: "button primary" }, options.action)),
      ),
    );
    dialog.addEventListener("cancel", (e) => {
      e.preventDefault();
      done(undefined);
    });
    document.body.append(dialog);
    dialog.showModal();
    field.select();
  });
}

/** Asks whether to go on. */
export function confirm(title: string, why: string, action: string): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (answer: boolean) => {
      dialog.close();
      dialog.remove();
      resolve(answer);
    };
    const dialog = h(
      "dialog",
      { class: "ask", "aria-label": title },
      h("h2", {}, title),
      h("p", {}, why),
      h("footer", {}, h("button", { type: "button", class: "button", onclick: () => done(false) }, "Cancel"), h("button", { type: "button", class: "button primary", onclick: () => done(true) }, action)),
    );
    dialog.addEventListener("cancel", (e) => {
      e.preventDefault();
      done(false);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
