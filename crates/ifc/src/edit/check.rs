//! Whether a value may stand where the schema has an attribute: its kind, the class of what it refers to, the words
//! of an enumeration, the members of a select, the number of members of a list and of the lists in it, that no member
//! of a set comes twice, how long a text or binary may be (ISO 10303-11, clauses 8 and 9).
//!
//! WHERE rules are not looked at here.

use crate::schema::{Attribute, Definition, Kind, List, Schema, SchemaVersion, near};
use crate::step::encode;
use crate::{Model, Value};
use std::collections::HashSet;

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The end of a sentence that began with the attribute's name.
    pub reason: String,
    /// The value as a file would have it, if it says more than the reason does.
    pub given: Option<String>,
}

impl Refusal {
    fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), given: None }
    }

    fn of(reason: impl Into<String>, value: &Value) -> Self {
        Self { reason: reason.into(), given: Some(shown(value)) }
    }

    /// The same, said of a member.
    pub fn of_member(self) -> Self {
        Self { reason: format!("has a member that {}", self.reason), given: self.given }
    }

    /// With what to do instead.
    pub fn advised(self, advice: &str) -> Self {
        Self { reason: format!("{}: {advice}", self.reason), given: self.given }
    }
}

/// The value as it is stored in this attribute of a class (`*` where the class derives it), or what is wrong with it.
pub(crate) fn attribute(model: &Model, attribute: &Attribute, value: Value) -> Result<Value, Refusal> {
    match value {
        Value::Derived if attribute.derived => Ok(Value::Derived),
        value if attribute.derived => {
            Err(Refusal::of("follows from other attributes and cannot be given", &value))
        }
        Value::Null if attribute.optional => Ok(Value::Null),
        Value::Null => Err(Refusal::new("is mandatory")),
        value => check(model, attribute.kind, attribute.declared, value),
    }
}

/// The value as it is stored (whole numbers become reals where a real is due), or what is wrong with it. `declared` is
/// the type as EXPRESS writes it, of the attribute or of a list around the value.
pub(crate) fn check(model: &Model, kind: Kind, declared: &str, value: Value) -> Result<Value, Refusal> {
    match (kind, value) {
        (Kind::Number, value @ Value::Real(number)) if !number.is_finite() => {
            Err(Refusal::of("must be a finite number", &value))
        }
        (Kind::Number, Value::Integer(number)) => {
            // NUMBER holds both kinds of numbers, REAL only one
            let whole = base(model.schema(), leaf(declared)).1 == "NUMBER";
            Ok(if whole { Value::Integer(number) } else { Value::Real(number as f64) })
        }
        (Kind::Text, Value::Text(text)) => text_of(model.schema(), leaf(declared), text),
        (Kind::Number, value @ Value::Real(_))
        | (Kind::Integer, value @ Value::Integer(_))
        | (Kind::Boolean, value @ Value::Boolean(_))
        | (Kind::Logical, value @ (Value::Boolean(_) | Value::Unknown)) => Ok(value),
        (Kind::Binary, Value::Binary(digits)) => binary(digits),
        (Kind::Enumeration(items), Value::Enum(item)) => {
            if items.contains(&item.as_str()) {
                Ok(Value::Enum(item))
            } else {
                Err(Refusal::new(format!("must be one of {}, not {item}", listed(items))))
            }
        }
        (Kind::Entity(class), Value::Ref(id)) => match model.get(id) {
            None => Err(Refusal::new(format!("refers to {id}, which does not exist"))),
            Some(instance) if instance.is_a(class) || instance.entity().is_none() => Ok(Value::Ref(id)),
            Some(instance) => Err(Refusal::new(format!(
                "must refer to an {class}, but {id} is an {}",
                instance.class_name()
            ))),
        },
        (Kind::Select(leaves), Value::Ref(id)) => match model.get(id) {
            None => Err(Refusal::new(format!("refers to {id}, which does not exist"))),
            Some(instance)
                if instance.entity().is_none() || leaves.iter().any(|leaf| instance.is_a(leaf)) =>
            {
                Ok(Value::Ref(id))
            }
            Some(instance) => Err(Refusal::new(format!(
                "must be one of {}, but {id} is an {}",
                listed(leaves),
                instance.class_name()
            ))),
        },
        (Kind::Select(leaves), Value::Typed(name, inner)) => typed(model, leaves, &name, *inner),
        (Kind::List(list), Value::List(members)) => members_of(model, list, declared, members),
        (kind, value) => {
            let reason = format!("must be {}, not {}", expected(kind), value.kind_name());
            Err(Refusal::of(reason, &value))
        }
    }
}

fn members_of(model: &Model, list: &List, declared: &str, members: Vec<Value>) -> Result<Value, Refusal> {
    bounds(list, members.len())?;
    let members: Vec<Value> = members
        .into_iter()
        .map(|member| check(model, list.of, declared, member))
        .collect::<Result<_, _>>()
        .map_err(Refusal::of_member)?;
    if (list.set || list.unique)
        && let Some(twice) = repeated(&members)
    {
        return Err(Refusal::of("must not have a member twice", twice));
    }
    Ok(Value::List(members))
}

/// The first member that comes a second time.
fn repeated(members: &[Value]) -> Option<&Value> {
    let mut seen: HashSet<String> = HashSet::with_capacity(members.len());
    members.iter().find(|member| {
        let mut text = String::new();
        encode::value(member, &mut text);
        !seen.insert(text)
    })
}

