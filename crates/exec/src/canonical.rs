//! JSON with its members sorted, so that the same parameters always hash the same.

use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// The value with the members of every object in the order of their names.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut members: Vec<_> = map.iter().collect();
            members.sort_by(|a, b| a.0.cmp(b.0));
            Value::Object(members.into_iter().map(|(name, member)| (name.clone(), sorted(member))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

/// SHA-256 over the canonical text of a JSON value, in hexadecimal.
pub fn params_sha256(value: &Value) -> String {
    sha256_hex(sorted(value).to_string().as_bytes())
}

/// What the schemas of an operation hash to; it changes when its interface does.
pub fn schema_sha256(input: &Value, output: &Value) -> String {
    params_sha256(&Value::Array(vec![input.clone(), output.clone()]))
}

/// SHA-256 of bytes, in hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_order_of_members_does_not_change_the_hash() {
        assert_eq!(
            params_sha256(&json!({"a": 1, "b": [{"c": 2, "d": 3}]})),
            params_sha256(&json!({"b": [{"d": 3, "c": 2}], "a": 1}))
        );
        assert_ne!(params_sha256(&json!({"a": [1, 2]})), params_sha256(&json!({"a": [2, 1]})));
    }
}
