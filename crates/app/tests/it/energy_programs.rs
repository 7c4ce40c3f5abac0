//! Transition programs and OpenStudio through the whole program: confined like all programs, by stand-ins where the real ones are not
//! installed (OpenStudio is, by the set-up); and what is said where there are none.

use crate::place::Place;
use crate::security::office::Office;
use crate::wire::Stdio;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program that stands in for them; see examples/stand_in.rs.
fn stand_in() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_pensaer"));
    let played = program.with_file_name("examples").join("stand_in");
    assert!(played.is_file(), "{} is not built", played.display());
    played
}

/// A folder with all that an EnergyPlus is known by, and these transition programs.
fn energyplus(place: &Path, transitions: &[(&str, &str)]) -> PathBuf {
    let folder = place.join("EnergyPlus");
    let updater = folder.join("PreProcess/IDFVersionUpdater");
    fs::create_dir_all(&updater).unwrap();
    fs::create_dir_all(folder.join("PostProcess")).unwrap();
    fs::write(folder.join("Energy+.idd"), "!IDD_Version 25.2.0\n").unwrap();
    for name in ["energyplus", "ExpandObjects", "ConvertInputFormat", "PostProcess/ReadVarsESO"] {
        fs::copy(stand_in(), folder.join(name)).unwrap();
    }
    for (from, to) in transitions {
        fs::copy(stand_in(), updater.join(format!("Transition-V{from}-to-V{to}"))).unwrap();
        for version in [from, to] {
            fs::write(updater.join(format!("V{version}-Energy+.idd")), "!IDD\n").unwrap();
        }
    }
    folder
}

/// A place whose server has these programs.
fn place(transitions: &[(&str, &str)], openstudio: bool) -> Place {
    let place = Place::new();
    let folder = energyplus(place.root(), transitions);
    let mut settings = format!("[backends]\nenergyplus-dir = '{}'\n", folder.display());
    if openstudio {
        let bin = place.root().join("OpenStudio/bin");
        fs::create_dir_all(&bin).unwrap();
        fs::copy(stand_in(), bin.join("openstudio")).unwrap();
        let folder = place.root().join("OpenStudio");
        settings = format!("{settings}openstudio-dir = '{}'\n", folder.display());
    }
    fs::write(place.root().join("pensaer.toml"), settings).unwrap();
    place
}

const OLD: &str = "Version,24.1;\n\nZone,\n  Attic;  !- Old Name\n";

fn with_model(place: &Place, text: &str) -> Stdio {
    fs::write(place.root().join("old.idf"), text).unwrap();
    let mut agent = place.stdio();
    agent.done("load_model", &json!({"file_path": "old.idf"}));
    agent
}

fn saved(place: &Place, agent: &mut Stdio, name: &str) -> String {
    agent.done("save_model", &json!({"file_path": name, "overwrite": true}));
    fs::read_to_string(place.root().join(name)).unwrap()
}

