//! From bytes to a document: which form it is, which schema it is read by, and a document with nothing in it.

use super::base::{Base, Encoding, Objects};
use super::lexer::{lex, line_of};
use super::{Document, Format, OpenError, Problem, ProblemCode, epjson, version};
use crate::schema::Schema;
use std::sync::Arc;

/// The largest file that is read.
const LARGEST: usize = 1 << 30;

impl Document {
    /// Reads a model in either format, by the schema of the version that it says it is of (`Schema::for_version`). What could be read past
    /// is told.
    pub fn open(bytes: &[u8]) -> Result<(Self, Vec<Problem>), OpenError> {
        if let Some(at) = memchr::memchr(0, bytes) {
            return Err(OpenError::Foreign(format!("byte {} is a zero, which no text has", at + 1)));
        }
        let opened = if is_json(bytes) { read_json(bytes, None) } else { read_text(bytes, None) }?;
        opened.0.is_a_model()?;
        Ok(opened)
    }

    /// Refuses what was read if it is other text: a name in front of a comma makes no object of EnergyPlus.
    fn is_a_model(&self) -> Result<(), OpenError> {
        let (mut known, mut all, mut first) = (0_usize, 0_usize, None);
        for object in self.objects() {
            all += 1;
            if object.type_number().is_some() {
                known += 1;
            } else if first.is_none() {
                first = Some(object);
            }
        }
        // one of a much older version may have some that are called otherwise by now
        if known > all / 4 {
            return Ok(());
        }
        let Some(first) = first else { return Err(OpenError::Empty) };
        // it is not quoted: a file that is no model may be anything, and somebody's secret
        let at =
            first.line().map_or_else(|| " is not told".to_owned(), |line| format!(" stands in line {line}"));
        let of = if all == 1 { "object is".to_owned() } else { format!("{all} objects are") };
        Err(OpenError::Foreign(format!(
            "{} of its {of} of a type that EnergyPlus has; the first that is not{at}",
            if known == 0 { "none".to_owned() } else { known.to_string() }
        )))
    }

    /// Reads a model in either format by this schema, whatever the model says.
    pub fn open_with(bytes: &[u8], schema: Arc<Schema>) -> Result<(Self, Vec<Problem>), OpenError> {
        if is_json(bytes) { Self::from_epjson(bytes, schema) } else { Self::parse(bytes, schema) }
    }

    /// Reads the text form by this schema.
    pub fn parse(bytes: &[u8], schema: Arc<Schema>) -> Result<(Self, Vec<Problem>), OpenError> {
        read_text(bytes, Some(schema))
    }

    /// Reads epJSON by this schema.
    pub fn from_epjson(bytes: &[u8], schema: Arc<Schema>) -> Result<(Self, Vec<Problem>), OpenError> {
        read_json(bytes, Some(schema))
    }

    /// Reads bytes that are known to be of this format, as `open` does.
    pub(super) fn open_as(bytes: &[u8], format: Format) -> Result<(Self, Vec<Problem>), OpenError> {
        match format {
            Format::Idf => read_text(bytes, None),
            Format::EpJson => read_json(bytes, None),
        }
    }

    /// A new model with nothing in it but its version.
    pub fn new(format: Format, schema: Arc<Schema>) -> Self {
        let version = schema.short_version();
        let text = match format {
            Format::Idf => format!("Version,{version};\n"),
            Format::EpJson => format!(
                "{{\n    \"Version\": {{\n        \"Version 1\": {{\n            \"version_identifier\": \"{version}\"\n        }}\n    }}\n}}"
            ),
        };
        // our own text has no fault in it; should it ever, the model is an empty one
        Self::open_with(text.as_bytes(), schema.clone()).map_or_else(
            |_| Self::from_base(Base::new(String::new(), Encoding::Utf8, Objects::Json(Vec::new())), schema),
            |opened| opened.0,
        )
    }
}

fn is_json(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    start.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{')
}

fn read_text(bytes: &[u8], given: Option<Arc<Schema>>) -> Result<(Document, Vec<Problem>), OpenError> {
    if bytes.len() > LARGEST {
        return Err(OpenError::TooLarge(bytes.len()));
    }
    let (text, encoding) = match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), Encoding::Utf8),
        Err(_) => (bytes.iter().map(|byte| char::from(*byte)).collect(), Encoding::Latin1),
    };
    let (schema, lexed, mut problems) = if let Some(schema) = given {
        let (lexed, problems) = lex(&text, &schema)?;
        (schema, lexed, problems)
    } else {
        let sought = Schema::for_version(version::in_text(&text).unwrap_or_default()).schema;
        let (mut lexed, mut problems) = lex(&text, &sought)?;
        let said = version::of_lexed(&lexed, &text);
        let (schema, told) = version::choose(&text, &said);
        // an object without its end hides what follows from whoever only looks for it
        if !Arc::ptr_eq(&schema, &sought) {
            (lexed, problems) = lex(&text, &schema)?;
        }
        problems.extend(told);
        (schema, lexed, problems)
    };
    if lexed.entries.is_empty() {
        return Err(OpenError::Empty);
    }
    if encoding == Encoding::Latin1 {
        let line = line_of(&text, text.find(|c: char| !c.is_ascii()).unwrap_or_default());
        let message = "the file is not UTF-8; it is read, and written back, as Latin-1".to_owned();
        problems.push(Problem { code: ProblemCode::Latin1, line, message });
    }
    Ok((Document::from_base(Base::new(text, encoding, Objects::Text(lexed)), schema), problems))
}

fn read_json(bytes: &[u8], given: Option<Arc<Schema>>) -> Result<(Document, Vec<Problem>), OpenError> {
    if bytes.len() > LARGEST {
        return Err(OpenError::TooLarge(bytes.len()));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| OpenError::Json(error.to_string()))?;
    let epjson::Read { members, schema, problems } = epjson::read(text, given)?;
    let base = Base::new(text.to_owned(), Encoding::Utf8, Objects::Json(members));
    Ok((Document::from_base(base, schema), problems))
}
