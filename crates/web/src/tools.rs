//! The tools for programs that do not speak MCP: each is a path of an OpenAPI document, and a call is a POST of its arguments.
//!
//! `/tools/openapi.json` lists the usual tools, with `?toolsets=structure,versions` those of further sets besides, with `?toolsets=all` every one; any
//! can be called. What makes or loads a model answers a `session`: sent along as an argument it says which model later calls mean.

use crate::WebState;
use crate::caller::Caller;
use crate::reply::Refusal;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use contract::{Fault, ToolSpec, Toolset, mark, schema_of};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Bytes of a call's arguments at most, as over MCP.
const CALL_BYTES: usize = 16 << 20;
/// The word for every set.
const ALL: &str = "all";

pub(crate) fn routes() -> Router<Arc<WebState>> {
    Router::new()
        .route("/tools/openapi.json", get(document))
        .route("/tools/{name}", post(call).layer(DefaultBodyLimit::max(CALL_BYTES)))
}

/// The sets of tools to list.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    /// Further sets, parted by commas, or `all`.
    toolsets: Option<String>,
}

async fn document(
    State(shared): State<Arc<WebState>>,
    Query(listed): Query<Listed>,
) -> Result<Json<Value>, Refusal> {
    let sets = sets(listed.toolsets.as_deref().unwrap_or_default())?;
    let service = &shared.service;
    let specs = service.catalogue().specs().iter().map(AsRef::as_ref);
    let specs =
        specs.filter(|spec| !spec.for_pages_only && spec.toolsets.iter().any(|set| sets.contains(set)));
    Ok(Json(of_tools(specs, &|backend| service.has_backend(backend))))
}

/// The sets that a list of names means, the usual ones with them.
fn sets(names: &str) -> Result<Vec<Toolset>, Fault> {
    let mut sets = Toolset::USUAL.to_vec();
    for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match Toolset::from_name(name) {
            Some(set) => sets.push(set),
            None if name == ALL => sets.extend(Toolset::ALL),
            None => {
                let known: Vec<&str> = Toolset::ALL.iter().map(|set| set.as_str()).chain([ALL]).collect();
                let problem = format!("There is no set {name}; there are {}.", known.join(", "));
                return Err(Fault::invalid("toolsets", problem).with("allowed", known));
            }
        }
    }
    Ok(sets)
}

async fn call(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Path(name): Path<String>,
    Json(arguments): Json<Value>,
) -> Result<Json<Value>, Refusal> {
    let mut answer = shared.service.call(&context, &name, arguments).await?;
    let pictures = std::mem::take(&mut answer.pictures);
    let mut told = serde_json::to_value(answer)
        .map_err(|error| Fault::backend(format!("The answer cannot be written: {error}.")))?;
    if let (Value::Object(members), false) = (&mut told, pictures.is_empty()) {
        let pictures = pictures
            .iter()
            .map(|picture| json!({"media_type": picture.media_type, "base64": picture.base64}));
        members.insert("pictures".into(), pictures.collect());
    }
    Ok(Json(told))
}

/// The OpenAPI document of tools. `offers` says if a back end is here, without which some parameters are of no use.
fn of_tools<'s>(specs: impl Iterator<Item = &'s ToolSpec>, offers: &dyn Fn(&str) -> bool) -> Value {
    let (mut paths, mut schemas) = (Map::new(), Map::new());
    schemas.insert("Fault".into(), schema_of::<Fault>());
    for spec in specs {
        let mut input = spec.input_schema.clone();
        if let Some(Value::Object(properties)) = input.get_mut("properties") {
            properties.retain(|_, about| {
                let backend = about.get(mark::BACKEND).and_then(Value::as_str);
                about.get(mark::PAGE).is_none() && backend.is_none_or(offers)
            });
            properties.insert(
                "session".into(),
                json!({"type": "string", "description": "As answered by what made or loaded the model."}),
            );
        }
        let (name, output) = (spec.name.as_str(), spec.output_schema.clone());
        let request = shared_definitions(input, &format!("{name}.input"), &mut schemas);
        let answer = shared_definitions(output, &format!("{name}.answer"), &mut schemas);
        let operation = json!({
            "operationId": name,
            "summary": spec.title,
            "description": spec.description,
            "tags": [spec.server.as_str()],
            "requestBody": {"required": true, "content": {"application/json": {"schema": request}}},
            "responses": {
                "200": {"description": "What it came to", "content": {"application/json": {"schema": answer}}},
                "default": {"$ref": "#/components/responses/Fault"}
            }
        });
        paths.insert(format!("/tools/{name}"), json!({ "post": operation }));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Pensaer's tools",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The tools of the MCP servers, for programs that do not speak MCP. Lengths are in mm; name the model by `model_id`, or send the \
                            `session` along that what made or loaded it answered. Every change is committed at once as a new version."
        },
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
            "responses": {
                "Fault": {
                    "description": "What went wrong and what to do next",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Fault"}}}
                }
            },
            "schemas": schemas
        }
    })
}

/// Moves a schema's definitions to those of the document, where references to them are read from, and takes marks off.
fn shared_definitions(mut schema: Value, prefix: &str, schemas: &mut Map<String, Value>) -> Value {
    let definitions = schema.as_object_mut().and_then(|members| members.remove("$defs"));
    tidy(&mut schema, prefix);
    if let Some(Value::Object(definitions)) = definitions {
        for (name, mut definition) in definitions {
            tidy(&mut definition, prefix);
            schemas.insert(format!("{prefix}.{name}"), definition);
        }
    }
    schema
}

fn tidy(schema: &mut Value, prefix: &str) {
    match schema {
        Value::Object(members) => {
            members.retain(|name, _| !mark::ALL.contains(&name.as_str()));
            if let Some(Value::String(reference)) = members.get_mut("$ref")
                && let Some(name) = reference.strip_prefix("#/$defs/")
            {
                *reference = format!("#/components/schemas/{prefix}.{name}");
            }
            members.values_mut().for_each(|member| tidy(member, prefix));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| tidy(item, prefix)),
        _ => {}
    }
}
