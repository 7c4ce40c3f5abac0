//! Every rule of every pack that comes with the program: held against a building that keeps it and one that does not, wherever they stand and in
//! whichever unit.

use super::house::{Place, bad, good, long};
use super::opened::Opened;
use crate::packs::{Overrides, Report, shipped};
use ifc::{Limits, Model};
use std::collections::BTreeMap;

fn open(text: String) -> Opened {
    let (model, problems) = Model::from_bytes(text.into_bytes(), &Limits::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    Opened::new(model)
}

fn reports(opened: &Opened) -> Vec<Report> {
    shipped().iter().map(|pack| opened.check(pack, &Overrides::new())).collect()
}

#[test]
fn every_rule_has_a_building_that_passes_and_one_that_fails() {
    let good = open(good(Place::PLAIN));
    let others = [open(bad(Place::PLAIN)), open(long(Place::PLAIN))];
    let (kept, broken) = (reports(&good), others.iter().map(reports).collect::<Vec<_>>());
    let mut wrong = Vec::new();
    for (pack, report) in kept.iter().enumerate() {
        for (number, result) in report.rules.iter().enumerate() {
            if result.passed == 0 || result.failed > 0 || !result.not_judged.is_empty() {
                let own = report.findings.iter().filter(|finding| finding.rule == result.rule);
                let words: Vec<&String> = own.map(|finding| &finding.message).collect();
                wrong.push(format!("good: {result:?} {words:?}"));
            }
            let fails = |reports: &Vec<Report>| reports[pack].rules[number].failed > 0;
            if !broken.iter().any(fails) {
                wrong.push(format!(
                    "bad: {:?}",
                    broken.iter().map(|r| &r[pack].rules[number]).collect::<Vec<_>>()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The number of findings by rule.
fn counts(reports: &[Report]) -> BTreeMap<String, (usize, usize, usize)> {
    let results = reports.iter().flat_map(|report| &report.rules);
    results.map(|r| (r.rule.clone(), (r.passed, r.failed, r.not_judged.values().sum()))).collect()
}

#[test]
fn turning_and_moving_a_building_or_writing_it_in_millimetres_changes_nothing() {
    let plain = [good, bad, long].map(|make| counts(&reports(&open(make(Place::PLAIN)))));
    let places = [
        Place { millimetres: true, ..Place::PLAIN },
        Place { turn: 0.6, shift: [130.0, -75.0], ..Place::PLAIN },
        Place { turn: 2.5, shift: [-4000.0, 9000.0], millimetres: true },
    ];
    for place in places {
        for (make, known) in [good, bad, long].into_iter().zip(&plain) {
            assert_eq!(&counts(&reports(&open(make(place)))), known, "turned by {}", place.turn);
        }
    }
}
