//! The header of a STEP file: who made it, when, with what, and in which schema.

use crate::step::Cursor;
use crate::step::encode;
use crate::{SchemaVersion, Value};
use std::ops::Range;

/// The name of this program in files that it writes.
const PROGRAM: &str = concat!("Pensaer ", env!("CARGO_PKG_VERSION"));

/// The fields of FILE_DESCRIPTION, FILE_NAME and FILE_SCHEMA.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    /// FILE_DESCRIPTION: the view definition and options, such as `ViewDefinition [DesignTransferView]`.
    pub description: Vec<String>,
    /// FILE_DESCRIPTION: `2;1`.
    pub implementation_level: String,
    /// FILE_NAME: the file's name.
    pub file_name: String,
    /// FILE_NAME: when it was written, ISO 8601.
    pub time_stamp: String,
    /// FILE_NAME: who made it.
    pub authors: Vec<String>,
    /// FILE_NAME: whom they belong to.
    pub organizations: Vec<String>,
    /// FILE_NAME: the program that wrote the STEP text.
    pub preprocessor_version: String,
    /// FILE_NAME: the program the model was made in.
    pub originating_system: String,
    /// FILE_NAME: who approved it.
    pub authorization: String,
    /// FILE_SCHEMA, as the file spells it.
    pub schema_identifiers: Vec<String>,
}

impl Header {
    /// The header of a file that Pensaer makes.
    pub fn new(file_name: &str, time_iso: &str) -> Self {
        let program = PROGRAM;
        Self {
            description: vec!["ViewDefinition [DesignTransferView]".to_owned()],
            implementation_level: "2;1".to_owned(),
            file_name: file_name.to_owned(),
            time_stamp: time_iso.to_owned(),
            preprocessor_version: program.to_owned(),
            originating_system: program.to_owned(),
            ..Self::default()
        }
    }

    /// The file from its first line to `DATA;`, in the schema given.
    pub fn write(&self, version: SchemaVersion) -> String {
        // the standard asks for at least one member in each of these lists
        let list = |texts: &[String]| match texts {
            [] => Value::list([""]),
            texts => Value::list(texts),
        };
        let mut out = String::from("ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION");
        encode::list(&[list(&self.description), self.implementation_level.as_str().into()], &mut out);
        out.push_str(";\nFILE_NAME");
        let name = [
            self.file_name.as_str().into(),
            self.time_stamp.as_str().into(),
            list(&self.authors),
            list(&self.organizations),
            self.preprocessor_version.as_str().into(),
            self.originating_system.as_str().into(),
            self.authorization.as_str().into(),
        ];
        encode::list(&name, &mut out);
        out.push_str(";\nFILE_SCHEMA");
        encode::list(&[Value::list([version.file_schema()])], &mut out);
        out.push_str(";\nENDSEC;\nDATA;\n");
        out
    }

    fn take(&mut self, keyword: &str, mut values: Vec<Value>) {
        let mut own = |at: usize| values.get_mut(at).map(std::mem::take).unwrap_or_default();
        let text = |value: Value| value.into_text().unwrap_or_default();
        // a list of one is now and then written without its parentheses
        let texts = |value: Value| -> Vec<String> {
            match value {
                Value::List(members) => members.into_iter().filter_map(Value::into_text).collect(),
                Value::Text(text) => vec![text],
                _ => Vec::new(),
            }
        };
        match keyword {
            "FILE_DESCRIPTION" => {
                self.description = texts(own(0));
                self.implementation_level = text(own(1));
            }
            "FILE_NAME" => {
                self.file_name = text(own(0));
                self.time_stamp = text(own(1));
                self.authors = texts(own(2));
                self.organizations = texts(own(3));
                self.preprocessor_version = text(own(4));
                self.originating_system = text(own(5));
                self.authorization = text(own(6));
            }
            _ => self.schema_identifiers = texts(own(0)),
        }
    }
}

/// A header that was read.
pub(crate) struct Read {
    pub header: Header,
    /// Place and message of what is not as it should be.
    pub problems: Vec<(usize, String)>,
    /// The place of FILE_SCHEMA.
    pub schema_at: usize,
    /// Behind `DATA;`.
    pub data: usize,
}

/// Why there is no header to read.
pub(crate) enum Unreadable {
    /// It does not begin with ISO-10303-21.
    NotStep,
    /// It ends within or before the header's end.
    Truncated,
    /// Something else, at this place.
    At(usize, String),
}

