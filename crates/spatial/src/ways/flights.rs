//! Flights of stairs and ramps, as strips between lines that lie across the way, from the lowest to the highest.
//!
//! A flight of steps is read from the level upper faces of its body: each tread begins at its nosing, the edge that faces the tread
//! below. One walks along the pitch line, from the first nosing to where the last tread meets the floor above. A tread as deep as a landing
//! is a floor and parts the flight. A ramp is read from its sloped upper faces. Flights end at their sides where their body ends or
//! where railings and walls stand on them.

use super::floors::{Floor, level_faces};
use crate::shadow::shadow;
use geometry::query::{Element, Index};
use geometry::region::{self, Loop};
use glam::{DVec2, DVec3};
use ifc::Id;
use ifc::relations::Links;

/// A strip of steps or of a slope.
#[derive(Debug, Clone)]
pub struct Flight {
    /// The element.
    pub element: Id,
    /// True for steps, false for a slope.
    pub is_stair: bool,
    /// Lines across, from the lowest to the highest, each from its left to its right end as one goes up.
    pub lines: Vec<[DVec3; 2]>,
    /// Height of the floor that it begins at, as far as the body tells.
    pub foot: f64,
    /// Height of the floor that it leads to.
    pub top: f64,
    /// Risers; 0 of a slope.
    pub risers: usize,
    /// Height of a riser; 0 of a slope.
    pub riser: f64,
    /// Clear width in metres.
    pub width: f64,
    /// Rise by run.
    pub slope: f64,
}

/// A tread at least so deep, in metres, is a landing.
const LANDING: f64 = 0.7;
/// The height, in metres, below which a face over a step is its board.
const BOARD: f64 = 0.09;
/// The highest riser, in metres.
const RISER: f64 = 0.26;
/// Slopes below this, rise by run, are level.
const LEVEL: f64 = 0.02;
/// Slopes above this are roofs and strings, not ways.
const STEEP: f64 = 0.36;
/// Railings count from this height over the steps, in metres.
const HAND: f64 = 0.5;

/// The flights of a model, and the landings that are part of their bodies.
pub fn flights(links: &Links<'_>, index: &Index) -> (Vec<Flight>, Vec<Floor>) {
    let (mut flights, mut landings) = (Vec::new(), Vec::new());
    let mut elements: Vec<_> = index.iter().collect();
    elements.sort_by_key(|e| e.id());
    for element in elements {
        let Some(instance) = links.model().get(element.id()) else { continue };
        let is = |classes: &[&str]| classes.iter().any(|class| instance.is_a(class));
        if is(&["IfcStairFlight", "IfcStair"]) {
            let is_bedded = |tread: &Tread| lies_under_slab(tread, element.id(), links, index);
            stairs(element, &is_bedded, &mut flights, &mut landings);
        } else if is(&["IfcRampFlight", "IfcRamp"]) {
            flights.extend(slopes(element));
            landings.extend(level_faces(element).into_iter().filter(|f| f.size > 0.3));
        } else if is(&["IfcSlab"]) && links.predefined_type(element.id()).is_none_or(|kind| kind != "ROOF") {
            flights.extend(slopes(element));
        }
    }
    for flight in &mut flights {
        narrow(flight, links, index);
    }
    flights.retain(|f| f.width > 0.1);
    (flights, landings)
}

/// A tread with its nosing.
pub(super) struct Tread {
    height: f64,
    outline: Loop,
    centre: DVec2,
}

/// Returns true of a face on which a slab lies, such as the seat of a landing: nobody steps there.
fn lies_under_slab(tread: &Tread, own: Id, links: &Links<'_>, index: &Index) -> bool {
    let over = tread.centre.extend(tread.height + 0.02);
    let is_slab = |id: &Id| *id != own && links.model().get(*id).is_some_and(|i| i.is_a("IfcSlab"));
    index.at_point(over).iter().any(is_slab)
}

