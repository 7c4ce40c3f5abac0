//! The shape of a door or window: lining, panels, glass and threshold as solids, and its symbol in plan.
//!
//! The coordinates are those of IFC: x along the wall, z up, y through it from the lining's one face to its other; a door opens toward
//! +y. What is drawn is closed; the symbol shows it open.

use super::operation::{Action, door_panels, window_panes};
use super::style::Style;
use super::{Filling, Leaf};
use crate::polygon::inset;
use geometry::region::rectangle;
use glam::DVec2;

/// Thickness of a door's leaf in mm.
pub(super) const LEAF: f64 = 40.0;
/// Thickness of the glass in mm.
const GLASS: f64 = 24.0;
/// Depth of a casement in mm.
pub(super) const CASEMENT_DEPTH: f64 = 70.0;
/// Width of the frame of a glazed door's leaf in mm.
const STILE: f64 = 110.0;
/// Height of a threshold in mm.
pub(super) const THRESHOLD: f64 = 20.0;
/// Width of the bar between two panels of a window in mm.
pub(super) const MULLION: f64 = 50.0;

/// The part that a solid belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The frame that is fixed to the wall, with mullions and threshold.
    Lining,
    /// The parts that move: leaves and casements.
    Framing,
    /// Glass.
    Glazing,
}

/// The way an outline becomes a solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Way {
    /// The outline is seen from the front and goes through, from y to y.
    Through(f64, f64),
    /// The outline is in plan and goes up, from z to z.
    Up(f64, f64),
}

/// A solid.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Solid {
    pub(super) part: Part,
    pub(super) outline: Vec<DVec2>,
    pub(super) holes: Vec<Vec<DVec2>>,
    pub(super) way: Way,
}

/// A line of the symbol in plan.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Line {
    /// Straight pieces; true if closed.
    Straight(Vec<DVec2>, bool),
    /// An arc round a centre, counter-clockwise from one point to another.
    Arc(DVec2, DVec2, DVec2),
}

/// Draws the solids.
pub(super) fn solids(leaf: &Leaf, style: &Style) -> Vec<Solid> {
    if leaf.kind == Filling::Window { window(leaf, style) } else { door(leaf, style) }
}

fn through(part: Part, outline: Vec<DVec2>, holes: Vec<Vec<DVec2>>, from: f64, to: f64) -> Solid {
    Solid { part, outline, holes, way: Way::Through(from, to) }
}

fn front(x0: f64, z0: f64, x1: f64, z1: f64) -> Vec<DVec2> {
    rectangle(DVec2::new(x0, z0), DVec2::new(x1, z1))
}

fn window(leaf: &Leaf, style: &Style) -> Vec<Solid> {
    let (w, h, depth) = (leaf.width, leaf.height, leaf.frame_depth());
    let (lining, casement) = style.frames(leaf);
    let middle = |thick: f64| ((depth - thick.min(depth)) / 2.0, f64::midpoint(depth, thick.min(depth)));
    let (glass0, glass1) = middle(GLASS);
    let outline = style.shape.outline(DVec2::new(w, h));
    if style.shape != crate::opening::Shape::Rectangle {
        let inner = inset(&outline, &vec![lining; outline.len()]);
        return match inner {
            Some(inner) => vec![
                through(Part::Lining, outline, vec![inner.clone()], 0.0, depth),
                through(Part::Glazing, inner, Vec::new(), glass0, glass1),
            ],
            // too small for a frame all round
            None => vec![through(Part::Glazing, outline, Vec::new(), glass0, glass1)],
        };
    }
    let cells = cells(leaf, style);
    let holes = cells.iter().map(|[x0, z0, x1, z1]| front(*x0, *z0, *x1, *z1)).collect();
    let mut solids = vec![through(Part::Lining, outline, holes, 0.0, depth)];
    let (frame0, frame1) = middle(CASEMENT_DEPTH);
    for [x0, z0, x1, z1] in cells {
        let c = casement.min((x1 - x0) / 4.0).min((z1 - z0) / 4.0);
        let glass = front(x0 + c, z0 + c, x1 - c, z1 - c);
        solids.push(through(Part::Framing, front(x0, z0, x1, z1), vec![glass.clone()], frame0, frame1));
        solids.push(through(Part::Glazing, glass, Vec::new(), glass0, glass1));
    }
    solids
}

