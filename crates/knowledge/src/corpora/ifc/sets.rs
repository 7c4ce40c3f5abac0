//! Sections on property and quantity sets.

use super::{alike, changed, glossary, listed, units, version_names};
use crate::corpora::names::IFC;
use crate::section::Section;
use ifc::psets::templates::{self, SetTemplate, Template};
use ifc_schema::SchemaVersion;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::OnceLock;

/// A section for every set of any version.
pub fn sections() -> Vec<Section> {
    let mut sets: BTreeMap<&'static str, Vec<(SchemaVersion, &'static SetTemplate)>> = BTreeMap::new();
    for version in SchemaVersion::ALL {
        for set in templates::all(version) {
            sets.entry(set.name).or_default().push((version, set));
        }
    }
    sets.into_iter().map(|(name, versions)| section(name, &versions)).collect()
}

fn section(name: &str, versions: &[(SchemaVersion, &'static SetTemplate)]) -> Section {
    let known: Vec<SchemaVersion> = versions.iter().map(|(version, _)| *version).collect();
    let quantities = versions.last().is_some_and(|(_, set)| set.kind.starts_with("QTO_"));
    let kind = if quantities { "quantity set" } else { "property set" };
    let mut text =
        format!("{} of {}.\n", if quantities { "Quantity set" } else { "Property set" }, listed(&known));
    for (versions, classes) in
        alike(versions.iter().map(|(version, set)| (*version, &set.applicable)).collect())
    {
        let classes =
            if classes.is_empty() { "everything that has properties".to_owned() } else { classes.join(", ") };
        let _ = writeln!(text, "For ({}): {classes}.", listed(&versions));
    }
    if let Some((_, set)) = versions.last()
        && let Some(driven) = driven(set.kind)
    {
        let _ = writeln!(text, "{driven}");
    }
    let mut names = Vec::new();
    if let Some((newest, set)) = versions.last() {
        let members = if quantities { "Quantities" } else { "Properties" };
        let _ = writeln!(text, "{members} ({newest}):");
        for property in &set.properties {
            describe(&mut text, *newest, set.name, property);
        }
    }
    history(&mut text, versions);
    names.extend(glossary::names_of(name));
    for (_, set) in versions.iter().rev() {
        // nearly every set has these two: their names would find all of them
        for property in
            set.properties.iter().filter(|property| !["Reference", "Status"].contains(&property.name))
        {
            names.extend(glossary::names_of_property(property.name));
        }
    }
    let mut unique: Vec<String> = Vec::new();
    for name in names {
        if !unique.contains(&name) {
            unique.push(name);
        }
    }
    Section {
        corpus: IFC.to_owned(),
        location: format!("{IFC}/{name}"),
        title: name.to_owned(),
        path: vec![if quantities { "IFC quantity sets" } else { "IFC property sets" }.to_owned()],
        tags: vec![kind.to_owned()],
        versions: version_names(&known),
        text,
        names: unique,
        ..Section::default()
    }
}

/// Where a set may stand, by its kind (IfcPropertySetTemplateTypeEnum).
fn driven(kind: &str) -> Option<&'static str> {
    Some(match kind.rsplit_once('_')?.1 {
        "TYPEDRIVENONLY" => "On types only.",
        "TYPEDRIVENOVERRIDE" => "On types and on occurrences; what stands on the occurrence holds.",
        "OCCURRENCEDRIVEN" => "On occurrences only.",
        "PERFORMANCEDRIVEN" => "On IfcPerformanceHistory: values over time.",
        _ => return None,
    })
}

fn describe(text: &mut String, version: SchemaVersion, set: &str, property: &Template) {
    let _ = write!(text, "- {}: ", property.name);
    if let Some(class) = property.quantity_class() {
        text.push_str(class);
    } else {
        let kind = match property.kind {
            "SINGLE" => "",
            "ENUMERATED" => "from a list, ",
            "LIST" => "list of values, ",
            "BOUNDED" => "range of values, ",
            "TABLE" => "table, ",
            "REFERENCE" => "reference to ",
            "COMPLEX" => "complex property",
            other => other,
        };
        let _ = write!(text, "{kind}{}", property.measure);
        if !property.defined.is_empty() {
            let _ = write!(text, " to {}", property.defined);
        }
    }
    if let Some(unit) = property.quantity_class().or(Some(property.measure)).and_then(units::unit) {
        let _ = write!(text, " [{unit}]");
    }
    if let Some(words) = words(version, set, property.name) {
        let _ = write!(text, ", one of {}", words.replace('|', ", "));
    }
    let german = glossary::german_names_of_property(property.name);
    if !german.is_empty() {
        let _ = write!(text, "; German: {}", german.join(", "));
    }
    text.push('\n');
}

fn history(text: &mut String, versions: &[(SchemaVersion, &'static SetTemplate)]) {
    let names = |set: &'static SetTemplate| -> Vec<&'static str> {
        set.properties.iter().map(|property| property.name).collect()
    };
    for pair in versions.windows(2) {
        let [(before, old), (after, new)] = pair else { continue };
        let (added, gone) = changed(&names(old), &names(new));
        for (words, what) in [(added, "added"), (gone, "removed")] {
            if !words.is_empty() {
                let _ = writeln!(text, "From {before} to {after} {what}: {}.", words.join(", "));
            }
        }
        let other: Vec<String> = new
            .properties
            .iter()
            .filter_map(|property| {
                let known = old.properties.iter().find(|known| known.name == property.name)?;
                let differs = known.measure != property.measure && !known.measure.is_empty();
                differs.then(|| format!("{} was {}", property.name, known.measure))
            })
            .collect();
        if !other.is_empty() {
            let _ = writeln!(text, "From {before} to {after} of another type: {}.", other.join(", "));
        }
    }
}

/// The words that a property of a set chooses from in a version, with `|` between them.
fn words(version: SchemaVersion, set: &str, property: &str) -> Option<&'static str> {
    type Words = HashMap<&'static str, Vec<(&'static str, &'static str)>>;
    static WORDS: OnceLock<Words> = OnceLock::new();
    let known = WORDS.get_or_init(|| {
        let mut known = Words::new();
        for line in include_str!("generated/values.txt").lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split('\t');
            if let (Some(name), Some(versions), Some(words)) = (fields.next(), fields.next(), fields.next()) {
                known.entry(name).or_default().push((versions, words));
            }
        }
        known
    });
    let of_version = |versions: &str| versions.split(',').any(|name| name == version.as_str());
    let found = known.get(format!("{set}.{property}").as_str())?;
    found.iter().find(|(versions, _)| of_version(versions)).map(|(_, words)| *words)
}
