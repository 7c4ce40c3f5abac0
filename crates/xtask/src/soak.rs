//! Attacks and walks that take minutes: floods, thousands of sessions, bombs, endless steps of scripts, hundreds of random edits. They are
//! tests whose names begin with `soak_`, passed over by `test`, and run one after another.

use crate::shell::{self, cargo, sh};
use anyhow::Result;

/// Where they are: the tests of the whole program, and those of the tools.
const PLACES: [&[&str]; 2] = [&["--workspace", "--test", "it"], &["--workspace", "--lib"]];

/// Runs them, and prints what they measure.
pub fn run() -> Result<()> {
    for place in PLACES {
        let mut command = cargo();
        command.arg("test").args(place);
        command.args(["--", "soak_", "--ignored", "--nocapture", "--test-threads", "1"]);
        sh(shell::linting(&mut command)?)?;
    }
    Ok(())
}
