// What a table shows of its rows: filtered, sorted, in groups with sums. Pure, so that it can be tested without a page.

export type Cell = string | number | boolean | null;

export interface Column {
  heading: string;
  unit?: string;
  /** Whether its values are numbers. */
  numeric: boolean;
  editable?: boolean;
  /** Its cells have units of their own, so each has its own decimals. */
  mixed?: boolean;
  total?: "sum" | "avg" | "min" | "max" | "count";
}

export interface Row {
  cells: Cell[];
  /** GlobalIds of the elements that it speaks of. */
  ids: string[];
}

export interface Wish {
  /** A condition for each column; empty for none. */
  filters: string[];
  sort: { column: number; down: boolean } | undefined;
  /** Column that groups; -1 for none. */
  group: number;
  /** Names of groups that are folded. */
  folded: Set<string>;
}

export type Line = { kind: "group"; name: string; rows: number; folded: boolean; totals: Cell[] } | { kind: "row"; row: Row };

/** Whether a column has numbers alone. */
export function isNumeric(rows: readonly Row[], column: number): boolean {
  let some = false;
  for (const { cells } of rows) {
    const value = cells[column];
    if (value === null || value === undefined || value === "") continue;
    if (typeof value !== "number") return false;
    some = true;
  }
  return some;
}

/** A cell as words. */
export function words(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "boolean") return cell ? "Yes" : "No";
  return String(cell);
}

/** Whether a cell meets a condition: words that it contains, or with numbers `>5`, `<=3`, `2..4`, `=7`; `!` turns it round, `-` is for empty cells. */
export function meets(cell: Cell | undefined, condition: string): boolean {
  const wanted = condition.trim();
  if (!wanted) return true;
  if (wanted.startsWith("!") && wanted.length > 1) return !meets(cell, wanted.slice(1));
  const empty = cell === null || cell === undefined || cell === "";
  if (wanted === "-") return empty;
  const compared = /^(>=|<=|>|<|=)\s*(-?[\d.]+)$/.exec(wanted);
  if (compared && typeof cell === "number") {
    const limit = Number(compared[2]);
    switch (compared[1]) {
      case ">": return cell > limit;
      case "<": return cell < limit;
      case ">=": return cell >= limit;
      case "<=": return cell <= limit;
      default: return cell === limit;
    }
  }
  const between = /^(-?[\d.]+)\s*\.\.\s*(-?[\d.]+)$/.exec(wanted);
  if (between && typeof cell === "number") return cell >= Number(between[1]) && cell <= Number(between[2]);
  if (compared || between) return false;
  return words(cell).toLowerCase().includes(wanted.toLowerCase());
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Order of two cells; empty ones come last whichever way it is sorted. */
export function compare(a: Cell | undefined, b: Cell | undefined, down: boolean): number {
  const [ea, eb] = [a, b].map((v) => v === null || v === undefined || v === "");
  if (ea || eb) return Number(ea) - Number(eb);
  const order = typeof a === "number" && typeof b === "number" ? a - b : collator.compare(words(a), words(b));
  return down ? -order : order;
}

/** The total of a column over rows, by its own way of adding up. */
export function total(column: Column, at: number, rows: readonly Row[]): Cell {
  if (!column.total) return null;
  const values = rows.map((r) => r.cells[at]).filter((v): v is number => typeof v === "number");
  if (column.total === "count") return rows.filter((r) => words(r.cells[at]) !== "").length;
  if (values.length === 0) return null;
  switch (column.total) {
    case "min": return values.reduce((m, v) => Math.min(m, v));
    case "max": return values.reduce((m, v) => Math.max(m, v));
    case "avg": return values.reduce((m, v) => m + v, 0) / values.length;
    default: return values.reduce((m, v) => m + v, 0);
  }
}

export function totals(columns: readonly Column[], rows: readonly Row[]): Cell[] {
  return columns.map((column, at) => total(column, at, rows));
}

/** The lines to show, and the rows that the filters leave. */
export function arrange(columns: readonly Column[], rows: readonly Row[], wish: Wish): { lines: Line[]; rows: Row[] } {
  let left = rows.filter((row) => wish.filters.every((condition, at) => !condition || meets(row.cells[at], condition)));
  const { sort } = wish;
  // filter made a new list, which may be sorted in place; equal ones keep their order
  if (sort) left = left.sort((a, b) => compare(a.cells[sort.column], b.cells[sort.column], sort.down));
  if (wish.group < 0) return { lines: left.map((row) => ({ kind: "row", row })), rows: left };
  const groups = new Map<string, Row[]>();
  for (const row of left) {
    const name = words(row.cells[wish.group]) || "Not stated";
    const members = groups.get(name);
    if (members) members.push(row);
    else groups.set(name, [row]);
  }
  const lines: Line[] = [];
  for (const [name, members] of [...groups].sort(([a], [b]) => collator.compare(a, b))) {
    const folded = wish.folded.has(name);
    lines.push({ kind: "group", name, rows: members.length, folded, totals: totals(columns, members) });
    if (!folded) lines.push(...members.map((row): Line => ({ kind: "row", row })));
  }
  return { lines, rows: left };
}

/** A table as CSV. What a spreadsheet program would compute is made text by an apostrophe, as the server does. */
export function csv(columns: readonly Column[], rows: readonly Row[]): string {
  const quoted = (cell: Cell | undefined): string => {
    if (typeof cell === "number") return String(cell);
    const text = words(cell);
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const head = columns.map((c) => quoted(c.unit ? `${c.heading} (${c.unit})` : c.heading));
  return [[...head, "GlobalId"].join(","), ...rows.map((r) => [...columns.map((_, i) => quoted(r.cells[i])), r.ids.join(" ")].join(","))].join("\r\n") + "\r\n";
}
