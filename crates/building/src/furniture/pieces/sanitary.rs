//! WC, basin, shower, bath, and the car of a lift.

use super::super::block::{Block, Finish, ellipse, rounded};
use glam::{DVec2, DVec3};

/// A WC: cistern, foot, pan and lid.
pub(super) fn wc(size: DVec3) -> Vec<Block> {
    let DVec3 { x: w, y: d, z: h } = size;
    let x = [-w / 2.0, w / 2.0];
    let tank = (0.27 * d).min(190.0);
    let seat = (0.52 * h).min(420.0);
    let pan =
        |inset: f64| rounded([x[0] + 10.0 + inset, x[1] - 10.0 - inset], [tank, d - inset], 20.0, 0.47 * w);
    vec![
        Block::upright(
            rounded([x[0] + 0.25 * w, x[1] - 0.25 * w], [tank * 0.3, d * 0.72], 20.0, 0.2 * w),
            [0.0, 0.45 * seat],
            Finish::Ceramic,
        ),
        Block::upright(pan(0.1 * w), [0.45 * seat, 0.75 * seat], Finish::Ceramic),
        Block::hollow(
            pan(0.0),
            ellipse(DVec2::new(0.0, f64::midpoint(tank, d)), DVec2::new(0.3 * w, 0.3 * (d - tank))),
            [0.75 * seat, seat - 25.0],
            Finish::Ceramic,
        ),
        Block::upright(pan(4.0), [seat - 25.0, seat], Finish::Ceramic),
        Block::cuboid(x, [0.0, tank], [0.75 * seat, h], Finish::Ceramic),
        Block::cuboid([-40.0, 40.0], [tank * 0.4, tank * 0.7], [h, h + 6.0], Finish::Metal),
    ]
}

/// A basin: bowl on a pedestal, with a tap.
pub(super) fn basin(size: DVec3) -> Vec<Block> {
    let DVec3 { x: w, y: d, z: h } = size;
    let x = [-w / 2.0, w / 2.0];
    let depth = 0.2 * h;
    let outline = rounded(x, [0.0, d], 15.0, 0.3 * d);
    let hole = rounded([x[0] + 0.09 * w, x[1] - 0.09 * w], [0.27 * d, 0.91 * d], 0.12 * d, 0.22 * d);
    vec![
        Block::hollow(outline.clone(), hole, [h - depth + 30.0, h], Finish::Ceramic),
        Block::upright(outline, [h - depth, h - depth + 30.0], Finish::Ceramic),
        Block::upright(
            rounded([-0.14 * w, 0.14 * w], [0.06 * d, 0.5 * d], 20.0, 60.0),
            [0.0, h - depth],
            Finish::Ceramic,
        ),
        Block::pole(DVec2::new(0.0, 0.14 * d), 14.0, [h, h + 120.0], Finish::Metal),
        Block::cuboid([-11.0, 11.0], [0.14 * d, 0.14 * d + 120.0], [h + 98.0, h + 120.0], Finish::Metal),
    ]
}

/// A shower: tray with a rim, two panes of glass, a rail with a head. It stands in a corner: its back and its right side, seen from
/// the front, are walls.
pub(super) fn shower(size: DVec3) -> Vec<Block> {
    let DVec3 { x: w, y: d, z: h } = size;
    let x = [-w / 2.0, w / 2.0];
    let outline = rounded(x, [0.0, d], 0.0, 0.0);
    let hole = rounded([x[0] + 40.0, x[1] - 40.0], [40.0, d - 40.0], 40.0, 40.0);
    let glass = [45.0, h];
    vec![
        Block::upright(outline.clone(), [0.0, 20.0], Finish::Ceramic),
        Block::hollow(outline, hole, [20.0, 45.0], Finish::Ceramic),
        Block::cuboid([x[0] + 16.0, x[0] + 24.0], [0.0, d - 24.0], glass, Finish::Glass),
        Block::cuboid([x[0] + 16.0, x[0] + 0.45 * w], [d - 24.0, d - 16.0], glass, Finish::Glass),
        Block::pole(DVec2::new(0.0, 45.0), 12.0, [900.0, h], Finish::Metal),
        Block::cuboid([-12.0, 12.0], [57.0, 0.4 * d], [h - 30.0, h - 8.0], Finish::Metal),
        Block::pole(DVec2::new(0.0, 0.4 * d + 90.0), 110.0, [h - 40.0, h - 22.0], Finish::Metal),
    ]
}

/// A bath: walls around a hollow, its ground, a tap.
pub(super) fn bath(size: DVec3) -> Vec<Block> {
    let DVec3 { x: w, y: d, z: h } = size;
    let x = [-w / 2.0, w / 2.0];
    let outline = rounded(x, [0.0, d], 10.0, 10.0);
    let hole = rounded([x[0] + 70.0, x[1] - 70.0], [70.0, d - 70.0], 0.25 * d, 0.25 * d);
    let ground = (h - 420.0).max(60.0);
    vec![
        Block::upright(outline.clone(), [0.0, ground], Finish::Ceramic),
        Block::hollow(outline, hole, [ground, h], Finish::Ceramic),
        Block::pole(DVec2::new(x[1] - 35.0, d / 2.0), 14.0, [h, h + 110.0], Finish::Metal),
        Block::cuboid(
            [x[1] - 150.0, x[1] - 35.0],
            [d / 2.0 - 11.0, d / 2.0 + 11.0],
            [h + 88.0, h + 110.0],
            Finish::Metal,
        ),
    ]
}

/// The car of a lift: floor, walls, ceiling, a door of two leaves at its front, a handrail.
pub(super) fn lift_car(size: DVec3) -> Vec<Block> {
    let DVec3 { x: w, y: d, z: h } = size;
    let x = [-w / 2.0, w / 2.0];
    let wall = 40.0;
    let inner = [x[0] + wall, x[1] - wall];
    let door = (0.75 * w).min(1100.0);
    let clear = [-door / 2.0, door / 2.0];
    let (floor, roof) = (50.0, h - 50.0);
    let head = roof.min(floor + 2050.0);
    let mut all = vec![
        Block::cuboid(x, [0.0, d], [0.0, floor], Finish::Metal),
        Block::cuboid(x, [0.0, d], [roof, h], Finish::Metal),
        Block::cuboid(inner, [0.0, wall], [floor, roof], Finish::Metal),
        Block::cuboid([x[0], inner[0]], [0.0, d], [floor, roof], Finish::Metal),
        Block::cuboid([inner[1], x[1]], [0.0, d], [floor, roof], Finish::Metal),
        Block::cuboid(
            [inner[0] + 60.0, inner[1] - 60.0],
            [wall + 40.0, wall + 80.0],
            [900.0, 940.0],
            Finish::Dark,
        ),
        Block::cuboid([clear[0], -1.0], [d - 30.0, d - 5.0], [floor, head], Finish::Metal),
        Block::cuboid([1.0, clear[1]], [d - 30.0, d - 5.0], [floor, head], Finish::Metal),
    ];
    let front = [d - wall, d];
    if clear[0] - inner[0] > 5.0 {
        all.push(Block::cuboid([inner[0], clear[0]], front, [floor, roof], Finish::Metal));
        all.push(Block::cuboid([clear[1], inner[1]], front, [floor, roof], Finish::Metal));
    }
    if roof - head > 5.0 {
        all.push(Block::cuboid(clear, front, [head, roof], Finish::Metal));
    }
    all
}
