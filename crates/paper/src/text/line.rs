//! Words laid out: each character in a font that has it, in the order in which they are seen.

use super::face::{Face, FaceId, order};
use super::fonts;
use crate::page::Weight;
use harfrust::{Direction, Script, ShapeOptions, ShapePlan, UnicodeBuffer, script};
use parking_lot::RwLock;
use std::ops::Range;
use std::sync::Arc;
use unicode_bidi::{BidiInfo, Level};

/// A line of words as it is drawn. Lengths are in ems, x to the right from its left end, y up from the baseline.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line {
    /// The words, without control characters.
    pub(crate) words: String,
    /// Its parts, from left to right.
    pub(crate) runs: Vec<Run>,
    /// Its width.
    pub(crate) width: f64,
    /// The highest and the lowest y of what is drawn.
    pub(crate) reach: (f64, f64),
    /// The number of characters that no font has.
    pub(crate) missing: usize,
    /// True if its words as a whole run from right to left.
    pub(crate) is_right_to_left: bool,
}

/// A part of a line in one font and one direction.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    /// The font.
    pub(crate) face: FaceId,
    /// Where it begins.
    pub(crate) x: f64,
    /// Its bytes of the line's words.
    pub(crate) range: Range<usize>,
    /// Its glyphs, from left to right.
    pub(crate) glyphs: Vec<Glyph>,
}

/// A glyph at its place.
#[derive(Debug, Clone)]
pub(crate) struct Glyph {
    /// Its number in the font.
    pub(crate) id: u32,
    /// The bytes of the run's words that it stands for, counted from the run's first.
    pub(crate) range: Range<usize>,
    /// From its beginning to that of the next.
    pub(crate) advance: f64,
    /// Its outline's origin from its beginning, to the right and up.
    pub(crate) offset: (f64, f64),
}

/// Lays out words in one line.
pub(crate) fn line(words: &str, weight: Weight) -> Line {
    let mut line = Line { words: cleaned(words), ..Line::default() };
    let text = std::mem::take(&mut line.words);
    if text.is_ascii() {
        line.add(&text, 0..text.len(), false, weight);
    } else {
        let info = BidiInfo::new(&text, None);
        for paragraph in &info.paragraphs {
            line.is_right_to_left |= paragraph.level.is_rtl();
            let (levels, runs) = info.visual_runs(paragraph, paragraph.range.clone());
            for run in runs {
                let is_rtl = levels.get(run.start).is_some_and(Level::is_rtl);
                line.add(&text, run, is_rtl, weight);
            }
        }
    }
    line.words = text;
    line
}

/// Words without what no font draws: white space of all kinds becomes a space, other control characters go.
fn cleaned(words: &str) -> String {
    let kept = |char: char| match char {
        '\t' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        char if char.is_control() || is_noncharacter(char) => None,
        char => Some(char),
    };
    words.chars().filter_map(kept).collect()
}

fn is_noncharacter(char: char) -> bool {
    matches!(char, '\u{FDD0}'..='\u{FDEF}') || (char as u32) & 0xFFFE == 0xFFFE
}

/// True of characters that are never seen: joiners, selectors, marks of direction.
fn is_ignorable(char: char) -> bool {
    matches!(char, '\u{AD}' | '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E0FFF}')
}

/// True of characters that take the font of the one before where it has them: spaces and marks.
fn is_dependent(char: char) -> bool {
    char.is_whitespace()
        || matches!(char, '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5BD}' | '\u{610}'..='\u{61A}'
            | '\u{64B}'..='\u{65F}' | '\u{670}' | '\u{6D6}'..='\u{6DC}' | '\u{20D0}'..='\u{20FF}')
}

impl Line {
    /// Adds a run of one direction to the right of what is there.
    fn add(&mut self, text: &str, range: Range<usize>, is_rtl: bool, weight: Weight) {
        let mut parts = self.split(text, range, weight);
        if is_rtl {
            parts.reverse();
        }
        for (id, part) in parts {
            let (Some(face), Some(words)) = (id.face(), text.get(part.clone())) else { continue };
            let glyphs = shaped(face, id, words, is_rtl);
            let run = Run { face: id, x: self.width, range: part, glyphs };
            for glyph in &run.glyphs {
                let (top, bottom) = face.height(glyph.id);
                self.reach.0 = self.reach.0.max(top + glyph.offset.1);
                self.reach.1 = self.reach.1.min(bottom + glyph.offset.1);
                self.width += glyph.advance;
            }
            self.runs.push(run);
        }
    }

