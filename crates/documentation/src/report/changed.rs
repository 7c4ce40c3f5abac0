//! What has changed between two versions, for people who do not open models.

use super::passport::{CUT, fitted, unframed, with_small_letters};
use super::{Block, Document, Form, Picture};
use crate::difference::{self, Change, ChangeKind, What};
use crate::drawing::{Kind, Wanted};
use crate::phrases::{Phrases, put};
use crate::style::Style;
use building::picture::title;
use building::storey::storeys_by_height;
use geometry::scene::{GoOn, Scene};
use glam::{DVec2, DVec3};
use paper::{Fonts, Page};
use spatial::Rooms;
use std::collections::BTreeSet;

/// The distance in metres beside an element at which a room still is its own.
const BESIDE: f64 = 0.5;
/// The most rooms that are named of one element.
const MOST_ROOMS: usize = 3;
/// The most storeys that have a plan.
const MOST_PLANS: usize = 6;
/// The most room of a plan, in mm.
const PLAN: DVec2 = DVec2::new(160.0, 125.0);

/// A change with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// The change.
    pub change: Change,
    /// The names of the rooms that it lies in or beside, in their order.
    pub rooms: Vec<String>,
}

/// Tells what has changed between two versions, by storey, and answers the changes with their rooms; `None` where `go_on` ended it.
pub fn changes(
    before: &Scene,
    after: &Scene,
    pictures: &[Picture],
    style: &Style,
    go_on: GoOn<'_>,
) -> Option<(Document, Vec<Told>)> {
    let told = places(before, after, difference::changes(before, after, go_on)?);
    let phrases = Phrases::new(style);
    let mut plans = Vec::new();
    for storey in storeys(&told).into_iter().flatten().take(MOST_PLANS) {
        let plan = plan([before, after], &told, storey, style, go_on)?;
        plans.extend(plan.ok().map(|page| (storey.to_owned(), page)));
    }
    Some((document(&told, pictures, &plans, &phrases, style.fonts.read), told))
}

/// The storeys of changes, in the order in which they are told.
fn storeys(told: &[Told]) -> Vec<Option<&str>> {
    let mut storeys: Vec<Option<&str>> = Vec::new();
    for told in told {
        let storey = told.change.storey.as_ref().map(|s| s.0.as_str());
        if !storeys.contains(&storey) {
            storeys.push(storey);
        }
    }
    storeys
}

/// The plan of a storey with what is different on it; an error where that shows none of it, or has no room. `None` where `go_on` ended it.
fn plan(
    [before, after]: [&Scene; 2],
    told: &[Told],
    name: &str,
    style: &Style,
    go_on: GoOn<'_>,
) -> Option<Result<Page, String>> {
    let of = |scene: &Scene| {
        let all = storeys_by_height(scene.model());
        all.into_iter().find(|(id, _)| title(scene.model(), *id) == name)
    };
    let Some((storey, _)) = of(after).or_else(|| of(before)) else { return Some(Err(String::new())) };
    let style = &with_small_letters(style);
    let changes: Vec<Change> = told.iter().map(|told| told.change.clone()).collect();
    let mut made = |scale: f64| {
        let kind = Kind::Plan { storey, height: CUT };
        let wanted = Wanted { dimensions: false, ..Wanted::new(kind, scale) };
        match difference::of_changes([before, after], &wanted, changes.clone(), false, style, go_on) {
            Ok(None) => None,
            Ok(Some(drawn)) if drawn.clouds.is_empty() => Some(Err(String::new())),
            Ok(Some(drawn)) => Some(Ok(unframed(drawn.page, scale))),
            Err(why) => Some(Err(why.to_string())),
        }
    };
    fitted(PLAN, &mut made)
}

/// Finds the rooms of changes, in the newer version, of what is gone in the older.
pub fn places(before: &Scene, after: &Scene, changes: Vec<Change>) -> Vec<Told> {
    let rooms = [Rooms::from_scene(before), Rooms::from_scene(after)];
    let [old, new] = &rooms;
    changes
        .into_iter()
        .map(|change| {
            let of = if change.kind() == ChangeKind::Removed { old } else { new };
            let own = change.after.or(change.before);
            let is_room = of.rooms.iter().any(|room| own.is_some() && room.space() == own);
            let rooms = if is_room { Vec::new() } else { around(of, &change) };
            Told { change, rooms }
        })
        .collect()
}

