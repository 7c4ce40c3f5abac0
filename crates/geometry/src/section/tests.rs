//! Cuts that one can work out by hand, random bodies, hostile ones, and a real model.

use super::*;
use crate::math::orthonormal;
use crate::{drawable, prism::Prism, prism::subtract, solid::Face};
use glam::{DAffine3, DVec2, DVec3};
use ifc::placement::unit;
use ifc::{Limits, Model};

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-6 * (1.0 + b.abs()), "{a} is not {b}");
}

fn block(min: DVec3, max: DVec3) -> Solid {
    Solid::cuboid(&Bounds { min, max }, &DAffine3::IDENTITY).unwrap()
}

fn extruded(outer: &[DVec2], holes: Vec<Loop>, depth: f64) -> Solid {
    Solid::extrusion(&Area::new(outer.to_vec(), holes), &DAffine3::IDENTITY, DVec3::Z, depth).unwrap()
}

fn level(z: f64) -> Plane {
    Plane::level(z).unwrap()
}

fn upright(p: DVec3, normal: DVec3) -> Plane {
    Plane::new(p, normal, DVec3::X).unwrap()
}

/// A wall along x with a window in it.
fn wall() -> Solid {
    let area = Area::new(
        vec![DVec2::new(1.0, 0.9), DVec2::new(2.0, 0.9), DVec2::new(2.0, 2.1), DVec2::new(1.0, 2.1)],
        vec![],
    );
    let frame = orthonormal(DVec3::new(0.0, 0.3, 0.0), DVec3::NEG_Y, DVec3::X);
    let hole = Prism::extrusion(&area, &frame, DVec3::Z, 0.4).unwrap();
    subtract(&block(DVec3::ZERO, DVec3::new(7.0, 0.2, 3.0)), &hole).unwrap()
}

/// Volume by cutting: between two neighbouring corners in height the area of a body with flat faces is a quadratic, which
/// Gauss' two points integrate exactly; above 150 corners, slices.
fn volume_by_cuts(solid: &Solid, normal: DVec3) -> f64 {
    let at = solid.bounds().centre();
    let plane = |h: f64| Plane::new(at + normal * h, normal, DVec3::new(1.0, 0.3, 0.2)).unwrap();
    let zero = plane(0.0);
    let mut heights: Vec<f64> = solid.points().map(|p| zero.flat(p).z).collect();
    heights.sort_by(f64::total_cmp);
    heights.dedup_by(|a, b| (*a - *b).abs() < 1e-5);
    if heights.len() > 150 {
        let (low, high) = (heights[0], heights[heights.len() - 1]);
        heights = (0..=150).map(|i| low + (high - low) * f64::from(i) / 150.0).collect();
    }
    let mut volume = 0.0;
    for pair in heights.windows(2) {
        let (half, middle) = ((pair[1] - pair[0]) / 2.0, f64::midpoint(pair[0], pair[1]));
        for side in [-1.0, 1.0] {
            volume += half * of_solid(solid, &plane(middle + side * half / 3f64.sqrt())).size();
        }
    }
    volume
}

/// Numbers from 0 to 1, the same in every run.
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[test]
fn a_block_gives_its_ground_plan_anticlockwise() {
    let cut = of_solid(&block(DVec3::new(1.0, 2.0, 0.0), DVec3::new(3.0, 5.0, 2.5)), &level(1.0));
    assert_eq!(cut.areas.len(), 1);
    assert!(cut.lines.is_empty());
    near(cut.size(), 6.0);
    near(cut.perimeter(), 10.0);
    assert_eq!(cut.areas[0].outer.len(), 4);
    assert_eq!(cut.bounds(), Some((DVec2::new(1.0, 2.0), DVec2::new(3.0, 5.0))));
    assert!(of_solid(&block(DVec3::ZERO, DVec3::ONE), &level(2.0)).is_empty());
}

