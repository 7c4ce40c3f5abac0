//! What there is to read on EnergyPlus: a section for every type of object, made of the schema's memos, notes, units and
//! choices, and beside them the sections of a documentation index, where one is given.
//!
//! An index is the `search.json` that documentation sites of the MkDocs family publish: `{"config": {"separator": …}, "items" or
//! "docs": [{"location", "title", "text", "path", "tags"}]}`, its texts in HTML. It comes from outside, so that it is read within
//! bounds and only its text is kept.

use crate::schema::{Field, ObjectType, Schema};
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The prefix of the address of a section on a type.
pub const SCHEMA: &str = "schema/";
/// Sections that an index may have.
const SECTIONS: usize = 200_000;
/// Words of a query that count.
const WORDS: usize = 16;
/// The separator of words where an index does not say.
const SEPARATOR: &str = r"[\s\-,:!=\[\]()/?\x22`.]+";

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
    config: Config,
    #[serde(alias = "docs")]
    items: Vec<Section>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Config {
    separator: Option<String>,
}

/// A documentation index, ready to be searched.
pub struct Index {
    sections: Vec<Section>,
    separator: Regex,
    /// For each word: section, how often in its text, whether in its title.
    words: HashMap<String, Vec<(u32, u32, bool)>>,
}

impl Index {
    /// Reads an index; a reason where it is none.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let file: File =
            serde_json::from_slice(bytes).map_err(|error| format!("this is no search index: {error}"))?;
        if file.items.len() > SECTIONS {
            return Err(format!("an index of {} sections is more than is read", file.items.len()));
        }
        // separators of JavaScript may look ahead, which is not known here; words are then split in the usual way
        let own = file.config.separator.and_then(|text| Regex::new(&text).ok());
        let separator = match own {
            Some(separator) => separator,
            None => Regex::new(SEPARATOR).map_err(|error| error.to_string())?,
        };
        let mut index = Self { sections: file.items, separator, words: HashMap::new() };
        for at in 0..index.sections.len() {
            index.take(at);
        }
        Ok(index)
    }

    fn take(&mut self, at: usize) {
        let Some(section) = self.sections.get_mut(at) else { return };
        section.text = plain(&section.text);
        section.title = plain(&section.title);
        let mut counts: HashMap<String, (u32, bool)> = HashMap::new();
        for word in words(&self.separator, &section.text) {
            counts.entry(word).or_default().0 += 1;
        }
        for word in words(&self.separator, &section.title) {
            counts.entry(word).or_default().1 = true;
        }
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        for (word, (count, titled)) in counts {
            self.words.entry(word).or_default().push((at, count, titled));
        }
    }

    /// A section by its address.
    pub fn section(&self, location: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.location == location)
    }

    /// The sections that answer best, with how well; only those with a tag, if one is given.
    pub fn search(&self, query: &str, tag: Option<&str>, limit: usize) -> Vec<(f64, &Section)> {
        let mut scores: HashMap<u32, f64> = HashMap::new();
        for word in words(&self.separator, query).take(WORDS) {
            let Some(places) = self.words.get(&word) else { continue };
            let rare = (1.0 + self.sections.len() as f64 / places.len() as f64).ln();
            for (at, count, titled) in places {
                let count = f64::from(*count);
                let score = count / (count + 2.0) + if *titled { 3.0 } else { 0.0 };
                *scores.entry(*at).or_default() += rare * score;
            }
        }
        let mut hits: Vec<(f64, &Section)> = scores
            .into_iter()
            .filter_map(|(at, score)| Some((score, self.sections.get(at as usize)?)))
            .collect();
        hits.retain(|(_, section)| {
            tag.is_none_or(|tag| section.tags.iter().any(|own| own.eq_ignore_ascii_case(tag)))
        });
        hits.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.location.cmp(&b.1.location)));
        hits.truncate(limit);
        hits
    }
}

fn words<'a>(separator: &'a Regex, text: &'a str) -> impl Iterator<Item = String> + 'a {
    separator.split(text).filter(|word| !word.is_empty() && word.len() <= 60).map(str::to_lowercase)
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
    fn an_index_is_searched_by_title_before_text_and_by_tag() {
        let index = Index::parse(INDEX.as_bytes()).unwrap();
        let found = |query: &str, tag: Option<&str>| {
            index
                .search(query, tag, 5)
                .into_iter()
                .map(|(_, section)| section.location.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(found("zone", None), ["io/zone/", "eng/air/"]);
        assert_eq!(found("ZONE", Some("engineering reference")), ["eng/air/"]);
        assert_eq!(found("heat balance", None), ["eng/air/"]);
        assert!(found("", None).is_empty() && found("nothing", None).is_empty());
        let section = index.section("io/zone/").unwrap();
        assert_eq!(
            (section.title.as_str(), section.text.as_str()),
            ("Zone & Space", "A thermal zone.\nx < y")
        );
    }

    #[test]
    fn what_is_no_index_is_refused_and_the_older_form_is_read() {
        assert!(Index::parse(b"<html>").is_err());
        let older = br#"{"docs": [{"location": "a/", "title": "A", "text": "b"}]}"#;
        assert_eq!(Index::parse(older).unwrap().search("b", None, 5).len(), 1);
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
