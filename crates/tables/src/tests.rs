use crate::{
    Cell, Column, Formula, Record, Row, Table, Total, arranged, compare, read, write_csv, write_html,
    write_xlsx,
};
use proptest::prelude::*;
use std::cmp::Ordering;

fn text(words: &str) -> Cell {
    Cell::Text(words.into())
}

fn column(key: &str) -> Column {
    Column { key: key.into(), heading: key.into(), is_editable: true, ..Column::default() }
}

fn doors() -> Table {
    let mut columns = vec![column("Name"), column("Storey"), column("Width"), column("Area")];
    columns[2].unit = Some("mm".into());
    columns[3].unit = Some("m²".into());
    columns[3].total = Some(Total::Sum);
    columns[3].decimals = Some(2);
    columns[3].formula = Formula::parse("[Width] * 2.1 / 1000", &|name| {
        (name == "Width").then_some(2).ok_or_else(|| "no".into())
    })
    .ok();
    let record = |id: &str, name: &str, storey: &str, width: Cell| {
        let mut cells = vec![text(name), text(storey), width, Cell::Empty];
        cells[3] = columns[3].formula.as_ref().unwrap().value(&cells);
        Record { id: id.into(), cells }
    };
    let records = vec![
        record("a", "Door 10", "Upper", Cell::Number(900.0)),
        record("b", "=1+1", "Ground", Cell::Number(800.0)),
        record("c", "Door <2>", "Ground", Cell::Empty),
    ];
    let rows = arranged(&columns, records, &[1], "");
    Table {
        title: "Doors: all/of them".into(),
        subtitle: vec!["House & co".into()],
        columns,
        rows,
        id_heading: Some("GlobalId".into()),
    }
}

#[test]
fn records_stand_in_groups_with_totals() {
    let table = doors();
    let kinds: Vec<String> = table
        .rows
        .iter()
        .map(|row| match row {
            Row::Record(record) => record.id.clone(),
            Row::Group { heading, count, .. } => format!("{heading} {count}"),
            Row::Total { heading, cells, over, .. } => {
                format!("total {heading} {} over {over:?}", cells[3].words())
            }
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "Storey: Upper 1",
            "a",
            "total Upper 1.89 over 1..2",
            "Storey: Ground 2",
            "b",
            "c",
            "total Ground 1.68 over 4..6",
            "total  3.57 over 0..7"
        ]
    );
}

#[test]
fn a_workbook_is_read_as_it_was_written() {
    let table = doors();
    let bytes = write_xlsx(&table).unwrap();
    assert_eq!(bytes, write_xlsx(&table).unwrap(), "the same table is the same bytes");
    let sheet = read(&bytes, Some("GlobalId")).unwrap();
    assert_eq!(sheet.headings, ["Name", "Storey", "Width (mm)", "Area (m²)", "GlobalId"]);
    let ids: Vec<String> = sheet.lines.iter().map(|line| line.cells[sheet.ids].words()).collect();
    assert_eq!(ids, ["a", "b", "c"]);
    assert_eq!(sheet.lines[1].cells[0], text("=1+1"), "a name is a text, never a formula");
    assert_eq!(sheet.lines[1].cells[2], Cell::Number(800.0));
    assert_eq!(sheet.lines[1].cells[3], Cell::Number(1.68), "the value is saved beside the formula");
    assert_eq!(sheet.lines[2].cells[3], Cell::Empty);
    assert_eq!(sheet.values["a"][2], Cell::Number(900.0));
    assert_eq!(sheet.columns[2].unit.as_deref(), Some("mm"));
}

#[test]
fn csv_is_read_as_it_was_written() {
    let text = write_csv(&doors());
    assert!(text.lines().next().unwrap().starts_with("Name,Storey,Width (mm),Area (m²),GlobalId"), "{text}");
    assert!(text.contains("\n'=1+1,"), "{text}");
    let sheet = read(text.as_bytes(), Some("globalid")).unwrap();
    assert_eq!(sheet.lines.len(), 3);
    assert_eq!(sheet.lines[1].cells[0], Cell::Text("=1+1".into()));
    let german = "Name;Breite;GlobalId\nTür;2,5;x\n";
    let sheet = read(german.as_bytes(), Some("GlobalId")).unwrap();
    assert!(sheet.has_decimal_commas);
    assert_eq!(sheet.lines[0].cells[1], Cell::Text("2,5".into()));
    let mut wide = vec![0xff, 0xfe];
    wide.extend("Name\tGlobalId\nA\tx\n".encode_utf16().flat_map(u16::to_le_bytes));
    assert_eq!(read(&wide, Some("GlobalId")).unwrap().lines.len(), 1);
}

