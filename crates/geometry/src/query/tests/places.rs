//! Rays, distances, boxes and points against asking every triangle.

use super::{block, element, extrusion, motion, moved, near};
use crate::{
    math::Bounds,
    mesh::Mesh,
    query::{Enclosure, Index, Lies, Ray, triangle},
    region::{self, Area},
};
use glam::{DVec2, DVec3};
use ifc::Id;
use proptest::prelude::*;
use std::sync::Arc;

/// A vector of which no part is longer than this.
fn vector(most: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-most..most).prop_map(DVec3::from)
}

/// Triangles anywhere.
fn soup() -> impl Strategy<Value = Mesh> {
    prop::collection::vec((vector(3.0), vector(1.0), vector(1.0)), 1..60).prop_map(|all| {
        let mut mesh = Mesh::default();
        for (a, u, v) in all {
            let start = mesh.positions.len() as u32;
            mesh.positions.extend([a, a + u, a + v]);
            mesh.normals.extend([DVec3::Z; 3]);
            mesh.triangles.push([start, start + 1, start + 2]);
        }
        mesh
    })
}

fn corners(mesh: &Mesh) -> Vec<[DVec3; 3]> {
    mesh.triangles.iter().map(|t| t.map(|i| mesh.positions[i as usize])).collect()
}

/// The least distance of many points of either triangle: never less than the true one.
fn by_points(s: [DVec3; 3], t: [DVec3; 3]) -> f64 {
    let points = |[a, b, c]: [DVec3; 3]| {
        (0..=20).flat_map(move |i| {
            (0..=20 - i).map(move |j| {
                let (u, v) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                a * (1.0 - u - v) + b * u + c * v
            })
        })
    };
    points(s).map(|p| (p - triangle::nearest_on_triangle(p, t)).length()).fold(f64::INFINITY, f64::min)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_distance_of_two_elements_is_the_least_of_their_triangles(a in soup(), b in soup(), x in 0.0..8.0) {
        let b = moved(&b, &motion(1.0, DVec3::new(x, 0.0, 0.0)));
        let (e, f) = (element(1, a.clone()), element(2, b.clone()));
        let found = e.distance(&f, f64::INFINITY).unwrap();
        let least = corners(&a).into_iter()
            .flat_map(|s| corners(&b).into_iter().map(move |t| triangle::distance(s, t).0))
            .fold(f64::INFINITY, f64::min);
        near(found.metres, least, 1e-9);
        near(found.vector().length(), found.metres, 1e-9);
        near(f.distance(&e, f64::INFINITY).unwrap().metres, found.metres, 1e-9);
        prop_assert!(e.distance(&f, found.metres * 0.9 - 1e-6).is_none());
        let far = motion(0.5, DVec3::new(1e6, -2e6, 50.0));
        let there = element(1, moved(&a, &far)).distance(&element(2, moved(&b, &far)), f64::INFINITY).unwrap();
        near(there.metres, found.metres, 1e-8);
    }

    #[test]
    fn two_triangles_are_as_far_apart_as_their_points(a in soup(), b in soup()) {
        for (s, t) in corners(&a).into_iter().zip(corners(&b)).take(4) {
            let (metres, points) = triangle::distance(s, t);
            let sampled = by_points(s, t);
            prop_assert!(metres <= sampled + 1e-9 && sampled <= metres + 0.15, "{metres} {sampled}");
            near((points[0] - points[1]).length(), metres, 1e-9);
            for (p, of) in points.into_iter().zip([s, t]) {
                near((p - triangle::nearest_on_triangle(p, of)).length(), 0.0, 1e-9);
            }
        }
    }

    #[test]
    fn a_ray_meets_what_asking_every_triangle_says(
        meshes in prop::collection::vec(soup(), 1..12), origin in vector(5.0),
        direction in vector(1.0)
    ) {
        let Some(ray) = Ray::new(origin, direction) else { return Ok(()) };
        let scene: Index = meshes.iter().cloned().zip(1..).map(|(m, i)| (Id(i), Arc::new(m))).collect();
        let mut brute: Vec<(f64, u32)> = meshes.iter().zip(1..)
            .flat_map(|(m, i)| corners(m).into_iter().map(move |t| (t, i)))
            .filter_map(|(t, i)| Some((triangle::hit(origin, ray.direction(), t)?, i)))
            .filter(|(d, _)| *d >= 0.0)
            .collect();
        brute.sort_by(|a, b| a.0.total_cmp(&b.0));
        let hits = scene.hits(&ray);
        prop_assert_eq!(hits.len(), brute.len());
        for (hit, (d, i)) in hits.iter().zip(&brute) {
            near(hit.distance, *d, 1e-9);
            prop_assert_eq!(hit.element.0, *i);
        }
        prop_assert_eq!(scene.first_hit(&ray, |_| true).map(|h| h.element), hits.first().map(|h| h.element));
        let first = hits.first().map(|h| h.element);
        let beyond = scene.first_hit(&ray, |id| Some(id) != first).map(|h| h.element);
        prop_assert_eq!(beyond, hits.iter().map(|h| h.element).find(|e| Some(*e) != first));
    }

    #[test]
    fn a_scene_that_changed_answers_as_a_new_one(
        steps in prop::collection::vec((0..40_u32, vector(20.0), any::<bool>()), 1..150)
    ) {
        let mut scene = Index::default();
        let mut kept = std::collections::BTreeMap::new();
        for (n, (id, at, stays)) in steps.into_iter().enumerate() {
            let mesh = Arc::new(block(at, at + DVec3::new(2.0, 3.0, 1.0)));
            if stays {
                scene.insert(Id(id), mesh.clone());
                kept.insert(id, mesh);
            } else {
                prop_assert_eq!(scene.remove(Id(id)), kept.remove(&id).is_some());
            }
            if n % 7 != 0 {
                continue;
            }
            let fresh: Index = kept.iter().map(|(i, m)| (Id(*i), m.clone())).collect();
            let pairs = |s: &Index, o: Option<&Index>| {
                let near = s.near_pairs(o, 0.5, 1 << 20).unwrap();
                near.iter().map(|(a, b)| (a.id(), b.id())).collect::<Vec<_>>()
            };
            prop_assert_eq!(scene.len(), fresh.len());
            prop_assert_eq!(pairs(&scene, None), pairs(&fresh, None));
            prop_assert_eq!(pairs(&scene, Some(&fresh)), pairs(&fresh, Some(&scene)));
            prop_assert_eq!(scene.nearest(at, 3, 30.0), fresh.nearest(at, 3, 30.0));
        }
    }
}

