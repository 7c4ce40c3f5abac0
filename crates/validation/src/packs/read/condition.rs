//! Reads conditions: tests of values, what holds together or instead, and what is asked of the things that belong to a thing.

use super::Scope;
use super::operand::{Parameters, operand};
use super::rule::is_attribute;
use crate::finding::Unit;
use crate::packs::kind::{Kind, relates};
use crate::packs::measure::{Measure, Preset};
use crate::packs::measures::{self, measure};
use crate::packs::problem::instead;
use crate::packs::rule::{Comparison, Condition, Datum, Each, Operand, Quantifier, Test};
use crate::packs::source::Table;
use crate::packs::value::{Value, ValueType};
use regex::Regex;

/// The keys that a condition begins with.
const FORMS: [&str; 10] =
    ["all", "any", "not", "every", "some", "count", "measure", "attribute", "property", "classification"];
/// The keys of comparisons.
const COMPARISONS: [&str; 10] = [
    "at_least",
    "at_most",
    "more_than",
    "less_than",
    "between",
    "equals",
    "one_of",
    "none_of",
    "matches",
    "exists",
];
/// Conditions within conditions, at most.
const DEEPEST: usize = 16;

/// Reads a condition on things of a kind.
pub(super) fn condition(
    scope: &Scope<'_, '_>,
    parameters: &Parameters,
    table: &Table<'_, '_>,
    kind: Kind,
) -> Option<Condition> {
    Reader { scope, parameters }.condition(table, kind, 0)
}

struct Reader<'r, 's, 't> {
    scope: &'r Scope<'s, 't>,
    parameters: &'r Parameters,
}

