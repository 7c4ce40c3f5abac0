//! Programs that are started together with a worker, as they are described to the process that starts both. Where the platform has no
//! Unix sockets there is nothing by which they could speak, and none is started.

use super::{ConfinedProgram, Confinement};
use crate::WorkerConfig;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// True if programs can be started together with workers here.
pub const RUNS_PROGRAMS: bool = cfg!(unix);

/// Two programs that are started side by side: each by a command of this program, with the document that it is handed.
#[derive(Debug, Clone)]
pub struct Beside {
    /// The command that confines itself and becomes the program, and what it is to become.
    pub program: (Vec<OsString>, ConfinedProgram),
    /// The worker.
    pub worker: (Vec<OsString>, WorkerConfig),
}

/// The programs that a launcher starts, and their limits.
#[derive(Debug, Clone)]
pub struct Launching {
    /// A command that confines itself and then becomes the program that it is handed.
    pub confined_by: Vec<OsString>,
    /// The bounds of every program, besides the folder that it is run in; a run may ask for less memory and smaller files.
    pub confinement: Confinement,
    /// The programs, by the names that they are asked for by.
    pub programs: BTreeMap<String, PathBuf>,
    /// Folders of the worker below which a program may be run.
    pub scratch: Vec<PathBuf>,
    /// The longest time of one run.
    pub wall: Duration,
    /// The largest number of runs at once.
    pub at_once: usize,
}

/// Starts both, which this platform cannot.
#[cfg(not(unix))]
pub fn side_by_side(_: &Beside) -> std::io::Result<String> {
    Err(crate::transport::unsupported())
}

/// Starts a worker and runs programs for it, which this platform cannot.
#[cfg(not(unix))]
pub fn launching(_: Launching, _: &(Vec<OsString>, WorkerConfig)) -> std::io::Result<String> {
    Err(crate::transport::unsupported())
}
