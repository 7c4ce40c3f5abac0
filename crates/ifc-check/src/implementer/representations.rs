//! GEM002 to GEM005: what representations of products are called and what kind they are.

use super::Context;
use ifc::relations::{AGGREGATES, CONTAINS};
use ifc::{Instance, SchemaVersion};

const IDENTIFIERS: [&str; 11] = [
    "CoG",
    "Box",
    "Annotation",
    "Axis",
    "FootPrint",
    "Profile",
    "Surface",
    "Reference",
    "Body",
    "Clearance",
    "Lighting",
];

const IDENTIFIERS_4X3: [&str; 12] = [
    "CoG",
    "Box",
    "Annotation",
    "Axis",
    "FootPrint",
    "Profile",
    "Surface",
    "Reference",
    "Body",
    "Body-Fallback",
    "Clearance",
    "Lighting",
];

const TYPES_2X3: [&str; 14] = [
    "Curve2D",
    "GeometricSet",
    "GeometricCurveSet",
    "Annotation2D",
    "SurfaceModel",
    "SolidModel",
    "SweptSolid",
    "Brep",
    "CSG",
    "Clipping",
    "AdvancedSweptSolid",
    "BoundingBox",
    "SectionedSpine",
    "MappedRepresentation",
];

const TYPES: [&str; 27] = [
    "Point",
    "PointCloud",
    "Curve",
    "Curve2D",
    "Curve3D",
    "Surface",
    "Surface2D",
    "Surface3D",
    "FillArea",
    "Text",
    "AdvancedSurface",
    "GeometricSet",
    "GeometricCurveSet",
    "Annotation2D",
    "SurfaceModel",
    "Tessellation",
    "SolidModel",
    "SweptSolid",
    "AdvancedSweptSolid",
    "Brep",
    "AdvancedBrep",
    "CSG",
    "Clipping",
    "BoundingBox",
    "SectionedSpine",
    "LightSource",
    "MappedRepresentation",
];

/// The types that IFC4X3 adds to [`TYPES`].
const TYPES_4X3: [&str; 2] = ["SectionedSurface", "Segment"];

const TOPOLOGY: [&str; 6] = ["Vertex", "Edge", "Path", "Face", "Shell", "Undefined"];

/// The identifiers that a schema's documentation has for shape representations; none for IFC2X3, which leaves them
/// open.
pub(super) fn identifiers(version: SchemaVersion) -> &'static [&'static str] {
    match version {
        SchemaVersion::Ifc2x3 => &[],
        SchemaVersion::Ifc4 => &IDENTIFIERS,
        SchemaVersion::Ifc4x3 => &IDENTIFIERS_4X3,
    }
}

fn has_type(version: SchemaVersion, kind: &str) -> bool {
    match version {
        SchemaVersion::Ifc2x3 => TYPES_2X3.contains(&kind),
        SchemaVersion::Ifc4 => TYPES.contains(&kind),
        SchemaVersion::Ifc4x3 => TYPES.contains(&kind) || TYPES_4X3.contains(&kind),
    }
}

/// The representations of a product.
pub(super) fn read<'m>(context: &Context<'m, '_>, product: &Instance<'_>) -> Vec<Instance<'m>> {
    let shape = product.reference("Representation").and_then(|id| context.model.get(id));
    shape.map_or_else(Vec::new, |shape| context.at(&shape, "Representations"))
}

pub(super) fn spaces(context: &mut Context<'_, '_>) {
    const KINDS: [&str; 4] = ["SweptSolid", "Clipping", "Brep", "Tessellation"];
    for space in context.of_class("IfcSpace") {
        let all: Vec<(String, String)> = read(context, &space)
            .iter()
            .map(|one| {
                let text = |name: &str| one.text(name).unwrap_or_default();
                (text("RepresentationIdentifier"), text("RepresentationType"))
            })
            .collect();
        let body =
            |kinds: &[&str]| all.iter().any(|(name, kind)| name == "Body" && kinds.contains(&kind.as_str()));
        if !body(&KINDS) {
            context.report_about(&space, Some("Representation"), |named| {
                let found: Vec<String> = all.iter().map(|(name, kind)| format!("{name}/{kind}")).collect();
                let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
                format!(
                    "{named} has no representation 'Body' of type {} (it has {found}); give it one",
                    KINDS.join(", ")
                )
            });
        } else if body(&["Brep"]) && !all.iter().any(|(name, _)| name == "FootPrint") {
            context.report_about(&space, Some("Representation"), |named| {
                format!("{named} has a body of type Brep and no representation 'FootPrint'; add it")
            });
        }
    }
}

pub(super) fn unique_identifiers(context: &mut Context<'_, '_>) {
    for product in context.of_class("IfcProduct") {
        let mut names: Vec<String> =
            read(context, &product).iter().filter_map(|one| one.text("RepresentationIdentifier")).collect();
        names.sort_unstable();
        let twice = names.windows(2).find(|pair| pair.first() == pair.last()).and_then(|pair| pair.first());
        if let Some(twice) = twice {
            context.report_about(&product, Some("Representation"), |named| {
                format!("{named} has more than one representation '{twice}'; put their items into one")
            });
        }
    }
}

pub(super) fn standard_words(context: &mut Context<'_, '_>) {
    let version = context.version();
    let names = identifiers(version);
    for product in context.of_class("IfcProduct") {
        for one in read(context, &product) {
            if let Some(name) = one.text("RepresentationIdentifier")
                && !names.is_empty()
                && !names.contains(&name.as_str())
            {
                context.report_about(&one, Some("RepresentationIdentifier"), |named| {
                    format!(
                        "{named} of {} is called '{name}', which is no standard identifier; use one of {}",
                        product.id(),
                        names.join(", ")
                    )
                });
            }
            let Some(kind) = one.text("RepresentationType") else { continue };
            let known = match one.class_name() {
                "IfcShapeRepresentation" => has_type(version, &kind),
                "IfcTopologyRepresentation" => TOPOLOGY.contains(&kind.as_str()),
                _ => true,
            };
            if !known {
                context.report_about(&one, Some("RepresentationType"), |named| {
                    format!(
                        "{named} of {} has the type '{kind}', which is no standard type of {}",
                        product.id(),
                        one.class_name()
                    )
                });
            }
        }
    }
}

pub(super) fn empty_buildings(context: &mut Context<'_, '_>) {
    for building in context.of_class("IfcBuilding") {
        if context.is_at(building.id(), CONTAINS) || context.is_at(building.id(), AGGREGATES) {
            continue;
        }
        let found = read(context, &building);
        if found.is_empty() {
            context.report_about(&building, Some("Representation"), |named| {
                format!("{named} is empty and has no representation; fill it, or represent it by a 'Body'")
            });
        }
        for one in found {
            let name = one.text("RepresentationIdentifier").unwrap_or_default();
            if name != "Body" {
                context.report_about(&one, Some("RepresentationIdentifier"), |named| {
                    format!(
                        "{named} of the empty building {} is called '{name}'; 'Body' is due",
                        building.id()
                    )
                });
            }
        }
    }
}
