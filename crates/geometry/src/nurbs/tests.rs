use super::{Knots, SplineCurve, SplineSurface, weighted};
use glam::DVec3;

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} is not {b}");
}

#[test]
fn basis_functions_add_up_to_one_and_their_slopes_to_nought() {
    let knots = Knots::new(3, &[(0.0, 4), (1.0, 1), (2.5, 2), (4.0, 4)], 7).unwrap();
    for step in 0..=40 {
        let basis = knots.basis(f64::from(step) / 10.0);
        near(basis.values.iter().sum::<f64>(), 1.0);
        near(basis.slopes.iter().sum::<f64>(), 0.0);
    }
    // not a number is nothing to fall over
    assert_eq!(knots.basis(f64::NAN).values.len(), 4);
}

#[test]
fn a_weighted_quarter_circle_is_round() {
    let points = [DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
    let controls = weighted(&points, Some(&[1.0, 0.5_f64.sqrt(), 1.0])).unwrap();
    let curve = SplineCurve { knots: Knots::new(2, &[(0.0, 3), (1.0, 3)], 3).unwrap(), controls };
    let chain = curve.chain(0.0, 1.0, 1000);
    assert!(chain.len() > 8 && chain.iter().all(|p| (p.length() - 1.0).abs() < 1e-12));
}

#[test]
fn the_parameters_of_a_point_lead_back_to_it() {
    let points: Vec<DVec3> = (0..16)
        .map(|i| {
            let (x, y) = (f64::from(i / 4), f64::from(i % 4));
            DVec3::new(x, y, (x * 1.3).sin() + (y * 0.7).cos())
        })
        .collect();
    let knots = || Knots::new(3, &[(0.0, 4), (2.0, 4)], 4).unwrap();
    let surface = SplineSurface::new([knots(), knots()], weighted(&points, None).unwrap(), 4).unwrap();
    for i in 0..=10 {
        for k in 0..=10 {
            let uv = [f64::from(i) / 5.0, f64::from(k) / 5.0];
            let p = surface.at(uv).0;
            let (found, free) = surface.parameters(p, None);
            assert!(!free && (surface.at(found).0 - p).length() < 1e-9, "{uv:?}: {found:?}");
        }
    }
}
