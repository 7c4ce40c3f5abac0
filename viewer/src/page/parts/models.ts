// Models: which are in view, how they lie and look beside each other, and what can be brought in or taken out.

import * as api from "../../api";
import { button, h, icon, iconButton, when } from "../../dom";
import type { Point } from "../../view/types";
import type { App, Loaded } from "../app";
import type { Panel } from "../context";
import { menu } from "../menu";

const COLOURS = ["#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#9c755f"];

export function modelsPanel(app: App, choose: () => void): Pick<Panel, "open"> {
  return {
    open(host) {
      const filter = h("input", { type: "search", placeholder: "Find a model", "aria-label": "Find a model", oninput: () => draw() });
      const list = h("ul", { class: "models scroll" });
      const shown = (one: Loaded) => app.of(one.shown.model) !== undefined;
      const row = (record: api.ModelRecord) => {
        const one = app.of(record.model_id);
        const first = app.shown()?.model === record.model_id;
        const box = h("input", { type: "checkbox", "aria-label": `${record.name} in view`, checked: one !== undefined && shown(one) });
        box.disabled = first;
        box.addEventListener("change", () => {
          if (box.checked) void app.add(record.model_id).catch(app.fail);
          else app.take(record.model_id);
        });
        const what = [record.kind === "energyplus" ? "EnergyPlus" : "", record.changed_ms ? when(record.changed_ms) : ""].filter(Boolean).join(" · ");
        return h(
          "li",
          { class: `model${first ? " selected" : ""}`, "data-model": record.model_id },
          h(
            "div",
            { class: "model-line" },
            record.kind === "energyplus" ? icon("energy") : box,
            h("button", { type: "button", class: "model-name", title: "Open this model", onclick: () => void app.open(record.model_id).catch(app.fail) }, record.name),
            h("span", { class: "what" }, what),
            ...(one && record.kind !== "energyplus"
              ? [iconButton(one.visible ? "eye" : "hidden", one.visible ? "Hide" : "Show", () => app.adjust(record.model_id, { visible: !one.visible }))]
              : []),
          ),
          one && app.all().length > 1 ? placing(one) : undefined,
        );
      };
      const placing = (one: Loaded) => {
        const { model } = one.shown;
        const swatch = h("button", { type: "button", class: "quiet", title: "Colour of this model", "aria-label": `Colour of ${one.shown.name}`, onclick: () => colour() }, h("i", { class: "swatch" }));
        const mark = swatch.firstElementChild as HTMLElement;
        mark.style.background = one.colour ?? "transparent";
        const colour = () =>
          menu(swatch, "Colour", [
            { label: "As the file says", pressed: one.colour === undefined, act: () => app.adjust(model, { colour: undefined }) },
            ...COLOURS.map((value, i) => ({ label: `Colour ${i + 1}`, pressed: one.colour === value, act: () => app.adjust(model, { colour: value }) })),
          ]);
        const offset: Point = one.offset ? [...one.offset] : [0, 0, 0];
        const fields = (["X", "Y", "Z"] as const).map((axis, i) => {
          const field = h("input", { type: "number", step: "0.001", "aria-label": `${axis} offset of ${one.shown.name}, m`, value: String(offset[i as 0]) });
          field.addEventListener("change", () => {
            const value = Number(field.value);
            if (!Number.isFinite(value)) return;
            offset[i as 0] = value;
            app.adjust(model, { offset: [...offset] });
          });
          return h("label", {}, axis, field);
        });
        return h("div", { class: "placing" }, swatch, ...fields, h("span", { class: "unit" }, "m"));
      };
      const draw = () => {
        const wanted = filter.value.toLowerCase();
        const rows = app.models.filter((m) => m.name.toLowerCase().includes(wanted));
        list.replaceChildren(...(rows.length > 0 ? rows.map(row) : [h("li", { class: "empty-note" }, wanted ? "No model of this name." : "No model yet.")]));
      };
      const byModel = button("Colour by model", () => {
        app.all().forEach((one, i) => app.adjust(one.shown.model, { colour: one.colour ? undefined : (COLOURS[i % COLOURS.length] ?? "#888888") }));
      });
      const top = h("div", { class: "tools-row" }, filter, ...(app.may("load_model") ? [button("Upload", choose, { icon: "upload" })] : []));
      const below = h("div", { class: "tools-row" }, byModel);
      const federated = () => (below.hidden = app.all().length < 2);
      host.append(top, below, list);
      federated();
      draw();
      // what is typed into is not to be made anew under the hand
      const soon = () => {
        federated();
        if (!(document.activeElement instanceof HTMLInputElement && document.activeElement.closest(".placing"))) draw();
      };
      const ends = [app.on("models", soon), app.on("shown", soon)];
      return () => ends.forEach((end) => end());
    },
  };
}
