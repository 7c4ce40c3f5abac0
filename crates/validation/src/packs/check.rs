//! Holds the rules of a pack against a model.

use super::context::Context;
use super::evaluate::{Evaluator, Failure, Verdict};
use super::kind::{Item, items};
use super::measures::CLEAR_WIDTH;
use super::problem::{Problem, instead};
use super::report::{Report, RuleResult};
use super::rule::{Pack, Rule};
use super::usage::Vocabulary;
use super::value::{self, Value, ValueType};
use super::words;
use crate::Subject;
use crate::finding::{Finding, Measured, Quantity, Required, Severity, Unit};
use crate::widened::widened;
use serde_json::Value as Json;
use std::collections::{BTreeMap, HashSet};

/// The values that callers set otherwise than a pack: by rule, by parameter, its value as a rule would write it (`"900 mm"`, `2`, `true`).
pub type Overrides = BTreeMap<String, BTreeMap<String, Json>>;

/// The reason why a pack was not held against a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// A value that was set otherwise is not as it has to be.
    Overrides(Vec<Problem>),
    /// The caller asked to stop.
    Stopped,
}

/// Things that cannot be judged are told of one by one up to this number for each rule and reason.
const TOLD: usize = 5;

/// Holds the rules of a pack against a model. `go_on` is told how many rules of how many are done; where it answers no, the answer is
/// [`Refused::Stopped`].
pub fn check(
    subject: &Subject<'_>,
    pack: &Pack,
    overrides: &Overrides,
    go_on: &dyn Fn(usize, usize) -> bool,
) -> Result<Report, Refused> {
    let parameters = parameters(pack, overrides).map_err(Refused::Overrides)?;
    let mut vocabulary = Vocabulary::shared();
    for (usage, word) in &pack.usages {
        vocabulary.add(usage, word);
    }
    let context = Context::new(subject, vocabulary);
    let mut report = Report::default();
    for (done, (rule, own)) in pack.rules.iter().zip(&parameters).enumerate() {
        if !go_on(done, pack.rules.len()) {
            return Err(Refused::Stopped);
        }
        let evaluator = Evaluator { context: &context, parameters: own, tables: &pack.tables };
        judge(pack, rule, &evaluator, &mut report);
    }
    if go_on(pack.rules.len(), pack.rules.len()) { Ok(report) } else { Err(Refused::Stopped) }
}

/// The parameters of each rule as they hold.
fn parameters(pack: &Pack, overrides: &Overrides) -> Result<Vec<BTreeMap<String, Value>>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut problem = |message: String| problems.push(Problem { line: 0, column: 0, message });
    let of_rule =
        |rule: &Rule| rule.parameters.iter().map(|own| (own.name.clone(), own.default.clone())).collect();
    let mut all: Vec<BTreeMap<String, Value>> = pack.rules.iter().map(of_rule).collect();
    for (id, set) in overrides {
        let found = pack.rule(id).and_then(|rule| pack.rules.iter().position(|own| own.id == rule.id));
        let Some((at, rule)) = found.and_then(|at| Some((at, pack.rules.get(at)?))) else {
            let near = instead(id, pack.rules.iter().map(|rule| rule.id.as_str()));
            problem(format!("the pack `{}` has no rule `{id}`{near}", pack.id));
            continue;
        };
        for (name, value) in set {
            let Some(parameter) = rule.parameters.iter().find(|own| own.name == *name) else {
                let near = instead(name, rule.parameters.iter().map(|own| own.name.as_str()));
                problem(format!("the rule `{id}` has no parameter `{name}`{near}"));
                continue;
            };
            match overridden(value, parameter.value) {
                Some(value) => {
                    if let Some(own) = all.get_mut(at) {
                        own.insert(name.clone(), value);
                    }
                }
                None => {
                    problem(format!(
                        "`{name}` of the rule `{id}` has to be {}, not {value}",
                        parameter.value
                    ));
                }
            }
        }
    }
    if problems.is_empty() { Ok(all) } else { Err(problems) }
}

/// A value that a caller sets, if it is of the type.
fn overridden(value: &Json, wanted: ValueType) -> Option<Value> {
    match (wanted, value) {
        (ValueType::Quantity(unit), Json::String(text)) => {
            value::quantity(text).ok().filter(|found| found.unit == unit).map(Value::Quantity)
        }
        (ValueType::Quantity(unit @ (Unit::Count | Unit::Ratio)), Json::Number(number)) => {
            number.as_f64().map(|value| Value::Quantity(Quantity { value, unit }))
        }
        (ValueType::Text, Json::String(text)) => Some(Value::Text(text.clone())),
        (ValueType::Truth, Json::Bool(truth)) => Some(Value::Truth(*truth)),
        (ValueType::Texts, Json::Array(texts)) => {
            texts.iter().map(|text| text.as_str().map(str::to_owned)).collect::<Option<_>>().map(Value::Texts)
        }
        _ => None,
    }
}

