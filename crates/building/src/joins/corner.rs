//! Corners in plan: how the ends of walls that meet in one point are cut, so that their bodies touch and nothing is there
//! twice. Pure geometry, in mm in the world; it knows no model.

use crate::bend::Line;
use crate::host::Wall;
use crate::relations::End;
use glam::DVec2;

/// A crossing of faces farther from the corner than so many thicknesses is no corner any more.
const FARTHEST: f64 = 6.0;
/// The cosine beyond which two arms count as one line that runs on.
const OPPOSITE: f64 = -0.9998;

/// One wall at a corner.
#[derive(Debug, Clone, Copy)]
pub struct Arm {
    /// The end of its axis there, in the world.
    pub corner: DVec2,
    /// The way its axis leads from there.
    pub away: DVec2,
    /// Its faces: how far to the left and to the right of that way (the right one is the smaller).
    pub right: f64,
    /// The left face.
    pub left: f64,
    /// How much it turns left for every mm of that way; 0 where it is straight.
    pub bend: f64,
}

impl Arm {
    /// The arm of a wall at one of its ends.
    pub fn at_end(wall: &Wall, end: End) -> Self {
        let along = if end == End::Start { 0.0 } else { wall.length };
        Self::both(wall, along)[usize::from(end != End::Start)]
    }

    /// The two arms of a wall that runs on through the point of its axis that is nearest to `at`.
    pub fn through(wall: &Wall, at: DVec2) -> [Self; 2] {
        Self::both(wall, wall.place(at).x)
    }

    /// The arms of a wall from a place along it: on to its end, and back to its start.
    fn both(wall: &Wall, along: f64) -> [Self; 2] {
        let line = wall.line();
        let (corner, away) = (line.at(along, 0.0), line.way_at(along));
        let (right, left) = wall.faces;
        [
            Self { corner, away, right, left, bend: wall.bend },
            Self { corner, away: -away, right: -left, left: -right, bend: -wall.bend },
        ]
    }

    /// The line of its axis.
    pub fn axis(&self) -> Line {
        Line { from: self.corner, way: self.away, bend: self.bend }
    }

    /// Its thickness.
    pub fn thickness(&self) -> f64 {
        self.left - self.right
    }

    /// True if another arm runs on where this one ends.
    pub fn is_opposite(&self, other: &Self) -> bool {
        self.away.dot(other.away) < OPPOSITE
    }
}

/// How one arm ends: points in the world from its right face to its left face, seen from the corner along the arm.
pub type Tip = Vec<DVec2>;

/// The face of an arm at which what comes from its left, or else its right, stops. Round faces are drawn by chords, which stand out on
/// the side of the centre.
pub(super) fn near_face(arm: &Arm, from_left: bool) -> f64 {
    let face = if from_left { arm.left } else { arm.right };
    let axis = arm.axis();
    if !axis.is_bent() || (arm.bend > 0.0) != from_left {
        return face;
    }
    let metres = axis.radius(face) / 1000.0;
    let half = std::f64::consts::PI / geometry::curve::chords(metres, std::f64::consts::TAU) as f64;
    let out = axis.radius(face) * (1.0 - half.cos());
    if from_left { face + out } else { face - out }
}

/// The points of a tip from one to another along the face of an arm that it stops at.
pub(super) fn along(face: &Arm, offset: f64, from: DVec2, to: DVec2) -> Tip {
    let mut tip = vec![from];
    tip.extend(face.axis().between(offset, from, to));
    tip.push(to);
    tip
}

fn crossing(a: &Arm, own: f64, b: &Arm, other: f64) -> Option<DVec2> {
    let thickest = a.thickness().max(b.thickness());
    a.axis().crossing(own, &b.axis(), other, a.corner).filter(|p| p.distance(a.corner) <= FARTHEST * thickest)
}

/// Returns the line in which `a` is cut against `b`: points in the world on its right and on its left face, seen from the
/// corner. `None` for arms that run on straight, or so nearly back on themselves that a mitre would be no corner.
pub fn mitre(a: &Arm, b: &Arm) -> Option<(DVec2, DVec2)> {
    Some((crossing(a, a.right, b, b.left)?, crossing(a, a.left, b, b.right)?))
}

