//! Egress: how many persons are in each room, how far they go to an exit, and whether doors, stairs and exits are enough for them.
//!
//! Limits are those of the International Building Code 2021 unless set otherwise ([`Parameters`]); clauses are named by its numbers. An
//! exit is a door that leads outside at the height of the ground, or one into a stair that is an exit by its enclosure
//! ([`StairEnclosure`]); down other stairs travel is measured. Doors count as unlocked. It refuses to say what is permitted: a code has
//! exceptions that no model tells of.

mod distances;
mod doors;
mod enclosure;
mod exits;
mod load;
mod occupancy;
mod parameters;
mod route;
mod rules;
mod separation;
mod stairs;
mod survey;
#[cfg(test)]
mod tests;
mod unreached;

pub use enclosure::StairEnclosure;
pub use load::RoomLoad;
pub use occupancy::{AreaBasis, FOOT, Occupancy, recognised};
pub use parameters::Parameters;
pub use route::WayOut;
pub use rules::rules;

use crate::{Finding, Subject};
use ifc::Id;
use survey::Survey;

/// The egress of a room.
#[derive(Debug, Clone, PartialEq)]
pub struct RoomEgress {
    /// The load.
    pub load: RoomLoad,
    /// The shortest way from its farthest place to an exit; none where there is no way, or nobody can stand in it.
    pub way: Option<WayOut>,
    /// The length of the common path of travel in metres: from the farthest place to where ways to two exits part.
    pub common_path: Option<f64>,
    /// The doors and openings that lead out of it, by their places in the premises.
    pub doors: Vec<usize>,
    /// The number of ways out that its load needs.
    pub exits_required: usize,
}

/// An exit, and who takes it.
#[derive(Debug, Clone, PartialEq)]
pub struct ExitUse {
    /// The place of its door in [`spatial::ways::Premises::doors`].
    pub place: usize,
    /// The door.
    pub door: Id,
    /// The exit stairway that it leads into; none of a door outside.
    pub stair: Option<Id>,
    /// Its clear width in metres.
    pub clear_width: f64,
    /// The number of persons that its width is enough for.
    pub capacity: f64,
    /// The number of persons to whom it is the nearest.
    pub persons: f64,
    /// The number of persons that its width is for: of those who come by stairs, the storey with the most.
    pub load: f64,
}

/// An egress analysis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Analysis {
    /// The identifier of the building's occupancy.
    pub occupancy: String,
    /// All rooms, in the order of the layout.
    pub rooms: Vec<RoomEgress>,
    /// The exits that are reached.
    pub exits: Vec<ExitUse>,
    /// The stairs, and which of them are exits.
    pub stairs: Vec<StairEnclosure>,
    /// The number of persons in the building.
    pub persons: f64,
    /// The breaches, and what could not be judged.
    pub findings: Vec<Finding>,
    /// Sentences on what was assumed.
    pub notes: Vec<String>,
}

/// Analyses the egress of a building. `go_on` is told how many of how many steps are done; where it answers no, there is no analysis.
pub fn egress_analysis(
    subject: &Subject<'_>,
    parameters: &Parameters,
    go_on: &dyn Fn(usize, usize) -> bool,
) -> Option<Analysis> {
    type Step = fn(&Survey<'_>, &mut Vec<Finding>);
    const STEPS: [Step; 8] = [
        unreached::find,
        distances::travel,
        distances::common_path,
        distances::dead_ends,
        exits::find,
        separation::find,
        doors::find,
        stairs::find,
    ];
    if let Some(finding) = unjudged(subject) {
        return Some(Analysis { findings: vec![finding], ..Analysis::default() });
    }
    if !go_on(0, STEPS.len() + 1) {
        return None;
    }
    let survey = Survey::new(subject, parameters);
    let mut findings = Vec::new();
    for (done, step) in STEPS.iter().enumerate() {
        if !go_on(done + 1, STEPS.len() + 1) {
            return None;
        }
        step(&survey, &mut findings);
    }
    Some(survey.analysis(findings))
}

/// The finding on a building whose egress cannot be judged.
fn unjudged(subject: &Subject<'_>) -> Option<Finding> {
    let reason = if subject.layout.rooms.rooms.is_empty() {
        "The model has no rooms, and its walls enclose none; egress was not judged."
    } else if subject.ways.premises.exits.is_empty() {
        "No door of the model leads outside at the height of the ground; egress was not judged."
    } else {
        return None;
    };
    Some(rules::UNJUDGED.finding(Vec::new(), reason.to_owned()))
}
