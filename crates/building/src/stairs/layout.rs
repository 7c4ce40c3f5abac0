//! The plan of a stair: which steps lie where, how high, and where landings, walking line and edges are.
//!
//! Coordinates are the stair's own, in mm: the middle of the lowest riser is the origin, x leads up the first flight, z is
//! counted from the floor that it begins on. A plan is drawn turning left; one that turns right is its mirror.

use crate::polygon::bounds;
use glam::{DVec2, DVec3};
use std::f64::consts::{FRAC_PI_2, TAU};

/// The most risers of a flight before a landing is put in.
pub const LONGEST_FLIGHT: usize = 18;

/// The shape of a stair in plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One line, with landings where it is long.
    Straight,
    /// Two flights and a quarter landing.
    L,
    /// Two flights side by side and a half landing.
    U,
    /// Two runs with winding steps in the corner between.
    Winder,
    /// Around a pole.
    Spiral,
}

impl Shape {
    /// The word that tools use for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Straight => "straight",
            Self::L => "l",
            Self::U => "u",
            Self::Winder => "winder",
            Self::Spiral => "spiral",
        }
    }
}

/// The side to which a stair turns, going up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Turn {
    /// To the left.
    #[default]
    Left,
    /// To the right.
    Right,
}

/// The measures that a plan is drawn by, in mm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    /// The shape.
    pub shape: Shape,
    /// The side to which it turns.
    pub turn: Turn,
    /// The number of risers from floor to floor.
    pub risers: usize,
    /// Height of a riser.
    pub riser: f64,
    /// Length of a tread along the walking line.
    pub tread: f64,
    /// Width of a flight.
    pub width: f64,
    /// Depth of a landing along the way; of a quarter landing it is the width.
    pub landing: f64,
    /// The well between the flights of a U.
    pub gap: f64,
    /// True where a straight stair has a landing though it is short.
    pub parted: bool,
}

/// A tread: its outline in plan and the height of its top.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Outline.
    pub outline: Vec<DVec2>,
    /// Height of its top.
    pub top: f64,
}

/// A straight part of a flight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// The middle of its first riser.
    pub start: DVec2,
    /// The way it leads.
    pub along: DVec2,
    /// The height of what it begins on.
    pub base: f64,
    /// The number of treads.
    pub treads: usize,
    /// True where it stands on a floor, false where it hangs on something.
    pub on_floor: bool,
    /// The room that there is to go on beneath what it leads to; none where more steps follow.
    pub under: Option<f64>,
}

/// A part of a flight that is one kind of body.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Straight.
    Run(Run),
    /// Steps of any outline.
    Wedges(Vec<Step>),
    /// A round pole: middle, corners in plan, lowest and highest height.
    Pole(Vec<DVec2>, f64, f64),
}

/// A flight.
#[derive(Debug, Clone, PartialEq)]
pub struct Flight {
    /// Its parts.
    pub pieces: Vec<Piece>,
    /// The number of risers, the last of which leads to the landing or floor above.
    pub risers: usize,
    /// Its treads.
    pub steps: Vec<Step>,
    /// The line that people walk.
    pub walk: Vec<DVec3>,
}

/// A plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Flights from below.
    pub flights: Vec<Flight>,
    /// Landings with the height of their tops.
    pub landings: Vec<Step>,
    /// The left edge going up, along the fronts of the steps.
    pub left: Vec<DVec3>,
    /// The right edge.
    pub right: Vec<DVec3>,
    /// Strips of the well that are open beside steps and landings.
    pub wells: Vec<Step>,
    /// The middle of the last riser.
    pub arrival: DVec2,
    /// The way on from there.
    pub onward: DVec2,
}

impl Layout {
    /// Draws a plan. `first` is the number of risers, of a winder the number of treads, before the turn, where that is not
    /// the middle.
    pub fn draw(measures: &Measures, first: Option<usize>) -> Self {
        let drawn = match measures.shape {
            Shape::Straight => straight(measures),
            Shape::L => l_shape(measures, first),
            Shape::U => u_shape(measures, first),
            Shape::Winder => winder(measures, first),
            Shape::Spiral => spiral(measures),
        };
        if measures.turn == Turn::Right { drawn.mirrored() } else { drawn }
    }

    /// All outlines that it takes up in plan.
    pub fn outlines(&self) -> Vec<Vec<DVec2>> {
        let poles = self.flights.iter().flat_map(|f| &f.pieces).filter_map(|piece| match piece {
            Piece::Pole(outline, ..) => Some(outline.clone()),
            _ => None,
        });
        let steps = self.flights.iter().flat_map(|f| &f.steps);
        steps.chain(&self.landings).map(|step| step.outline.clone()).chain(poles).collect()
    }

