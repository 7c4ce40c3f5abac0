//! The picture with the trace drawn over it, for who sees it to confirm.
//!
//! The picture is paled and reduced to at most 1,568 pixels, which models that see are given without further reduction. Walls are blue to red by
//! confidence, doors green, windows cyan, openings orange; rooms are tinted; other lines are thin and violet. Ids are those of the answer.

mod labels;

use crate::answer::{GapKind, Point, RegionKind, SegmentKind, Trace};
use crate::error::Error;
use crate::picture::Picture;
use labels::Labels;
use tiny_skia::{Color, FillRule, LineCap, Paint, PathBuilder, Pixmap, Stroke, Transform};

/// The longest side in pixels.
const LONGEST: f64 = 1568.0;
/// Small pictures are enlarged so that labels have room.
const SHORTEST: f64 = 900.0;

struct Drawing {
    map: Pixmap,
    scale: f64,
}

/// Draws a trace over the picture it was made of, as PNG.
pub fn overlay(picture: &Picture, trace: &Trace) -> Result<Vec<u8>, Error> {
    let longest = f64::from(picture.width.max(picture.height)).max(1.0);
    let size = longest.clamp(SHORTEST, LONGEST);
    let scale = size / longest;
    let side = |pixels: u32| (f64::from(pixels) * scale).round().clamp(1.0, LONGEST) as u32;
    let map = Pixmap::new(side(picture.width), side(picture.height))
        .ok_or_else(|| Error::Overlay { reason: "its size is no size".into() })?;
    let mut own = Drawing { map, scale };
    own.paper(picture);
    own.rooms(trace);
    own.lines(trace);
    own.walls(trace);
    own.openings(trace);
    own.gaps(trace);
    own.label(trace);
    encode(&own.map)
}

impl Drawing {
    fn paper(&mut self, picture: &Picture) {
        let (width, height) = (self.map.width() as usize, self.map.height() as usize);
        let from = &picture.colours;
        let (across, down) = (from.width as f64 / width as f64, from.height as f64 / height as f64);
        let pixels = self.map.pixels_mut();
        for (n, own) in pixels.iter_mut().enumerate() {
            let (x, y) = ((n % width) as f64, (n / width) as f64);
            let colour = mean(from, x * across, y * down, across, down);
            // paled, so that what is drawn over it is seen
            let [r, g, b] = colour.map(|value| (value * 0.6 + 102.0) as u8);
            if let Some(colour) = tiny_skia::PremultipliedColorU8::from_rgba(r, g, b, 255) {
                *own = colour;
            }
        }
    }

    fn at(&self, point: Point) -> (f32, f32) {
        ((point[0] * self.scale) as f32, (point[1] * self.scale) as f32)
    }

