//! Flat faces of zones: a plane whose normal looks out of the zone, and areas in it. Seen from outside, x runs to the right and y up
//! the wall; on floors and roofs x is the world's.

use geometry::{
    Face, P2, P3,
    math::{Frame, add, cross, dot, length, scale, sub},
    region::{self, Area, Loop},
};

/// The narrowest piece of its own, in metres: EnergyPlus takes points nearer than a centimetre for one.
pub(crate) const NARROW: f64 = 0.02;

/// Outlines of two faces that are nearer than this, in metres, are meant to be one: floors a finish apart, walls a rounding apart.
pub(crate) const SNAP: f64 = 0.0125;

/// One flat face of a zone.
#[derive(Debug, Clone)]
pub(crate) struct Facet {
    /// The number of the zone.
    pub zone: usize,
    /// z looks out of the zone.
    pub plane: Frame,
    /// The area it covers, in metres in its plane; loops by the even-odd rule.
    pub loops: Vec<Loop>,
}

impl Facet {
    /// A face of a zone; `None` for one without area.
    pub fn new(zone: usize, face: &Face) -> Option<Facet> {
        let normal = face.normal()?;
        let origin = *face.loops.first()?.first()?;
        let level = cross([0.0, 0.0, 1.0], normal);
        let x = if length(level) > 1e-3 { level } else { [1.0, 0.0, 0.0] };
        let plane = Frame::from_axes(origin, normal, x);
        let loops = face.loops.iter().map(|l| l.iter().map(|p| flat(&plane, *p)).collect()).collect();
        Some(Facet { zone, plane, loops })
    }

    /// The outward normal.
    pub fn normal(&self) -> P3 {
        self.plane.z
    }

    /// A point of space in the plane's coordinates.
    pub fn flat(&self, p: P3) -> P2 {
        flat(&self.plane, p)
    }

    /// How far a point of space lies before the plane, outside the zone.
    pub fn height(&self, p: P3) -> f64 {
        dot(sub(p, self.plane.o), self.plane.z)
    }

    /// A point of the plane in space.
    pub fn lift(&self, p: P2) -> P3 {
        self.plane.point([p[0], p[1], 0.0])
    }

    /// Loops of another facet as they fall on this one along its normal.
    pub fn project(&self, other: &Facet, loops: &[Loop]) -> Vec<Loop> {
        let point = |p: &P2| self.flat(other.lift(*p));
        loops.iter().map(|l| l.iter().map(point).collect()).collect()
    }

    /// Points within an area, for asking what is there, each with what it stands for in square metres; the heaviest first.
    pub fn samples(area: &Area) -> Vec<(P2, f64)> {
        let loops: Vec<Loop> = area.loops().cloned().collect();
        let points: Vec<P2> = loops.iter().flatten().copied().collect();
        let mut found: Vec<(P2, f64)> = Vec::new();
        for t in region::triangles(&loops).as_chunks::<3>().0 {
            let [Some(a), Some(b), Some(c)] = t.map(|i| points.get(i as usize).copied()) else { continue };
            let size = ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])).abs() / 2.0;
            let weighed = |wa: f64, wb: f64, wc: f64| {
                [a[0] * wa + b[0] * wb + c[0] * wc, a[1] * wa + b[1] * wb + c[1] * wc]
            };
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
    pub fn above(&self, p: P2, by: f64) -> P3 {
        add(self.lift(p), scale(self.plane.z, by))
    }
}

fn flat(plane: &Frame, p: P3) -> P2 {
    let d = sub(p, plane.o);
    [dot(d, plane.x), dot(d, plane.y)]
}

/// The loops of areas.
pub(crate) fn loops_of(areas: &[Area]) -> Vec<Loop> {
    areas.iter().flat_map(|a| a.loops().cloned()).collect()
}

/// Points brought onto the corners, else the sides, of these loops where they are within [`SNAP`] of them.
pub(crate) fn snapped(points: &[P2], onto: &[Loop]) -> Loop {
    let near = |p: &P2, q: &P2| (p[0] - q[0]).hypot(p[1] - q[1]);
    let one = |p: &P2| -> P2 {
        let corner = onto.iter().flatten().min_by(|a, b| near(p, a).total_cmp(&near(p, b)));
        if let Some(corner) = corner.filter(|c| near(p, c) < SNAP) {
            return *corner;
        }
        let sides = onto.iter().flat_map(|l| l.iter().zip(l.iter().cycle().skip(1)));
        let foot = |(a, b): (&P2, &P2)| {
            let d = [b[0] - a[0], b[1] - a[1]];
            let square = (d[0] * d[0] + d[1] * d[1]).max(1e-18);
            let t = (((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / square).clamp(0.0, 1.0);
            [a[0] + d[0] * t, a[1] + d[1] * t]
        };
        let best = sides.map(foot).min_by(|a, b| near(p, a).total_cmp(&near(p, b)));
        best.filter(|q| near(p, q) < SNAP).unwrap_or(*p)
    };
    points.iter().map(one).collect()
}

/// How wide an area is, if it were a strip.
pub(crate) fn width(area: &Area) -> f64 {
    let around: f64 = area.loops().map(|l| perimeter(l)).sum();
    if around > 0.0 { 2.0 * area.size() / around } else { 0.0 }
}

/// Returns true if an area is wide enough to count.
pub(crate) fn counts(area: &Area) -> bool {
    width(area) > NARROW && area.size() > NARROW * NARROW
}

/// The length of a closed line.
pub(crate) fn perimeter(points: &[P2]) -> f64 {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).sum()
}

/// The least and greatest coordinates of some points.
pub(crate) fn extent<'a>(points: impl IntoIterator<Item = &'a P2>) -> Option<(P2, P2)> {
    let mut all = points.into_iter();
    let first = *all.next()?;
    Some(all.fold((first, first), |(low, high), p| {
        ([low[0].min(p[0]), low[1].min(p[1])], [high[0].max(p[0]), high[1].max(p[1])])
    }))
}

/// A rectangle by its corners.
pub(crate) fn rectangle(low: P2, high: P2) -> Loop {
    vec![low, [high[0], low[1]], high, [low[0], high[1]]]
}
