//! A model as it is drawn: every element's triangles, by storey and tile, kept fresh after an edit.
//!
//! A scene is made whole once. [`Scene::follow`] makes the scene of a later state of the same file out of it: only elements that
//! the difference touches (`stale`) are made again, all others are shared between both scenes. The result is the one that making
//! it whole would give, tile by tile and key by key.
//!
//! Triangles are held up to a budget; what is beyond is made again when a tile is asked for. Tiles become bytes then, too.

mod entry;
mod roles;
mod stale;
#[cfg(test)]
mod tests;

pub use entry::Entry;
pub use stale::reshaped;

use crate::{
    element::{Shape, drawable, is_drawable},
    item::{Mapped, Shaper},
    style::Styles,
    tiles::{self, Layout, Tileset},
};
use ifc::{Id, Model};
use rayon::prelude::*;
use stale::Stale;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Bytes of triangles that a scene holds unless told otherwise.
pub const BUDGET: usize = 512 << 20;

/// So many elements are put into a list one by one.
const FEW: usize = 16;

/// Told how many elements are done, of how many, from any thread; where it answers no, the work ends without a result.
pub type GoOn<'a> = &'a (dyn Fn(usize, usize) -> bool + Sync);

/// One state of a model as it is drawn.
pub struct Scene {
    model: Model,
    styles: Arc<Styles>,
    mapped: Mapped,
    /// By id, ascending.
    entries: Vec<Arc<Entry>>,
    /// Bytes of the triangles that are held.
    held: usize,
    /// The tiles, once somebody asked for them: between two edits mostly nobody does.
    layout: OnceLock<Layout>,
    budget: usize,
}

impl Scene {
    /// The scene of a model, made whole and in parallel. The result depends on the model alone.
    pub fn from_model(model: &Model) -> Scene {
        let all = Scene::made(model, BUDGET, &|_, _| true);
        all.unwrap_or_else(|| Scene::empty(model))
    }

    /// The scene of a model that holds triangles up to a number of bytes; `None` where `go_on` ended it.
    pub fn made(model: &Model, budget: usize, go_on: GoOn<'_>) -> Option<Scene> {
        let shaper = Shaper::new(model);
        let mut ids = drawable(model);
        ids.sort_unstable();
        let held = AtomicUsize::new(0);
        let entries = make(&shaper, &ids, budget, &held, go_on)?;
        let styles = Arc::clone(&shaper.styles);
        let mapped = shaper.into_mapped();
        Some(Scene::new(model, styles, mapped, entries, budget))
    }

    fn empty(model: &Model) -> Scene {
        Scene::new(model, Arc::default(), Mapped::new(), Vec::new(), 0)
    }

    fn new(
        model: &Model,
        styles: Arc<Styles>,
        mapped: Mapped,
        entries: Vec<Arc<Entry>>,
        budget: usize,
    ) -> Scene {
        let held = entries.iter().map(|e| e.weight()).sum();
        Scene { model: model.clone(), styles, mapped, entries, held, layout: OnceLock::new(), budget }
    }

    /// The scene of another state of the same model, such as the one after an edit: what the two states share is not made again.
    /// It is made whole if they are over different files, or differ in what everything hangs on (units).
    pub fn follow(&self, model: &Model) -> Scene {
        self.following(model, &|_, _| true).unwrap_or_else(|| Scene::empty(model))
    }

    /// Follows the model; `None` where `go_on` ended it.
    pub fn following(&self, model: &Model, go_on: GoOn<'_>) -> Option<Scene> {
        let touched = self.model.differing(model);
        let stale =
            touched.and_then(|touched| Stale::between(&self.model, model, &touched, self.entries.len()));
        match stale {
            Some(stale) => self.without(model, &stale, go_on),
            None => Scene::made(model, BUDGET, go_on),
        }
    }

    /// The scene of `model`, with what is not stale taken over.
    fn without(&self, model: &Model, stale: &Stale, go_on: GoOn<'_>) -> Option<Scene> {
        let mut styles = Arc::clone(&self.styles);
        if !stale.styled.is_empty() {
            Arc::make_mut(&mut styles).renew(model, &stale.styled);
        }
        let mut mapped = self.mapped.clone();
        for id in &stale.representations {
            mapped.remove(id);
        }
        let shaper = Shaper::knowing(model, Arc::clone(&styles), mapped);
        let ids: Vec<Id> = stale
            .shapes
            .iter()
            .copied()
            .filter(|id| model.get(*id).is_some_and(|p| is_drawable(&p)))
            .collect();
        let gone = stale.shapes.iter().filter_map(|id| self.entry(*id));
        let kept = self.held - gone.map(|e| e.weight()).sum::<usize>();
        let held = AtomicUsize::new(kept + self.weight_of_edges());
        let fresh = make(&shaper, &ids, self.budget, &held, go_on)?;
        let entries = self.entries_with(model, stale, fresh);
        // what is beyond the budget was counted, and is not held
        let come = ids.iter().filter_map(|id| find(&entries, *id)).map(|e| e.weight()).sum::<usize>();
        let (model, mapped) = (model.clone(), shaper.into_mapped());
        let (layout, budget) = (OnceLock::new(), self.budget);
        Some(Scene { model, styles, mapped, entries, held: kept + come, layout, budget })
    }

