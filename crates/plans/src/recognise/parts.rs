//! Walls with their gaps, and the field of lines around them.

use super::grid::{Boxes, Grid};
use super::roles::Role;
use super::shapes::{Line, Primitives};
use super::stacks::Strip;
use super::symbols::Symbols;
use crate::effort::Effort;
use glam::DVec2;

/// The filling of an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filling {
    Door,
    Window,
    None,
}

/// An opening of a wall, along its direction.
#[derive(Debug, Clone)]
pub(crate) struct Gap {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) filling: Filling,
    pub(crate) confidence: f64,
    pub(crate) evidence: String,
    /// Swings by their number.
    pub(crate) swings: Vec<usize>,
    pub(crate) entities: Vec<u32>,
    /// True where the wall is drawn without a gap.
    pub(crate) is_uncut: bool,
    /// The hinge and the open end of a leaf without a swing.
    pub(crate) hinge: Option<(DVec2, DVec2)>,
    pub(crate) is_sliding: bool,
}

impl Gap {
    pub(crate) fn overlap(&self, from: f64, to: f64) -> f64 {
        (self.to.min(to) - self.from.max(from)).max(0.0)
    }
}

/// A wall, in mm of the frame.
#[derive(Debug, Clone)]
pub(crate) struct Wall {
    pub(crate) role: Role,
    pub(crate) way: DVec2,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The ends of its axis.
    pub(crate) start: DVec2,
    pub(crate) end: DVec2,
    /// Centre, radius, and whether it turns counter-clockwise, of a curved one.
    pub(crate) arc: Option<(DVec2, f64, bool)>,
    pub(crate) gaps: Vec<Gap>,
    pub(crate) inner: Vec<(f64, f64, f64)>,
    pub(crate) entities: Vec<u32>,
    pub(crate) is_single: bool,
    /// How far the body goes beyond each end of the axis.
    pub(crate) beyond: [f64; 2],
    /// Walls that it meets at its start and end.
    pub(crate) is_met: [bool; 2],
    pub(crate) confidence: f64,
}

impl Wall {
    pub(crate) fn thickness(&self) -> f64 {
        self.high - self.low
    }

    pub(crate) fn length(&self) -> f64 {
        self.start.distance(self.end)
    }

    /// From and to along its direction.
    pub(crate) fn extent(&self) -> (f64, f64) {
        (self.way.dot(self.start), self.way.dot(self.end))
    }

    /// A place by its distance along the direction.
    pub(crate) fn point(&self, along: f64) -> DVec2 {
        self.way * along + self.way.perp() * f64::midpoint(self.low, self.high)
    }

    /// The outline of its body.
    pub(crate) fn body(&self) -> Vec<DVec2> {
        if let Some((centre, radius, is_ccw)) = self.arc {
            return arc_body(centre, radius, self.thickness(), self.start, self.end, is_ccw);
        }
        let (from, to) = self.extent();
        let (from, to) = (from - self.beyond[0], to + self.beyond[1]);
        let at = |along: f64, off: f64| self.way * along + self.way.perp() * off;
        vec![at(from, self.low), at(to, self.low), at(to, self.high), at(from, self.high)]
    }

    /// The corners of a box around it.
    pub(crate) fn body_bounds(&self) -> [DVec2; 2] {
        let body = self.body();
        let least = body.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        [least, body.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max)]
    }

    /// True if a place lies in its body, give or take.
    pub(crate) fn covers(&self, point: DVec2, slack: f64) -> bool {
        if let Some((centre, radius, is_ccw)) = self.arc {
            let is_beside = (point.distance(centre) - radius).abs() < self.thickness() / 2.0 + slack;
            let (a, b) = if is_ccw { (self.start, self.end) } else { (self.end, self.start) };
            let sweep = turn(a - centre, b - centre);
            let own = turn(a - centre, point - centre);
            return is_beside
                && (own <= sweep + slack / radius || own > std::f64::consts::TAU - slack / radius);
        }
        let (off, along) = (self.way.perp_dot(point), self.way.dot(point));
        let (from, to) = self.extent();
        off > self.low - slack
            && off < self.high + slack
            && along > from - self.beyond[0] - slack
            && along < to + self.beyond[1] + slack
    }
}

