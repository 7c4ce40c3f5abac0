//! The JSON Schemas of the contract, written from its types into `schemas/`, for those who write an adapter in another
//! language. CI checks that what is committed is what the types say.

use crate::shell::root;
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::fs;

/// Writes the schemas, or with `check` says which are not current.
pub fn run(check: bool) -> Result<()> {
    let folder = root().join("schemas");
    let mut wanted = BTreeMap::new();
    for (name, schema) in contract::published_schemas() {
        wanted.insert(name.to_owned(), format!("{}\n", serde_json::to_string_pretty(&schema)?));
    }
    if !check {
        fs::create_dir_all(&folder)?;
        for (name, text) in &wanted {
            fs::write(folder.join(name), text)?;
        }
    }
    let mut stale = Vec::new();
    for (name, text) in &wanted {
        if fs::read_to_string(folder.join(name)).ok().as_ref() != Some(text) {
            stale.push(name.clone());
        }
    }
    for entry in fs::read_dir(&folder)? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if file.extension().is_some_and(|end| end == "json") && !wanted.contains_key(&name) {
            stale.push(name);
        }
    }
    if !stale.is_empty() {
        bail!("schemas/ is not what the contract says: {}; run `cargo xtask codegen`", stale.join(", "));
    }
    println!("  schemas/ is current: {} files", wanted.len());
    Ok(())
}