/// Whether a list may have so many members.
pub(crate) fn bounds(list: &List, members: usize) -> Result<(), Refusal> {
    if members < list.min as usize {
        return Err(Refusal::new(format!("needs at least {} members, not {members}", list.min)));
    }
    match list.max {
        Some(max) if members > max as usize => {
            Err(Refusal::new(format!("takes at most {max} members, not {members}")))
        }
        _ => Ok(()),
    }
}

fn typed(model: &Model, leaves: &[&str], name: &str, inner: Value) -> Result<Value, Refusal> {
    let schema = model.schema();
    let Some(declaration) = schema.type_declaration(name) else {
        let known = near(name, schema.types().iter().map(|t| t.name), 3);
        return Err(Refusal::new(format!("names the unknown type {name}; near it: {}", listed(&known))));
    };
    if !leaves.contains(&declaration.name) {
        return Err(Refusal::new(format!("must be one of {}, not {}", listed(leaves), declaration.name)));
    }
    let kind = schema.kind_of_type(declaration.name).unwrap_or(Kind::Text);
    let inner = check(model, kind, declaration.name, inner)?;
    Ok(Value::Typed(declaration.name.to_owned(), Box::new(inner)))
}

/// The name at the end of `LIST [1:?] OF UNIQUE IfcLabel`.
pub(crate) fn leaf(declared: &str) -> &str {
    declared.rsplit(' ').next().unwrap_or(declared)
}

/// The innermost defined type that a type is made of, and what that is declared as: (`IfcLengthMeasure`, `REAL`) for
/// `IfcPositiveLengthMeasure`.
pub(crate) fn base<'a>(schema: &Schema, name: &'a str) -> (&'a str, &'static str)
where
    'static: 'a,
{
    let mut last = name;
    // chains of defined types are short, and a schema's declarations have no circles
    for _ in 0..16 {
        let Some(Definition::Defined { declared, .. }) =
            schema.type_declaration(last).map(|found| &found.definition)
        else {
            return (last, "");
        };
        if schema.type_declaration(declared).is_none() {
            return (last, declared);
        }
        last = declared;
    }
    (last, "")
}

/// How many characters a text of this type has: at most so many, and whether exactly so many.
pub(crate) fn width(schema: &Schema, name: &str) -> Option<(usize, bool)> {
    match base(schema, name).0 {
        "IfcGloballyUniqueId" => Some((22, true)),
        // IFC2X3 has them without a width
        "IfcLabel" | "IfcIdentifier" if schema.version() != SchemaVersion::Ifc2x3 => Some((255, false)),
        _ => None,
    }
}

fn text_of(schema: &Schema, name: &str, text: String) -> Result<Value, Refusal> {
    // the shortest width is 22 characters
    if text.len() >= 22 || name == "IfcGloballyUniqueId" {
        let count = text.chars().count();
        match width(schema, name) {
            Some((width, true)) if count != width => {
                let reason = format!("must have exactly {width} characters, not {count}");
                return Err(Refusal::of(reason, &Value::Text(text)));
            }
            Some((width, false)) if count > width => {
                let reason = format!("takes at most {width} characters ({name}), not {count}");
                return Err(Refusal::of(reason, &Value::Text(text)));
            }
            _ => {}
        }
    }
    Ok(Value::Text(text))
}

/// A binary is written as the number of bits left unused in the first digit, nought to three, and then digits
/// (ISO 10303-21, clause 6.4.5).
fn binary(digits: String) -> Result<Value, Refusal> {
    let value = Value::Binary(digits);
    let Value::Binary(digits) = &value else { return Ok(value) };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(Refusal::of("must be hexadecimal digits", &value));
    }
    let unused = digits.bytes().next().map_or(0, |b| b.wrapping_sub(b'0'));
    if unused > 3 || (digits.len() == 1 && unused != 0) {
        return Err(Refusal::of(
            "must begin with the number of bits that its first digit leaves unused, 0 to 3",
            &value,
        ));
    }
    Ok(value)
}

fn expected(kind: Kind) -> String {
    match kind {
        Kind::Number => "a number".to_owned(),
        Kind::Integer => "an integer".to_owned(),
        Kind::Text => "a text".to_owned(),
        Kind::Boolean => "a boolean".to_owned(),
        Kind::Logical => "a boolean or unknown".to_owned(),
        Kind::Binary => "a binary".to_owned(),
        Kind::Enumeration(items) => format!("one of {}", listed(items)),
        Kind::Entity(class) => format!("a reference to an {class}"),
        Kind::Select(leaves) => format!("a reference or typed value of {}", listed(leaves)),
        Kind::List(list) => format!("a list, each member {}", expected(list.of)),
    }
}

fn listed(items: &[&str]) -> String {
    const MOST: usize = 24;
    let mut text = items.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    if items.len() > MOST {
        text.push_str(", …");
    }
    text
}

fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    let mut text = String::new();
    match value {
        Value::Real(number) if !number.is_finite() => text.push_str(&number.to_string()),
        value => encode::value(value, &mut text),
    }
    if text.chars().count() > MOST {
        text = text.chars().take(MOST).collect();
        text.push('…');
    }
    text
}