    /// The parts of a range that one font has, in the order of reading; what none has is left to the first, which draws a box.
    fn split(&mut self, text: &str, range: Range<usize>, weight: Weight) -> Vec<(FaceId, Range<usize>)> {
        let own = fonts::own(weight);
        let order = order(weight);
        let first = own.unwrap_or(order[0]);
        let mut parts: Vec<(FaceId, Range<usize>)> = Vec::new();
        let start = range.start;
        for (at, char) in text.get(range).unwrap_or_default().char_indices() {
            let (from, to) = (start + at, start + at + char.len_utf8());
            let last = parts.last().map(|(id, _)| *id);
            let has = |id: &FaceId| id.face().is_some_and(|face| face.has(char));
            let found = match last {
                _ if is_ignorable(char) => last.or(Some(first)),
                Some(last) if is_dependent(char) && has(&last) => Some(last),
                _ => own.into_iter().chain(order).find(has),
            };
            self.missing += usize::from(found.is_none());
            let id = found.unwrap_or(first);
            match parts.last_mut() {
                Some((last, part)) if *last == id => part.end = to,
                _ => parts.push((id, from..to)),
            }
        }
        parts
    }
}

/// The glyphs of words in one font and direction, from left to right.
fn shaped(face: &Face, id: FaceId, words: &str, is_rtl: bool) -> Vec<Glyph> {
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(words);
    buffer.guess_segment_properties();
    // spaces and digits alone have no script of their own, and are shaped as Latin
    if buffer.script() == script::UNKNOWN || buffer.script() == script::COMMON {
        buffer.set_script(script::LATIN);
    }
    buffer.set_direction(if is_rtl { Direction::RightToLeft } else { Direction::LeftToRight });
    let plan = plan(face, id, is_rtl, &buffer);
    let shaped = face.shaper.shape(buffer, ShapeOptions::new().plan(Some(&plan)));
    let ems = |units: i32| f64::from(units) / face.units;
    let (infos, places) = (shaped.glyph_infos(), shaped.glyph_positions());
    let mut glyphs: Vec<Glyph> = Vec::with_capacity(infos.len());
    for (info, place) in infos.iter().zip(places) {
        glyphs.push(Glyph {
            id: info.glyph_id,
            range: info.cluster as usize..words.len(),
            advance: ems(place.x_advance),
            offset: (ems(place.x_offset), ems(place.y_offset)),
        });
    }
    // a cluster ends where the next one in the order of reading begins
    let mut end = words.len();
    let mut last = end;
    let mut close = |glyph: &mut Glyph| {
        if glyph.range.start < last {
            end = last.min(words.len()).max(glyph.range.start);
            last = glyph.range.start;
            glyph.range.end = end;
        } else {
            glyph.range.end = end;
        }
    };
    if is_rtl {
        glyphs.iter_mut().for_each(&mut close);
    } else {
        glyphs.iter_mut().rev().for_each(&mut close);
    }
    glyphs
}

type Planned = ((FaceId, bool, Script, Option<harfrust::Language>), Arc<ShapePlan>);

/// The plans made so far: a few for each font.
static PLANS: RwLock<Vec<Planned>> = RwLock::new(Vec::new());

/// More than all fonts with all their scripts need.
const MANY: usize = 200;

fn plan(face: &Face, id: FaceId, is_rtl: bool, buffer: &UnicodeBuffer) -> Arc<ShapePlan> {
    let key = (id, is_rtl, buffer.script(), buffer.language());
    let known = PLANS.read();
    if let Some((_, plan)) = known.iter().find(|(own, _)| *own == key) {
        return Arc::clone(plan);
    }
    drop(known);
    let script = Some(key.2).filter(|script| *script != script::UNKNOWN);
    let made = Arc::new(ShapePlan::new(&face.shaper, buffer.direction(), script, key.3.as_ref(), &[]));
    let mut known = PLANS.write();
    if known.len() < MANY {
        known.push((key, Arc::clone(&made)));
    }
    made
}
