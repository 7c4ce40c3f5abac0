//! Several sheets as one document: a cover and a list of sheets before them where they are wanted, and bookmarks.

use super::definition::{PlacedPicture, SheetDefinition, Table, TitleBlock};
use super::draw::{middle, squeeze};
use super::error::BadSheet;
use super::words::Words;
use super::{Cache, Sheet, Work, frame, view};
use crate::style::Style;
use geometry::scene::{GoOn, Scene};
use glam::DVec2;
use paper::pdf::{Bookmark, Metadata};
use paper::{Node, Page, Weight};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// A set of sheets asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetDefinition {
    /// The title of the document.
    pub title: String,
    /// A cover in front.
    #[serde(default)]
    pub cover: Option<Cover>,
    /// The number of a sheet that lists all others, such as `A-001`; by default there is none.
    #[serde(default)]
    pub index: Option<String>,
    /// The sheets, in their order. Cover and list have the size, title block and fields of the first.
    pub sheets: Vec<SheetDefinition>,
}

/// The cover of a set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cover {
    /// Its number, such as `A-000`.
    pub number: String,
    /// The large words; by default the title of the document.
    #[serde(default)]
    pub title: Option<String>,
    /// Lines below them, such as address, client and phase.
    #[serde(default)]
    pub lines: Vec<String>,
    /// The key of a picture below those.
    #[serde(default)]
    pub picture: Option<String>,
}

/// A set that is made.
#[derive(Debug, Clone)]
pub struct SheetSet {
    /// The sheets, cover and list among them.
    pub sheets: Vec<Sheet>,
    /// The title of the document.
    pub title: String,
}

impl SheetSet {
    /// The bookmarks of the document: each sheet, and its views below it.
    pub fn bookmarks(&self) -> Vec<Bookmark> {
        let entry = |(page, sheet): (usize, &Sheet)| Bookmark {
            title: format!("{} {}", sheet.number, sheet.name).trim().to_owned(),
            page,
            at: DVec2::ZERO,
            children: sheet
                .views
                .iter()
                .map(|view| Bookmark {
                    title: format!("{} {}", view.title, view::scale(view.scale)),
                    page,
                    at: view.room.low,
                    children: Vec::new(),
                })
                .collect(),
        };
        self.sheets.iter().enumerate().map(entry).collect()
    }

    /// The document as PDF; its title is that of the set where `metadata` names none.
    pub fn pdf(&self, metadata: &Metadata) -> Result<Vec<u8>, paper::Error> {
        let title = metadata.title.clone().unwrap_or_else(|| self.title.clone());
        let metadata = Metadata { title: Some(title), ..metadata.clone() };
        let pages: Vec<Page> = self.sheets.iter().map(|sheet| sheet.page.clone()).collect();
        paper::pdf::write(&pages, &self.bookmarks(), &metadata)
    }
}

/// The letters of a cover in mm, from line to line, and the widest of its picture.
const TITLE: f64 = 14.0;
const LINE: f64 = 5.0;
const PITCH: f64 = 12.0;
const PICTURE: f64 = 250.0;
/// Around the list of sheets.
const AROUND: f64 = 15.0;
/// The widest list of sheets.
const LIST: f64 = 300.0;
/// The most sheets of a set.
const MANY: usize = 1000;

/// Makes a set of sheets. `pictures` are PNG files by key. `Ok(None)` where `go_on` ended it; it is told how many views are done, of how many.
pub fn draw(
    scene: &Scene,
    definition: &SetDefinition,
    style: &Style,
    pictures: &BTreeMap<String, Arc<[u8]>>,
    cache: &mut Cache,
    go_on: GoOn<'_>,
) -> Result<Option<SheetSet>, BadSheet> {
    let _fonts = style.fonts.read.enter();
    let first = definition.sheets.first();
    let first = first.ok_or_else(|| BadSheet::Set { reason: "a set needs a sheet".into() })?;
    if definition.sheets.len() > MANY {
        return Err(BadSheet::Set { reason: format!("a set has at most {MANY} sheets") });
    }
    let numbers = definition.cover.iter().map(|cover| &cover.number).chain(&definition.index);
    let mut known = HashSet::new();
    for number in numbers.chain(definition.sheets.iter().map(|sheet| &sheet.number)) {
        if !known.insert(number) {
            return Err(BadSheet::Set { reason: format!("two sheets have the number {number}") });
        }
    }
    let total = definition.sheets.iter().map(|sheet| sheet.views.len()).sum();
    let mut work = Work::new(scene, style, pictures, cache, go_on, total);
    let words = Words::new(&style.language);
    let list: Vec<SheetDefinition> = match &definition.index {
        Some(number) => index(&mut work, number, first, definition, words)?,
        None => Vec::new(),
    };
    let before = list.len() + usize::from(definition.cover.is_some());
    let all = before + definition.sheets.len();
    let mut sheets = Vec::with_capacity(all);
    if let Some(cover) = &definition.cover {
        let title = cover.title.as_ref().unwrap_or(&definition.title);
        let Some(sheet) = covered(&mut work, cover, title, first, all)? else { return Ok(None) };
        sheets.push(sheet);
    }
    for own in list.iter().chain(&definition.sheets) {
        let Some(sheet) = work.sheet(own, [sheets.len() + 1, all])? else { return Ok(None) };
        sheets.push(sheet);
    }
    Ok(Some(SheetSet { sheets, title: definition.title.clone() }))
}

