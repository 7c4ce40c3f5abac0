//! Alignments as the rules look at them (IFC4X3): the layouts nested in one, their segments, and the curves that represent it.

use super::{Context, representations};
use ifc::Instance;
use ifc::relations::NESTS;

/// Every alignment; none before IFC4X3, whose schemas have others.
pub(super) fn all<'m>(context: &Context<'m, '_>) -> Vec<Instance<'m>> {
    of_class(context, "IfcAlignment")
}

/// The instances of a class of alignments; none before IFC4X3.
pub(super) fn of_class<'m>(context: &Context<'m, '_>, class: &str) -> Vec<Instance<'m>> {
    if context.is_4x3() { context.of_class(class) } else { Vec::new() }
}

/// Everything nested in an object, in the order of its relations.
pub(super) fn nested<'m>(context: &Context<'m, '_>, host: &Instance<'_>) -> Vec<Instance<'m>> {
    context.across(host.id(), NESTS, "RelatedObjects")
}

/// The design parameters of the segments nested in a layout, in their order.
pub(super) fn parameters<'m>(context: &Context<'m, '_>, layout: &Instance<'_>) -> Vec<Instance<'m>> {
    let segments = nested(context, layout);
    segments
        .iter()
        .filter(|segment| segment.is_a("IfcAlignmentSegment"))
        .filter_map(|segment| context.model.get(segment.reference("DesignParameters")?))
        .collect()
}

/// The layouts nested in an alignment.
pub(super) struct Layouts<'m> {
    pub horizontal: Vec<Instance<'m>>,
    pub vertical: Vec<Instance<'m>>,
    pub cant: Vec<Instance<'m>>,
}

impl<'m> Layouts<'m> {
    pub fn read(context: &Context<'m, '_>, alignment: &Instance<'_>) -> Self {
        let mut layouts = Self { horizontal: Vec::new(), vertical: Vec::new(), cant: Vec::new() };
        for object in nested(context, alignment) {
            match object.class_name() {
                "IfcAlignmentHorizontal" => layouts.horizontal.push(object),
                "IfcAlignmentVertical" => layouts.vertical.push(object),
                "IfcAlignmentCant" => layouts.cant.push(object),
                _ => {}
            }
        }
        layouts
    }

    pub fn counts(&self) -> [usize; 3] {
        [self.horizontal.len(), self.vertical.len(), self.cant.len()]
    }

    pub fn is_empty(&self) -> bool {
        self.counts() == [0; 3]
    }
}

/// How many layouts of each kind there are, in words: `1 horizontal and 2 vertical`.
pub(super) fn in_words(counts: [usize; 3]) -> String {
    let words: Vec<String> = counts
        .iter()
        .zip(["horizontal", "vertical", "cant"])
        .filter(|(count, _)| **count > 0)
        .map(|(count, kind)| format!("{count} {kind}"))
        .collect();
    if words.is_empty() { "no layouts".to_owned() } else { words.join(" and ") }
}

/// The curves by which an alignment is represented, those that others of them are built on included.
#[derive(Default)]
pub(super) struct Curves<'m> {
    pub composite: Option<Instance<'m>>,
    pub gradient: Option<Instance<'m>>,
    pub segmented: Option<Instance<'m>>,
}

impl<'m> Curves<'m> {
    pub fn read(context: &Context<'m, '_>, alignment: &Instance<'_>) -> Self {
        let mut curves = Self::default();
        for representation in representations::read(context, alignment) {
            for item in context.at(&representation, "Items") {
                curves.add(context, item);
            }
        }
        curves
    }

    /// Adds a curve and those below it.
    fn add(&mut self, context: &Context<'m, '_>, item: Instance<'m>) {
        let mut next = Some(item);
        while let Some(curve) = next.take() {
            let place = match curve.class_name() {
                "IfcCompositeCurve" => &mut self.composite,
                "IfcGradientCurve" => &mut self.gradient,
                "IfcSegmentedReferenceCurve" => &mut self.segmented,
                _ => return,
            };
            // a curve met twice stands on what it stood on before
            if place.is_some_and(|known| known.id() == curve.id()) {
                return;
            }
            *place = Some(curve);
            next = curve.reference("BaseCurve").and_then(|id| context.model.get(id));
        }
    }
}
