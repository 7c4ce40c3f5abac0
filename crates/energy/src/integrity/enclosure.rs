//! Whether the surfaces of a zone close around it and face outwards.
//!
//! In a closed zone every piece of every edge is passed twice, once each way. Edges are cut where corners of other
//! surfaces lie on them, so that a wall beside two others is no gap. A piece passed once is a gap; passed twice the same
//! way, one of both surfaces faces inwards. Zones with surfaces that are given by length and height alone are left out.

use super::surfaces::{SIMPLE, area_vector, corners, detailed};
use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::idf::{Document, Object};
use glam::DVec3;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Corners closer than this are one, in metres; EnergyPlus takes 1 cm too.
const TOLERANCE: f64 = 0.01;
/// Gaps shorter than this in all are passed over.
const SHORT: f64 = 0.1;
/// Zones with more corners than this are not looked into.
const LARGEST: usize = 5_000;

/// Adds zones with gaps and surfaces that face inwards.
pub fn check(document: &Document, issues: &mut Vec<Issue>) {
    let simple: HashSet<String> = SIMPLE
        .iter()
        .flat_map(|name| document.of_type(name))
        .filter_map(|surface| surface.get("zone_name").map(str::to_lowercase))
        .collect();
    let mut zones: BTreeMap<String, Vec<Object<'_>>> = BTreeMap::new();
    for surface in detailed(document) {
        zones.entry(surface.get("zone_name").unwrap_or_default().to_lowercase()).or_default().push(surface);
    }
    for zone in document.of_type("Zone") {
        let key = zone.name().to_lowercase();
        match zones.get(&key) {
            Some(surfaces) if !simple.contains(&key) => enclosed(document, zone, surfaces, issues),
            None if !simple.contains(&key) => {
                let message = format!("Zone `{}` has no surfaces.", zone.name());
                let what = "Add the surfaces that enclose it, or remove the zone.";
                issues.push(issue(
                    Severity::Error,
                    IssueKind::ZoneNotClosed,
                    vec![zone.into()],
                    message,
                    what,
                ));
            }
            _ => {}
        }
    }
}

/// The surfaces that pass a piece of edge, once for each time, and the balance of both directions.
#[derive(Default)]
struct Passed {
    by: Vec<usize>,
    balance: i32,
    length: f64,
}

fn enclosed(document: &Document, zone: Object<'_>, surfaces: &[Object<'_>], issues: &mut Vec<Issue>) {
    let Some(polygons) = surfaces.iter().map(|surface| corners(*surface)).collect::<Option<Vec<_>>>() else {
        return;
    };
    if polygons.iter().map(Vec::len).sum::<usize>() > LARGEST {
        return;
    }
    let mut points = Points::default();
    let loops: Vec<Vec<usize>> =
        polygons.iter().map(|polygon| polygon.iter().map(|point| points.number(*point)).collect()).collect();
    let mut edges: HashMap<(usize, usize), Passed> = HashMap::new();
    for (surface, corners) in loops.iter().enumerate() {
        for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            for (from, to) in points.pieces(*a, *b) {
                let passed = edges.entry((from.min(to), from.max(to))).or_default();
                passed.by.push(surface);
                passed.balance += if from < to { 1 } else { -1 };
                passed.length = points.distance(from, to);
            }
        }
    }
    let mut open = vec![0.0; surfaces.len()];
    let mut clashing = vec![0.0; surfaces.len()];
    let mut around = vec![0.0; surfaces.len()];
    let mut gap = 0.0;
    for passed in edges.values() {
        for surface in &passed.by {
            if let Some(length) = around.get_mut(*surface) {
                *length += passed.length;
            }
        }
        let (tally, counts) = if passed.by.len() % 2 == 1 {
            gap += passed.length;
            (&mut open, true)
        } else {
            (&mut clashing, passed.balance != 0)
        };
        for surface in passed.by.iter().filter(|_| counts) {
            if let Some(length) = tally.get_mut(*surface) {
                *length += passed.length;
            }
        }
    }
    let named = |lengths: &[f64], least: &dyn Fn(usize) -> f64| -> Vec<Object<'_>> {
        let chosen = lengths.iter().enumerate().filter(|(at, length)| **length > least(*at));
        chosen.filter_map(|(at, _)| surfaces.get(at).copied()).collect()
    };
    if gap > SHORT {
        let at = named(&open, &|_| TOLERANCE);
        let list: Vec<&str> = at.iter().take(6).map(Object::name).collect();
        let more = if at.len() > 6 { ", …" } else { "" };
        let message = format!(
            "Zone `{}` is not closed: {gap:.2} m of edges border on nothing, at {}{more}.",
            zone.name(),
            list.join(", ")
        );
        let what = "Add the missing surface, or move the corners of those named onto their neighbours'. Until then EnergyPlus estimates the zone's volume.";
        let objects = std::iter::once(zone).chain(at).map(Subject::from).collect();
        issues.push(issue(Severity::Warning, IssueKind::ZoneNotClosed, objects, message, what));
    }
    // a surface that runs against most of its neighbours is the one that is turned
    let turned = named(&clashing, &|at| around.get(at).map_or(0.0, |around| around * 0.6));
    let inwards = "Give its corners in the opposite order.";
    for surface in &turned {
        let message =
            format!("{} `{}` of zone `{}` faces inwards.", surface.type_name(), surface.name(), zone.name());
        issues.push(issue(
            Severity::Error,
            IssueKind::WrongNormal,
            vec![(*surface).into()],
            message,
            inwards,
        ));
    }
    let clockwise = document.of_type("GlobalGeometryRules").next().is_some_and(|rules| {
        rules.get("vertex_entry_direction").is_some_and(|way| way.eq_ignore_ascii_case("clockwise"))
    });
    let volume: f64 = polygons.iter().map(|polygon| volume_under(polygon)).sum::<f64>()
        * if clockwise { -1.0 } else { 1.0 };
    if gap <= SHORT && turned.is_empty() && volume < -TOLERANCE {
        let message = format!("All surfaces of zone `{}` face inwards.", zone.name());
        let what = "Give their corners in the opposite order, or change `Vertex Entry Direction` of GlobalGeometryRules.";
        let objects = std::iter::once(zone).chain(surfaces.iter().copied()).map(Subject::from).collect();
        issues.push(issue(Severity::Error, IssueKind::WrongNormal, objects, message, what));
    }
}

