//! Views that one can work out by hand, and a real house against rays.

use super::*;
use crate::math::orthonormal;
use crate::{
    Scene,
    math::Bounds,
    query::{self, Ray},
    region::Area,
    solid::Solid,
    tests::open,
};
use glam::{DAffine3, DVec2, DVec3};
use ifc::placement::unit;

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 2e-4, "{a} is not {b}");
}

fn block(id: u32, min: DVec3, max: DVec3) -> (Id, Mesh) {
    (Id(id), Solid::cuboid(&Bounds { min, max }, &DAffine3::IDENTITY).unwrap().mesh())
}

fn extruded(id: u32, outer: &[DVec2], holes: Vec<Vec<DVec2>>, frame: &DAffine3, depth: f64) -> (Id, Mesh) {
    let area = Area::new(outer.to_vec(), holes);
    (Id(id), Solid::extrusion(&area, frame, DVec3::Z, depth).unwrap().mesh())
}

fn above() -> Plane {
    Plane::level(10.0).unwrap()
}

fn long(lines: &[Vec<DVec2>]) -> f64 {
    let one = |l: &Vec<DVec2>| l.windows(2).map(|p| (p[1].x - p[0].x).hypot(p[1].y - p[0].y)).sum::<f64>();
    lines.iter().map(one).sum()
}

fn seen(elements: &[(Id, Mesh)], plane: &Plane) -> Vec<Seen> {
    let wanted = Wanted { hidden: true, ..Wanted::default() };
    of_meshes(elements, plane, &wanted, &|_, _| true).unwrap()
}

#[test]
fn a_block_is_one_closed_line() {
    let seen = seen(&[block(1, DVec3::new(1.0, 2.0, 0.0), DVec3::new(4.0, 4.0, 3.0))], &above());
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].visible.len(), 1);
    near(long(&seen[0].visible), 10.0);
    assert!(seen[0].visible[0].len() <= 6, "{:?}", seen[0].visible);
    // its lower edges lie under the upper ones
    near(long(&seen[0].hidden), 10.0);
    assert!(seen[0].cut.areas.is_empty());
}

#[test]
fn what_lies_wholly_behind_is_not_seen() {
    let elements =
        [block(1, DVec3::ZERO, DVec3::ONE), block(2, DVec3::new(-1.0, -1.0, 2.0), DVec3::new(2.0, 2.0, 3.0))];
    let seen = seen(&elements, &above());
    assert_eq!(seen[0].element, Id(1));
    assert!(seen[0].visible.is_empty());
    near(long(&seen[0].hidden), 4.0);
    near(long(&seen[1].visible), 12.0);
}

#[test]
fn what_lies_partly_behind_ends_at_the_rim() {
    let elements = [
        block(1, DVec3::ZERO, DVec3::new(2.0, 1.0, 1.0)),
        block(2, DVec3::new(1.3, -1.0, 2.0), DVec3::new(4.0, 2.0, 3.0)),
    ];
    let seen = seen(&elements, &above());
    // two long sides up to the rim, and the short side on the left
    near(long(&seen[0].visible), 2.0 * 1.3 + 1.0);
    let most = seen[0].visible.iter().flatten().map(|p| p.x).fold(0.0, f64::max);
    near(most, 1.3);
}

#[test]
fn blocks_that_go_through_each_other_hide_up_to_where_they_meet() {
    // a ramp that comes out of a block's top
    let ramp = extruded(
        1,
        &[DVec2::ZERO, DVec2::new(4.0, 0.0), DVec2::new(4.0, 2.0)],
        vec![],
        &orthonormal(DVec3::Y, DVec3::NEG_Y, DVec3::X),
        0.5,
    );
    let seen = seen(&[ramp, block(2, DVec3::new(-1.0, -1.0, 0.0), DVec3::new(5.0, 3.0, 1.0))], &above());
    // it rises a half per metre: above one metre from x = 2
    let least = seen[0].visible.iter().flatten().map(|p| p.x).fold(9.0, f64::min);
    near(least, 2.0);
    near(long(&seen[0].visible), 2.0 + 2.0 + 0.5);
}

