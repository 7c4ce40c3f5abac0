//! Stated quantities that differ from what the shape gives, by the rules of the Qto_*BaseQuantities templates (ISO 16739-1, property and
//! quantity sets).
//!
//! Where a quantity differs for most elements of a class, the program that wrote it counts it by another rule: that is told once, with
//! little weight.

use super::Constraint;
use super::context::Context;
use crate::around::Around;
use crate::{Finding, Quantity, Required, Severity};
use building::soundness::constraint;
use geometry::Shaper;
use geometry::quantity::{Compared, Found, Measure, Quantities, base_quantities, compare};
use ifc::Id;
use ifc::{Model, Units, psets};
use rayon::prelude::*;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::QUANTITY,
    title: "Quantities are those of the shape",
    text: "Lengths, areas and volumes that a file states differ from those of the shape by 1 % at most.",
    why: "Take-offs and costs are read from stated quantities; after an edit they tell of what was there before.",
    severity: Severity::Warning,
    find,
};

/// The share by which a stated quantity may differ.
const SHARE: f64 = 0.01;
/// Where more than this share of the elements of a class differ in a quantity, it is counted by another rule.
const HABIT: f64 = 0.3;
/// Fewer elements that differ are no habit.
const FEWEST: usize = 4;
/// Classes whose quantities the shape gives; those of doors and windows follow from what their makers call width.
const CLASSES: [&str; 5] = ["IfcWall", "IfcSlab", "IfcSpace", "IfcColumn", "IfcBeam"];

/// A quantity of an element that was held against its shape.
struct Held {
    element: Id,
    set: &'static str,
    compared: Compared,
    has_notes: bool,
}

impl Held {
    fn differs(&self) -> bool {
        let (stored, measured) = (self.compared.stored, self.compared.measured);
        (stored - measured.value).abs() > least(measured.measure).max(SHARE * measured.value.abs())
    }
}

/// The difference that rounding leaves, in m, m² or m³.
fn least(measure: Measure) -> f64 {
    match measure {
        Measure::Length => 0.005,
        Measure::Area => 0.02,
        Measure::Volume => 0.01,
    }
}

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut ids: BTreeSet<Id> = BTreeSet::new();
    for class in CLASSES {
        ids.extend(context.model.of_class(class).into_iter().filter(|id| has_quantities(context, *id)));
    }
    if ids.is_empty() {
        context.note("Quantities were not judged: the model states none.");
        return;
    }
    // of a box no quantity is that of the shape
    ids.retain(|id| context.standing(*id).is_some());
    let shaper = &context.shaper;
    let ids: Vec<Id> = ids.into_iter().collect();
    let mut held: Vec<Held> = ids.par_iter().flat_map_iter(|id| held(shaper, *id)).collect();
    held.retain(|own| !own.differs() || !(is_other_extent(context, own) || goes_into_joints(context, own)));
    let right: BTreeSet<(Id, &str)> = held
        .iter()
        .filter(|own| !own.differs())
        .map(|own| (own.element, own.compared.measured.name))
        .collect();
    let with_cuts: BTreeSet<(Id, &str)> = held
        .iter()
        .filter(|own| own.differs() && counts_cuts(context, own, &right))
        .map(|own| (own.element, own.compared.measured.name))
        .collect();
    held.retain(|own| !with_cuts.contains(&(own.element, own.compared.measured.name)));
    let mut by_name: BTreeMap<(&str, &str), Vec<Held>> = BTreeMap::new();
    for own in held {
        by_name.entry((own.set, own.compared.measured.name)).or_default().push(own);
    }
    let mut by_element: BTreeMap<Id, Vec<Held>> = BTreeMap::new();
    for ((set, name), all) in by_name {
        let count = all.len();
        let differing: Vec<Held> = all.into_iter().filter(Held::differs).collect();
        if differing.len() >= FEWEST && differing.len() as f64 > HABIT * count as f64 {
            findings.extend(habit(set, name, &differing, count));
        } else {
            for own in differing {
                by_element.entry(own.element).or_default().push(own);
            }
        }
    }
    let units = Units::from_model(context.model);
    let asked = by_element.into_iter().filter(|(id, _)| context.concerns(*id));
    findings.extend(asked.map(|(id, held)| told(context, &units, id, held)));
}

