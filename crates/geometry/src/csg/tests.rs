//! Bodies whose common volume one knows, and identities on bodies at random.

use super::*;
use crate::math::orthonormal;
use crate::region::Area;
use crate::solid::Face;
use glam::{DAffine3, DVec3};
use proptest::prelude::*;
use std::f64::consts::TAU;

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-7 * (1.0 + b.abs()), "{a} is not {b}");
}

fn block(min: DVec3, max: DVec3) -> Solid {
    Solid::cuboid(&Bounds { min, max }, &DAffine3::IDENTITY).unwrap()
}

fn cube(at: DVec3) -> Solid {
    block(at, at.map(|v| v + 1.0))
}

/// The volume of a body that is closed by polygons and by triangles, every edge with both its sides.
fn volume(solid: &Solid) -> f64 {
    if solid.faces.is_empty() {
        return 0.0;
    }
    assert!(solid.closed);
    let m = solid.mesh().measures();
    assert!(m.open < 1e-9, "open by {}", m.open);
    near(m.volume, solid.volume());
    // welding moves corners by up to a hundredth of a millimetre: what is thinner may have nothing left inside
    let tight = match watertight(solid) {
        Err(CsgError::Flat) => 0.0,
        welded => welded.unwrap().volume(),
    };
    assert!((tight - m.volume).abs() < 1e-5 * m.area, "{tight} is not {}", m.volume);
    m.volume
}

fn all(a: &Solid, b: &Solid) -> [f64; 4] {
    let of = |a, b, op| volume(&combine(a, b, op).unwrap());
    [of(a, b, Op::Union), of(a, b, Op::Intersection), of(a, b, Op::Difference), of(b, a, Op::Difference)]
}

fn check(a: &Solid, b: &Solid, common: f64) {
    let (va, vb) = (volume(a), volume(b));
    let [union, both, less, other] = all(a, b);
    near(both, common);
    near(union, va + vb - common);
    near(less, va - common);
    near(other, vb - common);
    near(shared_volume(&a.mesh(), &b.mesh()).unwrap(), common);
}

#[test]
fn two_cubes_share_an_eighth() {
    check(&cube(DVec3::ZERO), &cube(DVec3::splat(0.5)), 0.125);
}

#[test]
fn faces_of_one_plane_come_back_as_one() {
    let stacked = combine(&cube(DVec3::ZERO), &cube(DVec3::Z), Op::Union).unwrap();
    near(volume(&stacked), 2.0);
    assert_eq!(stacked.faces.len(), 6);
    assert!(stacked.faces.iter().all(|f| f.loops.len() == 1 && f.loops[0].len() == 4));
    let drilled = combine(
        &cube(DVec3::ZERO),
        &block(DVec3::new(0.25, 0.25, -1.0), DVec3::new(0.75, 0.75, 2.0)),
        Op::Difference,
    )
    .unwrap();
    assert_eq!(drilled.faces.len(), 10);
    assert_eq!(drilled.faces.iter().filter(|f| f.loops.len() == 2).count(), 2);
}

#[test]
fn bodies_that_share_faces_edges_or_corners_share_no_volume() {
    let a = cube(DVec3::ZERO);
    for b in
        [cube(DVec3::X), cube(DVec3::new(1.0, 0.5, 0.5)), cube(DVec3::new(1.0, 1.0, 0.0)), cube(DVec3::ONE)]
    {
        check(&a, &b, 0.0);
    }
}

#[test]
fn a_body_and_itself_are_one() {
    check(&cube(DVec3::ZERO), &cube(DVec3::ZERO), 1.0);
    let round = sphere(1.0, 24, &DAffine3::IDENTITY);
    check(&round, &round, volume(&round));
}

#[test]
fn a_body_within_another_leaves_a_hollow() {
    check(&block(DVec3::splat(-1.0), DVec3::splat(2.0)), &cube(DVec3::ZERO), 1.0);
    let hollow =
        combine(&block(DVec3::splat(-1.0), DVec3::splat(2.0)), &cube(DVec3::ZERO), Op::Difference).unwrap();
    // and a hollow body is a body as others are
    check(&hollow, &block(DVec3::new(-2.0, -2.0, 0.5), DVec3::new(3.0, 3.0, 4.0)), 1.5 * 9.0 - 0.5);
}

