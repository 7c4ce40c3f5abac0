//! Constraints that every building keeps, whatever code it is built to: nothing shares space, nothing floats, openings lie in their
//! hosts, rooms can be reached and are not there twice, every element has its storey.
//!
//! Each constraint is a file with its entry of the table and its search. Touching is not overlapping, and what the file binds (a door
//! and its wall, a covering and its slab) is meant to meet. It refuses to say what a code asks (clearances, widths, distances): rule
//! packs do. What cannot be judged, for want of rooms or shapes, is one finding of the weight `info`.

mod change;
mod context;
mod door_swing;
mod duplicate;
mod duplicate_guid;
mod filling_outside_opening;
mod floating;
mod gap;
mod idle_opening;
mod opening_outside_host;
mod orphan;
mod outlier;
mod overlap;
mod placement;
mod quantity;
mod room_without_door;
mod sealed_room;
mod space_not_closed;
mod space_overlap;
mod storey_contents;
mod storey_levels;
#[cfg(test)]
pub(crate) mod tests;
mod unhosted_filling;
mod unjoined;
mod unused_type;
mod zero_size;

pub use change::of_change;

use crate::{Finding, Severity, Subject};
use context::Context;
use ifc::Id;
use std::collections::{BTreeMap, BTreeSet};

/// A constraint: what it asks, why, and how heavy a breach weighs.
#[derive(Clone, Copy)]
pub struct Constraint {
    /// Its identifier, the rule of its findings: `constraints.overlap`.
    pub id: &'static str,
    /// Its name in a few words.
    pub title: &'static str,
    /// The requirement, in one or two sentences.
    pub text: &'static str,
    /// The reason for it.
    pub why: &'static str,
    /// The weight of a breach; what is less certain is told with less.
    pub severity: Severity,
    find: fn(&Context<'_>, &mut Vec<Finding>),
}

impl Constraint {
    /// A breach of it.
    fn breach(&self, elements: Vec<Id>, message: String) -> Finding {
        Finding::new(self.id, self.severity, elements, message)
    }

    /// A finding of what could not be judged.
    fn unjudged(&self, message: &str) -> Finding {
        Finding::new(self.id, Severity::Info, Vec::new(), message.to_owned())
    }
}

/// Every constraint, in the order in which they are checked and told.
static CONSTRAINTS: [Constraint; 23] = [
    duplicate_guid::CONSTRAINT,
    placement::CONSTRAINT,
    zero_size::CONSTRAINT,
    outlier::CONSTRAINT,
    duplicate::CONSTRAINT,
    overlap::CONSTRAINT,
    gap::CONSTRAINT,
    gap::SLIT,
    unjoined::CONSTRAINT,
    floating::CONSTRAINT,
    orphan::CONSTRAINT,
    storey_levels::CONSTRAINT,
    storey_contents::CONSTRAINT,
    idle_opening::CONSTRAINT,
    opening_outside_host::CONSTRAINT,
    unhosted_filling::CONSTRAINT,
    filling_outside_opening::CONSTRAINT,
    door_swing::CONSTRAINT,
    room_without_door::CONSTRAINT,
    sealed_room::CONSTRAINT,
    space_overlap::CONSTRAINT,
    space_not_closed::CONSTRAINT,
    quantity::CONSTRAINT,
];

/// Further constraints of little weight.
static NOTES: [Constraint; 1] = [unused_type::CONSTRAINT];

/// Returns every constraint, in the order in which they are checked and told.
pub fn constraints() -> impl Iterator<Item = &'static Constraint> {
    CONSTRAINTS.iter().chain(&NOTES)
}

/// The findings on a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// All findings, by constraint in the order of the table, then by elements.
    pub findings: Vec<Finding>,
    /// The number of findings of each constraint that was checked, also of those without any.
    pub counts: BTreeMap<&'static str, usize>,
    /// Sentences on what was not looked at.
    pub notes: Vec<String>,
}

/// Holds a model against constraints: those of these identifiers, or all where none is named. With `only`, findings that concern none of
/// these elements are left out. `go_on` is told how many of how many constraints are done; where it answers no, there is no report.
pub fn check(
    subject: &Subject<'_>,
    only: Option<&BTreeSet<Id>>,
    ids: &[&str],
    go_on: &dyn Fn(usize, usize) -> bool,
) -> Option<Report> {
    let asked: Vec<&Constraint> =
        constraints().filter(|own| ids.is_empty() || ids.contains(&own.id)).collect();
    let context = Context::new(subject, only);
    let mut report = Report::default();
    for id in ids.iter().filter(|id| constraints().all(|own| own.id != **id)) {
        report.notes.push(format!("There is no constraint {id}."));
    }
    for (done, constraint) in asked.iter().enumerate() {
        if !go_on(done, asked.len()) {
            return None;
        }
        let mut found = Vec::new();
        (constraint.find)(&context, &mut found);
        found.retain(|finding| context.concerns_any(finding));
        found.sort_by(|a, b| (a.severity, &a.elements).cmp(&(b.severity, &b.elements)));
        report.counts.insert(constraint.id, found.len());
        report.findings.extend(found);
    }
    report.notes.extend(context.into_notes());
    go_on(asked.len(), asked.len()).then_some(report)
}
