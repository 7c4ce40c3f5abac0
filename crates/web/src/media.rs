//! What is sent as what: the media type that an upload declares, held against how its bytes begin.
//!
//! Bytes are never served as something that a browser would run: every object is sent to be saved, and `nosniff` stands on every
//! answer. This is for people who would otherwise find a picture in a file called a model.

use axum::http::{HeaderMap, header};
use contract::{Fault, FaultCode};

/// Bytes at the beginning of an upload that are looked at.
pub(crate) const LOOKED_AT: usize = 512;
const PLAIN: &str = "application/octet-stream";

/// Types whose files begin in one way only.
const BEGINNINGS: &[(&str, &[&[u8]])] = &[
    ("application/pdf", &[b"%PDF-"]),
    ("application/zip", &[b"PK\x03\x04", b"PK\x05\x06"]),
    ("application/x-step", &[b"ISO-10303-21;"]),
    ("model/ifc", &[b"ISO-10303-21;"]),
    ("application/vnd.sqlite3", &[b"SQLite format 3\0"]),
    ("application/gzip", &[b"\x1f\x8b"]),
    ("image/png", &[b"\x89PNG\r\n\x1a\n"]),
    ("image/jpeg", &[b"\xff\xd8\xff"]),
    ("image/gif", &[b"GIF87a", b"GIF89a"]),
    ("model/gltf-binary", &[b"glTF"]),
];

/// The media type that an upload declares, without its parameters.
pub(crate) fn declared(headers: &HeaderMap) -> Result<String, Fault> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else { return Ok(PLAIN.to_owned()) };
    let text = value.to_str().unwrap_or_default();
    let essence = text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let token = |part: &str| {
        !part.is_empty()
            && part.len() <= 127
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    match essence.split_once('/') {
        Some((kind, name)) if token(kind) && token(name) && kind != "multipart" => Ok(essence),
        _ => Err(Fault::invalid(
            "content-type",
            "Send the file itself as the request's body, with its media type such as application/pdf.",
        )),
    }
}

/// Refuses a file that cannot be of this type, by its first bytes.
pub(crate) fn check(media_type: &str, start: &[u8]) -> Result<(), Fault> {
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let begins =
        |beginnings: &[&[u8]]| beginnings.iter().any(|one| start.starts_with(one) || text.starts_with(one));
    let fits = match BEGINNINGS.iter().find(|(known, _)| *known == media_type) {
        Some((_, beginnings)) => begins(beginnings),
        None if media_type == "application/json" || media_type.ends_with("+json") => {
            text.first().is_some_and(|byte| b"{[\"-0123456789tfn".contains(byte))
        }
        None if media_type.ends_with("/xml") || media_type.ends_with("+xml") => text.starts_with(b"<"),
        None => media_type != "text/plain" && media_type != "text/csv" || !start.contains(&0),
    };
    if fits {
        return Ok(());
    }
    Err(Fault::new(
        FaultCode::InvalidParams,
        format!(
            "The file does not begin as {media_type} does. Send it with its own media type, or as {PLAIN}."
        ),
    )
    .with("field", "content-type")
    .with("media_type", media_type))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn a_file_is_held_against_what_it_is_said_to_be() {
        for (media_type, start, fits) in [
            ("application/pdf", &b"%PDF-1.7"[..], true),
            ("application/pdf", b"<html>", false),
            ("application/x-step", b"\xef\xbb\xbf\n ISO-10303-21;", true),
            ("image/png", b"\xff\xd8\xff", false),
            ("application/json", b" {\"a\": 1}", true),
            ("application/json", b"<a/>", false),
            ("image/svg+xml", b"<svg/>", true),
            ("text/csv", b"a;b\n1;2", true),
            ("text/csv", b"a\0b", false),
            ("application/octet-stream", b"\0\0", true),
            ("application/pdf", b"", false),
        ] {
            assert_eq!(check(media_type, start).is_ok(), fits, "{media_type} {start:?}");
        }
    }

    #[test]
    fn a_declared_type_is_a_type_and_no_form() {
        let of = |text: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(text));
            declared(&headers).ok()
        };
        assert_eq!(of("Application/PDF; charset=x").as_deref(), Some("application/pdf"));
        assert_eq!(declared(&HeaderMap::new()).ok().as_deref(), Some(PLAIN));
        for wrong in ["", "pdf", "a/b/c", "text/ht ml", "multipart/form-data; boundary=x"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
