//! Clusters, bonds and the matrix that comes with the program.

use super::{Matrix, clusters};
use glam::DVec3;

#[test]
fn places_are_one_cluster_as_far_as_a_chain_of_near_ones_goes() {
    let at = |x: f64| DVec3::new(x, -0.4, 0.0);
    let places = [at(0.0), at(10.0), at(0.9), at(1.8), at(-0.9), at(10.9), at(50.0)];
    assert_eq!(clusters(&places, 1.0), [0, 1, 0, 0, 0, 1, 2]);
    assert_eq!(clusters(&places, 0.5), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(clusters(&places, 100.0), [0; 7]);
    assert!(clusters(&[], 1.0).is_empty());
}

#[test]
fn clusters_are_those_that_comparing_all_pairs_finds() {
    // a plain generator of numbers: the same places each time
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 24) * 12.0 - 6.0
    };
    let places: Vec<DVec3> = (0..300).map(|_| DVec3::new(next(), next(), next() / 4.0)).collect();
    let found = clusters(&places, 0.7);
    let mut plain: Vec<usize> = (0..places.len()).collect();
    loop {
        let mut changed = false;
        for a in 0..places.len() {
            for b in 0..places.len() {
                if places[a].distance(places[b]) <= 0.7 && plain[a] != plain[b] {
                    let least = plain[a].min(plain[b]);
                    (plain[a], plain[b]) = (least, least);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    for a in 0..places.len() {
        for b in 0..places.len() {
            assert_eq!(found[a] == found[b], plain[a] == plain[b], "{a} and {b}");
        }
    }
}

#[test]
fn every_category_of_the_matrix_is_one() {
    let matrix = Matrix::disciplines().unwrap();
    assert!(matrix.rows.len() > 10);
    for row in &matrix.rows {
        for word in [&row.source, &row.target] {
            assert!(building::categories::classes(word).is_some(), "{word}");
        }
    }
}
