//! The common part of the tools on results: the files of the run, and how an answer is kept within its bounds.

use crate::EnergyCall;
pub use crate::answer_room::{fit, weight};
use crate::simulation::{NO_RESULTS, OTHER};
use contract::{Fault, FaultCode, Source};
use energy::results::{ErrorReport, Results};
use serde::Serialize;
use std::path::Path;

/// About how many bytes an answer on results has at most.
pub const BUDGET: usize = 17_000;

/// The database of the run.
pub fn database(call: &EnergyCall<'_>) -> Result<Results, Fault> {
    Results::open(Path::new(path(call, "results")?))
}

/// The database of the second run.
pub fn other_database(call: &EnergyCall<'_>) -> Result<Results, Fault> {
    Results::open(Path::new(path(call, &format!("{OTHER}results"))?))
}

/// A text that the run left, to a bound; none where it left none.
pub fn text_of(call: &EnergyCall<'_>, role: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path(call, role).ok()?).ok()?;
    std::io::Read::read_to_end(&mut std::io::Read::take(file, TEXT), &mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Bytes of such a text that are read.
const TEXT: u64 = 16 << 20;

/// The run's messages on the model, if they were kept.
pub fn errors(call: &EnergyCall<'_>) -> Option<ErrorReport> {
    let bytes = std::fs::read(path(call, "errors").ok()?).ok()?;
    Some(ErrorReport::parse(&bytes))
}

fn path<'a>(call: &EnergyCall<'a>, role: &str) -> Result<&'a str, Fault> {
    let file = call.files.iter().find(|file| file.role == role);
    let file = file.ok_or_else(|| Fault::new(FaultCode::NoSimulationResults, NO_RESULTS))?;
    match &file.source {
        Source::Path(path) => Ok(path),
        Source::Href(_) | Source::Inline(_) => {
            Err(Fault::backend(format!("The file {role} did not come as a file of this machine.")))
        }
    }
}

/// Asks for less and less until the answer fits; the last, smallest one counts in any case.
pub fn smaller<T: Serialize>(
    sizes: &[usize],
    mut ask: impl FnMut(usize) -> Result<T, Fault>,
) -> Result<(T, usize), Fault> {
    let mut last = None;
    for &size in sizes {
        let answer = ask(size)?;
        let fits = weight(&answer) <= BUDGET;
        last = Some((answer, size));
        if fits {
            break;
        }
    }
    last.ok_or_else(|| Fault::backend("Nothing was asked for."))
}
