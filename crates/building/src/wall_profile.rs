//! The top of a wall whose body is cut along it: a line of heights over its axis, read from the planes that cut it.

use crate::author::Author;
use crate::host::Wall;
use crate::measures::mm;
use crate::polygon::bounds;
use crate::quantities::is_ours;
use crate::quantity_sets;
use crate::roof_ties::roof_of;
use crate::solids;
use contract::Fault;
use glam::DVec2;
use ifc::Instance;

/// The most corners of a top.
const MOST: usize = 100;

/// Heights over a wall's axis: points of how far along it and how high above its base, in mm, from its start to its end. Between
/// two in the same place it steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile(pub Vec<DVec2>);

/// A piece of a top between two places along a wall.
pub type Piece = (DVec2, DVec2);

impl Profile {
    /// A top from one height to another.
    pub fn slope(length: f64, at_start: f64, at_end: f64) -> Self {
        Self(vec![DVec2::new(0.0, at_start), DVec2::new(length, at_end)])
    }

    /// A top through points of how far along and how high, which go from the start of a wall to its end.
    pub fn through(field: &str, points: &[[f64; 2]], base: f64, length: f64) -> Result<Self, Fault> {
        let refused = |at: usize, text: String| Err(Fault::invalid(&format!("{field}[{at}]"), text));
        if points.len() < 2 || points.len() > MOST {
            return Err(Fault::invalid(
                field,
                format!(
                    "`{field}` must list 2 to {MOST} points of [mm along, mm above the storey]; {} given.",
                    points.len()
                ),
            ));
        }
        let mut last = 0.0;
        for (i, [along, height]) in points.iter().enumerate() {
            if !along.is_finite() || !height.is_finite() || *height - base < 1.0 {
                return refused(
                    i,
                    format!("`{field}[{i}]` is {height} mm high; the top must lie above the wall's base."),
                );
            }
            if *along < last - 0.1 {
                return refused(
                    i,
                    format!("`{field}[{i}]` lies before the point before it; give them from start to end."),
                );
            }
            last = *along;
        }
        let [first, .., end] = points else { return refused(0, "Give at least two points.".to_owned()) };
        if first[0].abs() > 1.0 {
            return refused(0, format!("`{field}` must begin at the wall's start, 0 mm along it."));
        }
        if (end[0] - length).abs() > 1.0 {
            let at = points.len() - 1;
            return refused(at, format!("`{field}` must end at the wall's end, {} mm along it.", mm(length)));
        }
        let mut through: Vec<DVec2> = points.iter().map(|[x, z]| DVec2::new(*x, z - base)).collect();
        if let [first, .., end] = &mut through[..] {
            (first.x, end.x) = (0.0, length);
        }
        Ok(Self(through))
    }

    /// Its pieces, steps left out; the first and the last go on beyond the wall's ends.
    pub fn pieces(&self) -> Vec<Piece> {
        let pairs = self.0.iter().copied().zip(self.0.iter().copied().skip(1));
        pairs.filter(|(a, b)| b.x - a.x > 0.01).collect()
    }

    /// Its heights from one place along the wall to another: the lowest and the highest.
    pub fn range(&self, from: f64, to: f64) -> (f64, f64) {
        let pieces = self.pieces();
        let last = pieces.len().saturating_sub(1);
        let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
        for (i, (a, b)) in pieces.iter().enumerate() {
            let low = if i == 0 { from } else { from.max(a.x) };
            let high = if i == last { to } else { to.min(b.x) };
            if low > high {
                continue;
            }
            for x in [low, high] {
                let z = a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
                (lowest, highest) = (lowest.min(z), highest.max(z));
            }
        }
        (lowest, highest)
    }