    /// The box around it in plan.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        bounds(&self.outlines().concat())
    }

    /// The places over which there has to be room, with their heights: treads, landings, wells, and poles, which go all the
    /// way up.
    pub fn places(&self) -> Vec<Step> {
        let poles = self.flights.iter().flat_map(|f| &f.pieces).filter_map(|piece| match piece {
            Piece::Pole(outline, _, high) => Some(Step { outline: outline.clone(), top: *high }),
            _ => None,
        });
        let steps = self.flights.iter().flat_map(|f| &f.steps).chain(&self.landings).chain(&self.wells);
        steps.cloned().chain(poles).collect()
    }

    /// The height of the tread or landing at a point; `None` beside them.
    pub fn ground(&self, p: DVec2) -> Option<f64> {
        let steps = self.flights.iter().flat_map(|f| &f.steps).chain(&self.landings);
        steps.filter(|step| crate::polygon::contains(&step.outline, p)).map(|step| step.top).reduce(f64::max)
    }

    fn mirrored(mut self) -> Self {
        let flat = |p: &mut DVec2| p.y = -p.y;
        // the order of corners is turned too, so that outlines stay counter-clockwise
        let outline = |points: &mut Vec<DVec2>| {
            points.iter_mut().for_each(flat);
            points.reverse();
        };
        for flight in &mut self.flights {
            flight.steps.iter_mut().for_each(|s| outline(&mut s.outline));
            flight.walk.iter_mut().for_each(|p| p.y = -p.y);
            for piece in &mut flight.pieces {
                match piece {
                    Piece::Run(run) => {
                        flat(&mut run.start);
                        flat(&mut run.along);
                    }
                    Piece::Wedges(steps) => steps.iter_mut().for_each(|s| outline(&mut s.outline)),
                    Piece::Pole(corners, ..) => outline(corners),
                }
            }
        }
        self.landings.iter_mut().chain(&mut self.wells).for_each(|s| outline(&mut s.outline));
        self.left.iter_mut().chain(&mut self.right).for_each(|p| p.y = -p.y);
        std::mem::swap(&mut self.left, &mut self.right);
        flat(&mut self.arrival);
        flat(&mut self.onward);
        self
    }
}

pub(super) fn count(n: usize) -> f64 {
    n as f64
}

/// A rectangle from a point along a way: its length, and how far it reaches to the right and to the left.
pub(super) fn strip(start: DVec2, along: DVec2, length: f64, right: f64, left: f64) -> Vec<DVec2> {
    let aside = along.perp();
    let end = start + along * length;
    vec![start - aside * right, end - aside * right, end + aside * left, start + aside * left]
}

impl Run {
    fn steps(&self, m: &Measures) -> Vec<Step> {
        (0..self.treads)
            .map(|i| Step {
                outline: strip(
                    self.start + self.along * (m.tread * count(i)),
                    self.along,
                    m.tread,
                    m.width / 2.0,
                    m.width / 2.0,
                ),
                top: self.base + m.riser * count(i + 1),
            })
            .collect()
    }

    /// The middle of the riser after its last tread.
    fn end(&self, m: &Measures) -> DVec2 {
        self.start + self.along * (m.tread * count(self.treads))
    }

    /// The height of its last tread.
    fn top(&self, m: &Measures) -> f64 {
        self.base + m.riser * count(self.treads)
    }

    fn walk(&self, m: &Measures) -> [DVec3; 2] {
        [self.start.extend(self.base + m.riser), self.end(m).extend(self.top(m) + m.riser)]
    }

    /// One of its edges, `aside` of its middle to the left, along the fronts of the steps.
    fn edge(&self, m: &Measures, aside: f64) -> [DVec3; 2] {
        let way = (self.along.perp() * aside).extend(0.0);
        self.walk(m).map(|p| p + way)
    }

    fn flight(self, m: &Measures) -> Flight {
        Flight {
            pieces: vec![Piece::Run(self)],
            risers: self.treads + 1,
            steps: self.steps(m),
            walk: self.walk(m).to_vec(),
        }
    }
}

/// The run of so many risers.
fn run(start: DVec2, along: DVec2, base: f64, risers: usize, under: f64) -> Run {
    Run { start, along, base, treads: risers.saturating_sub(1), on_floor: base == 0.0, under: Some(under) }
}

