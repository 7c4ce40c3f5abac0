//! The summary reports of a run as grids: which there are, and any part of one.
//!
//! Cells are told as numbers with the digits that say something in their column's units, as words where they are words, and as null where
//! they are blank. Names
//! are compared without regard to case, blanks and punctuation, for the program itself writes both
//! `HVACSizingSummary` and `Zone Component Load Summary`.

use super::database::{Results, text, whole};
use crate::digits::rounded;
use contract::{Fault, FaultCode};
use rusqlite::ToSql;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// One report and what is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReportInfo {
    /// Its name.
    pub report_name: String,
    /// The subject: the whole facility, or as many zones, systems or meters as are counted here.
    #[serde(rename = "for")]
    pub report_for: String,
    /// The names of its tables.
    pub tables: Vec<String>,
}

/// The selection of a part of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableQuery {
    /// The report, such as `AnnualBuildingUtilityPerformanceSummary`.
    pub report_name: String,
    /// One table of it, such as `End Uses`.
    #[schemars(extend("x-seldom" = true))]
    pub table_name: Option<String>,
    /// One row.
    #[schemars(extend("x-seldom" = true))]
    pub row_name: Option<String>,
    /// One column.
    #[schemars(extend("x-seldom" = true))]
    pub column_name: Option<String>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The units of its cells, where they have any.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub units: String,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRow {
    /// Its name.
    pub name: String,
    /// The units of its cells where they are not those of the columns.
    pub units: String,
    /// Its cells as the program wrote them, one for each column.
    pub values: Vec<String>,
}

/// A row as it is told.
#[derive(Debug, Serialize, JsonSchema)]
struct ToldRow {
    /// Its name.
    name: String,
    /// The units of its cells where they are not those of the columns.
    #[serde(skip_serializing_if = "String::is_empty")]
    units: String,
    /// Its cells, one for each column: numbers, words, or null where there is nothing.
    values: Vec<Value>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "ToldTable")]
pub struct Table {
    /// The report it is in.
    pub report_name: String,
    /// The subject of the report.
    pub report_for: String,
    /// Its name.
    pub table_name: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<TableRow>,
}

/// A table as it is told.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Table")]
struct ToldTable {
    /// The report it is in.
    report_name: String,
    /// The subject of the report.
    #[serde(rename = "for")]
    report_for: String,
    /// Its name.
    table_name: String,
    /// Its columns.
    columns: Vec<Column>,
    /// Its rows.
    rows: Vec<ToldRow>,
}

impl From<Table> for ToldTable {
    fn from(table: Table) -> Self {
        let columns = &table.columns;
        let told = |row: TableRow| {
            let units = |at: usize| match row.units.as_str() {
                "" => columns.get(at).map_or("", |column| column.units.as_str()),
                own => own,
            };
            let values = row.values.iter().enumerate().map(|(at, text)| told(text, units(at))).collect();
            ToldRow { name: row.name, units: row.units.clone(), values }
        };
        Self {
            rows: table.rows.into_iter().map(told).collect(),
            report_name: table.report_name,
            report_for: table.report_for,
            table_name: table.table_name,
            columns: table.columns,
        }
    }
}

impl JsonSchema for Table {
    fn schema_name() -> Cow<'static, str> {
        ToldTable::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        ToldTable::json_schema(generator)
    }
}

/// A cell as it is told.
fn told(text: &str, units: &str) -> Value {
    if text.is_empty() {
        return Value::Null;
    }
    if let Ok(whole) = text.parse::<i64>() {
        return whole.into();
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => rounded(number, units).into(),
        _ => text.into(),
    }
}

/// Tables, bounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableAnswer {
    /// The tables found.
    pub tables: Vec<Table>,
    /// The number of cells that were found and not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub cells_left_out: usize,
    /// Tables that were found and not listed; ask for one by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables_left_out: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// One cell as it lies in the database.
struct Cell {
    report: String,
    report_for: String,
    table: String,
    row: String,
    column: String,
    units: String,
    row_id: i64,
    column_id: i64,
    value: String,
}

