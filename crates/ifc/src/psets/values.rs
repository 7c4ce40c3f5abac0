//! Plain values as properties hold them: each with a type, ranges with their bounds, tables as pairs of columns.

use super::plain_json;
use super::templates::Template;
use crate::schema::Kind;
use crate::{Edit, Value};

/// The types that the values of a range or table have so far, or that a template gives them.
#[derive(Debug, Clone, Default)]
pub(super) struct Measures {
    /// Of a bound, or of what a table looks up.
    pub first: Option<String>,
    /// Of what a table finds.
    pub second: Option<String>,
}

impl Measures {
    pub fn of_values<'v>(first: impl IntoIterator<Item = &'v Value>, second: Option<&Value>) -> Self {
        let declared = |value: &Value| match value {
            Value::Typed(name, _) => Some(name.clone()),
            _ => None,
        };
        Self { first: first.into_iter().find_map(declared), second: second.and_then(declared) }
    }

    pub fn of_template(edit: &Edit, template: Option<&Template>) -> Self {
        let known = |name: &str| edit.schema().type_declaration(name).map(|found| found.name.to_owned());
        Self {
            first: template.and_then(|template| known(template.measure)),
            second: template.and_then(|template| known(template.defined)),
        }
    }
}

/// The attributes of an IfcPropertyBoundedValue for `[lower, upper]`, `[lower, upper, set point]` (null for what is
/// open) or a set point alone, which leaves the bounds as they are. Or what is expected.
pub(super) fn bounded(
    edit: &Edit,
    measures: &Measures,
    before: [&Value; 2],
    value: &Value,
) -> Result<Vec<(&'static str, Value)>, String> {
    const EXPECTED: &str =
        "a range [lower, upper] or [lower, upper, set point], null where it is open, or a set point";
    let one = |value: &Value| match value {
        Value::Null => Ok(Value::Null),
        Value::List(_) => Err(EXPECTED.to_owned()),
        value => typed(edit, measures.first.as_deref().unwrap_or_else(|| fitting(value)), value),
    };
    let (lower, upper, point) = match value {
        Value::List(parts) => match parts.as_slice() {
            [lower, upper] => (one(lower)?, one(upper)?, Value::Null),
            [lower, upper, point] => (one(lower)?, one(upper)?, one(point)?),
            _ => return Err(EXPECTED.to_owned()),
        },
        point => {
            let [lower, upper] = before;
            (lower.clone(), upper.clone(), one(point)?)
        }
    };
    if lower.is_null() && upper.is_null() && point.is_null() {
        return Err(EXPECTED.to_owned());
    }
    let ordered = |a: &Value, b: &Value| match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a <= b,
        _ => true,
    };
    if !ordered(&lower, &upper) || !ordered(&lower, &point) || !ordered(&point, &upper) {
        return Err("a lower bound below the upper one and a set point between them".to_owned());
    }
    Ok(vec![("UpperBoundValue", upper), ("LowerBoundValue", lower), ("SetPointValue", point)])
}

/// The attributes of an IfcPropertyTableValue for a list of pairs. Or what is expected.
pub(super) fn table(
    edit: &Edit,
    measures: &Measures,
    value: &Value,
) -> Result<Vec<(&'static str, Value)>, String> {
    let expected = || "a list of pairs, as in [[0, 10], [1, 20]]".to_owned();
    let (mut defining, mut defined) = (Vec::new(), Vec::new());
    for row in value.as_list().filter(|rows| !rows.is_empty()).ok_or_else(expected)? {
        let Some([argument, result]) = row.as_list() else { return Err(expected()) };
        let of = |declared: &Option<String>, value: &Value| {
            typed(edit, declared.as_deref().unwrap_or_else(|| fitting(value)), value)
        };
        defining.push(of(&measures.first, argument)?);
        defined.push(of(&measures.second, result)?);
    }
    Ok(vec![("DefiningValues", Value::List(defining)), ("DefinedValues", Value::List(defined))])
}

/// The type that suits a plain value.
pub(super) fn fitting(value: &Value) -> &str {
    match value {
        Value::Typed(name, _) => name,
        Value::Boolean(_) => "IfcBoolean",
        Value::Unknown => "IfcLogical",
        Value::Integer(_) => "IfcInteger",
        Value::Real(_) => "IfcReal",
        // a label has at most 255 characters
        Value::Text(text) if text.chars().count() > 255 => "IfcText",
        _ => "IfcLabel",
    }
}

/// The value as this type, or what the type takes.
pub(super) fn typed(edit: &Edit, declared: &str, value: &Value) -> Result<Value, String> {
    if let Value::Typed(..) = value {
        return Ok(value.clone());
    }
    let plain = match (edit.schema().kind_of_type(declared), value) {
        (Some(Kind::Number), Value::Integer(number)) => Value::Real(*number as f64),
        (Some(Kind::Number), Value::Real(_))
        | (Some(Kind::Integer), Value::Integer(_))
        | (Some(Kind::Boolean | Kind::Logical), Value::Boolean(_))
        | (Some(Kind::Logical), Value::Unknown)
        | (Some(Kind::Text), Value::Text(_)) => value.clone(),
        (Some(Kind::Integer), Value::Real(number)) if number.fract() == 0.0 => Value::Integer(*number as i64),
        (Some(Kind::Text), Value::Integer(number)) => Value::Text(number.to_string()),
        (Some(Kind::Text), Value::Real(number)) => Value::Text(number.to_string()),
        (Some(Kind::Number), _) => return Err(format!("a number ({declared})")),
        (Some(Kind::Integer), _) => return Err(format!("a whole number ({declared})")),
        (Some(Kind::Boolean), _) => return Err(format!("true or false ({declared})")),
        (Some(Kind::Logical), _) => return Err(format!("true, false or unknown ({declared})")),
        (Some(Kind::Text), _) => return Err(format!("a text ({declared})")),
        _ => return Err(format!("a value of {declared}")),
    };
    Ok(Value::Typed(declared.to_owned(), Box::new(plain)))
}

pub(super) fn describe(value: &Value) -> String {
    plain_json(value).to_string()
}
