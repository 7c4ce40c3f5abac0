// Findings: checks are run, and what they find is one list by rule, storey or weight, with pins in the view. A finding is jumped to, mended where the
// check knows how, waived with a reason, or made a topic.

import { button, choice, h, icon, iconButton, many, message, words } from "../../dom";
import { modelOf } from "../../view/types";
import type { App } from "../app";
import type { Panel } from "../context";
import { checks, idsCheck, type Check, type Finding, type Severity } from "../findings";
import { ask } from "../menu";

interface Result {
  check: Check;
  state: "running" | "done" | "failed";
  findings: Finding[];
  notes: string[];
  waived: number;
  version: string;
  say?: string;
  stop?: AbortController;
}

const TONE: Record<Severity, "error" | "warning" | "info"> = { error: "error", warning: "warning", info: "info" };
/** Pins in the view at once. */
const PINS = 150;

/** What is known of findings, while the panel is closed, too. */
export class Findings {
  readonly results = new Map<string, Result>();
  readonly own: Check[] = [];
  by: "rule" | "storey" | "severity" = "rule";
  least: Severity = "info";
  text = "";
  at: string | undefined;
  onChange: () => void = () => undefined;

  constructor(readonly app: App) {
    app.on("shown", (shown) => {
      const now = shown?.model;
      if (now !== this.model) this.results.clear();
      this.model = now;
      this.onChange();
    });
  }

  private model: string | undefined;

  addIds(name: string, key: string): void {
    const check = idsCheck(name, key);
    this.own.push(check);
    void this.run(check);
  }

  async run(check: Check): Promise<void> {
    this.results.get(check.id)?.stop?.abort();
    const stop = new AbortController();
    const result: Result = { check, state: "running", findings: [], notes: [], waived: 0, version: this.app.shown()?.version ?? "", stop };
    this.results.set(check.id, result);
    this.onChange();
    try {
      Object.assign(result, await check.run(this.app, stop.signal), { state: "done" });
    } catch (error) {
      if (stop.signal.aborted) return;
      Object.assign(result, { state: "failed", say: message(error) });
    }
    if (!stop.signal.aborted) this.onChange();
  }

  cancel(result: Result): void {
    result.stop?.abort();
    this.results.delete(result.check.id);
    this.onChange();
  }

  /** All findings that the filters let through, the heaviest first. */
  all(): Finding[] {
    const weight: Record<Severity, number> = { error: 0, warning: 1, info: 2 };
    const wanted = this.text.toLowerCase().split(/\s+/).filter(Boolean);
    return [...this.results.values()]
      .flatMap((r) => r.findings)
      .filter((f) => weight[f.severity] <= weight[this.least])
      .filter((f) => wanted.every((w) => `${f.text} ${f.title} ${f.rule} ${f.storey ?? ""}`.toLowerCase().includes(w)))
      .sort((a, b) => weight[a.severity] - weight[b.severity]);
  }
}

export function findingsPanel(app: App, findings: Findings, topic: (finding: Finding) => Promise<void>): Pick<Panel, "open"> {
  return {
    open: (host) => new FindingsView(app, findings, topic, host).start(),
  };
}

class FindingsView {
  private known: Check[] = [];
  private readonly open = new Set<string>();
  private runs: HTMLDetailsElement | undefined;
  private hadResults = false;
  private readonly checks = h("ul", { class: "checks" });
  private readonly list = h("div", { class: "scroll finding-list" });
  private readonly sum = h("p", { class: "more", role: "status" });

  constructor(
    private readonly app: App,
    private readonly findings: Findings,
    private readonly topic: (finding: Finding) => Promise<void>,
    private readonly host: HTMLElement,
  ) {}