    /// Its highest corner, without what a mitred end goes on beyond.
    pub fn highest(&self) -> f64 {
        self.0.iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max)
    }

    /// True if it is level.
    pub fn is_level(&self) -> bool {
        let first = self.0.first().map_or(0.0, |p| p.y);
        self.0.iter().all(|p| (p.y - first).abs() < 0.1)
    }

    /// As it is on a wall of another length that is so much higher; corners in between stay where they are, seen from its start
    /// `slide` mm further on.
    pub fn on(&self, length: f64, slide: f64, higher: f64) -> Self {
        let last = self.0.len().saturating_sub(1);
        let moved = self.0.iter().enumerate().map(|(i, p)| {
            let x = if i == 0 {
                0.0
            } else if i == last {
                length
            } else {
                (p.x + slide).clamp(0.0, length)
            };
            DVec2::new(x, p.y + higher)
        });
        Self(moved.collect())
    }

    /// The top of a wall of ours that is cut by planes across it; `None` for other walls.
    pub fn read(author: &Author, wall: &Wall) -> Option<Self> {
        let is_ours = is_ours(author.edit, wall.id, quantity_sets::WALL);
        if wall.plain || wall.line().is_bent() || !is_ours || roof_of(author, wall.id).is_some() {
            return None;
        }
        let mut cuts = Vec::new();
        let body = solids::representation(author.edit, wall.id, "Body")?;
        let [item] = body.references("Items")[..] else { return None };
        let mut item = author.edit.get(item)?;
        while item.is_a("IfcBooleanClippingResult") && cuts.len() <= MOST {
            cuts.push(Cut::read(author, wall, &author.edit.get(item.reference("SecondOperand")?)?)?);
            item = author.edit.get(item.reference("FirstOperand")?)?;
        }
        if cuts.is_empty() || !item.is_a("IfcExtrudedAreaSolid") {
            return None;
        }
        let inside = |x: &f64| *x > 0.01 && *x < wall.length - 0.01;
        let mut at: Vec<f64> = cuts.iter().flat_map(|cut| [cut.from, cut.to]).filter(inside).collect();
        at.extend([0.0, wall.length]);
        at.sort_by(f64::total_cmp);
        at.dedup_by(|a, b| (*a - *b).abs() < 0.01);
        let mut points: Vec<DVec2> = Vec::new();
        for (from, to) in at.iter().copied().zip(at.iter().copied().skip(1)) {
            let middle = f64::midpoint(from, to);
            let over: Vec<&Cut> = cuts.iter().filter(|cut| cut.from < middle && middle < cut.to).collect();
            // where none cuts it is as high as it was drawn
            for x in [from, to] {
                let z = over.iter().map(|cut| cut.height(x)).fold(wall.height, f64::min);
                let p = DVec2::new(x, z);
                if points.last().is_none_or(|last| last.distance(p) > 0.01) {
                    points.push(p);
                }
            }
        }
        Some(Self(points))
    }
}

/// The height of a wall at the highest corner of its top.
pub fn height_of(author: &Author, wall: &Wall) -> f64 {
    Profile::read(author, wall).map_or(wall.height, |top| top.highest())
}

/// A plane across a wall that cuts its top off, between two places along it.
struct Cut {
    from: f64,
    to: f64,
    on: DVec2,
    rise: f64,
}

impl Cut {
    fn read(author: &Author, wall: &Wall, half_space: &Instance) -> Option<Self> {
        let mm = author.units().length_mm;
        let surface = author.edit.get(half_space.reference("BaseSurface")?)?;
        let plane = solids::axes(author.edit, surface.reference("Position")?, mm)?.seen_from(&wall.local);
        let normal = plane.z_axis;
        if normal.y.abs() > 1e-6 || normal.z.abs() < 0.01 {
            return None;
        }
        let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
        if half_space.is_a("IfcPolygonalBoundedHalfSpace") {
            let within =
                solids::axes(author.edit, half_space.reference("Position")?, mm)?.seen_from(&wall.local);
            let boundary = solids::curve(author.edit, half_space.reference("PolygonalBoundary")?, mm)?;
            let seen: Vec<DVec2> =
                boundary.iter().map(|p| within.transform_point3(p.extend(0.0)).truncate()).collect();
            let (low, high) = bounds(&seen);
            (from, to) = (low.x, high.x);
        }
        let on = DVec2::new(plane.translation.x, plane.translation.z);
        Some(Self { from, to, on, rise: -normal.x / normal.z })
    }

    fn height(&self, x: f64) -> f64 {
        self.on.y + self.rise * (x - self.on.x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_top_is_as_high_as_its_lowest_piece_over_a_stretch() {
        let steps = Profile::through(
            "top",
            &[[0.0, 2500.0], [2000.0, 2500.0], [2000.0, 3000.0], [5000.0, 4000.0]],
            0.0,
            5000.0,
        )
        .unwrap();
        assert_eq!(steps.pieces().len(), 2);
        assert_eq!(steps.range(0.0, 1000.0), (2500.0, 2500.0));
        assert_eq!(steps.range(1500.0, 3500.0), (2500.0, 3500.0));
        assert_eq!(steps.range(3500.0, 5150.0), (3500.0, 4050.0));
        assert!(!steps.is_level() && Profile::slope(3000.0, 2000.0, 2000.0).is_level());
        assert_eq!(steps.on(6000.0, 500.0, 100.0).0[1], DVec2::new(2500.0, 2600.0));
        for (points, field) in [
            (vec![[0.0, 2500.0]], "top"),
            (vec![[0.0, 2500.0], [4000.0, 2500.0]], "top[1]"),
            (vec![[100.0, 2500.0], [5000.0, 2500.0]], "top[0]"),
            (vec![[0.0, 2500.0], [3000.0, 2500.0], [2000.0, 2500.0], [5000.0, 1.0]], "top[2]"),
            (vec![[0.0, -5.0], [5000.0, 2500.0]], "top[0]"),
        ] {
            let fault = Profile::through("top", &points, 0.0, 5000.0).unwrap_err();
            assert_eq!(fault.data["field"], field, "{fault}");
        }
    }
}
