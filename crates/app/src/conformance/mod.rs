//! `pensaer exec conformance`: any Execution Service held against the contract. What operations come to is judged by our own
//! adapter for the kind of model, on the file that the service's deltas make.

#![expect(clippy::print_stdout, reason = "what a command of the shell answers")]

mod building;
mod energy;

use crate::{runtime, settings};
use anyhow::{Context, Result, bail};
use clap::Args;
use contract::{
    Actor, Adapter, Delta, Effect, Limits, ModelId, ModelInput, ModelKind, OpenedModel, Operation,
    OperationId, Request, Unwatched, VersionId, Watch,
};
use exec::conformance::{Meaning, Subject, check_endpoint};
use exec::{Endpoint, EndpointConfig, Executor};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// The operations to work with on a file, of those that our own adapters resolve.
struct Choice {
    /// The name of a query whose answer shows the change, and its parameters; none where the file has nothing to ask for.
    query: (&'static str, Option<Value>),
    /// The name of a change that can be made twice, and its parameters.
    change: (&'static str, Option<Value>),
    meanings: Vec<Meaning>,
}

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Where it listens: http://HOST:PORT or unix:PATH.
    url: String,
    /// A model to work on: an IFC file, best a small one with a storey and a wall, or an EnergyPlus model with a zone.
    #[arg(long)]
    file: PathBuf,
    /// Its token.
    #[arg(long, env = "PENSAER_EXEC_TOKEN", hide_env_values = true, conflicts_with = "token_file")]
    token: Option<String>,
    /// A file with its token.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// A query of its own whose answer shows what the change changes; by default query_elements for walls, or list_objects for
    /// zones.
    #[arg(long, value_name = "NAME PARAMS")]
    query: Option<String>,
    /// A change of its own that can be made twice; by default create_wall, or add_object.
    #[arg(long, value_name = "NAME PARAMS")]
    change: Option<String>,
}

/// Runs the suite, prints a line for each check, and fails if one does.
pub(crate) fn run(options: &Arguments) -> Result<ExitCode> {
    runtime::log_to_stderr();
    let token = match (&options.token, &options.token_file) {
        (Some(token), _) => Some(token.clone()),
        (None, Some(path)) => Some(settings::read_token(path)?),
        (None, None) => None,
    };
    // on a socket there is none: who may enter its folder may call
    let token = token.filter(|_| !options.url.starts_with("unix:"));
    let endpoint = EndpointConfig { url: options.url.clone(), token };
    runtime::start()?.block_on(hold(&endpoint, options))
}

async fn hold(endpoint: &EndpointConfig, options: &Arguments) -> Result<ExitCode> {
    let file = options.file.canonicalize().with_context(|| format!("no file {}", options.file.display()))?;
    // beside the file, for a confined worker may read no other folder
    let folder = file.parent().context("the file is in no folder")?;
    let unreadable = tempfile::Builder::new().prefix("conformance-").tempfile_in(folder);
    let unreadable = unreadable.with_context(|| format!("cannot write to {}", folder.display()))?;
    // a model of neither kind: no STEP, and JSON that breaks off
    std::fs::write(unreadable.path(), "{\"Dear colleague\": \"attached is the")?;
    let kind = if energy::is_model(&file) { ModelKind::EnergyPlus } else { ModelKind::Ifc };
    let kernel = Arc::new(Kernel::open(kind, &file)?);
    let chosen = match kind {
        ModelKind::Ifc => building::choose(&kernel)?,
        ModelKind::EnergyPlus => energy::choose(&kernel)?,
    };
    let (query, change) = operations(endpoint, options, &chosen).await?;
    let subject = Subject {
        kind,
        file,
        unreadable: unreadable.path().to_owned(),
        query,
        change,
        elsewhere: !options.url.starts_with("unix:"),
        meanings: chosen.meanings,
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
    options: &Arguments,
    chosen: &Choice,
) -> Result<(Operation, Operation)> {
    let info = Endpoint::new(endpoint, 16 << 20)?.info().await;
    let info = info.map_err(|fault| anyhow::anyhow!("{}: {}", endpoint.url, fault.message))?;
    let known = |name: &str| {
        let mut listed = info.adapters.iter().flat_map(|adapter| &adapter.operations);
        listed.find(|one| one.name == name).map(|one| one.effect)
    };
    let choose = |given: Option<&str>, (name, params): &(&str, Option<Value>), flag: &str| {
        let (name, params) = match given {
            Some(text) => {
                let (name, params) = text.split_once(' ').unwrap_or((text, "{}"));
                let params =
                    serde_json::from_str(params).with_context(|| format!("{flag}: {params} is no JSON"))?;
                (name.to_owned(), params)
            }
            None => match params {
                Some(params) if known(name).is_some() => ((*name).to_owned(), params.clone()),
                _ => bail!(
                    "this service does not claim {name}, or the file has nothing to run it on: give {flag} 'NAME PARAMS' with one \
                     of its own operations"
                ),
            },
        };
        // one that it does not list fails the first check
        let effect = known(&name).unwrap_or(if flag == "--query" { Effect::Query } else { Effect::Modify });
        Ok(Operation { effect, name, params })
    };
    let query = choose(options.query.as_deref(), &chosen.query, "--query")?;
    let change = choose(options.change.as_deref(), &chosen.change, "--change")?;
    Ok((query, change))
}

/// The file, or a version after it, in our own adapter for its kind.
struct Kernel {
    adapter: Arc<dyn Adapter>,
    kind: ModelKind,
    model: OpenedModel,
}

impl Kernel {
    fn open(kind: ModelKind, file: &Path) -> Result<Self> {
        let adapter: Arc<dyn Adapter> = match kind {
            ModelKind::Ifc => Arc::new(exec_native::NativeAdapter::default()),
            ModelKind::EnergyPlus => Arc::new(exec_energyplus::EnergyAdapter::default()),
        };
        let model = adapter.open(kind, file).map_err(|fault| anyhow::anyhow!("{fault}"))?;
        Ok(Self { adapter, kind, model })
    }

    /// The version that a delta makes.
    fn after(&self, delta: &[u8]) -> Result<Self, String> {
        let delta = Delta::decode(delta).map_err(|error| error.to_string())?;
        let model = self.adapter.apply(&self.model, &delta).map_err(|fault| fault.to_string())?;
        Ok(Self { adapter: Arc::clone(&self.adapter), kind: self.kind, model })
    }

    fn ask(&self, name: &str, params: Value) -> Result<Value> {
        let version = VersionId::from("0".repeat(64));
        let input = ModelInput::named("model", ModelId::from("conformance"), version, self.kind);
        let request = Request {
            operation_id: OperationId::new(),
            operation: Operation { effect: Effect::Query, name: name.into(), params },
            backend: None,
            strict: false,
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
