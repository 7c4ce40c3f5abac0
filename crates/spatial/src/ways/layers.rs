//! Layers: floors that a traveller takes for one level, and what of them is free.
//!
//! Floors whose heights differ by no more than the traveller's step are one layer, the largest first, so that a step or threshold that
//! it takes does not part them. Free is what no obstacle covers between the step and the traveller's height.

use super::doors::Door;
use super::premises::Premises;
use super::traveller::Traveller;
use crate::Rooms;
use crate::{facet::loops_of, shadow::shadow};
use geometry::Bounds;
use geometry::query::Element;
use geometry::region::{self, Area, Loop};
use ifc::Id;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// One level of floors for a traveller.
#[derive(Debug, Clone, Default)]
pub struct Layer {
    /// Its height: that of its largest floor.
    pub height: f64,
    /// All of its floors in plan.
    pub floors: Vec<Loop>,
    /// The part that is free of obstacles.
    pub free: Vec<Area>,
    /// Doors on it, by their places in the premises.
    pub doors: Vec<usize>,
    /// The source that it was drawn from.
    pub(super) source: Arc<Source>,
}

/// The source of a layer, and what was drawn from it: the next version takes it over where it is the same.
#[derive(Debug, Default)]
pub(super) struct Source {
    /// All floors and thresholds.
    floors: Vec<Loop>,
    /// The ground that doors take.
    doors: Vec<Loop>,
    /// The heights between which obstacles count, in metres.
    band: [f64; 2],
    /// The obstacles with their shadows.
    obstacles: Vec<(Arc<Element>, Vec<Loop>)>,
    /// The floors united.
    united: Vec<Loop>,
    /// The part that is free of obstacles.
    free: Vec<Area>,
}

