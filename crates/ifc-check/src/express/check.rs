//! Every rule of the schema, asked of every instance that it speaks of, in parallel.

use super::datum::Datum;
use super::evaluate::{Evaluator, Pool, Stop, with_room};
use super::rules::{Check, Rule, Rules};
use super::syntax::{Expr, Symbol};
use super::truth::Truth;
use crate::GoOn;
use crate::{Finding, FindingCode};
use ifc::step::encode;
use ifc::{Id, Instance, Model, Value};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Instances that one task looks at, at least; what it decodes it keeps for a while.
const TASK: usize = 1024;
/// Instances after which it is told how many are done.
const TELL: usize = 256;
/// The name of this part of a validation.
const PART: &str = "checking rules";

/// Values that a message shows, and characters of each.
const SHOWN: usize = 5;
const LENGTH: usize = 60;

/// The where rules, UNIQUE rules and global rules of the schema that the model breaks, and those that could not be
/// evaluated, with the reason; by instance in the order of the model, then rules of the whole model.
///
/// A rule is broken where it is false, not where it is unknown (ISO 10303-11, 9.2.2.2). UNIQUE rules leave out
/// instances for which one of the values is not given (9.2.2.1). That GlobalIds are unique (`IfcRoot.UR1`) is for
/// [`crate::validate`] to say, with what else a GlobalId is.
pub fn check_rules(model: &Model) -> Vec<Finding> {
    rule_findings(model, usize::MAX, &|_, _, _| true).map(|(findings, _)| findings).unwrap_or_default()
}

/// The findings of [`check_rules`], and how many more there are of each rule of which more than `limit` were
/// found; somewhat more than `limit` may be there.
/// `None` where they are not wanted any more.
pub(crate) fn rule_findings(model: &Model, limit: usize, go_on: GoOn<'_>) -> Option<(Vec<Finding>, Tally)> {
    with_room(|| rule_findings_here(model, limit, go_on))
}

fn rule_findings_here(model: &Model, limit: usize, go_on: GoOn<'_>) -> Option<(Vec<Finding>, Tally)> {
    let rules = Rules::for_version(model.schema().version());
    let pool = Pool::new(model);
    let asker = || Asker {
        model,
        rules,
        evaluator: Evaluator::new(model, rules, &pool),
        limit,
        findings: Vec::new(),
        counts: Tally::new(),
    };
    let ids: Vec<Id> = model.ids().collect();
    if !go_on(PART, 0, ids.len()) {
        return None;
    }
    let done = AtomicUsize::new(0);
    let parts: Option<Vec<(Vec<Finding>, Tally)>> = ids
        .par_chunks((ids.len() / 64).max(TASK))
        .map(|chunk| {
            let mut asker = asker();
            for some in chunk.chunks(TELL) {
                for id in some {
                    asker.instance(*id);
                }
                let done = done.fetch_add(some.len(), Ordering::Relaxed) + some.len();
                if !go_on(PART, done, ids.len()) {
                    return None;
                }
            }
            Some(asker.answer())
        })
        .collect();
    let parts = parts?;
    let mut asker = asker();
    asker.unique();
    asker.global();
    let (mut findings, mut more) = (Vec::new(), Tally::new());
    for (listed, counted) in parts.into_iter().chain([asker.answer()]) {
        findings.extend(listed);
        for (key, count) in counted {
            *more.entry(key).or_default() += count;
        }
    }
    Some((findings, more))
}

/// Counts by the code of a finding and its rule.
pub(crate) type Tally = BTreeMap<(FindingCode, String), usize>;

/// Asks rules of instances on one thread.
struct Asker<'a> {
    model: &'a Model,
    rules: &'a Rules,
    evaluator: Evaluator<'a>,
    /// So many findings of a rule are listed; the others are counted only.
    limit: usize,
    findings: Vec<Finding>,
    counts: Tally,
}

impl<'a> Asker<'a> {
    /// Returns the findings listed, and the counts of those that were not.
    fn answer(self) -> (Vec<Finding>, Tally) {
        let beyond = |(key, count): ((FindingCode, String), usize)| {
            count.checked_sub(self.limit).filter(|more| *more > 0).map(|more| (key, more))
        };
        (self.findings, self.counts.into_iter().filter_map(beyond).collect())
    }