#[test]
fn a_model_is_brought_up_step_by_step_as_a_version_that_can_be_taken_back() {
    let place = place(&[("24-1-0", "24-2-0"), ("24-2-0", "25-1-0"), ("25-1-0", "25-2-0")], false);
    let mut agent = with_model(&place, OLD);
    let versions = agent.done("list_versions", &json!({}))["versions"].as_array().unwrap().len();
    let preview = agent.done("migrate_model", &json!({"dry_run": true}));
    assert_eq!((&preview["status"], &preview["to"]), (&json!("preview"), &json!("25.2")), "{preview}");
    assert_eq!(agent.done("list_versions", &json!({}))["versions"].as_array().unwrap().len(), versions);
    let migrated = agent.done("migrate_model", &json!({"keep_work_dir": true}));
    assert_eq!(migrated["steps"].as_array().unwrap().len(), 3, "{migrated}");
    assert_eq!((&migrated["status"], &migrated["from"]), (&json!("migrated"), &json!("24.1")), "{migrated}");
    assert!(migrated["messages"].to_string().contains("stand-in renames"), "{migrated}");
    let report = agent.ask("resources/read", &json!({"uri": "idfkit://migration/report"}));
    let text = report["result"]["contents"][0]["text"].as_str().unwrap();
    let report: Value = serde_json::from_str(text).unwrap();
    assert_eq!(report["after"], migrated["model_version"], "{report}");
    assert!(report["summary"]["added"].as_object().is_some_and(|types| !types.is_empty()), "{report}");
    let titles = migrated["links"].to_string();
    assert!(titles.contains("model-24.2.idf") && titles.contains(".VCpErr"), "{titles}");
    assert_eq!(saved(&place, &mut agent, "new.idf"), "Version,25.2;\n\nZone,\n  Attic;  !- New Name\n");
    assert_eq!(agent.done("migrate_model", &json!({}))["status"], "unchanged");
    let listed = agent.done("list_versions", &json!({}));
    let all = listed["versions"].as_array().unwrap();
    assert_eq!(all.len(), versions + 1, "{listed}");
    let differs = agent.done("diff_versions", &json!({"base": all[1]["version"]}));
    assert!(differs.to_string().contains("Version"), "{differs}");
    agent.done("undo", &json!({}));
    assert_eq!(saved(&place, &mut agent, "back.idf"), OLD);
    // only part of the way
    let part = agent.done("migrate_model", &json!({"target_version": "24.2"}));
    assert_eq!((&part["to"], part["steps"].as_array().unwrap().len()), (&json!("24.2"), 1), "{part}");
}

#[test]
fn a_way_that_is_not_there_and_a_model_that_is_not_what_it_says_end_as_one_fault() {
    let place = place(&[("24-2-0", "25-1-0"), ("25-1-0", "25-2-0")], false);
    let mut agent = with_model(&place, OLD);
    let refused = agent.call("migrate_model", &json!({}));
    assert!(refused.to_string().contains("leads from 24.1"), "{refused}");
    // the program finds another version than the model has by our reading
    let mut agent = with_model(&place, "Version, 24.2;\nZone,Attic;\n");
    let refused = agent.call("migrate_model", &json!({}));
    assert_eq!(refused["structuredContent"]["code"], 1010, "{refused}");
    assert!(refused.to_string().contains("not of version 24.2"), "{refused}");
    assert_eq!(saved(&place, &mut agent, "same.idf"), "Version, 24.2;\nZone,Attic;\n");
    let dir = agent.call("migrate_model", &json!({"energyplus_dir": "/usr/bin"}));
    assert_eq!(dir["structuredContent"]["data"]["field"], "energyplus_dir", "{dir}");
    // a link to the server's folder is that folder
    std::os::unix::fs::symlink(place.root().join("EnergyPlus"), place.root().join("link")).unwrap();
    let ours = place.root().join("link");
    let refused = agent.call("migrate_model", &json!({"energyplus_dir": ours}));
    assert_eq!(refused["structuredContent"]["code"], 1010, "{refused}");
}

#[test]
fn an_openstudio_model_becomes_the_sessions_energy_model() {
    let place = place(&[], true);
    let mut agent = place.stdio();
    fs::write(place.root().join("office.osm"), "OS:Version,{1},3.9.0;\n").unwrap();
    let call = json!({"osm_path": "office.osm", "output_path": "office.idf"});
    let preview = agent.done(
        "convert_osm_to_idf",
        &json!({"osm_path": "office.osm", "output_path": "x.idf", "dry_run": true}),
    );
    assert_eq!(preview["status"], "preview", "{preview}");
    assert!(!place.root().join("x.idf").exists());
    let made = agent.done("convert_osm_to_idf", &call);
    assert_eq!((&made["status"], &made["version"]), (&json!("converted"), &json!("25.2")), "{made}");
    assert!(made["messages"].to_string().contains("no thermostat"), "{made}");
    let text = fs::read_to_string(place.root().join("office.idf")).unwrap();
    assert_eq!(text, "Version,25.2;\n\nZone,\n  Core;  !- Name\n");
    assert_eq!(agent.done("list_objects", &json!({"object_type": "Zone"}))["total"], 1);
    // what is there stays, unless that is asked for
    let again = agent.call("convert_osm_to_idf", &call);
    assert_eq!(again["structuredContent"]["data"]["field"], "output_path", "{again}");
    let mut over = call.clone();
    over["overwrite"] = true.into();
    agent.done("convert_osm_to_idf", &over);
    fs::write(place.root().join("newer.osm"), "OS:Version,{1},99.0.0;\n").unwrap();
    agent.done("convert_osm_to_idf", &json!({"osm_path": "newer.osm", "output_path": "a.idf"}));
    for (arguments, why) in [
        (json!({"osm_path": "newer.osm", "output_path": "b.idf", "allow_newer_versions": false}), "99.0.0"),
        (json!({"osm_path": "old.txt", "output_path": "b.idf"}), "no file of that path"),
        (json!({"osm_path": "office.osm", "output_path": "b.txt"}), "end in .idf"),
    ] {
        let refused = agent.call("convert_osm_to_idf", &arguments);
        assert!(refused["isError"] == true && refused.to_string().contains(why), "{refused}");
    }
}