/// Holds one rule against all things that it is of.
fn judge(pack: &Pack, rule: &Rule, evaluator: &Evaluator<'_, '_>, report: &mut Report) {
    let context = evaluator.context;
    let mut result = RuleResult { rule: format!("{}.{}", pack.id, rule.id), ..RuleResult::default() };
    let mut untold: BTreeMap<String, Vec<Item>> = BTreeMap::new();
    for item in chosen(context, rule) {
        match rule.when.as_ref().map(|when| evaluator.verdict(when, item)) {
            None | Some(Verdict::Holds) => {}
            Some(Verdict::Fails(_)) => continue,
            Some(Verdict::Unknown(reason)) => {
                untold.entry(reason).or_default().push(item);
                continue;
            }
        }
        match evaluator.verdict(&rule.require, item) {
            Verdict::Holds => result.passed += 1,
            Verdict::Unknown(reason) => untold.entry(reason).or_default().push(item),
            Verdict::Fails(failures) => {
                result.failed += 1;
                let findings = failures.into_iter().map(|own| finding(&result.rule, rule, evaluator, own));
                report.findings.extend(findings);
            }
        }
    }
    if result.passed + result.failed == 0 && untold.is_empty() {
        report.findings.extend(nothing(context, rule, &result.rule));
    }
    for (reason, items) in untold {
        report.findings.push(not_judged(context, rule, &result.rule, &reason, &items));
        result.not_judged.insert(reason, items.len());
    }
    result.applicable = result.passed + result.failed + result.not_judged.values().sum::<usize>();
    report.rules.push(result);
}

/// The things that a rule is of.
fn chosen(context: &Context<'_>, rule: &Rule) -> Vec<Item> {
    let Some(selector) = &rule.select else { return items(context, rule.each) };
    let selected: HashSet<ifc::Id> = selector.run(context.model()).into_iter().collect();
    let all = match rule.each {
        super::kind::Kind::Element => selected.iter().map(|id| Item::Element(*id)).collect(),
        _ => items(context, rule.each),
    };
    let mut chosen: Vec<Item> = all
        .into_iter()
        .filter(|item| context.element(*item).is_some_and(|id| selected.contains(&id)))
        .collect();
    chosen.sort_by_key(|item| context.element(*item));
    chosen
}

fn finding(id: &str, rule: &Rule, evaluator: &Evaluator<'_, '_>, failure: Failure) -> Finding {
    let context = evaluator.context;
    let message = words::message(context, &failure, rule);
    let element = context.element(failure.item);
    let whole = match failure.item {
        Item::Flight(_) | Item::Ramp(_) => element.and_then(|id| context.links.aggregate_parent(id)),
        _ => None,
    };
    let mut elements: Vec<ifc::Id> =
        element.into_iter().chain(whole).chain(failure.reading.elements.iter().copied()).collect();
    let mut seen = HashSet::new();
    elements.retain(|id| seen.insert(*id));
    let mut found = Finding::new(id, rule.severity, elements, message);
    found.clause = Some(rule.clause.clone()).filter(|clause| !clause.is_empty());
    found.room = room(context, &failure);
    found.point = failure.reading.point.or_else(|| context.place(failure.item));
    found.suggestion = Some(words::suggestion(context, &failure, rule, evaluator.parameters));
    found.measured = Some(match &failure.reading.value {
        Value::Quantity(quantity) => Measured::Quantity(*quantity),
        other => Measured::Words(other.to_string()),
    });
    found.required = Some(failure.required);
    found.lines = failure.reading.lines;
    mended(context, found, failure.item, &failure.label)
}

/// Returns the finding with the call that mends it, where one is certain: a door that is too narrow is made wider.
fn mended(context: &Context<'_>, found: Finding, item: Item, label: &str) -> Finding {
    let (Item::Door(number), Some(Measured::Quantity(has)), Some(Required::AtLeast(needs))) =
        (item, &found.measured, &found.required)
    else {
        return found;
    };
    let Some(door) = context.door(number).filter(|_| label == CLEAR_WIDTH) else { return found };
    let short = needs.value - has.value;
    widened(found, context.model(), door, short)
}

/// The room that a failure lies in, where it is not itself the thing.
fn room(context: &Context<'_>, failure: &Failure) -> Option<ifc::Id> {
    let number = failure.reading.room.or_else(|| match failure.item {
        Item::Door(door) => context.subject.ways.premises.beside.get(door)?.iter().flatten().next().copied(),
        _ => None,
    })?;
    let is_itself = matches!(failure.item, Item::Room(own) if own == number);
    context.room(number).filter(|_| !is_itself)?.space()
}

/// The word that a rule found nothing that it is of, where the model has to have some to be judged at all.
fn nothing(context: &Context<'_>, rule: &Rule, id: &str) -> Option<Finding> {
    use super::kind::Kind;
    let is_missing = items(context, rule.each).is_empty()
        && matches!(rule.each, Kind::Room | Kind::Storey | Kind::Door | Kind::Zone);
    let message =
        || format!("{}: not judged, since the model has no {} with a shape.", rule.title, rule.each.as_str());
    is_missing.then(|| {
        let mut found = Finding::new(id, Severity::Info, Vec::new(), message());
        found.clause = Some(rule.clause.clone()).filter(|clause| !clause.is_empty());
        found
    })
}

/// The word that some things could not be judged.
fn not_judged(context: &Context<'_>, rule: &Rule, id: &str, reason: &str, items: &[Item]) -> Finding {
    let names: Vec<String> = items.iter().take(TOLD).map(|item| words::label(context, *item)).collect();
    let more = if items.len() > TOLD { format!(" and {} more", items.len() - TOLD) } else { String::new() };
    let message = format!("{}: not judged of {}{more}, since {reason}.", rule.title, names.join(", "));
    let elements = items.iter().filter_map(|item| context.element(*item)).collect();
    let mut found = Finding::new(id, Severity::Info, elements, message);
    found.clause = Some(rule.clause.clone()).filter(|clause| !clause.is_empty());
    found
}