#[test]
fn a_ray_through_a_block_goes_in_and_out_once_even_along_a_diagonal() {
    let cube = element(1, block(DVec3::ZERO, DVec3::ONE));
    for (origin, direction) in [
        ([-1.0, 0.5, 0.5], [1.0, 0.0, 0.0]),
        ([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]),
        ([0.3, 0.7, 5.0], [0.0, 0.0, -2.0]),
        ([0.25, 0.25, 5.0], [0.0, 0.0, -1.0]),
    ] {
        let ray = Ray::new(origin.into(), direction.into()).unwrap();
        let hits = cube.hits(&ray);
        assert_eq!(hits.len(), 2, "{hits:?}");
        assert!(!hits[0].is_from_inside(ray.direction()) && hits[1].is_from_inside(ray.direction()));
        assert_eq!(cube.first_hit(&ray), Some(hits[0]));
        assert_eq!(cube.first_hit(&ray.up_to(0.1)), None);
    }
}

#[test]
fn nearest_elements_come_in_order_and_what_one_stands_in_is_at_no_distance() {
    let scene: Index = (0..50)
        .map(|i| {
            let x = f64::from(i) * 3.0;
            (Id(i as u32 + 1), Arc::new(block(DVec3::new(x, 0.0, 0.0), DVec3::new(x + 1.0, 1.0, 1.0))))
        })
        .collect();
    let found = scene.nearest(DVec3::new(30.5, 0.5, 0.5), 3, 100.0);
    assert_eq!(found.iter().map(|n| n.element.0).collect::<Vec<_>>(), [11, 10, 12]);
    near(found[0].distance, 0.0, 0.0);
    near(found[1].distance, 2.5, 1e-12);
    assert_eq!(scene.nearest(DVec3::new(30.5, 0.5, 0.5), 9, 2.0).len(), 1);
    assert_eq!(scene.at_point(DVec3::new(30.5, 0.5, 0.5)), [Id(11)]);
    let one = scene.get(Id(11)).unwrap();
    assert_eq!(scene.around(one, 2.0).iter().map(|(i, _)| i.0).collect::<Vec<_>>(), [10, 12]);
    near(one.signed_distance(DVec3::new(30.5, 0.5, 0.75)).unwrap(), -0.25, 1e-12);
}

#[test]
fn distances_in_plan_in_height_and_of_middles() {
    let low = element(1, block(DVec3::ZERO, DVec3::ONE));
    let high = element(2, block(DVec3::new(4.0, 5.0, 7.0), DVec3::new(6.0, 6.0, 8.0)));
    near(low.plan_distance(&high, 100.0).unwrap().metres, 5.0, 1e-12);
    near(low.height_between(&high), 6.0, 0.0);
    near(low.distance(&high, 100.0).unwrap().metres, 61_f64.sqrt(), 1e-12);
    near(low.centre_distance(&high), DVec3::new(4.5, 5.0, 7.0).length(), 1e-12);
    let above = element(3, block(DVec3::new(0.2, 0.2, 7.0), DVec3::new(0.3, 0.3, 8.0)));
    near(low.plan_distance(&above, 100.0).unwrap().metres, 0.0, 1e-12);
}