/// A building of OpenStudio with a day to size it for, and what OpenStudio itself makes of it.
const OFFICE: &str = "import openstudio
model = openstudio.model.exampleModel()
for temperature, day in ((-20, 'WinterDesignDay'), (35, 'SummerDesignDay')):
    sizing = openstudio.model.DesignDay(model)
    sizing.setName(day)
    sizing.setDayType(day)
    sizing.setMaximumDryBulbTemperature(temperature)
    sizing.setWetBulbOrDewPointAtMaximumDryBulb(temperature - 10)
model.save(openstudio.path('real.osm'), True)
saved = openstudio.osversion.VersionTranslator().loadModel(openstudio.path('real.osm')).get()
workspace = openstudio.energyplus.ForwardTranslator().translateModel(saved)
workspace.save(openstudio.path('expected.idf'), True)
";

/// The objects of a text by their types and numbers of fields.
fn kinds(text: &str) -> Vec<(&str, usize)> {
    let objects = text.split("\n\n").map(str::trim).filter(|object| !object.is_empty());
    let mut kinds: Vec<(&str, usize)> =
        objects.map(|object| (object.lines().next().unwrap_or_default(), object.lines().count())).collect();
    kinds.sort_unstable();
    assert!(kinds.len() > 100, "{kinds:?}");
    kinds
}

