//! Distances of egress: travel distance (1017.2), common path (1006.2.1) and dead ends (1020.5).

use super::route::WayOut;
use super::rules::{COMMON_PATH, DEAD_END, TRAVEL_DISTANCE};
use super::survey::Survey;
use crate::{Finding, Quantity, Required};
use geometry::region::Area;
use glam::DVec2;
use spatial::Room;
use spatial::ways::Spot;

/// The step along a way at which the width of a corridor is taken, in metres.
const STEP: f64 = 0.5;

/// Adds a finding for each room whose farthest place is too far from an exit.
pub(super) fn travel(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    for room in survey.rooms.iter().filter(|room| survey.is_occupied(room)) {
        let (Some(way), Some(own)) = (&room.way, survey.occupancy(&room.load)) else { continue };
        let limit = own.travel(survey.parameters.has_sprinklers);
        if way.length <= limit {
            continue;
        }
        let (length, most) = (Quantity::length(way.length), Quantity::length(limit));
        let label = survey.label(room.load.room);
        let message = format!(
            "From the farthest place of the room {label} it is {length} to the nearest exit; {most} are the most."
        );
        let finding = survey
            .breach_of_room(&TRAVEL_DISTANCE, room, message)
            .measured(length, Required::AtMost(most))
            .suggest("Make an exit nearer to it, or a shorter way by a door.");
        findings.push(finding);
    }
}

/// Adds a finding for each room whose common path is too long.
pub(super) fn common_path(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    for room in survey.rooms.iter().filter(|room| survey.is_occupied(room)) {
        let (Some(common), Some(own)) = (room.common_path, survey.occupancy(&room.load)) else { continue };
        let limit = own.common_path(survey.parameters.has_sprinklers);
        if common <= limit {
            continue;
        }
        let (length, most) = (Quantity::length(common), Quantity::length(limit));
        let label = survey.label(room.load.room);
        let message = format!(
            "From the farthest place of the room {label} all ways out are one for {length}; {most} are the most."
        );
        let finding = survey
            .breach_of_room(&COMMON_PATH, room, message)
            .measured(length, Required::AtMost(most))
            .suggest("Give the room a second door, or the part of the building a second exit.");
        findings.push(finding);
    }
}

/// Adds a finding for each corridor with an end that leads nowhere.
pub(super) fn dead_ends(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    let limit = survey.parameters.longest_dead_end();
    for room in survey.rooms.iter().filter(|room| room.load.occupancy == "circulation" && room.way.is_some())
    {
        let number = room.load.room;
        let ways = survey.network.ways_out(&corners(survey, number));
        let ends = ways.into_iter().filter_map(|all| dead_end(survey, number, &all));
        // a recess that is hardly deeper than wide is none (exception 3)
        let is_narrow = |(depth, way): &(f64, WayOut)| {
            let width = survey.layout_room(number).map_or(0.0, |own| least_width(own, way, *depth));
            *depth >= survey.parameters.dead_end_by_width * width
        };
        let deep = ends.filter(|(depth, _)| *depth > limit).filter(is_narrow);
        let Some((depth, way)) = deep.max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
        let (deep, most) = (Quantity::length(depth), Quantity::length(limit));
        let message =
            format!("The corridor {} has a dead end of {deep}; {most} are the most.", survey.label(number));
        let finding = survey
            .breach_of_room(&DEAD_END, room, message)
            .measured(deep, Required::AtMost(most))
            .suggest("Make a way out at its end, or shorten the corridor.");
        let point = way.points.first().copied();
        findings.push(Finding { point, lines: vec![way.points], ..finding });
    }
}

/// The least width of a room's floor, square to a way, over so much of the way from its start, in metres.
fn least_width(room: &Room, way: &WayOut, depth: f64) -> f64 {
    let loops: Vec<&Vec<DVec2>> = room.floor.iter().flat_map(Area::loops).collect();
    let mut least = f64::INFINITY;
    let mut walked = 0.0;
    for pair in way.points.windows(2) {
        let [from, to] = [pair[0].truncate(), pair[1].truncate()];
        let length = from.distance(to);
        let across = (to - from).normalize_or_zero().perp();
        let steps = (length / STEP).ceil();
        for step in 0..steps as usize {
            let along = length * (step as f64 + 0.5) / steps;
            if walked + along > depth {
                return least;
            }
            let p = from.lerp(to, along / length);
            least = least.min(to_edge(&loops, p, across) + to_edge(&loops, p, -across));
        }
        walked += length;
    }
    least
}

/// The distance from a point in a direction to the first edge of some loops.
fn to_edge(loops: &[&Vec<DVec2>], p: DVec2, way: DVec2) -> f64 {
    let edges = loops.iter().flat_map(|own| own.iter().zip(own.iter().cycle().skip(1)));
    let hit = |(a, b): (&DVec2, &DVec2)| {
        let (side, to) = (*b - *a, *a - p);
        let cross = way.perp_dot(side);
        let (t, u) = (to.perp_dot(side) / cross, to.perp_dot(way) / cross);
        (cross.abs() > 1e-9 && t > 0.0 && (0.0..=1.0).contains(&u)).then_some(t)
    };
    edges.filter_map(hit).fold(f64::INFINITY, f64::min)
}

/// The spots nearest to the corners of a room's outline, on the floor where who leaves can be.
fn corners(survey: &Survey<'_>, room: usize) -> Vec<Spot> {
    let mesh = &survey.network.mesh;
    let (Some(own), Some((layer, areas))) =
        (survey.layout_room(room), mesh.within_room(survey.subject.ways.rooms(), room))
    else {
        return Vec::new();
    };
    let free: Vec<DVec2> = areas.iter().flat_map(Area::loops).flatten().copied().collect();
    let outline = own.floor.iter().flat_map(|area| &area.outer);
    let nearest = |corner: &DVec2| {
        free.iter().copied().min_by(|p, q| p.distance(*corner).total_cmp(&q.distance(*corner)))
    };
    let mut found: Vec<DVec2> = outline.filter_map(nearest).collect();
    found.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    found.dedup();
    found.into_iter().filter_map(|p| mesh.spot_on(layer, p)).collect()
}

/// How deep a place lies in a dead end of its room, with the way out of it: as far as ways to two exits are one, if they part within the
/// room.
fn dead_end(survey: &Survey<'_>, room: usize, all: &[WayOut]) -> Option<(f64, WayOut)> {
    let depth = survey.network.common_path(all);
    let way = all.first().filter(|_| all.len() > 1)?;
    let mut walked = 0.0;
    let parting = way.points.windows(2).find_map(|pair| {
        let length = pair[0].distance(pair[1]);
        let share = (depth - walked) / length.max(1e-9);
        walked += length;
        (share <= 1.0).then(|| pair[0].lerp(pair[1], share.max(0.0)))
    })?;
    let own = survey.layout_room(room)?;
    own.covers(parting.truncate()).then(|| (depth, way.clone()))
}