#[test]
fn a_lying_cylinder_is_seen_by_its_silhouette() {
    let circle: Vec<DVec2> = (0..48)
        .map(|i| f64::from(i) * std::f64::consts::TAU / 48.0)
        .map(|a| DVec2::new(a.cos(), a.sin()))
        .collect();
    let along_x = orthonormal(DVec3::ZERO, DVec3::X, DVec3::Y);
    let seen = seen(&[extruded(1, &circle, vec![], &along_x, 5.0)], &above());
    near(long(&seen[0].visible), 2.0 * 5.0 + 2.0 * 2.0);
    let wide = seen[0].visible.iter().flatten().map(|p| p.y).fold(0.0, f64::max);
    near(wide, 1.0);
}

#[test]
fn through_a_hole_is_seen_what_lies_behind() {
    let plate = extruded(
        1,
        &[DVec2::ZERO, DVec2::new(4.0, 0.0), DVec2::new(4.0, 4.0), DVec2::new(0.0, 4.0)],
        vec![vec![DVec2::ONE, DVec2::new(1.0, 3.0), DVec2::new(3.0, 3.0), DVec2::new(3.0, 1.0)]],
        &orthonormal(DVec3::new(0.0, 0.0, 5.0), DVec3::Z, DVec3::X),
        0.2,
    );
    let elements = [plate, block(2, DVec3::new(0.5, 1.5, 0.0), DVec3::new(3.5, 2.5, 1.0))];
    let seen = seen(&elements, &above());
    near(long(&seen[0].visible), 16.0 + 8.0);
    // two lines across the hole
    near(long(&seen[1].visible), 4.0);
    assert!(seen[1].visible.iter().flatten().all(|p| p.x > 0.9999 && p.x < 3.0001));
}

#[test]
fn what_is_cut_hides_what_lies_in_it_and_under_it() {
    let elements = [
        block(1, DVec3::ZERO, DVec3::new(4.0, 1.0, 3.0)),
        block(2, DVec3::new(1.0, -1.0, 0.5), DVec3::new(2.0, 0.5, 0.8)),
    ];
    let seen = seen(&elements, &Plane::level(1.0).unwrap());
    near(seen[0].cut.size(), 4.0);
    assert!(seen[0].visible.is_empty());
    assert!(seen[1].cut.areas.is_empty());
    near(long(&seen[1].visible), 1.0 + 1.0 + 1.0);
}

#[test]
fn glass_has_lines_and_hides_none() {
    let elements = [
        Shown::new(Id(1), &shape_of(DVec3::ZERO, DVec3::ONE, false)),
        Shown::new(Id(2), &shape_of(DVec3::new(-1.0, -1.0, 2.0), DVec3::new(2.0, 2.0, 2.1), true)),
    ];
    let seen = of_elements(&elements, &above(), &Wanted::default(), &|_, _| true).unwrap();
    near(long(&seen[0].visible), 4.0);
    near(long(&seen[1].visible), 12.0);
    let solid = Wanted { solid_glass: true, ..Wanted::default() };
    let seen = of_elements(&elements, &above(), &solid, &|_, _| true).unwrap();
    assert!(seen.iter().all(|seen| seen.element == Id(2)), "glass hides where it is to be solid");
    near(long(&seen[0].visible), 12.0);
    // cut, it is a lid
    let seen =
        of_elements(&elements, &Plane::level(2.05).unwrap(), &Wanted::default(), &|_, _| true).unwrap();
    assert_eq!(seen.iter().map(|s| s.element).collect::<Vec<_>>(), [Id(2)]);
    near(seen[0].cut.size(), 9.0);
}

