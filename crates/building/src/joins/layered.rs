//! Corners of walls of several layers in plan: of two layers that cross, the one with the higher priority runs through and the other
//! stops at its face; layers as strong as each other are mitred. Pure geometry, in mm in the world; it knows no model.

use super::corner::{Arm, Tip, along, near_face};
use crate::layer_priority::Strip;
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};

/// A crossing of faces farther from the corner than so many thicknesses is no corner any more.
const FARTHEST: f64 = 6.0;
/// The reach out of its face, in mm, of what is left to a layer in a wall along an arc: no chord reaches so far.
const BEYOND: f64 = 50.0;

/// A layer as it is seen from the side that others come from.
#[derive(Debug, Clone, Copy)]
struct Lane {
    near: f64,
    far: f64,
    priority: u8,
}

/// Where a layer stops among those that it crosses, which are counted from the near side.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stop {
    /// At the near face of one.
    Before(usize),
    /// On the diagonal of one as strong.
    Halfway(usize),
}

/// The strips of a wall as an arm of it sees them that leads on along it, or back.
pub fn seen(strips: &[Strip], onward: bool) -> Vec<Strip> {
    if onward {
        return strips.to_vec();
    }
    let turned = |s: &Strip| Strip { right: -s.left, left: -s.right, priority: s.priority };
    strips.iter().rev().map(turned).collect()
}

/// The highest priority of a wall.
fn strongest(strips: &[Strip]) -> u8 {
    strips.iter().map(|strip| strip.priority).max().unwrap_or_default()
}

fn lanes(strips: &[Strip], from_left: bool) -> Vec<Lane> {
    let lane = |s: &Strip| {
        let (near, far) = if from_left { (s.left, s.right) } else { (s.right, s.left) };
        Lane { near, far, priority: s.priority }
    };
    if from_left { strips.iter().rev().map(lane).collect() } else { strips.iter().map(lane).collect() }
}

fn crossing(a: &Arm, own: f64, b: &Arm, other: f64) -> Option<DVec2> {
    let thickest = a.thickness().max(b.thickness());
    a.axis().crossing(own, &b.axis(), other, a.corner).filter(|p| p.distance(a.corner) <= FARTHEST * thickest)
}

/// Where the layers of both stop, from the inner face of each outward; those left out run through.
fn stops(a: &[Lane], b: &[Lane]) -> [BTreeMap<usize, Stop>; 2] {
    let ranks: BTreeSet<u8> = a.iter().chain(b).map(|lane| lane.priority).collect();
    let mut taken: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut found = [BTreeMap::new(), BTreeMap::new()];
    let mut cells: Vec<(usize, usize)> =
        (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j))).collect();
    // so that a layer is at a crossing after all that it passes before
    cells.sort_by_key(|(i, j)| (i + j, *i));
    for rank in ranks.into_iter().rev() {
        for (i, j) in &cells {
            let arrives = |lanes: &[Lane], at: usize, stops: &BTreeMap<usize, Stop>| {
                lanes.get(at).is_some_and(|lane| lane.priority == rank) && !stops.contains_key(&at)
            };
            let [of_a, of_b] = &mut found;
            let (one, other) = (arrives(a, *i, of_a), arrives(b, *j, of_b));
            if taken.contains(&(*i, *j)) {
                if one {
                    of_a.insert(*i, Stop::Before(*j));
                }
                if other {
                    of_b.insert(*j, Stop::Before(*i));
                }
                continue;
            }
            if one && other {
                of_a.insert(*i, Stop::Halfway(*j));
                of_b.insert(*j, Stop::Halfway(*i));
            }
            if one || other {
                taken.insert((*i, *j));
            }
        }
    }
    found
}

/// How two walls of layers end that meet in a corner. `None` where neither has layers that another would run through, or where
/// they are nearly in one line.
pub fn corner(a: (&Arm, &[Strip]), b: (&Arm, &[Strip])) -> Option<[Tip; 2]> {
    let ((a, of_a), (b, of_b)) = (a, b);
    if of_a.len() < 2 && of_b.len() < 2 && strongest(of_a) == strongest(of_b) {
        return None;
    }
    let b_is_left = a.away.perp_dot(b.away) > 0.0;
    let (own, other) = (lanes(of_a, b_is_left), lanes(of_b, !b_is_left));
    let [stops_a, stops_b] = stops(&own, &other);
    Some([
        tip((a, &own, b_is_left), (b, &other), &stops_a)?,
        tip((b, &other, !b_is_left), (a, &own), &stops_b)?,
    ])
}

