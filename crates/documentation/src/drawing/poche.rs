//! Cut faces: hatched by material, joined where equal materials touch, with a heavy outline where they end and a light line between
//! different ones.

use super::clip::{crossings, holds, sides};
use super::sheet::{Order, Sheet, filled, outlined, stroked};
use super::viewed::Figure;
use crate::style::{BLACK, CutStyle};
use geometry::region::{Area, Loop};
use glam::DVec2;
use paper::{Fill, Node, Part};
use std::collections::HashMap;

/// The distance in metres beside a line at which it is looked for what lies there.
const BESIDE: f64 = 1.5e-3;
/// The side of a cell of the grid that finds neighbours, in metres.
const CELL: f64 = 2.0;
/// The most cells that one piece is entered in; larger ones are asked always.
const MOST_CELLS: f64 = 4096.0;

/// One area of the cut, with what makes two areas one.
struct Patch<'f> {
    key: usize,
    loops: Vec<&'f Loop>,
    low: DVec2,
    high: DVec2,
}

/// Finds patches by place.
struct Neighbours {
    cells: HashMap<(i64, i64), Vec<usize>>,
    always: Vec<usize>,
}

impl Neighbours {
    fn new(patches: &[Patch<'_>]) -> Neighbours {
        let (mut cells, mut always) = (HashMap::<_, Vec<usize>>::new(), Vec::new());
        for (number, patch) in patches.iter().enumerate() {
            let size = (patch.high - patch.low) / CELL + 1.0;
            if size.x * size.y > MOST_CELLS {
                always.push(number);
                continue;
            }
            for cell in cells_of(patch.low - 2.0 * BESIDE, patch.high + 2.0 * BESIDE) {
                cells.entry(cell).or_default().push(number);
            }
        }
        Neighbours { cells, always }
    }

    /// The patches near a line, each once.
    fn near(&self, a: DVec2, b: DVec2, into: &mut Vec<usize>) {
        into.clear();
        into.extend(&self.always);
        for cell in cells_of(a.min(b), a.max(b)) {
            into.extend(self.cells.get(&cell).into_iter().flatten());
        }
        into.sort_unstable();
        into.dedup();
    }
}

fn cells_of(low: DVec2, high: DVec2) -> impl Iterator<Item = (i64, i64)> {
    let cell = |v: f64| (v / CELL).floor() as i64;
    let (from, to) = ((cell(low.x), cell(low.y)), (cell(high.x), cell(high.y)));
    (from.0..=to.0).flat_map(move |x| (from.1..=to.1).map(move |y| (x, y)))
}

/// The things that a stretch of an outline parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// A cut face and what is not cut.
    Heavy,
    /// Two materials.
    Light,
    /// Nothing: the same lies on both sides.
    None,
}

/// Draws what is cut of the elements given.
pub(super) fn draw(sheet: &mut Sheet<'_>, figures: &[Figure]) {
    let mut keys: HashMap<(&str, &str), usize> = HashMap::new();
    let mut patches = Vec::new();
    // the patches of each piece lie beside each other
    for figure in figures {
        for piece in &figure.pieces {
            let own = match sheet.rule.cut {
                CutStyle::Solid => ("", ""),
                _ => (piece.material.as_str(), piece.function.as_str()),
            };
            let fresh = keys.len();
            let key = *keys.entry(own).or_insert(fresh);
            patches.extend(piece.areas.iter().map(|area| patch(key, area)));
        }
    }
    let neighbours = Neighbours::new(&patches);
    let (heavy, light) =
        (sheet.line(sheet.style.weights.cut_heavy), sheet.line(sheet.style.weights.cut_light));
    let hatch_width = sheet.line(sheet.style.weights.hatch).width;
    let mut number = 0;
    for figure in figures {
        let subject = figure.role.subject;
        let mut nodes = Vec::new();
        let (mut bold, mut fine) = (Vec::new(), Vec::new());
        for piece in &figure.pieces {
            let fill = match sheet.rule.cut {
                CutStyle::Solid => Fill::Solid(BLACK),

                _ => sheet.style.fill(sheet.style.hatch_name(&piece.material), hatch_width),
            };
            let mut face = filled(sheet.areas(&piece.areas), fill, subject, Part::Pattern);
            if sheet.rule.cut == CutStyle::Solid
                && let Node::Path(path) = &mut face
            {
                // black faces that touch have no seam
                path.stroke = Some(sheet.line(sheet.style.weights.hatch));
            }
            nodes.push(face);
            for _ in &piece.areas {
                for (kind, line) in outline(&patches, &neighbours, number) {
                    let is_closed = line.len() > 2 && line.first() == line.last();
                    let points = if is_closed { line.get(1..).unwrap_or_default() } else { &line };
                    let into = if kind == Line::Heavy { &mut bold } else { &mut fine };
                    into.push(sheet.subpath(points, is_closed));
                }
                number += 1;
            }
        }
        if !fine.is_empty() {
            nodes.push(stroked(fine, light.clone(), subject, Part::Cut));
        }
        if !bold.is_empty() {
            nodes.push(stroked(bold, heavy.clone(), subject, Part::Cut));
        }
        if !nodes.is_empty() {
            sheet.put(Order::Cut, Some(figure.id), nodes);
        }
    }
}

