//! Elements without extent: bodies that enclose nothing, faces in one plane where there should be a body, sizes of nought.

use super::Constraint;
use super::context::Context;
use crate::{Finding, Quantity, Required, Severity};
use geometry::query::Element;
use ifc::Id;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: "constraints.zero_size",
    title: "Elements have a size",
    text: "The body of a building element is more than a point, a line or a face, and stated widths, heights and thicknesses are more than nought.",
    why: "What has no size is not seen, not counted and not built; mostly it is left over from an edit.",
    severity: Severity::Error,
    find,
};

/// Extents and thicknesses below this are none, in metres.
const LEAST: f64 = 1e-4;
const REMEDY: &str = "Draw it anew, or delete it if it is left over from an edit.";
/// Classes that are bodies; others may be drawn by faces and lines.
const BODIES: [&str; 11] = [
    "IfcWall",
    "IfcSlab",
    "IfcColumn",
    "IfcBeam",
    "IfcMember",
    "IfcFooting",
    "IfcPile",
    "IfcStairFlight",
    "IfcRampFlight",
    "IfcDoor",
    "IfcWindow",
];

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for entry in context.scene.entries().iter().filter(|entry| context.concerns(entry.id)) {
        let id = entry.id;
        if !entry.is_drawn() && !entry.is_space {
            // what could not be read is not empty: only faces without any area are
            let is_empty = entry.notes.iter().any(|note| note.reason.contains("without faces"));
            if is_empty {
                findings.push(empty(context, id));
            }
            continue;
        }
        if let Some(body) = context.body(id) {
            findings.extend(flat(context, id, body));
        }
    }
    for (class, attributes) in
        [("IfcDoor", ["OverallWidth", "OverallHeight"]), ("IfcWindow", ["OverallWidth", "OverallHeight"])]
    {
        for id in context.model.of_class(class).into_iter().filter(|id| context.concerns(*id)) {
            findings.extend(attributes.iter().filter_map(|attribute| nought(context, id, attribute)));
        }
    }
}

fn empty(context: &Context<'_>, id: Id) -> Finding {
    let message = format!("{} has a shape without any face that has an area.", context.called(id));
    CONSTRAINT.breach(vec![id], message).suggest(REMEDY)
}

/// The finding on a body that is thin as paper all over.
fn flat(context: &Context<'_>, id: Id, body: &Element) -> Option<Finding> {
    let size = body.bounds().size();
    if !size.is_finite() {
        return None;
    }
    let mut extents = size.to_array();
    extents.sort_by(f64::total_cmp);
    let [_, middle, largest] = extents;
    // a line or a point, whatever the class
    let is_line = middle < LEAST;
    let measures = body.measures();
    let thickness = 2.0 * measures.volume.abs() / measures.area.max(1e-12);
    let is_sheet = context.is_any(id, &BODIES) && measures.is_closed() && thickness < LEAST;
    if !is_line && !is_sheet {
        return None;
    }
    let called = context.called(id);
    let (message, measured) = if largest < LEAST {
        (format!("{called} is no larger than a point."), largest)
    } else if is_line {
        (format!("{called} has an extent in one direction alone."), middle)
    } else {
        (format!("{called} encloses no volume: its body is as thin as paper."), thickness)
    };
    let finding = CONSTRAINT
        .breach(vec![id], message)
        .measured(Quantity::length(measured), Required::AtLeast(Quantity::length(LEAST)))
        .at(body.bounds().centre())
        .suggest(REMEDY);
    Some(finding)
}

/// The finding on an attribute that states no size.
fn nought(context: &Context<'_>, id: Id, attribute: &str) -> Option<Finding> {
    let value = context.model.get(id)?.number(attribute).filter(|value| *value <= 0.0)?;
    let message = format!("{} states {value} as its {attribute}.", context.called(id));
    let metres = ifc::Units::from_model(context.model).to_mm(value) / 1000.0;
    let finding = CONSTRAINT
        .breach(vec![id], message)
        .measured(Quantity::length(metres), Required::AtLeast(Quantity::length(LEAST)))
        .suggest("Set it to the size of its opening.");
    Some(Finding { point: context.middle(id), ..finding })
}
