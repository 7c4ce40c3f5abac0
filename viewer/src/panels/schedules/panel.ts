// Schedules and quantities: which table, of what, grouped by what. The table itself stands in the dock below the view.

import type { Context } from "../../page/context";
import { idOf, keyOf } from "../../view/types";
import { h } from "../../dom";
import { openDock, type Dock } from "../dock";
import { change, handOver, linked, save, type Linked } from "../server";
import { table, type Table } from "../table";
import { csv, type Row } from "../table-model";
import { awaited, button, choice, count, input, said, type Choice } from "../ui";
import { schedule, takeoff, type Ask, type Sheet } from "./data";

const SCHEDULES: readonly Choice[] = [
  ["room", "Rooms"],
  ["door", "Doors"],
  ["window", "Windows"],
  ["finish", "Room finishes"],
  ["wall_type", "Wall types"],
  ["equipment", "Equipment"],
  ["own", "Own fields"],
];

const CATEGORIES: readonly Choice[] = [
  ["walls", "Walls"], ["slabs", "Slabs"], ["doors", "Doors"], ["windows", "Windows"], ["rooms", "Rooms"], ["roofs", "Roofs"], ["stairs", "Stairs"], ["railings", "Railings"],
  ["columns", "Columns"], ["beams", "Beams"], ["furniture", "Furniture"], ["IfcElement", "All elements"],
];

const GROUPINGS: readonly Choice[] = [
  ["class,type", "Class and type"], ["type", "Type"], ["material", "Material"], ["level,class", "Storey and class"], ["classification", "Classification"], ["room", "Room"],
];

const kept = { mode: "room", category: "walls", fields: "Name, type.Name, storey, material, area, volume", grouping: "class,type", takeoff: "walls", source: "computed" };

