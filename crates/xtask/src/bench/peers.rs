//! The other programs that the kernel is measured beside, made ready on demand in the target folder: a crate in a Cargo
//! project of its own, and an npm package. Neither is a dependency of anything here. A peer that cannot be had (no network,
//! no Node) is left out, and said so.

use crate::shell::{cargo, program, python, root, sh, target};
use anyhow::Result;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Makes the process that opens the first file and may write the second.
type Launch = dyn Fn(&Path, &Path) -> Command;

/// A peer that is ready to be run.
pub struct Peer {
    /// Its name in the table.
    pub name: &'static str,
    command: Box<Launch>,
}

impl Peer {
    /// A process that opens `file`, may write `saved`, and prints its figures as JSON.
    pub fn command(&self, file: &Path, saved: &Path) -> Command {
        (self.command)(file, saved)
    }
}

/// Returns the peers that are installed.
pub fn ready() -> Vec<Peer> {
    let mut peers = vec![Peer {
        name: "IfcOpenShell",
        command: Box::new(|file, saved| {
            let mut command = program(python());
            command.arg(root().join("tests/python/measure.py")).arg(file).arg(saved);
            command
        }),
    }];
    for (name, made) in [("ifc-lite-core", ifc_lite()), ("web-ifc", web_ifc())] {
        match made {
            Ok(peer) => peers.push(peer),
            Err(error) => println!("  {name} is left out: {error:#}"),
        }
    }
    peers
}

fn ifc_lite() -> Result<Peer> {
    let folder = target().join("bench/ifc-lite");
    let manifest = root().join("tests/peers/ifc-lite/Cargo.toml");
    sh(cargo()
        .args(["build", "--release", "--quiet", "--manifest-path"])
        .arg(manifest)
        .arg("--target-dir")
        .arg(&folder))?;
    let built = folder.join("release/ifc-lite-peer");
    Ok(Peer {
        name: "ifc-lite-core",
        command: Box::new(move |file, _| {
            let mut command = program(&built);
            command.args([file, Path::new("columns")]);
            command
        }),
    })
}

fn web_ifc() -> Result<Peer> {
    let folder = target().join("bench/web-ifc");
    fs::create_dir_all(&folder)?;
    let peer = root().join("tests/peers/web-ifc");
    fs::copy(peer.join("package.json"), folder.join("package.json"))?;
    if !folder.join("node_modules/web-ifc").is_dir() {
        let mut npm = program("npm");
        sh(npm
            .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"])
            .current_dir(&folder))?;
    }
    Ok(Peer {
        name: "web-ifc",
        command: Box::new(move |file, _| {
            let mut command = program("node");
            command.arg(peer.join("measure.mjs")).arg(file).current_dir(&folder);
            command
        }),
    })
}
