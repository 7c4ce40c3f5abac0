//! The tables that PSE001 and QTY001 hold property and quantity sets against: which sets there are, what they are for,
//! and which properties they have.

use ifc::SchemaVersion;
use ifc::schema::PerVersion;
use std::collections::HashMap;

/// The rules about a set.
pub(super) struct SetRule {
    /// `PSET_TYPEDRIVENOVERRIDE`, …; empty in IFC2X3.
    pub kind: &'static str,
    /// Classes, each with the predefined type it is for, in capitals.
    pub applicable: Vec<(&'static str, Option<&'static str>)>,
    pub properties: Vec<PropertyRule>,
}

/// The rules about a property or quantity.
pub(super) struct PropertyRule {
    pub name: &'static str,
    /// `IfcPropertySingleValue`; empty if the table does not say.
    pub class: &'static str,
    /// `IfcLabel`; empty if the table does not say.
    pub data_type: &'static str,
    /// The words of an enumeration; none if the table does not say.
    pub words: Vec<&'static str>,
}

impl SetRule {
    pub fn property(&self, name: &str) -> Option<&PropertyRule> {
        self.properties.iter().find(|property| property.name == name)
    }
}

type Table = HashMap<&'static str, SetRule>;

/// The rules about the set of this name.
pub(super) fn find(version: SchemaVersion, name: &str) -> Option<&'static SetRule> {
    table(version).get(name)
}

fn table(version: SchemaVersion) -> &'static Table {
    static TABLES: PerVersion<Table> = PerVersion::new();
    let text = version.pick([
        include_str!("generated/ifc2x3.txt"),
        include_str!("generated/ifc4.txt"),
        include_str!("generated/ifc4x3.txt"),
    ]);
    TABLES.get_or_init(version, || text.lines().filter_map(set).collect())
}

fn set(line: &'static str) -> Option<(&'static str, SetRule)> {
    let mut fields = line.split('\t');
    let name = fields.next().filter(|name| !name.starts_with('#'))?;
    let kind = fields.next()?;
    let class = |text: &'static str| match text.split_once('/') {
        Some((class, predefined)) => (class, Some(predefined)),
        None => (text, None),
    };
    let applicable = fields.next()?.split(',').filter(|text| !text.is_empty()).map(class).collect();
    let properties = fields
        .filter_map(|field| {
            let mut parts = field.split('|');
            let (name, class, data_type) = (parts.next()?, parts.next()?, parts.next()?);
            let words = parts.next()?.split(';').filter(|word| !word.is_empty()).collect();
            Some(PropertyRule { name, class, data_type, words })
        })
        .collect();
    Some((name, SetRule { kind, applicable, properties }))
}
