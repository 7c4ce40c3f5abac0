//! `migrate`: a model of an older version is brought up by the makers' own transition programs, one version after another. Each runs
//! in a folder with the model and the two dictionaries that it compares, as a launched program like any other, and what it left is
//! read again before the next one gets it. The outcome is a change of the model, so that it can be compared and undone.

mod chain;

pub use chain::{FOLDER, Transition, transitions};

use crate::installed::Simulator;
use crate::operations::Resolve;
use crate::programs::{FILE, Program, TOLD, cut, last, said};
use crate::run::{Call, changed};
use crate::simulate::RunFolder;
use chain::{Version, short, version};
use contract::ops::PlatformOperation;
use contract::{Fault, FaultCode, FileOut, Launched, Outcome};
use energy::idf::{Document, Format};
use energy::ops::{Migrate, MigrateAnswer};
use exec::files;
use std::path::Path;

/// The longest time of one program, in ms.
const WALL_MS: u64 = 5 * 60 * 1000;
/// Bytes of memory of one program.
const MEMORY: u64 = 2 << 30;
/// Bytes of what it complains of that are read.
const COMPLAINTS: u64 = 1 << 20;

/// The model as a program is given it, what it makes of it, and what it says to that.
const MODEL: &str = "in.idf";
const MADE: &str = "in.idfnew";
const SAID: &str = "in.VCpErr";

/// A program that has run.
struct Stepped {
    bytes: Vec<u8>,
    /// The lines in which it says what to look after.
    told: Vec<String>,
    said: Option<Vec<u8>>,
}

impl Resolve for Migrate {
    const NEEDS_PROGRAMS: bool = true;

    /// Brings a model up to a version.
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let (params, simulator) = (self, call.simulator()?);
        simulator.is_meant(params.program_folder.as_deref(), None)?;
        let model = call.model("model")?;
        let (from, to) = versions(&model.document, params.target_version.as_deref(), simulator.version())?;
        if (from.0, from.1) == (to.0, to.1) {
            let (from, to) = (short(from), short(to));
            return Self::outcome(MigrateAnswer { from, to, ..MigrateAnswer::default() });
        }
        if from > to {
            return Err(Fault::new(
                FaultCode::NotSupported,
                format!(
                    "The model is of EnergyPlus {}, which is newer than {}. Models are brought up, never down.",
                    short(from),
                    short(to)
                ),
            )
            .with("field", "target_version"));
        }
        let steps = simulator.steps(from, to)?;
        if model.document.format() != Format::Idf {
            return Err(Fault::new(
                FaultCode::NotSupported,
                "The transition programs read IDF, and this model is epJSON. Load it as IDF of its own version.",
            ));
        }
        let Some(scratch) = call.request.scratch.as_deref().map(Path::new) else {
            return Err(Fault::invalid("scratch", "A migration needs a scratch folder to run in."));
        };
        let folder = RunFolder::new(scratch, call.request)?;
        let mut bytes = model.document.to_bytes(Format::Idf)?;
        let (mut messages, mut kept) = (Vec::new(), Vec::new());
        for (at, step) in steps.iter().enumerate() {
            call.watch.begins(&step.name);
            call.watch.at(at as u64, steps.len() as u64);
            let stepped = call.step(simulator, step, &folder, &bytes)?;
            messages.extend(stepped.told.into_iter().map(|line| format!("{}: {line}", step.name)));
            if params.keep {
                kept.push(call.kept(&format!("model-{}.idf", short(step.to)), &stepped.bytes)?);
                if let Some(said) = &stepped.said {
                    kept.push(call.kept(&format!("{}.VCpErr", step.name), said)?);
                }
            }
            bytes = stepped.bytes;
        }
        let (after, _) = Document::open(&bytes)?;
        let messages_left_out = messages.len().saturating_sub(TOLD) as u64;
        messages.truncate(TOLD);
        let answer = MigrateAnswer {
            from: short(from),
            to: short(to),
            steps: steps.iter().map(|step| step.name.clone()).collect(),
            messages,
            messages_left_out,
        };
        let result = Self::outcome(answer)?.result;
        Ok(Outcome { result, files: kept, ..changed(model, after)? })
    }
}