const CELLS: &str = "SELECT r.Value, f.Value, t.Value, n.Value, c.Value, u.Value, d.RowId, d.ColumnId, d.Value \
    FROM TabularData d \
    JOIN Strings r ON r.StringIndex = d.ReportNameIndex \
    JOIN Strings f ON f.StringIndex = d.ReportForStringIndex \
    JOIN Strings t ON t.StringIndex = d.TableNameIndex \
    JOIN Strings n ON n.StringIndex = d.RowNameIndex \
    JOIN Strings c ON c.StringIndex = d.ColumnNameIndex \
    JOIN Strings u ON u.StringIndex = d.UnitsIndex ";

impl Results {
    /// The reports of the run; those for many zones or systems once.
    pub fn reports(&self) -> Result<Vec<ReportInfo>, Fault> {
        let names = self.rows(
            "SELECT DISTINCT r.Value, f.Value, t.Value FROM TabularData d \
             JOIN Strings r ON r.StringIndex = d.ReportNameIndex \
             JOIN Strings f ON f.StringIndex = d.ReportForStringIndex \
             JOIN Strings t ON t.StringIndex = d.TableNameIndex ORDER BY r.Value LIMIT 100000",
            &[],
            |row| Ok((text(row, 0)?, text(row, 1)?, text(row, 2)?)),
        )?;
        let mut reports: Vec<(ReportInfo, Vec<String>)> = Vec::new();
        for (report, report_for, table) in names {
            let known = reports.iter().position(|(known, _)| known.report_name == report);
            let at = known.unwrap_or_else(|| {
                let report_for = report_for.clone();
                reports
                    .push((ReportInfo { report_name: report, report_for, tables: Vec::new() }, Vec::new()));
                reports.len() - 1
            });
            let Some((info, subjects)) = reports.get_mut(at) else { continue };
            if !info.tables.contains(&table) {
                info.tables.push(table);
            }
            if !subjects.contains(&report_for) {
                subjects.push(report_for);
            }
        }
        let named = |(mut info, subjects): (ReportInfo, Vec<String>)| {
            if let [first, .., last] = subjects.as_slice() {
                info.report_for = format!("{} from {first} to {last}", subjects.len());
            }
            info
        };
        Ok(reports.into_iter().map(named).collect())
    }

    /// Part of a report, in at most so many cells; a Fault with what there is where nothing matches.
    pub fn table(&self, query: &TableQuery, cells: usize) -> Result<TableAnswer, Fault> {
        let report = self.report_named(&query.report_name)?;
        let tables = self.tables_of(&report, |cell| {
            let wanted = |filter: &Option<String>, name: &str| {
                filter.as_ref().is_none_or(|filter| simple(filter) == simple(name))
            };
            wanted(&query.table_name, &cell.table)
                && wanted(&query.row_name, &cell.row)
                && wanted(&query.column_name, &cell.column)
        })?;
        if tables.is_empty() {
            return Err(self.nothing(&report, query)?);
        }
        Ok(bounded(tables, cells))
    }

    /// One whole table of a report that is for the entire facility; nothing if the run did not write it.
    pub(super) fn facility_table(&self, report: &str, table: &str) -> Result<Option<Table>, Fault> {
        Ok(self.tables_of(report, |cell| cell.table == table)?.into_iter().next())
    }

    /// The tables of a report whose cells pass, in the order of the report.
    pub(super) fn tables_of_report(&self, report: &str) -> Result<Vec<Table>, Fault> {
        self.tables_of(report, |_| true)
    }

    /// Every table of every report, in the order of the run.
    pub fn every_table(&self) -> Result<Vec<Table>, Fault> {
        self.gathered(&format!("{CELLS} ORDER BY d.TabularDataIndex"), &[], |_| true)
    }

    fn tables_of(&self, report: &str, wanted: impl Fn(&Cell) -> bool) -> Result<Vec<Table>, Fault> {
        let sql = format!("{CELLS} WHERE r.Value = ?1 ORDER BY d.TabularDataIndex");
        self.gathered(&sql, &[&report], wanted)
    }

