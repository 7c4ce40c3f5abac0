//! Boundaries taken out, with their surfaces and the virtual elements that only they had.

use crate::author::{Author, refused};
use crate::removal;
use contract::Fault;
use ifc::{Id, Model};
use std::collections::BTreeSet;

/// Removes boundaries; those that lie within them or correspond to them lose the tie.
pub(super) fn remove(author: &mut Author, relations: &[Id]) -> Result<(), Fault> {
    for relation in relations {
        let Some(boundary) = author.edit.get(*relation) else { continue };
        let used: Vec<Id> = boundary.reference("ConnectionGeometry").into_iter().collect();
        author.edit.remove(*relation).map_err(|error| refused(&error))?;
        author.sweep(&used)?;
    }
    Ok(())
}

/// Removes the virtual elements of boundaries in an earlier state that no boundary has any more, unless somebody drew them.
pub fn remove_unused(author: &mut Author, before: &Model) -> Result<(), Fault> {
    let is_bound = |id: &Id| !before.referrers_of(*id, "IfcRelSpaceBoundary").is_empty();
    let had: BTreeSet<Id> = before.of_class("IfcVirtualElement").into_iter().filter(is_bound).collect();
    remove_unused_of(author, &had)
}

/// Removes those of some virtual elements that no boundary has, unless somebody drew them.
pub(super) fn remove_unused_of(author: &mut Author, elements: &BTreeSet<Id>) -> Result<(), Fault> {
    for id in elements {
        let Some(element) = author.edit.get(*id) else { continue };
        let is_drawn = element.reference("Representation").is_some();
        let is_virtual = element.is_a("IfcVirtualElement");
        if is_virtual && !is_drawn && author.edit.referrers_of(*id, "IfcRelSpaceBoundary").is_empty() {
            removal::remove(author, *id)?;
        }
    }
    Ok(())
}
