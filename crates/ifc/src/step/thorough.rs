//! Finds the instances of a data section that is not well-formed, says what is wrong with it, and loses no instance
//! that can be told apart. Slower than [`super::scan`], still in one pass.

use super::head;
use super::quote::{self, Close};
use super::scan::begins_instance;
use crate::ProblemCode;
use crate::columns::{ClassCodes, Columns};

/// Something wrong, by its place in the bytes.
pub(crate) struct Finding {
    pub at: usize,
    pub id: Option<u32>,
    pub code: ProblemCode,
    pub message: String,
    /// Another place concerned, whose line is put in place of `{line}` in the message.
    pub also: Option<usize>,
}

/// The instances and problems found up to ENDSEC or the end.
pub(crate) struct Thorough {
    pub rows: Columns,
    pub findings: Vec<Finding>,
    /// Findings beyond those listed.
    pub more: usize,
    /// The place of ENDSEC, if there is one.
    pub endsec: Option<usize>,
    /// An instance beyond the limit: its place and size so far.
    pub too_large: Option<(usize, u64)>,
    /// Place of the first byte above 127.
    pub high: Option<usize>,
}

/// The end of a statement.
enum End {
    /// At this semicolon.
    Semicolon(usize),
    /// Before this line, where another instance begins: a semicolon or quote is missing.
    Torn { at: usize, quote: Option<usize> },
    /// With the file.
    File { quote: Option<usize>, comment: Option<usize> },
}

/// Scans from `from`, which lies between statements.
pub(crate) fn scan(
    bytes: &[u8],
    from: usize,
    limit: u64,
    problems: usize,
    codes: &mut ClassCodes,
) -> Thorough {
    let mut out = Thorough {
        rows: Columns::with_capacity((bytes.len() - from.min(bytes.len())) / 56),
        findings: Vec::new(),
        more: 0,
        endsec: None,
        too_large: None,
        high: bytes.get(from..).and_then(|rest| rest.iter().position(|b| *b >= 0x80)).map(|at| at + from),
    };
    let mut at = from;
    loop {
        let begin = skip_space(bytes, at);
        if begin >= bytes.len() {
            return out;
        }
        let end = statement_end(bytes, begin);
        let (stop, next) = match end {
            End::Semicolon(semicolon) => (semicolon, semicolon + 1),
            End::Torn { at, .. } => (at, at),
            End::File { .. } => (bytes.len(), bytes.len()),
        };
        let text = bytes.get(begin..stop).unwrap_or_default();
        if text.len() as u64 > limit {
            out.too_large = Some((begin, text.len() as u64));
            return out;
        }
        let head = head::read(text);
        let id = head.map(|h| h.id);
        let mut report = |at: usize, code, message: String| {
            if out.findings.len() < problems {
                out.findings.push(Finding { at, id, code, message, also: None });
            } else {
                out.more += 1;
            }
        };
        let named = head.map_or_else(|| "the text from here".to_owned(), |h| format!("#{}", h.id));
        match end {
            End::Torn { quote: Some(quote), .. } => report(
                quote,
                ProblemCode::Syntax,
                format!(
                    "a string of {named} is not closed before the next instance begins; it is left out of the model"
                ),
            ),
            End::Torn { quote: None, .. } => report(
                begin,
                ProblemCode::Syntax,
                format!(
                    "{named} does not end in ; before the next instance begins; it is left out of the model"
                ),
            ),
            End::File { quote, comment } => report(
                quote.or(comment).unwrap_or(begin),
                ProblemCode::Truncated,
                match (quote, comment) {
                    (Some(_), _) => format!("the file ends within a string of {named}"),
                    (_, Some(_)) => "the file ends within a comment".to_owned(),
                    _ => format!("the file ends within {named}"),
                },
            ),
            End::Semicolon(semicolon) => match head {
                None => {
                    if text.is_empty() {
                        report(begin, ProblemCode::Syntax, "a ; without an instance before it".to_owned());
                    } else if starts_with_keyword(text, b"ENDSEC") {
                        out.endsec = Some(begin);
                        return out;
                    } else if starts_with_keyword(text, b"END-ISO-10303-21") {
                        report(
                            begin,
                            ProblemCode::Syntax,
                            "ENDSEC; is missing before the end of the file".to_owned(),
                        );
                        out.endsec = Some(begin);
                        return out;
                    } else {
                        report(begin, ProblemCode::Syntax, describe(text));
                    }
                }
                Some(head) if head.id == 0 => {
                    report(
                        begin,
                        ProblemCode::InstanceId,
                        "#0 is no valid id; the instance is left out of the model".to_owned(),
                    );
                }
                Some(head) => {
                    if head::is_closed(text) {
                        if head.class.is_empty() {
                            report(
                                begin,
                                ProblemCode::ComplexInstance,
                                format!(
                                    "{named} is a complex instance, which IFC does not use; it is kept as it stands"
                                ),
                            );
                        }
                        let code = codes.code(head.class).unwrap_or(ClassCodes::COMPLEX);
                        out.rows.push(head.id, begin + head.start, semicolon + 1 - begin - head.start, code);
                    } else {
                        report(
                            begin,
                            ProblemCode::Syntax,
                            format!("{named} does not end in ); it is left out of the model"),
                        );
                    }
                }
            },
        }
        at = next;
        if at >= bytes.len() {
            return out;
        }
    }
}

