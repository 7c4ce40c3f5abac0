//! SPS001 to SPS008: how space is broken down and where elements stand in it.

use super::{Context, named};
use ifc::relations::{ADHERES, AGGREGATED, AGGREGATES, CONTAINED, End, NESTED, VOIDS};
use ifc::{Instance, SchemaVersion};

/// A product that is positioned relative to a grid or alignment (IFC4X3).
const POSITIONED: End = End { class: "IfcRelPositions", attribute: "RelatedProducts" };
/// An element that is referenced in a spatial structure.
const REFERENCED: End = End { class: "IfcRelReferencedInSpatialStructure", attribute: "RelatedElements" };

/// True if the header claims this model view definition.
fn has_view(context: &Context<'_, '_>, view: &str) -> bool {
    context.model.header().description.iter().any(|line| {
        let Some((kind, rest)) = line.split_once('[') else { return false };
        let views = rest.trim_end().trim_end_matches(']');
        kind.trim() == "ViewDefinition" && views.split(',').any(|one| one.trim().eq_ignore_ascii_case(view))
    })
}

/// True if the element is a part of another: aggregation, and in IFC2X3 nesting too.
fn is_part(context: &Context<'_, '_>, element: &Instance<'_>) -> bool {
    context.is_at(element.id(), AGGREGATED)
        || (context.version() == SchemaVersion::Ifc2x3 && context.is_at(element.id(), NESTED))
}

pub(super) fn one_site(context: &mut Context<'_, '_>) {
    if context.version() != SchemaVersion::Ifc2x3 || !has_view(context, "CoordinationView_V2.0") {
        return;
    }
    let sites = context.of_class("IfcSite");
    let buildings = context.of_class("IfcBuilding");
    for site in sites.iter().skip(1) {
        context
            .report(site, |named| format!("{named} is one more IfcSite; the coordination view allows one"));
    }
    if buildings.is_empty() {
        context
            .report_model("there is no IfcBuilding; the coordination view asks for one at least".to_owned());
    }
    let due = if sites.is_empty() { "IfcProject" } else { "IfcSite" };
    for building in buildings {
        for whole in context.across(building.id(), AGGREGATED, "RelatingObject") {
            if !whole.is_a(due) {
                context.report(&building, |name| {
                    format!("{name} is a part of {}, where an {due} is due", named(&whole))
                });
            }
        }
    }
}

/// The classes that may be parts of each class: the table of the rule, part and whole.
const COMPOSITION: &[(&str, &[&str])] = &[
    ("IfcAlignment", &["IfcProject"]),
    ("IfcBridge", &["IfcProject", "IfcSite", "IfcBridge"]),
    ("IfcBridgePart", &["IfcBridge", "IfcBridgePart"]),
    ("IfcBuilding", &["IfcProject", "IfcSite", "IfcBuilding"]),
    ("IfcBuildingStorey", &["IfcBuilding", "IfcBuildingStorey"]),
    ("IfcExternalSpatialElement", &["IfcProject", "IfcSite", "IfcExternalSpatialElement"]),
    ("IfcFacility", &["IfcProject", "IfcSite", "IfcFacility"]),
    ("IfcFacilityPartCommon", &["IfcFacility", "IfcFacilityPartCommon"]),
    ("IfcMarineFacility", &["IfcProject", "IfcSite", "IfcMarineFacility"]),
    ("IfcMarinePart", &["IfcMarineFacility", "IfcMarinePart"]),
    ("IfcRailway", &["IfcProject", "IfcSite", "IfcRailway"]),
    ("IfcRailwayPart", &["IfcRailway", "IfcRailwayPart"]),
    ("IfcRoad", &["IfcProject", "IfcSite", "IfcRoad"]),
    ("IfcRoadPart", &["IfcRoad", "IfcRoadPart"]),
    ("IfcSite", &["IfcProject", "IfcSite"]),
    (
        "IfcSpace",
        &[
            "IfcProject",
            "IfcSite",
            "IfcBuilding",
            "IfcBuildingStorey",
            "IfcSpace",
            "IfcFacility",
            "IfcFacilityPartCommon",
            "IfcBridge",
            "IfcBridgePart",
            "IfcMarineFacility",
            "IfcMarinePart",
            "IfcRailway",
            "IfcRailwayPart",
            "IfcRoad",
            "IfcRoadPart",
        ],
    ),
];

