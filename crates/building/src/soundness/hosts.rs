//! Openings that are not within their host, and doors and windows that are not within their opening.
//!
//! An opening may reach out of its host to both sides, as other programs draw it; what counts is that it is cut out of the host all
//! round: seen through the host, every corner of it meets the host's body as it is before any opening is cut, or is drawn in it already.

use super::bodies::Bodies;
use super::{Finding, Kind, called, constraint, finding};
use crate::measures::mm;
use geometry::Bounds;
use geometry::query::{Element, Ray};
use glam::{DMat3, DVec3};
use ifc::relations::Links;
use ifc::{Id, Model};
use std::collections::BTreeSet;

/// An opening may leave its host by this much, in metres.
const PLAY: f64 = 0.010;
/// A door or window may stand out of its opening by this much, as casings and sills do.
pub const CASING: f64 = 0.100;
/// Corners of an opening looked at.
const CORNERS: usize = 64;

/// Adds a finding for each opening outside its host and each filling outside its opening.
pub(super) fn find(bodies: &Bodies<'_>, findings: &mut Vec<Finding>) {
    let mut openings: BTreeSet<Id> = BTreeSet::new();
    for id in &bodies.change.touched {
        if bodies.links.host_of_opening(*id).is_some() {
            openings.insert(*id);
        }
        openings.extend(bodies.links.opening_of_filling(*id));
        // a host that became another box may have left its openings
        if bodies
            .former_bounds(*id)
            .is_some_and(|was| bodies.bounds(*id).is_none_or(|now| differ(&was, &now)))
        {
            openings.extend(bodies.links.openings_of(*id));
        }
    }
    for opening in openings {
        let Some(host) = built_host(&bodies.links, opening) else { continue };
        let (Some(cutter), Some(body)) = (bodies.whole(opening), bodies.whole(host)) else { continue };
        let model = bodies.model();
        let fit = Fit::new(model, opening, &cutter, &body);
        if !fit.is_inside {
            let say = format!("{} does not lie within {}.", called(model, opening), called(model, host));
            findings.push(finding(
                model,
                (Kind::OutsideHost, constraint::OPENING_OUTSIDE_HOST),
                &[opening, host],
                say,
            ));
        }
        for filling in bodies.links.fillings_of(opening) {
            let Some(leaf) = bodies.whole(filling) else { continue };
            if let Some(out) = fit.stands_out(&leaf, &cutter) {
                let (leaf, hole) = (called(model, filling), called(model, opening));
                let say = format!("{leaf} stands {} mm out of {hole}.", mm((out * 1000.0).round()));
                let kind = (Kind::OutsideHost, constraint::FILLING_OUTSIDE_OPENING);
                findings.push(finding(model, kind, &[filling, opening], say));
            }
        }
    }
}

/// The building element that an opening is in; furniture is hollowed out in ways of its own.
pub fn built_host(links: &Links<'_>, opening: Id) -> Option<Id> {
    const BUILT: [&str; 2] = ["IfcBuildingElement", "IfcBuiltElement"];
    let host = links.host_of_opening(opening)?;
    let is_built = links.model().get(host).is_some_and(|e| BUILT.iter().any(|class| e.is_a(class)));
    is_built.then_some(host)
}

/// How an opening lies in its host.
#[derive(Debug, Clone, Copy)]
pub struct Fit {
    /// The directions of the opening's placement.
    turn: DMat3,
    /// The one in which it goes through its host.
    through: Option<usize>,
    /// True if every corner of it, seen through the host, meets the host's body or is drawn in it already.
    pub is_inside: bool,
}

impl Fit {
    /// Holds an opening against its host; both bodies are those before any opening is taken out.
    pub fn new(model: &Model, opening: Id, cutter: &Element, host: &Element) -> Self {
        let turn = axes(model, opening);
        let through = through(turn, cutter, host);
        let is_inside = through.is_some_and(|axis| lies_within(turn, axis, cutter, host));
        Self { turn, through, is_inside }
    }

    /// Returns how far in metres a door or window stands out of the opening beside it, where that is more than a casing does.
    pub fn stands_out(&self, leaf: &Element, cutter: &Element) -> Option<f64> {
        stands_out(self.turn, self.through, leaf, cutter)
    }
}

