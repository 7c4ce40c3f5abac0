//! Which programs are asked for and what is made of what they leave, with a launcher that plays them. Through the whole program, and
//! confined, they are tested in app.

use super::*;
use crate::fake_programs::{code, play};
use crate::tests::{opened, text_of};
use contract::{Effect, Launch};
use serde_json::{Value, json};
use std::fs;

/// A folder of EnergyPlus 25.2 with these transition programs.
fn installed(programs: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = crate::fake_programs::installed();
    let place = folder.path().join(FOLDER);
    fs::create_dir_all(&place).unwrap();
    for (from, to) in programs {
        fs::write(place.join(format!("Transition-V{from}-to-V{to}")), "").unwrap();
        for version in [from, to] {
            fs::write(place.join(format!("V{version}-Energy+.idd")), "!IDD").unwrap();
        }
        fs::write(place.join(format!("Report Variables {from} to {to}.csv")), "a,b").unwrap();
    }
    folder
}

fn migrate(
    model: &str,
    params: Value,
    programs: &[(&str, &str)],
    played: impl Fn(&Launch) -> Launched + Send + Sync + 'static,
) -> (Result<Outcome, Fault>, Vec<String>) {
    let folder = installed(programs);
    let asked = ("migrate", Effect::Modify, params);
    let played = play(folder.path(), asked, &opened(model), &[], move |launch, said| {
        said("reading the model\nand going on\n");
        played(launch)
    });
    (played.outcome, played.asked.into_iter().map(|launch| launch.program).collect())
}

const PROGRAMS: [(&str, &str); 2] = [("24-2-0", "25-1-0"), ("25-1-0", "25-2-0")];

/// Puts the version that the program is called after into the model.
fn bring_up(launch: &Launch) -> Launched {
    assert_eq!(launch.arguments, ["in.idf"]);
    let at = |name: &str| launch.folder.join(name);
    let (from, to) = launch.program.strip_prefix("Transition-V").unwrap().split_once("-to-V").unwrap();
    assert!(at(&format!("V{from}-Energy+.idd")).is_file() && at(&format!("V{to}-Energy+.idd")).is_file());
    assert!(at(&format!("Report Variables {from} to {to}.csv")).is_file());
    assert!(!at("in.idfnew").exists() && !at("in.VCpErr").exists());
    let short = |text: &str| text.rsplit_once('-').unwrap().0.replace('-', ".");
    let model = fs::read_to_string(at("in.idf")).unwrap();
    fs::write(at("in.idfnew"), model.replace(&short(from), &short(to))).unwrap();
    fs::write(at("in.VCpErr"), "Program Version,x\n   ** Warning ** look at it\n\n").unwrap();
    code(0)
}

#[test]
fn programs_run_one_after_another_and_the_outcome_is_a_change_of_the_model() {
    let model = "Version,24.2;\n\nZone,\n  Attic;  !- Name\n";
    let (outcome, asked) = migrate(model, json!({"keep": true}), &PROGRAMS, bring_up);
    let outcome = outcome.unwrap();
    assert_eq!(asked, ["Transition-V24-2-0-to-V25-1-0", "Transition-V25-1-0-to-V25-2-0"]);
    assert_eq!((&outcome.result["from"], &outcome.result["to"]), (&json!("24.2"), &json!("25.2")));
    assert_eq!(outcome.result["messages"][0], "Transition-V24-2-0-to-V25-1-0: ** Warning ** look at it");
    let (_, _, after) = &outcome.changes[0];
    assert_eq!(text_of(after), "Version,25.2;\n\nZone,\n  Attic;  !- Name\n");
    let names: Vec<&str> = outcome.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    assert!(names.contains(&"model-25.1.idf") && names.contains(&"Transition-V25-1-0-to-V25-2-0.VCpErr"));
    // what is there already is left as it is
    let (outcome, asked) = migrate(model, json!({"target_version": "24.2.0"}), &PROGRAMS, bring_up);
    assert!(outcome.unwrap().changes.is_empty() && asked.is_empty());
}

#[test]
fn a_program_that_does_not_reach_its_version_ends_it_with_what_it_said() {
    let model = "Version,24.2;\nZone,Attic;\n";
    type Plays<'a> = (fn(&Launch) -> Launched, &'a str);
    let plays: [Plays<'_>; 3] = [
        (|_| code(0), "reading the model and going on"),
        (
            |launch| {
                fs::write(launch.folder.join("in.VCpErr"), "** Severe ** no such object\n").unwrap();
                code(0)
            },
            "no such object",
        ),
        (|_| Launched { signal: Some(11), ..Launched::default() }, "signal 11"),
    ];
    for (play, why) in plays {
        let (outcome, asked) = migrate(model, json!({}), &PROGRAMS, play);
        let fault = outcome.map(|_| ()).unwrap_err();
        assert!(fault.message.contains(why) && fault.message.contains("25.1"), "{}", fault.message);
        assert_eq!(asked.len(), 1);
    }
}

#[test]
fn what_cannot_be_reached_is_refused_with_what_was_looked_for_and_where() {
    let never = |_: &Launch| code(0);
    let old = "Version,9.6;\nZone,Attic;\n";
    for (model, params, programs, why) in [
        (old, json!({}), &[][..], "installer"),
        (old, json!({}), &PROGRAMS[..], "leads from 9.6"),
        ("Version,26.1;\nZone,A;\n", json!({}), &PROGRAMS[..], "never down"),
        ("Zone,A;\n", json!({}), &PROGRAMS[..], "no version"),
        (old, json!({"target_version": "newest"}), &PROGRAMS[..], "no version of EnergyPlus"),
        (old, json!({"program_folder": "/usr/bin"}), &PROGRAMS[..], "is another"),
        (r#"{"Version": {"V": {"version_identifier": "24.2"}}}"#, json!({}), &PROGRAMS[..], "read IDF"),
    ] {
        let (outcome, asked) = migrate(model, params, programs, never);
        let fault = outcome.map(|_| ()).unwrap_err();
        assert!(fault.message.contains(why) && asked.is_empty(), "{why}: {}", fault.message);
        if why == "installer" {
            assert!(fault.data["looked_in"].as_str().unwrap().ends_with(FOLDER), "{fault:?}");
        }
    }
}
