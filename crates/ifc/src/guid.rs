//! GlobalIds: 128 bits written as 22 characters of an alphabet of 64, or as a UUID. Both spellings name one element.
//!
//! New ids are derived, not drawn: from the id of the operation and a running number, so that an operation that is
//! run again makes the same elements.

use sha2::{Digest, Sha256};

/// The alphabet of buildingSMART's compression, by value.
const ALPHABET: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";

/// The hash of a GlobalId by which indexes sort them (FNV-1a).
pub fn hash(guid: &[u8]) -> u64 {
    guid.iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// 128 bits as 22 characters. The first carries two bits, so it is always `0` to `3`.
pub fn compress(bits: u128) -> String {
    (0..22)
        .map(|place| {
            let six = (bits >> (6 * (21 - place))) & 63;
            ALPHABET.get(six as usize).map_or('0', |byte| char::from(*byte))
        })
        .collect()
}

/// The bits behind 22 characters; none if it is not such a text.
pub fn expand(text: &str) -> Option<u128> {
    if text.len() != 22 {
        return None;
    }
    let mut bits: u128 = 0;
    for (place, byte) in text.bytes().enumerate() {
        let six = match byte {
            b'0'..=b'9' => byte - b'0',
            b'A'..=b'Z' => byte - b'A' + 10,
            b'a'..=b'z' => byte - b'a' + 36,
            b'_' => 62,
            b'$' => 63,
            _ => return None,
        };
        if place == 0 && six > 3 {
            return None;
        }
        bits = (bits << 6) | u128::from(six);
    }
    Some(bits)
}

/// The bits behind either spelling: a GlobalId, or a UUID with or without hyphens and braces.
pub fn parse(text: &str) -> Option<u128> {
    let text = text.trim();
    if let Some(bits) = expand(text) {
        return Some(bits);
    }
    let inner = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(text);
    let digits: String = match inner.len() {
        32 => inner.to_owned(),
        36 if [8, 13, 18, 23].iter().all(|at| inner.as_bytes().get(*at) == Some(&b'-')) => {
            inner.replace('-', "")
        }
        _ => return None,
    };
    (digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
        .then(|| u128::from_str_radix(&digits, 16).ok())
        .flatten()
}

/// The UUID spelling, lower case with hyphens.
pub fn uuid(bits: u128) -> String {
    let hex = format!("{bits:032x}");
    let part = |range: std::ops::Range<usize>| hex.get(range).unwrap_or_default();
    format!("{}-{}-{}-{}-{}", part(0..8), part(8..12), part(12..16), part(16..20), part(20..32))
}

/// GlobalIds of one operation: SHA-256 over its id and a running number, in the shape of a version 8 UUID.
#[derive(Debug, Clone)]
pub struct GuidSource {
    operation: String,
    ordinal: u64,
}

impl GuidSource {
    /// A source whose ids depend on this operation's id alone.
    pub fn new(operation_id: &str) -> Self {
        Self { operation: operation_id.to_owned(), ordinal: 0 }
    }

    /// The next GlobalId.
    #[expect(
        clippy::should_implement_trait,
        reason = "it never ends, and callers want a String, not an Option"
    )]
    pub fn next(&mut self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.operation.as_bytes());
        hash.update([0]);
        hash.update(self.ordinal.to_be_bytes());
        self.ordinal += 1;
        let mut bits =
            hash.finalize().iter().take(16).fold(0u128, |bits, byte| (bits << 8) | u128::from(*byte));
        // RFC 9562: version 8 (custom), variant 10
        bits = (bits & !(0xf << 76)) | (8 << 76);
        bits = (bits & !(3 << 62)) | (2 << 62);
        compress(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_globalid_and_its_uuid_are_one_number() {
        // pairs computed with ifcopenshell.guid
        for (short, long) in [
            ("2O2Fr$t4X7Zf8NOew3FLOH", "9808fd7f-dc48-478e-9217-628e833d5611"),
            ("1hOSvn6df7F8_7GcBWlRGQ", "6b61ce71-1a7a-473c-8f87-4262e0bdb41a"),
            ("0000000000000000000000", "00000000-0000-0000-0000-000000000000"),
            ("3$$$$$$$$$$$$$$$$$$$$$", "ffffffff-ffff-ffff-ffff-ffffffffffff"),
        ] {
            let bits = expand(short).unwrap();
            assert_eq!(compress(bits), short);
            assert_eq!(uuid(bits), long);
            assert_eq!(parse(long), Some(bits));
            assert_eq!(parse(&uuid(bits).to_uppercase()), Some(bits));
            assert_eq!(parse(&format!("{{{}}}", uuid(bits))), Some(bits));
        }
    }

    #[test]
    fn what_is_no_globalid_is_refused() {
        for text in [
            "",
            "2O2Fr$t4X7Zf8NOew3FLO",
            "4000000000000000000000",
            "2O2Fr$t4X7Zf8NOew3FL-H",
            "éééééééééée",
            "zz08fd7f-dc48-47a2-9217-628e83255611",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn an_operation_run_again_makes_the_same_ids() {
        let mut one = GuidSource::new("op-1");
        let mut two = GuidSource::new("op-1");
        let first = one.next();
        assert_eq!(first, two.next());
        assert_ne!(first, one.next());
        assert_ne!(first, GuidSource::new("op-2").next());
        let text = uuid(expand(&first).unwrap());
        assert_eq!(text.as_bytes()[14], b'8');
        assert!(matches!(text.as_bytes()[19], b'8' | b'9' | b'a' | b'b'));
    }
}
