//! Formats every Rust file that is tracked, or says which is not formatted. `cargo fmt` follows `mod` declarations from the
//! roots of the crates, and so never sees the files of the tools, whose modules a build script declares. Generated
//! tables are left as their generator writes them.

use crate::shell::{output, program, root};
use anyhow::{Context, Result, bail};

/// Formats, or with `check` fails with the names of the files that are not formatted.
pub fn run(check: bool) -> Result<()> {
    let listed = output(program("git").args(["ls-files", "*.rs"]))?;
    let files: Vec<&str> =
        listed.lines().filter(|name| is_formatted(name) && root().join(name).is_file()).collect();
    let mut rustfmt = program("rustfmt");
    rustfmt.args(["--edition", "2024"]);
    if check {
        rustfmt.args(["--check", "--files-with-diff"]);
    }
    let done = rustfmt.args(&files).output().context("cannot start rustfmt")?;
    // a file is reached from each of its parents, too, and then named as often
    let said = String::from_utf8_lossy(&done.stdout);
    let mut unformatted: Vec<&str> = said.lines().collect();
    unformatted.sort_unstable();
    unformatted.dedup();
    if !unformatted.is_empty() {
        bail!("not formatted, run `cargo xtask format`:\n  {}", unformatted.join("\n  "));
    }
    if !done.status.success() {
        bail!("rustfmt ended with {}:\n{}", done.status, String::from_utf8_lossy(&done.stderr));
    }
    println!("  format: {} files", files.len());
    Ok(())
}

/// True for what people write.
fn is_formatted(name: &str) -> bool {
    !name.contains("/generated/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_tools_are_formatted_and_generated_tables_are_not() {
        assert!(is_formatted("crates/tools/src/model/undo.rs"));
        assert!(!is_formatted("crates/ifc/src/schema/generated/ifc4.rs"));
    }
}
