//! Beds, tables and seats.

use super::super::block::{Block, Finish, ellipse, rounded};
use glam::{DVec2, DVec3};

/// Four legs within a rectangle, from the floor up to a height.
fn legs(x: [f64; 2], y: [f64; 2], thick: f64, z: [f64; 2], finish: Finish) -> Vec<Block> {
    let ends = |r: [f64; 2]| [[r[0], r[0] + thick], [r[1] - thick, r[1]]];
    ends(x).into_iter().flat_map(|x| ends(y).map(|y| Block::cuboid(x, y, z, finish))).collect()
}

/// A bed: headboard, frame on feet, mattress, pillows, blanket.
pub(super) fn bed(size: DVec3) -> Vec<Block> {
    let DVec3 { x: w, y: d, z: h } = size;
    let (x, top) = ([-w / 2.0, w / 2.0], (0.52 * h).min(480.0));
    let (feet, frame) = (top * 0.2, top * 0.55);
    let mut all = vec![
        Block::cuboid(x, [0.0, 50.0], [0.0, h], Finish::Wood),
        Block::cuboid(x, [50.0, d], [feet, frame], Finish::Wood),
        Block::upright(
            rounded([x[0] + 20.0, x[1] - 20.0], [60.0, d - 20.0], 40.0, 60.0),
            [frame, top],
            Finish::Linen,
        ),
        Block::upright(
            rounded([x[0] + 5.0, x[1] - 5.0], [0.36 * d, d - 5.0], 40.0, 60.0),
            [top, top + 45.0],
            Finish::Fabric,
        ),
    ];
    all.extend(legs([x[0] + 30.0, x[1] - 30.0], [100.0, d - 40.0], 60.0, [0.0, feet], Finish::Wood));
    let pillows = if w >= 1200.0 { 2 } else { 1 };
    let part = (w - 40.0) / f64::from(pillows);
    let soft = (h - top).min(110.0);
    for i in 0..pillows {
        let from = x[0] + 20.0 + part * f64::from(i);
        let outline = rounded([from + 0.08 * part, from + 0.92 * part], [90.0, 90.0 + 0.2 * d], 60.0, 60.0);
        all.push(Block::upright(outline, [top, top + soft], Finish::Linen));
    }
    all
}

/// A table: top, apron and four legs.
pub(super) fn table(size: DVec3) -> Vec<Block> {
    let DVec3 { x: w, y: d, z: h } = size;
    let thick = (0.05 * h).clamp(18.0, 35.0);
    let leg = (0.07 * w.min(d)).clamp(30.0, 70.0);
    let (x, y) = ([-w / 2.0, w / 2.0], [0.0, d]);
    let (lx, ly) = ([x[0] + 20.0, x[1] - 20.0], [20.0, d - 20.0]);
    let mut all = vec![Block::upright(rounded(x, y, 20.0, 20.0), [h - thick, h], Finish::Wood)];
    all.extend(legs(lx, ly, leg, [0.0, h - thick], Finish::Wood));
    let apron = [h - thick - 0.1 * h, h - thick];
    for y in [[ly[0] + 10.0, ly[0] + 30.0], [ly[1] - 30.0, ly[1] - 10.0]] {
        all.push(Block::cuboid([lx[0] + leg, lx[1] - leg], y, apron, Finish::Wood));
    }
    for x in [[lx[0] + 10.0, lx[0] + 30.0], [lx[1] - 30.0, lx[1] - 10.0]] {
        all.push(Block::cuboid(x, [ly[0] + leg, ly[1] - leg], apron, Finish::Wood));
    }
    all
}

/// A round table: top, pole and foot.
pub(super) fn round_table(size: DVec3) -> Vec<Block> {
    let DVec3 { x: w, y: d, z: h } = size;
    let thick = (0.05 * h).clamp(18.0, 35.0);
    let centre = DVec2::new(0.0, d / 2.0);
    let radii = DVec2::new(w, d) / 2.0;
    vec![
        Block::upright(ellipse(centre, radii), [h - thick, h], Finish::Wood),
        Block::pole(centre, (0.05 * w.min(d)).max(20.0), [25.0, h - thick], Finish::Metal),
        Block::upright(ellipse(centre, radii * 0.5), [0.0, 25.0], Finish::Metal),
    ]
}

/// A chair: seat, legs, back.
pub(super) fn chair(size: DVec3) -> Vec<Block> {
    let DVec3 { x: w, y: d, z: h } = size;
    let (x, seat) = ([-w / 2.0, w / 2.0], (0.53 * h).min(460.0));
    let post = 35.0;
    let mut all = legs([x[0] + 10.0, x[1] - 10.0], [15.0, d - 25.0], post, [0.0, seat - 30.0], Finish::Wood);
    all.push(Block::upright(rounded(x, [0.0, d], 15.0, 50.0), [seat - 30.0, seat], Finish::Wood));
    // the back leans a little, so that its foot stands before its top
    let lean = |z: f64| 40.0 - 40.0 * (z - seat) / (h - seat);
    let rest = |from: f64, to: f64, thick: f64| {
        vec![
            DVec2::new(lean(from), from),
            DVec2::new(lean(from) + thick, from),
            DVec2::new(lean(to) + thick, to),
            DVec2::new(lean(to), to),
        ]
    };
    for x in [[x[0] + 10.0, x[0] + 10.0 + post], [x[1] - 10.0 - post, x[1] - 10.0]] {
        all.push(Block::across(rest(seat, h, 28.0), x, Finish::Wood));
    }
    let inner = [x[0] + 10.0 + post, x[1] - 10.0 - post];
    all.push(Block::across(rest(seat + 0.45 * (h - seat), h - 10.0, 18.0), inner, Finish::Wood));
    all
}

/// A sofa or armchair: base on feet, arms, back, as many seats as it has room for.
pub(super) fn sofa(size: DVec3) -> Vec<Block> {
    let DVec3 { x: w, y: d, z: h } = size;
    let arm = (0.12 * w).clamp(90.0, 200.0);
    let back = (0.24 * d).clamp(120.0, 240.0);
    let (feet, base, seat) = (0.1 * h, 0.34 * h, 0.54 * h);
    let x = [-w / 2.0, w / 2.0];
    let inner = [x[0] + arm, x[1] - arm];
    let mut all = legs([x[0] + 40.0, x[1] - 40.0], [40.0, d - 40.0], 50.0, [0.0, feet], Finish::Dark);
    all.push(Block::cuboid(inner, [back, d - 10.0], [feet, base], Finish::Fabric));
    for arm_x in [[x[0], inner[0]], [inner[1], x[1]]] {
        all.push(Block::upright(rounded(arm_x, [0.0, d], 40.0, 50.0), [feet, 0.74 * h], Finish::Fabric));
    }
    let slope = vec![
        DVec2::new(0.0, feet),
        DVec2::new(back, feet),
        DVec2::new(back, base),
        DVec2::new(0.7 * back, h),
        DVec2::new(0.0, h),
    ];
    all.push(Block::across(slope, inner, Finish::Fabric));
    let seats = ((inner[1] - inner[0]) / 750.0).round().clamp(1.0, 12.0);
    let part = (inner[1] - inner[0]) / seats;
    for i in 0..seats as i32 {
        let from = inner[0] + part * f64::from(i);
        let outline = rounded([from + 4.0, from + part - 4.0], [back + 4.0, d], 20.0, 40.0);
        all.push(Block::upright(outline, [base, seat], Finish::Fabric));
    }
    all
}
