//! A table as CSV (RFC 4180): a header of keys and a line for each record, without groups and totals, for programs.

use crate::{Cell, Row, Table};

/// Writes the records of a table. A text that a spreadsheet program would take for a formula has an apostrophe before it, which
/// [`crate::read`] takes away again.
pub fn write(table: &Table) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut header: Vec<String> =
        table.columns.iter().map(|column| guarded(&column.key_with_unit())).collect();
    header.extend(table.id_heading.clone());
    // writing to memory does not fail
    let _ = writer.write_record(&header);
    for row in &table.rows {
        let Row::Record(record) = row else { continue };
        let mut cells: Vec<String> = record.cells.iter().map(words).collect();
        if table.id_heading.is_some() {
            cells.push(record.id.clone());
        }
        let _ = writer.write_record(&cells);
    }
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

fn words(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => guarded(text),
        other => other.words(),
    }
}

/// True of a text that a spreadsheet program would compute, or that looks as if it were guarded against that.
fn is_risky(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n'])
        || text.strip_prefix('\'').is_some_and(|rest| rest.starts_with('\'') || is_risky(rest))
}

fn guarded(text: &str) -> String {
    if is_risky(text) { format!("'{text}") } else { text.to_owned() }
}

/// The text that was guarded.
pub(crate) fn unguarded(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if is_risky(rest) => rest,
        _ => text,
    }
}