#[test]
fn pages_escape_what_names_hold() {
    let page = write_html(&doors());
    assert!(page.contains("Door &lt;2&gt;") && !page.contains("<2>"), "{page}");
    assert!(page.contains("1.68") && page.contains("Total Ground"), "{page}");
}

#[test]
fn files_that_are_no_tables_are_refused_with_the_reason() {
    let said = |bytes: &[u8]| read(bytes, Some("GlobalId")).unwrap_err().to_string();
    assert!(said(b"Name,Width\nA,1\n").contains("`GlobalId`"));
    assert!(said(b"PK\x03\x04 no archive").contains("workbook"));
    assert!(said(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1").contains("XLS;"));
    assert!(said(b"GlobalId\na\n\xff\xfe").contains("line 3"));
    assert!(said(b"GlobalId,A,A\n").contains("twice"));
    assert!(said(b"").contains("GlobalId"));
    assert!(read(b"", None).unwrap_err().to_string().contains("empty"));
    assert_eq!(read(b"class,cost\nIfcWall,3\n,4\n", None).unwrap().lines.len(), 2);
}

#[test]
fn damaged_workbooks_end_in_an_error_or_in_lines() {
    let bytes = write_xlsx(&doors()).unwrap();
    for end in (0..bytes.len()).step_by(97) {
        let _ = read(&bytes[..end], Some("GlobalId"));
    }
    for at in (0..bytes.len()).step_by(61) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        let _ = read(&damaged, Some("GlobalId"));
    }
}

/// A workbook whose only cell lies at the end of the sheet must not become a table of all the cells before it.
#[test]
fn a_cell_far_off_takes_no_memory() {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet.write_string(0, 0, "GlobalId").unwrap();
    sheet.write_string(1_048_575, 16_383, "far").unwrap();
    let bytes = workbook.save_to_buffer().unwrap();
    let error = read(&bytes, Some("GlobalId")).unwrap_err().to_string();
    assert!(error.contains("more than"), "{error}");
}

fn evaluate(formula: &str, cells: &[Cell]) -> Cell {
    let find = |name: &str| match name {
        "a" => Ok(0),
        "b" => Ok(1),
        other => Err(format!("no column {other}")),
    };
    Formula::parse(formula, &find).unwrap().value(cells)
}

#[test]
fn formulas_are_computed() {
    let cells = [Cell::Number(7.0), Cell::Number(2.0)];
    for (formula, value) in [
        ("[a] + [b] * 3", 13.0),
        ("([a] + [b]) * 3", 27.0),
        ("=[a] - [b] - 1", 4.0),
        ("[b] ^ 3 / 4", 2.0),
        ("-[b] ^ 2", 4.0),
        ("round([a] / [b] * 1.1, 1)", 3.9),
        ("round(2.675, 2)", 2.68),
        ("max([a], [b], 9)", 9.0),
        ("min([a]; [b])", 2.0),
        ("ceiling(2.1) + floor(-2.1) + abs(-1)", 1.0),
        ("if([a] >= 7, 1, 2)", 1.0),
        ("if([a] <> 7, 1, if([b] < 3, 5, 6))", 5.0),
    ] {
        assert_eq!(evaluate(formula, &cells), Cell::Number(value), "{formula}");
    }
    assert_eq!(evaluate("\"W\" & [a] & \"\"\"\"", &cells), text("W7\""));
    assert_eq!(evaluate("[a] / ([b] - 2)", &cells), Cell::Empty, "divided by nought");
    assert_eq!(evaluate("[a] + 1", &[Cell::Empty, Cell::Empty]), Cell::Empty);
    assert_eq!(evaluate("[a] + 1", &[text("x"), Cell::Empty]), Cell::Empty);
}

#[test]
fn formulas_say_where_they_are_wrong() {
    let find = |name: &str| if name == "a" { Ok(0) } else { Err(format!("there is no column `{name}`")) };
    for (formula, at, words) in [
        ("[a] + ", 6, "expected"),
        ("[a] + [c]", 7, "no column `c`"),
        ("[a", 1, "`]` is missing"),
        ("area * 2", 0, "[area]"),
        ("if([a], 1)", 0, "takes 3"),
        ("1.2.3", 0, "no number"),
        ("[a] [a]", 4, "operator"),
    ] {
        let error = Formula::parse(formula, &find).unwrap_err();
        assert_eq!(error.at, at, "{formula}: {error}");
        assert!(error.problem.contains(words), "{formula}: {error}");
    }
    assert!(Formula::parse(&"(".repeat(500), &find).is_err());
    assert!(Formula::parse(&"-".repeat(500), &find).is_err());
}

#[test]
fn texts_are_sorted_as_people_do() {
    let mut names = ["Door 10", "door 2", "Door 1", "Door 02"].map(text);
    names.sort_by(compare);
    assert_eq!(names.map(|name| name.words()), ["Door 1", "Door 02", "door 2", "Door 10"]);
    assert_eq!(compare(&Cell::Empty, &text("a")), Ordering::Greater);
}

#[test]
fn totals_are_what_their_names_say() {
    let cells = [Cell::Number(1.0), Cell::Number(4.0), Cell::Empty, text("x")];
    let over = |total: Total| total.over(cells.iter());
    assert_eq!(Total::ALL.map(|(_, total)| over(total).number().unwrap()), [5.0, 2.5, 1.0, 4.0, 3.0]);
    assert_eq!(Total::Average.over([Cell::Empty].iter()), Cell::Empty);
}

proptest! {
    /// Texts of any kind come back from CSV and from a workbook as they were.
    #[test]
    fn texts_come_back(words in "[ -~äß€'=+@\\t-]{1,20}") {
        prop_assume!(!words.trim().is_empty());
        let columns = vec![column("Name")];
        let record = Record { id: "x".into(), cells: vec![text(&words)] };
        let rows = arranged(&columns, vec![record], &[], "");
        let table = Table { title: "T".into(), columns, rows, id_heading: Some("GlobalId".into()), ..Table::default() };
        let csv = read(write_csv(&table).as_bytes(), Some("GlobalId")).unwrap();
        prop_assert_eq!(&csv.lines[0].cells[0], &text(&words));
        let workbook = read(&write_xlsx(&table).unwrap(), Some("GlobalId")).unwrap();
        prop_assert_eq!(&workbook.lines[0].cells[0], &text(&words));
    }

    #[test]
    fn no_formula_panics(formula in "[ \\[\\]a+*/^()0-9.,\"<>=&-]{0,30}") {
        if let Ok(formula) = Formula::parse(&formula, &|_| Ok(0)) {
            let _ = formula.value(&[Cell::Number(3.0)]);
            let _ = formula.spreadsheet(&|_| "A1".into());
        }
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes, Some("GlobalId"));
    }
}