fn around(rooms: &Rooms, change: &Change) -> Vec<String> {
    if change.bounds.is_empty() {
        return Vec::new();
    }
    let (middle, half) = (change.bounds.centre(), change.bounds.size() / 2.0);
    let mut found = rooms.at(middle);
    if found.is_empty() {
        let sides = [DVec3::X, DVec3::Y, DVec3::NEG_X, DVec3::NEG_Y];
        // across the thinner side first: the rooms on both sides of a wall or door
        let thin = if half.x < half.y { DVec3::X } else { DVec3::Y };
        let mut sides: Vec<DVec3> = sides.to_vec();
        sides.sort_by(|a, b| b.dot(thin).abs().total_cmp(&a.dot(thin).abs()));
        for side in sides.iter().take(2).chain(sides.iter().skip(2)) {
            let at = middle + *side * (half.dot(side.abs()) + BESIDE);
            found.extend(rooms.at(at));
            if found.len() >= 2 && side.dot(thin).abs() < 0.5 {
                break;
            }
        }
    }
    let numbers: BTreeSet<usize> = found.into_iter().collect();
    let named = numbers.into_iter().filter_map(|n| rooms.rooms.get(n)).map(spatial::Room::label);
    named.take(MOST_ROOMS).collect()
}

fn document(
    told: &[Told],
    pictures: &[Picture],
    plans: &[(String, Page)],
    phrases: &Phrases,
    fonts: Fonts,
) -> Document {
    let t = phrases.t;
    let count = |kind: ChangeKind| told.iter().filter(|told| told.change.kind() == kind).count();
    let summary = if told.is_empty() {
        t.summary_none.to_owned()
    } else {
        let (new, gone) = (count(ChangeKind::New), count(ChangeKind::Removed));
        put(t.summary, &[&told.len(), &new, &gone, &count(ChangeKind::Changed)])
    };
    let mut blocks = vec![Block::Text(summary)];
    if !pictures.is_empty() {
        blocks.push(Block::Pictures(pictures.to_vec()));
    }
    for storey in storeys(told) {
        blocks.push(Block::Heading(storey.unwrap_or(t.no_storey).to_owned()));
        if let Some((_, page)) = plans.iter().find(|(name, _)| Some(name.as_str()) == storey) {
            let caption = format!("{}. {}", page.title, t.colours);
            blocks.extend([Block::Drawing(page.clone()), Block::Text(caption)]);
        }
        let own = told.iter().filter(|t| t.change.storey.as_ref().map(|s| s.0.as_str()) == storey);
        let rows = own.flat_map(|told| rows(told, phrases)).collect();
        let head = [t.element, t.place, t.what, t.before, t.after].map(str::to_owned).to_vec();
        blocks.push(Block::Table { head, shares: vec![0.27, 0.17, 0.22, 0.17, 0.17], rows });
    }
    if phrases.is_fallback() {
        blocks.push(Block::Text(put(t.fallback, &[&phrases.asked])));
    }
    Document {
        language: phrases.written.to_owned(),
        title: t.report_of_changes.to_owned(),
        subtitle: String::new(),
        blocks,
        form: Form::Flowing,
        split: 0,
        page_words: t.page.to_owned(),
        more_words: t.more_rows.to_owned(),
        fonts,
    }
}

/// The rows of a change: one for each thing, the element named in the first.
fn rows(told: &Told, phrases: &Phrases) -> Vec<Vec<String>> {
    let t = phrases.t;
    let change = &told.change;
    let class = phrases.class(&change.class);
    let name = if change.name == change.class { class } else { format!("{class} {}", change.name) };
    let mut rows: Vec<[String; 3]> = Vec::new();
    for what in &change.whats {
        match what {
            What::Shape { from, to } => {
                let size = |size: &DVec3| difference::size(*size, phrases);
                rows.push([t.other_shape.to_owned(), size(from), size(to)]);
            }
            What::Class { from, to } => {
                rows.push([t.class.to_owned(), phrases.class(from), phrases.class(to)]);
            }
            What::Values(values) => {
                let or_nothing =
                    |words: &Option<String>| words.clone().unwrap_or_else(|| t.nothing_stated.to_owned());
                rows.extend(values.iter().map(|value| {
                    [value_name(value, phrases), or_nothing(&value.from), or_nothing(&value.to)]
                }));
            }
            what => rows.push([difference::sentence(what, phrases), String::new(), String::new()]),
        }
    }
    let place = told.rooms.join(" / ");
    let head = std::iter::once((name, place)).chain(std::iter::repeat((String::new(), String::new())));
    head.zip(rows).map(|((name, place), [what, from, to])| vec![name, place, what, from, to]).collect()
}

/// The name of a value as people read it: attributes by their words, properties with their set behind.
fn value_name(value: &difference::Value, phrases: &Phrases) -> String {
    let t = phrases.t;
    match (value.set.as_str(), value.name.as_str()) {
        ("", "Type") => t.kind_of.to_owned(),
        ("", "Material") => t.material.to_owned(),
        ("", "Storey") => t.storey.to_owned(),
        ("", "Name" | "LongName") => t.name.to_owned(),
        ("", name) => apart(name),
        (set, name) => format!("{} ({set})", apart(name)),
    }
}

/// `FireRating` as `Fire Rating`: so that long names can be broken.
fn apart(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut last_small = false;
    for c in name.chars() {
        if c.is_uppercase() && last_small {
            out.push(' ');
        }
        out.push(c);
        last_small = c.is_lowercase();
    }
    out
}
