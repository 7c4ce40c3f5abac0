//! Drawings kept by what they show, so that after an edit only those are drawn again that show something of it.
//!
//! A drawing hangs on what is asked for, on the style, on the shapes of all elements that it may show, and on what is said (names,
//! properties, materials) of those that it does show. Its key are digests of all these; so it is found again in any state of the model in
//! which they are the same, such as after an undo. Where they are not, a section or an elevation is looked at first, and drawn again only if
//! something of what it shows is different: what walls hide may change as it likes.

use super::content::{Contents, Digest};
use crate::drawing::known::Known;
use crate::drawing::viewed::{self, Viewed};
use crate::drawing::{BadDrawing, Drawing, Kind, Wanted, drawn, look};
use crate::style::Style;
use geometry::region::Area;
use geometry::scene::{GoOn, Scene};
use glam::DVec2;
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
    /// The digest of all that it was made of, where that is known once the view is looked at.
    look: Option<Digest>,
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
        let viewed = look(scene, &contents.links, wanted, style, &mut self.views, go_on)?;
        let Some(viewed) = viewed else { return Ok(None) };
        let look = looked(contents, scene, wanted, style_key, &viewed);
        let all = self.kept.values().flatten();
        let same = all.filter(|kept| look.is_some() && kept.look == look).max_by_key(|kept| kept.used);
        let drawing = if let Some(kept) = same {
            Arc::clone(&kept.drawing)
        } else {
            self.drawn += 1;
            Arc::new(drawn(scene, &contents.links, wanted, style, viewed)?)
        };
        let shown = shown(&drawing, scene, wanted);
        let said = said(contents, &shown);
        self.make_room();
        let kept = Kept { shown, said, look, drawing: Arc::clone(&drawing), used: clock };
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

/// The digest of what a section, an elevation or an axonometry is made of: the lines and cuts of what it shows, and what is said of that. An
/// edit of what something else hides leaves it as it is. `None` for plans, which read more of their storey than they show, and where
/// dimensions are asked for, which may stand at what is hidden.
fn looked(
    contents: &mut Contents<'_>,
    scene: &Scene,
    wanted: &Wanted,
    style: &Digest,
    viewed: &Viewed,
) -> Option<Digest> {
    if matches!(wanted.kind, Kind::Plan { .. } | Kind::CeilingPlan { .. }) || !wanted.asked.is_empty() {
        return None;
    }
    let mut hash = Sha256::new();
    hash.update(format!("{wanted:?} {:?} {:?}", viewed.plane, viewed.reach));
    hash.update(style);
    hash.update(contents.all);
    let mut bytes = Vec::new();
    for figure in &viewed.figures {
        bytes.clear();
        bytes.extend(scene.entry(figure.id).into_iter().flat_map(|entry| Contents::shape(entry)));
        let seen = &figure.seen;
        let cut = seen.cut.areas.iter().flat_map(Area::loops).chain(&seen.cut.lines);
        for line in cut.chain(&seen.visible) {
            bytes.extend((line.len() as u64).to_le_bytes());
            bytes.extend(line.iter().flat_map(DVec2::to_array).flat_map(f64::to_le_bytes));
        }
        bytes.extend([seen.cut.areas.len(), seen.cut.lines.len()].into_iter().flat_map(usize::to_le_bytes));
        bytes.push(u8::from(seen.cut.is_partial));
        hash.update(&bytes);
        hash.update(contents.element(figure.id));
    }
    Some(hash.finalize().into())
}

/// The elements that a drawing shows: those cut and seen, its rooms, and of a plan all of its storey.
fn shown(drawing: &Drawing, scene: &Scene, wanted: &Wanted) -> Vec<Id> {
    let mut all: BTreeSet<Id> = drawing.cut.iter().chain(&drawing.seen).copied().collect();
    all.extend(drawing.rooms.iter().filter_map(|room| room.id));
    if let Kind::Plan { .. } | Kind::CeilingPlan { .. } = wanted.kind {
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
