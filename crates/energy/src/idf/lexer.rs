//! Splits the text form into objects and values. Nothing is thrown away: what is kept are spans of the text.
//!
//! What the text does not make clear is decided as EnergyPlus does, where it does, and is said in a problem: a value
//! that runs over lines, a missing comma or semicolon. Macros (`##include`) are refused: what they would bring in is not
//! in the file.

use super::{OpenError, Problem, ProblemCode};
use crate::schema::{Schema, Text};
use foldhash::HashMap;
use memchr::{memchr, memchr_iter, memchr3};

/// A stretch of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The byte at which it begins.
    pub start: u32,
    /// The byte behind it.
    pub end: u32,
}

impl Span {
    /// The text under it.
    pub fn text_in(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// One object of the text.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// From the first letter of its type to behind its semicolon.
    pub span: Span,
    /// The number of its type among `Lexed::kinds`.
    pub kind: u32,
    /// The first of its values.
    pub first: u32,
    /// The number of its values.
    pub count: u32,
}

/// A type that occurs in a text.
#[derive(Debug, Clone)]
pub struct TypeName {
    /// As the schema spells it, or as the text does where the schema does not know it.
    pub name: Text,
    /// Its number in the schema.
    pub number: Option<u32>,
}

/// The objects of a text.
#[derive(Debug, Default)]
pub struct Lexed {
    /// Its objects in order.
    pub entries: Vec<Entry>,
    /// Their values, one after the other.
    pub values: Vec<Span>,
    /// The types that occur.
    pub kinds: Vec<TypeName>,
}

/// More problems than this are not listed.
const PROBLEMS: usize = 1_000;

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    schema: &'a Schema,
    at: usize,
    lexed: Lexed,
    /// Kinds by each way in which they were spelled, and by what all of these have in common.
    spelled: HashMap<&'a str, u32>,
    lowered: HashMap<String, u32>,
    problems: Vec<Problem>,
}

/// Splits a text. It is shorter than 4 GiB.
pub fn lex(text: &str, schema: &Schema) -> Result<(Lexed, Vec<Problem>), OpenError> {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        schema,
        at: if text.starts_with('\u{feff}') { 3 } else { 0 },
        lexed: Lexed::default(),
        spelled: HashMap::default(),
        lowered: HashMap::default(),
        problems: Vec::new(),
    };
    // a value takes about thirty bytes with its comment
    lexer.lexed.values.reserve(text.len() / 32);
    while lexer.find_next() {
        lexer.object()?;
    }
    Ok((lexer.lexed, lexer.problems))
}

/// Lines before a position, from 1.
pub fn line_of(text: &str, at: usize) -> u32 {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    memchr_iter(b'\n', before).count() as u32 + 1
}

