//! Edits on models of other programs, by the kind of body that they gave their elements: each is made as asked and breaks no rule, or is
//! refused with the reason and with what would do; nothing is accepted that changes nothing.

use crate::desk::{Desk, text};
use crate::edited_state::{State, breaches};
use contract::{Fault, FaultCode};
use geometry::Bounds;
use glam::Vec3Swizzles;
use ifc::{Id, Model, relations};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Classes that are edited.
const CLASSES: [&str; 12] = [
    "IfcWall",
    "IfcSlab",
    "IfcRoof",
    "IfcColumn",
    "IfcBeam",
    "IfcMember",
    "IfcDoor",
    "IfcWindow",
    "IfcStair",
    "IfcSpace",
    "IfcFurnishingElement",
    "IfcBuildingElementProxy",
];

/// The names of all real models.
pub(crate) fn files() -> Vec<String> {
    let Some(models) = testing::data("models") else { return Vec::new() };
    let mut files: Vec<String> = std::fs::read_dir(models)
        .unwrap()
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter(|name| std::path::Path::new(name).extension().is_some_and(|e| e == "ifc"))
        .collect();
    files.sort();
    files
}

/// The kind of an element: its class, what its body is made of, and what else edits depend on.
fn kind(model: &Model, id: Id) -> String {
    let class = |id: Id| model.get(id).map(|e| e.class_name().to_owned()).unwrap_or_default();
    let of = |name: &str| -> Vec<Id> {
        let representations = relations::Links::of_one(model).representations_of(id).into_iter();
        let named = representations.filter_map(|r| model.get(r));
        named
            .filter(|r| r.text("RepresentationIdentifier").as_deref() == Some(name))
            .flat_map(|r| r.references("Items"))
            .collect()
    };
    let mut words = vec![class(id)];
    let body: BTreeSet<String> = of("Body").into_iter().map(class).collect();
    words.push(if body.is_empty() {
        "no body".to_owned()
    } else {
        body.into_iter().collect::<Vec<_>>().join("+")
    });
    if model.get(id).is_some_and(|e| e.is_a("IfcWall")) {
        words.push(if of("Axis").is_empty() { "no axis" } else { "axis" }.to_owned());
    }
    let shape = model.get(id).and_then(|e| e.reference("Representation"));
    if shape.is_some_and(|shape| model.referrers_of(shape, "IfcProduct").len() > 1) {
        words.push("shared shape".to_owned());
    }
    if !relations::openings_of(model, id).is_empty() {
        words.push("opened".to_owned());
    }
    if !relations::children(model, id).is_empty() {
        words.push("of parts".to_owned());
    }
    words.join(", ")
}

/// The first element of every kind.
fn samples(model: &Model) -> Vec<(String, Id)> {
    let mut found: BTreeMap<String, Id> = BTreeMap::new();
    for class in CLASSES {
        for id in model.of_class(class) {
            found.entry(kind(model, id)).or_insert(id);
        }
    }
    found.into_iter().collect()
}

/// An edit: a name for it, a tool and its arguments.
type Edit = (&'static str, &'static str, Value);

