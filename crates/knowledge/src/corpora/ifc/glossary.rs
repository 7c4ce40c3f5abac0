//! The words by which people ask for classes, sets and properties: German building words and common English ones from a list of our
//! own, and the names by language that buildingSMART's templates give.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Names by what they are for: a class or set by its name, a property with `.` before it.
struct Glossary {
    words: HashMap<&'static str, Vec<&'static str>>,
    /// Of sets and properties: German and English names.
    published: HashMap<&'static str, [Vec<&'static str>; 2]>,
}

fn glossary() -> &'static Glossary {
    static GLOSSARY: OnceLock<Glossary> = OnceLock::new();
    GLOSSARY.get_or_init(|| {
        let mut words: HashMap<&str, Vec<&str>> = HashMap::new();
        for (names, targets) in lines(include_str!("glossary.txt")).filter_map(|line| line.split_once('=')) {
            let names: Vec<&str> = names.split(',').map(str::trim).collect();
            for target in targets.split_whitespace() {
                words.entry(target).or_default().extend(&names);
            }
        }
        let several = |names: &'static str| names.split('|').filter(|name| !name.is_empty()).collect();
        let published = lines(include_str!("generated/names.txt"))
            .filter_map(|line| {
                let mut fields = line.split('\t');
                Some((fields.next()?, [several(fields.next()?), several(fields.next()?)]))
            })
            .collect();
        Glossary { words, published }
    })
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty())
}

/// The further names of a class, type or set.
pub fn names_of(name: &str) -> Vec<String> {
    let glossary = glossary();
    let published = glossary.published.get(name).into_iter().flatten().flatten();
    glossary.words.get(name).into_iter().flatten().chain(published).map(|name| (*name).to_owned()).collect()
}

/// The further names of a property, in any language.
pub fn names_of_property(name: &str) -> Vec<String> {
    let glossary = glossary();
    let published = glossary.published.get(name).into_iter().flatten().flatten();
    let own = glossary.words.get(format!(".{name}").as_str()).into_iter().flatten();
    own.chain(published).map(|name| (*name).to_owned()).collect()
}

/// The published German names of a property.
pub fn german_names_of_property(name: &str) -> &'static [&'static str] {
    glossary().published.get(name).map_or(&[], |[german, _]| german)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ifc::psets::templates;
    use ifc_schema::SchemaVersion;

    #[test]
    fn every_target_of_the_glossary_is_in_a_version_of_ifc() {
        let mut count = 0;
        for target in glossary().words.keys() {
            let known = SchemaVersion::ALL.into_iter().any(|version| {
                let schema = version.schema();
                match target.strip_prefix('.') {
                    Some(property) => templates::all(version)
                        .any(|set| set.properties.iter().any(|known| known.name == property)),
                    None => {
                        schema.entity(target).is_some_and(|entity| entity.name == *target)
                            || schema.type_declaration(target).is_some()
                            || templates::find_set(version, target).is_some()
                    }
                }
            });
            assert!(known, "{target} is nowhere in IFC");
            count += 1;
        }
        assert!(count > 150, "only {count} targets");
    }

    #[test]
    fn names_by_language_are_those_of_the_templates() {
        assert_eq!(german_names_of_property("FireRating"), ["Feuerwiderstandsklasse"]);
        assert!(names_of_property("LoadBearing").iter().any(|name| name == "Tragendes Bauteil"));
        assert!(names_of("IfcWall").iter().any(|name| name == "Wand"));
    }
}
