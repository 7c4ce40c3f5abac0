//! The tables of EnergyPlus' own schema, from an installation (see the set-up); absent that, nothing is generated.
#![allow(clippy::print_stdout, reason = "a task talks to the person who runs it")]

use crate::setup;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

const TARGET: &str = "crates/energy/src/schema/generated/25.2.bin";
const VERSION: &str = "25.2";

/// Writes the packed schema, or with `check` says that it is not current.
pub fn run(root: &Path, check: bool) -> Result<()> {
    let Some(folder) = installation() else {
        println!("codegen: energy tables skipped, no EnergyPlus (set PENSAER_TEST_ENERGYPLUS to its folder)");
        return Ok(());
    };
    let schema = energy::schema::Schema::load(&folder)?;
    if schema.short_version() != VERSION {
        println!("codegen: energy tables skipped, EnergyPlus is {} and not {VERSION}", schema.version());
        return Ok(());
    }
    let packed = schema.pack();
    let path = root.join(TARGET);
    if std::fs::read(&path).is_ok_and(|current| current == packed) {
        println!("codegen: the energy tables are current");
        return Ok(());
    }
    if check {
        bail!("{TARGET} is not current. Run `cargo xtask codegen`.");
    }
    std::fs::write(&path, &packed).with_context(|| path.display().to_string())?;
    println!("codegen: wrote {TARGET}, {} bytes", packed.len());
    Ok(())
}

fn installation() -> Option<PathBuf> {
    let named = std::env::var_os("PENSAER_TEST_ENERGYPLUS").map(PathBuf::from);
    [named, Some(setup::energyplus_folder())]
        .into_iter()
        .flatten()
        .find(|folder| folder.join("Energy+.schema.epJSON").is_file())
}
