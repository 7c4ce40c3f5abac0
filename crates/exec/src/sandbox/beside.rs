//! A worker and the program that it works with (a back end in another language), started side by side by a process that does
//! nothing else: so neither starts the other, and both are confined before they read anything. They share one socket and
//! nothing else.
//!
//! The three live and die together. When either of the two ends, so does the other, and whoever started this process starts it
//! anew; when this process ends, the kernel ends both.

use super::{Beside, KEPT, PARENT, hand, handover};
use crate::WorkerConfig;
use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};

/// Starts both, and answers how the first of them that ended did. The worker gets one end of the socket as its standard output,
/// the program the other as its standard input, with its document before anything that the worker sends.
pub fn side_by_side(beside: &Beside) -> io::Result<String> {
    super::die_with_parent()?;
    // both are to be bounded together, from their first moment
    super::group::join();
    // what a process leaves behind comes here, to be taken in
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let (to_worker, to_program) = UnixStream::pair()?;
    handover::send(&beside.program.1, &to_worker)?;
    let program = start(&beside.program.0, OwnedFd::from(to_program).into(), Stdio::null())?;
    let worker = match start_worker(&beside.worker, to_worker) {
        Ok(worker) => worker,
        Err(error) => {
            end(program);
            return Err(error);
        }
    };
    super::watch_parent()?;
    loop {
        let (ended, status) = wait_for_any()?;
        let (what, other) = match ended {
            id if id == program.id() => ("the program", worker),
            id if id == worker.id() => ("the worker", program),
            // a process that one of them left behind
            _ => continue,
        };
        end(other);
        return Ok(format!("{what} ended ({status})"));
    }
}

/// Starts a worker with one end of a socket as its standard output, and hands it its configuration.
pub(super) fn start_worker(
    (command, config): &(Vec<OsString>, WorkerConfig),
    control: UnixStream,
) -> io::Result<Child> {
    let mut worker = start(command, Stdio::piped(), OwnedFd::from(control).into())?;
    hand(&mut worker, config)?;
    Ok(worker)
}

fn start(command: &[OsString], stdin: Stdio, stdout: Stdio) -> io::Result<Child> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no command to start"));
    };
    let kept = KEPT.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
    Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(kept)
        .env("MIMALLOC_ARENA_EAGER_COMMIT", "0")
        .env(PARENT, std::process::id().to_string())
        .envs(std::env::var_os(super::group::GROUPS).map(|groups| (super::group::GROUPS, groups)))
        .stdin(stdin)
        .stdout(stdout)
        .spawn()
}

fn end(mut child: Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// Waits until some child has ended, and takes it in.
fn wait_for_any() -> io::Result<(u32, std::process::ExitStatus)> {
    use rustix::process::{WaitOptions, wait};
    use std::os::unix::process::ExitStatusExt;
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) => {
                let id = u32::try_from(pid.as_raw_nonzero().get()).unwrap_or_default();
                return Ok((id, std::process::ExitStatus::from_raw(status.as_raw())));
            }
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
