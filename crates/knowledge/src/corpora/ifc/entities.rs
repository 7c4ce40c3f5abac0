//! Sections on entities.

use super::{alike, attributes, changed, glossary, listed, version_names};
use crate::corpora::names::IFC;
use crate::section::Section;
use ifc::psets::templates;
use ifc_schema::{Entity, Kind, Schema, SchemaVersion};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Subtypes that are told by name.
const SUBTYPES: usize = 60;

/// A section for every entity of any version.
pub fn sections() -> Vec<Section> {
    let mut entities: BTreeMap<&'static str, Vec<(SchemaVersion, &'static Entity)>> = BTreeMap::new();
    for version in SchemaVersion::ALL {
        for entity in version.schema().entities() {
            entities.entry(entity.name).or_default().push((version, entity));
        }
    }
    entities.into_iter().map(|(name, versions)| section(name, &versions)).collect()
}

fn section(name: &str, versions: &[(SchemaVersion, &'static Entity)]) -> Section {
    let known: Vec<SchemaVersion> = versions.iter().map(|(version, _)| *version).collect();
    let mut text = String::new();
    introduce(&mut text, name, versions, &known);
    inheritance(&mut text, versions);
    predefined_types(&mut text, versions);
    sets(&mut text, name, versions);
    structure(&mut text, versions);
    history(&mut text, versions);
    let newest = versions.last();
    let path = newest.map(|(version, entity)| supertypes(version.schema(), entity)).unwrap_or_default();
    let group = newest.map_or("entity", |(version, entity)| group(version.schema(), entity));
    Section {
        corpus: IFC.to_owned(),
        location: format!("{IFC}/{name}"),
        title: name.to_owned(),
        path: path.into_iter().rev().map(str::to_owned).collect(),
        tags: vec!["entity".to_owned(), group.to_owned()],
        versions: version_names(&known),
        text,
        names: glossary::names_of(name),
        ..Section::default()
    }
}

/// The supertypes, nearest first.
fn supertypes(schema: &'static Schema, entity: &'static Entity) -> Vec<&'static str> {
    schema.lineage(entity).skip(1).map(|entity| entity.name).collect()
}

/// The part of a building's description that an entity belongs to.
fn group(schema: &'static Schema, entity: &'static Entity) -> &'static str {
    let groups = [
        ("IfcTypeObject", "type"),
        ("IfcRelationship", "relationship"),
        ("IfcSpatialElement", "spatial"),
        ("IfcSpatialStructureElement", "spatial"),
        ("IfcElement", "element"),
        ("IfcObjectDefinition", "object"),
        ("IfcPropertyDefinition", "property"),
        ("IfcRepresentationItem", "geometry"),
    ];
    groups.into_iter().find(|(class, _)| entity.is_a(schema, class)).map_or("resource", |(_, group)| group)
}