/// The entries that every header has, with the number of their fields.
const FIELDS: [(&str, usize); 3] = [("FILE_DESCRIPTION", 2), ("FILE_NAME", 7), ("FILE_SCHEMA", 1)];

/// Reads from the beginning of the file to behind `DATA;`.
pub(crate) fn read(bytes: &[u8], from: usize) -> Result<Read, Unreadable> {
    let mut cursor = Cursor::new(bytes, from);
    cursor.space();
    if !cursor.keyword().eq_ignore_ascii_case(b"ISO-10303-21") {
        return Err(Unreadable::NotStep);
    }
    cursor.take(b';');
    cursor.space();
    let at = cursor.at();
    let keyword = cursor.keyword();
    if !keyword.eq_ignore_ascii_case(b"HEADER") || !cursor.take(b';') {
        return Err(match cursor.peek() {
            None => Unreadable::Truncated,
            Some(_) => Unreadable::At(at, "HEADER; should stand here".to_owned()),
        });
    }
    let mut out = Read { header: Header::default(), problems: Vec::new(), schema_at: at, data: 0 };
    let mut seen = [false; 3];
    loop {
        cursor.space();
        let at = cursor.at();
        let keyword = cursor.keyword();
        let told = || String::from_utf8_lossy(keyword).to_ascii_uppercase();
        cursor.space();
        match cursor.peek() {
            None => return Err(Unreadable::Truncated),
            Some(b';') if keyword.eq_ignore_ascii_case(b"ENDSEC") => {
                cursor.advance(1);
                break;
            }
            Some(b'(') if !keyword.is_empty() => {}
            Some(_) => {
                return Err(Unreadable::At(
                    at,
                    "the header holds something that is no header entry".to_owned(),
                ));
            }
        }
        let values = match cursor.value(&|_| None) {
            Ok(Value::List(values)) => values,
            Ok(_) => Vec::new(),
            Err(error) if error.at >= bytes.len() => return Err(Unreadable::Truncated),
            Err(error) => {
                return Err(Unreadable::At(
                    error.at,
                    format!("{} cannot be read: {}", told(), error.message),
                ));
            }
        };
        if !cursor.take(b';') {
            return Err(match cursor.peek() {
                None => Unreadable::Truncated,
                Some(_) => Unreadable::At(cursor.at(), format!("{} should end in ;", told())),
            });
        }
        let is_named = |name: &str| keyword.eq_ignore_ascii_case(name.as_bytes());
        let field = FIELDS.into_iter().enumerate().find(|(_, (name, _))| is_named(name));
        let Some((known, (name, fields))) = field else {
            // edition 3 knows three more, and user-defined ones begin with !
            let is_allowed =
                ["FILE_POPULATION", "SECTION_LANGUAGE", "SECTION_CONTEXT"].into_iter().any(is_named);
            if !is_allowed && !keyword.starts_with(b"!") {
                out.problems.push((at, format!("{} is no header entry; it is left as it stands", told())));
            }
            continue;
        };
        if values.len() != fields {
            out.problems.push((at, format!("{name} should have {fields} fields, not {}", values.len())));
        }
        if let Some(seen) = seen.get_mut(known) {
            if *seen {
                out.problems.push((at, format!("{name} stands here a second time; the last one counts")));
            }
            *seen = true;
        }
        if name == "FILE_SCHEMA" {
            out.schema_at = at;
        }
        out.header.take(name, values);
    }
    for ((name, _), seen) in FIELDS.iter().zip(seen) {
        if !seen {
            out.problems.push((cursor.at(), format!("the header has no {name}")));
        }
    }
    out.data = data_section(bytes, cursor)?;
    Ok(out)
}

/// Behind the next `DATA;`, sections of other kinds skipped.
fn data_section(bytes: &[u8], mut cursor: Cursor<'_>) -> Result<usize, Unreadable> {
    loop {
        match section(bytes, &mut cursor) {
            Section::Data => return Ok(cursor.at()),
            Section::Other => {}
            Section::End => {
                return Err(Unreadable::At(cursor.at(), "the file has no DATA section".to_owned()));
            }
            Section::Nothing => return Err(Unreadable::Truncated),
            Section::Wrong(at) => return Err(Unreadable::At(at, "DATA; should stand here".to_owned())),
        }
    }
}

