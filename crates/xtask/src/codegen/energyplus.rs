//! The tables of EnergyPlus' own schemas: of 25.2 from an installation (see the set-up), of all other versions from the schemas that
//! the set-up keeps in a folder. Where either is absent, nothing is generated of it, and that is said.
#![allow(clippy::print_stdout, reason = "a task talks to the person who runs it")]

use crate::setup;
use anyhow::{Context, Result, bail};
use energy::schema::{HOME, Schema, pack_together};
use flate2::read::GzDecoder;
use std::io::Read;
use std::path::{Path, PathBuf};

const FOLDER: &str = "crates/energy/src/schema/generated";
const VERSION: &str = "25.2";

/// Writes the packed schemas, or with `check` says that they are not current.
pub fn run(root: &Path, check: bool) -> Result<()> {
    match installation() {
        None => {
            println!(
                "codegen: energy tables skipped, no EnergyPlus (set PENSAER_TEST_ENERGYPLUS to its folder)"
            );
        }
        Some(folder) => {
            let schema = Schema::load(&folder)?;
            if schema.short_version() == VERSION {
                keep(root, "25.2.bin", &schema.pack(), check)?;
            } else {
                println!(
                    "codegen: energy tables skipped, EnergyPlus is {} and not {VERSION}",
                    schema.version()
                );
            }
        }
    }
    let Some(folder) = schemas() else {
        println!(
            "codegen: energy tables of other versions skipped, no schemas (set PENSAER_TEST_SCHEMAS to their folder)"
        );
        return Ok(());
    };
    keep(root, "others.bin", &pack_together(&others(&folder)?), check)
}

fn keep(root: &Path, name: &str, packed: &[u8], check: bool) -> Result<()> {
    let path = root.join(FOLDER).join(name);
    if std::fs::read(&path).is_ok_and(|current| current == packed) {
        println!("codegen: the energy tables {name} are current");
        return Ok(());
    }
    if check {
        bail!("{FOLDER}/{name} is not current. Run `cargo xtask codegen`.");
    }
    std::fs::write(&path, packed).with_context(|| path.display().to_string())?;
    println!("codegen: wrote {FOLDER}/{name}, {} bytes", packed.len());
    Ok(())
}

/// The schemas of all other versions. What only an IDD says each takes from the version beside it, on from 25.2: the older from
/// the newer, the newer from the older.
fn others(folder: &Path) -> Result<Vec<Schema>> {
    let mut found: Vec<(Vec<u32>, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(version) = name.strip_prefix('V') else { continue };
        if let Ok(numbers) = version.split('-').map(str::parse).collect() {
            found.push((numbers, entry.path().join("Energy+.schema.epJSON.gz")));
        }
    }
    found.sort();
    let home: Vec<u32> = HOME.split('.').map(str::parse).collect::<Result<_, _>>()?;
    let (older, newer): (Vec<_>, Vec<_>) = found.into_iter().partition(|(version, _)| *version < home);
    let newer = newer.into_iter().filter(|(version, _)| *version != home);
    let mut made: Vec<Schema> = Vec::new();
    for (at, (_, file)) in older.into_iter().rev().enumerate() {
        let lender = if at == 0 { None } else { made.last() };
        made.push(read(&file, lender)?);
    }
    made.reverse();
    let count = made.len();
    for (_, file) in newer {
        let lender = if made.len() == count { None } else { made.last() };
        made.push(read(&file, lender)?);
    }
    let named: Vec<&str> = made.iter().map(Schema::short_version).chain([VERSION]).collect();
    if let Some(absent) = Schema::versions().find(|version| !named.contains(&version.as_str())) {
        bail!("{} has no schema of EnergyPlus {absent}", folder.display());
    }
    Ok(made)
}

fn read(file: &Path, lender: Option<&Schema>) -> Result<Schema> {
    let mut json = Vec::new();
    let opened = std::fs::File::open(file).with_context(|| file.display().to_string())?;
    GzDecoder::new(opened).read_to_end(&mut json).with_context(|| file.display().to_string())?;
    let home = Schema::built_in();
    Ok(Schema::from_schema(&json, lender.unwrap_or(&home))?)
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
