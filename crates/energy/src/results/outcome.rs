//! How a run ended: told from how its process ended and from what it wrote, because neither says it alone. A program that
//! was killed leaves no last line; one that met a fatal error ends by itself and says so; one that crashed does neither.

use super::errors::{EndLine, Ending, ErrorReport, Level};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The end of the process, as whoever started it saw it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exit {
    /// Its exit code, if it ended by itself.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// True if it was killed because its time was over.
    pub timed_out: bool,
    /// True if it was killed because nobody wanted it any more.
    pub cancelled: bool,
}

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It came to its end; there may be severe errors.
    Completed,
    /// The program gave up on an error of the model.
    Fatal,
    /// The program died without a word.
    Crashed,
    /// It was ended because its time was over.
    TimedOut,
    /// It was ended because its caller gave it up.
    Cancelled,
}

/// The end of a run, and the reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunOutcome {
    /// The end.
    pub status: RunStatus,
    /// Why, in a sentence.
    pub reason: String,
    /// Warnings, as the program counts.
    pub warnings: u64,
    /// Severe errors, as the program counts.
    pub severe: u64,
    /// The program's own time in seconds, if it came to tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_seconds: Option<f64>,
}

/// Returns the line of `sqlite.err` on results that could not be written; none where all were. EnergyPlus goes on without them, and says elsewhere
/// that all went well.
pub fn lost(said: &str) -> Option<&str> {
    const LOSSES: [&str; 5] = ["is full", "disk i/o error", "malformed", "readonly", "not a database"];
    said.lines().map(str::trim).find(|line| {
        let line = line.to_ascii_lowercase();
        LOSSES.iter().any(|loss| line.contains(loss))
    })
}

/// Says how a run ended, from its exit, the text of `eplusout.end`, the file `eplusout.err` and that of `sqlite.err`, where those exist.
pub fn judge(
    exit: Exit,
    end: Option<&str>,
    errors: Option<&ErrorReport>,
    sqlite: Option<&str>,
) -> RunOutcome {
    let line = end
        .and_then(|text| text.lines().find_map(EndLine::parse))
        .or_else(|| errors.and_then(|report| report.end.clone()));
    let ending = line.as_ref().map(|line| line.ending);
    let last = errors.and_then(|report| {
        let grave = report.messages.iter().rev().find(|message| message.level == Level::Severe);
        report.fatal().or(grave)
    });
    let (status, reason) = match ending {
        Some(Ending::Terminated) => (
            RunStatus::Fatal,
            format!(
                "EnergyPlus gave up: {}",
                last.map_or("it does not say why.", |message| message.text.as_str())
            ),
        ),
        Some(Ending::Completed) if sqlite.and_then(lost).is_some() => (
            RunStatus::Crashed,
            format!(
                "EnergyPlus came to its end without writing all of its results: {}. Make room on the disk and run again.",
                sqlite.and_then(lost).unwrap_or_default()
            ),
        ),
        // killed too late to matter: everything was written
        Some(Ending::Completed) if exit.code == Some(0) || exit.cancelled || exit.timed_out => {
            (RunStatus::Completed, "The simulation came to its end.".to_owned())
        }
        Some(Ending::Completed) => (
            RunStatus::Crashed,
            format!("EnergyPlus finished its work, then {}; its files may be incomplete.", died(exit)),
        ),
        None if exit.cancelled => {
            (RunStatus::Cancelled, "The run was given up by its caller and ended.".to_owned())
        }
        None if exit.timed_out => (
            RunStatus::TimedOut,
            "The run was ended because its time was over. Run fewer days or allow more time.".to_owned(),
        ),
        None => {
            let said = last.map(|message| format!(" The last error before: {}", message.text));
            (
                RunStatus::Crashed,
                format!("EnergyPlus {} before its end.{}", died(exit), said.unwrap_or_default()),
            )
        }
    };
    RunOutcome {
        status,
        reason,
        warnings: line.as_ref().map_or_else(|| errors.map_or(0, ErrorReport::warnings), |line| line.warnings),
        severe: line.as_ref().map_or_else(|| errors.map_or(0, ErrorReport::severe), |line| line.severe),
        elapsed_seconds: line.map(|line| line.elapsed_seconds),
    }
}

fn died(exit: Exit) -> String {
    match (exit.signal, exit.code) {
        (Some(signal), _) => format!("was ended by signal {signal}"),
        (None, Some(code)) => format!("ended with code {code}"),
        (None, None) => "died".to_owned(),
    }
}
