//! A way as it is told: its points and length, the doors, flights and lifts that it passes, and its narrowest and steepest places.

use super::mesh::{Mesh, Sheet};
use super::premises::Premises;
use super::search::Found;
use geometry::region::Area;
use glam::{DVec2, DVec3};

/// A door or an open passage on a way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passage {
    /// Its place in [`Premises::doors`].
    pub door: usize,
    /// The point where the way goes through.
    pub at: DVec3,
}

/// A flight on a way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Climb {
    /// Its place in [`Premises::flights`].
    pub flight: usize,
    /// Metres up; down is less than 0.
    pub rise: f64,
    /// Metres along the level.
    pub run: f64,
}

/// A lift on a way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ride {
    /// Its place in [`Premises::lifts`].
    pub lift: usize,
    /// Metres up; down is less than 0.
    pub rise: f64,
}

/// The narrowest place of a way, between what stands to both sides of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Narrow {
    /// The clear width in metres.
    pub width: f64,
    /// The point where the way passes it.
    pub at: DVec3,
    /// The ends of the clear width, left and right of the way.
    pub ends: [DVec2; 2],
}

/// A way.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// Metres, over slopes and stairs along their pitch; lifts count their height.
    pub length: f64,
    /// Seconds, waiting for doors and lifts not counted.
    pub seconds: f64,
    /// The place of its source in the list of sources.
    pub source: usize,
    /// The points where it turns or its slope changes, from start to end.
    pub points: Vec<DVec3>,
    /// Doors in the order of passing.
    pub doors: Vec<Passage>,
    /// Flights in the order of passing.
    pub flights: Vec<Climb>,
    /// Lifts in the order of passing.
    pub lifts: Vec<Ride>,
    /// The narrowest place; none where nothing stands within 5 m to both sides.
    pub narrowest: Option<Narrow>,
}

/// Places farther off than this to a side, in metres, are not narrow.
const WIDE: f64 = 5.0;
/// Metres a second of a lift.
const LIFT: f64 = 1.0;

impl Route {
    /// Tells a way that was found on a mesh.
    pub fn new(mesh: &Mesh, premises: &Premises, found: &Found) -> Route {
        let points = straightened(&found.points, &found.shortcuts);
        let mut route = Route {
            length: found.length,
            seconds: 0.0,
            source: found.source,
            points,
            doors: Vec::new(),
            flights: Vec::new(),
            lifts: Vec::new(),
            narrowest: None,
        };
        for (i, pair) in found.points.windows(2).enumerate() {
            let ride = found.shortcuts.iter().find(|(_, at)| *at == i);
            route.pass(mesh, premises, [pair[0], pair[1]], ride.map(|(lift, _)| *lift as usize));
        }
        route.narrowest = route.narrow_places(mesh).into_iter().min_by(|a, b| a.width.total_cmp(&b.width));
        route
    }

    /// Adds what one straight piece of the way passes.
    fn pass(&mut self, mesh: &Mesh, premises: &Premises, [p, q]: [DVec3; 2], lift: Option<usize>) {
        let (run, rise) = ((q - p).truncate().length(), q.z - p.z);
        if let Some(lift) = lift {
            self.lifts.push(Ride { lift, rise });
            self.seconds += rise.abs() / LIFT;
            return;
        }
        let on = if rise.abs() > 1e-9 { flight_at(mesh, (p + q) / 2.0) } else { None };
        if let Some(flight) = on {
            let is_stair = premises.flights.get(flight).is_some_and(|f| f.is_stair);
            self.seconds += mesh.traveller.seconds(run, rise, is_stair);
            match self.flights.last_mut() {
                Some(last) if last.flight == flight && last.rise.signum() == rise.signum() => {
                    last.rise += rise;
                    last.run += run;
                }
                _ => self.flights.push(Climb { flight, rise, run }),
            }
            return;
        }
        self.seconds += mesh.traveller.seconds(run, rise, false);
        let mut passed: Vec<(f64, Passage)> = Vec::new();
        for (number, door) in premises.doors.iter().enumerate() {
            if p.z < door.sill - 0.3 || p.z > door.sill + 0.35 || !door.is_crossed(p.truncate(), q.truncate())
            {
                continue;
            }
            let side = |x: DVec3| {
                (x.truncate() - door.middle).dot(door.through())
                    - f64::midpoint(door.across[0], door.across[1])
            };
            let share = side(p) / (side(p) - side(q));
            passed.push((share, Passage { door: number, at: p + (q - p) * share }));
        }
        passed.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, passage) in passed {
            if self.doors.last().is_none_or(|last| last.door != passage.door) {
                self.doors.push(passage);
            }
        }
    }

    /// The places along the way where corners of what stands beside it make it narrow, in the order of passing.
    pub fn narrow_places(&self, mesh: &Mesh) -> Vec<Narrow> {
        let mut found = Vec::new();
        for pair in self.points.windows(2) {
            let (p, q) = (pair[0], pair[1]);
            if (p.z - q.z).abs() > 1e-9 {
                continue;
            }
            let layer = mesh.layers.iter().find(|layer| (layer.height - p.z).abs() < 1e-9);
            if let Some(layer) = layer {
                across(&layer.free, p, q, &mut found);
            }
        }
        found
    }
}

