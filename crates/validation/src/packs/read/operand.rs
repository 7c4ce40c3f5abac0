//! Reads values of a type that is known: as they stand, from a parameter, or from a table.

use super::Scope;
use crate::finding::Quantity;
use crate::finding::Unit;
use crate::packs::problem::instead;
use crate::packs::rule::{Operand, Parameter};
use crate::packs::source::as_table;
use crate::packs::value::{self, Value, ValueType};
use std::cell::RefCell;
use std::collections::BTreeSet;
use toml::Spanned;
use toml::de::DeValue;

/// The parameters of the rule that is read, and those that were named so far.
pub(super) struct Parameters {
    pub(super) all: Vec<Parameter>,
    pub(super) used: RefCell<BTreeSet<String>>,
}

/// Reads a value of a type; `what` is what it is called in messages.
pub(super) fn operand(
    scope: &Scope<'_, '_>,
    parameters: &Parameters,
    value: &Spanned<DeValue<'_>>,
    wanted: ValueType,
    what: &str,
) -> Option<Operand> {
    let Some(table) = as_table(scope.source, value) else {
        return literal(scope, value, wanted, what).map(Operand::Literal);
    };
    let found = match (table.has("parameter"), table.has("table")) {
        (true, false) => parameter(scope, parameters, &table, wanted),
        (false, true) => named_table(scope, &table, wanted),
        _ => {
            scope.source.problem(
                value.span().start,
                format!("`{what}` has to be {wanted}, {{ parameter = \"…\" }} or {{ table = \"…\" }}"),
            );
            return None;
        }
    };
    table.finish();
    found
}

fn parameter(
    scope: &Scope<'_, '_>,
    parameters: &Parameters,
    table: &crate::packs::source::Table<'_, '_>,
    wanted: ValueType,
) -> Option<Operand> {
    let name = table.text("parameter")?;
    parameters.used.borrow_mut().insert(name.clone());
    let Some(found) = parameters.all.iter().find(|own| own.name == name) else {
        let near = instead(&name, parameters.all.iter().map(|own| own.name.as_str()));
        scope.source.problem(table.place("parameter"), format!("this rule has no parameter `{name}`{near}"));
        return None;
    };
    if found.value != wanted {
        let message = format!("the parameter `{name}` is {}, and this has to be {wanted}", found.value);
        scope.source.problem(table.place("parameter"), message);
        return None;
    }
    Some(Operand::Parameter(name))
}

fn named_table(
    scope: &Scope<'_, '_>,
    table: &crate::packs::source::Table<'_, '_>,
    wanted: ValueType,
) -> Option<Operand> {
    let name = table.text("table")?;
    scope.used_tables.borrow_mut().insert(name.clone());
    let Some(found) = scope.tables.iter().find(|own| own.name == name) else {
        let near = instead(&name, scope.tables.iter().map(|own| own.name.as_str()));
        scope.source.problem(table.place("table"), format!("this pack has no table `{name}`{near}"));
        return None;
    };
    if ValueType::Quantity(found.unit) != wanted {
        let message = format!(
            "the table `{name}` gives {}, and this has to be {wanted}",
            ValueType::Quantity(found.unit)
        );
        scope.source.problem(table.place("table"), message);
        return None;
    }
    Some(Operand::Table(name))
}

/// Reads a value as it stands.
pub(super) fn literal(
    scope: &Scope<'_, '_>,
    value: &Spanned<DeValue<'_>>,
    wanted: ValueType,
    what: &str,
) -> Option<Value> {
    let own = value.get_ref();
    let found = match wanted {
        ValueType::Quantity(unit) => match own.as_str() {
            Some(text) => return written(scope, value, text, unit, what),
            None if matches!(unit, Unit::Count | Unit::Ratio) => {
                plain_number(own).map(|value| Value::Quantity(Quantity { value, unit }))
            }
            None => None,
        },
        ValueType::Text => own.as_str().map(|text| Value::Text(text.to_owned())),
        ValueType::Truth => own.as_bool().map(Value::Truth),
        ValueType::Texts => own.as_array().and_then(|list| {
            let texts = list.iter().map(|text| text.get_ref().as_str().map(str::to_owned));
            texts.collect::<Option<Vec<String>>>().map(Value::Texts)
        }),
    };
    if found.is_none() {
        let message = format!("`{what}` has to be {wanted}, not a TOML {}", own.type_str());
        scope.source.problem(value.span().start, message);
    }
    found
}

/// Reads a quantity that is written as a text.
fn written(
    scope: &Scope<'_, '_>,
    value: &Spanned<DeValue<'_>>,
    text: &str,
    unit: Unit,
    what: &str,
) -> Option<Value> {
    match value::quantity(text) {
        Ok(found) if found.unit == unit => Some(Value::Quantity(found)),
        Ok(_) => {
            let wanted = ValueType::Quantity(unit);
            scope
                .source
                .problem(value.span().start, format!("`{what}` has to be {wanted}, and `{text}` is not"));
            None
        }
        Err((at, message)) => {
            scope.source.problem(scope.source.within(&value.span(), at), format!("`{what}`: {message}"));
            None
        }
    }
}

/// A TOML integer or float, if it is finite.
pub(super) fn plain_number(value: &DeValue<'_>) -> Option<f64> {
    let number = match value {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    };
    number.filter(|value: &f64| value.is_finite())
}
