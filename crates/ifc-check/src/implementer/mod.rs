//! The agreements of IFC's implementers beyond the schema: buildingSMART's normative validation rules. Each rule is cited by its
//! number and checked natively on relations, property sets, placements, coordinates and curves.
//!
//! The rules are those of buildingSMART's validation service (github.com/buildingSMART/ifc-gherkin-rules, features of
//! late 2025). Those that only tell whether a file uses a part of the schema (their numbers end in 000) cannot fail and
//! are not here. What a rule does not apply to, it passes over.

mod alignment_agreement;
mod alignment_continuity;
mod alignment_layouts;
mod alignment_shapes;
mod alignments;
mod contexts;
mod conversion_units;
mod curves;
mod deprecated;
mod epsg;
mod faces;
mod georeference;
mod linear_placements;
mod objects;
mod official;
mod placements;
mod precision;
mod profiles;
mod property_sets;
mod reachable;
mod representations;
mod rules;
mod self_intersections;
mod set_rules;
mod shells;
mod spatial;
mod systems;
#[cfg(test)]
mod tests;

use super::report::Collector;
use super::{Finding, FindingCode, GoOn};
use ifc::relations::{End, Links};
use ifc::{Id, Instance, Model, SchemaVersion};
use rayon::prelude::*;
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

pub use rules::{Agreement, RULES, Rule, rule_of, rules_called};

/// The name of this part of a validation.
const PART: &str = "checking implementer agreements";

/// Holds a model against rules, as many at a time as there are threads; findings come in the order of the rules.
pub(super) fn check(
    model: &Model,
    rules: &[&Rule],
    collector: &mut Collector,
    go_on: GoOn<'_>,
) -> Option<()> {
    let limit = collector.limit();
    if !go_on(PART, 0, rules.len()) {
        return None;
    }
    let done = AtomicUsize::new(0);
    let checked = |rule: &&Rule| {
        let findings = findings(model, rule, limit);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        go_on(PART, done, rules.len()).then_some(findings)
    };
    let found: Option<Vec<Collector>> = rules.par_iter().map(checked).collect();
    for findings in found? {
        collector.absorb(findings);
    }
    Some(())
}

/// Runs one rule and returns its findings, grouped by its number.
fn findings(model: &Model, rule: &Rule, limit: usize) -> Collector {
    let mut collector = Collector::new(limit);
    let left = Cell::new(model.len().saturating_mul(64).saturating_add(1 << 20));
    let links = Links::of_many(model);
    let mut context = Context { model, links, collector: &mut collector, rule: rule.id, left };
    (rule.check)(&mut context);
    if context.left.get() == 0 {
        let message = format!(
            "{} is not checked to the end: relations are so entangled that it would take too long",
            rule.id
        );
        context.collector.add(Finding::of_model(FindingCode::NotEvaluated, message).by_rule(rule.id));
    }
    collector
}

/// The model that rules look at, and the collector that they report to.
struct Context<'m, 'c> {
    model: &'m Model,
    links: Links<'m>,
    collector: &'c mut Collector,
    rule: &'static str,
    /// The number of instances that the rule may still look at across relations: in a hostile file, a million elements may each
    /// be related to the same million others.
    left: Cell<usize>,
}

impl<'m> Context<'m, '_> {
    fn version(&self) -> SchemaVersion {
        self.model.schema().version()
    }

    /// True if the schema is IFC4 or IFC4X3.
    fn is_4_or_later(&self) -> bool {
        self.version() != SchemaVersion::Ifc2x3
    }

    /// True if the schema is IFC4X3.
    fn is_4x3(&self) -> bool {
        self.version() == SchemaVersion::Ifc4x3
    }

    /// Instances of a class and its subtypes; none of a class that the schema does not have.
    fn of_class(&self, class: &str) -> Vec<Instance<'m>> {
        self.instances(self.model.of_class(class))
    }

    /// Instances of exactly this class.
    fn of_exactly(&self, class: &str) -> Vec<Instance<'m>> {
        self.instances(self.model.of_class_exact(class))
    }

    fn instances(&self, ids: Vec<Id>) -> Vec<Instance<'m>> {
        ids.into_iter().filter_map(|id| self.model.get(id)).collect()
    }

    /// The instances that an attribute refers to and that are there.
    fn at(&self, instance: &Instance<'_>, attribute: &str) -> Vec<Instance<'m>> {
        if self.left.get() == 0 {
            return Vec::new();
        }
        self.spend(instance.references(attribute))
    }

    /// The instances of these ids, which count as looked at.
    fn spend(&self, ids: Vec<Id>) -> Vec<Instance<'m>> {
        self.left.set(self.left.get().saturating_sub(ids.len()));
        self.instances(ids)
    }

    /// True if any relation has the element at this end.
    fn is_at(&self, element: Id, end: End) -> bool {
        !self.links.relations(element, end).is_empty()
    }

    /// The instances at the other end of the element's relations.
    fn across(&self, element: Id, end: End, other: &'static str) -> Vec<Instance<'m>> {
        if self.left.get() == 0 {
            return Vec::new();
        }
        self.spend(self.links.across(element, end, other))
    }

    /// Reports as [`Context::report_about`] where the rule declares an exception for this thing, and says why; answers whether it does.
    fn report_exception(
        &mut self,
        instance: &Instance<'_>,
        about: &str,
        message: impl FnOnce(&str) -> String,
    ) -> bool {
        let exceptions = rule_of(self.rule).map(|rule| rule.exceptions).unwrap_or_default();
        let Some(exception) = exceptions.iter().find(|exception| exception.about == about) else {
            return false;
        };
        if self.left.get() > 0 {
            let text = format!(
                "{} (a {}: {})",
                message(&named(instance)),
                exception.severity.as_str(),
                exception.why
            );
            let mut finding =
                Finding::of_instance(FindingCode::Implementer, instance, text).by_rule(self.rule);
            finding.exception = Some(exception);
            self.collector.add(finding);
        }
        true
    }

    fn report(&mut self, instance: &Instance<'_>, message: impl FnOnce(&str) -> String) {
        self.report_about(instance, None, message);
    }

    /// Reports that the rule does not hold for an instance. The message gets the instance as it is named: `#12
    /// (IfcWall 'Name')`.
    fn report_about(
        &mut self,
        instance: &Instance<'_>,
        attribute: Option<&str>,
        message: impl FnOnce(&str) -> String,
    ) {
        // what was not looked at to the end is not judged
        if self.left.get() == 0 || !self.collector.admits(FindingCode::Implementer, self.rule) {
            return;
        }
        let mut finding = Finding::of_instance(FindingCode::Implementer, instance, message(&named(instance)))
            .by_rule(self.rule);
        finding.attribute = attribute.map(str::to_owned);
        self.collector.list(finding);
    }

    /// Reports that the rule does not hold for the model as a whole.
    fn report_model(&mut self, message: String) {
        self.collector.add(Finding::of_model(FindingCode::Implementer, message).by_rule(self.rule));
    }
}

/// `#12 (IfcWall 'W1')`.
fn named(instance: &Instance<'_>) -> String {
    match instance.name() {
        Some(name) if !name.is_empty() => format!("{} ({} '{name}')", instance.id(), instance.class_name()),
        _ => format!("{} ({})", instance.id(), instance.class_name()),
    }
}
