//! Queries on bodies whose answers are known by calculation.

use super::*;
use geometry::query::{Element, Index};
use geometry::region::Area;
use geometry::{Bounds, Mesh, Solid};
use glam::{DAffine3, DVec2, DVec3};
use ifc::Id;
use std::sync::Arc;

fn cuboid(low: [f64; 3], high: [f64; 3]) -> Mesh {
    let bounds = Bounds { min: DVec3::from(low), max: DVec3::from(high) };
    Solid::cuboid(&bounds, &DAffine3::IDENTITY).unwrap().mesh()
}

fn body(id: u32, low: [f64; 3], high: [f64; 3]) -> Arc<Element> {
    Arc::new(Element::new(Id(id), cuboid(low, high)))
}

fn index(bodies: &[([f64; 3], [f64; 3])]) -> Index {
    let numbered = bodies.iter().enumerate();
    numbered.map(|(n, (low, high))| (Id(n as u32 + 1), Arc::new(cuboid(*low, *high)))).collect()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn distances_of_two_boxes_are_those_of_their_corners() {
    let a = Place::Body(body(1, [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]));
    let b = Place::Body(body(2, [4.0, 5.0, 13.0], [6.0, 6.0, 15.0]));
    let found = shortest(&a, &b).unwrap();
    assert!(near(found.metres, 13.0), "{found:?}");
    assert_eq!(found.points, [DVec3::ONE, DVec3::new(4.0, 5.0, 13.0)]);
    assert!(near(horizontal(&a, &b).unwrap().metres, 5.0));
    let high = vertical(&b, &a).unwrap();
    assert!(near(high.metres, 12.0));
    assert_eq!([high.points[0].z, high.points[1].z], [13.0, 1.0]);
    assert!(near(centre(&a, &b).metres, (4.5_f64.powi(2) + 5.0_f64.powi(2) + 13.5_f64.powi(2)).sqrt()));
    assert_eq!(standing(&a, &b, 1e-4), Standing::Apart);
}

#[test]
fn a_point_is_measured_like_an_element_from_either_side() {
    let a = Place::Body(body(1, [0.0, 0.0, 0.0], [2.0, 2.0, 2.0]));
    let p = Place::Point(DVec3::new(5.0, 1.0, 6.0));
    let found = shortest(&p, &a).unwrap();
    assert!(near(found.metres, 5.0));
    assert_eq!(found.points, [DVec3::new(5.0, 1.0, 6.0), DVec3::new(2.0, 1.0, 2.0)]);
    assert_eq!(shortest(&a, &p).unwrap().points, [found.points[1], found.points[0]]);
    assert!(near(horizontal(&p, &a).unwrap().metres, 3.0));
    assert!(near(vertical(&p, &a).unwrap().metres, 4.0));
    let within = Place::Point(DVec3::ONE);
    assert!(near(shortest(&within, &a).unwrap().metres, 0.0));
    assert_eq!(standing(&within, &a, 1e-4), Standing::Inside);
    assert_eq!(standing(&a, &within, 1e-4), Standing::Contains);
}

#[test]
fn what_lies_in_a_solid_is_at_no_distance_from_it() {
    let a = Place::Body(body(1, [0.0, 0.0, 0.0], [9.0, 9.0, 9.0]));
    let b = Place::Body(body(2, [4.0, 4.0, 4.0], [5.0, 5.0, 5.0]));
    assert!(near(shortest(&a, &b).unwrap().metres, 0.0));
    assert!(near(shortest(&b, &a).unwrap().metres, 0.0));
    assert_eq!((standing(&b, &a, 1e-4), standing(&a, &b, 1e-4)), (Standing::Inside, Standing::Contains));
}

#[test]
fn flat_and_long_bodies_are_known_by_normal_and_axis() {
    let wall = line(&body(1, [0.0, 0.0, 0.0], [5.0, 0.2, 3.0])).unwrap();
    let slab = line(&body(2, [0.0, 0.0, 0.0], [5.0, 4.0, 0.2])).unwrap();
    let column = line(&body(3, [0.0, 0.0, 0.0], [0.3, 0.3, 3.0])).unwrap();
    assert_eq!((wall.form, slab.form, column.form), (Form::Flat, Form::Flat, Form::Long));
    assert!(near(angle(wall, slab), 90.0) && near(angle(wall, wall), 0.0));
    assert!(near(angle(column, slab), 90.0) && near(angle(wall, column), 0.0));
    let turned = DAffine3::from_rotation_z(30.0_f64.to_radians());
    let bounds = Bounds { min: DVec3::ZERO, max: DVec3::new(5.0, 0.2, 3.0) };
    let leaning = Element::new(Id(4), Solid::cuboid(&bounds, &turned).unwrap().mesh());
    assert!((angle(wall, line(&leaning).unwrap()) - 30.0).abs() < 1e-6);
    assert_eq!(line(&body(5, [0.0, 0.0, 0.0], [1.0, 1.0, 1.0])), None);
}

#[test]
fn a_prism_holds_what_is_within_and_meets_what_reaches_in() {
    let outline = [[0.0, 0.0], [6.0, 0.0], [6.0, 2.0], [2.0, 2.0], [2.0, 6.0], [0.0, 6.0]].map(DVec2::from);
    let prism = Prism::of_polygon(&outline, 0.0, 3.0).unwrap();
    let at = |low, high| body(1, low, high);
    assert!(prism.holds(&at([0.0, 0.0, 0.0], [2.0, 2.0, 3.0])), "faces in its own faces");
    assert!(prism.meets(&at([0.0, 0.0, 0.0], [2.0, 2.0, 3.0])));
    let corner = at([1.0, 1.0, 1.0], [3.0, 3.0, 2.0]);
    assert!(prism.meets(&corner) && !prism.holds(&corner), "reaches over the inner corner");
    let beside = at([2.0, 2.0, 0.0], [5.0, 5.0, 3.0]);
    assert!(!prism.meets(&beside) && !prism.holds(&beside), "only touches the notch");
    assert!(!prism.meets(&at([0.0, 0.0, 3.0], [1.0, 1.0, 4.0])), "stands on top");
    let around = at([-1.0, -1.0, -1.0], [9.0, 9.0, 9.0]);
    assert!(prism.meets(&around) && !prism.holds(&around));
    // a sheet encloses nothing, and is there all the same
    let sheet = |x: f64| {
        let corners = [[x, 0.5, 1.0], [x + 1.0, 0.5, 1.0], [x, 1.5, 1.0]].map(DVec3::from).to_vec();
        Element::new(Id(7), Mesh { positions: corners, normals: Vec::new(), triangles: vec![[0, 1, 2]] })
    };
    assert!(prism.meets(&sheet(1.0)) && prism.holds(&sheet(1.0)) && !prism.meets(&sheet(7.0)));
    assert!(
        Prism::of_polygon(&outline[..2], 0.0, 3.0).is_none()
            && Prism::of_polygon(&outline, 3.0, 3.0).is_none()
    );
}

#[test]
fn holes_of_a_prism_hold_nothing() {
    let square = |low: f64, high: f64| vec![[low, low], [high, low], [high, high], [low, high]];
    let loops = |l: Vec<[f64; 2]>| l.into_iter().map(DVec2::from).collect::<Vec<_>>();
    let area = Area::new(loops(square(0.0, 6.0)), vec![loops(square(2.0, 4.0))]);
    let prism = Prism::new(vec![area], 0.0, 3.0).unwrap();
    assert!(!prism.meets(&body(1, [2.5, 2.5, 1.0], [3.5, 3.5, 2.0])));
    let over = body(1, [1.5, 2.5, 1.0], [3.5, 3.5, 2.0]);
    assert!(prism.meets(&over) && !prism.holds(&over));
}

#[test]
fn above_and_below_are_those_whose_shadows_overlap() {
    let index = index(&[
        ([0.0, 0.0, 0.0], [4.0, 4.0, 0.2]),
        ([1.0, 1.0, 0.2], [2.0, 2.0, 1.0]),
        ([3.0, 3.0, 2.0], [6.0, 6.0, 2.2]),
        ([4.0, 0.0, 1.0], [5.0, 4.0, 2.0]),
    ]);
    let slab = index.get(Id(1)).unwrap();
    let above = stacked(&index, slab, true, |_| true);
    let told: Vec<(u32, f64, f64)> = above.iter().map(|l| (l.element.0, l.gap, l.shared)).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].0 == 2 && near(told[0].1, 0.0) && (told[0].2 - 1.0).abs() < 1e-6);
    assert!(told[1].0 == 3 && near(told[1].1, 1.8) && (told[1].2 - 1.0).abs() < 1e-6);
    let below = stacked(&index, index.get(Id(3)).unwrap(), false, |_| true);
    assert_eq!(below.iter().map(|l| l.element.0).collect::<Vec<_>>(), [4, 1]);
}

