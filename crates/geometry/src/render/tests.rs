//! Pictures that one can work out by hand, hostile shapes, and a real model.

use super::*;
use crate::{
    element::{Part, Shape},
    math::Bounds,
    mesh::Mesh,
    scene::Scene,
    style::Colour,
    tests::open,
};
use glam::{DAffine3, DVec3};
use ifc::Id;
use std::sync::Arc;

const GO: GoOn<'static> = &|_, _| true;

/// A box of one colour.
fn cuboid(min: DVec3, max: DVec3, colour: Colour) -> Item {
    let mut mesh = Mesh::default();
    let ends: Vec<DVec3> = Bounds { min, max }.corners().collect();
    let corner = |i: usize| ends[i];
    // sides: four corners each, counter-clockwise from outside
    let sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    for (side, corners) in (0..).zip(sides) {
        let mut normal = DVec3::ZERO;
        normal[side / 2] = if side % 2 == 0 { -1.0 } else { 1.0 };
        let start = mesh.positions.len() as u32;
        mesh.positions.extend(corners.map(corner));
        mesh.normals.extend([normal; 4]);
        mesh.triangles.extend([[start, start + 1, start + 2], [start, start + 2, start + 3]]);
    }
    assert!(mesh.measures().is_closed() && mesh.measures().volume > 0.0);
    item(mesh, colour)
}

fn item(mesh: Mesh, colour: Colour) -> Item {
    let part = Part { item: Id(1), mesh: Arc::new(mesh.into()), at: DAffine3::IDENTITY, colour };
    let shape = Arc::new(Shape { parts: vec![part], ..Shape::default() });
    Item { element: Id(7), shape, look: Look::Styled }
}

const RED: Colour = [200, 0, 0, 255];
const BLUE: Colour = [0, 0, 200, 255];

/// Without lines, on black, 10 pixels a metre, the world's origin in the middle, seen from above.
fn plain() -> (Setting, Camera) {
    let setting = Setting {
        background: Background::Plain([0, 0, 0, 255]),
        edges: false,
        corners: 0.0,
        ..Setting::new(100, 100)
    };
    let camera =
        Camera::at(DVec3::new(0.0, 0.0, 100.0), DVec3::ZERO, DVec3::Y, Projection::Parallel(5.0)).unwrap();
    (setting, camera)
}

fn pixel(picture: &Picture, x: usize, y: usize) -> Colour {
    let at = (y * picture.width as usize + x) * 4;
    picture.rgba[at..at + 4].try_into().unwrap()
}

#[test]
fn a_box_covers_its_pixels_and_no_others() {
    let (setting, camera) = plain();
    let items = [cuboid(DVec3::new(-2.0, 1.0, 0.0), DVec3::new(3.0, 4.0, 2.5), RED)];
    let picture = draw(&items, &camera, &setting, GO).unwrap();
    for y in 0..100 {
        for x in 0..100 {
            let inside = (30..80).contains(&x) && (10..40).contains(&y);
            let at = y * 100 + x;
            assert_eq!(picture.items[at], u32::from(inside), "{x} {y}");
            assert_eq!(picture.element_at(x as u32, y as u32), inside.then_some(Id(7)));
            assert_eq!(picture.depth[at], if inside { 97.5 } else { f32::INFINITY });
            assert_eq!(pixel(&picture, x, y)[0] > 0, inside);
        }
    }
}

#[test]
fn the_nearer_of_two_is_seen_in_whatever_order_they_come() {
    let (setting, camera) = plain();
    let (low, high) = (
        cuboid(DVec3::new(-4.0, -4.0, 0.0), DVec3::new(4.0, 4.0, 1.0), RED),
        cuboid(DVec3::splat(-1.0), DVec3::new(1.0, 1.0, 2.0), BLUE),
    );
    for (items, top) in [([low.clone(), high.clone()], 2), ([high, low], 1)] {
        let picture = draw(&items, &camera, &setting, GO).unwrap();
        assert_eq!(picture.items[50 * 100 + 50], top);
        assert_eq!(picture.items[20 * 100 + 20], 3 - top);
    }
}

