//! The series of one variable or meter: statistics, and some of its points.

use crate::energy_results::{BUDGET, database, fit, smaller, weight};
use crate::simulation::results;
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault, ModelUse, Toolset};
use energy::results::series::{Extreme, Part};
use energy::results::{EnvironmentKind, Frequency, Interval, Results, SeriesAnswer, SeriesQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// As list_output_variables names it.
    variable_name: String,
    /// More variables or meters, for one table.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    with: Vec<String>,
    /// Zone, surface, node …; `*` is any text.
    #[schemars(extend("default" = "*", "x-seldom" = true))]
    key_value: Option<String>,
    /// Without it the finest.
    #[schemars(extend("x-seldom" = true))]
    frequency: Option<Frequency>,
    /// Design days (sizing) or run periods (annual); without it run periods, where there are any.
    #[schemars(extend("x-seldom" = true))]
    environment: Option<EnvironmentKind>,
    /// Rows by day or month, or as they were recorded; auto: by month where they are many.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    by: Interval,
    /// Rows of each series; without it 24, of more than three series none.
    #[schemars(extend("minimum" = 1, "maximum" = 500, "x-seldom" = true))]
    limit: Option<usize>,
    /// Rows to skip.
    #[schemars(extend("x-seldom" = true))]
    offset: Option<usize>,
    /// A run of run_simulation; without it the latest of this session.
    #[schemars(extend("x-seldom" = true))]
    #[expect(dead_code, reason = "read where the run's files are provided")]
    job_id: Option<String>,
}

/// A column of the table.
#[derive(Debug, Serialize, JsonSchema)]
struct Column {
    variable_name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    key: String,
    units: String,
    mean: f64,
    minimum: Extreme,
    maximum: Extreme,
    #[serde(skip_serializing_if = "Option::is_none")]
    sum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sum_kwh: Option<f64>,
}

/// Several variables side by side, of one environment.
#[derive(Debug, Serialize, JsonSchema)]
struct Table {
    environment: String,
    columns: Vec<Column>,
    /// Time, and the value of each column; null where it has none then.
    #[schemars(with = "Vec<Vec<serde_json::Value>>")]
    rows: Vec<(String, Vec<Option<f64>>)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows_by: Option<Interval>,
}

/// The series.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    #[serde(flatten)]
    series: Option<SeriesAnswer>,
    /// Where `with` was given, in place of single series.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tables: Vec<Table>,
    /// Points of all series that are shown here, listed or not.
    total_points: usize,
    /// Points listed.
    returned: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("query_timeseries", Effect::Query, run)
        .description("A variable or meter of the latest simulation, or several side by side: extremes, mean, sum, rows by month or day.")
        .toolset(Toolset::Results)
        .page("ui://pensaer/energy-series")
        .model(ModelUse::None)
        .file(results())
        .example("Outdoors", json!({"variable_name": "Site Outdoor Air Drybulb Temperature", "limit": 4}))
        .example(
            "A room beside outdoors, by day",
            json!({"variable_name": "Zone Mean Air Temperature", "with": ["Site Outdoor Air Drybulb Temperature"], "by": "day", "limit": 2}),
        )
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let wanted = input.limit.map(|limit| crate::input::limit(Some(limit), USUAL, 500)).transpose()?;
    let results = database(call)?;
    let query = SeriesQuery {
        key_value: input.key_value.unwrap_or_else(|| "*".to_owned()),
        frequency: input.frequency,
        environment: input.environment,
        periods_first: true,
        by: input.by,
        offset: input.offset.unwrap_or(0),
        limit: wanted.unwrap_or(USUAL),
        ..SeriesQuery::of_variable(&input.variable_name)
    };
    if !input.with.is_empty() {
        return tables(&results, &query, &input.with);
    }
    let sizes = [query.limit, query.limit / 2, query.limit / 6, 1];
    let (mut series, _) = smaller(&sizes, |limit| results.series(&SeriesQuery { limit, ..query.clone() }))?;
    let is_short = wanted.is_none() && series.parts.len() > FEW;
    if is_short {
        for part in &mut series.parts {
            part.rows.clear();
        }
    }
    let head = weight(&series) - weight(&series.parts);
    series.parts_left_out += fit(&mut series.parts, BUDGET.saturating_sub(head));
    let has_more = |part: &Part| series.rows_by.is_none() && query.offset + part.rows.len() < part.points;
    let notice = match series.parts_left_out {
        0 if is_short => {
            Some("Give key_value for the rows of a series, or limit for those of all.".to_owned())
        }
        0 if series.parts.iter().any(has_more) => {
            Some("More points: give offset, by=day or month, or use export_timeseries.".to_owned())
        }
        0 => None,
        left => {
            Some(format!("{left} more series: narrow key_value or environment, or use export_timeseries."))
        }
    };
    let total_points = series.parts.iter().map(|part| part.points).sum();
    let returned = series.parts.iter().map(|part| part.rows.len()).sum();
    Ok(Output { series: Some(series), tables: Vec::new(), total_points, returned, notice })
}