fn edits(model: &Model, id: Id) -> Vec<Edit> {
    let guid = |id: Id| model.get(id).and_then(|e| e.guid()).unwrap_or_default();
    let is = |class: &str| model.get(id).is_some_and(|e| e.is_a(class));
    let own = guid(id);
    let set = |name: &str, value: Value| json!({ "element_id": own, "parameter_name": name, "value": value });
    let size = geometry::bounds(model, id).map(|b| b.size()).unwrap_or_default();
    let mut all: Vec<Edit> = vec![
        ("move", "move_elements", json!({ "element_ids": [own], "by": [60, 40] })),
        ("rotate", "rotate_elements", json!({ "element_ids": [own], "angle": 5 })),
        ("copy", "copy_elements", json!({ "element_ids": [own], "by": [500_000, 0] })),
        ("height", "modify_parameter", set("height", json!((size.z * 0.9).round().max(50.0)))),
        ("thickness", "modify_parameter", set("thickness", json!(333))),
        ("width", "modify_parameter", set("width", json!((size.x.max(size.y) * 0.9).round().max(50.0)))),
    ];
    let (place, filling) = if is("IfcWall") {
        (json!({ "fraction": 0.5, "sill": 50 }), "window")
    } else {
        let centre = geometry::bounds(model, id).map(|b| b.centre()).unwrap_or_default();
        (json!([centre.x, centre.y]), "void")
    };
    let hole = json!({
        "host_id": own, "location": place, "width": 100, "height": 100, "opening_type": filling
    });
    all.push(("opening", "create_opening", hole));
    let mirror = mirror_of(model, id);
    all.push((
        "mirror",
        "mirror_elements",
        json!({ "element_ids": [own], "line": [[mirror, 0], [mirror, 1000]] }),
    ));
    if is("IfcWall") {
        let long = (size.x.max(size.y) * 0.9).round().max(50.0);
        all.push(("length", "modify_parameter", set("length", json!(long))));
        let window =
            json!({ "hosts": [own], "count": 1, "width": 120, "height": 110, "opening_type": "window" });
        all.push(("opening", "create_openings", json!({ "openings": [window] })));
        let storey = relations::storey_of(model, id);
        let beside = |other: &Id| *other != id && relations::storey_of(model, *other) == storey;
        let joined = model.referrers_of(id, "IfcRelConnectsPathElements").into_iter().find_map(|relation| {
            let relation = model.get(relation)?;
            let ends = [relation.reference("RelatingElement")?, relation.reference("RelatedElement")?];
            ends.into_iter().find(|end| *end != id)
        });
        if let Some(other) = joined.or_else(|| model.of_class("IfcWall").into_iter().find(beside)) {
            let ids = json!([own, guid(other)]);
            all.push(("join", "join_elements", json!({ "element_ids": ids, "join_type": "auto" })));
            all.push(("part", "join_elements", json!({ "element_ids": ids, "join_type": "none" })));
        }
    }
    all.push(("delete", "delete_elements", json!({ "element_ids": [own] })));
    all
}

/// The x of a mirror beside an element, in mm.
fn mirror_of(model: &Model, id: Id) -> f64 {
    geometry::bounds(model, id).map_or(0.0, |b| (b.max.x + 777.0).round())
}

/// Everything that shows an element's shape: its box and its volume; those of its parts where it has none of its own.
fn shape(model: &Model, id: Id) -> Vec<(Bounds, f64)> {
    let mut of = vec![id];
    // what stands in a room stays where it is
    if model.get(id).is_some_and(|e| e.is_a("IfcElement")) {
        of.extend(relations::decomposition(model, id));
    }
    of.into_iter()
        .filter_map(|id| {
            Some((geometry::bounds(model, id)?, geometry::measure(model, id).map_or(0.0, |m| m.volume)))
        })
        .collect()
}

fn is_moved(was: &[(Bounds, f64)], is: &[(Bounds, f64)], by: glam::DVec3) -> bool {
    was.len() == is.len()
        && was.iter().zip(is).all(|((a, _), (b, _))| {
            (a.min + by).abs_diff_eq(b.min, 0.5) && (a.max + by).abs_diff_eq(b.max, 0.5)
        })
}

/// The reason for which an edit that was accepted is not what was asked for.
fn unmade(edit: &Edit, before: &Model, after: &Model, id: Id, answer: &Value) -> Option<String> {
    let (was, is) = (shape(before, id), shape(after, id));
    let differs = || {
        was.len() != is.len()
            || was.iter().zip(&is).any(|((a, v), (b, w))| {
                !a.min.abs_diff_eq(b.min, 0.1) || !a.max.abs_diff_eq(b.max, 0.1) || (v - w).abs() > 1e-7
            })
    };
    let asked = &edit.2["value"];
    let said = |name: &str| format!("{name}: {answer}");
    match edit.0 {
        "move" => {
            (!is_moved(&was, &is, glam::DVec3::new(60.0, 40.0, 0.0))).then(|| said("not moved as asked"))
        }
        "rotate" => (!was.is_empty() && !differs()).then(|| said("not turned")),
        "mirror" => {
            let at = 2.0 * mirror_of(before, id);
            let is_image = |a: &Bounds, b: &Bounds| {
                let image = [at - a.max.x, at - a.min.x];
                (b.min.x - image[0]).abs() < 0.5
                    && (b.max.x - image[1]).abs() < 0.5
                    && (a.min.yz() - b.min.yz()).abs().max_element() < 0.5
            };
            let is_there = was.len() == is.len()
                && was.iter().zip(&is).all(|((a, v), (b, w))| is_image(a, b) && (v - w).abs() < 1e-6);
            (!is_there).then(|| said("the image is not there"))
        }
        "height" | "thickness" | "width" | "length" if answer["before"] == *asked => None,
        "height" | "thickness" | "width" | "length" => {
            let told = (answer["after"].as_f64()? - asked.as_f64()?).abs() > 0.5;
            (told || !was.is_empty() && !differs()).then(|| said("not that large"))
        }
        "opening" => (!differs()).then(|| said("nothing was cut")),
        "copy" => {
            let Some(copy) = after.by_guid(&text(&answer["copies"][0]["id"])) else {
                return Some(said("no copy is told"));
            };
            let by = glam::DVec3::new(500_000.0, 0.0, 0.0);
            (!is_moved(&was, &shape(after, copy), by)).then(|| said("the copy is not there"))
        }
        "delete" => after.contains(id).then(|| said("it is there still")),
        _ => {
            let joins = |model: &Model| model.referrers_of(id, "IfcRelConnectsPathElements").len();
            (joins(before) == joins(after) && answer["joins"][0].is_null())
                .then(|| said("nothing was joined"))
        }
    }
}

