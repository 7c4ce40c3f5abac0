//! GlobalIds that a change gave to an instance although another one has it (IfcRoot.UR1, ISO 16739-1).

use super::{Finding, Kind, called, constraint};
use ifc::{Id, Model};
use std::collections::HashMap;

/// Adds a finding for each GlobalId that came to a further instance.
pub(super) fn find(before: &Model, after: &Model, touched: &[Id], findings: &mut Vec<Finding>) {
    let guid =
        |model: &Model, id: Id| model.get(id).and_then(|root| root.guid()).filter(|guid| !guid.is_empty());
    let mut given: HashMap<String, Id> = HashMap::new();
    for id in touched {
        let Some(own) = guid(after, *id) else { continue };
        if guid(before, *id).as_ref() == Some(&own) {
            continue;
        }
        let former =
            before.by_guid(&own).filter(|other| other != id && guid(after, *other).as_ref() == Some(&own));
        let other = former.or_else(|| given.get(&own).copied());
        if let Some(other) = other {
            let say =
                format!("{} and {} have one GlobalId, {own}.", called(after, other), called(after, *id));
            let (kind, rule) = (Kind::DuplicateGuid, constraint::DUPLICATE_GUID);
            findings.push(Finding { kind, rule, elements: vec![own.clone()], say });
        }
        given.insert(own, *id);
    }
}
