//! Writes documents. In the format a document was read in, untouched objects keep their bytes; others are laid out as
//! the editors of EnergyPlus do it, each value with the name of its field beside it.

use super::base::{Encoding, Objects};
use super::{Document, Format, Handle, Object, epjson};
use contract::Fault;
use std::fmt::Write;

/// The column at which comments begin.
const COLUMN: usize = 29;

impl Document {
    /// The whole model. In the format it was read in, objects that nobody touched are written as they stood.
    pub fn to_bytes(&self, format: Format) -> Result<Vec<u8>, Fault> {
        whole(self, format)
    }

    /// The text of one object as a save would write it.
    pub fn text_of(&self, handle: Handle) -> Option<String> {
        one(self, handle)
    }
}

/// The whole document.
fn whole(document: &Document, format: Format) -> Result<Vec<u8>, Fault> {
    let same = document.format() == format;
    let text = match (&document.base.objects, format) {
        (Objects::Text(_), Format::Idf) => {
            if !document.is_changed() {
                return Ok(encode(document, document.base.text.clone()));
            }
            spliced(document)?
        }
        (_, Format::Idf) => {
            let mut out = String::new();
            for object in document.objects() {
                object_text(&mut out, object, "\n")?;
                out.push('\n');
            }
            out
        }
        (_, Format::EpJson) if same => epjson::rewritten(document),
        (_, Format::EpJson) => epjson::write(document)?,
    };
    Ok(encode(document, text))
}

/// The bytes of a text in the document's encoding; in UTF-8 where that cannot hold it.
fn encode(document: &Document, text: String) -> Vec<u8> {
    if document.base.encoding == Encoding::Latin1 && document.format() == Format::Idf {
        let bytes: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
        if let Some(bytes) = bytes {
            return bytes;
        }
    }
    text.into_bytes()
}

/// One object as it would be saved.
fn one(document: &Document, handle: Handle) -> Option<String> {
    let object = document.object(handle)?;
    if document.format() == Format::EpJson {
        return serde_json::to_string_pretty(&epjson::body(object)).ok();
    }
    if !document.changed.contains_key(&handle)
        && let Some(entry) = document.base.entry(handle)
    {
        let (_, end) = lines_of(&document.base.text, entry.span.start as usize, entry.span.end as usize);
        return document.base.text.get(entry.span.start as usize..end).map(|text| text.trim_end().to_owned());
    }
    let mut out = String::new();
    object_text(&mut out, object, "\n").ok()?;
    Some(out.trim_end().to_owned())
}

/// The file's own text with the changed objects in place of what they were.
fn spliced(document: &Document) -> Result<String, Fault> {
    let text = &document.base.text;
    let newline =
        if text.split('\n').next().is_some_and(|line| line.ends_with('\r')) { "\r\n" } else { "\n" };
    let mut out = String::with_capacity(text.len() + document.changed.size() * 200);
    let mut copied = 0;
    for (handle, record) in &document.changed {
        let Some(entry) = document.base.entry(*handle) else { continue };
        let (start, end) = (entry.span.start as usize, entry.span.end as usize);
        let (line_start, line_end) = lines_of(text, start, end);
        if record.is_none() {
            let (from, to) = (line_start.unwrap_or(start), line_end);
            out.push_str(text.get(copied..from.max(copied)).unwrap_or_default());
            copied = to.max(copied);
            // one blank line of two goes with it
            let rest = text.get(copied..).unwrap_or_default();
            if line_start.is_some() && (out.is_empty() || out.ends_with("\n\n") || out.ends_with("\r\n\r\n"))
            {
                copied += rest.len() - rest.strip_prefix(newline).unwrap_or(rest).len();
            }
        } else {
            let Some(object) = document.object(*handle) else { continue };
            out.push_str(text.get(copied..start.max(copied)).unwrap_or_default());
            let indent = line_start.and_then(|line| text.get(line..start)).unwrap_or_default().to_owned();
            for comment in comments(text.get(start..end).unwrap_or_default()) {
                let _ = write!(out, "{comment}{newline}{indent}");
            }
            let mut made = String::new();
            object_text(&mut made, object, newline)?;
            // its last line ends as the one it takes the place of did
            out.push_str(made.trim_end_matches(['\r', '\n']));
            copied = end;
            let rest = text.get(end..line_end).unwrap_or_default();
            if rest.trim_start().starts_with("!-") || rest.trim().is_empty() {
                copied = end + rest.trim_end_matches(['\r', '\n']).len();
            }
        }
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    let first_added = Handle(document.base.count());
    let mut added = document.changed.range(first_added..).peekable();
    if added.peek().is_some() && !out.is_empty() && !out.ends_with('\n') {
        out.push_str(newline);
    }
    for (handle, _) in added {
        if let Some(object) = document.object(*handle) {
            out.push_str(newline);
            object_text(&mut out, object, newline)?;
        }
    }
    Ok(out)
}

/// Returns the start of the lines of an object, if nothing stands before it there, and their end, if nothing but a comment stands
/// behind it there.
fn lines_of(text: &str, start: usize, end: usize) -> (Option<usize>, usize) {
    let before = text.get(..start).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let alone = before.get(line..).unwrap_or_default().trim().is_empty();
    let after = text.get(end..).unwrap_or_default();
    let length = after.find('\n').map_or(after.len(), |at| at + 1);
    let rest = after.get(..length).unwrap_or_default().trim_start();
    let alone_behind = rest.is_empty() || rest.starts_with('!');
    (alone.then_some(line), if alone_behind { end + length } else { end })
}

/// The comments within an object that are somebody's own, and not the names of its fields.
fn comments(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let comment = line.get(line.find('!')?..)?.trim();
        (!comment.starts_with("!-") && comment.trim_start_matches('!').trim() != "").then_some(comment)
    })
}