fn straight(m: &Measures) -> Layout {
    let at_least = if m.parted { 2 } else { 1 };
    let parts = m.risers.div_ceil(LONGEST_FLIGHT).max(at_least).min((m.risers / 2).max(1));
    let (each, more) = (m.risers / parts, m.risers % parts);
    let half = m.width / 2.0;
    let (mut flights, mut landings, mut left, mut right) = (vec![], vec![], vec![], vec![]);
    let (mut at, mut base) = (DVec2::ZERO, 0.0);
    for i in 0..parts {
        let risers = each + usize::from(i < more);
        let last = i + 1 == parts;
        let run = run(at, DVec2::X, base, risers, if last { m.tread * 2.0 } else { m.landing });
        left.extend(run.edge(m, half));
        right.extend(run.edge(m, -half));
        at = run.end(m);
        base = run.top(m) + m.riser;
        flights.push(run.flight(m));
        if !last {
            landings.push(Step { outline: strip(at, DVec2::X, m.landing, half, half), top: base });
            at.x += m.landing;
            left.push(DVec3::new(at.x, half, base));
            right.push(DVec3::new(at.x, -half, base));
        }
    }
    Layout { flights, landings, left, right, wells: Vec::new(), arrival: at, onward: DVec2::X }
}

/// Returns the risers before the turn and after it, each at least two, so that each flight has a tread.
fn parted(risers: usize, first: Option<usize>) -> (usize, usize) {
    let risers = risers.max(FEWEST);
    let first = first.unwrap_or(risers.div_ceil(2)).clamp(2, risers - 2);
    (first, risers - first)
}

/// The fewest risers of a stair with two flights.
const FEWEST: usize = 4;

/// The steps in the corner of a stair with winding steps, as many as the tread on the walking line asks for.
fn wedges(width: f64, tread: f64) -> usize {
    ((FRAC_PI_2 * width / 2.0 / tread).round() as usize).max(2)
}

/// The fewest risers that a shape is made of.
pub fn fewest_risers(shape: Shape, width: f64, tread: f64) -> usize {
    match shape {
        Shape::Straight | Shape::Spiral => 2,
        Shape::L | Shape::U => FEWEST,
        Shape::Winder => wedges(width, tread) + 2,
    }
}

fn l_shape(m: &Measures, first: Option<usize>) -> Layout {
    let (n1, n2) = parted(m.risers, first);
    let (w, half) = (m.width, m.width / 2.0);
    let one = run(DVec2::ZERO, DVec2::X, 0.0, n1, w);
    let x = one.end(m).x;
    let top = one.top(m) + m.riser;
    let two = run(DVec2::new(x + half, half), DVec2::Y, top, n2, m.tread * 2.0);
    let landing = Step { outline: strip(one.end(m), DVec2::X, w, half, half), top };
    let corner = DVec3::new(x + w, -half, top);
    let mut left = one.edge(m, half).to_vec();
    left.extend(two.edge(m, half));
    let mut right = one.edge(m, -half).to_vec();
    right.extend([corner, corner.with_y(half)]);
    right.extend(two.edge(m, -half));
    Layout {
        arrival: two.end(m),
        onward: DVec2::Y,
        flights: vec![one.flight(m), two.flight(m)],
        landings: vec![landing],
        left,
        right,
        wells: Vec::new(),
    }
}

fn u_shape(m: &Measures, first: Option<usize>) -> Layout {
    let (n1, n2) = parted(m.risers, first);
    let (w, half, d) = (m.width, m.width / 2.0, m.landing);
    let far = half + m.gap + w;
    let one = run(DVec2::ZERO, DVec2::X, 0.0, n1, d);
    let x = one.end(m).x;
    let top = one.top(m) + m.riser;
    let two = run(DVec2::new(x, far - half), DVec2::NEG_X, top, n2, m.tread * 2.0);
    let landing = Step { outline: strip(one.end(m), DVec2::X, d, half, far), top };
    let mut left = one.edge(m, half).to_vec();
    left.push(DVec3::new(x, far - w, top));
    left.extend(two.edge(m, half));
    let mut right = one.edge(m, -half).to_vec();
    right.extend([DVec3::new(x + d, -half, top), DVec3::new(x + d, far, top), DVec3::new(x, far, top)]);
    right.extend(two.edge(m, -half));
    let mut wells = Vec::new();
    if m.gap > 0.0 {
        // beside each step of the first flight, as high as it is: nobody walks there, but nothing covers it either
        for step in one.steps(m) {
            let (low, high) = bounds(&step.outline);
            let along = DVec2::new(low.x, half);
            wells.push(Step { outline: strip(along, DVec2::X, high.x - low.x, 0.0, m.gap), top: step.top });
        }
    }
    Layout {
        arrival: two.end(m),
        onward: DVec2::NEG_X,
        flights: vec![one.flight(m), two.flight(m)],
        landings: vec![landing],
        left,
        right,
        wells,
    }
}