    /// Counts one more finding of a rule; answers whether it is to be listed.
    fn admits(&mut self, code: FindingCode, rule: &str) -> bool {
        let count = self.counts.entry((code, rule.to_owned())).or_default();
        *count += 1;
        *count <= self.limit
    }

    fn instance(&mut self, id: Id) {
        let rules = self.rules;
        let Some(instance) = self.model.get(id) else { return };
        let Some(entity) = instance.entity() else { return };
        let Some(plan) = rules.plan(entity) else { return };
        if !plan.checks.is_empty()
            && let Some(values) = self.evaluator.explicit_values(id)
        {
            for (at, check) in &plan.checks {
                if let Some(value) = values.values.get(usize::from(*at)) {
                    let attribute =
                        entity.attributes.get(usize::from(*at)).map_or("", |attribute| attribute.name);
                    self.value(&instance, attribute, value, check);
                }
            }
        }
        for place in &plan.rules {
            let Some(rule) = rules.entity_rule(*place) else { continue };
            match self.evaluator.value(&rule.formula, Datum::Instance(id)) {
                Ok(value) if value.as_truth() == Truth::False => self.broken(&instance, None, rule),
                Ok(_) => {}
                Err(stop) => self.stopped(Some(&instance), &rule.name(), &stop),
            }
        }
    }

    /// Rules of the types that a value belongs to.
    fn value(&mut self, instance: &Instance<'_>, attribute: &str, value: &Datum<'a>, check: &'a Check) {
        match (check, value) {
            (_, Datum::Indeterminate) => {}
            (Check::Members(check), _) => {
                if let Some(aggregate) = value.as_aggregate() {
                    for member in &aggregate.members {
                        self.value(instance, attribute, member, check);
                    }
                }
            }
            (Check::Select, Datum::Typed(declared, inner)) => {
                if let Some(check) = self.rules.check_of_type(declared.name) {
                    self.value(instance, attribute, inner, check);
                }
            }
            (Check::Select, _) => {}
            (Check::Value(places, deeper), _) => {
                for place in places {
                    let Some(rule) = self.rules.type_rule(*place) else { continue };
                    match self.evaluator.value(&rule.formula, value.clone()) {
                        Ok(truth) if truth.as_truth() == Truth::False => {
                            self.broken(instance, Some((attribute, value)), rule);
                        }
                        Ok(_) => {}
                        Err(stop) => self.stopped(Some(instance), &rule.name(), &stop),
                    }
                }
                if let Some(check) = deeper {
                    self.value(instance, attribute, value, check);
                }
            }
        }
    }

    /// UNIQUE rules: every instance whose values another one, earlier in the model, has too.
    fn unique(&mut self) {
        let rules = self.rules;
        for unique in rules.unique.iter().filter(|unique| unique.owner != "IfcRoot") {
            let mut known: HashMap<Vec<String>, Id> = HashMap::new();
            for id in self.model.of_class(unique.owner) {
                let mut key = Vec::with_capacity(unique.formulas.len());
                for formula in &unique.formulas {
                    match self.evaluator.value(formula, Datum::Instance(id)) {
                        Ok(value) if !value.is_indeterminate() => {
                            let mut text = String::new();
                            encode::value(&value.to_value(), &mut text);
                            key.push(text);
                        }
                        _ => break,
                    }
                }
                if key.len() < unique.formulas.len() {
                    continue;
                }
                let Some(first) = known.get(&key).copied() else {
                    known.insert(key, id);
                    continue;
                };
                let Some(instance) = self.model.get(id) else { continue };
                let name = format!("{}.{}", unique.owner, unique.label);
                if !self.admits(FindingCode::UniqueRule, &name) {
                    continue;
                }
                let message = format!(
                    "{name}: {} must be unique among instances of {}, but {first} has {} too",
                    unique.text,
                    unique.owner,
                    key.join(", ")
                );
                let mut finding = Finding::of_instance(FindingCode::UniqueRule, &instance, message);
                finding.rule = Some(name);
                if unique.formulas.len() == 1 {
                    finding.attribute = Some(unique.text.trim().to_owned());
                }
                self.findings.push(finding);
            }
        }
    }

