//! All points of a variable or meter as a file: CSV or Parquet.

use crate::energy_results::database;
use crate::simulation::on_results;
use crate::{EnergyCall, Reply, Tool, parse};
use chrono::{NaiveDate, NaiveTime, TimeDelta};
use contract::{Action, Caller, Effect, Fault, FaultCode, Files, Operation, Queries, Toolset};
use energy::results::{EnvironmentKind, Exported, Frequency, Moment, SeriesQuery, SeriesRow, SeriesSink};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io;
use tables::{ParquetFile, ParquetKind, ParquetValue};

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// As list_output_variables names it.
    #[schemars(extend("x-seldom" = true))]
    variable_name: String,
    /// Zone, surface, node …; `*` is any text.
    #[schemars(extend("default" = "*", "x-seldom" = true))]
    key_value: Option<String>,
    /// Without it the finest.
    #[schemars(extend("x-seldom" = true))]
    frequency: Option<Frequency>,
    /// Design days or run periods.
    #[schemars(extend("x-seldom" = true))]
    environment: Option<EnvironmentKind>,
    /// File on this machine, or a name for the download.
    #[schemars(extend("x-seldom" = true))]
    output_path: Option<String>,
    /// Without it by the ending of output_path, else csv.
    #[schemars(extend("x-seldom" = true))]
    format: Option<Format>,
    /// A run of run_simulation; without it the latest of this session.
    #[schemars(extend("x-seldom" = true))]
    job_id: Option<String>,
}

/// A format of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// Comma-separated values.
    Csv,
    /// Apache Parquet, for pandas, DuckDB and their like: environment, time as text, timestamp, values.
    Parquet,
}

impl Format {
    fn as_str(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv",
            Self::Parquet => "application/vnd.apache.parquet",
        }
    }

    /// The format that is asked for, by itself or by the ending of a path; both have to agree.
    fn asked(format: Option<Self>, path: Option<&str>) -> Result<Self, Fault> {
        let Some(path) = path else { return Ok(format.unwrap_or(Self::Csv)) };
        let ending =
            std::path::Path::new(path).extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let by_path =
            [Self::Csv, Self::Parquet].into_iter().find(|own| ending.as_deref() == Some(own.as_str()));
        match (format, by_path) {
            (None, Some(own)) => Ok(own),
            (Some(asked), Some(own)) if asked == own => Ok(own),
            (Some(asked), _) => {
                let message =
                    format!("Give an `output_path` that ends in .{}, as `format` says.", asked.as_str());
                Err(Fault::invalid("output_path", message))
            }
            (None, None) => {
                Err(Fault::invalid("output_path", "Give an `output_path` that ends in .csv or .parquet."))
            }
        }
    }
}

/// The file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    variable_name: Value,
    frequency: Value,
    /// Without the heading.
    rows: Value,
    /// Columns of values.
    columns: Value,
    bucket_key: String,
    sha256: String,
    /// Bytes.
    size: u64,
    /// In full, if it was written to a path.
    #[serde(rename = "output_path")]
    saved_as: Option<String>,
    /// The run's job, and the model and version that it simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    results_of: Option<Value>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("export_timeseries", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .action(Action::Export)
        .side_effects()
        .description("All points of a variable or meter as CSV or Parquet.")
        .toolset(Toolset::Results)
        .with_energy(write)
        .example(
            "A year of outdoor temperatures",
            json!({"variable_name": "Site Outdoor Air Drybulb Temperature"}),
        )
}

