//! Writes values as ISO 10303-21 has them: reals with a point and the fewest digits that read back equal, type names
//! and enumeration items in capitals, strings in ASCII.

use super::text;
use crate::Value;
use std::fmt::Write as _;

/// Writes one value.
pub fn value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push('$'),
        Value::Derived => out.push('*'),
        Value::Integer(number) => {
            let _ = write!(out, "{number}");
        }
        Value::Real(number) => real(*number, out),
        Value::Boolean(true) => out.push_str(".T."),
        Value::Boolean(false) => out.push_str(".F."),
        Value::Unknown => out.push_str(".U."),
        Value::Text(string) => text::encode(string, out),
        Value::Enum(item) => {
            out.push('.');
            out.push_str(item);
            out.push('.');
        }
        Value::Binary(digits) => {
            out.push('"');
            out.push_str(digits);
            out.push('"');
        }
        Value::Ref(id) => {
            let _ = write!(out, "{id}");
        }
        Value::List(members) => list(members, out),
        Value::Typed(name, inner) => {
            out.extend(name.chars().map(|c| c.to_ascii_uppercase()));
            out.push('(');
            self::value(inner, out);
            out.push(')');
        }
    }
}

/// Writes values between parentheses, with commas.
pub fn list(values: &[Value], out: &mut String) {
    out.push('(');
    for (at, member) in values.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        value(member, out);
    }
    out.push(')');
}

/// Writes a real: `1.`, `0.5`, `1.E-05`. What no file can hold (NaN, infinities) is written as nought; edits and
/// deltas refuse such values before they come here.
pub fn real(number: f64, out: &mut String) {
    if !number.is_finite() {
        out.push_str("0.");
        return;
    }
    // the shortest digits that read back equal, as d.ddde±x
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..=14).contains(&exponent) {
        let start = out.len();
        let _ = write!(out, "{number}");
        if !out.get(start..).unwrap_or_default().contains('.') {
            out.push('.');
        }
        return;
    }
    out.push_str(mantissa);
    if !mantissa.contains('.') {
        out.push('.');
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    let _ = write!(out, "E{sign}{:02}", exponent.abs());
}