export function open(host: HTMLElement, context: Context): () => void {
  let dock: Dock | undefined;
  let current: { sheet: Sheet; table: Table; ask: Ask | undefined } | undefined;
  let stop: (() => void) | undefined;
  const off: (() => void)[] = [];
  let own = false;

  const summary = h("div", { class: "p-result", "aria-live": "polite" });
  const ownFields = h(
    "div", { class: "p-form one" },
    choice("Elements", CATEGORIES, kept.category, (v) => (kept.category = v)),
    input("Fields, comma between", { type: "text", value: kept.fields, spellcheck: "false" }, (v) => (kept.fields = v)),
    h("p", { class: "p-note" }, "Attributes, Set.Property, type.Name, storey, material, area, volume, thickness, rooms, computed.NetSideArea"),
  );
  ownFields.hidden = kept.mode !== "own";
  const panel = h(
    "div", { class: "p-panel" },
    h("section", { class: "p-section" }, h("h3", {}, "Schedule"), choice("Table", SCHEDULES, kept.mode, (v) => { kept.mode = v; ownFields.hidden = v !== "own"; if (v !== "own") showSchedule(); }), ownFields, button("Show the schedule", showSchedule, { primary: true })),
    context.may("quantity_takeoff") &&
      h(
        "section", { class: "p-section" }, h("h3", {}, "Quantity take-off"),
        h("div", { class: "p-form" }, choice("Elements", CATEGORIES, kept.takeoff, (v) => (kept.takeoff = v)), choice("Grouped by", GROUPINGS, kept.grouping, (v) => (kept.grouping = v))),
        choice("Value that counts", [["computed", "Measured on the shape"], ["stored", "Stated in the file"]], kept.source, (v) => (kept.source = v)),
        button("Show the take-off", showTakeoff, { primary: true }),
      ),
    summary,
  );
  host.append(panel);

  function askOf(): Ask {
    if (kept.mode !== "own") return { template: kept.mode };
    return { category: kept.category, parameters: kept.fields.split(",").map((f) => f.trim()).filter(Boolean) };
  }

  function showSchedule(): void {
    const ask = askOf();
    show("Schedule", (signal) => schedule(context, ask, signal), ask, "generate_schedule", { ...ask });
  }

  function showTakeoff(): void {
    const args = { categories: [kept.takeoff], grouping: kept.grouping.split(","), source: kept.source };
    show("Quantity take-off", (signal) => takeoff(context, args, signal), undefined, "quantity_takeoff", args);
  }

  function show(title: string, load: (signal: AbortSignal) => Promise<Sheet>, ask: Ask | undefined, tool: string, args: Record<string, unknown>): void {
    stop?.();
    if (!dock?.isOpen) {
      dock = openDock(host, title, {
        closed: () => {
          stop?.();
          current?.table.close();
          current = undefined;
        },
      });
    }
    const place = dock;
    place.title(title);
    place.tools.replaceChildren();
    stop = awaited(place.body, "Making the table…", load, (sheet) => fillDock(place, sheet, ask, tool, args));
  }

  function fillDock(place: Dock, sheet: Sheet, ask: Ask | undefined, tool: string, args: Record<string, unknown>): void {
    current?.table.close();
    const canEdit = ask !== undefined && context.may("import_schedule") && context.shown()?.latest === true;
    const made = table({
      label: sheet.title,
      columns: sheet.columns,
      rows: sheet.rows,
      chosen: (rows) => {
        const model = context.shown()?.model;
        if (!model) return;
        own = true;
        context.select(rows.flatMap((r) => r.ids).map((id) => keyOf(model, id)), { fit: true });
        own = false;
      },
      arranged: (rows) => tell(sheet, rows),
      ...(canEdit ? { edit: (row: Row, column: number, text: string) => edit(sheet, row, column, text) } : {}),
    });
    current = { sheet, table: made, ask };
    place.title(sheet.title);
    const groups = choice("Group by", [["-1", "Nothing"], ...sheet.columns.flatMap((c, i): Choice[] => (c.numeric ? [] : [[String(i), c.heading]]))], "-1", (v) => made.group(Number(v)));
    place.tools.append(
      groups,
      button("XLSX", () => void file(tool, args, "xlsx"), { icon: "download" }),
      button("CSV as shown", () => handOver(csv(sheet.columns, made.rows()), `${sheet.title.replaceAll(" ", "-")}.csv`, "text/csv"), { icon: "download" }),
    );
    place.body.append(made.element);
    tell(sheet, made.rows());
    mark(false);
  }

  function tell(sheet: Sheet, rows: Row[]): void {
    const editable = sheet.columns.filter((c) => c.editable).map((c) => c.heading);
    summary.replaceChildren(
      h("p", {}, `${sheet.title}: ${count(rows.length, "row")}${rows.length === sheet.rows.length ? "" : ` of ${sheet.rows.length}`}`),
      ...(editable.length > 0 && context.may("import_schedule")
        ? [h("p", { class: "p-note" }, context.shown()?.latest ? `Double click or Enter edits: ${editable.join(", ")}.` : "An earlier version is shown: its cells are not edited.")]
        : []),
      ...sheet.notes.map((note) => h("p", { class: "p-note" }, note)),
    );
  }

  async function file(tool: string, args: Record<string, unknown>, format: string): Promise<void> {
    try {
      const answer = await context.call<Linked<object>>(tool, { ...args, format, limit: 1 });
      const link = linked(answer, `.${format}`);
      if (link) await save(link);
    } catch (error) {
      context.toast(said(error), { bad: true });
    }
  }

  /** Writes one cell back, as somebody would who filled in the table and sent it. */
  async function edit(sheet: Sheet, row: Row, column: number, text: string): Promise<void> {
    const about = sheet.columns[column];
    const id = row.ids[0];
    if (!about || !id) return;
    // as in the CSV of the schedule: a number comes in the unit of its heading
    const header = about.unit ? `${about.field ?? about.heading} (${about.unit})` : (about.field ?? about.heading);
    const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
    const answer = await context.call<{ count: number; refused?: { reason?: string }[]; changed?: { after?: unknown }[] }>(
      "import_schedule",
      change(context, { file: `${quoted(header)},GlobalId\n${quoted(text)},${id}\n`, reasoning: `edited in the viewer: ${about.heading}` }),
    );
    const reason = answer.refused?.[0]?.reason;
    if (reason) throw new Error(reason);
    if (answer.count === 0) return;
    const number = Number(text);
    row.cells[column] = text === "" ? null : about.numeric && Number.isFinite(number) ? number : /^(true|yes)$/i.test(text) ? true : /^(false|no)$/i.test(text) ? false : text;
  }

  function mark(scroll: boolean): void {
    if (!current || own) return;
    const model = context.shown()?.model;
    current.table.select(new Set(context.selection().filter((k) => k.startsWith(`${model}/`)).map(idOf)), scroll);
  }

  off.push(context.on("selection", () => mark(true)));
  let seen = context.shown();
  off.push(
    context.on("shown", (shown) => {
      // the own edit of a cell makes a version, too: the table has it already
      const other = shown?.model !== seen?.model;
      seen = shown;
      if (!shown) dock?.close();
      else if (other && dock?.isOpen) showSchedule();
    }),
  );
  showSchedule();
  return () => {
    stop?.();
    off.forEach((f) => f());
    dock?.close();
    panel.remove();
  };
}