/// The end of the seam between two arms that follow each other counter-clockwise: the point on the left face of `a`, and
/// that on the right face of `b`; the same one where the faces cross.
fn seam(a: &Arm, b: &Arm) -> Option<(DVec2, DVec2)> {
    // lines and arcs that go over into each other only touch
    let touch = a.is_opposite(b) && (a.axis().is_bent() || b.axis().is_bent());
    if let Some(p) = crossing(a, a.left, b, b.right).filter(|_| !touch) {
        return Some((p, p));
    }
    // they run on nearly straight: both are cut on the line that halves the angle between them
    let half = Line::straight(a.corner, (a.away - b.away).perp().try_normalize()?);
    let foot = |arm: &Arm, offset: f64| {
        arm.axis()
            .crossing(offset, &half, 0.0, a.corner)
            .filter(|p| p.distance(a.corner) <= FARTHEST * arm.thickness())
    };
    Some((foot(a, a.left)?, foot(b, b.right)?))
}

/// Mitres two or more arms: each is cut on the lines that halve the angles to its neighbours. Answers a tip for each, in
/// their order; `None` where two of them lie nearly on each other.
pub fn mitred(arms: &[Arm]) -> Option<Vec<Tip>> {
    let n = arms.len();
    if n < 2 {
        return None;
    }
    let mut turn: Vec<(usize, &Arm)> = arms.iter().enumerate().collect();
    turn.sort_by(|a, b| a.1.away.to_angle().total_cmp(&b.1.away.to_angle()));
    let seams: Vec<(DVec2, DVec2)> = turn
        .iter()
        .zip(turn.iter().cycle().skip(1))
        .map(|((_, a), (_, b))| seam(a, b))
        .collect::<Option<_>>()?;
    let middle = seams.iter().map(|(p, q)| p.midpoint(*q)).sum::<DVec2>() / seams.len() as f64;
    let mut tips = vec![Tip::new(); n];
    for (k, (i, _)) in turn.iter().enumerate() {
        let (left, right) = (seams.get(k)?.0, seams.get((k + n - 1) % n)?.1);
        let tip = if n == 2 { vec![right, left] } else { vec![right, middle, left] };
        *tips.get_mut(*i)? = tip;
    }
    Some(tips)
}

/// Lets one arm run through to the outer face of another, which stops at its face. Answers the tips of both; `None`
/// where they are nearly in one line.
pub fn butt(through: &Arm, stem: &Arm) -> Option<(Tip, Tip)> {
    let side = through.away.perp_dot(stem.away);
    let far = if side > 0.0 { stem.left } else { stem.right };
    Some((at_face(through, stem, far)?, stop(through, stem)?))
}

/// The tip of an arm that stops at the face of another, which ends as it may.
pub fn stop(through: &Arm, stem: &Arm) -> Option<Tip> {
    at_face(stem, through, near_face(through, through.away.perp_dot(stem.away) > 0.0))
}

fn at_face(own: &Arm, other: &Arm, face: f64) -> Option<Tip> {
    Some(along(other, face, crossing(own, own.right, other, face)?, crossing(own, own.left, other, face)?))
}

