//! Pairs that lie within each other, meet, or keep apart, with the area or the distance that they are made to have. Metres.

use super::{
    Expected, Made,
    body::{Body, section, width},
    deep::{in_plan, on_its_corner, on_its_edge, slab},
    random::Random,
};
use glam::{DAffine3, DVec2, DVec3};
use std::f64::consts::{PI, TAU};

/// A box on a slab, so far over its top: below it where `gap` is negative.
fn box_over_a_slab(random: &mut Random, gap: f64) -> (Body, Body, f64) {
    let size = random.vector(0.3, 1.2);
    let half = size.with_z(0.0) / 2.0;
    let b = Body::cuboid(-half, half.with_z(1.0)).moved(&in_plan(random, gap));
    (slab(random), b, size.x * size.y)
}

fn touching(a: Body, b: Body, area: f64) -> Made {
    Made { a, b, expected: Expected::Touching { area } }
}

pub(super) fn box_on_a_slab(random: &mut Random) -> Made {
    let (a, b, area) = box_over_a_slab(random, 0.0);
    touching(a, b, area)
}

pub(super) fn edge_on_a_slab(random: &mut Random) -> Made {
    let b = on_its_edge(random, 0.0).0;
    touching(slab(random), b, 0.0)
}

pub(super) fn corner_on_a_slab(random: &mut Random) -> Made {
    let b = on_its_corner(random, 0.0).0;
    touching(slab(random), b, 0.0)
}

/// Boxes beside each other that share a part of an edge, or a corner alone.
pub(super) fn edge_on_edge_or_corner_on_corner(random: &mut Random) -> Made {
    let a = Body::cuboid(-random.vector(1.0, 2.0), DVec3::ZERO);
    let from = random.one_of(&[DVec3::ZERO, DVec3::new(0.0, 0.0, -0.5)]);
    touching(a, Body::cuboid(from, random.vector(1.0, 2.0)), 0.0)
}

/// Walls in line: their ends meet, and all four other faces are in common planes.
pub(super) fn ends_of_walls_in_line(random: &mut Random) -> Made {
    let (wide, high) = (random.between(0.1, 0.4), random.between(2.0, 3.0));
    let a = Body::cuboid(DVec3::new(-random.between(1.0, 4.0), 0.0, 0.0), DVec3::new(0.0, wide, high));
    let b = Body::cuboid(DVec3::ZERO, DVec3::new(random.between(1.0, 4.0), wide, high));
    touching(a, b, wide * high)
}

pub(super) fn bar_that_lies_on_a_slab(random: &mut Random) -> Made {
    let (sides, radius) = (random.one_of(&[8, 12, 16]), random.between(0.05, 0.3));
    let length = random.between(0.5, 2.0);
    let up = width(sides, radius) / 2.0;
    let b = Body::bar(sides, radius, [0.0, length]).lying().moved(&in_plan(random, up));
    touching(slab(random), b, 2.0 * radius * (PI / sides as f64).sin() * length)
}

/// A bar in a sleeve that fits all around; it comes out at one end.
pub(super) fn bar_that_fits_its_sleeve(random: &mut Random) -> Made {
    let (sides, radius) = (random.one_of(&[6, 8, 12, 24]), random.between(0.05, 0.3));
    let long = random.between(0.2, 1.0);
    let a = Body::sleeve(sides, [radius + 0.1, radius], [0.0, 2.0]);
    let b = Body::bar(sides, radius, [2.0 - long, 3.0]);
    touching(a, b, 2.0 * radius * (PI / sides as f64).sin() * sides as f64 * long)
}

pub(super) fn box_in_the_notch_of_an_angle(random: &mut Random) -> Made {
    let wide = random.between(0.2, 0.8);
    let a = Body::angle(DVec2::new(3.0, 3.0), wide, [0.0, 2.0]);
    let size = random.vector(0.3, 1.5);
    let from = DVec3::new(wide, wide, 0.0);
    touching(a, Body::cuboid(from, from + size), (size.x + size.y) * size.z)
}