#[test]
fn faces_that_share_parts_of_an_edge_have_no_rim_there() {
    // a plate of which one side is one face and the other two, without a corner in the middle of the long edge
    let positions = [
        [0.0, 0.0, 0.0],
        [4.0, 0.0, 0.0],
        [4.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 2.0, 0.0],
        [2.0, 1.0, 0.0],
        [2.0, 2.0, 0.0],
        [4.0, 2.0, 0.0],
    ];
    let positions = positions.map(DVec3::from).to_vec();
    let triangles = vec![[0, 1, 2], [0, 2, 3], [3, 5, 6], [3, 6, 4], [5, 2, 7], [5, 7, 6]];
    let seen = seen(&[(Id(1), Mesh { positions, normals: Vec::new(), triangles })], &above());
    near(long(&seen[0].visible), 12.0);
}

#[test]
fn beyond_the_depth_nothing_is_seen() {
    let elements =
        [block(1, DVec3::ZERO, DVec3::ONE), block(2, DVec3::new(5.0, 0.0, 0.0), DVec3::new(6.0, 1.0, 9.0))];
    let wanted = Wanted { depth: 4.0, ..Wanted::default() };
    let seen = of_meshes(&elements, &above(), &wanted, &|_, _| true).unwrap();
    assert_eq!(seen.iter().map(|s| s.element).collect::<Vec<_>>(), [Id(2)]);
    near(long(&seen[0].visible), 4.0);
}

#[test]
fn broken_meshes_bring_nothing_down_and_a_view_can_be_ended() {
    let broken = Mesh {
        positions: vec![
            DVec3::splat(f64::NAN),
            DVec3::ZERO,
            DVec3::splat(1e300),
            DVec3::new(1.0, 1.0, 0.0),
            DVec3::splat(f64::INFINITY),
        ],
        normals: Vec::new(),
        triangles: vec![[0, 1, 2], [1, 1, 1], [1, 3, 3], [3, 4, 1], [9, 9, 9]],
    };
    let elements = [(Id(1), broken), block(2, DVec3::ZERO, DVec3::ONE)];
    near(long(&seen(&elements, &above())[0].visible), 4.0);
    assert!(of_meshes(&elements, &above(), &Wanted::default(), &|_, _| false).is_none());
}

#[test]
fn rays_reach_what_is_seen_of_a_house() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    let scene = Scene::from_model(&model);
    let drawn = scene.entries().iter().filter(|e| e.is_drawn() && !e.is_space);
    let elements: Vec<(Id, Mesh)> = drawn.map(|e| (e.id, scene.shape(e.id).unwrap().mesh())).collect();
    let bounds = Bounds::from_points(elements.iter().flat_map(|(_, m)| m.positions.iter().copied()));
    // from the south-west and a little from above, well outside
    let normal = unit(DVec3::new(-0.5, -0.7, 0.4)).unwrap();
    let plane = Plane::new(bounds.centre() + normal * 50.0, normal, DVec3::X).unwrap();
    let view = seen(&elements, &plane);
    let rays: query::Index = elements.iter().map(|(id, m)| (*id, std::sync::Arc::new(m.clone()))).collect();
    // a point of a line is on the silhouette of something: asked a millimetre beside it, on both sides
    let is_free = |id: Id, p: DVec2, across: DVec2| {
        [-1e-3, 1e-3].iter().any(|s| {
            let from = plane.lift(p + *s * across);
            let ray = Ray::new(from, -normal).unwrap();
            let Some(hit) = rays.first_hit(&ray, |_| true) else { return false };
            let own = rays.get(id).unwrap().nearest_surface_point(hit.point, 0.02);
            own.is_some_and(|(d, q)| d < 0.02 && (q - hit.point).length() < 0.02)
        })
    };
    let (mut right, mut wrong) = (0, 0);
    for s in &view {
        for line in &s.visible {
            for pair in line.windows(2) {
                let d = pair[1] - pair[0];
                let long = d.length();
                if long < 0.05 {
                    continue;
                }
                let middle = pair[0] + 0.47 * d;
                let free = is_free(s.element, middle, d.perp() / long);
                *(if free { &mut right } else { &mut wrong }) += 1;
            }
        }
    }
    assert!(right > 300 && wrong * 100 < right, "{right} right, {wrong} wrong");
}