    fn stroke(&mut self, points: &[Point], colour: Color, width: f64, is_closed: bool) {
        let mut path = PathBuilder::new();
        for (n, point) in points.iter().enumerate() {
            let (x, y) = self.at(*point);
            if n == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        if is_closed {
            path.close();
        }
        let Some(path) = path.finish() else { return };
        let pen = Stroke { width: width as f32, line_cap: LineCap::Butt, ..Stroke::default() };
        self.map.stroke_path(&path, &paint(colour), &pen, Transform::identity(), None);
    }

    fn fill(&mut self, points: &[Point], colour: Color) {
        let mut path = PathBuilder::new();
        for (n, point) in points.iter().enumerate() {
            let (x, y) = self.at(*point);
            if n == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        path.close();
        if let Some(path) = path.finish() {
            self.map.fill_path(&path, &paint(colour), FillRule::EvenOdd, Transform::identity(), None);
        }
    }

    fn rooms(&mut self, trace: &Trace) {
        const TINTS: [(u8, u8, u8); 6] = [
            (255, 205, 80),
            (120, 200, 140),
            (130, 180, 255),
            (240, 150, 170),
            (190, 160, 240),
            (120, 210, 210),
        ];
        let rooms = trace.regions.iter().filter(|region| region.kind == RegionKind::Room);
        for (n, room) in rooms.enumerate() {
            let (r, g, b) = TINTS.get(n % TINTS.len()).copied().unwrap_or((200, 200, 200));
            self.fill(&room.outline, Color::from_rgba8(r, g, b, if room.closed { 70 } else { 35 }));
            if !room.closed {
                self.stroke(&room.outline, Color::from_rgba8(220, 120, 0, 160), 1.0, true);
            }
        }
        for region in &trace.regions {
            match region.kind {
                RegionKind::Room => {}
                RegionKind::Text => {
                    self.stroke(&region.outline, Color::from_rgba8(150, 110, 60, 150), 1.0, true);
                }
                RegionKind::Hatch => {
                    self.stroke(&region.outline, Color::from_rgba8(90, 140, 60, 190), 1.0, true);
                }
            }
        }
    }

    fn lines(&mut self, trace: &Trace) {
        for segment in &trace.segments {
            let colour = match segment.kind {
                SegmentKind::Wall | SegmentKind::Face => continue,
                SegmentKind::Dimension => Color::from_rgba8(0, 130, 130, 200),
                SegmentKind::Line => Color::from_rgba8(130, 60, 190, 60 + (140.0 * segment.confidence) as u8),
            };
            self.stroke(&[segment.start, segment.end], colour, 1.2, false);
        }
        for arc in &trace.arcs {
            let first = (arc.start[1] - arc.centre[1]).atan2(arc.start[0] - arc.centre[0]);
            let points: Vec<Point> = (0..=24)
                .map(|n| {
                    let turn = first + (arc.sweep * f64::from(n) / 24.0).to_radians();
                    [arc.centre[0] + arc.radius * turn.cos(), arc.centre[1] + arc.radius * turn.sin()]
                })
                .collect();
            self.stroke(&points, Color::from_rgba8(0, 150, 60, 220), 1.4, false);
        }
    }

    fn walls(&mut self, trace: &Trace) {
        for wall in &trace.walls {
            let colour = by_confidence(wall.confidence, 90);
            let width = (wall.thickness * self.scale).max(3.0);
            self.stroke(&[wall.start, wall.end], colour, width, false);
            self.stroke(&[wall.start, wall.end], by_confidence(wall.confidence, 255), 1.6, false);
        }
    }

    fn openings(&mut self, trace: &Trace) {
        for opening in &trace.openings {
            let thickness =
                trace.walls.iter().find(|wall| wall.id == opening.wall).map_or(4.0, |wall| wall.thickness);
            let colour = match opening.kind {
                GapKind::Door => Color::from_rgba8(0, 150, 60, 255),
                GapKind::Window => Color::from_rgba8(0, 165, 220, 255),
                GapKind::Opening => Color::from_rgba8(240, 140, 0, 255),
            };
            let width = (thickness * self.scale * 0.55).max(3.0);
            self.stroke(&[opening.start, opening.end], colour, width, false);
        }
    }

    fn gaps(&mut self, trace: &Trace) {
        for [start, end] in trace.regions.iter().flat_map(|region| &region.gaps) {
            self.stroke(&[*start, *end], Color::from_rgba8(230, 0, 120, 255), 2.5, false);
        }
    }

    fn label(&mut self, trace: &Trace) {
        let mut labels = Labels::new(self.map.width(), self.map.height());
        let middle = |a: Point, b: Point| [f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1])];
        for wall in trace.walls.iter().take(120) {
            let at = self.at(middle(wall.start, wall.end));
            labels.write(&mut self.map, &wall.id, at, [20, 40, 150]);
        }
        for room in trace.regions.iter().filter(|region| region.kind == RegionKind::Room).take(60) {
            let at = self.at(centre(&room.outline));
            labels.write(&mut self.map, &room.id, at, [110, 70, 0]);
        }
        for opening in trace.openings.iter().take(80) {
            let at = self.at(middle(opening.start, opening.end));
            labels.write(&mut self.map, &opening.id, at, [0, 95, 50]);
        }
    }
}

/// Everything is drawn on paper, so that nothing is seen through.
fn encode(map: &Pixmap) -> Result<Vec<u8>, Error> {
    let fail = |error: png::EncodingError| Error::Overlay { reason: error.to_string() };
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, map.width(), map.height());
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().map_err(fail)?;
    let pixels: Vec<u8> = map.pixels().iter().flat_map(|own| [own.red(), own.green(), own.blue()]).collect();
    writer.write_image_data(&pixels).map_err(fail)?;
    writer.finish().map_err(fail)?;
    Ok(out)
}

fn paint(colour: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(colour);
    paint.anti_alias = true;
    paint
}

/// Red where it is doubtful, blue where it is sure.
fn by_confidence(confidence: f64, opacity: u8) -> Color {
    let part = ((confidence - 0.35) / 0.5).clamp(0.0, 1.0);
    let mix = |from: f64, to: f64| (from + (to - from) * part) as u8;
    Color::from_rgba8(mix(225.0, 20.0), mix(30.0, 70.0), mix(40.0, 230.0), opacity)
}

fn centre(points: &[Point]) -> Point {
    let count = points.len().max(1) as f64;
    [
        points.iter().map(|own| own[0]).sum::<f64>() / count,
        points.iter().map(|own| own[1]).sum::<f64>() / count,
    ]
}

/// The mean colour of a rectangle, or between pixels where it is smaller than one.
fn mean(from: &crate::grid::Grid<[u8; 3]>, x: f64, y: f64, across: f64, down: f64) -> [f64; 3] {
    let (x0, y0) = (x.floor() as i64, y.floor() as i64);
    let (x1, y1) = (((x + across).ceil() as i64).max(x0 + 1), ((y + down).ceil() as i64).max(y0 + 1));
    let (mut sum, mut count) = ([0.0; 3], 0.0);
    for v in y0..y1.min(from.height as i64) {
        for u in x0..x1.min(from.width as i64) {
            let weight = ((u as f64 + 1.0).min(x + across) - (u as f64).max(x)).max(0.0)
                * ((v as f64 + 1.0).min(y + down) - (v as f64).max(y)).max(0.0);
            for (sum, value) in sum.iter_mut().zip(from.at(u, v)) {
                *sum += f64::from(value) * weight;
            }
            count += weight;
        }
    }
    if count > 0.0 { sum.map(|value| value / count) } else { [255.0; 3] }
}

#[cfg(test)]
mod tests;
