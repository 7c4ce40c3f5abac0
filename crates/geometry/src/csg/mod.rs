//! Booleans of free solids: union, difference and intersection of closed bodies of any shape.
//!
//! Openings and clippings are cut in two dimensions (`prism`), which is a hundred times faster; what that cannot do comes here.
//! Bodies are welded and their T-junctions closed (`closed`, `junction`), combined about a local origin by an exact engine, or by a robust one
//! where parts of a body touch or overlap or the exact answer cannot be right (`engine`), and come back as polygons (`faces`), so that
//! the next opening can be cut in two dimensions again. What does not enclose a volume is refused: nothing is repaired by guessing.

mod closed;
mod engine;
mod faces;
mod junction;
mod shells;
#[cfg(test)]
mod tests;

use crate::{math::Bounds, mesh::Mesh, read::ShapeError, solid::Solid};
pub use closed::Closed;
use closed::{Prepared, Source};
use engine::{Body, guarded};
use ifc::Id;
pub use shells::{Polygon, Shell, Shells, shells};

/// The most triangles that the bodies of one operation may have together.
pub const MAX_TRIANGLES: usize = 200_000;

/// Boxes that share less than this, in metres, share no volume.
const TOUCH: f64 = 1e-6;

/// A boolean operation on two bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Everything that is in either.
    Union,
    /// Everything that is in the first and not in the second.
    Difference,
    /// Everything that is in both.
    Intersection,
}

/// Why two bodies could not be combined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CsgError {
    /// A body has faces that lack a neighbour.
    #[error("is not closed: {edges} edges lack a face")]
    Open {
        /// The number of them.
        edges: usize,
    },
    /// A body without volume.
    #[error("encloses no volume")]
    Flat,
    /// A coordinate that is no number.
    #[error("has a corner that is no number")]
    NotFinite,
    /// More than the limits allow.
    #[error("has {triangles} triangles, more than {most} for a boolean")]
    TooLarge {
        /// The number that the bodies have together.
        triangles: usize,
        /// The most that they may have.
        most: usize,
    },
    /// The time that one operation may take is over.
    #[error("takes longer than {seconds} s to combine")]
    TooLong {
        /// The limit.
        seconds: u64,
    },
    /// The engine gave no sound answer.
    #[error("cannot be combined: {0}")]
    Failed(String),
}

impl CsgError {
    /// Returns the error about an instance.
    pub fn about(self, item: Id) -> ShapeError {
        ShapeError::new(item, self.to_string())
    }
}

/// Two closed bodies combined. The answer may be empty: without faces. Faces are polygons; those of one plane are joined.
pub fn combine(a: &Solid, b: &Solid, op: Op) -> Result<Solid, CsgError> {
    let apart = !overlap(&a.bounds(), &b.bounds(), if op == Op::Union { -TOUCH } else { TOUCH });
    if apart {
        return Ok(match op {
            Op::Union => {
                let faces = [outward(a), outward(b)].into_iter().flat_map(|s| s.faces).collect();
                Solid::new(faces, a.closed && b.closed)
            }
            Op::Difference => outward(a),
            Op::Intersection => Solid::new(Vec::new(), true),
        });
    }
    let prepared = Prepared::from_sources(&[Source::Solid(a), Source::Solid(b)])?;
    guarded(|token| {
        let [a, b] = prepared.bodies.as_slice() else { return Err(CsgError::Flat) };
        let result = Body::from_closed(a)?.with(&Body::from_closed(b)?, op, token)?;
        Ok(faces::solid(&result.triangles(), &prepared))
    })
}

/// A closed body less several others, which may overlap each other.
pub fn less(from: &Solid, cutters: &[&Solid]) -> Result<Solid, CsgError> {
    let bounds = from.bounds();
    let mut sources = vec![Source::Solid(from)];
    sources.extend(cutters.iter().filter(|c| overlap(&bounds, &c.bounds(), TOUCH)).map(|c| Source::Solid(c)));
    if sources.len() == 1 {
        return Ok(outward(from));
    }
    let prepared = Prepared::from_sources(&sources)?;
    guarded(|token| {
        let Some((first, rest)) = prepared.bodies.split_first() else { return Err(CsgError::Flat) };
        let mut left = Body::from_closed(first)?;
        for cutter in rest {
            left = left.with(&Body::from_closed(cutter)?, Op::Difference, token)?;
        }
        Ok(faces::solid(&left.triangles(), &prepared))
    })
}

