//! Reads one rule: its words, its parameters, the things that it judges and what it asks of them.

use super::Scope;
use super::condition::condition;
use super::operand::{Parameters, literal};
use crate::finding::{Severity, Unit};
use crate::packs::kind::Kind;
use crate::packs::problem::instead;
use crate::packs::rule::{Condition, Parameter, Rule};
use crate::packs::source::{Table, as_table};
use crate::packs::value::{self, Value, ValueType};
use ifc::SchemaVersion;
use ifc::selector::Selector;
use std::cell::RefCell;

/// The names that a suggestion may hold beside those of the rule's parameters.
const PLACEHOLDERS: [&str; 4] = ["element", "measured", "required", "room"];

/// Reads a rule; what is wrong with it is noted.
pub(super) fn rule(scope: &Scope<'_, '_>, table: &Table<'_, '_>) -> Rule {
    let id = table.needed_text("id", "what the rule is called within its pack");
    if id.chars().any(|c| !(c.is_ascii_alphanumeric() || "-._".contains(c))) {
        scope
            .source
            .problem(table.place("id"), "`id` is made of letters, digits, points, hyphens and underscores");
    }
    let parameters = Parameters { all: parameters(scope, table), used: RefCell::default() };
    let each = kind(scope, table);
    let when = table.table("when").and_then(|own| condition(scope, &parameters, &own, each));
    let require = table.table("require").and_then(|own| condition(scope, &parameters, &own, each));
    if !table.has("require") {
        table.missing("require", "what the rule asks");
    }
    let rule = Rule {
        id,
        clause: table.needed_text("clause", "the clause of the source, as it numbers it"),
        title: table.needed_text("title", "what the rule is about"),
        text: table.needed_text("text", "what the rule asks, in words"),
        why: table.needed_text("why", "the reason for the rule"),
        each,
        select: selector(scope, table),
        when,
        require: require.unwrap_or(Condition::All(Vec::new())),
        severity: severity(scope, table),
        source: table.text("source").unwrap_or_default(),
        verified: table.truth("verified").unwrap_or(false),
        suggestion: table.needed_text("suggestion", "what can be done about a finding"),
        parameters: parameters.all,
    };
    if !table.has("verified") {
        table.missing("verified", "true if the figures were compared with the text of the source");
    }
    placeholders(scope, table, &rule);
    for own in &rule.parameters {
        if !parameters.used.borrow().contains(&own.name) {
            let place = table.table("parameters").map_or(table.at, |all| all.place(&own.name));
            scope.source.problem(place, format!("nothing in this rule uses the parameter `{}`", own.name));
        }
    }
    table.finish();
    rule
}

fn kind(scope: &Scope<'_, '_>, table: &Table<'_, '_>) -> Kind {
    let known = Kind::ALL.map(Kind::as_str);
    let name = table.needed_text("each", "the kind of things that the rule judges");
    let kind = Kind::from_name(&name);
    if kind.is_none() && !name.is_empty() {
        scope
            .source
            .problem(table.place("each"), format!("`{name}` is no kind of things{}", instead(&name, known)));
    }
    kind.unwrap_or(Kind::Element)
}

fn severity(scope: &Scope<'_, '_>, table: &Table<'_, '_>) -> Severity {
    let known = [Severity::Error, Severity::Warning, Severity::Info];
    let name = table.needed_text("severity", "error, warning or info");
    let found = known.into_iter().find(|severity| severity.as_str() == name);
    if found.is_none() && !name.is_empty() {
        let near = instead(&name, known.map(Severity::as_str));
        scope.source.problem(table.place("severity"), format!("`{name}` is no severity{near}"));
    }
    found.unwrap_or(Severity::Error)
}

fn selector(scope: &Scope<'_, '_>, table: &Table<'_, '_>) -> Option<Selector> {
    let value = table.get("select")?;
    let Some(text) = value.get_ref().as_str() else {
        scope
            .source
            .problem(value.span().start, "`select` has to be a text, as \"IfcSlab, PredefinedType=FLOOR\"");
        return None;
    };
    match Selector::parse(text) {
        Ok(selector) => {
            classes(scope, &selector, value.span().start);
            Some(selector)
        }
        Err(error) => {
            scope.source.problem(
                scope.source.within(&value.span(), error.at),
                format!("`select`: {}", error.message),
            );
            None
        }
    }
}