impl Reader<'_, '_, '_> {
    fn problem(&self, at: usize, message: impl Into<String>) {
        self.scope.source.problem(at, message);
    }

    fn condition(&self, table: &Table<'_, '_>, kind: Kind, depth: usize) -> Option<Condition> {
        if depth > DEEPEST {
            self.problem(table.at, format!("conditions lie in each other at most {DEEPEST} deep"));
            return None;
        }
        let forms: Vec<&str> = FORMS.into_iter().filter(|form| table.has(form)).collect();
        let [form] = forms.as_slice() else {
            let message = match forms.as_slice() {
                [] => format!("a condition has one of {}{}", FORMS.join(", "), unknown(table)),
                _ => format!("a condition has one of {}, not both", forms.join(" and ")),
            };
            self.problem(table.at, message);
            return None;
        };
        let found = match *form {
            "all" => self.several(table, "all", kind, depth).map(Condition::All),
            "any" => self.several(table, "any", kind, depth).map(Condition::Any),
            "not" => {
                let own = table.table("not")?;
                self.condition(&own, kind, depth + 1).map(|own| Condition::Not(Box::new(own)))
            }
            "every" | "some" | "count" => self.each(table, form, kind, depth),
            _ => self.test(table, form, kind),
        };
        // keys of what was not understood are not told of as well
        if found.is_some() {
            table.finish();
        }
        found
    }

    fn several(
        &self,
        table: &Table<'_, '_>,
        key: &'static str,
        kind: Kind,
        depth: usize,
    ) -> Option<Vec<Condition>> {
        let tables = table.tables(key);
        if tables.is_empty() {
            self.problem(table.place(key), format!("`{key}` is a list of conditions, and has none"));
        }
        tables.iter().map(|own| self.condition(own, kind, depth + 1)).collect()
    }

    fn each(&self, table: &Table<'_, '_>, form: &str, kind: Kind, depth: usize) -> Option<Condition> {
        let key = ["every", "some", "count"].into_iter().find(|key| *key == form)?;
        let name = table.text(key)?;
        let Some(inner) = Kind::from_name(&name) else {
            let near = instead(&name, Kind::ALL.map(Kind::as_str));
            self.problem(table.place(key), format!("`{name}` is no kind of things{near}"));
            return None;
        };
        if !relates(kind, inner) {
            let message = format!("no {} belongs to a {}", inner.as_str(), kind.as_str());
            self.problem(table.place(key), message);
        }
        let when = table.table("when").and_then(|own| self.condition(&own, inner, depth + 1));
        let (quantifier, require) = if key == "count" {
            (Quantifier::Count(self.comparison(table, ValueType::Quantity(Unit::Count), None)?), None)
        } else {
            let own = table.table("require");
            if own.is_none() && !table.has("require") {
                table.missing("require", "what is asked of each");
            }
            let quantifier = if key == "every" { Quantifier::Every } else { Quantifier::Some };
            (quantifier, Some(self.condition(&own?, inner, depth + 1)?))
        };
        Some(Condition::Each(Box::new(Each { quantifier, kind: inner, when, require })))
    }

    fn test(&self, table: &Table<'_, '_>, form: &str, kind: Kind) -> Option<Condition> {
        let (datum, wanted) = match form {
            "measure" => {
                let (measure, arguments) = self.measure(table, kind)?;
                (Datum::Measure(measure, arguments), Some(measure.value))
            }
            "attribute" => {
                let name = table.text("attribute")?;
                if !is_attribute(&name) {
                    self.problem(table.place("attribute"), format!("no class has the attribute `{name}`"));
                }
                (Datum::Attribute(name), None)
            }
            "property" => {
                let name = table.text("property")?;
                let Some((set, name)) =
                    name.split_once('.').filter(|(set, name)| !set.is_empty() && !name.is_empty())
                else {
                    let message =
                        "a property is named by its set and its name, as Pset_DoorCommon.FireRating";
                    self.problem(table.place("property"), message);
                    return None;
                };
                (Datum::Property(set.to_owned(), name.to_owned()), None)
            }
            _ => {
                if table.truth("classification") == Some(false) {
                    self.problem(table.place("classification"), "`classification` is true or not there");
                }
                (Datum::Classification, Some(ValueType::Text))
            }
        };
        let comparison =
            self.comparison(table, wanted.unwrap_or(ValueType::Text), wanted.is_none().then_some(()))?;
        self.check_usage(table, &datum, &comparison);
        Some(Condition::Test(Box::new(Test { datum, comparison })))
    }

    fn measure(
        &self,
        table: &Table<'_, '_>,
        kind: Kind,
    ) -> Option<(&'static Measure, Vec<(&'static str, Operand)>)> {
        let name = table.text("measure")?;
        let Some(found) = measure(&name) else {
            let near = instead(&name, measures::measures().map(|own| own.name));
            self.problem(table.place("measure"), format!("`{name}` is no measure{near}"));
            return None;
        };
        if found.kind != kind && found.kind != Kind::Element {
            let message = format!(
                "`{name}` is measured of a {}, and this is about a {}",
                found.kind.as_str(),
                kind.as_str()
            );
            self.problem(table.place("measure"), message);
        }
        Some((found, self.arguments(table, found)))
    }

    fn arguments(&self, table: &Table<'_, '_>, measure: &'static Measure) -> Vec<(&'static str, Operand)> {
        let given = table.table("with");
        let mut found = Vec::new();
        for argument in measure.arguments {
            let value = given.as_ref().and_then(|own| own.get(argument.name));
            let Some(value) = value else {
                if argument.default == Preset::Needed {
                    let message =
                        format!("`{}` needs `with.{}`: {}", measure.name, argument.name, argument.means);
                    self.problem(table.place("measure"), message);
                }
                continue;
            };
            let own = operand(self.scope, self.parameters, value, argument.value, argument.name);
            if let Some(Operand::Literal(Value::Text(text))) = &own
                && !argument.choices.is_empty()
                && !argument.choices.contains(&text.as_str())
            {
                let near = instead(text, argument.choices.iter().copied());
                self.problem(value.span().start, format!("`{}` may not be `{text}`{near}", argument.name));
            }
            found.extend(own.map(|own| (argument.name, own)));
        }
        if let Some(given) = given {
            given.finish();
        }
        found
    }

    /// Reads the comparison of a condition; `wanted` is the type of the value, where it is not free.
    fn comparison(&self, table: &Table<'_, '_>, wanted: ValueType, free: Option<()>) -> Option<Comparison> {
        let found: Vec<&'static str> = COMPARISONS.into_iter().filter(|key| table.has(key)).collect();
        let [key] = found.as_slice() else {
            let message = match found.as_slice() {
                [] => format!("a comparison is missing: one of {}", COMPARISONS.join(", ")),
                _ => format!("a condition has one comparison, not {}", found.join(" and ")),
            };
            self.problem(table.at, message);
            return None;
        };
        let value = table.get(key)?;
        let is_number = |wanted| matches!(wanted, ValueType::Quantity(_));
        let asks_number = matches!(*key, "at_least" | "at_most" | "more_than" | "less_than" | "between");
        let asks_text = matches!(*key, "one_of" | "none_of" | "matches");
        if free.is_none() && ((asks_number && !is_number(wanted)) || (asks_text && wanted != ValueType::Text))
        {
            self.problem(table.place(key), format!("`{key}` does not go with {wanted}"));
            return None;
        }
        let wanted = if free.is_some() { self.free_type(value.get_ref(), key) } else { wanted };
        let one = |value| operand(self.scope, self.parameters, value, wanted, key);
        Some(match *key {
            "at_least" => Comparison::AtLeast(one(value)?),
            "at_most" => Comparison::AtMost(one(value)?),
            "more_than" => Comparison::MoreThan(one(value)?),
            "less_than" => Comparison::LessThan(one(value)?),
            "equals" => Comparison::Equals(one(value)?),
            "between" => {
                let pair = value.get_ref().as_array().map(|list| list.iter().collect::<Vec<_>>());
                let Some([low, high]) = pair.as_deref() else {
                    self.problem(value.span().start, "`between` is a list of two values");
                    return None;
                };
                Comparison::Between(one(low)?, one(high)?)
            }
            "one_of" | "none_of" => {
                let texts = operand(self.scope, self.parameters, value, ValueType::Texts, key)?;
                if *key == "one_of" { Comparison::OneOf(texts) } else { Comparison::NoneOf(texts) }
            }
            "matches" => Comparison::Matches(self.regex(value)?),
            _ => Comparison::Exists(table.truth("exists")?),
        })
    }

    /// The type that a value tells itself, of what the file may say anything of.
    fn free_type(&self, value: &toml::de::DeValue<'_>, key: &str) -> ValueType {
        let first = value.as_array().and_then(|list| list.iter().next().map(toml::Spanned::get_ref));
        let own = first.filter(|_| key == "between").unwrap_or(value);
        if let Some(name) = own.as_table().and_then(|t| t.get("parameter")).and_then(|n| n.get_ref().as_str())
        {
            let known = self.parameters.all.iter().find(|parameter| parameter.name == name);
            return known.map_or(ValueType::Text, |parameter| parameter.value);
        }
        if own.is_bool() {
            return ValueType::Truth;
        }
        if let Some(text) = own.as_str() {
            let found = crate::packs::value::quantity(text).ok().map(|q| ValueType::Quantity(q.unit));
            let is_number = !matches!(key, "equals");
            return found.unwrap_or(if is_number {
                ValueType::Quantity(Unit::Count)
            } else {
                ValueType::Text
            });
        }
        ValueType::Quantity(Unit::Count)
    }

    fn regex(&self, value: &toml::Spanned<toml::de::DeValue<'_>>) -> Option<Regex> {
        let Some(text) = value.get_ref().as_str() else {
            self.problem(value.span().start, "`matches` has to be a regular expression, as a text");
            return None;
        };
        match Regex::new(text) {
            Ok(regex) => Some(regex),
            Err(error) => {
                let said = error.to_string();
                let last = said.lines().last().unwrap_or_default().trim_start_matches("error: ");
                self.problem(value.span().start, format!("`matches` is no regular expression: {last}"));
                None
            }
        }
    }

    /// Notes usages that the vocabulary does not know.
    fn check_usage(&self, table: &Table<'_, '_>, datum: &Datum, comparison: &Comparison) {
        let Datum::Measure(measure, _) = datum else { return };
        if measure.name != "room.usage" {
            return;
        }
        let known = self.scope.vocabulary.usages();
        let named: Vec<&String> = match comparison {
            Comparison::OneOf(Operand::Literal(Value::Texts(texts)))
            | Comparison::NoneOf(Operand::Literal(Value::Texts(texts))) => texts.iter().collect(),
            Comparison::OneOf(Operand::Parameter(name)) | Comparison::NoneOf(Operand::Parameter(name)) => {
                let own = self.parameters.all.iter().find(|own| own.name == *name);
                own.and_then(|own| match &own.default {
                    Value::Texts(texts) => Some(texts.iter().collect()),
                    _ => None,
                })
                .unwrap_or_default()
            }
            Comparison::Equals(Operand::Literal(Value::Text(text))) => vec![text],
            _ => Vec::new(),
        };
        for usage in named.into_iter().filter(|usage| !known.contains(&usage.as_str())) {
            let near = instead(usage, known.iter().copied());
            self.problem(table.place("measure"), format!("`{usage}` is no usage of rooms{near}"));
        }
    }
}

/// Words about the first key of a table that has no form.
fn unknown(table: &Table<'_, '_>) -> String {
    let first = table.entries().into_iter().map(|(key, ..)| key).find(|key| !COMPARISONS.contains(key));
    first.map(|key| format!("; `{key}` is none{}", instead(key, FORMS))).unwrap_or_default()
}
