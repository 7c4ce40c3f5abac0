//! Rooms: areas that walls enclose, and areas that they nearly do.
//!
//! Walls are painted into a coarse field, openings closed; what paper cannot reach the edge is a room. Where a wall ends freely, the
//! shortest way to the next wall is closed as well: an area that is enclosed only then is told as open, with the gap.

mod outline;

use crate::components::Components;
use crate::grid::Grid;
use crate::line::Span;
use crate::walls::Wall;
use glam::DVec2;

/// An area that walls enclose.
#[derive(Debug, Clone)]
pub(crate) struct Room {
    pub outline: Vec<DVec2>,
    pub area: f64,
    pub gaps: Vec<Span>,
}

/// The longest side of the field in cells.
const CELLS: f64 = 1400.0;

/// Finds rooms, the largest first.
pub(crate) fn find(walls: &[Wall], width: usize, height: usize, extent: f64) -> Vec<Room> {
    if walls.is_empty() {
        return Vec::new();
    }
    let cell = (width.max(height) as f64 / CELLS).max(1.0);
    let size = ((width as f64 / cell).ceil() as usize + 2, (height as f64 / cell).ceil() as usize + 2);
    let mut field: Grid<u8> = Grid::new(size.0, size.1);
    for wall in walls {
        paint(&mut field, &wall.axis, wall.thickness, cell);
    }
    let least = (extent * extent * 0.0012 / (cell * cell)).max(30.0) as u32;
    let closed = areas(&field, least);
    let outside = reached_from_the_edge(&field);
    let closings = closings(walls, extent);
    let mut closed_field = field.clone();
    for own in &closings {
        paint(&mut closed_field, own, 0.0, cell);
    }
    let mut rooms: Vec<Room> = closed.iter().filter_map(|area| room(area, cell, Vec::new())).collect();
    if !closings.is_empty() {
        for area in areas(&closed_field, least) {
            let Some(inside) = area.cells.first() else { continue };
            // what was enclosed before is known
            if outside.at(i64::from(inside.0), i64::from(inside.1)) == 0 {
                continue;
            }
            let gaps: Vec<Span> = closings.iter().filter(|own| area.borders(own, cell)).copied().collect();
            rooms.extend(room(&area, cell, gaps));
        }
    }
    rooms.sort_by(|a, b| b.area.total_cmp(&a.area));
    rooms
}

struct Area {
    /// First and last cell of each run of a row.
    cells: Vec<(u32, u32)>,
    mask: Grid<u8>,
    left: u32,
    top: u32,
    count: u32,
}

impl Area {
    fn borders(&self, gap: &Span, cell: f64) -> bool {
        (1..8).any(|n| {
            let at = gap.at(gap.length() * f64::from(n) / 8.0) / cell;
            (-3..=3).any(|dy| {
                (-3..=3).any(|dx| {
                    let (x, y) =
                        (at.x as i64 + dx - i64::from(self.left), at.y as i64 + dy - i64::from(self.top));
                    self.mask.at(x, y) == 1
                })
            })
        })
    }
}

fn areas(field: &Grid<u8>, least: u32) -> Vec<Area> {
    let found = Components::find(field, 0, false, None);
    let mut areas: Vec<Option<Area>> = found
        .parts
        .iter()
        .map(|part| {
            (!part.is_at_edge && part.pixels >= least).then(|| Area {
                cells: Vec::new(),
                mask: Grid::new(part.width() as usize, part.height() as usize),
                left: part.left,
                top: part.top,
                count: part.pixels,
            })
        })
        .collect();
    found.each_run(|y, start, end, part| {
        if let Some(area) = areas.get_mut(part).and_then(Option::as_mut) {
            area.cells.push((start as u32, y as u32));
            for x in start..end {
                area.mask.set(x as i64 - i64::from(area.left), y as i64 - i64::from(area.top), 1);
            }
        }
    });
    areas.into_iter().flatten().collect()
}

fn reached_from_the_edge(field: &Grid<u8>) -> Grid<u8> {
    let mut own = Grid::new(field.width, field.height);
    Components::find(field, 0, false, None).paint(&mut own, 1, |part| part.is_at_edge);
    own
}

fn room(area: &Area, cell: f64, gaps: Vec<Span>) -> Option<Room> {
    let corner = DVec2::new(f64::from(area.left), f64::from(area.top));
    let outline: Vec<DVec2> =
        outline::trace(&area.mask, 1.6).into_iter().map(|point| (point + corner) * cell).collect();
    (outline.len() >= 3).then(|| Room { outline, area: f64::from(area.count) * cell * cell, gaps })
}

/// Fills the cells under a wall; at least so many that nothing slips through.
fn paint(field: &mut Grid<u8>, axis: &Span, thickness: f64, cell: f64) {
    let half = (thickness / cell / 2.0).max(0.75);
    let own = Span::new(axis.start / cell, axis.end / cell);
    let (low, high) = (own.start.min(own.end) - half - 1.0, own.start.max(own.end) + half + 1.0);
    let (across, down) = (field.width as f64, field.height as f64);
    let range = |from: f64, to: f64, most: f64| (from.clamp(0.0, most) as i64, to.clamp(0.0, most) as i64);
    let (x0, x1) = range(low.x, high.x, across);
    let (y0, y1) = range(low.y, high.y, down);
    let length = own.length();
    for y in y0..=y1 {
        for x in x0..=x1 {
            let at = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            let along = own.along(at);
            if own.beside(at).abs() <= half && along >= -half && along <= length + half {
                field.set(x, y, 1);
            }
        }
    }
}

/// From each free end the shortest way to another wall or free end ahead.
fn closings(walls: &[Wall], extent: f64) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    for (n, wall) in walls.iter().enumerate() {
        for (end, towards, meets) in [
            (wall.axis.start, -wall.axis.direction(), wall.meets[0]),
            (wall.axis.end, wall.axis.direction(), wall.meets[1]),
        ] {
            if meets || is_touched(end, n, walls) {
                continue;
            }
            let nearest = walls
                .iter()
                .enumerate()
                .filter(|(m, _)| *m != n)
                .map(|(_, other)| {
                    let straight = wall.axis.crossing(&other.axis).filter(|point| {
                        let along = other.axis.along(*point);
                        along >= 0.0 && along <= other.axis.length()
                    });
                    let along = other.axis.along(end).clamp(0.0, other.axis.length());
                    straight.unwrap_or_else(|| other.axis.at(along))
                })
                .filter(|point| {
                    let way = *point - end;
                    way.length() > 2.0
                        && way.length() < 0.16 * extent
                        && way.dot(towards) > 0.3 * way.length()
                })
                .min_by(|a, b| a.distance(end).total_cmp(&b.distance(end)));
            if let Some(point) = nearest {
                let own = Span::new(end, point);
                let is_known = out
                    .iter()
                    .any(|other| other.start.distance(own.end) < 4.0 && other.end.distance(own.start) < 4.0);
                if !is_known {
                    out.push(own);
                }
            }
        }
    }
    out
}

fn is_touched(end: DVec2, own: usize, walls: &[Wall]) -> bool {
    walls
        .iter()
        .enumerate()
        .any(|(m, other)| m != own && other.axis.distance(end) < 0.6 * other.thickness + 2.0)
}

#[cfg(test)]
mod tests;
