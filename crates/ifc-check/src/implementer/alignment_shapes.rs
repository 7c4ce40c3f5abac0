//! ALS004 to ALS012 and ALS015: what represents alignments, their layouts and segments: identifiers, types, classes of items, and the
//! measures of segments.

use super::alignment_layouts::NOUGHT;
use super::alignments::{all, of_class};
use super::{Context, named, representations};
use ifc::{Id, Instance, Value};
use std::collections::HashSet;

/// The demand on the representations of a class.
struct Demand {
    identifier: &'static str,
    kind: &'static str,
    items: &'static [&'static str],
}

/// Curves of any kind that alignments are represented by.
const CURVES: [&str; 6] = [
    "IfcGradientCurve",
    "IfcSegmentedReferenceCurve",
    "IfcCompositeCurve",
    "IfcIndexedPolyCurve",
    "IfcPolyline",
    "IfcOffsetCurveByDistances",
];
/// Those in plan.
const FLAT: [&str; 4] =
    ["IfcCompositeCurve", "IfcIndexedPolyCurve", "IfcPolyline", "IfcOffsetCurveByDistances"];
/// Those with heights.
const RISING: [&str; 5] = [
    "IfcGradientCurve",
    "IfcSegmentedReferenceCurve",
    "IfcIndexedPolyCurve",
    "IfcPolyline",
    "IfcOffsetCurveByDistances",
];

/// ALS004: segments are represented as 'Axis', 'Segment', by curve segments.
pub(super) fn of_segments(context: &mut Context<'_, '_>) {
    let demand = Demand { identifier: "Axis", kind: "Segment", items: &["IfcCurveSegment"] };
    represented(context, "IfcAlignmentSegment", &demand);
}

/// ALS006: horizontal layouts are represented as 'Axis', 'Curve2D'.
pub(super) fn of_horizontal(context: &mut Context<'_, '_>) {
    let items = &["IfcCompositeCurve", "IfcIndexedPolyCurve", "IfcPolyline"];
    represented(context, "IfcAlignmentHorizontal", &Demand { identifier: "Axis", kind: "Curve2D", items });
}

/// ALS007: vertical layouts are represented as 'Axis', 'Curve3D', by gradient curves.
pub(super) fn of_vertical(context: &mut Context<'_, '_>) {
    let demand = Demand { identifier: "Axis", kind: "Curve3D", items: &["IfcGradientCurve"] };
    represented(context, "IfcAlignmentVertical", &demand);
}

/// ALS008: layouts of cant are represented as 'Axis', 'Curve3D', by segmented reference curves.
pub(super) fn of_cant(context: &mut Context<'_, '_>) {
    let demand = Demand { identifier: "Axis", kind: "Curve3D", items: &["IfcSegmentedReferenceCurve"] };
    represented(context, "IfcAlignmentCant", &demand);
}

fn represented(context: &mut Context<'_, '_>, class: &str, demand: &Demand) {
    for product in of_class(context, class) {
        for one in representations::read(context, &product) {
            word(context, &product, &one, "RepresentationIdentifier", &[demand.identifier]);
            word(context, &product, &one, "RepresentationType", &[demand.kind]);
            items(context, &product, &one, demand.items);
        }
    }
}

fn word(
    context: &mut Context<'_, '_>,
    product: &Instance<'_>,
    one: &Instance<'_>,
    attribute: &str,
    due: &[&str],
) {
    let found = one.text(attribute);
    if !found.as_deref().is_some_and(|found| due.contains(&found)) {
        context.report_about(one, Some(attribute), |name| {
            let found = found.map_or_else(|| "$".to_owned(), |found| format!("'{found}'"));
            format!(
                "{name} of {} has the {attribute} {found}; '{}' is due",
                named(product),
                due.join("' or '")
            )
        });
    }
}

fn items(context: &mut Context<'_, '_>, product: &Instance<'_>, one: &Instance<'_>, due: &[&str]) {
    for item in context.at(one, "Items") {
        if !due.contains(&item.class_name()) {
            context.report_about(one, Some("Items"), |name| {
                format!(
                    "{name} of {} has the item {}, where {} is due",
                    named(product),
                    named(&item),
                    due.join(" or ")
                )
            });
        }
    }
}

/// ALS005: alignments are represented as 'Axis' or 'FootPrint', by curves that go with the type of the representation.
pub(super) fn of_alignments(context: &mut Context<'_, '_>) {
    for alignment in all(context) {
        for one in representations::read(context, &alignment) {
            word(context, &alignment, &one, "RepresentationIdentifier", &["Axis", "FootPrint"]);
            let is_axis = one.says("RepresentationIdentifier", "Axis");
            if one.says("RepresentationIdentifier", "FootPrint") {
                word(context, &alignment, &one, "RepresentationType", &["Curve2D"]);
            }
            let due: &[&str] = match one.text("RepresentationType").as_deref() {
                Some("Curve2D") if is_axis => &FLAT,
                Some("Curve3D") if is_axis => &RISING,
                _ => &CURVES,
            };
            items(context, &alignment, &one, due);
        }
    }
}

