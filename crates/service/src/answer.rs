//! The compact answer that an agent reads: what the operation came to, the version that is now current, what changed.
//! Nothing is said twice, nulls are left out, and what is too large becomes a file with a link.

use crate::call::Call;
use crate::length;
use contract::{
    Artifact, ChatArtifact, Committed, DiffSummary, Effect, Fault, Link, ModelKind, NamedElement, Picture,
    PlatformReply, VersionId,
};
use serde_json::{Map, Value};
use std::collections::HashSet;
use store::FileRecord;

/// The role of files that are shown beside the answer.
const PICTURE: &str = "picture";
/// Bytes of a picture that is shown beside the answer; of a larger one there is only the link.
const PICTURE_BYTES: u64 = 1 << 20;
/// The tool that answers what a script gives.
const SCRIPT: &str = "run_code";
/// Tools whose answer names the objects that they changed.
const TELL_CHANGES: [&str; 11] = [
    "add_object",
    "apply_measure",
    "mend_messages",
    "batch_add_objects",
    "update_object",
    "duplicate_object",
    "rename_object",
    "remove_object",
    "remove_objects",
    "new_model",
    "load_model",
];
/// Of these, those whose answer counts them as well.
const EACH_CHANGE: [&str; 6] = [
    "add_object",
    "batch_add_objects",
    "update_object",
    "duplicate_object",
    "rename_object",
    "apply_measure",
];
/// The remark of an answer whose lists were cut.
const CUT: &str = "Lists were cut to what is read at once; `omitted` tells how many members were left out, the linked file has them all, and a cursor goes on behind them.";
/// Characters that the remark, the lines about lists and the link take.
const ABOUT_CUTS: usize = 600;
/// The most elements that were added and are named one by one, where nothing was removed.
const ADDED_BY_NAME: u64 = 20;

/// The answer of an operation, with links to the files that it made besides.
pub(crate) type Answered = (Value, Vec<Link>);

/// The outcome of a query: its result, and the files that were kept of it by the roles that it gave them.
pub(crate) struct QueryResult {
    pub(crate) result: Value,
    pub(crate) changes: Option<DiffSummary>,
    pub(crate) files: Vec<(String, FileRecord)>,
}

/// The answer to a query on a model.
pub(crate) async fn of_query(call: &Call, answered: QueryResult) -> Result<ChatArtifact, Fault> {
    let answer = ChatArtifact {
        result: members(answered.result),
        changes: answered.changes,
        links: answered.files.iter().map(|(_, file)| call.link(file)).collect(),
        pictures: pictures(call, &answered.files).await?,
        ..ChatArtifact::default()
    };
    let answer = finish(call, answer).await?;
    call.gives(serde_json::to_string(&answer.result).map_or(0, |text| text.len() as u64))?;
    Ok(answer)
}

/// Those of some files which are to be looked at and small enough to be sent along.
async fn pictures(call: &Call, files: &[(String, FileRecord)]) -> Result<Vec<Picture>, Fault> {
    let mut pictures = Vec::new();
    for (_, file) in files.iter().filter(|(role, file)| role == PICTURE && file.size <= PICTURE_BYTES) {
        let bytes = call.inner.store.blob(&file.sha256).await?;
        pictures.push(Picture::new(&file.media_type, &bytes));
    }
    Ok(pictures)
}

/// The answer to a change, once it is known what it will be committed as.
pub(crate) async fn of_commit(
    call: &Call,
    committed: &Committed,
    answered: Option<Answered>,
    is_new: bool,
) -> Result<ChatArtifact, Fault> {
    let (result, links) = match answered {
        Some((result, links)) => (members(result), links),
        None => (Map::new(), Vec::new()),
    };
    let changes = committed.changes.clone().filter(|changes| !is_new || !changes.is_empty());
    let answer = ChatArtifact {
        status: Some(status_of(call.what.effect, call.what.destructive, changes.as_ref()).to_owned()),
        result,
        model_id: (is_new || call.common.model_id.is_some()).then(|| committed.model_id.clone()),
        model_version: Some(committed.version.clone()),
        event_id: Some(committed.event_id.clone()),
        changes,
        links,
        pictures: Vec::new(),
    };
    finish(call, answer).await
}

/// The answer to a change that changed nothing.
pub(crate) async fn of_unchanged(
    call: &Call,
    artifact: Artifact,
    head: &VersionId,
    links: Vec<Link>,
) -> Result<ChatArtifact, Fault> {
    let answer = ChatArtifact {
        links,
        status: Some("unchanged".to_owned()),
        result: members(artifact.result),
        model_version: Some(head.clone()),
        ..ChatArtifact::default()
    };
    finish(call, answer).await
}

