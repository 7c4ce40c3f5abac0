//! A page of a PDF document that is drawn on.

use super::POINTS;
use crate::canvas::{Canvas, Step, trace};
use crate::error::Error;
use crate::page::{Colour, Picture, Stroke, Subpath, Text};
use crate::picture;
use crate::shape::{dashes, is_near, sound};
use crate::text::face::FaceId;
use crate::text::line::Line;
use glam::{DAffine2, DVec2};
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Size, Transform};
use krilla::image::Image;
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, LineCap, LineJoin, StrokeDash};
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

pub(super) struct Sheet<'a> {
    surface: Surface<'a>,
    /// The number of maps and areas that are pushed beside the map from mm to points.
    pushed: usize,
}

/// The fonts as the library reads them, which takes a look at every byte.
static FONTS: LazyLock<Mutex<BTreeMap<FaceId, Font>>> = LazyLock::new(Mutex::default);

fn font(id: FaceId) -> Option<Font> {
    let mut fonts = FONTS.lock();
    if let Some(font) = fonts.get(&id) {
        return Some(font.clone());
    }
    let font = Font::new(id.face()?.bytes.into(), 0)?;
    fonts.insert(id, font.clone());
    Some(font)
}

impl<'a> Sheet<'a> {
    pub(super) fn new(mut surface: Surface<'a>) -> Self {
        surface.push_transform(&Transform::from_scale(POINTS as f32, POINTS as f32));
        Self { surface, pushed: 0 }
    }

    /// Ends all that is pushed, and the page.
    pub(super) fn finish(mut self) {
        while self.pushed > 0 {
            self.pop();
        }
        self.surface.pop();
        self.surface.finish();
    }
}

fn transform(map: DAffine2) -> Transform {
    let [a, b, c, d, e, f] = map.to_cols_array().map(|number| number as f32);
    Transform::from_row(a, b, c, d, e, f)
}

fn opacity(value: u8) -> NormalizedF32 {
    NormalizedF32::new(f32::from(value) / 255.0).unwrap_or(NormalizedF32::ONE)
}

fn fill([red, green, blue, alpha]: Colour, rule: FillRule) -> Fill {
    Fill { paint: rgb::Color::new(red, green, blue).into(), opacity: opacity(alpha), rule }
}

fn pen(width: f64, [red, green, blue, alpha]: Colour, cap: LineCap) -> krilla::paint::Stroke {
    krilla::paint::Stroke {
        paint: rgb::Color::new(red, green, blue).into(),
        width: width as f32,
        miter_limit: 4.0,
        line_cap: cap,
        opacity: opacity(alpha),
        ..krilla::paint::Stroke::default()
    }
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

impl Canvas for Sheet<'_> {
    fn push_map(&mut self, map: DAffine2) {
        self.surface.push_transform(&transform(map));
        self.pushed += 1;
    }

    fn push_clip(&mut self, area: &[Subpath]) -> Result<(), Error> {
        // an area without a size, outside of which everything lies
        let nothing = || {
            let mut builder = PathBuilder::new();
            builder.move_to(-1.0, -1.0);
            builder.line_to(-1.0, -1.001);
            builder.line_to(-1.001, -1.001);
            builder.close();
            builder.finish()
        };
        if let Some(path) = path(sound(area), true).or_else(nothing) {
            self.surface.push_clip_path(&path, &FillRule::EvenOdd);
            self.pushed += 1;
        }
        Ok(())
    }

    fn pop(&mut self) {
        if self.pushed > 0 {
            self.surface.pop();
            self.pushed -= 1;
        }
    }

    fn path(&mut self, subpaths: &[&Subpath], colour: Option<Colour>, stroke: Option<&Stroke>) {
        let Some(path) = path(subpaths.iter().copied(), false) else { return };
        self.surface.set_fill(colour.map(|colour| fill(colour, FillRule::EvenOdd)));
        self.surface.set_stroke(stroke.map(|own| {
            let array: Vec<f32> = dashes(own).into_iter().map(|length| length as f32).collect();
            if array.is_empty() {
                return pen(own.width, own.colour, LineCap::Round);
            }
            let dash = Some(StrokeDash { array, offset: 0.0 });
            krilla::paint::Stroke { dash, ..pen(own.width, own.colour, LineCap::Butt) }
        }));
        self.surface.draw_path(&path);
    }

    fn pieces(&mut self, pieces: &[[DVec2; 2]], stroke: &Stroke) {
        let mut builder = PathBuilder::new();
        for [from, to] in pieces {
            builder.move_to(from.x as f32, from.y as f32);
            builder.line_to(to.x as f32, to.y as f32);
        }
        if let Some(path) = builder.finish() {
            self.surface.set_fill(None);
            self.surface.set_stroke(Some(pen(stroke.width, stroke.colour, LineCap::Butt)));
            self.surface.draw_path(&path);
        }
    }

    fn text(&mut self, text: &Text, line: &Line) {
        let (frame, ems) = (text.frame(line), text.ems());
        let is_turned = text.angle != 0.0;
        let start = if is_turned { DVec2::ZERO } else { frame.translation };
        if is_turned {
            let turn = DAffine2::from_angle_translation(-text.angle.to_radians(), frame.translation);
            self.surface.push_transform(&transform(turn));
        }
        let has_halo = text.halo > 0.0 && is_near(DVec2::splat(text.halo));
        for is_rim in [true, false] {
            if is_rim && !has_halo {
                continue;
            }
            if is_rim {
                let rim = pen(text.halo * 2.0, [255; 4], LineCap::Butt);
                self.surface.set_fill(None);
                self.surface.set_stroke(Some(krilla::paint::Stroke { line_join: LineJoin::Round, ..rim }));
            } else {
                self.surface.set_fill(Some(fill(text.colour, FillRule::NonZero)));
                self.surface.set_stroke(None);
            }
            for run in &line.runs {
                let (Some(font), Some(words)) = (font(run.face), line.words.get(run.range.clone())) else {
                    continue;
                };
                let glyphs: Vec<KrillaGlyph> = run.glyphs.iter().map(drawn).collect();
                let at = Point::from_xy((start.x + run.x * ems) as f32, start.y as f32);
                // the rim is drawn as outlines, so that its words are not found twice
                self.surface.draw_glyphs(at, &glyphs, font, words, ems as f32, is_rim);
            }
        }
        if is_turned {
            self.surface.pop();
        }
    }

    fn picture(&mut self, picture: &Picture) -> Result<(), Error> {
        picture::size(&picture.png)?;
        let fail = |reason: String| Error::Picture { reason };
        let image = Image::from_png(picture.png.to_vec().into(), true).map_err(fail)?;
        let size = Size::from_wh(picture.size.x as f32, picture.size.y as f32);
        if let Some(size) = size {
            self.surface.push_transform(&transform(DAffine2::from_translation(picture.at)));
            self.surface.draw_image(image, size);
            self.surface.pop();
        }
        Ok(())
    }
}

fn drawn(glyph: &crate::text::line::Glyph) -> KrillaGlyph {
    KrillaGlyph::new(
        GlyphId::new(glyph.id),
        glyph.advance as f32,
        glyph.offset.0 as f32,
        glyph.offset.1 as f32,
        0.0,
        glyph.range.clone(),
        None,
    )
}
