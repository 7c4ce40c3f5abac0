//! What there is to read on EnergyPlus: a section for every type of object, made of the schema's memos, notes, units and
//! choices, and beside them the sections of a documentation index, where one is given.
//!
//! An index is the `search.json` that documentation sites of the MkDocs family publish: `{"items" or "docs": [{"location", "title",
//! "text", "path", "tags"}]}`, its texts in HTML. It comes from outside, so that it is read within bounds and only its text is kept.

use crate::schema::{Field, ObjectType, Schema};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt::Write as _;

/// The prefix of the address of a section on a type.
pub const SCHEMA: &str = "schema/";
/// Sections that an index may have.
const SECTIONS: usize = 200_000;
/// A section of an index.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Section {
    /// Its address within the documentation.
    pub location: String,
    /// Its title.
    pub title: String,
    /// Its text, without marks.
    pub text: String,
    /// The titles above it.
    pub path: Vec<String>,
    /// The documents that it is of.
    pub tags: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct File {
    #[serde(alias = "docs")]
    items: Vec<Section>,
}

/// Reads the sections of an index, with their texts as plain ones; a reason where it is none.
pub fn parse(bytes: &[u8]) -> Result<Vec<Section>, String> {
    let file: File =
        serde_json::from_slice(bytes).map_err(|error| format!("this is no search index: {error}"))?;
    if file.items.len() > SECTIONS {
        return Err(format!("an index of {} sections is more than is read", file.items.len()));
    }
    // an address that stands twice, as of headings that are called alike, leads to the first
    let mut known: HashSet<String> = HashSet::new();
    let fresh =
        file.items.into_iter().filter(|own| !own.location.is_empty() && known.insert(own.location.clone()));
    Ok(fresh.map(|own| Section { title: plain(&own.title), text: plain(&own.text), ..own }).collect())
}

/// A text without the marks of HTML.
fn plain(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        let Some((name, after)) = tag.split_once('>') else {
            text.push('<');
            rest = tag;
            continue;
        };
        // blocks stand on lines of their own
        let name = name.trim_start_matches('/').to_ascii_lowercase();
        let blocks = ["p", "li", "tr", "br", "h", "div", "pre", "ul", "ol", "table"];
        let block = blocks.iter().any(|start| name.starts_with(start));
        if block && !text.ends_with('\n') && !text.is_empty() {
            text.push('\n');
        }
        rest = after;
    }
    text.push_str(rest);
    for (mark, sign) in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")]
    {
        if text.contains(mark) {
            text = text.replace(mark, sign);
        }
    }
    text.trim().to_owned()
}

/// The section on a type of object: what it is for, then its fields.
pub fn section(schema: &Schema, about: &ObjectType) -> Section {
    let mut text = String::new();
    if !about.memo.is_empty() {
        let _ = writeln!(text, "{}\n", about.memo);
    }
    for field in &about.fields {
        describe(&mut text, field);
    }
    if let Some(group) = &about.extensible {
        let _ = writeln!(text, "\nRepeated as often as needed ({}):", group.key);
        for field in &group.fields {
            describe(&mut text, field);
        }
    }
    Section {
        location: format!("{SCHEMA}{}", about.name),
        title: about.name.to_string(),
        text,
        path: vec![format!("EnergyPlus {}", schema.short_version()), about.group.to_string()],
        tags: vec!["Schema".to_owned(), about.group.to_string()],
    }
}

fn describe(text: &mut String, field: &Field) {
    let mut facts: Vec<String> = Vec::new();
    if field.required {
        facts.push("required".to_owned());
    }
    if let Some(units) = &field.units {
        facts.push(units.to_string());
    }
    for (bound, open, closed) in [(field.minimum, "more than", "from"), (field.maximum, "less than", "up to")]
    {
        if let Some(bound) = bound {
            facts.push(format!("{} {}", if bound.exclusive { open } else { closed }, bound.value));
        }
    }
    if let Some(word) = field.automatic {
        facts.push(format!("or {}", word.word()));
    }
    if let Some(default) = &field.default {
        facts.push(format!("default {default}"));
    }
    if !field.choices.is_empty() {
        let choices: Vec<&str> = field.choices.iter().take(40).map(|choice| &**choice).collect();
        facts.push(format!("one of {}", choices.join(" | ")));
    }
    let _ = write!(text, "- {} ({})", field.name, field.key);
    if !facts.is_empty() {
        let _ = write!(text, ": {}", facts.join(", "));
    }
    if let Some(note) = &field.note {
        let _ = write!(text, ". {note}");
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = r#"{"config": {"separator": "[\\s\\-_,:!=\\[\\]()\\\\\"`/]+|\\.(?!\\d)"}, "items": [
        {"location": "io/zone/", "title": "Zone &amp; Space", "text": "<p>A thermal zone.</p><p>x &lt; y</p>", "path": ["I/O"], "tags": ["Input Output Reference"]},
        {"location": "eng/air/", "title": "Air", "text": "Heat balance of zone air, zone by zone", "tags": ["Engineering Reference"]}]}"#;

    #[test]
    fn an_index_is_read_as_plain_text_and_each_address_once() {
        let sections = parse(INDEX.as_bytes()).unwrap();
        assert_eq!(sections.len(), 2);
        assert_eq!(
            (sections[0].title.as_str(), sections[0].text.as_str()),
            ("Zone & Space", "A thermal zone.\nx < y")
        );
        let twice = br#"{"items": [{"location": "a/", "text": "1"}, {"location": "a/", "text": "2"}, {"text": "3"}]}"#;
        assert_eq!(parse(twice).unwrap().len(), 1);
    }

    #[test]
    fn what_is_no_index_is_refused_and_the_older_form_is_read() {
        assert!(parse(b"<html>").is_err());
        let older = br#"{"docs": [{"location": "a/", "title": "A", "text": "b"}]}"#;
        assert_eq!(parse(older).unwrap()[0].text, "b");
    }

    #[test]
    fn a_type_is_told_with_its_fields_units_and_choices() {
        let schema = Schema::built_in();
        let text = section(&schema, schema.get("People").unwrap()).text;
        assert!(
            text.contains("Number of People Calculation Method") && text.contains("Area/Person"),
            "{text}"
        );
        let text = section(&schema, schema.get("Material").unwrap()).text;
        assert!(text.contains("W/m-K") && text.contains("more than 0"), "{text}");
    }
}