    /// The entries with those that are stale left out or shown with another storey, and those that were made.
    fn entries_with(&self, model: &Model, stale: &Stale, fresh: Vec<Arc<Entry>>) -> Vec<Arc<Entry>> {
        let mut entries = Vec::with_capacity(self.entries.len() + fresh.len());
        // from one that differs to the next all are taken over
        let differ: BTreeSet<Id> = stale.shapes.iter().chain(&stale.places).copied().collect();
        let mut rest = self.entries.as_slice();
        for id in differ {
            let (before, behind) = rest.split_at(rest.partition_point(|e| e.id < id));
            entries.extend_from_slice(before);
            rest = behind;
            if let Some((own, others)) = behind.split_first().filter(|(own, _)| own.id == id) {
                if !stale.shapes.contains(&id) {
                    entries.push(Entry::regrouped(own, model));
                }
                rest = others;
            }
        }
        entries.extend_from_slice(rest);
        // one or two are put in their places; many are sorted in
        if fresh.len() <= FEW {
            for entry in fresh {
                let place = entries.partition_point(|e| e.id < entry.id);
                entries.insert(place, entry);
            }
        } else {
            entries.extend(fresh);
            entries.sort_by_key(|e| e.id);
        }
        entries
    }

    /// The state of the model that it shows.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Returns what is drawn and what could not be, by id.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// One element.
    pub fn entry(&self, id: Id) -> Option<&Arc<Entry>> {
        find(&self.entries, id)
    }

    fn layout(&self) -> &Layout {
        self.layout.get_or_init(|| tiles::lay_out(&self.model, &self.entries))
    }

    /// The list of its tiles.
    pub fn tileset(&self) -> &Tileset {
        &self.layout().tileset
    }

    /// One tile as GLB, or `None` where there is none of this key.
    pub fn glb(&self, key: &str) -> Option<Vec<u8>> {
        let layout = self.layout();
        let members = layout.members.get(key)?;
        let entries: Vec<&Entry> =
            members.iter().filter_map(|at| self.entries.get(*at as usize)).map(Arc::as_ref).collect();
        let shapes = self.shapes(&entries);
        let drawn: Vec<(&Entry, &Shape)> =
            entries.iter().copied().zip(&shapes).filter_map(|(e, s)| Some((e, s.as_deref()?))).collect();
        Some(tiles::glb(layout.origin(key)?, &drawn))
    }

    /// The triangles of an element, held or made again.
    pub fn shape(&self, id: Id) -> Option<Arc<Shape>> {
        let entry = self.entry(id)?;
        self.shapes(&[entry.as_ref()]).pop().flatten()
    }

    fn shapes(&self, entries: &[&Entry]) -> Vec<Option<Arc<Shape>>> {
        if entries.iter().all(|e| e.held().is_some()) {
            return entries.iter().map(|e| e.held().cloned()).collect();
        }
        let shaper = Shaper::knowing(&self.model, Arc::clone(&self.styles), self.mapped.clone());
        let made = |e: &&Entry| e.held().cloned().or_else(|| shaper.element(e.id).ok().map(Arc::new));
        entries.par_iter().map(made).collect()
    }

    /// Bytes held, for caches. What several scenes share counts in each.
    pub fn weight(&self) -> u64 {
        (self.held + self.weight_of_edges() + 400 * self.entries.len()) as u64
    }

    /// Bytes of edges found by now: whoever looks at the scene finds more of them.
    fn weight_of_edges(&self) -> usize {
        self.entries.iter().map(|e| e.weight_of_edges()).sum()
    }
}

/// An element among entries by id.
fn find(entries: &[Arc<Entry>], id: Id) -> Option<&Arc<Entry>> {
    entries.get(entries.binary_search_by_key(&id, |e| e.id).ok()?)
}

/// Elements of a model, in the order given; held up to the budget, by what is held already.
fn make(
    shaper: &Shaper<'_>,
    ids: &[Id],
    budget: usize,
    held: &AtomicUsize,
    go_on: GoOn<'_>,
) -> Option<Vec<Arc<Entry>>> {
    let done = AtomicUsize::new(0);
    let one = |id: &Id| {
        let entry =
            Entry::made(shaper, *id, |weight| held.fetch_add(weight, Ordering::Relaxed) + weight <= budget);
        go_on(done.fetch_add(1, Ordering::Relaxed) + 1, ids.len()).then(|| Arc::new(entry))
    };
    // a task for one or two elements costs more than they do; of many, a few are as heavy as all the others, so that none is bound
    // to a neighbour
    if ids.len() < 8 {
        ids.iter().map(one).collect()
    } else {
        ids.par_iter().with_max_len(1).map(one).collect()
    }
}

/// Elements by the structure that they are shown with.
pub(crate) type Groups = BTreeMap<Option<Id>, Vec<u32>>;