#[test]
fn a_point_is_in_bodies_that_overlap_and_in_a_box_without_its_lid() {
    let mut two = block(DVec3::ZERO, DVec3::new(2.0, 1.0, 1.0));
    two.append(&block(DVec3::X, DVec3::new(3.0, 1.0, 1.0)));
    let two = element(1, two);
    for x in [0.5, 1.5, 2.5] {
        assert!(two.contains(DVec3::new(x, 0.5, 0.5)));
    }
    assert!(!two.contains(DVec3::new(3.5, 0.5, 0.5)) && !two.contains(DVec3::new(1.5, 1.5, 0.5)));
    let mut open = block(DVec3::ZERO, DVec3::ONE);
    let lid = |t: &[u32; 3]| t.iter().all(|i| open.positions[*i as usize].z > 0.5);
    open.triangles = open.triangles.iter().copied().filter(|t| !lid(t)).collect();
    let open = element(2, open);
    assert!(
        !open.is_solid()
            && open.contains(DVec3::new(0.5, 0.5, 0.3))
            && !open.contains(DVec3::new(0.5, 0.5, 1.2))
    );
}

#[test]
fn elements_in_a_box_across_it_and_around_it() {
    let cube = |min: DVec3, max: DVec3| Enclosure::cuboid(Bounds { min, max });
    let e = element(1, block(DVec3::ZERO, DVec3::splat(2.0)));
    assert_eq!(cube(DVec3::splat(-1.0), DVec3::splat(3.0)).holds(&e), Lies::Inside);
    assert_eq!(cube(DVec3::ZERO, DVec3::splat(2.0)).holds(&e), Lies::Inside);
    assert_eq!(cube(DVec3::ONE, DVec3::splat(3.0)).holds(&e), Lies::Across);
    assert_eq!(cube(DVec3::splat(0.5), DVec3::splat(1.5)).holds(&e), Lies::Across);
    assert_eq!(cube(DVec3::new(-1.0, 0.5, 0.5), DVec3::new(3.0, 0.6, 0.6)).holds(&e), Lies::Across);
    assert_eq!(cube(DVec3::splat(2.5), DVec3::splat(3.0)).holds(&e), Lies::Outside);
    // the box of an L reaches where its body does not
    let l = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]].map(DVec2::from);
    let l = element(2, extrusion(&l, 0.0, 1.0));
    assert_eq!(cube(DVec3::new(2.0, 2.0, 0.2), DVec3::new(2.5, 2.5, 0.8)).holds(&l), Lies::Outside);
    assert_eq!(cube(DVec3::new(0.2, 2.0, 0.2), DVec3::new(0.5, 2.5, 0.8)).holds(&l), Lies::Across);
}

#[test]
fn elements_over_an_area_with_a_court() {
    let square = |a: f64, b: f64| region::rectangle(DVec2::splat(a), DVec2::splat(b));
    let ring = Area::new(square(0.0, 10.0), vec![square(4.0, 6.0)]);
    let yard = Enclosure::prism(ring, 0.0, 3.0).unwrap();
    let at = |min: DVec3, max: DVec3| yard.holds(&element(1, block(min, max)));
    assert_eq!(at(DVec3::ONE, DVec3::new(2.0, 2.0, 2.0)), Lies::Inside);
    assert_eq!(at(DVec3::new(4.5, 4.5, 1.0), DVec3::new(5.5, 5.5, 2.0)), Lies::Outside);
    assert_eq!(at(DVec3::new(3.5, 4.5, 1.0), DVec3::new(5.5, 5.5, 2.0)), Lies::Across);
    assert_eq!(at(DVec3::new(3.0, 3.0, 1.0), DVec3::new(7.0, 7.0, 2.0)), Lies::Across);
    assert_eq!(at(DVec3::new(1.0, 1.0, 2.0), DVec3::new(2.0, 2.0, 4.0)), Lies::Across);
    assert_eq!(at(DVec3::new(1.0, 1.0, 3.5), DVec3::new(2.0, 2.0, 4.0)), Lies::Outside);
    assert_eq!(at(DVec3::new(-5.0, -5.0, -5.0), DVec3::new(15.0, 15.0, 15.0)), Lies::Across);
    assert!(Enclosure::prism(Area::default(), 0.0, 1.0).is_none());
}

#[test]
fn a_camera_sees_what_is_ahead_of_it() {
    let view =
        Enclosure::view(DVec3::ZERO, DVec3::new(10.0, 0.0, 0.0), DVec3::Z, 1.0, 1.5, [0.1, 50.0]).unwrap();
    let scene: Index =
        [[10.0, 0.0, 0.0], [-10.0, 0.0, 0.0], [10.0, 30.0, 0.0], [10.0, 7.5, 0.0], [60.0, 0.0, 0.0]]
            .into_iter()
            .zip(1..)
            .map(|(p, i)| (DVec3::from(p), i))
            .map(|(p, i)| (Id(i), Arc::new(block(p, p + DVec3::ONE))))
            .collect();
    assert_eq!(scene.in_enclosure(&view), [(Id(1), Lies::Inside), (Id(4), Lies::Across)]);
    assert!(Enclosure::view(DVec3::ZERO, DVec3::ZERO, DVec3::Z, 1.0, 1.0, [0.1, 1.0]).is_none());
}
