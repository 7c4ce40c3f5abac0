//! Checks the values of one object.

use super::help::Help;
use super::{Code, Finding, Severity};
use crate::idf::{FieldValue, Object, number};
use crate::references::{Names, Target, number_of};
use crate::schema::{Bound, Field, FieldKind, ObjectType};
use std::fmt::Write;

/// The number of names that are listed of those that may stand in a place.
const LISTED: usize = 8;

/// Lists of names that EnergyPlus does without: a schedule is then not held to limits, and an air loop is always available.
const ONLY_WARNED: [&str; 2] = ["ScheduleTypeLimitsNames", "SystemAvailabilityManagerLists"];

struct Checker<'a, 'f, 'n> {
    object: Object<'a>,
    help: &'f mut Help<'n>,
    found: &'f mut Vec<Finding>,
}

/// The parts of a finding beside its message.
#[derive(Default)]
struct About {
    field: Option<String>,
    value: Option<String>,
    allowed: Option<String>,
    suggestion: Option<String>,
}

/// Adds what is wrong with an object; names are followed where they are given.
pub fn check(object: Object<'_>, help: &mut Help<'_>, found: &mut Vec<Finding>) {
    let names = help.names();
    let mut checker = Checker { object, help, found };
    let Some(about) = object.about() else {
        let types = object.document().schema().types();
        let near = checker.help.nearest(object.type_name(), types.iter().map(|about| &*about.name));
        let meant = near.as_ref().map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
        let message = format!("There is no type of object called `{}`.{meant}", object.type_name());
        checker.say(Code::UnknownType, About { suggestion: near, ..About::default() }, message);
        return;
    };
    for value in object.fields() {
        checker.value(about, value, names);
    }
    checker.required(about);
    checker.groups(about);
    for (key, value) in object.extra() {
        let near = checker.help.nearest(key, about.all_fields().map(|field| &*field.key));
        let meant = near.as_ref().map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
        let message = format!("{} has no field `{key}`.{meant}", about.name);
        let said = About {
            field: Some(key.clone()),
            value: Some(value.to_string()),
            suggestion: near,
            ..About::default()
        };
        checker.say(Code::UnknownField, said, message);
    }
}

