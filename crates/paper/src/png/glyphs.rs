//! Outlines of glyphs as paths.

use crate::text::face::FaceId;
use crate::text::line::Line;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{GlyphId, MetadataProvider as _};
use std::collections::HashMap;
use tiny_skia::{Path, PathBuilder, Transform};

/// The outlines drawn so far, in ems, y up.
#[derive(Default)]
pub(super) struct Glyphs {
    known: HashMap<(FaceId, u32), Option<Path>>,
}

impl Glyphs {
    /// The outline of a line of words, in ems, y up.
    pub(super) fn outline(&mut self, line: &Line) -> Option<Path> {
        let mut all = PathBuilder::new();
        for run in &line.runs {
            let mut x = run.x;
            for glyph in &run.glyphs {
                let own =
                    self.known.entry((run.face, glyph.id)).or_insert_with(|| outline(run.face, glyph.id));
                let at = Transform::from_translate((x + glyph.offset.0) as f32, glyph.offset.1 as f32);
                if let Some(path) = own.as_ref().and_then(|path| path.clone().transform(at)) {
                    all.push_path(&path);
                }
                x += glyph.advance;
            }
        }
        all.finish()
    }
}

fn outline(face: FaceId, glyph: u32) -> Option<Path> {
    let face = face.face()?;
    let outline = face.font.outline_glyphs().get(GlyphId::new(glyph))?;
    let mut pen = Pen { path: PathBuilder::new(), scale: (1.0 / face.units) as f32 };
    outline.draw(DrawSettings::unhinted(Size::unscaled(), LocationRef::default()), &mut pen).ok()?;
    pen.path.finish()
}

struct Pen {
    path: PathBuilder,
    scale: f32,
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(x * self.scale, y * self.scale);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(x * self.scale, y * self.scale);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let s = self.scale;
        self.path.quad_to(cx * s, cy * s, x * s, y * s);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let s = self.scale;
        self.path.cubic_to(ax * s, ay * s, bx * s, by * s, x * s, y * s);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
