//! Flat faces of rooms: a plane whose normal looks out of the room, and areas in it. Seen from outside, x runs to the right and y up
//! the wall; on floors and roofs x is the world's.

use crate::Room;
use geometry::math::orthonormal;
use geometry::{
    Face,
    region::{self, Area, Loop},
};
use glam::{DAffine3, DVec2, DVec3};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// The narrowest piece of its own, in metres. EnergyPlus takes points nearer than a centimetre for one.
pub const NARROW: f64 = 0.02;

/// Outlines of two faces that are nearer than this, in metres, are meant to be one: floors a finish apart, walls a rounding apart.
pub const SNAP: f64 = 0.0125;

/// One flat face of a room.
#[derive(Debug, Clone)]
pub struct Facet {
    /// The number of the room.
    pub room: usize,
    /// The frame of its plane; z looks out of the room.
    pub plane: DAffine3,
    /// The area it covers, in metres in its plane; loops by the even-odd rule.
    pub loops: Arc<Vec<Loop>>,
    /// A number that no other face has; a face that is taken over into the next version keeps it.
    pub(crate) key: u64,
}

/// The keys given so far.
static KEYS: AtomicU64 = AtomicU64::new(0);

impl Facet {
    /// A face of a room; `None` for one without area.
    pub fn new(room: usize, face: &Face) -> Option<Facet> {
        let normal = face.normal()?;
        let origin = *face.loops.first()?.first()?;
        let level = DVec3::Z.cross(normal);
        let x = if level.length() > 1e-3 { level } else { DVec3::X };
        let plane = orthonormal(origin, normal, x);
        let loops = face.loops.iter().map(|l| l.iter().map(|p| flat(&plane, *p)).collect()).collect();
        Some(Facet::in_plane(room, plane, loops))
    }

    /// The faces of a room of this number.
    pub(crate) fn of_room(number: usize, room: &Room) -> impl Iterator<Item = Facet> {
        room.solid.faces.iter().filter_map(move |face| Facet::new(number, face))
    }

    /// A face in a plane, its loops in metres there.
    pub(crate) fn in_plane(room: usize, plane: DAffine3, loops: Vec<Loop>) -> Facet {
        let loops = Arc::new(loops);
        Facet { room, plane, loops, key: KEYS.fetch_add(1, Ordering::Relaxed) }
    }

    /// The outward normal.
    pub fn normal(&self) -> DVec3 {
        self.plane.z_axis
    }

    /// A point of space in the plane's coordinates.
    pub fn flat(&self, p: DVec3) -> DVec2 {
        flat(&self.plane, p)
    }

    /// The distance in metres at which a point of space lies before the plane, outside the room.
    pub fn height(&self, p: DVec3) -> f64 {
        (p - self.plane.translation).dot(self.plane.z_axis)
    }

    /// A point of the plane in space.
    pub fn lift(&self, p: DVec2) -> DVec3 {
        self.plane.transform_point3(p.extend(0.0))
    }

    /// Loops of another facet as they fall on this one along its normal.
    pub fn project(&self, other: &Facet, loops: &[Loop]) -> Vec<Loop> {
        let point = |p: &DVec2| self.flat(other.lift(*p));
        loops.iter().map(|l| l.iter().map(point).collect()).collect()
    }

    /// Points within an area, for asking what is there, each with what it stands for in square metres; the heaviest first.
    pub fn samples(area: &Area) -> Vec<(DVec2, f64)> {
        let loops: Vec<Loop> = area.loops().cloned().collect();
        let points: Vec<DVec2> = loops.iter().flatten().copied().collect();
        let mut found: Vec<(DVec2, f64)> = Vec::new();
        for t in region::triangles(&loops).as_chunks::<3>().0 {
            let [Some(a), Some(b), Some(c)] = t.map(|i| points.get(i as usize).copied()) else { continue };
            let size = (b - a).perp_dot(c - a).abs() / 2.0;
            let weighed = |wa: f64, wb: f64, wc: f64| a * wa + b * wb + c * wc;
            let third = 1.0 / 3.0;
            if size > 2.0 {
                // a large triangle is asked at more than its middle
                for (wa, wb, wc) in [(0.6, 0.2, 0.2), (0.2, 0.6, 0.2), (0.2, 0.2, 0.6), (third, third, third)]
                {
                    found.push((weighed(wa, wb, wc), size / 4.0));
                }
            } else {
                found.push((weighed(third, third, third), size));
            }
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        found.truncate(12);
        found
    }

    /// A point a little off the plane, at this place.
    pub fn above(&self, p: DVec2, by: f64) -> DVec3 {
        self.lift(p) + self.plane.z_axis * by
    }
}

fn flat(plane: &DAffine3, p: DVec3) -> DVec2 {
    let d = p - plane.translation;
    DVec2::new(d.dot(plane.x_axis), d.dot(plane.y_axis))
}

/// The loops of areas.
pub fn loops_of(areas: &[Area]) -> Vec<Loop> {
    areas.iter().flat_map(|a| a.loops().cloned()).collect()
}

/// Points brought onto the corners, else the sides, of these loops where they are within [`SNAP`] of them.
pub fn snapped(points: &[DVec2], onto: &[Loop]) -> Loop {
    let near = |p: &DVec2, q: &DVec2| p.distance(*q);
    let one = |p: &DVec2| -> DVec2 {
        let corner = onto.iter().flatten().min_by(|a, b| near(p, a).total_cmp(&near(p, b)));
        if let Some(corner) = corner.filter(|c| near(p, c) < SNAP) {
            return *corner;
        }
        let sides = onto.iter().flat_map(|l| l.iter().zip(l.iter().cycle().skip(1)));
        let foot = |(a, b): (&DVec2, &DVec2)| {
            let d = *b - *a;
            let t = ((*p - *a).dot(d) / d.length_squared().max(1e-18)).clamp(0.0, 1.0);
            *a + d * t
        };
        let best = sides.map(foot).min_by(|a, b| near(p, a).total_cmp(&near(p, b)));
        best.filter(|q| near(p, q) < SNAP).unwrap_or(*p)
    };
    points.iter().map(one).collect()
}

/// The width of an area in metres, if it were a strip.
pub fn width(area: &Area) -> f64 {
    let around: f64 = area.loops().map(|l| region::perimeter(l)).sum();
    if around > 0.0 { 2.0 * area.size() / around } else { 0.0 }
}

/// Returns true if an area is wide enough to count.
pub fn counts(area: &Area) -> bool {
    width(area) > NARROW && area.size() > NARROW * NARROW
}

/// Returns true if a point is within loops, by the even-odd rule.
pub fn holds<'a>(loops: impl IntoIterator<Item = &'a Loop>, p: DVec2) -> bool {
    let mut inside = false;
    for l in loops {
        for (a, b) in l.iter().zip(l.iter().cycle().skip(1)) {
            if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
                inside = !inside;
            }
        }
    }
    inside
}

/// The least and greatest coordinates of some points.
pub fn extent<'a>(points: impl IntoIterator<Item = &'a DVec2>) -> Option<(DVec2, DVec2)> {
    let mut all = points.into_iter();
    let first = *all.next()?;
    Some(all.fold((first, first), |(low, high), p| (p.min(low), p.max(high))))
}
