//! The things that are looked at, one function each.

use super::Finding;
use crate::backend::{self, Readiness};
use crate::folder::DataFolder;
use crate::settings::Settings;
use crate::setup::{self, Known};
use crate::{client, compose, local, runtime};
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

/// Bytes that a data folder should have free: a large model, its indexes and its tiles.
const FREE: u64 = 1 << 30;

/// Everything, in the order in which it is told.
pub(super) fn all(settings: &Settings) -> Result<Vec<Finding>> {
    let mut found = vec![program()?];
    found.extend(folder(settings));
    found.push(database(settings)?);
    found.push(server(settings));
    found.extend(confinement()?);
    found.push(viewer());
    found.extend(back_ends(settings));
    found.extend(clients(settings));
    Ok(found)
}

/// This program: its version, its platform, and whether a shell finds it.
fn program() -> Result<Finding> {
    let this = std::env::current_exe().context("cannot tell where this program is")?;
    let said = format!(
        "{}, {} {}, at {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
        this.display()
    );
    let same = |path: &PathBuf| path.canonicalize().ok() == this.canonicalize().ok();
    Ok(match which::which("pensaer") {
        Ok(path) if same(&path) => Finding::works("program", said),
        Ok(other) => Finding::note(
            "program",
            said,
            format!("the shell finds another one: {}; one of the two can go", other.display()),
        ),
        Err(_) => Finding::note(
            "program",
            said,
            "the shell does not find it by its name; clients are told its whole path",
        ),
    })
}

/// The data folder: whether it can be written, and how much is free.
fn folder(settings: &Settings) -> Vec<Finding> {
    let place = &settings.data_dir;
    // of what is there on the way to it, the last has to be a folder
    let there = place.ancestors().find(|path| path.exists()).filter(|path| path.is_dir());
    let Some(there) = there else {
        return vec![Finding::broken(
            "data folder",
            format!("{} cannot be made", place.display()),
            "name another one with --data-dir or PENSAER_DATA_DIR",
        )];
    };
    let is_new = there != place;
    let said = format!("{}{}", place.display(), if is_new { ", made by the first call" } else { "" });
    // a file that is gone with its handle, where the folder is or will be
    let mut found = vec![match tempfile::tempfile_in(there) {
        Ok(_) => Finding::works("data folder", said),
        Err(error) => Finding::broken(
            "data folder",
            format!("{} cannot be written: {error}", there.display()),
            "give this user the right to write there, or name another folder with --data-dir or PENSAER_DATA_DIR",
        ),
    }];
    match runtime::free_space(there) {
        Ok(free) => {
            let said = format!("{} free at the data folder", size(free));
            found.push(if free >= FREE {
                Finding::works("disk", said)
            } else {
                Finding::note("disk", said, "`pensaer admin gc` throws away what can be made again")
            });
        }
        Err(error) => found.push(Finding::note("disk", "free space cannot be told", error.to_string())),
    }
    found
}

fn size(bytes: u64) -> String {
    let gigabytes = bytes as f64 / f64::from(1 << 30);
    if gigabytes >= 1.0 { format!("{gigabytes:.1} GB") } else { format!("{:.0} MB", gigabytes * 1024.0) }
}

/// The database: whether it can be reached, and whether its tables are of this version.
fn database(settings: &Settings) -> Result<Finding> {
    let looked = runtime::start()?.block_on(store::form(&compose::place(&settings.data_dir, settings)));
    let engine = if settings.db_url.is_some() { "PostgreSQL" } else { "SQLite" };
    Ok(match looked {
        Ok(None) => Finding::works("database", format!("{engine}, made by the first call")),
        Ok(Some(form)) if form.step == form.known => {
            Finding::works("database", format!("{engine}, of this version (step {})", form.step))
        }
        Ok(Some(form)) if form.step < form.known => Finding::works(
            "database",
            format!(
                "{engine}, of an earlier version (step {} of {}); the next server brings it to this one, in one transaction",
                form.step, form.known
            ),
        ),
        Ok(Some(form)) => Finding::broken(
            "database",
            format!("{engine}, of a later version (step {}, this program knows {})", form.step, form.known),
            "update Pensaer; this program leaves the folder as it is",
        ),
        Err(error) if settings.db_url.is_some() => Finding::broken(
            "database",
            format!("{engine} cannot be used: {error}"),
            "look at PENSAER_DB_URL, and whether the server answers",
        ),
        Err(error) => Finding::broken(
            "database",
            format!("{engine} cannot be read: {error}"),
            "`pensaer admin fsck` says more; `pensaer admin restore` puts a backup into an empty folder",
        ),
    })
}

/// The server of the folder: where it runs, or whether its port is free.
fn server(settings: &Settings) -> Finding {
    if local::check().is_err() {
        return Finding::broken("server", format!("none can run: {}", local::LACKING), local::REMEDY);
    }
    let folder = settings.data_dir.is_dir().then(|| DataFolder::open(&settings.data_dir).ok()).flatten();
    if let Some(running) = folder.as_ref().and_then(client::serving) {
        let said = format!("runs at {}, process {}", running.url, running.pid);
        return if running.version == env!("CARGO_PKG_VERSION") {
            Finding::works("server", said)
        } else {
            Finding::note(
                "server",
                format!("{said}, of version {}", running.version),
                "it makes way for this version when its last client has left; or end that process",
            )
        };
    }
    let address = settings.listen;
    match TcpListener::bind(address) {
        Ok(_) => Finding::works("server", format!("none runs, the first call starts one; {address} is free")),
        Err(error) => Finding::note(
            "server",
            format!("none runs, and {address} cannot be had: {error}"),
            "a server that a client starts takes another port; `pensaer serve` needs --listen ADDRESS",
        ),
    }
}

