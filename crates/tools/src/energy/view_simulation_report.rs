//! The report of the latest simulation, for a person: in short here, whole behind a link.

use crate::energy_results::{database, smaller, weight};
use crate::simulation::{OfRun, latest, on_results, result};
use crate::{EnergyCall, Reply, Tool};
use contract::{Effect, Fault, Jobs, Operation, Queries, Toolset};
use energy::results::database::Environment;
use energy::results::tables::{ReportInfo, Table};
use energy::results::{Results, TableQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Tables that the short form shows, of the report that everybody looks at first.
const FIRST: [&str; 5] = [
    "Site and Source Energy",
    "End Uses",
    "Building Area",
    "Comfort and Setpoint Not Met Summary",
    "Setpoint Not Met Criteria",
];
/// The parameter of the query that asks for every table.
pub const WHOLE: &str = "whole";
/// Bytes of a whole report.
const MOST: usize = 8 << 20;
const UTILITY: &str = "AnnualBuildingUtilityPerformanceSummary";

/// The report.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    energyplus_version: String,
    environments: Vec<Value>,
    report_count: usize,
    table_count: usize,
    /// Names of reports, with how many tables each has.
    reports: Vec<Value>,
    /// The first tables; query_simulation_table has the others.
    tables: Vec<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
    /// The run's job, and the model and version that it simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    results_of: Option<Value>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("view_simulation_report", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .description(
            "The report of the latest simulation for a person: main tables here, all of it behind a link.",
        )
        .toolset(Toolset::Results)
        .page("ui://pensaer/simulation-report")
        .with_energy(told)
        .example("Report", json!({}))
}

async fn run(platform: &(impl Jobs + Queries + ?Sized), input: OfRun) -> Result<Reply<Output>, Fault> {
    let operation =
        Operation { effect: Effect::Query, name: "view_simulation_report".into(), params: json!(input) };
    let read = platform.query_needing(operation, &on_results()).await?;
    let left: Vec<(String, String)> = match &input.job_id {
        Some(id) => {
            let ended = result(&platform.job(id).await?)?;
            ended
                .map(|ended| ended.files)
                .unwrap_or_default()
                .into_iter()
                .map(|file| (file.role, file.href))
                .collect()
        }
        None => platform.job_files(&latest()).await?.into_iter().map(|file| (file.role, file.href)).collect(),
    };
    let output: Output = serde_json::from_value(read.result)
        .map_err(|error| Fault::backend(format!("The report cannot be read: {error}.")))?;
    let mut reply = Reply::new(output);
    for (role, title) in [("report", "The whole report"), ("errors", "Errors and warnings")] {
        if let Some((_, href)) = left.iter().find(|(known, _)| known == role) {
            reply = reply.link(title, href.clone());
        }
    }
    Ok(reply)
}

fn told(call: &mut EnergyCall<'_>, params: Value) -> Result<Value, Fault> {
    let results = database(call)?;
    if params.get(WHOLE) == Some(&Value::Bool(true)) { whole(&results) } else { short(&results) }
}

/// The whole report: every table of every report, in the order of the run.
fn whole(results: &Results) -> Result<Value, Fault> {
    let tables = results.every_table()?;
    let (mut reports, mut left_out, mut spent) = (Vec::<Value>::new(), Vec::new(), 0);
    let table_count = tables.len();
    for table in tables {
        let (report, subject) = (table.report_name.clone(), table.report_for.clone());
        let name = format!("{report}: {} for {subject}", table.table_name);
        let value = json!(table);
        spent += weight(&value);
        if spent > MOST {
            left_out.push(name);
            continue;
        }
        let last =
            reports.last_mut().filter(|last| last["report_name"] == *report && last["for"] == *subject);
        if let Some(Value::Array(tables)) = last.and_then(|last| last.get_mut("tables")) {
            tables.push(value);
        } else {
            reports.push(json!({ "report_name": report, "for": subject, "tables": [value] }));
        }
    }
    let mut answer = json!({
        "energyplus_version": results.simulation()?.program,
        "environments": results.environments()?,
        "table_count": table_count,
        "reports": reports,
    });
    if let (false, Some(members)) = (left_out.is_empty(), answer.as_object_mut()) {
        members.insert("tables_left_out".into(), left_out.into());
        members.insert("notice".into(), "query_simulation_table has the tables that are left out.".into());
    }
    Ok(answer)
}

fn short(results: &Results) -> Result<Value, Fault> {
    let reports = results.reports()?;
    let utility = TableQuery { report_name: UTILITY.to_owned(), ..TableQuery::default() };
    let has = reports.iter().any(|report| report.report_name == UTILITY);
    let all = if has { results.table(&utility, 5_000)?.tables } else { Vec::new() };
    let first: Vec<&Table> =
        FIRST.iter().filter_map(|name| all.iter().find(|table| table.table_name == *name)).collect();
    let environments: Vec<Environment> = results.environments()?;
    let simulation = results.simulation()?;
    let (output, _) = smaller(&[60, 30, 12, 4, 1], |size| {
        let rows = |report: &ReportInfo| json!({"report_name": report.report_name, "for": report.report_for, "tables": report.tables.len()});
        Ok(Output {
            energyplus_version: simulation.program.clone(),
            environments: environments.iter().take(size).map(|known| json!(known)).collect(),
            report_count: reports.len(),
            table_count: reports.iter().map(|report| report.tables.len()).sum(),
            reports: reports.iter().take(size * 2).map(rows).collect(),
            tables: first.iter().take(size.div_ceil(4)).map(|table| json!(table)).collect(),
            results_of: None,
            notice: (!has).then(|| {
                format!(
                    "The run wrote no {UTILITY}: the model needs Output:Table:SummaryReports with AllSummary."
                )
            }),
        })
    })?;
    serde_json::to_value(output)
        .map_err(|error| Fault::backend(format!("The report cannot be written: {error}.")))
}