/// The flight that a point lies on.
fn flight_at(mesh: &Mesh, p: DVec3) -> Option<usize> {
    let found = mesh.net.under(p, |sheet| mesh.layer_of(sheet).is_none());
    let (triangle, _) =
        found.into_iter().min_by(|a, b| (a.1.z - p.z).abs().total_cmp(&(b.1.z - p.z).abs()))?;
    let sheet = mesh.net.triangles.get(triangle as usize)?.sheet;
    match mesh.sheets.get(sheet as usize) {
        Some(Sheet::Flight(number)) => Some(*number),
        _ => None,
    }
}

/// Points without those on a straight line between their neighbours; ends of rides stay.
fn straightened(points: &[DVec3], shortcuts: &[(u32, usize)]) -> Vec<DVec3> {
    let is_stop = |i: usize| shortcuts.iter().any(|(_, at)| i == *at || i == at + 1);
    let mut kept: Vec<DVec3> = Vec::new();
    for (i, p) in points.iter().enumerate() {
        if kept.last().is_some_and(|last| last.distance(*p) < 1e-6) && !is_stop(i) {
            if i + 1 == points.len() && kept.len() > 1 {
                kept.pop();
                kept.push(*p);
            }
            continue;
        }
        while let [.., a, b] = kept[..]
            && (b - a).cross(*p - b).length() <= 1e-7 * (b - a).length().max((*p - b).length())
            && (b - a).dot(*p - b) >= 0.0
            && !points.iter().enumerate().any(|(j, q)| *q == b && is_stop(j))
        {
            kept.pop();
        }
        kept.push(*p);
    }
    kept
}

/// Adds the clear widths square to a straight piece of way, where corners are beside it and at its ends.
fn across(free: &[Area], p: DVec3, q: DVec3, found: &mut Vec<Narrow>) {
    let (from, to) = (p.truncate(), q.truncate());
    let (way, length) = ((to - from).normalize_or_zero(), from.distance(to));
    if length < 1e-6 {
        return;
    }
    let local = |x: DVec2| DVec2::new((x - from).dot(way), way.perp_dot(x - from));
    let mut edges: Vec<[DVec2; 2]> = Vec::new();
    let mut places: Vec<f64> = Vec::new();
    for l in free.iter().flat_map(Area::loops) {
        for (a, b) in l.iter().zip(l.iter().cycle().skip(1)) {
            let (a, b) = (local(*a), local(*b));
            if a.x.max(b.x) < -0.01
                || a.x.min(b.x) > length + 0.01
                || a.y.abs().min(b.y.abs()) > WIDE && a.y * b.y > 0.0
            {
                continue;
            }
            edges.push([a, b]);
            places.extend(
                [a, b].iter().filter(|c| c.y.abs() <= WIDE && c.x >= 0.0 && c.x <= length).map(|c| c.x),
            );
        }
    }
    places.sort_by(f64::total_cmp);
    places.dedup_by(|a, b| (*a - *b).abs() < 1e-4);
    for x in places {
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        for [a, b] in &edges {
            let (low, high) = (a.x.min(b.x), a.x.max(b.x));
            if x < low - 1e-9 || x > high + 1e-9 {
                continue;
            }
            let ys =
                if high - low < 1e-9 { [a.y, b.y] } else { [a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x); 2] };
            for y in ys {
                if y > 0.0 { left = left.min(y) } else { right = right.max(y) }
            }
        }
        if left <= WIDE && right >= -WIDE {
            let at = p + (q - p) * (x / length);
            let ends = [left, right].map(|y| from + way * x + way.perp() * y);
            found.push(Narrow { width: left - right, at, ends });
        }
    }
}
