//! A tool as a value: its description, its schemas, its body. Built by the `tool()` of each tool file.

use crate::following::{self, Asked};
use crate::{EnergyCall, IfcCall, parse};
use contract::{
    Action, BoxFuture, Condition, Effect, EventType, Fault, FileNeed, FurtherModel, Link, ModelKind,
    ModelUse, Needs, Platform, PlatformBody, PlatformReply, Server, ToolExample, ToolSpec, Toolset,
    answer_schema_of, mark, schema_of,
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The body of a tool on an IFC model.
pub type IfcBody = Arc<dyn Fn(&mut IfcCall, Value) -> Result<Value, Fault> + Send + Sync>;

/// The body of a tool on an EnergyPlus model.
pub type EnergyBody = Arc<dyn Fn(&mut EnergyCall<'_>, Value) -> Result<Value, Fault> + Send + Sync>;

/// The body of a platform tool as its file writes it.
pub type PlatformFn<I, O> = for<'a> fn(&'a dyn Platform, I) -> BoxFuture<'a, Result<Reply<O>, Fault>>;

/// The place where a tool's body runs.
#[derive(Clone)]
pub enum Body {
    /// In an Execution Service, on an IFC model.
    Ifc(IfcBody),
    /// In an Execution Service, on an EnergyPlus model.
    Energy(EnergyBody),
    /// In service, on models, versions, sessions and audit as a whole.
    Platform(PlatformBody),
    /// In an Execution Service, on a model, by what its adapter brings.
    Adapter,
}

/// The input of a tool that takes nothing of its own.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Empty {}

/// A tool.
#[derive(Clone)]
pub struct Tool {
    /// The description that transports, policy and documentation see.
    pub spec: ToolSpec,
    /// The body.
    pub body: Body,
    /// The kind of event that its change is recorded as.
    pub event: Option<EventType>,
    input: Value,
    output: Value,
    energy: Option<EnergyBody>,
}

impl Tool {
    /// A tool whose body runs on an IFC model.
    pub fn ifc<I, O>(name: &str, effect: Effect, run: fn(&mut IfcCall, I) -> Result<O, Fault>) -> Self
    where
        I: DeserializeOwned + JsonSchema + 'static,
        O: Serialize + JsonSchema + 'static,
    {
        let input = schema_of::<I>();
        let known = own_names(&input);
        let body: IfcBody = Arc::new(move |call, arguments| {
            let asked = Asked::from_arguments(&arguments);
            let input = parse::<I>(arguments, &known)?;
            let (before, began_empty) = (call.edit.model().clone(), call.edit.is_empty());
            let mut answer = to_value(&run(call, input)?)?;
            if effect != Effect::Query {
                following::follow(call, &asked, &before, began_empty, &mut answer)?;
            }
            Ok(telling_assumptions(answer, &mut call.assumed))
        });
        let needs = Needs::model(ModelUse::Current, ModelKind::Ifc);
        Self::new(name, effect, input, answer_schema_of::<O>(), Body::Ifc(body), needs)
    }

    /// A tool whose body runs on an EnergyPlus model, or with [`Tool::model`] on none.
    pub fn energy<I, O>(
        name: &str,
        effect: Effect,
        run: fn(&mut EnergyCall<'_>, I) -> Result<O, Fault>,
    ) -> Self
    where
        I: DeserializeOwned + JsonSchema + 'static,
        O: Serialize + JsonSchema + 'static,
    {
        let input = schema_of::<I>();
        let known = own_names(&input);
        let body: EnergyBody =
            Arc::new(move |call, arguments| to_value(&run(call, parse::<I>(arguments, &known)?)?));
        let needs = Needs::model(ModelUse::Current, ModelKind::EnergyPlus);
        Self::new(name, effect, input, answer_schema_of::<O>(), Body::Energy(body), needs)
    }

    /// A tool whose body each adapter has of its own.
    pub fn adapter<I: JsonSchema, O: JsonSchema>(name: &str, effect: Effect) -> Self {
        let needs = Needs::model(ModelUse::Current, ModelKind::Ifc);
        Self::new(name, effect, schema_of::<I>(), answer_schema_of::<O>(), Body::Adapter, needs)
    }

    /// A tool that the platform runs; it works on no model of its own unless [`Tool::model`] says so.
    pub fn platform<I, O>(name: &str, effect: Effect, run: PlatformFn<I, O>) -> Self
    where
        I: DeserializeOwned + JsonSchema + Send + 'static,
        O: Serialize + JsonSchema + Send + 'static,
    {
        let input = schema_of::<I>();
        let known = own_names(&input);
        let body: PlatformBody = Arc::new(move |platform, arguments| {
            let parsed = parse::<I>(arguments, &known);
            Box::pin(async move {
                let reply = run(platform, parsed?).await?;
                Ok(PlatformReply {
                    result: to_value(&reply.answer)?,
                    status: reply.status.map(str::to_owned),
                    committed: reply.committed,
                    links: reply.links,
                })
            })
        });
        Self::new(name, effect, input, answer_schema_of::<O>(), Body::Platform(body), Needs::default())
    }

    fn new(name: &str, effect: Effect, input: Value, output: Value, body: Body, needs: Needs) -> Self {
        let spec = ToolSpec {
            name: name.to_owned(),
            title: sentence(name),
            server: Server::Model,
            also_on: Vec::new(),
            toolsets: Vec::new(),
            description: String::new(),
            effect,
            destructive: false,
            idempotent: effect == Effect::Query,
            side_effects: false,
            open_world: false,
            reads_when: None,
            needs,
            platform: matches!(body, Body::Platform(_)),
            action: None,
            page: None,
            for_pages_only: false,
            input_schema: Value::Null,
            output_schema: Value::Null,
            examples: Vec::new(),
        };
        let mut tool = Self { spec, body, event: None, input, output, energy: None };
        tool.publish();
        tool
    }

    /// The words for people; by default the name's own.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        title.clone_into(&mut self.spec.title);
        self
    }

    /// The text that agents read: one line, plus what is needed.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        text.clone_into(&mut self.spec.description);
        self
    }

    /// Says that it removes or overwrites.
    #[must_use]
    pub fn destructive(mut self) -> Self {
        self.spec.destructive = true;
        self
    }

    /// Says that a second call with the same arguments changes nothing more.
    #[must_use]
    pub fn idempotent(mut self) -> Self {
        self.spec.idempotent = true;
        self
    }

    /// Says that a call does more than read though it changes no model: it writes a file, makes a link, moves the session.
    #[must_use]
    pub fn side_effects(mut self) -> Self {
        (self.spec.side_effects, self.spec.idempotent) = (true, false);
        self
    }

    /// Says that it reaches beyond this system, into the network.
    #[must_use]
    pub fn open_world(mut self) -> Self {
        self.spec.open_world = true;
        self
    }

    /// The action that a caller has to be granted, where that is not what the effect says.
    #[must_use]
    pub fn action(mut self, action: Action) -> Self {
        self.spec.action = Some(action);
        self
    }

    /// The model it works on.
    #[must_use]
    pub fn model(mut self, model: ModelUse) -> Self {
        self.spec.needs.model = model;
        self.publish();
        self
    }

    /// Says that it works on no model of its own, and is told the session's where there is one, for what is to be said in its terms;
    /// unless the parameter `instead` says in which.
    #[must_use]
    pub fn in_terms_of_model(mut self, instead: &str) -> Self {
        self.spec.needs.instead = Some(instead.to_owned());
        self.model(ModelUse::Optional)
    }

    /// Says that it makes a model, which this parameter names.
    #[must_use]
    pub fn makes_model(mut self, name: &str) -> Self {
        self.spec.needs.name = Some(name.to_owned());
        self.model(ModelUse::New)
    }

    /// Says that a call makes a model where this holds, which this parameter names, instead of working on one.
    #[must_use]
    pub fn makes_model_when(mut self, condition: Condition, name: &str) -> Self {
        self.spec.needs.new_when = Some(condition);
        self.spec.needs.name = Some(name.to_owned());
        self
    }

    /// The kind of model that it works on, where that is not its server's.
    #[must_use]
    pub fn kind(mut self, kind: ModelKind) -> Self {
        self.spec.needs.kinds = vec![kind];
        self
    }

    /// Says that it takes models of any kind.
    #[must_use]
    pub fn any_kind(mut self) -> Self {
        self.spec.needs.kinds = vec![ModelKind::Ifc, ModelKind::EnergyPlus];
        self
    }

    /// A further model, which the caller names by two parameters; the body finds it by its role.
    #[must_use]
    pub fn further_model(mut self, role: &str, id: &str, version: &str) -> Self {
        let [role, id, version] = [role, id, version].map(str::to_owned);
        self.spec.needs.models.push(FurtherModel { role, id: Some(id), version });
        self
    }

    /// A further version of the call's own model, which the caller names by a parameter; the body finds it by its role.
    #[must_use]
    pub fn further_version(mut self, role: &str, version: &str) -> Self {
        let [role, version] = [role, version].map(str::to_owned);
        self.spec.needs.models.push(FurtherModel { role, id: None, version });
        self
    }

    /// Says that its answer hangs on its parameters and on the versions it reads alone. The answer is kept with its files, and not
    /// made again for the same question.
    #[must_use]
    pub fn kept(mut self) -> Self {
        self.spec.needs.kept = true;
        self
    }

    /// Says that it may take long, so that a call can be submitted as a job.
    #[must_use]
    pub fn long(mut self) -> Self {
        self.spec.needs.job = true;
        self.publish();
        self
    }

    /// Files that it is given beside the models.
    #[must_use]
    pub fn file(mut self, need: FileNeed) -> Self {
        self.spec.needs.files.push(need);
        self
    }

    /// Names further files.
    #[must_use]
    pub fn files(mut self, needs: impl IntoIterator<Item = FileNeed>) -> Self {
        self.spec.needs.files.extend(needs);
        self
    }

    /// Says that it makes files. They are kept, and answered as links.
    #[must_use]
    pub fn makes_files(mut self) -> Self {
        self.spec.needs.scratch = true;
        self
    }

    /// Says that a call only reads where this parameter is this text.
    #[must_use]
    pub fn reads_when(mut self, parameter: &str, text: &str) -> Self {
        self.spec.reads_when = Some(Condition::is(parameter, text));
        self
    }

    /// The page that shows its answer in a chat.
    #[must_use]
    pub fn page(mut self, uri: &str) -> Self {
        self.spec.page = Some(uri.to_owned());
        self
    }

    /// Called by pages in a chat alone: agents are not told of it.
    #[must_use]
    pub fn for_pages_only(mut self) -> Self {
        self.spec.for_pages_only = true;
        self
    }

    /// The type of the event that its change is recorded as.
    #[must_use]
    pub fn event(mut self, event: EventType) -> Self {
        self.event = Some(event);
        self
    }

    /// A server that lists it besides its own, because the tools there are of no use without it.
    #[must_use]
    pub fn also_on(mut self, server: Server) -> Self {
        self.spec.also_on.push(server);
        self
    }

    /// Gives a tool on IFC models a body for EnergyPlus models, too. It takes and answers what the other does.
    #[must_use]
    pub fn with_energy(mut self, run: fn(&mut EnergyCall<'_>, Value) -> Result<Value, Fault>) -> Self {
        self.energy = Some(Arc::new(run));
        self
    }

    /// The body for EnergyPlus models, if there is one.
    pub fn energy_body(&self) -> Option<&EnergyBody> {
        match &self.body {
            Body::Energy(body) => Some(body),
            _ => self.energy.as_ref(),
        }
    }

    /// A call that runs as a test, on the sample that tests use.
    #[must_use]
    pub fn example(mut self, title: &str, arguments: Value) -> Self {
        self.spec.examples.push(ToolExample { title: title.to_owned(), arguments });
        self
    }

    /// The set it is listed with, where that is not its server's main one; said again, another one.
    #[must_use]
    pub fn toolset(mut self, set: Toolset) -> Self {
        self.spec.toolsets.push(set);
        self
    }

    /// The server it is listed under; set by the catalogue from its folder.
    #[must_use]
    pub fn on(mut self, server: Server) -> Self {
        self.spec.server = server;
        if self.spec.toolsets.is_empty() {
            self.spec.toolsets.push(Toolset::main_of(server));
        }
        if self.spec.needs.kinds.is_empty() {
            self.spec.needs.kinds.push(server.kind());
        }
        self
    }

    fn publish(&mut self) {
        self.spec.input_schema = input_schema(&self.input, &self.spec.needs, self.spec.effect);
        self.spec.output_schema = output_schema(&self.output, self.spec.effect);
        let reads_job = self.spec.needs.files.iter().any(|need| matches!(need, FileNeed::Job(_)));
        let members = self.spec.output_schema.get_mut("properties").and_then(Value::as_object_mut);
        if let Some(members) = members.filter(|_| reads_job) {
            let about = "The run's job, and the model and version that it simulated.";
            members.insert("results_of".into(), json!({ "type": "object", "description": about }));
        }
        let is_change =
            self.spec.effect != Effect::Query && matches!(self.body, Body::Ifc(_) | Body::Adapter);
        let members = self.spec.output_schema.get_mut("properties").and_then(Value::as_object_mut);
        if let Some(members) = members.filter(|_| is_change) {
            // told by the adapter
            let about = "True, or what of that which was touched overlaps, floats or lies outside its host: kind, elements, say.";
            members.insert("sound".into(), json!({ "anyOf": [{ "type": "boolean" }, { "type": "array", "items": { "type": "object" } }], "description": about }));
            let ids = json!({ "type": "array", "items": { "type": "string" }, "description": "GlobalIds of what was drawn again because it hung on the change." });
            members.entry("regenerated").or_insert(ids);
            let left = json!({ "type": "array", "items": { "type": "object" }, "description": "What hung on the change and did not follow: id, name, why." });
            members.entry("left_as_it_was").or_insert(left);
            let renewed = json!({ "type": "object", "description": "Space boundaries that followed: rooms (GlobalIds), created, changed, unchanged, removed." });
            members.entry("space_boundaries").or_insert(renewed);
        }
    }
}

/// The answer of a platform tool's body.
pub struct Reply<O> {
    /// Its answer.
    pub answer: O,
    /// The status, where that is not plainly `ok`.
    pub status: Option<&'static str>,
    /// The commit it made, if it made one.
    pub committed: Option<contract::Committed>,
    /// Things to open.
    pub links: Vec<contract::Link>,
}

impl<O> Reply<O> {
    /// An answer and no more.
    pub fn new(answer: O) -> Self {
        Self { answer, status: None, committed: None, links: Vec::new() }
    }

    /// The commit that it made.
    #[must_use]
    pub fn committed(mut self, committed: contract::Committed) -> Self {
        self.committed = Some(committed);
        self
    }

    /// The status.
    #[must_use]
    pub fn status(mut self, status: &'static str) -> Self {
        self.status = Some(status);
        self
    }

    /// A thing to open.
    #[must_use]
    pub fn link(mut self, title: &str, href: String) -> Self {
        self.links.push(contract::Link { title: title.to_owned(), href });
        self
    }
}

fn to_value<T: Serialize>(value: &T) -> Result<Value, Fault> {
    let mut value = serde_json::to_value(value)
        .map_err(|error| Fault::backend(format!("The answer could not be written as JSON: {error}.")))?;
    leave_out_nulls(&mut value);
    Ok(value)
}

/// A member that is null says no more than one that is absent; in lists it keeps its place.
fn leave_out_nulls(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|_, member| !member.is_null());
            map.values_mut().for_each(leave_out_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(leave_out_nulls),
        _ => {}
    }
}

