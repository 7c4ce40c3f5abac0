//! Placements that put an element nowhere: missing, running in a circle, standing on nothing, or without numbers; and bodies that a
//! transformation turns inside out.

use super::Constraint;
use super::context::Context;
use crate::around::Around as _;
use crate::{Finding, Severity};
use ifc::{Id, Model};
use std::collections::BTreeSet;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: "constraints.placement",
    title: "Placements are sound",
    text: "Every element with a shape has a placement that leads to the origin in finite numbers, without a circle.",
    why: "Programs put an element with a broken placement at different places, or at none.",
    severity: Severity::Error,
    find,
};

/// Placements in a chain that are followed.
const DEEPEST: usize = 256;

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for id in context.model.of_class("IfcProduct") {
        if !context.concerns(id) {
            continue;
        }
        let Some(reason) = fault(context.model, id) else { continue };
        let message = format!("{} {reason}.", context.called(id));
        let suggestion = "Place it anew where the model was written, relative to its storey.";
        findings.push(CONSTRAINT.breach(vec![id], message).suggest(suggestion));
    }
}

/// Returns the products of a model that are placed nowhere.
pub(super) fn misplaced(model: &Model) -> BTreeSet<Id> {
    model.of_class("IfcProduct").into_iter().filter(|id| fault(model, *id).is_some()).collect()
}

/// The reason why a product is placed nowhere.
fn fault(model: &Model, id: Id) -> Option<String> {
    let product = model.get(id)?;
    let Some(placement) = product.reference("ObjectPlacement") else {
        let has_shape = product.is_a("IfcElement") && product.reference("Representation").is_some();
        return has_shape.then(|| "has a shape and no placement".to_owned());
    };
    let mut seen = BTreeSet::new();
    let mut next = Some(placement);
    while let Some(at) = next {
        if !seen.insert(at) || seen.len() > DEEPEST {
            return Some(format!("has a placement that runs in a circle, at {at}"));
        }
        let Some(own) = model.get(at) else { return Some(format!("has a placement that is missing, {at}")) };
        if let Some(reason) = own.reference("RelativePlacement").and_then(|axes| unsound(model, axes)) {
            return Some(reason);
        }
        next = own.reference("PlacementRelTo");
    }
    None
}

/// The reason why axes are no place.
fn unsound(model: &Model, axes: Id) -> Option<String> {
    let Some(instance) = model.get(axes) else { return Some(format!("has axes that are missing, {axes}")) };
    let location = instance.reference("Location")?;
    let Some(point) = model.get(location).filter(|point| point.is_a("IfcCartesianPoint")) else {
        // a point by its distance along a curve is not given in coordinates
        return (!model.contains(location)).then(|| format!("has an origin that is missing, {location}"));
    };
    let mut numbers = [0.0; 3];
    let count = point.numbers("Coordinates", &mut numbers);
    let is_sound = count.is_some_and(|n| n >= 2) && numbers.iter().all(|v| v.is_finite());
    if !is_sound {
        return Some(format!("has a placement without sound coordinates, at {location}"));
    }
    let unit = |id: Id| ifc::placement::direction(model, id).and_then(ifc::placement::unit);
    let direction = |name: &str| instance.reference(name).map(|id| (id, unit(id)));
    match (direction("Axis"), direction("RefDirection")) {
        (Some((id, None)), _) | (_, Some((id, None))) => {
            Some(format!("has a placement with a direction of no length, {id}"))
        }
        (Some((_, Some(z))), Some((_, Some(x)))) if z.cross(x).length() < 1e-6 => {
            Some(format!("has a placement whose axes are parallel, {axes}"))
        }
        _ => None,
    }
}
