//! The topics that are kept with the model, with comments, elements and what was done to them.

use crate::elements::{OneOrMore, brief};
use crate::kept_topics::{self, Kept};
use crate::selecting::choose;
use crate::topics::{guid_of, guids_of};
use crate::{IfcCall, Tool};
use bcf::Guid;
use contract::{Effect, Fault, FaultCode, Toolset};
use ifc::Model;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Topics of one answer at most.
const MOST: usize = 200;
/// Elements of one topic that are listed.
const LISTED: usize = 20;
/// About how many bytes of topics an answer holds.
const BUDGET: usize = 9_000;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// One of them, whole: comments and history.
    guid: Option<String>,
    /// Only of these: Open, Closed.
    status: Option<OneOrMore>,
    /// Only those of this person.
    assigned_to: Option<String>,
    /// Only those about one of these: ids or selector.
    element_ids: Option<OneOrMore>,
    /// Topics at most.
    #[schemars(extend("default" = 50, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<usize>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// The result. Texts are those of the topics' authors.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Topics that are as asked for.
    total: usize,
    /// Of all that are kept, by status.
    by_status: BTreeMap<String, usize>,
    /// The last changed first.
    topics: Vec<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("list_topics", Effect::Query, run)
        .title("Issues of the model")
        .toolset(Toolset::Exchange)
        .description(
            "Lists the issues kept with the model by keep_topics; one of them with its comments and history.",
        )
        .example("What is open", json!({ "status": "Open" }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let start = crate::input::cursor(input.cursor.as_deref())?;
    let limit = crate::input::limit(input.limit, 50, MOST)?;
    let model = call.edit.model();
    let all = kept_topics::read(model);
    let mut by_status: BTreeMap<String, usize> = BTreeMap::new();
    for kept in all.values() {
        *by_status.entry(kept.topic.status.clone().unwrap_or_else(|| "none".to_owned())).or_default() += 1;
    }
    let is_whole = input.guid.is_some();
    let mut chosen = chosen(model, &input, &all, &by_status)?;
    let last = |kept: &Kept| kept.history.last().map(|entry| entry.time.clone());
    chosen.sort_by_key(|kept| (std::cmp::Reverse(last(kept)), kept.topic.title.clone()));
    let (mut topics, mut spent) = (Vec::new(), 0);
    for kept in chosen.iter().skip(start).take(limit) {
        let row = told(model, kept, is_whole);
        spent += serde_json::to_string(&row).map_or(0, |text| text.len());
        if spent > BUDGET && !topics.is_empty() {
            break;
        }
        topics.push(row);
    }
    let next = start + topics.len();
    Ok(Output {
        total: chosen.len(),
        by_status,
        topics,
        next_cursor: (next < chosen.len()).then(|| next.to_string()),
    })
}

/// The topics that are as asked for.
fn chosen<'k>(
    model: &Model,
    input: &Input,
    all: &'k BTreeMap<Guid, Kept>,
    by_status: &BTreeMap<String, usize>,
) -> Result<Vec<&'k Kept>, Fault> {
    if let Some(text) = &input.guid {
        let found = Guid::parse(text).and_then(|guid| all.get(&guid));
        let found = found.ok_or_else(|| {
            let text: String = text.chars().take(60).collect();
            Fault::new(FaultCode::NotFound, format!("No topic '{text}' is kept.")).with("field", "guid")
        })?;
        return Ok(vec![found]);
    }
    let status: Option<Vec<String>> = input.status.clone().map(OneOrMore::list);
    for (at, name) in status.iter().flatten().enumerate() {
        if !by_status.keys().any(|own| own.eq_ignore_ascii_case(name)) && !all.is_empty() {
            let known: Vec<&String> = by_status.keys().collect();
            let name: String = name.chars().take(60).collect();
            let problem = format!("No topic is '{name}'.");
            return Err(Fault::invalid(&format!("status[{at}]"), problem).with("known", known));
        }
    }
    let elements: Option<BTreeSet<String>> = match &input.element_ids {
        Some(texts) => {
            let ids = choose(model, "element_ids", &texts.clone().list())?;
            Some(ids.into_iter().filter_map(|id| guid_of(model, id)).collect())
        }
        None => None,
    };
    let is_wanted = |kept: &&Kept| {
        let own = kept.topic.status.as_deref().unwrap_or("none");
        status.as_ref().is_none_or(|all| all.iter().any(|name| name.eq_ignore_ascii_case(own)))
            && input.assigned_to.as_ref().is_none_or(|who| kept.topic.assigned_to.as_ref() == Some(who))
            && elements.as_ref().is_none_or(|all| {
                kept.topic.viewpoints.iter().flat_map(guids_of).any(|guid| all.contains(guid))
            })
    };
    Ok(all.values().filter(is_wanted).collect())
}

fn told(model: &Model, kept: &Kept, is_whole: bool) -> Map<String, Value> {
    let topic = &kept.topic;
    let mut row = Map::new();
    row.insert("guid".to_owned(), json!(topic.guid.to_string()));
    for (name, value) in [
        ("title", &topic.title),
        ("type", &topic.kind),
        ("status", &topic.status),
        ("priority", &topic.priority),
        ("assigned_to", &topic.assigned_to),
        ("due", &topic.due),
        ("author", &topic.created.author),
        ("date", &topic.created.date),
        ("description", &topic.description),
    ] {
        let Some(value) = value else { continue };
        let most = if is_whole { 4_000 } else { 300 };
        row.insert(name.to_owned(), json!(value.chars().take(most).collect::<String>()));
    }
    if !topic.labels.is_empty() {
        row.insert("labels".to_owned(), json!(topic.labels));
    }
    let guids: BTreeSet<&str> = topic.viewpoints.iter().flat_map(guids_of).collect();
    let found: Vec<_> = guids.iter().filter_map(|guid| model.by_guid(guid)).collect();
    let missing = guids.len() - found.len();
    row.insert(
        "elements".to_owned(),
        found.iter().take(LISTED).map(|id| Value::Object(brief(model, *id))).collect(),
    );
    if found.len() > LISTED {
        row.insert("more_elements".to_owned(), json!(found.len() - LISTED));
    }
    if missing > 0 {
        row.insert("not_in_model".to_owned(), json!(missing));
    }
    if is_whole {
        let comments = topic
            .comments
            .iter()
            .map(|own| json!({ "author": own.created.author, "date": own.created.date, "text": own.text }));
        row.insert("comments".to_owned(), comments.collect());
        row.insert("history".to_owned(), json!(kept.history));
    } else {
        row.insert("comments".to_owned(), json!(topic.comments.len()));
        row.insert("changed".to_owned(), json!(kept.history.last().map(|entry| &entry.time)));
    }
    row
}
