//! The passport of a model: one page with what it is, what it has, and how good it is.

use super::{Block, Document, Facts, Form, Given, facts};
use crate::drawing::shapes::{Reach, move_by};
use crate::drawing::{self, Kind, Wanted};
use crate::phrases::{Phrases, put};
use crate::style::Style;
use geometry::scene::{GoOn, Scene};
use glam::DVec2;
use ifc::Id;
use paper::{Layer, Node, Page, Subject};

/// The most room of the plan, in mm.
const PLAN: DVec2 = DVec2::new(86.0, 90.0);
/// The scales of the plan that are tried.
const SCALES: [f64; 8] = [50.0, 100.0, 200.0, 250.0, 500.0, 1000.0, 2000.0, 5000.0];
/// The scale of the first plan, by which the others are found.
const FIRST_SCALE: f64 = 200.0;
/// The share of the usual height that letters on the plan have.
const LETTERS: f64 = 0.5;
/// The most storeys whose plans are tried.
const MOST_STOREYS: usize = 8;
/// The height of the plan's cut over its floor, in metres.
pub(super) const CUT: f64 = 1.2;

/// Makes the passport of a model, and answers the facts in it; `None` where `go_on` ended it.
pub fn passport(scene: &Scene, given: &Given, style: &Style, go_on: GoOn<'_>) -> Option<(Document, Facts)> {
    let phrases = Phrases::new(style);
    let t = phrases.t;
    let facts = facts(scene, go_on)?;
    let mut blocks = vec![Block::Heading(t.of_model.to_owned()), Block::Facts(about(&facts, &phrases))];
    blocks.push(Block::Heading(t.storeys.to_owned()));
    if facts.storeys.is_empty() {
        blocks.push(Block::Text(t.no_storeys.to_owned()));
    } else {
        let head = [t.name, t.level, t.rooms, t.floor_area].map(str::to_owned).to_vec();
        let row = |s: &super::StoreyFacts| {
            let height = format!("{} m", style.level(s.height));
            let area = if s.floor_area <= 0.0 { String::new() } else { square(s.floor_area, &phrases) };
            vec![s.name.clone(), height, s.rooms.to_string(), area]
        };
        // as a building stands: the highest on top
        let rows = facts.storeys.iter().rev().map(row).collect();
        blocks.push(Block::Table { head, shares: vec![0.38, 0.24, 0.15, 0.23], rows });
    }
    blocks.push(Block::Heading(t.rooms.to_owned()));
    if facts.rooms == 0 {
        blocks.push(Block::Text(t.no_rooms.to_owned()));
    } else {
        let mut rows = vec![
            (t.count.to_owned(), facts.rooms.to_string()),
            (t.floor_area.to_owned(), square(facts.floor_area, &phrases)),
            (t.room_volume.to_owned(), cubic(facts.room_volume, &phrases)),
        ];
        rows.retain(|(_, words)| !words.is_empty());
        blocks.push(Block::Facts(rows));
        blocks.push(Block::Text(t.measured_rooms.to_owned()));
        if facts.open_rooms > 0 {
            blocks.push(Block::Text(put(t.unmeasured_rooms, &[&facts.open_rooms])));
        }
    }
    blocks.push(Block::Heading(t.elements.to_owned()));
    let total: usize = facts.classes.iter().map(|c| c.count).sum();
    blocks.push(Block::Text(put(t.elements_of_kinds, &[&total, &facts.classes.len()])));
    if facts.net_volume > 0.0 {
        blocks.push(Block::Facts(vec![(t.net_volume.to_owned(), cubic(facts.net_volume, &phrases))]));
    }
    let head = [t.class, "IFC", t.count].map(str::to_owned).to_vec();
    let row = |c: &super::ClassCount| vec![phrases.class(&c.class), c.class.clone(), c.count.to_string()];
    let rows = facts.classes.iter().map(row).collect();
    blocks.push(Block::Table { head, shares: vec![0.36, 0.47, 0.17], rows });
    let split = blocks.len();
    if !given.pictures.is_empty() {
        blocks.push(Block::Pictures(given.pictures.iter().take(2).cloned().collect()));
    }
    match plan(scene, &facts, given.storey, style, go_on)? {
        Ok(page) => {
            let caption = page.title.clone();
            blocks.extend([Block::Drawing(page), Block::Text(caption)]);
        }
        Err(why) => blocks.push(Block::Text(put(t.no_plan, &[&why]))),
    }
    if !given.quality.is_empty() {
        blocks.push(Block::Heading(t.quality.to_owned()));
        let marks = given.quality.iter().map(|q| (q.is_fulfilled, q.words.clone())).collect();
        blocks.push(Block::Marks(marks));
    }
    if phrases.is_fallback() {
        blocks.push(Block::Text(put(t.fallback, &[&phrases.asked])));
    }
    let document = Document {
        language: phrases.written.to_owned(),
        title: t.passport.to_owned(),
        subtitle: facts.name.clone(),
        blocks,
        form: Form::OnePage,
        split,
        page_words: t.page.to_owned(),
        more_words: t.more_rows.to_owned(),
        fonts: style.fonts.read,
    };
    Some((document, facts))
}

pub(super) fn square(area: f64, phrases: &Phrases) -> String {
    format!("{} m²", phrases.number(area, 2))
}

pub(super) fn cubic(volume: f64, phrases: &Phrases) -> String {
    format!("{} m³", phrases.number(volume, 2))
}

