//! buildingSMART's templates of property and quantity sets: which properties a set has, of which type, and which
//! classes it is for.
//!
//! A template names classes of occurrences, with a predefined type where it is for that only. By the implementers'
//! agreement a set that types drive is for the corresponding type classes too, although the template does not name
//! them (IfcPropertySetTemplateTypeEnum, ISO 16739-1:2018, 5.1.2).

use crate::schema::{Entity, PerVersion, Schema, SchemaVersion};
use std::collections::HashMap;

/// One property or quantity of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// `FireRating`.
    pub name: &'static str,
    /// `SINGLE`, `ENUMERATED`, `LIST`, `BOUNDED`, `TABLE`, `REFERENCE`, `COMPLEX`, or a quantity: `Q_AREA`, ….
    pub kind: &'static str,
    /// `IfcLabel`, `IfcPositiveLengthMeasure`, …; of a table, what it looks up; may be empty.
    pub measure: &'static str,
    /// The type of a table's defined values; empty for the others.
    pub defined: &'static str,
}

impl Template {
    /// True if its values come from a list of words.
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
    /// `PSET_TYPEDRIVENOVERRIDE`, `QTO_OCCURRENCEDRIVEN`, …: IfcPropertySetTemplateTypeEnum; empty if not said.
    pub kind: &'static str,
    /// Its properties.
    pub properties: Vec<Template>,
}

impl SetTemplate {
    /// True if it is for instances of a class of this schema, and for this predefined type if it is for one only.
    pub fn is_for(&self, schema: &Schema, class: &str, predefined_type: Option<&str>) -> bool {
        let Some(entity) = schema.entity(class) else { return false };
        // IFC4 gives quantities to occurrences alone, which IFC4X3 put right
        let of_types = self.kind.contains("TYPE")
            || (self.kind.starts_with("QTO_") && schema.version() == SchemaVersion::Ifc4);
        let is_type = of_types && entity.is_a(schema, "IfcTypeObject");
        if self.applicable.is_empty() {
            return entity.is_a(schema, "IfcRoot");
        }
        self.applicable.iter().any(|applicable| {
            let (class, predefined) = parts(applicable);
            let asked = predefined_type.unwrap_or_default();
            if predefined.is_some_and(|wanted| !wanted.eq_ignore_ascii_case(asked)) {
                return false;
            }
            entity.is_a(schema, class)
                || (is_type && type_classes(schema, class).iter().any(|of| entity.is_a(schema, of.name)))
        })
    }
}

/// Class and predefined type of `IfcPump`, `IfcPump/CIRCULATOR`, `IfcPump[PerformanceHistory]`.
fn parts(applicable: &'static str) -> (&'static str, Option<&'static str>) {
    let plain = |text: &'static str| text.split('[').next().unwrap_or_default().trim();
    match applicable.split_once('/') {
        Some((class, predefined)) => (plain(class), Some(plain(predefined))),
        None => (plain(applicable), None),
    }
}

/// The classes of types that instances of a class can have: `IfcWallType` for `IfcWall`; for a class that has none of
/// its own, such as `IfcWallStandardCase` or in IFC2X3 `IfcRoof`, those of the building element that it specialises.
fn type_classes(schema: &Schema, class: &str) -> Vec<&'static Entity> {
    let Some(entity) = schema.entity(class) else { return Vec::new() };
    for ancestor in schema.lineage(entity) {
        let plain = ancestor.name.strip_prefix("Ifc").unwrap_or(ancestor.name);
        let names = [format!("Ifc{plain}Type"), format!("Ifc{plain}Style"), format!("IfcType{plain}")];
        let found: Vec<_> = names
            .iter()
            .filter_map(|name| schema.entity(name))
            .filter(|of| of.is_a(schema, "IfcTypeObject"))
            .collect();
        let is_element = ["IfcBuildingElement", "IfcBuiltElement"].iter().any(|c| ancestor.is_a(schema, c));
        if !found.is_empty() || !is_element {
            return found;
        }
    }
    Vec::new()
}

/// The sets for instances of a class, and for this predefined type among the rest, by name.
pub fn applicable(
    version: SchemaVersion,
    class: &str,
    predefined_type: Option<&str>,
) -> Vec<&'static SetTemplate> {
    let schema = version.schema();
    let mut found: Vec<_> = all(version).filter(|set| set.is_for(schema, class, predefined_type)).collect();
    found.sort_unstable_by_key(|set| set.name);
    found
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
    static TABLES: PerVersion<Table> = PerVersion::new();
    let text = version.pick([
        include_str!("generated/ifc2x3.txt"),
        include_str!("generated/ifc4.txt"),
        include_str!("generated/ifc4x3.txt"),
    ]);
    TABLES.get_or_init(version, || text.lines().filter_map(set).collect())
}

fn set(line: &'static str) -> Option<(&'static str, SetTemplate)> {
    let mut fields = line.split('\t');
    let name = fields.next().filter(|name| !name.starts_with('#'))?;
    let applicable = fields.next()?.split(',').map(str::trim).filter(|class| !class.is_empty()).collect();
    let kind = fields.next()?;
    let property = |text: &'static str| {
        let mut parts = text.split(':');
        let (name, kind, measure) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Template { name, kind, measure, defined: parts.next().unwrap_or_default() })
    };
    let properties = fields.next()?.split(' ').filter_map(property).collect();
    Some((name, SetTemplate { name, applicable, kind, properties }))
}
