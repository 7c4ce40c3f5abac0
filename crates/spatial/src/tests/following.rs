//! Layouts and navigation meshes that follow random edits are those made anew.

use super::made::grid;
use super::*;
use crate::Room;
use crate::exposure::Exposure;
use crate::space_boundaries::{Level, SpaceBoundary, reached, space_boundaries, space_boundaries_of};
use crate::ways::{Mesh, Traveller, Ways};
use geometry::query::Index;
use ifc::relations::Links;
use ifc::{Edit, Id, Referrers, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A small generator of numbers that look random and are the same each time (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        of.get(self.below(of.len())).copied()
    }
}

const PRODUCTS: [&str; 9] = [
    "IfcWall",
    "IfcWall",
    "IfcSpace",
    "IfcSlab",
    "IfcDoor",
    "IfcWindow",
    "IfcColumn",
    "IfcOpeningElement",
    "IfcFurnishingElement",
];

/// One edit of some kind; not all find something to do.
fn any_edit(edit: &mut Edit, dice: &mut Dice) -> Option<String> {
    let model = edit.model().clone();
    let class = dice.one(&PRODUCTS)?;
    let product = dice.one(&model.of_class(class))?;
    match dice.below(14) {
        0..=5 => {
            let placement = model.get(model.get(product)?.reference("ObjectPlacement")?)?;
            let point = model.get(placement.reference("RelativePlacement")?)?.reference("Location")?;
            let Value::List(list) = model.get(point)?.attr("Coordinates") else { return None };
            let axis = dice.below(3);
            let by = (dice.below(41) as f64 - 20.0) * 10.0 / ifc::Units::from_model(&model).length_mm;
            let moved = |(n, value): (usize, &Value)| match value {
                Value::Real(v) if n == axis => Value::Real(v + by),
                other => other.clone(),
            };
            edit.set(point, "Coordinates", Value::list(list.iter().enumerate().map(moved))).ok()?;
            Some(format!("{class} {product} moved"))
        }
        6 => {
            let solid = dice.one(&model.of_class("IfcExtrudedAreaSolid"))?;
            let Value::Real(depth) = model.get(solid)?.attr("Depth") else { return None };
            edit.set(solid, "Depth", Value::Real(depth * (0.8 + 0.05 * dice.below(8) as f64))).ok()?;
            Some(format!("{solid} longer or shorter"))
        }
        7 => {
            let relation = dice.one(&["IfcRelVoidsElement", "IfcRelFillsElement"])?;
            edit.remove(dice.one(&model.of_class(relation))?).ok()?;
            Some(format!("{relation} removed"))
        }
        8 | 9 => {
            edit.remove_all(&[product], Referrers::Cascade).ok()?;
            Some(format!("{class} {product} removed"))
        }
        10 => {
            let own = model.get(product)?;
            let attributes: Vec<(&str, Value)> =
                ["ObjectPlacement", "Representation", "Name"].map(|name| (name, own.attr(name))).into();
            let copy = edit.create(own.class_name(), &attributes).ok()?;
            let relation = dice.one(&model.of_class("IfcRelContainedInSpatialStructure"))?;
            edit.add_to(relation, "RelatedElements", copy).ok()?;
            Some(format!("{class} {product} copied"))
        }
        11 => {
            let class = dice.one(&["IfcSpace", "IfcSpace", "IfcBuildingStorey"])?;
            let named = dice.one(&model.of_class(class))?;
            let name = dice.one(&["Dachterrasse", "Room", "Balcony"])?;
            edit.set(named, "Name", Value::Text(name.into())).ok()?;
            Some(format!("{class} {named} called {name}"))
        }
        12 => {
            let (class, kinds) = dice
                .one(&[("IfcSpace", ["EXTERNAL", "SPACE"]), ("IfcOpeningElement", ["RECESS", "OPENING"])])?;
            let (product, kind) = (dice.one(&model.of_class(class))?, dice.one(&kinds)?);
            edit.set(product, "PredefinedType", Value::Enum(kind.into())).ok()?;
            Some(format!("{class} {product} made {kind}"))
        }
        _ => {
            // a space without its storey, or on another
            let relation = dice.one(&model.of_class("IfcRelAggregates"))?;
            let part = dice.one(&model.get(relation)?.references("RelatedObjects"))?;
            edit.remove_from(relation, "RelatedObjects", part).ok()?;
            if dice.below(2) == 0 {
                edit.add_to(dice.one(&model.of_class("IfcRelAggregates"))?, "RelatedObjects", part).ok()?;
            }
            Some(format!("{part} put elsewhere"))
        }
    }
}