/// One object in the layout of the editors, with the end of its last line.
fn object_text(out: &mut String, object: Object<'_>, newline: &str) -> Result<(), Fault> {
    let about = object.about();
    let last = object.len().saturating_sub(1);
    for value in object.fields() {
        if let Some(mark) = value.value.chars().find(|c| [',', ';', '!', '\n', '\r'].contains(c)) {
            let place = format!("{} of {} `{}`", value.name(), object.type_name(), object.label());
            return Err(Fault::constraint(format!(
                "{place} holds {mark:?}, which the text form cannot write. Change the value, or save as epJSON."
            ))
            .with("value", value.value));
        }
    }
    if !object.extra().is_empty() {
        let names: Vec<&str> = object.extra().iter().map(|(name, _)| name.as_str()).collect();
        return Err(Fault::constraint(format!(
            "{} `{}` has fields that the schema does not know ({}), which the text form cannot write. Remove them, or save as epJSON.",
            object.type_name(),
            object.label(),
            names.join(", ")
        )));
    }
    out.push_str(object.type_name());
    if object.is_empty() {
        let _ = write!(out, ";{newline}");
        return Ok(());
    }
    if about.is_some_and(|about| &*about.format == "singleLine") {
        for value in object.values() {
            let _ = write!(out, ",{value}");
        }
        let _ = write!(out, ";{newline}");
        return Ok(());
    }
    let _ = write!(out, ",{newline}");
    // vertices stand three to a line
    let corners =
        about.filter(|about| &*about.format == "vertices").and_then(|about| about.extensible.as_ref());
    let corners = corners.map(|group| group.fields.len()).filter(|size| *size > 1);
    let mut values = object.fields().peekable();
    while let Some(value) = values.next() {
        let line = out.len();
        let _ = write!(out, "    {}", value.value);
        let mut position = value.position;
        let mut name = value.name();
        if let (Some(group), Some(size)) = (value.group, corners) {
            for other in values.by_ref().take(size - 1) {
                let _ = write!(out, ",{}", other.value);
                position = other.position;
            }
            name = format!("X,Y,Z ==> Vertex {}", group + 1);
        }
        out.push(if position == last { ';' } else { ',' });
        let width = out.get(line..).unwrap_or_default().chars().count();
        let pad = COLUMN.saturating_sub(width).max(2);
        let _ = write!(out, "{:pad$}!- {name}", "");
        if let Some(units) = value.field.and_then(|field| field.units.as_deref()) {
            let _ = write!(out, " {{{units}}}");
        }
        out.push_str(newline);
    }
    Ok(())
}
