//! BRP001 to BRP003 and TAS001: faces of boundary representations and face sets: bounds that do not cross themselves, shells of one
//! piece, polygons that are flat.

use super::precision::Precisions;
use super::self_intersections::meeting;
use super::{Context, named};
use glam::DVec3;
use ifc::placement::point;
use ifc::{Instance, Value};
use std::collections::HashMap;

/// A polygon that bounds a face.
struct Ring<'m> {
    bound: Instance<'m>,
    /// Each that is there and sound.
    points: Vec<DVec3>,
    /// True if every point is.
    whole: bool,
}

/// The bounds of a face that are poly loops, with their points in the file's unit.
fn rings<'m>(context: &Context<'m, '_>, face: &Instance<'_>) -> Vec<Ring<'m>> {
    let of_bound = |bound: Instance<'m>| {
        let ring = context.model.get(bound.reference("Bound")?).filter(|ring| ring.is_a("IfcPolyLoop"))?;
        let ids = ring.references("Polygon");
        context.left.set(context.left.get().saturating_sub(ids.len()));
        let points: Vec<DVec3> = ids.iter().filter_map(|id| point(context.model, *id)).collect();
        let whole = points.len() == ids.len();
        Some(Ring { bound, points, whole })
    };
    context.at(face, "Bounds").into_iter().filter_map(of_bound).collect()
}

/// BRP001: bounds of faces do not cross themselves.
pub(super) fn simple_bounds(context: &mut Context<'_, '_>) {
    let mut precisions = Precisions::new(context.model);
    for face in context.of_class("IfcFace") {
        for ring in rings(context, &face) {
            // the edges of a triangle are all neighbours, and too flat a one is for another rule
            if !ring.whole || ring.points.len() < 4 {
                continue;
            }
            let precision = precisions.precision(face.id());
            if let Some((a, b)) = meeting(&ring.points, true, precision, &context.left) {
                context.report_about(&ring.bound, Some("Bound"), |name| {
                    format!("{name} of {} crosses or touches itself: {}", named(&face), told(a, b))
                });
            }
        }
    }
}

/// TAS001: the polygons of face sets do not cross themselves.
pub(super) fn simple_polygons(context: &mut Context<'_, '_>) {
    let mut precisions = Precisions::new(context.model);
    for set in context.of_class("IfcPolygonalFaceSet") {
        let list = set.reference("Coordinates").and_then(|id| context.model.get(id));
        let Some(vertices) = list.and_then(|list| list.rows_of_numbers::<3>("CoordList")) else { continue };
        let names = set.attr("PnIndex");
        let at = |index: &Value| -> Option<DVec3> {
            let place = |index: &Value| usize::try_from(index.as_i64()?).ok()?.checked_sub(1);
            let at = match names.as_list() {
                Some(names) => place(names.get(place(index)?)?)?,
                None => place(index)?,
            };
            vertices.get(at).copied().map(DVec3::from)
        };
        let precision = precisions.precision(set.id());
        for face in context.at(&set, "Faces") {
            let (outer, inner) = (face.attr("CoordIndex"), face.attr("InnerCoordIndices"));
            let rings = std::iter::once(&outer).chain(inner.as_list().unwrap_or_default());
            for (number, ring) in rings.enumerate() {
                let points: Option<Vec<DVec3>> = ring.as_list().unwrap_or_default().iter().map(at).collect();
                let Some(points) = points.filter(|points| points.len() > 3) else { continue };
                if let Some((a, b)) = meeting(&points, true, precision, &context.left) {
                    let attribute = if number == 0 { "CoordIndex" } else { "InnerCoordIndices" };
                    context.report_about(&face, Some(attribute), |name| {
                        format!(
                            "{name} of {} crosses or touches itself in its {attribute}: {}",
                            named(&set),
                            told(a, b)
                        )
                    });
                }
            }
        }
    }
}

/// Which edges meet, and what to do.
pub(super) fn told(a: usize, b: usize) -> String {
    format!(
        "the edges that begin at its points {} and {} meet; put the points in order, or make two of it",
        a + 1,
        b + 1
    )
}

