//! ALB002 to ALB015 and ALB030 to ALB032: the layouts of alignments: what they are nested in and made of, and what their segments say of
//! themselves. Whether the geometry says the same is looked at in [`super::alignment_agreement`].

use super::alignments::{Layouts, all, in_words, nested, of_class, parameters};
use super::{Context, named};
use ifc::relations::{AGGREGATED, AGGREGATES, DEPTH, End, NESTED};
use ifc::{Id, Instance};

/// A product that is positioned relative to a positioning element.
const POSITIONED: End = End { class: "IfcRelPositions", attribute: "RelatedProducts" };
/// Lengths are nought below this.
pub(super) const NOUGHT: f64 = 1e-12;
/// The most that a radius of curvature may differ from what follows from gradients, in the file's unit of length.
const RADIUS_TOLERANCE: f64 = 1e-3;

/// The classes of layouts, each with the class of its segments' design parameters and their attribute of length.
const LAYOUTS: [(&str, &str, &str); 3] = [
    ("IfcAlignmentHorizontal", "IfcAlignmentHorizontalSegment", "SegmentLength"),
    ("IfcAlignmentVertical", "IfcAlignmentVerticalSegment", "HorizontalLength"),
    ("IfcAlignmentCant", "IfcAlignmentCantSegment", "HorizontalLength"),
];

/// ALB002: alignments are made of alignments, layouts of segments, and segments have the parameters of their layout.
pub(super) fn relations(context: &mut Context<'_, '_>) {
    for alignment in all(context) {
        for part in context.across(alignment.id(), AGGREGATES, "RelatedObjects") {
            if !part.is_a("IfcAlignment") {
                context.report_about(&alignment, Some("IsDecomposedBy"), |name| {
                    format!(
                        "{name} has {} as a part; only alignments may be aggregated in an alignment",
                        named(&part)
                    )
                });
            }
        }
    }
    for (layout, due, _) in LAYOUTS {
        for layout in of_class(context, layout) {
            for segment in nested(context, &layout) {
                if !segment.is_a("IfcAlignmentSegment") {
                    context.report_about(&layout, Some("IsNestedBy"), |name| {
                        format!("{name} nests {}, where only IfcAlignmentSegment is due", named(&segment))
                    });
                    continue;
                }
                let parameters = segment.reference("DesignParameters").and_then(|id| context.model.get(id));
                if let Some(parameters) = parameters.filter(|parameters| !parameters.is_a(due)) {
                    context.report_about(&segment, Some("DesignParameters"), |name| {
                        format!(
                            "{name} is nested in {} and has {} as its parameters, where {due} is due",
                            named(&layout),
                            named(&parameters)
                        )
                    });
                }
            }
        }
    }
}

/// ALB003: an alignment nests layouts and referents, nothing else.
pub(super) fn nesting(context: &mut Context<'_, '_>) {
    const MAY: [&str; 4] =
        ["IfcAlignmentHorizontal", "IfcAlignmentVertical", "IfcAlignmentCant", "IfcReferent"];
    for alignment in all(context) {
        for object in nested(context, &alignment) {
            if !MAY.contains(&object.class_name()) {
                context.report_about(&alignment, Some("IsNestedBy"), |name| {
                    format!(
                        "{name} nests {}, where only {} are due; aggregate child alignments instead",
                        named(&object),
                        MAY.join(", ")
                    )
                });
            }
        }
    }
}

/// ALB004: an alignment, or one that it is a part of, is aggregated in the project.
pub(super) fn in_project(context: &mut Context<'_, '_>) {
    for alignment in all(context) {
        let mut passed = vec![alignment.id()];
        let mut found = false;
        while let Some(whole) =
            passed.last().and_then(|at| context.links.first_across(*at, AGGREGATED, "RelatingObject"))
        {
            found = context.model.get(whole).is_some_and(|whole| whole.is_a("IfcProject"));
            if found || passed.contains(&whole) || passed.len() > DEPTH {
                break;
            }
            passed.push(whole);
        }
        if !found {
            context.report_about(&alignment, Some("Decomposes"), |named| {
                format!("{named} is aggregated in the IfcProject neither itself nor through a parent alignment; add it with IfcRelAggregates")
            });
        }
    }
}

/// ALB005: referents that tell positions and stations are positioned relative to an alignment.
pub(super) fn referents_positioned(context: &mut Context<'_, '_>) {
    for referent in of_class(context, "IfcReferent") {
        let kind = referent.enumeration("PredefinedType");
        if !matches!(kind.as_deref(), Some("POSITION" | "STATION")) {
            continue;
        }
        let hosts = context.across(referent.id(), POSITIONED, "RelatingPositioningElement");
        if !hosts.iter().any(|host| host.is_a("IfcAlignment")) {
            context.report_about(&referent, Some("PositionedRelativeTo"), |named| {
                format!("{named} tells a position and is positioned relative to no IfcAlignment; relate them with IfcRelPositions")
            });
        }
    }
}

/// ALB010: an alignment with a horizontal layout nests a referent.
pub(super) fn nests_referents(context: &mut Context<'_, '_>) {
    let mut seen = Vec::new();
    for layout in of_class(context, "IfcAlignmentHorizontal") {
        for alignment in context.across(layout.id(), NESTED, "RelatingObject") {
            if !alignment.is_a("IfcAlignment") || seen.contains(&alignment.id()) {
                continue;
            }
            seen.push(alignment.id());
            if !nested(context, &alignment).iter().any(|object| object.is_a("IfcReferent")) {
                context.report_about(&alignment, Some("IsNestedBy"), |named| {
                    format!("{named} has a horizontal layout and nests no IfcReferent; add one, such as the station where it begins")
                });
            }
        }
    }
}