impl Checker<'_, '_, '_> {
    fn say(&mut self, code: Code, about: About, message: String) {
        self.say_with(Severity::Error, code, about, message);
    }

    fn say_with(&mut self, severity: Severity, code: Code, about: About, message: String) {
        let label = self.object.label();
        self.found.push(Finding {
            severity,
            code,
            handle: Some(self.object.handle()),
            object_type: self.object.type_name().to_owned(),
            message: format!("{} `{label}`: {message}", self.object.type_name()),
            name: label,
            field: about.field,
            value: about.value,
            allowed: about.allowed,
            suggestion: about.suggestion,
        });
    }

    fn required(&mut self, about: &ObjectType) {
        for (position, field) in about.fields.iter().enumerate() {
            if field.required && self.object.value(position).is_empty() {
                let allowed = allowed(field);
                let message = match &allowed {
                    Some(allowed) => format!("`{}` must have a value: {allowed}.", field.name),
                    None => format!("`{}` must have a value.", field.name),
                };
                let said = About { field: Some(field.name.to_string()), allowed, ..About::default() };
                self.say(Code::MissingRequired, said, message);
            }
        }
    }

    fn groups(&mut self, about: &ObjectType) {
        let Some(group) = &about.extensible else { return };
        let mut count = 0;
        for (number, values) in self.object.groups().enumerate() {
            count += 1;
            for (at, field) in group.fields.iter().enumerate() {
                if field.required && values.get(at).is_none_or(|value| value.is_empty()) {
                    let name = field.name_in(Some(number));
                    let message = format!(
                        "`{name}` must have a value: group {} of `{}` is not whole ({} of {} values).",
                        number + 1,
                        group.key,
                        values.iter().filter(|value| !value.is_empty()).count(),
                        group.fields.len()
                    );
                    let said = About { field: Some(name), allowed: allowed(field), ..About::default() };
                    self.say(Code::BadGroup, said, message);
                }
            }
        }
        if count < group.min_items {
            let name = group.fields.first().map(|field| field.name_in(Some(count as usize)));
            let message =
                format!("`{}` must have at least {} groups and has {count}.", group.key, group.min_items);
            self.say(Code::BadGroup, About { field: name, ..About::default() }, message);
        }
        if let Some(most) = group.max_items.filter(|most| count > *most) {
            let name = group.fields.first().map(|field| field.name_in(Some(most as usize)));
            let message = format!("`{}` may have at most {most} groups and has {count}.", group.key);
            self.say(Code::BadGroup, About { field: name, ..About::default() }, message);
        }
    }

    fn value(&mut self, about: &ObjectType, value: FieldValue<'_>, names: Option<&Names<'_>>) {
        let Some(field) = value.field else {
            if !value.value.is_empty() {
                let message = format!(
                    "value {} (`{}`) is one too many: the type has {} fields. Is a `;` missing above it?",
                    value.position + 1,
                    short(value.value),
                    about.fields.len()
                );
                let said = About {
                    field: Some(value.name()),
                    value: Some(value.value.to_owned()),
                    ..About::default()
                };
                self.say(Code::TooManyFields, said, message);
            }
            return;
        };
        if value.value.is_empty() {
            return;
        }
        match field.kind {
            FieldKind::Real | FieldKind::Integer => self.number(field, value),
            FieldKind::Choice => self.choice(field, value),
            FieldKind::Reference => {
                if let Some(names) = names {
                    self.reference(about, value, names);
                }
            }
            FieldKind::Text | FieldKind::Node | FieldKind::External | FieldKind::Mixed => {}
        }
    }

    fn wrong(
        &mut self,
        code: Code,
        field: &Field,
        value: FieldValue<'_>,
        why: &str,
        suggestion: Option<String>,
    ) {
        let name = value.name();
        let allowed = allowed(field);
        let may = allowed.as_ref().map(|allowed| format!("; {allowed}")).unwrap_or_default();
        let meant = suggestion.as_ref().map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
        let message = format!("`{name}` is `{}`, {why}{may}.{meant}", short(value.value));
        let said = About { field: Some(name), value: Some(value.value.to_owned()), allowed, suggestion };
        self.say(code, said, message);
    }

    fn number(&mut self, field: &Field, value: FieldValue<'_>) {
        if field.automatic.is_some() && is_automatic(value.value) {
            return;
        }
        let Some(given) = number(value.value).and_then(|number| number.as_f64()) else {
            let near = field.automatic.map(crate::schema::Automatic::word);
            let near = near.and_then(|word| self.help.nearest(value.value, [word].into_iter()));
            return self.wrong(Code::NotANumber, field, value, "which is not a number", near);
        };
        if field.kind == FieldKind::Integer && given.fract() != 0.0 {
            let near = Some(format!("{given:.0}"));
            return self.wrong(Code::NotAnInteger, field, value, "which is not a whole number", near);
        }
        if !field.choices.is_empty() && !field.choices.iter().any(|choice| choice.parse() == Ok(given)) {
            return self.wrong(
                Code::NotAChoice,
                field,
                value,
                "which is not one of the numbers it may be",
                None,
            );
        }
        let below = |bound: Bound| given < bound.value || (bound.exclusive && given == bound.value);
        let above = |bound: Bound| given > bound.value || (bound.exclusive && given == bound.value);
        if field.minimum.is_some_and(below) {
            self.wrong(Code::OutOfRange, field, value, "which is too small", None);
        } else if field.maximum.is_some_and(above) {
            self.wrong(Code::OutOfRange, field, value, "which is too large", None);
        }
    }

    fn choice(&mut self, field: &Field, value: FieldValue<'_>) {
        if !field.choices.iter().any(|choice| choice.eq_ignore_ascii_case(value.value)) {
            let near = self.help.nearest(value.value, field.choices.iter().map(|choice| &**choice));
            self.wrong(Code::NotAChoice, field, value, "which is not one of the choices", near);
        }
    }

    fn reference(&mut self, about: &ObjectType, value: FieldValue<'_>, names: &Names<'_>) {
        let Some(number) = number_of(about, value.position) else { return };
        let target = names.resolve(self.object, value.position, number, value.value);
        let (why, suggestion) = match target {
            Target::Free | Target::Type | Target::Objects(_) => return,
            Target::OtherType(other) => {
                let other = self.object.document().object(other);
                let other = other.map(|other| other.type_name().to_owned()).unwrap_or_default();
                (
                    format!(
                        "the name of an object of type {other}, while the field beside it says another type"
                    ),
                    None,
                )
            }
            Target::Missing => {
                let (available, near) = self.help.available(self.object, about, value.position, value.value);
                let listed = available.iter().take(LISTED).map(|name| short(name)).collect::<Vec<_>>();
                let listed = listed.join(", ");
                let more = if available.len() > LISTED { ", …" } else { "" };
                let why = if available.is_empty() {
                    format!(
                        "a name that nothing has, and no object is there that it could name ({})",
                        lists(value.field)
                    )
                } else {
                    format!("a name that nothing has; it may be one of {listed}{more}")
                };
                (why, near)
            }
        };
        let name = value.name();
        let meant = suggestion.as_ref().map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
        let message = format!("`{name}` is `{}`, {why}.{meant}", short(value.value));
        let said = About {
            field: Some(name),
            value: Some(value.value.to_owned()),
            allowed: Some(format!("a member of {}", lists(value.field))),
            suggestion,
        };
        let only_warned = value.field.is_some_and(|field| {
            !field.lists.is_empty() && field.lists.iter().all(|list| ONLY_WARNED.contains(&&**list))
        });
        let severity = if only_warned { Severity::Warning } else { Severity::Error };
        self.say_with(severity, Code::DanglingReference, said, message);
    }
}

