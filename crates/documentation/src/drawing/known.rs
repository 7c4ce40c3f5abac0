//! Views kept between states of a model: after an edit only what it may have covered or laid open is looked at again.
//!
//! What is seen of an element hangs on itself and on what lies before it in the picture. So where an element changes, only those are seen
//! anew whose boxes meet its old or new box in the picture and do not lie wholly before it.

use super::{Kind, Wanted};
use geometry::Bounds;
use geometry::drawn::Digest;
use geometry::scene::{Entry, GoOn, Scene};
use geometry::section::Plane;
use geometry::view::{self, Seen, Shown};
use glam::DVec2;
use ifc::Id;
use std::collections::{HashMap, HashSet};

/// Metres by which boxes are taken larger than they are.
const SLACK: f64 = 1e-3;

/// Views by what is looked at, whatever their scale and style.
#[derive(Default)]
pub(crate) struct Known {
    views: Vec<(Kind, Memo)>,
    most: usize,
}

/// One view of one state.
struct Memo {
    plane: Plane,
    depth: f64,
    /// The elements that were looked at.
    shown: HashMap<Id, (Digest, Bounds)>,
    seen: Vec<Seen>,
}

/// A box in the picture, and the depths between which it lies.
struct Flat {
    low: DVec2,
    high: DVec2,
    near: f64,
    far: f64,
}

impl Flat {
    fn new(bounds: &Bounds, plane: &Plane) -> Flat {
        let mut flat = Flat {
            low: DVec2::INFINITY,
            high: DVec2::NEG_INFINITY,
            near: f64::INFINITY,
            far: f64::NEG_INFINITY,
        };
        for corner in bounds.corners().map(|corner| plane.flat(corner)) {
            flat.low = flat.low.min(corner.truncate() - SLACK);
            flat.high = flat.high.max(corner.truncate() + SLACK);
            flat.near = flat.near.min(-corner.z - SLACK);
            flat.far = flat.far.max(-corner.z + SLACK);
        }
        flat
    }

    /// Returns true if this could hide something of another.
    fn is_before(&self, other: &Flat) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all() && self.near <= other.far
    }
}

impl Known {
    /// A store of at most so many views, those made last.
    pub fn new(most: usize) -> Known {
        Known { views: Vec::new(), most }
    }

    /// Returns what is seen of elements, in their order; `None` where `go_on` ended it.
    pub fn seen(
        &mut self,
        scene: &Scene,
        wanted: &Wanted,
        (plane, depth): (&Plane, f64),
        entries: &[&Entry],
        go_on: GoOn<'_>,
    ) -> Option<Vec<Seen>> {
        let at = self.views.iter().position(|(kind, memo)| {
            *kind == wanted.kind && memo.plane == *plane && memo.depth.total_cmp(&depth).is_eq()
        });
        let memo = at.map(|at| self.views.remove(at).1);
        let again = memo.as_ref().and_then(|memo| memo.stale(plane, entries));
        if let (Some(memo), Some(stale)) = (&memo, &again)
            && stale.is_empty()
            && memo.shown.len() == entries.len()
        {
            let seen = memo.seen.clone();
            self.keep(wanted.kind, Memo::made(plane, depth, entries, seen.clone()));
            return Some(seen);
        }
        let shown: Vec<Shown<'static>> =
            entries.iter().filter_map(|e| Some(Shown::new(e.id, scene.shape(e.id)?.as_ref()))).collect();
        let options = view::Wanted { depth, ..view::Wanted::default() };
        let seen = match (&memo, again) {
            (Some(memo), Some(stale)) => {
                let fresh = view::of_some(&shown, &|id| stale.contains(&id), plane, &options, go_on)?;
                let kept = memo.seen.iter().filter(|seen| !stale.contains(&seen.element));
                let mut all: HashMap<Id, Seen> = kept.map(|seen| (seen.element, seen.clone())).collect();
                all.extend(fresh.into_iter().map(|seen| (seen.element, seen)));
                entries.iter().filter_map(|e| all.remove(&e.id)).collect()
            }
            _ => view::of_elements(&shown, plane, &options, go_on)?,
        };
        self.keep(wanted.kind, Memo::made(plane, depth, entries, seen.clone()));
        Some(seen)
    }

    fn keep(&mut self, kind: Kind, memo: Memo) {
        if self.most == 0 {
            return;
        }
        if self.views.len() >= self.most {
            self.views.remove(0);
        }
        self.views.push((kind, memo));
    }
}

impl Memo {
    fn made(plane: &Plane, depth: f64, entries: &[&Entry], seen: Vec<Seen>) -> Memo {
        let shown = entries.iter().map(|e| (e.id, (e.digest, e.bounds))).collect();
        Memo { plane: *plane, depth, shown, seen }
    }

    /// The elements that have to be seen anew; `None` where it is simpler to look at all.
    fn stale(&self, plane: &Plane, entries: &[&Entry]) -> Option<HashSet<Id>> {
        let now: HashSet<Id> = entries.iter().map(|e| e.id).collect();
        let mut stale = HashSet::new();
        let mut changed: Vec<Flat> = Vec::new();
        for (id, (_, bounds)) in self.shown.iter().filter(|(id, _)| !now.contains(id)) {
            stale.insert(*id);
            changed.push(Flat::new(bounds, plane));
        }
        for entry in entries {
            let before = self.shown.get(&entry.id);
            if before.is_none_or(|(digest, _)| *digest != entry.digest) {
                stale.insert(entry.id);
                changed.push(Flat::new(&entry.bounds, plane));
                changed.extend(before.map(|(_, bounds)| Flat::new(bounds, plane)));
            }
        }
        if changed.len() * 4 > entries.len() + 8 {
            return None;
        }
        if changed.is_empty() {
            return Some(stale);
        }
        for entry in entries {
            let own = Flat::new(&entry.bounds, plane);
            if changed.iter().any(|flat| flat.is_before(&own)) {
                stale.insert(entry.id);
            }
        }
        Some(stale)
    }
}
