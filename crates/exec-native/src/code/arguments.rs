//! What a script hands to a tool, as the tool's parameters: by name, those that the tool requires also in order, and the
//! answer of another tool where an id is wanted.

use contract::ToolSpec;
use script::{Arguments, Refused};
use serde_json::{Map, Value};

/// The parameters of a call.
pub(super) fn params(spec: &ToolSpec, arguments: Arguments) -> Result<Value, Refused> {
    let required: Vec<&str> = spec
        .input_schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let Arguments { positional, mut named } = arguments;
    if positional.len() > required.len() {
        let names = if required.is_empty() { "none".to_owned() } else { required.join(", ") };
        return Err(Refused::Type(format!(
            "{} takes only what it requires without a name ({names}); name the others, as in {}(name=value)",
            spec.name, spec.name
        )));
    }
    for (name, value) in required.iter().zip(positional) {
        if named.insert((*name).to_owned(), value).is_some() {
            return Err(Refused::Type(format!("{} was given {name} twice", spec.name)));
        }
    }
    let mut params = Map::new();
    for (name, value) in named {
        // None stands for what is not given, but is a value where the tool takes any: it clears an attribute
        if !value.is_null() || (required.contains(&name.as_str()) && takes_any(spec, &name)) {
            let value = if name.ends_with("_id") || name.ends_with("_ids") { id_in(value) } else { value };
            params.insert(name, value);
        }
    }
    Ok(params.into())
}

/// True if a parameter's schema names no type, so that null is a value of it like others.
fn takes_any(spec: &ToolSpec, name: &str) -> bool {
    let about = spec.input_schema.get("properties").and_then(|properties| properties.get(name));
    about.and_then(Value::as_object).is_some_and(|about| {
        ["type", "anyOf", "oneOf", "allOf", "enum", "$ref"].iter().all(|word| !about.contains_key(*word))
    })
}

/// An answer given for an id means the element that it is about: its `id`, or its first member if that is one.
fn id_in(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let first = || map.iter().next().filter(|(name, _)| name.ends_with("_id")).map(|(_, id)| id);
            match map.get("id").or_else(first) {
                Some(Value::String(id)) => id.clone().into(),
                _ => map.into(),
            }
        }
        Value::Array(items) => items.into_iter().map(id_in).collect(),
        other => other,
    }
}

/// The one argument of a method that takes one.
pub(super) fn only(method: &str, parameter: &str, arguments: Arguments) -> Result<Value, Refused> {
    let mut given =
        arguments.positional.into_iter().chain(arguments.named.into_iter().map(|(_, value)| value));
    match (given.next(), given.next()) {
        (Some(value), None) => Ok(value),
        _ => Err(Refused::Type(format!("{method} takes one argument: {method}({parameter})"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_answer_of_a_tool_stands_for_the_element_it_is_about() {
        assert_eq!(id_in(json!({"wall_id": "w", "name": "South"})), "w");
        assert_eq!(id_in(json!({"name": "South", "id": "w"})), "w");
        assert_eq!(id_in(json!([{"id": "a"}, "b"])), json!(["a", "b"]));
        let other = json!({"name": "South"});
        assert_eq!(id_in(other.clone()), other);
    }
}
