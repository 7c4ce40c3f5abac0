//! The description of this interface for programs (OpenAPI 3.1), served at `/api/openapi.json`.

use contract::{Fault, schema_of};
use serde_json::{Map, Value, json};

fn parameter(name: &str, place: &str, description: &str) -> Value {
    json!({"name": name, "in": place, "required": place == "path", "description": description, "schema": {"type": "string"}})
}

fn page() -> Vec<Value> {
    let mut limit = parameter("limit", "query", "Rows on a page, 1 to 500; 50 if left out.");
    limit["schema"] = json!({"type": "integer", "minimum": 1, "maximum": 500, "default": 50});
    vec![limit, parameter("cursor", "query", "`next_cursor` of the page before.")]
}

fn operation(id: &str, summary: &str, parameters: &[Value], status: &str, media_type: &str) -> Value {
    let mut responses = Map::new();
    let schema = if media_type == "application/json" { json!({"type": "object"}) } else { json!({}) };
    responses.insert(
        status.to_owned(),
        json!({"description": summary, "content": {(media_type): {"schema": schema}}}),
    );
    responses.insert("default".to_owned(), json!({"$ref": "#/components/responses/Fault"}));
    let mut operation = json!({"operationId": id, "summary": summary, "responses": responses});
    if !parameters.is_empty() {
        operation["parameters"] = json!(parameters);
    }
    operation
}

