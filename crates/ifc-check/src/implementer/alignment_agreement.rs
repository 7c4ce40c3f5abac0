//! ALB021 to ALB023: the layouts of an alignment and the curves that represent it say the same: they are there together, have as
//! many segments, and each segment is of the kind that its layout says.

use super::alignments::{Curves, Layouts, all, of_class, parameters};
use super::{Context, named, representations};
use ifc::Instance;
use ifc::relations::NESTED;
use std::collections::HashSet;

/// ALB021: curves with heights and cant belong to vertical layouts and layouts of cant, and none are due where these are.
pub(super) fn presence(context: &mut Context<'_, '_>) {
    for alignment in all(context) {
        let layouts = Layouts::read(context, &alignment);
        if layouts.is_empty() || alignment.attr("Representation").is_null() {
            continue;
        }
        let curves = Curves::read(context, &alignment);
        let mut lacks = |curve: &Option<Instance<'_>>, found: &[Instance<'_>], layout: &str| {
            if let Some(curve) = curve
                && found.is_empty()
            {
                context.report_about(&alignment, Some("IsNestedBy"), |name| {
                    format!(
                        "{name} is represented by {} and nests no {layout}; add it, or a plainer curve",
                        named(curve)
                    )
                });
            }
        };
        lacks(&curves.segmented, &layouts.cant, "IfcAlignmentCant");
        lacks(&curves.gradient, &layouts.vertical, "IfcAlignmentVertical");
        for representation in representations::read(context, &alignment) {
            let is_axis = representation.says("RepresentationIdentifier", "Axis");
            for item in context.at(&representation, "Items") {
                let beyond: Vec<&str> = match item.class_name() {
                    "IfcCompositeCurve" if is_axis => [&layouts.vertical, &layouts.cant]
                        .into_iter()
                        .filter_map(|found| found.first().map(Instance::class_name))
                        .collect(),
                    "IfcGradientCurve" => {
                        layouts.cant.first().map(Instance::class_name).into_iter().collect()
                    }
                    _ => continue,
                };
                if !beyond.is_empty() {
                    context.report_about(&alignment, Some("Representation"), |name| {
                        format!(
                            "{name} nests {}, which its representation {} does not show; represent it by an \
                             IfcGradientCurve, or an IfcSegmentedReferenceCurve where it has cant",
                            beyond.join(" and "),
                            named(&item)
                        )
                    });
                }
            }
        }
    }
}

/// ALB022: a layout and its curve have as many segments.
pub(super) fn counts(context: &mut Context<'_, '_>) {
    for class in ["IfcAlignmentHorizontal", "IfcAlignmentVertical", "IfcAlignmentCant"] {
        for layout in of_class(context, class) {
            // a Helmert curve is drawn in two halves
            let due: usize =
                parameters(context, &layout).iter().map(|one| if is_helmert(one) { 2 } else { 1 }).sum();
            for alignment in context.across(layout.id(), NESTED, "RelatingObject") {
                if !alignment.is_a("IfcAlignment") {
                    continue;
                }
                let curves = Curves::read(context, &alignment);
                let curve = match class {
                    "IfcAlignmentHorizontal" => curves.composite,
                    "IfcAlignmentVertical" => curves.gradient,
                    _ => curves.segmented,
                };
                let Some(curve) = curve else { continue };
                let found = curve.references("Segments").len();
                if found != due {
                    context.report(&layout, |name| {
                        format!("{name} has segments for {due} segments of a curve, and {} has {found}; give both the same", named(&curve))
                    });
                }
            }
        }
    }
}

fn is_helmert(parameters: &Instance<'_>) -> bool {
    parameters.enumeration("PredefinedType").as_deref() == Some("HELMERTCURVE")
}

