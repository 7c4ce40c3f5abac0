//! Bodies whose volumes one can work out by hand.

use super::near;
use crate::math::orthonormal;
use crate::{
    cutter::{Cutter, cut},
    math::Bounds,
    prism::{Prism, subtract},
    region::{Area, rectangle},
    solid::{Face, Solid},
};
use glam::{DAffine3, DVec2, DVec3};

fn block(x: f64, y: f64, z: f64) -> Solid {
    Solid::cuboid(&Bounds { min: DVec3::ZERO, max: DVec3::new(x, y, z) }, &DAffine3::IDENTITY).unwrap()
}

/// Volume by polygons and by triangles, and closed.
fn volume(solid: &Solid) -> f64 {
    let m = solid.mesh().measures();
    assert!(m.is_closed(), "open by {}", m.open);
    near(m.volume, solid.volume());
    m.volume
}

/// A prism through a wall that runs along x: x, z of its opening and its depth from y0 to y1.
fn hole(x: [f64; 2], z: [f64; 2], y: [f64; 2]) -> Prism {
    let area = Area::new(rectangle(DVec2::new(x[0], z[0]), DVec2::new(x[1], z[1])), vec![]);
    // plane of x and z, drawn along -y
    let frame = orthonormal(DVec3::new(0.0, y[1], 0.0), DVec3::NEG_Y, DVec3::X);
    Prism::extrusion(&area, &frame, DVec3::Z, y[1] - y[0]).unwrap()
}

#[test]
fn a_block_has_its_volume_and_surface() {
    let m = block(2.0, 3.0, 4.0).mesh().measures();
    near(m.volume, 24.0);
    near(m.area, 52.0);
    assert!(m.open < 1e-9);
    assert_eq!(m.bounds.max, DVec3::new(2.0, 3.0, 4.0));
}

#[test]
fn an_extrusion_pushed_down_or_leaning_or_mirrored_still_faces_outward() {
    let area = Area::new(
        rectangle(DVec2::ZERO, DVec2::new(2.0, 1.0)),
        vec![rectangle(DVec2::new(0.5, 0.25), DVec2::new(1.5, 0.75))],
    );
    near(volume(&Solid::extrusion(&area, &DAffine3::IDENTITY, DVec3::Z, 3.0).unwrap()), 4.5);
    near(volume(&Solid::extrusion(&area, &DAffine3::IDENTITY, DVec3::NEG_Z, 3.0).unwrap()), 4.5);
    let leaning = Solid::extrusion(&area, &DAffine3::IDENTITY, DVec3::new(1.0, 0.0, 1.0), 3.0).unwrap();
    near(volume(&leaning), 4.5 / 2f64.sqrt());
    let mirror = DAffine3::from_cols(DVec3::new(-2.0, 0.0, 0.0), DVec3::Y, DVec3::Z, DVec3::ZERO);
    near(volume(&leaning.moved(&mirror)), 9.0 / 2f64.sqrt());
}

#[test]
fn a_window_goes_through_its_wall() {
    let wall = block(7.0, 0.2, 3.0);
    let cut = subtract(&wall, &hole([1.0, 2.0], [0.9, 2.1], [-0.1, 0.3])).unwrap();
    near(volume(&cut), 7.0 * 0.2 * 3.0 - 0.2 * 1.2);
    assert_eq!(cut.faces.len(), 10);
}

#[test]
fn an_opening_exactly_as_deep_as_its_wall_leaves_no_skin() {
    let cut = subtract(&block(7.0, 0.2, 3.0), &hole([1.0, 2.0], [0.9, 2.1], [0.0, 0.2])).unwrap();
    near(volume(&cut), 7.0 * 0.2 * 3.0 - 0.2 * 1.2);
    assert_eq!(cut.faces.len(), 10);
}

#[test]
fn a_door_takes_the_sill_with_it() {
    let cut = subtract(&block(7.0, 0.2, 3.0), &hole([1.0, 2.0], [0.0, 2.1], [0.0, 0.2])).unwrap();
    near(volume(&cut), 7.0 * 0.2 * 3.0 - 0.2 * 2.1);
    // the foot of the wall in two pieces, no face at the sill
    assert_eq!(cut.faces.len(), 6 + 1 + 3);
    let sill = cut.faces.iter().filter(|f| f.normal().unwrap().z < -0.9).count();
    assert_eq!(sill, 3);
}

#[test]
fn an_opening_over_the_whole_wall_leaves_two_walls() {
    let cut = subtract(&block(7.0, 0.2, 3.0), &hole([1.0, 2.0], [-0.5, 3.5], [-1.0, 1.0])).unwrap();
    near(volume(&cut), 6.0 * 0.2 * 3.0);
    assert_eq!(cut.faces.len(), 12);
}

