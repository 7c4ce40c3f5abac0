// The properties of the selected element, at the right.

import * as api from "./api";
import { h, icon } from "./dom";
import { sections } from "./properties";
import { label, type Node } from "./tree";

export class Panel {
  private readonly body = h("div", { class: "properties" });
  private readonly head = h("div", { class: "title" });
  readonly element = h("aside", { class: "panel", hidden: true, "aria-label": "Properties" }, this.head, this.body);
  private asked = "";

  constructor(private readonly onClose: () => void) {}

  /** Shows an element: what the tree knows at once, the rest when it comes. */
  async open(model: string, version: string, id: string, node: Node | undefined) {
    const key = `${model}/${version}/${id}`;
    this.element.hidden = false;
    document.body.classList.add("with-panel");
    if (key === this.asked) return;
    this.asked = key;
    this.heading(node?.name ?? "", node?.class ?? "", id);
    try {
      const document = await api.json<Record<string, unknown>>(api.paths.element(model, version, id));
      if (this.asked !== key) return;
      const text = (k: string) => (typeof document[k] === "string" ? (document[k] as string) : "");
      this.heading(text("name") || (node?.name ?? ""), text("class") || (node?.class ?? ""), id);
      this.body.replaceChildren(
        ...sections(document).map((s) =>
          h(
            "details",
            { open: true },
            h("summary", {}, s.title),
            h(
              "dl",
              {},
              ...s.rows.map((r) =>
                h("div", {}, h("dt", { title: r.name }, r.name), h("dd", {}, r.value, r.unit ? h("span", { class: "unit" }, ` ${r.unit}`) : undefined)),
              ),
            ),
          ),
        ),
      );
    } catch (error) {
      if (this.asked === key) this.body.replaceChildren(h("p", { class: "more" }, error instanceof Error ? error.message : String(error)));
    }
  }

  /** Hides the panel. */
  close() {
    this.asked = "";
    this.element.hidden = true;
    document.body.classList.remove("with-panel");
  }

  private heading(name: string, className: string, id: string) {
    const copy = h("button", { class: "quiet", title: "Copy the GlobalId", onclick: () => void navigator.clipboard.writeText(id) }, icon("copy"));
    this.head.replaceChildren(
      h("div", { class: "top" }, h("span", { class: "badge" }, label(className) || "Element"), h("button", { class: "quiet", title: "Close (Esc)", onclick: () => this.onClose() }, icon("close"))),
      h("h2", {}, name || label(className)),
      h("p", { class: "guid" }, h("code", {}, id), copy),
    );
  }
}
