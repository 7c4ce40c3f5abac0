//! Any bytes are a table or are refused. What is read is written as CSV and as a workbook, and read again to the same cells. As text they are
//! a formula or are refused, and a formula is computed and written without end in sight being crossed.
use tables::{Cell, Column, Formula, Record, Table, arranged, read, write_csv, write_xlsx};

/// One input.
pub fn run(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(formula) = Formula::parse(text, &|_| Ok(0))
    {
        let _ = formula.value(&[Cell::Number(2.0)]);
        let _ = formula.spreadsheet(&|_| "A2".to_owned());
    }
    let Ok(sheet) = read(bytes, None) else { return };
    let heading = |name: &String| Column { key: name.clone(), heading: name.clone(), ..Column::default() };
    let columns: Vec<Column> = sheet.headings.iter().map(heading).collect();
    let lines = sheet.lines.iter().enumerate().take(100);
    let records =
        lines.map(|(at, line)| Record { id: format!("id{at}"), cells: line.cells.clone() }).collect();
    let rows = arranged(&columns, records, &[], "");
    let table = Table {
        title: "T".to_owned(),
        columns,
        rows,
        id_heading: Some("GlobalId".into()),
        ..Table::default()
    };
    let again = read(write_csv(&table).as_bytes(), Some("GlobalId"));
    let has_null = sheet.lines.iter().flat_map(|line| &line.cells).any(|cell| cell.words().contains('\0'));
    let is_unique = !has_null
        && sheet.headings.len() < 900
        && !sheet
            .headings
            .iter()
            .any(|heading| heading.eq_ignore_ascii_case("GlobalId") || heading.contains('\0'));
    if is_unique {
        let Ok(again) = again else { unreachable!("what is written is read") };
        assert_eq!(again.lines.len(), sheet.lines.len().min(100));
    }
    if let Ok(book) = write_xlsx(&table) {
        assert!(!is_unique || read(&book, Some("GlobalId")).is_ok());
    }
}
