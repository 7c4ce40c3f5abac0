use super::{Steps, Surface, normal, revolved};
use crate::math::orthonormal;
use glam::{DAffine3, DVec3};
use ifc::placement::unit;

fn all() -> Vec<Surface> {
    let frame = orthonormal(DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.2, 0.1, 1.0), DVec3::new(1.0, 0.3, 0.0));
    let arc: Vec<DVec3> =
        (0..=16).map(|i| f64::from(i) / 10.0).map(|a| DVec3::new(2.0 + a.cos(), 0.0, a.sin())).collect();
    vec![
        Surface::Plane(frame),
        Surface::Cylinder { frame, radius: 2.0 },
        Surface::Cone { frame, radius: 3.0, slope: 0.4 },
        Surface::Sphere { frame, radius: 2.0 },
        Surface::Torus { frame, major: 3.0, minor: 1.0 },
        Surface::Extruded { curve: arc.clone(), along: DVec3::Y },
        revolved(DAffine3::IDENTITY, &arc),
    ]
}

#[test]
fn the_parameters_of_a_point_lead_back_to_it() {
    for surface in all() {
        for (u, v) in [(0.3, 0.2), (1.4, 1.1), (2.9, 0.7)] {
            let p = surface.point([u, v]);
            let (found, free) = surface.parameters(p, Some([u, v]));
            assert!(!free && (surface.point(found) - p).length() < 1e-9, "{surface:?} {u} {v}: {found:?}");
        }
    }
}

#[test]
fn normals_of_round_surfaces_look_outward() {
    for surface in all().into_iter().skip(1).take(4) {
        let (Surface::Cylinder { frame, .. }
        | Surface::Cone { frame, .. }
        | Surface::Sphere { frame, .. }
        | Surface::Torus { frame, .. }) = &surface
        else {
            continue;
        };
        let out = surface.point([0.5, 0.1]) - frame.translation;
        assert!(unit(normal(&surface, [0.5, 0.1])).unwrap().dot(out) > 0.0, "{surface:?}");
    }
}

#[test]
fn steps_and_parameters_are_each_other_s_inverse_and_go_round() {
    let lines = Steps::Lines(vec![0.0, 0.5, 2.0, 3.0], true);
    for parameter in [-2.9, -0.1, 0.0, 0.7, 2.9, 3.1, 7.4] {
        assert!((lines.parameter(lines.count_to(parameter)) - parameter).abs() < 1e-9, "{parameter}");
    }
    assert!((lines.count_to(6.0) - lines.count_to(3.0) - 3.0).abs() < 1e-12);
}