fn winder(m: &Measures, first: Option<usize>) -> Layout {
    let (w, half) = (m.width, m.width / 2.0);
    let wedges = wedges(w, m.tread);
    let straight = (m.risers.max(1) - 1).saturating_sub(wedges);
    let n1 = first.unwrap_or(straight / 2).min(straight);
    let one = Run { treads: n1, under: None, ..run(DVec2::ZERO, DVec2::X, 0.0, n1 + 1, 0.0) };
    let x = one.end(m).x;
    let inner = DVec2::new(x, half);
    let outer = DVec2::new(x + w, -half);
    // where a ray from the inner corner leaves the square of the turn
    let leaves = |angle: f64| {
        let way = DVec2::from_angle(angle - FRAC_PI_2);
        inner + way * (w / way.x.max(-way.y))
    };
    let ray = |j: usize| FRAC_PI_2 * count(j) / count(wedges);
    let steps: Vec<Step> = (0..wedges)
        .map(|j| {
            let (from, to) = (ray(j), ray(j + 1));
            let mut outline = vec![inner, leaves(from)];
            if from < FRAC_PI_2 / 2.0 - 1e-9 && to > FRAC_PI_2 / 2.0 + 1e-9 {
                outline.push(outer);
            }
            outline.push(leaves(to));
            Step { outline, top: one.top(m) + m.riser * count(j + 1) }
        })
        .collect();
    let base = one.top(m) + m.riser * count(wedges);
    let two = Run {
        on_floor: false,
        ..run(DVec2::new(x + half, half), DVec2::Y, base, straight - n1 + 1, m.tread * 2.0)
    };
    let mut walk = vec![one.walk(m)[0]];
    walk.extend((0..=wedges).map(|j| {
        let p = inner + DVec2::from_angle(ray(j) - FRAC_PI_2) * half;
        p.extend(one.top(m) + m.riser * count(j + 1))
    }));
    walk.push(two.walk(m)[1]);
    let mut left = one.edge(m, half).to_vec();
    left.extend(two.edge(m, half));
    let middle = f64::midpoint(one.top(m) + m.riser, base + m.riser);
    let mut right = one.edge(m, -half).to_vec();
    right.push(outer.extend(middle));
    right.extend(two.edge(m, -half));
    let mut all = one.steps(m);
    all.extend(steps.iter().cloned());
    all.extend(two.steps(m));
    let mut pieces = Vec::new();
    if one.treads > 0 {
        pieces.push(Piece::Run(one));
    }
    pieces.push(Piece::Wedges(steps));
    if two.treads > 0 {
        pieces.push(Piece::Run(two));
    }
    let flight = Flight { pieces, risers: m.risers, steps: all, walk };
    Layout {
        arrival: two.end(m),
        onward: DVec2::Y,
        flights: vec![flight],
        landings: Vec::new(),
        left,
        right,
        wells: Vec::new(),
    }
}

/// Radius of the pole of a spiral stair, in mm.
const POLE: f64 = 60.0;

/// The steps of one turn of a spiral stair, as many as the tread on the walking line asks for, and as headroom does.
/// `depth` is what a step takes up beneath its top.
pub fn steps_of_a_turn(width: f64, tread: f64, riser: f64, depth: f64, headroom: f64) -> usize {
    let by_tread = (TAU * walking_radius(width) / tread).round();
    let by_headroom = ((headroom + depth) / riser).ceil();
    by_tread.max(by_headroom).max(6.0) as usize
}

/// The tread on the walking line of a spiral stair of so many steps to a turn.
pub fn spiral_tread(width: f64, turn: usize) -> f64 {
    TAU * walking_radius(width) / count(turn)
}

/// The radius of the line on which people walk: two thirds of the width from the pole.
fn walking_radius(width: f64) -> f64 {
    POLE + width * 2.0 / 3.0
}