  start(): () => void {
    const { findings } = this;
    const filter = h("input", { type: "search", placeholder: "Filter", "aria-label": "Filter findings" });
    filter.value = findings.text;
    filter.addEventListener("input", () => {
      findings.text = filter.value;
      this.draw();
    });
    const file = h("input", { type: "file", accept: ".ids,.xml", hidden: true, "aria-label": "IDS file" });
    file.addEventListener("change", () => {
      for (const one of file.files ?? []) dispatchEvent(new CustomEvent("pensaer-files", { detail: [one] }));
      file.value = "";
    });
    const runs = h("details", { class: "runs", open: findings.results.size === 0 }, h("summary", {}, icon("chevron"), "Checks"), this.checks, button("Check against an IDS file …", () => file.click(), { icon: "upload" }), file);
    this.runs = runs;
    this.host.append(
      runs,
      h(
        "div",
        { class: "tools-row" },
        choice("Group by", [["rule", "By rule"], ["storey", "By storey"], ["severity", "By weight"]], findings.by, (v) => {
          findings.by = v as typeof findings.by;
          this.draw();
        }),
        choice("Least weight", [["info", "All"], ["warning", "Warnings, errors"], ["error", "Errors"]], findings.least, (v) => {
          findings.least = v as Severity;
          this.draw();
        }),
        filter,
      ),
      this.sum,
      this.list,
    );
    findings.onChange = () => this.draw();
    const pinned = this.app.view.on("pin", (id) => {
      const one = findings.all().find((f) => f.id === id);
      if (one) this.go(one);
    });
    const read = () =>
      void checks(this.app).then((all) => {
        this.known = all;
        this.draw();
      }, this.app.fail);
    read();
    const ends = [this.app.on("shown", read), this.app.on("models", read), pinned];
    this.draw();
    return () => {
      findings.onChange = () => undefined;
      ends.forEach((end) => end());
      this.app.view.pins([]);
    };
  }

  private draw(): void {
    const { findings } = this;
    this.checks.replaceChildren(...[...this.known, ...findings.own].map((check) => this.check(check)));
    const all = findings.all();
    const groups = new Map<string, { title: string; list: Finding[] }>();
    for (const f of all) {
      const [key, title] = findings.by === "rule" ? [f.rule, f.title] : findings.by === "storey" ? [f.storey ?? "", f.storey ?? "On no storey"] : [f.severity, words(`${f.severity}s`)];
      const group = groups.get(key) ?? { title, list: [] };
      group.list.push(f);
      groups.set(key, group);
    }
    const ran = [...findings.results.values()].filter((r) => r.state === "done");
    const count = (s: Severity) => all.filter((f) => f.severity === s).length;
    // what was found matters more than what else could be looked for
    if (ran.length > 0 && !this.hadResults && this.runs) this.runs.open = false;
    this.hadResults = ran.length > 0;
    const stale = ran.some((r) => r.version !== this.app.shown()?.version);
    this.sum.textContent =
      ran.length === 0 ? "" : `${many(count("error"), "error")}, ${many(count("warning"), "warning")}, ${many(count("info"), "notice")}${stale ? ". The model has changed since: run the checks again." : ""}`;
    const notes = [...new Set(ran.flatMap((r) => r.notes))];
    this.list.replaceChildren(
      ...[...groups].map(([key, group]) => this.group(key, group.title, group.list)),
      ...(ran.length > 0 && all.length === 0 ? [h("p", { class: "empty-note" }, icon("check"), "Nothing found.")] : []),
      ...(notes.length > 0 ? [h("details", { class: "rest" }, h("summary", {}, many(notes.length, "note")), h("ul", { class: "notes" }, ...notes.map((n) => h("li", {}, n))))] : []),
    );
    const pins = all.filter((f) => f.at !== undefined).slice(0, PINS);
    this.app.view.pins(pins.map((f, i) => ({ id: f.id, at: f.at!, label: String(i + 1), tone: TONE[f.severity] })));
  }

  private check(check: Check): HTMLElement {
    const result = this.findings.results.get(check.id);
    const running = result?.state === "running";
    const count = result?.state === "done" ? (result.findings.length === 0 ? h("span", { class: "count" }, icon("check")) : h("span", { class: "count" }, result.findings.length.toLocaleString())) : undefined;
    const waived = result && result.waived > 0 ? `, ${result.waived} waived` : "";
    const say = result?.state === "failed" ? h("p", { class: "bad" }, result.say ?? "") : h("p", { class: "what" }, check.note + waived);
    return h(
      "li",
      {},
      h("div", {}, h("b", {}, check.title), say),
      count,
      running ? h("span", { class: "spinner", role: "status", "aria-label": "Running" }) : undefined,
      running && result
        ? iconButton("close", `Stop ${check.title}`, () => this.findings.cancel(result))
        : button(result ? "Again" : "Run", () => void this.findings.run(check), { more: { "aria-label": `Run ${check.title}` } }),
    );
  }