#[test]
fn a_plane_in_a_face_counts_the_side_below() {
    let body = block(DVec3::ZERO, DVec3::new(2.0, 3.0, 1.0));
    near(of_solid(&body, &level(1.0)).size(), 6.0);
    near(of_solid(&body, &level(0.0)).size(), 0.0);
    // the same with the noise of a file's last digits
    near(of_solid(&body, &level(1.0 + 4e-7)).size(), 6.0);
    // turned over, the other side is below
    let down = Plane::new(DVec3::ZERO, DVec3::NEG_Z, DVec3::X).unwrap();
    near(of_solid(&body, &down).size(), 6.0);
    // two blocks on each other: at the joint the lower one is cut
    let step = [block(DVec3::ZERO, DVec3::new(2.0, 2.0, 1.0)), block(DVec3::Z, DVec3::new(1.0, 1.0, 2.0))];
    near(of_solids(&step, &level(1.0)).size(), 4.0);
}

#[test]
fn a_wall_is_cut_beside_through_and_along_its_window() {
    let wall = wall();
    near(of_solid(&wall, &level(0.5)).size(), 1.4);
    let through = of_solid(&wall, &level(1.5));
    assert_eq!(through.areas.len(), 2);
    near(through.size(), 1.2);
    // at the sill the parapet below counts, at the head the opening
    near(of_solid(&wall, &level(0.9)).size(), 1.4);
    near(of_solid(&wall, &level(2.1)).size(), 1.2);
    let along = of_solid(&wall, &upright(DVec3::new(0.0, 0.1, 0.0), DVec3::Y));
    assert_eq!((along.areas.len(), along.areas[0].holes.len()), (1, 1));
    near(along.size(), 21.0 - 1.2);
    near(along.perimeter(), 20.0);
}

#[test]
fn a_round_column_and_a_concave_body_keep_their_shape() {
    let ring: Vec<DVec2> = (0..64)
        .map(|i| f64::from(i) / 64.0 * std::f64::consts::TAU)
        .map(|a| DVec2::new(a.cos(), a.sin()))
        .collect();
    let hole: Loop = ring.iter().map(|p| *p / 2.0).collect();
    let tube = extruded(&ring, vec![hole], 3.0);
    let cut = of_solid(&tube, &level(1.0));
    assert_eq!((cut.areas.len(), cut.areas[0].holes.len()), (1, 1));
    near(cut.size(), tube.volume() / 3.0);
    let u = extruded(
        &[
            DVec2::ZERO,
            DVec2::new(3.0, 0.0),
            DVec2::new(3.0, 2.0),
            DVec2::new(2.0, 2.0),
            DVec2::new(2.0, 1.0),
            DVec2::ONE,
            DVec2::new(1.0, 2.0),
            DVec2::new(0.0, 2.0),
        ],
        vec![],
        4.0,
    );
    let legs = of_solid(&u, &upright(DVec3::new(0.0, 1.5, 0.0), DVec3::Y));
    assert_eq!(legs.areas.len(), 2);
    near(legs.size(), 8.0);
    // in the face between the legs: from above, the base; from below, the legs
    near(of_solid(&u, &upright(DVec3::Y, DVec3::Y)).size(), 12.0);
    near(of_solid(&u, &upright(DVec3::Y, DVec3::NEG_Y)).size(), 8.0);
}

#[test]
fn a_plane_through_corners_and_edges_gives_what_lies_below() {
    let cube = block(DVec3::ZERO, DVec3::ONE);
    // through two opposite edges
    near(
        of_solid(&cube, &Plane::new(DVec3::ZERO, DVec3::new(1.0, -1.0, 0.0), DVec3::Z).unwrap()).size(),
        2f64.sqrt(),
    );
    // through three corners: an equilateral triangle
    let corner = Plane::new(DVec3::X, DVec3::ONE, DVec3::new(1.0, -1.0, 0.0)).unwrap();
    near(of_solid(&cube, &corner).size(), 3f64.sqrt() / 2.0);
    // touching one corner or one edge
    assert!(of_solid(&cube, &upright(DVec3::ZERO, DVec3::ONE)).is_empty());
    assert!(of_solid(&cube, &upright(DVec3::ZERO, DVec3::new(1.0, 1.0, 0.0))).is_empty());
    near(of_solid(&cube, &upright(DVec3::ONE, DVec3::ONE)).size(), 0.0);
}

