// Merging branches: what would come, what both changed differently, and who decides which side holds. Both sides are shown over each other.

import { Refusal, type Changes } from "../../api";
import { button, choice, h, iconButton, message } from "../../dom";
import { value } from "../../properties";
import { label } from "../../tree";
import { keyOf } from "../../view/types";
import { HEAD, type App } from "../app";
import { difference, showDifference } from "../compare";
import type { Legend } from "../legend";
import { sayChanges } from "../say";

interface Branch {
  name: string;
  version: string;
}

interface Conflict {
  key: string;
  message: string;
  kind: string;
  property?: string;
  about?: { id?: string; name?: string; class?: string };
  base?: unknown;
  ours?: unknown;
  theirs?: unknown;
  choose?: { ours?: string; theirs?: string };
}

export function mergeForm(app: App, legend: Legend, model: string, branches: Branch[], done: () => void): { element: HTMLElement; close: () => void } {
  const others = branches.map((b): [string, string] => [b.name, b.name]);
  const at = app.of(model)?.line ?? HEAD;
  const state = { target: at === HEAD ? "main" : at, source: others.find(([name]) => name !== (at === HEAD ? "main" : at))?.[0] ?? "main" };
  const resolve: Record<string, "ours" | "theirs"> = {};
  const body = h("div", { class: "merge-body" });
  let away: (() => void) | undefined;
  const finish = () => {
    away?.();
    done();
  };
  const bad = (error: unknown) => body.replaceChildren(h("p", { class: "bad", role: "alert" }, message(error)));
  const preview = async () => {
    body.replaceChildren(h("p", { class: "more", role: "status" }, "Looking …"));
    if (state.source === state.target) return body.replaceChildren(h("p", { class: "more" }, "Choose two different branches."));
    try {
      const args = { model_id: model, source: state.source, target: state.target, resolve };
      const answer = await app.call<{ status?: string; changes?: Changes }>("merge_branch", { ...args, dry_run: true });
      const says = answer.status === "unchanged" ? `${state.target} has everything of ${state.source} already.` : sayChanges(answer.changes, 8);
      const merge = async () => {
        try {
          await app.call("merge_branch", { ...args, reasoning: "merged in the viewer" });
          finish();
          if (app.of(model)?.line !== (state.target === "main" ? HEAD : state.target)) await app.open(model, state.target === "main" ? HEAD : state.target);
        } catch (error) {
          bad(error);
        }
      };
      body.replaceChildren(h("p", { class: "what" }, says), ...(answer.status === "unchanged" ? [] : [button(`Merge into ${state.target}`, () => void merge(), { icon: "merge", kind: "primary" })]));
    } catch (error) {
      const conflicts = error instanceof Refusal && Array.isArray(error.data?.["conflicts"]) ? (error.data["conflicts"] as Conflict[]) : undefined;
      if (conflicts) decide(conflicts);
      else bad(error);
    }
  };
  const both = async () => {
    const version = (name: string) => branches.find((b) => b.name === name)?.version ?? "";
    try {
      if (app.of(model)?.shown.version !== version(state.target)) await app.open(model, state.target === "main" ? HEAD : state.target);
      const diff = await difference(app, model, version(state.source), version(state.target));
      away = await showDifference(app, legend, model, diff, { title: "Both sides", before: state.source, after: state.target }, () => (away = undefined));
    } catch (error) {
      app.fail(error);
    }
  };
  const decide = (conflicts: Conflict[]) => {
    const rows = conflicts.map((c) => {
      const side = (which: "ours" | "theirs", branch: string) => {
        const input = h("input", { type: "radio", name: c.key, value: which, checked: resolve[c.key] === which });
        input.addEventListener("change", () => {
          resolve[c.key] = which;
          apply.disabled = conflicts.some((one) => resolve[one.key] === undefined);
        });
        const says = c[which] === undefined ? (c.choose?.[which] ?? "") : value(c[which]);
        return h("label", { class: "side-choice", title: c.choose?.[which] }, input, h("span", {}, h("b", {}, branch), h("span", {}, says)));
      };
      const id = c.about?.id;
      const name = c.about?.name || label(c.about?.class ?? "") || c.key;
      return h(
        "li",
        { class: "conflict", "data-key": c.key },
        h(
          "p",
          {},
          id ? h("button", { type: "button", class: "link", onclick: () => app.select([keyOf(model, id)], { fit: true, reveal: true }) }, name) : name,
          h("span", { class: "what" }, c.property ?? c.kind),
        ),
        c.base !== undefined && c.base !== null && h("p", { class: "what" }, `Before: ${value(c.base)}`),
        h("div", { class: "sides", role: "radiogroup", "aria-label": name }, side("ours", state.target), side("theirs", state.source)),
      );
    });
    const all = (which: "ours" | "theirs") => {
      conflicts.forEach((c) => (resolve[c.key] = which));
      decide(conflicts);
    };
    const apply = button("Go on", () => void preview(), { kind: "primary" });
    apply.disabled = conflicts.some((one) => resolve[one.key] === undefined);
    body.replaceChildren(
      h("p", {}, `Both branches changed the same ${conflicts.length === 1 ? "thing" : `${conflicts.length} things`} differently. Nothing was merged yet.`),
      h("div", { class: "tools-row" }, button(`All of ${state.target}`, () => all("ours")), button(`All of ${state.source}`, () => all("theirs")), button("Show both", () => void both(), { icon: "compare" })),
      h("ol", { class: "conflicts" }, ...rows),
      apply,
    );
  };
  const clear = () => Object.keys(resolve).forEach((key) => delete resolve[key]);
  const form = h(
    "div",
    { class: "merge" },
    h("header", {}, h("h3", {}, "Merge"), h("span", { class: "gap" }), iconButton("close", "Close", finish)),
    h(
      "div",
      { class: "tools-row" },
      choice("Merge this branch", others, state.source, (v) => {
        state.source = v;
        clear();
        void preview();
      }),
      h("span", {}, "into"),
      choice("Into this branch", others, state.target, (v) => {
        state.target = v;
        clear();
        void preview();
      }),
    ),
    body,
  );
  void preview();
  return { element: form, close: finish };
}
