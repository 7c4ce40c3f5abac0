//! What is known of one room: worked out when first asked for, and taken over into the next version where nothing near differs.

use crate::{
    Room,
    asked::{Asked, Change},
    bounding::{self, Around, Bounding},
    contents::{Content, UsableWidth},
    exposure,
    measures::RoomMeasures,
    parts::Parts,
};
use geometry::region::Loop;
use std::sync::{Arc, OnceLock};

/// The answers about a room so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    around: OnceLock<Arc<Around>>,
    /// The elements around the room in the version before, where they have to be looked at anew.
    around_before: Option<Arc<Around>>,
    measures: OnceLock<Arc<RoomMeasures>>,
    daylight: OnceLock<Arc<(f64, Asked)>>,
    width: OnceLock<Arc<Width>>,
}

/// A usable width, and the ground that was taken.
#[derive(Debug, Clone)]
struct Width {
    taken: Vec<Loop>,
    metres: UsableWidth,
}

/// The farthest from a room, in metres, that what touches it or stands in it is looked for; what lies farther is met by lines.
pub(super) const REACH: f64 = 0.05;

impl Facts {
    pub(super) fn bounding(&self, layout: &Parts, room: usize) -> &[Bounding] {
        let before = self.around_before.as_deref();
        &self.around.get_or_init(|| Arc::new(bounding::around(layout, room, before))).bounding
    }

    pub(super) fn measures(&self, layout: &Parts, room: usize) -> &RoomMeasures {
        self.measures.get_or_init(|| Arc::new(RoomMeasures::of_room(layout, room)))
    }

    pub(super) fn daylight(&self, layout: &Parts, room: usize) -> f64 {
        let known = self.daylight.get_or_init(|| {
            let mut asked = Asked::default();
            let measures = self.measures(layout, room);
            Arc::new((exposure::daylight_factor(layout, room, measures, &mut asked), asked))
        });
        known.0
    }

    pub(super) fn usable_width(&self, room: &Room, standing: &[Content]) -> UsableWidth {
        let known = self.width.get_or_init(|| {
            let footprints = standing.iter().map(|content| &content.footprint).filter(|l| l.len() > 2);
            let taken: Vec<Loop> = footprints.cloned().collect();
            Arc::new(Width { metres: UsableWidth::of_room(room, &taken), taken })
        });
        known.metres
    }

    /// Returns what helps to find them anew where the room's body is the same.
    pub(super) fn anew(&self) -> Facts {
        let around = self.around.get().or(self.around_before.as_ref());
        Facts { around_before: around.cloned(), ..Facts::default() }
    }

    /// Bytes that they take, about.
    pub(super) fn weight(&self) -> u64 {
        let around = self.around.get().into_iter().chain(&self.around_before);
        around.map(|around| around.weight()).sum()
    }

    /// Returns what holds of them after a change near which the room does not lie, given what stands in it then.
    pub(super) fn after(&self, change: &Change, standing: &[Content]) -> Facts {
        let mut facts = self.clone();
        if facts.around.get().is_some_and(|around| !around.asked.holds(change)) {
            facts.around_before = facts.around.take();
        }
        if facts.daylight.get().is_some_and(|known| !known.1.holds(change)) {
            facts.daylight = OnceLock::new();
        }
        let footprints = standing.iter().map(|content| &content.footprint).filter(|l| l.len() > 2);
        if facts.width.get().is_some_and(|width| !width.taken.iter().eq(footprints)) {
            facts.width = OnceLock::new();
        }
        facts
    }
}