#[test]
fn triangles_give_the_same_as_polygons() {
    let wall = wall();
    for plane in [level(1.5), level(0.9), upright(DVec3::new(0.0, 0.1, 0.0), DVec3::new(0.1, 1.0, 0.2))] {
        near(of_mesh(&wall.mesh(), &plane).size(), of_solid(&wall, &plane).size());
    }
}

#[test]
fn gaps_smaller_than_a_thousandth_close_and_surfaces_stay_lines() {
    let mut body = block(DVec3::ZERO, DVec3::new(2.0, 2.0, 2.0));
    // one side stands a millimetre off
    for p in body.faces.iter_mut().rev().take(1).flat_map(|f| &mut f.loops).flatten() {
        p.y += 0.001;
    }
    let cut = of_solid(&body, &level(1.0));
    assert!((cut.size() - 4.0).abs() < 0.01 && cut.lines.is_empty(), "{cut:?}");
    let mut open = block(DVec3::ZERO, DVec3::new(2.0, 2.0, 2.0));
    open.faces.pop();
    open.closed = false;
    let cut = of_solid(&open, &level(1.0));
    assert!(cut.areas.is_empty());
    assert_eq!(cut.lines.len(), 1);
    assert_eq!(cut.lines[0].len(), 4);
    // a surface whose faces look any way, closed all round
    let mut shell = block(DVec3::ZERO, DVec3::new(2.0, 2.0, 2.0));
    shell.closed = false;
    shell.faces[3].loops[0].reverse();
    near(of_solid(&shell, &level(1.0)).size(), 4.0);
}

#[test]
fn random_prisms_have_the_volume_of_their_cuts() {
    for seed in 1..60 {
        let mut r = random(seed);
        let corners = 3 + (r() * 12.0) as u32;
        let star: Vec<DVec2> = (0..corners)
            .map(|i| (f64::from(i) / f64::from(corners) * std::f64::consts::TAU, 0.3 + 4.0 * r()))
            .map(|(a, d)| DVec2::new(d * a.cos(), d * a.sin()))
            .collect();
        let place = orthonormal(
            DVec3::new(r() * 50.0, r() * 50.0, r() * 9.0),
            DVec3::new(r() - 0.5, r() - 0.5, r()),
            DVec3::new(1.0, 0.2, 0.1),
        );
        let body = extruded(&star, vec![], 0.2 + 3.0 * r()).moved(&place);
        for normal in [DVec3::Z, place.z_axis, place.x_axis, DVec3::new(r() - 0.5, r() - 0.5, r())] {
            let found = volume_by_cuts(&body, unit(normal).unwrap());
            assert!(
                (found - body.volume()).abs() < 1e-4 * body.volume(),
                "{seed}: {found}, {}",
                body.volume()
            );
        }
    }
}

#[test]
fn hostile_bodies_end_without_harm() {
    let plane = level(0.5);
    let mut r = random(7);
    for size in [1e-9, 1.0, 1e6, 1e9, 1e300, f64::INFINITY, f64::NAN] {
        let point = |r: &mut dyn FnMut() -> f64| DVec3::new(r() - 0.5, r() - 0.5, r() - 0.5) * size;
        let faces = (0..200)
            .map(|_| Face { loops: (0..2).map(|_| (0..5).map(|_| point(&mut r)).collect()).collect() })
            .collect();
        let mut solid = Solid::new(faces, true);
        solid.faces.push(Face { loops: vec![vec![DVec3::splat(f64::NAN), DVec3::ZERO, DVec3::ONE], vec![]] });
        for closed in [true, false] {
            solid.closed = closed;
            for area in &of_solid(&solid, &plane).areas {
                assert!(area.loops().flatten().all(|p| p.is_finite()));
            }
        }
    }
    assert!(of_solid(&Solid::default(), &plane).is_empty());
    let side = Face { loops: vec![vec![DVec3::ZERO, DVec3::X, DVec3::Z]] };
    assert!(of_solid(&Solid::new(vec![side; 100_001], true), &plane).is_partial);
    assert!(Plane::new(DVec3::ZERO, DVec3::ZERO, DVec3::X).is_none());
    assert!(Plane::level(f64::NAN).is_none());
}

