//! What is known of one room: worked out when first asked for, and taken over into the next version where nothing near differs.

use crate::{
    Room,
    asked::{Asked, Change},
    bounding::{self, Bounding},
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
    bounding: OnceLock<(Arc<[Bounding]>, Asked)>,
    measures: OnceLock<Arc<RoomMeasures>>,
    daylight: OnceLock<(f64, Asked)>,
    width: OnceLock<Width>,
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
        let (bounding, _) = self.bounding.get_or_init(|| {
            let mut asked = Asked::default();
            (bounding::bounding(layout, room, &mut asked).into(), asked)
        });
        bounding
    }

    pub(super) fn measures(&self, layout: &Parts, room: usize) -> &RoomMeasures {
        self.measures.get_or_init(|| Arc::new(RoomMeasures::of_room(layout, room)))
    }

    pub(super) fn daylight(&self, layout: &Parts, room: usize) -> f64 {
        let (factor, _) = self.daylight.get_or_init(|| {
            let mut asked = Asked::default();
            (exposure::daylight_factor(layout, room, self.measures(layout, room), &mut asked), asked)
        });
        *factor
    }

    pub(super) fn usable_width(&self, room: &Room, standing: &[Content]) -> UsableWidth {
        let known = self.width.get_or_init(|| {
            let footprints = standing.iter().map(|content| &content.footprint).filter(|l| l.len() > 2);
            let taken: Vec<Loop> = footprints.cloned().collect();
            Width { metres: UsableWidth::of_room(room, &taken), taken }
        });
        known.metres
    }

    /// Returns what holds of them after a change near which the room does not lie, given what stands in it then.
    pub(super) fn after(&self, change: &Change, standing: &[Content]) -> Facts {
        let mut facts = self.clone();
        if facts.bounding.get().is_some_and(|(_, asked)| !asked.holds(change)) {
            facts.bounding = OnceLock::new();
        }
        if facts.daylight.get().is_some_and(|(_, asked)| !asked.holds(change)) {
            facts.daylight = OnceLock::new();
        }
        let footprints = standing.iter().map(|content| &content.footprint).filter(|l| l.len() > 2);
        if facts.width.get().is_some_and(|width| !width.taken.iter().eq(footprints)) {
            facts.width = OnceLock::new();
        }
        facts
    }
}
