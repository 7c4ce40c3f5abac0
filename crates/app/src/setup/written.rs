//! The server entered into a client's configuration: what is there stays, the file of before is kept beside it, and a file that cannot be
//! read is not touched.

use super::known::{Form, SERVER, Started};
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// The instructions for coding agents.
const INSTRUCTIONS: &str = include_str!("agents.md");
/// The lines around them, by which they are found again.
const BEGIN: &str = "<!-- pensaer: begin -->\n";
const END: &str = "<!-- pensaer: end -->\n";
/// The largest configuration that is read.
const LARGEST: u64 = 16 << 20;

/// The outcome of entering the server into a configuration.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Entered {
    /// It was so already.
    AsBefore,
    /// The file is new.
    New,
    /// The file was changed; that of before is here.
    Changed(PathBuf),
}

/// The entry of the server in a configuration.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Nothing, or there is no configuration.
    Nothing,
    /// It is started as it would be entered now.
    AsNow,
    /// It is started in another way, by this program if one is named.
    Otherwise(Option<PathBuf>),
    /// It cannot be told, for this reason.
    Unreadable(String),
}

/// Looks at what a configuration says of the server.
pub(super) fn known(file: &Path, form: Form, server: &Started) -> Known {
    let text = match read(file) {
        Ok(Some(text)) => text,
        Ok(None) => return Known::Nothing,
        Err(error) => return Known::Unreadable(format!("{error:#}")),
    };
    let entered = match entered(&text, form) {
        Ok(Some(entered)) => entered,
        Ok(None) => return Known::Nothing,
        Err(error) => return Known::Unreadable(format!("{error:#}")),
    };
    if into_text(&text, form, server).is_ok_and(|after| after == text) {
        return Known::AsNow;
    }
    Known::Otherwise(entered)
}

/// The program of the server that a configuration has, within an option: none where no program is named; none at all where there is
/// no server.
#[expect(clippy::option_option, reason = "a server without a program is another thing than no server")]
fn entered(text: &str, form: Form) -> Result<Option<Option<PathBuf>>> {
    let program = |server: &Value| {
        let command = server.get("command")?;
        command.as_str().or_else(|| command.get(0)?.as_str()).map(PathBuf::from)
    };
    match form {
        Form::Json { member, .. } => {
            let whole: Value = serde_json::from_str(text).context("it is no plain JSON")?;
            Ok(whole.get(member).and_then(|servers| servers.get(SERVER)).map(program))
        }
        Form::Toml(table) => {
            let whole: toml::Table = text.parse().context("it cannot be read as TOML")?;
            let server = whole.get(table).and_then(|servers| servers.get(SERVER));
            Ok(server.map(|server| server.get("command").and_then(toml::Value::as_str).map(PathBuf::from)))
        }
        Form::Yaml => Ok(Some(None)),
        Form::Section => Ok(text.contains(BEGIN.trim_end()).then_some(None)),
    }
}

/// Returns what a person is to put into the configuration.
pub(super) fn snippet(form: Form, server: &Started) -> Result<String> {
    match form {
        Form::Json { member, entry } => {
            let servers = Map::from_iter([(SERVER.to_owned(), server.json(entry))]);
            let whole = Map::from_iter([(member.to_owned(), Value::Object(servers))]);
            Ok(serde_json::to_string_pretty(&whole)? + "\n")
        }
        Form::Toml(table) => tables(table, server),
        Form::Yaml => Ok(server.yaml()),
        Form::Section => Ok(section()),
    }
}

/// Enters the server into a configuration.
pub(super) fn enter(file: &Path, form: Form, server: &Started) -> Result<Entered> {
    let before = read(file)?;
    let text = before.as_deref().unwrap_or_default();
    let after =
        into_text(text, form, server).with_context(|| format!("{} is left as it is", file.display()))?;
    if before.as_deref() == Some(after.as_str()) {
        return Ok(Entered::AsBefore);
    }
    let Some(before) = before else {
        let folder = file.parent().context("a file without a folder")?;
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        replace(file, &after)?;
        return Ok(Entered::New);
    };
    let kept = keep(file, &before)?;
    replace(file, &after)?;
    Ok(Entered::Changed(kept))
}

/// The text of a configuration with the server in it.
fn into_text(text: &str, form: Form, server: &Started) -> Result<String> {
    match form {
        Form::Json { member, entry } => with_member(text, member, server.json(entry)),
        Form::Toml(table) => with_table(text, table, server),
        Form::Yaml => Ok(server.yaml()),
        Form::Section => with_section(text),
    }
}

