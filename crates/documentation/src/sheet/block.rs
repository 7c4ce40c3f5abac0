//! Title blocks: templates filled with what is known and what is given, each value within its box.

use super::definition::{SheetDefinition, TitleBlock};
use super::draw::{squeeze, wrapped};
use super::error::BadSheet;
use super::place::Room;
use super::size::Size;
use super::words::Words;
use crate::drawing::shapes::move_by;
use crate::drawing::words::Box2;
use building::lookup::near;
use glam::DVec2;
use paper::template::Template;
use paper::{Anchor, Node, Segment, Text};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The title blocks that are shipped.
pub const SHIPPED: [(&str, &str); 4] = [
    ("iso-large", include_str!("../../templates/iso-large.svg")),
    ("iso-medium", include_str!("../../templates/iso-medium.svg")),
    ("iso-small", include_str!("../../templates/iso-small.svg")),
    ("strip", include_str!("../../templates/strip.svg")),
];

static READ: LazyLock<BTreeMap<&'static str, Template>> = LazyLock::new(|| {
    SHIPPED.iter().filter_map(|(name, text)| Some((*name, Template::read(text.as_bytes()).ok()?))).collect()
});

/// Millimetres that words keep from the lines beside them.
const CLEAR: f64 = 1.0;
/// Stands for the end of a line until words are laid out; no character that anybody writes.
const BREAK: char = '\u{E000}';
/// From line to line by the height of capitals.
const PITCH: f64 = 1.75;
/// Lengths closer than this are one.
const SAME: f64 = 0.01;

/// A title block at its place.
#[derive(Debug)]
pub(super) struct Block {
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// The room that it takes; `None` where it is a template of the whole sheet.
    pub room: Option<Room>,
    /// The names of fields that nothing is known for.
    pub empty: Vec<String>,
    /// The parts of the template that are not drawn.
    pub notes: Vec<String>,
}

/// The name of the block that is shipped for a size.
pub(super) fn standard(size: Size) -> &'static str {
    match size {
        Size::A0 | Size::A1 => "iso-large",
        Size::A2 | Size::A3 => "iso-medium",
        Size::A4 | Size::AnsiA | Size::ArchA => "iso-small",
        _ => "strip",
    }
}

/// Fills the title block of a sheet and puts it into the lower right corner of the frame.
pub(super) fn place(
    definition: &SheetDefinition,
    known: &BTreeMap<&str, String>,
    words: Words,
    sheet: DVec2,
    frame: &Room,
) -> Result<Block, BadSheet> {
    let fail = |reason: String| BadSheet::TitleBlock { reason };
    let template = read(definition)?;
    let is_whole = (template.size - sheet).abs().max_element() <= 0.5;
    let room = Room::new(frame.high - template.size, template.size);
    if !is_whole && !frame.holds(&room) {
        let (own, all) = (template.size, frame.size());
        return Err(fail(format!(
            "it is {:.0} by {:.0} mm; the frame of the sheet has room for {:.0} by {:.0}. Take a smaller one, or one of the sheet's whole size, {:.0} by {:.0}",
            own.x, own.y, all.x, all.y, sheet.x, sheet.y
        )));
    }
    let mut values: BTreeMap<String, String> = definition.fields.clone();
    let mut empty = Vec::new();
    for field in &template.fields {
        let word = || field.strip_prefix("word_").map(|key| words.get(key));
        let value = known.get(field.as_str()).cloned().or_else(word);
        if !values.contains_key(field) {
            if value.is_none() {
                empty.push(field.clone());
            }
            values.insert(field.clone(), value.unwrap_or_default());
        }
    }
    for value in values.values_mut().filter(|value| value.contains(['\n', BREAK])) {
        *value = value.replace(BREAK, "").replace("\r\n", "\n").replace('\n', &BREAK.to_string());
    }
    let mut node = template.fill(&values).map_err(|error| fail(error.to_string()))?;
    let mut sides = Sides::default();
    sides.take(&node);
    let mut texts = Vec::new();
    tops(&node, &mut texts);
    fit(&mut node, &sides, &texts, template.size);
    if !is_whole {
        move_by(&mut node, room.low);
    }
    let note = |note: &paper::template::Note| {
        format!("the title block, line {}: <{}> {}", note.line, note.element, note.reason)
    };
    let notes = template.notes.iter().map(note).collect();
    Ok(Block { nodes: vec![node], room: (!is_whole).then_some(room), empty, notes })
}

fn read(definition: &SheetDefinition) -> Result<Cow<'static, Template>, BadSheet> {
    let fail = |reason: String| BadSheet::TitleBlock { reason };
    let shipped = |name: &str| READ.get(name).map(Cow::Borrowed);
    match &definition.title_block {
        TitleBlock::Standard => {
            shipped(standard(definition.size)).ok_or_else(|| fail("that of the size is not shipped".into()))
        }
        TitleBlock::Named(name) => shipped(name).ok_or_else(|| {
            let names = SHIPPED.iter().map(|(name, _)| *name);
            let like = near(name, names.clone());
            let all = if like.is_empty() { names.map(str::to_owned).collect() } else { like };
            let shown: String = name.chars().take(60).collect();
            fail(format!("none is shipped as `{shown}`; there are: {}", all.join(", ")))
        }),
        TitleBlock::Svg(text) => {
            Template::read(text.as_bytes()).map(Cow::Owned).map_err(|problem| fail(problem.to_string()))
        }
    }
}

