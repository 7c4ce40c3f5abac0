//! Removing one element from the model: out of its relations, of which those go that would lack an end, and with it what
//! only it used: resources of those relations, its shape, its placement. What else has to follow is for [`crate::deletion`].

use crate::author::{Author, refused};
use crate::placing::{hand_on, leave_grid};
use crate::sweep::references;
use contract::Fault;
use ifc::{Id, Model, Value};
use std::collections::BTreeSet;

/// Removes one element: out of its relations, and then what only it used.
pub(crate) fn remove(author: &mut Author, id: Id) -> Result<(), Fault> {
    if author.edit.get(id).is_some_and(|it| it.is_a("IfcGrid")) {
        leave_grid(author, id)?;
    }
    for relation in author.edit.referrers(id) {
        let Some(instance) = author.edit.get(relation) else { continue };
        if !instance.is_a("IfcRelationship") {
            continue;
        }
        // properties, a code, a document, a space boundary's geometry
        let uses = references(author.edit, relation);
        if let Some(attribute) = member_of(author.edit, relation, id) {
            author.drop_member(relation, &attribute, id)?;
            if author.edit.contains(relation) {
                continue;
            }
        } else {
            author.edit.remove(relation).map_err(|error| refused(&error))?;
        }
        for used in uses {
            author.discard(used)?;
        }
    }
    let uses = references(author.edit, id);
    let placement = author.placement_of(id);
    author.edit.remove(id).map_err(|error| refused(&error))?;
    if let Some(placement) = placement {
        hand_on(author, placement)?;
    }
    author.sweep(&uses)
}

/// The materials of elements themselves, not those of their types: uses of layers, sets of these and lists before what they are made of.
pub(crate) fn materials_of(model: &Model, ids: &[Id]) -> Vec<Id> {
    let relations = ids.iter().flat_map(|id| model.referrers_of(*id, "IfcRelAssociatesMaterial"));
    let mut found: Vec<Id> =
        relations.filter_map(|relation| model.get(relation)?.reference("RelatingMaterial")).collect();
    let mut seen: BTreeSet<Id> = found.iter().copied().collect();
    found.retain(|id| seen.remove(id));
    seen.extend(&found);
    let mut at = 0;
    while let Some(id) = found.get(at).copied() {
        at += 1;
        let is_material =
            |id: &Id| model.get(*id).is_some_and(|it| it.class_name().starts_with("IfcMaterial"));
        found.extend(references(model, id).into_iter().filter(|id| is_material(id) && seen.insert(*id)));
    }
    found
}

/// The list attribute of a relation that has this member.
fn member_of(model: &Model, relation: Id, member: Id) -> Option<String> {
    let instance = model.get(relation)?;
    let attributes = instance.entity()?.attributes;
    instance.attributes().iter().zip(attributes).find_map(|(value, attribute)| match value {
        Value::List(members) if members.contains(&Value::Ref(member)) => Some(attribute.name.to_owned()),
        _ => None,
    })
}
