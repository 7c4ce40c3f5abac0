// Approvals: changes that wait for somebody's yes, what each would change, in words and in the view, and the decision with its comment.

import * as api from "../../api";
import { button, h, iconButton, message, when, words } from "../../dom";
import { value } from "../../properties";
import { label } from "../../tree";
import { keyOf } from "../../view/types";
import type { App } from "../app";
import { TONES } from "../compare";
import type { Panel } from "../context";
import { sayChanges } from "../say";
import type { Approval, Approvals } from "../waiting";

export function approvalsPanel(app: App, approvals: Approvals): Pick<Panel, "open"> {
  return {
    open(host) {
      const list = h("ul", { class: "approvals scroll" });
      let coloured = false;
      const bare = () => {
        if (coloured) app.view.colour(undefined);
        coloured = false;
      };
      const look = async (a: Approval) => {
        try {
          if (app.shown()?.model !== a.model_id) await app.open(a.model_id);
          const elements = a.changes?.elements ?? [];
          const there = elements.filter((e) => app.node(keyOf(a.model_id, e.id)) !== undefined);
          const removes = Object.keys(a.changes?.removed ?? {});
          const group = (test: (e: { class?: string }) => boolean) => app.expand(there.filter(test).map((e) => keyOf(a.model_id, e.id)));
          const gone = group((e) => removes.includes(e.class ?? "") && !(e.class! in (a.changes?.modified ?? {})));
          const other = group((e) => !removes.includes(e.class ?? "") || e.class! in (a.changes?.modified ?? {}));
          if (there.length === 0) return app.toast("Nothing of it is in the model yet: it would be new.");
          app.view.colour({ groups: [{ colour: TONES.removed, keys: gone }, { colour: TONES.changed, keys: other }], others: "ghost" });
          coloured = true;
          app.view.fit({ keys: [...gone, ...other] });
        } catch (error) {
          app.fail(error);
        }
      };
      const decide = async (a: Approval, decision: "approve" | "reject", comment: string, bad: HTMLElement) => {
        try {
          await api.send("POST", api.paths.approval(a.approval_id), { decision, ...(comment ? { comment } : {}) });
          bare();
          app.toast(decision === "approve" ? "Approved: it is a version now." : "Rejected.");
          await approvals.read();
        } catch (error) {
          bad.textContent = message(error);
        }
      };
      const row = (a: Approval) => {
        const bad = h("p", { class: "bad", role: "alert" });
        const comment = h("textarea", { rows: "2", placeholder: "Comment", "aria-label": "Comment" });
        const properties = a.changes?.properties ?? [];
        const places = a.changes?.storeys?.join(", ");
        return h(
          "li",
          { class: "approval", "data-approval": a.approval_id },
          h("header", {}, h("b", {}, words(a.tool)), h("span", { class: "what" }, a.model), h("span", { class: "gap" }), iconButton("eye", "Show in the view", () => void look(a))),
          a.reasoning !== undefined && h("p", { class: "why" }, a.reasoning),
          h("p", {}, sayChanges(a.changes, 8), places ? ` · ${places}` : ""),
          h("ul", { class: "notes" }, ...(a.changes?.elements ?? []).slice(0, 12).map((e) => h("li", {}, e.name || label(e.class ?? ""), h("span", { class: "what" }, label(e.class ?? ""))))),
          ...properties.slice(0, 10).map((p) => h("p", { class: "diff" }, `${p.property.split(".").pop()}: `, h("del", {}, value(p.before)), " → ", h("ins", {}, value(p.after)))),
          h("p", { class: "what" }, a.reason),
          h("p", { class: "who" }, `${a.requested_by} · ${when(a.requested_ms)} · until ${when(a.expires_ms)}`),
          ...(approvals.may(a)
            ? [comment, bad, h("div", { class: "tools-row" }, button("Reject", () => void decide(a, "reject", comment.value.trim(), bad), { kind: "bad" }), h("span", { class: "gap" }), button("Approve", () => void decide(a, "approve", comment.value.trim(), bad), { icon: "check", kind: "primary" }))]
            : [h("p", { class: "what" }, a.requested_by === app.person?.name ? "You asked for it: somebody else decides." : `Decided by: ${a.may_decide.join(", ")}.`)]),
        );
      };
      const draw = () => list.replaceChildren(...(approvals.waiting.length === 0 ? [h("li", { class: "empty-note" }, "Nothing waits for a decision.")] : approvals.waiting.map(row)));
      approvals.onChange = draw;
      host.append(list);
      draw();
      void approvals.read();
      return () => {
        approvals.onChange = () => undefined;
        bare();
      };
    },
  };
}
