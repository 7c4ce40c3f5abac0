//! Checks of the layout that compilers do not make: who may import whom, who may start programs or touch the database,
//! a header on every file, one tool to a file, files that belong together, no long import cycles, licences, sources and use of
//! dependencies, no paths of somebody's machine.
//!
//! Each check is a function from text or metadata to findings; a finding names its file and says what to do.

mod cycles;
mod dependencies;
mod edges;
mod pairs;
mod sources;

use crate::shell::{cargo, output, program, root};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;

/// Runs every check; an error lists all findings.
pub fn run() -> Result<()> {
    let metadata: Value = serde_json::from_str(&output(cargo().args([
        "metadata",
        "--format-version",
        "1",
        "--all-features",
    ]))?)?;
    let architecture = fs::read_to_string(root().join("ARCHITECTURE.md"))
        .context("ARCHITECTURE.md holds the table of who may use whom")?;
    let table = edges::Table::parse(&architecture)?;
    let graph = edges::Graph::from_metadata(&metadata)?;
    let mut findings = table.check(&graph);
    findings.extend(edges::check_foreign(&graph));
    findings.extend(edges::check_licences(&metadata));
    let denied = fs::read_to_string(root().join("deny.toml")).context("deny.toml says what may be used")?;
    findings.extend(dependencies::Policy::parse(&denied)?.check(&metadata));
    findings.extend(dependencies::check_unused(&metadata));

    let mut notices = Vec::new();
    let listed = output(program("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]))?;
    let mut files = Vec::new();
    for name in listed.lines().filter(|name| sources::is_text(name)) {
        // a file deleted but not yet committed is still listed
        let Ok(text) = fs::read_to_string(root().join(name)) else { continue };
        findings.extend(sources::check(name, &text));
        notices.extend(sources::notice_length(name, &text));
        files.push((name.to_owned(), text));
    }
    findings.extend(pairs::check(&files));
    findings.extend(cycles::check(&files));
    for notice in notices {
        println!("  notice: {notice}");
    }
    if !findings.is_empty() {
        bail!("{} findings:\n  {}", findings.len(), findings.join("\n  "));
    }
    println!("  tidy: {} crates, {} files, nothing to mend", graph.crates().count(), listed.lines().count());
    Ok(())
}
