//! `simulate`: a model and, where its span needs it, a weather file go into a folder of their own; the programs of the plan run
//! there one after another, started by a launcher and held by it; what they wrote is judged and handed on as files.
//!
//! A run that ends badly is an answer like any other: it says how it ended and why, and keeps what was written. A Fault is what
//! was never begun.

mod answer;
mod folder;
mod follow;
mod given;
mod outputs;
mod version;

pub(crate) use folder::RunFolder;
pub use version::version_of;

use crate::EnergyModel;
use crate::installed::Simulator;
use crate::operations::Resolve;
use crate::run::Call;
use answer::answer;
use contract::ops::PlatformOperation;
use contract::{Fault, FaultCode, Launch, Launched, Outcome};
use energy::ops::Simulate;
use energy::results::plan::{Program, Step, is_expanded};
use energy::results::{Exit, ModelFormat, Plan, RunOptions, Span};
use follow::Follower;
use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

/// The longest time of a run where nothing is said, in seconds.
const SECONDS: u64 = 3600;
/// The longest time that may be asked for, in seconds.
const MOST_SECONDS: u64 = 24 * 3600;
/// Bytes of memory of one program.
const MEMORY: u64 = 4 << 30;
/// Bytes of one file that it writes.
const FILE: u64 = 8 << 30;
/// Bytes of all files of a run.
const ALL_FILES: u64 = 16 << 30;
/// How often it is looked how much a run has written.
const LOOK: Duration = Duration::from_millis(500);

fn span(asked: &Simulate) -> Result<Span, Fault> {
    match (asked.design_day, asked.annual) {
        (true, true) => Err(Fault::invalid(
            "annual",
            "design_day and annual do not go together. Give one of them, or none to run what the model says.",
        )),
        (true, false) => Ok(Span::DesignDay),
        (false, true) => Ok(Span::Annual),
        (false, false) => Ok(Span::AsModelled),
    }
}

/// The name of a program with the launcher.
pub fn program_name(program: Program) -> &'static str {
    program.path().rsplit('/').next().unwrap_or(program.path())
}

/// Every program that a run may start, by the name that the launcher knows it by, with its file below EnergyPlus' folder.
pub fn programs() -> [(&'static str, &'static str); 4] {
    [Program::ConvertInputFormat, Program::ExpandObjects, Program::EnergyPlus, Program::ReadVars]
        .map(|program| (program_name(program), program.path()))
}

/// The end of the programs of a run: all have run, or one of them could not go on.
struct Ran {
    exit: Exit,
    /// A step before the simulation that did not make what the next one needs: its name, and its last words.
    stuck: Option<(&'static str, String)>,
    /// Notes of programs that only add files and made none.
    notes: Vec<String>,
}

impl Resolve for Simulate {
    const NEEDS_PROGRAMS: bool = true;

    /// Runs a simulation to its end.
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let (params, simulator) = (self, call.simulator()?);
        let span = span(&params)?;
        simulator.is_meant(params.program_folder.as_deref(), params.program_version.as_deref())?;
        let model = call.model("model")?;
        let Some(scratch) = call.request.scratch.as_deref().map(Path::new) else {
            return Err(Fault::new(
                FaultCode::InvalidParams,
                "A simulation needs a scratch folder to run in.",
            ));
        };
        let weather = call.files.iter().find(|file| file.role == "weather");
        let options = RunOptions {
            span,
            format: match model.document.format() {
                energy::idf::Format::Idf => ModelFormat::Idf,
                energy::idf::Format::EpJson => ModelFormat::EpJson,
            },
            weather: weather.is_some(),
            expand: model.document.types().iter().any(|(name, _)| is_expanded(name)),
            readvars: params.readvars,
        };
        let plan = Plan::new(options)?;
        let folder = RunFolder::new(scratch, call.request)?;
        let document = given::placed(&model.document, call.files, &folder)?;
        folder.write(plan.model_file, &outputs::model_text(&document, simulator.version())?)?;
        if let Some((file, name)) = weather.zip(plan.weather_file) {
            folder.take(file, name)?;
        }
        let wall = Duration::from_secs(params.seconds.unwrap_or(SECONDS).clamp(1, MOST_SECONDS));
        let ran = call.run_steps(simulator, &plan, &folder, follow::expected(&model.document, span), wall)?;
        call.simulated(simulator, model, span, &folder, &ran)
    }
}

