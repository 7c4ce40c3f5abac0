//! What is put into the folder of a run and what is made of what is left in it, with a launcher that plays the programs. Real runs
//! are tested through the whole program.

use crate::EnergyAdapter;
use crate::fake_programs::{FakeRun, code, installed};
use crate::tests::opened;
use contract::{
    Adapter, Effect, FaultCode, FileInput, Launch, Launched, ModelKind, OpenedModel, Source, Unwatched, Watch,
};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn play(
    model: &OpenedModel,
    params: Value,
    weather: bool,
    play: impl Fn(&Launch, &mut dyn FnMut(&str)) -> Launched + Send + Sync + 'static,
) -> FakeRun {
    let file = FileInput {
        role: "weather".into(),
        source: Source::inline(b"LOCATION,Nowhere\n"),
        sha256: String::new(),
        media_type: "text/plain".into(),
    };
    let files = if weather { vec![file] } else { Vec::new() };
    let folder = installed();
    crate::fake_programs::play(folder.path(), ("simulate", Effect::Query, params), model, &files, play)
}

fn leave(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).unwrap();
}

const MODEL: &str = "Version,25.2;\nZone,Attic;\n";
const DONE: &str =
    "EnergyPlus Completed Successfully-- 2 Warning; 0 Severe Errors; Elapsed Time=00hr 00min  1.50sec";

#[test]
fn the_model_gets_the_outputs_that_it_lacks_and_the_weather_its_name() {
    let played = play(&opened(MODEL), json!({"annual": true}), true, |launch, _| {
        let model = fs::read_to_string(launch.folder.join("in.idf")).unwrap();
        assert!(model.starts_with(MODEL) && model.contains("Output:SQLite") && model.contains("AllSummary"));
        assert!(launch.folder.join("in.epw").is_file());
        leave(&launch.folder, "eplusout.end", DONE);
        leave(&launch.folder, "eplusout.err", "Program Version,EnergyPlus\n");
        std::os::unix::fs::symlink("/etc/passwd", launch.folder.join("eplustbl.htm")).unwrap();
        code(0)
    });
    let outcome = played.outcome.unwrap();
    assert_eq!(outcome.result["status"], "completed", "{}", outcome.result);
    assert_eq!((&outcome.result["warnings"], &outcome.result["span"]), (&json!(2), &json!("annual")));
    let roles: Vec<&str> = outcome.files.iter().map(|file| file.role.as_str()).collect();
    assert_eq!(roles, ["errors"], "a link is not handed on");
    assert_eq!(outcome.files[0].name, "eplusout.err");
    assert!(played.asked[0].arguments.contains(&"-a".to_owned()), "{:?}", played.asked);
}

#[test]
fn a_database_that_the_model_has_gets_the_tables_also_in_epjson() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let model = json!({
        "Version": {"Version 1": {"version_identifier": "25.2"}},
        "Output:SQLite": {"Output:SQLite 1": {"option_type": "Simple"}},
    });
    fs::write(file.path(), model.to_string()).unwrap();
    let model = EnergyAdapter::default().open(ModelKind::EnergyPlus, file.path()).unwrap();
    let played = play(&model, json!({"design_day": true}), false, |launch, _| {
        let text = fs::read(launch.folder.join("in.epJSON")).unwrap();
        let model: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(model["Output:SQLite"].as_object().unwrap().len(), 1);
        assert_eq!(
            model.pointer("/Output:SQLite/Output:SQLite 1/option_type"),
            Some(&json!("SimpleAndTabular"))
        );
        assert!(model["Output:Table:SummaryReports"].is_object());
        leave(&launch.folder, "eplusout.end", DONE);
        code(0)
    });
    assert_eq!(played.outcome.unwrap().result["status"], "completed");
    assert!(played.asked[0].arguments.contains(&"-D".to_owned()));
}

#[test]
fn how_a_program_ended_is_told_apart() {
    let ends = [
        (Launched { timed_out: true, signal: Some(9), ..Launched::default() }, "timed_out"),
        (Launched { cancelled: true, signal: Some(9), ..Launched::default() }, "cancelled"),
        (Launched { signal: Some(11), ..Launched::default() }, "crashed"),
        (code(1), "crashed"),
    ];
    for (end, status) in ends {
        let played = play(&opened(MODEL), json!({"design_day": true}), false, move |_, _| end);
        assert_eq!(played.outcome.unwrap().result["status"], status);
    }
}

#[test]
fn a_step_before_the_simulation_that_fails_is_named_with_its_last_words() {
    let model = opened(&format!("{MODEL}HVACTemplate:Thermostat,All,,20,,26;\n"));
    let played = play(&model, json!({"design_day": true}), false, |launch, said| {
        assert_eq!(launch.program, "ExpandObjects");
        assert!(launch.folder.join("Energy+.idd").is_file());
        said("first line\nno thermo");
        said("stat found\n");
        code(0)
    });
    let outcome = played.outcome.unwrap();
    assert_eq!(outcome.result["status"], "fatal");
    let reason = outcome.result["reason"].as_str().unwrap();
    assert!(reason.contains("ExpandObjects") && reason.contains("no thermostat found"), "{reason}");
    assert_eq!(played.asked.len(), 1);
}

#[test]
fn what_does_not_go_together_is_never_begun() {
    let never = |_: &Launch, _: &mut dyn FnMut(&str)| code(0);
    for (params, field) in [
        (json!({"annual": true}), "weather_file"),
        (json!({"annual": true, "design_day": true}), "annual"),
        (json!({"design_day": true, "program_version": "9.6"}), "energyplus_version"),
        (json!({"design_day": true, "program_version": "25.20"}), "energyplus_version"),
        (json!({"design_day": true, "program_folder": "/opt/other"}), "energyplus_dir"),
    ] {
        let played = play(&opened(MODEL), params.clone(), false, never);
        let fault = played.outcome.map(|_| ()).unwrap_err();
        assert_eq!(fault.data["field"], field, "{params}");
        assert!(played.asked.is_empty());
    }
    let adapter = EnergyAdapter::default();
    assert!(!adapter.info().operations.iter().any(|operation| operation.name == "simulate"));
    let request = crate::tests::request("simulate", json!({}), &["model"]);
    let watch: Arc<dyn Watch> = Arc::new(Unwatched);
    let fault = adapter.run(&request, &[opened(MODEL)], &[], &watch).map(|_| ()).unwrap_err();
    assert_eq!(fault.code, FaultCode::NotSupported);
}

#[test]
fn a_run_that_fills_the_disk_is_ended_and_says_so() {
    let played = play(&opened(MODEL), json!({"annual": true}), true, |launch, _| {
        // three files, each smaller than one may be, that together are larger than all may be; sparse, so that nothing is written
        for name in ["eplusout.eso", "eplusout.mtr", "eplusout.dxf"] {
            fs::File::create(launch.folder.join(name)).unwrap().set_len(7 << 30).unwrap();
        }
        leave(&launch.folder, crate::fake_programs::GOES_ON, "");
        code(0)
    });
    let outcome = played.outcome.unwrap();
    assert_eq!(outcome.result["status"], "cancelled", "{}", outcome.result);
    assert!(outcome.result["notes"].to_string().contains("more than 16 GB"), "{}", outcome.result);
}