/// Three times the signed volume between a polygon and the origin, over three.
fn volume_under(polygon: &[DVec3]) -> f64 {
    let Some(first) = polygon.first() else { return 0.0 };
    first.dot(area_vector(polygon)) / 6.0
}

/// Corners, those within the tolerance counted as one.
#[derive(Default)]
struct Points {
    all: Vec<DVec3>,
    cells: HashMap<[i64; 3], Vec<usize>>,
}

impl Points {
    fn cell(point: DVec3) -> [i64; 3] {
        point.to_array().map(|part| (part / TOLERANCE).floor() as i64)
    }

    fn number(&mut self, point: DVec3) -> usize {
        let cell = Self::cell(point);
        for step in 0..27_i64 {
            let beside = [cell[0] + step % 3 - 1, cell[1] + step / 3 % 3 - 1, cell[2] + step / 9 - 1];
            let known = self.cells.get(&beside).into_iter().flatten().copied();
            if let Some(found) = known
                .into_iter()
                .find(|at| self.at(*at).is_some_and(|other| other.distance(point) < TOLERANCE))
            {
                return found;
            }
        }
        self.all.push(point);
        self.cells.entry(cell).or_default().push(self.all.len() - 1);
        self.all.len() - 1
    }

    fn at(&self, number: usize) -> Option<DVec3> {
        self.all.get(number).copied()
    }

    fn distance(&self, a: usize, b: usize) -> f64 {
        self.at(a).zip(self.at(b)).map_or(0.0, |(a, b)| a.distance(b))
    }

    /// An edge cut at every corner that lies on it.
    fn pieces(&self, a: usize, b: usize) -> Vec<(usize, usize)> {
        let (Some(start), Some(end)) = (self.at(a), self.at(b)) else { return Vec::new() };
        let span = start.distance(end);
        if a == b || span < TOLERANCE {
            return Vec::new();
        }
        let along = (end - start) / span;
        let mut on: Vec<(f64, usize)> = vec![(0.0, a), (span, b)];
        for (number, point) in self.all.iter().enumerate() {
            if number == a || number == b {
                continue;
            }
            let reach = (*point - start).dot(along);
            let foot = start + along * reach;
            if reach > TOLERANCE && reach < span - TOLERANCE && foot.distance(*point) < TOLERANCE {
                on.push((reach, number));
            }
        }
        on.sort_by(|a, b| a.0.total_cmp(&b.0));
        on.iter().zip(on.iter().skip(1)).map(|(a, b)| (a.1, b.1)).collect()
    }
}