/// The finding on the quantities that one element states, if some are not those of its shape; no habit of its class is known.
pub(super) fn of_element(around: &impl Around, id: Id) -> Option<Finding> {
    if !around.is_any(id, &CLASSES) || !has_quantities(around, id) || around.body(id).is_none() {
        return None;
    }
    let (differing, right): (Vec<Held>, Vec<Held>) =
        held(around.shaper(), id).into_iter().partition(Held::differs);
    let right = right.iter().map(|own| (own.element, own.compared.measured.name)).collect();
    let mut differing = differing;
    differing.retain(|own| {
        !is_other_extent(around, own) && !goes_into_joints(around, own) && !counts_cuts(around, own, &right)
    });
    let units = Units::from_model(around.model());
    (!differing.is_empty()).then(|| told(around, &units, id, differing))
}

fn has_quantities(around: &impl Around, id: Id) -> bool {
    let (own, of_type) = psets::definitions_of(around.links(), id);
    own.iter().chain(&of_type).any(|set| around.is_a(*set, "IfcElementQuantity"))
}

/// The stated quantities of an element beside those of its shape.
fn held(shaper: &Shaper<'_>, id: Id) -> Vec<Held> {
    let Ok(Some(quantities)) = base_quantities(shaper, id) else { return Vec::new() };
    let Quantities { element, set, notes, .. } = &quantities;
    let all = compare(shaper.reader.model, &quantities).into_iter();
    // what stands in the way was not taken off: the stated one may be right
    let measured = all.filter(|c| c.measured.found != Found::AsGross && c.stored.abs() > 1e-9);
    measured.map(|compared| Held { element: *element, set, compared, has_notes: !notes.is_empty() }).collect()
}

/// Returns true of a length that the body has in another direction of its placement: what is its length and what its width, the faces of
/// a short wall or of a lintel do not tell.
fn is_other_extent(around: &impl Around, held: &Held) -> bool {
    if held.compared.measured.measure != Measure::Length {
        return false;
    }
    let stored = held.compared.stored;
    let near = |extent: &f64| (extent - stored).abs() <= least(Measure::Length).max(SHARE * stored.abs());
    extents(around, held.element).is_some_and(|all| all.iter().any(near))
}

/// Returns true of a gross quantity that counts what is cut out of the body itself, so that no shape tells of it: the net one is that of
/// the shape, and the gross one no more than that of the box around it.
fn counts_cuts(around: &impl Around, held: &Held, right: &BTreeSet<(Id, &str)>) -> bool {
    let Compared { measured, stored } = held.compared;
    let Some(of) = measured.name.strip_prefix("Gross").filter(|_| stored > measured.value) else {
        return false;
    };
    let mut of_element = right.range((held.element, "")..).take_while(|(id, _)| *id == held.element);
    if !of_element.any(|(_, name)| name.strip_prefix("Net") == Some(of)) {
        return false;
    }
    let Some(extents) = extents(around, held.element) else { return false };
    let [small, middle, large] = extents;
    let box_around = match measured.measure {
        Measure::Length => return false,
        Measure::Area => middle * large,
        Measure::Volume => small * middle * large,
    };
    stored <= box_around * (1.0 + SHARE)
}

/// Returns true of a length or gross quantity of a wall that differs by no more than its joints can take or add: both are counted without the
/// connections at its ends (Qto_WallBaseQuantities), and the shape does not show how far it went into them. Side areas follow the length.
fn goes_into_joints(around: &impl Around, held: &Held) -> bool {
    let Compared { measured, stored } = held.compared;
    if measured.name == "NetVolume" || measured.name == "NetFootprintArea" {
        return false;
    }
    let joined = around.links().connected_to(held.element);
    let Some([thickness, ..]) = extents(around, held.element).filter(|_| !joined.is_empty()) else {
        return false;
    };
    let height = upright(around, held.element);
    let widths = joined.iter().filter_map(|id| Some(extents(around, *id)?[0]));
    // a mitre ends where the far faces meet
    let reach = widths.fold(0.0, |sum, width| sum + width + thickness);
    let most = match measured.measure {
        Measure::Length => reach,
        Measure::Area if measured.name.ends_with("FootprintArea") => reach * thickness,
        Measure::Area => reach * height,
        Measure::Volume => reach * thickness * height,
    };
    (stored - measured.value).abs() <= most
}