/// The answer to a dry run: what would come of it, and nothing that was not made.
pub(crate) async fn of_preview(call: &Call, artifact: Artifact) -> Result<ChatArtifact, Fault> {
    let answer = ChatArtifact {
        status: Some("preview".to_owned()),
        result: members(artifact.result),
        changes: artifact.diff_summary,
        ..ChatArtifact::default()
    };
    finish(call, answer).await
}

/// The answer of a tool that the platform itself ran.
pub(crate) async fn of_reply(call: &Call, reply: PlatformReply) -> Result<ChatArtifact, Fault> {
    let mut answer =
        ChatArtifact { result: members(reply.result), links: reply.links, ..ChatArtifact::default() };
    if call.is_dry_run() {
        answer.status = Some("preview".to_owned());
        answer.changes = reply.committed.and_then(|committed| committed.changes);
        return finish(call, answer).await;
    }
    if call.what.effect != Effect::Query {
        let changes = reply.committed.as_ref().and_then(|committed| committed.changes.as_ref());
        let usual =
            if reply.committed.is_some() { status_of(call.what.effect, false, changes) } else { "ok" };
        answer.status = Some(reply.status.unwrap_or_else(|| usual.to_owned()));
    }
    if let Some(committed) = reply.committed {
        let is_new = committed.parent.is_none();
        answer.model_id = (is_new || call.common.model_id.is_some()).then_some(committed.model_id);
        answer.model_version = Some(committed.version);
        answer.event_id = Some(committed.event_id);
        answer.changes = committed.changes.filter(|changes| !is_new || !changes.is_empty());
    }
    finish(call, answer).await
}

/// An object's members; anything else stands under `result`.
fn members(result: Value) -> Map<String, Value> {
    match result {
        Value::Object(mut map) => {
            map.retain(|_, value| !value.is_null());
            map
        }
        Value::Null => Map::new(),
        other => Map::from_iter([("result".to_owned(), other)]),
    }
}

async fn finish(call: &Call, mut answer: ChatArtifact) -> Result<ChatArtifact, Fault> {
    // What the pipeline knows stands once, in its own place.
    for (name, known) in [
        ("status", answer.status.is_some()),
        ("model_id", answer.model_id.is_some()),
        ("model_version", answer.model_version.is_some()),
        ("event_id", answer.event_id.is_some()),
        ("changes", answer.changes.is_some()),
        ("links", !answer.links.is_empty()),
    ] {
        if known {
            answer.result.shift_remove(name);
        }
    }
    if let Some(changes) = &mut answer.changes {
        name_once(changes, &answer.result);
        // tools on objects of EnergyPlus answer each of them, and each value before and after
        if call.what.kind == Some(ModelKind::EnergyPlus) && TELL_CHANGES.contains(&call.what.tool.as_str()) {
            changes.elements.clear();
            changes.properties.clear();
        }
    }
    let is_told = EACH_CHANGE.contains(&call.what.tool.as_str()) && !call.is_dry_run();
    if is_told && call.what.kind == Some(ModelKind::EnergyPlus) {
        answer.changes = None;
    }
    // a script's own numbers are its own business, and objects of EnergyPlus are written back as they were read
    if call.what.kind == Some(ModelKind::Ifc) && call.what.tool != SCRIPT {
        answer.result.values_mut().for_each(length::round_numbers);
    }
    let most = call.inner.config.answer_bytes;
    let usual = usual_length(call).min(most);
    if let Some(changes) = answer.changes.as_mut().filter(|_| usual < most) {
        length::cut_changes(changes);
    }
    let size = length::characters_of(&answer);
    if size <= usual {
        return Ok(answer);
    }
    let whole = serde_json::to_vec(&answer.result)
        .map_err(|error| Fault::backend(format!("The answer cannot be written: {error}.")))?;
    let mut incoming = call.inner.store.incoming(call.inner.config.import_bytes)?;
    incoming.write(&whole)?;
    let staged = incoming.finish().await?;
    let record = call.keep_file(&format!("{}.json", call.what.tool), "application/json", staged).await?;
    answer.links.push(Link { title: "The whole answer".to_owned(), href: call.file_link(&record) });
    let own = length::characters_of(&answer.result);
    let beside = size.saturating_sub(own);
    let left_out = length::cut_lists(&mut answer.result, own, usual.saturating_sub(beside + ABOUT_CUTS));
    if length::characters_of(&answer.result) > most {
        answer.result = shortened(std::mem::take(&mut answer.result), most);
    } else if !left_out.is_empty() {
        answer.result.insert("omitted".into(), left_out.into());
        let note = match answer.result.get("note").and_then(Value::as_str) {
            Some(note) => format!("{note} {CUT}"),
            None => CUT.to_owned(),
        };
        answer.result.insert("note".into(), note.into());
    }
    Ok(answer)
}