/// Draws what is cut of an element that neither carries nor divides: white, with a light outline.
pub(super) fn draw_light(sheet: &mut Sheet<'_>, figure: &Figure, order: Order) {
    let stroke = sheet.line(sheet.style.weights.cut_light);
    let layer = super::sheet::layer(figure.role.subject, Part::Cut);
    let mut nodes = Vec::new();
    if !figure.seen.cut.areas.is_empty() {
        nodes.push(outlined(sheet.areas(&figure.seen.cut.areas), [255; 4], stroke.clone(), layer));
    }
    if !figure.seen.cut.lines.is_empty() {
        let lines = figure.seen.cut.lines.iter().map(|l| sheet.subpath(l, false)).collect();
        nodes.push(stroked(lines, stroke, figure.role.subject, Part::Cut));
    }
    sheet.put(order, Some(figure.id), nodes);
}

fn patch(key: usize, area: &Area) -> Patch<'_> {
    let (low, high) = area
        .outer
        .iter()
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
    Patch { key, loops: area.loops().collect(), low, high }
}

/// The outline of a patch in stretches of one kind each; a stretch that goes all around ends where it begins.
fn outline(patches: &[Patch<'_>], neighbours: &Neighbours, number: usize) -> Vec<(Line, Vec<DVec2>)> {
    let Some(own) = patches.get(number) else { return Vec::new() };
    let mut lines = Vec::new();
    let (mut near, mut at) = (Vec::new(), Vec::new());
    for l in &own.loops {
        let mut stretches: Vec<(Line, Vec<DVec2>)> = Vec::new();
        for (a, b) in sides(l) {
            // areas lie to the left of their outlines
            let out = -(b - a).perp().normalize_or_zero() * BESIDE;
            let (p, q) = (a + out, b + out);
            neighbours.near(p, q, &mut near);
            let (low, high) = (p.min(q) - BESIDE, p.max(q) + BESIDE);
            near.retain(|n| {
                *n != number
                    && patches.get(*n).is_some_and(|o| o.low.cmple(high).all() && o.high.cmpge(low).all())
            });
            at.clear();
            at.push(0.0);
            for n in near.iter().filter_map(|n| patches.get(*n)) {
                at.extend(
                    crossings(p, q, n.loops.iter().copied()).into_iter().filter(|t| (0.0..=1.0).contains(t)),
                );
            }
            at.push(1.0);
            at.sort_by(f64::total_cmp);
            let length = a.distance(b);
            // shorter stretches are the rounding of corners; they go with what precedes them
            at.dedup_by(|next, kept| *next < 1.0 && (*next - *kept) * length < 2.0 * BESIDE);
            if let [.., before, _] = at.as_slice()
                && at.len() > 2
                && (1.0 - before) * length < 2.0 * BESIDE
            {
                at.remove(at.len() - 2);
            }
            for pair in at.windows(2) {
                let middle = p.lerp(q, f64::midpoint(pair[0], pair[1]));
                let mut kind = Line::Heavy;
                for n in near.iter().filter_map(|n| patches.get(*n)) {
                    if holds(n.loops.iter().copied(), middle) {
                        if n.key == own.key {
                            kind = Line::None;
                            break;
                        }
                        kind = Line::Light;
                    }
                }
                let (from, to) = (a.lerp(b, pair[0]), a.lerp(b, pair[1]));
                match stretches.last_mut() {
                    Some((last, points)) if *last == kind => points.push(to),
                    _ => stretches.push((kind, vec![from, to])),
                }
            }
        }
        // the first stretch may go on from the last
        if stretches.len() > 1 && stretches.first().map(|s| s.0) == stretches.last().map(|s| s.0) {
            let first = stretches.remove(0);
            if let Some((_, points)) = stretches.last_mut() {
                points.extend(first.1.into_iter().skip(1));
            }
        }
        lines.extend(stretches);
    }
    lines.retain(|(kind, _)| *kind != Line::None);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::region::rectangle;

    fn block(x: f64, y: f64, wide: f64, high: f64) -> Area {
        Area::new(rectangle(DVec2::new(x, y), DVec2::new(x + wide, y + high)), Vec::new())
    }

    fn length(lines: &[(Line, Vec<DVec2>)], kind: Line) -> f64 {
        let of = lines.iter().filter(|(k, _)| *k == kind);
        of.flat_map(|(_, l)| l.windows(2)).map(|w| w[0].distance(w[1])).sum()
    }

    #[test]
    fn equal_materials_are_joined_and_different_ones_parted_lightly() {
        // a wall, one of the same that meets its side, and another material at its end
        let areas = [block(0.0, 0.0, 4.0, 0.3), block(1.0, 0.3, 0.2, 2.0), block(4.0, 0.0, 1.0, 0.3)];
        let patches: Vec<Patch<'_>> = areas.iter().zip([0, 0, 1]).map(|(a, key)| patch(key, a)).collect();
        let near = Neighbours::new(&patches);
        let wall = outline(&patches, &near, 0);
        assert!((length(&wall, Line::Light) - 0.3).abs() < 1e-6, "{wall:?}");
        assert!((length(&wall, Line::Heavy) - (8.6 - 0.2 - 0.3)).abs() < 1e-2, "{wall:?}");
        let side = outline(&patches, &near, 1);
        assert!((length(&side, Line::Heavy) - 4.2).abs() < 1e-2 && length(&side, Line::Light) == 0.0);
        // alone, all of it is one closed heavy line
        let alone = outline(&patches[2..], &Neighbours::new(&patches[2..]), 0);
        assert_eq!(alone.len(), 1);
        assert_eq!(alone[0].1.first(), alone[0].1.last());
    }
}
