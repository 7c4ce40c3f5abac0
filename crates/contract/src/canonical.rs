//! JSON in one spelling only, so that equal values hash alike: the JSON Canonicalization Scheme (RFC 8785).

use serde_json::{Number, Value};
use sha2::{Digest, Sha256};
use std::cmp::Ordering;

/// The value without white space, with the members of every object in the order of their names in UTF-16 (RFC 8785, 3.2.3), and numbers
/// as ECMAScript writes them (3.2.2.3): 3000.0 and 3000 are one. Integers that a double does not hold keep all their digits, so that no
/// two of them hash alike.
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
            members.sort_unstable_by(|(one, _), (other, _)| in_order(one, other));
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
        Value::Number(number) => write_number(number, text)?,
        other => serde_json::to_writer(text, other)?,
    }
    Ok(())
}

/// The order of names by their code units in UTF-16, which is that of their bytes but for characters beyond the basic plane.
fn in_order(one: &str, other: &str) -> Ordering {
    if one.is_ascii() && other.is_ascii() {
        one.cmp(other)
    } else {
        one.encode_utf16().cmp(other.encode_utf16())
    }
}

fn write_number(number: &Number, text: &mut Vec<u8>) -> serde_json::Result<()> {
    match number.as_f64() {
        Some(float) if number.is_f64() => {
            text.extend_from_slice(ryu_js::Buffer::new().format(float).as_bytes());
            Ok(())
        }
        // in digits alone, as ECMAScript writes all below 1e21
        _ => serde_json::to_writer(text, number),
    }
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

    /// The numbers of RFC 8785, appendix B, and the names of 3.2.3.
    #[test]
    fn numbers_and_names_are_as_the_standard_has_them() -> serde_json::Result<()> {
        for (bits, text) in [
            (0x0000_0000_0000_0000_u64, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
            (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        ] {
            assert_eq!(canonical_json(&json!(f64::from_bits(bits))), text);
        }
        let order: Value = serde_json::from_str(
            r#"{"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7}"#,
        )?;
        assert_eq!(
            canonical_json(&order),
            "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}"
        );
        let whole: Value = serde_json::from_str(
            r#"{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}"#,
        )?;
        assert_eq!(
            canonical_json(&whole),
            r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#
        );
        Ok(())
    }

    #[test]
    fn integers_that_no_double_holds_stay_apart() {
        assert_eq!(
            canonical_json(&json!([u64::MAX, i64::MIN, 9_007_199_254_740_993_u64])),
            "[18446744073709551615,-9223372036854775808,9007199254740993]"
        );
        assert_eq!(json_sha256(&json!({"width": 3000.0})), json_sha256(&json!({"width": 3000})));
    }

    #[test]
    fn equal_values_hash_alike_whatever_their_spelling() -> serde_json::Result<()> {
        let one: Value = serde_json::from_str(r#"{"a":1, "b":2}"#)?;
        let other: Value = serde_json::from_str(r#"{"b":2,"a":1}"#)?;
        assert_eq!(json_sha256(&one), json_sha256(&other));
        Ok(())
    }
}