/// The height of a body in metres.
fn upright(around: &impl Around, id: Id) -> f64 {
    around.body(id).map_or(0.0, |body| body.bounds().size().z)
}

/// The extents of a body along the axes of its placement in metres, the least first.
fn extents(around: &impl Around, id: Id) -> Option<[f64; 3]> {
    let body = around.body(id)?;
    let axes = ifc::placement::of_product(around.model(), id).matrix3;
    let mut all = [axes.x_axis, axes.y_axis, axes.z_axis].map(|way| {
        let all = body.mesh().positions.iter().map(|p| p.dot(way));
        let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        high - low
    });
    all.sort_by(f64::total_cmp);
    Some(all)
}

fn quantity(measure: Measure, value: f64) -> Quantity {
    match measure {
        Measure::Length => Quantity::length(value),
        Measure::Area => Quantity::area(value),
        Measure::Volume => Quantity::volume(value),
    }
}

/// The finding on a quantity that most elements of a class state by another rule.
fn habit(set: &str, name: &str, differing: &[Held], count: usize) -> Option<Finding> {
    let elements: Vec<Id> = differing.iter().map(|own| own.element).collect();
    let worst = differing.iter().max_by(|a, b| a.compared.deviation().total_cmp(&b.compared.deviation()))?;
    let message = format!(
        "{name} of {} of {count} elements differs from {set} as measured on the shape, by up to {:.0} %: the program that wrote it counts it by another rule.",
        differing.len(),
        worst.compared.deviation() * 100.0
    );
    let finding = CONSTRAINT
        .breach(elements, message)
        .suggest("Take quantities from quantity_takeoff, which measures them.");
    Some(Finding { severity: Severity::Info, ..finding })
}

fn told(around: &impl Around, units: &Units, id: Id, mut held: Vec<Held>) -> Finding {
    held.sort_by(|a, b| b.compared.deviation().total_cmp(&a.compared.deviation()));
    let say = |own: &Held| {
        let Compared { measured, stored } = own.compared;
        let [stated, is] = [stored, measured.value].map(|value| quantity(measured.measure, value));
        format!("{} as {stated}, where the shape has {is}", measured.name)
    };
    let all: Vec<String> = held.iter().map(say).collect();
    let message = format!("{} states {}.", around.called(id), all.join("; "));
    let finding = CONSTRAINT.breach(vec![id], message).suggest("Set them to what the shape has.");
    let mut finding = Finding { point: around.body(id).map(|body| body.bounds().centre()), ..finding };
    if let Some(worst) = held.first() {
        let Compared { measured, stored } = worst.compared;
        let of = |value: f64| quantity(measured.measure, value);
        finding = finding.measured(of(stored), Required::Exactly(of(measured.value)));
    }
    let guid = around.guid(id).filter(|_| held.iter().all(|own| !own.has_notes));
    let fixes: Option<Vec<(String, serde_json::Value)>> =
        held.iter().map(|own| restated(around.model(), units, own)).collect();
    let mut by_set: BTreeMap<String, serde_json::Map<String, serde_json::Value>> = BTreeMap::new();
    for ((set, value), own) in fixes.into_iter().flatten().zip(&held) {
        by_set.entry(set).or_default().insert(own.compared.measured.name.to_owned(), value);
    }
    for (set, properties) in by_set {
        let Some(guid) = &guid else { break };
        let arguments = json!({ "element_ids": [guid], "pset": set, "properties": properties });
        finding = finding.mended_by("set_properties", arguments);
    }
    finding
}

/// The set that states a quantity and the value that it should have, in the file's unit; none where the quantity has a unit of its own.
fn restated(model: &Model, units: &Units, held: &Held) -> Option<(String, serde_json::Value)> {
    let measured = held.compared.measured;
    let sets = [held.set, "BaseQuantities"];
    let (set, property) =
        sets.iter().find_map(|set| Some((*set, psets::find(model, held.element, set, measured.name)?)))?;
    let measure = match measured.measure {
        Measure::Length => "IfcLengthMeasure",
        Measure::Area => "IfcAreaMeasure",
        Measure::Volume => "IfcVolumeMeasure",
    };
    property.unit.is_none().then(|| (set.to_owned(), json!(units.from_si(measure, measured.value))))
}
