//! The places of all things on one sheet: first what names its own, then notes from the lower right corner, then views in rows.

use super::block::{self, Block};
use super::definition::SheetDefinition;
use super::error::BadSheet;
use super::place::{Loose, Room, from_corner, rows};
use super::table::{self, Laid};
use super::words::Words;
use super::{frame, keynote, legend, picture, revision, view};
use crate::drawing::shapes::move_by;
use crate::drawing::{Drawing, Place};
use crate::style::Style;
use glam::{DVec2, DVec3};
use paper::Node;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Millimetres between notes, and between them and the frame.
const GAP: f64 = 5.0;
/// The part of a sheet's width that a table beside views may have.
const PART: f64 = 0.4;
/// The widest table beside views that names no width on small sheets, and the table of versions beside a template of the whole sheet.
const WIDE: f64 = 180.0;

/// The things that a sheet is made of beside its definition.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub style: &'a Style,
    pub words: Words,
    pub pictures: &'a BTreeMap<String, Arc<[u8]>>,
    /// The number of the sheet in its set, from 1, and of all sheets.
    pub position: [usize; 2],
    /// The name of the project; empty where it has none.
    pub project: &'a str,
}

/// All places of a sheet.
pub(super) struct Arranged {
    /// Frame, title block, notes, tables and pictures, at their places.
    pub nodes: Vec<Node>,
    /// The place of each view.
    pub views: Vec<Room>,
    /// The room of the title block; `None` where it is a template of the whole sheet.
    pub block: Option<Room>,
    /// The area in which views may lie.
    pub area: Room,
    pub empty: Vec<String>,
    pub notes: Vec<String>,
}

/// The reason why things have no places.
pub(super) enum NoPlace {
    /// The view of this number has no room.
    View(usize),
    /// Something else is wrong.
    Bad(BadSheet),
}

impl From<BadSheet> for NoPlace {
    fn from(bad: BadSheet) -> NoPlace {
        NoPlace::Bad(bad)
    }
}

/// Finds the places of all things on a sheet.
pub(super) fn arrange(
    definition: &SheetDefinition,
    drawings: &[Arc<Drawing>],
    given: &Given<'_>,
) -> Result<Arranged, NoPlace> {
    let orientation = definition.orientation.unwrap_or(definition.size.usual());
    let sheet = definition.size.extent(orientation);
    let frame = frame::inside(definition.size, orientation);
    let known = known(definition, given);
    let Block { nodes: block_nodes, room: block, empty, notes } =
        block::place(definition, &known, given.words, sheet, &frame)?;
    let area = area(definition, &frame, sheet)?;
    let mut nodes = Vec::new();
    let mut taken: Vec<Room> = block.into_iter().collect();
    versions(definition, given, block.as_ref(), &area, &mut taken, &mut nodes)?;
    let mut views: Vec<Option<Room>> = vec![None; definition.views.len()];
    for (n, (view, drawing)) in definition.views.iter().zip(drawings).enumerate() {
        let Some(place) = view.place else { continue };
        let what = format!("the view {} at {}", view.drawing, view::scale(view.scale));
        let room = placed(&what, place, drawing.page.size, &area, &taken)?;
        taken.push(room);
        if let Some(slot) = views.get_mut(n) {
            *slot = Some(room);
        }
    }
    let mut free: Vec<(String, Laid)> = Vec::new();
    free.extend(
        keynote::list(&definition.keynotes, given.words).map(|laid| ("the list of keynotes".into(), laid)),
    );
    if definition.legend {
        let drawn = drawings.iter().map(AsRef::as_ref);
        free.extend(legend::lay_out(drawn, given.style, given.words).map(|laid| ("the legend".into(), laid)));
    }
    let within = Room { low: area.low + GAP, high: area.high - GAP };
    let mut tables: Vec<(String, Laid, Option<[f64; 2]>)> = Vec::new();
    // beside views a table is kept narrow
    let room = within.size().x;
    let widest = if definition.views.is_empty() { room } else { WIDE.max(room * PART).min(room) };
    for own in &definition.tables {
        // at a place of its own it is one
        let tallest = if own.place.is_some() { f64::INFINITY } else { within.size().y };
        for laid in table::lay_out(own, widest, tallest)? {
            tables.push((format!("the table {}", own.title), laid, own.place));
        }
    }
    // they are put from the lower right corner on, and read from above and from the left
    tables.reverse();
    let pictures = definition.pictures.iter().map(|own| {
        let laid = picture::lay_out(own, given.pictures)?;
        Ok((format!("the picture {}", own.key), laid, own.place))
    });
    let all: Vec<(String, Laid, Option<[f64; 2]>)> =
        tables.into_iter().map(Ok).chain(pictures).collect::<Result<_, BadSheet>>()?;
    for (what, laid, place) in all {
        match place {
            Some(place) => {
                let room = placed(&what, place, laid.size, &area, &taken)?;
                put(laid, &room, &mut taken, &mut nodes);
            }
            None => free.push((what, laid)),
        }
    }
    for (what, laid) in free {
        let room = from_corner(laid.size, &within, &taken, GAP).ok_or_else(|| BadSheet::Room {
            what,
            size: whole(laid.size),
            reason: "give it a sheet of its own, or a larger size".into(),
        })?;
        put(laid, &room, &mut taken, &mut nodes);
    }
    let open: Vec<usize> = (0..views.len()).filter(|n| views.get(*n).is_some_and(Option::is_none)).collect();
    let boxes: Vec<Loose> = open.iter().filter_map(|n| Some(loose(drawings.get(*n)?))).collect();
    let found =
        rows(&boxes, &area, &taken).map_err(|at| NoPlace::View(open.get(at).copied().unwrap_or_default()))?;
    for (n, room) in open.iter().zip(found) {
        if let Some(slot) = views.get_mut(*n) {
            *slot = Some(room);
        }
    }
    let mut all = if block.is_some() { frame::draw(definition.size, orientation) } else { Vec::new() };
    all.extend(block_nodes);
    all.extend(nodes);
    Ok(Arranged { nodes: all, views: views.into_iter().flatten().collect(), block, area, empty, notes })
}

