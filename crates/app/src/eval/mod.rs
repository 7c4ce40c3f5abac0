//! `pensaer eval`: evaluation cases, each a prompt and what must then be found in the model.
//!
//! Without `--agent` the scripted traces beside the cases are played; with it, a language model works on the prompts. Both
//! go through the MCP door of a daemon with a data folder of its own, and see nothing but the tools.

mod agent;
mod case;
mod compare;
mod endpoint;
mod judge;
mod place;
mod report;
mod session;
mod table;
#[cfg(test)]
mod tests;
mod trace;

use crate::settings::Settings;
use agent::Recorded;
use anyhow::{Context, Result, bail};
use case::{Case, Data};
use compare::Told;
use endpoint::Endpoint;
use judge::{Outcome, judge};
use place::Place;
use report::{Report, Run};
use session::Session;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use table::{Form, page};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use trace::Trace;

/// The cases and agents to evaluate.
#[derive(Debug, Clone, clap::Args)]
pub struct Arguments {
    /// Only the cases whose ids contain one of these words.
    only: Vec<String>,
    /// The folder with `cases/` and `traces/`.
    #[arg(long, default_value = "evals")]
    cases: PathBuf,
    /// The folder that cases read their models and prompts from; cases whose files are not there are left out.
    #[arg(long, env = "PENSAER_EVAL_DATA", value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// The folder of what is played, beside `cases/`: `traces`, call by call, or `scripts`, with one script for all.
    #[arg(long, default_value = "traces", conflicts_with = "agent")]
    traces: PathBuf,
    /// Write each model and the record of each run into this folder.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Let a language model work: the address of its endpoint, up to and without `/chat/completions` or `/messages`. One on this machine will do.
    #[arg(long, requires = "model", value_name = "URL")]
    agent: Option<String>,
    /// The form that the endpoint speaks.
    #[arg(long, requires = "agent", default_value = "openai")]
    api: endpoint::Form,
    /// The language model's name.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Runs of each case, by a language model.
    #[arg(long, default_value_t = 5)]
    runs: u32,
    /// Answers of the language model until a run is given up.
    #[arg(long, default_value_t = 80)]
    max_steps: u32,
    /// How often the language model is told what validate_model finds of what it made, to mend it.
    #[arg(long, requires = "agent", default_value_t = 0, value_name = "TIMES")]
    mend: u32,
    /// Runs at once.
    #[arg(long, default_value_t = 1, value_name = "COUNT")]
    parallel: usize,
    /// Play recorded conversations again, from files that --out left, and judge what comes of them; no model is asked.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["agent", "trace"])]
    replay: Vec<PathBuf>,
    /// Write the report here, in the form of the ending: .md, .html or .json. May be given again.
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,
    /// A person's judgement of runs: a JSON object from the run's name to a level from 1 to 5.
    #[arg(long, value_name = "FILE")]
    reviews: Option<PathBuf>,
    /// Compare two reports in JSON, and evaluate nothing.
    #[arg(long, value_name = "FILE", num_args = 2, conflicts_with_all = ["agent", "replay", "trace", "out", "only"])]
    compare: Vec<PathBuf>,
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
    if let [one, other] = arguments.compare.as_slice() {
        let names = [one, other].map(|file| file.display().to_string());
        let table =
            compare::compare(&Told::read(one)?, &Told::read(other)?, names.each_ref().map(String::as_str))?;
        return write(&arguments, |form| page(std::slice::from_ref(&table), "", form), None);
    }
    for file in &arguments.report {
        form_of(file)?;
    }
    let reviews = arguments.reviews.as_deref().map(reviews).transpose()?.unwrap_or_default();
    let (cases, left_out) = cases(&settings, &arguments)?;
    if !left_out.is_empty() {
        print(&format!(
            "{} cases are left out, for --data does not lead to their files or --energyplus-dir to EnergyPlus: {}\n\n",
            left_out.len(),
            left_out.join(", ")
        ))?;
    }
    if let Some(out) = &mut arguments.out {
        *out = std::path::absolute(&*out)?;
        std::fs::create_dir_all(&*out)?;
        settings.write_dirs.push(out.clone());
    }
    let (agent, mut runs) = if let Some(url) = &arguments.agent {
        let endpoint = Endpoint {
            form: arguments.api,
            url: url.clone(),
            model: arguments.model.clone().unwrap_or_default(),
            key: arguments.agent_key.clone(),
            max_steps: arguments.max_steps,
        };
        (Some(endpoint.model.clone()), agents(&settings, &arguments, &cases, endpoint).await?)
    } else if arguments.replay.is_empty() {
        (None, scripted(&settings, &arguments, &cases).await?)
    } else {
        (
            Some(arguments.model.clone().unwrap_or("replayed".to_owned())),
            replayed(&settings, &arguments, &cases).await?,
        )
    };
    for (name, level) in &reviews {
        match runs.iter_mut().find(|run| run.name == *name) {
            Some(run) => run.review = Some(*level),
            None => bail!("--reviews judges {name}, which is no run of these"),
        }
    }
    let report = Report { agent, runs };
    write(&arguments, |form| report.page(form), Some(report.json()))?;
    let short = report.runs.iter().filter(|run| !run.succeeded()).count();
    if report.agent.is_none() && short > 0 {
        bail!("{short} of {} cases fall short", report.runs.len());
    }
    Ok(())
}

