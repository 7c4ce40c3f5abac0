//! Openings that are cut together are cut as they are one by one.

use super::near;
use crate::math::orthonormal;
use crate::{
    cutter::{Cutter, cut},
    math::Bounds,
    prism::{Prism, subtract},
    region::Area,
    solid::Solid,
};
use glam::{DAffine3, DVec2, DVec3};
use proptest::prelude::*;
use std::f64::consts::TAU;

/// An opening in a wall along x: its outline in x and z, from y0 to y1.
fn opening(outline: &[DVec2], y: [f64; 2]) -> Prism {
    let frame = orthonormal(DVec3::new(0.0, y[1], 0.0), DVec3::NEG_Y, DVec3::X);
    Prism::extrusion(&Area::new(outline.to_vec(), Vec::new()), &frame, DVec3::Z, y[1] - y[0]).unwrap()
}

fn rectangle(x: [f64; 2], z: [f64; 2]) -> Vec<DVec2> {
    vec![DVec2::new(x[0], z[0]), DVec2::new(x[1], z[0]), DVec2::new(x[1], z[1]), DVec2::new(x[0], z[1])]
}

/// A wall along x of 6 by 3 m, 0.2 m thick: its outline from above is given, so that it may be mitred.
fn wall(plan: &[DVec2]) -> Solid {
    Solid::extrusion(&Area::new(plan.to_vec(), Vec::new()), &DAffine3::IDENTITY, DVec3::Z, 3.0).unwrap()
}

fn straight() -> Solid {
    wall(&[DVec2::ZERO, DVec2::new(6.0, 0.0), DVec2::new(6.0, 0.2), DVec2::new(0.0, 0.2)])
}

fn cut_all(body: &Solid, prisms: &[Prism]) -> Solid {
    let cutters: Vec<Cutter> = prisms.iter().cloned().map(Cutter::Prism).collect();
    let cut = cut(body, &cutters);
    assert!(cut.refused.is_empty(), "{:?}", cut.refused);
    cut.left.unwrap_or_else(|| body.clone())
}

/// Volume and surface, by polygons and by triangles; closed.
fn measured(solid: &Solid) -> [f64; 2] {
    let m = solid.mesh().measures();
    assert!(m.open < 1e-6 || solid.faces.is_empty(), "open by {}", m.open);
    near(m.volume, solid.volume());
    [m.volume, m.area]
}

/// Returns the measures of what was cut face by face, which leaves its faces some micrometres apart where they lean.
fn about(solid: &Solid) -> [f64; 2] {
    let m = solid.mesh().measures();
    assert!(m.open < 1e-5 || solid.faces.is_empty(), "open by {}", m.open);
    assert!((m.volume - solid.volume()).abs() < 1e-5, "{} is not {}", m.volume, solid.volume());
    let area = |l: &Vec<DVec3>| crate::math::vector_area(l);
    let sum = |f: &crate::Face| f.loops.iter().map(area).sum::<DVec3>();
    [m.volume, solid.faces.iter().map(|f| sum(f).length()).sum()]
}

/// Every edge has both its faces, without any welding.
fn is_tight(solid: &Solid) -> bool {
    let mut sides: Vec<([u64; 3], [u64; 3])> = Vec::new();
    for l in solid.faces.iter().flat_map(|f| &f.loops) {
        for (a, b) in l.iter().zip(l.iter().skip(1).chain(l.first())) {
            sides.push((a.to_array().map(f64::to_bits), b.to_array().map(f64::to_bits)));
        }
    }
    let mut turned: Vec<_> = sides.iter().map(|(a, b)| (*b, *a)).collect();
    sides.sort_unstable();
    turned.sort_unstable();
    sides == turned
}

#[test]
fn windows_leave_the_faces_that_they_do_not_meet_as_they_are() {
    // mitred at both ends: no extrusion along its thickness
    let wall = wall(&[DVec2::ZERO, DVec2::new(6.0, 0.0), DVec2::new(5.8, 0.2), DVec2::new(0.2, 0.2)]);
    let windows = [rectangle([1.0, 2.0], [0.9, 2.1]), rectangle([3.0, 4.0], [0.9, 2.1])];
    let prisms: Vec<Prism> = windows.iter().map(|o| opening(o, [-0.1, 0.3])).collect();
    let left = cut_all(&wall, &prisms);
    near(measured(&left)[0], measured(&wall)[0] - 2.0 * 0.2 * 1.2);
    assert!(is_tight(&left));
    assert_eq!(left.faces.len(), 6 + 8);
    let kept = wall.faces.iter().filter(|f| left.faces.contains(f)).count();
    assert_eq!(kept, 4);
    assert_eq!(left.faces.iter().filter(|f| f.loops.len() == 3).count(), 2);
}