fn lists(field: Option<&Field>) -> String {
    field.map(|field| field.lists.join(", ")).unwrap_or_default()
}

fn is_automatic(value: &str) -> bool {
    value.eq_ignore_ascii_case("autosize") || value.eq_ignore_ascii_case("autocalculate")
}

fn short(value: &str) -> String {
    let cut: String = value.chars().take(80).collect();
    if cut.len() < value.len() { format!("{cut}…") } else { cut }
}

/// Returns the values that a field allows, in words.
pub fn allowed(field: &Field) -> Option<String> {
    let mut said = Vec::new();
    if !field.choices.is_empty() {
        let listed = field.choices.iter().take(12).map(|choice| &**choice).collect::<Vec<_>>().join(", ");
        said.push(format!("one of {listed}{}", if field.choices.len() > 12 { ", …" } else { "" }));
    }
    if field.is_numeric() {
        let kind = if field.kind == FieldKind::Integer { "a whole number" } else { "a number" };
        let units = field.units.as_ref().map(|units| format!(" in {units}")).unwrap_or_default();
        let mut range = String::new();
        if let Some(bound) = field.minimum {
            let word = if bound.exclusive { "greater than" } else { "from" };
            let _ = write!(range, " {word} {}", bound.value);
        }
        if let Some(bound) = field.maximum {
            let word = if bound.exclusive { "less than" } else { "up to" };
            let _ = write!(range, " {word} {}", bound.value);
        }
        let automatic = field.automatic.map(|word| format!(", or {}", word.word())).unwrap_or_default();
        said.push(format!("{kind}{units}{range}{automatic}"));
    }
    if field.kind == FieldKind::Reference {
        said.push(format!("a member of {}", field.lists.join(", ")));
    }
    (!said.is_empty()).then(|| said.join("; "))
}
