//! `energy tables FOLDER [--check] [--installation FOLDER] [--schemas FOLDER]` writes the tables of EnergyPlus' own schemas into a folder:
//! of 25.2 from an installation, of all other versions from a folder that holds them as `V9-6-0/Energy+.schema.epJSON.gz`. What is not
//! named is not written. With `--check` it only says whether they are current.

use crate::Arguments;
use energy::schema::{HOME, Schema, pack_together};
use flate2::read::GzDecoder;
use std::error::Error;
use std::io::Read;
use std::path::{Path, PathBuf};

const VERSION: &str = "25.2";

/// Writes or checks the tables.
pub fn run(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let target = PathBuf::from(arguments.next().ok_or("which folder?")?);
    let (mut check, mut installation, mut schemas) = (false, None, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--check" => check = true,
            "--installation" => installation = arguments.next(),
            "--schemas" => schemas = arguments.next(),
            _ => return Err(format!("{argument} is not known").into()),
        }
    }
    if let Some(folder) = installation {
        let schema = Schema::load(Path::new(&folder))?;
        if schema.short_version() == VERSION {
            keep(&target.join("25.2.bin"), &schema.pack(), check)?;
        } else {
            println!("tables of {VERSION} skipped: {folder} is EnergyPlus {}", schema.version());
        }
    }
    if let Some(folder) = schemas {
        keep(&target.join("others.bin"), &pack_together(&others(Path::new(&folder))?), check)?;
    }
    Ok(())
}

fn keep(path: &Path, packed: &[u8], check: bool) -> Result<(), Box<dyn Error>> {
    if std::fs::read(path).is_ok_and(|current| current == packed) {
        println!("{} is current", path.display());
        return Ok(());
    }
    if check {
        return Err(format!("{} is not current. Run `cargo xtask codegen`.", path.display()).into());
    }
    std::fs::write(path, packed)?;
    println!("wrote {}, {} bytes", path.display(), packed.len());
    Ok(())
}

/// The schemas of all other versions. What only an IDD says each takes from the version beside it, on from 25.2: the older from
/// the newer, the newer from the older.
fn others(folder: &Path) -> Result<Vec<Schema>, Box<dyn Error>> {
    let mut found: Vec<(Vec<u32>, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(folder)? {
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
        return Err(format!("{} has no schema of EnergyPlus {absent}", folder.display()).into());
    }
    Ok(made)
}

fn read(file: &Path, lender: Option<&Schema>) -> Result<Schema, Box<dyn Error>> {
    let mut json = Vec::new();
    GzDecoder::new(std::fs::File::open(file)?)
        .read_to_end(&mut json)
        .map_err(|error| format!("{}: {error}", file.display()))?;
    let home = Schema::built_in();
    Ok(Schema::from_schema(&json, lender.unwrap_or(&home))?)
}