fn differ(a: &Bounds, b: &Bounds) -> bool {
    !(a.min.abs_diff_eq(b.min, 1e-4) && a.max.abs_diff_eq(b.max, 1e-4))
}

/// The directions of an opening's placement.
fn axes(model: &Model, opening: Id) -> DMat3 {
    let map = ifc::placement::of_product(model, opening).matrix3;
    if map.determinant().abs() > 0.5 { map } else { DMat3::IDENTITY }
}

/// The box of a body as seen along some directions.
fn extent(turn: DMat3, body: &Element) -> Bounds {
    let back = turn.transpose();
    Bounds::from_points(body.mesh().positions.iter().map(|p| back * *p))
}

/// The direction in which an opening goes through its host: that in which the host is thin, or for one that is not straight
/// that in which it is thinnest at the opening's middle. `None` where the middle does not meet a host that is not straight.
fn through(turn: DMat3, cutter: &Element, host: &Element) -> Option<usize> {
    let middle = extent(turn, cutter).centre();
    let size = extent(turn, host).size();
    let chord = |axis: usize| {
        let reach = size[axis] + extent(turn, cutter).size()[axis] + 1.0;
        let from = turn * middle - turn.col(axis) * reach;
        let hits = host.hits(&Ray::new(from, turn.col(axis))?.up_to(2.0 * reach));
        let [first, .., last] = hits.as_slice() else { return None };
        Some(last.distance - first.distance)
    };
    let order = |a: &usize, b: &usize| size[*a].total_cmp(&size[*b]);
    let mut by_size = [0, 1, 2];
    by_size.sort_by(order);
    let [thin, next, _] = by_size;
    if size[thin] * 2.0 < size[next] {
        return Some(thin);
    }
    let chords = (0..3).filter_map(|axis| Some((axis, chord(axis)?)));
    chords.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(axis, _)| axis)
}

/// Returns true if every corner of an opening, seen through the host, meets its body.
fn lies_within(turn: DMat3, axis: usize, cutter: &Element, host: &Element) -> bool {
    let back = turn.transpose();
    let bounds = extent(turn, cutter);
    let middle = bounds.centre();
    let mut seen: BTreeSet<[i64; 3]> = BTreeSet::new();
    let corners = cutter.mesh().positions.iter().filter_map(|p| {
        let from_middle = back * *p - middle;
        let across = from_middle.to_array();
        let mut around = [DVec3::ZERO; 4];
        for (which, corner) in around.iter_mut().enumerate() {
            for (nth, i) in (0..3).filter(|i| *i != axis).enumerate() {
                let out = if which >> nth & 1 == 0 { -PLAY } else { PLAY };
                corner[i] = across[i].signum() * (across[i].abs() + out).max(0.0);
            }
        }
        let key = around[0].to_array().map(|v| (v * 1000.0).round() as i64);
        seen.insert(key).then_some(around)
    });
    let depth = bounds.size()[axis] + 0.002;
    let meets = |corner: DVec3| {
        let at = turn * (middle + corner);
        let from = at - turn.col(axis) * (depth / 2.0);
        let ray = Ray::new(from, turn.col(axis)).map(|ray| ray.up_to(depth));
        ray.is_some_and(|ray| host.first_hit(&ray).is_some()) || host.contains(at)
    };
    // other programs draw bodies with their openings cut out already: what is around the hole meets them
    corners.take(CORNERS).all(|around| around.into_iter().any(meets))
}

/// Returns how far in metres a door or window stands out of its opening beside it, where that is more than a casing does.
fn stands_out(turn: DMat3, through: Option<usize>, leaf: &Element, cutter: &Element) -> Option<f64> {
    let (inner, outer) = (extent(turn, leaf), extent(turn, cutter));
    let sides = (0..3).filter(|axis| Some(*axis) != through);
    let out = sides
        .map(|i| (outer.min[i] - inner.min[i]).max(inner.max[i] - outer.max[i]))
        .fold(f64::NEG_INFINITY, f64::max);
    // one that stands before its hole is beside it, too
    let away = through.map_or(0.0, |i| (inner.min[i] - outer.max[i]).max(outer.min[i] - inner.max[i]));
    let out = out.max(away);
    (out > CASING).then_some(out)
}