    fn gathered(
        &self,
        sql: &str,
        parameters: &[&dyn ToSql],
        wanted: impl Fn(&Cell) -> bool,
    ) -> Result<Vec<Table>, Fault> {
        let mut grids: Vec<Grid> = Vec::new();
        // a table's cells lie together
        self.each(sql, parameters, |row| {
            let cell = Cell {
                report: text(row, 0)?,
                report_for: text(row, 1)?,
                table: text(row, 2)?,
                row: text(row, 3)?,
                column: text(row, 4)?,
                units: text(row, 5)?,
                row_id: whole(row, 6)?,
                column_id: whole(row, 7)?,
                value: text(row, 8)?,
            };
            if wanted(&cell) {
                match grids.last_mut() {
                    Some(grid) if grid.holds(&cell) => grid.put(cell),
                    _ => grids.push(Grid::new(cell)),
                }
            }
            Ok(true)
        })?;
        Ok(grids.into_iter().map(Grid::table).collect())
    }

    /// The report's name as the run writes it.
    fn report_named(&self, wanted: &str) -> Result<String, Fault> {
        let known = self.reports()?;
        let name = simple(wanted);
        let short = |report: &str| {
            // users and the program's own documents also say `ABUPS` and `Annual Building Utility Performance Summary`
            report.chars().filter(char::is_ascii_uppercase).collect::<String>().to_lowercase()
        };
        let exact = known.iter().find(|report| simple(&report.report_name) == name);
        let found = exact.or_else(|| known.iter().find(|report| short(&report.report_name) == name));
        if let Some(report) = found {
            return Ok(report.report_name.clone());
        }
        let names: Vec<&str> = known.iter().map(|report| report.report_name.as_str()).collect();
        Err(Fault::new(
            FaultCode::NotFound,
            format!("No report {wanted} in these results. list_simulation_reports lists them."),
        )
        .with("near", near(wanted, &names))
        .with("reports", names))
    }

    /// The Fault for a query that matches nothing: what there is at the first level that does not match.
    fn nothing(&self, report: &str, query: &TableQuery) -> Result<Fault, Fault> {
        let all = self.tables_of_report(report)?;
        let mut names: Vec<&str> = all.iter().map(|table| table.table_name.as_str()).collect();
        let mut level = ("table_name", query.table_name.as_deref().unwrap_or_default());
        let of_table = |table: &&Table| {
            query.table_name.as_ref().is_none_or(|wanted| simple(wanted) == simple(&table.table_name))
        };
        let tables: Vec<&Table> = all.iter().filter(of_table).collect();
        if !tables.is_empty() {
            let rows = |table: &&Table| {
                query
                    .row_name
                    .as_ref()
                    .is_none_or(|wanted| table.rows.iter().any(|row| simple(&row.name) == simple(wanted)))
            };
            if tables.iter().any(rows) {
                level = ("column_name", query.column_name.as_deref().unwrap_or_default());
                names = tables.iter().flat_map(|table| &table.columns).map(|c| c.name.as_str()).collect();
            } else {
                level = ("row_name", query.row_name.as_deref().unwrap_or_default());
                names = tables.iter().flat_map(|table| &table.rows).map(|r| r.name.as_str()).collect();
            }
        }
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| !name.is_empty() && seen.insert(*name));
        let (field, wanted) = level;
        let near = near(wanted, &names);
        names.truncate(60);
        Ok(Fault::new(
            FaultCode::NotFound,
            format!(
                "Nothing in the report {report} has the {field} {wanted}. The names that there are follow."
            ),
        )
        .with("field", field)
        .with("near", near)
        .with("names", names))
    }
}

/// A table as it is put together.
struct Grid {
    table: Table,
    rows: Vec<i64>,
    columns: Vec<i64>,
}

