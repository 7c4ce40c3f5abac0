//! What a picture of a model shows: which elements, in which looks, cut where, from where, and with which words on it.
//!
//! A storey is opened like a doll's house: in plans and seen from a corner all above a person's breast is cut away. Rooms and zones
//! are shown only where they are asked for; terrain is drawn, but what is built decides how large all is drawn. Pixels are the
//! business of `geometry::render`.

use crate::storey::{floor_height, storeys_by_height};
use geometry::math::Bounds;
use geometry::render::{
    ADDED, CHANGED, Camera, HalfSpace, Item, Label, Look, Named, REMOVED, Target, UNCHANGED, of_changes,
    of_scene,
};
use geometry::scene::{Entry, Scene};
use glam::{DVec2, DVec3};
use ifc::{Id, Model};
use std::collections::HashSet;

/// The height above a storey's floor at which it is cut open, in metres.
pub const CUT_HEIGHT: f64 = 1.2;
/// The most labels on a picture: more cover it.
const MOST_LABELS: usize = 40;
/// Metres around chosen elements that stay in the picture.
const AROUND: f64 = 1.0;
/// The colour of unchanged elements where they would hide a change.
const CLEAR_GREY: geometry::style::Colour = [176, 180, 186, 38];

/// The request for a picture.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// The state of the model.
    pub scene: &'a Scene,
    /// The direction of view.
    pub view: Named,
    /// Only this storey.
    pub storey: Option<Id>,
    /// Elements to be seen in their colours, the others faintly.
    pub chosen: Option<&'a HashSet<Id>>,
    /// An earlier state, to be told apart by colours.
    pub before: Option<&'a Scene>,
    /// Words on what is shown.
    pub labels: bool,
}

/// How many elements of a difference are shown in each colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChangeCount {
    /// In green.
    pub added: usize,
    /// In amber.
    pub changed: usize,
    /// In red.
    pub removed: usize,
}

/// A picture before it is drawn.
pub struct Stage {
    /// The elements.
    pub items: Vec<Item>,
    /// The half spaces that all lies in.
    pub clip: Vec<HalfSpace>,
    /// The boxes that have to be in the picture, in metres.
    pub boxes: Vec<Bounds>,
    /// The words.
    pub labels: Vec<Label>,
    /// True if there were more words than a picture bears.
    pub labels_left_out: bool,
}

/// Returns what a picture shows; without boxes there is nothing to see.
pub fn stage(wanted: &Wanted<'_>) -> Stage {
    let scene = wanted.scene;
    let mut items = match wanted.before {
        Some(before) => of_changes(before, scene),
        None => of_scene(scene),
    };
    let mut clip = Vec::new();
    let mut top = f64::INFINITY;
    if let Some(storey) = wanted.storey {
        let floor = floor_height(scene.model(), storey);
        if is_opened(wanted.view) {
            top = floor + CUT_HEIGHT;
            clip.extend(HalfSpace::below(top));
        }
        items.retain(|item| {
            entry_of(item, scene, wanted.before).is_some_and(|e| {
                // what stands on another storey and passes through this one is part of it, too
                let passes = e.bounds.min.z < top - 0.05 && e.bounds.max.z > floor + 0.3 && top.is_finite();
                e.storey == Some(storey) || (passes && !is_ground(e) && !e.is_space)
            })
        });
    }
    if let Some(chosen) = wanted.chosen {
        for item in &mut items {
            if chosen.contains(&item.element) {
                if item.look == Look::Hidden {
                    item.look = Look::Styled;
                }
            } else if item.look != Look::Hidden {
                item.look = Look::Ghost;
            }
        }
    }
    let boxes = boxes(wanted, &items, top);
    let (labels, labels_left_out) =
        if wanted.labels { labels(wanted, &items, &boxes) } else { (Vec::new(), false) };
    Stage { items, clip, boxes, labels, labels_left_out }
}

/// Returns true if a storey is shown without what is above a person's breast.
fn is_opened(view: Named) -> bool {
    !matches!(view, Named::North | Named::South | Named::East | Named::West)
}

fn entry_of<'s>(item: &Item, scene: &'s Scene, before: Option<&'s Scene>) -> Option<&'s Entry> {
    let own = || scene.entry(item.element).filter(|_| item.look != Look::Colour(REMOVED));
    let entry = own().or_else(|| before?.entry(item.element));
    entry.map(AsRef::as_ref)
}

fn is_ground(entry: &Entry) -> bool {
    matches!(entry.class.as_str(), "IfcSite" | "IfcGeographicElement")
}