/// The box of a view: plans of one scale are laid out with a place of the building at one height, views of its sides with the height of nought.
fn loose(drawing: &Drawing) -> Loose {
    let Place { plane, factor, .. } = &drawing.place;
    let up = plane.frame().y_axis;
    let is_plan = plane.frame().z_axis.z.abs() > 0.999;
    let is_upright = up.z > 0.999;
    let kind = factor.to_bits() ^ u64::from(is_plan);
    let line = (is_plan || is_upright).then(|| drawing.place.project(DVec3::ZERO).y);
    Loose { size: drawing.page.size, line: line.filter(|y| y.is_finite()).map(|y| (kind, y)) }
}

fn put(laid: Laid, room: &Room, taken: &mut Vec<Room>, nodes: &mut Vec<Node>) {
    for mut node in laid.nodes {
        move_by(&mut node, room.low);
        nodes.push(node);
    }
    taken.push(*room);
}

/// The table of versions: above the title block, or in the corner of the area beside a template of the whole sheet.
fn versions(
    definition: &SheetDefinition,
    given: &Given<'_>,
    block: Option<&Room>,
    area: &Room,
    taken: &mut Vec<Room>,
    nodes: &mut Vec<Node>,
) -> Result<(), BadSheet> {
    let no_room = |room: &Room| BadSheet::Room {
        what: "the table of revisions".into(),
        size: whole(room.size()),
        reason: "take a larger size, or a smaller title block".into(),
    };
    let edges = block.map_or((0.0, WIDE.min(area.size().x), 0.0), |b| (b.low.x, b.high.x, b.low.y));
    let drawn = revision::draw(&definition.revisions, definition.size, given.words, edges);
    let Some((mut own, mut room)) = drawn else { return Ok(()) };
    if block.is_none() {
        let found = from_corner(room.size(), area, taken, 0.0).ok_or_else(|| no_room(&room))?;
        for node in &mut own {
            move_by(node, found.low - room.low);
        }
        room = found;
    } else if room.low.y < area.low.y {
        return Err(no_room(&room));
    }
    taken.push(room);
    nodes.extend(own);
    Ok(())
}

/// The area of views: what the definition says, or all within the frame.
fn area(definition: &SheetDefinition, frame: &Room, sheet: DVec2) -> Result<Room, BadSheet> {
    let Some([left, top, width, height]) = definition.drawing_area else { return Ok(*frame) };
    let area = Room::new(DVec2::new(left, top), DVec2::new(width, height));
    let paper = Room { low: DVec2::ZERO, high: sheet };
    if width > 0.0 && height > 0.0 && paper.holds(&area) {
        return Ok(area);
    }
    Err(BadSheet::Set {
        reason: format!("the drawing area of sheet {} does not lie on its paper", definition.number),
    })
}

/// The room of a thing at the place that it names.
fn placed(what: &str, place: [f64; 2], size: DVec2, area: &Room, taken: &[Room]) -> Result<Room, BadSheet> {
    let room = Room::new(place.into(), size);
    let fail = |reason: String| BadSheet::Room { what: what.to_owned(), size: whole(size), reason };
    if !area.holds(&room) {
        let Room { low, high } = area;
        let (x, y) = (high.x - size.x, high.y - size.y);
        let reason = if x < low.x || y < low.y {
            format!(
                "there are {:.0} by {:.0} mm; take a larger size or a smaller scale",
                area.size().x,
                area.size().y
            )
        } else {
            format!(
                "at [{:.0}, {:.0}] it leaves the drawing area; its corner may lie from [{:.0}, {:.0}] to [{x:.0}, {y:.0}]",
                place[0], place[1], low.x, low.y
            )
        };
        return Err(fail(reason));
    }
    match taken.iter().find(|other| other.meets(&room)) {
        None => Ok(room),
        Some(Room { low, high }) => Err(fail(format!(
            "at [{:.0}, {:.0}] it lies over what is from [{:.0}, {:.0}] to [{:.0}, {:.0}]",
            place[0], place[1], low.x, low.y, high.x, high.y
        ))),
    }
}

/// A size in whole mm.
pub(super) fn whole(size: DVec2) -> [u32; 2] {
    size.ceil().to_array().map(|length| length.clamp(0.0, 1e9) as u32)
}

/// The values of fields that are known without being given.
fn known(definition: &SheetDefinition, given: &Given<'_>) -> BTreeMap<&'static str, String> {
    let mut scales: Vec<f64> = definition.views.iter().map(|view| view.scale).collect();
    scales.sort_by(f64::total_cmp);
    scales.dedup();
    let scales: Vec<String> = scales.into_iter().map(view::scale).collect();
    let newest = definition.revisions.last();
    let [own, all] = given.position;
    let mut known = BTreeMap::from([
        ("number", definition.number.clone()),
        ("identification_number", definition.number.clone()),
        ("name", definition.name.clone()),
        ("title", definition.name.clone()),
        ("scale", scales.join(", ")),
        ("format", definition.size.name().to_owned()),
        ("sheet", own.to_string()),
        ("sheets", all.to_string()),
        ("language_code", given.style.language.clone()),
    ]);
    if !given.project.is_empty() {
        known.insert("project", given.project.to_owned());
    }
    if let Some(newest) = newest {
        known.insert("revision", newest.index.clone());
        known.insert("date_of_issue", newest.date.clone());
        known.insert("date", newest.date.clone());
    }
    known
}
