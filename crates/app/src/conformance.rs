//! `pensaer exec conformance`: any Execution Service held against the contract. What operations come to is judged by our own
//! kernel, on the file that the service's deltas make.

#![expect(clippy::print_stdout, reason = "what a command of the shell answers")]

use crate::cli::Conformance;
use crate::{compose, settings};
use anyhow::{Context, Result, bail};
use contract::{
    Actor, Adapter, Artifact, Delta, Effect, Limits, ModelId, ModelInput, ModelKind, OpenedModel, Operation,
    OperationId, Request, Unwatched, VersionId, Watch,
};
use exec::conformance::{Judge, Meaning, Subject, check_endpoint};
use exec::{Endpoint, EndpointConfig, Executor};
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// Runs the suite, prints a line for each check, and fails if one does.
pub(crate) fn run(options: &Conformance) -> Result<ExitCode> {
    compose::log_to_stderr();
    let token = match (&options.token, &options.token_file) {
        (Some(token), _) => Some(token.clone()),
        (None, Some(path)) => Some(settings::read_token(path)?),
        (None, None) => None,
    };
    // on a socket there is none: who may enter its folder may call
    let token = token.filter(|_| !options.url.starts_with("unix:"));
    let endpoint = EndpointConfig { url: options.url.clone(), token };
    compose::runtime()?.block_on(hold(&endpoint, options))
}

async fn hold(endpoint: &EndpointConfig, options: &Conformance) -> Result<ExitCode> {
    let file = options.file.canonicalize().with_context(|| format!("no file {}", options.file.display()))?;
    // beside the file, for a confined worker may read no other folder
    let folder = file.parent().context("the file is in no folder")?;
    let unreadable = tempfile::Builder::new().prefix("conformance-").suffix(".ifc").tempfile_in(folder);
    let unreadable = unreadable.with_context(|| format!("cannot write to {}", folder.display()))?;
    std::fs::write(unreadable.path(), "Dear colleague, attached is the model.")?;
    let kernel = Arc::new(Kernel::open(&file)?);
    let storey = kernel.rows("IfcBuildingStorey")?.first().cloned();
    let wall = kernel.rows("IfcWall")?.first().cloned();
    let (query, change) = operations(endpoint, options, storey.as_deref()).await?;
    let subject = Subject {
        kind: ModelKind::Ifc,
        file,
        unreadable: unreadable.path().to_owned(),
        query,
        change,
        elsewhere: !options.url.starts_with("unix:"),
        meanings: meanings(&kernel, storey.as_deref(), wall.as_deref())?,
    };
    let findings = check_endpoint(endpoint, &subject).await?;
    let (mut failed, mut skipped) = (0, 0);
    for finding in &findings {
        match (&finding.problem, &finding.skipped) {
            (Some(problem), _) => {
                failed += 1;
                println!("FAILED   {}: {problem}", finding.check);
            }
            (None, Some(why)) => {
                skipped += 1;
                println!("skipped  {}: {why}", finding.check);
            }
            (None, None) => println!("ok       {}", finding.check),
        }
    }
    println!("{} checks, {failed} failed, {skipped} skipped.", findings.len());
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The query and the change that the suite works with: those given, or those of ours that the service claims.
async fn operations(
    endpoint: &EndpointConfig,
    options: &Conformance,
    storey: Option<&str>,
) -> Result<(Operation, Operation)> {
    let info = Endpoint::new(endpoint, 16 << 20)?.info().await;
    let info = info.map_err(|fault| anyhow::anyhow!("{}: {}", endpoint.url, fault.message))?;
    let known = |name: &str| {
        let mut listed = info.adapters.iter().flat_map(|adapter| &adapter.operations);
        listed.find(|one| one.name == name).map(|one| one.effect)
    };
    let choose = |given: Option<&str>, name: &str, params: Option<Value>, flag: &str| {
        let (name, params) = match given {
            Some(text) => {
                let (name, params) = text.split_once(' ').unwrap_or((text, "{}"));
                let params =
                    serde_json::from_str(params).with_context(|| format!("{flag}: {params} is no JSON"))?;
                (name.to_owned(), params)
            }
            None => match params {
                Some(params) if known(name).is_some() => (name.to_owned(), params),
                _ => bail!(
                    "this service does not claim {name}, or the file has no storey for it: give {flag} 'NAME PARAMS' with one \
                     of its own operations"
                ),
            },
        };
        // one that it does not list fails the first check
        let effect = known(&name).unwrap_or(if flag == "--query" { Effect::Query } else { Effect::Modify });
        Ok(Operation { effect, name, params })
    };
    let query =
        choose(options.query.as_deref(), "query_elements", Some(json!({"selector": "IfcWall"})), "--query")?;
    let change = choose(options.change.as_deref(), "create_wall", storey.map(new_wall), "--change")?;
    Ok((query, change))
}

fn new_wall(storey: &str) -> Value {
    json!({"start": [0, 90_000], "end": [4000, 90_000], "level_id": storey, "name": "Conformance wall"})
}

/// What operations of the catalogue have to come to, on the file given.
fn meanings(kernel: &Arc<Kernel>, storey: Option<&str>, wall: Option<&str>) -> Result<Vec<Meaning>> {
    let mut meanings = Vec::new();
    let mut add = |check: &str, effect: Effect, name: &str, params: Value, judge: Judge| {
        let operation = Operation { effect, name: name.into(), params };
        meanings.push(Meaning { check: check.into(), operation, judge });
    };
    let more = |selector: &'static str, by: i64| -> Result<Judge> {
        let (kernel, before) = (Arc::clone(kernel), kernel.count(selector)?);
        Ok(Box::new(move |_: &Artifact, delta: &[u8]| {
            let after = kernel.after(delta)?.count(selector).map_err(|error| error.to_string())?;
            if after == before + by {
                Ok(())
            } else {
                Err(format!("{before} {selector} before, {after} after"))
            }
        }))
    };
    let level = json!({"name": "Conformance storey", "elevation": 60_000});
    add(
        "create_level makes one storey",
        Effect::Create,
        "create_level",
        level,
        more("IfcBuildingStorey", 1)?,
    );
    if let Some(storey) = storey {
        let square = json!([[0, 90_000], [5000, 90_000], [5000, 95_000], [0, 95_000]]);
        let on = |more: Value| {
            let mut params = json!({"boundary_points": square, "level_id": storey});
            if let (Some(params), Some(more)) = (params.as_object_mut(), more.as_object()) {
                params.extend(more.clone());
            }
            params
        };
        add(
            "create_wall makes one wall",
            Effect::Create,
            "create_wall",
            new_wall(storey),
            more("IfcWall", 1)?,
        );
        let kernel_of_wall = Arc::clone(kernel);
        let long: Judge = Box::new(move |artifact, delta| {
            let id = artifact.result["wall_id"].as_str().ok_or("the answer has no wall_id")?;
            let made = kernel_of_wall.after(delta)?;
            let found =
                made.ask("get_element", json!({"element_id": id})).map_err(|error| error.to_string())?;
            let length = found["geometry"]["parameters"]["length"].as_f64();
            let height = found["geometry"]["parameters"]["height"].as_f64();
            if length.is_some_and(|length| (length - 4000.0).abs() < 1.0)
                && height.is_some_and(|height| height > 0.0)
            {
                return Ok(());
            }
            Err(format!("a wall of 4000 mm was asked for; its geometry is {}", found["geometry"]))
        });
        add("the wall is as long as was asked for", Effect::Create, "create_wall", new_wall(storey), long);
        add(
            "create_floor makes one slab",
            Effect::Create,
            "create_floor",
            on(json!({})),
            more("IfcSlab", 1)?,
        );
        let named = on(json!({"name": "Conformance space"}));
        add("create_space makes one space", Effect::Create, "create_space", named, more("IfcSpace", 1)?);
        add("create_roof makes one roof", Effect::Create, "create_roof", on(json!({})), more("IfcRoof", 1)?);
        let params =
            json!({"element_ids": [storey], "pset": "Pset_Conformance", "properties": {"Checked": "yes"}});
        let found = more("IfcBuildingStorey, Pset_Conformance.Checked=\"yes\"", 1)?;
        add(
            "set_properties writes a property that is found",
            Effect::Modify,
            "set_properties",
            params,
            found,
        );
    }
    if let Some(wall) = wall {
        let params = json!({"element_ids": [wall]});
        add(
            "delete_elements removes one wall",
            Effect::Modify,
            "delete_elements",
            params,
            more("IfcWall", -1)?,
        );
    }
    Ok(meanings)
}

