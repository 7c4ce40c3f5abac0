//! The reference of the settings, docs/settings.md, written from their list. `cargo xtask codegen` writes it; a test here says when it
//! is stale.

use super::declared::{SETTINGS, Setting};
use std::io::{self, Write as _};
use std::process::ExitCode;

const HEAD: &str = "\
# Settings

Written by `pensaer settings` from their list, not by hand: `cargo xtask codegen` writes it anew.

A setting is given by a flag, else by the environment, else in `pensaer.toml`, else it has its default. `pensaer.toml` is the one that
`--config` names, else the one in the working directory or in the data folder; what it names by a relative path lies beside it. Lists are
given by repeating the flag, or parted by commas. Every default works.

| flag | environment | pensaer.toml | default | |
| --- | --- | --- | --- | --- |
";

/// The reference in Markdown.
pub(super) fn markdown() -> String {
    SETTINGS.iter().fold(HEAD.to_owned(), |text, setting| text + &row(setting))
}

fn row(setting: &Setting) -> String {
    let value = if setting.is_switch() { String::new() } else { format!(" {}", setting.value) };
    let key = match setting.key.rsplit_once('.') {
        Some((table, key)) => format!("`[{table}] {key}`"),
        None if setting.key.is_empty() => String::new(),
        None => format!("`{}`", setting.key),
    };
    let default = if setting.default.is_empty() { String::new() } else { format!("`{}`", setting.default) };
    let help: Vec<&str> = setting.help.iter().map(|line| line.trim()).collect();
    format!(
        "| `--{}{value}` | `{}` | {key} | {default} | {} |\n",
        setting.flag,
        setting.env,
        help.join(" ").replace('|', "\\|")
    )
}

/// Prints it, as `pensaer settings` does.
pub(crate) fn print() -> anyhow::Result<ExitCode> {
    io::stdout().write_all(markdown().as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