/// In, or away, by less than a tenth of a millimetre.
pub(super) fn box_within_the_tolerance_of_a_slab(random: &mut Random) -> Made {
    let gap = random.between(1e-5, 9e-5) * random.one_of(&[1.0, -1.0]);
    let (a, b, area) = box_over_a_slab(random, gap);
    touching(a, b, area)
}

fn clear(a: Body, b: Body, distance: f64) -> Made {
    Made { a, b, expected: Expected::Clear { distance } }
}

/// A box over a slab: flat, on its edge or on its corner.
pub(super) fn box_over_a_slab_by_more(random: &mut Random) -> Made {
    let gap = random.between(2e-4, 0.09);
    match random.one_of(&[0, 1, 2]) {
        0 => {
            let (a, b, _) = box_over_a_slab(random, gap);
            clear(a, b, gap)
        }
        1 => clear(slab(random), on_its_edge(random, -gap).0, gap),
        _ => clear(slab(random), on_its_corner(random, -gap).0, gap),
    }
}

pub(super) fn bar_between_the_flanges_of_a_channel(random: &mut Random) -> Made {
    let a = Body::channel(DVec2::new(1.0, 1.0), 0.1, [0.0, 3.0]);
    let gaps = random.vector(0.005, 0.09);
    let b = Body::cuboid(
        DVec3::new(0.1 + gaps.x, 0.1 + gaps.y, -1.0),
        DVec3::new(0.9 - gaps.z, random.between(0.7, 2.0), 4.0),
    );
    clear(a, b, gaps.min_element())
}

pub(super) fn pipe_in_a_sleeve_that_is_wider(random: &mut Random) -> Made {
    let (sides, radius) = (random.one_of(&[8, 12, 24]), random.between(0.05, 0.2));
    let inner = radius + random.between(0.005, 0.05);
    let a = Body::sleeve(sides, [inner + 0.05, inner], [0.0, 0.5]);
    let b = Body::sleeve(sides, [radius, 0.8 * radius], [-1.0, 1.0]);
    clear(a, b, (inner - radius) * (PI / sides as f64).cos())
}

/// A bar within a box: free all around, or with its end in the box's face.
pub(super) fn bar_in_a_box(random: &mut Random) -> Made {
    let (sides, radius) = (random.one_of(&[6, 8, 16]), random.between(0.05, 0.4));
    let a = Body::cuboid(DVec3::splat(-1.0), DVec3::ONE);
    let foot = random.one_of(&[-1.0, -0.8]);
    let top = random.between(0.0, 0.9);
    let at = random.vector(-0.5, 0.5).with_z(0.0);
    let b = Body::bar(sides, radius, [foot, top]).moved(&DAffine3::from_translation(at));
    Made { a, b, expected: Expected::Contains { volume: section(sides, radius) * (top - foot) } }
}

/// A box in a bar, turned any way.
pub(super) fn box_in_a_bar(random: &mut Random) -> Made {
    let half = random.vector(0.05, 0.4);
    let turn = random.motion(DVec3::ZERO);
    let a = Body::bar(16, 1.0, [-1.5, 1.5]);
    let b = Body::cuboid(-half, half).moved(&turn);
    Made { a, b, expected: Expected::Contains { volume: 8.0 * half.element_product() } }
}

/// One shape twice, in the same triangles or in others.
pub(super) fn shape_that_is_there_twice(random: &mut Random) -> Made {
    let size = random.vector(0.5, 2.0);
    let sides = random.one_of(&[6, 12, 24]);
    let a = match random.one_of(&[0, 1, 2]) {
        0 => Body::angle(DVec2::splat(2.0), 0.5, [0.0, size.z]),
        1 => Body::bar(sides, size.x, [0.0, size.z]),
        _ => Body::sleeve(sides, [size.x + 0.1, size.x], [0.0, size.z]),
    };
    let b = if random.between(0.0, TAU) > PI { a.clone().rotated_outline() } else { a.clone() };
    Made { a, b, expected: Expected::Duplicate }
}
