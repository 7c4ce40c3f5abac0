//! The daemon of a data folder as a client of this program has it: found, or started, and said hello to.

use crate::folder::{DataFolder, Running};
use crate::hello::{Hello, Reply, Want};
use crate::local::{self, Stream};
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

/// Seconds that a daemon which was started for clients stays without any.
const IDLE_EXIT: u64 = 600;
/// How long a daemon may take to come up.
const START_LIMIT: Duration = Duration::from_secs(30);

/// Says hello to the daemon, which is started if there is none, and reads its reply. A daemon that was just ending says
/// nothing; then another one is asked.
pub(crate) fn ask(settings: &Settings, want: Want) -> Result<(Reply, BufReader<Stream>)> {
    let folder = DataFolder::open(&settings.data_dir)?;
    replace_earlier(&folder);
    let mut line =
        serde_json::to_vec(&Hello::new(settings.model_id.clone(), settings.api_key.as_ref(), want))?;
    line.push(b'\n');
    for _ in 0..3 {
        let mut stream = connect(&folder, settings)?;
        let mut answer = String::new();
        let sent = stream.write_all(&line);
        let mut stream = BufReader::with_capacity(64 << 10, stream);
        if sent.is_ok() && stream.read_line(&mut answer).is_ok() && answer.ends_with('\n') {
            let reply = serde_json::from_str(&answer)
                .context("the daemon is of another version; end it and try again")?;
            return Ok((reply, stream));
        }
    }
    bail!("the daemon closes every connection; its log says:\n{}", folder.log_tail())
}

/// Returns where a folder's daemon can be reached, if there is one.
pub(crate) fn serving(folder: &DataFolder) -> Option<Running> {
    local::connect(folder.socket()).ok().and_then(|_| folder.running())
}

/// Asks a daemon that an earlier version of this program started to make way, as after an update. Where others work with it, it stays;
/// so does one that somebody started by hand. One of a later version is none of this program's business.
fn replace_earlier(folder: &DataFolder) {
    let Some(running) = folder.running().filter(|running| is_earlier(&running.version)) else { return };
    let Ok(stream) = local::connect(folder.socket()) else { return };
    if !makes_way(stream) {
        eprintln!(
            "pensaer: the server that runs here is of version {}, this program of {}; it serves until its last client has left, or \
             until process {} is ended",
            running.version,
            env!("CARGO_PKG_VERSION"),
            running.pid
        );
        return;
    }
    let asked = Instant::now();
    while local::connect(folder.socket()).is_ok() && asked.elapsed() < START_LIMIT {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Asks a daemon to make way; true if it does.
fn makes_way(mut stream: Stream) -> bool {
    let Ok(mut line) = serde_json::to_vec(&Hello::new(None, None, Want::MakeWay)) else { return false };
    line.push(b'\n');
    let mut answer = String::new();
    let answered = stream.write_all(&line).and_then(|()| BufReader::new(stream).read_line(&mut answer));
    answered.is_ok() && serde_json::from_str(&answer).is_ok_and(|reply| matches!(reply, Reply::Ready))
}

/// True if a version is an earlier one than this program's.
fn is_earlier(version: &str) -> bool {
    let parsed = |text: &str| semver::Version::parse(text).ok();
    parsed(version).zip(parsed(env!("CARGO_PKG_VERSION"))).is_some_and(|(theirs, ours)| theirs < ours)
}

/// A connection to the daemon of this folder.
fn connect(folder: &DataFolder, settings: &Settings) -> Result<Stream> {
    if let Ok(stream) = local::connect(folder.socket()) {
        return Ok(stream);
    }
    // Clients that come at the same time wait here; all but the first find a daemon.
    let _starting = folder.lock_start()?;
    if let Ok(stream) = local::connect(folder.socket()) {
        return Ok(stream);
    }
    let _ = std::fs::remove_file(folder.failure());
    let pid = start(folder, settings, IDLE_EXIT)?;
    let started = Instant::now();
    loop {
        if let Ok(stream) = local::connect(folder.socket()) {
            return Ok(stream);
        }
        if let Ok(reason) = std::fs::read_to_string(folder.failure()) {
            bail!("the daemon could not start: {}", reason.trim());
        }
        if started.elapsed() > START_LIMIT || is_gone(pid) {
            bail!(
                "the daemon did not come up; its log {} ends with:\n{}",
                folder.log().display(),
                folder.log_tail()
            );
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Starts a daemon with these settings, which it is handed as they are; it ends after so many seconds without a client. Answers its
/// process id.
pub(crate) fn start(folder: &DataFolder, settings: &Settings, idle_exit: u64) -> Result<u32> {
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    let command = [
        program.into(),
        // for who lists processes
        "--data-dir".into(),
        settings.data_dir.clone().into(),
        "serve".into(),
        "--detached".into(),
        "--idle-exit".into(),
        idle_exit.to_string().into(),
    ];
    exec::sandbox::spawn_daemon(&command, settings, &folder.log()).context("cannot start the daemon")
}

/// True if a process that was started here has ended, where the system says so.
fn is_gone(pid: u32) -> bool {
    cfg!(target_os = "linux") && !std::path::Path::new(&format!("/proc/{pid}")).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(is_earlier("0.0.9") && is_earlier("0.1.0-rc.1"));
        assert!(!is_earlier(env!("CARGO_PKG_VERSION")) && !is_earlier("10.0.0") && !is_earlier("something"));
    }
}
