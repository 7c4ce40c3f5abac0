//! A launcher and a worker: the worker may start nothing, and asks the launcher, over the socket that both share, to run one of
//! a few programs in a folder of its scratch. The launcher trusts nothing that it is asked: only programs that it was
//! given by name run, only below the worker's scratch and reached without a link, never with more than its own limits, and each
//! confined before it is loaded.
//!
//! All of them live and die together. A program ends when its time is over, when the worker lets go of the connection that it was
//! asked for on, and with the launcher; the launcher ends with its worker, and the kernel ends whatever is left.

use super::{ConfinedProgram, KEPT, Launching, PARENT, beside, hand};
use crate::WorkerConfig;
use crate::launches::{LauncherMessage, read_line, write_line};
use crate::transport;
use contract::{Launch, Launched};
use rustix::fs::{Mode, OFlags, open, openat};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsString;
use std::io::{self, BufReader, PipeReader, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Component, Path};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Bytes of a request.
const REQUEST: u64 = 256 << 10;
/// Bytes of memory, and of one file, that every program gets.
const LEAST: u64 = 1 << 20;
/// Bytes of a program's output that are passed on.
const OUTPUT: usize = 8 << 20;
/// The time that the worker may take to say what it wants, or to take a message.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time between two looks at a running program.
const PULSE: Duration = Duration::from_millis(20);
/// The time that programs may take to be gone after they were killed.
const FAREWELL: Duration = Duration::from_secs(2);

/// Starts a worker, with one end of a socket as its standard output, and runs programs for it until it ends. Answers how it did.
pub fn launching(launching: Launching, worker: &(Vec<OsString>, WorkerConfig)) -> io::Result<String> {
    super::die_with_parent()?;
    // all that is started here is to be bounded together
    super::group::join();
    let (to_worker, control) = UnixStream::pair()?;
    let mut worker = beside::start_worker(worker, to_worker)?;
    // its end means the end of this process to the worker, and waiting would close it
    let _held = worker.stdin.take();
    super::watch_parent()?;
    let bench = Arc::new(Bench { launching, running: AtomicUsize::new(0) });
    let listening = Arc::clone(&bench);
    std::thread::Builder::new().name("launch-requests".into()).spawn(move || listening.serve(&control))?;
    let status = worker.wait()?;
    // its connections are closed by now, which ends what ran for it
    let until = Instant::now() + FAREWELL;
    while bench.running.load(Ordering::SeqCst) > 0 && Instant::now() < until {
        std::thread::sleep(PULSE);
    }
    Ok(format!("the worker ended ({status})"))
}

struct Bench {
    launching: Launching,
    running: AtomicUsize,
}

/// Counts a run for as long as there may be a process of it.
struct Counted<'a>(&'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Bench {
    /// Takes connections until there is nobody to send any.
    fn serve(self: &Arc<Self>, control: &UnixStream) {
        while let Ok(Some(connection)) = receive(control) {
            let bench = Arc::clone(self);
            let counted = self.running.fetch_add(1, Ordering::SeqCst);
            let run = move || {
                let _counted = Counted(&bench.running);
                bench.answer(&connection, counted);
            };
            // the thread lives as long as the program: by that the kernel tells whether its parent lives
            if std::thread::Builder::new().name("launched".into()).spawn(run).is_err() {
                self.running.fetch_sub(1, Ordering::SeqCst);
            }
        }
    }

    fn answer(&self, connection: &UnixStream, before: usize) {
        let told = match self.run(connection, before) {
            Ok(ended) => LauncherMessage::Ended(ended),
            Err(why) => LauncherMessage::Refused(why),
        };
        let _ = write_line(connection, &told);
    }

    /// Runs what is asked for; an error is a sentence that says why it was not begun.
    fn run(&self, connection: &UnixStream, before: usize) -> Result<Launched, String> {
        let said = |error: io::Error| format!("The launcher cannot do that: {error}.");
        connection.set_read_timeout(Some(PATIENCE)).map_err(said)?;
        connection.set_write_timeout(Some(PATIENCE)).map_err(said)?;
        let mut line = Vec::new();
        let launch: Option<Launch> = read_line(&mut BufReader::new(connection.take(REQUEST)), &mut line)
            .map_err(|error| format!("The launcher was asked for something that it cannot read: {error}."))?;
        let launch = launch.ok_or("The launcher was asked for nothing.")?;
        if before >= self.launching.at_once {
            return Err(format!("{before} programs run already. Try again when one has ended."));
        }
        let Some(program) = self.launching.programs.get(&launch.program) else {
            let names: Vec<&str> = self.launching.programs.keys().map(String::as_str).collect();
            return Err(format!(
                "There is no program {:?} to be run; there is {}.",
                launch.program,
                names.join(", ")
            ));
        };
        let folder = self.folder(&launch.folder)?;
        let (output, child) = self.start(program, &launch, &folder).map_err(said)?;
        Ok(self.follow(connection, &launch, child, output))
    }