fn open(name: &str) -> Option<Model> {
    Some(Model::open(&testing::model(name)?, &Limits::default()).unwrap().0)
}

#[test]
fn the_products_of_a_real_model_have_the_volume_of_their_cuts() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    let shaper = Shaper::plain(&model);
    let found: Vec<(Id, f64, f64)> = drawable(&model)
        .par_iter()
        .filter_map(|id| Some((*id, shaper.net_bodies(*id).ok().filter(crate::bodies::Bodies::are_sound)?)))
        .map(|(id, bodies)| {
            let cut: f64 = bodies.iter().map(|s| volume_by_cuts(s, DVec3::Z)).sum();
            (id, cut, bodies.volume())
        })
        .collect();
    let misses: Vec<_> = found.iter().filter(|(_, cut, v)| (cut - v).abs() > 0.01 * v + 1e-6).collect();
    assert!(found.len() > 200 && misses.is_empty(), "{} of {}: {misses:?}", misses.len(), found.len());
}

#[test]
fn a_plan_of_a_storey_shows_its_walls_in_layers() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    let shaper = Shaper::plain(&model);
    let walls = model.of_class("IfcWall");
    let plane = level(1.2);
    let all = of_elements(&shaper, &drawable(&model), &plane, &|_| true).unwrap();
    let cuts: Vec<&ElementCut> =
        all.iter().filter(|c| walls.contains(&c.element) && !c.outline.areas.is_empty()).collect();
    assert!(cuts.len() > 15, "{}", cuts.len());
    let mut layered = 0;
    for cut in cuts {
        let Some(layers) = Layers::read(&shaper, cut.element).unwrap() else { continue };
        let pieces = layers.divide(&cut.outline, &plane);
        let size: f64 = pieces.iter().flat_map(|p| &p.areas).map(Area::size).sum();
        assert!((size - cut.outline.size()).abs() < 1e-3, "{}: {size}, {}", cut.element, cut.outline.size());
        let outside: f64 =
            pieces.iter().filter(|p| p.layer.is_none()).flat_map(|p| &p.areas).map(Area::size).sum();
        assert!(outside < 0.01 * size, "{}: {outside} of {size} in no layer", cut.element);
        layered += usize::from(pieces.len() > 1);
    }
    assert!(layered > 10, "{layered}");
    assert!(of_elements(&shaper, &drawable(&model), &plane, &|n| n < 3).is_none());
}

#[test]
fn an_element_that_cannot_be_cut_says_why() {
    let text = "ISO-10303-21;HEADER;FILE_DESCRIPTION((''),'2;1');FILE_NAME('','',(''),(''),'','','');\
                FILE_SCHEMA(('IFC4'));ENDSEC;DATA;\
                #1=IFCWALL('0000000000000000000001',$,'no body',$,$,$,$,$,$);ENDSEC;END-ISO-10303-21;";
    let model = Model::from_bytes(text.into(), &Limits::default()).unwrap().0;
    let all = of_elements(&Shaper::plain(&model), &[Id(1), Id(2)], &level(1.0), &|_| true).unwrap();
    let told: Vec<(Id, bool, usize)> =
        all.iter().map(|c| (c.element, c.outline.is_empty(), c.notes.len())).collect();
    assert_eq!(told, [(Id(1), true, 1), (Id(2), true, 1)], "without a body, and not there at all");
}
