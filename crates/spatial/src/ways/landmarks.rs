//! Landmarks: a few corners of a navigation mesh whose shortest ways to all others are known, for how much of a way is left at least.
//!
//! By the triangle inequality no way from a place to a target is shorter than the difference of their ways from a landmark (the ALT
//! method of Goldberg and Harrelson 2005). Between corners lengths are known within the distance to the next corner.

use super::net::Net;
use super::search::{Spot, to_corners};

/// The number of landmarks.
const COUNT: usize = 6;

/// The lengths from some corners to all.
#[derive(Debug, Clone, Default)]
pub struct Landmarks {
    /// By landmark and corner, in metres; infinite where no way leads.
    lengths: Vec<Vec<f64>>,
}

impl Landmarks {
    /// Corners that lie far from each other, on the largest part of a mesh that hangs together.
    pub(super) fn new(net: &Net) -> Landmarks {
        let Some(mut corner) = corner_of_largest(net) else { return Landmarks::default() };
        let mut landmarks = Landmarks::default();
        // the first is what lies farthest from anywhere; it is not told of itself
        let mut nearest = from_corner(net, corner);
        for _ in 0..COUNT {
            let is_there = |(_, length): &(usize, &f64)| length.is_finite();
            let farthest = nearest.iter().enumerate().filter(is_there).max_by(|a, b| a.1.total_cmp(b.1));
            let Some((next, _)) = farthest.filter(|(next, length)| *next != corner && **length > 0.0) else {
                break;
            };
            corner = next;
            let lengths = from_corner(net, corner);
            if landmarks.lengths.is_empty() {
                nearest.clone_from(&lengths);
            } else {
                for (known, length) in nearest.iter_mut().zip(&lengths) {
                    *known = known.min(*length);
                }
            }
            landmarks.lengths.push(lengths);
        }
        landmarks
    }

    /// Their lengths to a target that lies on some triangles; none where no way leads from them to it.
    pub(super) fn left(&self, net: &Net, target: Spot, triangles: &[u32]) -> Option<Left<'_>> {
        let corners =
            || triangles.iter().filter_map(|t| net.triangles.get(*t as usize)).flat_map(|t| t.corners);
        let mut known = Vec::new();
        for lengths in &self.lengths {
            let (mut least, mut most) = (0.0_f64, f64::INFINITY);
            for corner in corners() {
                let (Some(length), Some(point)) =
                    (lengths.get(corner as usize), net.points.get(corner as usize))
                else {
                    continue;
                };
                let apart = point.distance(target.point);
                least = least.max(length - apart);
                most = most.min(length + apart);
            }
            if most.is_finite() {
                known.push((lengths.as_slice(), least, most));
            }
        }
        (!known.is_empty()).then_some(Left { known })
    }
}

/// The length left to one target, as landmarks tell it.
pub(super) struct Left<'l> {
    /// Of each landmark the lengths to all corners, and the least and most to the target.
    known: Vec<(&'l [f64], f64, f64)>,
}

impl Left<'_> {
    /// The least length from a corner.
    pub(super) fn left_from_corner(&self, corner: u32) -> f64 {
        let told = |(lengths, least, most): &(&[f64], f64, f64)| {
            let own = lengths.get(corner as usize).copied().filter(|length| length.is_finite());
            own.map_or(0.0, |own| (least - own).max(own - most))
        };
        self.known.iter().map(told).fold(0.0, f64::max)
    }

    /// The least length from anywhere on a part of an edge, given its two corners, its length and where the part begins and ends.
    pub(super) fn left_from_edge(&self, ends: [u32; 2], length: f64, span: [f64; 2]) -> f64 {
        let told = |(lengths, least, most): &(&[f64], f64, f64)| {
            let of = |corner: u32| lengths.get(corner as usize).copied().filter(|length| length.is_finite());
            let (Some(a), Some(b)) = (of(ends[0]), of(ends[1])) else { return 0.0 };
            // over one corner it is no farther than this, and farthest where both are as far
            let over = |x: f64| (a + x).min(b + length - x);
            let farthest = over(f64::midpoint(b + length - a, 0.0).clamp(span[0], span[1]));
            // and no nearer than this, nearest where both say the same
            let back = |x: f64| (a - x).max(b - (length - x));
            let nearest = back(f64::midpoint(a - b + length, 0.0).clamp(span[0], span[1]));
            (least - farthest).max(nearest - most)
        };
        self.known.iter().map(told).fold(0.0, f64::max)
    }
}

/// The first corner of the largest part that hangs together.
fn corner_of_largest(net: &Net) -> Option<usize> {
    let mut sizes: Vec<usize> = Vec::new();
    for island in &net.islands {
        let place = *island as usize;
        if sizes.len() <= place {
            sizes.resize(place + 1, 0);
        }
        if let Some(size) = sizes.get_mut(place) {
            *size += 1;
        }
    }
    let largest = (0..sizes.len()).max_by_key(|island| sizes.get(*island))?;
    let triangle = net.islands.iter().position(|island| *island as usize == largest)?;
    net.triangles.get(triangle).map(|triangle| triangle.corners[0] as usize)
}

fn from_corner(net: &Net, corner: usize) -> Vec<f64> {
    let spoke = net.fans.get(corner).and_then(|fan| fan.spokes.first());
    let (Some(spoke), Some(point)) = (spoke, net.points.get(corner).copied()) else { return Vec::new() };
    to_corners(net, Spot { point, triangle: spoke.triangle })
}