/// The answer with what was chosen for the caller beside it, if anything was.
fn telling_assumptions(mut answer: Value, assumed: &mut Vec<String>) -> Value {
    if !assumed.is_empty()
        && let Value::Object(members) = &mut answer
    {
        // a choice that was made for every storey is told once
        let mut told = BTreeSet::new();
        assumed.retain(|choice| told.insert(choice.clone()));
        members.insert("assumed".into(), std::mem::take(assumed).into());
    }
    answer
}

fn own_names(schema: &Value) -> Vec<String> {
    schema
        .get("properties")
        .and_then(Value::as_object)
        .map(|p| p.keys().cloned().collect())
        .unwrap_or_default()
}

/// `create_wall` → `Create wall`.
fn sentence(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars.map(|c| if c == '_' { ' ' } else { c })).collect()
    })
}

/// The tool's own parameters and, after them, those that all tools of its kind take.
fn input_schema(own: &Value, needs: &Needs, effect: Effect) -> Value {
    let mut properties = own.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut common = |name: &str, kind: &str, about: &str| {
        let schema = json!({ "type": kind, "description": about, (mark::COMMON): true });
        properties.entry(name.to_owned()).or_insert(schema);
    };
    if needs.model == ModelUse::Current {
        common("model_id", "string", "Id or name; default: the session's.");
        common("model_version", "string", "A version, its first digits, or a branch; default: the newest.");
    }
    if needs.job {
        common("as_job", "boolean", "Answers a job_id at once; get_job has the answer.");
    }
    if effect != Effect::Query {
        common("reasoning", "string", "Why, for the audit log.");
        common(
            "idempotency_key",
            "string",
            "Makes a retry safe: the same key answers what the first call did.",
        );
        common("dry_run", "boolean", "Only preview: answers what would change.");
    }
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), Value::Object(properties));
    if let Some(required) = own.get("required").filter(|r| r.as_array().is_some_and(|r| !r.is_empty())) {
        schema.insert("required".into(), required.clone());
    }
    if let Some(definitions) = own.get("$defs") {
        schema.insert("$defs".into(), definitions.clone());
    }
    schema.insert("additionalProperties".into(), false.into());
    Value::Object(schema)
}

/// The tool's own answer, and what every answer of its kind carries.
fn output_schema(own: &Value, effect: Effect) -> Value {
    let mut schema = own.as_object().cloned().unwrap_or_default();
    schema.remove("additionalProperties");
    let members = schema.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(members) = members {
        let mut common = |name: &str, schema: Value| {
            members.entry(name.to_owned()).or_insert(schema);
        };
        if effect != Effect::Query {
            for (name, about) in [
                ("status", "What became of the call, such as `created` or `preview`."),
                ("event_id", "The event that the change is recorded as."),
                ("model_id", "The model."),
                ("model_version", "The version that the change made."),
            ] {
                common(name, json!({ "type": "string", "description": about }));
            }
            common(
                "assumed",
                json!({
                    "type": "array", "items": { "type": "string" },
                    "description": "What was chosen where the call said nothing."
                }),
            );
            common(
                "changes",
                json!({ "type": "object", "description": "What was added, modified, removed." }),
            );
        }
        common(
            "links",
            json!({ "type": "array", "items": schema_of::<Link>(), "description": "Things to open." }),
        );
    }
    schema.insert("type".into(), "object".into());
    Value::Object(schema)
}
