//! The parameters that many tools share, split off from a tool's own.

use contract::{Effect, Fault, ModelUse, ToolSpec};
use serde_json::{Map, Value};

/// The shared parameters of one call.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Common {
    pub(crate) model_id: Option<String>,
    pub(crate) model_version: Option<String>,
    pub(crate) reasoning: Option<String>,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) dry_run: bool,
    pub(crate) session: Option<String>,
    pub(crate) backend: Option<String>,
    /// True if the caller takes the answer later, from a job.
    pub(crate) as_job: bool,
}

impl Common {
    /// Reads the model out of the arguments of an action that is no tool.
    pub(crate) fn of_action(arguments: &Value) -> Self {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str).map(str::to_owned);
        Self {
            model_id: text("model_id"),
            model_version: text("model_version"),
            reasoning: text("reasoning"),
            ..Self::default()
        }
    }
}

/// Words that agents use for parameters, and the names that these have in one tool or another.
const OTHER_WORDS: [(&[&str], &[&str]); 10] = [
    (
        &["selector", "query", "filter", "where", "class", "classes", "category"],
        &["selector", "element_ids", "elements"],
    ),
    (&["element_ids", "members"], &["add"]),
    (&["points", "line", "polyline"], &["path", "boundary_points"]),
    (&["at", "position", "location", "origin"], &["point", "location", "at"]),
    (
        &["id", "ids", "guid", "guids", "global_id", "global_ids", "element", "elements"],
        &["element_id", "element_ids", "elements"],
    ),
    (&["name", "names", "new_name"], &["pattern", "element_id", "element_ids"]),
    (&["model", "file"], &["model_id", "file_path"]),
    (&["path", "filename", "file_name", "output", "output_path"], &["file_path"]),
    (&["storey", "storey_id", "floor", "level", "story"], &["level_id", "storey", "level"]),
    (&["host", "wall", "wall_id", "parent"], &["host_id"]),
];

/// Names that no schema lists: what ties calls together where the transport does not.
const HIDDEN: [&str; 1] = ["session"];
/// The back end that is to resolve the call; only some schemas list it, but any tool that works on a model takes it.
const BACKEND: &str = "backend";
const KEY_CHARACTERS: usize = 200;
const REASONING_BYTES: usize = 16 << 10;

/// Splits the shared parameters off and refuses names that the tool does not know. What remains is the tool's own, which
/// the tool checks itself, with the path of the field.
pub(crate) fn split(spec: &ToolSpec, arguments: Value) -> Result<(Map<String, Value>, Common), Fault> {
    let begins_model = spec.needs.new_when.as_ref().is_some_and(|when| when.holds(&arguments));
    let mut own = match arguments {
        Value::Object(map) => map,
        Value::Null => Map::new(),
        _ => return Err(Fault::invalid("", "The arguments must be a JSON object of named parameters.")),
    };
    check_names(spec, &own)?;
    contract::mend_slips(&spec.input_schema, &mut own);
    let mut common = Common { session: text(&mut own, spec, "session", true)?, ..Common::default() };
    if !spec.platform {
        common.backend = text(&mut own, spec, BACKEND, true)?;
    }
    if spec.needs.model == ModelUse::Current {
        common.model_id = text(&mut own, spec, "model_id", !requires(spec, "model_id"))?;
        common.model_version = text(&mut own, spec, "model_version", !requires(spec, "model_version"))?;
    }
    let named = match (&common.model_id, &common.model_version) {
        (Some(_), _) => Some("model_id"),
        (None, Some(_)) => Some("model_version"),
        (None, None) => None,
    };
    if let Some(named) = named.filter(|_| begins_model) {
        let problem = format!("This call begins a new model, so `{named}` would mean nothing; leave it out.");
        return Err(Fault::invalid(named, problem));
    }
    if spec.effect != Effect::Query {
        common.idempotency_key = text(&mut own, spec, "idempotency_key", true)?;
        if common
            .idempotency_key
            .as_ref()
            .is_some_and(|key| key.is_empty() || key.chars().count() > KEY_CHARACTERS)
        {
            return Err(Fault::invalid(
                "idempotency_key",
                format!("Parameter `idempotency_key` has to be 1 to {KEY_CHARACTERS} characters."),
            ));
        }
        common.dry_run = truth(&mut own, "dry_run")?;
    }
    if spec.needs.job {
        common.as_job = truth(&mut own, "as_job")?;
    }
    // A reason does no harm where it is not asked for.
    common.reasoning = text(&mut own, spec, "reasoning", true)?;
    if common.reasoning.as_ref().is_some_and(|reasoning| reasoning.len() > REASONING_BYTES) {
        return Err(Fault::invalid(
            "reasoning",
            format!("Parameter `reasoning` is longer than {REASONING_BYTES} bytes. Say it shorter."),
        ));
    }
    Ok((own, common))
}

