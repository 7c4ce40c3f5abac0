// Activity: the conversation of changes. Every call on the model, with who made it and why; a click shows the elements that it touched.

import { button, choice, h, icon, message, when, words } from "../../dom";
import { value } from "../../properties";
import { idOf, keyOf } from "../../view/types";
import type { App } from "../app";
import { difference } from "../compare";
import type { Panel } from "../context";
import { sayChanges } from "../say";

interface Entry {
  sequence: number;
  time_ms: number;
  principal: string;
  client?: string;
  tool: string;
  arguments?: Record<string, unknown>;
  version_before?: string;
  version_after?: string;
  outcome: string;
  reasoning?: string;
  duration_us: number;
}

const SEEN = /^[0-3][\w$]{21}$/;

/** GlobalIds anywhere in the arguments of a call. */
export function idsIn(v: unknown, depth = 0): string[] {
  if (typeof v === "string") return SEEN.test(v) ? [v] : [];
  if (depth > 6 || typeof v !== "object" || v === null) return [];
  return Object.values(v).flatMap((one) => idsIn(one, depth + 1));
}

/** A program by a short name: browsers tell all that they ever claimed to be. */
export const program = (client: string): string => (/^Mozilla\//.test(client) ? (/(Firefox|Edg|OPR|(?:Headless)?Chrome|Safari)\/[\d.]+/.exec(client)?.[1] ?? "a browser").replace("Edg", "Edge").replace("OPR", "Opera").replace("Headless", "") : client);

export function activityPanel(app: App): Pick<Panel, "open"> {
  let [changesOnly, who] = [true, ""];
  return {
    open(host) {
      let entries: Entry[] = [];
      let cursor: string | undefined;
      let asked = 0;
      const list = h("ol", { class: "timeline activity" });
      const say = h("p", { class: "more", role: "status" }, "Reading …");
      const people = h("span", {});
      const only = h("input", { type: "checkbox", checked: changesOnly });
      only.addEventListener("change", () => {
        changesOnly = only.checked;
        draw();
      });
      const more = button("Earlier", () => void read(true));
      const isChange = (e: Entry) => e.version_after !== undefined && e.version_after !== e.version_before;
      const draw = () => {
        const names = [...new Set(entries.map((e) => e.principal))];
        people.replaceChildren(
          choice("Author", [["", "Everybody"], ...names.map((n): [string, string] => [n, n])], who, (v) => {
            who = v;
            draw();
          }),
        );
        const seen = entries.filter((e) => (!changesOnly || isChange(e)) && (!who || e.principal === who));
        say.textContent = seen.length > 0 ? "" : changesOnly ? "No change among the calls that were read." : "No call yet.";
        list.replaceChildren(...seen.map(row));
        more.hidden = cursor === undefined;
      };
      const row = (e: Entry) => {
        const told = h("div", { class: "told" });
        const rest = Object.entries(e.arguments ?? {}).filter(([k]) => k !== "model_id" && k !== "model_version" && k !== "reasoning");
        const said = rest.map(([k, v]) => `${words(k)} ${value(v)}`).join(" · ");
        return h(
          "li",
          { class: `version${e.outcome === "ok" ? "" : " refused"}` },
          h("header", {}, h("button", { type: "button", class: "version-name", title: "Show what it touched", onclick: () => void show(e, told) }, words(e.tool)), h("time", {}, when(e.time_ms))),
          e.reasoning !== undefined && h("p", { class: "why" }, e.reasoning),
          said !== "" && h("p", { class: "what args", title: said }, said),
          told,
          h("p", { class: "who" }, e.principal, e.client ? ` · ${program(e.client)}` : "", ` · ${e.duration_us < 1e6 ? `${Math.max(1, Math.round(e.duration_us / 1000))} ms` : `${(e.duration_us / 1e6).toFixed(1)} s`}`, e.outcome === "ok" ? "" : ` · ${e.outcome}`),
        );
      };
      const show = async (e: Entry, told: HTMLElement) => {
        const model = app.shown()?.model;
        if (!model) return;
        told.replaceChildren(h("p", { class: "what", role: "status" }, "Reading …"));
        try {
          let ids = idsIn(e.arguments);
          let says = "";
          if (isChange(e) && e.version_before && e.version_after) {
            const diff = await difference(app, model, e.version_before, e.version_after);
            ids = [...diff.added, ...diff.changed];
            says = sayChanges(diff.changes, 8);
            if (diff.removed.length > 0 && ids.length === 0) says += " · what it removed is not in this version";
          }
          const keys = ids.map((id) => keyOf(model, id)).filter((key) => app.node(key) !== undefined);
          if (keys.length > 0) {
            app.select(keys, { fit: true, reveal: true });
            app.view.flash(keys);
          }
          told.replaceChildren(h("p", { class: "what" }, says || (keys.length > 0 ? keys.map((key) => app.node(key)?.name || idOf(key)).slice(0, 5).join(", ") : "It names no element of the version that is shown.")));
        } catch (error) {
          told.replaceChildren(h("p", { class: "bad" }, message(error)));
        }
      };
      const read = async (older: boolean) => {
        const model = app.shown()?.model;
        const at = ++asked;
        if (!model) return;
        try {
          // reads outnumber changes by far, so a page is long
          const page = await app.call<{ entries?: Entry[]; next_cursor?: string }>("get_audit_log", { model_id: model, limit: 200, ...(older && cursor ? { cursor } : {}) });
          if (at !== asked) return;
          entries = older ? [...entries, ...(page.entries ?? [])] : (page.entries ?? []);
          cursor = page.next_cursor;
          draw();
          if (changesOnly && cursor && entries.length < 2000 && entries.filter(isChange).length < 12) await read(true);
        } catch (error) {
          say.textContent = message(error);
        }
      };
      host.append(h("div", { class: "tools-row" }, people, h("label", { class: "check" }, only, "Changes only"), h("span", { class: "gap" }), h("button", { type: "button", class: "quiet", title: "Read again", "aria-label": "Read again", onclick: () => void read(false) }, icon("restore"))), h("div", { class: "scroll" }, list, say, more));
      void read(false);
      const ends = [app.on("commit", () => void read(false)), app.on("shown", () => void read(false))];
      return () => ends.forEach((end) => end());
    },
  };
}
