//! Holds conditions against things of a model: what holds, what does not and why, and what cannot be told.
//!
//! A measure that finds several values holds where every one does. What cannot be told does not hold silently: `any` holds if one of its parts does, `all` fails
//! if one does, and else both are unknown if a part is.

use super::context::Context;
use super::datum;
use super::kind::{Item, Kind, related};
use super::measure::{Arguments, Preset, Reading};
use super::rule::{Comparison, Condition, Datum, Each, Operand, Quantifier, Table, Test};
use super::value::{Value, ValueType};
use crate::finding::{Quantity, Required, Unit};
use std::collections::BTreeMap;

/// A value that is not as a condition asks.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    /// The thing.
    pub(crate) item: Item,
    /// The name of the value in words: "clear width".
    pub(crate) label: String,
    /// The value.
    pub(crate) reading: Reading,
    /// The value that is asked for.
    pub(crate) required: Required,
}

/// The outcome of a condition.
#[derive(Debug, Clone)]
pub(crate) enum Verdict {
    /// It holds.
    Holds,
    /// It does not, for these reasons.
    Fails(Vec<Failure>),
    /// It cannot be told, for this reason.
    Unknown(String),
}

/// The values that conditions name, for one rule.
pub(crate) struct Evaluator<'e, 'a> {
    pub(crate) context: &'e Context<'a>,
    pub(crate) parameters: &'e BTreeMap<String, Value>,
    pub(crate) tables: &'e [Table],
}

impl Evaluator<'_, '_> {
    /// Holds a condition against a thing.
    pub(crate) fn verdict(&self, condition: &Condition, item: Item) -> Verdict {
        match condition {
            Condition::All(all) => joined(all.iter().map(|one| self.verdict(one, item))),
            Condition::Any(any) => self.any(any, item),
            Condition::Not(own) => match self.verdict(own, item) {
                Verdict::Holds => Verdict::Fails(vec![Failure {
                    item,
                    label: "what may not be".to_owned(),
                    reading: Reading::new(Value::Text("so".to_owned())),
                    required: Required::Words("the contrary".to_owned()),
                }]),
                Verdict::Fails(_) => Verdict::Holds,
                unknown @ Verdict::Unknown(_) => unknown,
            },
            Condition::Each(each) => self.each(each, item),
            Condition::Test(test) => self.test(test, item),
        }
    }

    fn any(&self, any: &[Condition], item: Item) -> Verdict {
        let (mut failures, mut unknown) = (Vec::new(), None);
        for one in any {
            match self.verdict(one, item) {
                Verdict::Holds => return Verdict::Holds,
                Verdict::Fails(more) => failures.extend(more),
                Verdict::Unknown(reason) => unknown = unknown.or(Some(reason)),
            }
        }
        if let Some(reason) = unknown {
            return Verdict::Unknown(reason);
        }
        // one of them would do, so that together they are one finding
        Verdict::Fails(first_of(failures))
    }

    fn each(&self, each: &Each, item: Item) -> Verdict {
        let mut unknown = None;
        let mut counted = Vec::new();
        let all = related(self.context, item, each.kind);
        if all.is_empty() && each.kind == Kind::Flight {
            return Verdict::Unknown("no steps could be read of its shape".to_owned());
        }
        for own in all {
            match each.when.as_ref().map(|when| self.verdict(when, own)) {
                None | Some(Verdict::Holds) => counted.push(own),
                Some(Verdict::Fails(_)) => {}
                Some(Verdict::Unknown(reason)) => unknown = unknown.or(Some(reason)),
            }
        }
        let verdicts = || counted.iter().filter_map(|own| Some(self.verdict(each.require.as_ref()?, *own)));
        match &each.quantifier {
            Quantifier::Every => joined(verdicts().chain(unknown.map(Verdict::Unknown))),
            Quantifier::Some => {
                let mut failures = Vec::new();
                for verdict in verdicts() {
                    match verdict {
                        Verdict::Holds => return Verdict::Holds,
                        Verdict::Fails(more) => failures.extend(more),
                        Verdict::Unknown(reason) => unknown = unknown.or(Some(reason)),
                    }
                }
                let none = Failure {
                    item,
                    label: format!("number of {}s that meet it", each.kind.as_str()),
                    reading: Reading::number(0.0, Unit::Count),
                    required: Required::AtLeast(Quantity { value: 1.0, unit: Unit::Count }),
                };
                unknown.map_or_else(|| Verdict::Fails(vec![none]), Verdict::Unknown)
            }
            Quantifier::Count(comparison) => {
                if let Some(reason) = unknown {
                    return Verdict::Unknown(reason);
                }
                let elements = counted.iter().filter_map(|own| self.context.element(*own));
                let reading = Reading::number(counted.len() as f64, Unit::Count).about(elements);
                let label = format!("number of {}s", each.kind.as_str());
                self.compare(vec![reading], comparison, item, &label)
            }
        }
    }

