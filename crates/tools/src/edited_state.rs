//! Laws that hold across every edit, checked on the model before and after it: what is told is what moved, openings lie in their
//! hosts, joined walls touch, rooms are closed and share no space, quantities are those of the bodies, no rule is newly broken, and
//! the edit can be taken back.

use crate::desk::{Desk, text};
use crate::random_edits::reading;
use building::host::Wall;
use building::measured::set_of;
use building::quantities::is_ours;
use building::soundness::{self, Surroundings};
use geometry::csg::shared_volume;
use geometry::query::Element;
use geometry::{Mesh, Scene, Shaper, quantity};
use ifc::relations::{self, Links};
use ifc::{Delta, Header, Id, Model};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Bodies that share no more m³ touch.
const TOUCH: f64 = 1e-4;
/// Joined walls are no farther apart, in metres.
const GAP: f64 = 1e-3;
/// Places in metres that are the same.
const SAME: f64 = 1e-6;

/// A state of a model, with what is known of it.
pub(crate) struct State {
    pub(crate) model: Model,
    scene: Scene,
    /// Errors and warnings by rule.
    rules: BTreeMap<String, usize>,
    /// The findings of soundness in the whole model, in words.
    unsound: BTreeMap<Found, String>,
}

/// A finding of soundness: its kind as answers call it, and the GlobalIds of its elements in their order.
type Found = (String, Vec<String>);

impl State {
    pub(crate) fn read(desk: &mut Desk) -> Self {
        let scene = Scene::from_model(&desk.model);
        Self::with(desk, scene)
    }

    /// The state after an edit.
    pub(crate) fn after(&self, desk: &mut Desk) -> Self {
        let scene = self.scene.follow(&desk.model);
        Self::with(desk, scene)
    }

    fn with(desk: &mut Desk, scene: Scene) -> Self {
        let rules = broken(desk);
        let unsound = unsound(&desk.model);
        Self { model: desk.model.clone(), scene, rules, unsound }
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.unsound.is_empty()
    }

    /// The findings in words.
    pub(crate) fn findings(&self) -> Vec<&String> {
        self.unsound.values().collect()
    }

    pub(crate) fn is_clean(&self) -> bool {
        self.rules.is_empty()
    }

    /// Findings on the whole model that were not there before.
    pub(crate) fn newly_unsound(&self, before: &Self) -> Vec<String> {
        let new = self.unsound.iter().filter(|(key, _)| !before.unsound.contains_key(key));
        new.map(|((kind, _), say)| format!("{kind}: {say}")).collect()
    }

    fn mesh(&self, id: Id) -> Option<Mesh> {
        self.scene.shape(id).map(|shape| shape.mesh())
    }
}

/// Errors and warnings of `validate_model`, by rule.
fn broken(desk: &mut Desk) -> BTreeMap<String, usize> {
    let found = desk.call("validate_model", json!({ "limit": 200 }));
    let groups = found["groups"].as_array().into_iter().flatten();
    let bad = groups.filter(|group| group["level"] != "notice");
    bad.map(|group| {
        let key = format!("{} {}", text(&group["rule"]), text(&group["kind"]));
        (key, group["count"].as_u64().unwrap_or(0) as usize)
    })
    .collect()
}

/// Looks at a whole model as if all of it were new.
fn unsound(model: &Model) -> BTreeMap<Found, String> {
    let nothing = Model::blank(model.schema().version(), Header::new("", ""));
    let all = [model.of_class("IfcElement"), model.of_class("IfcSpace")].concat();
    let (sound, _) = soundness::look(
        &nothing,
        model,
        &all,
        &mut Surroundings::default(),
        validation::constraints::of_change,
    )
    .unwrap();
    let keyed = sound.findings.into_iter().map(|finding| (found(&json!(finding)), finding.say));
    keyed.collect()
}

/// A finding as it stands in an answer.
fn found(told: &Value) -> Found {
    let mut elements: Vec<String> = told["elements"].as_array().into_iter().flatten().map(text).collect();
    elements.sort();
    (text(&told["kind"]), elements)
}

