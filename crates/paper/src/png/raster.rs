//! Pixels that a page is drawn on.

use super::glyphs::Glyphs;
use crate::canvas::{Canvas, Step, trace};
use crate::error::Error;
use crate::page::{Colour, Picture, Stroke, Subpath, Text};
use crate::picture::{self, Pixels};
use crate::shape::{dashes, is_near, sound};
use crate::text::line::Line;
use glam::{DAffine2, DVec2};
use std::rc::Rc;
use tiny_skia::{
    Color, FillRule, FilterQuality, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap, PixmapPaint,
    PremultipliedColorU8, StrokeDash, Transform,
};

pub(super) struct Raster {
    pixmap: Pixmap,
    glyphs: Glyphs,
    /// The map to pixels, and what is drawn of all, as they were pushed.
    stack: Vec<(DAffine2, Option<Rc<Mask>>)>,
}

impl Raster {
    /// White pixels, so many to a mm.
    pub(super) fn new(width: u32, height: u32, scale: f64) -> Option<Self> {
        let mut pixmap = Pixmap::new(width, height)?;
        pixmap.fill(Color::WHITE);
        let stack = vec![(DAffine2::from_scale(DVec2::splat(scale)), None)];
        Some(Self { pixmap, glyphs: Glyphs::default(), stack })
    }

    pub(super) fn size(&self) -> (u32, u32) {
        (self.pixmap.width(), self.pixmap.height())
    }

    pub(super) fn pixels(&self) -> &[PremultipliedColorU8] {
        self.pixmap.pixels()
    }

    fn state(&self) -> (DAffine2, Option<Rc<Mask>>) {
        self.stack.last().cloned().unwrap_or_default()
    }

    fn fill(&mut self, path: &Path, colour: Colour, rule: FillRule, map: DAffine2) {
        let (own, mask) = self.state();
        if is_reachable(path, own * map, 0.0) {
            self.pixmap.fill_path(path, &paint(colour), rule, transform(own * map), mask.as_deref());
        }
    }

    fn stroke(&mut self, path: &Path, colour: Colour, stroke: &tiny_skia::Stroke, map: DAffine2) {
        let (own, mask) = self.state();
        if is_reachable(path, own * map, f64::from(stroke.width)) {
            self.pixmap.stroke_path(path, &paint(colour), stroke, transform(own * map), mask.as_deref());
        }
    }
}

/// Pixels that lines and areas may lie from the first one: the library's own numbers end some way beyond, with a panic.
const FARTHEST: f64 = 2e6;

/// True of a path all of which, with its width, lies within the pixels that can be counted.
fn is_reachable(path: &Path, map: DAffine2, width: f64) -> bool {
    let bounds = path.bounds();
    let corners = [
        (bounds.left(), bounds.top()),
        (bounds.right(), bounds.top()),
        (bounds.left(), bounds.bottom()),
        (bounds.right(), bounds.bottom()),
    ];
    let widest = map.matrix2.x_axis.length().max(map.matrix2.y_axis.length()) * width;
    let is_near = |(x, y): (f32, f32)| {
        map.transform_point2(DVec2::new(f64::from(x), f64::from(y))).abs().max_element() < FARTHEST
    };
    widest < FARTHEST && corners.into_iter().all(is_near)
}

fn transform(map: DAffine2) -> Transform {
    let [a, b, c, d, e, f] = map.to_cols_array().map(|number| number as f32);
    Transform::from_row(a, b, c, d, e, f)
}

fn paint([red, green, blue, opacity]: Colour) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, opacity);
    paint
}

fn path<'a>(subpaths: impl IntoIterator<Item = &'a Subpath>, are_areas: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let xy = |point: DVec2| (point.x as f32, point.y as f32);
    trace(subpaths, are_areas, |step| match step {
        Step::Move(to) => builder.move_to(to.x as f32, to.y as f32),
        Step::Line(to) => builder.line_to(to.x as f32, to.y as f32),
        Step::Curve([a, b, end]) => {
            let ((ax, ay), (bx, by), (x, y)) = (xy(a), xy(b), xy(end));
            builder.cubic_to(ax, ay, bx, by, x, y);
        }
        Step::Close => builder.close(),
    });
    builder.finish()
}

impl Canvas for Raster {
    fn push_map(&mut self, map: DAffine2) {
        let (own, mask) = self.state();
        self.stack.push((own * map, mask));
    }

    fn push_clip(&mut self, area: &[Subpath]) -> Result<(), Error> {
        let (map, mask) = self.state();
        let (width, height) = self.size();
        let own = mask.map_or_else(
            || Mask::new(width, height).map(|mask| (mask, true)),
            |mask| Some((Mask::clone(&mask), false)),
        );
        let clipped = own.map(|(mut own, is_new)| {
            match path(sound(area), true).filter(|path| is_reachable(path, map, 0.0)) {
                Some(path) if is_new => own.fill_path(&path, FillRule::EvenOdd, true, transform(map)),
                Some(path) => own.intersect_path(&path, FillRule::EvenOdd, true, transform(map)),
                None => own.clear(),
            }
            Rc::new(own)
        });
        self.stack.push((map, clipped));
        Ok(())
    }