#[test]
fn of_two_faces_in_one_place_the_first_of_the_list_is_seen() {
    let (setting, camera) = plain();
    let items = [
        cuboid(DVec3::splat(-3.0), DVec3::ONE, RED),
        cuboid(DVec3::splat(-1.0), DVec3::new(3.0, 3.0, 1.0), BLUE),
    ];
    let picture = draw(&items, &camera, &setting, GO).unwrap();
    assert!((41..59).all(|y| (41..59).all(|x| picture.items[y * 100 + x] == 1)));
}

#[test]
fn clear_layers_mix_from_the_far_to_the_near_whatever_their_order() {
    let (setting, camera) = plain();
    let ground = cuboid(DVec3::new(-4.0, -4.0, 0.0), DVec3::new(4.0, 4.0, 1.0), [255, 255, 255, 255]);
    let red = cuboid(DVec3::new(-2.0, -2.0, 2.0), DVec3::new(2.0, 2.0, 3.0), [255, 0, 0, 128]);
    let blue = cuboid(DVec3::new(-2.0, -2.0, 4.0), DVec3::new(2.0, 2.0, 5.0), [0, 0, 255, 128]);
    let a = draw(&[ground.clone(), red.clone(), blue.clone()], &camera, &setting, GO).unwrap();
    let b = draw(&[blue, ground, red], &camera, &setting, GO).unwrap();
    assert_eq!(a.rgba, b.rgba);
    let [r, g, b, _] = pixel(&a, 50, 50);
    // the near blue takes half, red half of the rest, the ground what is left
    assert!(b > r && r > g && g > 50, "{r} {g} {b}");
    assert_eq!(a.element_at(50, 50), Some(Id(7)));
    assert_eq!(a.items[50 * 100 + 50], 3);
}

#[test]
fn ghosts_are_seen_but_not_touched_and_what_is_hidden_is_neither() {
    let (setting, camera) = plain();
    let mut ghost = cuboid(DVec3::splat(-2.0), DVec3::splat(2.0), RED);
    ghost.look = Look::Ghost;
    let picture = draw(std::slice::from_ref(&ghost), &camera, &setting, GO).unwrap();
    assert!(pixel(&picture, 50, 50)[0] > 0 && picture.items[50 * 100 + 50] == 0);
    ghost.look = Look::Hidden;
    let picture = draw(&[ghost], &camera, &setting, GO).unwrap();
    assert_eq!(pixel(&picture, 50, 50), [0, 0, 0, 255]);
}

#[test]
fn a_cut_shows_the_inside_closed() {
    let (mut setting, camera) = plain();
    setting.clip.extend(HalfSpace::below(1.0));
    setting.cut_colour = Some([10, 20, 30, 255]);
    let picture =
        draw(&[cuboid(DVec3::new(-2.0, -2.0, 0.0), DVec3::new(2.0, 2.0, 3.0), RED)], &camera, &setting, GO)
            .unwrap();
    assert_eq!(picture.depth[50 * 100 + 50], 99.0);
    assert_eq!(pixel(&picture, 50, 50), [10, 20, 30, 255]);
    setting.clip = HalfSpace::inside(&Bounds { min: DVec3::ZERO, max: DVec3::ONE });
    let picture =
        draw(&[cuboid(DVec3::new(-2.0, -2.0, 0.0), DVec3::new(2.0, 2.0, 3.0), RED)], &camera, &setting, GO)
            .unwrap();
    assert_eq!(picture.items.iter().filter(|i| **i > 0).count(), 100);
}

#[test]
fn triangles_that_share_edges_leave_no_sample_out_and_take_none_twice() {
    let (setting, camera) = plain();
    // a fan about a point off the middle, half clear: a sample taken twice would be brighter
    let mut mesh =
        Mesh { positions: vec![DVec3::new(0.3, 0.1, 0.0)], normals: vec![DVec3::Z; 61], ..Mesh::default() };
    mesh.positions.extend((0..60).map(|i| {
        let a = f64::from(i) * std::f64::consts::TAU / 60.0;
        DVec3::new(4.0 * a.cos(), 4.0 * a.sin(), 0.0)
    }));
    mesh.triangles.extend((0..60).map(|i| [0, i + 1, (i + 1) % 60 + 1]));
    let picture = draw(&[item(mesh, [200, 200, 200, 128])], &camera, &setting, GO).unwrap();
    let middle = pixel(&picture, 50, 50);
    for (y, x) in (0..100).flat_map(|y| (0..100).map(move |x| (y, x))) {
        if (f64::from(x) - 49.5).hypot(f64::from(y) - 49.5) < 38.0 {
            assert_eq!(pixel(&picture, x as usize, y as usize), middle, "{x} {y}");
        }
    }
}

