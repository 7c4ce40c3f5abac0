//! All that our checks find in a model, by rule and elements, so that it can be held against what they find in the same building
//! written otherwise.

use crate::constraints::tests::plan::Made;
use crate::{Finding, Measured, Quantity, Severity, constraints, egress, fire, packs};
use ifc::{Id, Model};
use std::collections::BTreeMap;

/// The rule of a finding, and the GlobalIds of its elements and room.
pub type Key = (String, Vec<String>);

/// The weight of a finding and what it measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    pub severity: Severity,
    pub measured: Option<Quantity>,
    pub message: String,
}

/// Findings by what they are about; several of one rule on the same elements in the order of what they measured.
pub type All = BTreeMap<Key, Vec<Value>>;

/// Holds a model against the constraints, every shipped pack, the fire checks and the egress analysis.
pub fn all(model: Model) -> All {
    let made = Made::new(model);
    let subject = made.subject();
    let go_on = |_: usize, _: usize| true;
    let mut findings = constraints::check(&subject, None, &[], &go_on).unwrap().findings;
    for pack in packs::shipped() {
        findings.extend(packs::check(&subject, pack, &packs::Overrides::new(), &go_on).unwrap().findings);
    }
    findings.extend(fire::check(&subject, &fire::Parameters::default(), &go_on).unwrap().findings);
    let wanted =
        egress::Parameters { occupancy: Some("residential".to_owned()), ..egress::Parameters::default() };
    findings.extend(egress::egress_analysis(&subject, &wanted, &go_on).unwrap().findings);
    keyed(&made.model, findings)
}

fn keyed(model: &Model, findings: Vec<Finding>) -> All {
    let name = |id: &Id| model.get(*id).and_then(|e| e.guid()).unwrap_or_else(|| "?".to_owned());
    let mut all = All::new();
    for finding in findings {
        let mut elements: Vec<String> = finding.elements.iter().map(name).collect();
        elements.sort();
        elements.extend(finding.room.iter().map(name));
        let measured = match finding.measured {
            Some(Measured::Quantity(quantity)) => Some(quantity),
            _ => None,
        };
        let value = Value { severity: finding.severity, measured, message: finding.message };
        all.entry((finding.rule, elements)).or_default().push(value);
    }
    for values in all.values_mut() {
        let size = |value: &Value| value.measured.map_or(0.0, |quantity| quantity.value);
        values.sort_by(|a, b| (a.severity.cmp(&b.severity)).then(size(a).total_cmp(&size(b))));
    }
    all
}

/// The differences between two lists of findings, each with its rule.
pub fn differences(one: &All, other: &All) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let words = |values: &[Value]| values.iter().map(|v| v.message.clone()).collect::<Vec<_>>().join(" / ");
    for (key, values) in one {
        match other.get(key) {
            None => found.push((key.0.clone(), format!("lost {key:?}: {}", words(values)))),
            Some(there) if !alike(values, there) => {
                found.push((
                    key.0.clone(),
                    format!("differs {key:?}: {}\n  and {}", words(values), words(there)),
                ));
            }
            Some(_) => {}
        }
    }
    let come = other.iter().filter(|(key, _)| !one.contains_key(*key));
    found.extend(come.map(|(key, values)| (key.0.clone(), format!("come {key:?}: {}", words(values)))));
    found
}

/// Returns true if weights agree, and what was measured does within rounding.
fn alike(one: &[Value], other: &[Value]) -> bool {
    let is_near = |a: &Value, b: &Value| {
        let measures = match (a.measured, b.measured) {
            (Some(a), Some(b)) => {
                a.unit == b.unit && (a.value - b.value).abs() <= 1e-3 + 1e-3 * a.value.abs()
            }
            (None, None) => true,
            _ => false,
        };
        a.severity == b.severity && measures
    };
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| is_near(a, b))
}
