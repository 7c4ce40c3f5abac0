//! Ways through a building: where one can walk, the shortest way of a body of some width and height, and what is in its way.
//!
//! [`Ways`] holds what of a version matters ([`premises`]) and makes a navigation mesh for each traveller that is asked for, once. Ways on
//! it are exact for the middle of a disc as wide as the traveller, over floors, ramps and stairs, at any angle ([`search`]).
//! Where there is none, [`blocked`] tells what would have to go. Doors count as open unless the caller shuts them.

pub mod blocked;
pub mod doors;
pub mod farthest;
pub mod flights;
pub mod floors;
pub mod landmarks;
mod layers;
pub mod mesh;
pub mod net;
pub mod premises;
#[cfg(test)]
mod real;
pub mod route;
pub mod search;
pub mod shrink;
#[cfg(test)]
mod tests;
pub mod traveller;
pub mod triangulate;

pub use blocked::{Block, blocks};
pub use doors::{Basis, Door};
pub use farthest::{Farthest, farthest};
pub use flights::Flight;
pub use mesh::Mesh;
pub use premises::{Exit, Premises};
pub use route::{Climb, Narrow, Passage, Ride, Route};
pub use search::{Spot, lengths, ways};
pub use traveller::{Kind, Traveller};

use crate::{Layout, Rooms};
use geometry::Scene;
use geometry::query::Index;
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Meshes that are kept of one version.
const KEPT: usize = 8;

/// A mesh that is kept: the traveller's key, the doors that are shut, the mesh.
type Kept = ([i64; 6], Vec<usize>, Arc<Mesh>);

/// The ways of one version.
pub struct Ways {
    /// Its rooms and what lies between them.
    pub layout: Arc<Layout>,
    /// Floors, flights, doors, obstacles.
    pub premises: Premises,
    meshes: Mutex<Vec<Kept>>,
    /// The meshes of the version before.
    before: Vec<Kept>,
}

impl Ways {
    /// Reads a version.
    pub fn from_scene(scene: &Scene, index: &Index, layout: Arc<Layout>) -> Ways {
        let premises = Premises::from_scene(scene, index, &layout);
        Ways { layout, premises, meshes: Mutex::default(), before: Vec::new() }
    }

    /// The same, where the ways of a version before are known: its meshes are made anew only where they differ.
    #[must_use]
    pub fn following(&self, scene: &Scene, index: &Index, layout: Arc<Layout>) -> Ways {
        let own = self.meshes.lock().clone();
        // what was not asked for in this version may be in the next
        let is_asked = |kept: &&Kept| own.iter().any(|(key, shut, _)| *key == kept.0 && *shut == kept.1);
        let older = self.before.iter().filter(|kept| !is_asked(kept)).cloned();
        let mut before: Vec<Kept> = older.chain(own.iter().cloned()).collect();
        before.drain(..before.len().saturating_sub(KEPT));
        Ways { before, ..Ways::from_scene(scene, index, layout) }
    }

    /// Its rooms.
    pub fn rooms(&self) -> &Rooms {
        &self.layout.rooms
    }

    /// The mesh for a traveller, with some doors shut; made when first asked for.
    pub fn mesh(&self, traveller: &Traveller, closed: &BTreeSet<usize>) -> Arc<Mesh> {
        let shut: Vec<usize> = closed.iter().copied().collect();
        let key = traveller.key();
        let mut kept = self.meshes.lock();
        if let Some(at) = kept.iter().position(|(k, doors, _)| *k == key && *doors == shut) {
            // the one asked for last goes last
            let found = kept.remove(at);
            kept.push(found.clone());
            return found.2;
        }
        let same_traveller = |kept: &&Kept| kept.0 == key;
        let known = self.before.iter().rfind(|kept| same_traveller(kept) && kept.1 == shut);
        let known = known.or_else(|| kept.iter().chain(&self.before).find(same_traveller));
        let known = known.map(|(.., mesh)| Arc::clone(mesh));
        let made =
            Arc::new(Mesh::following(known.as_deref(), &self.premises, self.rooms(), traveller, closed));
        kept.push((key, shut, Arc::clone(&made)));
        if kept.len() > KEPT {
            kept.remove(0);
        }
        made
    }

    /// The spots outside, one before each exit that the traveller gets to, with the exit's place in the premises.
    pub fn outside(&self, mesh: &Mesh) -> Vec<(usize, Spot)> {
        let exits = self.premises.exits.iter().enumerate();
        let near = |exit: &Exit| mesh.spot(exit.outside, 0.5).or_else(|| mesh.nearest(exit.outside, 0.3));
        exits.filter_map(|(number, exit)| Some((number, near(exit)?))).collect()
    }

    /// Returns whether each room is reached from outside; `None` for one in which the traveller cannot be.
    pub fn reached(&self, traveller: &Traveller) -> Vec<Option<bool>> {
        let mesh = self.mesh(traveller, &BTreeSet::new());
        let from: Vec<Spot> = self.outside(&mesh).into_iter().map(|(_, spot)| spot).collect();
        let rooms = self.rooms();
        let spots: Vec<Option<Spot>> = (0..rooms.rooms.len()).map(|n| mesh.room_spot(rooms, n)).collect();
        let targets: Vec<Spot> = spots.iter().flatten().copied().collect();
        let mut found = lengths(&mesh.net, &from, &targets).into_iter();
        spots.into_iter().map(|spot| spot.map(|_| found.next().flatten().is_some())).collect()
    }

    /// The shortest way between some spots and some others, with the place of the target; `None` where there is none.
    pub fn way(&self, mesh: &Mesh, from: &[Spot], to: &[Spot]) -> Option<(usize, Route)> {
        let found = ways(&mesh.net, from, to);
        let best = found.into_iter().enumerate().filter_map(|(target, way)| Some((target, way?)));
        let (target, way) = best.min_by(|a, b| a.1.length.total_cmp(&b.1.length))?;
        Some((target, Route::new(mesh, &self.premises, &way)))
    }

    /// About how many bytes its meshes take, for caches.
    pub fn weight(&self) -> u64 {
        let kept = self.meshes.lock();
        kept.iter().chain(&self.before).map(|(.., mesh)| mesh.weight()).sum()
    }
}
