//! Walls of shafts, lifts and stairs without a rating, in models that state ratings.

use super::Survey;
use super::rules::SHAFT_MISSING;
use crate::grouping::joined;
use crate::{Finding, Measured, Required};
use ifc::Id;
use std::collections::BTreeSet;

/// The words for shafts.
const SHAFTS: [&str; 10] = [
    "shaft",
    "schacht",
    "riser",
    "lift",
    "elevator",
    "aufzug",
    "treppenhaus",
    "stairwell",
    "gaine",
    "asansör",
];

/// Adds a finding for each wall around a shaft that has no rating.
pub(super) fn find(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    if !survey.stated.is_any() {
        return;
    }
    let mut seen: BTreeSet<Id> = BTreeSet::new();
    let mut found = Vec::new();
    for (number, room) in survey.subject.layout.rooms.rooms.iter().enumerate() {
        let label = room.label();
        let words = label.to_lowercase();
        if room.is_outside || !SHAFTS.iter().any(|shaft| words.contains(shaft)) {
            continue;
        }
        let walls = survey.subject.layout.bounding(number).iter().filter(|b| b.normal.z.abs() < 0.5);
        for wall in walls.filter_map(|b| b.element).filter(|id| survey.is_a(*id, "IfcWall")) {
            let is_told =
                survey.stated.ratings.contains_key(&wall) || survey.stated.unreadable.contains_key(&wall);
            if is_told || !seen.insert(wall) {
                continue;
            }
            let message = format!("{} encloses {label} and has no fire rating.", survey.called(wall));
            let finding = SHAFT_MISSING
                .finding(vec![wall], message)
                .suggest("State its FireRating in Pset_WallCommon, with set_properties.");
            found.push(Finding {
                room: room.space(),
                measured: Some(Measured::Words("none".to_owned())),
                required: Some(Required::Words("FireRating given".to_owned())),
                point: survey.subject.index.get(wall).map(|body| body.bounds().centre()),
                ..finding
            });
        }
    }
    let room = |finding: &Finding| finding.room;
    let say = |_: &Option<Id>, group: &[Finding]| {
        format!("{} walls around a shaft have no fire rating.", group.len())
    };
    findings.extend(joined(found, room, say));
}