#[test]
fn a_door_and_what_touches_or_overlaps_it_are_one_hole() {
    let doors = [
        rectangle([1.0, 2.0], [0.0, 2.1]),
        rectangle([2.0, 2.5], [0.0, 2.1]),
        rectangle([2.25, 3.0], [1.0, 2.5]),
        rectangle([4.0, 5.0], [-1.0, 2.0]),
    ];
    let prisms: Vec<Prism> = doors.iter().map(|o| opening(o, [-0.1, 0.3])).collect();
    let left = cut_all(&straight(), &prisms);
    let gone = 2.1 + 0.5 * 2.1 + 0.75 * 1.5 - 0.25 * 1.1 + 2.0;
    near(measured(&left)[0], 0.2 * (18.0 - gone));
    assert!(is_tight(&left));
    for corner in straight().points() {
        assert!(left.points().any(|p| p == corner), "{corner:?} moved");
    }
}

#[test]
fn an_opening_as_deep_as_its_wall_to_rounding_leaves_no_skin() {
    for off in [0.0, 1e-9, -1e-9, 4e-6, -4e-6] {
        for z in [0.0, 0.5] {
            let prism = opening(&rectangle([1.0, 2.0], [z, 2.0]), [off, 0.2 - off]);
            let left = cut_all(&straight(), &[prism]);
            near(measured(&left)[0], 0.2 * (18.0 - 2.0 + z));
            assert!(is_tight(&left));
        }
    }
}

#[test]
fn a_skylight_goes_through_both_sides_of_a_leaning_roof() {
    let lean = orthonormal(DVec3::new(0.0, 0.0, 5.0), DVec3::new(0.3, -0.5, 1.0), DVec3::X);
    let roof = Solid::cuboid(&Bounds { min: DVec3::ZERO, max: DVec3::new(5.0, 4.0, 0.3) }, &lean).unwrap();
    let middle = lean.transform_point3(DVec3::new(2.5, 2.0, 0.0));
    let ring: Vec<DVec2> = (0..24)
        .map(|i| TAU * f64::from(i) / 24.0)
        .map(|a| middle.truncate() + 0.5 * DVec2::from_angle(a))
        .collect();
    let area = Area::new(ring, Vec::new());
    let prism = Prism::extrusion(&area, &DAffine3::IDENTITY, DVec3::Z, 20.0).unwrap();
    let left = cut_all(&roof, &[prism]);
    near(measured(&left)[0], 6.0 - 0.3 * area.size() / lean.z_axis.z);
    assert!(is_tight(&left));
    assert_eq!(left.faces.len(), 6 + 24);
}

#[test]
fn an_opening_through_two_leaves_of_a_wall_goes_through_both() {
    let mut leaves = straight();
    let away = DAffine3 { translation: DVec3::new(0.0, 0.3, 0.0), ..DAffine3::IDENTITY };
    leaves.faces.extend(straight().moved(&away).faces);
    let left = cut_all(&leaves, &[opening(&rectangle([1.0, 2.0], [1.0, 2.0]), [-1.0, 1.0])]);
    near(measured(&left)[0], 2.0 * 0.2 * 17.0);
    assert_eq!(left.faces.len(), 12 + 8);
    // and one that ends between them through one
    let left = cut_all(&leaves, &[opening(&rectangle([1.0, 2.0], [1.0, 2.0]), [-1.0, 0.25])]);
    near(measured(&left)[0], 2.0 * 0.2 * 18.0 - 0.2);
}

#[test]
fn a_frame_shaped_opening_leaves_what_is_in_it() {
    let outer = rectangle([1.0, 3.0], [0.5, 2.5]);
    let inner = rectangle([1.5, 2.5], [1.0, 2.0]);
    let frame = orthonormal(DVec3::new(0.0, 0.3, 0.0), DVec3::NEG_Y, DVec3::X);
    let prism = Prism::extrusion(&Area::new(outer, vec![inner]), &frame, DVec3::Z, 0.4).unwrap();
    near(measured(&cut_all(&straight(), &[prism]))[0], 0.2 * (18.0 - 3.0));
}

#[test]
fn a_whole_wall_may_go() {
    let left = cut_all(&straight(), &[opening(&rectangle([-1.0, 7.0], [-1.0, 4.0]), [-1.0, 1.0])]);
    assert!(left.faces.is_empty());
    let halves = [rectangle([-1.0, 3.0], [-1.0, 4.0]), rectangle([3.0, 7.0], [-1.0, 4.0])];
    let left = cut_all(&straight(), &halves.map(|o| opening(&o, [-1.0, 1.0])));
    assert!(left.faces.is_empty());
}

#[test]
fn a_sill_of_a_few_micrometres_is_left_to_the_general_way() {
    let left = cut_all(&straight(), &[opening(&rectangle([1.0, 2.0], [3e-6, 2.0]), [-0.1, 0.3])]);
    let [volume, _] = measured(&left);
    assert!((volume - 0.2 * 16.0).abs() < 1e-5, "{volume}");
}