/// Asks all that a layout says of a room.
fn asked(layout: &Layout, room: usize) -> String {
    let exposure = Exposure::of_room(layout, room, 0.3);
    let (around, standing) = (layout.bounding(room), layout.contents(room));
    let (measures, width) = (layout.measures(room), layout.usable_width(room));
    format!("{measures:?} {width:?} {} {exposure:?} {around:?} {standing:?}", layout.daylight_factor(room))
}

fn assert_same(followed: &Layout, anew: &Layout, what: &str) {
    assert_eq!(followed.rooms.storeys, anew.rooms.storeys, "{what}");
    assert_eq!(followed.rooms.rooms, anew.rooms.rooms, "{what}");
    assert_eq!(followed.rooms.left_out, anew.rooms.left_out, "{what}");
    let terrain = |layout: &Layout| layout.terrain.to_bits();
    assert_eq!(terrain(followed), terrain(anew), "{what}");
    assert_eq!(followed.facets.len(), anew.facets.len(), "{what}");
    for (a, b) in followed.facets.iter().zip(anew.facets.iter()) {
        assert_eq!((a.room, a.plane, &a.loops), (b.room, b.plane, &b.loops), "{what}");
    }
    let pieces = |layout: &Layout| -> Vec<String> {
        layout
            .pieces
            .iter()
            .map(|p| format!("{} {:?} {:?} {:?}", p.facet, p.area, p.behind, p.crossed))
            .collect()
    };
    for (n, (a, b)) in pieces(followed).iter().zip(&pieces(anew)).enumerate() {
        assert_eq!(a, b, "piece {n} after {what}");
    }
    assert_eq!(followed.pieces.len(), anew.pieces.len(), "{what}");
    assert_eq!(followed.passages, anew.passages, "{what}");
    assert_eq!(followed.adjacencies(), anew.adjacencies(), "{what}");
    for room in 0..anew.rooms.rooms.len() {
        assert_eq!(asked(followed, room), asked(anew, room), "room {room} after {what}");
    }
}

fn assert_same_mesh(followed: &Ways, anew: &Ways, what: &str) {
    let traveller = Traveller::slightest().wide(0.6);
    let [a, b] = [followed, anew].map(|ways| ways.mesh(&traveller, &BTreeSet::new()));
    let layers = |mesh: &Mesh| -> Vec<String> {
        mesh.layers
            .iter()
            .map(|l| format!("{} {:?} {:?} {:?}", l.height, l.floors, l.free, l.doors))
            .collect()
    };
    assert_eq!(layers(&a), layers(&b), "{what}");
    assert_eq!(a.within, b.within, "{what}");
    assert_eq!(a.joins, b.joins, "{what}");
    assert_eq!(a.net.points, b.net.points, "{what}");
    let triangles =
        |mesh: &Mesh| -> Vec<_> { mesh.net.triangles.iter().map(|t| (t.corners, t.sheet)).collect() };
    assert_eq!(triangles(&a), triangles(&b), "{what}");
}

/// The boundaries of a version as they may be told: room by room, by what they are, not by place in a list.
fn told(layout: &Layout, list: &[SpaceBoundary], room: usize) -> Vec<String> {
    let named = |room: usize| layout.rooms.rooms.get(room).map(|room| (room.origin, room.id.clone()));
    let say = |b: &SpaceBoundary| {
        let own = (b.element, b.is_virtual, b.facing, b.is_end, b.behind.map(named), b.plane, &b.area);
        format!("{own:?}")
    };
    let tied = |at: Option<usize>| at.and_then(|at| list.get(at)).map(say);
    let own = list.iter().filter(|b| b.room == room);
    own.map(|b| format!("{} {:?} {:?}", say(b), tied(b.parent), tied(b.corresponding))).collect()
}