/// A parameter that is true or false, taken out of the arguments.
fn truth(own: &mut Map<String, Value>, name: &str) -> Result<bool, Fault> {
    match own.shift_remove(name) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(truth)) => Ok(truth),
        Some(_) => Err(Fault::invalid(name, format!("Parameter `{name}`: expected true or false."))),
    }
}

fn requires(spec: &ToolSpec, name: &str) -> bool {
    let required = spec.input_schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|required| required == name))
}

/// A text parameter, taken out of the arguments or, where the tool requires it for itself, only read.
fn text(
    own: &mut Map<String, Value>,
    spec: &ToolSpec,
    name: &str,
    take: bool,
) -> Result<Option<String>, Fault> {
    let value = if take { own.shift_remove(name) } else { own.get(name).cloned() };
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(Fault::invalid(
            name,
            format!("Parameter `{name}` of {}: expected a text, got {other}.", spec.name),
        )),
    }
}

fn check_names(spec: &ToolSpec, given: &Map<String, Value>) -> Result<(), Fault> {
    let Some(known) = spec.input_schema.get("properties").and_then(Value::as_object) else { return Ok(()) };
    let is_known = |name: &str| {
        known.contains_key(name)
            || HIDDEN.contains(&name)
            || name == "reasoning"
            || (name == BACKEND && !spec.platform)
    };
    let Some(unknown) = given.keys().find(|name| !is_known(name)) else { return Ok(()) };
    let mut near = near_matches(unknown, known.keys().map(String::as_str));
    if near.is_empty() {
        let meant = OTHER_WORDS.iter().filter(|(words, _)| words.contains(&unknown.as_str()));
        let meant = meant.flat_map(|(_, names)| names.iter()).filter(|name| known.contains_key(**name));
        near = meant.map(|name| (*name).to_owned()).collect();
    }
    let all: Vec<&str> = known.keys().map(String::as_str).collect();
    let hint = match near.first() {
        Some(first) => format!("did you mean `{first}`?"),
        None => format!("it takes: {}.", all.join(", ")),
    };
    Err(Fault::invalid(unknown, format!("{} has no parameter `{unknown}`; {hint}", spec.name))
        .with("near_matches", near)
        .with("allowed", all))
}

