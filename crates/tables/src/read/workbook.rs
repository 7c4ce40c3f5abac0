//! Workbooks (ECMA-376) as spreadsheet programs save them; of formulas the values that were saved with them.

use super::{BadFile, Gathered, MOST_CELLS, MOST_LINES, Sheet, Written};
use crate::Cell;
use crate::xlsx::{COLUMNS, VALUES};
use calamine::{Data, DataRef, Reader, Xlsx};
use std::io::{Cursor, Read};

/// Bytes that a workbook may come to when it is unpacked, and files in it.
const MOST_UNPACKED: u64 = 512 << 20;
const MOST_FILES: usize = 4_096;

type Workbook<'b> = Xlsx<Cursor<&'b [u8]>>;

/// Reads a workbook: the first sheet that people see.
pub(super) fn read(bytes: &[u8], id_heading: Option<&str>) -> Result<Sheet, BadFile> {
    check(bytes)?;
    let mut workbook: Workbook<'_> =
        Xlsx::new(Cursor::new(bytes)).map_err(|error| BadFile::Workbook(error.to_string()))?;
    let names = workbook.sheet_names();
    let own = |name: &String| name == COLUMNS || name == VALUES;
    let Some(shown) = names.iter().find(|name| !own(name)) else {
        return Err(BadFile::Workbook("it has no sheet".into()));
    };
    let mut sheet = lines(&mut workbook, shown)?.headed(id_heading)?;
    if names.iter().any(|name| name == COLUMNS) {
        let read = lines(&mut workbook, COLUMNS)?;
        sheet.columns = read.lines.iter().map(|line| column(&line.cells)).collect();
    }
    if names.iter().any(|name| name == VALUES) && !sheet.columns.is_empty() {
        for line in lines(&mut workbook, VALUES)?.lines {
            let mut cells = line.cells.into_iter();
            let id = cells.next().unwrap_or_default().words();
            let mut cells: Vec<Cell> = cells.collect();
            cells.resize(sheet.columns.len(), Cell::Empty);
            sheet.values.insert(id, cells);
        }
    }
    Ok(sheet)
}

/// Refuses archives that unpack to more than is read, before anything is unpacked into memory.
fn check(bytes: &[u8]) -> Result<(), BadFile> {
    let bad = |error: zip::result::ZipError| BadFile::Workbook(error.to_string());
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(bad)?;
    if archive.len() > MOST_FILES {
        return Err(BadFile::Size { most: MOST_FILES, what: "files in its archive" });
    }
    let mut left = MOST_UNPACKED;
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).map_err(bad)?;
        // what the archive says of its sizes may be wrong
        let read = std::io::copy(&mut file.by_ref().take(left + 1), &mut std::io::sink())
            .map_err(|error| BadFile::Workbook(error.to_string()))?;
        if read > left {
            return Err(BadFile::Size { most: MOST_UNPACKED as usize, what: "bytes when unpacked" });
        }
        left -= read;
    }
    Ok(())
}

fn lines(workbook: &mut Workbook<'_>, name: &str) -> Result<Gathered, BadFile> {
    let bad = |error: calamine::XlsxError| BadFile::Workbook(error.to_string());
    let mut reader = workbook.worksheet_cells_reader(name).map_err(bad)?;
    // a damaged sheet may name its cells in any order
    let mut cells = Vec::new();
    while let Some(cell) = reader.next_cell().map_err(bad)? {
        if cells.len() >= MOST_CELLS {
            return Err(BadFile::Size { most: MOST_CELLS, what: "cells" });
        }
        let (row, column) = cell.get_position();
        if row as usize > MOST_LINES * 5 {
            return Err(BadFile::Size { most: MOST_LINES, what: "lines" });
        }
        cells.push((row as usize, column as usize, value(cell.get_value())));
    }
    cells.sort_by_key(|(row, column, _)| (*row, *column));
    let mut gathered = Gathered::default();
    for (row, column, value) in cells {
        gathered.put(row + 1, column, value)?;
    }
    Ok(gathered)
}

fn value(data: &DataRef<'_>) -> Cell {
    let text = |text: &str| if text.trim().is_empty() { Cell::Empty } else { Cell::Text(text.to_owned()) };
    match Data::from(data.clone()) {
        Data::Int(number) => Cell::Number(number as f64),
        Data::Float(number) if number.is_finite() => Cell::Number(number),
        Data::String(words) | Data::DateTimeIso(words) | Data::DurationIso(words) => text(&words),
        Data::Bool(truth) => Cell::Truth(truth),
        Data::DateTime(moment) if moment.is_datetime() => {
            let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
            let time = if (hour, minute, second) == (0, 0, 0) {
                String::new()
            } else {
                format!("T{hour:02}:{minute:02}:{second:02}")
            };
            Cell::Text(format!("{year:04}-{month:02}-{day:02}{time}"))
        }
        Data::DateTime(moment) => Cell::Number(moment.as_f64()),
        Data::Error(error) => Cell::Text(error.to_string()),
        _ => Cell::Empty,
    }
}

fn column(cells: &[Cell]) -> Written {
    let words = |at: usize| cells.get(at).map(Cell::words).unwrap_or_default();
    Written {
        key: words(0),
        title: words(1),
        unit: Some(words(2)).filter(|unit| !unit.is_empty()),
        is_editable: cells.get(3) == Some(&Cell::Truth(true)),
    }
}