#[test]
fn a_parquet_file_holds_what_was_written_in_groups_of_bounded_size() {
    use crate::{ParquetFile, ParquetKind, ParquetValue};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let columns = [
        ("name", ParquetKind::Text),
        ("at", ParquetKind::LocalTime),
        ("T", ParquetKind::Number),
        ("T", ParquetKind::Number),
    ];
    let columns = columns.map(|(name, kind)| (name.to_owned(), kind));
    let mut bytes = Vec::new();
    let mut file = ParquetFile::begin(&mut bytes, &columns).unwrap();
    let rows = 300_000_i64;
    for number in 0..rows {
        let missing = number % 3 == 0;
        let value = if missing { ParquetValue::Missing } else { ParquetValue::Number(number as f64 / 2.0) };
        let at = ParquetValue::LocalTime(number * 3_600_000);
        file.row([ParquetValue::Text("wörld"), at, value, ParquetValue::Number(f64::NAN)]).unwrap();
    }
    file.end().unwrap();
    assert!(bytes.len() < 4_000_000, "{}", bytes.len());
    let read = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    assert!(read.num_row_groups() > 1);
    assert_eq!(read.metadata().file_metadata().num_rows(), rows);
    let names: Vec<&str> =
        read.metadata().file_metadata().schema().get_fields().iter().map(|field| field.name()).collect();
    assert_eq!(names, ["name", "at", "T", "T (2)"]);
    for (number, row) in read.get_row_iter(None).unwrap().enumerate().step_by(997) {
        let cells: Vec<Field> = row.unwrap().get_column_iter().map(|(_, field)| field.clone()).collect();
        assert_eq!(cells[0], Field::Str("wörld".to_owned()));
        assert_eq!(cells[1], Field::TimestampMillis(number as i64 * 3_600_000));
        let expected = if number % 3 == 0 { Field::Null } else { Field::Double(number as f64 / 2.0) };
        assert_eq!(cells[2], expected);
        assert!(matches!(cells[3], Field::Double(value) if value.is_nan()));
    }
}

#[test]
fn a_value_of_another_kind_and_a_full_disk_are_refused() {
    use crate::{ParquetFile, ParquetKind, ParquetValue};
    let columns = [("T".to_owned(), ParquetKind::Number)];
    let mut bytes = Vec::new();
    let mut file = ParquetFile::begin(&mut bytes, &columns).unwrap();
    assert!(file.row([ParquetValue::Text("warm")]).is_err());
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut full = Full;
    let mut file = ParquetFile::begin(&mut full, &columns).unwrap();
    file.row([ParquetValue::Number(1.0)]).unwrap();
    assert_eq!(file.end().unwrap_err().kind(), std::io::ErrorKind::StorageFull);
}
