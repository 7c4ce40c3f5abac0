//! Checks whether a value may stand where the schema has an attribute: its kind, the class of what it refers to, the words
//! of an enumeration, the members of a select, the number of members of a list and of the lists in it, that no member
//! of a set comes twice, how long a text or binary may be (ISO 10303-11, clauses 8 and 9).
//!
//! WHERE rules are not looked at here.

use crate::schema::{Attribute, Kind, List, Schema, Width, near};
pub use crate::schema::{base, leaf, width};
use crate::step::encode;
use crate::{Model, Value};
use std::collections::HashSet;

/// The reason why a value is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The end of a sentence that began with the attribute's name.
    pub reason: String,
    /// The value as a file would have it, if it says more than the reason does.
    pub given: Option<String>,
}

impl Refusal {
    fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), given: None }
    }

    fn about(reason: impl Into<String>, value: &Value) -> Self {
        Self { reason: reason.into(), given: Some(shown(value)) }
    }

    /// Returns the refusal, said of a member.
    pub fn of_member(self) -> Self {
        Self { reason: format!("has a member that {}", self.reason), given: self.given }
    }

    /// With what to do instead.
    pub fn advised(self, advice: &str) -> Self {
        Self { reason: format!("{}: {advice}", self.reason), given: self.given }
    }
}

/// The value as it is stored in this attribute of a class (`*` where the class derives it), or what is wrong with it.
pub fn attribute(model: &Model, attribute: &Attribute, value: Value) -> Result<Value, Refusal> {
    match value {
        Value::Derived if attribute.derived => Ok(Value::Derived),
        value if attribute.derived => {
            Err(Refusal::about("follows from other attributes and cannot be given", &value))
        }
        Value::Null if attribute.optional => Ok(Value::Null),
        Value::Null => Err(Refusal::new("is mandatory")),
        value => check(model, attribute.kind, attribute.declared, value),
    }
}

/// The value as it is stored (whole numbers become reals where a real is due), or what is wrong with it. `declared` is
/// the type as EXPRESS writes it, of the attribute or of a list around the value.
pub fn check(model: &Model, kind: Kind, declared: &str, value: Value) -> Result<Value, Refusal> {
    match (kind, value) {
        (Kind::Number, value @ Value::Real(number)) if !number.is_finite() => {
            Err(Refusal::about("must be a finite number", &value))
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
        (Kind::Binary, Value::Binary(digits)) => binary(model.schema(), leaf(declared), digits),
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
            Err(Refusal::about(reason, &value))
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
        return Err(Refusal::about("must not have a member twice", twice));
    }
    Ok(Value::List(members))
}

/// The first member that comes a second time.
fn repeated(members: &[Value]) -> Option<&Value> {
    /// So few references are looked through for each.
    const FEW: usize = 16;
    if members.len() <= FEW && members.iter().all(|member| matches!(member, Value::Ref(_))) {
        let each = (1..members.len()).map(|at| members.split_at(at));
        return each.into_iter().find_map(|(before, rest)| rest.first().filter(|m| before.contains(m)));
    }
    let mut seen: HashSet<String> = HashSet::with_capacity(members.len());
    members.iter().find(|member| {
        let mut text = String::new();
        encode::value(member, &mut text);
        !seen.insert(text)
    })
}

/// Checks the number of members of a list against its bounds.
pub fn bounds(list: &List, members: usize) -> Result<(), Refusal> {
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

fn text_of(schema: &Schema, name: &str, text: String) -> Result<Value, Refusal> {
    let Some(width) = width(schema, name) else { return Ok(Value::Text(text)) };
    // so few bytes are no more characters than that
    if text.len() <= width.most && !width.fixed {
        return Ok(Value::Text(text));
    }
    let count = text.chars().count();
    if width.forbids(count) {
        return Err(Refusal::about(beyond(width, name, "characters", count), &Value::Text(text)));
    }
    Ok(Value::Text(text))
}

fn beyond(width: Width, name: &str, what: &str, count: usize) -> String {
    let most = width.most;
    if width.fixed {
        format!("must have exactly {most} {what}, not {count}")
    } else {
        format!("takes at most {most} {what} ({name}), not {count}")
    }
}

/// A binary is written as the number of bits left unused in the first digit, nought to three, and then digits
/// (ISO 10303-21, clause 6.4.5).
fn binary(schema: &Schema, name: &str, digits: String) -> Result<Value, Refusal> {
    let value = Value::Binary(digits);
    let Value::Binary(digits) = &value else { return Ok(value) };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(Refusal::about("must be hexadecimal digits", &value));
    }
    let unused = digits.bytes().next().map_or(0, |b| b.wrapping_sub(b'0'));
    if unused > 3 || (digits.len() == 1 && unused != 0) {
        return Err(Refusal::about(
            "must begin with the number of bits that its first digit leaves unused, 0 to 3",
            &value,
        ));
    }
    let bits = (digits.len() - 1) * 4 - usize::from(unused);
    match width(schema, name) {
        Some(width) if width.forbids(bits) => Err(Refusal::about(beyond(width, name, "bits", bits), &value)),
        _ => Ok(value),
    }
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
