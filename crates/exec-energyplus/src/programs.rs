//! Programs beside EnergyPlus that make a model of a model: each is started by the launcher, in the folder of its run and confined to
//! it, and what it prints is kept up to a bound.

use crate::installed::Simulator;
use crate::run::Call;
use crate::simulate::RunFolder;
use contract::{Fault, Launch, Launched};

/// Bytes of one file that such a program writes, or that is read of it.
pub const FILE: u64 = 1 << 30;
/// Bytes of what it prints that are kept.
const WORDS: usize = 1 << 20;
/// Lines of what it complains of that are told.
pub const TOLD: usize = 12;
/// Characters of one.
const LINE: usize = 300;

/// A program, and what it may take.
pub struct Program<'a> {
    /// Its name with the launcher.
    pub name: &'a str,
    pub arguments: Vec<String>,
    pub wall_ms: u64,
    pub memory_bytes: u64,
}

impl Call<'_> {
    /// Runs a program to its end, and answers what it printed. `tool` is what its caller may have given up.
    pub(crate) fn program(
        &self,
        simulator: &Simulator,
        folder: &RunFolder,
        program: Program<'_>,
        tool: &str,
    ) -> Result<(Launched, String), Fault> {
        let launch = Launch {
            program: program.name.to_owned(),
            arguments: program.arguments,
            folder: folder.path().to_owned(),
            wall_ms: program.wall_ms,
            memory_bytes: program.memory_bytes,
            file_bytes: FILE,
        };
        let mut words = String::new();
        let launched = simulator.launcher().launch(
            &launch,
            &mut |text| {
                if words.len() < WORDS {
                    words.push_str(text);
                }
            },
            &|| self.watch.wanted(),
        )?;
        if launched.cancelled {
            return Err(Fault::given_up(tool));
        }
        Ok((launched, words))
    }
}

/// The lines that say something, without the space around them.
pub fn said(words: &str) -> impl DoubleEndedIterator<Item = &str> {
    words.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// As much of a line as is told.
pub fn cut(line: &str) -> String {
    line.chars().take(LINE).collect()
}

/// The last lines of what was said.
pub fn last(words: &str) -> Vec<&str> {
    let mut last: Vec<&str> = said(words).rev().take(4).collect();
    last.reverse();
    last
}