/// The candidates that look most like `name`, best first, at most five.
pub(crate) fn near_matches<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = name.to_lowercase();
    let mut scored: Vec<(f64, &str)> = candidates
        .into_iter()
        .map(|candidate| {
            let lower = candidate.to_lowercase();
            let contained = lower.contains(&wanted) || wanted.contains(&lower);
            (strsim::jaro_winkler(&wanted, &lower) + if contained { 0.1 } else { 0.0 }, candidate)
        })
        .filter(|(score, _)| *score >= 0.8)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(5).map(|(_, candidate)| candidate.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::{FaultCode, ModelKind, Needs, Server};
    use serde_json::json;

    fn spec(model: ModelUse, effect: Effect, properties: Value, required: Value) -> ToolSpec {
        ToolSpec {
            name: "tool".into(),
            title: "Tool".into(),
            server: Server::Model,
            also_on: vec![],
            toolsets: vec![],
            description: "d".into(),
            effect,
            destructive: false,
            idempotent: false,
            side_effects: false,
            open_world: false,
            reads_when: None,
            needs: Needs::model(model, ModelKind::Ifc),
            platform: false,
            action: None,
            page: None,
            for_pages_only: false,
            input_schema: json!({ "type": "object", "properties": properties, "required": required }),
            output_schema: json!({}),
            examples: vec![],
        }
    }

    #[test]
    fn shared_parameters_are_split_off_and_the_tools_own_remain() {
        let spec = spec(
            ModelUse::Current,
            Effect::Create,
            json!({ "start": {}, "model_id": {}, "dry_run": {}, "idempotency_key": {} }),
            json!(["start"]),
        );
        let arguments = json!({ "start": [0, 0], "model_id": "House", "dry_run": true, "reasoning": "why" });
        let (own, common) = split(&spec, arguments).unwrap();
        assert_eq!(Value::Object(own), json!({ "start": [0, 0] }));
        assert_eq!(common.model_id.as_deref(), Some("House"));
        assert_eq!(common.reasoning.as_deref(), Some("why"));
        assert!(common.dry_run);
    }

    #[test]
    fn a_parameter_that_the_tool_itself_requires_stays_with_it() {
        let spec =
            spec(ModelUse::Current, Effect::Modify, json!({ "model_version": {} }), json!(["model_version"]));
        let (own, common) = split(&spec, json!({ "model_version": "abcd" })).unwrap();
        assert_eq!(own["model_version"], "abcd");
        assert_eq!(common.model_version.as_deref(), Some("abcd"));
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_one_that_was_meant() {
        let spec = spec(ModelUse::None, Effect::Query, json!({ "limit": {}, "cursor": {} }), json!([]));
        let fault = split(&spec, json!({ "limt": 3 })).unwrap_err();
        assert_eq!(fault.code, FaultCode::InvalidParams);
        assert_eq!(fault.data["near_matches"], json!(["limit"]));
        assert_eq!(fault.data["field"], "limt");
    }

    #[test]
    fn a_word_for_a_parameter_leads_to_its_name() {
        let spec = spec(ModelUse::None, Effect::Query, json!({ "element_ids": {}, "pset": {} }), json!([]));
        let fault = split(&spec, json!({ "selector": "IfcWall" })).unwrap_err();
        assert_eq!(fault.data["near_matches"], json!(["element_ids"]));
        let fault = split(&spec, json!({ "colour": 1 })).unwrap_err();
        assert_eq!(fault.data["near_matches"], json!([]));
    }

    #[test]
    fn wrong_types_of_shared_parameters_are_refused() {
        let spec =
            spec(ModelUse::Current, Effect::Modify, json!({ "model_id": {}, "dry_run": {} }), json!([]));
        for arguments in [json!({ "model_id": 3 }), json!({ "dry_run": "yes" }), json!([1])] {
            assert_eq!(split(&spec, arguments).unwrap_err().code, FaultCode::InvalidParams);
        }
    }

    #[test]
    fn a_call_that_begins_a_model_names_none() {
        let properties = json!({ "project": {}, "model_id": {}, "model_version": {} });
        let mut spec = spec(ModelUse::Current, Effect::Create, properties, json!([]));
        spec.needs.new_when = Some(contract::Condition::given("project"));
        for (field, arguments) in [
            ("model_id", json!({ "project": {}, "model_id": "House" })),
            ("model_version", json!({ "project": {}, "model_version": "main" })),
        ] {
            let fault = split(&spec, arguments).unwrap_err();
            assert_eq!((fault.code, &fault.data["field"]), (FaultCode::InvalidParams, &json!(field)));
        }
        let (_, common) = split(&spec, json!({ "model_id": "House" })).unwrap();
        assert_eq!(common.model_id.as_deref(), Some("House"));
        assert!(split(&spec, json!({ "project": {} })).is_ok());
    }
}