/// Returns true if a refusal lacks its reason or a way out.
fn unclear(fault: &Fault) -> bool {
    let codes = [
        FaultCode::InvalidParams,
        FaultCode::ConstraintViolation,
        FaultCode::ElementNotFound,
        FaultCode::NotSupported,
    ];
    // words of what can be done instead: tools, parameters, what to do first
    const WAYS: [&str; 20] = [
        " can ",
        "can be",
        "It has: ",
        "create_",
        "boolean_operation",
        "Move",
        "move ",
        "Make",
        "Choose",
        "Give ",
        "give ",
        "Take ",
        "take ",
        "Place ",
        "place it",
        "Bring ",
        "copy it",
        "Cut ",
        "Change ",
        "Leave it out",
    ];
    // of what is not there there is nothing else to do
    let has_way =
        WAYS.iter().any(|word| fault.message.contains(word)) || fault.message.contains("nothing to part");
    !codes.contains(&fault.code) || fault.message.len() < 60 || !has_way
}

/// Makes every edit on samples of every kind in a model, each on the model as it came; of kinds that were seen in a file of the same
/// unit of length not again. `laws` asks whether the laws of edits hold, too.
fn edit_all(file: &str, seen: &mut BTreeSet<String>, laws: bool) -> Vec<String> {
    let mut desk = Desk::open(file).unwrap();
    let origin = desk.model.clone();
    let whole = laws.then(|| State::read(&mut desk));
    let mut found = Vec::new();
    let unit = ifc::units::Units::from_model(&origin).length_label().to_owned();
    for (kind, id) in samples(&origin) {
        if !seen.insert(format!("{kind} in {unit}")) {
            continue;
        }
        let mut line = Vec::new();
        for edit in edits(&origin, id) {
            desk.model = origin.clone();
            let here = |what: String| format!("{file}: {kind} {id}: {}: {what}", edit.0);
            match desk.try_call(edit.1, edit.2.clone()) {
                Ok(answer) => {
                    line.push(edit.0.to_owned());
                    found.extend(unmade(&edit, &origin, &desk.model, id, &answer).map(here));
                    if let Some(before) = &whole {
                        let after = before.after(&mut desk);
                        found.extend(breaches(before, &after, &edit.2, &answer).into_iter().map(here));
                    }
                }
                Err(fault) => {
                    line.push(format!("no {} ({})", edit.0, fault.message));
                    if unclear(&fault) {
                        found.push(here(format!("refused: {fault}")));
                    }
                    if !desk.model.differing(&origin).is_some_and(|ids| ids.is_empty()) {
                        found.push(here("refused, and the model is another".to_owned()));
                    }
                }
            }
        }
        println!("{file}: {kind}: {}", line.join("; "));
    }
    found
}

#[test]
fn on_every_kind_of_element_of_other_programs_an_edit_is_made_as_asked_or_refused_with_a_way_out() {
    let mut seen = BTreeSet::new();
    let found: Vec<String> = files().iter().flat_map(|file| edit_all(file, &mut seen, false)).collect();
    assert!(found.is_empty(), "{} failures:\n{}", found.len(), found.join("\n"));
}

#[test]
#[ignore = "takes minutes: run by `cargo xtask soak`"]
fn soak_edits_on_every_kind_of_element_of_other_programs_keep_the_laws() {
    let mut seen = BTreeSet::new();
    let found: Vec<String> = files().iter().flat_map(|file| edit_all(file, &mut seen, true)).collect();
    assert!(found.is_empty(), "{} breaches:\n{}", found.len(), found.join("\n"));
}
