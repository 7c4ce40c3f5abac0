//! The pipeline as its callers see it, over a real store and an executor whose models are texts.

mod branching;
mod changing;
mod committing;
mod files;
mod governing;
mod jobs;
mod lines;
mod merging;
mod needs;
mod serial;
mod standing;
mod studies;
mod talking;

use crate::{CallContext, Catalogue, Credentials, Entry, Service, ServiceConfig, Transport};
use contract::{
    BoxFuture, ChatArtifact, Effect, Fault, FileNeed, FurtherModel, ImportSource, LibraryNeed, ModelImport,
    ModelKind, ModelUse, NamedFile, Needs, Platform, PlatformBody, PlatformReply, Server, ToolSpec,
};
use lines::LinesExecutor;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use store::{Store, StoreConfig};

/// A service, what it runs on, and where it keeps things.
struct World {
    service: Service,
    executor: Arc<LinesExecutor>,
    store: Store,
    folder: tempfile::TempDir,
}

async fn world() -> World {
    world_with(ServiceConfig::default()).await
}

async fn world_with(config: ServiceConfig) -> World {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(StoreConfig::in_folder(folder.path().join("data"))).await.unwrap();
    let executor = Arc::new(LinesExecutor::default());
    let service = Service::new(store.clone(), executor.clone(), catalogue(), config);
    World { service, executor, store, folder }
}

impl World {
    /// Another gateway over the same store and workers.
    fn another_gateway(&self) -> Service {
        Service::new(self.store.clone(), self.executor.clone(), catalogue(), ServiceConfig::default())
    }

    async fn call(&self, tool: &str, arguments: Value) -> Result<ChatArtifact, Fault> {
        self.service.call(&here(self.folder.path()), tool, arguments).await
    }

    /// The answer as JSON; panics on a Fault.
    async fn ask(&self, tool: &str, arguments: Value) -> Value {
        serde_json::to_value(self.call(tool, arguments).await.unwrap()).unwrap()
    }

    /// The lines of the current model without their operation ids.
    async fn lines(&self) -> Vec<String> {
        let answer = self.ask("lines", json!({})).await;
        words(&answer["lines"])
    }
}

fn words(lines: &Value) -> Vec<String> {
    let text = |line: &Value| line.as_str().unwrap().split(' ').next().unwrap().to_owned();
    lines.as_array().unwrap().iter().map(text).collect()
}

/// A desktop agent working in a folder of this machine.
fn here(folder: &Path) -> CallContext {
    CallContext {
        credentials: Credentials::Local { user: "ada".into() },
        transport: Transport::Stdio,
        working_dir: Some(folder.to_owned()),
        ..CallContext::default()
    }
}

fn needs(name: &str, model: ModelUse) -> Needs {
    let needs = Needs::model(model, ModelKind::Ifc);
    let [role, id, version] = ["target", "target_id", "target_version"].map(str::to_owned);
    let notes = NamedFile { role: "notes".into(), parameter: "notes".into() };
    let book = LibraryNeed {
        role: "book".into(),
        library: "books".into(),
        parameter: "book".into(),
        endings: vec!["md".into()],
    };
    match name {
        "create_project" => Needs { name: Some("name".into()), ..needs },
        "report" | "escape" => Needs { scratch: true, ..needs },
        "beside" => Needs {
            models: vec![FurtherModel { role, id: Some(id), version }],
            files: vec![FileNeed::Named(notes), FileNeed::Library(book)],
            ..needs
        },
        "study" => {
            let [role, id, version] = ["other", "other_id", "other_version"].map(str::to_owned);
            let models = vec![FurtherModel { role, id: Some(id), version }];
            Needs { models, scratch: true, kept: true, job: true, ..needs }
        }
        _ => needs,
    }
}

fn spec(name: &str, effect: Effect, model: ModelUse, own: &[&str]) -> ToolSpec {
    let common = ["model_id", "model_version", "reasoning", "idempotency_key", "dry_run"];
    let properties: serde_json::Map<String, Value> =
        own.iter().chain(&common).map(|name| ((*name).to_owned(), json!({}))).collect();
    ToolSpec {
        name: name.into(),
        title: name.into(),
        server: Server::Model,
        also_on: vec![],
        toolsets: vec![],
        description: name.into(),
        effect,
        destructive: false,
        idempotent: false,
        side_effects: false,
        open_world: false,
        reads_when: None,
        needs: needs(name, model),
        platform: false,
        action: None,
        page: None,
        for_pages_only: false,
        input_schema: json!({ "type": "object", "properties": properties }),
        output_schema: json!({}),
        examples: vec![],
    }
}