fn about(facts: &Facts, phrases: &Phrases) -> Vec<(String, String)> {
    let t = phrases.t;
    let or_not = |words: &str| if words.trim().is_empty() { t.not_said.to_owned() } else { words.to_owned() };
    let [length, area, volume] = &facts.units;
    let mut rows = vec![
        (t.project.to_owned(), or_not(&facts.name)),
        (t.of_model.to_owned(), or_not(&facts.file_name)),
        (t.schema.to_owned(), or_not(&facts.schema)),
        (t.program.to_owned(), or_not(&facts.program)),
        (t.written.to_owned(), or_not(&facts.written.replace('T', " "))),
    ];
    if !facts.authors.is_empty() {
        rows.push((t.authors.to_owned(), facts.authors.join(", ")));
    }
    let units = format!("{} {length}, {} {area}, {} {volume}", t.length, t.area, t.volume);
    rows.push((t.units.to_owned(), units));
    match &facts.map {
        Some(map) => {
            let number = |value: f64| phrases.number(value, 3);
            let words = format!(
                "{} {}, {} {}, {} {}",
                t.easting,
                number(map.easting),
                t.northing,
                number(map.northing),
                t.height,
                number(map.height)
            );
            rows.push((t.map.to_owned(), words));
            rows.push((t.crs.to_owned(), or_not(&map.crs)));
        }
        None => rows.push((t.map.to_owned(), t.no_map.to_owned())),
    }
    if let Some(location) = &facts.location {
        rows.push((t.latitude.to_owned(), format!("{}°", phrases.number(location.latitude, 5))));
        rows.push((t.longitude.to_owned(), format!("{}°", phrases.number(location.longitude, 5))));
    }
    let angle = phrases.number(facts.true_north.abs(), 1);
    let turn = if facts.true_north < 0.0 { t.clockwise } else { t.anticlockwise };
    let north = if facts.true_north.abs() < 0.05 { t.north_up.to_owned() } else { put(turn, &[&angle]) };
    rows.push((t.true_north.to_owned(), north));
    rows
}

/// The plan of the storey asked for, else of that with most rooms of which there is one, without its frame, as large as there
/// is room; the reason where there is none. `None` where `go_on` ended it.
fn plan(
    scene: &Scene,
    facts: &Facts,
    storey: Option<Id>,
    style: &Style,
    go_on: GoOn<'_>,
) -> Option<Result<Page, String>> {
    let mut by_size: Vec<_> = facts.storeys.iter().collect();
    by_size.sort_by(|a, b| b.rooms.cmp(&a.rooms).then(b.floor_area.total_cmp(&a.floor_area)));
    let tried: Vec<Id> = match storey {
        Some(storey) => vec![storey],
        None => by_size.iter().map(|s| s.id).take(MOST_STOREYS).collect(),
    };
    let style = &with_small_letters(style);
    let mut why = Phrases::new(style).t.no_storeys.trim_end_matches('.').to_owned();
    for storey in tried {
        let mut made = |scale: f64| {
            let wanted =
                Wanted { dimensions: false, ..Wanted::new(Kind::Plan { storey, height: CUT }, scale) };
            match drawing::draw(scene, &wanted, style, go_on) {
                Ok(None) => None,
                Ok(Some(drawing)) => Some(Ok(unframed(drawing.page, scale))),
                Err(reason) => Some(Err(reason.to_string())),
            }
        };
        match fitted(PLAN, &mut made)? {
            Ok(page) => return Some(Ok(page)),
            Err(reason) => why = reason,
        }
    }
    Some(Err(why))
}

/// A page, made at the largest scale at which it has room; the reason where there is none. `None` where the making was ended.
pub(super) fn fitted(
    room: DVec2,
    made: &mut dyn FnMut(f64) -> Option<Result<Page, String>>,
) -> Option<Result<Page, String>> {
    // a first drawing says how large it is, a second one fits
    let (mut scale, mut is_found) = (FIRST_SCALE, false);
    let mut why = String::new();
    for _ in 0..4 {
        let page = match made(scale)? {
            Ok(page) => page,
            Err(reason) => return Some(Err(reason)),
        };
        let needed = scale * (page.size / room).max_element();
        let fit = SCALES.into_iter().find(|s| *s >= needed * 0.999);
        let does_fit = page.size.cmple(room).all();
        // words do not shrink with the scale: a later one that fits is enough
        if does_fit && (is_found || fit == Some(scale)) {
            return Some(Ok(page));
        }
        why = format!("{:.0} × {:.0} mm", page.size.x, page.size.y);
        let Some(fit) = fit else { break };
        (scale, is_found) = (fit, true);
    }
    Some(Err(why))
}

/// A style whose rooms are named in small letters.
pub(super) fn with_small_letters(style: &Style) -> Style {
    let mut small = style.clone();
    let letters = &mut small.letters;
    for height in [&mut letters.room, &mut letters.room_note, &mut letters.level, &mut letters.stair] {
        height.0 *= LETTERS;
    }
    small
}

/// A drawing's page without title, bar and arrow, named by title and scale.
pub(super) fn unframed(mut page: Page, scale: f64) -> Page {
    let is_frame = |node: &Node| match node {
        Node::Path(path) => is_framing(path.layer),
        Node::Text(text) => is_framing(text.layer),
        _ => false,
    };
    let mut reach = Reach::default();
    for node in &mut page.nodes {
        if let Node::Group(group) = node {
            group.nodes.retain(|node| !is_frame(node));
        }
        reach.node(node);
    }
    let [low, high] = reach.bounds().unwrap_or([DVec2::ZERO, page.size]);
    page.nodes.iter_mut().for_each(|node| move_by(node, DVec2::ONE - low));
    let title = format!("{}, 1:{scale}", page.title);
    Page { size: high - low + 2.0, title, model: None, ..page }
}

fn is_framing(layer: Option<Layer>) -> bool {
    matches!(layer.map(|l| l.subject), Some(Subject::TitleBlock | Subject::Symbol))
}