    fn test(&self, test: &Test, item: Item) -> Verdict {
        let (label, answer) = match &test.datum {
            Datum::Measure(measure, given) => {
                let mut arguments = Vec::new();
                for argument in measure.arguments {
                    let operand =
                        given.iter().find(|(name, _)| *name == argument.name).map(|(_, operand)| operand);
                    let value = match operand {
                        Some(operand) => self.value(operand, item),
                        None => preset(argument.default, argument.value).ok_or_else(String::new),
                    };
                    match value {
                        Ok(value) => arguments.push((argument.name, value)),
                        Err(reason) => return Verdict::Unknown(reason),
                    }
                }
                let answer = (measure.run)(self.context, item, &Arguments(arguments));
                (measure.label.to_owned(), answer)
            }
            Datum::Attribute(name) => (format!("`{name}`"), datum::attribute(self.context, item, name)),
            Datum::Property(set, name) => {
                let wanted = self.wanted_unit(&test.comparison);
                (format!("`{set}.{name}`"), datum::property(self.context, item, set, name, wanted))
            }
            Datum::Classification => ("classification".to_owned(), datum::classification(self.context, item)),
        };
        match (&test.comparison, answer) {
            (Comparison::Exists(_), Ok(readings)) => Self::exists(test, readings, item, &label),
            (_, Ok(readings)) => self.compare(readings, &test.comparison, item, &label),
            (_, Err(reason)) => Verdict::Unknown(reason),
        }
    }

    /// The kind of quantity that a comparison asks for; none for a text.
    fn wanted_unit(&self, comparison: &Comparison) -> Option<Unit> {
        let (Comparison::AtLeast(operand)
        | Comparison::AtMost(operand)
        | Comparison::MoreThan(operand)
        | Comparison::LessThan(operand)
        | Comparison::Between(operand, _)
        | Comparison::Equals(operand)) = comparison
        else {
            return None;
        };
        match operand {
            Operand::Literal(Value::Quantity(quantity)) => Some(quantity.unit),
            Operand::Parameter(name) => match self.parameters.get(name) {
                Some(Value::Quantity(quantity)) => Some(quantity.unit),
                _ => None,
            },
            Operand::Table(name) => {
                self.tables.iter().find(|table| table.name == *name).map(|table| table.unit)
            }
            Operand::Literal(_) => None,
        }
    }

    /// The value of an operand for a thing, or why there is none.
    fn value(&self, operand: &Operand, item: Item) -> Result<Value, String> {
        match operand {
            Operand::Literal(value) => Ok(value.clone()),
            Operand::Parameter(name) => self
                .parameters
                .get(name)
                .cloned()
                .ok_or_else(|| format!("the parameter `{name}` has no value")),
            Operand::Table(name) => {
                let Item::Room(room) = item else { return Err(format!("the table `{name}` is of rooms")) };
                let table = self.tables.iter().find(|table| table.name == *name);
                let default = table.and_then(|table| table.default).map(Value::Quantity);
                let Some(usage) = self.context.usage(room) else {
                    return default.ok_or_else(|| "what the room is used for is not known".to_owned());
                };
                let found = table.and_then(|table| table.get(usage));
                found
                    .map(Value::Quantity)
                    .ok_or_else(|| format!("the table `{name}` has no row for the usage `{usage}`"))
            }
        }
    }

    fn exists(test: &Test, readings: Vec<Reading>, item: Item, label: &str) -> Verdict {
        let Comparison::Exists(wanted) = test.comparison else { return Verdict::Holds };
        // a text of nothing says nothing
        let is_blank =
            |reading: &Reading| matches!(&reading.value, Value::Text(text) if text.trim().is_empty());
        if readings.iter().all(is_blank) != wanted {
            return Verdict::Holds;
        }
        let word = if wanted { "given" } else { "none" };
        let reading =
            readings.into_iter().next().unwrap_or_else(|| Reading::new(Value::Text("none".to_owned())));
        let required = Required::Words(word.to_owned());
        Verdict::Fails(vec![Failure { item, label: label.to_owned(), reading, required }])
    }

    fn compare(&self, readings: Vec<Reading>, comparison: &Comparison, item: Item, label: &str) -> Verdict {
        let mut failures = Vec::new();
        for reading in readings {
            match self.failed(&reading.value, comparison, item) {
                Ok(None) => {}
                Ok(Some(required)) => {
                    failures.push(Failure { item, label: label.to_owned(), reading, required });
                }
                Err(reason) => return Verdict::Unknown(reason),
            }
        }
        if failures.is_empty() { Verdict::Holds } else { Verdict::Fails(failures) }
    }

