//! The IfcVirtualElement of a boundary where a room is open, which IFC4 asks for: one for both rooms and both levels.

use super::stored::Surface;
use crate::author::Author;
use crate::frame::Frame;
use contract::Fault;
use ifc::{Id, relations};

/// The most that two rooms that are open to each other are apart, in metres.
const APART: f64 = 0.06;

/// The virtual elements that are known, each with a surface where a room is open by it.
#[derive(Default)]
pub(super) struct VirtualElements(Vec<(Id, Surface)>);

impl VirtualElements {
    /// Adds those of an element's surfaces, if it is one.
    pub(super) fn learn(&mut self, author: &Author, element: Option<Id>, surfaces: &[Surface]) {
        let is_virtual = |id: &Id| author.edit.get(*id).is_some_and(|it| it.is_a("IfcVirtualElement"));
        if let Some(element) = element.filter(is_virtual) {
            self.0.extend(surfaces.iter().map(|surface| (element, surface.clone())));
        }
    }

    /// The element of a surface: a known one in the same place, or a new one on the room's storey.
    pub(super) fn of_surface(
        &mut self,
        author: &mut Author,
        space: Id,
        surface: &Surface,
    ) -> Result<Id, Fault> {
        let size = surface.size();
        let is_there = |(_, known): &&(Id, Surface)| {
            surface.turn(known).abs() > 0.999
                && surface.distance(known).abs() < APART
                && surface.shared(known) > 0.5 * size.min(known.size())
        };
        if let Some((known, _)) = self.0.iter().find(is_there) {
            return Ok(*known);
        }
        let storey = relations::storey_of(author.edit, space);
        let outer = match storey {
            Some(storey) => author.frame(storey)?,
            None => Frame::WORLD,
        };
        let corner = surface.loops.first().and_then(|l| l.first()).copied().unwrap_or_default();
        let origin = surface.plane.transform_point3(corner.extend(0.0)) * 1000.0;
        let within = storey.and_then(|storey| author.placement_of(storey));
        let placement = author.placement(within, &Frame::at(origin).seen_from(&outer))?;
        let element = author.root(
            "IfcVirtualElement",
            Some("Open between rooms"),
            &[("ObjectPlacement", placement.into())],
        )?;
        if let Some(storey) = storey {
            author.contain(storey, element)?;
        }
        self.0.push((element, surface.clone()));
        Ok(element)
    }
}