#[test]
fn coplanar_faces_of_bodies_within_each_other_leave_no_skin() {
    check(&block(DVec3::ZERO, DVec3::new(4.0, 0.2, 3.0)), &block(DVec3::X, DVec3::new(2.0, 0.2, 2.0)), 0.4);
    check(
        &block(DVec3::ZERO, DVec3::new(4.0, 0.2, 3.0)),
        &block(DVec3::new(1.0, 0.0, 0.5), DVec3::new(2.0, 0.2, 3.0)),
        0.5,
    );
}

#[test]
fn far_from_the_origin_nothing_is_lost() {
    let far = DAffine3 { translation: DVec3::new(4_500_000.0, 5_700_000.0, 120.0), ..DAffine3::IDENTITY };
    check(&cube(DVec3::ZERO).moved(&far), &cube(DVec3::splat(0.5)).moved(&far), 0.125);
}

#[test]
fn a_face_split_on_one_side_only_is_still_closed() {
    let mut split = cube(DVec3::ZERO);
    let top = split.faces.iter().position(|f| f.normal().unwrap().z > 0.9).unwrap();
    split.faces.remove(top);
    for x in [0.0, 0.5] {
        let l = [[x, 0.0, 1.0], [x + 0.5, 0.0, 1.0], [x + 0.5, 1.0, 1.0], [x, 1.0, 1.0]]
            .map(DVec3::from)
            .to_vec();
        split.faces.push(Face { loops: vec![l] });
    }
    check(&split, &cube(DVec3::splat(0.5)), 0.125);
}

#[test]
fn bodies_that_overlap_within_one_solid_count_once() {
    let mut two = cube(DVec3::ZERO);
    two.faces.extend(cube(DVec3::new(0.5, 0.0, 0.0)).faces);
    near(
        combine(&two, &block(DVec3::splat(-1.0), DVec3::splat(3.0)), Op::Intersection).unwrap().volume(),
        1.5,
    );
    near(
        combine(&two, &block(DVec3::new(-1.0, -1.0, 0.5), DVec3::splat(3.0)), Op::Difference)
            .unwrap()
            .volume(),
        0.75,
    );
}

#[test]
fn many_bodies_are_one_and_those_apart_stay_as_they_are() {
    let row: Vec<Solid> = (0..7).map(|i| cube(DVec3::new(0.75 * f64::from(i), 0.0, 0.0))).collect();
    let mut members: Vec<&Solid> = row.iter().collect();
    let lone = cube(DVec3::new(100.0, 0.0, 0.0));
    members.push(&lone);
    let whole = union(&members).unwrap();
    near(volume(&whole), 0.75 * 6.0 + 1.0 + 1.0);
    assert_eq!(whole.faces.len(), 12);
    assert_eq!(union(&[]).unwrap().faces.len(), 0);
}

#[test]
fn a_body_is_written_as_shells_with_their_hollows() {
    let whole =
        combine(&block(DVec3::splat(-1.0), DVec3::splat(2.0)), &cube(DVec3::ZERO), Op::Difference).unwrap();
    let two = union(&[&whole, &cube(DVec3::splat(9.0))]).unwrap();
    let found = shells(&two).unwrap();
    let counts: Vec<_> = found.shells.iter().map(|s| (s.outer.len(), s.hollows.len())).collect();
    assert!(counts == [(6, 1), (6, 0)] || counts == [(6, 0), (6, 1)], "{counts:?}");
    assert_eq!(found.points.len(), 24);
    // a face that its neighbours split differently comes as triangles whose corners meet
    let mut split = cube(DVec3::ZERO);
    let l = &mut split.faces[0].loops[0];
    let middle = l[0].midpoint(l[1]);
    l.insert(1, middle);
    assert!(shells(&split).unwrap().shells[0].outer.iter().all(|f| f.len() == 1 && f[0].len() == 3));
}