/// Returns the length that an answer is cut to where the call does not ask for more by a limit or a detail of its own.
fn usual_length(call: &Call) -> usize {
    let given = |name: &str| call.what.arguments.get(name).and_then(Value::as_str);
    let asks_for_more = matches!(given("detail"), Some("full" | "raw"))
        || call.what.arguments.get("limit").is_some_and(Value::is_u64);
    if asks_for_more || call.what.tool == SCRIPT {
        usize::MAX
    } else if call.what.effect == Effect::Query {
        length::READ
    } else {
        length::CHANGE
    }
}

/// Leaves out of a change's elements those that were added or removed and whose ids the answer says already, and of many that were added all;
/// how many there are of each class it counts, and `diff_versions` has them.
fn name_once(changes: &mut DiffSummary, result: &Map<String, Value>) {
    fn collect<'v>(value: &'v Value, texts: &mut HashSet<&'v str>) {
        match value {
            Value::String(text) => drop(texts.insert(text)),
            Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
            Value::Object(members) => members.values().for_each(|member| collect(member, texts)),
            _ => {}
        }
    }
    let mut told = HashSet::new();
    result.values().for_each(|value| collect(value, &mut told));
    name_changes_once(changes);
    let are_many = changes.removed.is_empty() && changes.added.values().sum::<u64>() > ADDED_BY_NAME;
    changes
        .elements
        .retain(|element| !element.changes.is_empty() || (!are_many && !told.contains(element.id.as_str())));
}

/// Leaves out of a change's elements in what they changed, where it is the same properties or attributes for all and `properties` tells them.
fn name_changes_once(changes: &mut DiffSummary) {
    let told = |kind: &str, name: &Value| {
        ["properties", "attributes"].contains(&kind)
            && changes.properties.iter().any(|change| name.as_str() == Some(change.property.as_str()))
    };
    let is_told = |element: &NamedElement| {
        element.changes.iter().all(|(kind, names)| {
            names.as_array().is_some_and(|names| names.iter().all(|name| told(kind, name)))
        })
    };
    let of_all: u64 = changes.modified.values().sum();
    // one property may have had several values before
    let on = |property: &str| -> u64 {
        let same = changes.properties.iter().filter(|change| change.property == property);
        same.map(|change| change.also + 1).sum()
    };
    let is_one_change = changes.properties.iter().all(|change| on(&change.property) == of_all);
    if is_one_change && !changes.properties.is_empty() && changes.elements.iter().all(is_told) {
        changes.elements.iter_mut().for_each(|element| element.changes.clear());
    }
}

/// As many members as fit, the small ones first; those left out are named.
fn shortened(result: Map<String, Value>, limit: usize) -> Map<String, Value> {
    let size = |value: &Value| value.to_string().len();
    let mut order: Vec<(usize, &String)> = result.iter().map(|(name, value)| (size(value), name)).collect();
    order.sort_unstable();
    let mut left = limit / 2;
    let mut fits = Vec::new();
    for (size, name) in order {
        let cost = size + name.len() + 4;
        if cost > left {
            break;
        }
        left -= cost;
        fits.push(name.clone());
    }
    let omitted: Vec<Value> =
        result.keys().filter(|name| !fits.contains(name)).take(50).map(|name| name.as_str().into()).collect();
    let mut kept: Map<String, Value> = result.into_iter().filter(|(name, _)| fits.contains(name)).collect();
    kept.insert("omitted".into(), omitted.into());
    kept.insert(
        "note".into(),
        "The answer was too large; the members named in `omitted` are in the linked file. Ask for less to see them here."
            .into(),
    );
    kept
}

/// Returns the word for a change.
fn status_of(effect: Effect, destructive: bool, changes: Option<&DiffSummary>) -> &'static str {
    match effect {
        Effect::Query => "ok",
        Effect::Create => "created",
        Effect::Modify => {
            let removes = changes.is_none_or(|c| c.added.is_empty() && !c.removed.is_empty());
            if destructive && removes { "deleted" } else { "modified" }
        }
    }
}