/// All bodies as one, in which nothing counts twice. Bodies that no other touches come back as they are.
pub fn union(solids: &[&Solid]) -> Result<Solid, CsgError> {
    let bounds: Vec<Bounds> = solids.iter().map(|s| s.bounds()).collect();
    let mut faces = Vec::new();
    for group in groups(&bounds) {
        let members: Vec<&Solid> = group.iter().filter_map(|&i| solids.get(i).copied()).collect();
        if let [alone] = members.as_slice() {
            faces.extend(outward(alone).faces);
            continue;
        }
        let sources: Vec<Source> = members.iter().map(|s| Source::Solid(s)).collect();
        let prepared = Prepared::from_sources(&sources)?;
        let whole = guarded(|token| {
            let bodies: Result<Vec<Body>, _> = prepared.bodies.iter().map(Body::from_closed).collect();
            let whole = engine::union(bodies?, token)?;
            Ok(faces::solid(&whole.triangles(), &prepared))
        })?;
        faces.extend(whole.faces);
    }
    Ok(Solid::new(faces, solids.iter().all(|s| s.closed)))
}

/// The volume that two closed meshes share, in cubic metres; zero where they only touch.
pub fn shared_volume(a: &Mesh, b: &Mesh) -> Result<f64, CsgError> {
    let bounds = |m: &Mesh| Bounds::from_points(m.positions.iter().copied());
    if !overlap(&bounds(a), &bounds(b), TOUCH) {
        return Ok(0.0);
    }
    let prepared = Prepared::from_sources(&[Source::Mesh(a), Source::Mesh(b)])?;
    guarded(|token| {
        let [a, b] = prepared.bodies.as_slice() else { return Err(CsgError::Flat) };
        Ok(Body::from_closed(a)?.with(&Body::from_closed(b)?, Op::Intersection, token)?.volume().max(0.0))
    })
}

/// A closed body as triangles that share their corners: no edge lacks a neighbour and none runs past a corner. For what is to be
/// written where others check it.
pub fn watertight(solid: &Solid) -> Result<Closed, CsgError> {
    let mut prepared = Prepared::from_sources(&[Source::Solid(solid)])?;
    let mut body = prepared.bodies.pop().ok_or(CsgError::Flat)?;
    for p in &mut body.points {
        *p += prepared.origin;
    }
    Ok(body)
}

/// A body that nothing meets, its faces turned outward if they were all inward, as they are where bodies are combined.
fn outward(solid: &Solid) -> Solid {
    let mut same = solid.clone();
    if same.closed && same.volume() < 0.0 {
        same.turn();
    }
    same
}

/// Returns true if two boxes share more than `depth` metres in every direction; with a negative depth, if they come
/// that near.
fn overlap(a: &Bounds, b: &Bounds, depth: f64) -> bool {
    (0..3).all(|i| a.max[i].min(b.max[i]) - a.min[i].max(b.min[i]) > depth)
}

/// Bodies whose boxes touch, directly or through others.
fn groups(bounds: &[Bounds]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..bounds.len()).collect();
    order.sort_by(|&i, &j| bounds[i].min.x.total_cmp(&bounds[j].min.x));
    let mut root: Vec<usize> = (0..bounds.len()).collect();
    fn find(root: &mut [usize], mut i: usize) -> usize {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    }
    for (at, &i) in order.iter().enumerate() {
        for &j in order.iter().skip(at + 1) {
            if bounds[j].min.x > bounds[i].max.x + TOUCH {
                break;
            }
            if overlap(&bounds[i], &bounds[j], -TOUCH) {
                let (a, b) = (find(&mut root, i), find(&mut root, j));
                root[a.max(b)] = a.min(b);
            }
        }
    }
    let mut found: Vec<Vec<usize>> = vec![Vec::new(); bounds.len()];
    for i in 0..bounds.len() {
        let r = find(&mut root, i);
        found[r].push(i);
    }
    found.retain(|g| !g.is_empty());
    found
}
