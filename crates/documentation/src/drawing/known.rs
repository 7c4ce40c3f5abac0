//! Views kept between states of a model: after an edit only what it may have covered or laid open is looked at again.
//!
//! How that is found, and why the answer is that of a view made anew, is told where [`view::again`] is.

use super::{Kind, Wanted};
use geometry::Bounds;
use geometry::drawn::Digest;
use geometry::scene::{Entry, GoOn, Scene};
use geometry::section::Plane;
use geometry::view::{self, Again, Look, Region, Seen, Shown};
use ifc::Id;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Views by what is looked at, whatever their scale and style.
#[derive(Default)]
pub(crate) struct Known {
    views: Vec<(Kind, Memo)>,
    most: usize,
}

/// One view of one state.
struct Memo {
    plane: Plane,
    options: view::Wanted,
    /// The elements that were looked at.
    shown: HashMap<Id, (Digest, Bounds)>,
    looks: HashMap<Id, Arc<Look>>,
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
        (plane, options): (&Plane, view::Wanted),
        entries: &[&Entry],
        go_on: GoOn<'_>,
    ) -> Option<Vec<Seen>> {
        let at = self
            .views
            .iter()
            .position(|(kind, memo)| *kind == wanted.kind && memo.plane == *plane && memo.options == options);
        let memo = at.map(|at| self.views.remove(at).1);
        let shape = |id: Id| scene.shape(id);
        let changed = memo.as_ref().and_then(|memo| Some((memo, memo.changed(plane, entries)?)));
        let looks = if let Some((memo, changed)) = changed {
            let again = |entry: &&Entry| Again {
                element: entry.id,
                bounds: entry.bounds,
                before: memo.before(entry),
            };
            let elements: Vec<Again<'_>> = entries.iter().map(again).collect();
            view::again(&elements, &changed, &shape, plane, &options, go_on)?
        } else {
            let shown: Vec<Shown<'static>> =
                entries.iter().filter_map(|e| Some(Shown::new(e.id, shape(e.id)?.as_ref()))).collect();
            view::look(&shown, plane, &options, go_on)?.into_iter().map(Arc::new).collect()
        };
        let seen = looks.iter().map(|look| look.seen.clone()).filter(|seen| !seen.is_empty()).collect();
        self.keep(wanted.kind, Memo::made(plane, options, entries, looks));
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
    fn made(plane: &Plane, options: view::Wanted, entries: &[&Entry], looks: Vec<Arc<Look>>) -> Memo {
        let shown = entries.iter().map(|e| (e.id, (e.digest, e.bounds))).collect();
        let looks = looks.into_iter().map(|look| (look.seen.element, look)).collect();
        Memo { plane: *plane, options, shown, looks }
    }

    /// How an element was seen, if it is still the same.
    fn before(&self, entry: &Entry) -> Option<&Arc<Look>> {
        let (digest, _) = self.shown.get(&entry.id)?;
        self.looks.get(&entry.id).filter(|_| *digest == entry.digest)
    }

    /// The regions of what changed, as it was and as it is; `None` where it is simpler to look at all.
    fn changed(&self, plane: &Plane, entries: &[&Entry]) -> Option<Vec<Region>> {
        let now: HashSet<Id> = entries.iter().map(|e| e.id).collect();
        let gone = self.shown.iter().filter(|(id, _)| !now.contains(id));
        let mut changed: Vec<Region> = gone.map(|(_, (_, bounds))| Region::new(bounds, plane)).collect();
        for entry in entries.iter().filter(|entry| self.before(entry).is_none()) {
            changed.push(Region::new(&entry.bounds, plane));
            changed.extend(self.shown.get(&entry.id).map(|(_, bounds)| Region::new(bounds, plane)));
        }
        (changed.len() * 4 <= entries.len() + 8).then_some(changed)
    }
}