/// The form of a report by its file's ending; none for JSON.
fn form_of(file: &Path) -> Result<Option<Form>> {
    match file.extension().and_then(|end| end.to_str()) {
        Some("md") => Ok(Some(Form::Markdown)),
        Some("html") => Ok(Some(Form::Html)),
        Some("json") => Ok(None),
        _ => bail!("{}: a report ends in .md, .html or .json", file.display()),
    }
}

/// Prints a report, and writes it where it is wanted.
fn write(
    arguments: &Arguments,
    page: impl Fn(Form) -> String,
    json: Option<serde_json::Value>,
) -> Result<()> {
    for file in &arguments.report {
        let text = match (form_of(file)?, &json) {
            (Some(form), _) => page(form),
            (None, Some(json)) => serde_json::to_string_pretty(json)? + "\n",
            (None, None) => {
                bail!("{}: what two reports differ in is written as .md or .html", file.display())
            }
        };
        std::fs::write(file, text).with_context(|| file.display().to_string())?;
    }
    print(&page(Form::Text))
}

/// The levels that a person gave, by the run's name.
fn reviews(file: &Path) -> Result<BTreeMap<String, f64>> {
    let about = || file.display().to_string();
    let text = std::fs::read_to_string(file).with_context(about)?;
    let levels: BTreeMap<String, f64> = serde_json::from_str(&text).with_context(about)?;
    match levels.iter().find(|(_, level)| !(1.0..=5.0).contains(*level)) {
        Some((name, level)) => bail!("{}: {name} has the level {level}; levels are 1 to 5", about()),
        None => Ok(levels),
    }
}

/// The cases whose ids contain one of the words, by file name; and the ids of those whose data is not at hand.
fn cases(settings: &Settings, arguments: &Arguments) -> Result<(Vec<Case>, Vec<String>)> {
    let folder = arguments.cases.join("cases");
    let mut files = std::fs::read_dir(&folder)
        .with_context(|| format!("no cases at {}; name their folder with --cases", folder.display()))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    files.retain(|file| file.extension().is_some_and(|end| end == "json"));
    files.sort();
    let data = data(arguments);
    let (mut cases, mut left_out) = (Vec::new(), Vec::new());
    for file in files {
        let (read, absent) = Case::read(&file, &data)?;
        let runs = |case: &Case| case.needs.is_none() || settings.energyplus_dir.is_some();
        let (read, without): (Vec<Case>, Vec<Case>) = read.into_iter().partition(runs);
        cases.extend(read);
        left_out.extend(without.into_iter().map(|case| case.id));
        left_out.extend(absent);
    }
    let only = &arguments.only;
    let is_meant = |id: &str| only.is_empty() || only.iter().any(|word| id.contains(word.as_str()));
    cases.retain(|case| is_meant(&case.id));
    left_out.retain(|id| is_meant(id));
    if cases.is_empty() && left_out.is_empty() {
        bail!("no case of that name in {}", folder.display());
    }
    Ok((cases, left_out))
}

/// The folders of models and prompts: that of `--data`, and that of the cases.
fn data(arguments: &Arguments) -> Data {
    Data { folders: arguments.data.iter().chain([&arguments.cases]).cloned().collect() }
}

/// A place with the models that a case begins with, and a client there.
struct Begun {
    place: Place,
    session: Session,
    start: Option<Started>,
}

/// The first model that a case begins with, as it was then.
#[derive(Debug, Clone)]
struct Started {
    model: String,
    version: String,
    findings: Option<u64>,
}

