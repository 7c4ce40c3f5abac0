//! The rooms that a change cuts off: reached from outside before it, and no longer after.
//!
//! Only a change of what one passes is looked at: doors, openings, rooms, stairs, ramps, lifts, and what takes them along. The doors
//! and openings between rooms say first which may be cut off; whether one still walks there, as through a gap where a wall was, the
//! walkable floors say.

use crate::model::NativeModel;
use crate::tiles::SceneCache;
use building::soundness::{Finding, Kind, Sound, constraint};
use contract::Watch;
use ifc::relations::Links;
use ifc::{Id, Model};
use spatial::Layout;
use spatial::depth::depths;
use spatial::ways::{Traveller, Ways};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Models of more elements are looked at only where their rooms are known already.
const MOST_ELEMENTS: usize = 20_000;
/// Rooms named in one finding.
const MOST_NAMED: usize = 8;
/// The classes of what one goes from storey to storey by; subtypes count.
const CLIMBED: [&str; 5] = ["IfcStair", "IfcStairFlight", "IfcRamp", "IfcRampFlight", "IfcTransportElement"];

/// Scenes and who watches the call: what it takes to look at rooms.
#[derive(Clone, Copy)]
pub(crate) struct Reach<'a> {
    pub(crate) scenes: &'a SceneCache,
    pub(crate) watch: &'a Arc<dyn Watch>,
}

impl Reach<'_> {
    /// Adds the rooms that a change cuts off to its findings; `disturbed` are the products that were there and are moved, shaped anew
    /// or gone.
    pub(crate) fn look(
        &self,
        before: &NativeModel,
        after: &NativeModel,
        disturbed: &BTreeSet<Id>,
        sound: &mut Sound,
    ) {
        let passed = Passed::new(&before.model, disturbed);
        if !(passed.is_on_level || passed.is_climbed) || !before.model.has_class("IfcSpace") {
            return;
        }
        let is_large = before.model.of_class("IfcElement").len() > MOST_ELEMENTS;
        if is_large && !self.scenes.has_layout(&before.model) {
            sound.notes.push(
                "Whether rooms are cut off was not looked at: the model is large and nobody has asked for its rooms yet. circulation_check says it."
                    .to_owned(),
            );
            return;
        }
        let Some(cut_off) = self.cut_off(before, after, passed.is_climbed) else {
            sound.notes.push(
                "Whether rooms are cut off was not looked at to the end: the call was given up.".to_owned(),
            );
            return;
        };
        if cut_off.is_empty() {
            return;
        }
        let mut names: Vec<&str> = cut_off.iter().take(MOST_NAMED).map(|(_, label)| label.as_str()).collect();
        let more = format!("{} more", cut_off.len() - names.len());
        if cut_off.len() > names.len() {
            names.push(&more);
        }
        let is = if cut_off.len() == 1 { "is" } else { "are" };
        let say = format!(
            "{} {is} no longer reached from outside by doors, openings and stairs.",
            names.join(", ")
        );
        let elements = cut_off.iter().map(|(id, _)| id.clone()).collect();
        // first, for only so many findings are told
        sound
            .findings
            .insert(0, Finding { kind: Kind::Unreached, rule: constraint::SEALED_ROOM, elements, say });
    }

    /// The GlobalIds and names of rooms that are cut off; `None` where the call was given up.
    fn cut_off(
        &self,
        before: &NativeModel,
        after: &NativeModel,
        is_climbed: bool,
    ) -> Option<Vec<(String, String)>> {
        // in this order, so that the later is made of the earlier
        let old = self.layout(before)?;
        let new = self.layout(after)?;
        let had: HashMap<Id, bool> =
            spaces(&old, depths(&old).into_iter().map(|depth| depth.is_some())).collect();
        let has: HashMap<Id, bool> =
            spaces(&new, depths(&new).into_iter().map(|depth| depth.is_some())).collect();
        let no_door: BTreeSet<Id> =
            has.iter().filter(|(id, is)| !**is && had.get(*id) == Some(&true)).map(|(id, _)| *id).collect();
        if no_door.is_empty() && !is_climbed {
            return Some(Vec::new());
        }
        let walked_before = if is_climbed { self.walked(before, &old)? } else { HashMap::new() };
        let walked = self.walked(after, &new)?;
        let is_cut_off = |id: Id| match walked.get(&id) {
            Some(true) => false,
            Some(false) => no_door.contains(&id) || walked_before.get(&id) == Some(&true),
            // where one cannot stand, as without a floor, the doors alone tell
            None => no_door.contains(&id),
        };
        let rooms = new.rooms.rooms.iter();
        let cut_off = rooms.filter(|room| room.space().is_some_and(is_cut_off));
        Some(cut_off.map(|room| (room.id.clone(), room.label())).collect())
    }

    fn layout(&self, model: &NativeModel) -> Option<Arc<Layout>> {
        let go_on = |done: usize, total: usize| self.watch.at(done as u64, total as u64);
        self.scenes.layout(&model.model, &model.tiles, &|| {}, &go_on)
    }

    /// The rooms in which one can stand, and whether one walks there from outside.
    fn walked(&self, model: &NativeModel, layout: &Layout) -> Option<HashMap<Id, bool>> {
        let go_on = |done: usize, total: usize| self.watch.at(done as u64, total as u64);
        let ways: Arc<Ways> = self.scenes.ways(&model.model, &model.tiles, &|| {}, &go_on)?;
        let reached = ways.reached(&Traveller::slightest());
        let known = spaces(layout, reached.into_iter());
        Some(known.filter_map(|(id, is_reached)| Some((id, is_reached?))).collect())
    }
}

/// The rooms of the file, each with what is said of it.
fn spaces<T>(layout: &Layout, said: impl Iterator<Item = T>) -> impl Iterator<Item = (Id, T)> {
    layout.rooms.rooms.iter().zip(said).filter_map(|(room, said)| Some((room.space()?, said)))
}

/// Tells whether a change is of what one passes.
struct Passed {
    /// Doors, openings without a window, rooms, virtual boundaries.
    is_on_level: bool,
    /// Stairs, ramps, lifts.
    is_climbed: bool,
}

impl Passed {
    fn new(model: &Model, disturbed: &BTreeSet<Id>) -> Passed {
        let links = Links::of_one(model);
        let is = |id: Id, class: &str| model.get(id).is_some_and(|product| product.is_a(class));
        let mut passed = Passed { is_on_level: false, is_climbed: false };
        for id in disturbed {
            passed.is_climbed |= CLIMBED.iter().any(|class| is(*id, class));
            passed.is_on_level |=
                ["IfcDoor", "IfcSpace", "IfcVirtualElement"].iter().any(|class| is(*id, class))
                    || is(*id, "IfcOpeningElement")
                        && !links.fillings_of(*id).iter().any(|filling| is(*filling, "IfcWindow"));
        }
        passed
    }
}