/// BRP002: the faces of a shell hang together.
pub(super) fn one_piece(context: &mut Context<'_, '_>) {
    let mut precisions = Precisions::new(context.model);
    for shell in context.of_class("IfcConnectedFaceSet") {
        let faces: Vec<Vec<DVec3>> =
            context.at(&shell, "CfsFaces").iter().map(|face| corners(context, face)).collect();
        if pieces(&faces, |point| (point + DVec3::ZERO).to_array().map(f64::to_bits)) <= 1 {
            continue;
        }
        // points that are nearer to each other than the precision are one place, though written differently
        let precision = precisions.precision(shell.id());
        let places = welded(&faces, precision);
        let count = pieces(&faces, |point| {
            let at = places.get(&point.to_array().map(f64::to_bits)).copied().unwrap_or(usize::MAX);
            [at as u64, 0, 0]
        });
        if count > 1 {
            context.report_about(&shell, Some("CfsFaces"), |named| {
                format!("{named} falls into {count} pieces that share no point; make a shell of each")
            });
        }
    }
}

/// The points of all bounds of a face, poly loops and loops of edges.
fn corners(context: &Context<'_, '_>, face: &Instance<'_>) -> Vec<DVec3> {
    let mut all = Vec::new();
    for bound in context.at(face, "Bounds") {
        let Some(ring) = bound.reference("Bound").and_then(|id| context.model.get(id)) else { continue };
        if ring.is_a("IfcPolyLoop") {
            let ids = ring.references("Polygon");
            context.left.set(context.left.get().saturating_sub(ids.len()));
            all.extend(ids.iter().filter_map(|id| point(context.model, *id)));
        }
        for oriented in context.at(&ring, "EdgeList") {
            let vertex = |name: &str| -> Option<DVec3> {
                let edge = context.model.get(oriented.reference("EdgeElement")?)?;
                point(context.model, context.model.get(edge.reference(name)?)?.reference("VertexGeometry")?)
            };
            all.extend(["EdgeStart", "EdgeEnd"].into_iter().filter_map(vertex));
        }
    }
    all
}

/// The number of groups of faces that share places; faces without points are in none.
fn pieces(faces: &[Vec<DVec3>], place: impl Fn(DVec3) -> [u64; 3]) -> usize {
    let mut groups: Vec<usize> = (0..faces.len()).collect();
    let mut at: HashMap<[u64; 3], usize> = HashMap::new();
    for (face, points) in faces.iter().enumerate() {
        for point in points {
            let other = *at.entry(place(*point)).or_insert(face);
            let (a, b) = (root(&mut groups, face), root(&mut groups, other));
            if let Some(group) = groups.get_mut(a) {
                *group = b;
            }
        }
    }
    let mut roots: Vec<usize> =
        (0..faces.len()).filter(|face| faces.get(*face).is_some_and(|points| !points.is_empty())).collect();
    for face in &mut roots {
        *face = root(&mut groups, *face);
    }
    roots.sort_unstable();
    roots.dedup();
    roots.len()
}

/// The head of a group, with the way to it made short.
fn root(groups: &mut [usize], mut at: usize) -> usize {
    while let Some(up) = groups.get(at).copied().filter(|up| *up != at) {
        let over = groups.get(up).copied().unwrap_or(up);
        if let Some(group) = groups.get_mut(at) {
            *group = over;
        }
        at = over;
    }
    at
}