impl Source {
    fn is_same(&self, floors: &[Loop], doors: &[Loop], band: [f64; 2], obstacles: &[&Arc<Element>]) -> bool {
        let own = self.obstacles.iter().map(|(element, _)| element);
        self.band == band
            && self.floors == floors
            && self.doors == doors
            && self.obstacles.len() == obstacles.len()
            && own.zip(obstacles).all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

/// Doors lap over the floors beside them by so much, in metres.
const LAP: f64 = 0.03;
/// A threshold may lie so much below the floor beside it: openings go down to the rough floor.
const ROUGH: f64 = 0.3;
/// The depth of the ground before an exit that is always there, in metres.
const PORCH: f64 = 1.5;

/// The layers for a traveller; doors named in `closed` by their places are shut. What is the same in layers of a version before is taken
/// over from them.
pub(super) fn layers(
    premises: &Premises,
    rooms: &Rooms,
    traveller: &Traveller,
    closed: &BTreeSet<usize>,
    before: &[Layer],
) -> Vec<Layer> {
    let mut pieces: Vec<(f64, f64, &[Loop])> =
        premises.floors.iter().map(|f| (f.height, f.size, f.loops.as_slice())).collect();
    let ground = premises.ground_loops(rooms);
    let porches: Vec<(f64, Loop)> = premises.exits.iter().filter_map(|exit| porch(premises, exit)).collect();
    for (height, porch) in &porches {
        pieces.push((*height, PORCH, std::slice::from_ref(porch)));
    }
    if let Some(height) = premises.ground.filter(|_| !ground.is_empty()) {
        pieces.push((height, 0.0, &ground));
    }
    pieces.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut layers: Vec<Layer> = Vec::new();
    for (height, _, loops) in pieces {
        let reach = traveller.step.max(0.001);
        let near = layers
            .iter_mut()
            .filter(|layer| (layer.height - height).abs() <= reach)
            .min_by(|a, b| (a.height - height).abs().total_cmp(&(b.height - height).abs()));
        match near {
            Some(layer) => layer.floors.extend(loops.iter().cloned()),
            None => layers.push(Layer { height, floors: loops.to_vec(), ..Layer::default() }),
        }
    }
    for layer in &mut layers {
        let at = |door: &Door| {
            layer.height > door.sill - traveller.step.max(0.05) && layer.height < door.sill + ROUGH
        };
        layer.doors = (0..premises.doors.len()).filter(|n| premises.doors.get(*n).is_some_and(at)).collect();
        for door in layer.doors.iter().filter_map(|n| premises.doors.get(*n)) {
            layer.floors.push(door.rectangle(-door.width / 2.0, door.width / 2.0, LAP));
        }
    }
    layers.par_iter_mut().for_each(|layer| free(layer, premises, traveller, closed, before));
    layers.retain(|layer| !layer.free.is_empty());
    layers
}

/// The ground just before an exit.
fn porch(premises: &Premises, exit: &super::premises::Exit) -> Option<(f64, Loop)> {
    let door = premises.doors.get(exit.door)?;
    let y = (exit.outside.truncate() - door.middle).dot(door.through());
    let half = door.width / 2.0 + 0.2;
    let (low, high) = if y > 0.0 {
        (door.across[1] - LAP, door.across[1] + PORCH)
    } else {
        (door.across[0] - PORCH, door.across[0] + LAP)
    };
    Some((
        door.sill,
        vec![door.at(-half, low), door.at(half, low), door.at(half, high), door.at(-half, high)],
    ))
}

fn free(
    layer: &mut Layer,
    premises: &Premises,
    traveller: &Traveller,
    closed: &BTreeSet<usize>,
    before: &[Layer],
) {
    let all = layer.floors.iter().flatten();
    let bounds = all.fold(Bounds::EMPTY, |all, p| all.with(p.extend(layer.height)));
    let band = [layer.height + traveller.step.max(0.01), layer.height + traveller.height];
    let around = Bounds { min: bounds.min.with_z(band[0]), max: bounds.max.with_z(band[1]) };
    let obstacles: Vec<&Arc<Element>> =
        premises.obstacles.iter().filter(|e| e.bounds().meets(&around, 0.0)).collect();
    let mut doors: Vec<Loop> = Vec::new();
    for number in &layer.doors {
        let Some(door) = premises.doors.get(*number) else { continue };
        let (half, clear) = (door.width / 2.0, door.clear / 2.0);
        if closed.contains(number) || clear <= 0.0 {
            doors.push(door.rectangle(-half - LAP, half + LAP, 0.0));
        } else if clear < half {
            doors.push(door.rectangle(-half - LAP, -clear, 0.0));
            doors.push(door.rectangle(clear, half + LAP, 0.0));
        }
    }
    let mut known = before.iter().map(|layer| &layer.source);
    let source = match known.find(|source| source.is_same(&layer.floors, &doors, band, &obstacles)) {
        Some(same) => Arc::clone(same),
        None => Arc::new(drawn(std::mem::take(&mut layer.floors), doors, band, &obstacles, before)),
    };
    layer.floors.clone_from(&source.united);
    layer.free.clone_from(&source.free);
    layer.source = source;
}

fn drawn(
    floors: Vec<Loop>,
    doors: Vec<Loop>,
    band: [f64; 2],
    obstacles: &[&Arc<Element>],
    before: &[Layer],
) -> Source {
    let sources = before.iter().map(|layer| &layer.source).filter(|source| source.band == band);
    let known: HashMap<Id, &(Arc<Element>, Vec<Loop>)> =
        sources.flat_map(|source| &source.obstacles).map(|known| (known.0.id(), known)).collect();
    let shadow = |element: &&Arc<Element>| {
        let known = known.get(&element.id()).filter(|(known, _)| Arc::ptr_eq(known, element));
        known.map_or_else(
            || (Arc::clone(element), shadow(element, band[0], band[1])),
            |known| (*known).clone(),
        )
    };
    let obstacles: Vec<(Arc<Element>, Vec<Loop>)> = obstacles.par_iter().map(shadow).collect();
    let united = loops_of(&region::union(&floors));
    let mut taken: Vec<Loop> = obstacles.iter().flat_map(|(_, shadow)| shadow.iter().cloned()).collect();
    taken.extend(doors.iter().cloned());
    let free = region::less_all(&united, &taken);
    Source { floors, doors, band, obstacles, united, free }
}
