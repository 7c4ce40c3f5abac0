//! The skeleton on plans that buildings have, and on random simple polygons: parts cover the polygon once, and every node
//! lies as far from its sides as it took them.

use super::{NoSkeleton, Skeleton};
use glam::DVec2;

fn polygon(points: &[[f64; 2]]) -> Vec<DVec2> {
    points.iter().copied().map(DVec2::from).collect()
}

fn area(points: &[DVec2]) -> f64 {
    let n = points.len();
    (0..n).map(|i| points[i].perp_dot(points[(i + 1) % n])).sum::<f64>() / 2.0
}

/// Checks what must be so of every skeleton; answers it.
fn sound(outline: &[DVec2], speeds: &[f64], until: Option<f64>) -> Skeleton {
    let skeleton =
        Skeleton::new(outline, speeds, until).unwrap_or_else(|why| panic!("{why}: {outline:?} {speeds:?}"));
    let whole = area(outline);
    let mut covered = 0.0;
    for part in &skeleton.parts {
        let points: Vec<DVec2> = skeleton.outline(part).map(|n| n.at).collect();
        let own = area(&points);
        assert!(own > -1e-9 * whole, "{part:?} of {outline:?}");
        covered += own;
        let a = outline[part.side];
        let along = (outline[(part.side + 1) % outline.len()] - a).normalize();
        let speed = speeds.get(part.side).copied().unwrap_or(1.0);
        for node in skeleton.outline(part) {
            let distance = along.perp_dot(node.at - a);
            assert!(
                (distance - node.time * speed).abs() < 1e-6 * whole.sqrt(),
                "{distance} is not {} of {part:?} in {outline:?}",
                node.time
            );
        }
    }
    for ring in &skeleton.rest {
        covered += area(&ring.iter().map(|(node, _)| skeleton.nodes[*node].at).collect::<Vec<_>>());
    }
    assert!((covered - whole).abs() < 1e-6 * whole, "{covered} of {whole}: {outline:?} {speeds:?}");
    skeleton
}

#[test]
fn a_rectangle_has_a_ridge_half_its_width_above_its_sides() {
    let skeleton = sound(&polygon(&[[0.0, 0.0], [10.0, 0.0], [10.0, 6.0], [0.0, 6.0]]), &[], None);
    assert_eq!(skeleton.parts.len(), 4);
    assert!((skeleton.depth() - 3.0).abs() < 1e-12);
    assert_eq!(skeleton.ends(), [1, 3]);
}

#[test]
fn a_square_meets_in_one_point() {
    let skeleton = sound(&polygon(&[[0.0, 0.0], [6.0, 0.0], [6.0, 6.0], [0.0, 6.0]]), &[], None);
    assert_eq!(skeleton.nodes.len(), 5);
    assert_eq!(skeleton.ends(), [0, 1, 2, 3]);
}

#[test]
fn sides_that_stand_still_become_gables() {
    let plan = polygon(&[[0.0, 0.0], [10.0, 0.0], [10.0, 6.0], [0.0, 6.0]]);
    let skeleton = sound(&plan, &[1.0, 0.0, 1.0, 0.0], None);
    assert_eq!(skeleton.parts.len(), 2);
    assert!(skeleton.nodes.iter().any(|n| n.at.distance(DVec2::new(10.0, 3.0)) < 1e-9 && n.time == 3.0));
    // the ridge across: the long sides are gables
    let across = sound(&plan, &[0.0, 1.0, 0.0, 1.0], None);
    assert!((across.depth() - 5.0).abs() < 1e-12);
}

#[test]
fn an_l_shape_has_gables_at_its_two_ends_and_a_valley_between() {
    let plan = polygon(&[[0.0, 0.0], [12.0, 0.0], [12.0, 5.0], [5.0, 5.0], [5.0, 9.0], [0.0, 9.0]]);
    let hips = sound(&plan, &[], None);
    assert_eq!(hips.ends(), [1, 4]);
    let gables = sound(&plan, &[1.0, 0.0, 1.0, 1.0, 0.0, 1.0], None);
    assert_eq!(gables.parts.len(), 4);
}

