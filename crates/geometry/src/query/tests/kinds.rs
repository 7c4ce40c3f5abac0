//! Tests of the kinds of pairs, and of all pairs of many.

use super::{block, element, extrusion, motion, moved, near};
use crate::{
    mesh::Mesh,
    query::{Index, Interference, Kind, Refused, Rules, contact, interference, interferences},
};
use glam::{DVec2, DVec3};
use ifc::Id;
use std::sync::Arc;

fn rules() -> Rules {
    Rules { touching: true, clearance: 0.1, ..Rules::default() }
}

/// The finding, which must be the mirrored one when the elements are asked the other way round.
fn kind(a: &Mesh, b: &Mesh) -> Option<Kind> {
    let ask = |a: &Mesh, b: &Mesh| {
        interference(&element(1, a.clone()), &element(2, b.clone()), &rules()).map(|i| i.kind)
    };
    let found = ask(a, b);
    match (found, ask(b, a)) {
        (Some(Kind::Inside { volume }), Some(Kind::Contains { volume: v }))
        | (Some(Kind::Contains { volume }), Some(Kind::Inside { volume: v }))
        | (Some(Kind::Duplicate { volume: Some(volume) }), Some(Kind::Duplicate { volume: Some(v) }))
        | (Some(Kind::Hard { volume: Some(volume), .. }), Some(Kind::Hard { volume: Some(v), .. })) => {
            near(volume, v, 1e-9);
        }
        (Some(Kind::Touching { area }), Some(Kind::Touching { area: a })) => near(area, a, 1e-6),
        (Some(Kind::Clearance { distance }), Some(Kind::Clearance { distance: d })) => {
            near(distance, d, 1e-9);
        }
        (one, other) => assert_eq!(one, other),
    }
    found
}

fn one() -> Mesh {
    block(DVec3::ZERO, DVec3::ONE)
}

#[test]
fn a_block_in_another_through_another_beside_and_near() {
    let at = |min: DVec3, max: DVec3| kind(&one(), &block(min, max));
    assert_eq!(
        at(DVec3::splat(0.2), DVec3::splat(0.4)).map(|k| matches!(k, Kind::Contains { .. })),
        Some(true)
    );
    assert_eq!(at(DVec3::splat(-1.0), DVec3::splat(2.0)), Some(Kind::Inside { volume: 1.0 }));
    assert_eq!(at(DVec3::ZERO, DVec3::ONE), Some(Kind::Duplicate { volume: Some(1.0) }));
    let Some(Kind::Hard { depth, volume: Some(volume) }) =
        at(DVec3::new(0.9, 0.0, 0.0), DVec3::new(2.0, 1.0, 1.0))
    else {
        panic!()
    };
    near(depth, 0.1, 1e-12);
    near(volume, 0.1, 1e-12);
    let Some(Kind::Touching { area }) = at(DVec3::new(1.0, 0.5, 0.5), DVec3::new(2.0, 3.0, 3.0)) else {
        panic!()
    };
    near(area, 0.25, 1e-9);
    assert_eq!(at(DVec3::new(1.0, 1.0, 0.5), DVec3::new(2.0, 3.0, 3.0)), Some(Kind::Touching { area: 0.0 }));
    let Some(Kind::Clearance { distance }) = at(DVec3::new(1.05, 0.0, 0.0), DVec3::new(2.0, 1.0, 1.0)) else {
        panic!()
    };
    near(distance, 0.05, 1e-12);
    assert_eq!(at(DVec3::new(1.2, 0.0, 0.0), DVec3::new(2.0, 1.0, 1.0)), None);
}

#[test]
fn what_goes_in_less_than_the_tolerance_touches() {
    let slightly = block(DVec3::new(0.999_95, 0.0, 0.0), DVec3::new(2.0, 1.0, 1.0));
    let Some(Kind::Touching { area }) = kind(&one(), &slightly) else { panic!() };
    near(area, 1.0, 1e-6);
    let gap = block(DVec3::new(1.000_05, 0.0, 0.0), DVec3::new(2.0, 1.0, 1.0));
    assert!(matches!(kind(&one(), &gap), Some(Kind::Touching { area }) if (area - 1.0).abs() < 1e-6));
}

#[test]
fn an_open_shell_that_stands_flush_against_a_block_touches_it() {
    let full = block(DVec3::new(1.0, 0.2, 0.2), DVec3::new(2.0, 0.8, 1.6));
    for missing in 0..full.triangles.len() {
        let mut open = full.clone();
        open.triangles.remove(missing);
        let found = kind(&one(), &open);
        assert!(matches!(found, Some(Kind::Touching { .. })), "without triangle {missing}: {found:?}");
        let deeper = moved(&open, &motion(0.0, DVec3::new(-0.05, 0.0, 0.0)));
        let found = interference(&element(1, one()), &element(2, deeper), &rules()).map(|i| i.kind);
        let Some(Kind::Hard { depth, volume: None }) = found else { panic!("{found:?}") };
        near(depth, 0.05, 1e-9);
    }
}