/// The document.
pub fn document() -> Value {
    const JSON: &str = "application/json";
    let model = parameter("model", "path", "A model's id or name.");
    let version = parameter(
        "version",
        "path",
        "A version's id, its first digits where they are unambiguous, or `head`.",
    );
    let of_version = vec![model.clone(), version.clone()];
    let with = |more: Value| [of_version.clone(), vec![more]].concat();
    let upload = json!({"required": true, "content": {
        "application/x-step": {"schema": {"type": "string", "format": "binary"}},
        "multipart/form-data": {"schema": {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}}
    }});
    let name = parameter("name", "query", "The file's name; the model is called after it.");
    let file_name = name.clone();
    let mut begin =
        operation("uploadModel", "A new model from a file", std::slice::from_ref(&name), "201", JSON);
    begin["requestBody"] = upload.clone();
    let mut go_on =
        operation("uploadVersion", "A file as a model's next version", &[model.clone(), name], "201", JSON);
    go_on["requestBody"] = upload.clone();
    let mut keep = operation(
        "uploadFile",
        "A file for a tool to load: answers its bucket_key",
        std::slice::from_ref(&file_name),
        "201",
        JSON,
    );
    keep["requestBody"] = upload;
    let of_model = [vec![model.clone()], page()].concat();
    let key = parameter("key", "path", "The object's key: names with slashes between them.");
    let of_object = [
        vec![
            key.clone(),
            parameter("version", "query", "A version of it; the newest if left out."),
            parameter("versions", "query", "Any value: answer its versions, the newest first, instead of its content."),
            parameter("link", "query", "Answer a link that holds for so many seconds (at a bucket of this server's own: a quarter of an hour) instead of its content."),
        ],
        page(),
    ]
    .concat();
    let only_if = parameter(
        "If-Match",
        "header",
        "The entity tag (SHA-256 of the content) that it has to have still; else 409.",
    );
    let only_new = parameter("If-None-Match", "header", "`*`: it has to be new; else 409.");
    let belongs =
        parameter("model_id", "query", "The model that it belongs to: who may see that may see this.");
    let mut put = operation(
        "putObject",
        "The next version of an object; its media type is held against its first bytes",
        &[key.clone(), belongs, only_if.clone(), only_new],
        "201",
        JSON,
    );
    put["requestBody"] =
        json!({"required": true, "content": {"*/*": {"schema": {"type": "string", "format": "binary"}}}});
    let secret = parameter(
        "secret",
        "path",
        "The last part of a link that get_download_link or get_upload_link made.",
    );
    let mut send = operation(
        "sendToLink",
        "Sends the one file that a link is for; no key is needed",
        std::slice::from_ref(&secret),
        "201",
        JSON,
    );
    send["requestBody"] = put["requestBody"].clone();
    let viewer =
        parameter("viewer", "path", "The page's own name for itself: letters, digits and hyphens, up to 64.");
    let mut shows = operation(
        "showSelection",
        "What a page of the viewer shows and what is selected there, which get_viewer_selection tells agents",
        std::slice::from_ref(&viewer),
        "204",
        JSON,
    );
    let shown = json!({"type": "object", "required": ["model_id", "model_version", "sight"], "properties": {
        "model_id": {"type": "string"},
        "model_version": {"type": "string"},
        "sight": schema_of::<contract::Sight>()
    }});
    shows["requestBody"] = json!({"required": true, "content": {JSON: {"schema": shown}}});
    let prefix = parameter("prefix", "query", "How keys have to begin.");
    let of_objects = [vec![prefix], page()].concat();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Pensaer",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Building models and their versions: files in and out, and what the viewer shows. To create and \
                            change models, use the MCP servers at /mcp."
        },
        "paths": {
            "/bucket": {
                "get": operation("listBucket", "Models, the latest changed first, with links to their files", &page(), "200", JSON),
                "post": begin
            },
            "/bucket/{model}": {
                "get": operation("listBucketVersions", "A model's versions, with links to their files", &of_model, "200", JSON),
                "put": go_on
            },
            "/bucket/{model}/{version}": {
                "get": operation("downloadVersion", "A version as an IFC file; its ETag is the file's SHA-256", &of_version, "200", "application/x-step")
            },
            "/bucket/files": {
                "post": keep
            },
            "/bucket/files/{operation}/{name}": {
                "get": operation("downloadFile", "A file that a tool made or a client sent", &[
                    parameter("operation", "path", "The first part of its key."),
                    parameter("name", "path", "Its name.")
                ], "200", "application/octet-stream")
            },
            "/bucket/links/{secret}": {
                "get": operation("followLink", "The file that a link leads to; no key is needed", &[secret], "200", "application/octet-stream"),
                "put": send
            },
            "/bucket/objects": {
                "get": operation("listObjects", "Objects (drawings, BCF files, results) by key, each in its newest version", &of_objects, "200", JSON)
            },
            "/bucket/objects/{key}": {
                "get": operation("getObject", "An object's content, or the part of it that Range asks for; its ETag is its SHA-256", &of_object, "200", "application/octet-stream"),
                "put": put,
                "delete": operation("deleteObject", "A delete marker as an object's next version; those before stay", &[key, only_if], "200", JSON)
            },
            "/api/events": {
                "get": operation("followEvents", "What is committed, as server-sent events: the name is the event's type, the id its position in the log", &[
                    parameter("model", "query", "Of which model: id or name."),
                    parameter("after", "query", "From behind this position in the log on; without one, from now on.")
                ], "200", "text/event-stream")
            },
            "/api/models": {
                "get": operation("listModels", "Models, the latest changed first", &page(), "200", JSON)
            },
            "/api/models/{model}/versions": {
                "get": operation("listVersions", "Versions of a model from its head back", &of_model, "200", JSON)
            },
            "/api/models/{model}/versions/{version}/tileset.json": {
                "get": operation("getTileset", "What there is to draw, by tile", &of_version, "200", JSON)
            },
            "/api/models/{model}/versions/{version}/tiles/{tile}": {
                "get": operation("getTile", "One tile as binary glTF; never changes",
                    &with(parameter("tile", "path", "`<key>.glb`, with a key of tileset.json.")), "200", "model/gltf-binary")
            },
            "/api/models/{model}/versions/{version}/tree": {
                "get": operation("getTree", "Project, sites, buildings, storeys, spaces and their elements", &of_version, "200", JSON)
            },
            "/api/models/{model}/versions/{version}/elements/{element}": {
                "get": operation("getElement", "One element with attributes, properties, quantities and relations",
                    &with(parameter("element", "path", "Its GlobalId.")), "200", JSON)
            },
            "/api/viewers/{viewer}": {
                "put": shows,
                "delete": operation("closeViewer", "A page of the viewer closes", std::slice::from_ref(&viewer), "204", JSON)
            },
            "/api/openapi.json": {
                "get": operation("getOpenApi", "This document", &[], "200", JSON)
            },
            "/healthz": {
                "get": operation("getHealth", "Whether calls are served; 503 where the audit log cannot be written", &[], "200", JSON)
            }
        },
        "components": {
            "responses": {
                "Fault": {
                    "description": "What went wrong and what to do next",
                    "content": {"application/json": {"schema": schema_of::<Fault>()}}
                }
            }
        }
    })
}