  private group(key: string, title: string, list: Finding[]): HTMLElement {
    const worst = list[0]?.severity ?? "info";
    const body = h("ol", { class: "findings" });
    const fill = () => body.childElementCount === 0 && body.append(...list.slice(0, 300).map((f) => this.finding(f)), ...(list.length > 300 ? [h("li", { class: "more" }, `${list.length - 300} more: filter to see them.`)] : []));
    const isOpen = this.open.has(key) || list.some((f) => f.id === this.findings.at);
    const fixable = list.filter((f) => f.fix).length;
    const details = h(
      "details",
      { open: isOpen },
      h("summary", {}, icon("chevron"), h("i", { class: `dot ${worst}` }), h("span", { class: "name", title: key }, title), h("span", { class: "count" }, list.length.toLocaleString())),
      fixable > 1 && this.findings.by === "rule" && this.app.mayChange("fix_findings") ? h("div", { class: "tools-row" }, button(`Mend ${fixable}`, () => void this.mend(list.filter((f) => f.fix)), { icon: "wrench" })) : undefined,
      body,
    );
    details.addEventListener("toggle", () => {
      if (details.open) {
        this.open.add(key);
        fill();
      } else this.open.delete(key);
    });
    if (isOpen) fill();
    return details;
  }

  private finding(f: Finding): HTMLElement {
    const may = (tool: string) => this.app.mayChange(tool);
    const place = [f.storey, f.room].filter(Boolean).join(" · ");
    const acts = [
      f.fix && may("fix_findings") && iconButton("wrench", "Mend", () => void this.mend([f])),
      may("keep_topics") && iconButton("topic", "Make it a topic", () => void this.topic(f).catch(this.app.fail)),
      f.waive && may("waive_findings") && iconButton("clear", "Waive, with a reason", () => void this.waive(f)),
    ];
    return h(
      "li",
      { class: `finding${f.id === this.findings.at ? " selected" : ""}`, "data-finding": f.id },
      h("button", { type: "button", class: "finding-text", onclick: () => this.go(f) }, h("i", { class: `dot ${f.severity}` }), h("span", {}, f.text)),
      h("div", { class: "finding-foot" }, h("span", { class: "what" }, [place, f.measured && f.required ? `${f.measured}, ${f.required}` : ""].filter(Boolean).join(" · ")), h("span", { class: "gap" }), ...acts.filter((a) => a !== false)),
      f.id === this.findings.at && f.suggestion !== undefined && h("p", { class: "suggestion" }, f.suggestion),
    );
  }

  private go(f: Finding): void {
    this.findings.at = f.id;
    this.app.select(f.elements, { fit: true, reveal: true });
    this.draw();
    this.list.querySelector(".finding.selected")?.scrollIntoView({ block: "nearest" });
  }

  private async mend(list: Finding[]): Promise<void> {
    const standard = list[0]?.standard;
    const args = { finding_ids: list.map((f) => f.id), reasoning: `mended in the viewer: ${list[0]?.title ?? ""}`, ...(standard ? { standard } : {}) };
    try {
      const answer = await this.app.call<{ fixed_count?: number; skipped?: { reason: string }[] }>("fix_findings", args);
      this.app.toast(`Mended ${answer.fixed_count ?? 0}.${answer.skipped?.[0] ? ` ${answer.skipped[0].reason}` : ""}`);
      await this.again(list[0]);
    } catch (error) {
      this.app.fail(error);
    }
  }

  private async waive(f: Finding): Promise<void> {
    const reason = await ask("Waive this finding", { label: "Reason", action: "Waive", why: f.text, area: true });
    if (!reason?.trim()) return;
    const model = f.elements[0] ? modelOf(f.elements[0]) : this.app.shown()?.model;
    try {
      await this.app.call("waive_findings", { ...(model ? { model_id: model } : {}), finding_ids: [f.id], reason: reason.trim(), reasoning: reason.trim() });
      await this.again(f);
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** Runs the check of a finding anew, on the version that its change made. */
  private async again(f: Finding | undefined): Promise<void> {
    const check = f && [...this.known, ...this.findings.own].find((one) => one.id === f.check);
    if (!check) return;
    await new Promise<void>((resolve) => {
      // the version comes with an event; without one the check runs on what is shown
      const end = this.app.on("commit", () => finish());
      const timer = setTimeout(() => finish(), 3000);
      const finish = () => {
        end();
        clearTimeout(timer);
        resolve();
      };
    });
    await this.findings.run(check);
  }
}