/// The angle counter-clockwise from one direction to another, from 0 to a whole turn.
pub(crate) fn turn(a: DVec2, b: DVec2) -> f64 {
    a.angle_to(b).rem_euclid(std::f64::consts::TAU)
}

fn arc_body(
    centre: DVec2,
    radius: f64,
    thickness: f64,
    start: DVec2,
    end: DVec2,
    is_ccw: bool,
) -> Vec<DVec2> {
    let (a, b) = if is_ccw { (start, end) } else { (end, start) };
    let sweep = turn(a - centre, b - centre);
    let count = ((sweep / 0.05).ceil() as usize).clamp(2, 200);
    let begin = (a - centre).to_angle();
    let at =
        |n: usize, radius: f64| centre + DVec2::from_angle(begin + sweep * n as f64 / count as f64) * radius;
    let outer = (0..=count).map(|n| at(n, radius + thickness / 2.0));
    let inner = (0..=count).rev().map(|n| at(n, radius - thickness / 2.0));
    outer.chain(inner).collect()
}

/// The things that may stand in gaps, and that cross them.
pub(crate) struct Field<'a> {
    pub(crate) strips: &'a [Strip],
    pub(super) strip_grid: Grid,
    pub(crate) lines: &'a [Line],
    pub(super) line_grid: Grid,
    pub(crate) symbols: &'a Symbols,
    pub(super) swing_grid: Grid,
    /// Corners of boxes of columns, and by place which lie there.
    columns: Vec<(DVec2, DVec2)>,
    column_boxes: Boxes,
    /// True if layers or blocks say which lines are windows.
    pub(super) has_windows: bool,
    /// The strip that crossed last, which often does a step further on, too.
    crossed: std::cell::Cell<usize>,
    pub(super) effort: &'a Effort<'a>,
}

/// Lines of layers whose names say nothing are looked at in gaps as long as there are no more than this.
const MOST_LINES: usize = 300_000;

impl<'a> Field<'a> {
    pub(super) fn new(
        strips: &'a [Strip],
        found: &'a Primitives,
        symbols: &'a Symbols,
        effort: &'a Effort<'a>,
    ) -> Self {
        let mut strip_grid = Grid::new(1000.0);
        for ((number, strip), is_likely) in strips.iter().enumerate().zip(likely(strips)) {
            if is_likely && strip.length() > strip.thickness() * 0.8 {
                let middle = f64::midpoint(strip.low, strip.high);
                let (from, to) = (strip.point(strip.from, middle), strip.point(strip.to, middle));
                if !effort.goes_on(strip_grid.put_along(number, from, to) * PUT) {
                    break;
                }
            }
        }
        let mut line_grid = Grid::new(1000.0);
        let many = found.lines.len() > MOST_LINES;
        for (number, line) in found.lines.iter().enumerate() {
            let is_wanted = match line.role {
                Role::Door | Role::Window | Role::Opening => true,
                Role::Wall | Role::Unknown => !many,
                _ => false,
            };
            if is_wanted && line.length() < 9000.0 {
                line_grid.put_along(number, line.from, line.to);
            }
        }
        let mut swing_grid = Grid::new(1000.0);
        for (number, symbol) in symbols.swings.iter().enumerate() {
            swing_grid.put(number, symbol.hinge, symbol.hinge);
        }
        let mut columns: std::collections::BTreeMap<u32, (DVec2, DVec2)> = std::collections::BTreeMap::new();
        for line in found.lines.iter().filter(|line| line.role == Role::Column) {
            let own = columns.entry(line.entity).or_insert((line.from, line.from));
            own.0 = own.0.min(line.from).min(line.to);
            own.1 = own.1.max(line.from).max(line.to);
        }
        let has_windows = found.lines.iter().any(|line| line.role == Role::Window);
        let columns: Vec<(DVec2, DVec2)> =
            columns.into_values().filter(|(a, b)| (*b - *a).max_element() < 2000.0).collect();
        let mut column_boxes = Boxes::default();
        for (number, (a, b)) in columns.iter().enumerate() {
            column_boxes.put(number, *a - 20.0, *b + 20.0);
        }
        Self {
            strips,
            strip_grid,
            lines: &found.lines,
            line_grid,
            symbols,
            swing_grid,
            columns,
            column_boxes,
            has_windows,
            crossed: std::cell::Cell::new(usize::MAX),
            effort,
        }
    }

