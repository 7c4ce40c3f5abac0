//! Schedules on sheets: made of the model each time that a sheet is drawn.

use crate::IfcCall;
use crate::documentation::generate_schedule;
use crate::schedule;
use contract::Fault;
use documentation::sheet::Table;
use tables::{Cell, Column, Row};

/// A table with the columns and rows of its schedule. A Fault names the field below `field`.
pub(crate) fn filled(call: &IfcCall, table: &Table, field: &str) -> Result<Table, Fault> {
    let Some(request) = &table.schedule else { return Ok(table.clone()) };
    let field = format!("{field}.schedule");
    let wish = generate_schedule::wish(request, &field)?;
    let has_own_columns = wish.parameters.is_some();
    let built = schedule::build(call, wish).map_err(|fault| generate_schedule::below(fault, &field))?.table;
    let built = if has_own_columns { built } else { without_empty(built) };
    let mut made = Table { header: built.columns.iter().map(Column::title).collect(), ..table.clone() };
    if made.title.is_empty() {
        made.title.clone_from(&built.title);
    }
    let is_number = |cell: &Cell| cell.number().is_some();
    let numbers = (0..built.columns.len()).filter(|at| {
        let mut cells = built
            .records()
            .filter_map(|record| record.cells.get(*at))
            .filter(|cell| !cell.is_empty())
            .peekable();
        cells.peek().is_some() && cells.all(is_number)
    });
    made.right = numbers.collect();
    for row in &built.rows {
        let (cells, is_bold) = match row {
            Row::Record(record) => (words(&built.columns, &record.cells), false),
            Row::Group { heading, count, .. } => {
                let mut cells = vec![String::new(); built.columns.len()];
                if let Some(first) = cells.first_mut() {
                    *first = format!("{heading} ({count})");
                }
                (cells, true)
            }
            Row::Total { heading, cells, .. } => {
                let mut cells = words(&built.columns, cells);
                if let Some(first) = cells.first_mut().filter(|first| first.is_empty()) {
                    first.clone_from(heading);
                }
                (cells, true)
            }
        };
        if is_bold {
            made.bold.push(made.rows.len());
        }
        made.rows.push(cells);
    }
    Ok(made)
}

/// A template's schedule without the columns in which nothing stands: paper is not filled in by a program.
fn without_empty(mut table: tables::Table) -> tables::Table {
    let has_words = |at: &usize| {
        table
            .records()
            .any(|record| record.cells.get(*at).is_some_and(|cell| !cell.words().trim().is_empty()))
    };
    let kept: Vec<usize> = (0..table.columns.len()).filter(has_words).collect();
    if kept.is_empty() {
        return table;
    }
    let only = |cells: &[Cell]| kept.iter().filter_map(|at| cells.get(*at).cloned()).collect::<Vec<Cell>>();
    for row in &mut table.rows {
        match row {
            Row::Record(record) => record.cells = only(&record.cells),
            Row::Total { cells, .. } => *cells = only(cells),
            Row::Group { .. } => {}
        }
    }
    table.columns = kept.iter().filter_map(|at| table.columns.get(*at).cloned()).collect();
    table
}

fn words(columns: &[Column], cells: &[Cell]) -> Vec<String> {
    columns.iter().zip(cells).map(|(column, cell)| cell.rounded_words(column.decimals)).collect()
}
