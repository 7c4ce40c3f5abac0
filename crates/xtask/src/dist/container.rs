//! The file for containers: it installs the Debian package that stands beside it. No image is built here, which needs a base image.

use super::{Release, put, source};
use anyhow::Result;
use std::path::PathBuf;

/// Puts `Containerfile` beside the Debian package.
pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let file = release.out.join("Containerfile");
    put(&source("container/Containerfile"), &file, 0o644)?;
    Ok(vec![file])
}