/// Notes classes and attributes that no schema has.
fn classes(scope: &Scope<'_, '_>, selector: &Selector, at: usize) {
    let schemas =
        [SchemaVersion::Ifc2x3, SchemaVersion::Ifc4, SchemaVersion::Ifc4x3].map(SchemaVersion::schema);
    for class in selector.classes().filter(|class| schemas.iter().all(|s| s.entity(class).is_none())) {
        let near = schemas.last().map(|s| s.near_entities(class, 3)).unwrap_or_default();
        scope.source.problem(at, format!("no schema has the class `{class}`{}", instead(class, near)));
    }
    for name in selector.attributes().filter(|name| !is_attribute(name)) {
        scope.source.problem(at, format!("no class has the attribute `{name}`"));
    }
}

/// Returns true if a class of any schema has an attribute of this name.
pub(super) fn is_attribute(name: &str) -> bool {
    let schemas =
        [SchemaVersion::Ifc2x3, SchemaVersion::Ifc4, SchemaVersion::Ifc4x3].map(SchemaVersion::schema);
    schemas.iter().any(|schema| schema.entities().iter().any(|entity| entity.attribute(name).is_some()))
}

/// Reads the parameters of a rule.
fn parameters(scope: &Scope<'_, '_>, table: &Table<'_, '_>) -> Vec<Parameter> {
    let Some(all) = table.table("parameters") else { return Vec::new() };
    let mut found: Vec<Parameter> = Vec::new();
    for (name, at, value) in all.entries() {
        let Some(own) = as_table(scope.source, value) else {
            scope
                .source
                .problem(at, format!("the parameter `{name}` has to be a table with `default` and `means`"));
            continue;
        };
        let means = own.needed_text("means", "what the parameter is");
        let default = own.get("default").and_then(|value| untyped(scope, value));
        if !own.has("default") {
            own.missing("default", "the value of the parameter unless a caller sets another");
        }
        if PLACEHOLDERS.contains(&name) {
            scope
                .source
                .problem(at, format!("a parameter may not be called `{name}`, which suggestions use"));
        }
        own.finish();
        if let Some((value, default)) = default {
            found.push(Parameter { name: name.to_owned(), value, default, means });
        }
    }
    found
}

/// Reads a value whose type it tells itself: a text with a number at its beginning is a quantity.
fn untyped(
    scope: &Scope<'_, '_>,
    value: &toml::Spanned<toml::de::DeValue<'_>>,
) -> Option<(ValueType, Value)> {
    let own = value.get_ref();
    let wanted = match own.as_str() {
        Some(text) if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
            match value::quantity(text) {
                Ok(quantity) => ValueType::Quantity(quantity.unit),
                Err((at, message)) => {
                    scope
                        .source
                        .problem(scope.source.within(&value.span(), at), format!("`default`: {message}"));
                    return None;
                }
            }
        }
        Some(_) => ValueType::Text,
        None if own.is_bool() => ValueType::Truth,
        None if own.is_array() => ValueType::Texts,
        None => ValueType::Quantity(Unit::Count),
    };
    literal(scope, value, wanted, "default").map(|value| (wanted, value))
}

/// Notes names in braces that stand for nothing; those of parameters count as used.
fn placeholders(scope: &Scope<'_, '_>, table: &Table<'_, '_>, rule: &Rule) {
    for name in names(&rule.suggestion) {
        let is_known = PLACEHOLDERS.contains(&name) || rule.parameters.iter().any(|own| own.name == name);
        if !is_known {
            let known = PLACEHOLDERS.into_iter().chain(rule.parameters.iter().map(|own| own.name.as_str()));
            let message = format!("`{{{name}}}` in `suggestion` stands for nothing{}", instead(name, known));
            scope.source.problem(table.place("suggestion"), message);
        }
    }
}

/// The names in braces of a text.
pub(crate) fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}