/// A number for each place, the same for points that a chain of others nearer than the precision joins.
fn welded(faces: &[Vec<DVec3>], precision: f64) -> HashMap<[u64; 3], usize> {
    let points: Vec<DVec3> = faces.iter().flatten().copied().collect();
    let mut groups: Vec<usize> = (0..points.len()).collect();
    let mut cells: HashMap<[i64; 3], usize> = HashMap::with_capacity(points.len());
    let cell = |point: DVec3| (point / precision).floor().to_array().map(|x| x as i64);
    for (at, point) in points.iter().enumerate() {
        let own = cell(*point);
        for offset in 0..27 {
            let step = |place: u32| i64::from(offset / 3_u32.pow(place) % 3) - 1;
            let near = [0, 1, 2]
                .map(|axis: usize| own.get(axis).copied().unwrap_or(0).saturating_add(step(axis as u32)));
            // all points of a cell are in one group, so one of them stands for it
            let Some(other) = cells.get(&near).copied() else { continue };
            if near == own || points.get(other).is_some_and(|other| other.distance(*point) < precision) {
                let (a, b) = (root(&mut groups, at), root(&mut groups, other));
                if let Some(group) = groups.get_mut(a) {
                    *group = b;
                }
            }
        }
        cells.entry(own).or_insert(at);
    }
    points
        .iter()
        .enumerate()
        .map(|(at, point)| (point.to_array().map(f64::to_bits), root(&mut groups, at)))
        .collect()
}

/// BRP003: polygonal faces are flat.
pub(super) fn flat(context: &mut Context<'_, '_>) {
    let mut precisions = Precisions::new(context.model);
    for face in context.of_exactly("IfcFace") {
        let rings = rings(context, &face);
        let count: usize = rings.iter().map(|ring| ring.points.len()).sum();
        let outer = rings.iter().find(|ring| ring.bound.is_a("IfcFaceOuterBound")).or(rings.first());
        let Some(outer) = outer.filter(|_| count > 3) else { continue };
        let Some((middle, normal)) = plane(&outer.points) else { continue };
        let precision = precisions.precision(face.id());
        let off = |point: &DVec3| (*point - middle).dot(normal).abs();
        let worst = rings.iter().flat_map(|ring| &ring.points).map(off).fold(0.0, f64::max);
        // the last digit of a sum is no distance
        if worst > precision * (1.0 + 1e-6) {
            context.report_about(&face, Some("Bounds"), |named| {
                format!(
                    "{named} is not flat: a point is {worst:.3e} off the plane through its outer bound (at most {precision:.1e} is due); \
                     move it there, or make triangles of the face"
                )
            });
        }
    }
}

/// The plane through the middle of a polygon, by Newell's rule: a point and the normal. None of what has no area.
fn plane(points: &[DVec3]) -> Option<(DVec3, DVec3)> {
    let first = *points.first()?;
    // far from the origin the products of coordinates would lose what is looked for
    let near: Vec<DVec3> = points.iter().map(|point| *point - first).collect();
    let middle = near.iter().copied().sum::<DVec3>() / near.len() as f64;
    let nexts = near.iter().cycle().skip(1);
    let normal: DVec3 = near.iter().zip(nexts).map(|(a, b)| (*a - middle).cross(*b - middle)).sum();
    let normal = normal.try_normalize()?;
    Some((first + middle, normal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_that_share_a_point_are_of_one_piece() {
        let face = |x: f64| vec![DVec3::X * x, DVec3::X * x + DVec3::Y, DVec3::X * (x + 1.0)];
        let exact = |point: DVec3| point.to_array().map(f64::to_bits);
        assert_eq!(pieces(&[face(0.0), face(1.0), face(2.0)], exact), 1);
        assert_eq!(pieces(&[face(0.0), face(5.0), Vec::new()], exact), 2);
        let near = [face(0.0), face(1.0 + 1e-7)];
        assert_eq!(pieces(&near, exact), 2);
        let places = welded(&near, 1e-5);
        assert_eq!(pieces(&near, |point| [places[&point.to_array().map(f64::to_bits)] as u64, 0, 0]), 1);
        let places = welded(&near, 1e-8);
        assert_eq!(pieces(&near, |point| [places[&point.to_array().map(f64::to_bits)] as u64, 0, 0]), 2);
    }

    #[test]
    fn a_plane_is_found_far_from_the_origin_too() {
        let far = DVec3::splat(1e7);
        let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
            .map(|p| DVec3::from(p) + far);
        let (middle, normal) = plane(&square).unwrap();
        assert!((middle - far - DVec3::new(0.5, 0.5, 0.0)).length() < 1e-6);
        assert!((normal - DVec3::Z).length() < 1e-9);
        assert_eq!(plane(&[DVec3::ZERO, DVec3::X, DVec3::X * 2.0]), None);
    }
}
