//! IFC in three versions, a section for every entity, type, property set and quantity set: a sentence of our own, names, structure and
//! what differs between the versions. No definition of the standard stands here, only its tables, told in words.

mod attributes;
mod entities;
mod glossary;
mod sets;
#[cfg(test)]
mod tests;
mod types;
mod units;

use super::meanings;
use crate::section::Section;
use ifc_schema::SchemaVersion;

/// All sections on IFC, in the order of their addresses.
pub fn sections() -> Vec<Section> {
    let mut sections = entities::sections();
    sections.extend(types::sections());
    sections.extend(sets::sections());
    sections.sort_by(|a, b| a.location.cmp(&b.location));
    meanings::explained(sections)
}

/// Names of versions, oldest first.
fn version_names(versions: &[SchemaVersion]) -> Vec<String> {
    versions.iter().map(|version| version.as_str().to_owned()).collect()
}

/// `IFC2X3, IFC4`.
fn listed(versions: &[SchemaVersion]) -> String {
    version_names(versions).join(", ")
}

/// Values by version, those that are alike together, newest first: `[([IFC4, IFC4X3], …), ([IFC2X3], …)]`.
fn alike<T: PartialEq>(values: Vec<(SchemaVersion, T)>) -> Vec<(Vec<SchemaVersion>, T)> {
    let mut groups: Vec<(Vec<SchemaVersion>, T)> = Vec::new();
    for (version, value) in values.into_iter().rev() {
        match groups.iter_mut().find(|(_, known)| *known == value) {
            Some((versions, _)) => versions.insert(0, version),
            None => groups.push((vec![version], value)),
        }
    }
    groups
}

/// The words of a list that changed from one version to the next: added, and gone.
fn changed<'a>(before: &[&'a str], after: &[&'a str]) -> (Vec<&'a str>, Vec<&'a str>) {
    let without = |all: &[&'a str], other: &[&'a str]| -> Vec<&'a str> {
        all.iter().copied().filter(|word| !other.contains(word)).collect()
    };
    (without(after, before), without(before, after))
}