#[test]
fn lines_part_elements_and_faces_at_an_angle_but_not_triangles_of_a_face() {
    let (mut setting, camera) = plain();
    setting.edges = true;
    let items = [
        cuboid(DVec3::new(-3.0, -3.0, 0.0), DVec3::new(0.0, 3.0, 1.0), RED),
        cuboid(DVec3::new(0.0, -3.0, 0.0), DVec3::new(3.0, 3.0, 1.0), RED),
    ];
    let picture = draw(&items, &camera, &setting, GO).unwrap();
    let (line, face) = (pixel(&picture, 50, 50)[0], pixel(&picture, 35, 50)[0]);
    assert!(line < face - 20, "{line} {face}");
    assert!((22..48).all(|x| pixel(&picture, x, 60)[0] == face));
}

#[test]
fn the_same_shapes_give_the_same_picture_on_one_thread_and_on_many() {
    let items = [
        cuboid(DVec3::splat(-2.0), DVec3::splat(2.0), RED),
        cuboid(DVec3::ZERO, DVec3::splat(3.0), [0, 0, 250, 90]),
    ];
    let boxes: Vec<Bounds> = items.iter().map(Item::bounds).collect();
    let setting = Setting::new(600, 400);
    let camera = Camera::named(Named::SouthEast, &boxes, setting.aspect(), 0.05).unwrap();
    let many = draw(&items, &camera, &setting, GO).unwrap();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert!(one.install(|| draw(&items, &camera, &setting, GO).unwrap()) == many);
}

#[test]
fn every_named_view_shows_all_of_it_and_fills_the_picture() {
    let item = cuboid(DVec3::new(1e6, -2e6, 3.0), DVec3::new(1e6 + 9.0, -2e6 + 5.0, 7.0), RED);
    for (name, view) in Named::ALL {
        assert_eq!(Named::parse(name), Some(view));
        let mut setting = Setting::new(160, 120);
        setting.edges = false;
        let camera = Camera::named(view, &[item.bounds()], setting.aspect(), 0.05).unwrap();
        let picture = draw(std::slice::from_ref(&item), &camera, &setting, GO).unwrap();
        let seen: Vec<(usize, usize)> =
            (0..160 * 120).filter(|i| picture.items[*i] > 0).map(|i| (i % 160, i / 160)).collect();
        let range = |of: &dyn Fn(&(usize, usize)) -> usize| {
            (seen.iter().map(of).min().unwrap(), seen.iter().map(of).max().unwrap())
        };
        let (x, y) = (range(&|p| p.0), range(&|p| p.1));
        assert!(x.0 >= 7 && x.1 <= 152 && y.0 >= 5 && y.1 <= 114, "{name} {x:?} {y:?}");
        assert!(x.1 - x.0 > 138 || y.1 - y.0 > 102, "{name} {x:?} {y:?}");
    }
}

#[test]
fn broken_shapes_and_a_camera_within_them_bring_nothing_down() {
    let mut mesh = Mesh {
        positions: vec![
            DVec3::splat(f64::NAN),
            DVec3::ZERO,
            DVec3::new(1e300, -1e300, 1e300),
            DVec3::new(1.0, 1.0, 0.0),
            DVec3::splat(f64::INFINITY),
        ],
        normals: vec![DVec3::ZERO; 3],
        triangles: vec![[0, 1, 2], [1, 1, 1], [1, 2, 3], [3, 4, 1], [9, 9, 9], [1, 3, 3]],
    };
    let setting = Setting::new(64, 48);
    let broken = item(mesh.clone(), RED);
    mesh.normals = vec![DVec3::splat(f64::NAN); 5];
    let items = [broken, item(mesh, [1, 2, 3, 80]), cuboid(DVec3::splat(-1e7), DVec3::splat(1e7), RED)];
    for (_, view) in Named::ALL {
        let camera = Camera::named(view, &[items[2].bounds()], setting.aspect(), 0.05).unwrap();
        draw(&items, &camera, &setting, GO).unwrap();
    }
    let inside =
        Camera::at(DVec3::splat(0.3), DVec3::new(1.0, 0.2, 0.1), DVec3::Z, Projection::Perspective(0.4))
            .unwrap();
    draw(&items, &inside, &setting, GO).unwrap();
    assert!(Camera::at(DVec3::ZERO, DVec3::ZERO, DVec3::Z, Projection::Parallel(1.0)).is_none());
    assert!(Camera::named(Named::Plan, &[Bounds::EMPTY], 1.0, 0.0).is_none());
}

