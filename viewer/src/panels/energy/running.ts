// Simulations: begin one on design days or over a year of a weather file, see how far it is, look at those that ended.

import { h } from "../../dom";
import * as key from "../../key";
import { alone, files } from "../server";
import { awaited, button, choice, fill, iconButton, number, said, state, type Choice } from "../ui";
import type { Energy } from "./panel";
import { isOver, nameOf, start, type Run, type Status } from "./runs";

const wish = { kind: "design" as Run["kind"], weather: "" };

export function runsPage(pane: HTMLElement, energy: Energy): () => void {
  const { context, subject } = energy;
  const control = new AbortController();
  const rows = h("div", {});
  const progress = h("div", { "aria-live": "polite" });
  let stop: (() => void) | undefined;

  const load = () => {
    stop?.();
    stop = awaited(rows, "Looking for runs…", () => energy.refresh(), () => {
      if (energy.runs.length === 0) rows.append(state("empty", "Nothing was simulated yet."));
      else rows.append(h("ul", { class: "p-list e-runs" }, ...energy.runs.map((run) => line(run))));
    });
  };

  function line(run: Run): HTMLElement {
    const { status } = run;
    const site = status.end_uses?.site_and_source?.find((s) => s.name === "Total Site Energy");
    const good = status.status === "completed" && !status.severe;
    return h(
      "li", { class: run.job === energy.chosen?.job ? "chosen" : undefined },
      h("button", { type: "button", class: "link", onclick: () => energy.choose(run) }, nameOf(run)),
      h("span", { class: good ? "p-note block" : "p-note block bad" }, [status.status, site && site.kwh > 0 ? `${number(site.kwh, 0)} kWh${site.kwh_per_m2 ? `, ${number(site.kwh_per_m2)} kWh/m²` : ""}` : "", `${status.warnings ?? 0} warnings, ${status.severe ?? 0} severe`].filter(Boolean).join("; ")),
    );
  }

  if (context.may("run_simulation")) {
    const weather = choice("Weather file", [["", "None"]], "", (v) => (wish.weather = v));
    const select = weather.lastChild as HTMLSelectElement;
    const weathers = async () => {
      const found = (await files(context, control.signal)).filter((f) => /\.epw$/i.test(f.name)).map((f): Choice => [f.bucket_key, f.name]);
      fill(select, [["", "None, or the session's"], ...found], wish.weather || (found[0]?.[0] ?? ""));
      wish.weather = select.value;
    };
    weathers().catch(() => undefined);
    const file = h("input", { type: "file", accept: ".epw", class: "visually-hidden", "aria-label": "EPW file", onchange: () => void send() });
    const send = async () => {
      const chosen = file.files?.[0];
      if (!chosen) return;
      try {
        const answer = await fetch(`/bucket/files?name=${encodeURIComponent(chosen.name)}`, { method: "POST", body: chosen, headers: { "content-type": "text/plain", ...key.headers() } });
        const body = (await answer.json()) as { bucket_key?: string; message?: string };
        if (!answer.ok || !body.bucket_key) throw new Error(body.message ?? answer.statusText);
        wish.weather = body.bucket_key;
        await weathers();
      } catch (error) {
        context.toast(said(error), { bad: true });
      }
    };
    const kinds: Choice[] = [["design", "Design days"], ["annual", "A year of weather"], ["stated", "As the model says"]];
    const press = button("Simulate", () => void run(), { primary: true });
    const run = async () => {
      press.disabled = true;
      try {
        const ended = await start(context, subject.model, wish.kind, wish.weather || undefined, (r) => tell(r.status), control.signal);
        if (control.signal.aborted) return;
        if (ended.status.status === "completed") {
          progress.replaceChildren();
          energy.runs = [ended, ...energy.runs];
          energy.choose(ended);
          return;
        }
        tell(ended.status);
        load();
      } catch (error) {
        progress.replaceChildren(state("bad", said(error)));
      } finally {
        press.disabled = false;
      }
    };
    pane.append(
      h(
        "section", { class: "p-section" }, h("h3", {}, "New run"),
        h("div", { class: "p-form" }, choice("Simulate", kinds, wish.kind, (v) => (wish.kind = v as Run["kind"])), weather),
        h("div", { class: "p-row" }, press, h("label", { class: "button" }, "Add an EPW file", file)), progress,
      ),
    );
  }

  function tell(status: Status): void {
    if (isOver(status.status)) {
      const messages = status.messages ?? [];
      progress.replaceChildren(
        h("p", { class: status.status === "completed" ? "p-verdict good" : "p-verdict bad" }, `${status.status}: ${status.reason ?? ""}`),
        ...(messages.length > 0 && status.status !== "completed" ? [h("ul", { class: "p-list" }, ...messages.map((m) => h("li", {}, m.text)))] : []),
      );
      return;
    }
    const bar = h("progress", { max: "1", "aria-label": "Progress of the simulation", ...(status.fraction === undefined ? {} : { value: String(status.fraction) }) });
    progress.replaceChildren(h("div", { class: "p-row" }, bar, h("span", {}, status.step ?? status.status), iconButton("stop", "Cancel the simulation", () => void context.call("cancel_simulation", alone({ job_id: status.job_id })).catch((e: unknown) => context.toast(said(e), { bad: true })))));
  }

  pane.append(h("section", { class: "p-section" }, h("h3", {}, "Runs"), rows));
  load();
  return () => {
    control.abort();
    stop?.();
  };
}
