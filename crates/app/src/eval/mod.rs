//! `pensaer eval`: evaluation cases, each a prompt and what must then be found in the model.
//!
//! Without `--agent` the scripted traces beside the cases are played; with it, a language model works on the prompts. Both
//! go through the MCP door of a daemon with a data folder of its own, and see nothing but the tools.

mod agent;
mod case;
mod place;
mod report;
mod session;
#[cfg(test)]
mod tests;
mod trace;

use crate::settings::Settings;
use agent::Endpoint;
use anyhow::{Context, Result, bail};
use case::Case;
use place::Place;
use report::Run;
use session::Session;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use trace::Trace;

/// The cases and agents to evaluate.
#[derive(Debug, Clone, clap::Args)]
pub struct Arguments {
    /// Only the cases whose ids contain one of these words.
    only: Vec<String>,
    /// The folder with `cases/` and `traces/`.
    #[arg(long, default_value = "evals")]
    cases: PathBuf,
    /// The folder of what is played, beside `cases/`: `traces`, call by call, or `scripts`, with one script for all.
    #[arg(long, default_value = "traces", conflicts_with = "agent")]
    traces: PathBuf,
    /// Write each model and the record of each run into this folder.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Let a language model work: the address of an OpenAI-compatible endpoint, up to and without `/chat/completions`.
    #[arg(long, requires = "model", value_name = "URL")]
    agent: Option<String>,
    /// The language model's name.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Runs of each case, by a language model.
    #[arg(long, default_value_t = 5)]
    runs: u32,
    /// Answers of the language model until a run is given up.
    #[arg(long, default_value_t = 80)]
    max_steps: u32,
    /// The endpoint's key.
    #[arg(long, env = "PENSAER_AGENT_KEY", hide_env_values = true)]
    agent_key: Option<String>,
    /// Play one trace on the data folder of this user, as the sample house is made, and evaluate nothing.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["agent", "out", "only"])]
    trace: Option<PathBuf>,
    /// With --trace: do nothing if there is a model of the trace's name already.
    #[arg(long, requires = "trace")]
    once: bool,
}

/// Runs what the arguments ask for; an error if a criterion of a scripted case is not met.
pub async fn run(mut settings: Settings, mut arguments: Arguments) -> Result<()> {
    if let Some(trace) = &arguments.trace {
        return play(&settings, trace, arguments.once).await;
    }
    let cases = cases(&arguments.cases.join("cases"), &arguments.only)?;
    if let Some(out) = &mut arguments.out {
        *out = std::path::absolute(&*out)?;
        std::fs::create_dir_all(&*out)?;
        settings.write_dirs.push(out.clone());
    }
    match &arguments.agent {
        None => scripted(&settings, &arguments, &cases).await,
        Some(url) => {
            let endpoint = Endpoint {
                url: url.clone(),
                model: arguments.model.clone().unwrap_or_default(),
                key: arguments.agent_key.clone(),
                max_steps: arguments.max_steps,
            };
            agents(&settings, &arguments, &cases, &endpoint).await
        }
    }
}

/// The cases of a folder whose ids contain one of the words, by file name.
fn cases(folder: &Path, only: &[String]) -> Result<Vec<Case>> {
    let mut files = std::fs::read_dir(folder)
        .with_context(|| format!("no cases at {}; name their folder with --cases", folder.display()))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    files.retain(|file| file.extension().is_some_and(|end| end == "json"));
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        cases.extend(Case::read(&file)?);
    }
    cases.retain(|case| only.is_empty() || only.iter().any(|word| case.id.contains(word.as_str())));
    if cases.is_empty() {
        bail!("no case of that name in {}", folder.display());
    }
    Ok(cases)
}

