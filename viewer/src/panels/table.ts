// A table of any length: only the lines in sight are in the page. It is sorted and resized at its headings, filtered below them; arrows go from
// cell to cell, Enter edits, Space selects.

import { h } from "../dom";
import { arrange, totals, words, type Cell, type Column, type Line, type Row, type Wish } from "./table-model";
import { number } from "./ui";

export interface TableOptions {
  label: string;
  columns: Column[];
  rows: Row[];
  group?: number;
  /** A row was chosen. */
  chosen?(rows: Row[]): void;
  /** A cell was changed; a refusal is thrown. */
  edit?(row: Row, column: number, text: string): Promise<void>;
  /** After filters and order changed: the rows that are shown. */
  arranged?(rows: Row[]): void;
}

export interface Table {
  element: HTMLElement;
  group(column: number): void;
  /** Marks the rows of these elements. */
  select(ids: Set<string>, scroll: boolean): void;
  rows(): Row[];
  close(): void;
}

const LINE = 28;
let tables = 0;

/** Decimals of a column, the same in all of its cells: none of whole numbers and mm. */
function decimalsOf(column: Column, at: number, rows: Row[]): number {
  if (!column.numeric || column.unit === "mm") return 0;
  return rows.every(({ cells }) => typeof cells[at] !== "number" || Number.isInteger(cells[at])) ? 0 : 2;
}

