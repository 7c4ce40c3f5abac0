//! Builds the browser viewer into `viewer/dist`, and the view for a page in a chat into `viewer/dist-chat`, from where the program embeds them. Skipped where nothing changed.

use crate::shell::{once, program, root, sh};
use anyhow::Result;
use std::path::PathBuf;

/// True if this tree has a viewer.
pub fn exists() -> bool {
    root().join("viewer/package.json").is_file()
}

/// Makes the folders that builds are read from: a program that is compiled while they are missing would never look into them.
pub fn make_folders() -> Result<()> {
    for name in ["dist", "dist-chat"] {
        std::fs::create_dir_all(root().join("viewer").join(name))?;
    }
    Ok(())
}

/// Installs the pinned packages and builds, if the sources changed.
pub fn build() -> Result<()> {
    install()?;
    let viewer = root().join("viewer");
    let built = once("ui", std::slice::from_ref(&viewer), &viewer.join("dist/index.html"), || {
        npm(&["run", "build"])
    })?;
    if !built {
        println!("  viewer/dist is current");
    }
    Ok(())
}

/// The viewer's own tests.
pub fn test() -> Result<()> {
    install()?;
    npm(&["test"])
}

/// Installs the pinned packages.
pub fn install() -> Result<()> {
    let viewer = root().join("viewer");
    let inputs: Vec<PathBuf> =
        ["package.json", "package-lock.json"].iter().map(|file| viewer.join(file)).collect();
    once("ui-packages", &inputs, &viewer.join("node_modules"), || {
        npm(&["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
    })?;
    Ok(())
}

fn npm(arguments: &[&str]) -> Result<()> {
    sh(program("npm").args(arguments).current_dir(root().join("viewer")))
}