/// A shape of one grey block; `clear` makes it of glass.
fn shape_of(min: DVec3, max: DVec3, clear: bool) -> Arc<Shape> {
    let mesh = block(0, min, max).1;
    let colour = [120, 120, 120, if clear { 90 } else { 255 }];
    let part = crate::Part { item: Id(1), mesh: Arc::new(mesh.into()), at: DAffine3::IDENTITY, colour };
    Arc::new(Shape { parts: vec![part], ..Shape::default() })
}

#[test]
fn what_is_seen_again_after_a_change_is_what_is_seen_anew() {
    // numbers that look like chance, the same in every run
    let mut state = 7_u64;
    let mut next = |most: f64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * most
    };
    let mut boxes: Vec<(DVec3, DVec3, bool)> = Vec::new();
    for number in 0..60 {
        let min = DVec3::new(next(10.0), next(10.0), next(3.0));
        let size = DVec3::new(0.05 + next(3.0), 0.05 + next(3.0), 0.05 + next(2.0));
        boxes.push((min, min + size, number % 7 == 0));
    }
    let planes = [
        Plane::level(2.5).unwrap(),
        Plane::new(DVec3::new(5.0, -1.0, 0.0), DVec3::NEG_Y, DVec3::X).unwrap(),
        Plane::new(DVec3::new(-20.0, -26.0, 20.0), DVec3::new(-1.0, -1.3, 1.0), DVec3::new(1.3, -1.0, 0.0))
            .unwrap(),
    ];
    let wanted = Wanted { hidden: true, ..Wanted::default() };
    let all = |boxes: &[(DVec3, DVec3, bool)], plane: &Plane| -> Vec<Arc<Look>> {
        let shown: Vec<Shown<'static>> = (0..)
            .zip(boxes)
            .map(|(id, (min, max, clear))| Shown::new(Id(id), &shape_of(*min, *max, *clear)))
            .collect();
        look(&shown, plane, &wanted, &|_, _| true).unwrap().into_iter().map(Arc::new).collect()
    };
    let mut kept: Vec<Vec<Arc<Look>>> = planes.iter().map(|plane| all(&boxes, plane)).collect();
    let mut untouched = 0;
    for round in 0..25 {
        let moved = (round * 17) % boxes.len();
        let (min, max, clear) = boxes[moved];
        let by = DVec3::new(next(1.0) - 0.5, next(1.0) - 0.5, next(0.4) - 0.2);
        boxes[moved] = (min + by, max + by, clear);
        for (plane, kept) in planes.iter().zip(&mut kept) {
            let bounds = |place: usize| Bounds { min: boxes[place].0, max: boxes[place].1 };
            let elements: Vec<Again<'_>> = (0..boxes.len())
                .map(|place| Again {
                    element: Id(place as u32),
                    bounds: bounds(place),
                    before: (place != moved).then(|| &kept[place]),
                })
                .collect();
            let changed = [Bounds { min, max }, bounds(moved)].map(|own| Region::new(&own, plane));
            let shape = |id: Id| {
                let (min, max, clear) = boxes[id.0 as usize];
                Some(shape_of(min, max, clear))
            };
            let seen = again(&elements, &changed, &shape, plane, &wanted, &|_, _| true).unwrap();
            untouched += seen.iter().zip(kept.iter()).filter(|(one, other)| Arc::ptr_eq(one, other)).count();
            assert_eq!(seen, all(&boxes, plane), "round {round}");
            *kept = seen;
        }
    }
    assert!(untouched > 25 * 3 * 20, "{untouched} were left as they were");
}
