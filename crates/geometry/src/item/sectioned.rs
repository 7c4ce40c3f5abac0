//! Sections along a curve: solids and surfaces of sections at distances along an alignment, and sections placed along a spine.

use super::{
    Shaper,
    loft::{between, lofts, matched},
};
use crate::curve::DEFLECTION;
use crate::math::{Frame, P2, P3, add, cross, dot, length, scale, sub, unit};
use crate::read::ShapeError;
use crate::region::Loop;
use crate::solid::{Face, Solid};
use ifc::{Id, Instance};

/// Where a section stands.
struct Station {
    /// The distance along the curve in metres.
    along: f64,
    /// Offsets to the left, upwards and forward, in metres.
    aside: P3,
    /// Directions of its own: forward and upwards.
    axes: Option<(P3, P3)>,
}

/// The frame of a section, x to the left and y upwards, from directions forward and upwards.
fn across(o: P3, forward: P3, up: P3) -> Option<Frame> {
    let x = unit(cross(up, forward))?;
    let z = unit(forward)?;
    Some(Frame { x, y: cross(z, x), z, o })
}

impl<'m> Shaper<'m> {
    /// Sections at distances along a curve: each stands upright across it (or as its own axes say), its x to the left, its y upwards.
    pub(super) fn sectioned(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let wrong = |what: &str| ShapeError::new(item.id(), what.to_owned());
        let mut areas = Vec::new();
        for section in item.references("CrossSections") {
            let mut one = r.profile(section, 0)?;
            let area = one.pop().filter(|_| one.is_empty());
            areas.push(area.ok_or_else(|| wrong("has a section of several areas"))?);
        }
        let stations = self.stations(item, areas.len())?;
        let mut parts = Vec::new();
        for (ends, shapes) in stations.windows(2).zip(areas.windows(2)) {
            let ([from, to], [one, two]) = (ends, shapes) else { continue };
            let pairs = matched(one, two).ok_or_else(|| wrong("has sections of different make"))?;
            let placed = self.placed(item, from, to)?;
            parts.push(pairs.iter().map(|pair| rings(&placed, &pair.0, &pair.1)).collect());
        }
        Ok(Solid::new(lofts(&parts), true))
    }

    /// As [`Shaper::sectioned`], of open lines.
    pub(super) fn sectioned_surface(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let wrong = |what: &str| ShapeError::new(item.id(), what.to_owned());
        let mut lines = Vec::new();
        for section in item.references("CrossSections") {
            lines.push(r.open_profile(section)?);
        }
        let stations = self.stations(item, lines.len())?;
        let mut faces = Vec::new();
        for (ends, shapes) in stations.windows(2).zip(lines.windows(2)) {
            let ([from, to], [one, two]) = (ends, shapes) else { continue };
            if one.len() != two.len() {
                return Err(wrong("has sections of different make"));
            }
            let strips = rings(&self.placed(item, from, to)?, one, two);
            for pair in strips.windows(2) {
                for (a, b) in pair[0].windows(2).zip(pair[1].windows(2)) {
                    faces.push(Face { loops: vec![vec![a[0], a[1], b[1]]] });
                    faces.push(Face { loops: vec![vec![a[0], b[1], b[0]]] });
                }
            }
        }
        faces.retain(|f| f.normal().is_some());
        Ok(Solid::new(faces, false))
    }

    /// The places of as many sections along the directrix, one after the other.
    fn stations(&self, item: &Instance<'m>, count: usize) -> Result<Vec<Station>, ShapeError> {
        let wrong = |what: &str| ShapeError::new(item.id(), what.to_owned());
        let mut found: Vec<Station> = Vec::new();
        for position in item.references("CrossSectionPositions") {
            let next = self.station(position)?;
            if found.last().is_some_and(|l| next.along - l.along < 1e-6) {
                return Err(wrong("has sections that do not follow each other"));
            }
            found.push(next);
        }
        if found.len() != count || count < 2 {
            return Err(wrong("has not as many sections as places for them"));
        }
        Ok(found)
    }

    fn station(&self, position: Id) -> Result<Station, ShapeError> {
        let r = &self.reader;
        let mut place = r.get(position)?;
        let mut axes = None;
        if place.is_a("IfcAxis2PlacementLinear") {
            let given = |name| place.reference(name).and_then(|d| r.direction(d));
            let (z, x) = (given("Axis"), given("RefDirection"));
            if z.is_some() || x.is_some() {
                axes = Some((x.unwrap_or([0.0; 3]), z.unwrap_or([0.0; 3])));
            }
            place = r.get(r.reference(&place, "Location")?)?;
        }
        let aside =
            ["OffsetLateral", "OffsetVertical", "OffsetLongitudinal"].map(|n| r.length_or_zero(&place, n));
        Ok(Station { along: r.length(&place, "DistanceAlong")?, aside, axes })
    }