/// Stops an arm at the faces of two that run on through the corner, `pair`. `None` where it is nearly in one line with
/// them.
pub fn tee(stem: &Arm, pair: &[Arm; 2]) -> Option<Tip> {
    let [first, second] = pair;
    // the arm to the right of the stem, seen from the corner along it, and that to its left
    let (to_right, to_left) =
        if first.away.perp_dot(stem.away) > 0.0 { (first, second) } else { (second, first) };
    let on = |offset: f64, arm: &Arm, face: f64| {
        let found = crossing(stem, offset, arm, face)?;
        Some((found, (found - arm.corner).dot(arm.away) > -1e-6))
    };
    // a face of the stem may reach over to the arm on its other side
    let (right_face, left_face) = (near_face(to_right, true), near_face(to_left, false));
    let by_right = |offset: f64| on(offset, to_right, right_face);
    let by_left = |offset: f64| on(offset, to_left, left_face);
    let ((right, at_right), (left, at_left)) = (by_right(stem.right)?, by_left(stem.left)?);
    let across = to_right.away.perp();
    let (high, low) = (to_right.corner + across * right_face, to_right.corner - across * left_face);
    match (at_right, at_left) {
        (true, true) if high.distance(low) > 0.01 => Some(vec![right, high, low, left]),
        (true, false) => Some(along(to_right, right_face, right, by_right(stem.left)?.0)),
        (false, true) => Some(along(to_left, left_face, by_left(stem.right)?.0, left)),
        _ => Some(along(to_right, right_face, right, left)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polygon::area;
    use crate::regions;

    fn arm(degrees: f64, right: f64, left: f64) -> Arm {
        Arm { corner: DVec2::ZERO, away: DVec2::from_angle(degrees.to_radians()), right, left, bend: 0.0 }
    }

    /// The body of an arm, 5 m long from the corner.
    fn body(arm: &Arm, tip: &Tip) -> Vec<DVec2> {
        let far = |offset: f64| arm.corner + arm.away * 5000.0 + arm.away.perp() * offset;
        let mut outline = vec![far(arm.right), far(arm.left)];
        outline.extend(tip.iter().rev());
        outline
    }

    /// Bodies do not overlap, and leave no hole between each other.
    fn check(arms: &[Arm], tips: &[Tip]) {
        let bodies: Vec<Vec<DVec2>> = arms.iter().zip(tips).map(|(a, t)| body(a, t)).collect();
        let apart: f64 = bodies.iter().map(|b| area(b)).sum();
        let joined: Vec<_> = regions::union(&bodies);
        let together: f64 = joined.iter().map(|r| area(&r.outer)).sum();
        // arms nearly in one line touch where rounding may part them
        if arms.iter().all(|a| arms.iter().all(|b| a.away.dot(b.away) > -0.999)) {
            assert_eq!(joined.len(), 1, "{tips:?}");
        }
        assert!(joined.iter().all(|r| r.holes.is_empty()), "{tips:?}");
        assert!((apart - together).abs() < 50.0, "{apart} {together} {tips:?}");
    }

    #[test]
    fn arms_of_other_thickness_and_angle_are_mitred_without_overlap_or_gap() {
        for degrees in [30.0, 60.0, 90.0, 120.0, 170.0, 179.0, 181.0, 270.0, 330.0] {
            for (right, left) in [(-100.0, 100.0), (-300.0, 0.0), (-50.0, 250.0)] {
                let arms = [arm(0.0, -100.0, 100.0), arm(degrees, right, left)];
                check(&arms, &mitred(&arms).unwrap());
            }
        }
    }

    #[test]
    fn several_arms_are_mitred_around_their_middle() {
        for angles in [
            vec![0.0, 90.0, 180.0],
            vec![0.0, 120.0, 240.0],
            vec![0.0, 90.0, 180.0, 270.0],
            vec![0.0, 45.0, 90.0],
        ] {
            let arms: Vec<Arm> = angles
                .iter()
                .zip([100.0, 150.0, 100.0, 50.0])
                .map(|(a, half)| arm(*a, -half, half))
                .collect();
            check(&arms, &mitred(&arms).unwrap());
        }
    }

    #[test]
    fn at_a_butt_one_runs_through_and_the_other_stops_at_its_face() {
        for degrees in [45.0, 90.0, 135.0, 225.0, 270.0] {
            let arms = [arm(0.0, -100.0, 100.0), arm(degrees, -150.0, 50.0)];
            let (through, stem) = butt(&arms[0], &arms[1]).unwrap();
            check(&arms, &[through, stem]);
        }
        let arms = [arm(0.0, -100.0, 100.0), arm(90.0, -150.0, 50.0)];
        let (through, stem) = butt(&arms[0], &arms[1]).unwrap();
        assert!(through.iter().all(|p| (p.x + 50.0).abs() < 1e-6), "{through:?}");
        assert!(stem.iter().all(|p| (p.y - 100.0).abs() < 1e-6), "{stem:?}");
    }

    #[test]
    fn a_stem_stops_at_the_faces_of_both_that_run_through_though_these_are_of_other_thickness() {
        for degrees in [60.0, 90.0, 120.0, 250.0, 270.0] {
            let (p, q) = (arm(0.0, -100.0, 100.0), arm(180.0, -180.0, 180.0));
            let stem = arm(degrees, -150.0, 150.0);
            let mut tips = mitred(&[p, q]).unwrap();
            tips.push(tee(&stem, &[p, q]).unwrap());
            check(&[p, q, stem], &tips);
        }
    }

    #[test]
    fn arms_on_each_other_have_no_corner() {
        assert_eq!(mitred(&[arm(0.0, -100.0, 100.0), arm(0.5, -100.0, 100.0)]), None);
        assert_eq!(butt(&arm(0.0, -100.0, 100.0), &arm(0.5, -100.0, 100.0)), None);
    }
}