pub(super) fn stairs(
    element: &Element,
    is_bedded: &dyn Fn(&Tread) -> bool,
    flights: &mut Vec<Flight>,
    landings: &mut Vec<Floor>,
) {
    let mut treads: Vec<Tread> = Vec::new();
    for floor in level_faces(element) {
        // several pieces at one height: strings beside the tread are small
        for piece in region::union(&floor.loops) {
            if piece.size() < 0.04 {
                continue;
            }
            let centre = centroid(&piece.outer);
            treads.push(Tread { height: floor.height, outline: piece.outer, centre });
        }
    }
    treads.retain(|tread| !is_bedded(tread));
    treads.sort_by(|a, b| a.height.total_cmp(&b.height));
    let is_under = |tread: &Tread, board: &Tread| {
        let rise = board.height - tread.height;
        rise > 0.0 && rise < BOARD && {
            let shared = region::intersection(
                std::slice::from_ref(&tread.outline),
                std::slice::from_ref(&board.outline),
            );
            let own = geometry::region::Area::new(tread.outline.clone(), Vec::new()).size();
            shared.iter().map(geometry::region::Area::size).sum::<f64>() > 0.5 * own
        }
    };
    let covered: Vec<bool> = treads.iter().map(|t| treads.iter().any(|board| is_under(t, board))).collect();
    let mut covered = covered.into_iter();
    treads.retain(|_| !covered.next().unwrap_or(false));
    // a face between two treads, such as a shoulder under the slab, does not part them
    let mut runs: Vec<Vec<Tread>> = Vec::new();
    for tread in treads {
        let goes_on = |run: &&mut Vec<Tread>| {
            run.last().is_some_and(|last| {
                let rise = tread.height - last.height;
                rise > 0.03 && rise < RISER && gap(&last.outline, &tread.outline) < 0.15
            })
        };
        // a face beside a tread, such as the end of a string, begins a run of its own: the longest goes on
        match runs.iter_mut().filter(goes_on).max_by_key(|run| run.len()) {
            Some(run) => run.push(tread),
            None => runs.push(vec![tread]),
        }
    }
    for run in runs {
        finish(element.id(), run, flights, landings);
    }
}

/// Makes strips of treads that follow each other, and landings of those that are as deep.
fn finish(element: Id, treads: Vec<Tread>, flights: &mut Vec<Flight>, landings: &mut Vec<Floor>) {
    if treads.len() < 2 {
        return;
    }
    let noses: Vec<Option<[DVec2; 2]>> = (0..treads.len())
        .map(|i| match i {
            0 => nosing(&treads[0], treads[0].centre * 2.0 - treads[1].centre),
            _ => nosing(&treads[i], treads[i - 1].centre),
        })
        .collect();
    let mut part: Vec<(f64, [DVec2; 2], usize)> = Vec::new();
    let mut rise = treads[1].height - treads[0].height;
    let close = |part: &mut Vec<(f64, [DVec2; 2], usize)>,
                 end: Option<(f64, [DVec2; 2])>,
                 rise: f64,
                 flights: &mut Vec<Flight>| {
        let (Some(first), Some((top, last_line))) = (part.first().copied(), end) else {
            part.clear();
            return;
        };
        let mut lines: Vec<[DVec3; 2]> =
            part.iter().map(|(z, l, _)| [l[0].extend(*z), l[1].extend(*z)]).collect();
        lines.push([last_line[0].extend(top), last_line[1].extend(top)]);
        let risers = part.len() + usize::from(top - part.last().map_or(top, |p| p.0) > 0.03);
        flights.push(Flight {
            element,
            is_stair: true,
            foot: first.0 - rise,
            top,
            risers,
            riser: rise,
            width: 0.0,
            slope: 0.0,
            lines,
        });
        part.clear();
    };
    for (i, tread) in treads.iter().enumerate() {
        let Some(nose) = noses[i] else { continue };
        let deep = depth(&tread.outline, nose);
        if i > 0 {
            rise = tread.height - treads[i - 1].height;
        }
        if deep >= LANDING && i > 0 {
            // the flight below leads to this landing
            close(&mut part, Some((tread.height, nose)), rise, flights);
            landings.push(Floor::new(tread.height, region::union(std::slice::from_ref(&tread.outline))));
        } else if deep >= LANDING {
            landings.push(Floor::new(tread.height, region::union(std::slice::from_ref(&tread.outline))));
        } else {
            part.push((tread.height, nose, i));
        }
    }
    if let Some((height, _, i)) = part.last().copied() {
        // from the last tread's back edge one steps up to the floor above
        let before = if i > 0 { treads[i - 1].centre } else { treads[i].centre * 2.0 - treads[1].centre };
        let back = nosing(&treads[i], treads[i].centre * 2.0 - before);
        let end = back.map(|[a, b]| (height + rise, [b, a]));
        close(&mut part, end, rise, flights);
    }
}

