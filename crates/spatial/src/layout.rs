//! The layout of a version: its rooms, the faces between them, and the doors, windows and openings in those.
//!
//! It is made of a version once; all answers about rooms are read from it.

use crate::{
    Rooms,
    adjacency::{self, Adjacency},
    bounding::{self, Bounding},
    elements::Elements,
    facet::Facet,
    pairing::{self, Piece},
    passage::{Passage, passages},
};
use geometry::{Scene, Shaper};
use ifc::relations::Links;
use std::sync::OnceLock;

/// The rooms of a version and what lies between them.
pub struct Layout {
    /// Storeys and rooms.
    pub rooms: Rooms,
    /// The elements that enclose rooms, by place, with their openings left in.
    pub elements: Elements,
    /// The flat faces of all rooms.
    pub facets: Vec<Facet>,
    /// The faces in pieces, each with what lies behind it.
    pub pieces: Vec<Piece>,
    /// Doors, windows and openings.
    pub passages: Vec<Passage>,
    /// Height of the terrain, in metres of the world.
    pub terrain: f64,
    adjacencies: OnceLock<Vec<Adjacency>>,
    /// The elements around each room, looked up when asked for.
    bounding: Vec<OnceLock<Vec<Bounding>>>,
}

impl Layout {
    /// The layout of the version that a scene shows.
    pub fn from_scene(scene: &Scene) -> Layout {
        let model = scene.model();
        let shaper = Shaper::plain(model);
        let links = Links::of_many(model);
        let elements = Elements::from_scene(scene, &shaper, &links);
        let rooms = Rooms::with_elements(scene, &shaper, &links, &elements);
        let facets: Vec<Facet> = (rooms.rooms.iter().enumerate())
            .flat_map(|(number, room)| {
                room.solid.faces.iter().filter_map(move |face| Facet::new(number, face))
            })
            .collect();
        let terrain = terrain(&shaper, &rooms);
        let pieces = pairing::pieces(&facets, &elements, &[], terrain);
        let passages = passages(&shaper, &links, &elements, &rooms);
        let bounding = rooms.rooms.iter().map(|_| OnceLock::new()).collect();
        let adjacencies = OnceLock::new();
        Layout { rooms, elements, facets, pieces, passages, terrain, adjacencies, bounding }
    }

    /// All neighbours, in the order of their sides.
    pub fn adjacencies(&self) -> &[Adjacency] {
        self.adjacencies.get_or_init(|| adjacency::adjacencies(self))
    }

    /// The elements around a room, the largest first; none for a room that is not there.
    pub fn bounding(&self, room: usize) -> &[Bounding] {
        let known = self.bounding.get(room).map(|known| known.get_or_init(|| bounding::bounding(self, room)));
        known.map(Vec::as_slice).unwrap_or_default()
    }

    /// Bytes that it takes, about, for caches.
    pub fn weight(&self) -> u64 {
        let points = |loops: usize| (loops * 16) as u64;
        let facets: usize = self.facets.iter().flat_map(|f| &f.loops).map(Vec::len).sum();
        let pieces: usize = self.pieces.iter().flat_map(|p| p.area.loops()).map(Vec::len).sum();
        let bodies: usize =
            self.rooms.rooms.iter().flat_map(|r| &r.solid.faces).flat_map(|f| &f.loops).map(Vec::len).sum();
        let own = 150 * (self.facets.len() + self.pieces.len() + 2 * self.passages.len()) as u64;
        own + points(facets + pieces + 2 * bodies) + self.rooms.index().weight() + self.elements.weight()
    }
}

/// The level of the terrain in metres of the world: that of the IfcSite's placement, or the lowest floor where that does not lie at
/// the building.
fn terrain(shaper: &Shaper<'_>, rooms: &Rooms) -> f64 {
    let model = shaper.reader.model;
    let site = model.of_class("IfcSite").into_iter().next().and_then(|id| model.get(id));
    let placed = site.and_then(|s| shaper.reader.world(s.reference("ObjectPlacement")?));
    let level = placed.map_or(0.0, |frame| frame.translation.z);
    let lowest = rooms.rooms.iter().map(|room| room.foot).fold(f64::INFINITY, f64::min);
    let highest = rooms.rooms.iter().map(|room| room.top).fold(f64::NEG_INFINITY, f64::max);
    if lowest.is_finite() && (level < lowest - 2.0 || level > highest) { lowest } else { level }
}
