//! The Execution Service's interface for programs and for people who write an adapter of their own, as an OpenAPI 3.1
//! document made of the same types as the JSON Schemas.

use crate::{Artifact, Fault, HostInfo, Progress, Request, schema_of};
use serde_json::{Map, Value, json};

/// Statuses under which a Fault travels, and what they say.
const FAULTS: [(&str, &str); 11] = [
    ("400", "The request does not fit the contract, or a parameter cannot be used (-32602)."),
    ("401", "The token is missing or wrong (1015)."),
    (
        "403",
        "The caller may not do this, or names a file or link that this service does not open (1003, 1004).",
    ),
    ("404", "There is no such element, model, version or file (1001, 1005, 1006, 1012, 1014)."),
    (
        "409",
        "The version is not open here: send the request again with base and deltas (1018); or changes conflict (1007, 1011).",
    ),
    ("413", "A limit was met: of the request, the answer, or an amount of work (1009)."),
    ("422", "The change would break a rule of the model (1002), or a file cannot be read (1013)."),
    ("500", "The back end died or failed; nothing was changed (1010, 1019)."),
    ("501", "No adapter here resolves this operation (1008)."),
    ("503", "Too much to do, or shutting down: try again after data.retry_after_ms (1017)."),
    ("504", "The call was given up, or ran past its deadline (1016)."),
];

/// The document.
pub fn openapi_document() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Pensaer Execution Service",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
            "description": "Runs one operation on immutable versions of building models and answers what came of it. It keeps \
                            nothing: what a change answers is a delta, which the caller commits or throws away. The same \
                            request gives the same answer, here or on another service. docs/adapters.md tells how to write one."
        },
        "servers": [{"url": "http://127.0.0.1:8421", "description": "pensaer exec --listen 127.0.0.1:8421"}],
        "security": [{"token": []}],
        "tags": [
            {"name": "operations", "description": "What models are worked on with"},
            {"name": "service", "description": "What the service says of itself"}
        ],
        "paths": {
            "/query": {"post": operation("query", "Run an operation that only reads", false)},
            "/create": {"post": operation("create", "Run an operation that adds to a model, or makes one", true)},
            "/modify": {"post": operation("modify", "Run an operation that changes or removes what is there", true)},
            "/info": {"get": get("info", "The adapters behind this service and the operations that they resolve", &json!({
                "application/json": {"schema": {"$ref": "#/components/schemas/HostInfo"}}
            }))},
            "/healthz": {"get": healthz()},
            "/metrics": {"get": get("metrics", "Counters and gauges, in the text form of OpenMetrics 1.0", &json!({
                "application/openmetrics-text": {"schema": {"type": "string"}}
            }))},
            "/openapi.json": {"get": get("openapi", "This document", &json!({
                "application/json": {"schema": {"type": "object"}}
            }))},
            "/progress/{operation_id}": {"get": progress()},
            "/files/{id}": {"get": file()}
        },
        "components": {
            "schemas": {
                "Request": schema_of::<Request>(),
                "Artifact": schema_of::<Artifact>(),
                "Fault": schema_of::<Fault>(),
                "HostInfo": schema_of::<HostInfo>(),
                "Progress": schema_of::<Progress>()
            },
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The token that the service was started with. On a Unix socket there is none: the \
                                    permissions of its folder say who may call."
                }
            }
        }
    })
}

fn fault(description: &str) -> Value {
    json!({
        "description": description,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Fault"}}}
    })
}

fn operation(id: &str, summary: &str, changes: bool) -> Value {
    let mut responses = Map::new();
    let done = if changes {
        "What came of it. Its changes hold a delta for each model changed; nothing of it is kept here."
    } else {
        "What came of it."
    };
    responses.insert(
        "200".into(),
        json!({
            "description": done,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Artifact"}}}
        }),
    );
    responses.extend(FAULTS.iter().map(|(status, meaning)| ((*status).to_owned(), fault(meaning))));
    json!({
        "operationId": id,
        "summary": summary,
        "tags": ["operations"],
        "requestBody": {
            "required": true,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Request"}}}
        },
        "responses": responses
    })
}

fn get(id: &str, summary: &str, content: &Value) -> Value {
    json!({
        "operationId": id,
        "summary": summary,
        "tags": ["service"],
        "responses": {"200": {"description": summary, "content": content}, "default": fault("A Fault.")}
    })
}

fn healthz() -> Value {
    let content = json!({"application/json": {"schema": {
        "type": "object",
        "required": ["status"],
        "properties": {"status": {"type": "string", "enum": ["ok", "draining"]}}
    }}});
    let mut health = get("healthz", "A sign of life, for which no token is needed", &content);
    if let Some(health) = health.as_object_mut() {
        health.insert("security".into(), json!([]));
    }
    health
}

fn progress() -> Value {
    let content = json!({"application/json": {"schema": {"$ref": "#/components/schemas/Progress"}}});
    let about = "How far an operation is that runs here; a Fault with status 404 where it does not run, or does not tell";
    let mut progress = get("progress", about, &content);
    if let Some(progress) = progress.as_object_mut() {
        let id =
            json!({"name": "operation_id", "in": "path", "required": true, "schema": {"type": "string"}});
        progress.insert("parameters".into(), json!([id]));
    }
    progress
}

fn file() -> Value {
    let content = json!({"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}});
    let mut file =
        get("file", "A file that an operation made, for some minutes after its answer named it", &content);
    if let Some(file) = file.as_object_mut() {
        let id = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "string"}});
        file.insert("parameters".into(), json!([id]));
    }
    file
}
