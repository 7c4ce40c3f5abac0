// Energy: the zones and surfaces of a model, its simulations, their results over zones and time, and runs beside each other.

import type { Context } from "../../page/context";
import { h } from "../../dom";
import { closeDock } from "../dock";
import { awaited, button, choice, count, number, said, state, tabs, type Choice } from "../ui";
import { comparePage } from "./compare";
import { modelPage } from "./model";
import { resultsPage } from "./results";
import { list, type Run } from "./runs";
import { runsPage } from "./running";
import { buildingSubject, derived, makeModel, shownSubject, type Derived, type Made, type Subject } from "./subject";
import { statedSection } from "./stated";

/** What the pages of the panel share. */
export interface Energy {
  context: Context;
  host: HTMLElement;
  subject: Subject;
  runs: Run[];
  /** The run that is looked at. */
  chosen: Run | undefined;
  choose(run: Run): void;
  refresh(): Promise<void>;
}

export function open(host: HTMLElement, context: Context): () => void {
  const place = h("div", { class: "p-panel" });
  host.append(place);
  let stop: (() => void) | undefined;
  let close: (() => void) | undefined;
  let model: string | undefined;

  function begin(): void {
    stop?.();
    close?.();
    close = undefined;
    const shown = context.shown();
    if (!shown) {
      place.replaceChildren();
      return;
    }
    if (shown.kind === "energyplus") stop = awaited(place, "Reading the zones…", (signal) => shownSubject(context, signal), withSubject);
    else stop = awaited(place, "Looking for energy models of this building…", (signal) => derived(context, shown.model, signal), withBuilding);
  }

  // written to the building while one looks on
  const stated = h("div", {});

  function withBuilding(models: Derived[], made?: Made): void {
    const below = h("div", {});
    const head = h("section", { class: "p-section" });
    stated.replaceChildren(statedSection(context));
    place.replaceChildren(head, stated, below);
    if (made) head.append(madeWords(made));
    if (models.length === 0) {
      head.append(h("p", {}, "No energy model was made of this building yet. One is made of its rooms: zones, surfaces with what is behind them, windows, constructions, loads; every assumption is listed."));
    } else {
      if (!models.some((m) => m.model === model)) model = models[0]?.model;
      const choices = models.map((m, i): Choice => [m.model, models.length > 1 ? `${m.name} (${i + 1} of ${models.length})` : m.name]);
      head.append(h("div", { class: "p-row" }, choice("Energy model", choices, model ?? "", (v) => { model = v; withBuilding(models, made); }), button("Open", () => void context.open(model ?? "").catch((e: unknown) => context.toast(said(e), { bad: true })))));
      const entry = models.find((m) => m.model === model);
      if (entry) {
        close?.();
        stop = awaited(below, "Reading the zones…", (signal) => buildingSubject(context, entry, signal), (subject) => withSubject(subject, below));
      }
    }
    if (context.may("ifc_to_energy_model")) {
      const press = button(models.length === 0 ? "Make an energy model" : "Make another", () => {
        press.disabled = true;
        press.textContent = "Making the energy model…";
        makeModel(context)
          .then(async (next) => {
            model = next.model_id;
            const shown = context.shown();
            withBuilding(shown ? await derived(context, shown.model) : models, next);
          })
          .catch((error: unknown) => {
            head.append(state("bad", said(error)));
            press.disabled = false;
            press.textContent = "Make an energy model";
          });
      }, { primary: models.length === 0 });
      head.append(press);
    }
  }

  function withSubject(subject: Subject, into: HTMLElement = place): void {
    const energy: Energy = {
      context,
      host,
      subject,
      runs: [],
      chosen: undefined,
      choose(run) {
        energy.chosen = run;
        all.show("results");
      },
      async refresh() {
        energy.runs = await list(context, subject.model);
        energy.chosen = energy.runs.find((r) => r.job === energy.chosen?.job) ?? energy.runs[0];
      },
    };
    const all = tabs("Energy", [
      { id: "zones", title: "Zones", open: (pane) => modelPage(pane, energy) },
      { id: "runs", title: "Runs", open: (pane) => runsPage(pane, energy) },
      { id: "results", title: "Results", open: (pane) => resultsPage(pane, energy) },
      { id: "compare", title: "Compare", open: (pane) => comparePage(pane, energy) },
    ]);
    into.append(all.element);
    all.show("zones");
    close = all.close;
    // runs are known by the time that somebody asks for them
    energy.refresh().catch(() => undefined);
  }

  let seen = context.shown()?.model;
  const off = context.on("shown", (shown) => {
    // another version of the same building has the same energy models
    if (shown?.model === seen && shown?.kind === "ifc") {
      stated.replaceChildren(statedSection(context));
      return;
    }
    seen = shown?.model;
    closeDock();
    begin();
  });
  begin();
  return () => {
    off();
    stop?.();
    close?.();
    closeDock();
    place.remove();
  };
}

function madeWords(made: Made): HTMLElement {
  const { zones = 0, surfaces = 0, windows = 0 } = made.counts ?? {};
  return h(
    "div", {},
    h("p", { class: "p-verdict good" }, `Made: ${count(zones, "zone")}, ${count(surfaces, "surface")}, ${count(windows, "window")}.`),
    made.findings.length > 0 && h("details", { class: "p-fold" }, h("summary", {}, `Not carried over (${made.findings.length})`), h("ul", { class: "p-list" }, ...made.findings.map((f) => h("li", {}, `${f.where}: ${f.message}`)))),
    h(
      "details", { class: "p-fold" }, h("summary", {}, `Assumed (${made.assumptions.length})`),
      h("ul", { class: "p-list" }, ...made.assumptions.map((a) => h("li", {}, `${a.what}: ${a.value ?? ""}`, h("span", { class: "p-note block" }, [a.count && a.count > 1 ? `${number(a.count, 0)} times` : "", a.source ?? "", a.why ?? ""].filter(Boolean).join("; "))))),
    ),
  );
}
