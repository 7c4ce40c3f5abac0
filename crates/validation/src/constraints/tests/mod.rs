//! Small buildings that are sound, and the same with one fault planted: exactly that fault is found, wherever the building stands.

mod bad;
mod customs;
mod doors;
pub mod house;
mod levels;
mod mended;
mod only;
pub mod ours;
pub mod plan;
mod planted;
pub mod real;
mod spaces;

use super::{Report, check};
use crate::{Finding, Severity};
use house::House;
use ifc::Id;
use plan::{Made, Setting};
use std::collections::BTreeSet;

/// A fault as it is told: the constraint and the elements.
type Told = (String, Vec<Id>);

fn report(made: &Made) -> Report {
    check(&made.subject(), None, &[], &|_, _| true).unwrap()
}

/// The breaches, without what could not be judged and what is only to be known.
fn breaches(report: &Report) -> Vec<Told> {
    let told = report.findings.iter().filter(|finding| finding.severity != Severity::Info);
    told.map(|finding| (finding.rule.clone(), finding.elements.clone())).collect()
}

/// Plants a fault in a sound house at every place, and expects its findings alone; answers those of the last.
fn planted(plant: impl Fn(&mut House) -> (&'static str, Vec<Id>)) -> Vec<Finding> {
    let mut last = Vec::new();
    for setting in Setting::ALL {
        let mut house = House::new(setting);
        let (rule, elements) = plant(&mut house);
        let made = Made::new(house.plan.model());
        let report = report(&made);
        let found: BTreeSet<Told> = report
            .findings
            .iter()
            .filter(|finding| finding.severity != Severity::Info || finding.rule == rule)
            .map(|finding| (finding.rule.clone(), finding.elements.clone()))
            .collect();
        let messages: Vec<&str> = report.findings.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(found, BTreeSet::from([(rule.to_owned(), elements)]), "{setting:?} {messages:#?}");
        last = report.findings.into_iter().filter(|finding| finding.rule == rule).collect();
    }
    last
}

/// The value that the first finding measured.
fn measured(findings: &[Finding]) -> f64 {
    match findings.first().and_then(|finding| finding.measured.as_ref()) {
        Some(crate::Measured::Quantity(quantity)) => quantity.value,
        other => panic!("{other:?}"),
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}
