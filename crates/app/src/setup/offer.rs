//! The clients that are installed, offered one after the other: each is written where a person says yes.

use super::known::{CLIENTS, Client, Folders, Scope, Started};
use super::written::{self, Known};
use anyhow::Result;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Goes through the clients that are installed, and enters the server into the configurations for which `wanted` answers true. One that
/// cannot be written keeps no other from it, and makes the exit code 1.
pub(super) fn offer<W: Write>(
    out: &mut W,
    folders: &Folders,
    server: &Started,
    wanted: impl Fn(Client, &Path) -> Result<bool>,
) -> Result<ExitCode> {
    let here: Vec<Client> = CLIENTS.into_iter().filter(|client| client.is_here(folders)).collect();
    if here.is_empty() {
        writeln!(out, "None of the clients whose configuration is known is installed here.\n")?;
        super::list(out, folders)?;
        return Ok(ExitCode::SUCCESS);
    }
    let titles: Vec<&str> = here.iter().map(|client| client.title).collect();
    writeln!(out, "Found here: {}.", titles.join(", "))?;
    let mut ended = ExitCode::SUCCESS;
    for client in here {
        let Some(file) = client.file(Scope::User, folders) else { continue };
        if written::known(&file, client.form, server) == Known::AsNow {
            writeln!(out, "{}: {} has it already.", client.title, file.display())?;
            continue;
        }
        if !wanted(client, &file)? {
            writeln!(out, "{}: left as it is.", client.title)?;
            continue;
        }
        write!(out, "{}: ", client.title)?;
        if let Err(error) = super::write(out, client, &file, server) {
            writeln!(out, "{error:#}")?;
            ended = ExitCode::FAILURE;
        }
    }
    Ok(ended)
}

/// Asks the person at the terminal; an empty line is yes, the end of input no.
pub(super) fn asked(client: Client, file: &Path) -> Result<bool> {
    let mut err = io::stderr();
    loop {
        write!(err, "Write Pensaer into {} ({})? [Y/n] ", client.title, file.display())?;
        err.flush()?;
        let mut line = String::new();
        if io::stdin().read_line(&mut line)? == 0 {
            return Ok(false);
        }
        match line.trim().to_lowercase().as_str() {
            "" | "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            _ => writeln!(err, "Please say y or n.")?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn server() -> Started {
        Started { program: "/opt/pensaer".into(), arguments: vec!["mcp".into()], variables: Vec::new() }
    }

    #[test]
    fn what_is_wanted_is_written_and_what_cannot_be_keeps_nobody_else_from_it() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        let folders = Folders {
            home: at("home"),
            settings: at("settings"),
            project: at("project"),
            programs: Some("".into()),
        };
        let mut out = Vec::new();
        offer(&mut out, &folders, &server(), |_, _| Ok(true)).unwrap();
        assert!(String::from_utf8(out).unwrap().starts_with("None of the clients"));
        for folder in [".cursor", ".gemini", ".codex"] {
            fs::create_dir_all(folders.home.join(folder)).unwrap();
        }
        let broken = folders.home.join(".codex/config.toml");
        fs::write(&broken, "a = = 1").unwrap();
        let mut out = Vec::new();
        let ended = offer(&mut out, &folders, &server(), |client, _| Ok(client.name != "gemini")).unwrap();
        let said = String::from_utf8(out).unwrap();
        assert_eq!(ended, ExitCode::FAILURE, "{said}");
        assert!(said.starts_with("Found here: Codex, Cursor, Gemini CLI."), "{said}");
        assert!(said.contains("left as it is: ") && said.contains("Gemini CLI: left as it is."), "{said}");
        assert!(folders.home.join(".cursor/mcp.json").is_file());
        assert!(!folders.home.join(".gemini/settings.json").exists());
        assert_eq!(fs::read_to_string(&broken).unwrap(), "a = = 1");
        let mut out = Vec::new();
        offer(&mut out, &folders, &server(), |_, _| Ok(false)).unwrap();
        let said = String::from_utf8(out).unwrap();
        assert!(said.contains("Cursor: ") && said.contains("has it already"), "{said}");
    }
}
