//! Pairs that go into each other, with the depth and the volume that they are made to have. The second goes into the top of the first (a slab
//! below z = 0), through it (a wall between y = 0 and its thickness), or into what the function's name says. Metres.

use super::{Expected, Made, body::Body, body::section, body::width, random::Random};
use glam::{DAffine3, DQuat, DVec2, DVec3};
use std::f64::consts::FRAC_PI_2;

const SIDES: [usize; 6] = [6, 8, 12, 16, 24, 32];

/// A slab whose top is at z = 0, much wider than what is put into it.
pub(super) fn slab(random: &mut Random) -> Body {
    let (wide, thick) = (random.between(4.0, 6.0), random.between(0.4, 0.9));
    Body::cuboid(DVec3::new(-wide, -wide, -thick), DVec3::new(wide, wide, 0.0))
}

/// A wall from y = 0 to its thickness.
fn wall(thick: f64) -> Body {
    Body::cuboid(DVec3::new(-4.0, 0.0, 0.0), DVec3::new(4.0, thick, 3.0))
}

/// A turn about an upright axis and a way.
pub(super) fn in_plan(random: &mut Random, z: f64) -> DAffine3 {
    let way = DVec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), z);
    DAffine3::from_rotation_translation(DQuat::from_rotation_z(random.angle()), way)
}

/// A bar along y from a place in a wall's face.
fn along_y(bar: Body, random: &mut Random) -> Body {
    let way = DVec3::new(random.between(-1.0, 1.0), 0.0, random.between(1.0, 2.0));
    let turn = DQuat::from_rotation_x(-FRAC_PI_2);
    bar.moved(&DAffine3::from_rotation_z(random.angle()))
        .moved(&DAffine3::from_rotation_translation(turn, way))
}

fn made(a: Body, b: Body, depth: f64, volume: f64) -> Made {
    Made { a, b, expected: Expected::Hard { depth: [depth, depth], volume } }
}

pub(super) fn box_into_a_slab(random: &mut Random) -> Made {
    let (size, depth) = (random.vector(0.3, 1.2), random.between(0.005, 0.25));
    let b = Body::cuboid(-size.with_z(0.0) / 2.0, size.with_z(4.0) - size.with_z(0.0) / 2.0)
        .moved(&in_plan(random, -depth));
    made(slab(random), b, depth, size.x * size.y * depth)
}

pub(super) fn corners_of_two_boxes(random: &mut Random) -> Made {
    let shared = random.vector(0.02, 0.5);
    let a = Body::cuboid(-random.vector(1.0, 3.0), shared);
    let b = Body::cuboid(DVec3::ZERO, random.vector(1.0, 3.0));
    made(a, b, shared.min_element(), shared.element_product())
}

/// A box whose lower edge is level, so that it goes in as a wedge; the edge is in the slab's top where `depth` is 0.
pub(super) fn on_its_edge(random: &mut Random, depth: f64) -> (Body, f64) {
    let (lean, length) = (random.between(0.45, 1.1), random.between(0.3, 1.5));
    let size = DVec3::new(random.between(0.7, 1.2), length, random.between(0.7, 1.2));
    let b = Body::cuboid(DVec3::ZERO, size)
        .moved(&DAffine3::from_rotation_y(-lean))
        .moved(&in_plan(random, -depth));
    (b, depth * depth * (lean.tan() + 1.0 / lean.tan()) / 2.0 * length)
}

pub(super) fn edge_into_a_slab(random: &mut Random) -> Made {
    let depth = random.between(0.02, 0.25);
    let (b, volume) = on_its_edge(random, depth);
    made(slab(random), b, depth, volume)
}

/// A box whose lowest part is a corner; it is in the slab's top where `depth` is 0.
pub(super) fn on_its_corner(random: &mut Random, depth: f64) -> (Body, f64) {
    let down = random.vector(0.5, 1.0).normalize();
    let b = Body::cuboid(DVec3::ZERO, random.vector(0.8, 1.4))
        .moved(&DAffine3::from_quat(DQuat::from_rotation_arc(down, DVec3::Z)))
        .moved(&in_plan(random, -depth));
    (b, depth.powi(3) / (6.0 * down.element_product()))
}

pub(super) fn corner_into_a_slab(random: &mut Random) -> Made {
    let depth = random.between(0.03, 0.2);
    let (b, volume) = on_its_corner(random, depth);
    made(slab(random), b, depth, volume)
}

pub(super) fn beam_through_a_wall(random: &mut Random) -> Made {
    let (size, thick) = (random.vector(0.05, 0.5), random.between(0.08, 0.5));
    let half = DVec3::new(size.x, size.y, 4.0) / 2.0;
    let b = along_y(Body::cuboid(-half, half), random);
    made(wall(thick), b, size.x.min(size.y).min(thick), size.x * size.y * thick)
}

pub(super) fn pipe_through_a_wall(random: &mut Random) -> Made {
    let (sides, radius) = (random.one_of(&SIDES), random.between(0.02, 0.3));
    let thick = random.between(0.08, 0.5);
    let b = along_y(Body::bar(sides, radius, [-2.0, 2.0]), random);
    made(wall(thick), b, width(sides, radius).min(thick), section(sides, radius) * thick)
}