fn describe(text: &[u8]) -> String {
    let shown: String = String::from_utf8_lossy(text.get(..40.min(text.len())).unwrap_or_default())
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let overflow = text.first() == Some(&b'#') && text.get(1).is_some_and(u8::is_ascii_digit);
    if overflow {
        format!(
            "`{shown}` is no instance (an id has at most 32 bits and = CLASS( follows it); it is left out of the model"
        )
    } else {
        format!("`{shown}` is no instance; it is left out of the model")
    }
}

fn starts_with_keyword(text: &[u8], keyword: &[u8]) -> bool {
    text.get(..keyword.len()).is_some_and(|start| start.eq_ignore_ascii_case(keyword))
}

fn skip_space(bytes: &[u8], at: usize) -> usize {
    let mut cursor = super::cursor::Cursor::new(bytes, at);
    cursor.space();
    cursor.at()
}

fn statement_end(bytes: &[u8], begin: usize) -> End {
    let mut at = begin;
    // where at the latest a doubtful string must have closed; found when first needed
    let mut bound = None;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(found) = rest.iter().position(|b| matches!(b, b'\'' | b';' | b'/' | b'\n' | b'\r' | b'='))
        else {
            return End::File { quote: None, comment: None };
        };
        at += found;
        match bytes.get(at) {
            Some(b';') => return End::Semicolon(at),
            Some(b'\n' | b'\r') => {
                at += 1;
                if begins_instance(bytes, at) {
                    return End::Torn { at, quote: None };
                }
            }
            Some(b'=') => {
                match head_before(bytes, at) {
                    // a semicolon is missing and no line end shows it
                    Some(next) if next > begin => return End::Torn { at: next, quote: None },
                    _ => at += 1,
                }
            }
            Some(b'/') if bytes.get(at + 1) == Some(&b'*') => {
                match memchr::memmem::find(bytes.get(at + 2..).unwrap_or_default(), b"*/") {
                    Some(found) => at += found + 4,
                    None => return End::File { quote: None, comment: Some(at) },
                }
            }
            Some(b'\'') => {
                let opening = at;
                let close = match quote::quick(bytes, opening) {
                    Close::At(close) => Some(close),
                    Close::Nowhere => None,
                    Close::Doubtful => {
                        let bound = *bound.get_or_insert_with(|| next_instance(bytes, opening));
                        quote::doubtful(bytes.get(..bound).unwrap_or_default(), opening)
                    }
                };
                if let Some(torn) = torn_within(bytes, opening, close) {
                    return End::Torn { at: torn, quote: Some(opening) };
                }
                match close {
                    Some(close) => at = close + 1,
                    None => return End::File { quote: Some(opening), comment: None },
                }
            }
            _ => at += 1,
        }
    }
}

/// Returns the place at which an instance begins within a string, which shows that its closing quote is missing: behind a line end; or behind
/// a semicolon, if what follows the string could not follow one.
fn torn_within(bytes: &[u8], open: usize, close: Option<usize>) -> Option<usize> {
    let text = bytes.get(open..close.unwrap_or(bytes.len())).unwrap_or_default();
    let is_whole = close.is_some_and(|close| quote::is_followed_well(bytes, close));
    memchr::memchr3_iter(b'\n', b'\r', b';', text)
        .filter(|at| !is_whole || text.get(*at) != Some(&b';'))
        .map(|at| open + at + 1)
        .find(|at| begins_instance(bytes, *at))
}

/// Returns the place at which the next instance begins behind a line end or semicolon, strings or not; else the end.
fn next_instance(bytes: &[u8], from: usize) -> usize {
    memchr::memchr3_iter(b'\n', b'\r', b';', bytes.get(from..).unwrap_or_default())
        .map(|at| from + at + 1)
        .find(|at| begins_instance(bytes, *at))
        .unwrap_or(bytes.len())
}

/// Returns the place of the `#` of `#12` that comes before an equals sign; looked for within a bound, to stay linear.
fn head_before(bytes: &[u8], equals: usize) -> Option<usize> {
    let from = equals.saturating_sub(64);
    let text = bytes.get(from..equals)?.trim_ascii_end();
    let digits = text.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let hash = text.len().checked_sub(digits + 1)?;
    (digits > 0 && text.get(hash) == Some(&b'#')).then_some(from + hash)
}
