//! Starting processes. Nothing else in the shipped crates does: what a child may read, write and use is decided in one
//! place.
//!
//! A worker dies with the process that started it, in two ways: its standard input is a pipe whose end means that
//! the parent is gone, and on Linux the kernel is asked to kill it when the parent dies (which also ends a worker that
//! is stopped). It never inherits standard output, which may be a protocol stream of its parent.

#[cfg(unix)]
mod beside;
#[cfg(target_os = "linux")]
mod calls;
mod confine;
mod group;
mod handover;
#[cfg(unix)]
mod launching;
#[cfg(target_os = "linux")]
mod owner;
#[cfg(target_os = "linux")]
mod probe;
mod together;
#[cfg(target_os = "linux")]
mod view;

#[cfg(unix)]
pub use beside::side_by_side;
#[cfg(not(target_os = "linux"))]
pub use confine::attempts;
pub use confine::{Attempt, CONFINES, ConfinedProgram, Confinement, confine, turn_into};
pub(crate) use group::ControlGroup;
pub use group::{Bounds, end_groups};
pub use handover::receive;
#[cfg(unix)]
pub use launching::launching;
#[cfg(target_os = "linux")]
pub use probe::attempts;
pub use together::{Beside, Launching, RUNS_PROGRAMS};
#[cfg(not(unix))]
pub use together::{launching, side_by_side};

use crate::WorkerConfig;
use serde::Serialize;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Tells a worker which process started it.
const PARENT: &str = "PENSAER_EXEC_PARENT";

/// The variables that a worker gets of its parent's environment.
const KEPT: [&str; 6] = ["PATH", "HOME", "LANG", "TZ", "PENSAER_LOG", "RUST_BACKTRACE"];

/// Appends to a log file, or passes a stream on where there is none.
fn log_to(log: Option<&Path>) -> io::Result<Stdio> {
    Ok(match log {
        Some(path) => {
            let mut options = File::options();
            options.create(true).append(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            options.open(path)?.into()
        }
        None => Stdio::inherit(),
    })
}

/// Starts a worker, which is handed its configuration. Its messages go to `log`, or to this process's standard error.
///
/// The thread that calls this has to live as long as the worker: on Linux the kernel takes the end of that thread for
/// the end of the parent.
pub(crate) fn spawn_worker(
    command: &[OsString],
    config: &WorkerConfig,
    log: Option<&Path>,
    group: Option<&ControlGroup>,
) -> io::Result<Child> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no command to start a worker with"));
    };
    // what else stands in this process's environment may be secret: addresses of databases, tokens
    let kept = KEPT.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
    let mut worker = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(kept)
        // no room kept ready in pages of 2 MB: it is half the memory of a small worker, and after others have used the memory the
        // system takes longer to clear such pages than a house takes to mesh
        .env("MIMALLOC_ARENA_EAGER_COMMIT", "0")
        .env(PARENT, std::process::id().to_string())
        .envs(group.map(|group| (group::GROUPS, group.variable())))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(log_to(log)?)
        .spawn()?;
    hand(&mut worker, config)?;
    Ok(worker)
}

/// Hands a document to a child, whose standard input stays open. That a child ended before it took it is found out by whoever waits
/// for its end; one that cannot be handed it for another reason is ended.
fn hand(child: &mut Child, document: &impl Serialize) -> io::Result<()> {
    match child.stdin.as_mut().map_or(Ok(()), |stdin| handover::send(document, stdin)) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let _ = child.kill();
            let _ = child.wait();
            Err(error)
        }
        _ => Ok(()),
    }
}

/// Runs a program to its end, with this process's environment and nothing to read, and answers what it said. For programs that the
/// user asked for, such as an installer.
pub fn output(command: &[OsString]) -> io::Result<std::process::Output> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no program to run"));
    };
    Command::new(program).args(arguments).stdin(Stdio::null()).output()
}

/// Runs a program to its end, handed a document, and answers what it said.
pub fn output_of(command: &[OsString], document: &impl Serialize) -> io::Result<std::process::Output> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no program to run"));
    };
    let mut program = Command::new(program);
    let mut child = program.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    hand(&mut child, document)?;
    child.wait_with_output()
}

/// Runs a program in control groups of its own, where the system has any for it, with this process's environment and output, and
/// answers how it ended. It finds them in its environment, and joins them when it is confined.
pub fn in_group(command: &[OsString], bounds: Bounds) -> io::Result<std::process::ExitStatus> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no program to run"));
    };
    let group = ControlGroup::new(bounds);
    let told = group.as_ref().map(ControlGroup::variable).unwrap_or_default();
    Command::new(program).args(arguments).env(group::GROUPS, told).stdin(Stdio::null()).status()
}

/// True if this process was started in control groups of its own, be there any or not.
pub fn is_in_group() -> bool {
    std::env::var_os(group::GROUPS).is_some()
}

/// Starts a process that outlives this one, hands it a document, and has its messages in `log`. The child calls [`detach`] itself.
pub fn spawn_daemon(command: &[OsString], document: &impl Serialize, log: &Path) -> io::Result<u32> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no command to start a daemon with"));
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(log_to(Some(log))?)
        .stderr(log_to(Some(log))?)
        .spawn()?;
    hand(&mut child, document)?;
    drop(child.stdin.take());
    let id = child.id();
    // If it ends first, it is reaped; if this process ends first, nothing is lost with the thread.
    std::thread::Builder::new().name("daemon-reaper".into()).spawn(move || {
        let _ = child.wait();
    })?;
    Ok(id)
}

/// Opens an address in the browser of this person. An error where there is nobody at a screen, or no browser.
pub fn open_in_browser(address: &str) -> io::Result<()> {
    // where there is no screen, what opens addresses may settle for a browser in the terminal
    let is_seen = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let screens = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"];
    if cfg!(target_os = "linux") && !screens.into_iter().any(is_seen) {
        return Err(io::Error::new(io::ErrorKind::NotFound, "there is no screen here"));
    }
    open::that_detached(address)
}

/// Leaves the session of the terminal that this process was started from, so that closing it does no harm.
pub fn detach() {
    #[cfg(unix)]
    {
        // Fails only if this process already leads a group, which is as good.
        let _ = rustix::process::setsid();
    }
}

/// The process that started this one, where that is a pool.
fn parent() -> Option<u32> {
    std::env::var(PARENT).ok().and_then(|text| text.parse().ok())
}

/// Called by a worker at its start: the kernel ends it with the process that started it. Does nothing in a worker that was
/// started by hand.
pub(crate) fn die_with_parent() -> io::Result<()> {
    let Some(parent) = parent() else { return Ok(()) };
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    // The parent may have died before the line above.
    #[cfg(unix)]
    if std::os::unix::process::parent_id() != parent {
        std::process::exit(0);
    }
    #[cfg(not(unix))]
    let _ = parent;
    Ok(())
}

/// Ends this process when the one that started it lets go of its standard input.
pub(crate) fn watch_parent() -> io::Result<()> {
    if parent().is_none() {
        return Ok(());
    }
    std::thread::Builder::new().name("parent-watch".into()).spawn(|| {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        std::process::exit(0);
    })?;
    Ok(())
}

/// Waits until a child has ended, without reaping it, so that its id stays its own until the caller does.
#[cfg(unix)]
pub(crate) fn await_end(child: u32) {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let Some(pid) = i32::try_from(child).ok().and_then(Pid::from_raw) else { return };
    while let Err(error) = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
        if error != rustix::io::Errno::INTR {
            return;
        }
    }
}
