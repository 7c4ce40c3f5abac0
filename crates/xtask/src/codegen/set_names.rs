//! The names of buildingSMART's property and quantity sets and of their properties in English and German, and the words that
//! enumerated properties choose from, out of the template files.
//!
//! Names by language are those that the files give as library references; of the three, only that of IFC4 has German ones. Names
//! are taken, definitions are not.

use super::templates::split;
use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

/// One template file, read for names.
#[derive(Default)]
struct Source<'a> {
    /// Instance to name of a set or property.
    named: HashMap<&'a str, String>,
    /// Instance of a reference to language and name.
    references: HashMap<&'a str, (String, String)>,
    /// Referred instances and reference.
    relations: Vec<(Vec<&'a str>, &'a str)>,
    /// Instance of a set to its properties.
    sets: Vec<(String, Vec<&'a str>)>,
    /// Instance of a property to that of its words.
    chosen: HashMap<&'a str, &'a str>,
    /// Instance of an enumeration to its words.
    words: HashMap<&'a str, Vec<String>>,
}

fn read(spf: &str) -> Source<'_> {
    let mut source = Source::default();
    for line in spf.lines() {
        let Some((id, rest)) = line.split_once('=') else { continue };
        let Some((class, arguments)) = rest.trim().split_once('(') else { continue };
        let id = id.trim();
        let arguments = split(arguments.trim_end().trim_end_matches(';').trim_end_matches(')'));
        let field = |at: usize| arguments.get(at).map_or("", |text| text.trim());
        let list =
            |at: usize| field(at).trim_matches(['(', ')']).split(',').map(str::trim).collect::<Vec<_>>();
        match class {
            "IFCSIMPLEPROPERTYTEMPLATE" => {
                source.named.insert(id, text(field(2)));
                source.chosen.insert(id, field(7));
            }
            "IFCCOMPLEXPROPERTYTEMPLATE" => {
                source.named.insert(id, text(field(2)));
            }
            "IFCPROPERTYSETTEMPLATE" => {
                source.named.insert(id, text(field(2)));
                source.sets.push((text(field(2)), list(6)));
            }
            "IFCLIBRARYREFERENCE" => {
                source.references.insert(id, (text(field(4)), text(field(2))));
            }
            "IFCRELASSOCIATESLIBRARY" => source.relations.push((list(4), field(5))),
            "IFCPROPERTYENUMERATION" => {
                let words = split(field(1).trim_start_matches('(').trim_end_matches(')'));
                let word = |typed: &str| {
                    text(typed.split_once('(').map_or(typed, |(_, word)| word.trim_end_matches(')')))
                };
                source
                    .words
                    .insert(id, words.into_iter().map(word).filter(|word| !word.is_empty()).collect());
            }
            _ => {}
        }
    }
    source
}

/// The names by language: `name <tab> German names <tab> English names`, several with `|` between them. English names that only put
/// blanks into the name are left out.
pub fn names(files: &[(&str, String)]) -> Result<String> {
    let mut known: BTreeMap<String, [BTreeSet<String>; 2]> = BTreeMap::new();
    for (_, spf) in files {
        let source = read(spf);
        for (referring, reference) in &source.relations {
            let Some((language, label)) = source.references.get(reference) else { continue };
            let at = match language.get(..2) {
                Some("de") => 0,
                Some("en") => 1,
                _ => continue,
            };
            let label = label.trim().trim_matches('.');
            for name in referring.iter().filter_map(|id| source.named.get(id)) {
                if label.is_empty()
                    || label.starts_with("German-name")
                    || (at == 1 && letters(label) == letters(name))
                {
                    continue;
                }
                known.entry(name.clone()).or_default()[at].insert(label.to_owned());
            }
        }
    }
    let mut text = head("Names by language", files);
    for (name, languages) in &known {
        let joined = |at: usize| languages[at].iter().map(String::as_str).collect::<Vec<_>>().join("|");
        let line = format!("{name}\t{}\t{}", joined(0), joined(1));
        if line.contains('\n') || line.matches('\t').count() != 2 {
            bail!("{name} has a sign that the table cannot hold");
        }
        writeln!(text, "{line}")?;
    }
    Ok(text)
}

/// The words of enumerated properties: `set.property <tab> schemas <tab> words`, with `|` between them.
pub fn values(files: &[(&str, String)], schemas: &[&str]) -> Result<String> {
    let mut known: BTreeMap<(String, Vec<String>), Vec<&str>> = BTreeMap::new();
    for ((_, spf), schema) in files.iter().zip(schemas) {
        let source = read(spf);
        for (set, properties) in &source.sets {
            for property in properties {
                let words = source.chosen.get(property).and_then(|words| source.words.get(words));
                if let (Some(name), Some(words)) = (source.named.get(property), words) {
                    known.entry((format!("{set}.{name}"), words.clone())).or_default().push(schema);
                }
            }
        }
    }
    let mut text = head("Words of enumerated properties", files);
    for ((name, words), schemas) in known {
        writeln!(text, "{name}\t{}\t{}", schemas.join(","), words.join("|"))?;
    }
    Ok(text)
}

fn head(title: &str, files: &[(&str, String)]) -> String {
    let sources: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    format!(
        "# {title}, of the property sets of buildingSMART International, generated by `cargo xtask codegen` from {}; not to be edited.\n\
         # Names only, from the property set templates that IfcOpenShell distributes (LGPL-3.0-or-later) and\n\
         # © buildingSMART International Ltd., CC BY-ND 4.0, with leave to translate.\n",
        sources.join(", ")
    )
}

/// The letters of a name, small.
fn letters(name: &str) -> String {
    let plain = name.strip_prefix("Pset_").unwrap_or(name);
    plain.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A text of a STEP file on one line: quotes taken off, `\S\`, `\X\` and `\X2\` read (ISO 10303-21, 6.4.3).
fn text(quoted: &str) -> String {
    let inner = quoted.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).unwrap_or("");
    let mut text = String::new();
    let mut rest = inner;
    while let Some((before, code)) = rest.split_once('\\') {
        text.push_str(before);
        let code_point =
            |digits: Option<&str>| digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        rest = if let Some(after) = code.strip_prefix("S\\") {
            text.extend(after.chars().next().and_then(|sign| char::from_u32(u32::from(sign) + 128)));
            after.get(1..).unwrap_or("")
        } else if let Some((digits, after)) =
            code.strip_prefix("X2\\").and_then(|code| code.split_once("\\X0\\"))
        {
            let units: Vec<u16> = (0..digits.len() / 4)
                .filter_map(|at| u16::from_str_radix(digits.get(at * 4..at * 4 + 4)?, 16).ok())
                .collect();
            text.push_str(&String::from_utf16_lossy(&units));
            after
        } else if let Some(after) = code.strip_prefix("X\\") {
            text.extend(code_point(after.get(..2)).and_then(char::from_u32));
            after.get(2..).unwrap_or("")
        } else {
            code.strip_prefix('\\').unwrap_or(code)
        };
    }
    text.push_str(rest);
    text.replace("''", "'").split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "/")
}
