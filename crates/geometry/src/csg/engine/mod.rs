//! The only module that knows the crate `manifold-rust`.
//!
//! Its exact engine is a port of Manifold with symbolic perturbation; it needs bodies that are two-manifold and do not cross
//! themselves, and its answers are checked here. Its robust engine computes with exact fractions and takes any closed body, at some ten times
//! the cost. The crate contains assertions; whatever breaks one ends here as an error, on a thread that also keeps the time.

mod import;

use super::closed::{Closed, volume};
use super::{CsgError, Op};
use crate::math::Bounds;
use glam::DVec3;
use manifold_rust::cancel::CancelToken;
use manifold_rust::manifold::Manifold;
use manifold_rust::types::{BooleanEngine, Error, MeshGLP, OpType};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Seconds that one operation may take.
const SECONDS: u64 = 20;

/// The robust engine recurses over the points within one triangle. Only what is used is ever allocated.
const STACK: usize = 128 << 20;

/// The most triangles that the robust engine gets.
const MAX_ROBUST: usize = 20_000;

/// Does the work on a thread of its own, for no longer than the time allowed; a panic in it is an error.
pub(super) fn guarded<T: Send>(
    work: impl FnOnce(&CancelToken) -> Result<T, CsgError> + Send,
) -> Result<T, CsgError> {
    let token = CancelToken::new();
    thread::scope(|scope| {
        let (running, ended) = channel::<()>();
        let inner = token.clone();
        let worker =
            thread::Builder::new().name("csg".to_owned()).stack_size(STACK).spawn_scoped(scope, move || {
                let done = work(&inner);
                drop(running);
                done
            });
        let worker = worker.map_err(|e| CsgError::Failed(e.to_string()))?;
        // the end of the work, well or badly, closes the channel
        if ended.recv_timeout(Duration::from_secs(SECONDS)) == Err(RecvTimeoutError::Timeout) {
            token.cancel();
        }
        worker.join().unwrap_or_else(|_| Err(CsgError::Failed("the engine gave up".to_owned())))
    })
}

/// A body as the engine holds it.
pub(super) struct Body {
    inner: Manifold,
    /// True if it may overlap itself. Looking takes several times as long as combining, so that only what has several
    /// parts is looked at; one part that crosses itself stays as it was given.
    suspect: bool,
    volume: f64,
    bounds: Bounds,
}

/// Triangles as they come back, with the planes they lie in.
pub(super) struct Outcome {
    pub points: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    pub planes: Vec<u32>,
}

impl Body {
    pub fn from_closed(body: &Closed) -> Result<Body, CsgError> {
        let inner = import::manifold(body);
        match inner.status() {
            Error::NoError if inner.is_empty() => Err(CsgError::Flat),
            Error::NoError => {
                let held = Body { suspect: body.parts_meet, ..Body::new(inner) };
                let (given, size) = (body.volume(), held.bounds.size());
                if (held.volume - given).abs() > 1e-9 * (given + size.dot(size)) {
                    return Err(CsgError::Failed(format!(
                        "{given:.6} m³ became {:.6} on the way in",
                        held.volume
                    )));
                }
                Ok(held)
            }
            error => Err(CsgError::Failed(error.to_string().to_lowercase())),
        }
    }

    fn new(inner: Manifold) -> Body {
        let out = outcome(&inner);
        Body {
            volume: volume(&out.points, &out.triangles),
            bounds: Bounds::from_points(out.points),
            suspect: false,
            inner,
        }
    }

