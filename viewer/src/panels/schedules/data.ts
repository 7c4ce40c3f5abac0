// Schedules and take-offs of the server as tables.

import type { Context } from "../../page/context";
import { document, linked, type Linked } from "../server";
import { isNumeric, type Cell, type Column, type Row } from "../table-model";

export interface Sheet {
  title: string;
  columns: (Column & { field?: string })[];
  rows: Row[];
  notes: string[];
}

interface ScheduleColumn {
  heading: string;
  field?: string;
  unit?: string;
  total?: Column["total"];
  editable?: boolean;
}

interface ScheduleAnswer {
  title?: string;
  columns?: ScheduleColumn[];
  schedule_data?: Cell[][];
  rows?: number;
  notes?: string[];
}

interface ScheduleFile {
  title?: string;
  columns?: ScheduleColumn[];
  rows?: Cell[][];
}

/** The ways to ask for a schedule: a template, or a category with fields. */
export interface Ask {
  template?: string;
  category?: string;
  parameters?: string[];
  itemized?: boolean;
  filters?: string;
}

const flat = (cell: unknown): Cell =>
  cell === undefined || cell === null ? null : typeof cell === "number" || typeof cell === "string" || typeof cell === "boolean" ? cell : Array.isArray(cell) ? cell.map(String).join(", ") : JSON.stringify(cell);

/** A table from a schedule's columns and rows; the last cell of a row has its ids. */
export function sheetOf(title: string, columns: ScheduleColumn[], data: Cell[][], notes: string[]): Sheet {
  const rows = data.map((cells): Row => {
    const ids = cells.length > columns.length ? String(cells[columns.length] ?? "") : "";
    return { cells: columns.map((_, i) => flat(cells[i])), ids: ids.split(/\s+/).filter(Boolean) };
  });
  return {
    title,
    rows,
    notes,
    columns: columns.map((c, i) => ({
      heading: c.heading,
      field: c.field ?? c.heading,
      numeric: isNumeric(rows, i),
      ...(c.unit ? { unit: c.unit } : {}),
      ...(c.editable ? { editable: true } : {}),
      ...(c.total ? { total: c.total } : {}),
    })),
  };
}

export async function schedule(context: Context, ask: Ask, signal?: AbortSignal): Promise<Sheet> {
  const answer = await context.call<Linked<ScheduleAnswer>>("generate_schedule", { ...ask, format: "json", limit: 50 }, signal);
  // the answer shows some rows, the file has all of them
  const link = linked(answer, ".json");
  const file = link ? await document<ScheduleFile>(link, signal) : undefined;
  const columns = file?.columns ?? answer.columns ?? [];
  const rows = file?.rows ?? answer.schedule_data ?? [];
  const notes = (answer.notes ?? []).filter((note) => !/ rows are shown; the file has all/.test(note));
  return sheetOf(answer.title ?? file?.title ?? "Schedule", columns, rows, notes);
}

interface TakeoffAnswer {
  elements?: number;
  grouping?: string[];
  quantities?: Record<string, unknown>[];
  totals?: Record<string, unknown>;
  currency?: string;
  notes?: string[];
}

const NAMES: Record<string, string> = {
  class: "Class", type: "Type", level: "Storey", room: "Room", material: "Material", classification: "Classification", elements: "Elements", quantity: "Quantity", unit: "Unit",
  value: "Value", stored: "Stated in the file", computed: "Measured", difference: "Difference, %", source: "Counts", cost: "Cost", carbon: "Carbon", waste: "Waste, %",
  before: "Before", after: "After", change: "Change",
};

/** A take-off as a table: the columns that any of its rows has, the grouping first. */
export function takeoffSheet(answer: TakeoffAnswer): Sheet {
  const found = answer.quantities ?? [];
  const order = [...(answer.grouping ?? []), "quantity", "value", "unit", "elements", "stored", "computed", "difference", "source"];
  const keys = [...new Set([...order, ...found.flatMap((row) => Object.keys(row))])].filter((key) => found.some((row) => row[key] !== undefined && row[key] !== null));
  const rows = found.map((row): Row => ({ cells: keys.map((key) => flat(row[key])), ids: [] }));
  const columns = keys.map((key, i) => ({ heading: NAMES[key] ?? key, field: key, numeric: isNumeric(rows, i), mixed: true }));
  return { title: "Quantity take-off", columns, rows, notes: (answer.notes ?? []).filter((note) => !/ rows are shown; the file has all/.test(note)) };
}

export async function takeoff(context: Context, args: Record<string, unknown>, signal?: AbortSignal): Promise<Sheet> {
  const answer = await context.call<Linked<TakeoffAnswer>>("quantity_takeoff", { ...args, format: "json", limit: 50 }, signal);
  const link = linked(answer, ".json");
  const whole = link ? { ...answer, ...(await document<TakeoffAnswer>(link, signal)) } : answer;
  return takeoffSheet(whole);
}