fn introduce(
    text: &mut String,
    name: &str,
    versions: &[(SchemaVersion, &'static Entity)],
    known: &[SchemaVersion],
) {
    let is_abstract = versions.last().is_some_and(|(_, entity)| entity.is_abstract);
    let kind = if is_abstract { "Abstract entity" } else { "Entity" };
    let _ = writeln!(text, "{kind} of {}.", listed(known));
    if let (Some(first), Some(last)) = (known.first(), known.last()) {
        if *first != SchemaVersion::Ifc2x3 {
            let _ = writeln!(text, "New in {first}; not in the versions before.");
        }
        if *last != SchemaVersion::Ifc4x3 {
            let _ = writeln!(text, "Removed after {last}: not in the versions after it.");
        }
    }
    // an occurrence and its type are asked for together
    let schema = known.last().map(|version| version.schema());
    let sibling = match name.strip_suffix("Type") {
        Some(occurrence) => occurrence.to_owned(),
        None => format!("{name}Type"),
    };
    if let Some(found) = schema.and_then(|schema| schema.entity(&sibling)) {
        let role = if name.ends_with("Type") { "Type of occurrences" } else { "Its types" };
        let _ = writeln!(text, "{role}: {}.", found.name);
    }
}

fn inheritance(text: &mut String, versions: &[(SchemaVersion, &'static Entity)]) {
    let above =
        versions.iter().map(|(version, entity)| (*version, supertypes(version.schema(), entity))).collect();
    for (versions, above) in alike(above) {
        if !above.is_empty() {
            let _ = writeln!(text, "Supertypes ({}): {}.", listed(&versions), above.join(" < "));
        }
    }
    let below =
        versions.iter().map(|(version, entity)| (*version, subtypes(version.schema(), entity))).collect();
    for (versions, below) in alike(below) {
        if !below.is_empty() {
            let more = if below.len() > SUBTYPES {
                format!(" and {} more", below.len() - SUBTYPES)
            } else {
                String::new()
            };
            let shown: Vec<&str> = below.into_iter().take(SUBTYPES).collect();
            let _ = writeln!(text, "Direct subtypes ({}): {}{more}.", listed(&versions), shown.join(", "));
        }
    }
}

fn subtypes(schema: &'static Schema, entity: &'static Entity) -> Vec<&'static str> {
    let all = schema.subtypes(entity.id).iter();
    all.filter(|sub| sub.supertype == Some(entity.id)).map(|sub| sub.name).collect()
}

/// The words that an entity's PredefinedType may have.
fn words(entity: &Entity) -> &'static [&'static str] {
    match entity.attribute("PredefinedType").map(|attribute| attribute.kind) {
        Some(Kind::Enumeration(words)) => words,
        _ => &[],
    }
}

fn predefined_types(text: &mut String, versions: &[(SchemaVersion, &'static Entity)]) {
    let all = versions.iter().map(|(version, entity)| (*version, words(entity))).collect();
    for (versions, words) in alike(all) {
        if !words.is_empty() {
            let _ = writeln!(text, "PredefinedType ({}): {}.", listed(&versions), words.join(", "));
        }
    }
}

fn sets(text: &mut String, name: &str, versions: &[(SchemaVersion, &'static Entity)]) {
    for quantities in [false, true] {
        let title = if quantities { "Quantity sets" } else { "Property sets" };
        let all =
            versions.iter().map(|(version, _)| (*version, applicable(*version, name, quantities))).collect();
        for (versions, (own, further)) in alike(all) {
            if !own.is_empty() {
                let _ = writeln!(text, "{title} ({}): {}.", listed(&versions), own.join(", "));
            }
            if !further.is_empty() {
                let _ =
                    writeln!(text, "{title} of supertypes ({}): {}.", listed(&versions), further.join(", "));
            }
        }
    }
}

/// The sets that name a class itself, those of one predefined type with it, and those that name a class above it.
fn applicable(version: SchemaVersion, name: &str, quantities: bool) -> (Vec<String>, Vec<String>) {
    let schema = version.schema();
    let (mut own, mut further) = (Vec::new(), Vec::new());
    for set in templates::all(version) {
        // sets for everything are no news of a class
        if set.kind.starts_with("QTO_") != quantities || set.applicable.is_empty() {
            continue;
        }
        let mut predefined: Vec<&str> = Vec::new();
        let mut whole = false;
        for applicable in &set.applicable {
            let (class, word) =
                applicable.split_once('/').map_or((*applicable, None), |(class, word)| (class, Some(word)));
            if class == name {
                match word {
                    Some(word) => predefined.push(word),
                    None => whole = true,
                }
            }
        }
        if whole {
            own.push(set.name.to_owned());
        } else if !predefined.is_empty() {
            own.push(format!("{} (for {})", set.name, predefined.join(", ")));
        } else if set.is_for(schema, name, None) {
            further.push(set.name.to_owned());
        }
    }
    own.sort_unstable();
    further.sort_unstable();
    (own, further)
}

fn structure(text: &mut String, versions: &[(SchemaVersion, &'static Entity)]) {
    let Some((newest, entity)) = versions.last() else { return };
    if !entity.attributes.is_empty() {
        let _ = writeln!(text, "Attributes in the order of a STEP line ({newest}):");
        attributes::write(text, entity);
    }
    if !entity.inverses.is_empty() {
        let _ = writeln!(text, "Inverse attributes ({newest}):");
        for inverse in entity.inverses {
            let many = if inverse.single { "one" } else { "set" };
            let _ = writeln!(
                text,
                "- {}: {many} of {}, by its {}",
                inverse.name, inverse.entity, inverse.attribute
            );
        }
    }
}

fn history(text: &mut String, versions: &[(SchemaVersion, &'static Entity)]) {
    for pair in versions.windows(2) {
        let [(before, old), (after, new)] = pair else { continue };
        let mut changes = attributes::changes(old, new);
        let above = |version: &SchemaVersion, entity: &'static Entity| {
            supertypes(version.schema(), entity).first().copied().unwrap_or_default()
        };
        let (was, is) = (above(before, old), above(after, new));
        if was != is {
            changes.push(format!("supertype was {was}, is {is}"));
        }
        if old.is_abstract != new.is_abstract {
            changes
                .push(if new.is_abstract { "is abstract now" } else { "is no longer abstract" }.to_owned());
        }
        let (added, gone) = changed(words(old), words(new));
        for (words, what) in [(added, "added"), (gone, "removed")] {
            if !words.is_empty() {
                changes.push(format!("predefined types {what}: {}", words.join(", ")));
            }
        }
        if changes.is_empty() {
            let _ = writeln!(text, "From {before} to {after} unchanged.");
        } else {
            let _ = writeln!(text, "From {before} to {after}: {}.", changes.join("; "));
        }
    }
}