impl Grid {
    fn new(cell: Cell) -> Self {
        let table = Table {
            report_name: cell.report.clone(),
            report_for: cell.report_for.clone(),
            table_name: cell.table.clone(),
            columns: Vec::new(),
            rows: Vec::new(),
        };
        let mut grid = Self { table, rows: Vec::new(), columns: Vec::new() };
        grid.put(cell);
        grid
    }

    fn holds(&self, cell: &Cell) -> bool {
        self.table.table_name == cell.table
            && self.table.report_for == cell.report_for
            && self.table.report_name == cell.report
    }

    fn put(&mut self, cell: Cell) {
        // rows come in order, column by column, so the one wanted is mostly the next one or the last
        let row = self.rows.iter().rposition(|id| *id == cell.row_id).unwrap_or_else(|| {
            self.rows.push(cell.row_id);
            self.table.rows.push(TableRow { name: cell.row, units: String::new(), values: Vec::new() });
            self.rows.len() - 1
        });
        let column = self.columns.iter().rposition(|id| *id == cell.column_id).unwrap_or_else(|| {
            self.columns.push(cell.column_id);
            self.table.columns.push(Column { name: cell.column, units: cell.units.clone() });
            self.columns.len() - 1
        });
        let is_other = self.table.columns.get(column).is_some_and(|known| known.units != cell.units);
        // a hostile file may name any number of rows and columns, but only cells that exist take room
        if let Some(row) = self.table.rows.get_mut(row) {
            // in tables that lie on their side, units are those of rows
            if is_other {
                row.units = cell.units;
            }
            if row.values.len() <= column && column < 10_000 {
                row.values.resize(column + 1, String::new());
            }
            if let Some(value) = row.values.get_mut(column) {
                *value = cell.value;
            }
        }
    }

    fn table(mut self) -> Table {
        let width = self.table.columns.len().min(10_000);
        for row in &mut self.table.rows {
            row.values.resize(width, String::new());
        }
        self.table
    }
}

/// The first tables, up to so many cells; of the last, the first rows.
fn bounded(tables: Vec<Table>, cells: usize) -> TableAnswer {
    let mut answer = TableAnswer { tables: Vec::new(), cells_left_out: 0, tables_left_out: Vec::new() };
    let mut room = cells;
    for mut table in tables {
        // a row costs its name, too
        let width = table.columns.len() + 1;
        let size = width * table.rows.len();
        if size <= room {
            room -= size;
            answer.tables.push(table);
            continue;
        }
        let rows = room / width;
        room = 0;
        answer.cells_left_out += (table.rows.len() - rows) * table.columns.len();
        if rows > 0 {
            table.rows.truncate(rows);
            answer.tables.push(table);
        } else {
            let name = match table.report_for.as_str() {
                "Entire Facility" => table.table_name,
                subject => format!("{} for {subject}", table.table_name),
            };
            if answer.tables_left_out.len() < 60 {
                answer.tables_left_out.push(name);
            }
        }
    }
    answer
}

impl Table {
    /// The column of a name.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The column whose name begins so.
    pub(super) fn column_like(&self, prefix: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name.starts_with(prefix))
    }
}

impl TableRow {
    /// A cell as text.
    pub(super) fn cell(&self, column: Option<usize>) -> Option<&str> {
        self.values.get(column?).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// A cell as a number.
    pub(super) fn number(&self, column: Option<usize>) -> Option<f64> {
        self.cell(column)?.parse().ok().filter(|value: &f64| value.is_finite())
    }
}

/// A name for comparison: letters and digits, in lower case.
pub(super) fn simple(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The names nearest to one that does not exist.
pub(super) fn near(wanted: &str, names: &[&str]) -> Vec<String> {
    let wanted = simple(wanted);
    let mut scored: Vec<(f64, &str)> = names
        .iter()
        .map(|name| {
            let candidate = simple(name);
            let inside = !wanted.is_empty() && (candidate.contains(&wanted) || wanted.contains(&candidate));
            (strsim::jaro_winkler(&wanted, &candidate).max(if inside { 0.9 } else { 0.0 }), *name)
        })
        .filter(|(score, _)| *score > 0.75)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(5).map(|(_, name)| name.to_owned()).collect()
}