fn tip(
    (a, own, from_left): (&Arm, &[Lane], bool),
    (b, other): (&Arm, &[Lane]),
    stops: &BTreeMap<usize, Stop>,
) -> Option<Tip> {
    let outer = other.last()?.far;
    let mut points = Vec::with_capacity(own.len() * 2);
    for (i, lane) in own.iter().enumerate() {
        let (at_near, at_far) = match stops.get(&i) {
            Some(Stop::Before(j)) => (other.get(*j)?.near, other.get(*j)?.near),
            Some(Stop::Halfway(j)) => (other.get(*j)?.near, other.get(*j)?.far),
            None => (outer, outer),
        };
        points.push(crossing(a, lane.near, b, at_near)?);
        points.push(crossing(a, lane.far, b, at_far)?);
    }
    if from_left {
        points.reverse();
    }
    Some(simple(points))
}

/// A stem whose stronger layers go on into the weaker ones of a wall that it ends on, as far as to its strongest: how it ends, and
/// what the other leaves to it. `None` where it stops at the face.
pub fn tee(stem: (&Arm, &[Strip]), through: (&Arm, &[Strip])) -> Option<(Tip, Vec<Vec<DVec2>>)> {
    let ((stem, strips), (path, of_path)) = (stem, through);
    let from_left = path.away.perp_dot(stem.away) > 0.0;
    let lanes = lanes(of_path, from_left);
    let (face, most) = (lanes.first()?.near, strongest(of_path));
    let beyond = if from_left { BEYOND } else { -BEYOND };
    let mouth = if path.bend == 0.0 { face } else { face + beyond };
    let (mut points, mut tongues) = (Vec::new(), Vec::new());
    for strip in strips {
        let limit = strip.priority.min(most);
        let at = lanes.iter().find(|lane| lane.priority >= limit)?.near;
        let goes_on = (at - face).abs() > 0.01;
        let at = if goes_on { at } else { near_face(path, from_left) };
        let (right, left) = (crossing(stem, strip.right, path, at)?, crossing(stem, strip.left, path, at)?);
        if goes_on {
            // within the other it ends straight, as what is left to it
            points.extend([right, left]);
            let (from, to) =
                (crossing(stem, strip.right, path, mouth)?, crossing(stem, strip.left, path, mouth)?);
            tongues.push(vec![from, to, left, right]);
        } else {
            points.extend(along(path, at, right, left));
        }
    }
    (!tongues.is_empty()).then(|| (simple(points), tongues))
}

