//! Sections along a curve: solids and surfaces of sections at distances along an alignment, and sections placed along a spine.

use super::{
    Shaper,
    loft::{between, lofts, matched},
};
use crate::curve::DEFLECTION;
use crate::read::ShapeError;
use crate::region::Loop;
use crate::solid::{Face, Solid};
use glam::{DAffine3, DVec2, DVec3};
use ifc::placement::unit;
use ifc::{Id, Instance};

/// The place of a section.
struct Station {
    /// The distance along the curve in metres.
    along: f64,
    /// Offsets to the left, upwards and forward, in metres.
    aside: DVec3,
    /// Directions of its own: forward and upwards.
    axes: Option<(DVec3, DVec3)>,
}

/// The frame of a section, x to the left and y upwards, from directions forward and upwards.
fn across(o: DVec3, forward: DVec3, up: DVec3) -> Option<DAffine3> {
    let x = unit(up.cross(forward))?;
    let z = unit(forward)?;
    Some(DAffine3::from_cols(x, z.cross(x), z, o))
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
                axes = Some((x.unwrap_or(DVec3::ZERO), z.unwrap_or(DVec3::ZERO)));
            }
            place = r.get(r.reference(&place, "Location")?)?;
        }
        let aside = ["OffsetLateral", "OffsetVertical", "OffsetLongitudinal"]
            .map(|n| r.length_or_zero(&place, n))
            .into();
        Ok(Station { along: r.length(&place, "DistanceAlong")?, aside, axes })
    }

    /// Frames of sections from one station to the next, offsets and own axes changing evenly, with how far along the way they are.
    fn placed(
        &self,
        item: &Instance<'m>,
        from: &Station,
        to: &Station,
    ) -> Result<Vec<(f64, DAffine3)>, ShapeError> {
        let r = &self.reader;
        let directrix = r.reference(item, "Directrix")?;
        let mut at = r.stations(directrix).unwrap_or_default();
        at.retain(|d| *d > from.along && *d < to.along);
        at.extend([from.along, to.along]);
        let at = r.distances(directrix, at)?;
        let natural = r.frames(directrix, &at)?;
        let none = || ShapeError::new(item.id(), "has axes without direction");
        // own axes as they lean against the natural ones, so that between two sections they follow the curve
        let leaning = |station: &Station, f: Option<&DAffine3>| -> Result<[DVec3; 2], ShapeError> {
            let Some((x, z)) = station.axes else { return Ok([DVec3::X, DVec3::Z]) };
            let f = f.ok_or_else(none)?;
            let own = |v: DVec3, or: DVec3| {
                let v = if v.length() > 0.0 { v } else { or };
                DVec3::new(v.dot(f.x_axis), v.dot(f.y_axis), v.dot(f.z_axis))
            };
            Ok([own(x, f.x_axis), own(z, f.z_axis)])
        };
        let (a, b) = (leaning(from, natural.first())?, leaning(to, natural.last())?);
        let mix = |a: DVec3, b: DVec3, share: f64| a + (b - a) * share;
        let mut placed = Vec::with_capacity(at.len());
        for (d, f) in at.iter().zip(&natural) {
            let share = (d - from.along) / (to.along - from.along);
            let forward = f.transform_vector3(mix(a[0], b[0], share));
            let up = f.transform_vector3(mix(a[1], b[1], share));
            let DVec3 { x: left, y: high, z: ahead } = mix(from.aside, to.aside, share);
            placed.push((
                share,
                across(f.transform_point3(DVec3::new(ahead, left, high)), forward, up).ok_or_else(none)?,
            ));
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
                let mut placed = vec![(0.0, DVec3::ZERO)];
                placed.extend(strays(&spine, p.translation, q.translation));
                placed.push((1.0, DVec3::ZERO));
                let ring = |share: f64, off: DVec3, pair: &(Loop, Loop)| -> Vec<DVec3> {
                    let points = pair.0.iter().zip(&pair.1).map(|(a, b)| {
                        let (a, b) = (p.transform_point3(a.extend(0.0)), q.transform_point3(b.extend(0.0)));
                        a * (1.0 - share) + b * share + off
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

/// Returns the stray of a spine from the straight line between two of its points: by the share of the way, for its points in between.
fn strays(spine: &[DVec3], a: DVec3, b: DVec3) -> Vec<(f64, DVec3)> {
    let near = |p: DVec3| {
        let far = |q: &DVec3| (*q - p).length();
        (0..spine.len()).min_by(|i, k| far(&spine[*i]).total_cmp(&far(&spine[*k]))).unwrap_or(0)
    };
    let (i, k) = (near(a), near(b));
    let (d, square) = (b - a, (b - a).dot(b - a));
    if i >= k || square < 1e-12 {
        return Vec::new();
    }
    let told = spine.get(i + 1..k).unwrap_or_default().iter().map(|p| {
        let to = *p - a;
        let share = to.dot(d) / square;
        (share, to - d * share)
    });
    let mut found: Vec<(f64, DVec3)> = told.filter(|(s, _)| *s > 1e-9 && *s < 1.0 - 1e-9).collect();
    if found.iter().all(|(_, off)| off.length() < DEFLECTION) || found.windows(2).any(|w| w[0].0 >= w[1].0) {
        found.clear();
    }
    found
}

/// The section's points at each place, going from those of one section to those of the next.
fn rings(placed: &[(f64, DAffine3)], one: &[DVec2], two: &[DVec2]) -> Vec<Vec<DVec3>> {
    let ring = |(share, frame): &(f64, DAffine3)| -> Vec<DVec3> {
        one.iter()
            .zip(two)
            .map(|(a, b)| between(a, b, *share))
            .map(|p| frame.transform_point3(p.extend(0.0)))
            .collect()
    };
    placed.iter().map(ring).collect()
}
