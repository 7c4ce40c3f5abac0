//! The bodies of flights: solid ones with steps above and a soffit along the pitch below, open ones with boards between
//! two strings. Winding steps are blocks that hold on to one another, those around a pole are boards.
//!
//! A solid run goes on beneath the landing or slab that it leads to until its soffit meets theirs, as it is cast.

use super::layout::{Flight, Measures, Piece, Run, Step};
use crate::author::Author;
use crate::frame::Frame;
use crate::polygon::area;
use contract::Fault;
use glam::{DAffine3, DVec2, DVec3};
use ifc::Id;

/// The way a flight is built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Build {
    /// Cast: a waist of this thickness in mm, square to the pitch.
    Solid(f64),
    /// Boards between strings.
    Open,
}

/// Thickness of a board in mm.
pub const BOARD: f64 = 40.0;
/// Length by which a board lies over the one below, in mm.
pub const NOSING: f64 = 30.0;
/// Thickness of a string in mm.
const STRING: f64 = 50.0;
/// Depth of a string square to the pitch, in mm.
const STRING_DEPTH: f64 = 280.0;
/// Height of a string's upper edge over the line along the fronts of the steps, in mm.
const OVER: f64 = 20.0;
/// Depth by which a block holds on to the one below it, in mm, where the flight has no waist.
const HOLD: f64 = 60.0;

/// A solid to be written: an outline in a plane, extruded along the plane's z.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// The plane, seen from the stair.
    pub plane: Frame,
    /// The outline in it.
    pub outline: Vec<DVec2>,
    /// The depth.
    pub depth: f64,
}

impl Block {
    /// Standing on an outline in plan.
    pub fn upright(outline: Vec<DVec2>, low: f64, high: f64) -> Self {
        Self { plane: Frame::at([0.0, 0.0, low]), outline, depth: high - low }
    }

    /// An outline over a line in plan (x along it, y up), from `right` of it to `left` of it.
    pub fn along(start: DVec2, along: DVec2, base: f64, outline: Vec<DVec2>, right: f64, left: f64) -> Self {
        let aside = along.perp();
        // its own x and y are the line's way and up, so that its z points to the right
        let plane = DAffine3::from_cols(
            along.extend(0.0),
            DVec3::Z,
            -aside.extend(0.0),
            (start + aside * left).extend(base),
        );
        Self { plane: Frame(plane), outline, depth: right + left }
    }

    /// Its volume in mm³.
    pub fn volume(&self) -> f64 {
        area(&self.outline) * self.depth
    }

    /// Writes it.
    pub fn write(&self, author: &mut Author) -> Result<Id, Fault> {
        author.extrusion(&self.plane, &self.outline, &[], self.depth)
    }
}

/// The thickness of a waist, upright.
fn upright_waist(m: &Measures, waist: f64) -> f64 {
    waist * m.riser.hypot(m.tread) / m.tread
}

/// The depth that a winding step takes up beneath its top.
pub fn block_depth(m: &Measures, build: Build, pole: bool) -> f64 {
    match build {
        Build::Open if pole => BOARD,
        Build::Solid(waist) if !pole => m.riser + upright_waist(m, waist),
        _ => m.riser + HOLD,
    }
}

/// The solids of a flight. `leads_to` is the thickness of what it leads to: a landing or a slab.
pub fn blocks(m: &Measures, flight: &Flight, build: Build, leads_to: Option<f64>) -> Vec<Block> {
    let mut found = Vec::new();
    let pole = flight.pieces.iter().any(|piece| matches!(piece, Piece::Pole(..)));
    let lowest = flight.steps.first().map_or(0.0, |step| step.top - m.riser);
    for piece in &flight.pieces {
        match piece {
            Piece::Run(run) => match build {
                Build::Solid(waist) => found.push(cast(m, run, waist, leads_to)),
                Build::Open => boards(m, run, &mut found),
            },
            Piece::Wedges(steps) => {
                let depth = block_depth(m, build, pole);
                let block = |Step { outline, top }: &Step| {
                    Block::upright(outline.clone(), (top - depth).max(lowest), *top)
                };
                found.extend(steps.iter().map(block));
            }
            Piece::Pole(outline, low, high) => found.push(Block::upright(outline.clone(), *low, *high)),
        }
    }
    found
}

/// A cast run.
fn cast(m: &Measures, run: &Run, waist: f64, leads_to: Option<f64>) -> Block {
    let (r, t) = (m.riser, m.tread);
    let down = upright_waist(m, waist);
    let soffit = |x: f64| x * r / t - down;
    let length = run.treads as f64 * t;
    let top = run.treads as f64 * r;
    let mut outline = Vec::new();
    if run.on_floor {
        let leaves = (down * t / r).min(length);
        outline.push(DVec2::new(leaves, 0.0));
        outline.push(DVec2::ZERO);
    } else {
        outline.push(DVec2::new(0.0, soffit(0.0)));
        outline.push(DVec2::ZERO);
    }
    for i in 0..run.treads {
        let (x, z) = (i as f64 * t, (i + 1) as f64 * r);
        outline.push(DVec2::new(x, z));
        outline.push(DVec2::new(x + t, z));
    }
    // what it leads to has its underside here
    let beneath = leads_to.map(|thickness| top + r - thickness);
    let meets = beneath.map(|z| ((z + down) * t / r).min(length + run.under.unwrap_or(0.0)));
    match beneath.zip(meets) {
        Some((z, x)) if run.under.is_some() && x > length + 1.0 && z > soffit(x) - 1.0 => {
            if (z - top).abs() > 0.1 {
                outline.push(DVec2::new(length, z));
            }
            outline.push(DVec2::new(x, z));
            if z - soffit(x) > 0.1 {
                outline.push(DVec2::new(x, soffit(x)));
            }
        }
        _ => {
            let low = if run.on_floor { soffit(length).max(0.0) } else { soffit(length) };
            outline.push(DVec2::new(length, low));
        }
    }
    outline.reverse();
    let half = m.width / 2.0;
    Block::along(run.start, run.along, run.base, crate::polygon::without_collinear(&outline), half, half)
}

