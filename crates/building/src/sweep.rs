//! Clearing up after a change: what only the removed thing used goes with it (its placement, its solids, their points),
//! what others still use stays.

use crate::author::{Author, refused};
use contract::Fault;
use ifc::{Id, Model, Value};
use std::collections::HashSet;

/// Resources that a file keeps although nothing refers to them at the moment.
const KEPT: [&str; 7] = [
    "IfcRoot",
    "IfcRepresentationContext",
    "IfcOwnerHistory",
    "IfcPerson",
    "IfcOrganization",
    "IfcUnitAssignment",
    "IfcNamedUnit",
];

/// Materials, which are kept as well but for those that only a deleted element had.
const MATERIALS: [&str; 2] = ["IfcMaterial", "IfcMaterialLayerSet"];

/// Things that point at a resource, by this attribute, only to dress it; they do not keep it, they go with it.
const DRESSING: [(&str, &str); 6] = [
    ("IfcStyledItem", "Item"),
    ("IfcPresentationLayerAssignment", "AssignedItems"),
    ("IfcShapeAspect", "PartOfProductDefinitionShape"),
    ("IfcMaterialDefinitionRepresentation", "RepresentedMaterial"),
    ("IfcMaterialProperties", "Material"),
    ("IfcMaterialClassificationRelationship", "ClassifiedMaterial"),
];

impl Author<'_> {
    /// Removes resources that nothing uses any more, and what only they used, as far down as it goes.
    pub fn sweep(&mut self, candidates: &[Id]) -> Result<(), Fault> {
        self.sweep_but(&[&KEPT, &MATERIALS], candidates)
    }

    /// The same with materials and their layers among these: of an element that is deleted, not of one that gets others.
    pub(crate) fn sweep_materials(&mut self, candidates: &[Id]) -> Result<(), Fault> {
        self.sweep_but(&[&KEPT], candidates)
    }

    fn sweep_but(&mut self, kept: &[&[&str]], candidates: &[Id]) -> Result<(), Fault> {
        let mut work: Vec<Id> = candidates.iter().rev().copied().collect();
        while let Some(id) = work.pop() {
            let Some(instance) = self.edit.get(id) else { continue };
            if kept.iter().copied().flatten().any(|class| instance.is_a(class)) {
                continue;
            }
            // a direction has thousands of users: the first that keeps it is enough
            let dressing = self.edit.referrers(id);
            if !dressing.iter().all(|user| dresses(self.edit, *user, id)) {
                continue;
            }
            let uses = references(self.edit, id);
            for garment in dressing {
                self.undress(garment, id, &mut work)?;
            }
            self.edit.remove(id).map_err(|error| refused(&error))?;
            work.extend(uses);
        }
        Ok(())
    }

    fn undress(&mut self, garment: Id, from: Id, work: &mut Vec<Id>) -> Result<(), Fault> {
        let Some(instance) = self.edit.get(garment) else { return Ok(()) };
        if instance.is_a("IfcPresentationLayerAssignment") && instance.references("AssignedItems").len() > 1 {
            return self.edit.remove_from(garment, "AssignedItems", from).map_err(|error| refused(&error));
        }
        // a style that others use as well, for a material's look, only lets go of the item
        if !self.edit.referrers(garment).is_empty() {
            return Ok(());
        }
        let uses = references(self.edit, garment);
        self.edit.remove(garment).map_err(|error| refused(&error))?;
        work.extend(uses.into_iter().filter(|id| *id != from));
        Ok(())
    }

    /// Removes a set of properties or quantities, or a material's use, if no relation ties it to anything.
    pub(crate) fn discard(&mut self, id: Id) -> Result<(), Fault> {
        let Some(instance) = self.edit.get(id) else { return Ok(()) };
        if !instance.is_a("IfcPropertySetDefinition") {
            return self.sweep(&[id]);
        }
        if !self.edit.referrers(id).is_empty() {
            return Ok(());
        }
        let uses = references(self.edit, id);
        self.edit.remove(id).map_err(|error| refused(&error))?;
        self.sweep(&uses)
    }
}

/// Returns true if an instance points at a resource only to dress it.
fn dresses(model: &Model, user: Id, resource: Id) -> bool {
    model.get(user).is_some_and(|user| {
        DRESSING.iter().any(|(class, attribute)| {
            user.is_a(class)
                && (user.reference(attribute) == Some(resource)
                    || user.references(attribute).contains(&resource))
        })
    })
}

/// Returns the instances that one refers to, each once, in order.
pub fn references(model: &Model, id: Id) -> Vec<Id> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    if let Some(instance) = model.get(id) {
        for value in instance.attributes() {
            Value::for_each_ref(&value, &mut |id| {
                if seen.insert(id) {
                    found.push(id);
                }
            });
        }
    }
    found
}