/// The edge of a tread that faces a point, its left end first as seen from there.
fn nosing(tread: &Tread, from: DVec2) -> Option<[DVec2; 2]> {
    let toward = (from - tread.centre).normalize_or_zero();
    let edges = tread.outline.iter().zip(tread.outline.iter().cycle().skip(1));
    let best = edges
        .map(|(a, b)| {
            // outward of a loop that runs counter-clockwise
            let out = -(*b - *a).perp();
            (out.dot(toward), [*a, *b])
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    let [a, b] = best.1;
    // the whole width of the tread along that edge, also where the edge is notched
    let way = (b - a).normalize_or_zero();
    let out = -way.perp();
    let front = a.dot(out);
    let near = tread.outline.iter().filter(|p| front - p.dot(out) < 0.06);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for p in near {
        let at = (*p - a).dot(way);
        (low, high) = (low.min(at), high.max(at));
    }
    // going up against `out`, the loop runs from left to right along its front
    (high - low > 0.2).then(|| [a + way * low, a + way * high])
}

/// The depth of an outline behind its front edge.
fn depth(outline: &Loop, [a, b]: [DVec2; 2]) -> f64 {
    let inward = (b - a).normalize_or_zero().perp();
    outline.iter().map(|p| (*p - a).dot(inward)).fold(0.0, f64::max)
}

/// The sloped upper faces of a body as strips.
pub(super) fn slopes(element: &Element) -> Vec<Flight> {
    let mesh = element.mesh();
    let mut planes: Vec<(DVec3, f64, Vec<Loop>)> = Vec::new();
    for (number, corners) in mesh.triangles.iter().enumerate() {
        let Some(n) = element.normal(number as u32) else { continue };
        let slope = n.truncate().length() / n.z.max(1e-9);
        if n.z <= 0.0 || !(LEVEL..STEEP).contains(&slope) {
            continue;
        }
        let at = |i: u32| mesh.positions.get(i as usize).copied();
        let (Some(a), Some(b), Some(c)) = (at(corners[0]), at(corners[1]), at(corners[2])) else { continue };
        let flat = vec![a.truncate(), b.truncate(), c.truncate()];
        match planes.iter_mut().find(|(m, d, _)| m.dot(n) > 0.99999 && (m.dot(a) - *d).abs() < 0.002) {
            Some((.., loops)) => loops.push(flat),
            None => planes.push((n, n.dot(a), vec![flat])),
        }
    }
    let mut found = Vec::new();
    for (normal, offset, loops) in planes {
        for piece in region::union(&loops).into_iter().filter(|piece| piece.size() > 0.3) {
            let up = -normal.truncate().normalize_or_zero();
            let across = -up.perp();
            let height = |p: DVec2| (offset - normal.truncate().dot(p)) / normal.z;
            let along = piece.outer.iter().map(|p| p.dot(up));
            let (low, high) =
                along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
            let line = |at: f64| {
                let near =
                    piece.outer.iter().filter(|p| (p.dot(up) - at).abs() < 0.01).map(|p| p.dot(across));
                let (l, r) = near.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, r), v| (l.min(v), r.max(v)));
                (r - l > 0.2)
                    .then(|| [l, r].map(|x| up * at + across * x))
                    .map(|l| l.map(|p| p.extend(height(p))))
            };
            let (Some(first), Some(last)) = (line(low), line(high)) else { continue };
            found.push(Flight {
                element: element.id(),
                is_stair: false,
                foot: first[0].z,
                top: last[0].z,
                lines: vec![first, last],
                risers: 0,
                riser: 0.0,
                width: 0.0,
                slope: 0.0,
            });
        }
    }
    found
}

/// Draws the ends of the lines in to where railings and walls stand, and measures width and slope.
fn narrow(flight: &mut Flight, links: &Links<'_>, index: &Index) {
    let is_own = |id: Id| {
        id == flight.element
            || links.model().get(id).is_none_or(|i| {
                [
                    "IfcStair",
                    "IfcRamp",
                    "IfcStairFlight",
                    "IfcRampFlight",
                    "IfcSlab",
                    "IfcSpace",
                    "IfcDoor",
                    "IfcMember",
                    "IfcSpatialZone",
                ]
                .iter()
                .any(|class| i.is_a(class))
            })
    };
    let points = flight.lines.iter().flatten().copied();
    let mut bounds = geometry::Bounds::from_points(points);
    bounds.max.z += 1.0;
    let beside: Vec<&Element> = index
        .iter()
        .filter(|e| e.bounds().meets(&bounds, 0.0) && !is_own(e.id()))
        .map(AsRef::as_ref)
        .collect();
    let free: Vec<[f64; 2]> = flight.lines.iter().map(|line| stretch(*line, &beside)).collect();
    let mut width = f64::INFINITY;
    // a straight flight is as narrow everywhere as at its narrowest tread
    let common = is_straight(flight);
    let off = |k: usize| free.iter().map(|f| f[k]).fold(0.0, f64::max);
    let both = [off(0), off(1)];
    for (line, own) in flight.lines.iter_mut().zip(&free) {
        let [a, b] = *line;
        let way = (b - a).normalize_or_zero();
        let [left, right] = if common { both } else { *own };
        *line = [a + way * left, b - way * right];
        width = width.min(a.distance(b) - left - right);
    }
    flight.width = if width.is_finite() { width } else { 0.0 };
    let middle = |l: &[DVec3; 2]| (l[0] + l[1]) / 2.0;
    let run: f64 =
        flight.lines.windows(2).map(|pair| (middle(&pair[1]) - middle(&pair[0])).truncate().length()).sum();
    let (Some(first), Some(last)) = (flight.lines.first(), flight.lines.last()) else { return };
    let low = if flight.is_stair { flight.foot } else { first[0].z };
    let rise = last[0].z - if flight.is_stair { low } else { first[0].z };
    flight.slope = if run > 0.0 { rise / run } else { 0.0 };
}