/// The boxes between the lining and its bars that the panels of a window take up: x, z of both corners.
pub(super) fn cells(leaf: &Leaf, style: &Style) -> Vec<[f64; 4]> {
    let (lining, _) = style.frames(leaf);
    let (w, h) = (leaf.width - 2.0 * lining, leaf.height - 2.0 * lining);
    let bar = mullion(leaf) / 2.0;
    window_panes(&style.operation)
        .into_iter()
        .map(|pane| {
            // half a bar is left free on every side where another panel follows
            let side = |part: f64, by: f64| if part > 1e-9 && part < 1.0 - 1e-9 { by } else { 0.0 };
            [
                lining + pane.x.0 * w + side(pane.x.0, bar),
                lining + pane.z.0 * h + side(pane.z.0, bar),
                lining + pane.x.1 * w - side(pane.x.1, bar),
                lining + pane.z.1 * h - side(pane.z.1, bar),
            ]
        })
        .collect()
}

/// Width of the bars of a window in mm.
pub(super) fn mullion(leaf: &Leaf) -> f64 {
    MULLION.min(leaf.width / 16.0).min(leaf.height / 16.0)
}

/// From where to where the leaves of a door reach across, and how far up.
fn clear(leaf: &Leaf, style: &Style) -> (f64, f64, f64, f64) {
    let (m, _) = style.frames(leaf);
    let bottom = if style.threshold { THRESHOLD.min(leaf.height / 8.0) } else { 0.0 };
    (m, leaf.width - m, bottom, leaf.height - m)
}

fn door(leaf: &Leaf, style: &Style) -> Vec<Solid> {
    let (w, h, depth) = (leaf.width, leaf.height, leaf.frame_depth());
    let (x0, x1, z0, z1) = clear(leaf, style);
    let lining = if style.threshold {
        through(Part::Lining, front(0.0, 0.0, w, h), vec![front(x0, z0, x1, z1)], 0.0, depth)
    } else {
        let outline = [[0.0, 0.0], [x0, 0.0], [x0, z1], [x1, z1], [x1, 0.0], [w, 0.0], [w, h], [0.0, h]];
        through(Part::Lining, outline.map(DVec2::from).to_vec(), Vec::new(), 0.0, depth)
    };
    let mut solids = vec![lining];
    let actions = door_panels(&style.operation);
    let width = (x1 - x0) / count(&actions);
    for (i, action) in actions.into_iter().enumerate() {
        let from = x0 + width * number(i);
        let to = from + width;
        match action {
            Action::Revolve => revolving(&mut solids, leaf, (x0, x1, z0, z1)),
            Action::Roll => {
                let case = (0.12 * (z1 - z0)).min(300.0);
                let (a, b) = (depth / 2.0 - depth.min(LEAF) / 4.0, depth / 2.0 + depth.min(LEAF) / 4.0);
                solids.push(through(Part::Framing, front(from, z0, to, z1 - case), Vec::new(), a, b));
                solids.push(through(Part::Framing, front(from, z1 - case, to, z1), Vec::new(), 0.0, depth));
            }
            _ => panel(&mut solids, style, action, depth, [from, z0, to, z1]),
        }
    }
    solids
}

fn count<T>(list: &[T]) -> f64 {
    number(list.len().max(1))
}

fn number(n: usize) -> f64 {
    u32::try_from(n).map_or(f64::from(u32::MAX), f64::from)
}

/// From where to where through the wall a leaf lies when it is closed.
fn lies(action: Action, depth: f64) -> (f64, f64) {
    let thick = LEAF.min(depth);
    match action {
        Action::Swing { forward: true, .. } => (depth - thick, depth),
        Action::Swing { forward: false, .. } => (0.0, thick),
        _ => ((depth - thick) / 2.0, f64::midpoint(depth, thick)),
    }
}

/// A leaf: whole, or a frame with glass in it.
fn panel(solids: &mut Vec<Solid>, style: &Style, action: Action, depth: f64, [x0, z0, x1, z1]: [f64; 4]) {
    let (from, to) = lies(action, depth);
    if style.panes == 0 {
        solids.push(through(Part::Framing, front(x0, z0, x1, z1), Vec::new(), from, to));
        return;
    }
    let stile = STILE.min((x1 - x0) / 5.0).min((z1 - z0) / 5.0);
    let glass = front(x0 + stile, z0 + stile, x1 - stile, z1 - stile);
    solids.push(through(Part::Framing, front(x0, z0, x1, z1), vec![glass.clone()], from, to));
    let thin = GLASS.min(to - from) / 2.0;
    let middle = f64::midpoint(from, to);
    solids.push(through(Part::Glazing, glass, Vec::new(), middle - thin, middle + thin));
}

