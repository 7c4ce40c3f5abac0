//! The sixteen rules of model quality on the Duplex, beside the issues that another checker (Solibri) found there, each rule of its own.

use super::opened::Opened;
use crate::Severity;
use crate::packs::{Overrides, Report, shipped};
use serde_json::Value;
use std::collections::BTreeSet;

/// The rules of the issues, by their titles, with ours.
const RULES: [(&str, &str); 16] = [
    ("304_3_1_circular_space", "turning-space"),
    ("305_3_size", "clear-floor-space"),
    ("404_2_5_two_doors_in_series", "doors-in-series"),
    ("504_2_stair_slab_connection", "stair-ends"),
    ("504_2_non_uniform_risers_treads", "stair-uniform"),
    ("504_2_riser_height", "stair-riser"),
    ("504_2_tread_length", "stair-tread"),
    ("clearance_front_of_doors", "door-clearance"),
    ("doors_and_windows", "filling-storey"),
    ("large_spaces_more_than_one_door", "large-room-doors"),
    ("slab_thickness", "slab-thickness"),
    ("slabs_guarded_against_falling", "slab-guarded"),
    ("space_validation_inside", "elements-in-rooms"),
    ("space_validation_intersect", "elements-across-rooms"),
    ("spaces_same_storey_same_bottom_elevation", "room-levels"),
    ("unallocated_areas", "unallocated-areas"),
];

/// Findings that the other checker does not have: the rule, words of the message, and the reason.
const OTHERS: [(&str, &str, &str); 0] = [];

struct Issue {
    required: BTreeSet<String>,
}

fn issues(truth: &Value, title: &str) -> Vec<Issue> {
    let all = truth["rules"][title]["issues"].as_array().unwrap_or_else(|| panic!("{title}"));
    let texts =
        |list: &Value| list.as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect();
    all.iter().map(|issue| Issue { required: texts(&issue["required_guids"]) }).collect()
}

/// The GlobalIds of each finding of a rule, with its message.
fn findings(duplex: &Opened, report: &Report, rule: &str) -> Vec<(BTreeSet<String>, String)> {
    let own = report.findings.iter().filter(|finding| finding.rule == format!("model-quality.{rule}"));
    // that a thing could not be judged is no issue
    let judged = own.filter(|finding| finding.measured.is_some() || finding.severity != Severity::Info);
    let ids = |elements: &[ifc::Id]| elements.iter().filter_map(|id| duplex.model.get(*id)?.guid()).collect();
    judged.map(|finding| (ids(&finding.elements), finding.message.clone())).collect()
}

#[test]
fn every_issue_of_the_duplex_is_found_and_what_is_found_beside_is_known() {
    let Some(duplex) = Opened::real("Duplex_A_20110907.ifc") else { return };
    let Some(path) = testing::data("acc/duplex.ground_truth.json") else { return };
    let truth: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let pack = shipped().iter().find(|pack| pack.id == "model-quality").unwrap();
    let report = duplex.check(pack, &Overrides::new());
    let mut missing = Vec::new();
    let mut unknown = Vec::new();
    let (mut right, mut all) = (0, 0);
    for (title, rule) in RULES {
        let (issues, findings) = (issues(&truth, title), findings(&duplex, &report, rule));
        for issue in &issues {
            for id in &issue.required {
                if !findings.iter().any(|(ids, _)| ids.contains(id)) {
                    missing.push(format!("{rule}: {id}"));
                }
            }
        }
        for (ids, message) in &findings {
            all += 1;
            let is_issue = issues.iter().any(|issue| issue.required.iter().any(|id| ids.contains(id)));
            right += usize::from(is_issue);
            let is_known = OTHERS.iter().any(|(own, words, _)| *own == rule && message.contains(words));
            if !is_issue && !is_known {
                unknown.push(format!("{rule}: {message}"));
            }
        }
        // a rule that found nothing in this model was held against something there
        let result = report.rules.iter().find(|own| own.rule.ends_with(rule)).unwrap();
        assert!(result.passed + result.failed > 0, "{rule} judged nothing");
        assert!(
            findings.len() <= 2 * issues.len().max(1) || rule == "slab-thickness",
            "{rule}: {} findings",
            findings.len()
        );
    }
    assert!(missing.is_empty() && unknown.is_empty(), "missing {missing:#?}, unknown {unknown:#?}");
    assert!(10 * right >= 9 * all, "{right} of {all}");
}
