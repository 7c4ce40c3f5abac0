//! Rooms that share space with each other, unless one is a part of the other.

use super::bodies::Bodies;
use super::{Finding, Kind, called, constraint, finding};
use geometry::query::{Element, Interference, Kind as Way, Rules, interference};
use ifc::Id;
use ifc::relations::Links;
use std::collections::BTreeSet;

/// Rooms that go no deeper into each other, or share no more m³, lie beside each other as drawn.
pub const RULES: Rules =
    Rules { tolerance: 0.005, least_volume: 1e-3, clearance: 0.0, touching: false, most_pairs: usize::MAX };

/// Two rooms that share space.
#[derive(Debug, Clone, Copy)]
pub struct Shared {
    /// The interference of their bodies.
    pub found: Interference,
    /// The volume in cubic metres.
    pub volume: f64,
    /// How they do, in words that follow the names of both.
    pub how: &'static str,
}

/// Returns the space that two rooms share. Of bodies that do not close nobody can say it.
pub fn shared(one: &Element, other: &Element) -> Option<Shared> {
    let found = interference(one, other, &RULES)?;
    let (how, volume) = match found.kind {
        Way::Duplicate { volume } => ("are the same room twice", volume),
        Way::Inside { volume } => ("lie in each other: the first lies wholly in the second", Some(volume)),
        Way::Contains { volume } => ("lie in each other: the second lies wholly in the first", Some(volume)),
        Way::Hard { volume, .. } => ("overlap", volume),
        Way::Touching { .. } | Way::Clearance { .. } => return None,
    };
    Some(Shared { found, volume: volume?, how })
}

/// Returns true if one space is a part of the other, or is an area that is measured over rooms.
pub fn are_nested(links: &Links<'_>, a: Id, b: Id) -> bool {
    let upwards = |id: Id, other: Id| links.upwards(id).contains(&other);
    let is_total = |id: Id| {
        let kind = links.predefined_type(id).unwrap_or_default();
        let composition = links.model().get(id).and_then(|space| space.enumeration("CompositionType"));
        kind == "GFA" || composition.is_some_and(|c| c == "COMPLEX" || c == "PARTIAL")
    };
    upwards(a, b) || upwards(b, a) || is_total(a) || is_total(b)
}

/// Adds a finding for each pair of rooms that share space since a change.
pub(super) fn find(bodies: &Bodies<'_>, findings: &mut Vec<Finding>) {
    let model = bodies.model();
    let mut seen: BTreeSet<(Id, Id)> = BTreeSet::new();
    for id in &bodies.change.rooms {
        let Some(own) = bodies.cut(*id) else { continue };
        for (other, _) in bodies.rooms_near(own.bounds(), -RULES.tolerance) {
            let pair = (other.min(*id), other.max(*id));
            if other == *id || !seen.insert(pair) || are_nested(&bodies.links, *id, other) {
                continue;
            }
            let (Some(one), Some(two)) = (bodies.cut(pair.0), bodies.cut(pair.1)) else { continue };
            let Some(found) = shared(&one, &two) else { continue };
            let former = [pair.0, pair.1].map(|id| bodies.former_cut(id));
            let was = match former {
                [Some(a), Some(b)] => shared(&a, &b).map_or(0.0, |was| was.volume),
                _ => 0.0,
            };
            if found.volume <= was * 1.001 {
                continue;
            }
            let say = format!(
                "{} and {} {}: they share {:.3} m³.",
                called(model, pair.0),
                called(model, pair.1),
                found.how,
                found.volume
            );
            let kind = (Kind::SpaceOverlap, constraint::SPACE_OVERLAP);
            findings.push(finding(model, kind, &[pair.0, pair.1], say));
        }
    }
}