#[test]
fn a_niche_ends_inside_the_wall() {
    let cut = subtract(&block(7.0, 0.2, 3.0), &hole([1.0, 2.0], [0.9, 2.1], [0.1, 0.5])).unwrap();
    near(volume(&cut), 7.0 * 0.2 * 3.0 - 0.1 * 1.2);
}

#[test]
fn an_opening_inside_the_body_leaves_a_hollow() {
    let cut = subtract(&block(7.0, 1.0, 3.0), &hole([1.0, 2.0], [0.9, 2.1], [0.25, 0.75])).unwrap();
    near(volume(&cut), 21.0 - 0.5 * 1.2);
}

#[test]
fn overlapping_openings_are_taken_once() {
    let wall = block(7.0, 0.2, 3.0);
    let once = subtract(&wall, &hole([1.0, 2.0], [0.9, 2.1], [-0.1, 0.3])).unwrap();
    let twice = subtract(&once, &hole([1.5, 2.5], [0.9, 2.1], [-0.1, 0.3])).unwrap();
    near(volume(&twice), 7.0 * 0.2 * 3.0 - 0.2 * 1.2 * 1.5);
    let same = subtract(&twice, &hole([1.0, 2.0], [0.9, 2.1], [-0.1, 0.3])).unwrap();
    near(volume(&same), volume(&twice));
}

#[test]
fn an_opening_elsewhere_changes_nothing() {
    let wall = block(7.0, 0.2, 3.0);
    assert_eq!(subtract(&wall, &hole([8.0, 9.0], [0.9, 2.1], [-0.1, 0.3])).unwrap(), wall);
    assert_eq!(subtract(&wall, &hole([1.0, 2.0], [0.9, 2.1], [0.2, 0.5])).unwrap().faces.len(), 6);
}

#[test]
fn half_spaces_clip_a_gable() {
    let wall = block(4.0, 0.2, 4.0);
    let s = 0.5f64.sqrt();
    let right =
        subtract(&wall, &Prism::half_space(DVec3::new(4.0, 0.0, 2.0), DVec3::new(s, 0.0, s), true)).unwrap();
    near(volume(&right), 0.2 * (16.0 - 2.0));
    let both = subtract(&right, &Prism::half_space(DVec3::new(0.0, 0.0, 2.0), DVec3::new(s, 0.0, -s), false))
        .unwrap();
    near(volume(&both), 0.2 * (16.0 - 4.0));
    let window = subtract(&both, &hole([1.0, 3.0], [1.0, 3.5], [-0.1, 0.3])).unwrap();
    // the window reaches through both slopes: what is left above it goes, its corners beyond the slopes count not
    near(volume(&window), 0.2 * (12.0 - 2.0 * 2.5 + 2.0 * 0.125));
}

#[test]
fn a_round_opening_in_a_slanted_roof_is_cut_along_its_own_direction() {
    let slab = block(5.0, 5.0, 0.3);
    let tilt = orthonormal(DVec3::new(0.0, 0.0, 10.0), DVec3::new(0.0, -0.5, 1.0), DVec3::X);
    let n = 48;
    let ring = (0..n)
        .map(|i| f64::from(i) * std::f64::consts::TAU / f64::from(n))
        .map(|a| DVec2::new(2.5 + a.cos(), 2.5 + a.sin()))
        .collect();
    let area = Area::new(ring, vec![]);
    let at = DAffine3 { translation: DVec3::ZERO, ..DAffine3::IDENTITY };
    let prism = Prism::extrusion(&area, &at, DVec3::Z, 40.0).unwrap();
    let cut = subtract(&slab.moved(&tilt), &prism).unwrap();
    let lean = tilt.z_axis.z;
    near(volume(&cut), 7.5 - 0.3 * area.size() / lean);
}

#[test]
fn a_box_of_faces_is_known_as_a_prism_along_its_shortest_side() {
    let prism = Prism::of_solid(&block(1.0, 0.4, 2.0)).unwrap().remove(0);
    assert!(prism.frame.z_axis.y.abs() > 0.999);
    let cut = subtract(&block(3.0, 0.4, 3.0), &prism).unwrap();
    near(volume(&cut), 3.6 - 0.8);
}

#[test]
fn a_mirrored_prism_cuts_the_mirrored_place() {
    let mirror = DAffine3::from_cols(DVec3::NEG_X, DVec3::Y, DVec3::Z, DVec3::new(7.0, 0.0, 0.0));
    let prism = hole([0.0, 1.0], [0.0, 3.0], [-1.0, 1.0]).moved(&mirror).unwrap();
    let cut = subtract(&block(7.0, 0.2, 3.0), &prism).unwrap();
    near(volume(&cut), 6.0 * 0.6);
    near(cut.bounds().max.x, 6.0);
}