async fn scripted(settings: &Settings, arguments: &Arguments, cases: &[Case]) -> Result<()> {
    let (mut runs, mut places) = (Vec::new(), Vec::new());
    for case in cases {
        let trace = Trace::read(&arguments.cases.join(&arguments.traces).join(format!("{}.json", case.id)))?;
        let place = Place::new(settings).await?;
        let mut session = place.session().await?;
        let begun = Instant::now();
        let failure = session.play(&trace).await.err().map(|error| format!("{error:#}"));
        let time = begun.elapsed();
        let run = finish(
            arguments,
            case,
            &case.id,
            session,
            Run {
                case: case.id.clone(),
                tally: session::Tally::default(),
                findings: Vec::new(),
                time,
                failure,
                talk: None,
                problems: Vec::new(),
            },
        )
        .await?;
        runs.push(run);
        places.push(place);
    }
    close(places).await?;
    print(&report::scripted(&runs))?;
    let short = runs.iter().filter(|run| !run.succeeded()).count();
    if short > 0 {
        bail!("{short} of {} cases fall short", runs.len());
    }
    Ok(())
}

async fn agents(
    settings: &Settings,
    arguments: &Arguments,
    cases: &[Case],
    endpoint: &Endpoint,
) -> Result<()> {
    let mut runs = Vec::new();
    for case in cases {
        for number in 1..=arguments.runs.max(1) {
            let place = Place::new(settings).await?;
            let mut session = place.session().await?;
            let begun = Instant::now();
            let (talk, failure) = match endpoint.work(&case.prompt, &mut session).await {
                Ok(talk) if talk.finished => (talk, None),
                Ok(talk) => (talk, Some(format!("gave up after {} steps", endpoint.max_steps))),
                Err(error) => (agent::Conversation::default(), Some(format!("{error:#}"))),
            };
            let name = format!("{}-run{number}", case.id);
            let run = finish(
                arguments,
                case,
                &name,
                session,
                Run {
                    case: case.id.clone(),
                    tally: session::Tally::default(),
                    findings: Vec::new(),
                    time: begun.elapsed(),
                    failure,
                    talk: Some(talk),
                    problems: Vec::new(),
                },
            )
            .await?;
            runs.push(run);
            place.close().await?;
        }
    }
    print(&report::agents(&endpoint.model, &runs))
}

/// Checks the criteria, saves the model, leaves the record.
async fn finish(
    arguments: &Arguments,
    case: &Case,
    name: &str,
    session: Session,
    mut run: Run,
) -> Result<Run> {
    run.tally = session.tally;
    run.problems.clone_from(&session.problems);
    if let Some(model) = session.latest_model().await? {
        run.findings = session.check(&model, &case.criteria).await;
        run.problems.extend(session.faults_of(&model).await);
        if let Some(out) = &arguments.out {
            session.save(&model, &out.join(format!("{name}.ifc"))).await?;
        }
    } else {
        let none = || Err("there is no model".to_owned());
        let finding =
            |criterion: &case::Criterion| session::Finding { criterion: criterion.clone(), found: none() };
        run.findings = case.criteria.iter().map(finding).collect();
    }
    session.close().await?;
    if let Some(out) = &arguments.out {
        std::fs::write(out.join(format!("{name}.json")), serde_json::to_string_pretty(&run.record())?)?;
    }
    Ok(run)
}

/// Waits for the daemons of the runs to end.
async fn close(places: Vec<Place>) -> Result<()> {
    for place in places {
        place.close().await?;
    }
    Ok(())
}

async fn play(settings: &Settings, file: &Path, once: bool) -> Result<()> {
    let trace = Trace::read(file)?;
    let mut session = place::session(settings).await?;
    if once
        && let Some(name) = &trace.model
        && session.has_model(name).await?
    {
        session.close().await?;
        return print(&format!("{name} is there already\n"));
    }
    session.play(&trace).await?;
    let calls = session.tally.calls;
    session.close().await?;
    print(&format!("{}: {calls} calls\n", trace.model.as_deref().unwrap_or("done")))
}

fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}
