//! Whether a value may stand where the schema has an attribute: its kind, the class of what it refers to, the words of
//! an enumeration, the number of members.

use crate::schema::{Kind, List, near};
use crate::{Model, Value};

/// The value as it is stored (whole numbers become reals where a real is due), or what is wrong with it, as the end
/// of a sentence that began with the attribute's name.
pub(crate) fn check(model: &Model, kind: Kind, value: Value) -> Result<Value, String> {
    match (kind, value) {
        (Kind::Number, Value::Real(number)) if !number.is_finite() => {
            Err("must be a finite number".to_owned())
        }
        (Kind::Number, Value::Integer(number)) => Ok(Value::Real(number as f64)),
        (Kind::Number, value @ Value::Real(_))
        | (Kind::Integer, value @ Value::Integer(_))
        | (Kind::Text, value @ Value::Text(_))
        | (Kind::Boolean, value @ Value::Boolean(_))
        | (Kind::Logical, value @ (Value::Boolean(_) | Value::Unknown)) => Ok(value),
        (Kind::Binary, Value::Binary(digits)) => {
            if digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                Ok(Value::Binary(digits))
            } else {
                Err("must be hexadecimal digits".to_owned())
            }
        }
        (Kind::Enumeration(items), Value::Enum(item)) => {
            if items.contains(&item.as_str()) {
                Ok(Value::Enum(item))
            } else {
                Err(format!("must be one of {}, not {item}", shown(items)))
            }
        }
        (Kind::Entity(class), Value::Ref(id)) => match model.get(id) {
            None => Err(format!("refers to {id}, which does not exist")),
            Some(instance) if instance.is_a(class) || instance.entity().is_none() => Ok(Value::Ref(id)),
            Some(instance) => {
                Err(format!("must refer to an {class}, but {id} is an {}", instance.class_name()))
            }
        },
        (Kind::Select(leaves), Value::Ref(id)) => match model.get(id) {
            None => Err(format!("refers to {id}, which does not exist")),
            Some(instance)
                if instance.entity().is_none() || leaves.iter().any(|leaf| instance.is_a(leaf)) =>
            {
                Ok(Value::Ref(id))
            }
            Some(instance) => {
                Err(format!("must be one of {}, but {id} is an {}", shown(leaves), instance.class_name()))
            }
        },
        (Kind::Select(leaves), Value::Typed(name, inner)) => typed(model, leaves, &name, *inner),
        (Kind::List(list), Value::List(members)) => {
            bounds(list, members.len())?;
            if list.set || list.unique {
                let mut refs: Vec<_> = members.iter().filter_map(Value::as_ref).collect();
                refs.sort_unstable();
                if refs.windows(2).any(|pair| pair.first() == pair.last()) {
                    return Err("must not have a member twice".to_owned());
                }
            }
            let members = members.into_iter().map(|member| check(model, list.of, member));
            members
                .collect::<Result<_, _>>()
                .map(Value::List)
                .map_err(|why| format!("has a member that {why}"))
        }
        (kind, value) => Err(format!("must be {}, not {}", expected(kind), value.kind_name())),
    }
}

/// Whether a list may have so many members.
pub(crate) fn bounds(list: &List, members: usize) -> Result<(), String> {
    if members < list.min as usize {
        return Err(format!("needs at least {} members, not {members}", list.min));
    }
    match list.max {
        Some(max) if members > max as usize => Err(format!("takes at most {max} members, not {members}")),
        _ => Ok(()),
    }
}

fn typed(model: &Model, leaves: &[&str], name: &str, inner: Value) -> Result<Value, String> {
    let schema = model.schema();
    let Some(declaration) = schema.type_declaration(name) else {
        let known = near(name, schema.types().iter().map(|t| t.name), 3);
        return Err(format!("names the unknown type {name}; near it: {}", shown(&known)));
    };
    if !leaves.contains(&declaration.name) {
        return Err(format!("must be one of {}, not {}", shown(leaves), declaration.name));
    }
    let kind = schema.kind_of_type(declaration.name).unwrap_or(Kind::Text);
    Ok(Value::Typed(declaration.name.to_owned(), Box::new(check(model, kind, inner)?)))
}

fn expected(kind: Kind) -> String {
    match kind {
        Kind::Number => "a number".to_owned(),
        Kind::Integer => "an integer".to_owned(),
        Kind::Text => "a text".to_owned(),
        Kind::Boolean => "a boolean".to_owned(),
        Kind::Logical => "a boolean or unknown".to_owned(),
        Kind::Binary => "a binary".to_owned(),
        Kind::Enumeration(items) => format!("one of {}", shown(items)),
        Kind::Entity(class) => format!("a reference to an {class}"),
        Kind::Select(leaves) => format!("a reference or typed value of {}", shown(leaves)),
        Kind::List(list) => format!("a list, each member {}", expected(list.of)),
    }
}

fn shown(items: &[&str]) -> String {
    const MOST: usize = 24;
    let mut text = items.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    if items.len() > MOST {
        text.push_str(", …");
    }
    text
}