/// A box, a mitred wall, one under a gable, one with a step at its end, or a plate with a hole.
fn body() -> impl Strategy<Value = Solid> {
    prop_oneof![
        Just(straight()),
        // faces that lean less from an opening's side are told from it only by micrometres
        (0.05..0.5).prop_map(|m| wall(&[
            DVec2::ZERO,
            DVec2::new(6.0, 0.0),
            DVec2::new(6.0 - m, 0.2),
            DVec2::new(m, 0.2)
        ])),
        (1.0..2.5).prop_map(|h| {
            let outline = [[0.0, 0.0], [6.0, 0.0], [6.0, h], [3.0, 3.0], [0.0, h]].map(DVec2::from).to_vec();
            let frame = orthonormal(DVec3::new(0.0, 0.2, 0.0), DVec3::NEG_Y, DVec3::X);
            Solid::extrusion(&Area::new(outline, Vec::new()), &frame, DVec3::Z, 0.2).unwrap()
        }),
        Just(wall(&[
            DVec2::ZERO,
            DVec2::new(6.0, 0.0),
            DVec2::new(6.0, 0.2),
            DVec2::new(5.0, 0.2),
            DVec2::new(5.0, 0.4),
            DVec2::new(0.0, 0.4)
        ])),
        Just(subtract(&straight(), &opening(&rectangle([2.0, 3.5], [0.5, 1.5]), [-1.0, 1.0])).unwrap()),
    ]
}

/// A rectangle on a coarse grid, so that edges coincide, or a ring or an angle anywhere; through the wall, exactly as deep, or a niche.
fn hole() -> impl Strategy<Value = Prism> {
    let grid = |n: i32| (-1..n).prop_map(|v| f64::from(v) * 0.5);
    let outline = prop_oneof![
        3 => (grid(12), 1i32..5, grid(6), 1i32..6).prop_map(|(x, w, z, h)| {
            rectangle([x, x + 0.5 * f64::from(w)], [z, z + 0.5 * f64::from(h)])
        }),
        1 => (0.0..6.0, 0.0..3.0, 0.1..1.0, 5u32..40).prop_map(|(x, z, r, n)| {
            let at = |i: u32| TAU * f64::from(i) / f64::from(n);
            (0..n).map(|i| DVec2::new(x + r * at(i).cos(), z + r * at(i).sin())).collect()
        }),
        1 => (0.0..5.0, 0.0..2.0, 0.2..1.0).prop_map(|(x, z, s)| {
            [[x, z], [x + s, z], [x + s, z + 0.5 * s], [x + 0.5 * s, z + 0.5 * s], [x + 0.5 * s, z + s], [x, z + s]]
                .map(DVec2::from)
                .to_vec()
        }),
    ];
    let depth = prop_oneof![4 => Just([-0.5, 0.7]), 2 => Just([0.0, 0.2]), 1 => Just([-0.5, 0.1]), 1 => Just([0.05, 0.15])];
    let turn = prop_oneof![4 => Just(false), 1 => Just(true)];
    (outline, depth, turn).prop_map(|(o, d, turn)| {
        let prism = opening(&o, d);
        if !turn {
            return prism;
        }
        // the same looked at from the other side
        let frame = DAffine3::from_cols(
            prism.frame.x_axis,
            -prism.frame.y_axis,
            -prism.frame.z_axis,
            prism.frame.translation,
        );
        let flip = |s: Option<[f64; 3]>| s.map(|s| [-s[0], s[1], -s[2]]);
        let area = prism
            .area
            .map(|ls| ls.into_iter().map(|l| l.into_iter().map(|p| p.with_y(-p.y)).collect()).collect());
        Prism { area, frame, low: flip(prism.high), high: flip(prism.low) }
    })
}

fn place() -> impl Strategy<Value = DAffine3> {
    let point = || [-1.0..1.0, -1.0..1.0, -1.0..1.0_f64].prop_map(DVec3::from);
    let turned = (point(), point(), point()).prop_filter_map("no axes", |(o, z, x)| {
        let long = |v: DVec3| v.length() > 0.3;
        (long(z) && long(z.cross(x))).then(|| orthonormal(o * 100.0, z, x))
    });
    prop_oneof![Just(DAffine3::IDENTITY), turned]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn openings_cut_together_leave_what_they_leave_one_by_one(
        body in body(),
        holes in prop::collection::vec(hole(), 1..6),
        at in place(),
    ) {
        let body = body.moved(&at);
        let prisms: Vec<Prism> = holes.iter().map(|h| h.moved(&at).unwrap()).collect();
        let together = about(&cut_all(&body, &prisms));
        if let Ok(slowly) = prisms.iter().try_fold(body, |b, p| subtract(&b, p)) {
            let slowly = about(&slowly);
            for i in 0..2 {
                let off = (together[i] - slowly[i]).abs();
                prop_assert!(off < 2e-5, "{together:?} is not {slowly:?}");
            }
        }
    }
}
