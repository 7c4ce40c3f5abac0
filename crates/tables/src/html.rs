//! A table as an HTML page that needs no other file, for a browser and for paper.

use crate::{Cell, Column, Row, Table};
use std::fmt::Write as _;

/// The look of the page: the header stays in view, and is repeated on each sheet of paper.
const STYLE: &str = "body{font-family:\"Noto Sans\",Arial,sans-serif;margin:2rem;color:#111}h1{font-size:1.4rem;margin:0}\
p{color:#444;margin:.2rem 0}table{border-collapse:collapse;margin-top:1rem;font-size:.85rem}\
th,td{padding:.25rem .6rem;border-bottom:1px solid #ddd;text-align:start;vertical-align:top}\
thead th{position:sticky;top:0;background:#f3f3f0;border-bottom:2px solid #333}\
.n{text-align:end;font-variant-numeric:tabular-nums}.g th{background:#e9eef2;font-weight:600}\
.t th,.t td{border-top:1px solid #333;font-weight:600}.a th,.a td{border-top:2px solid #333;font-weight:700}\
.i{color:#666;font-family:monospace;font-size:.75rem}@media print{body{margin:0}thead{display:table-header-group}\
tr{break-inside:avoid}.i{display:none}}";

/// Writes a table.
pub fn write(table: &Table) -> String {
    let mut out = String::from("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width\">");
    let title = escaped(&table.title);
    // writing to a string does not fail
    let _ = write!(out, "<title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n");
    for line in &table.subtitle {
        let _ = writeln!(out, "<p>{}</p>", escaped(line));
    }
    out.push_str("<table>\n<thead><tr>");
    for column in &table.columns {
        let class = if is_numeric(table, column) { " class=\"n\"" } else { "" };
        let _ = write!(out, "<th scope=\"col\"{class}>{}</th>", escaped(&column.title()));
    }
    if let Some(heading) = &table.id_heading {
        let _ = write!(out, "<th scope=\"col\" class=\"i\">{}</th>", escaped(heading));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        write_row(&mut out, table, row);
    }
    out.push_str("</tbody></table></body></html>\n");
    out
}

/// True of a column whose values are numbers.
fn is_numeric(table: &Table, column: &Column) -> bool {
    let Some(at) = table.columns.iter().position(|other| std::ptr::eq(other, column)) else { return false };
    let mut values =
        table.records().filter_map(|record| record.cells.get(at)).filter(|cell| !cell.is_empty());
    column.unit.is_some() || values.next().is_some_and(|cell| matches!(cell, Cell::Number(_)))
}

fn write_row(out: &mut String, table: &Table, row: &Row) {
    let columns = &table.columns;
    let width = columns.len() + usize::from(table.id_heading.is_some());
    match row {
        Row::Record(record) => {
            out.push_str("<tr>");
            cells(out, columns, &record.cells);
            if table.id_heading.is_some() {
                let _ = write!(out, "<td class=\"i\">{}</td>", escaped(&record.id));
            }
        }
        Row::Group { level, heading, count } => {
            let indent = *level as f64 * 1.2 + 0.6;
            let _ = write!(
                out,
                "<tr class=\"g\"><th scope=\"rowgroup\" colspan=\"{width}\" style=\"padding-inline-start:{indent}rem\">{} ({count})</th>",
                escaped(heading)
            );
        }
        Row::Total { level, heading, cells: values, .. } => {
            let class = if level.is_some() { "t" } else { "a" };
            let _ = write!(out, "<tr class=\"{class}\">");
            // the words stand where the first column has no total
            let has_room = values.first().is_none_or(Cell::is_empty);
            let words = format!("Total {heading}");
            if has_room {
                let _ = write!(out, "<th scope=\"row\">{}</th>", escaped(words.trim()));
                cells(out, columns.get(1..).unwrap_or_default(), values.get(1..).unwrap_or_default());
            } else {
                cells(out, columns, values);
            }
            if table.id_heading.is_some() {
                out.push_str("<td></td>");
            }
        }
    }
    out.push_str("</tr>\n");
}

fn cells(out: &mut String, columns: &[Column], cells: &[Cell]) {
    for (column, cell) in columns.iter().zip(cells) {
        let class = if matches!(cell, Cell::Number(_)) { " class=\"n\"" } else { "" };
        let _ = write!(out, "<td{class}>{}</td>", escaped(&cell.rounded_words(column.decimals)));
    }
}

/// A text without what HTML would read as its own.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() && !c.is_whitespace() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