    /// Lines near a box.
    pub(crate) fn lines_near(&self, a: DVec2, b: DVec2) -> impl Iterator<Item = &Line> {
        self.lines_numbered(a, b).map(|(_, line)| line)
    }

    /// Lines near a box, with their numbers.
    pub(super) fn lines_numbered(&self, a: DVec2, b: DVec2) -> impl Iterator<Item = (usize, &Line)> {
        let slack = DVec2::splat(50.0);
        let mut near = self.line_grid.near(a.min(b) - slack, a.max(b) + slack);
        if !self.effort.goes_on(20 + near.len() * 2) {
            near.clear();
        }
        near.into_iter().filter_map(|number| self.lines.get(number).map(|line| (number, line)))
    }

    /// True if a strip at an angle to a direction lies in a place.
    /// One that ends at both faces of a band as wide as `within` is none: a hatch, the frame of a door.
    pub(super) fn is_crossed(&self, way: DVec2, at: DVec2, slack: f64, within: f64) -> bool {
        let crosses = |number: usize| {
            let Some(strip) = self.strips.get(number).filter(|_| self.effort.goes_on(1)) else {
                return false;
            };
            let (off, along) = (strip.way.perp_dot(at), strip.way.dot(at));
            off > strip.low - slack
                && off < strip.high + slack
                && strip.way.perp_dot(way).abs() > 0.2
                && (strip.from < along - within / 2.0 - 80.0 || strip.to > along + within / 2.0 + 80.0)
                && along > strip.from - strip.thickness() - slack
                && along < strip.to + strip.thickness() + slack
        };
        if crosses(self.crossed.get()) {
            return true;
        }
        let found = self.effort.goes_on(10).then(|| self.strip_grid.find(at, 600.0, crosses)).flatten();
        self.crossed.set(found.unwrap_or_else(|| self.crossed.get()));
        found.is_some()
    }

    pub(super) fn is_column(&self, at: DVec2) -> bool {
        self.column_boxes
            .at(at)
            .filter_map(|n| self.columns.get(n))
            .any(|(a, b)| at.cmpge(*a - 20.0).all() && at.cmple(*b + 20.0).all())
    }
}

/// The work that it is to put a thing into a square: it takes room, too.
const PUT: usize = 8;

/// The walls by the squares that their bodies' middles go through.
pub(crate) fn wall_grid(walls: &[Wall], size: f64, effort: &Effort<'_>) -> Grid {
    let mut grid = Grid::new(size);
    for (number, wall) in walls.iter().enumerate() {
        let squares = if wall.arc.is_some() {
            let [least, most] = wall.body_bounds();
            grid.put(number, least, most)
        } else {
            let (from, to) = wall.extent();
            grid.put_along(number, wall.point(from - wall.beyond[0]), wall.point(to + wall.beyond[1]))
        };
        if !effort.goes_on(squares * PUT) {
            break;
        }
    }
    grid
}

/// Half the thickness of the thickest wall.
pub(crate) fn widest_half(walls: &[Wall]) -> f64 {
    walls.iter().map(Wall::thickness).fold(0.0, f64::max) / 2.0
}

/// True for strips of layers of walls, and for those whose thickness is usual or met often.
fn likely(strips: &[Strip]) -> Vec<bool> {
    let all: f64 = strips.iter().map(Strip::length).sum();
    let mut sums: std::collections::BTreeMap<i64, f64> = std::collections::BTreeMap::new();
    let key = |strip: &Strip| (strip.thickness() / 5.0).round() as i64;
    for strip in strips {
        *sums.entry(key(strip)).or_default() += strip.length();
    }
    let is_likely = |strip: &Strip| {
        let own = key(strip);
        let length: f64 = sums.range(own - 1..=own + 1).map(|(_, length)| length).sum();
        strip.role == Role::Wall || strip.thickness() < 450.0 || length > all * 0.15
    };
    strips.iter().map(is_likely).collect()
}