/// Returns the texts to put into the header, by byte range, for it to say that this program wrote the file, and when; nothing if FILE_NAME
/// is not as the standard has it. `bytes` are a file that was read.
pub(crate) fn stamped(bytes: &[u8], end: usize, time_iso: &str) -> Vec<(Range<usize>, String)> {
    let Some(fields) = bytes.get(..end).and_then(name_fields) else { return Vec::new() };
    let (Some(time), Some(program)) = (fields.get(1), fields.get(4)) else { return Vec::new() };
    let quoted = |text: &str| {
        let mut out = String::new();
        encode::value(&text.into(), &mut out);
        out
    };
    vec![(time.clone(), quoted(time_iso)), (program.clone(), quoted(PROGRAM))]
}

/// The places of the seven fields of FILE_NAME.
fn name_fields(bytes: &[u8]) -> Option<Vec<Range<usize>>> {
    let mut cursor = Cursor::new(bytes, memchr::memmem::find(bytes, b"HEADER")?);
    loop {
        cursor.space();
        let keyword = cursor.keyword();
        if keyword.eq_ignore_ascii_case(b"ENDSEC") {
            return None;
        }
        if !keyword.eq_ignore_ascii_case(b"FILE_NAME") {
            while cursor.peek()? != b';' {
                if !cursor.token() {
                    return None;
                }
                cursor.space();
            }
            cursor.advance(1);
            continue;
        }
        if !cursor.take(b'(') {
            return None;
        }
        let mut fields = Vec::with_capacity(7);
        loop {
            cursor.space();
            let start = cursor.at();
            cursor.value(&|_| None).ok()?;
            fields.push(start..cursor.at());
            if !cursor.take(b',') {
                break;
            }
        }
        return (fields.len() == 7 && cursor.take(b')')).then_some(fields);
    }
}

/// The keyword that begins at a place between sections.
pub(crate) enum Section {
    /// `DATA;`, and the cursor is behind it.
    Data,
    /// Another section of edition 3, and the cursor is behind its end.
    Other,
    /// `END-ISO-10303-21;`, and the cursor is behind it.
    End,
    /// The end of the file.
    Nothing,
    /// Something else.
    Wrong(usize),
}

/// Behind the `ENDSEC;` of a section whose text is not read: one that begins a statement, for the word may stand in an
/// address or a string as well. A signature is base64, which has neither.
fn end_of_section(bytes: &[u8], from: usize) -> Option<usize> {
    let text = bytes.get(from..)?;
    memchr::memmem::find_iter(text, b"ENDSEC").find_map(|at| {
        let before = text.get(..at)?;
        let statement = before.trim_ascii_end();
        if !(statement.ends_with(b";") || statement.ends_with(b"*/") || before.ends_with(b"\n")) {
            return None;
        }
        let mut cursor = Cursor::new(bytes, from + at + b"ENDSEC".len());
        cursor.take(b';').then(|| cursor.at())
    })
}

/// Takes the beginning of a section.
pub(crate) fn section(bytes: &[u8], cursor: &mut Cursor<'_>) -> Section {
    cursor.space();
    let at = cursor.at();
    if cursor.peek().is_none() {
        return Section::Nothing;
    }
    let keyword = cursor.keyword();
    // longer than any of them is none of them
    let mut capitals = [0; 24];
    let capitals = match capitals.get_mut(..keyword.len()) {
        Some(capitals) => {
            capitals.copy_from_slice(keyword);
            capitals.make_ascii_uppercase();
            &*capitals
        }
        None => keyword,
    };
    cursor.space();
    match capitals {
        b"DATA" => {
            if cursor.peek() == Some(b'(') {
                let _ = cursor.value(&|_| None);
            }
            if cursor.take(b';') { Section::Data } else { Section::Wrong(at) }
        }
        b"END-ISO-10303-21" => {
            cursor.take(b';');
            Section::End
        }
        b"ANCHOR" | b"REFERENCE" | b"SIGNATURE" => match end_of_section(bytes, cursor.at()) {
            Some(behind) => {
                cursor.advance(behind - cursor.at());
                Section::Other
            }
            None => Section::Nothing,
        },
        // the last letters may be missing
        started if cursor.peek().is_none() && b"END-ISO-10303-21".starts_with(started) => Section::Nothing,
        started if cursor.peek().is_none() && b"DATA".starts_with(started) => Section::Nothing,
        _ => Section::Wrong(at),
    }
}