fn called(model: &Model, id: Id) -> String {
    let Some(element) = model.get(id) else { return format!("{id} (gone)") };
    format!("{} {} ({id})", element.class_name(), element.name().unwrap_or_default())
}

/// The breaches of these laws by one edit, in words.
pub(crate) fn breaches(before: &State, after: &State, arguments: &Value, answer: &Value) -> Vec<String> {
    let moved = moved(before, after);
    let mut all = untold(before, after, &moved, arguments, answer);
    all.extend(open_joins(before, after, &moved));
    all.extend(bad_rooms(before, after, &moved, arguments, answer));
    all.extend(wrong_quantities(before, after, &moved));
    all.extend(newly_broken(before, after));
    all.extend(not_taken_back(&before.model, &after.model));
    all.extend(unsaid(before, after, answer));
    all
}

/// Drawn elements and openings that are new, gone or differ in place or mesh.
fn moved(before: &State, after: &State) -> BTreeSet<Id> {
    let mut moved = BTreeSet::new();
    let digests = |state: &State| -> BTreeMap<Id, _> {
        state.scene.entries().iter().map(|entry| (entry.id, entry.digest)).collect()
    };
    let (old, new) = (digests(before), digests(after));
    for id in old.keys().chain(new.keys()) {
        if old.get(id) != new.get(id) && differs(before.mesh(*id), after.mesh(*id)) {
            moved.insert(*id);
        }
    }
    let openings =
        |model: &Model| -> BTreeSet<Id> { model.of_class("IfcOpeningElement").into_iter().collect() };
    for id in openings(&before.model).union(&openings(&after.model)) {
        let body = |model: &Model| model.get(*id).map(|_| geometry::bounds(model, *id));
        let is_near = |a: geometry::Bounds, b: geometry::Bounds| {
            a.min.abs_diff_eq(b.min, SAME * 1e3) && a.max.abs_diff_eq(b.max, SAME * 1e3)
        };
        let same = match (body(&before.model), body(&after.model)) {
            (Some(Some(a)), Some(Some(b))) => is_near(a, b),
            (Some(None), Some(None)) => true,
            _ => false,
        };
        if !same {
            moved.insert(*id);
        }
    }
    moved
}

fn differs(a: Option<Mesh>, b: Option<Mesh>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return true };
    a.triangles != b.triangles
        || a.positions.len() != b.positions.len()
        || a.positions.iter().zip(&b.positions).any(|(p, q)| !p.abs_diff_eq(*q, SAME))
}

/// The texts in a value.
fn texts<'v>(value: &'v Value, into: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(all) => all.iter().for_each(|v| texts(v, into)),
        Value::Object(all) => all.values().for_each(|v| texts(v, into)),
        _ => {}
    }
}

/// Elements that moved without a word: neither asked for nor in the answer, nor part, opening, filling or covering of one that is.
fn untold(
    before: &State,
    after: &State,
    moved: &BTreeSet<Id>,
    arguments: &Value,
    answer: &Value,
) -> Vec<String> {
    let mut said = Vec::new();
    texts(arguments, &mut said);
    texts(answer, &mut said);
    let mut told: BTreeSet<Id> = BTreeSet::new();
    for model in [&before.model, &after.model] {
        let links = Links::of_many(model);
        let mut open: Vec<Id> = said.iter().filter_map(|text| model.by_guid(text)).collect();
        let mut seen = BTreeSet::new();
        let mut asked = Vec::new();
        texts(&arguments["element_id"], &mut asked);
        texts(&arguments["element_ids"], &mut asked);
        let said_of: BTreeSet<Id> = asked.iter().filter_map(|text| model.by_guid(text)).collect();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            if model.get(id).is_some_and(|e| e.is_a("IfcSpatialStructureElement") && !e.is_a("IfcSpace")) {
                // a storey that is only named takes nothing along
                let is_taken = said_of.contains(&id);
                let held = links.contained(id).into_iter().chain(links.children(id)).filter(|_| is_taken);
                for one in held {
                    open.push(one);
                    open.extend(links.contained(one));
                }
                continue;
            }
            open.extend(links.openings_of(id));
            open.extend(links.fillings_of(id));
            open.extend(links.children(id));
            open.extend(links.nested(id));
            // a hole in a wall is told by the door in it
            open.extend(links.opening_of_filling(id));
            if model.get(id).is_some_and(|e| e.is_a("IfcTypeObject")) {
                open.extend(links.occurrences_of(id));
            }
            // what a stair or a shaft cuts goes with it
            open.extend(links.products_of(id));
        }
        told.extend(seen);
    }
    let is_host = |id: &Id| {
        // a host is cut anew by the opening that is told
        let cut = |model: &Model, host: Id| {
            relations::openings_of(model, host).iter().any(|opening| told.contains(opening))
        };
        // its layers, where another program drew them as parts, are cut by the openings of the whole
        let of = |model: &Model| {
            cut(model, *id) || relations::aggregate_parent(model, *id).is_some_and(|whole| cut(model, whole))
        };
        of(&before.model) || of(&after.model)
    };
    let silent = moved.iter().filter(|id| !told.contains(id) && !is_host(id));
    silent
        .map(|id| {
            let model = if after.model.get(*id).is_some() { &after.model } else { &before.model };
            format!("untold: {} is another than it was", called(model, *id))
        })
        .collect()
}

