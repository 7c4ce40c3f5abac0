//! JSON in one spelling only, so that equal values hash alike.

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The value without white space and with the members of every object in the order of their names.
pub fn canonical_json(value: &Value) -> String {
    let mut text = Vec::with_capacity(256);
    // what is written to memory is written
    let _ = write_value(value, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

/// SHA-256 over the value's canonical JSON, in hexadecimal.
pub fn json_sha256(value: &Value) -> String {
    let mut text = Vec::with_capacity(256);
    let _ = write_value(value, &mut text);
    sha256_hex(&text)
}

/// SHA-256 of bytes, in hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    crate::hex(&Sha256::digest(bytes))
}

fn write_value(value: &Value, text: &mut Vec<u8>) -> serde_json::Result<()> {
    match value {
        Value::Array(items) => {
            text.push(b'[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    text.push(b',');
                }
                write_value(item, text)?;
            }
            text.push(b']');
        }
        Value::Object(map) => {
            let mut members: Vec<_> = map.iter().collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            text.push(b'{');
            for (at, (name, member)) in members.into_iter().enumerate() {
                if at > 0 {
                    text.push(b',');
                }
                serde_json::to_writer(&mut *text, name)?;
                text.push(b':');
                write_value(member, text)?;
            }
            text.push(b'}');
        }
        other => serde_json::to_writer(text, other)?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn members_stand_in_the_order_of_their_names_at_every_depth() {
        let value = json!({ "b": [{ "z": 1, "a": null }], "a": "x\"y" });
        assert_eq!(canonical_json(&value), r#"{"a":"x\"y","b":[{"a":null,"z":1}]}"#);
    }

    #[test]
    fn equal_values_hash_alike_whatever_their_spelling() -> serde_json::Result<()> {
        let one: Value = serde_json::from_str(r#"{"a":1, "b":2}"#)?;
        let other: Value = serde_json::from_str(r#"{"b":2,"a":1}"#)?;
        assert_eq!(json_sha256(&one), json_sha256(&other));
        Ok(())
    }
}