/// Makes ready what a case begins with.
async fn begin(settings: &Settings, arguments: &Arguments, case: &Case) -> Result<Begun> {
    let place = Place::new(settings).await?;
    let mut session = place.session().await?;
    let data = data(arguments);
    let mut first = None;
    for (name, file) in &case.start.models {
        let file =
            file.as_str().and_then(|file| data.find(file)).with_context(|| format!("no file of {name}"))?;
        let (model, _) = session.load(&place.put(name, &file)?).await?;
        first.get_or_insert(model);
    }
    let reads_only = case.only.is_none() && case.criteria.is_empty();
    let looked_at = first.clone().filter(|_| !reads_only);
    // what comes back of what was loaded is no fault of the run
    let mut findings = findings_of(&session, looked_at.as_deref()).await;
    session.prepare(&case.start.calls).await?;
    if !case.start.calls.is_empty() {
        findings = findings.max(findings_of(&session, looked_at.as_deref()).await);
    }
    let start = match first {
        None => None,
        Some(model) => Some(Started { version: session.version(&model).await?, model, findings }),
    };
    Ok(Begun { place, session, start })
}

/// Errors and warnings of a model, where one is to be looked at.
async fn findings_of(session: &Session, model: Option<&str>) -> Option<u64> {
    session.validity(model?).await.map(|found| found.findings)
}

/// Plays the traces of cases, several at once where that is wanted; in the order of the cases.
async fn scripted(settings: &Settings, arguments: &Arguments, cases: &[Case]) -> Result<Vec<Run>> {
    let common = Arc::new((settings.clone(), arguments.clone()));
    let works = cases.iter().cloned().map(|case| {
        let common = Arc::clone(&common);
        async move {
            let (settings, arguments) = common.as_ref();
            scripted_run(settings, arguments, &case).await
        }
    });
    let (mut runs, mut places) = (Vec::new(), Vec::new());
    for (run, place) in at_once(arguments.parallel, works).await? {
        runs.push(run);
        places.push(place);
    }
    close(places).await?;
    Ok(runs)
}

async fn scripted_run(settings: &Settings, arguments: &Arguments, case: &Case) -> Result<(Run, Place)> {
    let trace = Trace::of_case(&arguments.cases.join(&arguments.traces), &case.set, &case.id)?;
    let Begun { place, mut session, start } =
        begin(settings, arguments, case).await.with_context(|| case.id.clone())?;
    let begun = Instant::now();
    let failure = session.play(&trace).await.err().map(|error| format!("{error:#}"));
    let run = Run { time: begun.elapsed(), failure, ..Run::begun(&case.id, &case.id) };
    let words = session.words.clone();
    Ok((finish(arguments, case, session, run, start, words).await?, place))
}

/// Does works, so many at once; in their order.
async fn at_once<T: Send + 'static>(
    count: usize,
    works: impl Iterator<Item = impl Future<Output = Result<T>> + Send + 'static>,
) -> Result<Vec<T>> {
    let turns = Arc::new(Semaphore::new(count.max(1)));
    let mut working = JoinSet::new();
    for (place, work) in works.enumerate() {
        let turns = Arc::clone(&turns);
        working.spawn(async move {
            let _turn = turns.acquire().await?;
            anyhow::Ok((place, work.await?))
        });
    }
    let mut done = Vec::new();
    while let Some(result) = working.join_next().await {
        done.push(result??);
    }
    done.sort_by_key(|(place, _)| *place);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// The runs of a language model, several at once where that is wanted; in the order of the cases.
async fn agents(
    settings: &Settings,
    arguments: &Arguments,
    cases: &[Case],
    endpoint: Endpoint,
) -> Result<Vec<Run>> {
    let common = Arc::new((settings.clone(), arguments.clone(), endpoint));
    let runs =
        cases.iter().flat_map(|case| (1..=arguments.runs.max(1)).map(move |number| (case.clone(), number)));
    let works = runs.map(|(case, number)| {
        let common = Arc::clone(&common);
        async move {
            let (settings, arguments, endpoint) = common.as_ref();
            agent(settings, arguments, &case, number, endpoint).await
        }
    });
    at_once(arguments.parallel, works).await
}

async fn agent(
    settings: &Settings,
    arguments: &Arguments,
    case: &Case,
    number: u32,
    endpoint: &Endpoint,
) -> Result<Run> {
    let Begun { place, mut session, start } = begin(settings, arguments, case).await?;
    let begun = Instant::now();
    let (talk, failure) = match agent::work(endpoint, &case.prompt, arguments.mend, &mut session).await {
        Ok(talk) if talk.finished => (talk, None),
        Ok(talk) => (talk, Some(format!("gave up after {} steps", endpoint.max_steps))),
        Err(error) => (agent::Conversation::default(), Some(format!("{error:#}"))),
    };
    let name = format!("{}-run{number}", case.id);
    let words = talk.words();
    let run = Run { time: begun.elapsed(), failure, talk: Some(talk), ..Run::begun(&case.id, &name) };
    let run = finish(arguments, case, session, run, start, words).await?;
    place.close().await?;
    Ok(run)
}

/// Plays recorded conversations again.
async fn replayed(settings: &Settings, arguments: &Arguments, cases: &[Case]) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    for file in &arguments.replay {
        let about = || file.display().to_string();
        let text = std::fs::read_to_string(file).with_context(about)?;
        let recorded: Recorded = serde_json::from_str(&text)
            .with_context(|| format!("{} is no record of a conversation", about()))?;
        let Some(case) = cases.iter().find(|case| case.id == recorded.case) else {
            bail!("{} is about {}, which is no case here", about(), recorded.case);
        };
        let Begun { place, mut session, start } = begin(settings, arguments, case).await?;
        let begun = Instant::now();
        let (talk, failure) = match agent::replay(&recorded, &mut session).await {
            Ok(talk) => (talk, None),
            Err(error) => (agent::Conversation::default(), Some(format!("{error:#}"))),
        };
        let name = file.file_stem().map_or(case.id.clone(), |stem| stem.to_string_lossy().into_owned());
        let words = talk.words();
        let run = Run { time: begun.elapsed(), failure, talk: Some(talk), ..Run::begun(&case.id, &name) };
        runs.push(finish(arguments, case, session, run, start, words).await?);
        place.close().await?;
    }
    Ok(runs)
}