impl Call<'_> {
    /// Runs one program after another, as long as each makes what the next one needs.
    fn run_steps(
        &self,
        simulator: &Simulator,
        plan: &Plan,
        folder: &RunFolder,
        expected: Vec<energy::results::Expected>,
        wall: Duration,
    ) -> Result<Ran, Fault> {
        let until = Instant::now() + wall;
        let mut ran = Ran { exit: Exit::default(), stuck: None, notes: Vec::new() };
        let mut follower = Follower::new(self.watch.as_ref(), expected);
        for step in &plan.steps {
            for name in &step.needs {
                folder.copy(&simulator.folder().join(name), name)?;
            }
            for (name, text) in &step.writes {
                folder.write(name, text.as_bytes())?;
            }
            let launch = launch(step, folder, until.saturating_duration_since(Instant::now()));
            let (looked, is_full) = (Cell::new(Instant::now()), Cell::new(false));
            let has_room = || {
                if looked.get().elapsed() >= LOOK {
                    looked.set(Instant::now());
                    is_full.set(folder.size() > ALL_FILES);
                }
                !is_full.get()
            };
            let launched = simulator.launcher().launch(
                &launch,
                &mut |text| follower.read(step.program, text),
                &|| self.watch.wanted() && !folder.is_to_end() && has_room(),
            )?;
            let exit = exit_of(launched);
            if is_full.get() {
                ran.notes.push(format!(
                    "The run was ended because it had written more than {} GB in all; ask for fewer outputs, or for fewer reports of them.",
                    ALL_FILES >> 30
                ));
            }
            let made = folder.file(step.makes).is_some();
            if step.required || exit.cancelled {
                ran.exit = exit;
            }
            if exit.cancelled || (step.required && exit.timed_out) {
                break;
            }
            if step.program == Program::EnergyPlus && !made {
                break;
            }
            if !made && step.required {
                ran.stuck = Some((program_name(step.program), follower.last_words()));
                break;
            }
            if !made && !step.required {
                ran.notes.push(format!("{} made no {}.", program_name(step.program), step.makes));
            }
        }
        Ok(ran)
    }

    fn simulated(
        &self,
        simulator: &Simulator,
        model: &EnergyModel,
        span: Span,
        folder: &RunFolder,
        ran: &Ran,
    ) -> Result<Outcome, Fault> {
        let mut answer = answer(folder, ran, span, simulator.version());
        answer.notes.extend(version::note(model.document.version(), simulator.version()));
        // of a run that was given up nothing is kept
        let files = if ran.exit.cancelled { Vec::new() } else { folder.hand_on(self.request)? };
        Ok(Outcome { files, ..Simulate::outcome(answer)? })
    }
}

fn launch(step: &Step, folder: &RunFolder, wall: Duration) -> Launch {
    Launch {
        program: program_name(step.program).to_owned(),
        arguments: step.arguments.clone(),
        folder: folder.path().to_owned(),
        wall_ms: u64::try_from(wall.as_millis()).unwrap_or(u64::MAX).max(1),
        memory_bytes: MEMORY,
        file_bytes: FILE,
    }
}

fn exit_of(launched: Launched) -> Exit {
    Exit {
        code: launched.exit_code,
        signal: launched.signal,
        timed_out: launched.timed_out,
        cancelled: launched.cancelled,
    }
}

#[cfg(test)]
mod tests;
