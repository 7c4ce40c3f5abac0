//! Tests of the part that two bodies share, against volumes that are known.

use super::{bar, block, element, extrusion, motion, moved, near};
use crate::{
    mesh::Mesh,
    query::overlap,
    region::{self, Area},
    solid::Solid,
};
use glam::{DAffine3, DVec2, DVec3};
use proptest::prelude::*;

fn volume(a: &Mesh, b: &Mesh) -> f64 {
    let of = |a: &Mesh, b: &Mesh| {
        overlap(&element(1, a.clone()), &element(2, b.clone()))
            .map_or(0.0, |o| o.volume.expect("a whole body"))
    };
    let shared = of(a, b);
    near(of(b, a), shared, 1e-9);
    shared
}

fn depth(a: &Mesh, b: &Mesh) -> f64 {
    overlap(&element(1, a.clone()), &element(2, b.clone())).unwrap().depth
}

#[test]
fn blocks_that_share_a_corner_an_edge_a_face_or_nothing() {
    let one = block(DVec3::ZERO, DVec3::new(2.0, 2.0, 2.0));
    for (min, max, shared) in [
        ([1.0, 1.0, 1.0], [3.0, 3.0, 3.0], 1.0),
        ([1.0, 0.0, 0.0], [3.0, 2.0, 2.0], 4.0),
        ([0.5, 0.5, 0.0], [1.5, 1.5, 2.0], 2.0),
        ([0.0, 0.0, 0.0], [2.0, 2.0, 2.0], 8.0),
        ([0.0, 0.0, 0.0], [1.0, 1.0, 1.0], 1.0),
        ([0.5, 0.5, 0.5], [1.0, 1.0, 1.0], 0.125),
        ([-1.0, -1.0, -1.0], [5.0, 5.0, 5.0], 8.0),
        ([2.0, 0.0, 0.0], [3.0, 2.0, 2.0], 0.0),
        ([2.0, 2.0, 0.0], [3.0, 3.0, 2.0], 0.0),
        ([2.0, 2.0, 2.0], [3.0, 3.0, 3.0], 0.0),
        ([-1.0, 0.5, 0.5], [3.0, 1.0, 1.0], 0.5),
    ] {
        near(volume(&one, &block(DVec3::from(min), DVec3::from(max))), shared, 1e-12);
    }
}

#[test]
fn the_depth_is_how_far_an_end_goes_in_or_the_thickness_of_what_is_gone_through() {
    let wall = block(DVec3::ZERO, DVec3::new(5.0, 0.24, 3.0));
    near(depth(&wall, &block(DVec3::new(1.0, 0.19, 1.0), DVec3::new(1.3, 4.0, 1.2))), 0.05, 1e-12);
    near(depth(&wall, &block(DVec3::new(1.0, -1.0, 1.0), DVec3::new(1.3, 4.0, 1.2))), 0.2, 1e-12);
    near(depth(&wall, &block(DVec3::new(1.0, -1.0, 1.0), DVec3::new(3.0, 4.0, 2.2))), 0.24, 1e-12);
    let across = motion(0.7, DVec3::new(3.0, 2.0, 1.0));
    let end = moved(&block(DVec3::new(1.0, 0.19, 1.0), DVec3::new(1.3, 4.0, 1.2)), &across);
    near(depth(&moved(&wall, &across), &end), 0.05, 1e-12);
}

#[test]
fn a_round_bar_through_a_wall_shares_its_section_times_the_thickness() {
    let wall = block(DVec3::new(-0.1, -2.0, 0.0), DVec3::new(0.1, 2.0, 3.0));
    for sides in [8, 16, 64] {
        let pipe = bar(0.05, sides, -1.0, 1.0, DVec2::new(0.5, 1.5));
        let angle = std::f64::consts::TAU / sides as f64;
        let section = 0.5 * 0.05 * 0.05 * angle.sin() * sides as f64;
        near(volume(&wall, &pipe), section * 0.2, 1e-12);
    }
}

#[test]
fn a_pipe_in_a_pipe_shares_the_inner_ones_body_and_a_hollow_one_nothing() {
    let ring = |outer: f64, inner: f64| {
        let round = |r: f64| -> Vec<DVec2> {
            (0..24)
                .map(|i| f64::from(i) / 24.0 * std::f64::consts::TAU)
                .map(|a| DVec2::new(r * a.cos(), r * a.sin()))
                .collect()
        };
        let area = Area::new(round(outer), vec![round(inner)]);
        Solid::extrusion(&area, &DAffine3::IDENTITY, DVec3::Z, 2.0).unwrap().mesh()
    };
    let sleeve = ring(0.2, 0.1);
    near(volume(&sleeve, &ring(0.1, 0.05)), 0.0, 1e-12);
    let pipe = ring(0.15, 0.05);
    let between = ring(0.15, 0.1).measures().volume;
    near(volume(&sleeve, &pipe), between, 1e-12);
}

#[test]
fn a_body_that_is_inside_out_shares_what_it_would_the_right_way_round() {
    let mut turned = block(DVec3::ZERO, DVec3::new(2.0, 2.0, 2.0));
    turned.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    near(volume(&turned, &block(DVec3::ONE, DVec3::new(3.0, 3.0, 3.0))), 1.0, 1e-12);
}

