//! Finds where the members of an object stand in JSON that is known to be well formed.

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

/// A member: its name, and where its value begins and ends.
#[derive(Debug)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// The span of its value.
    pub value: (usize, usize),
}

/// Checks that the text is one JSON value from end to end.
pub fn is_well_formed(text: &str) -> Result<(), serde_json::Error> {
    struct Any;
    impl<'de> Visitor<'de> for Any {
        type Value = ();
        fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
            f.write_str("an object of types")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(())
        }
    }
    let mut read = serde_json::Deserializer::from_str(text);
    read.deserialize_map(Any)?;
    read.end()
}

/// The members of the object whose `{` stands at `start`, in order; empty if none stands there.
pub fn members(text: &str, start: usize) -> Vec<Member> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = space(bytes, start);
    if bytes.get(at) != Some(&b'{') {
        return found;
    }
    at += 1;
    loop {
        at = space(bytes, at);
        if bytes.get(at) == Some(&b',') {
            at = space(bytes, at + 1);
        }
        if bytes.get(at) != Some(&b'"') {
            return found;
        }
        let end = string(bytes, at);
        let name = text.get(at..end).and_then(|name| serde_json::from_str(name).ok()).unwrap_or_default();
        at = space(bytes, end);
        if bytes.get(at) != Some(&b':') {
            return found;
        }
        let from = space(bytes, at + 1);
        at = value(bytes, from);
        found.push(Member { name, value: (from, at) });
    }
}

/// The values of the list whose `[` stands at `start`; none if no list stands there.
pub fn elements(text: &str, start: usize) -> Option<Vec<(usize, usize)>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = space(bytes, start);
    if bytes.get(at) != Some(&b'[') {
        return None;
    }
    at += 1;
    loop {
        at = space(bytes, at);
        match bytes.get(at) {
            None | Some(b']') => return Some(found),
            Some(b',') => at += 1,
            Some(_) => {
                let end = value(bytes, at);
                if end == at {
                    return Some(found);
                }
                found.push((at, end));
                at = end;
            }
        }
    }
}

fn space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// The end of the string whose quote stands at `at`.
fn string(bytes: &[u8], mut at: usize) -> usize {
    at += 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The end of the value at `at`.
fn value(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0usize;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = string(bytes, at);
                if depth == 0 {
                    return at;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return if depth == 1 { at + 1 } else { at },
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => return at,
            byte if depth == 0 && byte.is_ascii_whitespace() => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}