/// A sheet without views that is like another.
fn like(first: &SheetDefinition, number: &str, name: String) -> SheetDefinition {
    let mut own = first.clone();
    own.views.clear();
    own.keynotes.clear();
    own.tables.clear();
    own.pictures.clear();
    own.legend = false;
    number.clone_into(&mut own.number);
    own.name = name;
    // what is said of the first sheet alone
    for field in ["title", "name", "number", "identification_number", "supplementary_title", "scale"] {
        own.fields.remove(field);
    }
    own
}

fn covered(
    work: &mut Work<'_>,
    cover: &Cover,
    title: &str,
    first: &SheetDefinition,
    all: usize,
) -> Result<Option<Sheet>, BadSheet> {
    let mut own = like(first, &cover.number, title.to_owned());
    own.revisions.clear();
    let newest = first.revisions.last();
    for (field, value) in
        newest.into_iter().flat_map(|r| [("revision", &r.index), ("date_of_issue", &r.date)])
    {
        if matches!(own.title_block, TitleBlock::Standard | TitleBlock::Named(_)) {
            own.fields.entry(field.to_owned()).or_insert_with(|| value.clone());
        }
    }
    let orientation = own.orientation.unwrap_or(own.size.usual());
    let area = frame::inside(own.size, orientation);
    let (wide, x) = (area.size().x - 2.0 * AROUND, f64::midpoint(area.low.x, area.high.x));
    let mut y = area.low.y + area.size().y * 0.2;
    let mut texts = Vec::new();
    let lines = std::iter::once((title, TITLE, Weight::Bold));
    let lines = lines.chain(cover.lines.iter().take(12).map(|line| (line.as_str(), LINE, Weight::Regular)));
    for (words, height, weight) in lines {
        let mut text = middle(DVec2::new(x, y), words, height.min(area.size().y / 20.0), weight);
        squeeze(&mut text, wide);
        texts.push(Node::Text(text));
        y += if height > LINE { 2.0 * PITCH } else { PITCH };
    }
    if let Some(key) = &cover.picture {
        let width = PICTURE.min(wide * 0.6);
        let place = Some([x - width / 2.0, y + AROUND]);
        own.pictures.push(PlacedPicture { key: key.clone(), width, caption: String::new(), place });
    }
    let sheet = work.sheet(&own, [1, all])?;
    Ok(sheet.map(|mut sheet| {
        sheet.page.nodes.extend(texts);
        sheet
    }))
}

/// The sheets that list all others, as many as the list needs.
fn index(
    work: &mut Work<'_>,
    number: &str,
    first: &SheetDefinition,
    definition: &SetDefinition,
    words: Words,
) -> Result<Vec<SheetDefinition>, BadSheet> {
    let header: Vec<String> = ["sheet", "name", "scale", "index", "day"].map(|key| words.get(key)).into();
    let row = |sheet: &SheetDefinition| {
        let mut scales: Vec<f64> = sheet.views.iter().map(|view| view.scale).collect();
        scales.sort_by(f64::total_cmp);
        scales.dedup();
        let scales: Vec<String> = scales.into_iter().map(view::scale).collect();
        let newest = sheet.revisions.last().cloned().unwrap_or_default();
        vec![sheet.number.clone(), sheet.name.clone(), scales.join(", "), newest.index, newest.date]
    };
    let mut rows: Vec<Vec<String>> = definition.sheets.iter().map(row).collect();
    let orientation = first.orientation.unwrap_or(first.size.usual());
    let area = frame::inside(first.size, orientation);
    let title = words.get("sheets");
    let mut sheets = Vec::new();
    let mut count = rows.len();
    while !rows.is_empty() {
        let mut own = like(first, number, title.clone());
        if !sheets.is_empty() {
            own.number = format!("{number}.{}", sheets.len() + 1);
        }
        own.drawing_area = first.drawing_area;
        let low = own.drawing_area.map_or(area.low, |[x, y, ..]| DVec2::new(x, y)) + AROUND;
        let width = LIST.min(area.size().x - 2.0 * AROUND);
        own.tables = vec![Table {
            title: title.clone(),
            header: header.clone(),
            rows: rows.iter().take(count).cloned().collect(),
            place: Some(low.to_array()),
            width: Some(width),
            ..Table::default()
        }];
        match work.sheet(&own, [1, 1]) {
            Ok(_) => {
                rows.drain(..count.min(rows.len()));
                count = count.min(rows.len()).max(1);
                sheets.push(own);
            }
            // fewer rows have room
            Err(BadSheet::Room { .. }) if count > 1 => count = count * 2 / 3,
            Err(bad) => return Err(bad),
        }
    }
    Ok(sheets)
}
