//! Paths of swept shapes: what a path must be, and a profile led along one with mitred corners, as faces.

use super::faces::Triangles;
use crate::measures::LARGEST;
use crate::polygon::signed_area;
use contract::Fault;
use geometry::region;
use glam::{DQuat, DVec2, DVec3};

/// The field that faults name.
const FIELD: &str = "shape.sweep.path";
/// The most points of a path.
const MOST: usize = 2000;

/// A path of at least two different points, those on a straight line between their neighbours left out.
pub(super) fn checked(path: &[DVec3]) -> Result<Vec<DVec3>, Fault> {
    if path.len() < 2 || path.len() > MOST {
        return Err(Fault::invalid(
            FIELD,
            format!("`{FIELD}` has {} points [x, y, z]; it needs 2 to {MOST}.", path.len()),
        ));
    }
    if path.iter().any(|p| !p.is_finite() || p.abs().max_element() > LARGEST) {
        return Err(Fault::invalid(
            FIELD,
            format!(
                "`{FIELD}` has a coordinate beyond ten kilometres; it is told from the shape's own origin, in mm."
            ),
        ));
    }
    if let Some(i) = path.array_windows::<2>().position(|[a, b]| a.distance(*b) < 1.0) {
        return Err(Fault::invalid(
            &format!("{FIELD}[{}]", i + 1),
            format!("Points {i} and {} of `{FIELD}` are in the same place; give each corner once.", i + 1),
        ));
    }
    if path.len() > 2 && path.first().zip(path.last()).is_some_and(|(a, b)| a.distance(*b) < 1.0) {
        return Err(Fault::invalid(
            FIELD,
            format!("`{FIELD}` ends where it begins; make a ring by `revolve`, or of two sweeps."),
        ));
    }
    let mut kept: Vec<DVec3> = Vec::with_capacity(path.len());
    for (i, p) in path.iter().enumerate() {
        let straight = kept.last().zip(path.get(i + 1)).is_some_and(|(before, next)| {
            let (a, b) = ((p - before).normalize_or_zero(), (next - p).normalize_or_zero());
            a.cross(b).length() < 1e-9 && a.dot(b) > 0.0
        });
        if !straight {
            kept.push(*p);
        }
    }
    Ok(kept)
}

/// Refuses a path on which a bar of this radius would meet itself at a corner.
pub(super) fn bends(path: &[DVec3], radius: f64) -> Result<(), Fault> {
    let ways = ways(path);
    let mitre = |a: DVec3, b: DVec3| -> f64 {
        let half = a.dot(b).clamp(-1.0, 1.0).acos() / 2.0;
        if half > 1.5 { f64::INFINITY } else { radius * half.tan() }
    };
    let at: Vec<f64> = ways.array_windows::<2>().map(|[a, b]| mitre(*a, *b)).collect();
    for (i, [a, b]) in path.array_windows::<2>().enumerate() {
        let before = i.checked_sub(1).and_then(|i| at.get(i)).copied().unwrap_or(0.0);
        let after = at.get(i).copied().unwrap_or(0.0);
        if before + after > a.distance(*b) - 0.1 {
            return Err(sharp(i + 1));
        }
    }
    Ok(())
}

fn sharp(i: usize) -> Fault {
    Fault::invalid(
        &format!("{FIELD}[{i}]"),
        format!(
            "`{FIELD}` bends too sharply for its profile at point {i}: the shape would meet itself. Give a smaller profile, or points farther apart."
        ),
    )
}

fn ways(path: &[DVec3]) -> Vec<DVec3> {
    path.array_windows::<2>().map(|[a, b]| (b - a).normalize_or_zero()).collect()
}

/// A profile led along a path: x to the right of the path, y up where the path is level. Corners are mitred.
pub(super) fn mitred(profile: &[DVec2], path: &[DVec3]) -> Result<Triangles, Fault> {
    let mut profile = profile.to_vec();
    if signed_area(&profile) < 0.0 {
        profile.reverse();
    }
    let ways = ways(path);
    let Some(first) = ways.first().copied() else { return Err(sharp(0)) };
    let mut right = first.cross(DVec3::Z).try_normalize().unwrap_or(DVec3::X);
    let mut rings: Vec<Vec<DVec3>> = Vec::with_capacity(path.len());
    for (i, p) in path.iter().enumerate() {
        let after = ways.get(i).copied();
        let before = i.checked_sub(1).and_then(|i| ways.get(i)).copied();
        let way = before.or(after).unwrap_or(first);
        let up = right.cross(way);
        let mut ring: Vec<DVec3> = profile.iter().map(|q| p + right * q.x + up * q.y).collect();
        if let (Some(a), Some(b)) = (before, after) {
            let normal = a + b;
            // an edge of the profile runs on to the plane between both ways
            if normal.length() < 0.1 {
                return Err(sharp(i));
            }
            for q in &mut ring {
                *q -= a * ((*q - p).dot(normal) / a.dot(normal));
            }
            right = DQuat::from_rotation_arc(a, b) * right;
        }
        if let Some(last) = rings.last()
            && last.iter().zip(&ring).any(|(a, b)| (b - a).dot(way) < 0.1)
        {
            return Err(sharp(i));
        }
        rings.push(ring);
    }
    let n = profile.len() as u32;
    let mut triangles = Vec::new();
    for i in 0..rings.len().saturating_sub(1) as u32 {
        for k in 0..n {
            let next = (k + 1) % n;
            let [a, b, c, d] = [i * n + k, (i + 1) * n + k, (i + 1) * n + next, i * n + next];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let cap = region::triangles(std::slice::from_ref(&profile));
    let last = rings.len().saturating_sub(1) as u32 * n;
    for [a, b, c] in cap.as_chunks::<3>().0 {
        let at = |i: u32| profile.get(i as usize).copied().unwrap_or_default();
        // counter-clockwise, as the profile is
        let turns = (at(*b) - at(*a)).perp_dot(at(*c) - at(*a)) > 0.0;
        let [b, c] = if turns { [*b, *c] } else { [*c, *b] };
        triangles.push([*a, b, c]);
        triangles.push([last + a, last + c, last + b]);
    }
    Ok(Triangles { points: rings.concat(), triangles, colour: None })
}