/// The walls around code of agents and readers of files, tried by a process of its own, for what it gives up it cannot take back.
fn confinement() -> Result<Vec<Finding>> {
    if local::check().is_err() {
        // no code of agents comes where no server runs
        return Ok(Vec::new());
    }
    let this = std::env::current_exe().context("cannot tell where this program is")?;
    let command: [OsString; 3] = [this.into(), "exec".into(), "--check".into()];
    let tried = exec::sandbox::output(&command).context("cannot start the check of confinement")?;
    let said = String::from_utf8_lossy(&tried.stdout);
    let after = |word: &str| {
        said.lines()
            .filter_map(|line| line.strip_prefix(word))
            .map(|rest| rest.trim().to_owned())
            .collect::<Vec<_>>()
    };
    let enforced = after("enforced:").join(", ");
    let missing = after("missing:");
    let mut found = vec![if tried.status.success() {
        Finding::works("confinement", format!("code of agents is held: {enforced}"))
    } else {
        Finding::broken(
            "confinement",
            format!("code of agents is not held, run_code is refused: {}", missing.join("; ")),
            if exec::sandbox::CONFINES {
                "`pensaer exec --check` says what was tried; it takes Linux 5.13 or later with landlock among its security modules \
                 (lsm=landlock,…) and seccomp"
            } else {
                "everything else works, with the rights of this user: open only files that you trust, or use a server on a machine \
                 with Linux over HTTP"
            },
        )
    }];
    let mut seen: Vec<&str> = Vec::new();
    for lacking in missing.iter().filter(|_| tried.status.success()) {
        let (name, remedy) = remedy(lacking);
        if !seen.contains(&name) {
            seen.push(name);
            found.push(Finding::note("confinement", format!("without {lacking}"), remedy));
        }
    }
    Ok(found)
}

/// The remedy of something that this system does not offer for confinement, under the name of its kind.
fn remedy(lacking: &str) -> (&'static str, &'static str) {
    if lacking.starts_with("control group") {
        (
            "control groups",
            "each worker's memory is bounded by itself; together with what it starts it is under systemd with \
             Delegate=memory pids, as the service in the packages has it",
        )
    } else if lacking.starts_with("namespaces") || lacking.starts_with("a root folder") {
        (
            "namespaces",
            "landlock and seccomp hold without them; kernel.unprivileged_userns_clone=1, or on Ubuntu \
             kernel.apparmor_restrict_unprivileged_userns=0, allows them",
        )
    } else if lacking.starts_with("landlock") {
        ("landlock", "Linux 5.13 or later, with landlock among the security modules (lsm=landlock,…)")
    } else if lacking.starts_with("seccomp") {
        ("seccomp", "a kernel with CONFIG_SECCOMP_FILTER")
    } else {
        ("the rest", "`pensaer exec --check` says more")
    }
}

/// The page of the viewer, which a build from source may lack.
fn viewer() -> Finding {
    if web::has_viewer() {
        Finding::works("viewer", "is part of this program")
    } else {
        Finding::broken(
            "viewer",
            "this program was built without it",
            "`cargo xtask ui`, then build again; the packages have it",
        )
    }
}

/// The back ends: those that are not installed are a wish, those that are and cannot be used are not.
fn back_ends(settings: &Settings) -> Vec<Finding> {
    backend::states(settings)
        .into_iter()
        .map(|(name, state)| {
            let version = state.version.unwrap_or_default();
            let said = format!("{name} {version}").trim_end().to_owned();
            match state.is {
                Readiness::Ready => Finding::works("back end", said),
                Readiness::NotInstalled => Finding::note(
                    "back end",
                    format!("{said} is not installed"),
                    state.hint.unwrap_or_default(),
                ),
                Readiness::Broken => Finding::broken(
                    "back end",
                    format!("{said} cannot be used"),
                    state.hint.unwrap_or_default(),
                ),
            }
        })
        .collect()
}

/// The assistants on this machine, and whether they start this program.
fn clients(settings: &Settings) -> Vec<Finding> {
    let found = match setup::found(settings) {
        Ok(found) if found.is_empty() => {
            return vec![Finding::note(
                "assistants",
                "none that is known was found",
                "`pensaer setup` lists those whose configuration it knows; any other starts `pensaer mcp`",
            )];
        }
        Ok(found) => found,
        Err(error) => {
            return vec![Finding::note("assistants", format!("{error:#}"), "set HOME")];
        }
    };
    found.iter().map(assistant).collect()
}

fn assistant(client: &setup::Found) -> Finding {
    let (title, file) = (client.title, client.file.display());
    let write = format!("`pensaer setup {} --write` enters it", client.name);
    match &client.known {
        Known::AsNow => Finding::works("assistant", format!("{title} starts this program ({file})")),
        Known::Nothing => Finding::note("assistant", format!("{title} does not know it"), write),
        Known::Otherwise(Some(program)) if !is_program(program) => Finding::broken(
            "assistant",
            format!("{title} starts {}, which is not there ({file})", program.display()),
            format!("`pensaer setup {} --write` enters this one", client.name),
        ),
        Known::Otherwise(Some(program)) => {
            Finding::works("assistant", format!("{title} starts {} ({file})", program.display()))
        }
        Known::Otherwise(None) => Finding::works("assistant", format!("{title} knows it ({file})")),
        Known::Unreadable(why) => Finding::note(
            "assistant",
            format!("{title}: {file} cannot be read: {why}"),
            format!("`pensaer setup {}` prints what belongs there", client.name),
        ),
    }
}

/// True if a program can be started by what a configuration names.
fn is_program(program: &Path) -> bool {
    which::which(program).is_ok()
}