export function table(options: TableOptions): Table {
  const { columns } = options;
  const name = `t${++tables}`;
  const wish: Wish = { filters: columns.map(() => ""), sort: undefined, group: options.group ?? -1, folded: new Set() };
  let lines: Line[] = [];
  let left: Row[] = options.rows;
  let chosen = new Set<string>();
  let active = { line: 0, column: 0 };
  let anchor = 0;
  let editing = false;
  const decimals = columns.map((column, i) => decimalsOf(column, i, options.rows));
  const shown = (cell: Cell | undefined, i: number) => (typeof cell === "number" ? number(cell, columns[i]?.mixed && Number.isInteger(cell) ? 0 : (decimals[i] ?? 2)) : words(cell));
  const widths = columns.map((column, i) => startWidth(column, i, options.rows));

  const head = h("div", { class: "t-row t-head", role: "row", "aria-rowindex": "1" });
  const filters = h("div", { class: "t-row t-filters", role: "row" });
  const body = h("div", { class: "t-body", role: "rowgroup" });
  const foot = h("div", { class: "t-row t-foot", role: "row" });
  const grid = h("div", { class: "t-grid", role: "grid", tabindex: "0", "aria-label": options.label, "aria-multiselectable": "true", "aria-colcount": String(columns.length) }, h("div", { class: "t-top", role: "rowgroup" }, head, filters), body, h("div", { class: "t-bottom", role: "rowgroup" }, foot));

  const setWidths = () => grid.style.setProperty("--columns", widths.map((w) => `${w}px`).join(" "));
  setWidths();

  columns.forEach((column, i) => {
    const press = () => {
      const { sort } = wish;
      wish.sort = sort?.column !== i ? { column: i, down: false } : sort.down ? undefined : { column: i, down: true };
      update();
    };
    const edge = h("span", { class: "t-edge", role: "separator", "aria-orientation": "vertical", "aria-label": `Width of ${column.heading}`, tabindex: "0", "aria-valuenow": String(widths[i]), "aria-valuemin": "40", "aria-valuemax": "800" });
    const resize = (to: number) => {
      widths[i] = Math.min(Math.max(Math.round(to), 40), 800);
      edge.setAttribute("aria-valuenow", String(widths[i]));
      setWidths();
    };
    edge.addEventListener("pointerdown", (e) => {
      e.preventDefault();
      edge.setPointerCapture(e.pointerId);
      const [from, width] = [e.clientX, widths[i] ?? 100];
      const move = (m: PointerEvent) => resize(width + m.clientX - from);
      edge.addEventListener("pointermove", move);
      edge.addEventListener("pointerup", () => edge.removeEventListener("pointermove", move), { once: true });
    });
    edge.addEventListener("keydown", (e) => {
      const step = e.key === "ArrowRight" ? 16 : e.key === "ArrowLeft" ? -16 : 0;
      if (!step) return;
      e.preventDefault();
      e.stopPropagation();
      resize((widths[i] ?? 100) + step);
    });
    const title = column.unit ? `${column.heading}, ${column.unit}` : column.heading;
    head.append(
      h("div", { class: column.numeric ? "t-cell num" : "t-cell", role: "columnheader", "aria-sort": "none" }, h("button", { type: "button", title: `Sort by ${column.heading}`, onclick: press }, h("span", {}, title), h("i", { class: "t-order", "aria-hidden": "true" })), edge),
    );
    const box = h("input", { type: "search", "aria-label": `Filter ${column.heading}`, placeholder: column.numeric ? "> < .." : "contains", oninput: () => { wish.filters[i] = box.value; update(); } });
    filters.append(h("div", { class: "t-cell", role: "gridcell" }, box));
  });

  function update(): void {
    ({ lines, rows: left } = arrange(columns, options.rows, wish));
    active.line = Math.min(active.line, Math.max(lines.length - 1, 0));
    body.style.height = `${lines.length * LINE}px`;
    grid.setAttribute("aria-rowcount", String(lines.length + 1));
    [...head.children].forEach((cell, i) => cell.setAttribute("aria-sort", wish.sort?.column === i ? (wish.sort.down ? "descending" : "ascending") : "none"));
    const sums = totals(columns, left);
    foot.replaceChildren(
      ...columns.map((column, i) => {
        const sum = sums[i];
        const text = i === 0 && sum === null ? `${left.length} of ${options.rows.length}` : sum === null || sum === undefined ? "" : shown(sum, i);
        return h("div", { class: column.numeric ? "t-cell num" : "t-cell", role: "gridcell" }, text);
      }),
    );
    draw();
    options.arranged?.(left);
  }

  /** Draws the lines in sight, and some beyond. A cell that is being edited stays as it is: scrolling to it would take it away. */
  function draw(): void {
    if (editing) return;
    const top = grid.scrollTop;
    const from = Math.max(0, Math.floor(top / LINE) - 6);
    const to = Math.min(lines.length, Math.ceil((top + grid.clientHeight) / LINE) + 6);
    body.replaceChildren();
    for (let i = from; i < to; i++) {
      const line = lines[i];
      if (!line) continue;
      const element = line.kind === "group" ? groupLine(line, i) : rowLine(line.row, i);
      element.style.transform = `translateY(${i * LINE}px)`;
      body.append(element);
    }
    point();
  }

  function groupLine(line: Extract<Line, { kind: "group" }>, i: number): HTMLElement {
    const fold = () => {
      if (!wish.folded.delete(line.name)) wish.folded.add(line.name);
      update();
    };
    const cells = columns.map((column, at) => {
      const sum = line.totals[at];
      const text = at === 0 ? `${line.folded ? "▸" : "▾"} ${line.name} (${line.rows})` : sum === null || sum === undefined ? "" : shown(sum, at);
      return h("div", { class: column.numeric && at > 0 ? "t-cell num" : "t-cell", role: "gridcell", id: `${name}-${i}-${at}` }, text);
    });
    return h("div", { class: "t-row t-group", role: "row", "aria-rowindex": String(i + 2), "aria-expanded": String(!line.folded), "data-line": String(i), onclick: fold }, ...cells);
  }

  function rowLine(row: Row, i: number): HTMLElement {
    const on = row.ids.some((id) => chosen.has(id));
    const cells = columns.map((column, at) => {
      const text = shown(row.cells[at], at);
      const can = options.edit && column.editable && row.ids.length === 1;
      return h("div", { class: `t-cell${column.numeric ? " num" : ""}${can ? " can" : ""}`, role: "gridcell", id: `${name}-${i}-${at}`, title: text.length > 12 ? text : undefined, "aria-readonly": can ? undefined : "true", "data-column": String(at) }, text);
    });
    return h("div", { class: "t-row", role: "row", "aria-rowindex": String(i + 2), "aria-selected": String(on), "data-line": String(i) }, ...cells);
  }

  /** Marks what is chosen among the lines that are there: drawn anew they would miss the second click of two. */
  function mark(): void {
    for (const element of body.querySelectorAll<HTMLElement>("[data-line]")) {
      const entry = lines[Number(element.dataset["line"])];
      if (entry?.kind === "row") element.setAttribute("aria-selected", String(entry.row.ids.some((id) => chosen.has(id))));
    }
    point();
  }

  function point(): void {
    body.querySelector(".t-active")?.classList.remove("t-active");
    const cell = body.querySelector(`#${name}-${active.line}-${active.column}`);
    cell?.classList.add("t-active");
    if (cell) grid.setAttribute("aria-activedescendant", cell.id);
    else grid.removeAttribute("aria-activedescendant");
  }

  function reveal(line: number): void {
    const room = grid.clientHeight - topHeight() - LINE;
    const y = line * LINE;
    if (y < grid.scrollTop) grid.scrollTop = y;
    else if (y + LINE > grid.scrollTop + room) grid.scrollTop = y + LINE - room;
  }
  const topHeight = () => head.offsetHeight + filters.offsetHeight;

  function choose(line: number, how: { add: boolean; range: boolean }): void {
    const entry = lines[line];
    if (!entry || entry.kind === "group") return;
    const span = how.range ? lines.slice(Math.min(anchor, line), Math.max(anchor, line) + 1) : [entry];
    const ids = span.flatMap((l) => (l.kind === "row" ? l.row.ids : []));
    if (how.add && entry.row.ids.every((id) => chosen.has(id))) for (const id of ids) chosen.delete(id);
    else {
      if (!how.add) chosen.clear();
      for (const id of ids) chosen.add(id);
    }
    if (!how.range) anchor = line;
    mark();
    options.chosen?.(options.rows.filter((row) => row.ids.some((id) => chosen.has(id))));
  }

  function begin(line: number, column: number): void {
    const entry = lines[line];
    const about = columns[column];
    if (!options.edit || entry?.kind !== "row" || !about?.editable || entry.row.ids.length !== 1) return;
    const cell = body.querySelector<HTMLElement>(`#${name}-${line}-${column}`);
    if (!cell) return;
    editing = true;
    const { row } = entry;
    const before = words(row.cells[column]);
    const box = h("input", { class: "t-edit", "aria-label": `${about.heading}` });
    box.value = before;
    cell.replaceChildren(box);
    box.focus();
    box.select();
    let over = false;
    const end = (keep: boolean) => {
      if (over) return;
      over = true;
      if (!keep || box.value === before) {
        editing = false;
        draw();
        grid.focus({ preventScroll: true });
        return;
      }
      cell.classList.add("busy");
      const text = box.value;
      options.edit?.(row, column, text).then(
        () => {
          editing = false;
          update();
          grid.focus({ preventScroll: true });
        },
        (error: unknown) => {
          over = false;
          cell.classList.remove("busy");
          box.setCustomValidity(error instanceof Error ? error.message : String(error));
          box.reportValidity();
          box.setAttribute("aria-invalid", "true");
          box.title = box.validationMessage;
        },
      );
    };
    box.addEventListener("keydown", (e) => {
      e.stopPropagation();
      if (e.key === "Enter") end(true);
      if (e.key === "Escape") {
        // the dock around it is not closed by that
        e.preventDefault();
        end(false);
      }
    });
    box.addEventListener("input", () => box.setCustomValidity(""));
    box.addEventListener("blur", () => end(box.validity.valid));
  }

  const at = (e: MouseEvent): { line: number; column: number } | undefined => {
    const target = e.target as HTMLElement;
    const row = target.closest<HTMLElement>("[data-line]");
    return row ? { line: Number(row.dataset["line"]), column: Number(target.closest<HTMLElement>("[data-column]")?.dataset["column"] ?? 0) } : undefined;
  };
  body.addEventListener("click", (e) => {
    const place = at(e);
    if (!place || (e.target as HTMLElement).closest("input") || lines[place.line]?.kind === "group") return;
    active = place;
    choose(place.line, { add: e.ctrlKey || e.metaKey, range: e.shiftKey });
  });
  body.addEventListener("dblclick", (e) => {
    const place = at(e);
    if (place) begin(place.line, place.column);
  });
  grid.addEventListener("keydown", (e) => {
    if (e.target !== grid) return;
    const page = Math.max(1, Math.floor(grid.clientHeight / LINE) - 3);
    const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], PageDown: [page, 0], PageUp: [-page, 0], Home: [0, -columns.length], End: [0, columns.length] }[e.key];
    if (step) {
      active = { line: Math.min(Math.max(active.line + (step[0] ?? 0), 0), lines.length - 1), column: Math.min(Math.max(active.column + (step[1] ?? 0), 0), columns.length - 1) };
      reveal(active.line);
      draw();
    } else if (e.key === "Enter" || e.key === "F2") {
      const entry = lines[active.line];
      if (entry?.kind === "group") body.querySelector<HTMLElement>(`[data-line="${active.line}"]`)?.click();
      else if (options.edit && columns[active.column]?.editable) begin(active.line, active.column);
      else choose(active.line, { add: false, range: false });
    } else if (e.key === " ") choose(active.line, { add: true, range: e.shiftKey });
    else return;
    e.preventDefault();
  });
  grid.addEventListener("scroll", draw, { passive: true });
  const watch = new ResizeObserver(draw);
  watch.observe(grid);
  update();

  return {
    element: grid,
    group(column) {
      wish.group = column;
      wish.folded.clear();
      update();
    },
    select(ids, scroll) {
      chosen = new Set(ids);
      const first = lines.findIndex((l) => l.kind === "row" && l.row.ids.some((id) => ids.has(id)));
      if (scroll && first >= 0) reveal(first);
      draw();
    },
    rows: () => left,
    close: () => watch.disconnect(),
  };
}

/** Wide enough for its heading and what the first rows hold. */
function startWidth(column: Column, at: number, rows: Row[]): number {
  let longest = column.heading.length + (column.unit ? column.unit.length + 2 : 0) + 4;
  for (const row of rows.slice(0, 60)) longest = Math.max(longest, Math.min(words(row.cells[at]).length, column.numeric ? 10 : 34));
  return Math.round(Math.min(Math.max(longest * 6.7 + 22, 74), 260));
}
