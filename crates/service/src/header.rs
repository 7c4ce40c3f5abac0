//! The key or token that an HTTP request brings: `Authorization: Bearer …`, or `X-API-Key: …`.

use contract::Secret;
use http::HeaderMap;

/// The key in a request's headers. A request that brings two, or one that is no text, brings none that is taken: the empty
/// one, which nobody holds.
pub fn key_in(headers: &HeaderMap) -> Option<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    for value in headers.get_all(http::header::AUTHORIZATION) {
        let text = value.to_str().unwrap_or_default();
        let (scheme, key) = text.split_once(' ').unwrap_or((text, ""));
        let key = if scheme.eq_ignore_ascii_case("bearer") { key.trim() } else { "" };
        found.push(Secret::new(key));
    }
    for value in headers.get_all("x-api-key") {
        found.push(Secret::new(value.to_str().unwrap_or_default().trim()));
    }
    match found.len() {
        0 => None,
        1 => found.pop(),
        _ => Some(Secret::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(pairs: &[(&'static str, &'static str)]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, http::HeaderValue::from_static(value));
        }
        key_in(&headers).map(|key| key.reveal().to_owned())
    }

    #[test]
    fn a_key_comes_in_either_header_and_in_no_other_way() {
        assert_eq!(key(&[]), None);
        assert_eq!(key(&[("authorization", "Bearer abc")]).as_deref(), Some("abc"));
        assert_eq!(key(&[("authorization", "bearer  abc ")]).as_deref(), Some("abc"));
        assert_eq!(key(&[("x-api-key", "abc")]).as_deref(), Some("abc"));
        assert_eq!(key(&[("authorization", "Basic abc")]).as_deref(), Some(""));
        assert_eq!(key(&[("authorization", "Bearer a"), ("x-api-key", "b")]).as_deref(), Some(""));
        assert_eq!(key(&[("authorization", "Bearer a"), ("authorization", "Bearer b")]).as_deref(), Some(""));
    }
}