/// Checks the criteria, saves the model, leaves the record.
async fn finish(
    arguments: &Arguments,
    case: &Case,
    session: Session,
    mut run: Run,
    start: Option<Started>,
    words: Option<String>,
) -> Result<Run> {
    run.tally = session.tally;
    run.calls.clone_from(&session.calls);
    run.problems.clone_from(&session.problems);
    let model = match &start {
        Some(start) => Some(start.model.clone()),
        None => session.latest_model().await?,
    };
    let before = start.as_ref().map(|start| start.version.as_str());
    let outcome = Outcome { model: model.as_deref(), before, words: words.as_deref() };
    run.findings = judge(&session, case, outcome).await;
    if let Some(model) = &model {
        let is_changed = match before {
            Some(before) => session.version(model).await? != before,
            None => true,
        };
        if is_changed {
            run.validity = session.validity(model).await;
            let known = start.as_ref().and_then(|start| start.findings).unwrap_or_default();
            let worse = run.validity.iter().filter(|validity| validity.findings > known);
            run.problems.extend(worse.filter_map(|validity| validity.faults.clone()));
            if let Some(out) = &arguments.out {
                // EnergyPlus' models are no IFC files
                let file = |ending: &str| out.join(format!("{}.{ending}", run.name));
                if session.save(model, &file("ifc")).await.is_err() {
                    session.save(model, &file("idf")).await?;
                }
            }
        }
    }
    session.close().await?;
    if let Some(out) = &arguments.out {
        let file = out.join(format!("{}.json", run.name));
        std::fs::write(&file, serde_json::to_string_pretty(&run.record())?)?;
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

/// Plays one trace on the user's data folder.
async fn play(settings: &Settings, file: &Path, once: bool) -> Result<()> {
    let trace = Trace::read(file)?;
    let mut session = place::session(settings).await?;
    if once
        && let Some(name) = &trace.model
        && session.model_named(name).await?.is_some()
    {
        session.close().await?;
        return print(&format!("{name} is there already\n"));
    }
    session.play(&trace).await?;
    let calls = session.tally.calls;
    session.close().await?;
    print(&format!("{}: {calls} calls\n", trace.model.as_deref().unwrap_or("done")))
}

/// A model that was made of a trace, to be looked at.
pub(crate) struct Shown {
    /// Its name.
    pub(crate) name: String,
    /// The calls that made it; none if it was there.
    pub(crate) calls: u32,
    /// The address of the viewer on it.
    pub(crate) link: String,
}

/// Makes the model of a trace on the user's data folder, unless there is one of its name, and answers where it is to be seen.
pub(crate) async fn show(settings: &Settings, trace: &str) -> Result<Shown> {
    let trace = Trace::built_in(trace)?;
    let name = trace.model.clone().context("a trace without a model")?;
    let mut session = place::session(settings).await?;
    let mut calls = 0;
    if session.model_named(&name).await?.is_none() {
        session.play(&trace).await?;
        calls = session.tally.calls;
    }
    let model = session.model_named(&name).await?.context("the model is not listed")?;
    let link = session.link(&model).await?;
    session.close().await?;
    Ok(Shown { name, calls, link })
}

fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}
