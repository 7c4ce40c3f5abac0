// The rooms by storey with area and height, in colours by what is asked for; what is selected here is selected in the view, and back.

import type { Context } from "../../page/context";
import { idOf, keyOf } from "../../view/types";
import { h } from "../../dom";
import { button, byName, choice, count, number, said, state, tidy, toggle } from "../ui";
import { titleOf, type Room, type Rooms } from "./data";
import { openGraph } from "./graph";
import { BYS, groupsOf, type By, type Group, type More } from "./groups";
import type { Painter } from "./paint";
import { roomCard } from "./card";
import { totalsTable } from "./totals";
import { egressFindings, waysOf } from "./reach";

export function listPage(pane: HTMLElement, context: Context, all: Rooms, paint: Painter): () => void {
  let by: By | "" = all.floors.size > 0 || all.rooms.some((r) => !r.found) ? "usage" : "";
  let storey = "";
  let plan = false;
  let search = "";
  let marked = new Set<string>();
  const more: More = {};
  let groups: Group[] = [];
  const control = new AbortController();

  const legend = h("div", { class: "p-legend" });
  const list = h("div", { class: "p-rooms", role: "listbox", "aria-label": "Rooms", "aria-multiselectable": "true" });
  const note = h("p", { class: "p-note", role: "status" });
  const card = h("div", {});
  const used = [...new Set(all.rooms.map((r) => r.storey).filter((s): s is string => !!s))];
  const order = all.storeys.map((s) => s.name);
  used.sort((a, b) => order.indexOf(a) - order.indexOf(b));

  const filter = h("input", { type: "search", placeholder: "Filter rooms", "aria-label": "Filter rooms", oninput: () => { search = filter.value.toLowerCase(); draw(); } });
  const planSwitch = toggle("Storey from above", plan, (on) => {
    plan = on;
    draw();
  });
  pane.append(
    h(
      "div", { class: "p-form" },
      choice("Storey", [["", "All storeys"], ...used.map((s) => [s, s] as const)], storey, (value) => {
        storey = value;
        draw();
      }),
      choice("Colours", BYS, by, (value) => void colour(value as By | "")),
    ),
    h("div", { class: "p-row wrap" }, planSwitch, button("Adjacency graph", () => openGraph(pane, context, all, () => ({ groups, storey })), { icon: "graph" })),
    note, legend, filter, list, card, totalsTable(all),
  );

  async function colour(value: By | ""): Promise<void> {
    by = value;
    try {
      if (by === "way" && !more.ways) {
        note.textContent = "Measuring the ways to the exits…";
        more.ways = await waysOf(context, control.signal);
      }
      if (by === "finding" && !more.findings) {
        note.textContent = "Checking the rooms…";
        more.findings = await egressFindings(context, all, control.signal);
      }
    } catch (error) {
      if (control.signal.aborted) return;
      note.textContent = said(error);
      return;
    }
    note.textContent = "";
    draw();
  }

  const visible = (): Room[] =>
    all.rooms.filter((r) => (!storey || r.storey === storey) && (!search || `${titleOf(r)} ${r.usage}`.toLowerCase().includes(search)));

  function draw(): void {
    const rooms = visible();
    groups = by ? groupsOf(rooms, by, more) : [];
    const colours = new Map(groups.flatMap((g) => g.ids.map((id) => [id, g.colour] as const)));
    drawLegend(rooms);
    list.replaceChildren();
    const byStorey = [...used, ""].map((name) => ({ name, rooms: rooms.filter((r) => (r.storey ?? "") === name) })).filter((s) => s.rooms.length > 0);
    for (const part of byStorey) {
      const sum = part.rooms.reduce((m, r) => m + (r.outdoors ? 0 : (r.area ?? 0)), 0);
      list.append(
        h(
          "div", { class: "p-group", role: "group", "aria-label": part.name || "Without a storey" },
          h("div", { class: "p-group-head", role: "presentation" }, h("span", {}, part.name || "Without a storey"), h("span", { class: "num" }, `${count(part.rooms.length, "room")}, ${number(sum)} m²`)),
          ...part.rooms.sort((a, b) => byName(titleOf(a), titleOf(b))).map((room) => row(room, colours.get(room.id))),
        ),
      );
    }
    if (rooms.length === 0) list.append(state("empty", all.rooms.length === 0 ? "This model has no rooms, and none were found between walls." : "No room fits the filter."));
    mark();
    paint.rooms(by ? groups : undefined);
    const level = all.storeys.find((s) => s.name === storey);
    (planSwitch.firstChild as HTMLInputElement).disabled = !level;
    paint.plan(plan && level ? level.elevation : undefined);
  }

  function drawLegend(rooms: Room[]): void {
    const areas = new Map(rooms.map((r) => [r.id, r.area ?? 0]));
    legend.replaceChildren(
      ...groups.map((g) =>
        h(
          "button", { type: "button", class: "p-legend-row", title: "Select these rooms", onclick: () => pick(g.ids) },
          swatch(g.colour), h("span", { class: "words" }, g.words), h("span", { class: "num" }, String(g.ids.length)),
          h("span", { class: "num wide" }, `${number(g.ids.reduce((m, id) => m + (areas.get(id) ?? 0), 0))} m²`),
        ),
      ),
    );
  }

  function row(room: Room, colour: string | undefined): HTMLElement {
    const height = room.height ? `${number(room.height.least / 1000, 2)} m` : "";
    const hint = [room.usage && `Usage: ${room.usage}${room.stated ? "" : " (by its name)"}`, room.found && "found between walls, no IfcSpace", room.outdoors && "outdoors"].filter(Boolean).join("; ");
    return h(
      "div",
      { class: "p-room", role: "option", tabindex: "-1", "data-id": room.id, "aria-selected": "false", title: hint, onclick: (e) => choose(room.id, e as MouseEvent) },
      colour ? swatch(colour) : h("i", { class: "p-swatch none" }), h("span", { class: "words" }, titleOf(room)),
      h("span", { class: "num" }, `${number(room.area)} m²`), h("span", { class: "num height" }, height),
    );
  }

  function choose(id: string, e: { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }): void {
    if (e.ctrlKey || e.metaKey || e.shiftKey) {
      const next = new Set(marked);
      if (!next.delete(id)) next.add(id);
      pick([...next]);
    } else pick([id]);
  }

  function pick(ids: string[]): void {
    marked = new Set(ids);
    const shown = context.shown();
    const real = all.rooms.filter((r) => marked.has(r.id) && !r.found);
    if (shown) context.select(real.map((r) => keyOf(shown.model, r.id)), { fit: real.length > 0 && !plan });
    mark();
  }

  function mark(): void {
    for (const element of list.querySelectorAll<HTMLElement>(".p-room")) element.setAttribute("aria-selected", String(marked.has(element.dataset["id"] ?? "")));
    const first = list.querySelector<HTMLElement>('.p-room[aria-selected="true"]') ?? list.querySelector<HTMLElement>(".p-room");
    for (const element of list.querySelectorAll<HTMLElement>(".p-room")) element.tabIndex = element === first ? 0 : -1;
    const chosen = all.rooms.filter((r) => marked.has(r.id));
    card.replaceChildren();
    if (chosen.length === 1 && chosen[0]) card.append(roomCard(context, chosen[0], all));
    else if (chosen.length > 1) {
      const sum = (of: (r: Room) => number | undefined) => chosen.reduce((m, r) => m + (of(r) ?? 0), 0);
      card.append(h("p", { class: "p-note" }, `${count(chosen.length, "room")} selected: ${number(sum((r) => r.area))} m², ${tidy(sum((r) => r.volume))} m³`));
    }
  }

  list.addEventListener("keydown", (e) => {
    const rows = [...list.querySelectorAll<HTMLElement>(".p-room")];
    const at = rows.findIndex((r) => r === document.activeElement);
    const go = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[e.key];
    if (go !== undefined) {
      e.preventDefault();
      e.stopPropagation();
      rows[Math.min(Math.max(go, 0), rows.length - 1)]?.focus();
    } else if ((e.key === "Enter" || e.key === " ") && at >= 0) {
      e.preventDefault();
      choose(rows[at]?.dataset["id"] ?? "", e.key === " " ? { ctrlKey: true, metaKey: false, shiftKey: false } : e);
    }
  });

  const off = context.on("selection", (keys) => {
    const model = context.shown()?.model;
    const ids = new Set(all.rooms.map((r) => r.id));
    marked = new Set(keys.filter((k) => k.startsWith(`${model}/`)).map(idOf).filter((id) => ids.has(id)));
    mark();
    list.querySelector('.p-room[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });

  draw();
  return () => {
    control.abort();
    off();
    paint.rooms(undefined);
    paint.plan(undefined);
  };
}

/** A patch of a colour. */
export function swatch(colour: string): HTMLElement {
  const patch = h("i", { class: "p-swatch" });
  patch.style.background = colour;
  return patch;
}
