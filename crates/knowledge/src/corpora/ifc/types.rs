//! Sections on enumerations, selects and defined types.

use super::{alike, attributes, changed, glossary, listed, units, version_names};
use crate::corpora::names::IFC;
use crate::section::Section;
use ifc_schema::{Definition, SchemaVersion, TypeDeclaration, base};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Uses of a type that are told.
const USES: usize = 40;

/// A section for every type of any version that is no entity.
pub fn sections() -> Vec<Section> {
    let mut types: BTreeMap<&'static str, Vec<(SchemaVersion, &'static TypeDeclaration)>> = BTreeMap::new();
    for version in SchemaVersion::ALL {
        for declaration in version.schema().types() {
            types.entry(declaration.name).or_default().push((version, declaration));
        }
    }
    let uses = attributes::uses();
    types.into_iter().map(|(name, versions)| section(name, &versions, uses.get(name))).collect()
}

fn section(
    name: &str,
    versions: &[(SchemaVersion, &'static TypeDeclaration)],
    uses: Option<&BTreeSet<String>>,
) -> Section {
    let known: Vec<SchemaVersion> = versions.iter().map(|(version, _)| *version).collect();
    let kind = match versions.last().map(|(_, declaration)| &declaration.definition) {
        Some(Definition::Enumeration(_)) => "enumeration",
        Some(Definition::Select { .. }) => "select",
        _ => "defined type",
    };
    let mut text = format!("{} of {}.\n", capital(kind), listed(&known));
    if let Some(unit) = units::unit(name) {
        let _ = writeln!(text, "SI unit: {unit}.");
    }
    for (versions, definition) in
        alike(versions.iter().map(|(version, of)| (*version, told(*version, of))).collect())
    {
        let _ = writeln!(text, "{} ({}).", definition, listed(&versions));
    }
    for pair in versions.windows(2) {
        let [(before, old), (after, new)] = pair else { continue };
        let (added, gone) = changed(words(old), words(new));
        for (words, what) in [(added, "added"), (gone, "removed")] {
            if !words.is_empty() {
                let _ = writeln!(text, "From {before} to {after} {what}: {}.", words.join(", "));
            }
        }
    }
    if let Some(uses) = uses {
        let shown: Vec<&str> = uses.iter().take(USES).map(String::as_str).collect();
        let more = if uses.len() > USES { format!(" and {} more", uses.len() - USES) } else { String::new() };
        let _ = writeln!(text, "Used by: {}{more}.", shown.join(", "));
    }
    Section {
        corpus: IFC.to_owned(),
        location: format!("{IFC}/{name}"),
        title: name.to_owned(),
        path: vec![format!("IFC {kind}s")],
        tags: vec![kind.to_owned()],
        versions: version_names(&known),
        text,
        names: glossary::names_of(name),
        ..Section::default()
    }
}

fn capital(word: &str) -> String {
    let mut signs = word.chars();
    signs.next().map(|first| first.to_uppercase().collect::<String>() + signs.as_str()).unwrap_or_default()
}

fn words(declaration: &TypeDeclaration) -> &'static [&'static str] {
    match declaration.definition {
        Definition::Enumeration(words) => words,
        Definition::Select { members, .. } => members,
        Definition::Defined { .. } => &[],
    }
}

fn told(version: SchemaVersion, declaration: &TypeDeclaration) -> String {
    match &declaration.definition {
        Definition::Enumeration(items) => format!("One of: {}", items.join(", ")),
        Definition::Select { members, .. } => format!("One of these types: {}", members.join(", ")),
        Definition::Defined { declared, .. } => {
            let (_, inner) = base(version.schema(), declaration.name);
            if inner.is_empty() || inner == *declared {
                format!("Declared as {declared}")
            } else {
                format!("Declared as {declared}, in the end {inner}")
            }
        }
    }
}