/// The file, or a version after it, in our own kernel.
struct Kernel {
    adapter: Arc<exec_native::NativeAdapter>,
    model: OpenedModel,
}

impl Kernel {
    fn open(file: &Path) -> Result<Self> {
        let adapter = Arc::new(exec_native::NativeAdapter::default());
        let model = adapter.open(ModelKind::Ifc, file).map_err(|fault| anyhow::anyhow!("{fault}"))?;
        Ok(Self { adapter, model })
    }

    /// The version that a delta makes.
    fn after(&self, delta: &[u8]) -> Result<Self, String> {
        let delta = Delta::decode(delta).map_err(|error| error.to_string())?;
        let model = self.adapter.apply(&self.model, &delta).map_err(|fault| fault.to_string())?;
        Ok(Self { adapter: Arc::clone(&self.adapter), model })
    }

    /// How many elements a selector finds.
    fn count(&self, selector: &str) -> Result<i64> {
        let found = self.ask("query_elements", json!({"selector": selector}))?;
        found["total"].as_i64().context("query_elements answers no total")
    }

    /// The ids of the first that a selector finds.
    fn rows(&self, selector: &str) -> Result<Vec<String>> {
        let found = self.ask("query_elements", json!({"selector": selector}))?;
        let rows = found["rows"].as_array().into_iter().flatten();
        Ok(rows.filter_map(|row| row["id"].as_str().map(str::to_owned)).collect())
    }

    fn ask(&self, name: &str, params: Value) -> Result<Value> {
        let version = VersionId::from("0".repeat(64));
        let input = ModelInput::named("model", ModelId::from("conformance"), version, ModelKind::Ifc);
        let request = Request {
            operation_id: OperationId::new(),
            operation: Operation { effect: Effect::Query, name: name.into(), params },
            backend: None,
            models: vec![input],
            files: Vec::new(),
            limits: Limits::default(),
            deadline_ms: 0,
            time_ms: 1,
            actor: Actor::default(),
            reasoning: None,
            scratch: None,
        };
        let unwatched: Arc<dyn Watch> = Arc::new(Unwatched);
        let asked = self.adapter.run(&request, std::slice::from_ref(&self.model), &[], &unwatched);
        Ok(asked.map_err(|fault| anyhow::anyhow!("{fault}"))?.result)
    }
}