/// Connected walls that do not touch, which did before or are connected since.
fn open_joins(before: &State, after: &State, moved: &BTreeSet<Id>) -> Vec<String> {
    let pair = |model: &Model, relation: Id| {
        let relation = model.get(relation)?;
        let ends = (relation.reference("RelatingElement")?, relation.reference("RelatedElement")?);
        let is_wall = |id: Id| model.get(id).is_some_and(|e| e.is_a("IfcWall"));
        (is_wall(ends.0) && is_wall(ends.1)).then_some(ends)
    };
    let is_open = |state: &State, (a, b): (Id, Id)| {
        let (Some(one), Some(other)) = (state.mesh(a), state.mesh(b)) else { return false };
        Element::new(a, one).distance(&Element::new(b, other), GAP).is_none()
    };
    let relations = after.model.of_class("IfcRelConnectsPathElements").into_iter();
    relations
        .filter_map(|relation| Some((relation, pair(&after.model, relation)?)))
        .filter(|(relation, (a, b))| {
            moved.contains(a) || moved.contains(b) || before.model.get(*relation).is_none()
        })
        .filter(|(relation, ends)| {
            is_open(after, *ends) && pair(&before.model, *relation).is_none_or(|was| !is_open(before, was))
        })
        .map(|(_, (a, b))| {
            format!(
                "join: {} and {} are connected and apart",
                called(&after.model, a),
                called(&after.model, b)
            )
        })
        .collect()
}

/// Rooms that are no closed bodies, or share space with others or with walls, which did not before.
///
/// A room that was made or put there by hand is where it was asked for; one that a wall reaches into may say so instead.
fn bad_rooms(
    before: &State,
    after: &State,
    moved: &BTreeSet<Id>,
    arguments: &Value,
    answer: &Value,
) -> Vec<String> {
    let ids = |value: &Value| -> BTreeSet<Id> {
        let mut all = Vec::new();
        texts(value, &mut all);
        all.into_iter().filter_map(|text| after.model.by_guid(text)).collect()
    };
    let (asked, left, unsound) = (ids(arguments), ids(&answer["left_as_it_was"]), ids(&answer["sound"]));
    let by_hand = |id: &Id| asked.contains(id) || before.model.get(*id).is_none();
    let is = |id: &Id, class: &str| after.model.get(*id).is_some_and(|e| e.is_a(class));
    let entries = after.scene.entries();
    let rooms: Vec<Id> = entries.iter().map(|e| e.id).filter(|id| is(id, "IfcSpace")).collect();
    let built: Vec<Id> = entries.iter().map(|e| e.id).filter(|id| is(id, "IfcWall")).collect();
    let shared = |state: &State, a: Id, b: Id| {
        let bounds = |id| state.scene.entry(id).map(|entry| entry.bounds);
        let (Some(one), Some(other)) = (bounds(a), bounds(b)) else { return 0.0 };
        if !one.meets(&other, -GAP) {
            return 0.0;
        }
        match (state.mesh(a), state.mesh(b)) {
            (Some(one), Some(other)) => shared_volume(&one, &other).unwrap_or(0.0),
            _ => 0.0,
        }
    };
    let mut bad = Vec::new();
    for (n, room) in rooms.iter().enumerate() {
        if moved.contains(room) {
            let is_closed = |state: &State| {
                Shaper::plain(&state.model).gross_bodies(*room).is_ok_and(|bodies| bodies.are_sound())
            };
            if !is_closed(after) && (is_closed(before) || before.model.get(*room).is_none()) {
                bad.push(format!("room: {} is not closed", called(&after.model, *room)));
            }
        }
        for other in rooms.iter().skip(n + 1).chain(&built) {
            if !moved.contains(room) && !moved.contains(other) || by_hand(room) || left.contains(room) {
                continue;
            }
            if is(other, "IfcSpace") && by_hand(other) || before.model.get(*other).is_none() {
                continue;
            }
            let volume = shared(after, *room, *other);
            // a wall that runs into others tells so itself
            let is_told = unsound.contains(other);
            if volume > TOUCH && !is_told && shared(before, *room, *other) <= TOUCH {
                let (a, b) = (called(&after.model, *room), called(&after.model, *other));
                bad.push(format!("room: {a} and {b} share {volume:.4} m³"));
            }
        }
    }
    bad
}

