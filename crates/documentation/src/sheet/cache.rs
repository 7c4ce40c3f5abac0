//! Drawings kept by what they show, so that after an edit only those are drawn again that show something of it.
//!
//! A drawing hangs on what is asked for, on the style, on the shapes of all elements that it may show, and on what is said (names,
//! properties, materials) of those that it does show. Its key are digests of all these; so it is found again in any state of the model in
//! which they are the same, such as after an undo.

use super::content::{Contents, Digest};
use crate::drawing::known::Known;
use crate::drawing::{BadDrawing, Drawing, Wanted, draw_known, viewed};
use crate::style::Style;
use geometry::scene::{GoOn, Scene};
use ifc::Id;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Drawings that are kept where nothing else is said.
const MOST: usize = 400;

/// One drawing, and the digest of what is said of the elements on it.
struct Kept {
    shown: Vec<Id>,
    said: Digest,
    drawing: Arc<Drawing>,
    used: u64,
}

/// Drawings by what they show.
pub struct Cache {
    kept: HashMap<Digest, Vec<Kept>>,
    views: Known,
    most: usize,
    clock: u64,
    drawn: usize,
}

impl Default for Cache {
    fn default() -> Cache {
        Cache::new(MOST)
    }
}

impl Cache {
    /// A cache that keeps at most so many drawings, those used last.
    pub fn new(most: usize) -> Cache {
        let most = most.max(1);
        Cache { kept: HashMap::new(), views: Known::new(most), most, clock: 0, drawn: 0 }
    }

    /// The number of drawings made so far, those found in the cache left out.
    pub fn drawn(&self) -> usize {
        self.drawn
    }

    /// A drawing, made where it is not known. `Ok(None)` where `go_on` ended it.
    pub(super) fn drawing(
        &mut self,
        contents: &mut Contents<'_>,
        scene: &Scene,
        wanted: &Wanted,
        (style, style_key): (&Style, &Digest),
        go_on: GoOn<'_>,
    ) -> Result<Option<Arc<Drawing>>, BadDrawing> {
        self.clock += 1;
        let key = key(contents, scene, wanted, style_key)?;
        let clock = self.clock;
        if let Some(found) = self.kept.get_mut(&key) {
            for kept in found {
                if said(contents, &kept.shown) == kept.said {
                    kept.used = clock;
                    return Ok(Some(Arc::clone(&kept.drawing)));
                }
            }
        }
        let Some(drawing) = draw_known(scene, wanted, style, &mut self.views, go_on)? else {
            return Ok(None);
        };
        self.drawn += 1;
        let drawing = Arc::new(drawing);
        let shown = shown(&drawing, scene, wanted);
        let said = said(contents, &shown);
        self.make_room();
        let kept = Kept { shown, said, drawing: Arc::clone(&drawing), used: clock };
        self.kept.entry(key).or_default().push(kept);
        Ok(Some(drawing))
    }

    fn make_room(&mut self) {
        while self.kept.values().map(Vec::len).sum::<usize>() >= self.most {
            let Some(oldest) = self.kept.values().flatten().map(|kept| kept.used).min() else { return };
            for found in self.kept.values_mut() {
                found.retain(|kept| kept.used != oldest);
            }
            self.kept.retain(|_, found| !found.is_empty());
        }
    }
}

/// The digest of a style.
pub(super) fn style_key(style: &Style) -> Digest {
    Sha256::digest(format!("{style:?}")).into()
}

fn key(
    contents: &Contents<'_>,
    scene: &Scene,
    wanted: &Wanted,
    style: &Digest,
) -> Result<Digest, BadDrawing> {
    let mut hash = Sha256::new();
    hash.update(format!("{wanted:?}"));
    hash.update(style);
    hash.update(contents.all);
    let mut bytes = Vec::new();
    for entry in viewed::near(scene, wanted)? {
        bytes.clear();
        bytes.extend(Contents::shape(entry));
        hash.update(&bytes);
    }
    Ok(hash.finalize().into())
}

/// The elements that a drawing shows: those cut and seen, its rooms, and of a plan all of its storey.
fn shown(drawing: &Drawing, scene: &Scene, wanted: &Wanted) -> Vec<Id> {
    let mut all: BTreeSet<Id> = drawing.cut.iter().chain(&drawing.seen).copied().collect();
    all.extend(drawing.rooms.iter().filter_map(|room| room.id));
    if let crate::drawing::Kind::Plan { .. } | crate::drawing::Kind::CeilingPlan { .. } = wanted.kind {
        // what lies dashed above the cut, and flights, are among those near
        all.extend(viewed::near(scene, wanted).into_iter().flatten().map(|entry| entry.id));
    }
    all.into_iter().collect()
}

fn said(contents: &mut Contents<'_>, shown: &[Id]) -> Digest {
    let mut hash = Sha256::new();
    for id in shown {
        hash.update(contents.element(*id));
    }
    hash.finalize().into()
}
