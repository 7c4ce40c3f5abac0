//! A table as a workbook (ECMA-376): typed cells, a header that stays in view, formulas for totals and computed columns, and beside it, on
//! sheets that are not shown, which column is what and the values as they were written, so that a filled-in copy can be told from them.

use crate::{Cell, Column, Row, Table};
use rust_xlsxwriter::{
    Color, DocProperties, Format, FormatAlign, FormatBorder, Formula, Workbook, Worksheet, XlsxError, utility,
};

/// The sheet of columns, and the sheet of values as they were written.
pub(crate) const COLUMNS: &str = "_columns";
pub(crate) const VALUES: &str = "_values";
/// The most rows of a sheet, header included, and the most characters of a cell (the format's own limits).
const MOST_ROWS: usize = 1_048_576;
const MOST_CHARACTERS: usize = 32_767;
/// The most levels of an outline.
const MOST_LEVELS: usize = 7;

/// A table that no workbook can hold.
#[derive(Debug, thiserror::Error)]
pub enum BadTable {
    /// Too many rows.
    #[error("it has {0} rows, and a sheet holds {most}", most = MOST_ROWS - 1)]
    Rows(usize),
    /// The library's own refusal.
    #[error("{0}")]
    Written(#[from] XlsxError),
}

/// Writes a table as the bytes of a workbook. The same table gives the same bytes.
pub fn write(table: &Table) -> Result<Vec<u8>, BadTable> {
    if table.rows.len() >= MOST_ROWS {
        return Err(BadTable::Rows(table.rows.len()));
    }
    let mut workbook = Workbook::new();
    let subject = table.subtitle.join("; ");
    // a time of its own in every file would make two files of one table differ
    let made = rust_xlsxwriter::ExcelDateTime::from_ymd(2000, 1, 1)?;
    let facts = DocProperties::new().set_title(&table.title).set_subject(&subject);
    workbook.set_properties(&facts.set_creation_datetime(&made));
    let sheet = workbook.add_worksheet();
    sheet.set_name(sheet_name(&table.title))?;
    write_rows(sheet, table)?;
    sheet.set_landscape().set_print_fit_to_pages(1, 0).set_repeat_rows(0, 0)?;
    sheet.set_header(header(&table.title)).set_footer("&R&P / &N");
    if table.id_heading.is_some() {
        write_columns(workbook.add_worksheet().set_name(COLUMNS)?.set_very_hidden(true), table)?;
        write_values(workbook.add_worksheet().set_name(VALUES)?.set_very_hidden(true), table)?;
    }
    Ok(workbook.save_to_buffer()?)
}

/// The title as a sheet may be called: at most 31 characters, without those that addresses have.
fn sheet_name(title: &str) -> String {
    let plain = |c: char| if "[]:*?/\\".contains(c) || c.is_control() { ' ' } else { c };
    let name: String = title.chars().map(plain).take(31).collect();
    let name = name.trim().trim_matches('\'').trim();
    let is_taken = name.is_empty() || name.eq_ignore_ascii_case("history") || name.starts_with('_');
    if is_taken { "Table".to_owned() } else { name.to_owned() }
}

/// The title as page headers have it, where `&` begins a code.
fn header(title: &str) -> String {
    let title: String = title.chars().filter(|c| !c.is_control()).take(200).collect();
    format!("&L{}", title.replace('&', "&&"))
}

fn bounded(text: &str) -> String {
    let plain = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t'));
    plain.take(MOST_CHARACTERS).collect()
}

/// The address of a cell.
fn address(row: usize, column: usize) -> String {
    utility::row_col_to_cell(row as u32, column as u16)
}

fn number_format(column: &Column) -> String {
    match column.decimals {
        Some(0) => "#,##0".to_owned(),
        Some(decimals) => format!("#,##0.{}", "0".repeat(usize::from(decimals.min(15)))),
        None => "General".to_owned(),
    }
}

/// The formats of one column: of its values, and of totals.
struct Look {
    plain: Format,
    total: Format,
}

fn looks(table: &Table) -> Vec<Look> {
    let look = |column: &Column| {
        let base = Format::new().set_num_format(number_format(column)).set_align(FormatAlign::Top);
        let plain = if column.is_editable {
            base.clone()
        } else {
            base.clone().set_font_color(Color::RGB(0x0050_5050))
        };
        Look { plain, total: base.set_bold().set_border_top(FormatBorder::Thin) }
    };
    table.columns.iter().map(look).collect()
}

fn write_rows(sheet: &mut Worksheet, table: &Table) -> Result<(), XlsxError> {
    let head = Format::new()
        .set_bold()
        .set_text_wrap()
        .set_align(FormatAlign::Top)
        .set_background_color(Color::RGB(0x00E9_EEF2))
        .set_border_bottom(FormatBorder::Medium);
    let grey = Format::new().set_font_color(Color::RGB(0x0080_8080)).set_align(FormatAlign::Top);
    let looks = looks(table);
    for (at, column) in table.columns.iter().enumerate() {
        sheet.write_string_with_format(0, at as u16, bounded(&column.title()), &head)?;
        sheet.set_column_width(at as u16, width(table, at))?;
    }
    let ids = table.columns.len() as u16;
    if let Some(heading) = &table.id_heading {
        sheet.write_string_with_format(0, ids, bounded(heading), &head)?;
        sheet.set_column_width(ids, 26)?;
    }
    sheet.set_freeze_panes(1, 0)?;
    // else a formula without value is saved as nought
    sheet.set_formula_result_default("");
    let mut is_grouped = false;
    for (at, row) in table.rows.iter().enumerate() {
        let line = at as u32 + 1;
        match row {
            Row::Record(record) => {
                for (column, (cell, look)) in record.cells.iter().zip(&looks).enumerate() {
                    let formula = table.columns.get(column).and_then(|column| column.formula.as_ref());
                    match formula {
                        Some(formula) => {
                            let formula = formula.spreadsheet(&|other| address(at + 1, other));
                            let formula = Formula::new(formula).set_result(cell.words());
                            sheet.write_formula_with_format(line, column as u16, formula, &look.plain)?;
                        }
                        None => write_cell(sheet, line, column as u16, cell, &look.plain)?,
                    }
                }
                if table.id_heading.is_some() {
                    sheet.write_string_with_format(line, ids, bounded(&record.id), &grey)?;
                }
            }
            Row::Group { level, heading, count } => {
                is_grouped = true;
                let format = Format::new().set_bold().set_indent((*level).min(15) as u8);
                sheet.write_string_with_format(line, 0, bounded(&format!("{heading} ({count})")), &format)?;
            }
            Row::Total { heading, over, cells, .. } => {
                let words = format!("Total {heading}");
                let bold = Format::new().set_bold().set_border_top(FormatBorder::Thin);
                if table.columns.first().is_some_and(|column| column.total.is_none()) {
                    sheet.write_string_with_format(line, 0, bounded(words.trim()), &bold)?;
                }
                for (column, (cell, look)) in cells.iter().zip(&looks).enumerate() {
                    let Some(total) = table.columns.get(column).and_then(|column| column.total) else {
                        continue;
                    };
                    // spreadsheet programs say nought or an error where there is nothing to take the least or the mean of
                    if cell.is_empty() {
                        continue;
                    }
                    // rows of the table begin below the header
                    let (first, last) =
                        (address(over.start + 1, column), address(over.end.max(over.start + 1), column));
                    let formula = format!("=SUBTOTAL({},{first}:{last})", total.function());
                    let formula = Formula::new(formula).set_result(cell.words());
                    sheet.write_formula_with_format(line, column as u16, formula, &look.total)?;
                }
            }
        }
    }
    if is_grouped {
        outline(sheet, table)?;
    } else {
        let records = table.records().count() as u32;
        let last = ids.saturating_sub(u16::from(table.id_heading.is_none()));
        sheet.autofilter(0, 0, records, last)?;
    }
    Ok(())
}

/// Rows of groups that can be folded.
fn outline(sheet: &mut Worksheet, table: &Table) -> Result<(), XlsxError> {
    for row in &table.rows {
        if let Row::Total { level: Some(level), over, .. } = row
            && *level < MOST_LEVELS
            && !over.is_empty()
        {
            sheet.group_rows(over.start as u32 + 1, over.end as u32)?;
        }
    }
    Ok(())
}

fn write_cell(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    cell: &Cell,
    format: &Format,
) -> Result<(), XlsxError> {
    match cell {
        Cell::Empty => sheet.write_blank(row, column, format)?,
        Cell::Text(text) => sheet.write_string_with_format(row, column, bounded(text), format)?,
        Cell::Number(number) if number.is_finite() => {
            sheet.write_number_with_format(row, column, *number, format)?
        }
        Cell::Number(number) => sheet.write_string_with_format(row, column, number.to_string(), format)?,
        Cell::Truth(truth) => sheet.write_boolean_with_format(row, column, *truth, format)?,
    };
    Ok(())
}

/// The width of a column in characters, by what stands in it.
fn width(table: &Table, at: usize) -> f64 {
    let decimals = table.columns.get(at).and_then(|column| column.decimals);
    let cells = table.records().filter_map(|record| record.cells.get(at));
    let longest = cells.map(|cell| cell.rounded_words(decimals).chars().count()).max().unwrap_or(0);
    let title = table.columns.get(at).map_or(0, |column| column.title().chars().count());
    (longest.max(title.min(18)) as f64 + 2.0).clamp(8.0, 48.0)
}

/// A row for each column: key, heading with unit, unit, and whether it may be filled in.
fn write_columns(sheet: &mut Worksheet, table: &Table) -> Result<(), XlsxError> {
    for (at, column) in table.columns.iter().enumerate() {
        let line = at as u32;
        sheet.write_string(line, 0, bounded(&column.key))?;
        sheet.write_string(line, 1, bounded(&column.title()))?;
        sheet.write_string(line, 2, column.unit.as_deref().unwrap_or_default())?;
        sheet.write_boolean(line, 3, column.is_editable)?;
    }
    Ok(())
}

/// A row for each record: its id, and its cells as they were written.
fn write_values(sheet: &mut Worksheet, table: &Table) -> Result<(), XlsxError> {
    let plain = Format::default();
    for (line, record) in table.records().enumerate() {
        sheet.write_string(line as u32, 0, bounded(&record.id))?;
        for (at, cell) in record.cells.iter().enumerate() {
            write_cell(sheet, line as u32, at as u16 + 1, cell, &plain)?;
        }
    }
    Ok(())
}