/// The boards and strings of an open run.
fn boards(m: &Measures, run: &Run, found: &mut Vec<Block>) {
    let (r, t) = (m.riser, m.tread);
    let half = m.width / 2.0;
    let string = STRING.min(m.width / 8.0);
    for i in 0..run.treads {
        let (x, z) = (i as f64 * t, (i + 1) as f64 * r);
        // the lowest board does not reach out before the stair
        let low = if i == 0 { DVec2::new(x, z - BOARD) } else { DVec2::new(x - NOSING, z - BOARD) };
        let outline = geometry::region::rectangle(low, DVec2::new(x + t, z));
        let inner = half - string;
        found.push(Block::along(run.start, run.along, run.base, outline, inner, inner));
    }
    let length = run.treads as f64 * t;
    let depth = upright_waist(m, STRING_DEPTH);
    let upper = |x: f64| r + x * r / t + OVER;
    let whole = vec![
        DVec2::new(0.0, upper(0.0) - depth),
        DVec2::new(length, upper(length) - depth),
        DVec2::new(length, upper(length)),
        DVec2::new(0.0, upper(0.0)),
    ];
    let highest = run.treads as f64 * r + r;
    let mut outline = keep(&whole, |p| highest - p.y);
    if run.on_floor {
        outline = keep(&outline, |p| p.y);
    }
    for (right, left) in [(half, string - half), (string - half, half)] {
        found.push(Block::along(run.start, run.along, run.base, outline.clone(), right, left));
    }
}

/// The part of a convex outline where `inside` is not negative; `inside` is linear.
fn keep(outline: &[DVec2], inside: impl Fn(DVec2) -> f64) -> Vec<DVec2> {
    let mut kept = Vec::new();
    for (a, b) in crate::polygon::edges(outline) {
        let (from, to) = (inside(a), inside(b));
        if from >= 0.0 {
            kept.push(a);
        }
        if (from < 0.0) != (to < 0.0) {
            kept.push(a.lerp(b, from / (from - to)));
        }
    }
    kept.dedup_by(|a, b| a.distance(*b) < 0.01);
    kept
}

#[cfg(test)]
mod tests {
    use super::super::layout::{Layout, Shape, Turn};
    use super::*;

    fn measures(shape: Shape) -> Measures {
        Measures {
            shape,
            turn: Turn::Left,
            risers: 10,
            riser: 180.0,
            tread: 270.0,
            width: 1000.0,
            landing: 1000.0,
            gap: 100.0,
            parted: false,
        }
    }

    #[test]
    fn the_soffit_runs_parallel_to_the_pitch_at_the_depth_of_the_waist() {
        let m = measures(Shape::Straight);
        let drawn = Layout::draw(&m, None);
        let found = blocks(&m, &drawn.flights[0], Build::Solid(150.0), None);
        let [block] = &found[..] else { panic!("{found:?}") };
        let sloped: Vec<(DVec2, DVec2)> = crate::polygon::edges(&block.outline)
            .filter(|(a, b)| (a.x - b.x).abs() > 1.0 && (a.y - b.y).abs() > 1.0)
            .collect();
        let [(a, b)] = sloped[..] else { panic!("{sloped:?}") };
        assert!(((b - a).y / (b - a).x - 180.0 / 270.0).abs() < 1e-9);
        // the inner corners of the steps lie on a line through the origin
        let pitch = DVec2::new(270.0, 180.0).normalize();
        assert!((pitch.perp_dot(a).abs() - 150.0).abs() < 1e-6);
        assert!(crate::polygon::first_crossing(&block.outline).is_none());
    }

    #[test]
    fn every_outline_of_every_build_is_simple() {
        for shape in [Shape::Straight, Shape::L, Shape::U, Shape::Winder, Shape::Spiral] {
            let m = measures(shape);
            for build in [Build::Solid(150.0), Build::Solid(300.0), Build::Open] {
                for leads_to in [None, Some(100.0), Some(180.0), Some(350.0)] {
                    for flight in Layout::draw(&m, None).flights {
                        for block in blocks(&m, &flight, build, leads_to) {
                            let crossing = crate::polygon::first_crossing(&block.outline);
                            assert!(crossing.is_none(), "{shape:?} {build:?} {leads_to:?} {block:?}");
                            assert!(
                                block.volume() > 0.0 && block.depth > 0.0,
                                "{shape:?} {build:?} {block:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_run_goes_on_beneath_what_it_leads_to_until_the_soffits_meet() {
        let m = measures(Shape::Straight);
        let drawn = Layout::draw(&m, None);
        let plain = &blocks(&m, &drawn.flights[0], Build::Solid(150.0), None)[0];
        let on = &blocks(&m, &drawn.flights[0], Build::Solid(150.0), Some(200.0))[0];
        assert!(on.volume() > plain.volume());
        let far = on.outline.iter().map(|p| p.x).fold(0.0, f64::max);
        // the underside lies at 1600, the soffit reaches it 1600 + 180.28 above its own beginning
        let down = 150.0 * 180.0_f64.hypot(270.0) / 270.0;
        assert!((far - (1600.0 + down) * 1.5).abs() < 1e-6, "{far}");
    }
}
