//! Elements that go through each other, are there twice, or come nearer than they may: within a model, or with another one.

use crate::elements::{brief, number_json};
use crate::opened::with_shape;
use crate::selecting::choose;
use crate::{IfcCall, Tool};
use building::clash::{self, Against, Clashes, Mode as Looked};
use contract::{Effect, Fault, FaultCode};
use geometry::query::{Index, Interference, Kind, Refused};
use ifc::Model;
use ifc::relations::Links;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The role of the other model or version.
const TARGET: &str = "target";
/// Clashes of one answer at most.
const MOST: usize = 500;
/// Groups of one answer at most.
const MOST_GROUPS: usize = 60;
/// About how many bytes of clashes an answer holds.
const BUDGET: usize = 24_000;

/// The kind of clash that is looked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Sharing space.
    #[default]
    Hard,
    /// Also nearer than `clearance`.
    Clearance,
    /// The same shape at the same place.
    Duplicate,
}

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
    let mode = mode(&input)?;
    let start = crate::input::cursor(input.cursor.as_deref())?;
    let is_named = input.target_model_id.is_some() || input.target_model_version.is_some();
    let other = match call.versions.get(TARGET) {
        None if is_named => Some(call.version(TARGET)?.clone()),
        other => other.cloned(),
    };
    let model = call.edit.model();
    let sources = choose(model, "source_category", std::slice::from_ref(&input.source_category))?;
    let target_model = other.as_ref().map_or(model, |other| other.model());
    let targets = choose(target_model, "target_category", std::slice::from_ref(&input.target_category))?;

    let (scene, index) = (call.scene()?, call.index()?);
    let part = |scene: &geometry::Scene, index: &Index, field: &str, ids: &[ifc::Id]| {
        let drawn = with_shape(scene, &Links::of_many(scene.model()), ids);
        if drawn.is_empty() {
            return Err(Fault::invalid(
                field,
                format!("None of the elements of `{field}` has a shape to clash with."),
            ));
        }
        Ok(index.subset(drawn))
    };
    let source = part(&scene, &index, "source_category", &sources)?;
    let target = match &other {
        None => part(&scene, &index, "target_category", &targets)?,
        Some(other) => {
            let (scene, index) = (other.scene(call.watch.as_ref())?, other.index(call.watch.as_ref())?);
            part(&scene, &index, "target_category", &targets)?
        }
    };
    let against = match &other {
        None => Against::SameVersion(&target),
        Some(other) if is_same_model(call, other.as_ref()) => Against::OtherVersion(&target, other.model()),
        Some(_) => Against::OtherModel(&target),
    };
    let watch = call.watch.as_ref();
    watch.begins("looking for clashes");
    let go_on = |done: usize, total: usize| watch.at(done as u64, total as u64);
    let model = call.edit.model();
    let found = clash::clashes(model, &source, &against, mode, input.tolerance / 1000.0, &go_on);
    let found = found.map_err(|refused| not_looked_at(&refused))?;

    let mut notes = Vec::new();
    if let Some(metres) = clash::apart(&source, &target) {
        notes.push(format!(
            "The two sets lie {metres:.1} m apart. If they are of two models, these may not share their origin."
        ));
    }
    let limit = crate::input::limit(input.limit, 50, MOST)?;
    let (clashes, next) = page(model, target_model, &found, start, limit);
    Ok(Output {
        total: found.found.len(),
        source_count: source.len(),
        target_count: target.len(),
        groups: groups(model, target_model, &found),
        clashes,
        bound: found.bound,
        next_cursor: next,
        notes,
    })
}

/// The pairs that the arguments ask for.
fn mode(input: &Input) -> Result<Looked, Fault> {
    if !(input.tolerance >= 0.0 && input.tolerance.is_finite()) {
        return Err(Fault::invalid("tolerance", "`tolerance` is a depth in mm, 0 or more."));
    }
    match (input.mode, input.clearance) {
        (Mode::Hard, None) => Ok(Looked::Hard),
        (Mode::Duplicate, None) => Ok(Looked::Duplicate),
        (Mode::Clearance, Some(mm)) if mm > 0.0 && mm.is_finite() => Ok(Looked::Clearance(mm / 1000.0)),
        (Mode::Clearance, _) => Err(Fault::invalid(
            "clearance",
            "mode=clearance needs `clearance`: the mm that have to be kept free.",
        )),
        (Mode::Hard | Mode::Duplicate, Some(_)) => {
            Err(Fault::invalid("clearance", "`clearance` goes with mode=clearance."))
        }
    }
}

fn is_same_model(call: &IfcCall, other: &dyn crate::OpenVersion) -> bool {
    let own = call.versions.get("model").and_then(|version| version.name());
    own.zip(other.name()).is_some_and(|(own, other)| own.id == other.id)
}

fn not_looked_at(refused: &Refused) -> Fault {
    match refused {
        Refused::Stopped => Fault::given_up("clash_detection"),
        Refused::TooMany(_) => Fault::new(FaultCode::LimitReached, format!("There are {refused}."))
            .with("field", "source_category"),
    }
}

fn kind_word(kind: &Kind) -> &'static str {
    match kind {
        Kind::Hard { .. } => "hard",
        Kind::Duplicate { .. } => "duplicate",
        Kind::Inside { .. } => "inside",
        Kind::Contains { .. } => "contains",
        Kind::Touching { .. } => "touching",
        Kind::Clearance { .. } => "clearance",
    }
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