    /// The folder to run in, opened one step after another from the scratch, so that no link leads out of it.
    fn folder(&self, wanted: &Path) -> Result<OwnedFd, String> {
        const FLAGS: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
        for scratch in &self.launching.scratch {
            let Ok(rest) = wanted.strip_prefix(scratch) else { continue };
            let mut steps = rest.components().peekable();
            if steps.peek().is_none() || !rest.components().all(|step| matches!(step, Component::Normal(_))) {
                continue;
            }
            let at = |error: rustix::io::Errno| format!("{} cannot be opened: {error}.", wanted.display());
            let mut folder = open(scratch, FLAGS, Mode::empty()).map_err(at)?;
            for step in steps {
                folder =
                    openat(&folder, step.as_os_str(), FLAGS | OFlags::NOFOLLOW, Mode::empty()).map_err(at)?;
            }
            return Ok(folder);
        }
        Err(format!(
            "Programs are run in a folder of the worker's scratch, and {} is none.",
            wanted.display()
        ))
    }

    fn start(&self, program: &Path, launch: &Launch, folder: &OwnedFd) -> io::Result<(PipeReader, Child)> {
        let Some((confined, arguments)) = self.launching.confined_by.split_first() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "nothing confines programs"));
        };
        let mut confinement = self.launching.confinement.clone();
        confinement.memory = launch.memory_bytes.min(confinement.memory).max(LEAST);
        confinement.file = launch.file_bytes.min(confinement.file).max(LEAST);
        confinement.write.push(".".into());
        let words =
            std::iter::once(program.to_str()).chain(launch.arguments.iter().map(|word| Some(word.as_str())));
        let words: Option<Vec<String>> = words.map(|word| word.map(str::to_owned)).collect();
        let words = words
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the program's path is not UTF-8"))?;
        let (reader, writer) = io::pipe()?;
        let kept = KEPT.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
        let mut command = Command::new(confined);
        command
            .args(arguments)
            .env_clear()
            .envs(kept)
            .env(PARENT, std::process::id().to_string())
            .envs(std::env::var_os(super::group::GROUPS).map(|groups| (super::group::GROUPS, groups)))
            .stdin(Stdio::piped())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            // so that it and whatever it may have started can be ended at once
            .process_group(0);
        if cfg!(target_os = "linux") {
            // the folder that was looked at, whatever has its name by now
            command.current_dir(format!("/proc/self/fd/{}", folder.as_raw_fd()));
        } else {
            command.current_dir(&launch.folder);
        }
        let mut child = command.spawn()?;
        hand(&mut child, &ConfinedProgram { confinement, command: words })?;
        // nothing more comes
        drop(child.stdin.take());
        Ok((reader, child))
    }

    /// Stays with a program to its end, which comes when it is not wanted any more at the latest.
    fn follow(
        &self,
        connection: &UnixStream,
        launch: &Launch,
        mut child: Child,
        output: PipeReader,
    ) -> Launched {
        let until = Instant::now() + Duration::from_millis(launch.wall_ms).min(self.launching.wall);
        let mut ended = Launched::default();
        std::thread::scope(|scope| {
            let telling = scope.spawn(|| tell(connection, output));
            let status = loop {
                match child.try_wait() {
                    Ok(Some(status)) => break Some(status),
                    Ok(None) => {}
                    Err(_) => break None,
                }
                if !ended.cancelled && !ended.timed_out {
                    // whoever closes its direction wants no more
                    ended.cancelled = transport::is_closed(connection);
                    ended.timed_out = !ended.cancelled && Instant::now() >= until;
                }
                if ended.cancelled || ended.timed_out {
                    kill(&child);
                }
                std::thread::sleep(PULSE);
            };
            ended.exit_code = status.and_then(|status| status.code());
            ended.signal = status.and_then(|status| status.signal());
            let _ = telling.join();
        });
        ended
    }
}

/// Ends a program that was not taken in yet, so that its number is its own, with its process group.
fn kill(child: &Child) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// Passes on what a program prints; to its end, also where nobody takes it any more, since a full pipe would stop it.
fn tell(connection: &UnixStream, mut output: PipeReader) {
    let mut room = OUTPUT;
    let mut bytes = [0; 8 << 10];
    while let Ok(count) = output.read(&mut bytes) {
        let said = bytes.get(..count.min(room)).unwrap_or_default();
        if count == 0 {
            return;
        }
        room -= said.len();
        let text = String::from_utf8_lossy(said).into_owned();
        if !text.is_empty() && write_line(connection, &LauncherMessage::Printed(text)).is_err() {
            room = 0;
        }
    }
}

/// The next connection that comes over the control; none when there is nobody at its other end.
fn receive(control: &UnixStream) -> io::Result<Option<UnixStream>> {
    loop {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut handed = RecvAncillaryBuffer::new(&mut space);
        let mut byte = [0; 1];
        #[cfg(not(target_vendor = "apple"))]
        let flags = RecvFlags::CMSG_CLOEXEC;
        #[cfg(target_vendor = "apple")]
        let flags = RecvFlags::empty();
        let got = match recvmsg(control, &mut [io::IoSliceMut::new(&mut byte)], &mut handed, flags) {
            Err(rustix::io::Errno::INTR) => continue,
            other => other?,
        };
        if got.bytes == 0 {
            return Ok(None);
        }
        for message in handed.drain() {
            if let RecvAncillaryMessage::ScmRights(mut descriptors) = message
                && let Some(connection) = descriptors.next()
            {
                // where it cannot be asked for with the message, as above, it is done at once
                #[cfg(target_vendor = "apple")]
                rustix::io::fcntl_setfd(&connection, rustix::io::FdFlags::CLOEXEC)?;
                return Ok(Some(connection.into()));
            }
        }
    }
}

#[cfg(test)]
mod tests;
