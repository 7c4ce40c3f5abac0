//! An index fed by a scene, and kept fresh after an edit: what both scenes share stays as it is, with its trees.

use super::Index;
use crate::{
    mesh::Mesh,
    scene::{Entry, Scene},
};
use ifc::Id;
use rayon::prelude::*;
use std::sync::Arc;

/// Tells the elements that are wanted.
pub type Wanted<'a> = &'a (dyn Fn(&Entry) -> bool + Sync);

impl Index {
    /// The elements of a scene that are drawn and wanted.
    pub fn of_scene(scene: &Scene, wanted: Wanted<'_>) -> Index {
        let drawn: Vec<&Arc<Entry>> = scene.entries().iter().filter(|e| e.is_drawn() && wanted(e)).collect();
        meshes(scene, &drawn).into_iter().collect()
    }

    /// Goes from one state of a scene to another: what came, went or looks otherwise is put in and taken out, the rest is left. How many
    /// elements were touched. The result is as [`Index::of_scene`] of the other state, if it was that of the first.
    pub fn follow_scene(&mut self, before: &Scene, after: &Scene, wanted: Wanted<'_>) -> usize {
        let is_in = |e: &Entry| e.is_drawn() && wanted(e);
        let same = |old: &Arc<Entry>, new: &Arc<Entry>| Arc::ptr_eq(old, new) || old.digest == new.digest;
        let fresh: Vec<&Arc<Entry>> = after
            .entries()
            .iter()
            .filter(|e| is_in(e))
            .filter(|e| !before.entry(e.id).is_some_and(|old| is_in(old) && same(old, e)))
            .collect();
        let stays = |e: &Entry| after.entry(e.id).is_some_and(|new| is_in(new));
        let gone: Vec<Id> = before.entries().iter().filter(|e| is_in(e) && !stays(e)).map(|e| e.id).collect();
        let touched = gone.len() + fresh.len();
        for id in gone {
            self.remove(id);
        }
        for (id, mesh) in meshes(after, &fresh) {
            self.insert(id, mesh);
        }
        touched
    }
}

fn meshes(scene: &Scene, entries: &[&Arc<Entry>]) -> Vec<(Id, Arc<Mesh>)> {
    let of = |e: &&Arc<Entry>| {
        // no question asks for the directions that light takes: a third of the bytes
        let mesh = Mesh { normals: Vec::new(), ..scene.shape(e.id)?.mesh() };
        Some((e.id, Arc::new(mesh)))
    };
    entries.par_iter().filter_map(of).collect()
}
