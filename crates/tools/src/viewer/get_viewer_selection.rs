//! What a person has selected and pointed at in the viewer, so that "this wall" and "here" mean something to an agent.

use crate::{Reply, Tool};
use contract::{
    Caller, Effect, Fault, KeptSight, ModelUse, Operation, Place, Queries, Sessions, SightCamera,
    SightSection, Sights, VersionId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Elements told of one page at most.
const MOST: usize = 200;
/// Points of which the room is told, of one page.
const PLACED: usize = 20;

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// Name of the person, where several look; default: you, else everybody.
    #[schemars(extend("x-seldom" = true))]
    person: Option<String>,
    /// Selected elements at most.
    #[schemars(extend("default" = 50, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<usize>,
}

/// The open pages of the viewer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The latest first.
    viewers: Vec<Viewer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// One open page.
#[derive(Debug, Serialize, JsonSchema)]
struct Viewer {
    person: String,
    seconds_ago: u64,
    /// Shown.
    model_version: VersionId,
    /// Storey shown in plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    storey: Option<String>,
    /// Number of elements selected.
    selected: usize,
    /// The latest last: id, class, name, storey, type.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elements: Vec<Map<String, Value>>,
    /// Places and lines pointed at, the latest last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<Mark>,
    #[serde(skip_serializing_if = "Option::is_none")]
    camera: Option<SightCamera>,
    /// Planes that take away what their normal points to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sections: Vec<SightSection>,
}

/// One point, or the corners of a line.
#[derive(Debug, Serialize, JsonSchema)]
struct Mark {
    points: Vec<Pointed>,
}

/// A place that was pointed at.
#[derive(Debug, Serialize, JsonSchema)]
struct Pointed {
    /// mm.
    at: Place,
    /// Element that was hit.
    #[serde(skip_serializing_if = "Option::is_none")]
    on: Option<String>,
    /// Room that it lies in, by id.
    #[serde(skip_serializing_if = "Option::is_none")]
    room: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("get_viewer_selection", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .title("What is selected")
        .description(
            "What the person has selected and pointed at in the viewer (\"this wall\", \"here\"): elements, places in mm, rooms.",
        )
        .model(ModelUse::Current)
        .example("What is selected now", json!({}))
}

async fn run(
    platform: &(impl Caller + Queries + Sessions + Sights + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    let limit = crate::input::limit(input.limit, 50, MOST)?;
    let all = platform.sights().await?;
    if all.is_empty() {
        let link =
            platform.address_of(&format!("/viewer?model={}", platform.current_model().await?.model_id));
        let note = format!("Nobody has this model open in the viewer. A person opens it at {link}.");
        return Ok(Reply::new(Output { viewers: Vec::new(), notes: vec![note] }));
    }
    let of = |name: &str| all.iter().filter(|kept| kept.principal == name).cloned().collect::<Vec<_>>();
    let chosen = match &input.person {
        Some(person) => {
            let theirs = of(person);
            if theirs.is_empty() {
                let mut people: Vec<&str> = all.iter().map(|kept| kept.principal.as_str()).collect();
                people.sort_unstable();
                people.dedup();
                let problem =
                    format!("{person} has not this model open in the viewer; {} have.", people.join(", "));
                return Err(Fault::invalid("person", problem).with("allowed", people));
            }
            theirs
        }
        None => Some(of(&platform.principal().name)).filter(|own| !own.is_empty()).unwrap_or(all),
    };
    let mut viewers = Vec::new();
    for kept in chosen {
        viewers.push(told(platform, kept, limit).await?);
    }
    Ok(Reply::new(Output { viewers, notes: Vec::new() }))
}

/// One page, with what the model says of it.
async fn told(platform: &(impl Queries + ?Sized), kept: KeptSight, limit: usize) -> Result<Viewer, Fault> {
    let sight = kept.sight;
    let latest = sight.selection.get(sight.selection.len().saturating_sub(limit)..).unwrap_or_default();
    let mut elements = described(platform, latest).await?;
    // an element that is gone, or of another model, is told by its id
    for id in latest.iter().filter(|id| !is_among(&elements, id)).cloned().collect::<Vec<_>>() {
        elements.push(Map::from_iter([("id".to_owned(), id.into())]));
    }
    elements
        .sort_by_key(|row| latest.iter().position(|id| row.get("id").and_then(Value::as_str) == Some(id)));
    let mut marks = Vec::new();
    let mut placed = 0;
    for mark in sight.marks {
        let mut points = Vec::new();
        for (number, at) in mark.points.iter().enumerate() {
            placed += 1;
            let room = if placed <= PLACED { room_at(platform, *at).await? } else { None };
            points.push(Pointed { at: *at, on: mark.on.get(number).cloned().flatten(), room });
        }
        marks.push(Mark { points });
    }
    Ok(Viewer {
        person: kept.principal,
        seconds_ago: kept.seconds_ago,
        model_version: kept.version,
        storey: sight.storey,
        selected: sight.selection.len(),
        elements,
        marks,
        camera: sight.camera,
        sections: sight.sections,
    })
}

fn is_among(rows: &[Map<String, Value>], id: &str) -> bool {
    rows.iter().any(|row| row.get("id").and_then(Value::as_str) == Some(id))
}

/// The rows of elements by their ids.
async fn described(
    platform: &(impl Queries + ?Sized),
    ids: &[String],
) -> Result<Vec<Map<String, Value>>, Fault> {
    // only what can be an id goes into a selector
    let is_id =
        |id: &&String| id.len() == 22 && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"_$".contains(&b));
    let known: Vec<&str> = ids.iter().filter(is_id).map(String::as_str).collect();
    if known.is_empty() {
        return Ok(Vec::new());
    }
    let params =
        json!({ "selector": known.join(" + "), "fields": ["class", "storey", "type"], "limit": MOST });
    let found =
        platform.query(Operation { effect: Effect::Query, name: "query_elements".into(), params }).await;
    let rows = match found {
        Ok(artifact) => artifact.result.get("rows").cloned(),
        // none of them is in this version
        Err(fault) if fault.data.get("element_id").is_some() => None,
        Err(fault) => return Err(fault),
    };
    Ok(rows.and_then(|rows| serde_json::from_value(rows).ok()).unwrap_or_default())
}

/// The room in which a place lies, a hand above it where it is on a floor.
async fn room_at(platform: &(impl Queries + ?Sized), [x, y, z]: Place) -> Result<Option<String>, Fault> {
    let params =
        json!({ "near": { "to": [x, y, z + 100.0], "distance": 1 }, "categories": ["IfcSpace"], "limit": 1 });
    let asked = Operation { effect: Effect::Query, name: "spatial_query".into(), params };
    let found = match platform.query(asked).await {
        Ok(found) => found,
        // there are no rooms at all
        Err(fault) if fault.data.get("field").is_some_and(|field| field == "categories") => return Ok(None),
        Err(fault) => return Err(fault),
    };
    let first = found.result.get("element_ids").and_then(|ids| ids.get(0)).and_then(Value::as_str);
    Ok(first.map(str::to_owned))
}
