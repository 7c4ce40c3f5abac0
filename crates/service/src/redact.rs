//! What audit does not keep: large values, and words that open doors. Those are recognised by where they stand and by how they look, because
//! an agent may put one anywhere.

use contract::json_sha256;
use serde_json::{Map, Value, json};

/// Arguments up to this size are audited whole.
const AUDITED_ARGUMENTS: usize = 8 << 10;
/// Bytes of an answer that audit keeps whole.
const AUDITED_ANSWER: usize = 2 << 10;
/// Bytes of the arguments of somebody who is not known.
const AUDITED_OF_NOBODY: usize = 256;
/// Of larger arguments, the members up to this size.
const AUDITED_MEMBER: usize = 512;

const GONE: &str = "•••";
/// Members whose value is a secret, whatever it looks like.
const NAMES: [&str; 9] = [
    "password",
    "passwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "authorization",
    "access_key",
    "private_key",
];

/// A value without its secrets.
pub(crate) fn redacted(mut value: Value) -> Value {
    redact(&mut value);
    value
}

fn redact(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    // a session's token ties calls together and opens nothing without its principal
                    Value::String(_) if is_secret(name) => *member = GONE.into(),
                    other => redact(other),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redact),
        Value::String(text) if may_hold_a_secret(text) => *text = text_without(text),
        _ => {}
    }
}

/// True if a member of this name holds a secret: one of [`NAMES`], alone or at the end behind a `_`, in any letter case.
fn is_secret(name: &str) -> bool {
    let plain = name.to_ascii_lowercase().replace('-', "_");
    NAMES.iter().any(|secret| {
        plain.strip_suffix(secret).is_some_and(|before| before.is_empty() || before.ends_with('_'))
    })
}

/// A text without keys of ours, tokens, and passwords in addresses.
pub(crate) fn text_without(text: &str) -> String {
    if !may_hold_a_secret(text) {
        return text.to_owned();
    }
    let stops = |c: char| c.is_whitespace() || "\"'<>(),;".contains(c);
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(stops).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        kept.push_str(&word_without(word));
        let next = after.chars().next().map_or(0, char::len_utf8);
        let (stop, further) = after.split_at(next);
        kept.push_str(stop);
        rest = further;
    }
    kept
}

/// False of a text in which no secret can be, which is most.
fn may_hold_a_secret(text: &str) -> bool {
    ["psk_", "ey", "://", "earer "].iter().any(|sign| text.contains(sign))
}

fn word_without(word: &str) -> String {
    if let Some(at) = word.find("psk_") {
        return format!("{}psk_{GONE}", word.get(..at).unwrap_or_default());
    }
    // a timed link is its own key, and so is a signed address of the bucket
    for key in ["/bucket/links/", "X-Amz-Signature="] {
        if let Some(at) = word.find(key) {
            return format!("{}{key}{GONE}", word.get(..at).unwrap_or_default());
        }
    }
    let body = word.rsplit('=').next().unwrap_or(word);
    if body.starts_with("ey") && body.len() > 40 && body.bytes().filter(|b| *b == b'.').count() == 2 {
        return word.replace(body, GONE);
    }
    // scheme://user:password@host
    if let Some((scheme, rest)) = word.split_once("://") {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
        if let Some((user, _)) = authority.rsplit_once('@') {
            let name = user.split(':').next().unwrap_or_default();
            let after = rest.get(user.len()..).unwrap_or_default();
            return format!("{scheme}://{name}:{GONE}{after}");
        }
    }
    word.to_owned()
}

/// Counts what is written to it.
struct Size(usize);

impl std::io::Write for Size {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Arguments as audit keeps them: whole if they are small, else with their large members replaced by their size and hash.
pub(crate) fn bounded(value: Value) -> Value {
    bounded_to(AUDITED_ARGUMENTS, value)
}

/// An answer as audit keeps it, by the same rule.
pub(crate) fn bounded_answer(value: Value) -> Value {
    bounded_to(AUDITED_ANSWER, value)
}

/// Arguments of somebody who is not known: enough to see what it was, and no more.
pub(crate) fn bounded_of_nobody(value: Value) -> Value {
    bounded_to(AUDITED_OF_NOBODY, value)
}

fn bounded_to(most: usize, value: Value) -> Value {
    let size = |value: &Value| {
        let mut size = Size(0);
        // counting cannot fail
        serde_json::to_writer(&mut size, value).ok();
        size.0
    };
    let cut = |value: &Value| json!({ "cut": true, "bytes": size(value), "sha256": json_sha256(value) });
    if size(&value) <= most {
        return value;
    }
    let Value::Object(map) = value else { return cut(&value) };
    let mut kept = Map::new();
    let member_most = AUDITED_MEMBER.min(most / 8);
    for (name, member) in map.into_iter().take(32) {
        let member = if size(&member) <= member_most { member } else { cut(&member) };
        kept.insert(name.chars().take(100).collect(), member);
    }
    Value::Object(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tokens_and_passwords_are_gone_and_the_rest_is_as_it_was() {
        let token = format!("eyJ{}.{}.{}", "a".repeat(20), "b".repeat(20), "c".repeat(20));
        let value = json!({
            "name": "House", "file_path": "/models/key.ifc", "password": "x", "db_password": "y", "height": 3,
            "code": format!("connect('postgresql://bim:hunter2@db.example.org/bim', 'psk_0123456789ab_secret', '{token}')"),
            "list": ["https://example.org/a@b", "they are eye.level.high"],
            "command": "curl -T house.ifc 'http://127.0.0.1:8420/bucket/links/0123456789abcdef'",
            "signed": "https://s3.example.org/b/k?X-Amz-Expires=60&X-Amz-Signature=fedcba",
        });
        let kept = redacted(value.clone());
        let text = kept.to_string();
        for secret in ["0123456789abcdef", "fedcba", "hunter2", "secret'", &token, "\"x\"", "\"y\""] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
        assert_eq!(
            (&kept["name"], &kept["file_path"], &kept["list"]),
            (&value["name"], &value["file_path"], &value["list"])
        );
        assert!(text.contains("postgresql://bim:•••@db.example.org/bim"), "{text}");
    }

    #[test]
    fn large_arguments_are_audited_by_size_and_hash_and_small_ones_whole() {
        let small = json!({ "start": [0, 0], "end": [5000, 0] });
        assert_eq!(bounded(small.clone()), small);
        let large = json!({ "name": "x", "points": vec![1; 50_000] });
        let kept = bounded(large);
        assert_eq!(kept["name"], "x");
        assert_eq!(kept["points"]["cut"], true);
        assert!(kept.to_string().len() < AUDITED_ARGUMENTS);
    }
}
