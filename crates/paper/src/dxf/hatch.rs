//! Areas: hatches by the patterns that programs draw anew at every scale, areas of one colour, and white ones as masks, since drawings
//! are looked at on black as on white.

use super::drawing::Drawing;
use super::entity::{Vertex, vertices};
use super::tags::name;
use crate::page::{Colour, Hatch, HatchLine, Subpath};
use crate::shape::{FAR, corners, is_near, is_stroke, sound};
use glam::DVec2;

/// Rings of one area whose nesting is looked at.
const MANY: usize = 500;

impl Drawing<'_> {
    /// Writes an area of one colour.
    pub(super) fn solid(&mut self, area: &[Subpath], colour: Colour, layer: &str) {
        let [.., opacity] = colour;
        let mut rings = sound(area);
        if let ([255, 255, 255, 255], Some(ring), None) = (colour, rings.next(), rings.next()) {
            self.mask(ring, layer);
        } else if opacity > 0 {
            self.area(area, "SOLID", layer, colour, true, None);
        }
    }

    /// Writes an area that hides what lies below it.
    fn mask(&mut self, ring: &Subpath, layer: &str) {
        let mut points: Vec<DVec2> =
            corners(ring, 0.01).into_iter().map(|point| self.space.place(point)).collect();
        points.dedup();
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        let least = points.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        let size = points.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max) - least;
        if points.len() < 3 || size.min_element() <= 0.0 {
            return;
        }
        self.space.reach.extend(points.iter().copied());
        let (handle, owner) = (self.next(), self.space.owner);
        self.tags
            .text(0, "WIPEOUT")
            .handle(5, handle)
            .handle(330, owner)
            .text(100, "AcDbEntity")
            .text(8, layer);
        self.tags.text(100, "AcDbWipeout").whole(90, 0).place(10, least);
        self.tags.place(11, DVec2::new(size.x, 0.0)).place(12, DVec2::new(0.0, size.y)).point(13, DVec2::ONE);
        self.tags
            .handle(340, 0)
            .whole(70, 7)
            .whole(280, 1)
            .whole(281, 50)
            .whole(282, 50)
            .whole(283, 0)
            .handle(360, 0);
        // its corners in shares of its size from the middle, y downwards, the first one said again
        self.tags.whole(71, 2).whole(91, points.len() as i64 + 1);
        for point in points.iter().chain(points.first()) {
            let share = (*point - least) / size - 0.5;
            self.tags.point(14, DVec2::new(share.x, -share.y));
        }
        self.tags.whole(290, 0);
        self.about();
    }

    /// Writes an area with a pattern, and the colour behind it.
    pub(super) fn hatch(&mut self, hatch: &Hatch, area: &[Subpath], layer: &str) {
        if let Some(ground) = hatch.ground {
            self.solid(area, ground, layer);
        }
        let lines: Vec<&HatchLine> = hatch.lines.iter().filter(|line| is_sound(line)).collect();
        if !lines.is_empty() && is_stroke(&hatch.stroke) {
            self.area(area, &name(&hatch.name), layer, hatch.stroke.colour, false, Some(&lines));
        }
    }

    fn area(
        &mut self,
        area: &[Subpath],
        pattern: &str,
        layer: &str,
        colour: Colour,
        is_solid: bool,
        lines: Option<&[&HatchLine]>,
    ) {
        let drawn = sound(area).map(|ring| (vertices(ring, &self.space), corners(ring, 0.1)));
        let (rings, flat): (Vec<Vec<Vertex>>, Vec<Vec<DVec2>>) =
            drawn.filter(|(ring, _)| ring.len() > 1).unzip();
        if rings.is_empty() {
            return;
        }
        self.space.reach.extend(rings.iter().flatten().map(|(point, _)| *point));
        let (handle, owner) = (self.next(), self.space.owner);
        self.tags
            .text(0, "HATCH")
            .handle(5, handle)
            .handle(330, owner)
            .text(100, "AcDbEntity")
            .text(8, layer);
        self.colour(colour, is_solid);
        self.opacity(colour);
        self.tags.text(100, "AcDbHatch").place(10, DVec2::ZERO).place(210, DVec2::ZERO);
        // the direction of the plane's normal
        let kept = self.tags.0.len() - "0.0\n".len();
        self.tags.0.truncate(kept);
        self.tags.0.push_str("1.0\n");
        self.tags.text(2, pattern).whole(70, i64::from(is_solid)).whole(71, 0).whole(91, rings.len() as i64);
        for (n, ring) in rings.iter().enumerate() {
            let around = if rings.len() > MANY { 0 } else { surrounded(n, &flat) };
            // a polyline; outermost or external by how many surround it
            self.tags.whole(92, if around % 2 == 0 { 3 } else { 18 });
            let has_bulges = ring.iter().any(|(_, bulge)| *bulge != 0.0);
            self.tags.whole(72, i64::from(has_bulges)).whole(73, 1).whole(93, ring.len() as i64);
            for (point, bulge) in ring {
                self.tags.point(10, *point);
                if has_bulges {
                    self.tags.real(42, *bulge);
                }
            }
            self.tags.whole(97, 0);
        }
        self.tags.whole(75, 0).whole(76, if is_solid { 1 } else { 2 });
        if let Some(lines) = lines {
            let scale = self.space.scale;
            self.tags.real(52, 0.0).real(41, 1.0).whole(77, 0).whole(78, lines.len() as i64);
            for line in lines {
                let along = DVec2::from_angle(line.angle.to_radians());
                let step = (along * line.step.x + along.perp() * line.step.y) * scale;
                // patterns begin at the lower left corner of the page, where y goes up already
                let origin = self.space.place(DVec2::new(line.origin.x, self.space.foot - line.origin.y));
                self.tags.real(53, line.angle.rem_euclid(360.0)).real(43, origin.x).real(44, origin.y);
                self.tags.real(45, step.x).real(46, step.y).whole(79, line.dashes.len() as i64);
                for length in &line.dashes {
                    self.tags.real(49, length * scale);
                }
            }
        }
        self.tags.whole(98, 0);
        self.about();
    }
}

fn is_sound(line: &HatchLine) -> bool {
    let period: f64 = line.dashes.iter().map(|length| length.abs()).sum();
    let are_lengths = line.dashes.is_empty() || (0.02..=FAR).contains(&period);
    line.angle.is_finite()
        && is_near(line.origin)
        && is_near(line.step)
        && line.step.y.abs() >= 0.02
        && are_lengths
        && line.dashes.len() <= 12
}

/// The number of rings that surround the first point of one.
fn surrounded(n: usize, rings: &[Vec<DVec2>]) -> usize {
    let Some(point) = rings.get(n).and_then(|ring| ring.first()) else { return 0 };
    let holds = |ring: &[DVec2]| {
        let ends = ring.iter().skip(1).chain(ring.first());
        let crossed = ring.iter().zip(ends).filter(|(a, b)| {
            (a.y > point.y) != (b.y > point.y) && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
        });
        crossed.count() % 2 == 1
    };
    rings.iter().enumerate().filter(|(other, ring)| *other != n && holds(ring)).count()
}