/// Quantities of ours that are not those of the body: the names whose meaning leaves nothing open.
fn wrong_quantities(before: &State, after: &State, moved: &BTreeSet<Id>) -> Vec<String> {
    const NAMES: [&str; 9] = [
        "NetVolume",
        "NetFloorArea",
        "GrossFloorArea",
        "GrossPerimeter",
        "NetArea",
        "GrossArea",
        "Height",
        "Width",
        "CrossSectionArea",
    ];
    let deviations = |model: &Model, id: Id| -> Vec<(&'static str, f64, f64)> {
        let Ok(Some(measured)) = quantity::base_quantities(&Shaper::plain(model), id) else {
            return Vec::new();
        };
        quantity::compare(model, &measured)
            .into_iter()
            .filter(|c| NAMES.contains(&c.measured.name))
            .filter(|c| (c.measured.value - c.stored).abs() > 1e-4 + 1e-5 * c.stored.abs())
            .map(|c| (c.measured.name, c.measured.value, c.stored))
            .collect()
    };
    let mut wrong = Vec::new();
    for id in moved.iter().filter(|id| after.model.get(**id).is_some()) {
        let ours = set_of(&after.model, *id).is_some_and(|set| is_ours(&after.model, *id, set));
        if !ours {
            continue;
        }
        let was = deviations(&before.model, *id);
        for (name, measured, stored) in deviations(&after.model, *id) {
            if !was.iter().any(|(known, ..)| *known == name) {
                let element = called(&after.model, *id);
                wrong.push(format!("quantity: {element} states {name} {stored}, its body has {measured:.6}"));
            }
        }
    }
    wrong
}

/// Rules that are broken more often than before. What was broken is copied as it is, and what only hung on an instance that hangs on
/// nothing itself stays with that; so these may break more often what a file broke when it came.
fn newly_broken(before: &State, after: &State) -> Vec<String> {
    let grown = after.model.of_class("IfcElement").len() > before.model.of_class("IfcElement").len()
        || after.model.of_class("IfcSpace").len() > before.model.of_class("IfcSpace").len();
    let may_grow = |rule: &str| grown || rule.starts_with("IFC106");
    after
        .rules
        .iter()
        .filter(|(rule, count)| before.rules.get(*rule).is_none_or(|was| was < count && !may_grow(rule)))
        .map(|(rule, count)| {
            format!("rule: {rule} is broken {count} times, {} before", before.rules.get(rule).unwrap_or(&0))
        })
        .collect()
}