#[test]
fn plans_in_which_much_meets_at_once_are_taken_apart() {
    // a cross, a T, a U, a comb, a plan with a bump whose sides end in one line
    for plan in [
        polygon(&[
            [4.0, 0.0],
            [8.0, 0.0],
            [8.0, 4.0],
            [12.0, 4.0],
            [12.0, 8.0],
            [8.0, 8.0],
            [8.0, 12.0],
            [4.0, 12.0],
            [4.0, 8.0],
            [0.0, 8.0],
            [0.0, 4.0],
            [4.0, 4.0],
        ]),
        polygon(&[
            [0.0, 0.0],
            [12.0, 0.0],
            [12.0, 4.0],
            [8.0, 4.0],
            [8.0, 9.0],
            [4.0, 9.0],
            [4.0, 4.0],
            [0.0, 4.0],
        ]),
        polygon(&[
            [0.0, 0.0],
            [12.0, 0.0],
            [12.0, 10.0],
            [8.0, 10.0],
            [8.0, 4.0],
            [4.0, 4.0],
            [4.0, 10.0],
            [0.0, 10.0],
        ]),
        polygon(&[
            [0.0, 0.0],
            [14.0, 0.0],
            [14.0, 8.0],
            [12.0, 8.0],
            [12.0, 4.0],
            [8.0, 4.0],
            [8.0, 8.0],
            [6.0, 8.0],
            [6.0, 4.0],
            [2.0, 4.0],
            [2.0, 8.0],
            [0.0, 8.0],
        ]),
        polygon(&[
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, -1.0],
            [6.0, -1.0],
            [6.0, 0.0],
            [10.0, 0.0],
            [10.0, 8.0],
            [0.0, 8.0],
        ]),
    ] {
        let skeleton = sound(&plan, &[], None);
        let depth = skeleton.depth();
        for part in [0.2, 0.5, 0.8, 0.999] {
            sound(&plan, &[], Some(part * depth));
        }
    }
    let bump = polygon(&[
        [0.0, 0.0],
        [4.0, 0.0],
        [4.0, -3.0],
        [6.0, -3.0],
        [6.0, 0.0],
        [10.0, 0.0],
        [10.0, 8.0],
        [0.0, 8.0],
    ]);
    sound(&bump, &[1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0], None);
}

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A polygon around a middle, with corners at random distances: many inner corners.
    fn star(&mut self) -> Vec<DVec2> {
        let n = 3 + (self.next() * 20.0) as usize;
        let turn = std::f64::consts::TAU / n as f64;
        (0..n)
            .map(|i| {
                let angle = (i as f64 + 0.1 + 0.8 * self.next()) * turn;
                DVec2::from_angle(angle) * (2.0 + 18.0 * self.next())
            })
            .collect()
    }

    /// A polygon with sides along both axes on a coarse grid, where events often fall together.
    fn stairs(&mut self) -> Vec<DVec2> {
        let n = 2 + (self.next() * 6.0) as usize;
        let mut low = Vec::new();
        let mut high = Vec::new();
        for i in 0..n {
            let (x0, x1) = (f64::from(i as u32) * 3.0, f64::from(i as u32 + 1) * 3.0);
            let (down, up) = (-1.0 - (self.next() * 5.0).floor(), 1.0 + (self.next() * 5.0).floor());
            low.extend([DVec2::new(x0, down), DVec2::new(x1, down)]);
            high.extend([DVec2::new(x0, up), DVec2::new(x1, up)]);
        }
        high.reverse();
        low.extend(high);
        clean(&low)
    }
}

/// Leaves out repeated points and those on a line between their neighbours.
fn clean(points: &[DVec2]) -> Vec<DVec2> {
    let mut points = points.to_vec();
    loop {
        let n = points.len();
        let idle = (0..n).find(|i| {
            let (a, p, b) = (points[(i + n - 1) % n], points[*i], points[(i + 1) % n]);
            (p - a).perp_dot(b - p).abs() < 1e-12
        });
        match idle {
            Some(i) => points.remove(i),
            None => return points,
        };
    }
}

#[test]
fn random_polygons_are_covered_once_and_every_node_is_as_far_as_it_took() {
    let mut numbers = Numbers(7);
    for _ in 0..400 {
        let star = numbers.star();
        let depth = sound(&star, &[], None).depth();
        sound(&star, &[], Some(depth * numbers.next()));
        let stairs = numbers.stairs();
        let depth = sound(&stairs, &[], None).depth();
        sound(&stairs, &[], Some(depth * numbers.next()));
        // the same, turned: nothing is exact any more
        let turn = DVec2::from_angle(numbers.next());
        let turned: Vec<DVec2> = stairs.iter().map(|p| turn.rotate(*p) + DVec2::new(310.0, -70.0)).collect();
        sound(&turned, &[], None);
    }
}

#[test]
fn what_is_no_polygon_has_no_skeleton() {
    let clockwise = polygon(&[[0.0, 0.0], [0.0, 3.0], [5.0, 3.0], [5.0, 0.0]]);
    for wrong in
        [clockwise, polygon(&[[0.0, 0.0], [1.0, 0.0]]), polygon(&[[0.0, 0.0], [1.0, 0.0], [f64::NAN, 1.0]])]
    {
        assert_eq!(Skeleton::new(&wrong, &[], None), Err(NoSkeleton::NoPolygon));
    }
    let square = polygon(&[[0.0, 0.0], [6.0, 0.0], [6.0, 6.0], [0.0, 6.0]]);
    assert_eq!(Skeleton::new(&square, &[0.0; 4], None), Err(NoSkeleton::NeverMeet));
}
