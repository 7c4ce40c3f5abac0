//! The tools on results, as an agent calls them, on what a real run wrote. The crate `testing` knows where
//! the program and its models are.

use crate::EnergyAdapter;
use crate::tests::request;
use contract::{Adapter, Fault, FileInput, Source, Unwatched, Watch};
use serde_json::{Value, json};
use std::process::Command;
use std::sync::Arc;

/// About what an answer may have at most, by default.
const BOUND: usize = 20_000;

struct Ran {
    folder: tempfile::TempDir,
}

/// Runs the design days of a prototype, with series and all reports.
fn ran(model: &str) -> Option<Ran> {
    let (program, models) = (testing::energyplus()?, testing::prototypes()?);
    let text = std::fs::read(models.join(model)).unwrap();
    let mut text = String::from_utf8_lossy(&text).into_owned();
    for (class, object) in energy::results::plan::WANTED_OUTPUTS {
        let begins = format!("{},", class.to_lowercase());
        if !text.lines().any(|line| line.trim().to_lowercase().starts_with(&begins)) {
            text.push_str(object);
        }
    }
    text.push_str("\nOutput:Variable,*,Zone Mean Air Temperature,Hourly;\nOutput:Variable,*,Site Outdoor Air Drybulb Temperature,Hourly;\n");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in.idf"), text).unwrap();
    let output = Command::new(program.join("energyplus"))
        .args(["-D", "in.idf"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    Some(Ran { folder })
}

impl Ran {
    fn ask(&self, name: &str, params: Value) -> Result<(Value, Vec<contract::FileOut>), Fault> {
        let file = |role: &str, name: &str| FileInput {
            role: role.into(),
            source: Source::Path(self.folder.path().join(name).display().to_string()),
            sha256: String::new(),
            media_type: String::new(),
        };
        let files = [file("results", "eplusout.sql"), file("errors", "eplusout.err")];
        let watch: Arc<dyn Watch> = Arc::new(Unwatched);
        let outcome = EnergyAdapter::default().run(&request(name, params, &[]), &[], &files, &watch)?;
        let weight = outcome.result.to_string().len();
        assert!(weight <= BOUND, "{name} answers {weight} bytes");
        Ok((outcome.result, outcome.files))
    }

    fn answer(&self, name: &str, params: Value) -> Value {
        self.ask(name, params).unwrap().0
    }
}

#[test]
fn results_are_read_in_parts_and_what_is_not_there_is_named() {
    let Some(run) = ran("ASHRAE901_OfficeSmall_STD2019_Denver.idf") else { return };
    let found = run.answer("list_output_variables", json!({"search": "^zone mean air"}));
    assert_eq!((&found["matching"], &found["variables"][0]["units"]), (&json!(1), &json!("C")), "{found}");
    let series = run.answer(
        "query_timeseries",
        json!({"variable_name": "zone mean air temperature", "key_value": "core_zn", "environment": "sizing", "limit": 3}),
    );
    let part = &series["parts"][0];
    assert_eq!((&part["points"], part["rows"].as_array().unwrap().len()), (&json!(24), 3), "{series}");
    assert!(series["notice"].as_str().unwrap().contains("offset"));
    let all =
        run.answer("query_timeseries", json!({"variable_name": "Zone Mean Air Temperature", "limit": 500}));
    assert!(all["parts_left_out"].as_u64().is_none_or(|left| left < 20), "{all}");
    let table = run.answer(
        "query_simulation_table",
        json!({"report_name": "ABUPS", "table_name": "building area", "row_name": "Total Building Area"}),
    );
    let area = table["tables"][0]["rows"][0]["values"][0].as_f64().unwrap();
    assert!((area - 511.16).abs() < 0.01, "{table}");
    let refused = run.ask("query_simulation_table", json!({"report_name": "Nothing"})).unwrap_err();
    assert!(refused.message.contains("list_simulation_reports"), "{}", refused.message);
    let reports = run.answer("list_simulation_reports", json!({}));
    assert!(reports["total"].as_u64().unwrap() > 10, "{reports}");
    let summary = run.answer("get_results_summary", json!({}));
    assert_eq!((&summary["success"], &summary["sized_zones"]), (&json!(true), &json!(5)), "{summary}");
    assert_eq!(summary["errors"]["severe"], 0, "{summary}");
    let peaks = run.answer("analyze_peak_loads", json!({}));
    assert!(peaks["cooling"]["sized_w"].as_f64().unwrap() > 1000.0, "{peaks}");
    let report = run.answer("view_simulation_report", json!({}));
    assert!(
        report["tables"].as_array().unwrap().iter().any(|table| table["table_name"] == "End Uses"),
        "{report}"
    );
}

#[test]
fn a_series_is_exported_whole() {
    let Some(run) = ran("ASHRAE901_OfficeSmall_STD2019_Denver.idf") else { return };
    let params = json!({"variable_name": "Zone Mean Air Temperature", "output_path": null});
    let (answer, files) = run.ask("export_timeseries", params).unwrap();
    let [file] = files.as_slice() else { panic!("{files:?}") };
    assert_eq!((file.name.as_str(), file.media_type.as_str()), ("zone-mean-air-temperature.csv", "text/csv"));
    let text = String::from_utf8(file.source.inline_bytes().unwrap()).unwrap();
    assert_eq!(text.lines().count(), answer["rows"].as_u64().unwrap() as usize + 1);
    assert_eq!(
        text.lines().next().unwrap().split(',').count(),
        answer["columns"].as_u64().unwrap() as usize + 2
    );
    assert!(run.ask("export_timeseries", json!({"variable_name": "Nothing"})).is_err());
}

#[test]
fn without_results_the_sentence_is_the_one_that_clients_know() {
    let watch: Arc<dyn Watch> = Arc::new(Unwatched);
    for name in
        ["list_output_variables", "list_simulation_reports", "analyze_peak_loads", "get_results_summary"]
    {
        let fault = EnergyAdapter::default()
            .run(&request(name, json!({}), &[]), &[], &[], &watch)
            .map(|_| ())
            .unwrap_err();
        assert_eq!(fault.message, "No simulation results available. Use run_simulation first.");
    }
}

/// A building of a hundred zones: everything is still short by default. Takes a minute of simulation.
#[test]
fn answers_on_the_largest_prototype_are_short() {
    let Some(run) = ran("ASHRAE901_ApartmentHighRise_STD2019_Denver.idf") else { return };
    for (name, params) in [
        ("list_output_variables", json!({})),
        ("query_timeseries", json!({"variable_name": "Zone Mean Air Temperature"})),
        ("list_simulation_reports", json!({})),
        ("view_simulation_report", json!({})),
        ("analyze_peak_loads", json!({})),
        ("get_results_summary", json!({})),
        ("query_simulation_table", json!({"report_name": "ComponentSizingSummary"})),
        ("query_simulation_table", json!({"report_name": "EnvelopeSummary"})),
    ] {
        run.answer(name, params);
    }
}
