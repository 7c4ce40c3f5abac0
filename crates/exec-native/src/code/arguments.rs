//! What a script hands to a tool, as the tool's parameters: by name, those that the tool requires also in order, and the
//! answer of another tool where an id is wanted.

use contract::ToolSpec;
use script::{Arguments, Refused};
use serde_json::{Map, Value};
use tools::id_in;

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

/// The one argument of a method that takes one.
pub(super) fn only(method: &str, parameter: &str, arguments: Arguments) -> Result<Value, Refused> {
    let mut given =
        arguments.positional.into_iter().chain(arguments.named.into_iter().map(|(_, value)| value));
    match (given.next(), given.next()) {
        (Some(value), None) => Ok(value),
        _ => Err(Refused::Type(format!("{method} takes one argument: {method}({parameter})"))),
    }
}
