//! The limits of an egress analysis, with their source. Each can be set otherwise.

use super::occupancy::{FOOT, Occupancy};
use serde::{Deserialize, Serialize};

/// The limits of an analysis: International Building Code 2021 unless set otherwise, typed from the published text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Parameters {
    /// The occupancy of rooms whose use is not recognised, and of the building as a whole; that of most of its area where left out.
    pub occupancy: Option<String>,
    /// The table of occupancies.
    pub occupancies: Vec<Occupancy>,
    /// True if the building has sprinklers throughout.
    pub has_sprinklers: bool,
    /// Metres of clear width a person through doors and corridors: 0.2 in (1005.3.2).
    pub door_width_per_person: f64,
    /// Metres of clear width a person on stairs: 0.3 in (1005.3.1).
    pub stair_width_per_person: f64,
    /// The least clear width of a door in metres: 32 in (1010.1.1).
    pub least_door: f64,
    /// Doors for fewer persons may be narrower.
    pub least_door_load: f64,
    /// The least width of a stair in metres: 44 in, and 36 in for fewer than 50 persons (1011.2).
    pub least_stair: [f64; 2],
    /// The number of persons from which doors open with the way out: 50 (1010.1.2.1).
    pub swing_load: f64,
    /// The persons from which three exits are needed, and four: more than 500, more than 1,000 (1006.2.1.1, 1006.3.3).
    pub exits_from: [f64; 2],
    /// The most persons of a storey or building with one exit: 49 (1006.3.4).
    pub single_exit_load: f64,
    /// The longest dead end in metres: 20 ft, with sprinklers 50 ft (1020.5).
    pub dead_end: [f64; 2],
    /// A dead end is one from so many times its least width on: 2.5 (1020.5, exception 3).
    pub dead_end_by_width: f64,
    /// The least distance of two exits as a part of the diagonal that they serve: a half, with sprinklers a third (1007.1.1).
    pub separation: [f64; 2],
    /// The minutes for which what encloses an exit stairway is rated: 1 h, from four storeys on 2 h (1023.2).
    pub exit_stair_minutes: [f64; 2],
    /// The width of who leaves, in metres, for whom a way must be.
    pub width: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        const INCH: f64 = FOOT / 12.0;
        Self {
            occupancy: None,
            occupancies: Occupancy::table(),
            has_sprinklers: false,
            door_width_per_person: 0.2 * INCH,
            stair_width_per_person: 0.3 * INCH,
            least_door: 32.0 * INCH,
            least_door_load: 10.0,
            least_stair: [44.0 * INCH, 36.0 * INCH],
            swing_load: 50.0,
            exits_from: [500.0, 1000.0],
            single_exit_load: 49.0,
            dead_end: [20.0 * FOOT, 50.0 * FOOT],
            dead_end_by_width: 2.5,
            separation: [0.5, 1.0 / 3.0],
            exit_stair_minutes: [60.0, 120.0],
            width: 0.6,
        }
    }
}

impl Parameters {
    /// An occupancy of the table.
    pub fn occupancy_named(&self, id: &str) -> Option<&Occupancy> {
        self.occupancies.iter().find(|own| own.id == id || own.title.eq_ignore_ascii_case(id))
    }

    /// The longest dead end in metres.
    pub fn longest_dead_end(&self) -> f64 {
        self.dead_end[usize::from(self.has_sprinklers)]
    }

    /// The least distance of two exits, as a part of the diagonal.
    pub fn least_separation(&self) -> f64 {
        self.separation[usize::from(self.has_sprinklers)]
    }

    /// The minutes for which what encloses an exit stairway through so many storeys is rated.
    pub fn stair_minutes(&self, storeys: usize) -> f64 {
        self.exit_stair_minutes[usize::from(storeys >= 4)]
    }

    /// The number of exits that so many persons need, where one alone may serve `single` of them.
    pub fn exits_for(&self, persons: f64, single: f64) -> usize {
        let [three, four] = self.exits_from;
        match persons {
            p if p > four => 4,
            p if p > three => 3,
            p if p > single => 2,
            _ => 1,
        }
    }
}