/// ALB023: each segment of a curve is of the kind that its layout says.
pub(super) fn kinds(context: &mut Context<'_, '_>) {
    let mut compared = HashSet::new();
    for alignment in all(context) {
        let layouts = Layouts::read(context, &alignment);
        let curves = Curves::read(context, &alignment);
        for (layout, curve) in [(&layouts.horizontal, curves.composite), (&layouts.vertical, curves.gradient)]
        {
            if let (Some(layout), Some(curve)) = (layout.first(), curve)
                && compared.insert((layout.id(), curve.id()))
            {
                compare(context, layout, &curve);
            }
        }
    }
    let own = [
        ("IfcAlignmentHorizontal", "IfcCompositeCurve"),
        ("IfcAlignmentVertical", "IfcGradientCurve"),
        ("IfcAlignmentCant", "IfcSegmentedReferenceCurve"),
    ];
    for (class, due) in own {
        for layout in of_class(context, class) {
            for representation in representations::read(context, &layout) {
                for curve in context.at(&representation, "Items") {
                    if curve.class_name() == due && compared.insert((layout.id(), curve.id())) {
                        compare(context, &layout, &curve);
                    }
                }
            }
        }
    }
    for segment in of_class(context, "IfcAlignmentSegment") {
        let Some(parameters) = segment.reference("DesignParameters").and_then(|id| context.model.get(id))
        else {
            continue;
        };
        for representation in representations::read(context, &segment) {
            for item in context.at(&representation, "Items") {
                single(context, &segment, &parameters, &item);
            }
        }
    }
}

/// The parent curves that stand for a kind of segment (IFC4X3, partial templates of curve segment geometry); none for an unknown one.
fn parents(kind: &str) -> &'static [&'static str] {
    match kind {
        "LINE" => &["IfcLine", "IfcPolyline"],
        "CONSTANTGRADIENT" | "CONSTANTCANT" => &["IfcLine"],
        "CIRCULARARC" => &["IfcCircle"],
        "CLOTHOID" | "LINEARTRANSITION" => &["IfcClothoid"],
        "CUBIC" | "PARABOLICARC" => &["IfcPolynomialCurve"],
        "HELMERTCURVE" => &["IfcSecondOrderPolynomialSpiral"],
        "BLOSSCURVE" => &["IfcThirdOrderPolynomialSpiral"],
        "VIENNESEBEND" => &["IfcSeventhOrderPolynomialSpiral"],
        "COSINECURVE" => &["IfcCosineSpiral"],
        "SINECURVE" => &["IfcSineSpiral"],
        _ => &[],
    }
}

/// The class of the parent curve of a segment.
fn parent_of<'m>(context: &Context<'m, '_>, segment: &Instance<'_>) -> Option<&'m str> {
    Some(context.model.get(segment.reference("ParentCurve")?)?.class_name())
}

/// Compares the segments of a layout with those of a curve, one by one.
fn compare(context: &mut Context<'_, '_>, layout: &Instance<'_>, curve: &Instance<'_>) {
    let kinds: Vec<String> = parameters(context, layout)
        .iter()
        .flat_map(|one| {
            let kind = one.enumeration("PredefinedType").unwrap_or_default();
            vec![kind; if is_helmert(one) { 2 } else { 1 }]
        })
        .collect();
    let segments = context.at(curve, "Segments");
    if kinds.len() != segments.len() {
        let (due, found) = (kinds.len(), segments.len());
        context.report_about(curve, Some("Segments"), |name| {
            format!(
                "{name} has {found} segments, where {} says {due}, so they cannot be the same",
                named(layout)
            )
        });
        return;
    }
    for (kind, segment) in kinds.iter().zip(&segments) {
        let found = parent_of(context, segment).unwrap_or("nothing");
        if !parents(kind).contains(&found) {
            context.report_about(segment, Some("ParentCurve"), |name| {
                format!(
                    "{name} of {} is a part of {found}, where {} says {kind}: {}",
                    named(curve),
                    named(layout),
                    due(kind)
                )
            });
        }
    }
}

/// Compares one segment with the item that represents it.
fn single(
    context: &mut Context<'_, '_>,
    segment: &Instance<'_>,
    parameters: &Instance<'_>,
    item: &Instance<'_>,
) {
    let Some(kind) = parameters.enumeration("PredefinedType") else { return };
    if !item.is_a("IfcCurveSegment") && !item.is_a("IfcCompositeCurveSegment") {
        return;
    }
    let found = parent_of(context, item).unwrap_or("nothing");
    if !parents(&kind).contains(&found) {
        context.report_about(segment, Some("Representation"), |name| {
            format!(
                "{name} is of type {kind} and represented by {} as a part of {found}: {}",
                named(item),
                due(&kind)
            )
        });
    }
}

fn due(kind: &str) -> String {
    match parents(kind) {
        [] => "no curve stands for this type".to_owned(),
        due => format!("{} is due", due.join(" or ")),
    }
}
