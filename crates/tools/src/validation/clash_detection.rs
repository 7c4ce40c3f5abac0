//! Elements that go through each other, are there twice, or come nearer than they may: within a model, or with another one.

use crate::clash_groups::{self, Group, GroupBy};
use crate::clashing::{Asked, Found, Matrix, Mode, RowTold, Search, TARGET, clash_guid, kind_word};
use crate::elements::{brief, number_json};
use crate::places::{mm, mm_point};
use crate::waivers::{self, Waived};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault};
use geometry::query::{Kind, Relation};
use ifc::Model;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use validation::clash::Ignore;

/// Clashes of one answer at most.
const MOST: usize = 500;
/// About how many bytes of clashes an answer holds.
const BUDGET: usize = 8_000;
/// Clashes that are gone and told, at most.
const GONE: usize = 20;
/// The role of the earlier version.
const SINCE: &str = "since";

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// IFC class, selector, or a word such as walls, pipes, structure, mep.
    source_category: Option<String>,
    /// The same, for what they are held against.
    target_category: Option<String>,
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
    /// Instead of two categories: `disciplines`, or rows of your own.
    #[schemars(extend("x-seldom" = true))]
    matrix: Option<Matrix>,
    /// Bonds that pairs are left out for; by default all.
    #[schemars(extend("x-seldom" = true))]
    ignore: Option<Vec<Ignore>>,
    #[serde(default)]
    group_by: GroupBy,
    /// mm within which places are one cluster.
    #[schemars(extend("default" = 1000, "x-seldom" = true))]
    reach: Option<f64>,
    /// Earlier version: tells what is new, still there, and resolved since.
    #[schemars(extend("x-seldom" = true))]
    since: Option<String>,
    /// Clashes at most.
    #[schemars(extend("default" = 25, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<usize>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// A pair.
#[derive(Debug, Serialize, JsonSchema)]
struct Clash {
    /// The same each time; also the topic's in BCF.
    id: String,
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
    /// The bond that the file states and that was not ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    bond: Option<Value>,
    /// Row of the matrix, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<usize>,
    /// `new` or `active`, with `since`.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
}

/// A clash that is gone.
#[derive(Debug, Serialize, JsonSchema)]
struct Gone {
    id: String,
    a: String,
    b: String,
}

/// The difference to an earlier version.
#[derive(Debug, Serialize, JsonSchema)]
struct Since {
    new: usize,
    active: usize,
    resolved: usize,
    /// The first that were resolved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gone: Vec<Gone>,
}

/// The clashes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    total: usize,
    /// Elements held against each other.
    source_count: usize,
    target_count: usize,
    /// Rows of the matrix.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rows: Vec<RowTold>,
    /// All clashes, the largest groups first.
    groups: Vec<Group>,
    group_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<Since>,
    /// Worst first.
    clashes: Vec<Clash>,
    /// Clashes that waive_findings approved, and that are left out.
    approved_count: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    approved: Vec<Waived>,
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
        .further_version(SINCE, "since")
        .kept()
        .long()
        .description(
            "Finds elements of one category that go through those of another, within a model or with another model or version; \
             or a whole matrix of disciplines.",
        )
        .example("Walls and slabs", json!({ "source_category": "walls", "target_category": "IfcSlab" }))
        .example(
            "Nearer than 50 mm",
            json!({
                "source_category": "IfcWall", "target_category": "IfcWall", "mode": "clearance", "clearance": 50
            }),
        )
        .example("All disciplines, by storey", json!({ "matrix": "disciplines", "group_by": "storey" }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let start = crate::input::cursor(input.cursor.as_deref())?;
    let limit = crate::input::limit(input.limit, 25, MOST)?;
    let reach = input.reach.unwrap_or(1000.0);
    if !(reach > 0.0 && reach.is_finite()) {
        return Err(Fault::invalid("reach", "`reach` is a distance in mm, more than 0."));
    }
    if input.reach.is_some() && input.group_by != GroupBy::Cluster {
        return Err(Fault::invalid("reach", "`reach` goes with group_by=cluster."));
    }
    let asked = asked(&input)?;
    let is_named = input.target_model_id.is_some() || input.target_model_version.is_some();
    let mut found = asked.run(call, is_named)?;
    let model = call.edit.model().clone();
    let target_model = found.other.as_ref().map_or_else(|| model.clone(), |other| other.model().clone());
    // of one model both are the same
    let models = if found.other.is_some() { [&model, &target_model] } else { [&model, &model] };
    let before = match input.since {
        Some(_) => Some(asked.before(call, SINCE, found.other.clone())?),
        None => None,
    };
    let guid = |own: &Found| clash_guid(models[0], models[1], &own.clash.pair).to_string();
    let mut named: Vec<(String, Found)> = found.found.into_iter().map(|own| (guid(&own), own)).collect();
    let every: Vec<String> = named.iter().map(|(guid, _)| guid.clone()).collect();
    let approved = waivers::take(models[0], &mut named);
    let guids: Vec<String>;
    (guids, found.found) = named.into_iter().unzip();
    // what is approved is not resolved
    let since = before.as_ref().map(|before| since(&every, before));
    let statuses = Statuses { before: before.as_ref() };
    let (groups, group_count, note) =
        clash_groups::groups(call, models, &found.found, input.group_by, reach / 1000.0);
    found.notes.extend(note);
    let (clashes, next) = page(models, &found.found, &guids, &statuses, start, limit);
    Ok(Output {
        total: found.found.len(),
        source_count: found.source_count,
        target_count: found.target_count,
        rows: found.rows,
        groups,
        group_count,
        since,
        clashes,
        approved_count: approved.len(),
        approved: waivers::told(approved),
        bound: found.bound,
        next_cursor: next,
        notes: found.notes,
    })
}

/// The pairs that the arguments ask for.
fn asked(input: &Input) -> Result<Asked, Fault> {
    let (source, target) = match (&input.matrix, &input.source_category, &input.target_category) {
        (Some(matrix), None, None) => {
            if input.mode != Mode::Hard || input.clearance.is_some() || input.tolerance != 0.0 {
                let problem = "The rows of a matrix have `mode`, `clearance` and `tolerance` of their own.";
                return Err(Fault::invalid("matrix", problem));
            }
            return Asked::matrix(matrix, input.ignore.clone());
        }
        (Some(_), _, _) => {
            return Err(Fault::invalid("matrix", "Give two categories, or a matrix, not both."));
        }
        (None, Some(source), Some(target)) => (source.clone(), target.clone()),
        (None, None, _) => {
            let problem = "Give `source_category` and `target_category`, or `matrix`.";
            return Err(Fault::invalid("source_category", problem));
        }
        (None, Some(_), None) => {
            let problem = "Give `target_category`: what the sources are held against.";
            return Err(Fault::invalid("target_category", problem));
        }
    };
    Ok(Asked::one(Search {
        source_category: source,
        target_category: target,
        mode: input.mode,
        tolerance: input.tolerance,
        clearance: input.clearance,
        ignore: input.ignore.clone(),
    }))
}

/// The clashes of an earlier version: their names by GUID.
type Before = BTreeMap<String, (String, String)>;

/// The standing of clashes beside an earlier version.
struct Statuses<'b> {
    before: Option<&'b Before>,
}

