//! What buildingSMART's property and quantity set templates say: which properties a set has, of which type.

use crate::schema::{Schema, SchemaVersion};
use std::collections::HashMap;
use std::sync::OnceLock;

/// One property or quantity of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// `FireRating`.
    pub name: &'static str,
    /// `SINGLE`, `ENUMERATED`, `LIST`, `BOUNDED`, `TABLE`, `REFERENCE`, `COMPLEX`, or a quantity: `Q_AREA`, ….
    pub kind: &'static str,
    /// `IfcLabel`, `IfcPositiveLengthMeasure`, …; may be empty.
    pub measure: &'static str,
}

impl Template {
    /// Whether its values come from a list of words.
    pub fn is_enumerated(&self) -> bool {
        self.kind == "ENUMERATED"
    }

    /// The class of a quantity; none for properties.
    pub fn quantity_class(&self) -> Option<&'static str> {
        Some(match self.kind {
            "Q_LENGTH" => "IfcQuantityLength",
            "Q_AREA" => "IfcQuantityArea",
            "Q_VOLUME" => "IfcQuantityVolume",
            "Q_COUNT" => "IfcQuantityCount",
            "Q_WEIGHT" => "IfcQuantityWeight",
            "Q_TIME" => "IfcQuantityTime",
            _ => return None,
        })
    }

    /// The type of a single value, if the schema has it.
    pub fn measure(&self, schema: &Schema) -> Option<&'static str> {
        let single = self.kind == "SINGLE";
        schema.type_declaration(self.measure).filter(|_| single).map(|declaration| declaration.name)
    }
}

/// A set's template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetTemplate {
    /// `Pset_WallCommon`.
    pub name: &'static str,
    /// The classes it applies to, as the template writes them: `IfcWall`, `IfcPump/CIRCULATOR`, …
    pub applicable: Vec<&'static str>,
    /// Its properties.
    pub properties: Vec<Template>,
}

type Table = HashMap<&'static str, SetTemplate>;

/// The template of a property.
pub fn find(version: SchemaVersion, set: &str, name: &str) -> Option<&'static Template> {
    find_set(version, set)?.properties.iter().find(|property| property.name == name)
}

/// The template of a set.
pub fn find_set(version: SchemaVersion, set: &str) -> Option<&'static SetTemplate> {
    table(version).get(set)
}

/// Every set's template, in no order.
pub fn all(version: SchemaVersion) -> impl Iterator<Item = &'static SetTemplate> {
    table(version).values()
}

/// The class of a quantity that no template knows, by its name.
pub fn quantity_class_by_name(name: &str) -> &'static str {
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["Area"]) {
        "IfcQuantityArea"
    } else if has(&["Volume"]) {
        "IfcQuantityVolume"
    } else if has(&["Weight", "Mass"]) {
        "IfcQuantityWeight"
    } else if has(&["Count", "NumberOf"]) {
        "IfcQuantityCount"
    } else if has(&["Time", "Duration"]) {
        "IfcQuantityTime"
    } else {
        "IfcQuantityLength"
    }
}

fn table(version: SchemaVersion) -> &'static Table {
    static TABLES: [OnceLock<Table>; 3] = [const { OnceLock::new() }; 3];
    let [old, current, newest] = &TABLES;
    let (cell, text) = match version {
        SchemaVersion::Ifc2x3 => (old, include_str!("generated/ifc2x3.txt")),
        SchemaVersion::Ifc4 => (current, include_str!("generated/ifc4.txt")),
        SchemaVersion::Ifc4x3 => (newest, include_str!("generated/ifc4x3.txt")),
    };
    cell.get_or_init(|| text.lines().filter_map(set).collect())
}

fn set(line: &'static str) -> Option<(&'static str, SetTemplate)> {
    let mut fields = line.split('\t');
    let name = fields.next().filter(|name| !name.starts_with('#'))?;
    let applicable = fields.next()?.split(',').map(str::trim).filter(|class| !class.is_empty()).collect();
    let property = |text: &'static str| {
        let mut parts = text.split(':');
        Some(Template { name: parts.next()?, kind: parts.next()?, measure: parts.next()? })
    };
    let properties = fields.next()?.split(' ').filter_map(property).collect();
    Some((name, SetTemplate { name, applicable, properties }))
}