    /// Returns the requirement that a value does not meet, if it does not.
    fn failed(&self, value: &Value, comparison: &Comparison, item: Item) -> Result<Option<Required>, String> {
        let operand = |operand: &Operand| self.value(operand, item);
        let number = |own: &Operand| -> Result<(f64, Quantity), String> {
            match (value.number(), operand(own)?) {
                (Some(found), Value::Quantity(limit)) => Ok((found, limit)),
                _ => Err(format!("`{value}` is no number that could be compared")),
            }
        };
        Ok(match comparison {
            Comparison::AtLeast(own) => {
                let (found, limit) = number(own)?;
                (found < limit.value - slack(limit)).then_some(Required::AtLeast(limit))
            }
            Comparison::AtMost(own) => {
                let (found, limit) = number(own)?;
                (found > limit.value + slack(limit)).then_some(Required::AtMost(limit))
            }
            Comparison::MoreThan(own) => {
                let (found, limit) = number(own)?;
                (found <= limit.value + slack(limit)).then(|| Required::Words(format!("more than {limit}")))
            }
            Comparison::LessThan(own) => {
                let (found, limit) = number(own)?;
                (found >= limit.value - slack(limit)).then(|| Required::Words(format!("less than {limit}")))
            }
            Comparison::Between(low, high) => {
                let ((found, low), (_, high)) = (number(low)?, number(high)?);
                let is_outside = found < low.value - slack(low) || found > high.value + slack(high);
                is_outside.then_some(Required::Between(low, high))
            }
            Comparison::Equals(own) => match (value, operand(own)?) {
                (Value::Quantity(found), Value::Quantity(limit)) => {
                    ((found.value - limit.value).abs() > slack(limit)).then_some(Required::Exactly(limit))
                }
                (found, wanted) => (*found != wanted).then(|| Required::Words(wanted.to_string())),
            },
            Comparison::OneOf(own) | Comparison::NoneOf(own) => {
                let wanted = matches!(comparison, Comparison::OneOf(_));
                let Value::Texts(texts) = operand(own)? else {
                    return Err("no list to compare with".to_owned());
                };
                let is_in = texts.iter().any(|text| text.eq_ignore_ascii_case(&value.to_string()));
                let words = || {
                    Required::Words(format!(
                        "{} {}",
                        if wanted { "one of" } else { "none of" },
                        texts.join(", ")
                    ))
                };
                (is_in != wanted).then(words)
            }
            Comparison::Matches(regex) => {
                let words = || Required::Words(format!("a text as {}", regex.as_str()));
                (!regex.is_match(&value.to_string())).then(words)
            }
            Comparison::Exists(_) => None,
        })
    }
}

/// How far a value may be beyond a limit and still count as it: what rounding in files leaves.
fn slack(limit: Quantity) -> f64 {
    match limit.unit {
        Unit::Length => 5e-4,
        Unit::Area | Unit::Volume => 5e-3,
        Unit::Angle => 0.05,
        Unit::Minutes | Unit::Count => 1e-9,
        Unit::Ratio => 5e-4 * limit.value.abs().max(0.01),
    }
}

/// The value that an argument has by itself.
fn preset(preset: Preset, wanted: ValueType) -> Option<Value> {
    Some(match (preset, wanted) {
        (Preset::Number(value), ValueType::Quantity(unit)) => Value::Quantity(Quantity { value, unit }),
        (Preset::Text(text), _) => Value::Text(text.to_owned()),
        (Preset::Texts(texts), _) => Value::Texts(texts.iter().map(|text| (*text).to_owned()).collect()),
        (Preset::Truth(truth), _) => Value::Truth(truth),
        _ => return None,
    })
}

/// The verdict over several conditions that all have to hold.
fn joined(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let (mut failures, mut unknown) = (Vec::new(), None);
    for verdict in verdicts {
        match verdict {
            Verdict::Holds => {}
            Verdict::Fails(more) => failures.extend(more),
            Verdict::Unknown(reason) => unknown = unknown.or(Some(reason)),
        }
    }
    match (failures.is_empty(), unknown) {
        (false, _) => Verdict::Fails(failures),
        (true, Some(reason)) => Verdict::Unknown(reason),
        (true, None) => Verdict::Holds,
    }
}

/// The first of several failures, which tells of the others in its sentence.
fn first_of(failures: Vec<Failure>) -> Vec<Failure> {
    let mut all = failures.into_iter();
    let Some(mut first) = all.next() else { return Vec::new() };
    let others: Vec<String> = all
        .filter(|other| other.label != first.label)
        .map(|other| format!("{} is {} ({} would do)", other.label, other.reading.value, other.required))
        .collect();
    if !others.is_empty() {
        let detail = first.reading.detail.take().map(|detail| detail + " ").unwrap_or_default();
        first.reading.detail = Some(format!("{detail}Nor does another way hold: {}.", others.join("; ")));
    }
    vec![first]
}