async fn run(
    platform: &(impl Caller + Files + Queries + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    let format = Format::asked(input.format, input.output_path.as_deref())?;
    let to_path = platform.principal().local;
    let name = match input.output_path.as_deref().filter(|_| !to_path) {
        Some(name) => Some(plain(name)?),
        None => None,
    };
    let params = json!({
        "variable_name": input.variable_name,
        "key_value": input.key_value,
        "frequency": input.frequency,
        "environment": input.environment,
        "output_path": name,
        "format": format,
        "job_id": input.job_id,
    });
    let operation = Operation { effect: Effect::Query, name: "export_timeseries".into(), params };
    let read = platform.query_needing(operation, &on_results()).await?;
    let Some(file) = read.made.first() else {
        return Err(Fault::backend("The series was read, but no file was made of it."));
    };
    let mut saved_as = None;
    if let Some(path) = input.output_path.as_deref().filter(|_| to_path) {
        let path = platform.write_file(&file.key, "output_path", path).await?;
        saved_as = Some(path.display().to_string());
    }
    let results_of = read.result.get("results_of").cloned();
    let exported = Exported::deserialize(&read.result)
        .map_err(|error| Fault::backend(format!("The series was not answered as such: {error}.")))?;
    let output = Output {
        variable_name: exported.variable_name.into(),
        frequency: json!(exported.frequency),
        rows: exported.rows.into(),
        columns: exported.columns.into(),
        bucket_key: file.key.clone(),
        sha256: file.sha256.clone(),
        size: file.size,
        saved_as,
        results_of,
    };
    let is_saved = output.saved_as.is_some();
    let reply = Reply::new(output);
    Ok(if is_saved { reply } else { reply.link("Download", file.href.clone()) })
}

/// A name, and no path: files of the server's machine are its own user's to name.
fn plain(name: &str) -> Result<String, Fault> {
    let allowed = |c: char| c.is_alphanumeric() || " ._-()".contains(c);
    let is_name = !name.starts_with('.') && (1..=100).contains(&name.len()) && name.chars().all(allowed);
    if is_name {
        return Ok(name.to_owned());
    }
    Err(Fault::new(
        FaultCode::PermissionDenied,
        "`output_path` as a path means a file on the server's machine, which only its own user may name. Give a name of letters, \
         figures and ._-() for the download, or leave it out.",
    )
    .with("field", "output_path"))
}

fn write(call: &mut EnergyCall<'_>, params: Value) -> Result<Value, Fault> {
    let known = ["variable_name", "key_value", "frequency", "environment", "output_path", "format", "job_id"];
    let mut params = params;
    if let Some(members) = params.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    let input: Input = parse(params, &known.map(str::to_owned))?;
    let results = database(call)?;
    let query = SeriesQuery {
        key_value: input.key_value.unwrap_or_else(|| "*".to_owned()),
        frequency: input.frequency,
        environment: input.environment,
        ..SeriesQuery::of_variable(&input.variable_name)
    };
    let format = input.format.unwrap_or(Format::Csv);
    let name = input
        .output_path
        .unwrap_or_else(|| format!("{}.{}", file_stem(&input.variable_name), format.as_str()));
    let mut exported: Option<Result<Exported, Fault>> = None;
    let file = (call.make_file)("series", &name, format.media_type(), &mut |out| {
        exported = Some(match format {
            Format::Csv => results.write_csv(&query, out),
            Format::Parquet => {
                let mut sink = Columns { to: Some(out), file: None };
                let written = results.write_rows(&query, &mut sink);
                if let Some(file) = sink.file {
                    file.end()?;
                }
                written
            }
        });
        Ok(())
    })?;
    let exported = exported.ok_or_else(|| Fault::backend("The file was not written."))??;
    call.made.push(file);
    serde_json::to_value(exported)
        .map_err(|error| Fault::backend(format!("The answer cannot be written: {error}.")))
}

/// `Zone Air Temperature` → `zone-air-temperature`.
fn file_stem(name: &str) -> String {
    let stem: String = name
        .chars()
        .take(80)
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .collect();
    let stem = stem.trim_matches('-');
    if stem.is_empty() { "series".to_owned() } else { stem.to_owned() }
}

/// A series on its way into a Parquet file.
struct Columns<'a> {
    to: Option<&'a mut dyn io::Write>,
    file: Option<ParquetFile<'a>>,
}

impl SeriesSink for Columns<'_> {
    fn begin(&mut self, titles: &[String]) -> io::Result<()> {
        let Some(to) = self.to.take() else { return Ok(()) };
        let fixed = [
            ("environment", ParquetKind::Text),
            ("time", ParquetKind::Text),
            ("timestamp", ParquetKind::LocalTime),
        ];
        let fixed = fixed.into_iter().map(|(name, kind)| (name.to_owned(), kind));
        let columns: Vec<_> =
            fixed.chain(titles.iter().map(|title| (title.clone(), ParquetKind::Number))).collect();
        self.file = Some(ParquetFile::begin(to, &columns)?);
        Ok(())
    }

    fn row(&mut self, row: &SeriesRow<'_>) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let at = row.moment.and_then(milliseconds).map_or(ParquetValue::Missing, ParquetValue::LocalTime);
        let values = row.values.iter().map(|value| value.map_or(ParquetValue::Missing, ParquetValue::Number));
        let fixed = [ParquetValue::Text(row.environment), ParquetValue::Text(row.time), at];
        file.row(fixed.into_iter().chain(values))
    }
}

/// Milliseconds since 1970 by the clock of the place; none without a year.
fn milliseconds(moment: Moment) -> Option<i64> {
    let part = |value: i64| u32::try_from(value).ok();
    let year = i32::try_from(moment.year?).ok()?;
    let day = NaiveDate::from_ymd_opt(year, part(moment.month)?, part(moment.day)?)?;
    // an interval may end at 24:00, and its hour with minute 60
    let within = TimeDelta::try_hours(moment.hour)? + TimeDelta::try_minutes(moment.minute)?;
    Some(day.and_time(NaiveTime::MIN).checked_add_signed(within)?.and_utc().timestamp_millis())
}
