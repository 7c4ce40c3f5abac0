//! A body as shells, the way files hold it: polygons over shared corners, each body apart with its hollows.

use super::closed::{Corners, Prepared, Source};
use super::{CsgError, junction};
use crate::math::Bounds;
use crate::solid::Solid;
use glam::DVec3;
use std::collections::BTreeMap;

/// One face: the boundary counter-clockwise seen from outside, then its holes, as numbers of corners.
pub type Polygon = Vec<Vec<u32>>;

/// A body in one piece.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shell {
    /// The faces around it.
    pub outer: Vec<Polygon>,
    /// The faces around each hollow within it, seen from the material.
    pub hollows: Vec<Vec<Polygon>>,
}

/// A body's pieces over common corners. Every edge has both its sides.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shells {
    /// Corners, in metres.
    pub points: Vec<DVec3>,
    /// The pieces.
    pub shells: Vec<Shell>,
}

/// A closed body as shells: with its polygons where their corners meet, else with triangles that do.
pub fn shells(solid: &Solid) -> Result<Shells, CsgError> {
    let origin = solid.points().next().ok_or(CsgError::Flat)?;
    let mut corners = Corners::default();
    let mut faces: Vec<Polygon> = Vec::with_capacity(solid.faces.len());
    for face in &solid.faces {
        let mut polygon = Polygon::with_capacity(face.loops.len());
        for l in &face.loops {
            let mut numbers = Vec::with_capacity(l.len());
            for p in l {
                numbers.push(corners.number(*p - origin)?);
            }
            numbers.dedup();
            while numbers.len() > 1 && numbers.first() == numbers.last() {
                numbers.pop();
            }
            if numbers.len() > 2 {
                polygon.push(numbers);
            }
        }
        if !polygon.is_empty() {
            faces.push(polygon);
        }
    }
    let mut points: Vec<DVec3> = corners.points.iter().map(|p| *p + origin).collect();
    if !junction::unbalanced(faces.iter().flatten().map(Vec::as_slice)).is_empty() {
        let prepared = Prepared::from_sources(&[Source::Solid(solid)])?;
        let body = prepared.bodies.first().ok_or(CsgError::Flat)?;
        points = body.points.iter().map(|p| *p + prepared.origin).collect();
        faces = body.triangles.iter().map(|t| vec![t.to_vec()]).collect();
    }
    Ok(Shells { shells: apart(&points, faces), points })
}

/// Faces that share corners, directly or through others, are one shell; those turned inside out are hollows of the one around them.
fn apart(points: &[DVec3], faces: Vec<Polygon>) -> Vec<Shell> {
    let mut root: Vec<u32> = (0..points.len() as u32).collect();
    for polygon in &faces {
        let first = polygon.iter().flatten().next().map_or(0, |&i| find(&mut root, i));
        for &i in polygon.iter().flatten() {
            let r = find(&mut root, i);
            if let Some(slot) = root.get_mut(r as usize) {
                *slot = first;
            }
        }
    }
    let mut groups: BTreeMap<u32, Vec<Polygon>> = BTreeMap::new();
    for polygon in faces {
        let r = polygon.iter().flatten().next().map_or(0, |&i| find(&mut root, i));
        groups.entry(r).or_default().push(polygon);
    }
    let at = |i: u32| points.get(i as usize).copied().unwrap_or_default();
    let bounds = |g: &[Polygon]| Bounds::from_points(g.iter().flatten().flatten().map(|&i| at(i)));
    let volume = |g: &[Polygon]| -> f64 {
        let origin = bounds(g).centre();
        let corner = |i: u32| at(i) - origin;
        let fan = |l: &Vec<u32>| -> f64 {
            let first = l.first().map(|&i| corner(i)).unwrap_or_default();
            l.windows(2).map(|w| first.dot(corner(w[0]).cross(corner(w[1])))).sum()
        };
        g.iter().flatten().map(fan).sum::<f64>() / 6.0
    };
    let (outer, inner): (Vec<_>, Vec<_>) = groups.into_values().partition(|g| volume(g) > 0.0);
    let mut shells: Vec<(Bounds, Shell)> =
        outer.into_iter().map(|o| (bounds(&o), Shell { outer: o, hollows: Vec::new() })).collect();
    for hollow in inner {
        let b = bounds(&hollow);
        let size = |b: &Bounds| b.size().to_array().iter().product::<f64>();
        let around = |o: &Bounds| (0..3).all(|i| o.min[i] <= b.min[i] && b.max[i] <= o.max[i]);
        let owner =
            shells.iter_mut().filter(|s| around(&s.0)).min_by(|s, t| size(&s.0).total_cmp(&size(&t.0)));
        if let Some((_, shell)) = owner {
            shell.hollows.push(hollow);
        }
    }
    shells.into_iter().map(|s| s.1).collect()
}

/// The representative of a corner, by halving the way to it.
pub(super) fn find(root: &mut [u32], mut i: u32) -> u32 {
    while let Some(&up) = root.get(i as usize)
        && up != i
    {
        let next = root.get(up as usize).copied().unwrap_or(up);
        if let Some(slot) = root.get_mut(i as usize) {
            *slot = next;
        }
        i = next;
    }
    i
}
