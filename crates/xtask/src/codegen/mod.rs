//! Code that is generated: the schema tables of the IFC kernel from the EXPRESS files of buildingSMART International.
//! The EXPRESS files themselves are not part of the repository (see the licence note in the tables); where they are
//! absent, nothing can be generated and nothing is checked, and the task says so.
#![allow(clippy::print_stdout, reason = "a task talks to the person who runs it")]

mod express;
mod lexer;
mod tables;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// EXPRESS file, module written, variant of `SchemaVersion`.
const SCHEMAS: [(&str, &str, &str); 3] = [
    ("IFC2X3_TC1.exp", "ifc2x3.rs", "Ifc2x3"),
    ("IFC4_ADD2_TC1.exp", "ifc4.rs", "Ifc4"),
    ("IFC4X3_ADD2.exp", "ifc4x3.rs", "Ifc4x3"),
];

/// Writes the generated files, or with `check` says which of them are not current.
pub fn run(check: bool) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Some(folder) = schemas(&root) else {
        println!(
            "codegen: skipped, no EXPRESS files (set PENSAER_TEST_DATA to a folder that holds schemas/)"
        );
        return Ok(());
    };
    let target = root.join("crates/ifc/src/schema/generated");
    let mut stale = Vec::new();
    for (source, module, version) in SCHEMAS {
        let path = folder.join(source);
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let schema = express::parse(&lexer::tokens(&text)).with_context(|| format!("reading {source}"))?;
        let tables = tables::write(&schema, version, source).with_context(|| format!("writing {module}"))?;
        let path = target.join(module);
        if std::fs::read_to_string(&path).is_ok_and(|current| current == tables) {
            continue;
        }
        if check {
            stale.push(module);
        } else {
            std::fs::write(&path, tables).with_context(|| path.display().to_string())?;
            println!(
                "codegen: wrote {module}, {} entities, {} types",
                schema.entities.len(),
                schema.types.len()
            );
        }
    }
    if !stale.is_empty() {
        bail!("generated files are not current: {}. Run `cargo xtask codegen`.", stale.join(", "));
    }
    println!("codegen: {} files are current", SCHEMAS.len());
    Ok(())
}

fn schemas(root: &Path) -> Option<PathBuf> {
    let data =
        std::env::var_os("PENSAER_TEST_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    Some(data.join("schemas")).filter(|folder| folder.is_dir())
}