#[test]
fn several_cutters_may_overlap() {
    let holes = [
        block(DVec3::new(0.2, -1.0, 0.2), DVec3::new(0.6, 2.0, 0.8)),
        block(DVec3::new(0.4, -1.0, 0.2), DVec3::new(0.8, 2.0, 0.8)),
        cube(DVec3::splat(5.0)),
    ];
    let cut = less(&cube(DVec3::ZERO), &holes.each_ref()).unwrap();
    near(volume(&cut), 1.0 - 0.36);
    assert_eq!(cut.faces.len(), 10);
}

#[test]
fn what_is_no_body_is_refused_with_its_reason() {
    let good = cube(DVec3::ZERO);
    let mut open = cube(DVec3::splat(0.5));
    open.faces.pop();
    assert_eq!(combine(&good, &open, Op::Union), Err(CsgError::Open { edges: 4 }));
    let mut odd = cube(DVec3::splat(0.5));
    odd.faces[0].loops[0][0].x = f64::NAN;
    assert!(matches!(combine(&good, &odd, Op::Union), Err(CsgError::NotFinite | CsgError::Open { .. })));
    let flat = block(DVec3::new(0.2, 0.2, 0.5), DVec3::new(0.4, 0.4, 0.500_000_1));
    assert!(combine(&good, &flat, Op::Union).is_err());
    let mut twice = good.clone();
    twice.faces.extend(good.faces.iter().cloned().map(|mut f| {
        f.loops.iter_mut().for_each(|l| l.reverse());
        f
    }));
    assert_eq!(combine(&twice, &cube(DVec3::splat(0.5)), Op::Union), Err(CsgError::Flat));
    let crowd = sphere(1.0, 500, &DAffine3::IDENTITY);
    let crowd = Solid::new([crowd.faces.as_slice(), &crowd.faces].concat(), true);
    assert!(matches!(combine(&good, &crowd, Op::Union), Err(CsgError::TooLarge { .. })));
}

#[test]
fn a_body_whose_shells_touch_along_an_edge_is_still_cut() {
    let mut pair = cube(DVec3::ZERO);
    pair.faces.extend(cube(DVec3::new(1.0, 1.0, 0.0)).faces);
    check(&pair, &block(DVec3::new(0.5, 0.5, -1.0), DVec3::new(1.5, 1.5, 0.5)), 0.25);
}

/// Its top runs on beyond the box and becomes a foot there: along one edge faces of one plane look up and down. A body like that lost
/// a fifteenth of its volume on its way into the next operation.
#[test]
fn a_body_that_touches_itself_in_one_plane_goes_into_the_next_operation_whole() {
    let corners = [
        [-0.944_583_227_522_239_7, 0.229_959_261_738_527_65],
        [0.396_728_894_715_498_1, 1.0],
        [-0.946_614_372_201_629_4, 1.773_558_784_043_699_7],
    ];
    let corners = corners.map(glam::DVec2::from).to_vec();
    let at = DAffine3 { translation: DVec3::new(0.0, 0.0, 0.25), ..DAffine3::IDENTITY };
    let wedge = Solid::extrusion(&Area::new(corners, Vec::new()), &at, DVec3::Z, 0.159_622_336_114_369_27);
    let wedge = wedge.unwrap();
    let foot = block(DVec3::new(-1.0, 0.0, -0.25), DVec3::new(-0.25, 0.25, 0.25));
    let both = combine(&wedge, &foot, Op::Union).unwrap();
    near(volume(&both), volume(&wedge) + volume(&foot));
    check(&both, &block(DVec3::splat(-2.0), DVec3::splat(2.0)), volume(&both));
    check(&both, &block(DVec3::splat(-2.0), DVec3::new(2.0, 2.0, 0.25)), volume(&foot));
}

#[test]
fn a_body_that_nothing_meets_is_turned_outward_as_others_are() {
    let mut inward = cube(DVec3::new(5.0, 0.0, 0.0));
    inward.turn();
    let outward = cube(DVec3::ZERO);
    near(volume(&combine(&outward, &inward, Op::Union).unwrap()), 2.0);
    near(volume(&union(&[&outward, &inward]).unwrap()), 2.0);
    near(volume(&combine(&inward, &outward, Op::Difference).unwrap()), 1.0);
    near(volume(&less(&inward, &[&outward]).unwrap()), 1.0);
}

