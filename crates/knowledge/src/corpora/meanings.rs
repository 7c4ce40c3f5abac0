//! Plain words on what does not speak for itself: classes, types and sets of IFC, types of EnergyPlus' objects and tools by their names,
//! guides and rules by their addresses. For each a sentence of our own, and the German and English words by which people ask for it.

use crate::section::Section;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::OnceLock;

/// The lists: name, sentence, German words, English words, with tabulators between.
const LISTS: [&str; 7] = [
    include_str!("meanings/entities.txt"),
    include_str!("meanings/types.txt"),
    include_str!("meanings/sets.txt"),
    include_str!("meanings/energyplus.txt"),
    include_str!("meanings/tools.txt"),
    include_str!("meanings/guides.txt"),
    include_str!("meanings/rules.txt"),
];

/// The meaning of a name.
struct Meaning {
    sentence: &'static str,
    german: Vec<&'static str>,
    english: Vec<&'static str>,
}

fn meanings() -> &'static HashMap<&'static str, Meaning> {
    static MEANINGS: OnceLock<HashMap<&'static str, Meaning>> = OnceLock::new();
    MEANINGS.get_or_init(|| LISTS.into_iter().flat_map(str::lines).filter_map(line).collect())
}

fn line(line: &'static str) -> Option<(&'static str, Meaning)> {
    let mut fields = line.split('\t');
    let (name, sentence) = (fields.next()?, fields.next()?);
    let mut words = || -> Vec<&'static str> {
        let words = fields.next().unwrap_or_default().split(',').map(str::trim);
        words.filter(|word| !word.is_empty()).collect()
    };
    Some((name, Meaning { sentence, german: words(), english: words() }))
}

/// The sentence on a name.
pub fn sentence(name: &str) -> Option<&'static str> {
    meanings().get(name).map(|meaning| meaning.sentence)
}

/// The addresses of the lists: of what goes by no name.
pub fn addresses() -> impl Iterator<Item = &'static str> {
    meanings().keys().copied().filter(|name| name.contains('/'))
}

/// Sections with the sentence on what they are called, or on their addresses, before their texts, and found by the words for it.
pub fn explained(sections: Vec<Section>) -> Vec<Section> {
    let known = |section: &Section| {
        let by_name = meanings().get(section.title.as_str());
        by_name.or_else(|| meanings().get(section.location.as_str()))
    };
    let one = |section: Section| match known(&section) {
        None => section,
        Some(meaning) => {
            let mut names = section.names;
            for name in meaning.german.iter().chain(&meaning.english) {
                if !names.iter().any(|known| known == name) {
                    names.push((*name).to_owned());
                }
            }
            let mut text = format!("{}\n", meaning.sentence);
            if !meaning.english.is_empty() {
                let _ = writeln!(text, "In other words: {}.", meaning.english.join(", "));
            }
            text.push_str(&section.text);
            Section { text, names, ..section }
        }
    };
    sections.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ifc::psets::templates;
    use ifc_schema::SchemaVersion;

    #[test]
    fn every_name_of_ifc_has_a_sentence_and_german_words() {
        for version in SchemaVersion::ALL {
            let schema = version.schema();
            let names = schema.entities().iter().map(|entity| entity.name);
            let names = names.chain(schema.types().iter().map(|own| own.name));
            for name in names.chain(templates::all(version).map(|set| set.name)) {
                assert!(sentence(name).is_some(), "{name} has no sentence");
            }
        }
    }

    #[test]
    fn every_line_is_whole_and_stands_once() {
        let lines: Vec<&str> = LISTS.into_iter().flat_map(str::lines).collect();
        assert!(lines.len() > 3_000 && meanings().len() == lines.len(), "{}", lines.len());
        for line in lines {
            let fields: Vec<&str> = line.split('\t').collect();
            assert_eq!(fields.len(), 4, "{line}");
            assert!(fields[1].is_ascii() && fields[1].ends_with('.') && fields[1].len() <= 230, "{line}");
            assert!(!fields[2].trim().is_empty(), "{line}");
        }
    }

    #[test]
    fn a_section_begins_with_its_sentence_and_is_found_by_more_names() {
        let section = Section {
            title: "IfcWall".into(),
            text: "Entity.".into(),
            names: vec!["Wand".into()],
            ..Section::default()
        };
        let section = explained(vec![section]).remove(0);
        assert!(
            section.text.ends_with("\nEntity.") && section.text.starts_with(sentence("IfcWall").unwrap())
        );
        assert_eq!(section.names.iter().filter(|name| *name == "Wand").count(), 1);
        assert!(section.names.len() > 2, "{:?}", section.names);
    }
}