pub(super) fn pipe_askew_through_a_wall(random: &mut Random) -> Made {
    let (sides, radius) = (random.one_of(&SIDES), random.between(0.02, 0.3));
    let (thick, lean) = (random.between(0.08, 0.5), random.between(-0.8, 0.8));
    let way = DVec3::new(0.0, 0.0, 1.5);
    let askew =
        DAffine3::from_translation(way) * DAffine3::from_rotation_z(lean) * DAffine3::from_translation(-way);
    let b = along_y(Body::bar(sides, radius, [-3.0, 3.0]), random).moved(&askew);
    let volume = section(sides, radius) * thick / lean.cos();
    made(wall(thick), b, width(sides, radius).min(thick), volume)
}

pub(super) fn pipe_that_ends_in_a_wall(random: &mut Random) -> Made {
    let (sides, radius) = (random.one_of(&SIDES), random.between(0.02, 0.2));
    let (thick, depth) = (random.between(0.3, 0.5), random.between(0.01, 0.25));
    let b = along_y(Body::bar(sides, radius, [-2.0, depth]), random);
    made(wall(thick), b, depth, section(sides, radius) * depth)
}

/// A hollow section, as of a duct: what is shared is a ring, but no less deep than of a full one.
pub(super) fn hollow_through_a_wall(random: &mut Random) -> Made {
    let (sides, outer) = (random.one_of(&SIDES), random.between(0.1, 0.3));
    let (thick, inner) = (random.between(0.08, 0.5), outer - random.between(0.001, 0.02));
    let b = along_y(Body::sleeve(sides, [outer, inner], [-2.0, 2.0]), random);
    let volume = (section(sides, outer) - section(sides, inner)) * thick;
    made(wall(thick), b, width(sides, outer).min(thick), volume)
}

pub(super) fn box_across_the_legs_of_an_angle(random: &mut Random) -> Made {
    let (wide, depth) = (random.between(0.5, 1.0), random.between(0.01, 0.2));
    let a = Body::angle(DVec2::new(3.0, 3.5), wide, [-2.0, 0.0]);
    let low = DVec2::new(random.between(0.1, 0.3), random.between(0.1, 0.3));
    let high = DVec2::splat(wide) + DVec2::new(random.between(0.3, 1.0), random.between(0.3, 1.0));
    let b = Body::cuboid(low.extend(-depth), high.extend(1.0));
    let notch = (high - DVec2::splat(wide)).element_product();
    made(a, b, depth, ((high - low).element_product() - notch) * depth)
}

/// The bar's least width is what the two pieces that it shares with the flanges have in common.
pub(super) fn beam_through_both_flanges_of_a_channel(random: &mut Random) -> Made {
    let thick = random.between(0.05, 0.1);
    let a = Body::channel(DVec2::new(random.between(0.6, 1.0), 1.0), thick, [0.0, 3.0]);
    let size = DVec2::new(random.between(0.1, 0.3), random.between(0.1, 0.3));
    let at = DVec3::new(0.0, random.between(0.4, 0.6), random.between(1.0, 2.0));
    let b = Body::cuboid((-size / 2.0).extend(-1.0), (size / 2.0).extend(2.0))
        .lying()
        .moved(&DAffine3::from_translation(at));
    made(a, b, size.min_element(), 2.0 * thick * size.element_product())
}

/// A plate that is a little larger than the frame that holds it: as deep as that, and not as thick as the plate.
pub(super) fn plate_in_a_frame_that_is_too_small(random: &mut Random) -> Made {
    let (half, deep) = (random.between(0.8, 1.5), random.between(0.001, 0.005));
    let diagonal = 2.0_f64.sqrt();
    let a = Body::sleeve(4, [half * diagonal + 0.4, half * diagonal], [-0.5, 0.5]);
    let plate = half + deep;
    let thick = random.between(0.1, 0.3);
    let b = Body::cuboid(DVec3::new(-plate, -plate, 0.0), DVec3::new(plate, plate, thick));
    let volume = 4.0 * (plate * plate - half * half) * thick;
    Made { a, b, expected: Expected::Hard { depth: [deep, 1.01 * deep], volume } }
}

/// Two walls of one height whose tops and feet are in common planes: across each other, around a corner, or the end of one in the other.
pub(super) fn walls_of_one_height(random: &mut Random) -> Made {
    let (first, second) = (random.between(0.1, 0.4), random.between(0.1, 0.4));
    let (high, depth) = (random.between(2.2, 3.0), random.between(0.01, 0.09));
    let (from, at) = random.one_of(&[(-2.0, 1.5), (0.0, 0.0), (first - depth, 1.5)]);
    let a = Body::cuboid(DVec3::ZERO, DVec3::new(4.0, first, high));
    let b = Body::cuboid(DVec3::new(at, from, 0.0), DVec3::new(at + second, 3.0, high));
    let deep = if from > 0.0 { depth } else { first };
    made(a, b, if from > 0.0 { depth } else { first.min(second) }, deep * second * high)
}

/// A cabinet that stands on what a thin floor lies on, so that both have their feet in one plane: it leaves the floor upwards.
pub(super) fn box_through_a_thin_floor(random: &mut Random) -> Made {
    let (size, thin) = (random.vector(0.3, 1.2), random.between(0.005, 0.05));
    let floor = Body::cuboid(DVec3::new(-4.0, -4.0, 0.0), DVec3::new(4.0, 4.0, thin));
    let b = Body::cuboid(-size.with_z(0.0) / 2.0, size - size.with_z(0.0) / 2.0).moved(&in_plan(random, 0.0));
    made(floor, b, thin, size.x * size.y * thin)
}
