//! Which version a file says it is of: found in the text form before it is split, since how it is split and what its values mean are
//! the schema's to say; and in epJSON beside the other types.

use super::json::{self, Member};
use super::lexer::{Lexed, line_of};
use super::{Problem, ProblemCode, epjson};
use crate::schema::Schema;
use memchr::{memchr, memchr2, memchr3};
use std::borrow::Cow;
use std::sync::Arc;

/// More Version objects than this are not looked at.
const MOST: usize = 16;

/// The versions that the Version objects of a file name, each with its position; the first counts.
pub type VersionObjects<'a> = Vec<(Cow<'a, str>, usize)>;

/// Returns the version that the first Version object of the text form names. Comments are passed over, objects by their semicolons.
pub fn in_text(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    loop {
        at = blank(bytes, at);
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        if rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"version")) {
            let comma = blank(bytes, at + 7);
            if bytes.get(comma) == Some(&b',') {
                let start = blank(bytes, comma + 1);
                let end = bytes.get(start..).and_then(|rest| {
                    let line = memchr(b'\n', rest).unwrap_or(rest.len());
                    Some(memchr3(b',', b';', b'!', rest)?.min(line))
                });
                return text.get(start..start + end?).map(str::trim);
            }
        }
        at = behind(bytes, at);
    }
}

/// Behind blanks and comments.
fn blank(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(b'!') => {
                let rest = bytes.get(at..).unwrap_or_default();
                at += memchr(b'\n', rest).unwrap_or(rest.len());
            }
            Some(byte) if byte.is_ascii_whitespace() => at += 1,
            _ => return at,
        }
    }
}

/// Behind the next semicolon that is not in a comment.
fn behind(bytes: &[u8], mut at: usize) -> usize {
    while let Some(rest) = bytes.get(at..) {
        let Some(found) = memchr2(b';', b'!', rest) else { break };
        at += found;
        if bytes.get(at) == Some(&b';') {
            return at + 1;
        }
        at = blank(bytes, at);
    }
    bytes.len()
}

/// Returns the Version objects of a text that was split.
pub fn of_lexed<'a>(lexed: &Lexed, text: &'a str) -> VersionObjects<'a> {
    let Some(kind) = lexed.kinds.iter().position(|kind| kind.name.eq_ignore_ascii_case("Version")) else {
        return Vec::new();
    };
    let own = lexed.entries.iter().filter(|entry| entry.kind as usize == kind).take(MOST);
    own.map(|entry| {
        let value = lexed.values.get(entry.first as usize).filter(|_| entry.count > 0);
        (Cow::Borrowed(value.map_or("", |span| span.text_in(text))), entry.span.start as usize)
    })
    .collect()
}

/// Returns the Version objects of epJSON, by its types.
pub fn of_members<'a>(text: &str, types: &[Member]) -> VersionObjects<'a> {
    let Some(of_type) = types.iter().find(|member| member.name.eq_ignore_ascii_case("Version")) else {
        return Vec::new();
    };
    let mut objects = json::members(text, of_type.value.0);
    objects.sort_by_key(|object| epjson::counted(&object.name));
    let said = objects.into_iter().take(MOST).map(|object| {
        let fields = json::members(text, object.value.0);
        let field = fields.into_iter().find(|field| field.name == "version_identifier");
        let value = field.and_then(|field| epjson::plain_at(text, field.value));
        (Cow::Owned(value.unwrap_or_default()), object.value.0)
    });
    said.collect()
}

/// The schema that a file which says this is read by, and what is to be told of that.
pub fn choose(text: &str, said: &VersionObjects<'_>) -> (Arc<Schema>, Vec<Problem>) {
    let Some((version, at)) = said.first() else { return (Schema::built_in(), Vec::new()) };
    let problem = |at: usize, message: String| Problem {
        code: ProblemCode::OtherVersion,
        line: line_of(text, at),
        message,
    };
    let found = Schema::for_version(version);
    let mut problems = Vec::new();
    if let Some(remark) = found.remark {
        problems.push(problem(*at, remark));
    }
    if let Some((other, at)) = said.iter().find(|(other, _)| other != version) {
        let told: String = other.chars().take(40).collect();
        let message = format!(
            "the file has several Version objects, and one says {told:?}; the first counts, and the model is read by the schema of {}",
            found.schema.short_version()
        );
        problems.push(problem(*at, message));
    }
    (found.schema, problems)
}