fn sphere(radius: f64, around: usize, at: &DAffine3) -> Solid {
    let up = around / 2;
    let point = |i: usize, k: usize| {
        let a = TAU * (i % around) as f64 / around as f64;
        let b = TAU / 2.0 * k as f64 / up as f64 - TAU / 4.0;
        let ring = if k == 0 || k == up { 0.0 } else { radius * b.cos() };
        at.transform_point3(DVec3::new(ring * a.cos(), ring * a.sin(), radius * b.sin()))
    };
    let mut faces = Vec::new();
    for (k, i) in (0..up).flat_map(|k| (0..around).map(move |i| (k, i))) {
        let [a, b, c, d] = [point(i, k), point(i + 1, k), point(i + 1, k + 1), point(i, k + 1)];
        if k > 0 {
            faces.push(Face { loops: vec![vec![a, b, c]] });
        }
        if k + 1 < up {
            faces.push(Face { loops: vec![vec![a, c, d]] });
        }
    }
    Solid::new(faces, true)
}

fn turned(yaw: f64, pitch: f64, o: DVec3) -> DAffine3 {
    let z = DVec3::new(pitch.sin() * yaw.cos(), pitch.sin() * yaw.sin(), pitch.cos());
    orthonormal(o, z, DVec3::new(yaw.cos(), 0.3, yaw.sin()))
}

/// A box, a star-shaped prism, a cylinder or a sphere; on a coarse grid and unturned half the time, so that faces and edges coincide.
fn body() -> impl Strategy<Value = Solid> {
    let cell = || (-4i32..=4).prop_map(|v| f64::from(v) * 0.25);
    let place = prop_oneof![
        [cell(), cell(), cell()].prop_map(|o| DAffine3::from_translation(o.into())),
        (0.0..TAU, 0.0..3.0, [-1.0..1.0, -1.0..1.0, -1.0..1.0]).prop_map(|(y, p, o)| turned(y, p, o.into())),
    ];
    let ring = |radii: Vec<f64>| {
        let n = radii.len() as f64;
        let points = radii.iter().enumerate().map(|(i, r)| (TAU * i as f64 / n, r));
        Area::new(points.map(|(a, r)| glam::DVec2::new(r * a.cos(), r * a.sin())).collect(), Vec::new())
    };
    let solid = prop_oneof![
        [1i32..5, 1..5, 1..5].prop_map(|s| block(DVec3::ZERO, DVec3::from(s.map(f64::from)) * 0.25)),
        (prop::collection::vec(0.2..1.0, 3..9), 0.1..1.5).prop_map(move |(radii, depth)| {
            Solid::extrusion(&ring(radii), &DAffine3::IDENTITY, DVec3::Z, depth).unwrap()
        }),
        (8usize..40, 0.2..1.0, 0.1..1.5).prop_map(move |(n, r, depth)| {
            Solid::extrusion(&ring(vec![r; n]), &DAffine3::IDENTITY, DVec3::Z, depth).unwrap()
        }),
        (4usize..16, 0.2..1.0).prop_map(|(n, r)| sphere(r, 2 * n, &DAffine3::IDENTITY)),
    ];
    (solid, place).prop_map(|(s, f)| s.moved(&f))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn volumes_of_random_bodies_add_up(a in body(), b in body()) {
        let [union, both, less, other] = all(&a, &b);
        let (va, vb) = (volume(&a), volume(&b));
        near(union + both, va + vb);
        near(less, va - both);
        near(other, vb - both);
    }

    #[test]
    fn a_body_cut_again_and_again_keeps_its_account(a in body(), cutters in prop::collection::vec(body(), 2..5)) {
        let cutters: Vec<&Solid> = cutters.iter().collect();
        let left = super::less(&a, &cutters).unwrap();
        let gone = combine(&a, &union(&cutters).unwrap(), Op::Intersection).unwrap();
        // what one operation made the next takes as it is: welding finds its corners apart or already one, so that only the
        // rounding of computed corners is left, and skins of less than a micrometre that are dropped. What is more is a lost piece
        near(volume(&left) + volume(&gone), volume(&a));
    }
}