impl Lexer<'_> {
    fn problem(&mut self, code: ProblemCode, at: usize, message: impl FnOnce() -> String) {
        if self.problems.len() < PROBLEMS {
            self.problems.push(Problem { code, line: line_of(self.text, at), message: message() });
        }
    }

    fn skip_space(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn skip_line(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
    }

    /// Goes to the next object, if there is one.
    fn find_next(&mut self) -> bool {
        loop {
            self.skip_space();
            match self.bytes.get(self.at) {
                None => return false,
                Some(b'!') => self.skip_line(),
                Some(b';') => self.at += 1,
                Some(b',') => {
                    let at = self.at;
                    self.problem(ProblemCode::Stray, at, || {
                        "a comma stands outside an object; it is passed over".into()
                    });
                    self.at += 1;
                }
                Some(_) => return true,
            }
        }
    }

    /// Trims a stretch that holds no comment.
    fn trim(&self, mut start: usize, mut end: usize) -> (usize, usize) {
        let blank = |at: usize| self.bytes.get(at).is_some_and(|b| b.is_ascii_whitespace() || *b == 0);
        while start < end && blank(start) {
            start += 1;
        }
        while start < end && blank(end - 1) {
            end -= 1;
        }
        (start, end)
    }

    fn object(&mut self) -> Result<(), OpenError> {
        let start = self.at;
        if self.bytes.get(start..).is_some_and(|rest| rest.starts_with(b"##")) {
            let line = self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
            // the macro alone: what stands behind it may be anything
            let name = line.split_whitespace().next().unwrap_or_default();
            let text = name.chars().take_while(|c| c.is_ascii_alphabetic() || *c == '#').take(20).collect();
            return Err(OpenError::Macro { line: line_of(self.text, start), text });
        }
        let first = self.lexed.values.len();
        let mut kind: Option<u32> = None;
        let mut pending = (0, 0);
        let end = loop {
            self.skip_space();
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let found = memchr3(b',', b';', b'!', rest).map(|offset| self.at + offset);
            let mut chunk = self.trim(self.at, found.unwrap_or(self.bytes.len()));
            if chunk.0 < chunk.1 {
                if let Some(next) = self.next_object(chunk, pending, kind.is_some()) {
                    // the chunk begins, or ends in, the type of another object: this one lacks its semicolon
                    let before = self.trim(chunk.0, next);
                    if before.0 < before.1 {
                        pending = before;
                    }
                    self.problem(ProblemCode::Unterminated, next, || {
                        "an object begins before the one above it ends; its `;` is taken to stand there"
                            .into()
                    });
                    self.value(pending);
                    self.at = next;
                    break pending.1.max(start);
                }
                if pending.0 < pending.1 {
                    self.problem(ProblemCode::MissingComma, chunk.0, || {
                        "two values without a comma between them; as in EnergyPlus, the second counts".into()
                    });
                } else if memchr(b'\n', self.bytes.get(chunk.0..chunk.1).unwrap_or_default()).is_some() {
                    self.problem(ProblemCode::RunsOver, chunk.0, || {
                        "a value runs over the end of its line; is a comma missing?".into()
                    });
                }
            } else {
                chunk = pending;
            }
            let Some(found) = found else {
                self.at = self.bytes.len();
                self.problem(ProblemCode::Unterminated, start, || {
                    "the last object has no `;` at its end".into()
                });
                if kind.is_some() {
                    self.value(chunk);
                } else {
                    kind = Some(self.kind(chunk));
                }
                break chunk.1.max(start);
            };
            self.at = found + 1;
            let mark = self.bytes.get(found).copied().unwrap_or_default();
            if mark == b'!' {
                pending = chunk;
                self.skip_line();
                continue;
            }
            pending = (0, 0);
            if kind.is_some() {
                self.value(chunk);
            } else {
                kind = Some(self.kind(chunk));
            }
            if mark == b';' {
                break found + 1;
            }
        };
        self.lexed.entries.push(Entry {
            span: Span { start: start as u32, end: end as u32 },
            kind: kind.unwrap_or_default(),
            first: first as u32,
            count: (self.lexed.values.len() - first) as u32,
        });
        Ok(())
    }

    /// Finds where another object begins within a chunk that should be a value: at the start of its last line, there being a value
    /// before it that no comma ended.
    fn next_object(&self, chunk: (usize, usize), pending: (usize, usize), typed: bool) -> Option<usize> {
        if !typed {
            return None;
        }
        let text = self.bytes.get(chunk.0..chunk.1)?;
        let begins = match text.iter().rposition(|b| *b == b'\n') {
            Some(line) => self.trim(chunk.0 + line, chunk.1).0,
            None if pending.0 < pending.1 => chunk.0,
            None => return None,
        };
        let name = self.text.get(begins..chunk.1)?;
        self.schema.number(name).map(|_| begins)
    }

    fn value(&mut self, chunk: (usize, usize)) {
        self.lexed.values.push(Span { start: chunk.0 as u32, end: chunk.1 as u32 });
    }

    fn kind(&mut self, chunk: (usize, usize)) -> u32 {
        let name = self.text.get(chunk.0..chunk.1).unwrap_or_default();
        if let Some(known) = self.spelled.get(name) {
            return *known;
        }
        let number = self.schema.number(name);
        let about = number.and_then(|number| self.schema.type_at(number));
        let written: Text = about.map_or_else(|| name.into(), |about| about.name.clone());
        // a text may have as many unknown types as objects
        let kind = *self.lowered.entry(written.to_ascii_lowercase()).or_insert_with(|| {
            self.lexed.kinds.push(TypeName { name: written, number });
            self.lexed.kinds.len() as u32 - 1
        });
        self.spelled.insert(name, kind);
        kind
    }
}
