//! Writes the JSON Schemas of the contract for those who write an adapter in another language: `contract schemas FOLDER [--check]`;
//! with `--check` it only says which of the files are not what the types say. `cargo xtask codegen` calls it.
#![expect(clippy::print_stdout, reason = "a tool for a shell")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["schemas", folder] => schemas(Path::new(folder), false),
        ["schemas", folder, "--check"] => schemas(Path::new(folder), true),
        _ => Err("usage: contract schemas FOLDER [--check]".into()),
    }
}

fn schemas(folder: &Path, check: bool) -> Result<(), Box<dyn Error>> {
    let mut wanted = BTreeMap::new();
    for (name, schema) in contract::published_schemas() {
        wanted.insert(name.to_owned(), format!("{}\n", serde_json::to_string_pretty(&schema)?));
    }
    let mut stale = Vec::new();
    for (name, text) in &wanted {
        let path = folder.join(name);
        if fs::read_to_string(&path).is_ok_and(|current| current == *text) {
            continue;
        }
        if check {
            stale.push(name.clone());
        } else {
            fs::write(&path, text)?;
            println!("wrote {}", path.display());
        }
    }
    for entry in fs::read_dir(folder)? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if file.extension().is_some_and(|end| end == "json") && !wanted.contains_key(&name) {
            stale.push(name);
        }
    }
    if !stale.is_empty() {
        let stale = stale.join(", ");
        return Err(format!(
            "{} is not what the contract says: {stale}; run `cargo xtask codegen`",
            folder.display()
        )
        .into());
    }
    println!("{} is current: {} files", folder.display(), wanted.len());
    Ok(())
}