/// The upright and level lines of a template.
#[derive(Default)]
struct Sides {
    /// Each x with the least and greatest y.
    upright: Vec<[f64; 3]>,
    /// Each y with the least and greatest x.
    level: Vec<[f64; 3]>,
}

impl Sides {
    fn take(&mut self, node: &Node) {
        match node {
            Node::Group(group) => group.nodes.iter().for_each(|node| self.take(node)),
            Node::Path(path) if path.stroke.is_some() => {
                for subpath in &path.subpaths {
                    let mut from = subpath.start;
                    for segment in &subpath.segments {
                        let to = match *segment {
                            Segment::Line(to) => {
                                self.line(from, to);
                                to
                            }
                            Segment::Arc { to, .. } => to,
                        };
                        from = to;
                    }
                    if subpath.is_closed {
                        self.line(from, subpath.start);
                    }
                }
            }
            _ => {}
        }
    }

    fn line(&mut self, a: DVec2, b: DVec2) {
        let (low, high) = (a.min(b), a.max(b));
        if high.x - low.x < SAME && high.y > low.y {
            self.upright.push([low.x, low.y, high.y]);
        } else if high.y - low.y < SAME && high.x > low.x {
            self.level.push([low.y, low.x, high.x]);
        }
    }

    /// The nearest lines to the left, the right and below a point, or the rim of the template.
    fn around(&self, at: DVec2, size: DVec2) -> [f64; 3] {
        let upright = self.upright.iter().filter(|[_, from, to]| (*from..=*to).contains(&at.y));
        let (mut left, mut right) = (0.0_f64, size.x);
        for [x, ..] in upright {
            if *x <= at.x {
                left = left.max(*x);
            } else {
                right = right.min(*x);
            }
        }
        let level = self.level.iter().filter(|[y, from, to]| *y > at.y && (*from..=*to).contains(&at.x));
        [left, right, level.map(|[y, ..]| *y).fold(size.y, f64::min)]
    }
}

/// The places of all words, each with the height of its top.
fn tops(node: &Node, into: &mut Vec<DVec2>) {
    match node {
        Node::Group(group) => group.nodes.iter().for_each(|node| tops(node, into)),
        Node::Text(text) => {
            let own = Box2::around(text);
            into.push(DVec2::new(text.at.x, own.middle.y - own.half.y));
        }
        _ => {}
    }
}

/// Lays out the words of a template within the lines around them.
fn fit(node: &mut Node, sides: &Sides, others: &[DVec2], size: DVec2) {
    let Node::Group(group) = node else { return };
    let mut done = Vec::with_capacity(group.nodes.len());
    for mut node in group.nodes.drain(..) {
        match node {
            Node::Group(_) => fit(&mut node, sides, others, size),
            Node::Text(text) if text.angle == 0.0 => {
                done.extend(laid_out(text, sides, others, size).into_iter().map(Node::Text));
                continue;
            }
            _ => {}
        }
        done.push(node);
    }
    group.nodes = done;
}

fn laid_out(mut text: Text, sides: &Sides, others: &[DVec2], size: DVec2) -> Vec<Text> {
    let own = Box2::around(&text);
    let [left, right, below] = sides.around(DVec2::new(text.at.x, own.middle.y), size);
    let width = match text.anchor {
        Anchor::Left => right - text.at.x,
        Anchor::Middle => 2.0 * (right - text.at.x).min(text.at.x - left),
        Anchor::Right => text.at.x - left,
    };
    let width = (width - CLEAR).max(1.0);
    // words of the same box below
    let foot = own.middle.y + own.half.y;
    let under = others.iter().filter(|top| top.y > foot && (left..right).contains(&top.x));
    let floor = under.map(|top| top.y - CLEAR / 2.0).fold(below - CLEAR / 2.0, f64::min);
    let pitch = text.height * PITCH;
    let lines = ((floor - foot) / pitch).floor().clamp(0.0, 20.0) as usize + 1;
    let is_long = text.words.contains(BREAK) || text.extent().width > width;
    if !is_long || (lines == 1 && !text.words.contains(BREAK)) {
        squeeze(&mut text, width);
        return vec![text];
    }
    let words = text.words.replace(BREAK, if lines == 1 { ", " } else { "\n" });
    if lines == 1 {
        text.words = words;
        squeeze(&mut text, width);
        return vec![text];
    }
    let all = wrapped(&words, text.height, text.weight, width, lines);
    let line = |(n, words): (usize, String)| Text {
        at: text.at + DVec2::new(0.0, pitch * n as f64),
        words,
        ..text.clone()
    };
    all.into_iter().enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_templates_are_read_whole() {
        for (name, text) in SHIPPED {
            let template = Template::read(text.as_bytes()).unwrap();
            assert!(template.notes.is_empty(), "{name}: {:?}", template.notes);
            // ISO 7200, tables 1 to 3: what has to be there
            for field in [
                "legal_owner",
                "identification_number",
                "date_of_issue",
                "title",
                "approval_person",
                "creator",
                "document_type",
                "sheet",
                "sheets",
                "revision",
                "language_code",
                "supplementary_title",
                "scale",
                "format",
            ] {
                assert!(template.fields.iter().any(|f| f == field), "{name} lacks {field}");
            }
            let words = Words::new("en");
            let keys: Vec<&str> = words.all().map(|(key, _)| key).collect();
            for field in template.fields.iter().filter_map(|f| f.strip_prefix("word_")) {
                assert!(keys.contains(&field), "{name}: no word {field}");
            }
        }
    }
}
