//! The layout of a version: its rooms, the faces between them, and the doors, windows and openings in those.
//!
//! It is made of a version once, or follows that of the version before; all answers about rooms are read from it. What a version takes
//! over is told in [`following`].

mod facts;
pub(crate) mod following;

use crate::{
    Rooms,
    adjacency::{self, Adjacency},
    bounding::Bounding,
    contents::{self, Content, Contents, UsableWidth},
    elements::Elements,
    facet::Facet,
    measures::RoomMeasures,
    pairing::{self, Steps},
    parts::Parts,
    passages::{self, Read},
    touched::Touched,
};
use facts::Facts;
use geometry::{Scene, Shaper};
use ifc::{Id, Model, relations::Links};
use std::{
    collections::BTreeSet,
    ops::Deref,
    sync::{Arc, OnceLock},
};

/// The rooms of a version, what lies between them, and all that is said of them.
pub struct Layout {
    parts: Parts,
    /// The steps to the pieces and the passages, which the next version takes over.
    steps: Arc<Steps>,
    reads: Arc<Vec<Arc<Read>>>,
    adjacencies: OnceLock<Vec<Adjacency>>,
    contents: Arc<Contents>,
    facts: Vec<Facts>,
    weights: Weights,
    since: Option<Since>,
}

/// The difference to the version that a layout was made out of.
pub(crate) struct Since {
    pub(crate) touched: Touched,
    /// The products whose bodies or places may differ.
    pub(crate) reshaped: BTreeSet<Id>,
}

/// Bytes that parts take, about, once somebody asked.
#[derive(Default)]
struct Weights {
    /// Bodies, faces, pieces and the steps to these.
    faces: OnceLock<u64>,
    /// Passages and how they were read.
    reads: OnceLock<u64>,
}

impl Deref for Layout {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl Layout {
    /// The layout of the version that a scene shows.
    pub fn from_scene(scene: &Scene) -> Layout {
        let model = scene.model();
        let shaper = Shaper::plain(model);
        let links = Links::of_many(model);
        let elements = Elements::from_scene(scene, &shaper, &links);
        let rooms = Rooms::with_elements(scene, &shaper, &links, &elements, None);
        let facets = rooms.rooms.iter().enumerate().flat_map(|(number, room)| Facet::of_room(number, room));
        let facets: Vec<Facet> = facets.collect();
        let terrain = terrain(&shaper, &rooms);
        let (pieces, steps) = pairing::stepwise(&facets, &elements, &[], terrain, None);
        let (reads, _) = passages::reads(&shaper, &links, &elements, &rooms, None);
        let passages = passages::passages(&reads).into();
        let parts = Parts::new((rooms, elements), facets.into(), pieces.into(), passages, terrain, None);
        let contents = contents::contents(scene, &parts, &links, None);
        let facts = parts.rooms.rooms.iter().map(|_| Facts::default()).collect();
        let (steps, adjacencies, weights) = (steps.into(), OnceLock::new(), Weights::default());
        Layout { parts, steps, reads, adjacencies, contents, facts, weights, since: None }
    }

    /// The difference of two versions, where this layout is of the second and was made out of that of the first.
    pub(crate) fn since(&self, before: &Model, after: &Model) -> Option<&Since> {
        self.since.as_ref().filter(|since| since.touched.is_between(before, after))
    }

    /// All neighbours, in the order of their sides.
    pub fn adjacencies(&self) -> &[Adjacency] {
        self.adjacencies.get_or_init(|| adjacency::adjacencies(self))
    }

    /// The elements around a room, the largest first; none for a room that is not there.
    pub fn bounding(&self, room: usize) -> &[Bounding] {
        self.facts.get(room).map(|facts| facts.bounding(self, room)).unwrap_or_default()
    }

    /// The measures of a room; of one that is not there all are 0.
    pub fn measures(&self, room: usize) -> RoomMeasures {
        self.facts.get(room).map(|facts| facts.measures(self, room).clone()).unwrap_or_default()
    }

    /// The daylight factor of a room in per cent, as [`crate::exposure`] tells.
    pub fn daylight_factor(&self, room: usize) -> f64 {
        self.facts.get(room).map_or(0.0, |facts| facts.daylight(self, room))
    }

    /// The things that stand in a room.
    pub fn contents(&self, room: usize) -> &[Content] {
        self.contents.rooms.get(room).map(Vec::as_slice).unwrap_or_default()
    }

    /// How wide a room's floor is, without and with what stands there.
    pub fn usable_width(&self, room: usize) -> UsableWidth {
        let both = self.facts.get(room).zip(self.rooms.rooms.get(room));
        both.map_or_else(UsableWidth::default, |(facts, own)| facts.usable_width(own, self.contents(room)))
    }

    /// Bytes that it takes, about, for caches.
    pub fn weight(&self) -> u64 {
        let reads = || {
            let reads = self.reads.iter().map(|read| read.weight()).sum::<u64>();
            reads + 300 * self.passages.len() as u64
        };
        self.weights.faces.get_or_init(|| self.weight_of_faces())
            + self.weights.reads.get_or_init(reads)
            + self.facts.iter().map(Facts::weight).sum::<u64>()
            + self.rooms.index().weight()
            + self.elements.weight()
    }

    fn weight_of_faces(&self) -> u64 {
        let points = |loops: usize| (loops * 16) as u64;
        let facets: usize = self.facets.iter().flat_map(|f| f.loops.iter()).map(Vec::len).sum();
        let pieces: usize = self.pieces.iter().flat_map(|p| p.area.loops()).map(Vec::len).sum();
        let rooms = self.rooms.rooms.iter();
        let bodies: usize =
            rooms.flat_map(|r| &r.solid.faces).flat_map(|f| f.loops.iter()).map(Vec::len).sum();
        let own = 150 * (self.facets.len() + self.pieces.len()) as u64;
        own + points(facets + pieces + 2 * bodies) + self.steps.weight()
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