/// ALB012: only curved vertical segments have a radius of curvature, and that of a parabola follows from its gradients.
pub(super) fn radii(context: &mut Context<'_, '_>) {
    for layout in of_class(context, "IfcAlignmentVertical") {
        for segment in parameters(context, &layout) {
            if !segment.is_a("IfcAlignmentVerticalSegment") {
                continue;
            }
            let kind = segment.enumeration("PredefinedType").unwrap_or_default();
            let radius = segment.number("RadiusOfCurvature");
            match kind.as_str() {
                "PARABOLICARC" => parabola(context, &segment, radius),
                "CIRCULARARC" => {}
                _ => {
                    if let Some(radius) = radius {
                        context.report_about(&segment, Some("RadiusOfCurvature"), |named| {
                            format!("{named} is of type {kind} and has the RadiusOfCurvature {radius}; leave it out")
                        });
                    }
                }
            }
        }
    }
}

fn parabola(context: &mut Context<'_, '_>, segment: &Instance<'_>, radius: Option<f64>) {
    let number = |name: &str| segment.number(name).unwrap_or(f64::NAN);
    let (length, rise) = (number("HorizontalLength"), number("EndGradient") - number("StartGradient"));
    let found =
        radius.map_or_else(|| "no RadiusOfCurvature".to_owned(), |r| format!("the RadiusOfCurvature {r}"));
    if rise == 0.0 {
        context.report_about(segment, Some("RadiusOfCurvature"), |named| {
            format!("{named} is a parabola whose gradient does not change, so it has no radius of curvature, and has {found}; make it CONSTANTGRADIENT")
        });
        return;
    }
    let due = length / rise;
    // what is not a number is told by the checks of the schema
    if due.is_finite() && radius.is_none_or(|radius| (radius - due).abs() > RADIUS_TOLERANCE) {
        context.report_about(segment, Some("RadiusOfCurvature"), |named| {
            format!("{named} is a parabola with {found}; HorizontalLength / (EndGradient - StartGradient) is {due}")
        });
    }
}

/// ALB015: the last segment of a layout has the length nought.
pub(super) fn ends_with_nought(context: &mut Context<'_, '_>) {
    for (layout, due, attribute) in LAYOUTS {
        for layout in of_class(context, layout) {
            let parameters = parameters(context, &layout);
            let Some(last) = parameters.last().filter(|last| last.is_a(due)) else { continue };
            let length = last.number(attribute).unwrap_or(0.0);
            if length.abs() > NOUGHT {
                context.report_about(last, Some(attribute), |name| {
                    format!("{name} is the last segment of {} and has the {attribute} {length}; end the layout with a segment of length 0", named(&layout))
                });
            }
        }
    }
}

/// ALB030: alignments are placed by local placements.
pub(super) fn local_placement(context: &mut Context<'_, '_>) {
    for alignment in all(context) {
        let placement = alignment.reference("ObjectPlacement").and_then(|id| context.model.get(id));
        if let Some(placement) = placement.filter(|placement| !placement.is_a("IfcLocalPlacement")) {
            context.report_about(&alignment, Some("ObjectPlacement"), |name| {
                format!("{name} is placed by {}, where an IfcLocalPlacement is due", named(&placement))
            });
        }
    }
}

/// The alignments that an alignment is aggregated in, or that are aggregated in it.
fn alignments_across(context: &Context<'_, '_>, alignment: Id, end: End, other: &'static str) -> bool {
    context.across(alignment, end, other).iter().any(|other| other.is_a("IfcAlignment"))
}

fn has_parent(context: &Context<'_, '_>, alignment: &Instance<'_>) -> bool {
    alignments_across(context, alignment.id(), AGGREGATED, "RelatingObject")
}

fn has_children(context: &Context<'_, '_>, alignment: &Instance<'_>) -> bool {
    alignments_across(context, alignment.id(), AGGREGATES, "RelatedObjects")
}

/// Reports the layouts of an alignment that nests anything, where they are none of these combinations.
fn combination(context: &mut Context<'_, '_>, alignment: &Instance<'_>, due: &[[usize; 3]], what: &str) {
    if nested(context, alignment).is_empty() {
        return;
    }
    let found = Layouts::read(context, alignment).counts();
    if !due.contains(&found) {
        context.report_about(alignment, Some("IsNestedBy"), |named| {
            let due: Vec<String> = due.iter().map(|counts| in_words(*counts)).collect();
            format!("{named} is {what} and nests {}; {} is due", in_words(found), due.join(", or "))
        });
    }
}

/// ALB031: an alignment by itself has one layout of each kind that it has, and a horizontal one.
pub(super) fn by_itself(context: &mut Context<'_, '_>) {
    for alignment in all(context) {
        if !has_parent(context, &alignment) && !has_children(context, &alignment) {
            combination(context, &alignment, &[[1, 0, 0], [1, 1, 0], [1, 1, 1]], "an alignment by itself");
        }
    }
}

/// ALB032: where alignments share a horizontal layout, the parent has that alone, its children the others, and children have none.
pub(super) fn shared_horizontal(context: &mut Context<'_, '_>) {
    for alignment in all(context) {
        let (parent, child) = (has_children(context, &alignment), has_parent(context, &alignment));
        if parent && !child {
            combination(context, &alignment, &[[1, 0, 0]], "a parent alignment");
        }
        if child {
            combination(context, &alignment, &[[0, 1, 0], [0, 1, 1]], "a child alignment");
        }
        if child && parent {
            context.report_about(&alignment, Some("IsDecomposedBy"), |named| {
                format!("{named} is a child alignment and has alignments as parts; aggregate them in its parent instead")
            });
        }
    }
}