/// Points without those that lie in one place or in one line with their neighbours.
fn simple(points: Vec<DVec2>) -> Tip {
    let mut kept: Tip = Vec::with_capacity(points.len());
    for point in points {
        if kept.last().is_some_and(|last| last.distance(point) < 1e-3) {
            continue;
        }
        if let [.., before, last] = kept[..]
            && let (Some(one), Some(other)) =
                ((last - before).try_normalize(), (point - last).try_normalize())
            && one.dot(other) > 1.0 - 1e-12
        {
            kept.pop();
        }
        kept.push(point);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polygon::area;
    use crate::regions;

    /// An arm from the corner at an angle, with layers from its right face to its left, around its middle.
    fn arm(degrees: f64, layers: &[(f64, u8)]) -> (Arm, Vec<Strip>) {
        let total: f64 = layers.iter().map(|layer| layer.0).sum();
        let mut y = -total / 2.0;
        let strips = layers.iter().map(|(thickness, priority)| {
            y += thickness;
            Strip { right: y - thickness, left: y, priority: *priority }
        });
        let strips: Vec<Strip> = strips.collect();
        let away = DVec2::from_angle(degrees.to_radians());
        (Arm { corner: DVec2::ZERO, away, right: -total / 2.0, left: total / 2.0, bend: 0.0 }, strips)
    }

    fn body(arm: &Arm, tip: &Tip) -> Vec<DVec2> {
        let far = |offset: f64| arm.corner + arm.away * 5000.0 + arm.away.perp() * offset;
        let mut outline = vec![far(arm.right), far(arm.left)];
        outline.extend(tip.iter().rev());
        outline
    }

    /// The area of both bodies together; they do not overlap, and leave nothing of the corner.
    fn together(a: (&Arm, &Tip), b: (&Arm, &Tip)) -> f64 {
        let bodies = [body(a.0, a.1), body(b.0, b.1)];
        let apart: f64 = bodies.iter().map(|b| area(b)).sum();
        let joined = regions::union(&bodies);
        // where they touch on a slant, rounding may part them; what is missing would be missing in the sum
        assert!(joined.iter().all(|region| region.holes.is_empty()), "{joined:?}");
        let whole: f64 = joined.iter().map(|region| area(&region.outer)).sum();
        assert!((apart - whole).abs() < 50.0, "{apart} {whole}");
        whole
    }

    const OUTER: [(f64, u8); 3] = [(100.0, 20), (140.0, 40), (180.0, 80)];

    #[test]
    fn walls_of_the_same_layers_are_mitred_as_a_whole() {
        for degrees in [60.0, 90.0, 120.0] {
            // seen from the corner the layers of the one lie from left to right
            let turned: Vec<(f64, u8)> = OUTER.iter().rev().copied().collect();
            let ((a, of_a), (b, of_b)) = (arm(0.0, &turned), arm(degrees, &OUTER));
            let [one, other] = corner((&a, &of_a), (&b, &of_b)).unwrap();
            assert_eq!((one.len(), other.len()), (2, 2), "{one:?} {other:?}");
            let plain = super::super::corner::mitred(&[a, b]).unwrap();
            assert!(one.iter().zip(&plain[0]).all(|(p, q)| p.distance(*q) < 1e-6), "{one:?} {plain:?}");
            together((&a, &one), (&b, &other));
        }
    }

    #[test]
    fn at_a_corner_of_other_layers_nothing_is_there_twice_or_left_out() {
        let walls: [&[(f64, u8)]; 6] = [
            &OUTER,
            &[(180.0, 80), (140.0, 40), (100.0, 20)],
            &[(12.5, 20), (75.0, 60), (12.5, 20)],
            &[(240.0, 80)],
            &[(15.0, 20), (240.0, 80), (160.0, 40), (20.0, 20)],
            &[(100.0, 60), (50.0, 40), (100.0, 60)],
        ];
        for degrees in [45.0, 90.0, 135.0, 225.0, 270.0] {
            for one in walls {
                for other in walls {
                    let ((a, of_a), (b, of_b)) = (arm(0.0, one), arm(degrees, other));
                    let Some([first, second]) = corner((&a, &of_a), (&b, &of_b)) else { continue };
                    let whole = together((&a, &first), (&b, &second));
                    let plain = super::super::corner::mitred(&[a, b]).unwrap();
                    let wanted = together((&a, &plain[0]), (&b, &plain[1]));
                    assert!((whole - wanted).abs() < 50.0, "{one:?} {other:?}: {whole} {wanted}");
                }
            }
        }
    }

    #[test]
    fn the_stronger_core_runs_through_and_faces_return_to_it() {
        // a core of 200 between plaster, and a light wall of 100 whose corner lies to the left of it
        let ((a, of_a), (b, of_b)) =
            (arm(0.0, &[(15.0, 20), (200.0, 80), (15.0, 20)]), arm(90.0, &[(100.0, 60)]));
        let [strong, light] = corner((&a, &of_a), (&b, &of_b)).unwrap();
        // the plaster inside stops at the light wall, which goes on to the core
        let wanted = [(-50.0, -115.0), (-50.0, 100.0), (50.0, 100.0), (50.0, 115.0)];
        assert!(
            strong.iter().zip(wanted).all(|(p, (x, y))| p.distance(DVec2::new(x, y)) < 1e-6),
            "{strong:?}"
        );
        assert!(light.iter().all(|p| (p.y - 100.0).abs() < 1e-6), "{light:?}");
    }

    #[test]
    fn a_stem_goes_on_through_what_is_weaker_and_never_through_the_strongest() {
        let (path, of_path) = arm(0.0, &OUTER);
        let (stem, of_stem) = arm(-90.0, &[(15.0, 20), (100.0, 80), (15.0, 20)]);
        let (tip, tongues) = tee((&stem, &of_stem), (&path, &of_path)).unwrap();
        assert_eq!(tongues.len(), 1);
        assert!((area(&tongues[0]) - 100.0 * 240.0).abs() < 1e-6, "{tongues:?}");
        assert_eq!(tip.len(), 6, "{tip:?}");
        // on the side of the core it stops at the face, and so does what is weaker than all
        let (stem, of_stem) = arm(90.0, &[(100.0, 80)]);
        assert_eq!(tee((&stem, &of_stem), (&path, &of_path)), None);
        let (stem, of_stem) = arm(-90.0, &[(100.0, 20)]);
        assert_eq!(tee((&stem, &of_stem), (&path, &of_path)), None);
        let (stem, of_stem) = arm(-90.0, &[(100.0, 100)]);
        let (_, tongues) = tee((&stem, &of_stem), (&path, &of_path)).unwrap();
        assert!((area(&tongues[0]) - 100.0 * 240.0).abs() < 1e-6, "{tongues:?}");
    }
}