#[test]
fn the_same_shape_cut_into_other_triangles_is_a_duplicate_and_a_smaller_one_is_not() {
    let l = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]].map(DVec2::from);
    let a = extrusion(&l, 0.0, 2.0);
    let mut turned = l;
    turned.rotate_left(3);
    assert!(matches!(kind(&a, &extrusion(&turned, 0.0, 2.0)), Some(Kind::Duplicate { .. })));
    assert!(matches!(kind(&a, &extrusion(&l, 0.0, 1.9)), Some(Kind::Contains { .. })));
    let around = block(DVec3::ZERO, DVec3::new(3.0, 2.0, 2.0));
    assert!(matches!(kind(&a, &around), Some(Kind::Inside { .. })));
}

#[test]
fn a_rotated_finding_is_the_same_finding() {
    let (a, b) = (one(), block(DVec3::new(1.0, 0.5, 0.5), DVec3::new(2.0, 3.0, 3.0)));
    for (turn, way) in [(0.3, [0.0; 3]), (2.0, [1e6, 2e6, 0.0]), (4.0, [-1e6, 1e6, 300.0])] {
        let by = motion(turn, way.into());
        let (a, b) = (moved(&a, &by), moved(&b, &by));
        let Some(Kind::Touching { area }) = kind(&a, &b) else { panic!("{:?}", kind(&a, &b)) };
        near(area, 0.25, 1e-6);
        let patches = contact(&element(1, a), &element(2, b), 1e-4).patches;
        assert_eq!(patches.len(), 1);
    }
}

fn scene(meshes: impl IntoIterator<Item = Mesh>) -> Index {
    meshes.into_iter().zip(1..).map(|(m, i)| (Id(i), Arc::new(m))).collect()
}

fn all(scene: &Index, other: Option<&Index>, rules: &Rules) -> Vec<Interference> {
    interferences(scene, other, rules, &|_, _| true).unwrap()
}

#[test]
fn all_pairs_of_a_row_of_blocks_are_the_neighbours_in_order() {
    let row = |gap: f64| {
        scene((0..200).map(|i| {
            let x = f64::from(i) * (1.0 + gap);
            block(DVec3::new(x, 0.0, 0.0), DVec3::new(x + 1.0, 1.0, 1.0))
        }))
    };
    let pairs = |found: &[Interference]| found.iter().map(|f| (f.a.0, f.b.0)).collect::<Vec<_>>();
    let next: Vec<(u32, u32)> = (1..200).map(|i| (i, i + 1)).collect();
    for gap in [-0.1, 0.0, 0.05] {
        assert_eq!(pairs(&all(&row(gap), None, &rules())), next, "{gap}");
    }
    assert!(all(&row(0.2), None, &rules()).is_empty());
    assert!(all(&row(0.0), None, &Rules::default()).is_empty());
    // against another scene: each meets its like and both neighbours
    let (a, b) = (row(0.0), row(0.0));
    assert_eq!(all(&a, Some(&b), &rules()).len(), 3 * 200 - 2);
    assert_eq!(all(&a, Some(&b), &Rules::default()).len(), 200);
}

#[test]
fn too_many_pairs_in_one_place_are_refused_and_a_caller_may_stop() {
    let pile = scene((0..300).map(|_| one()));
    let few = Rules { most_pairs: 1000, ..Rules::default() };
    assert_eq!(interferences(&pile, None, &few, &|_, _| true), Err(Refused::TooMany(1000)));
    assert_eq!(interferences(&pile, None, &Rules::default(), &|done, _| done < 10), Err(Refused::Stopped));
    let found = all(&pile, None, &Rules::default());
    assert_eq!(found.len(), 300 * 299 / 2);
    assert!(found.iter().all(|f| matches!(f.kind, Kind::Duplicate { .. })));
}

#[test]
fn broken_meshes_harm_nobody() {
    let nan = Mesh {
        positions: vec![DVec3::splat(f64::NAN); 3],
        normals: vec![DVec3::ZERO; 3],
        triangles: vec![[0, 1, 2]],
    };
    let wild =
        Mesh { positions: vec![DVec3::ZERO; 3], normals: Vec::new(), triangles: vec![[0, 7, 2], [0, 1, 2]] };
    let far = Mesh {
        positions: vec![DVec3::new(1e300, 0.0, 0.0), DVec3::ZERO, DVec3::new(-1e300, 1.0, 0.0)],
        normals: Vec::new(),
        triangles: vec![[0, 1, 2]],
    };
    let mut flat = one();
    flat.positions.iter_mut().for_each(|p| p.z = 0.5);
    let everything = scene([nan, Mesh::default(), wild, flat, one(), far]);
    let found = all(&everything, None, &Rules { touching: true, clearance: 1.0, ..Rules::default() });
    assert!(found.iter().all(|f| f.place.to_array().iter().all(|v| v.is_finite())), "{found:?}");
    assert!(everything.nearest(DVec3::ZERO, 9, 1e9).len() >= 2);
    assert!(!everything.at_point(DVec3::new(0.2, 0.3, 0.4)).is_empty());
}