/// The wholes that the classes of the table that an element is of allow: an IfcRoad may be in what an IfcFacility may be in, too.
fn wholes(element: &Instance<'_>) -> Option<Vec<&'static str>> {
    let applying = COMPOSITION.iter().filter(|(part, _)| element.is_a(part));
    each_once(applying.flat_map(|(_, wholes)| wholes.iter().copied()))
}

/// The parts that the classes of the table that an element is of allow.
fn parts(element: &Instance<'_>) -> Option<Vec<&'static str>> {
    let allows = |wholes: &[&str]| wholes.iter().any(|whole| element.is_a(whole));
    each_once(COMPOSITION.iter().filter(|(_, wholes)| allows(wholes)).map(|(part, _)| *part))
}

/// The classes, each once; none of no classes.
fn each_once(classes: impl Iterator<Item = &'static str>) -> Option<Vec<&'static str>> {
    let mut all: Vec<&str> = classes.collect();
    all.sort_unstable();
    all.dedup();
    (!all.is_empty()).then_some(all)
}

pub(super) fn composition(context: &mut Context<'_, '_>) {
    if !context.is_4_or_later() {
        return;
    }
    let mut elements = context.of_class("IfcSpatialElement");
    elements.extend(context.of_class("IfcProject"));
    for element in elements {
        if let Some(due) = wholes(&element) {
            let found = context.across(element.id(), AGGREGATED, "RelatingObject");
            if found.is_empty() {
                context.report_about(&element, Some("Decomposes"), |named| {
                    format!("{named} is aggregated in nothing; make it a part of one of {}", due.join(", "))
                });
            }
            for whole in found.iter().filter(|whole| !due.iter().any(|class| whole.is_a(class))) {
                context.report_about(&element, Some("Decomposes"), |name| {
                    format!("{name} is a part of {}, where one of {} is due", named(whole), due.join(", "))
                });
            }
        }
        if let Some(due) = parts(&element) {
            for part in context.across(element.id(), AGGREGATES, "RelatedObjects") {
                if !due.iter().any(|class| part.is_a(class)) {
                    context.report_about(&element, Some("IsDecomposedBy"), |name| {
                        format!(
                            "{name} has {} as a part, where one of {} is due",
                            named(&part),
                            due.join(", ")
                        )
                    });
                }
            }
        }
    }
}

pub(super) fn parts_not_contained(context: &mut Context<'_, '_>) {
    for element in context.of_class("IfcElement") {
        if is_part(context, &element) && context.is_at(element.id(), CONTAINED) {
            context.report_about(&element, Some("ContainedInStructure"), |named| {
                format!("{named} is a part of another object and contained in a spatial structure too; take it out of the latter")
            });
        }
    }
}

pub(super) fn contained_or_positioned(context: &mut Context<'_, '_>) {
    if !context.is_4x3() {
        return;
    }
    for product in context.of_class("IfcProduct") {
        if context.is_at(product.id(), CONTAINED) && context.is_at(product.id(), POSITIONED) {
            context.report_about(&product, Some("PositionedRelativeTo"), |named| {
                format!("{named} is contained in a spatial structure and positioned relative to a positioning element; keep one of the two")
            });
        }
    }
}

pub(super) fn one_parent(context: &mut Context<'_, '_>) {
    let version = context.version();
    // nesting is a decomposition in IFC2X3; surface features came with IFC4X3
    let ways: &[(&str, &[End])] = match version {
        SchemaVersion::Ifc2x3 => &[
            ("Decomposes", &[AGGREGATED, NESTED]),
            ("ContainedInStructure", &[CONTAINED]),
            ("VoidsElements", &[VOIDS]),
        ],
        _ => &[
            ("Nests", &[NESTED]),
            ("Decomposes", &[AGGREGATED]),
            ("ContainedInStructure", &[CONTAINED]),
            ("AdheresToElement", &[ADHERES]),
            ("VoidsElements", &[VOIDS]),
        ],
    };
    for element in context.of_class("IfcElement") {
        let found: Vec<&str> = ways
            .iter()
            .filter(|(_, ends)| ends.iter().any(|end| context.is_at(element.id(), *end)))
            .map(|(name, _)| *name)
            .collect();
        if found.len() == 1 {
            continue;
        }
        let names: Vec<&str> = ways.iter().map(|(name, _)| *name).collect();
        context.report(&element, |named| match found.as_slice() {
            [] => format!("{named} belongs to nothing; exactly one of {} is due", names.join(", ")),
            found => format!("{named} belongs to more than one thing, by {}; keep one", found.join(" and ")),
        });
    }
}

pub(super) fn positioned_referenced(context: &mut Context<'_, '_>) {
    if !context.is_4x3() {
        return;
    }
    for element in context.of_class("IfcElement") {
        if context.is_at(element.id(), POSITIONED) && !context.is_at(element.id(), REFERENCED) {
            context.report_about(&element, Some("ReferencedInStructures"), |named| {
                format!("{named} is positioned relative to a positioning element and referenced in no spatial structure; reference it in one")
            });
        }
    }
}

pub(super) fn containment(context: &mut Context<'_, '_>) {
    for grid in context.of_class("IfcGrid") {
        if !is_contained(context, &grid) {
            context.report_about(&grid, Some("ContainedInStructure"), not_contained);
        }
    }
    for annotation in context.of_class("IfcAnnotation") {
        let hosts = context.across(annotation.id(), NESTED, "RelatingObject");
        if !hosts.iter().any(|host| host.is_a("IfcAnnotation")) && !is_contained(context, &annotation) {
            context.report_about(&annotation, Some("ContainedInStructure"), not_contained);
        }
    }
    for element in context.of_class("IfcElement") {
        let wholes = context.across(element.id(), AGGREGATED, "RelatingObject");
        if !element.is_a("IfcFeatureElement")
            && !is_part(context, &element)
            && !is_contained(context, &element)
        {
            context.report_about(&element, Some("ContainedInStructure"), not_contained);
        }
        if context.is_at(element.id(), CONTAINED)
            && let Some(whole) = wholes.iter().find(|whole| whole.is_a("IfcElement"))
        {
            context.report_about(&element, Some("ContainedInStructure"), |name| {
                format!(
                    "{name} is a part of {}, which places it; take it out of the spatial structure",
                    named(whole)
                )
            });
        }
    }
    for product in context.of_class("IfcProduct") {
        let may = ["IfcElement", "IfcGrid", "IfcAnnotation"].iter().any(|class| product.is_a(class));
        if !may && !product.inverse("ContainedInStructure").is_empty() {
            context.report_about(&product, Some("ContainedInStructure"), |named| {
                format!("{named} is contained in a spatial structure, which is for elements, grids and annotations; aggregate or reference it instead")
            });
        }
    }
}

fn is_contained(context: &Context<'_, '_>, product: &Instance<'_>) -> bool {
    context
        .across(product.id(), CONTAINED, "RelatingStructure")
        .iter()
        .any(|structure| structure.is_a("IfcSpatialStructureElement"))
}

fn not_contained(named: &str) -> String {
    format!("{named} is contained in no spatial structure; add it to that of its storey, building or site")
}

pub(super) fn no_representation(context: &mut Context<'_, '_>) {
    let classes: &[&str] = match context.version() {
        SchemaVersion::Ifc2x3 => &["IfcBuildingStorey"],
        SchemaVersion::Ifc4 => &["IfcBuildingStorey", "IfcSite"],
        SchemaVersion::Ifc4x3 => {
            &["IfcBuildingStorey", "IfcSite", "IfcBridge", "IfcMarineFacility", "IfcRailway", "IfcRoad"]
        }
    };
    for class in classes {
        for space in context.of_class(class) {
            if !space.attr("Representation").is_null() {
                context.report_about(&space, Some("Representation"), |named| {
                    format!("{named} has a representation of its own; it should be a container only, with elements for what is seen")
                });
            }
        }
    }
}
