//! What audit does not keep: words that open doors. They are recognised by where they stand and by how they look, because
//! an agent may put one anywhere.

use serde_json::Value;

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
pub(crate) fn redacted(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| {
                let plain: String = name.to_ascii_lowercase().replace('-', "_");
                let is_secret =
                    NAMES.iter().any(|secret| plain == *secret || plain.ends_with(&format!("_{secret}")));
                // a session's token ties calls together and opens nothing without its principal
                let member = match member {
                    Value::String(_) if is_secret => GONE.into(),
                    other => redacted(other),
                };
                (name.clone(), member)
            })
            .collect(),
        Value::Array(items) => items.iter().map(redacted).collect(),
        Value::String(text) => text_without(text).into(),
        other => other.clone(),
    }
}

/// A text without keys of ours, tokens, and passwords in addresses.
pub(crate) fn text_without(text: &str) -> String {
    if !["psk_", "ey", "://", "earer "].iter().any(|sign| text.contains(sign)) {
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

fn word_without(word: &str) -> String {
    if let Some(at) = word.find("psk_") {
        return format!("{}psk_{GONE}", word.get(..at).unwrap_or_default());
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_tokens_and_passwords_are_gone_and_the_rest_is_as_it_was() {
        let token = format!("eyJ{}.{}.{}", "a".repeat(20), "b".repeat(20), "c".repeat(20));
        let value = json!({
            "name": "House", "file_path": "/models/key.ifc", "password": "x", "db_password": "y", "height": 3,
            "code": format!("connect('postgresql://bim:hunter2@db.example.org/bim', 'psk_0123456789ab_secret', '{token}')"),
            "list": ["https://example.org/a@b", "they are eye.level.high"],
        });
        let kept = redacted(&value);
        let text = kept.to_string();
        for secret in ["hunter2", "secret'", &token, "\"x\"", "\"y\""] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
        assert_eq!(
            (&kept["name"], &kept["file_path"], &kept["list"]),
            (&value["name"], &value["file_path"], &value["list"])
        );
        assert!(text.contains("postgresql://bim:•••@db.example.org/bim"), "{text}");
    }
}