/// The lengths at a line's left and right end beyond the widest stretch on which nothing stands.
fn stretch([a, b]: [DVec3; 2], beside: &[&Element]) -> [f64; 2] {
    let length = a.distance(b);
    let height = a.z.max(b.z);
    let own = geometry::Bounds::from_points([a, b.with_z(height + 1.0)]);
    let mut taken: Vec<(f64, f64)> = Vec::new();
    for element in beside.iter().filter(|e| e.bounds().meets(&own, 0.0)) {
        for l in shadow(element, height + HAND, height + 1.0) {
            crossings(&l, a.truncate(), b.truncate(), &mut taken);
        }
    }
    taken.sort_by(|p, q| p.0.total_cmp(&q.0));
    let (mut best, mut at) = ((0.0, 0.0), 0.0_f64);
    for (from, to) in taken.into_iter().chain([(length, length)]) {
        if from - at > best.1 - best.0 {
            best = (at, from);
        }
        at = at.max(to);
    }
    [best.0, length - best.1]
}

/// Returns true if all lines of a flight lie on the two straight lines between the ends of its first and last.
pub fn is_straight(flight: &Flight) -> bool {
    let (Some(first), Some(last)) = (flight.lines.first(), flight.lines.last()) else { return true };
    flight.lines.iter().all(|line| {
        (0..2).all(|k| {
            crate::shadow::to_line(line[k].truncate(), first[k].truncate(), last[k].truncate()) < 0.03
        })
    })
}

/// The parts of a line that lie in a loop, as distances from its start.
fn crossings(l: &Loop, a: DVec2, b: DVec2, taken: &mut Vec<(f64, f64)>) {
    let (way, length) = ((b - a).normalize_or_zero(), a.distance(b));
    let mut cuts: Vec<f64> = Vec::new();
    for (p, q) in l.iter().zip(l.iter().cycle().skip(1)) {
        let (hp, hq) = (way.perp_dot(*p - a), way.perp_dot(*q - a));
        if (hp > 0.0) != (hq > 0.0) {
            let x = *p + (*q - *p) * (hp / (hp - hq));
            cuts.push((x - a).dot(way));
        }
    }
    cuts.sort_by(f64::total_cmp);
    for pair in cuts.as_chunks::<2>().0 {
        let (from, to) = (pair[0].max(0.0), pair[1].min(length));
        if to > from {
            taken.push((from, to));
        }
    }
}

fn centroid(l: &Loop) -> DVec2 {
    let (mut sum, mut twice) = (DVec2::ZERO, 0.0);
    let Some(origin) = l.first().copied() else { return DVec2::ZERO };
    for (p, q) in l.iter().zip(l.iter().cycle().skip(1)) {
        let cross = (*p - origin).perp_dot(*q - origin);
        sum += (*p - origin + *q - origin) * cross / 3.0;
        twice += cross;
    }
    if twice.abs() > 1e-12 { origin + sum / twice } else { origin }
}

/// The least distance of two outlines in plan, 0 where they overlap.
fn gap(a: &Loop, b: &Loop) -> f64 {
    if crate::facet::holds([a], b.first().copied().unwrap_or_default())
        || crate::facet::holds([b], a.first().copied().unwrap_or_default())
    {
        return 0.0;
    }
    let to_edge = |p: DVec2, l: &Loop| {
        let edges = l.iter().zip(l.iter().cycle().skip(1));
        edges.map(|(q, r)| crate::shadow::to_line(p, *q, *r)).fold(f64::INFINITY, f64::min)
    };
    let one = a.iter().map(|p| to_edge(*p, b)).fold(f64::INFINITY, f64::min);
    let other = b.iter().map(|p| to_edge(*p, a)).fold(f64::INFINITY, f64::min);
    one.min(other)
}
