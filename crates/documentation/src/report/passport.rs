//! The passport of a model: one page with what it is, what it has, and how good it is.

use super::{Block, Document, Facts, Form, Given, facts};
use crate::drawing::{self, Kind, Wanted};
use crate::phrases::{Phrases, put};
use crate::style::Style;
use geometry::scene::{GoOn, Scene};
use glam::DVec2;
use ifc::Id;
use paper::Page;

/// The most room of the plan, in mm.
const PLAN: DVec2 = DVec2::new(86.0, 84.0);
/// The scales of the plan that are tried.
const SCALES: [f64; 7] = [50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];
/// The height of the plan's cut over its floor, in metres.
const CUT: f64 = 1.2;

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
            let area = if s.rooms == 0 { String::new() } else { square(s.floor_area, &phrases) };
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
        Ok(page) => blocks.push(Block::Drawing(page)),
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
    rows.push((t.true_north.to_owned(), put(turn, &[&angle])));
    rows
}

/// The plan of the storey asked for, or else of those with the largest floor area and the largest page that fits; the reason where there is
/// none. `None` where `go_on` ended it.
fn plan(
    scene: &Scene,
    facts: &Facts,
    storey: Option<Id>,
    style: &Style,
    go_on: GoOn<'_>,
) -> Option<Result<Page, String>> {
    let mut tried: Vec<Id> = match storey {
        Some(storey) => vec![storey],
        None => {
            let mut by_size: Vec<_> = facts.storeys.iter().collect();
            by_size.sort_by(|a, b| b.floor_area.total_cmp(&a.floor_area));
            by_size.iter().map(|s| s.id).collect()
        }
    };
    tried.truncate(8);
    let mut why = Phrases::new(style).t.no_storeys.trim_end_matches('.').to_owned();
    for storey in tried {
        for scale in SCALES {
            let kind = Kind::Plan { storey, height: CUT };
            let wanted = Wanted { dimensions: false, ..Wanted::new(kind, scale) };
            match drawing::draw(scene, &wanted, style, go_on) {
                Ok(None) => return None,
                Ok(Some(drawing)) if drawing.page.size.cmple(PLAN).all() => return Some(Ok(drawing.page)),
                Ok(Some(drawing)) => {
                    // the next scale that can fit
                    why = format!("{:.0} × {:.0} mm", drawing.page.size.x, drawing.page.size.y);
                }
                Err(reason) => {
                    why = reason.to_string();
                    break;
                }
            }
        }
    }
    Some(Err(why))
}