#[test]
fn sizes_out_of_bounds_are_refused_and_a_picture_can_be_ended() {
    let (setting, camera) = plain();
    for (width, height, samples) in [(15, 100, 1), (100, 8193, 1), (100, 100, 0), (100, 100, 5)] {
        let setting = Setting { width, height, samples, ..setting.clone() };
        assert_eq!(draw(&[], &camera, &setting, GO), Err(PictureError::Size));
    }
    assert_eq!(draw(&[], &camera, &setting, &|_, _| false), Err(PictureError::Cancelled));
}

#[test]
fn a_label_stands_beside_what_it_means() {
    let (mut setting, camera) = plain();
    setting.labels.push(Label { target: Target::Element(Id(7)), text: "Küche".to_owned() });
    setting
        .labels
        .push(Label { target: Target::Point(DVec3::new(0.0, 0.0, f64::NAN)), text: "nowhere".to_owned() });
    let items = [cuboid(DVec3::splat(-1.0), DVec3::ONE, RED)];
    let with = draw(&items, &camera, &setting, GO).unwrap();
    setting.labels.clear();
    let without = draw(&items, &camera, &setting, GO).unwrap();
    let changed = with.rgba.chunks_exact(4).zip(without.rgba.chunks_exact(4)).filter(|(a, b)| a != b).count();
    assert!((800..2500).contains(&changed), "{changed}");
    assert_eq!(with.items, without.items);
}

#[test]
fn a_png_reads_back_as_it_was() {
    let (mut setting, camera) = plain();
    for (opacity, channels) in [(255, 3), (0, 4)] {
        setting.background = Background::Plain([9, 8, 7, opacity]);
        let picture = draw(&[cuboid(DVec3::splat(-1.0), DVec3::ONE, RED)], &camera, &setting, GO).unwrap();
        let bytes = picture.png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut back = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut back).unwrap();
        assert_eq!(back.len(), 100 * 100 * channels);
        let same = back.chunks_exact(channels).zip(picture.rgba.chunks_exact(4));
        assert!(same.into_iter().all(|(a, b)| a == &b[..channels]));
    }
}

#[test]
fn a_house_is_drawn_and_every_element_seen_is_where_a_ray_finds_it() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    let scene = Scene::from_model(&model);
    let items = of_scene(&scene);
    let boxes: Vec<Bounds> = items.iter().filter(|i| i.look != Look::Hidden).map(Item::bounds).collect();
    let setting = Setting { samples: 1, ..Setting::new(240, 160) };
    let camera = Camera::named(Named::SouthEast, &boxes, setting.aspect(), 0.04).unwrap();
    let picture = draw(&items, &camera, &setting, GO).unwrap();
    let mut rays = crate::query::Index::default();
    for i in items.iter().filter(|i| i.look != Look::Hidden) {
        rays.insert(i.element, i.shape.mesh());
    }
    let (mut agree, mut not) = (0, 0);
    let half = 16_f64.to_radians().tan();
    for (x, y) in (0..160).step_by(3).flat_map(|y| (0..240).step_by(3).map(move |x| (x, y))) {
        let (u, v) = ((f64::from(x) + 0.5) / 120.0 - 1.0, 1.0 - (f64::from(y) + 0.5) / 80.0);
        let across = camera.right() * (u * half * 1.5) + camera.up() * (v * half);
        let direction = across + -camera.back();
        let hit = rays.first_hit(&crate::query::Ray::new(camera.eye(), direction).unwrap(), |_| true);
        let away = picture.depth[(y * 240 + x) as usize];
        let long = direction.length();
        match hit {
            None => not += usize::from(away.is_finite()),
            Some(h) if (h.distance / long - f64::from(away)).abs() < 0.01 => agree += 1,
            Some(_) => not += 1,
        }
    }
    assert!(agree > 1000 && not * 200 < agree, "{agree} agree, {not} do not");
}
