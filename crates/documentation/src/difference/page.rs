//! The page of a difference: drawing, clouds and their numbers, title and scale, and the lists beside.

use super::colours::{AMBER, CLOUD, GREEN, GREY, Ink, RED};
use super::drawn::{Layers, THIN, line};
use super::{Change, ChangeKind, Cloud, Difference, cloud, said};
use crate::beside::{self, Block, Mark, Row};
use crate::drawing::Place;
use crate::drawing::shapes::{Reach, layer, move_by, stroked};
use crate::drawing::words::Box2;
use crate::phrases::{Phrases, put};
use crate::style::{BLACK, Style};
use glam::DVec2;
use paper::{Group, ModelSpace, Node, Page, Part, Path, Stroke, Subject, Weight};
use std::collections::HashMap;

/// The margin around the page, in mm.
const MARGIN: f64 = 10.0;
/// The width of clouds, in mm.
const CLOUD_WIDTH: f64 = 0.35;

/// All that goes on the page.
pub(super) struct Drawn {
    pub title: String,
    pub place: Place,
    pub boxes: Vec<(usize, [DVec2; 2])>,
    pub clouds: Vec<Cloud>,
    pub changes: Vec<Change>,
    pub layers: Layers,
}

impl Drawn {
    /// Puts all on a page, with the lists beside if they are wanted.
    pub fn page(mut self, style: &Style, listed: bool) -> Difference {
        let mut reach = Reach::default();
        let layers = &self.layers;
        for node in
            [&layers.tints, &layers.same, &layers.different, &layers.old, &layers.gone].into_iter().flatten()
        {
            reach.node(node);
        }
        let mut revision = Vec::new();
        for cloud in &self.clouds {
            if let Some(line) = cloud::arcs(&cloud.outline) {
                let stroke = Stroke { width: CLOUD_WIDTH, colour: CLOUD, dashes: Vec::new() };
                revision.push(stroked(vec![line], stroke, Subject::Revision, Part::Symbol));
            }
        }
        for node in &revision {
            reach.node(node);
        }
        let bottom = reach.bounds().map_or(0.0, |[_, high]| high.y);
        self.set_framing_below(bottom);
        let layers = &self.layers;
        let mut taken: Vec<Box2> = Vec::new();
        for node in layers.same.iter().chain(&layers.different).chain(&layers.framing) {
            words(node, &mut taken);
        }
        for cloud in &self.clouds {
            if let Some(middle) = cloud::triangle_place(&cloud.outline, &taken) {
                taken.push(cloud::room_of(middle));
                let number = cloud.number.to_string();
                revision.extend(beside::triangle(middle, &number, CLOUD, Subject::Revision));
            }
        }
        revision.iter().chain(&layers.framing).for_each(|n| reach.node(n));
        let [low, high] = reach.bounds().unwrap_or([DVec2::ZERO; 2]);
        let at = DVec2::new(high.x + beside::GAP, low.y);
        let laid = if listed { self.lists(style, at, high.y - low.y) } else { beside::Laid::default() };
        let end = if listed { high.max(laid.end) } else { high };
        let shift = DVec2::splat(MARGIN) - low;
        let size = end - low + 2.0 * MARGIN;
        let Layers { tints, same, different, old, gone, framing } = self.layers;
        let of = |nodes| Node::Group(Group { nodes, ..Group::default() });
        let mut nodes = vec![of(tints)];
        nodes.extend(same);
        nodes.extend(different);
        nodes.push(of(old));
        nodes.extend(gone);
        nodes.extend([of(framing), of(revision), of(laid.nodes)]);
        for node in &mut nodes {
            move_by(node, shift);
        }
        self.place.origin += shift;
        for cloud in &mut self.clouds {
            for point in &mut cloud.outline {
                *point += shift;
            }
        }
        for (_, corners) in &mut self.boxes {
            for corner in corners {
                *corner += shift;
            }
        }
        let place = self.place;
        let model =
            (place.mirror > 0.0).then_some(ModelSpace { origin: place.origin, scale: 1000.0 / place.factor });
        let page = Page { size, title: self.title, nodes, model, ..Page::default() };
        let (changes, clouds, boxes) = (self.changes, self.clouds, self.boxes);
        Difference { page, place, changes, clouds, boxes, unlisted: laid.left_out, newer: None }
    }