/// ALS010: a representation of a segment has one item, of a Helmert curve two.
pub(super) fn item_counts(context: &mut Context<'_, '_>) {
    for segment in of_class(context, "IfcAlignmentSegment") {
        let parameters = segment.reference("DesignParameters").and_then(|id| context.model.get(id));
        let kind = parameters.and_then(|one| one.enumeration("PredefinedType")).unwrap_or_default();
        let due = if kind == "HELMERTCURVE" { 2 } else { 1 };
        for one in representations::read(context, &segment) {
            let found = one.references("Items").len();
            if found != due {
                context.report_about(&one, Some("Items"), |name| {
                    format!(
                        "{name} of {}, which is of type {kind}, has {found} items; {due} is due",
                        named(&segment)
                    )
                });
            }
        }
    }
}

/// The curves that a curve stands on, itself first.
fn descent<'m>(context: &Context<'m, '_>, curve: Instance<'m>) -> Vec<Instance<'m>> {
    let mut all = vec![curve];
    while let Some(base) = all.last().and_then(|curve| context.model.get(curve.reference("BaseCurve")?)) {
        if all.iter().any(|known| known.id() == base.id()) {
            break;
        }
        all.push(base);
    }
    all
}

/// ALS011: the segments of an alignment's curve are all of one class, in gradient and segmented reference curves IfcCurveSegment.
pub(super) fn one_class(context: &mut Context<'_, '_>) {
    let mut seen = HashSet::new();
    for alignment in all(context) {
        for one in representations::read(context, &alignment) {
            let curves: Vec<Instance<'_>> =
                context.at(&one, "Items").into_iter().flat_map(|item| descent(context, item)).collect();
            for curve in curves {
                let is_composite = curve.class_name() == "IfcCompositeCurve";
                let rises = matches!(curve.class_name(), "IfcGradientCurve" | "IfcSegmentedReferenceCurve");
                if (is_composite || rises) && seen.insert(curve.id()) {
                    segments_of_one_class(context, &curve, rises);
                }
            }
        }
    }
}

/// Reports a curve whose segments are of several classes or, if `by_curve_segments`, of another one than IfcCurveSegment.
pub(super) fn segments_of_one_class(
    context: &mut Context<'_, '_>,
    curve: &Instance<'_>,
    by_curve_segments: bool,
) {
    let mut classes: Vec<&str> = context.at(curve, "Segments").iter().map(Instance::class_name).collect();
    classes.sort_unstable();
    classes.dedup();
    if classes.len() > 1 {
        context.report_about(curve, Some("Segments"), |named| {
            format!("{named} has segments of several classes, {}; use one", classes.join(" and "))
        });
    }
    if by_curve_segments && classes.iter().any(|class| *class != "IfcCurveSegment") {
        context.report_about(curve, Some("Segments"), |named| {
            format!("{named} has segments of {}, where IfcCurveSegment is due", classes.join(" and "))
        });
    }
}

/// Everything that a representation is made of, itself included.
pub(super) fn reached<'m>(context: &Context<'m, '_>, from: Id) -> Vec<Instance<'m>> {
    let (mut open, mut seen, mut all) = (vec![from], HashSet::from([from]), Vec::new());
    while let Some(instance) = open.pop().and_then(|id| context.model.get(id)) {
        let mut next = Vec::new();
        for value in instance.attributes() {
            value.for_each_ref(&mut |id| next.push(id));
        }
        next.retain(|id| seen.insert(*id));
        // what is not there is not looked at, nor what a hostile file has too much of
        open.extend(context.spend(next).iter().map(Instance::id));
        all.push(instance);
    }
    all
}

/// ALS012: segments of an alignment's curves begin and end by lengths, not by parameters.
pub(super) fn measures(context: &mut Context<'_, '_>) {
    let mut seen = HashSet::new();
    for alignment in all(context) {
        for one in representations::read(context, &alignment) {
            for curve in reached(context, one.id()) {
                // gradient and segmented reference curves are composite curves
                if !curve.is_a("IfcCompositeCurve") || !seen.insert(curve.id()) {
                    continue;
                }
                for segment in context.at(&curve, "Segments") {
                    if segment.is_a("IfcCurveSegment") {
                        lengths(context, &segment);
                    }
                }
            }
        }
    }
}

fn lengths(context: &mut Context<'_, '_>, segment: &Instance<'_>) {
    for attribute in ["SegmentStart", "SegmentLength"] {
        if let Value::Typed(measure, _) = segment.attr(attribute)
            && measure != "IfcLengthMeasure"
        {
            context.report_about(segment, Some(attribute), |named| {
                format!("{named} has its {attribute} as {measure}; in an alignment IfcLengthMeasure is due")
            });
        }
    }
}

/// ALS015: the curve of an alignment ends with a segment of length nought that is discontinuous.
pub(super) fn ends_with_nought(context: &mut Context<'_, '_>) {
    let mut seen = HashSet::new();
    for alignment in all(context) {
        for one in representations::read(context, &alignment) {
            for curve in context.at(&one, "Items") {
                let Some(last) = context.at(&curve, "Segments").pop() else { continue };
                if !seen.insert(last.id()) {
                    continue;
                }
                // segments of the older kind have no length of their own
                let length = last.number("SegmentLength").unwrap_or(0.0);
                if length.abs() > NOUGHT {
                    context.report_about(&last, Some("SegmentLength"), |name| {
                        format!("{name} is the last segment of {} and has the length {length}; end the curve with a segment of length 0", named(&curve))
                    });
                }
                let transition = last.enumeration("Transition").unwrap_or_default();
                if transition != "DISCONTINUOUS" {
                    context.report_about(&last, Some("Transition"), |name| {
                        format!("{name} is the last segment of {} and has the Transition {transition}; DISCONTINUOUS is due", named(&curve))
                    });
                }
            }
        }
    }
}