    fn pop(&mut self) {
        self.stack.pop();
    }

    fn path(&mut self, subpaths: &[&Subpath], fill: Option<Colour>, stroke: Option<&Stroke>) {
        if let (Some(colour), Some(area)) = (fill, path(subpaths.iter().copied(), true)) {
            self.fill(&area, colour, FillRule::EvenOdd, DAffine2::IDENTITY);
        }
        if let (Some(own), Some(lines)) = (stroke, path(subpaths.iter().copied(), false)) {
            let dashes: Vec<f32> = dashes(own).into_iter().map(|length| length as f32).collect();
            let line_cap = if dashes.is_empty() { LineCap::Round } else { LineCap::Butt };
            let dash = StrokeDash::new(dashes, 0.0);
            let pen =
                tiny_skia::Stroke { width: own.width as f32, line_cap, dash, ..tiny_skia::Stroke::default() };
            self.stroke(&lines, own.colour, &pen, DAffine2::IDENTITY);
        }
    }

    fn pieces(&mut self, pieces: &[[DVec2; 2]], stroke: &Stroke) {
        let mut builder = PathBuilder::new();
        for [from, to] in pieces {
            builder.move_to(from.x as f32, from.y as f32);
            builder.line_to(to.x as f32, to.y as f32);
        }
        if let Some(path) = builder.finish() {
            let pen = tiny_skia::Stroke { width: stroke.width as f32, ..tiny_skia::Stroke::default() };
            self.stroke(&path, stroke.colour, &pen, DAffine2::IDENTITY);
        }
    }

    fn text(&mut self, text: &Text, line: &Line) {
        let Some(path) = self.glyphs.outline(line) else { return };
        let frame = text.frame(line);
        if text.halo > 0.0 && is_near(DVec2::splat(text.halo)) {
            let width = (text.halo * 2.0 / text.ems()) as f32;
            let rim = tiny_skia::Stroke { width, line_join: LineJoin::Round, ..tiny_skia::Stroke::default() };
            self.stroke(&path, [255; 4], &rim, frame);
        }
        self.fill(&path, text.colour, FillRule::Winding, frame);
    }

    fn picture(&mut self, picture: &Picture) -> Result<(), Error> {
        let read = picture::read(&picture.png)?;
        let (own, mask) = self.state();
        let size = own.matrix2.x_axis.length() * picture.size.x;
        let read = reduced(read, size);
        let Some(mut pixmap) = Pixmap::new(read.width, read.height) else { return Ok(()) };
        for (to, from) in pixmap.pixels_mut().iter_mut().zip(read.bytes.chunks_exact(4)) {
            if let [red, green, blue, opacity] = *from {
                *to = tiny_skia::ColorU8::from_rgba(red, green, blue, opacity).premultiply();
            }
        }
        let scale = picture.size / DVec2::new(f64::from(read.width), f64::from(read.height));
        let map = own * DAffine2::from_scale_angle_translation(scale, 0.0, picture.at);
        let paint = PixmapPaint { quality: FilterQuality::Bilinear, ..PixmapPaint::default() };
        let far =
            [DVec2::ZERO, picture.size, DVec2::new(picture.size.x, 0.0), DVec2::new(0.0, picture.size.y)];
        if far
            .into_iter()
            .any(|corner| own.transform_point2(picture.at + corner).abs().max_element() > FARTHEST)
        {
            return Ok(());
        }
        self.pixmap.draw_pixmap(0, 0, pixmap.as_ref(), &paint, transform(map), mask.as_deref());
        Ok(())
    }
}

/// A picture made smaller by averages of whole blocks, so far that it is at least as wide as what it is drawn in.
fn reduced(picture: Pixels, width: f64) -> Pixels {
    let by = (f64::from(picture.width) / width.max(1.0)).floor().clamp(1.0, 64.0) as usize;
    let (across, down) = (picture.width as usize, picture.height as usize);
    if by < 2 || across < by || down < by {
        return picture;
    }
    let (columns, rows) = (across.div_ceil(by), down.div_ceil(by));
    let mut bytes = Vec::with_capacity(columns * rows * 4);
    for row in 0..rows {
        for column in 0..columns {
            let mut sums = [0_u64; 4];
            let mut count = 0;
            for y in row * by..((row + 1) * by).min(down) {
                let start = (y * across + column * by) * 4;
                let end = (y * across + ((column + 1) * by).min(across)) * 4;
                for pixel in picture.bytes.get(start..end).unwrap_or_default().chunks_exact(4) {
                    if let [red, green, blue, opacity] = *pixel {
                        let weight = u64::from(opacity);
                        let [r, g, b, a] = &mut sums;
                        *r += u64::from(red) * weight;
                        *g += u64::from(green) * weight;
                        *b += u64::from(blue) * weight;
                        *a += weight;
                        count += 1;
                    }
                }
            }
            let [r, g, b, a] = sums;
            let share = |sum: u64| sum.checked_div(a).unwrap_or(0) as u8;
            bytes.extend([share(r), share(g), share(b), a.checked_div(count).unwrap_or(0) as u8]);
        }
    }
    Pixels { width: columns as u32, height: rows as u32, bytes }
}
