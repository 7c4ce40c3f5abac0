//! Models that are broken, empty or circular, and callers that stop or set what is not there: told of, without a panic.

use super::house::{Place, good};
use super::opened::Opened;
use crate::Severity;
use crate::packs::{Overrides, Refused, check, read, shipped};
use ifc::{Limits, Model};
use serde_json::json;
use std::cell::Cell;
use std::collections::BTreeMap;

fn open(text: String) -> Opened {
    let (model, _) = Model::from_bytes(text.into_bytes(), &Limits::default()).unwrap();
    Opened::new(model)
}

/// Holds that all packs are held against a model, and that every number told is one.
fn survives(opened: &Opened) -> usize {
    let mut count = 0;
    for pack in shipped() {
        let report = opened.check(pack, &Overrides::new());
        assert_eq!(report.rules.len(), pack.rules.len());
        for finding in &report.findings {
            let measured = finding.measured.as_ref().map(ToString::to_string).unwrap_or_default();
            assert!(!measured.contains("NaN") && !measured.contains("inf"), "{finding:?}");
            assert!(
                !finding.message.is_empty() && finding.point.is_none_or(glam::DVec3::is_finite),
                "{finding:?}"
            );
        }
        count += report.findings.len();
    }
    count
}

#[test]
fn an_empty_model_passes_nothing_and_says_so() {
    let text = "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n";
    let opened = open(text.to_owned());
    assert!(survives(&opened) > 0);
    for pack in shipped() {
        let report = opened.check(pack, &Overrides::new());
        assert!(report.rules.iter().all(|result| result.passed + result.failed == 0), "{:?}", report.rules);
        assert!(report.findings.iter().all(|finding| finding.severity == Severity::Info));
    }
}

#[test]
fn broken_models_are_judged_as_far_as_they_go() {
    let whole = good(Place::PLAIN);
    let line_of = |word: &str| whole.lines().find(|line| line.contains(word)).unwrap().to_owned();
    let number = |line: &str| line.split('=').next().unwrap().to_owned();
    let storey = number(&line_of("IFCBUILDINGSTOREY"));
    let building = number(&line_of("IFCBUILDING("));
    let placement = line_of("IFCLOCALPLACEMENT($");
    let own = number(&placement);
    let broken = [
        // coordinates beyond all measure
        whole.replace("3.15", "1.E308"),
        whole.replace("(8.3,", "(1.E400,"),
        // nothing lies anywhere
        whole.replace("IFCEXTRUDEDAREASOLID", "IFCBOUNDINGBOX"),
        whole.replace("IFCRELAGGREGATES", "IFCRELNESTS"),
        whole.replace("IFCRELCONTAINEDINSPATIALSTRUCTURE", "IFCRELREFERENCEDINSPATIALSTRUCTURE"),
        whole.replace("IFCBUILDINGSTOREY", "IFCBUILDINGELEMENTPROXY"),
        // a placement on itself, a building in its own storey
        whole.replace(&placement, &placement.replace("($", &format!("({own}"))),
        whole.replace("ENDSEC;\nEND-", &format!("#99999=IFCRELAGGREGATES('0000000000000000099999',$,$,$,{storey},({building}));\nENDSEC;\nEND-")),
        // bodies without height or inside out
        whole.replace(",2.85)", ",0.)"),
        whole.replace(",2.85)", ",-2.85)"),
    ];
    for text in broken {
        survives(&open(text));
    }
}

#[test]
fn parameters_are_set_otherwise_and_what_is_not_there_is_refused() {
    let opened = open(good(Place::PLAIN));
    let pack = shipped().iter().find(|pack| pack.id == "ada-2010").unwrap();
    let set = |rule: &str, name: &str, value: serde_json::Value| -> Overrides {
        BTreeMap::from([(rule.to_owned(), BTreeMap::from([(name.to_owned(), value)]))])
    };
    let failed = |overrides: &Overrides| {
        let report = opened.check(pack, overrides);
        report.rules.iter().find(|result| result.rule == "ada-2010.404.2.3").unwrap().failed
    };
    assert_eq!(failed(&Overrides::new()), 0);
    let wider = set("404.2.3", "width", json!("2 m"));
    assert!(failed(&wider) > 0);
    assert_eq!(failed(&set("ada-2010.404.2.3", "width", json!("30 in"))), 0);
    let finding = opened.check(pack, &wider).findings.into_iter().next().unwrap();
    assert!(finding.suggestion.unwrap().contains("2000 mm"));
    let wrong = [
        (set("404.2.33", "width", json!("1 m")), "404.2.3"),
        (set("404.2.3", "widht", json!("1 m")), "`width`"),
        (set("404.2.3", "width", json!("1 m²")), "a length"),
        (set("404.2.3", "width", json!(1)), "a length"),
    ];
    for (overrides, words) in wrong {
        let refused = check(&opened.subject(), pack, &overrides, &|_, _| true);
        let Err(Refused::Overrides(problems)) = refused else { panic!("{overrides:?}") };
        assert!(problems.len() == 1 && problems[0].message.contains(words), "{problems:?}");
    }
}