/// Rooms that a change is not said to reach have the boundaries that they had, and those of some are theirs among all. Returns the number
/// of rooms that were not reached.
fn assert_reached(before: (&Layout, &Model), after: (&Layout, &Model), what: &str) -> usize {
    let (old_links, links) = (Links::of_many(before.1), Links::of_many(after.1));
    let reached = reached((before.0, &old_links), (after.0, &links));
    let mut beside = 0;
    for level in [Level::First, Level::Second] {
        let was = space_boundaries(before.0, &old_links, level);
        let now = space_boundaries(after.0, &links, level);
        let some = space_boundaries_of(after.0, &links, level, &reached.after);
        for room in &reached.after {
            assert_eq!(told(after.0, &some, *room), told(after.0, &now, *room), "{room} alone after {what}");
        }
        let space = |layout: &Layout, room: usize| layout.rooms.rooms.get(room).and_then(Room::space);
        let olds = |new: usize| {
            (0..before.0.rooms.rooms.len()).find(|old| space(before.0, *old) == space(after.0, new))
        };
        for new in (0..after.0.rooms.rooms.len()).filter(|new| !reached.after.contains(new)) {
            let Some(old) = olds(new).filter(|old| space(before.0, *old).is_some()) else { continue };
            assert!(!reached.before.contains(&old), "{old} and {new} after {what}");
            let (was, now) = (told(before.0, &was, old), told(after.0, &now, new));
            assert_eq!(was, now, "room {new} is not reached by {what}");
            beside += 1;
        }
    }
    beside
}

/// Follows random edits; `without` is a class that is taken out first.
fn follow(model: Model, without: Option<&str>, seed: u64, edits: usize) {
    let mut model = model;
    if let Some(class) = without {
        let mut edit = model.edit();
        let ids: Vec<Id> = model.of_class(class);
        edit.remove_all(&ids, Referrers::Cascade).unwrap();
        model = edit.model().clone();
    }
    let mut scene = Scene::from_model(&model);
    let mut layout = Arc::new(Layout::from_scene(&scene));
    let mut index = Index::of_scene(&scene, &|_| true);
    let mut ways = Ways::from_scene(&scene, &index, Arc::clone(&layout));
    let mut dice = Dice(seed);
    let (mut made, mut beside) = (0, 0);
    for _ in 0..edits * 3 {
        let mut edit = model.edit();
        let what: Vec<String> = (0..=dice.below(2)).filter_map(|_| any_edit(&mut edit, &mut dice)).collect();
        if what.is_empty() {
            continue;
        }
        // some facts are known and others are not when the next version comes
        for room in (0..layout.rooms.rooms.len()).filter(|_| dice.below(3) > 0).collect::<Vec<_>>() {
            asked(&layout, room);
        }
        let before = std::mem::replace(&mut model, edit.model().clone());
        let next = scene.follow(&model);
        let following = Arc::new(layout.following(&scene, &next));
        let of_before = std::mem::replace(&mut layout, following);
        index.follow_scene(&scene, &next, &|_| true);
        ways = ways.following(&next, &index, Arc::clone(&layout));
        scene = next;
        let what = what.join(", ");
        let fresh = Scene::from_model(&model);
        let anew = Arc::new(Layout::from_scene(&fresh));
        assert_same(&layout, &anew, &what);
        let anew = Ways::from_scene(&fresh, &Index::of_scene(&fresh, &|_| true), anew);
        assert_same_mesh(&ways, &anew, &what);
        beside += assert_reached((&of_before, &before), (&layout, &model), &what);
        made += 1;
        if made == edits {
            break;
        }
    }
    assert!(made > edits / 2, "only {made} edits found something to do");
    let stored = layout.rooms.rooms.iter().filter(|room| room.space().is_some()).count();
    assert!(beside >= made.min(stored * made), "only {beside} rooms were not reached by {made} edits");
}

fn storey(with_spaces: bool) -> Model {
    let text = grid::storey(4, 3, with_spaces);
    Model::from_bytes(text.into_bytes(), &Limits::default()).unwrap().0
}

#[test]
fn layouts_follow_edits_of_a_storey() {
    for (seed, with_spaces) in [(11, true), (12, false)] {
        follow(storey(with_spaces), None, seed, 60);
    }
}

#[test]
fn layouts_follow_edits_of_real_models() {
    for (seed, name) in [(1, "Duplex_A_20110907.ifc"), (2, "AC20-FZK-Haus.ifc"), (3, "Niedri.ifc")] {
        let Some(model) = open(name) else { return };
        follow(model, None, seed, 25);
    }
}

#[test]
fn layouts_follow_edits_of_real_models_without_spaces() {
    for (seed, name) in [(5, "Duplex_A_20110907.ifc"), (6, "AC20-FZK-Haus.ifc")] {
        let Some(model) = open(name) else { return };
        follow(model, Some("IfcSpace"), seed, 15);
    }
}
