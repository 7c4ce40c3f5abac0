//! Every instance of a model against its class, on all cores: types, cardinalities, references, enumerations.

use super::message;
use super::report::Collector;
use super::walk::{Fault, FaultKind, Walk};
use super::{Finding, FindingCode, GoOn};
use ifc::parts::ClassCodes;
use ifc::parts::Slot;
use ifc::step::encode;
use ifc::{Id, Model, Problem, ProblemCode};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Instances that one task looks at.
const TASK: usize = 1 << 14;

/// Faults of a kind, a class and an attribute.
type Kind = (FindingCode, u16, u16);

/// The findings of one task.
#[derive(Default)]
struct Found {
    /// Faults to be listed, each with its instance's id.
    faults: Vec<(u32, Fault)>,
    counts: HashMap<Kind, usize>,
    /// The text that changed instances were walked over in.
    texts: Vec<(u32, String)>,
}

impl Found {
    fn take(&mut self, id: u32, class: u16, limit: usize, faults: &mut Vec<Fault>) {
        // classes that the schema does not have count as one
        let class = if class >= ClassCodes::UNKNOWN { u16::MAX } else { class };
        for fault in faults.drain(..) {
            let count = self.counts.entry((message::code(fault.kind), class, fault.attribute)).or_default();
            // one at least, by which a group gets its name
            if *count < limit.max(1) {
                self.faults.push((id, fault));
            }
            *count += 1;
        }
    }
}

/// The name of this part of a validation.
const PART: &str = "checking instances";

fn walk_all(model: &Model, limit: usize, go_on: GoOn<'_>) -> Option<Vec<Found>> {
    let base = model.base();
    let unchanged = model.overlay().is_empty();
    let rows = base.len();
    if !go_on(PART, 0, rows) {
        return None;
    }
    let done = AtomicUsize::new(0);
    let found: Option<Vec<Found>> = (0..rows.div_ceil(TASK))
        .into_par_iter()
        .map(|task| {
            let mut walk = Walk::new(model);
            let mut found = Found::default();
            for row in task * TASK..((task + 1) * TASK).min(rows) {
                let Some(id) = base.id(row).filter(|id| unchanged || !model.overlay().contains(*id)) else {
                    continue;
                };
                let Some(head) = base.head(row) else { continue };
                let class = base.class(row);
                walk.instance(base.text(row), head.open, class);
                if !walk.faults.is_empty() {
                    found.take(id, class, limit, &mut walk.faults);
                }
            }
            let done = done.fetch_add(TASK, Ordering::Relaxed) + TASK;
            go_on(PART, done.min(rows), rows).then_some(found)
        })
        .collect();
    let mut found = found?;
    if !unchanged {
        found.push(walk_changed(model, limit));
    }
    Some(found)
}

/// Instances that were changed since the file was opened, in the text that they would be written as.
fn walk_changed(model: &Model, limit: usize) -> Found {
    let mut walk = Walk::new(model);
    let mut found = Found::default();
    for (id, slot) in model.overlay().slots() {
        let Slot::Present(stored) = slot else { continue };
        let mut text = String::new();
        encode::list(&stored.values, &mut text);
        walk.instance(text.as_bytes(), 0, stored.class.code());
        if !walk.faults.is_empty() {
            found.take(id, stored.class.code(), limit, &mut walk.faults);
            found.texts.push((id, text));
        }
    }
    found
}

/// Every instance against its class.
pub(super) fn check(model: &Model, collector: &mut Collector, go_on: GoOn<'_>) -> Option<()> {
    for found in walk_all(model, collector.limit(), go_on)? {
        let mut subjects: HashMap<Kind, (String, usize)> = HashMap::new();
        for (id, fault) in found.faults {
            let Some(instance) = model.get(Id(id)) else { continue };
            let class = instance.entity().map_or(u16::MAX, |entity| entity.id.0);
            let changed = found.texts.binary_search_by_key(&id, |(id, _)| *id).ok();
            let text = changed.and_then(|at| found.texts.get(at)).map(|(_, text)| text.as_str());
            let finding = message::finding(&instance, text, fault);
            let kind = (message::code(fault.kind), class, fault.attribute);
            subjects.entry(kind).or_insert_with(|| (finding.subject(), 0)).1 += 1;
            collector.add(finding);
        }
        // those that were not listed
        for (kind, (subject, listed)) in subjects {
            let count = found.counts.get(&kind).copied().unwrap_or(listed);
            collector.count(kind.0, &subject, count.saturating_sub(listed));
        }
    }
    Some(())
}

/// References to instances that are not there, by place in the file.
pub fn dangling(model: &Model) -> Vec<Problem> {
    problems(model, |kind| matches!(kind, FaultKind::Dangling(_)))
}

/// The problems that make an instance unreadable or leave it hanging, which shows only when every attribute is read:
/// attributes that are no values, too many or too few of them, and references to instances that are not there.
/// [`crate::validate`] says also what is not as the schema has it.
pub fn verify(model: &Model) -> Vec<Problem> {
    problems(model, |kind| {
        matches!(kind, FaultKind::Dangling(_) | FaultKind::Unreadable(_) | FaultKind::Count(_))
    })
}

fn problems(model: &Model, wanted: impl Fn(FaultKind) -> bool) -> Vec<Problem> {
    let mut problems = Vec::new();
    for found in walk_all(model, usize::MAX, &|_, _, _| true).into_iter().flatten() {
        for (id, fault) in found.faults.into_iter().filter(|(_, fault)| wanted(fault.kind)) {
            let Some(instance) = model.get(Id(id)) else { continue };
            let changed = found.texts.binary_search_by_key(&id, |(id, _)| *id).ok();
            let text = changed.and_then(|at| found.texts.get(at)).map(|(_, text)| text.as_str());
            let Finding { line, column, message, .. } = message::finding(&instance, text, fault);
            let code = match fault.kind {
                FaultKind::Dangling(_) => ProblemCode::DanglingReference,
                FaultKind::Count(_) => ProblemCode::AttributeCount,
                _ => ProblemCode::Value,
            };
            problems.push(Problem { line, column, id: Some(Id(id)), code, message });
        }
    }
    problems.sort_by_key(|problem| (problem.line, problem.column, problem.id));
    problems
}