/// The boxes that have to be seen: of what was chosen, else of what is built, else of everything.
fn boxes(wanted: &Wanted<'_>, items: &[Item], top: f64) -> Vec<Bounds> {
    let boxes_of = |keep: &dyn Fn(&Item, &Entry) -> bool| -> Vec<Bounds> {
        let shown = items.iter().filter(|i| i.look != Look::Hidden);
        let entries = shown.filter_map(|i| Some((i, entry_of(i, wanted.scene, wanted.before)?)));
        let kept = entries.filter(|(i, e)| keep(i, e) && e.bounds.min.z < top);
        let cut = |mut b: Bounds| {
            b.max.z = b.max.z.min(top);
            b
        };
        kept.map(|(_, e)| cut(e.bounds)).collect()
    };
    if wanted.chosen.is_some() {
        let around = |b: Bounds| Bounds { min: b.min - AROUND, max: b.max + AROUND };
        return boxes_of(&|item, _| item.look != Look::Ghost).into_iter().map(around).collect();
    }
    let built = boxes_of(&|_, entry| !is_ground(entry));
    if built.is_empty() { boxes_of(&|_, _| true) } else { built }
}

/// Counts the elements of a difference.
pub fn count_changes(items: &[Item]) -> ChangeCount {
    let of = |colour| items.iter().filter(|i| i.look == Look::Colour(colour)).count();
    ChangeCount { added: of(ADDED), changed: of(CHANGED), removed: of(REMOVED) }
}

/// Makes what did not change clear, so that changes behind it are seen. Returns false if nothing was in the way.
pub fn clear_unchanged(items: &mut [Item]) -> bool {
    let mut cleared = false;
    for item in items.iter_mut().filter(|i| i.look == Look::Colour(UNCHANGED)) {
        item.look = Look::Colour(CLEAR_GREY);
        cleared = true;
    }
    cleared
}

/// The words of a picture: names of what was chosen or changed; else of the rooms of a storey or a plan; else of storeys, at
/// their heights.
fn labels(wanted: &Wanted<'_>, items: &[Item], boxes: &[Bounds]) -> (Vec<Label>, bool) {
    let model = wanted.scene.model();
    let mut named: Vec<Label> = Vec::new();
    let is_change = |look: Look| [ADDED, CHANGED, REMOVED].iter().any(|c| look == Look::Colour(*c));
    if wanted.chosen.is_some() || wanted.before.is_some() {
        for item in items {
            let is_meant = match wanted.chosen {
                Some(chosen) => chosen.contains(&item.element),
                None => is_change(item.look),
            };
            if is_meant {
                let is_gone = item.look == Look::Colour(REMOVED);
                let of = if is_gone { wanted.before.map_or(model, Scene::model) } else { model };
                named.push(Label { target: Target::Element(item.element), text: title(of, item.element) });
            }
        }
    } else if wanted.storey.is_some() || wanted.view == Named::Plan {
        let rooms = items.iter().filter(|i| wanted.scene.entry(i.element).is_some_and(|e| e.is_space));
        named.extend(
            rooms.map(|i| Label { target: Target::Element(i.element), text: title(model, i.element) }),
        );
    } else if let Some(camera) = Camera::named(wanted.view, boxes, 1.0, 0.0) {
        let whole = boxes.iter().fold(Bounds::EMPTY, |all, b| all.join(b));
        let edge = left_edge(&whole, &camera);
        let heights = storeys_by_height(model);
        let seen = heights.into_iter().filter(|(_, z)| (whole.min.z - 0.5..whole.max.z + 0.5).contains(z));
        named.extend(seen.map(|(id, z)| Label {
            target: Target::Point(edge.extend(z)),
            text: format!("{} {z:+.2}", title(model, id)),
        }));
    }
    let left_out = named.len() > MOST_LABELS;
    named.truncate(MOST_LABELS);
    (named, left_out)
}

/// The upright edge of a box that is furthest to the left in a picture, as x and y.
fn left_edge(whole: &Bounds, camera: &Camera) -> DVec2 {
    let across = |corner: &DVec3| camera.pixel(*corner, 1000, 1000).map_or(f64::INFINITY, |p| p.x);
    let leftmost = whole.corners().min_by(|a, b| across(a).total_cmp(&across(b)));
    leftmost.unwrap_or(whole.min).truncate()
}

/// Letters of a room's name that is a number, as on a door.
const NUMBER_LETTERS: usize = 8;

/// Returns the words for an element: its name, else its class; for a room its number and long name.
pub fn title(model: &Model, id: Id) -> String {
    let Some(found) = model.get(id) else { return String::new() };
    let is_said = |text: &String| !text.trim().is_empty();
    let name = found.name().filter(is_said);
    let long = if found.is_a("IfcSpace") { found.text("LongName").filter(is_said) } else { None };
    match (name, long) {
        (Some(number), Some(long)) if number != long && number.chars().count() <= NUMBER_LETTERS => {
            format!("{number} {long}")
        }
        (_, Some(long)) => long,
        (name, None) => name.unwrap_or_else(|| found.class_name().to_owned()),
    }
}