    /// Frames of sections from one station to the next, offsets and own axes changing evenly, with how far along the way they are.
    fn placed(
        &self,
        item: &Instance<'m>,
        from: &Station,
        to: &Station,
    ) -> Result<Vec<(f64, Frame)>, ShapeError> {
        let r = &self.reader;
        let directrix = r.reference(item, "Directrix")?;
        let mut at = r.stations(directrix).unwrap_or_default();
        at.retain(|d| *d > from.along && *d < to.along);
        at.extend([from.along, to.along]);
        let at = r.distances(directrix, at)?;
        let natural = r.frames(directrix, &at)?;
        let none = || ShapeError::new(item.id(), "has axes without direction");
        // own axes as they lean against the natural ones, so that between two sections they follow the curve
        let leaning = |station: &Station, f: Option<&Frame>| -> Result<[P3; 2], ShapeError> {
            let Some((x, z)) = station.axes else { return Ok([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]) };
            let f = f.ok_or_else(none)?;
            let own = |v: P3, or: P3| {
                let v = if length(v) > 0.0 { v } else { or };
                [dot(v, f.x), dot(v, f.y), dot(v, f.z)]
            };
            Ok([own(x, f.x), own(z, f.z)])
        };
        let (a, b) = (leaning(from, natural.first())?, leaning(to, natural.last())?);
        let mix = |a: P3, b: P3, share: f64| add(a, scale(sub(b, a), share));
        let mut placed = Vec::with_capacity(at.len());
        for (d, f) in at.iter().zip(&natural) {
            let share = (d - from.along) / (to.along - from.along);
            let forward = f.vector(mix(a[0], b[0], share));
            let up = f.vector(mix(a[1], b[1], share));
            let [left, high, ahead] = mix(from.aside, to.aside, share);
            placed.push((share, across(f.point([ahead, left, high]), forward, up).ok_or_else(none)?));
        }
        Ok(placed)
    }

    /// Sections placed along a spine, straight from one to the next but for how the spine strays between them.
    pub(super) fn spine(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let wrong = |what: &str| ShapeError::new(item.id(), what.to_owned());
        let mut sections = Vec::new();
        for (section, place) in
            item.references("CrossSections").into_iter().zip(item.references("CrossSectionPositions"))
        {
            sections.push((r.profile(section, 0)?, r.axes(place)?));
        }
        if sections.len() < 2 {
            return Err(wrong("has fewer than two sections"));
        }
        let spine = r.curve(r.reference(item, "SpineCurve")?, 0)?;
        let mut faces = Vec::new();
        for area in 0..sections.iter().map(|(areas, _)| areas.len()).max().unwrap_or(0) {
            let mut parts = Vec::new();
            for pair in sections.windows(2) {
                let [(one, p), (two, q)] = pair else { continue };
                let pairs = one.get(area).zip(two.get(area)).and_then(|(a, b)| matched(a, b));
                let pairs = pairs.ok_or_else(|| wrong("has sections of different make"))?;
                let mut placed = vec![(0.0, [0.0; 3])];
                placed.extend(strays(&spine, p.o, q.o));
                placed.push((1.0, [0.0; 3]));
                let ring = |share: f64, off: P3, pair: &(Loop, Loop)| -> Vec<P3> {
                    let points = pair.0.iter().zip(&pair.1).map(|(a, b)| {
                        let (a, b) = (p.point([a[0], a[1], 0.0]), q.point([b[0], b[1], 0.0]));
                        add(add(scale(a, 1.0 - share), scale(b, share)), off)
                    });
                    points.collect()
                };
                let rings = |pair: &(Loop, Loop)| {
                    placed.iter().map(|(s, off)| ring(*s, *off, pair)).collect::<Vec<_>>()
                };
                parts.push(pairs.iter().map(rings).collect::<Vec<_>>());
            }
            faces.extend(lofts(&parts));
        }
        Ok(Solid::new(faces, true))
    }
}

/// How a spine strays from the straight line between two of its points: by the share of the way, for its points in between.
fn strays(spine: &[P3], a: P3, b: P3) -> Vec<(f64, P3)> {
    let near = |p: P3| {
        let far = |q: &P3| length(sub(*q, p));
        (0..spine.len()).min_by(|i, k| far(&spine[*i]).total_cmp(&far(&spine[*k]))).unwrap_or(0)
    };
    let (i, k) = (near(a), near(b));
    let (d, square) = (sub(b, a), dot(sub(b, a), sub(b, a)));
    if i >= k || square < 1e-12 {
        return Vec::new();
    }
    let told = spine.get(i + 1..k).unwrap_or_default().iter().map(|p| {
        let to = sub(*p, a);
        let share = dot(to, d) / square;
        (share, sub(to, scale(d, share)))
    });
    let mut found: Vec<(f64, P3)> = told.filter(|(s, _)| *s > 1e-9 && *s < 1.0 - 1e-9).collect();
    if found.iter().all(|(_, off)| length(*off) < DEFLECTION) || found.windows(2).any(|w| w[0].0 >= w[1].0) {
        found.clear();
    }
    found
}

/// The section's points at each place, going from those of one section to those of the next.
fn rings(placed: &[(f64, Frame)], one: &[P2], two: &[P2]) -> Vec<Vec<P3>> {
    let ring = |(share, frame): &(f64, Frame)| -> Vec<P3> {
        one.iter()
            .zip(two)
            .map(|(a, b)| between(a, b, *share))
            .map(|p| frame.point([p[0], p[1], 0.0]))
            .collect()
    };
    placed.iter().map(ring).collect()
}