#[test]
fn a_slab_is_bounded_below_by_the_walls_it_lies_on() {
    let index = index(&[
        ([0.0, 0.0, 3.0], [5.0, 4.0, 3.2]),
        ([0.0, 0.0, 0.0], [5.0, 0.2, 3.0]),
        ([5.0, 0.0, 0.0], [5.2, 4.0, 4.0]),
    ]);
    let found = bounding(&index, index.get(Id(1)).unwrap(), 0.001, |_| true);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].element == Id(2) && found[0].side == Side::Bottom && (found[0].area - 1.0).abs() < 1e-6);
    assert!(found[1].element == Id(3) && found[1].side.is_same(Side::Upright(DVec3::X)));
    assert!((found[1].area - 0.8).abs() < 1e-6);
    let sides = faces_by_side(index.get(Id(1)).unwrap());
    assert!(sides.len() == 6 && near(sides[0].1, 20.0));
}

#[test]
fn an_isovist_in_a_room_is_the_room() {
    // a room of 6 by 4 m between four walls, with a pillar of 1 by 1 m in the middle of its right half
    let index = index(&[
        ([-0.2, -0.2, 0.0], [6.2, 0.0, 3.0]),
        ([-0.2, 4.0, 0.0], [6.2, 4.2, 3.0]),
        ([-0.2, 0.0, 0.0], [0.0, 4.0, 3.0]),
        ([6.0, 0.0, 0.0], [6.2, 4.0, 3.0]),
        ([4.0, 1.5, 0.0], [5.0, 2.5, 3.0]),
    ]);
    let eye = DVec3::new(2.0, 2.0, 1.6);
    let without = isovist(&index, eye, 50.0, |id| id != Id(5)).unwrap();
    assert!((without.area - 24.0).abs() < 1e-6, "{}", without.area);
    assert!(without.open < 1e-6 && without.seen.len() == 4);
    let whole = without.seen.iter().map(|s| s.angle).sum::<f64>();
    assert!((whole - 360.0).abs() < 1e-6);
    // the pillar hides itself and, behind it, what lies between the lines past its near corners: at x = 6 they are 2 m apart
    let with = isovist(&index, eye, 50.0, |_| true).unwrap();
    let hidden = 3.0;
    assert!((with.area - (24.0 - hidden)).abs() < 1e-6, "{}", with.area);
    assert!(
        with.seen[0].element == Id(1) || with.seen[0].element == Id(2) || near(with.seen[0].distance, 2.0)
    );
    let short = isovist(&index, eye, 1.0, |_| true).unwrap();
    assert!((short.area - std::f64::consts::PI).abs() < 0.01 && (short.open - 360.0).abs() < 1e-6);
    assert!(isovist(&index, DVec3::new(4.5, 2.0, 1.0), 50.0, |_| true).is_none());
}
