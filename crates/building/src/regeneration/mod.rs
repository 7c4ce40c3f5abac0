//! What hangs on an element that was changed by hand follows in the same edit: rooms keep to the faces of their walls, slabs and roofs to
//! the walls that they were drawn over, coverings to their rooms, and what reached up to a storey that was raised reaches it again.
//!
//! It begins from what differs and looks at the storeys around that, at nothing else. What cannot follow is left as it was, and said
//! so with the reason; a room that would be left without floor refuses the change.
//!
//! Openings, fillings and joined walls follow where their host is changed (`parameters`, `movement`, `joints`), quantities with them.

mod climbs;
mod coverings;
mod faces;
mod invaded;
mod levels;
mod linings;
mod outline;
mod quantities;
mod roofs;
mod slabs;
mod spaces;

use crate::author::Author;
use crate::lookup::{guid, label};
use crate::soundness::storeys_in;
use contract::{Actor, Fault};
use faces::Moved;
use ifc::guid::GuidSource;
use ifc::{Id, Model, relations};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

/// An element that hung on what was changed and did not follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Left {
    /// GlobalId.
    pub id: String,
    /// Name.
    pub name: String,
    /// The reason.
    pub why: String,
}

/// Everything that followed a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Followed {
    /// The elements that were drawn again, in the order in which they were.
    pub regenerated: Vec<Id>,
    /// Those that should have been, and why they were not.
    pub left: Vec<Left>,
}

impl Followed {
    /// Returns true if nothing hung on the change.
    pub fn is_empty(&self) -> bool {
        self.regenerated.is_empty() && self.left.is_empty()
    }

    fn add(&mut self, id: Id) {
        if !self.regenerated.contains(&id) {
            self.regenerated.push(id);
        }
    }

    fn leave(&mut self, model: &Model, id: Id, why: impl Into<String>) {
        let left = Left { id: guid(model, id), name: label(model, id), why: why.into() };
        if !self.left.contains(&left) {
            self.left.push(left);
        }
    }
}

/// Instances that the shape of one element is looked for in.
const MOST_OF_A_SHAPE: usize = 2_000;

/// Returns the elements, rooms among them, that were there before and whose own shape is another than it was, whatever changed it, given
/// the instances that differ: not what was only moved, or is only cut by other openings.
pub fn redrawn(before: &Model, after: &Model, touched: &[Id]) -> Vec<Id> {
    if !touched.iter().any(|id| carries_shape(before, *id)) {
        return Vec::new();
    }
    let Some(reshaped) = geometry::scene::reshaped(before, after, touched) else { return Vec::new() };
    let touched: BTreeSet<Id> = touched.iter().copied().collect();
    let is_drawn_in = |model: &Model, id: &Id| {
        model.get(*id).is_some_and(|element| {
            ["IfcElement", "IfcSpace"].iter().any(|class| element.is_a(class))
                && !element.is_a("IfcFeatureElement")
        })
    };
    let there = reshaped.into_iter().filter(|id| is_drawn_in(before, id) && is_drawn_in(after, id));
    there.filter(|id| has_other_shape(after, *id, &touched)).collect()
}

/// Returns true if one of the instances that an element's shape is made of was touched.
fn has_other_shape(model: &Model, id: Id, touched: &BTreeSet<Id>) -> bool {
    let shape = model.get(id).and_then(|element| element.reference("Representation"));
    let mut open: Vec<Id> = shape.into_iter().collect();
    let mut seen: BTreeSet<Id> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        if touched.contains(&id) {
            return true;
        }
        let Some(instance) = model.get(id) else { continue };
        if instance.is_a("IfcRepresentationContext") || seen.len() > MOST_OF_A_SHAPE {
            continue;
        }
        for value in instance.attributes() {
            value.for_each_ref(&mut |next| {
                if seen.insert(next) {
                    open.push(next);
                }
            });
        }
    }
    false
}

/// Returns true for a product, a placement, or a part of a shape that was there before: without one among what was touched nothing that was
/// there has another shape or place, as in most changes, which only add.
fn carries_shape(before: &Model, id: Id) -> bool {
    const KINDS: [&str; 7] = [
        "IfcProduct",
        "IfcObjectPlacement",
        "IfcProductRepresentation",
        "IfcRepresentation",
        "IfcRepresentationItem",
        "IfcPlacement",
        "IfcProfileDef",
    ];
    before.get(id).is_some_and(|instance| KINDS.iter().any(|kind| instance.is_a(kind)))
}

/// The elements that were there before and have a new opening.
fn newly_cut(model: &Model, before: &Model, touched: &[Id]) -> BTreeSet<Id> {
    let host = |id: &Id| {
        let relation = model.get(*id).filter(|relation| relation.is_a("IfcRelVoidsElement"))?;
        relation.reference("RelatingBuildingElement").filter(|host| before.contains(*host))
    };
    touched.iter().filter_map(host).collect()
}

/// Draws again what hangs on the difference between `before` and the author's edit, in which these instances differ.
pub fn follow(author: &mut Author, before: &Model, touched: &[Id]) -> Result<Followed, Fault> {
    let mut followed = Followed::default();
    if !touched.iter().any(|id| carries_shape(before, *id)) {
        quantities::follow(author, before, &newly_cut(author.edit, before, touched))?;
        return Ok(followed);
    }
    let Some(reshaped) = geometry::scene::reshaped(before, author.edit.model(), touched) else {
        return Ok(followed);
    };
    let moved = with_reader(before, |reader| faces::moved(reader, author, &reshaped));
    if !moved.is_empty() {
        let storeys = storeys_around(author.edit, &moved);
        spaces::follow(author, &moved, &storeys, &reshaped, &mut followed)?;
        slabs::follow(author, &moved, &storeys, &reshaped, &mut followed)?;
        roofs::follow(author, before, &moved, &storeys, &mut followed)?;
    }
    levels::follow(author, before, &reshaped, &mut followed)?;
    climbs::follow(author, before, &reshaped, &mut followed)?;
    linings::follow(author, before, &reshaped, &mut followed)?;
    invaded::tell(author, before, &reshaped, &mut followed);
    quantities::follow(author, before, &reshaped)?;
    Ok(followed)
}

/// An author who only reads a model.
fn with_reader<T>(model: &Model, read: impl FnOnce(&Author<'_>) -> T) -> T {
    let mut edit = model.edit();
    let mut guids = GuidSource::new("reading");
    read(&Author::new(&mut edit, &mut guids, 0, &Actor::default()))
}

/// The storeys of walls that moved, and those next to them.
fn storeys_around(model: &Model, moved: &[Moved]) -> BTreeSet<Id> {
    storeys_of(model, moved.iter().map(|moved| moved.wall))
}

/// The storeys that hold elements, and those next to them in their buildings.
fn storeys_of(model: &Model, elements: impl Iterator<Item = Id>) -> BTreeSet<Id> {
    let own: BTreeSet<Id> = elements.filter_map(|id| relations::storey_of(model, id)).collect();
    let mut found = own.clone();
    for storey in own {
        let Some(whole) = relations::aggregate_parent(model, storey) else { continue };
        let storeys = storeys_in(model, whole);
        if let Some(at) = storeys.iter().position(|(id, _)| *id == storey) {
            found.extend(storeys.iter().skip(at.saturating_sub(1)).take(3).map(|(id, _)| *id));
        }
    }
    found
}