fn read(file: &Path) -> Result<Option<String>> {
    let about = || file.display().to_string();
    match fs::metadata(file) {
        Ok(metadata) if metadata.len() > LARGEST => {
            bail!("{} has {} bytes, too many for a configuration", about(), metadata.len())
        }
        Ok(_) => fs::read_to_string(file).map(Some).with_context(about),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(about),
    }
}

/// Writes the text of before beside the file, under a name that is free.
fn keep(file: &Path, before: &str) -> Result<PathBuf> {
    let name = file.file_name().context("a file without a name")?.to_string_lossy().into_owned();
    for number in 1.. {
        let suffix = if number == 1 { "backup".to_owned() } else { format!("backup-{number}") };
        let kept = file.with_file_name(format!("{name}.{suffix}"));
        match fs::File::options().write(true).create_new(true).open(&kept) {
            Ok(mut made) => {
                made.write_all(before.as_bytes()).with_context(|| kept.display().to_string())?;
                return Ok(kept);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).with_context(|| kept.display().to_string()),
        }
    }
    bail!("no name is free beside {}", file.display())
}

/// Puts a text in the place of a file's, whole or not at all. Where the file is a link, the file that it leads to is meant.
fn replace(file: &Path, text: &str) -> Result<()> {
    let file = &file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    let folder = file.parent().context("a file without a folder")?;
    let mut made = tempfile::NamedTempFile::new_in(folder).with_context(|| folder.display().to_string())?;
    made.write_all(text.as_bytes())?;
    if let Ok(metadata) = fs::metadata(file) {
        fs::set_permissions(made.path(), metadata.permissions())?;
    }
    made.persist(file).with_context(|| file.display().to_string())?;
    Ok(())
}

/// The text of a configuration in JSON with the server among those of a member.
fn with_member(text: &str, member: &str, server: Value) -> Result<String> {
    let whole = if text.trim().is_empty() {
        Value::Object(Map::new())
    } else {
        serde_json::from_str(text).context(
            "it is no plain JSON (it may have comments, which would be lost); put what `pensaer setup` prints without --write into it by hand",
        )?
    };
    let Value::Object(mut members) = whole else { bail!("it holds no JSON object") };
    let servers = members.entry(member).or_insert_with(|| Value::Object(Map::new()));
    let Value::Object(servers) = servers else { bail!("its `{member}` is no JSON object") };
    if servers.get(SERVER) == Some(&server) {
        return Ok(text.to_owned());
    }
    servers.insert(SERVER.to_owned(), server);
    Ok(serde_json::to_string_pretty(&Value::Object(members))? + "\n")
}

fn tables(table: &str, server: &Started) -> Result<String> {
    let servers = toml::Table::from_iter([(SERVER.to_owned(), toml::Value::Table(server.toml()))]);
    let whole = toml::Table::from_iter([(table.to_owned(), toml::Value::Table(servers))]);
    Ok(toml::to_string(&whole)?)
}

/// The text of a configuration in TOML with a table for the server at its end. A table that is there, but another, is for a person to change:
/// to write it anew would lose comments.
fn with_table(text: &str, table: &str, server: &Started) -> Result<String> {
    let whole: toml::Table = text.parse().context("it cannot be read as TOML")?;
    let there = whole.get(table).and_then(|servers| servers.get(SERVER));
    if let Some(there) = there {
        if there.as_table() == Some(&server.toml()) {
            return Ok(text.to_owned());
        }
        bail!(
            "it has another [{table}.{SERVER}]; take that out, or put what `pensaer setup` prints without --write in its place"
        );
    }
    let parted = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let blank = if text.is_empty() { "" } else { "\n" };
    let after = format!("{text}{parted}{blank}{}", tables(table, server)?);
    // an inline table of servers cannot be added to at the end
    after
        .parse::<toml::Table>()
        .with_context(|| format!("its `{table}` is written in one line; add the server there"))?;
    Ok(after)
}

fn section() -> String {
    format!("{BEGIN}{INSTRUCTIONS}{END}")
}

/// The text of a file of instructions with the section in it: in the place of that of before, else at the end.
fn with_section(text: &str) -> Result<String> {
    let Some(from) = text.find(BEGIN.trim_end()) else {
        let parted = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        let blank = if text.is_empty() { "" } else { "\n" };
        return Ok(format!("{text}{parted}{blank}{}", section()));
    };
    let (before, rest) = text.split_at(from);
    let end = rest.find(END.trim_end()).context("the end of its section on Pensaer is missing")?;
    let after = rest.get(end + END.trim_end().len()..).unwrap_or_default();
    Ok(format!("{before}{}{}", section(), after.strip_prefix('\n').unwrap_or(after)))
}