#[test]
fn a_caller_is_told_how_far_it_is_and_may_stop() {
    let opened = open(good(Place::PLAIN));
    let pack = &shipped()[0];
    let told = Cell::new(0);
    let report = check(&opened.subject(), pack, &Overrides::new(), &|done, all| {
        told.set(told.get().max(done));
        assert_eq!(all, pack.rules.len());
        true
    });
    assert!(report.is_ok() && told.get() == pack.rules.len());
    let stopped = check(&opened.subject(), pack, &Overrides::new(), &|done, _| done < 2);
    assert_eq!(stopped.err(), Some(Refused::Stopped));
}

#[test]
fn a_pack_of_a_users_own_is_held_against_a_model() {
    let text = r#"
[pack]
id = "office-manual"
title = "Manual of an office"
edition = "3"
source = "office"
licence = "none"

[table.daylight]
means = "window area by floor area"
rows = { office = "10 %", living = "1:8" }

[usages]
sauna = ["stair hall"]

[[rule]]
id = "sauna"
clause = "4.2"
title = "Width of saunas"
text = "Saunas are 3 m wide."
why = "They are."
each = "room"
when = { measure = "room.usage", equals = "sauna" }
require = { measure = "room.width", at_least = "3 m" }
severity = "info"
verified = false
suggestion = "Make it wider."

[[rule]]
id = "windows"
clause = "4.3"
title = "Daylight"
text = "Rooms have windows."
why = "They need light."
each = "room"
when = { measure = "room.usage", one_of = ["office", "living"] }
require = { measure = "room.window_share", at_least = { table = "daylight" } }
severity = "warning"
verified = false
suggestion = "Give the room a window; {measured} is too little."

[[rule]]
id = "fire-doors"
clause = "4.4"
title = "Ratings of doors"
text = "Doors say their rating."
why = "They are ordered by it."
each = "door"
select = "IfcDoor, Name=Door"
require = { property = "Pset_DoorCommon.FireRating", exists = true }
severity = "warning"
verified = false
suggestion = "Say the rating of {element}."
"#;
    let pack = read(text).unwrap();
    let opened = open(good(Place::PLAIN));
    let report = opened.check(&pack, &Overrides::new());
    let counts: Vec<(usize, usize)> = report.rules.iter().map(|own| (own.passed, own.failed)).collect();
    // the stair hall is 2.9 m wide; no room has a window, and of the offices and the living room there are three; eleven doors
    assert_eq!(counts, [(0, 1), (0, 3), (0, 11)], "{report:#?}");
    let first = &report.findings[0];
    assert_eq!(first.rule, "office-manual.sauna");
    assert_eq!(first.clause.as_deref(), Some("4.2"));
    assert!(
        first.message.contains("2900 mm") && first.message.contains("at least 3000 mm"),
        "{}",
        first.message
    );
    let rated = opened
        .check(&pack, &Overrides::new())
        .findings
        .iter()
        .filter(|f| f.rule.ends_with("fire-doors"))
        .count();
    assert_eq!(rated, 11);
}

#[test]
fn real_models_are_judged_and_every_thing_is_counted_once() {
    let names = [
        "Duplex_A_20110907.ifc",
        "AC20-FZK-Haus.ifc",
        "ExampleHOM.ifc",
        "Niedri.ifc",
        "House.ifc",
        "LargeBuilding.ifc",
        "SampleHouse4.ifc",
        "IfcOpenHouse_IFC4.ifc",
        "3rooms_with_SB.ifc",
        "B03_hvac_heating.ifc",
        "wall_door_column_4x3.ifc",
    ];
    for name in names {
        let Some(opened) = Opened::real(name) else { return };
        survives(&opened);
        for pack in shipped() {
            for result in opened.check(pack, &Overrides::new()).rules {
                let untold: usize = result.not_judged.values().sum();
                assert_eq!(result.applicable, result.passed + result.failed + untold, "{name}: {result:?}");
            }
        }
    }
}
