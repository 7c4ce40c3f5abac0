//! The npm packages: `pensaer`, whose script starts the program, and one with the program for this platform. The first names the second
//! as an optional dependency, as well as those that other machines make, so that npm installs the one that fits.

use super::{Release, put, source, text};
use crate::shell::{output, root};
use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The platforms for which releases have a package, by Node's names.
const PLATFORMS: [&str; 2] = ["linux-x64", "linux-arm64"];

/// Makes `pensaer-VERSION.tgz` and `pensaer-linux-MACHINE-VERSION.tgz`.
pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let main = release.folder("npm")?;
    put(&source("npm/pensaer/bin/pensaer.js"), &main.join("bin/pensaer.js"), 0o755)?;
    let needs: Map<String, Value> = PLATFORMS
        .iter()
        .map(|platform| (format!("@pensaer/{platform}"), release.program.version.clone().into()))
        .collect();
    let platform = release.folder("npm-platform")?;
    put(&release.program.path, &platform.join("bin/pensaer"), 0o755)?;
    put(&release.licences(), &platform.join("THIRD-PARTY.txt"), 0o644)?;
    let node = release.program.machine.node;
    let only = json!({
        "name": format!("@pensaer/linux-{node}"),
        "os": ["linux"],
        "cpu": [node],
        "libc": ["glibc"],
    });
    Ok(vec![
        pack(release, "pensaer", &main, json!({"optionalDependencies": needs}))?,
        pack(release, "platform", &platform, only)?,
    ])
}

/// Packs a folder with the manifest of this name, to which something is added.
fn pack(release: &Release, name: &str, folder: &Path, added: Value) -> Result<PathBuf> {
    let mut manifest: Map<String, Value> = serde_json::from_str(&text(&format!("npm/{name}/package.json"))?)?;
    manifest.extend(added.as_object().cloned().unwrap_or_default());
    manifest.insert("version".into(), release.program.version.clone().into());
    super::write(&folder.join("package.json"), serde_json::to_string_pretty(&manifest)? + "\n", 0o644)?;
    put(&source(&format!("npm/{name}/README.md")), &folder.join("README.md"), 0o644)?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        put(&root().join(file), &folder.join(file), 0o644)?;
    }
    if release.is_fast && name == "platform" {
        return pack_fast(release, folder);
    }
    let said = output(
        release
            .command("npm")
            .args(["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination"])
            .arg(&release.out)
            .current_dir(folder),
    )?;
    let listed: Value = serde_json::from_str(&said).with_context(|| said.clone())?;
    // a list of packages, or since npm 12 a table of them by name
    let first = listed.get(0).or_else(|| listed.as_object()?.values().next());
    let file = first.and_then(|one| one["filename"].as_str()).context("npm names no file")?;
    // some versions name the scope as a folder, and write the file with a hyphen
    let file = release.out.join(file.trim_start_matches('@').replace('/', "-"));
    fs::metadata(&file).with_context(|| file.display().to_string())?;
    Ok(file)
}

/// Packs the program as npm does, but compresses little: npm always takes the most, which for a program of the tests is half a minute.
fn pack_fast(release: &Release, folder: &Path) -> Result<PathBuf> {
    let file = release
        .out
        .join(format!("pensaer-linux-{}-{}.tgz", release.program.machine.node, release.program.version));
    output(
        release
            .command("tar")
            .args([
                "--create",
                "--use-compress-program",
                "gzip -1",
                "--transform",
                "s,^[.],package,",
                "--file",
            ])
            .arg(&file)
            .arg("--directory")
            .arg(folder)
            .arg("."),
    )?;
    Ok(file)
}
