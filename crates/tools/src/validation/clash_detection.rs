//! Elements that go through each other, are there twice, or come nearer than they may: within a model, or with another one.

use crate::clashing::{Mode, Search, TARGET, kind_word};
use crate::elements::{brief, number_json};
use crate::{IfcCall, Tool};
use building::clash::Clashes;
use contract::{Effect, Fault};
use geometry::query::{Interference, Kind};
use ifc::Model;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Clashes of one answer at most.
const MOST: usize = 500;
/// Groups of one answer at most.
const MOST_GROUPS: usize = 60;
/// About how many bytes of clashes an answer holds.
const BUDGET: usize = 24_000;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// IFC class, selector, or a word such as walls, pipes, structure, mep.
    source_category: String,
    /// The same, for what they are held against.
    target_category: String,
    /// Model of the targets; without it this one.
    #[schemars(extend("x-seldom" = true))]
    target_model_id: Option<String>,
    /// Its version.
    #[schemars(extend("x-seldom" = true))]
    target_model_version: Option<String>,
    /// mm of depth that are let pass.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    tolerance: f64,
    #[serde(default)]
    mode: Mode,
    /// mm, for mode clearance.
    clearance: Option<f64>,
    /// Clashes at most.
    #[schemars(extend("default" = 50, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<usize>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// A pair.
#[derive(Debug, Serialize, JsonSchema)]
struct Clash {
    /// Id, name, class.
    a: Map<String, Value>,
    b: Map<String, Value>,
    /// `hard`, `duplicate`, `inside` (a in b), `contains` (b in a), `touching`, `clearance`.
    kind: &'static str,
    /// A place to look at, in mm.
    point: [Value; 3],
    /// mm by which they go into each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<Value>,
    /// mm between them.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<Value>,
    /// Shared m³.
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<Value>,
}

/// Clashes of one kind between two classes.
#[derive(Debug, Serialize, JsonSchema)]
struct Group {
    a: String,
    b: String,
    kind: &'static str,
    count: usize,
}

/// The clashes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    total: usize,
    /// Elements held against each other.
    source_count: usize,
    target_count: usize,
    /// All clashes, by classes and kind.
    groups: Vec<Group>,
    /// Worst first.
    clashes: Vec<Clash>,
    /// Pairs left out because they are bound in the file, such as a door and its wall.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    bound: BTreeMap<String, usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("clash_detection", Effect::Query, run)
        .title("Clashes")
        .further_model(TARGET, "target_model_id", "target_model_version")
        .kept()
        .long()
        .description(
            "Finds elements of one category that go through those of another, within a model or with another model or version.",
        )
        .example("Walls and slabs", json!({ "source_category": "walls", "target_category": "IfcSlab" }))
        .example(
            "Nearer than 50 mm",
            json!({
                "source_category": "IfcWall", "target_category": "IfcWall", "mode": "clearance", "clearance": 50
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let start = crate::input::cursor(input.cursor.as_deref())?;
    let is_named = input.target_model_id.is_some() || input.target_model_version.is_some();
    let search = Search {
        source_category: input.source_category,
        target_category: input.target_category,
        mode: input.mode,
        tolerance: input.tolerance,
        clearance: input.clearance,
    };
    let found = search.run(call, is_named)?;
    let (model, target_model) = (call.edit.model(), found.target_model(call));
    let notes = found.notes;
    let (source_count, target_count) = (found.source_count, found.target_count);
    let found = found.clashes;
    let limit = crate::input::limit(input.limit, 50, MOST)?;
    let (clashes, next) = page(model, &target_model, &found, start, limit);
    Ok(Output {
        total: found.found.len(),
        source_count,
        target_count,
        groups: groups(model, &target_model, &found),
        clashes,
        bound: found.bound,
        next_cursor: next,
        notes,
    })
}

/// A length in metres as mm, to a thousandth.
fn mm(metres: f64) -> Value {
    number_json((metres * 1e6).round() / 1e3)
}

fn row(source: &Model, target: &Model, found: &Interference) -> Clash {
    let (depth, distance, volume) = match found.kind {
        Kind::Hard { depth, volume } => (Some(depth), None, volume),
        Kind::Duplicate { volume } => (None, None, volume),
        Kind::Inside { volume } | Kind::Contains { volume } => (None, None, Some(volume)),
        Kind::Touching { .. } => (None, Some(0.0), None),
        Kind::Clearance { distance } => (None, Some(distance), None),
    };
    Clash {
        a: brief(source, found.a),
        b: brief(target, found.b),
        kind: kind_word(&found.kind),
        point: found.place.to_array().map(mm),
        depth: depth.map(mm),
        distance: distance.map(mm),
        volume: volume.map(|cubic_metres| number_json((cubic_metres * 1e9).round() / 1e9)),
    }
}

/// The clashes from a place on, as many as an answer holds, and where to go on.
fn page(
    source: &Model,
    target: &Model,
    clashes: &Clashes,
    start: usize,
    limit: usize,
) -> (Vec<Clash>, Option<String>) {
    let (mut rows, mut spent) = (Vec::new(), 0);
    for found in clashes.found.iter().skip(start).take(limit) {
        let row = row(source, target, found);
        spent += serde_json::to_string(&row).map_or(0, |text| text.len());
        rows.push(row);
        if spent > BUDGET {
            break;
        }
    }
    let next = start + rows.len();
    let goes_on = next < clashes.found.len() && !rows.is_empty();
    (rows, goes_on.then(|| next.to_string()))
}

/// All clashes by classes and kind, the most first.
fn groups(source: &Model, target: &Model, clashes: &Clashes) -> Vec<Group> {
    let class = |model: &Model, id| model.get(id).map(|i| i.class_name().to_owned()).unwrap_or_default();
    let mut counts: BTreeMap<(String, String, &'static str), usize> = BTreeMap::new();
    for found in &clashes.found {
        let (mut a, mut b) = (class(source, found.a), class(target, found.b));
        if clashes.is_one_set && a > b {
            std::mem::swap(&mut a, &mut b);
        }
        let key = (a, b, kind_word(&found.kind));
        *counts.entry(key).or_default() += 1;
    }
    let mut groups: Vec<Group> =
        counts.into_iter().map(|((a, b, kind), count)| Group { a, b, kind, count }).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    groups.truncate(MOST_GROUPS);
    groups
}