#[test]
fn a_wall_turned_a_little_beneath_a_roof_is_cut_finely_enough_for_its_doors() {
    for degrees in [0.2, 1.0, -1.0, 2.0, 5.0, 12.0] {
        let turn = DAffine3::from_rotation_z(f64::to_radians(degrees));
        let mut wall = block(9.32, 0.1, 6.05).moved(&turn);
        // a gable over the middle of its length, as the roof stands and not as the wall does
        let (s, c) = 35f64.to_radians().sin_cos();
        for (x, way) in [(0.0, -1.0), (9.32, 1.0)] {
            let plane = Prism::half_space(DVec3::new(x, 0.0, 3.0), DVec3::new(way * s, 0.0, c), true);
            wall = subtract(&wall, &plane).unwrap();
        }
        assert!(wall.mesh().measures().is_closed() && wall.gap() < 2e-6, "{degrees}: {}", wall.gap());
        let whole = wall.volume();
        // doors as deep as the wall, from its foot
        let doors = [hole([1.8, 2.7], [0.0, 2.1], [0.0, 0.1]), hole([6.6, 7.5], [0.0, 2.1], [0.0, 0.1])];
        let doors: Vec<Cutter> = doors.iter().map(|d| Cutter::Prism(d.moved(&turn).unwrap())).collect();
        let left = cut(&wall, &doors);
        assert!(left.refused.is_empty(), "{degrees}: {:?}", left.refused);
        let left = left.left.unwrap().volume();
        // corners are rounded to a tenth of a micrometre, and faces are fifty square metres large
        assert!((whole - left - 2.0 * 0.9 * 2.1 * 0.1).abs() < 1e-5, "{degrees}: {whole} {left}");
    }
}

#[test]
fn a_sloping_half_space_bounded_far_beyond_the_body_still_cuts_its_sides() {
    let column = block(0.2, 0.2, 3.0);
    let far = rectangle(DVec2::splat(-50.0), DVec2::splat(50.0));
    let prism =
        Prism { area: Some(vec![far]), frame: DAffine3::IDENTITY, low: Some([0.0, -1.0, 2.9]), high: None };
    near(volume(&subtract(&column, &prism).unwrap()), 0.2 * 0.2 * 2.8);
}

#[test]
fn triangles_of_a_box_are_joined_to_its_six_faces() {
    let mesh = block(1.0, 2.0, 3.0).mesh();
    let faces = mesh
        .triangles
        .iter()
        .map(|t| crate::Face { loops: vec![t.iter().map(|i| mesh.positions[*i as usize]).collect()] });
    let mut solid = Solid::new(faces.collect(), true);
    assert_eq!(solid.merged().faces.len(), 6);
    assert!(Prism::of_solid(&solid).is_some());
    // written in any direction, the faces are made to agree again
    solid.faces.iter_mut().step_by(3).for_each(|f| f.loops[0].reverse());
    assert!(solid.agree());
    near(solid.volume(), 6.0);
}

#[test]
fn a_pyramid_is_taken_away_as_its_prisms() {
    let tip = DVec3::new(1.0, 1.0, 1.5);
    let base = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]].map(DVec3::from);
    let mut faces = vec![crate::Face { loops: vec![base.iter().rev().copied().collect()] }];
    for i in 0..4 {
        faces.push(crate::Face { loops: vec![vec![base[i], base[(i + 1) % 4], tip]] });
    }
    let pyramid = Solid::new(faces, true);
    near(pyramid.volume(), 2.0);
    let prisms = Prism::of_solid(&pyramid).unwrap();
    let mut left = block(4.0, 4.0, 3.0);
    for prism in &prisms {
        left = subtract(&left, prism).unwrap();
    }
    near(volume(&left), 46.0);
}

#[test]
fn joined_faces_keep_their_corners_though_their_planes_lean_a_little() {
    // the roof of a real cutter, whose corners were rounded to single precision
    let (a, b, c) =
        (DVec3::new(5.4, 0.0, 2.4), DVec3::new(0.4, -0.4, 2.735_639_892_578_125), DVec3::new(0.0, 0.0, 2.4));
    let (d, e) = (DVec3::new(5.5, -0.4, 2.735_639_892_578_125), DVec3::new(5.5, -0.1, 2.483_909_912_109_375));
    let faces = [[a, b, c], [d, b, a], [e, d, a]].map(|t| Face { loops: vec![t.to_vec()] });
    let merged = Solid::new(faces.to_vec(), false).merged();
    assert_eq!(merged.faces.len(), 1);
    assert_eq!(merged.points().count(), 5);
    for p in merged.points() {
        assert!([a, b, c, d, e].contains(&p), "{p:?}");
    }
}