impl Statuses<'_> {
    fn status(&self, guid: &str) -> Option<&'static str> {
        self.before.map(|before| if before.contains_key(guid) { "active" } else { "new" })
    }
}

fn since(now: &[String], before: &Before) -> Since {
    let now: BTreeSet<&str> = now.iter().map(String::as_str).collect();
    let active = now.iter().filter(|guid| before.contains_key(**guid)).count();
    let gone: Vec<Gone> = before
        .iter()
        .filter(|(guid, _)| !now.contains(guid.as_str()))
        .map(|(id, (a, b))| Gone { id: id.clone(), a: a.clone(), b: b.clone() })
        .collect();
    let resolved = gone.len();
    Since { new: now.len() - active, active, resolved, gone: gone.into_iter().take(GONE).collect() }
}

fn row(models: [&Model; 2], found: &Found, id: &str, status: Option<&'static str>) -> Clash {
    let pair = &found.clash.pair;
    let (depth, distance, volume) = match pair.kind {
        Kind::Hard { depth, volume } => (Some(depth), None, volume),
        Kind::Duplicate { volume } => (None, None, volume),
        Kind::Inside { volume } | Kind::Contains { volume } => (None, None, Some(volume)),
        Kind::Touching { .. } => (None, Some(0.0), None),
        Kind::Clearance { distance } => (None, Some(distance), None),
    };
    let relation = found.clash.relation;
    Clash {
        id: id.to_owned(),
        a: brief(models[0], pair.a),
        b: brief(models[1], pair.b),
        kind: kind_word(&pair.kind),
        point: mm_point(pair.place),
        depth: depth.map(mm),
        distance: distance.map(mm),
        volume: volume.map(|cubic_metres| number_json((cubic_metres * 1e9).round() / 1e9)),
        bond: (relation != Relation::None).then(|| json!(relation)),
        row: found.row,
        status,
    }
}

/// The clashes from a place on, as many as an answer holds, and where to go on.
fn page(
    models: [&Model; 2],
    clashes: &[Found],
    guids: &[String],
    statuses: &Statuses<'_>,
    start: usize,
    limit: usize,
) -> (Vec<Clash>, Option<String>) {
    let (mut rows, mut spent) = (Vec::new(), 0);
    for (found, guid) in clashes.iter().zip(guids).skip(start).take(limit) {
        let row = row(models, found, guid, statuses.status(guid));
        spent += serde_json::to_string(&row).map_or(0, |text| text.len());
        rows.push(row);
        if spent > BUDGET {
            break;
        }
    }
    let next = start + rows.len();
    let goes_on = next < clashes.len() && !rows.is_empty();
    (rows, goes_on.then(|| next.to_string()))
}
