//! Elements without extent: bodies that enclose nothing, faces in one plane where there should be a body, sizes of nought.

use super::Constraint;
use super::context::Context;
use crate::around::Around as _;
use crate::{Finding, Quantity, Required, Severity};
use building::soundness::constraint;
use building::soundness::extent::{LEAST, lack, noughts};
use geometry::query::Element;
use ifc::Id;
use serde_json::json;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::ZERO_SIZE,
    title: "Elements have a size",
    text: "The body of a building element is more than a point, a line or a face, and stated widths, heights and thicknesses are more than nought.",
    why: "What has no size is not seen, not counted and not built; mostly it is left over from an edit.",
    severity: Severity::Error,
    find,
};

const REMEDY: &str = "Draw it anew, or delete it if it is left over from an edit.";
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
        if let Some(body) = context.standing(id) {
            findings.extend(flat(context, id, body));
        }
    }
    for class in ["IfcDoor", "IfcWindow"] {
        for id in context.model.of_class(class).into_iter().filter(|id| context.concerns(*id)) {
            let all = noughts(context.model, id).into_iter();
            findings.extend(all.map(|(attribute, value)| nought(context, id, attribute, value)));
        }
    }
}

fn empty(context: &Context<'_>, id: Id) -> Finding {
    let message = format!("{} has a shape without any face that has an area.", context.called(id));
    CONSTRAINT.breach(vec![id], message).suggest(REMEDY)
}

/// The finding on a body that is thin as paper all over.
fn flat(context: &Context<'_>, id: Id, body: &Element) -> Option<Finding> {
    let lack = lack(context.model, body)?;
    let message = format!("{} {}.", context.called(id), lack.words());
    let finding = CONSTRAINT
        .breach(vec![id], message)
        .measured(Quantity::length(lack.metres()), Required::AtLeast(Quantity::length(LEAST)))
        .at(body.bounds().centre())
        .suggest(REMEDY);
    Some(finding)
}

/// The finding on an attribute that states no size.
fn nought(context: &Context<'_>, id: Id, attribute: &str, value: f64) -> Finding {
    let message = format!("{} states {value} as its {attribute}.", context.called(id));
    let metres = ifc::Units::from_model(context.model).to_mm(value) / 1000.0;
    let finding = CONSTRAINT
        .breach(vec![id], message)
        .measured(Quantity::length(metres), Required::AtLeast(Quantity::length(LEAST)))
        .suggest("Set it to the size of its opening.");
    let finding = Finding { point: context.middle(id), ..finding };
    let doors = &context.ways.premises.doors;
    let opening = context.links.opening_of_filling(id).and(doors.iter().find(|door| door.element == id));
    let (Some(door), Some(guid)) = (opening, context.guid(id)) else { return finding };
    let (parameter, size) =
        if attribute == "OverallWidth" { ("width", door.width) } else { ("height", door.head - door.sill) };
    let value = (size * 1e6).round() / 1e3;
    finding.mended_by(
        "modify_parameter",
        json!({ "element_id": guid, "parameter_name": parameter, "value": value }),
    )
}
