//! Desks, wardrobes, shelves and kitchens.

use super::super::block::{Block, Finish};
use glam::DVec3;

/// The width of a gap between fronts.
const GAP: f64 = 4.0;
/// The thickness of boards.
const BOARD: f64 = 20.0;

/// Equal parts of a stretch of about a width, each less the gap around it.
fn fronts(x: [f64; 2], about: f64) -> Vec<[f64; 2]> {
    let count = ((x[1] - x[0]) / about).round().clamp(1.0, 40.0);
    let part = (x[1] - x[0]) / count;
    let half = GAP / 2.0;
    (0..count as i32)
        .map(|i| x[0] + part * f64::from(i))
        .map(|from| [from + half, from + part - half])
        .collect()
}

/// A desk: top, a side, drawers at the other, a panel at its back.
pub(super) fn desk(size: DVec3) -> Vec<Block> {
    let DVec3 { x: w, y: d, z: h } = size;
    let x = [-w / 2.0, w / 2.0];
    let under = h - 30.0;
    let drawers = [x[1] - (0.28 * w).min(420.0), x[1] - 10.0];
    let mut all = vec![
        Block::cuboid(x, [0.0, d], [under, h], Finish::Wood),
        Block::cuboid([x[0] + 10.0, x[0] + 40.0], [20.0, d - 20.0], [0.0, under], Finish::Wood),
        Block::cuboid([x[0] + 40.0, drawers[0]], [40.0, 60.0], [0.35 * h, under], Finish::Wood),
        Block::cuboid(drawers, [20.0, d - 40.0], [20.0, under], Finish::Wood),
    ];
    let part = (under - 20.0) / 3.0;
    for i in 0..3 {
        let z = [20.0 + part * f64::from(i) + 3.0, 20.0 + part * f64::from(i + 1) - 3.0];
        all.push(Block::cuboid(drawers, [d - 40.0, d - 22.0], z, Finish::Board));
        let middle = f64::midpoint(drawers[0], drawers[1]);
        let handle = [z[1] - 40.0, z[1] - 28.0];
        all.push(Block::cuboid([middle - 60.0, middle + 60.0], [d - 22.0, d - 10.0], handle, Finish::Metal));
    }
    all
}

/// A wardrobe: body, plinth, doors with handles.
pub(super) fn wardrobe(size: DVec3) -> Vec<Block> {
    let DVec3 { x: w, y: d, z: h } = size;
    let x = [-w / 2.0, w / 2.0];
    let body = d - BOARD - 25.0;
    let mut all = vec![
        Block::cuboid(x, [0.0, body], [60.0, h], Finish::Board),
        Block::cuboid([x[0] + 20.0, x[1] - 20.0], [0.0, body - 30.0], [0.0, 60.0], Finish::Dark),
    ];
    let doors = fronts(x, 500.0);
    for (i, door) in doors.iter().enumerate() {
        all.push(Block::cuboid(*door, [body, body + BOARD], [62.0, h - 2.0], Finish::Board));
        let at = if i % 2 == 0 && i + 1 < doors.len() { door[1] - 50.0 } else { door[0] + 38.0 };
        let z = [0.42 * h, 0.42 * h + 200.0];
        all.push(Block::cuboid([at, at + 12.0], [body + BOARD, d], z, Finish::Metal));
    }
    all
}

/// A shelf: sides, back, boards.
pub(super) fn shelf(size: DVec3) -> Vec<Block> {
    let DVec3 { x: w, y: d, z: h } = size;
    let x = [-w / 2.0, w / 2.0];
    let inner = [x[0] + BOARD, x[1] - BOARD];
    let mut all = vec![
        Block::cuboid([x[0], inner[0]], [0.0, d], [0.0, h], Finish::Wood),
        Block::cuboid([inner[1], x[1]], [0.0, d], [0.0, h], Finish::Wood),
        Block::cuboid(inner, [0.0, 8.0], [0.0, h], Finish::Wood),
    ];
    let boards = ((h - BOARD) / 350.0).round().clamp(1.0, 60.0);
    let step = (h - BOARD) / boards;
    for i in 0..=boards as i32 {
        let z = step * f64::from(i);
        all.push(Block::cuboid(inner, [8.0, d], [z, z + BOARD], Finish::Wood));
    }
    all
}

/// A kitchen: base cupboards, worktop with sink and hob, and cupboards above where its height leaves room for them.
pub(super) fn kitchen(size: DVec3) -> Vec<Block> {
    let DVec3 { x: w, y: d, z: h } = size;
    let x = [-w / 2.0, w / 2.0];
    let (plinth, top) = (100.0, h.min(900.0));
    let under = top - 40.0;
    let body = d - 40.0;
    let mut all = vec![
        Block::cuboid(x, [0.0, body - 50.0], [0.0, plinth], Finish::Dark),
        Block::cuboid(x, [0.0, body], [plinth, under], Finish::Board),
        Block::cuboid(x, [0.0, d], [under, top], Finish::Stone),
    ];
    for front in fronts(x, 600.0) {
        all.push(Block::cuboid(front, [body, body + BOARD], [plinth + 2.0, under - 4.0], Finish::Board));
        let handle = [under - 50.0, under - 38.0];
        let middle = f64::midpoint(front[0], front[1]);
        all.push(Block::cuboid([middle - 80.0, middle + 80.0], [body + BOARD, d], handle, Finish::Metal));
    }
    // the sink to the left of one who stands before it, the hob to the right
    let (sink, hob) = (0.25 * w, -0.25 * w);
    let (front, basin) = ([0.2 * d, 0.8 * d], (0.2 * w).min(250.0));
    all.push(Block::cuboid([sink - basin, sink + basin], front, [top, top + 6.0], Finish::Metal));
    all.push(Block::cuboid(
        [sink - 12.0, sink + 12.0],
        [0.1 * d, 0.1 * d + 24.0],
        [top, top + 260.0],
        Finish::Metal,
    ));
    all.push(Block::cuboid(
        [sink - 10.0, sink + 10.0],
        [0.1 * d + 24.0, 0.1 * d + 190.0],
        [top + 240.0, top + 260.0],
        Finish::Metal,
    ));
    all.push(Block::cuboid([hob - basin, hob + basin], front, [top, top + 8.0], Finish::Dark));
    let above = top + 540.0;
    if h > above + 300.0 {
        let deep = (0.58 * d).min(370.0);
        all.push(Block::cuboid(x, [0.0, deep - BOARD], [above, h], Finish::Board));
        for front in fronts(x, 600.0) {
            all.push(Block::cuboid(front, [deep - BOARD, deep], [above + 2.0, h - 2.0], Finish::Board));
        }
    }
    all
}
