//! The parts of a stair or ramp that stands already, taken up again in their order when it is drawn anew, so that a flight stays the
//! element that it was.

use super::layout::Step;
use crate::author::Author;
use crate::frame::Frame;
use crate::library::buildup::only_material;
use crate::placing::place;
use crate::slab::{self, NewSlab, SlabKind};
use contract::Fault;
use ifc::{Id, Value, relations};
use std::collections::VecDeque;

/// The parts there are, by their kind; none of what is made for the first time.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Flights from below.
    pub flights: VecDeque<Id>,
    /// Landings from below.
    pub landings: VecDeque<Id>,
    /// Railings.
    pub railings: Vec<Id>,
}

impl Parts {
    pub(super) fn read(author: &Author, whole: Id) -> Self {
        let mut parts = Self::default();
        for id in relations::children(author.edit, whole) {
            let Some(part) = author.edit.get(id) else { continue };
            if part.is_a("IfcStairFlight") || part.is_a("IfcRampFlight") {
                parts.flights.push_back(id);
            } else if part.is_a("IfcSlab") {
                parts.landings.push_back(id);
            } else if part.is_a("IfcRailing") {
                parts.railings.push(id);
            }
        }
        parts
    }

    /// Deletes the flights and landings that were not taken up again.
    pub(super) fn delete_rest(self, author: &mut Author) -> Result<(), Fault> {
        let rest: Vec<Id> = self.flights.into_iter().chain(self.landings).collect();
        if rest.is_empty() { Ok(()) } else { crate::deletion::delete(author, &rest, false).map(|_| ()) }
    }
}

/// Writes a part, or gives the one there is another shape and other attributes. A placement is for what is new.
pub(super) fn put(
    author: &mut Author,
    existing: Option<Id>,
    class: &str,
    text: &str,
    placement: Id,
    attributes: &[(&str, Value)],
) -> Result<Id, Fault> {
    let Some(id) = existing else {
        let mut all = vec![("ObjectPlacement", Value::Ref(placement))];
        all.extend_from_slice(attributes);
        return author.root(class, Some(text), &all);
    };
    author.sweep(&[placement])?;
    let former = author.edit.get(id).and_then(|e| e.reference("Representation"));
    for (attribute, value) in attributes {
        author.set(id, attribute, value.clone())?;
    }
    author.sweep(&former.into_iter().collect::<Vec<_>>())?;
    Ok(id)
}

/// The looks of the landings of a stair or ramp.
pub(super) struct Landings<'a> {
    /// The stair or ramp, with its placement.
    pub whole: (Id, Id),
    /// Its frame in the world.
    pub frame: &'a Frame,
    /// The storey that it stands on.
    pub storey: Id,
    /// Thickness in mm.
    pub thickness: f64,
    /// Material.
    pub material: Option<&'a str>,
    /// The name of the whole.
    pub text: &'a str,
}

impl Landings<'_> {
    /// Writes a landing, or draws the one there is anew.
    pub(super) fn put(
        &self,
        author: &mut Author,
        existing: Option<Id>,
        landing: &Step,
        number: usize,
    ) -> Result<Id, Fault> {
        let Some(id) = existing else {
            let outline = landing.outline.iter();
            let slab = NewSlab {
                storey: self.storey,
                outline: outline.map(|p| self.frame.transform_point3(p.extend(0.0)).truncate()).collect(),
                top: landing.top,
                thickness: self.thickness,
                kind: SlabKind::Landing,
                name: Some(format!("{} landing {number}", self.text)),
                material: self.material.map(str::to_owned),
            };
            let id = slab::write(author, &slab, Some(self.whole.1), self.frame)?;
            author.aggregate(self.whole.0, id)?;
            return Ok(id);
        };
        let was = crate::host::Slab::read(author, id).map(|slab| slab.thickness).unwrap_or_default();
        place(author, id, &(*self.frame * Frame::at([0.0, 0.0, landing.top])))?;
        let solid = author.upright(&landing.outline, &[], -self.thickness, self.thickness)?;
        let body = author.body(&[solid])?;
        author.replace_representation(id, "Body", body)?;
        if (was - self.thickness).abs() > 0.01 {
            // one that was given another material since keeps that
            let own = only_material(author, id);
            author.leave(id, "IfcRelDefinesByType")?;
            author.leave(id, "IfcRelAssociatesMaterial")?;
            let material = own.as_deref().or(self.material);
            slab::dress(author, id, SlabKind::Landing, self.thickness, material)?;
        }
        slab::quantify(author, id)?;
        Ok(id)
    }
}