fn catalogue() -> Catalogue {
    let on_models = [
        ("create_project", Effect::Create, ModelUse::New, &["name"][..]),
        ("add_line", Effect::Create, ModelUse::Current, &["text"]),
        ("set_line", Effect::Modify, ModelUse::Current, &["text"]),
        ("leave_it", Effect::Modify, ModelUse::Current, &[]),
        ("die", Effect::Modify, ModelUse::Current, &[]),
        ("lines", Effect::Query, ModelUse::Current, &[]),
        ("beside", Effect::Query, ModelUse::Current, &["target_id", "target_version", "notes", "book"]),
        ("report", Effect::Query, ModelUse::Current, &[]),
        ("study", Effect::Query, ModelUse::Current, &["wait", "other_id", "other_version", "as_job"]),
        ("escape", Effect::Query, ModelUse::Current, &[]),
    ];
    let entry = |spec: ToolSpec, body| Entry { spec: Arc::new(spec), body, event: None };
    let mut entries: Vec<Entry> = on_models
        .into_iter()
        .map(|(name, effect, model, own)| entry(spec(name, effect, model, own), None))
        .collect();
    let bodies: [(&str, Effect, ModelUse, &[&str], PlatformBody); 10] = [
        ("load", Effect::Create, ModelUse::New, &["path", "key"], Arc::new(load)),
        ("undo", Effect::Modify, ModelUse::Current, &["steps"], Arc::new(undo)),
        ("restore", Effect::Modify, ModelUse::Current, &["to"], Arc::new(restore)),
        ("save", Effect::Modify, ModelUse::Current, &["path", "overwrite"], Arc::new(save)),
        (
            "create_branch",
            Effect::Create,
            ModelUse::Current,
            &["name", "from", "stay"],
            Arc::new(create_branch),
        ),
        ("switch_branch", Effect::Query, ModelUse::Current, &["name"], Arc::new(switch_branch)),
        ("delete_branch", Effect::Modify, ModelUse::Current, &["name"], Arc::new(delete_branch)),
        (
            "merge_branch",
            Effect::Modify,
            ModelUse::Current,
            &["source", "target", "resolve"],
            Arc::new(merge_branch),
        ),
        ("clear_session", Effect::Query, ModelUse::None, &[], Arc::new(clear_session)),
        ("select", Effect::Query, ModelUse::None, &["id"], Arc::new(select)),
    ];
    for (name, effect, model, own, body) in bodies {
        let mut spec = spec(name, effect, model, own);
        spec.platform = true;
        entries.push(entry(spec, Some(body)));
    }
    Catalogue::new(entries)
}

type Replying<'a> = BoxFuture<'a, Result<PlatformReply, Fault>>;

fn load(platform: &dyn Platform, arguments: Value) -> Replying<'_> {
    Box::pin(async move {
        let source = match arguments["key"].as_str() {
            Some(key) => ImportSource::Key(key.into()),
            None => ImportSource::Path(arguments["path"].as_str().unwrap().into()),
        };
        let (committed, artifact) =
            platform.import(&ModelImport { source, kind: None, version: None, into: None }).await?;
        let session = platform.set_current_model(&committed.model_id).await?;
        let result = json!({ "summary": artifact.result, "session": session });
        Ok(PlatformReply { result, committed: Some(committed), ..PlatformReply::default() })
    })
}

fn undo(platform: &dyn Platform, arguments: Value) -> Replying<'_> {
    Box::pin(async move {
        let model = platform.current_model().await?;
        let steps = arguments["steps"].as_i64().unwrap_or(1) as i32;
        let (committed, steps) = platform.undo(&model.model_id, steps).await?;
        let result = json!({ "steps": steps });
        Ok(PlatformReply { result, committed: Some(committed), ..PlatformReply::default() })
    })
}

fn restore(platform: &dyn Platform, arguments: Value) -> Replying<'_> {
    Box::pin(async move {
        let model = platform.current_model().await?;
        let version = platform.version(&model.model_id, arguments["to"].as_str().unwrap()).await?.version;
        let committed = platform.restore(&model.model_id, &version).await?;
        Ok(PlatformReply { committed, ..PlatformReply::default() })
    })
}

fn create_branch(platform: &dyn Platform, arguments: Value) -> Replying<'_> {
    Box::pin(async move {
        let name = arguments["name"].as_str().unwrap();
        let switch = arguments["stay"] != true;
        let moved = platform.create_branch(name, arguments["from"].as_str(), switch).await?;
        Ok(PlatformReply { result: json!({ "head": moved.branch.version }), ..PlatformReply::default() })
    })
}

fn switch_branch(platform: &dyn Platform, arguments: Value) -> Replying<'_> {
    Box::pin(async move {
        let moved = platform.switch_branch(arguments["name"].as_str().unwrap()).await?;
        Ok(PlatformReply { result: json!({ "head": moved.branch.version }), ..PlatformReply::default() })
    })
}

fn delete_branch(platform: &dyn Platform, arguments: Value) -> Replying<'_> {
    Box::pin(async move {
        let moved = platform.delete_branch(arguments["name"].as_str().unwrap()).await?;
        Ok(PlatformReply { result: json!({ "head": moved.branch.version }), ..PlatformReply::default() })
    })
}

fn merge_branch(platform: &dyn Platform, arguments: Value) -> Replying<'_> {
    Box::pin(async move {
        let source = arguments["source"].as_str().unwrap();
        let target = arguments["target"].as_str().unwrap_or("main");
        let resolve = arguments["resolve"].as_object().cloned().unwrap_or_default();
        let merged = platform.merge_branch(source, target, &resolve, arguments["ancestor"].as_str()).await?;
        let result = json!({ "base": merged.base, "merged": merged.source });
        Ok(PlatformReply { result, committed: merged.committed, ..PlatformReply::default() })
    })
}

fn clear_session(platform: &dyn Platform, _: Value) -> Replying<'_> {
    Box::pin(async move {
        platform.clear_session().await?;
        Ok(PlatformReply::default())
    })
}

fn save(platform: &dyn Platform, arguments: Value) -> Replying<'_> {
    Box::pin(async move {
        let model = platform.current_model().await?;
        let version = platform.current_version().await?;
        let path = arguments["path"].as_str().unwrap();
        let overwrite = arguments["overwrite"].as_bool().unwrap_or(false);
        let file = platform.save(&model.model_id, &version, path, overwrite).await?;
        let result = json!({ "path": file.path, "sha256": file.sha256 });
        Ok(PlatformReply { result, ..PlatformReply::default() })
    })
}

fn select(platform: &dyn Platform, arguments: Value) -> Replying<'_> {
    Box::pin(async move {
        let model = platform.model(arguments["id"].as_str().unwrap()).await?;
        let session = platform.set_current_model(&model.model_id).await?;
        Ok(PlatformReply { result: json!({ "session": session }), ..PlatformReply::default() })
    })
}
