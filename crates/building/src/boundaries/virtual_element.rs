//! The IfcVirtualElement of a boundary where a room is open, which IFC4 asks for: one for both rooms and both levels.

use super::surface::{Surface, surfaces};
use crate::author::Author;
use crate::frame::Frame;
use contract::Fault;
use geometry::Shaper;
use glam::DAffine3;
use ifc::{Id, relations};

/// The most that two rooms that are open to each other are apart, in metres.
const APART: f64 = 0.06;

/// The virtual elements of a model's boundaries, each with a surface where a room is open by it; read when first asked for.
#[derive(Default)]
pub(super) struct VirtualElements(Option<Vec<(Id, Surface)>>);

impl VirtualElements {
    fn read(author: &Author) -> Vec<(Id, Surface)> {
        let model = author.edit.model();
        let shaper = Shaper::plain(model);
        let mut known = Vec::new();
        for element in model.of_class("IfcVirtualElement") {
            for relation in model.referrers_of(element, "IfcRelSpaceBoundary") {
                let space = model.get(relation).and_then(|it| model.get(it.reference("RelatingSpace")?));
                let placed = space.and_then(|it| shaper.reader.world(it.reference("ObjectPlacement")?));
                let frame = placed.unwrap_or(DAffine3::IDENTITY);
                known.extend(surfaces(&shaper, relation, &frame).into_iter().map(|it| (element, it)));
            }
        }
        known
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
        let known = self.0.get_or_insert_with(|| Self::read(author));
        if let Some((known, _)) = known.iter().find(is_there) {
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
        self.0.get_or_insert_default().push((element, surface.clone()));
        Ok(element)
    }
}