/// The rows of a series, where the call does not say how many.
const USUAL: usize = 24;
/// The most series of which rows are listed unasked.
const FEW: usize = 3;
/// The most columns of a table.
const COLUMNS: usize = 24;

/// The series of several variables side by side, by environment. All are told by the same interval: that of the first.
fn tables(results: &Results, query: &SeriesQuery, with: &[String]) -> Result<Output, Fault> {
    let first = results.series(query)?;
    let by = first.rows_by.unwrap_or(Interval::Recorded);
    let frequency = query.frequency.or(Some(first.frequency)).filter(|_| by == Interval::Recorded);
    let mut all = vec![first];
    for variable_name in with {
        let query = SeriesQuery { variable_name: variable_name.clone(), by, frequency, ..query.clone() };
        // a key of the first variable is a key of others of its kind, and of meters and the site none
        let found = results.series(&query).or_else(|fault| {
            let is_key = fault.data.get("field").is_some_and(|field| field == "key_value");
            if !is_key {
                return Err(fault);
            }
            results.series(&SeriesQuery { key_value: "*".to_owned(), ..query })
        });
        all.push(found?);
    }
    let mut tables: Vec<Table> = Vec::new();
    let (mut total_points, mut left_out) = (0, 0);
    for series in all {
        left_out += series.parts_left_out;
        for part in series.parts {
            total_points += part.points;
            let at = tables.iter().position(|table| table.environment == part.environment);
            let at = at.unwrap_or_else(|| {
                let rows_by = Some(by).filter(|by| *by != Interval::Recorded);
                tables.push(Table {
                    environment: part.environment.clone(),
                    columns: Vec::new(),
                    rows: Vec::new(),
                    rows_by,
                });
                tables.len() - 1
            });
            let Some(table) = tables.get_mut(at) else { continue };
            if table.columns.len() == COLUMNS {
                left_out += 1;
                continue;
            }
            table.add(&series.variable_name, &series.units, part);
        }
    }
    let mut rows_out = 0;
    for table in &mut tables {
        let width = table.columns.len() + 1;
        let most = (ROOM / width).max(1);
        rows_out += table.rows.len().saturating_sub(most);
        table.rows.truncate(most);
    }
    let returned = tables.iter().map(|table| table.rows.len() * table.columns.len()).sum();
    let notice = match (left_out, rows_out) {
        (0, 0) => None,
        (0, rows) => Some(format!("{rows} more rows: give offset, or by=month.")),
        (columns, _) => Some(format!("{columns} more series: narrow key_value or environment.")),
    };
    Ok(Output { series: None, tables, total_points, returned, notice })
}

/// Cells of a table.
const ROOM: usize = 900;

impl Table {
    fn add(&mut self, variable_name: &str, units: &str, part: Part) {
        let column = self.columns.len();
        for point in part.rows {
            let known = self.rows.iter().position(|(at, _)| *at == point.at);
            let at = known.unwrap_or_else(|| {
                self.rows.push((point.at, Vec::new()));
                self.rows.len() - 1
            });
            if let Some((_, values)) = self.rows.get_mut(at) {
                values.resize(column, None);
                values.push(Some(point.value));
            }
        }
        self.columns.push(Column {
            variable_name: variable_name.to_owned(),
            key: part.key,
            units: units.to_owned(),
            mean: part.mean,
            minimum: part.minimum,
            maximum: part.maximum,
            sum: part.sum,
            sum_kwh: part.sum_kwh,
        });
        for (_, values) in &mut self.rows {
            values.resize(column + 1, None);
        }
    }
}
