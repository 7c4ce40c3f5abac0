//! A file as an HTTP answer: entity tag, conditional requests, one byte range.

use crate::reply::refuse;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use contract::{Fault, FaultCode};
use http_range_header::{RangeUnsatisfiableError, parse_range_header};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::io::SeekFrom;
use std::path::Path;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;

/// The rule by which an answer may be kept by caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CachePolicy {
    /// For ever: the address names the content.
    Immutable,
    /// Until asked again.
    Revalidate,
}

impl CachePolicy {
    pub(crate) fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Immutable => "private, max-age=31536000, immutable",
            Self::Revalidate => "private, no-cache",
        })
    }
}

/// The facts known of a file before it is sent.
pub(crate) struct FileResponse<'a> {
    pub(crate) media_type: &'a str,
    /// Names the content.
    pub(crate) tag: &'a str,
    pub(crate) keep: CachePolicy,
    /// The name a browser saves it under.
    pub(crate) save_as: Option<&'a str>,
}

/// True if the client has this content already.
pub(crate) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|list| list.split(','))
        .map(|entry| entry.trim().trim_start_matches("W/").trim_matches('"'))
        .any(|known| known == tag || known == "*")
}

/// Sends a file, or the part of it that was asked for.
pub(crate) async fn send(path: &Path, sent: &FileResponse<'_>, headers: &HeaderMap) -> Response<Body> {
    let mut answer = Response::builder()
        .header(header::ETAG, format!("\"{}\"", sent.tag))
        .header(header::CACHE_CONTROL, sent.keep.header())
        .header(header::ACCEPT_RANGES, "bytes");
    if let Some(name) = sent.save_as {
        answer = answer.header(header::CONTENT_DISPOSITION, disposition(name));
    }
    if is_known(headers, sent.tag) {
        return finish(answer.status(StatusCode::NOT_MODIFIED), Body::empty());
    }
    answer = answer.header(header::CONTENT_TYPE, sent.media_type);
    let opened = async {
        let file = tokio::fs::File::open(path).await?;
        let length = file.metadata().await?.len();
        Ok::<_, std::io::Error>((file, length))
    };
    let (mut file, length) = match opened.await {
        Ok(opened) => opened,
        Err(error) => {
            tracing::error!(%error, path = %path.display(), "a file in the bucket cannot be read");
            return refuse(&Fault::new(
                FaultCode::StorageFailed,
                "The file cannot be read. Try again, or see the log.",
            ));
        }
    };
    match byte_range(headers, sent.tag, length) {
        ByteRange::All => {
            finish(answer.header(header::CONTENT_LENGTH, length), Body::from_stream(ReaderStream::new(file)))
        }
        ByteRange::Nothing => finish(
            answer
                .status(StatusCode::RANGE_NOT_SATISFIABLE)
                .header(header::CONTENT_RANGE, format!("bytes */{length}")),
            Body::empty(),
        ),
        ByteRange::Part(first, last) => {
            if file.seek(SeekFrom::Start(first)).await.is_err() {
                return refuse(&Fault::new(FaultCode::StorageFailed, "The file cannot be read. Try again."));
            }
            let part = file.take(last - first + 1);
            let answer = answer
                .status(StatusCode::PARTIAL_CONTENT)
                .header(header::CONTENT_RANGE, format!("bytes {first}-{last}/{length}"))
                .header(header::CONTENT_LENGTH, last - first + 1);
            finish(answer, Body::from_stream(ReaderStream::new(part)))
        }
    }
}

pub(crate) fn finish(answer: axum::http::response::Builder, body: Body) -> Response<Body> {
    answer.body(body).unwrap_or_else(|error| {
        tracing::error!(%error, "an answer's headers cannot be written");
        refuse(&Fault::backend("The answer could not be written."))
    })
}

#[derive(Debug, PartialEq, Eq)]
enum ByteRange {
    All,
    /// First and last byte.
    Part(u64, u64),
    /// Past the end.
    Nothing,
}

/// The part asked for. Several ranges, other units and a range of other content all mean the whole.
fn byte_range(headers: &HeaderMap, tag: &str, length: u64) -> ByteRange {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    if text(header::IF_RANGE).is_some_and(|value| value.trim_matches('"') != tag) {
        return ByteRange::All;
    }
    let Some(asked) = text(header::RANGE).and_then(|range| parse_range_header(range).ok()) else {
        return ByteRange::All;
    };
    match asked.validate(length).as_deref() {
        Ok([part]) => ByteRange::Part(*part.start(), *part.end()),
        Err(RangeUnsatisfiableError::Unsatisfiable) => ByteRange::Nothing,
        _ => ByteRange::All,
    }
}

/// Everything but letters, digits and what RFC 8187 lets stand in an extended value whoever reads it.
const ATTRIBUTE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'_').remove(b'-');

/// `attachment` under a name, in the plain form and in the one for other alphabets (RFC 6266).
fn disposition(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || " ._-()".contains(c) { c } else { '_' })
        .collect();
    let encoded = utf8_percent_encode(name, ATTRIBUTE);
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(range: &'static str, expected: ByteRange) {
        let headers = [(header::RANGE, HeaderValue::from_static(range))].into_iter().collect();
        assert_eq!(byte_range(&headers, "tag", 100), expected, "{range}");
    }

    #[test]
    fn one_range_is_understood_and_others_mean_the_whole() {
        check("bytes=0-9", ByteRange::Part(0, 9));
        check("bytes=90-", ByteRange::Part(90, 99));
        check("bytes=90-500", ByteRange::Part(90, 99));
        check("bytes=-10", ByteRange::Part(90, 99));
        check("bytes=-500", ByteRange::Part(0, 99));
        check("bytes=100-", ByteRange::Nothing);
        check("bytes=-0", ByteRange::Nothing);
        check("bytes=9-1", ByteRange::All);
        check("bytes=0-1,4-5", ByteRange::All);
        check("lines=0-1", ByteRange::All);
        check("bytes=0-99999999999999999999", ByteRange::Part(0, 99));
        let headers = [(header::RANGE, HeaderValue::from_static("bytes=0-"))];
        assert_eq!(byte_range(&headers.into_iter().collect(), "tag", 0), ByteRange::Nothing);
    }

    #[test]
    fn a_range_of_other_content_means_the_whole() {
        let headers = [
            (header::RANGE, HeaderValue::from_static("bytes=0-9")),
            (header::IF_RANGE, HeaderValue::from_static("\"older\"")),
        ];
        assert_eq!(byte_range(&headers.into_iter().collect(), "tag", 100), ByteRange::All);
    }

    #[test]
    fn a_name_of_another_alphabet_survives_and_none_breaks_the_header() {
        assert_eq!(
            disposition("Häuser \"A\".ifc"),
            "attachment; filename=\"H_user _A_.ifc\"; filename*=UTF-8''H%C3%A4user%20%22A%22.ifc"
        );
        assert!(HeaderValue::from_str(&disposition("a\r\nb: c")).is_ok());
    }
}