/// Four wings round a post in the middle.
fn revolving(solids: &mut Vec<Solid>, leaf: &Leaf, (x0, x1, z0, z1): (f64, f64, f64, f64)) {
    let centre = DVec2::new(f64::midpoint(x0, x1), leaf.frame_depth() / 2.0);
    let (reach, thick) = ((x1 - x0) / 2.0, LEAF.min((x1 - x0) / 8.0) / 2.0);
    let mut wing = |low: DVec2, high: DVec2| {
        let outline = rectangle(centre + low, centre + high);
        solids.push(Solid { part: Part::Framing, outline, holes: Vec::new(), way: Way::Up(z0, z1) });
    };
    wing(DVec2::new(-reach, -thick), DVec2::new(reach, thick));
    wing(DVec2::new(-thick, thick), DVec2::new(thick, reach));
    wing(DVec2::new(-thick, -reach), DVec2::new(thick, -thick));
}

/// The part of a filling's width times height that is glass.
pub(super) fn glass_share(leaf: &Leaf, style: &Style) -> f64 {
    let glass: f64 = solids(leaf, style)
        .iter()
        .filter(|solid| solid.part == Part::Glazing)
        .map(|solid| crate::polygon::area(&solid.outline))
        .sum();
    glass / (leaf.width * leaf.height)
}

/// Draws the symbol in plan.
pub(super) fn symbol(leaf: &Leaf, style: &Style) -> Vec<Line> {
    let (w, depth) = (leaf.width, leaf.frame_depth());
    let (m, _) = style.frames(leaf);
    let boxed = |x0: f64, y0: f64, x1: f64, y1: f64| Line::Straight(front(x0, y0, x1, y1), true);
    let line = |points: &[[f64; 2]]| Line::Straight(points.iter().map(|p| DVec2::from(*p)).collect(), false);
    let mut lines = vec![boxed(0.0, 0.0, m, depth), boxed(w - m, 0.0, w, depth)];
    if leaf.kind == Filling::Window {
        let thin = GLASS.min(depth) / 2.0;
        for y in [0.0, depth / 2.0 - thin, depth / 2.0 + thin, depth] {
            lines.push(line(&[[m, y], [w - m, y]]));
        }
        return lines;
    }
    let (x0, x1, ..) = clear(leaf, style);
    let actions = door_panels(&style.operation);
    let width = (x1 - x0) / count(&actions);
    for (i, action) in actions.into_iter().enumerate() {
        let from = x0 + width * number(i);
        let to = from + width;
        let (y0, y1) = lies(action, depth);
        match action {
            Action::Swing { left, forward } => {
                let face = if forward { depth } else { 0.0 };
                lines.extend(swing(from, to, face, left, forward));
            }
            Action::Double { left } => {
                lines.extend(swing(from, to, depth / 2.0, left, true));
                lines.extend(swing(from, to, depth / 2.0, left, false));
            }
            Action::Slide { left } => {
                lines.push(boxed(from, y0, to, y1));
                let (tail, tip, back) = if left { (to, from, 80.0) } else { (from, to, -80.0) };
                let (y, back) = (y1 + 60.0, back * (width / 400.0).min(1.0));
                lines.push(line(&[[tail, y], [tip, y], [tip + back, y + back.abs() / 2.0]]));
            }
            Action::Fold { left } => {
                let up = (i % 2 == 0) == left;
                let rise = width * 0.8;
                let (a, b) =
                    if up { (depth / 2.0, depth / 2.0 + rise) } else { (depth / 2.0 + rise, depth / 2.0) };
                lines.push(line(&[[from, a], [to, b]]));
            }
            Action::Revolve => {
                let centre = DVec2::new(f64::midpoint(x0, x1), depth / 2.0);
                let reach = (x1 - x0) / 2.0;
                let tip = DVec2::X * reach;
                lines.push(Line::Arc(centre, centre + tip, centre - tip));
                lines.push(Line::Arc(centre, centre - tip, centre + tip));
                for way in [tip, tip.perp()] {
                    lines.push(Line::Straight(vec![centre - way, centre + way], false));
                }
            }
            Action::Roll | Action::Lift | Action::Fixed => lines.push(boxed(from, y0, to, y1)),
        }
    }
    lines
}

/// A leaf that stands open, and the arc that its edge goes along.
fn swing(from: f64, to: f64, face: f64, left: bool, forward: bool) -> [Line; 2] {
    let (hinge, closed) = if left { (from, to) } else { (to, from) };
    let way = if forward { to - from } else { from - to };
    let (hinge, closed) = (DVec2::new(hinge, face), DVec2::new(closed, face));
    let open = hinge + DVec2::Y * way;
    // counter-clockwise from the edge that comes first
    let (first, last) = if left == forward { (closed, open) } else { (open, closed) };
    [Line::Straight(vec![hinge, open], false), Line::Arc(hinge, first, last)]
}