    /// Rules of the model as a whole.
    fn global(&mut self) {
        let rules = self.rules;
        for rule in &rules.global {
            match self.evaluator.domain(rule) {
                Ok(domain) => {
                    for (label, _, truth) in domain {
                        if truth == Truth::False && self.admits(FindingCode::GlobalRule, rule.name) {
                            let message =
                                format!("the model breaks the rule {} ({label}) of its schema", rule.name);
                            let mut finding = Finding::of_model(FindingCode::GlobalRule, message);
                            finding.rule = Some(rule.name.to_owned());
                            self.findings.push(finding);
                        }
                    }
                }
                Err(stop) => self.stopped(None, rule.name, &stop),
            }
        }
    }

    /// A where rule that does not hold: of an instance, or of a value of one of its attributes.
    fn broken(&mut self, instance: &Instance<'_>, of: Option<(&str, &Datum<'a>)>, rule: &'a Rule) {
        let name = rule.name();
        if !self.admits(FindingCode::WhereRule, &name) {
            return;
        }
        let seen = match of {
            Some((attribute, value)) => format!("{attribute} is {}", shown(&value.to_value())),
            None => self.seen(&rule.formula.expr, instance.id()),
        };
        let mut message = format!("{name} does not hold: {}", rule.text);
        if !seen.is_empty() {
            message.push_str("; here ");
            message.push_str(&seen);
        }
        if let Some(name) = self.misnamed(&rule.formula.expr) {
            message.push_str("; the rule itself is at fault: the schema has no ");
            message.push_str(name);
        }
        let mut finding = Finding::of_instance(FindingCode::WhereRule, instance, message);
        finding.rule = Some(name);
        finding.attribute = of.map(|(attribute, _)| attribute.to_owned());
        self.findings.push(finding);
    }

    fn stopped(&mut self, instance: Option<&Instance<'_>>, name: &str, stop: &Stop) {
        if !self.admits(FindingCode::NotEvaluated, name) {
            return;
        }
        let message = format!("{name} could not be evaluated: {stop}");
        let mut finding = match instance {
            Some(instance) => Finding::of_instance(FindingCode::NotEvaluated, instance, message),
            None => Finding::of_model(FindingCode::NotEvaluated, message),
        };
        finding.rule = Some(name.to_owned());
        self.findings.push(finding);
    }

    /// A type that an expression names and the schema does not have; IFC4 and IFC4X3 misspell two.
    fn misnamed<'e>(&self, expr: &'e Expr) -> Option<&'e str> {
        let of_schema = |text: &str| {
            text.strip_prefix(self.rules.schema().name())
                .is_some_and(|rest| rest.starts_with('.') && rest.len() > 1)
        };
        match expr {
            Expr::Text(text, None) if of_schema(text) && !text.contains(' ') => text.rsplit('.').next(),
            _ => {
                let mut found = None;
                expr.each(&mut |part| found = found.or_else(|| self.misnamed(part)));
                found
            }
        }
    }

    /// The attributes of SELF that a rule speaks of, with their values.
    fn seen(&mut self, expr: &Expr, id: Id) -> String {
        let mut symbols: Vec<Symbol> = Vec::new();
        own_attributes(expr, &mut symbols);
        let mut parts = Vec::new();
        for symbol in symbols.into_iter().take(SHOWN) {
            let name = self.rules.names().spelling(symbol);
            if let Some(value) = self.evaluator.own(id, symbol) {
                parts.push(format!("{name} is {}", shown(&value.to_value())));
            }
        }
        parts.join(", ")
    }
}

/// A value as a file writes it, not too long.
fn shown(value: &Value) -> String {
    let mut text = String::new();
    encode::value(value, &mut text);
    if text.chars().count() > LENGTH {
        text = text.chars().take(LENGTH).chain("…".chars()).collect();
    }
    text
}

/// The attributes of SELF that an expression speaks of, each once.
fn own_attributes(expr: &Expr, found: &mut Vec<Symbol>) {
    if let Expr::Attribute(of, symbol) = expr {
        let of = if let Expr::Group(of, _) = &**of { of } else { of };
        if matches!(**of, Expr::This) {
            if !found.contains(symbol) {
                found.push(*symbol);
            }
            return;
        }
    }
    expr.each(&mut |part| own_attributes(part, found));
}
