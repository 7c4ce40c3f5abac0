//! The tiles of the versions that viewers look at: made when first asked for, kept while there is room.
//!
//! A viewer asks for the list and then for one tile after another, all of one version; so the few versions looked at
//! last are kept, and older ones are made again if somebody goes back to them.

use geometry::Tiles;
use ifc::Model;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of tiles kept.
const KEPT: u64 = 256 << 20;

/// Where a model's tiles are, if they are kept.
#[derive(Default)]
pub(crate) struct Slot(Mutex<Option<Arc<Tiles>>>);

/// The slots that hold tiles, the oldest first, and what each weighs.
#[derive(Default)]
pub(crate) struct Shelf(Mutex<VecDeque<(Arc<Slot>, u64)>>);

impl Shelf {
    /// The tiles of a model. Who asks while they are being made waits for them.
    pub(crate) fn tiles(&self, model: &Model, slot: &Arc<Slot>) -> Arc<Tiles> {
        let tiles = {
            let mut held = slot.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(tiles) = held.as_ref() {
                return Arc::clone(tiles);
            }
            Arc::clone(held.insert(Arc::new(Tiles::of(model))))
        };
        self.keep(slot, tiles.weight());
        tiles
    }

    fn keep(&self, slot: &Arc<Slot>, weight: u64) {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.push_back((Arc::clone(slot), weight));
        let mut total: u64 = shelf.iter().map(|(_, weight)| weight).sum();
        while total > KEPT && shelf.len() > 1 {
            let Some((oldest, weight)) = shelf.pop_front() else { break };
            *oldest.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
            total -= weight;
        }
    }
}