#[test]
fn bodies_far_from_the_origin_share_what_they_share_near_it() {
    let (a, b) = (
        block(DVec3::ZERO, DVec3::new(4.0, 0.3, 3.0)),
        block(DVec3::new(1.0, 0.25, 1.0), DVec3::new(2.0, 5.0, 2.0)),
    );
    for way in [[1e6, -1e6, 100.0], [1e6 + 0.1, 3e6 + 0.7, 0.3]] {
        let far = motion(0.0, way.into());
        near(volume(&moved(&a, &far), &moved(&b, &far)), 0.05, 1e-8);
        near(depth(&moved(&a, &far), &moved(&b, &far)), 0.05, 1e-8);
        let turned = motion(1.1, way.into());
        near(volume(&moved(&a, &turned), &moved(&b, &turned)), 0.05, 1e-8);
    }
}

#[test]
fn two_surfaces_without_volume_share_none_but_do_cross() {
    let sheet = |p: [DVec3; 4]| Mesh {
        positions: p.to_vec(),
        normals: vec![DVec3::Z; 4],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    };
    let level =
        sheet([DVec3::ZERO, DVec3::new(2.0, 0.0, 0.0), DVec3::new(2.0, 2.0, 0.0), DVec3::new(0.0, 2.0, 0.0)]);
    let upright = sheet([
        DVec3::new(1.0, 0.5, -1.0),
        DVec3::new(1.0, 1.5, -1.0),
        DVec3::new(1.0, 1.5, 1.0),
        DVec3::new(1.0, 0.5, 1.0),
    ]);
    let shared = overlap(&element(1, level.clone()), &element(2, upright)).unwrap();
    assert!(shared.volume.is_none());
    // a sheet in a block goes as deep as it reaches in
    let shared = overlap(
        &element(1, level),
        &element(2, block(DVec3::new(1.9, 0.5, -1.0), DVec3::new(3.0, 1.5, 1.0))),
    )
    .unwrap();
    assert!(shared.volume.is_none());
    near(shared.depth, 0.1, 1e-12);
}

/// Profiles with corners on a coarse grid, so that edges and faces fall on each other all the time.
fn profile() -> impl Strategy<Value = Vec<DVec2>> {
    let corner = (0..5_i32, 0..5_i32).prop_map(|(x, y)| DVec2::new(f64::from(x), f64::from(y)));
    let about = |p: DVec2, c: DVec2| (p.y - c.y).atan2(p.x - c.x);
    prop::collection::vec(corner, 3..9).prop_filter_map("a star about its middle", move |mut points| {
        let n = points.len() as f64;
        let c = points.iter().fold(DVec2::new(0.031, 0.017), |s, p| s + *p / n);
        points.sort_by(|a, b| about(*a, c).total_cmp(&about(*b, c)));
        points.dedup();
        let areas = region::even_odd(&[points.clone()]);
        (areas.len() == 1 && areas[0].holes.is_empty()).then(|| areas[0].outer.clone())
    })
}

fn level() -> impl Strategy<Value = [f64; 2]> {
    (0..4_i32, 1..4_i32).prop_map(|(foot, height)| [f64::from(foot), f64::from(height)])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn prisms_share_the_area_they_share_times_the_height_they_share(
        (p, q) in (profile(), profile()), (h, k) in (level(), level())
    ) {
        let (a, b) = (extrusion(&p, h[0], h[1]), extrusion(&q, k[0], k[1]));
        let area: f64 = region::intersection(&[p], &[q]).iter().map(Area::size).sum();
        let height = (h[0] + h[1]).min(k[0] + k[1]) - h[0].max(k[0]);
        near(volume(&a, &b), area * height.max(0.0), 1e-5);
    }

    #[test]
    fn where_two_bodies_stand_together_does_not_change_what_they_share(
        (p, q) in (profile(), profile()), turn in 0.0..6.3, way in prop::array::uniform3(-1e3..1e3)
    ) {
        let (a, b) = (extrusion(&p, 0.0, 2.0), extrusion(&q, 1.0, 2.0));
        let by = motion(turn, way.into());
        let (here, there) = (volume(&a, &b), volume(&moved(&a, &by), &moved(&b, &by)));
        near(there, here, 1e-9);
    }

    #[test]
    fn what_two_blocks_share_at_any_angle_is_what_the_clipped_polygons_measure(
        turn in 0.0..6.3, way in prop::array::uniform3(-1.5..1.5)
    ) {
        // a turned block cut by the six planes of an upright one, face by face
        let block_a = block(DVec3::splat(-1.0), DVec3::ONE);
        let b = moved(&block(DVec3::new(-1.0, -0.5, -0.7), DVec3::new(1.0, 0.5, 0.7)), &motion(turn, way.into()));
        let slices = 200;
        let mut sum = 0.0;
        for i in 0..slices {
            let z = -1.0 + 2.0 * (f64::from(i) + 0.5) / f64::from(slices);
            let plane = crate::section::Plane::level(z).unwrap();
            let cut = crate::section::of_mesh(&b, &plane);
            let loops: Vec<Vec<DVec2>> = cut.areas.iter().flat_map(|a| a.loops().cloned()).collect();
            let square = region::rectangle(DVec2::NEG_ONE, DVec2::ONE);
            sum += region::intersection(&loops, &[square]).iter().map(Area::size).sum::<f64>();
        }
        // a slice that ends within counts whole or not at all: half its height at either end, of an area of 2
        near(volume(&block_a, &b), sum * 2.0 / f64::from(slices), 2e-2);
    }
}
