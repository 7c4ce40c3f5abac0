//! The Python wheel: the program among its scripts, and modules that start it. `packaging/python` has the sources; hatchling builds.

use super::{Release, put, source};
use crate::setup;
use crate::shell::{output, root};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Makes `pensaer-VERSION-py3-none-manylinux_GLIBC_MACHINE.whl`.
pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let folder = release.folder("wheel")?;
    copy_tree(&source("python"), &folder)?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        put(&root().join(file), &folder.join(file), 0o644)?;
    }
    put(&release.licences(), &folder.join("THIRD-PARTY.txt"), 0o644)?;
    let program = folder.join("pensaer");
    put(&release.program.path, &program, 0o755)?;
    let platform =
        format!("manylinux_{}_{}", release.program.glibc.replace('.', "_"), release.program.machine.name);
    let made = release.folder("wheel-made")?;
    output(
        release
            .command(setup::packaging_folder().join("bin/python"))
            .args(["-m", "build", "--wheel", "--no-isolation", "--outdir"])
            .arg(&made)
            .arg(&folder)
            .env("PENSAER_VERSION", &release.program.version)
            .env("PENSAER_PROGRAM", &program)
            .env("PENSAER_WHEEL_PLATFORM", platform),
    )?;
    let wheel = fs::read_dir(&made)?.flatten().next().context("no wheel was made")?.path();
    let packed = release.out.join(wheel.file_name().unwrap_or_default());
    fs::rename(&wheel, &packed).or_else(|_| fs::copy(&wheel, &packed).map(drop))?;
    Ok(vec![packed])
}

/// Copies a folder, less what Python keeps of runs.
pub fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())?.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if !path.is_dir() {
            put(&path, &to.join(name), 0o644)?;
        } else if name != "__pycache__" {
            copy_tree(&path, &to.join(name))?;
        }
    }
    Ok(())
}