/// An edit can be sent as a delta, and taken back.
fn not_taken_back(before: &Model, after: &Model) -> Vec<String> {
    let mut bad = Vec::new();
    let delta = Delta::between(before, after);
    match Delta::decode(&delta.encode()).and_then(|sent| before.apply(&sent)) {
        Ok(there) if there.to_bytes() == after.to_bytes() => {}
        Ok(_) => bad.push("delta: applied elsewhere it gives another model".to_owned()),
        Err(error) => bad.push(format!("delta: {error}")),
    }
    match delta.invert(before).and_then(|inverse| after.apply(&inverse)) {
        Ok(back) if back.to_bytes() == before.to_bytes() => {}
        Ok(_) => bad.push("undo: another model than before".to_owned()),
        Err(error) => bad.push(format!("undo: {error}")),
    }
    bad
}

/// Holds that `sound` of an answer is what somebody finds who looks at all of the model: nothing is left out that is wrong since this
/// edit, and nothing is told that is not wrong.
fn unsaid(before: &State, after: &State, answer: &Value) -> Vec<String> {
    let told: BTreeSet<Found> = answer["sound"].as_array().into_iter().flatten().map(found).collect();
    let is_cut_short = told.iter().any(|(kind, _)| kind == "more");
    let is_new = |key: &Found| !before.unsound.contains_key(key);
    let silent = after
        .unsound
        .iter()
        .filter(|(key, _)| is_new(key) && !is_cut_short && !told.contains(*key))
        .map(|(key, say)| format!("unsaid: the answer has no {} of: {say}", key.0));
    let wrong = told
        .iter()
        .filter(|key| key.0 != "more" && !after.unsound.contains_key(*key))
        .map(|(kind, elements)| format!("unsaid: the answer tells {kind} of {elements:?}, which is not so"));
    let mut bad: Vec<String> = silent.chain(wrong).collect();
    // where all was sound before, what is wrong now is of this edit
    if before.is_sound() && !answer["sound"].is_null() && (answer["sound"] == true) != after.is_sound() {
        bad.push(format!("unsaid: sound is {}, of the whole {:?}", answer["sound"], after.findings()));
    }
    bad
}

/// Rooms that filled what their walls enclose and do so no longer, where no wall parted from another; for edits that neither make nor take
/// walls.
pub(crate) fn rooms_left(before: &Model, after: &Model, arguments: &Value, answer: &Value) -> Vec<String> {
    let joins = |model: &Model| model.of_class("IfcRelConnectsPathElements").len();
    if joins(after) < joins(before) {
        return Vec::new();
    }
    let mut said = Vec::new();
    texts(arguments, &mut said);
    texts(&answer["left_as_it_was"], &mut said);
    let is_said = |room: &Id| said.iter().any(|text| after.by_guid(text) == Some(*room));
    let (was, is) = (filling_rooms(before), filling_rooms(after));
    let is_left = |room: &Id| is.get(room).is_some_and(|fills| *fills == Some(false));
    let gone = was.iter().filter(|(room, fills)| **fills == Some(true) && is_left(room) && !is_said(room));
    gone.map(|(room, _)| format!("room: {} does not reach its walls any more", called(after, *room)))
        .collect()
}

/// Rooms, and whether they fill the region that the walls of their storey enclose around them; `None` where these enclose none.
fn filling_rooms(model: &Model) -> BTreeMap<Id, Option<bool>> {
    reading(model, |author| {
        let mut rooms = BTreeMap::new();
        for storey in model.of_class("IfcBuildingStorey") {
            let walls: Vec<Wall> = building::space::walls_on(author, storey);
            let regions = building::space::enclosed(&walls);
            for room in relations::children(model, storey) {
                if !model.get(room).is_some_and(|r| r.is_a("IfcSpace")) {
                    continue;
                }
                let Ok(told) = building::space::answer(author, room) else { continue };
                let outline: Vec<_> =
                    told.boundary_points.iter().map(|p| glam::DVec2::from_array(*p)).collect();
                let size = building::polygon::area(&outline).abs();
                let middle = outline.iter().sum::<glam::DVec2>() / outline.len() as f64;
                let around = regions.iter().find(|region| building::polygon::contains(region, middle));
                // at corners that came apart a wall's square end is no edge of the room
                let fills = around
                    .map(|region| (building::polygon::area(region).abs() - size).abs() < 5e4 + size / 100.0);
                rooms.insert(room, fills);
            }
        }
        rooms
    })
}