    /// Cubic metres.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    pub fn triangles(&self) -> Outcome {
        outcome(&self.inner)
    }

    /// The two combined: exactly, or robustly where they are not fit for that or the answer cannot be right.
    pub fn with(&self, other: &Body, op: Op, token: &CancelToken) -> Result<Body, CsgError> {
        if self.inner.is_empty() || other.inner.is_empty() {
            let keep = match op {
                Op::Intersection => Manifold::empty(),
                Op::Union if self.inner.is_empty() => other.inner.clone(),
                Op::Union | Op::Difference => self.inner.clone(),
            };
            return Ok(Body::new(keep));
        }
        let fit = |b: &Body| !(b.inner.as_impl().is_soup || b.suspect && b.inner.has_self_intersections());
        if fit(self) && fit(other) {
            // what is not fit after all may break an assertion: the robust engine gets it then
            let exact = AssertUnwindSafe(|| self.run(other, op, BooleanEngine::Exact, token));
            match catch_unwind(exact) {
                Ok(Ok(answer)) if self.allows(other, op, &answer) => return Ok(answer),
                Ok(Err(error @ CsgError::TooLong { .. })) => return Err(error),
                _ => {}
            }
        }
        let triangles = self.inner.num_tri() + other.inner.num_tri();
        if triangles > MAX_ROBUST {
            return Err(CsgError::TooLarge { triangles, most: MAX_ROBUST });
        }
        let answer = self.run(other, op, BooleanEngine::Robust, token)?;
        if self.allows(other, op, &answer) {
            return Ok(answer);
        }
        Err(CsgError::Failed(format!("{:.6} m³ cannot be the answer", answer.volume)))
    }

    fn run(
        &self,
        other: &Body,
        op: Op,
        engine: BooleanEngine,
        token: &CancelToken,
    ) -> Result<Body, CsgError> {
        let op = match op {
            Op::Union => OpType::Add,
            Op::Difference => OpType::Subtract,
            Op::Intersection => OpType::Intersect,
        };
        let answer = self.inner.boolean_with_engine_and_token(&other.inner, op, engine, Some(token));
        match answer.status() {
            Error::NoError => Ok(Body::new(answer)),
            Error::Cancelled => Err(CsgError::TooLong { seconds: SECONDS }),
            error => Err(CsgError::Failed(error.to_string().to_lowercase())),
        }
    }

    /// Returns true if an answer's volume and box are within what the operands allow. A body that crosses itself
    /// counts twice in its own volume, so that only the upper bounds hold for it.
    fn allows(&self, other: &Body, op: Op, answer: &Body) -> bool {
        let (a, b) = (self.volume.abs(), other.volume.abs());
        let slack = 1e-6 * (a + b) + 1e-9;
        let (least, most) = match op {
            Op::Union => (0.0, a + b),
            Op::Difference => (0.0, a),
            Op::Intersection => (0.0, a.min(b)),
        };
        let within = answer.volume > least - slack && answer.volume < most + slack;
        let room = match op {
            Op::Union => self.bounds.join(&other.bounds),
            _ => self.bounds,
        };
        let inside = answer.bounds.is_empty()
            || (0..3).all(|i| {
                answer.bounds.min[i] > room.min[i] - 1e-5 && answer.bounds.max[i] < room.max[i] + 1e-5
            });
        within && inside
    }
}

/// All bodies as one: the two smallest first.
pub(super) fn union(mut bodies: Vec<Body>, token: &CancelToken) -> Result<Body, CsgError> {
    bodies.sort_by_key(|b| std::cmp::Reverse(b.inner.num_tri()));
    while let Some(a) = bodies.pop() {
        let Some(b) = bodies.pop() else { return Ok(a) };
        let both = a.with(&b, Op::Union, token)?;
        let at = bodies.partition_point(|o| o.inner.num_tri() > both.inner.num_tri());
        bodies.insert(at, both);
    }
    Err(CsgError::Flat)
}

fn outcome(body: &Manifold) -> Outcome {
    let mesh: MeshGLP<f64, u32> = body.get_mesh_glp(-1);
    let step = (mesh.num_prop as usize).max(3);
    // corners that only differ in properties are one
    let mut same: Vec<u32> = (0..(mesh.vert_properties.len() / step) as u32).collect();
    for (from, to) in mesh.merge_from_vert.iter().zip(&mesh.merge_to_vert) {
        if let Some(slot) = same.get_mut(*from as usize) {
            *slot = *to;
        }
    }
    let one = |i: u32| same.get(i as usize).copied().unwrap_or(i);
    Outcome {
        points: mesh.vert_properties.chunks_exact(step).map(|p| DVec3::new(p[0], p[1], p[2])).collect(),
        triangles: mesh.tri_verts.chunks_exact(3).map(|t| [one(t[0]), one(t[1]), one(t[2])]).collect(),
        planes: mesh.face_id,
    }
}
