//! The rules against buildingSMART's own cases: a file whose name begins with `fail-` and the rule breaks it, one with
//! `pass-` or `na-` does not.

mod alignments;
mod bodies;
mod others;

use super::{RULES, findings, rule_of};
use crate::FindingCode;
use crate::sample::model;
use ifc::{Limits, Model, SchemaVersion};
use std::path::PathBuf;

/// The findings of one rule on a model of these lines.
fn broken(schema: SchemaVersion, data: &str, rule: &str) -> Vec<String> {
    let report = findings(&model(schema, data), rule_of(rule).unwrap(), 10).finish();
    report.findings.iter().map(ToString::to_string).collect()
}

/// Files that are judged otherwise than their names say, with the reason.
const KNOWN: [(&str, &str); 0] = [];

fn cases() -> Vec<PathBuf> {
    let mut open: Vec<PathBuf> = testing::data("gherkin/test/files").into_iter().collect();
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ifc") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_validation_services_own_cases_are_judged_as_they_are_named() {
    let mut wrong = Vec::new();
    let mut judged = 0;
    for path in cases() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut parts = name.split('-');
        let (Some(verdict), Some(rule)) = (parts.next(), parts.next()) else { continue };
        let rule = rule.to_ascii_uppercase();
        // those that only tell what a file uses have no findings, and their cases do not fail
        let has_rule = RULES.iter().any(|known| known.id == rule);
        assert!(has_rule || (rule.ends_with("000") && verdict != "fail"), "{name} is of no rule known");
        judged += 1;
        let broken: Vec<String> = match Model::open(&path, &Limits::default()) {
            Ok((model, _)) => {
                // those that their authors disabled, too
                let rules: Vec<&super::Rule> = RULES.iter().collect();
                let report = crate::validate_rules(&model, &rules, 3, &|_, _, _| true).unwrap();
                let of_rule = |finding: &&crate::Finding| {
                    finding.code == FindingCode::Implementer && finding.rule.as_deref() == Some(&rule)
                };
                report.findings.iter().filter(of_rule).map(ToString::to_string).collect()
            }
            Err(error) => vec![format!("refused: {error}")],
        };
        let known = KNOWN.iter().any(|(file, _)| *file == name);
        if (verdict == "fail") == broken.is_empty() && !known {
            wrong.push(format!("{name}: {broken:?}"));
        }
    }
    println!("{judged} cases");
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn rules_are_listed_once_and_by_their_family() {
    for pair in RULES.windows(2) {
        if let [a, b] = pair
            && a.id.get(..3) == b.id.get(..3)
        {
            assert!(a.id < b.id, "{} before {}", a.id, b.id);
        }
    }
    assert!(RULES.iter().all(|rule| !rule.title.is_empty() && rule.id.len() == 6));
}
