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
    let built = schedule::build(call, wish).map_err(|fault| generate_schedule::below(fault, &field))?.table;
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

fn words(columns: &[Column], cells: &[Cell]) -> Vec<String> {
    columns.iter().zip(cells).map(|(column, cell)| cell.rounded_words(column.decimals)).collect()
}