impl Call<'_> {
    /// Runs one program on a model.
    fn step(
        &self,
        simulator: &Simulator,
        step: &Transition,
        folder: &RunFolder,
        model: &[u8],
    ) -> Result<Stepped, Fault> {
        for name in [MADE, SAID] {
            folder.remove(name);
        }
        folder.write(MODEL, model)?;
        for (name, required) in step.needs() {
            let from = simulator.folder().join(FOLDER).join(&name);
            if required || from.is_file() {
                folder.copy(&from, &name)?;
            }
        }
        let program = Program {
            name: &step.name,
            arguments: vec![MODEL.to_owned()],
            wall_ms: WALL_MS,
            memory_bytes: MEMORY,
        };
        let (launched, words) = self.program(simulator, folder, program, "migrate_model")?;
        let said = folder.bytes(SAID, COMPLAINTS);
        let told = said.as_deref().map(complaints).unwrap_or_default();
        // the newer programs also put what they made in the place of what they were given
        let made = folder.bytes(MADE, FILE).or_else(|| folder.bytes(MODEL, FILE)).unwrap_or_default();
        let reached = Document::open(&made).ok().and_then(|(read, _)| version(read.version()?));
        if reached.is_none_or(|reached| (reached.0, reached.1) != (step.to.0, step.to.1)) {
            return Err(stuck(step, launched, &told, &words));
        }
        Ok(Stepped { bytes: made, told, said })
    }

    fn kept(&self, name: &str, bytes: &[u8]) -> Result<FileOut, Fault> {
        let place = files::name(self.request, name);
        let file = files::out(self.request, "work", place, "text/plain", bytes)?;
        Ok(FileOut { name: name.to_owned(), ..file })
    }
}

impl Simulator {
    /// The programs from one version to another.
    fn steps(&self, from: Version, to: Version) -> Result<Vec<Transition>, Fault> {
        let all = transitions(self.folder());
        let place = self.folder().join(FOLDER);
        if all.is_empty() {
            return Err(Fault::new(
                FaultCode::NotSupported,
                format!(
                    "There are no transition programs: {} has no Transition-V…-to-V…. They come with the makers' own installer of \
                     EnergyPlus, not with every package of it; install that and name its folder to the server (--energyplus-dir, \
                     ENERGYPLUS_DIR, energyplus-dir under [backends] in pensaer.toml).",
                    place.display()
                ),
            )
            .with("looked_for", "Transition-V…-to-V…")
            .with("looked_in", place.display().to_string()));
        }
        match chain::chain(&all, from, to) {
            Ok(chain) => Ok(chain.into_iter().cloned().collect()),
            Err(at) => Err(Fault::new(
                FaultCode::NotSupported,
                format!(
                    "No transition program in {} leads from {} on towards {}. It holds {}. Programs for older versions come with older \
                     installers of EnergyPlus; put them and their dictionaries there.",
                    place.display(),
                    short(at),
                    short(to),
                    all.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ")
                ),
            )
            .with("field", "target_version")
            .with("looked_in", place.display().to_string())),
        }
    }
}

/// From which version to which.
fn versions(document: &Document, wanted: Option<&str>, program: &str) -> Result<(Version, Version), Fault> {
    let from = document.version().and_then(version).ok_or_else(|| {
        Fault::constraint("The model says no version that can be read. Give it a Version object first.")
    })?;
    let wanted = wanted.map(str::trim).filter(|text| !text.is_empty()).unwrap_or(program);
    let to = version(wanted).ok_or_else(|| {
        Fault::invalid("target_version", format!("{wanted:?} is no version of EnergyPlus, such as 25.2."))
    })?;
    Ok((from, to))
}

/// The lines of a file of complaints that say something.
fn complaints(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    said(&text).filter(|line| line.starts_with("**")).map(cut).collect()
}

fn stuck(step: &Transition, launched: Launched, told: &[String], words: &str) -> Fault {
    let how = match launched {
        Launched { timed_out: true, .. } => "ran out of time".to_owned(),
        Launched { signal: Some(signal), .. } => format!("was ended by signal {signal}"),
        Launched { exit_code, .. } => format!("ended with code {}", exit_code.unwrap_or_default()),
    };
    let last = last(words).join(" ");
    let said = match (told.is_empty(), last.is_empty()) {
        (false, _) => told.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(" "),
        (true, false) => cut(&last),
        (true, true) => "it said nothing".to_owned(),
    };
    Fault::new(
        FaultCode::BackendFailed,
        format!("{} {how} and left no model of {}: {said}. Nothing was changed.", step.name, short(step.to)),
    )
    .with("program", &step.name)
}

#[cfg(test)]
mod tests;
