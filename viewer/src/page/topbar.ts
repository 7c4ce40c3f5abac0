// The bar at the top: which model at which version, the link to what is seen, downloads, who one is.

import * as api from "../api";
import { h, icon, iconButton, when, words } from "../dom";
import * as key from "../key";
import { HEAD, type App } from "./app";
import { help } from "./help";
import { menu, popover } from "./menu";
import type { Sight } from "./state";

export class TopBar {
  private readonly name = h("span", { class: "switch-name" });
  private readonly at = h("span", { class: "switch-version" });
  private readonly button = h("button", { type: "button", class: "switch", "aria-haspopup": "dialog", "aria-expanded": "false", title: "Model and version", onclick: () => this.open() }, this.name, this.at, icon("chevron"));
  private readonly latest = h("button", { type: "button", class: "link latest", hidden: true, onclick: () => this.toLatest() }, "Show the latest");
  private readonly download = h("button", { type: "button", class: "button", title: "Download", "aria-label": "Download", onclick: () => this.downloads() }, icon("download"), h("span", {}, "Download"));
  private readonly share = h("button", { type: "button", class: "button", title: "Copy a link to what is seen", "aria-label": "Share", onclick: () => this.link() }, icon("link"), h("span", {}, "Share"));
  private readonly account = iconButton("key", "Who is signed in", () => this.who());

  constructor(
    private readonly app: App,
    private readonly sight: Sight,
    bar: HTMLElement,
  ) {
    bar.append(
      h("a", { class: "brand", href: "/viewer", title: "Pensaer" }, h("span", { class: "mark" }), h("span", { class: "brand-name" }, "Pensaer")),
      this.button,
      this.latest,
      h("span", { class: "gap" }),
      this.share,
      this.download,
      iconButton("help", "Keys (?)", () => help()),
      this.account,
    );
    app.on("shown", () => this.draw());
    app.on("models", () => this.draw());
    app.on("commit", () => this.draw());
    this.draw();
  }

  private draw(): void {
    const one = this.app.current();
    this.name.textContent = one?.shown.name ?? "No model";
    const record = one && this.app.models.find((m) => m.model_id === one.shown.model);
    const line = !one ? "" : one.line === HEAD ? "Latest" : one.line.length === 64 ? `Version ${one.line.slice(0, 8)}` : one.line;
    const others = this.app.all().length - 1;
    this.at.textContent = others > 0 ? `${line} · ${others} more` : line;
    this.latest.hidden = !one || one.line === HEAD || (one.line.length === 64 && record?.head === one.line);
    this.share.disabled = this.download.disabled = !one;
    document.title = one ? `${one.shown.name} – Pensaer` : "Pensaer viewer";
  }

  private toLatest(): void {
    const model = this.app.shown()?.model;
    if (model) void this.app.open(model).catch(this.app.fail);
  }

  /** Models with a search, and the last versions of the one that is shown. */
  private open(): void {
    popover(this.button, "Model and version", (box, close) => {
      const search = h("input", { type: "search", placeholder: "Find a model", "aria-label": "Find a model", oninput: () => draw() });
      const models = h("div", { class: "choices", role: "listbox", "aria-label": "Models" });
      const versions = h("div", { class: "choices", role: "listbox", "aria-label": "Versions" });
      const go = (model: string, line: string) => {
        close();
        void this.app.open(model, line).catch(this.app.fail);
      };
      const draw = () => {
        const wanted = search.value.toLowerCase();
        const found = this.app.models.filter((m) => m.name.toLowerCase().includes(wanted)).slice(0, 100);
        models.replaceChildren(
          ...found.map((m) =>
            h(
              "button",
              { type: "button", role: "option", "aria-selected": String(m.model_id === this.app.shown()?.model), onclick: () => go(m.model_id, HEAD) },
              h("span", {}, m.name),
              h("span", { class: "what" }, m.kind === "energyplus" ? "EnergyPlus" : m.changed_ms ? when(m.changed_ms) : ""),
            ),
          ),
          ...(found.length === 0 ? [h("p", { class: "more" }, "No such model.")] : []),
        );
      };
      draw();
      box.classList.add("switcher");
      box.append(h("h2", {}, "Model"), search, models);
      const one = this.app.current();
      if (!one) return;
      box.append(h("h2", {}, "Version"), versions);
      versions.append(h("button", { type: "button", role: "option", "aria-selected": String(one.line === HEAD), onclick: () => go(one.shown.model, HEAD) }, h("span", {}, "Latest, as it changes")));
      void api.json<unknown>(api.paths.versions(one.shown.model, undefined, 20)).then((page) => {
        versions.append(
          ...api.rows<api.VersionRecord>(page, "versions").rows.map((v) =>
            h(
              "button",
              { type: "button", role: "option", "aria-selected": String(one.line === v.version), onclick: () => go(one.shown.model, v.version) },
              h("span", {}, words(v.event_type ?? v.tool ?? "Version")),
              h("span", { class: "what" }, `${v.author ?? ""} · ${when(v.time_ms)}`),
            ),
          ),
        );
      }, this.app.fail);
    });
  }

  private link(): void {
    const address = location.origin + this.sight.address(true);
    history.replaceState(history.state, "", this.sight.address(true));
    void navigator.clipboard.writeText(address).then(
      () => this.app.toast("Link copied: it opens to this sight."),
      () => this.app.toast("The address of this page is the link."),
    );
  }

  private downloads(): void {
    const one = this.app.current();
    if (!one) return;
    const { model, version, kind } = one.shown;
    const save = (format?: string) => void api.save(api.paths.download(model, version, format)).catch(this.app.fail);
    const picture = () => {
      const link = h("a", { href: this.app.view.picture(1920, 1200), download: `${one.shown.name}.png` });
      link.click();
    };
    const bcf = async () => {
      const made = await this.app.call<{ links?: { href: string }[] }>("export_bcf", { kept: true });
      const href = made.links?.[0]?.href;
      if (href) await api.save(api.own(href));
    };
    menu(this.download, "Download", [
      { label: kind === "ifc" ? "IFC" : "EnergyPlus", icon: "download", act: () => save() },
      ...(kind === "ifc"
        ? [
            { label: "ifcZIP", icon: "download", act: () => save("ifczip") },
            { label: "glTF (GLB)", icon: "cube", act: () => save("glb") },
            { label: "Topics as BCF", icon: "topic", act: () => void bcf().catch(this.app.fail) },
            { label: "Picture of this view", icon: "camera", act: picture },
          ]
        : []),
    ]);
  }

  private who(): void {
    popover(this.account, "Who is signed in", (box) => {
      const { person } = this.app;
      const actions = [...new Set((person?.may ?? []).flatMap((m) => m.actions))];
      box.append(
        h("h2", {}, person?.name ?? "Nobody"),
        ...(person ? [h("p", { class: "what" }, `${person.roles.join(", ")}: may ${actions.join(", ")}`)] : []),
        ...(key.isKept()
          ? [
              h(
                "button",
                {
                  type: "button",
                  class: "button",
                  onclick: () => {
                    key.forget();
                    location.reload();
                  },
                },
                icon("signout"),
                "Sign out",
              ),
            ]
          : [h("p", { class: "note" }, "Without a key, as this machine's user.")]),
      );
    });
  }
}
