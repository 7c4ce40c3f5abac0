//! Slips of arguments that leave no doubt, mended before they are read: one text where a list of texts is wanted, and a list or an object as
//! JSON within a text.

use serde_json::{Map, Value};

/// Mends the slips of arguments by the schema of their tool.
pub fn mend_slips(input_schema: &Value, arguments: &mut Map<String, Value>) {
    let Some(known) = input_schema.get("properties").and_then(Value::as_object) else { return };
    for (name, value) in arguments {
        let (Some(schema), Value::String(text)) = (known.get(name), &value) else { continue };
        let is = |kind: &str| match schema.get("type") {
            Some(Value::String(only)) => only == kind,
            Some(Value::Array(kinds)) => kinds.iter().any(|known| known == kind),
            _ => false,
        };
        if is("string") || !(is("array") || is("object")) {
            continue;
        }
        match serde_json::from_str::<Value>(text).ok() {
            Some(list @ Value::Array(_)) if is("array") => *value = list,
            Some(map @ Value::Object(_)) if is("object") => *value = map,
            _ if is("array") && takes_texts(schema) => *value = Value::Array(vec![value.take()]),
            _ => {}
        }
    }
}

/// True if the items of a list may be texts.
fn takes_texts(schema: &Value) -> bool {
    schema.pointer("/items/type").is_some_and(|kind| kind == "string")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_text_for_a_list_is_a_list_of_one_and_json_in_a_text_is_read() {
        let list = json!({ "type": ["array", "null"], "items": { "type": "string" } });
        let numbers = json!({ "type": "array", "items": { "type": "number" } });
        let schema = json!({ "properties": { "ids": list, "map": { "type": "object" }, "text": { "type": "string" },
            "either": { "type": ["array", "string"] }, "numbers": numbers } });
        let mended = |mut given: Value| {
            mend_slips(&schema, given.as_object_mut().unwrap());
            given
        };
        assert_eq!(mended(json!({ "ids": "IfcDoor" })), json!({ "ids": ["IfcDoor"] }));
        assert_eq!(mended(json!({ "ids": "[\"a\", \"b\"]" })), json!({ "ids": ["a", "b"] }));
        assert_eq!(mended(json!({ "map": "{\"a\": 1}" })), json!({ "map": { "a": 1 } }));
        assert_eq!(mended(json!({ "numbers": "[1, 2]" })), json!({ "numbers": [1, 2] }));
        for left in [
            json!({ "text": "[1]" }),
            json!({ "either": "[1]" }),
            json!({ "numbers": "1" }),
            json!({ "map": "[1]" }),
            json!({ "unknown": "[1]" }),
        ] {
            assert_eq!(mended(left.clone()), left);
        }
    }
}
