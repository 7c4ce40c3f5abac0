//! Attacks that take minutes: floods, thousands of sessions, bombs, endless steps of scripts. They are tests whose names begin with
//! `soak_`, passed over by `test`, and run one after another.

use crate::shell::{self, cargo, sh};
use anyhow::Result;

/// Runs them, and prints what they measure.
pub fn run() -> Result<()> {
    let mut command = cargo();
    command.args([
        "test",
        "--workspace",
        "--test",
        "it",
        "--",
        "soak_",
        "--ignored",
        "--nocapture",
        "--test-threads",
        "1",
    ]);
    sh(shell::linting(&mut command)?)
}
