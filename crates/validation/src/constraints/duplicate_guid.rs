//! GlobalIds that several instances have (IfcRoot.UR1, ISO 16739-1): whoever names an element by it means the one or the other.

use super::Constraint;
use super::context::Context;
use crate::around::Around as _;
use crate::{Finding, Severity};
use building::soundness::constraint;
use ifc::Id;
use std::collections::HashMap;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::DUPLICATE_GUID,
    title: "GlobalIds are unique",
    text: "No two instances of a model have the same GlobalId.",
    why: "Issues, schedules and other models name elements by GlobalId; where two have one, changes go to the wrong element.",
    severity: Severity::Error,
    find,
};

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut by_guid: HashMap<String, Vec<Id>> = HashMap::new();
    for id in context.model.of_class("IfcRoot") {
        let guid = context.model.get(id).and_then(|root| root.guid());
        if let Some(guid) = guid.filter(|guid| !guid.is_empty()) {
            by_guid.entry(guid).or_default().push(id);
        }
    }
    for (guid, mut ids) in by_guid.into_iter().filter(|(_, ids)| ids.len() > 1) {
        ids.sort_unstable();
        let names: Vec<String> = ids.iter().take(5).map(|id| context.called(*id)).collect();
        let message = format!("{} instances have the GlobalId {guid}: {}.", ids.len(), names.join(", "));
        let place = ids.iter().find_map(|id| context.middle(*id));
        let finding = CONSTRAINT.breach(ids, message).suggest(
            "Give all but one of them a new GlobalId where the model was written; copies of elements get new ones there.",
        );
        findings.push(Finding { point: place, ..finding });
    }
}