fn spiral(m: &Measures) -> Layout {
    let radius = POLE + m.width;
    let middle = DVec2::new(0.0, POLE + m.width / 2.0);
    let turn = ((TAU * walking_radius(m.width) / m.tread).round() as usize).max(3);
    let step = TAU / count(turn);
    let at = |angle: f64, r: f64| middle + DVec2::from_angle(angle - FRAC_PI_2) * r;
    let treads = m.risers.max(2) - 1;
    let arc = |from: f64, r: f64| (0..=ARC).map(move |i| at(from + step * count(i) / count(ARC), r));
    let steps: Vec<Step> = (0..treads)
        .map(|i| {
            let from = step * count(i);
            let mut inner: Vec<DVec2> = arc(from, POLE).collect();
            inner.reverse();
            Step { outline: arc(from, radius).chain(inner).collect(), top: m.riser * count(i + 1) }
        })
        .collect();
    let corners = turn * ARC;
    let pole = (0..corners).map(|i| at(step * count(i) / count(ARC), POLE)).collect();
    let walk = (0..=treads)
        .map(|i| at(step * count(i), walking_radius(m.width)).extend(m.riser * count(i + 1)))
        .collect();
    let right = (0..=treads).map(|i| at(step * count(i), radius).extend(m.riser * count(i + 1))).collect();
    let last = step * count(treads);
    let height = m.riser * count(m.risers);
    let flight = Flight {
        pieces: vec![Piece::Pole(pole, 0.0, height), Piece::Wedges(steps.clone())],
        risers: m.risers,
        steps,
        walk,
    };
    Layout {
        flights: vec![flight],
        landings: Vec::new(),
        left: Vec::new(),
        right,
        wells: Vec::new(),
        arrival: at(last, POLE + m.width / 2.0),
        onward: DVec2::from_angle(last),
    }
}

/// The straight pieces that the edge of a spiral's step is drawn with.
const ARC: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polygon::area;
    use crate::regions;

    fn measures(shape: Shape) -> Measures {
        Measures {
            shape,
            turn: Turn::Left,
            risers: 16,
            riser: 187.5,
            tread: 255.0,
            width: 1000.0,
            landing: 1000.0,
            gap: 100.0,
            parted: false,
        }
    }

    const ALL: [Shape; 5] = [Shape::Straight, Shape::L, Shape::U, Shape::Winder, Shape::Spiral];

    #[test]
    fn every_shape_climbs_one_riser_at_a_time_and_its_steps_do_not_overlap() {
        for shape in ALL {
            for turn in [Turn::Left, Turn::Right] {
                let drawn = Layout::draw(&Measures { turn, ..measures(shape) }, None);
                let risers: usize = drawn.flights.iter().map(|f| f.risers).sum();
                assert_eq!(risers, 16, "{shape:?}");
                let mut tops: Vec<f64> = drawn
                    .flights
                    .iter()
                    .flat_map(|f| &f.steps)
                    .chain(&drawn.landings)
                    .map(|s| s.top)
                    .collect();
                tops.sort_by(f64::total_cmp);
                for (i, top) in tops.iter().enumerate() {
                    assert!((top - 187.5 * (i + 1) as f64).abs() < 1e-6, "{shape:?} {tops:?}");
                }
                assert_eq!(tops.len(), 15, "{shape:?}");
                let outlines = drawn.outlines();
                let each: f64 = outlines.iter().map(|o| area(o)).sum();
                let union = regions::union(&outlines);
                let whole: f64 =
                    union.iter().map(|r| area(&r.outer) - r.holes.iter().map(|h| area(h)).sum::<f64>()).sum();
                assert!((each - whole).abs() < 100.0, "{shape:?}: {each} and {whole}");
                assert_eq!(union.len(), 1, "{shape:?}");
                assert!(drawn.steps_turn_counter_clockwise(), "{shape:?} {turn:?}");
            }
        }
    }

    impl Layout {
        fn steps_turn_counter_clockwise(&self) -> bool {
            self.places().iter().all(|s| crate::polygon::signed_area(&s.outline) > 0.0)
        }
    }

    #[test]
    fn a_u_of_sixteen_comes_back_over_its_beginning() {
        let drawn = Layout::draw(&measures(Shape::U), None);
        let (low, high) = drawn.bounds();
        assert_eq!((low, high), (DVec2::new(0.0, -500.0), DVec2::new(7.0 * 255.0 + 1000.0, 1600.0)));
        assert_eq!(drawn.arrival, DVec2::new(0.0, 1100.0));
    }

    #[test]
    fn a_long_straight_stair_is_parted_by_a_landing() {
        let drawn = Layout::draw(&Measures { risers: 20, ..measures(Shape::Straight) }, None);
        assert_eq!((drawn.flights.len(), drawn.landings.len()), (2, 1));
        assert_eq!(drawn.landings[0].top, 1875.0);
    }
}
