//! Code that is generated: the schema tables of the IFC kernel from the EXPRESS files of buildingSMART International,
//! the rules and functions of the same files, the names and types of its property sets from their templates, their names by language, and the
//! tables of EnergyPlus' input from its schema. Those
//! files are not part of the repository (see the licence notes in the tables). Where they are absent nothing can be generated, and
//! the task says so; a check fails.
#![allow(clippy::print_stdout, reason = "a task talks to the person who runs it")]

mod energyplus;
mod express;
mod lexer;
mod rules;
mod set_names;
mod set_rules;
mod tables;
mod templates;

use crate::shell::{build_examples, cargo, example, linting, output, program, root, sh, target, test_data};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// EXPRESS file, name of the module and the text written, variant of `SchemaVersion`.
const SCHEMAS: [(&str, &str, &str); 3] = [
    ("IFC2X3_TC1.exp", "ifc2x3", "Ifc2x3"),
    ("IFC4_ADD2_TC1.exp", "ifc4", "Ifc4"),
    ("IFC4X3_ADD2.exp", "ifc4x3", "Ifc4x3"),
];

/// Property set templates, text written.
const TEMPLATES: [(&str, &str); 3] = [
    ("Pset_IFC2X3.ifc", "ifc2x3.txt"),
    ("Pset_IFC4_ADD2.ifc", "ifc4.txt"),
    ("Pset_IFC4X3.ifc", "ifc4x3.txt"),
];

/// Folders of the tables that buildingSMART's validation rules come with, text written.
const RULE_TABLES: [(&str, &str); 3] =
    [("IFC2X3", "ifc2x3.txt"), ("IFC4", "ifc4.txt"), ("IFC4X3", "ifc4x3.txt")];

/// Builds what knows how files are generated, and generates.
pub fn run(check: bool) -> Result<()> {
    build_examples(&["contract", "energy"])?;
    run_built(check)?;
    if check { Ok(()) } else { references(&root()) }
}

/// The JSON Schemas of the contract, from its types.
fn contract_schemas(check: bool) -> Result<()> {
    let mut command = example("contract");
    command.args(["schemas", "schemas"]);
    if check {
        command.arg("--check");
    }
    sh(&mut command)
}

/// Writes the generated files, or with `check` says which of them are not current. The examples of `contract` and `energy` are built.
pub fn run_built(check: bool) -> Result<()> {
    let root = root();
    contract_schemas(check)?;
    energyplus::run(check)?;
    let Some(folder) = schemas() else {
        return absent(check, "no EXPRESS files: set PENSAER_TEST_DATA to a folder that holds schemas/");
    };
    let mut files = Vec::new();
    for (source, module, version) in SCHEMAS {
        let text = read(&folder.join(source))?;
        let schema = express::parse(&lexer::tokens(&text)).with_context(|| format!("reading {source}"))?;
        let tables = tables::write(&schema, version, source).with_context(|| format!("writing {module}"))?;
        files.push((format!("crates/ifc-schema/src/generated/{module}.rs"), tables));
        let rules = rules::write(&text, source).with_context(|| format!("reading the rules of {source}"))?;
        files.push((format!("crates/ifc-check/src/express/generated/{module}.txt"), rules));
    }
    for (source, name) in TEMPLATES {
        let text = templates::write(&read(&folder.join(source))?, source)
            .with_context(|| format!("reading {source}"))?;
        files.push((format!("crates/ifc/src/psets/generated/{name}"), text));
    }
    let mut sets = Vec::new();
    for (source, _) in TEMPLATES {
        sets.push((source, read(&folder.join(source))?));
    }
    files.push((
        "crates/knowledge/src/corpora/ifc/generated/names.txt".to_owned(),
        set_names::names(&sets).context("reading names by language")?,
    ));
    files.push((
        "crates/knowledge/src/corpora/ifc/generated/values.txt".to_owned(),
        set_names::values(&sets, &["IFC2X3", "IFC4", "IFC4X3"]).context("reading words of properties")?,
    ));
    let rules = folder.join("../gherkin/features/resources");
    if rules.is_dir() {
        for (schema, name) in RULE_TABLES {
            let text = set_rules::write(&set_rules::tables(&rules, schema)?)
                .with_context(|| format!("reading the rules' tables of {schema}"))?;
            files.push((format!("crates/ifc-check/src/implementer/generated/{name}"), text));
        }
    } else {
        absent(check, "no tables of rules: set PENSAER_TEST_DATA to a folder that holds gherkin/")?;
    }
    let count = files.len();
    let mut stale = Vec::new();
    for (name, text) in files {
        let path = root.join(&name);
        if std::fs::read_to_string(&path).is_ok_and(|current| current == text) {
            continue;
        }
        if check {
            stale.push(name);
        } else {
            std::fs::write(&path, text).with_context(|| path.display().to_string())?;
            println!("codegen: wrote {name}");
        }
    }
    if !stale.is_empty() {
        bail!("generated files are not current: {}. Run `cargo xtask codegen`.", stale.join(", "));
    }
    println!("codegen: {count} files are current");
    Ok(())
}

/// Pages that the program itself writes, which has the catalogue and the settings, and how; its tests say when they are stale.
const REFERENCES: [(&str, &[&str]); 3] = [
    ("docs/tools.md", &["tools", "--markdown"]),
    ("docs/severities.md", &["tools", "--severities"]),
    ("docs/settings.md", &["settings"]),
];

/// Writes the pages that are not current.
fn references(root: &Path) -> Result<()> {
    // built with the workspace's features, as the tests build it: `-p app` would make many dependencies a second time
    sh(linting(cargo().args(["build", "--quiet", "--workspace", "--bin", "pensaer"]))?)?;
    for (name, arguments) in REFERENCES {
        let text = output(program(target().join("debug/pensaer")).args(arguments))?;
        let path = root.join(name);
        if !read(&path).is_ok_and(|current| current == text) {
            std::fs::write(&path, text).with_context(|| path.display().to_string())?;
            println!("codegen: wrote {name}");
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| path.display().to_string())
}

fn schemas() -> Option<PathBuf> {
    test_data().map(|data| data.join("schemas")).filter(|folder| folder.is_dir())
}

/// A source of generated files is not there: an error in a check, otherwise a word about it.
fn absent(check: bool, what: &str) -> Result<()> {
    if check {
        bail!("cannot check what is generated: {what}");
    }
    println!("codegen: skipped, {what}");
    Ok(())
}
