//! The tables of EnergyPlus' own schemas: of 25.2 from an installation (see the set-up), of all other versions from the schemas that
//! the set-up keeps in a folder. The crate `energy` knows how they are written; its example does it. Where either is absent,
//! nothing is generated of it, and that is said; a check fails.

use super::absent;
use crate::setup;
use crate::shell::{example, root, sh};
use anyhow::Result;
use std::path::PathBuf;

/// Writes the packed schemas, or with `check` says that they are not current.
pub fn run(check: bool) -> Result<()> {
    let mut command = example("energy");
    command.arg("tables").arg(root().join("crates/energy/src/schema/generated"));
    if check {
        command.arg("--check");
    }
    match installation() {
        Some(folder) => drop(command.arg("--installation").arg(folder)),
        None => absent(check, "no EnergyPlus: set PENSAER_TEST_ENERGYPLUS to its folder")?,
    }
    match schemas() {
        Some(folder) => drop(command.arg("--schemas").arg(folder)),
        None => absent(
            check,
            "no schemas of other versions of EnergyPlus: set PENSAER_TEST_SCHEMAS to their folder",
        )?,
    }
    sh(&mut command)
}

fn installation() -> Option<PathBuf> {
    let named = std::env::var_os("PENSAER_TEST_ENERGYPLUS").map(PathBuf::from);
    [named, Some(setup::energyplus_folder())]
        .into_iter()
        .flatten()
        .find(|folder| folder.join("Energy+.schema.epJSON").is_file())
}

/// The folder of the schemas, as `V9-6-0/Energy+.schema.epJSON.gz`.
fn schemas() -> Option<PathBuf> {
    let named = std::env::var_os("PENSAER_TEST_SCHEMAS").map(PathBuf::from);
    [named, Some(setup::schemas())].into_iter().flatten().find(|folder| folder.is_dir())
}
