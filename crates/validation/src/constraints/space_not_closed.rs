//! Spaces whose body does not enclose a volume, or that have none.

use super::Constraint;
use super::context::Context;
use super::room_without_door::middle;
use crate::around::Around as _;
use crate::grouping::joined;
use crate::{Finding, Severity};
use ifc::Id;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: "constraints.space_not_closed",
    title: "Spaces are closed",
    text: "Every space has a body whose faces close, so that it encloses a volume.",
    why: "Of a space that does not close, neither volume nor what lies around it can be told.",
    severity: Severity::Warning,
    find,
};

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let rooms = &context.layout.rooms;
    let mut found = Vec::new();
    for room in rooms.rooms.iter().filter(|room| !room.is_closed) {
        let Some(space) = room.space().filter(|id| context.concerns(*id)) else { continue };
        let message = format!("The body of the room {} does not close.", room.label());
        let finding = CONSTRAINT
            .breach(vec![space], message)
            .suggest("Draw its body anew, between the walls around it.");
        found.push(Finding { point: middle(room), ..finding });
    }
    for (space, reason) in rooms.left_out.iter().filter(|(id, _)| context.concerns(*id)) {
        let message = format!("{} is no room: {reason}.", context.called(*space));
        let finding = CONSTRAINT
            .breach(vec![*space], message)
            .suggest("Give it a body between the walls around it, or delete it.");
        found.push(Finding { severity: Severity::Info, ..finding });
    }
    let cause =
        |finding: &Finding| (finding.severity, finding.elements.first().and_then(|id| context.storey(*id)));
    let say = |(severity, _): &(Severity, Option<Id>), group: &[Finding]| {
        let what = if *severity == Severity::Info {
            "have no body that makes a room"
        } else {
            "have a body that does not close"
        };
        format!(
            "{} spaces {what}. The first: {}",
            group.len(),
            group.first().map(|f| f.message.as_str()).unwrap_or_default()
        )
    };
    findings.extend(joined(found, cause, say));
}