#[test]
fn the_real_openstudio_converts_a_building_as_it_does_by_itself_and_the_outcome_runs() {
    let (Some(energyplus), Some(openstudio)) = (testing::energyplus(), testing::openstudio()) else { return };
    let place = Place::new();
    let settings = format!(
        "[backends]\nenergyplus-dir = '{}'\nopenstudio-dir = '{}'\n",
        energyplus.display(),
        openstudio.display()
    );
    fs::write(place.root().join("pensaer.toml"), settings).unwrap();
    let made = Command::new(openstudio.join("bin/python"))
        .args(["-I", "-B", "-c", OFFICE])
        .current_dir(place.root())
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let listed = place.run(&["backend", "list", "--json"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let own = listed.as_array().unwrap().iter().find(|one| one["name"] == "openstudio").unwrap();
    assert_eq!(own["state"], "ready", "{own}");
    assert!(own["version"].as_str().unwrap().starts_with("OpenStudio 3."), "{own}");
    let mut agent = place.stdio();
    let call = json!({"osm_path": "real.osm", "output_path": "real.idf"});
    let converted = agent.done("convert_osm_to_idf", &call);
    assert_eq!((&converted["status"], &converted["version"]), (&json!("converted"), &json!("25.2")));
    let read = |name: &str| fs::read_to_string(place.root().join(name)).unwrap();
    // its identifiers are drawn at random, and with them the order of what is alike and the names of nodes
    assert_eq!(kinds(&read("real.idf")), kinds(&read("expected.idf")));
    let zones = agent.done("list_objects", &json!({"object_type": "Zone"}));
    assert!(zones["total"].as_u64().unwrap() >= 1, "{zones}");
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert_eq!((&run["status"], &run["severe"]), (&json!("completed"), &json!(0)), "{run}");
    // what is no model is one fault, in its words
    fs::write(place.root().join("broken.osm"), "OS:Version,{1},3.11.0\nnothing,").unwrap();
    let none = fault(
        &mut agent,
        "convert_osm_to_idf",
        &json!({"osm_path": "broken.osm", "output_path": "broken.idf"}),
    );
    assert_eq!(none["data"]["field"], "osm_path", "{none}");
    assert!(!place.root().join("broken.idf").exists());
}

#[test]
fn over_a_network_no_path_of_the_servers_is_read_or_written() {
    let programs = tempfile::tempdir().unwrap();
    let folder = energyplus(programs.path(), &[]);
    let bin = programs.path().join("bin");
    fs::create_dir_all(&bin).unwrap();
    fs::copy(stand_in(), bin.join("openstudio")).unwrap();
    let settings = format!(
        "[backends]\nenergyplus-dir = '{}'\nopenstudio-dir = '{}'\n",
        folder.display(),
        programs.path().display()
    );
    let office = Office::with(&settings, "");
    let ada = office.somebody("ada", "house");
    let (osm, made) = (programs.path().join("House.osm"), programs.path().join("made.idf"));
    fs::write(&osm, "OS:Version,{1},3.9.0;\n").unwrap();
    let fault = ada.refused("convert_osm_to_idf", &json!({"osm_path": osm, "output_path": "House.idf"}));
    assert_eq!((&fault["code"], &fault["data"]["field"]), (&json!(1014), &json!("osm_path")), "{fault}");
    let contract::Source::Inline(data) = contract::Source::inline(&fs::read(&osm).unwrap()) else {
        panic!("not inline")
    };
    ada.done("store_files", &json!({"files": [{"name": "House.osm", "data": data}]}));
    let fault = ada.refused("convert_osm_to_idf", &json!({"osm_path": "House.osm", "output_path": made}));
    assert_eq!((&fault["code"], &fault["data"]["field"]), (&json!(1003), &json!("output_path")), "{fault}");
    assert!(!made.exists());
    let done = ada.done("convert_osm_to_idf", &json!({"osm_path": "House.osm", "output_path": "House.idf"}));
    assert!(done.get("output_path").is_none() && done["objects"] == 2, "{done}");
    let zones = json!({"object_type": "Zone", "model_id": done["model_id"]});
    assert_eq!(ada.done("list_objects", &zones)["total"], 1);
}

fn fault(agent: &mut Stdio, tool: &str, arguments: &Value) -> Value {
    let answer = agent.call(tool, arguments);
    assert_eq!(answer["isError"], true, "{answer}");
    answer["structuredContent"].clone()
}

#[test]
fn where_the_programs_are_not_installed_one_fault_says_what_was_looked_for_and_where() {
    let with = place(&[], false);
    let mut agent = with_model(&with, OLD);
    fs::write(with.root().join("office.osm"), "OS:Version,{1},3.9.0;\n").unwrap();
    let convert = json!({"osm_path": "office.osm", "output_path": "office.idf"});
    let none = fault(&mut agent, "migrate_model", &json!({}));
    assert_eq!(none["code"], 1008, "{none}");
    assert!(none["data"]["looked_in"].as_str().unwrap().ends_with("IDFVersionUpdater"), "{none}");
    assert!(none["message"].as_str().unwrap().contains("ENERGYPLUS_DIR"), "{none}");
    if std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|at| at.join("openstudio").is_file()))
    {
        eprintln!("an OpenStudio is installed: what is said without it is not looked at");
    } else {
        let none = fault(&mut agent, "convert_osm_to_idf", &convert);
        assert_eq!(
            (&none["code"], &none["data"]["looked_for"]),
            (&json!(1008), &json!("openstudio")),
            "{none}"
        );
        assert!(none["message"].as_str().unwrap().contains("OPENSTUDIO_DIR"), "{none}");
    }
    // and where there is no EnergyPlus either
    let without = Place::new();
    let mut agent = with_model(&without, OLD);
    let none = fault(&mut agent, "migrate_model", &json!({}));
    let said = none["message"].as_str().unwrap();
    assert!(said.contains("--energyplus-dir") && said.contains("IDFVersionUpdater"), "{none}");
    fs::write(without.root().join("office.osm"), "OS:Version,{1},3.9.0;\n").unwrap();
    let none = fault(&mut agent, "convert_osm_to_idf", &convert);
    assert!(none["message"].as_str().unwrap().contains("--energyplus-dir"), "{none}");
}