    /// Title, scale and north go down where something that is gone, or a cloud, reaches to them.
    fn set_framing_below(&mut self, bottom: f64) {
        let mut reach = Reach::default();
        for node in &self.layers.framing {
            reach.node(node);
        }
        let Some([low, _]) = reach.bounds() else { return };
        let by = DVec2::new(0.0, (bottom + 8.0 - low.y).max(0.0));
        for node in &mut self.layers.framing {
            move_by(node, by);
        }
    }

    fn lists(&self, style: &Style, at: DVec2, height: f64) -> beside::Laid {
        let phrases = Phrases::new(style);
        let t = phrases.t;
        let mut rows = Vec::new();
        let by_number: HashMap<usize, &Change> = self.changes.iter().map(|c| (c.number, c)).collect();
        for cloud in &self.clouds {
            for (n, change) in cloud.changes.iter().filter_map(|n| by_number.get(n)).enumerate() {
                let mark = if n == 0 { Mark::Triangle(cloud.number.to_string(), CLOUD) } else { Mark::None };
                rows.push(row(change, mark, &phrases));
            }
        }
        if rows.is_empty() {
            rows.push(Row::plain(Mark::None, t.no_changes));
        }
        let elsewhere = self.changes.iter().filter(|c| c.cloud.is_none()).count();
        if elsewhere > 0 {
            rows.push(Row::plain(Mark::None, put(t.not_here, &[&elsewhere])));
        }
        let list = Block { title: t.changes.to_owned(), rows, layer: Subject::Revision };
        let blocks = [legend(&phrases), list];
        let mut laid = beside::lay(&blocks, at, height, style);
        if laid.left_out > 0 {
            let words = put(t.more_rows, &[&laid.left_out]);
            let letter = style.letters.room_note.0;
            let foot = DVec2::new(at.x, laid.end.y + letter * 2.0);
            let of = layer(Subject::Revision, Part::Text);
            laid.nodes.push(beside::line(foot, &words, Weight::Regular, BLACK, letter, of));
            laid.end.y = foot.y + letter;
        }
        laid
    }
}

fn row(change: &Change, mark: Mark, phrases: &Phrases) -> Row {
    let class = phrases.class(&change.class);
    let head = if change.name == change.class { class } else { format!("{class} {}", change.name) };
    let colour = match change.kind() {
        ChangeKind::New => GREEN.words,
        ChangeKind::Removed => RED.words,
        ChangeKind::Changed => AMBER.words,
    };
    let told: Vec<String> = change.whats.iter().map(|what| said::what(what, phrases)).collect();
    Row { mark, words: vec![(head, Weight::Bold, BLACK), (told.join("; "), Weight::Regular, colour)] }
}

fn legend(phrases: &Phrases) -> Block {
    let t = phrases.t;
    let area = |ink: Ink| Mark::Area(Some(ink.ground), Some(line(0.25, ink.line, &[])));
    let rows = vec![
        Row::plain(area(GREEN), t.only_after),
        Row::plain(area(RED), t.only_before),
        Row::plain(area(AMBER), t.changed),
        Row::plain(Mark::Line(line(THIN, RED.line, &[])), t.old_outline),
        Row::plain(area(GREY), t.unchanged),
        Row::plain(Mark::Cloud(line(CLOUD_WIDTH, CLOUD, &[])), t.cloud),
    ];
    Block { title: t.legend.to_owned(), rows, layer: Subject::Revision }
}

/// The room that words take.
fn words(node: &Node, into: &mut Vec<Box2>) {
    match node {
        Node::Group(group) => group.nodes.iter().for_each(|n| words(n, into)),
        Node::Text(text) => into.push(Box2::around(text)),
        Node::Path(Path { .. }) | Node::Use(_) | Node::Picture(_) => {}
    }
}
