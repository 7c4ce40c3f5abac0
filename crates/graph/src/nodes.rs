//! Which instances are nodes of the graph, and which attributes of theirs are predicates.
//!
//! Nodes are what people name: objects, types, groups, property sets with their properties and quantities, materials with their layers,
//! profiles and constituents, classifications, documents, and space boundaries, which BOT calls interfaces. Geometry, placements, owner
//! histories, units and the other relationships are none: relationships are edges (see [`crate::edges`]).

use ifc_schema::{Attribute, Entity, Kind, PerVersion, Schema, SchemaVersion};
use std::collections::BTreeSet;

/// Classes whose instances are nodes, with their subtypes, where a schema has them.
const NODES: [&str; 17] = [
    "IfcObjectDefinition",
    "IfcPropertyDefinition",
    "IfcRelSpaceBoundary",
    "IfcProperty",
    "IfcPhysicalQuantity",
    "IfcMaterialDefinition",
    "IfcMaterialUsageDefinition",
    "IfcMaterial",
    "IfcMaterialLayer",
    "IfcMaterialLayerSet",
    "IfcMaterialLayerSetUsage",
    "IfcMaterialList",
    "IfcMaterialProperties",
    "IfcExternalReference",
    "IfcClassification",
    "IfcDocumentInformation",
    "IfcExternalInformation",
];

/// The node classes of one schema, and their attributes.
pub struct Nodes {
    /// By the place of a class: true if its instances are nodes.
    is_node: Vec<bool>,
    /// By the place of a class, for each attribute: true if its values are literals or references to nodes.
    is_predicate: Vec<Vec<bool>>,
    /// The attributes that are predicates in any class.
    attributes: BTreeSet<&'static str>,
}

static TABLES: PerVersion<Nodes> = PerVersion::new();

impl Nodes {
    /// The tables of a schema.
    pub fn of_schema(version: SchemaVersion) -> &'static Nodes {
        TABLES.get_or_init(version, || Nodes::new(version.schema()))
    }

    fn new(schema: &'static Schema) -> Self {
        let is_node: Vec<bool> = schema
            .entities()
            .iter()
            .map(|entity| NODES.iter().any(|class| entity.is_a(schema, class)))
            .collect();
        let mut nodes = Self { is_node, is_predicate: Vec::new(), attributes: BTreeSet::new() };
        for entity in schema.entities() {
            let gives = |attribute: &&Attribute| nodes.has(entity) && nodes.gives(schema, attribute.kind);
            let marks: Vec<bool> = entity.attributes.iter().map(gives).collect();
            if !entity.is_abstract {
                let marked = entity.attributes.iter().zip(&marks).filter(|(_, gives)| **gives);
                nodes.attributes.extend(marked.map(|(attribute, _)| attribute.name));
            }
            nodes.is_predicate.push(marks);
        }
        nodes
    }

    /// True if instances of a class are nodes.
    pub fn has(&self, entity: &Entity) -> bool {
        self.is_node.get(usize::from(entity.id.0)).copied().unwrap_or_default()
    }

    /// True if values of a kind can be literals or nodes.
    fn gives(&self, schema: &Schema, kind: Kind) -> bool {
        let may_be_node = |name: &str| {
            let entity = schema.entity(name);
            entity.is_some_and(|entity| schema.subtypes(entity.id).iter().any(|sub| self.has(sub)))
        };
        match kind {
            Kind::Number
            | Kind::Integer
            | Kind::Text
            | Kind::Boolean
            | Kind::Logical
            | Kind::Enumeration(_) => true,
            Kind::Binary => false,
            Kind::Entity(name) => may_be_node(name),
            Kind::Select(leaves) => {
                leaves.iter().any(|leaf| schema.entity(leaf).is_none() || may_be_node(leaf))
            }
            // a list of plain numbers is one value, such as a latitude, and its members say nothing
            Kind::List(list) => {
                !matches!(list.of, Kind::Number | Kind::Integer | Kind::List(_))
                    && self.gives(schema, list.of)
            }
        }
    }

    /// True if an attribute of a class, by its place, is a predicate.
    pub fn is_predicate(&self, entity: &Entity, place: usize) -> bool {
        let marks = self.is_predicate.get(usize::from(entity.id.0));
        marks.and_then(|marks| marks.get(place)).copied().unwrap_or_default()
    }

    /// The attributes of a class that are predicates.
    pub fn attributes_of(&self, entity: &Entity) -> impl Iterator<Item = &'static str> {
        let marks = self.is_predicate.get(usize::from(entity.id.0)).into_iter().flatten();
        let marked = entity.attributes.iter().zip(marks).filter(|(_, gives)| **gives);
        marked.map(|(attribute, _)| attribute.name)
    }

    /// The attribute of this name in the spelling of the schema, if it is a predicate in any class.
    pub fn attribute(&self, name: &str) -> Option<&'static str> {
        self.attributes.get(name).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_name_is_a_node_and_geometry_is_not() {
        for version in SchemaVersion::ALL {
            let nodes = Nodes::of_schema(version);
            let is_node = |class: &str| nodes.has(version.schema().entity(class).unwrap());
            for class in [
                "IfcWall",
                "IfcMaterial",
                "IfcMaterialLayer",
                "IfcPropertySet",
                "IfcZone",
                "IfcClassificationReference",
            ] {
                assert!(is_node(class), "{class} in {version}");
            }
            for class in
                ["IfcRelAggregates", "IfcCartesianPoint", "IfcLocalPlacement", "IfcOwnerHistory", "IfcSIUnit"]
            {
                assert!(!is_node(class), "{class} in {version}");
            }
        }
    }

    #[test]
    fn attributes_that_lead_to_geometry_are_no_predicates() {
        let nodes = Nodes::of_schema(SchemaVersion::Ifc4);
        for name in
            ["Name", "OverallHeight", "HasProperties", "NominalValue", "MaterialLayers", "RelatingSpace"]
        {
            assert!(nodes.attribute(name).is_some(), "{name}");
        }
        for name in ["OwnerHistory", "ObjectPlacement", "Representation", "RefLatitude"] {
            assert!(nodes.attribute(name).is_none(), "{name}");
        }
    }
}
