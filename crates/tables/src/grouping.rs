//! Records sorted, grouped, and with totals.

use crate::{Cell, Column, Record, Row, Total};
use std::cmp::Ordering;
use std::collections::HashMap;

/// Compares two cells: numbers before texts, texts without regard to case and with numbers in them by their value, nothing last.
pub fn compare(a: &Cell, b: &Cell) -> Ordering {
    match (a, b) {
        (Cell::Number(a), Cell::Number(b)) => a.total_cmp(b),
        (Cell::Truth(a), Cell::Truth(b)) => a.cmp(b),
        (Cell::Text(a), Cell::Text(b)) => natural(a, b),
        _ => rank(a).cmp(&rank(b)),
    }
}

/// The place of a kind of value among the others.
fn rank(cell: &Cell) -> u8 {
    match cell {
        Cell::Number(_) => 0,
        Cell::Truth(_) => 1,
        Cell::Text(_) => 2,
        Cell::Empty => 3,
    }
}

/// Compares texts as people sort them: `Door 2` before `Door 10`.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.chars().peekable(), b.chars().peekable());
    loop {
        match (left.peek().copied(), right.peek().copied()) {
            (None, None) => return a.cmp(b),
            (None, _) => return Ordering::Less,
            (_, None) => return Ordering::Greater,
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                let number = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>| {
                    let mut digits = String::new();
                    while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                        if digit != '0' || !digits.is_empty() {
                            digits.push(digit);
                        }
                    }
                    digits
                };
                let (x, y) = (number(&mut left), number(&mut right));
                match x.len().cmp(&y.len()).then_with(|| x.cmp(&y)) {
                    Ordering::Equal => {}
                    other => return other,
                }
            }
            (Some(x), Some(y)) => {
                left.next();
                right.next();
                match x.to_lowercase().cmp(y.to_lowercase()) {
                    Ordering::Equal => {}
                    other => return other,
                }
            }
        }
    }
}

/// The rows of records that are in their order: under headings of the groups that these columns form, with totals after each group and
/// at the end where a column has a total. Groups stand in the order of their first records.
pub fn arranged(columns: &[Column], records: Vec<Record>, group_by: &[usize], all: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let totalled = columns.iter().any(|column| column.total.is_some());
    let of_all = if totalled { totals(columns, &records) } else { Vec::new() };
    write(columns, records, group_by, 0, totalled, &mut rows);
    if totalled {
        let over = 0..rows.len();
        rows.push(Row::Total { level: None, heading: all.to_owned(), over, cells: of_all });
    }
    rows
}

/// Records with the same value in a column, together.
fn groups(records: Vec<Record>, by: usize) -> Vec<(Cell, Vec<Record>)> {
    let mut groups: Vec<(Cell, Vec<Record>)> = Vec::new();
    let mut places: HashMap<(u8, String), usize> = HashMap::new();
    for record in records {
        let value = cell(&record, by).clone();
        let at = *places.entry((rank(&value), value.words())).or_insert_with(|| {
            groups.push((value, Vec::new()));
            groups.len() - 1
        });
        if let Some((_, group)) = groups.get_mut(at) {
            group.push(record);
        }
    }
    groups
}

fn cell(record: &Record, at: usize) -> &Cell {
    record.cells.get(at).unwrap_or(&Cell::Empty)
}

fn write(
    columns: &[Column],
    records: Vec<Record>,
    group_by: &[usize],
    level: usize,
    totalled: bool,
    rows: &mut Vec<Row>,
) {
    let Some((by, deeper)) = group_by.split_first() else {
        rows.extend(records.into_iter().map(Row::Record));
        return;
    };
    let column = columns.get(*by);
    for (value, group) in groups(records, *by) {
        let words = match value {
            Cell::Empty => "(none)".to_owned(),
            value => value.rounded_words(column.and_then(|column| column.decimals)),
        };
        let heading = match column {
            Some(column) => format!("{}: {words}", column.title()),
            None => words.clone(),
        };
        let cells = if totalled { totals(columns, &group) } else { Vec::new() };
        rows.push(Row::Group { level, heading, count: group.len() });
        let start = rows.len();
        write(columns, group, deeper, level + 1, totalled, rows);
        if totalled {
            let over = start..rows.len();
            rows.push(Row::Total { level: Some(level), heading: words, over, cells });
        }
    }
}

fn totals(columns: &[Column], records: &[Record]) -> Vec<Cell> {
    let over = |(at, total): (usize, Total)| total.over(records.iter().map(|record| cell(record, at)));
    let one = |(at, column): (usize, &Column)| column.total.map_or(Cell::Empty, |total| over((at, total)));
    columns.iter().enumerate().map(one).collect()
}
