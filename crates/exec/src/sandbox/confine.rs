//! What a worker may still do once it has said that it is one: read the folders of the models and its own program, write its
//! scratch, answer on the socket that it already has. Everything else the kernel refuses, whatever the code in the worker
//! has become.
//!
//! Landlock decides about files, ports and signals, seccomp about system calls, resource limits about memory and files;
//! these are had without any privilege. Namespaces of its own (network, System V objects) are a second wall where
//! the system permits them; a worker started by root becomes nobody; and control groups bound it together with what it works with. What could not be had is told, not hidden: [`confine`] answers what holds.

use contract::Sandbox;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;

/// The files, memory and programs that a process may use once it is confined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Confinement {
    /// Folders and files that it may read, beside its own program.
    pub read: Vec<PathBuf>,
    /// Folders in which it may read, write, make and remove files.
    pub write: Vec<PathBuf>,
    /// Bytes of memory of its own; what it maps of a file to read does not count.
    pub memory: u64,
    /// Bytes of one file that it writes.
    pub file: u64,
    /// Programs that it may turn into. Where there are any, it may also have processes of its own, as they need them; a worker
    /// has none of both.
    pub programs: Vec<PathBuf>,
    /// True if the program may have no processes of its own either, only threads.
    pub alone: bool,
}

/// A program and what it may use: the document of a process that confines itself and then becomes that program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfinedProgram {
    /// The files, memory and system calls that it may use.
    pub confinement: Confinement,
    /// The program and its arguments.
    pub command: Vec<String>,
}

/// Something that a confined process must not be able to do.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The attempt, in words.
    pub what: &'static str,
    /// True if it failed, as it should.
    pub refused: bool,
}

impl Default for Confinement {
    fn default() -> Self {
        Self {
            read: Vec::new(),
            write: Vec::new(),
            memory: 8 << 30,
            file: 16 << 30,
            programs: Vec::new(),
            alone: false,
        }
    }
}

/// True if a process can be confined on this platform; whether it is, the system says.
pub const CONFINES: bool = cfg!(target_os = "linux");

/// Files, sockets and pipes that it may have open.
#[cfg(target_os = "linux")]
const DESCRIPTORS: u64 = 1024;

/// Confines this process, for ever. To be called before there is a second thread: what runs already would stay free.
///
/// An error means that it was asked wrongly, such as for a folder that is not there; what the system does not offer is no
/// error, but is missing in the answer.
#[cfg(target_os = "linux")]
pub fn confine(wish: &Confinement) -> io::Result<Sandbox> {
    let mut sandbox = Sandbox::default();
    let mut lacks = |what: &str, why: &dyn std::fmt::Display| sandbox.missing.push(format!("{what}: {why}"));
    // in this order: each step may need what the next one takes away
    let control_groups = super::group::join();
    for (name, _) in super::group::LIMITS {
        if !control_groups.iter().any(|bounded| bounded == name) {
            lacks(&format!("control group for {name}"), &"this system gives Pensaer none");
        }
    }
    let is_root = rustix::process::geteuid().is_root();
    // a program that runs foreign code is given a root folder of its own
    let has_view = !wish.programs.is_empty() && !wish.alone;
    let mut namespaces = super::owner::own_namespaces(has_view);
    match &mut namespaces {
        Err(error) => lacks("namespaces", error),
        Ok(named) if has_view => {
            let paths: Vec<_> =
                wish.read.iter().chain(&wish.write).chain(&wish.programs).map(PathBuf::as_path).collect();
            match super::view::leave_only(&paths) {
                Ok(()) => named.push("mount".to_owned()),
                Err(error) => lacks("a root folder of its own", &error),
            }
        }
        Ok(_) => {}
    }
    // landlock has to bound the files of one who may read all of them
    let user = if is_root && landlock_is_there() { super::owner::become_nobody() } else { Ok(None) };
    if let Err(error) = &user {
        lacks("a user of its own", error);
    }
    // a change of user or of its namespace would have taken this back
    super::die_with_parent()?;
    let limits = limit(wish);
    if let Err(error) = &limits {
        lacks("resource limits", error);
    }
    let landlock = restrict_files(wish)?;
    if landlock.is_none() {
        lacks("landlock", &"this kernel has none, or it is not enabled");
    }
    let calls = super::calls::restrict(!wish.programs.is_empty(), wish.alone);
    if let Err(error) = &calls {
        lacks("seccomp", error);
    }
    sandbox.control_groups = control_groups;
    sandbox.user = user.unwrap_or_default();
    sandbox.namespaces = namespaces.unwrap_or_default();
    sandbox.limits = limits.is_ok();
    sandbox.landlock = landlock;
    sandbox.seccomp = calls.is_ok();
    sandbox.no_new_privileges = rustix::thread::no_new_privs().unwrap_or(false);
    Ok(sandbox)
}

/// Confines this process as far as the platform can, which is not at all.
#[cfg(not(target_os = "linux"))]
pub fn confine(_: &Confinement) -> io::Result<Sandbox> {
    let missing = vec!["landlock and seccomp: only Linux has them".to_owned()];
    Ok(Sandbox { missing, ..Sandbox::default() })
}

/// Tries nothing: there is nothing here that a process could have lost.
#[cfg(not(target_os = "linux"))]
pub fn attempts() -> Vec<Attempt> {
    Vec::new()
}

/// Confines this process and turns it into a program that knows nothing of this one's environment: not even the start of that
/// program happens outside. Returns only if that fails. What the system does not offer is said on standard error; a program
/// that is to run foreign code has to see for itself that it is held.
#[cfg(unix)]
pub fn turn_into(confined: &ConfinedProgram) -> io::Error {
    use std::os::unix::process::CommandExt as _;
    let Some((program, arguments)) = confined.command.split_first() else {
        return io::Error::new(io::ErrorKind::InvalidInput, "no program to turn into");
    };
    let sandbox = match confine(&confined.confinement) {
        Ok(sandbox) => sandbox,
        Err(error) => return error,
    };
    for missing in &sandbox.missing {
        tracing::warn!("{program} runs without {missing}");
    }
    std::process::Command::new(program)
        .args(arguments)
        .env_clear()
        .env("LANG", "C.UTF-8")
        // libraries that compute on as many threads as there are cores have each fork begin with none of them
        .envs(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"].map(|name| (name, "1")))
        .exec()
}

/// Turns this process into a program, which this platform cannot.
#[cfg(not(unix))]
pub fn turn_into(_: &ConfinedProgram) -> io::Error {
    crate::transport::unsupported()
}

#[cfg(target_os = "linux")]
fn limit(wish: &Confinement) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    // processes are not limited: the count would be that of the user's processes everywhere, and it can start none
    for (resource, most) in [
        (Resource::Core, 0),
        (Resource::Data, wish.memory),
        (Resource::Fsize, wish.file),
        (Resource::Nofile, DESCRIPTORS),
        (Resource::Msgqueue, 0),
        (Resource::Memlock, 0),
    ] {
        let allowed = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
        setrlimit(resource, Rlimit { current: Some(allowed), maximum: Some(allowed) })?;
    }
    Ok(())
}

/// True if this kernel has landlock, asked without giving anything up.
#[cfg(target_os = "linux")]
fn landlock_is_there() -> bool {
    use landlock::{ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr};
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create)
        .is_ok()
}

/// Takes away all files but those wished for, all ports, and signals to others. The version of landlock, if there is one.
#[cfg(target_os = "linux")]
fn restrict_files(wish: &Confinement) -> io::Result<Option<u32>> {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, LandlockStatus, PathBeneath, PathFd, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetStatus, Scope,
    };
    const NEWEST: ABI = ABI::V7;
    let asked_wrongly = |error: &dyn std::fmt::Display| {
        io::Error::new(io::ErrorKind::InvalidInput, format!("landlock: {error}"))
    };
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let change = (AccessFs::from_all(NEWEST) & !AccessFs::Execute & !AccessFs::IoctlDev)
        & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock);
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create);
    let mut ruleset = ruleset.map_err(|error| asked_wrongly(&error))?;
    let own = std::env::current_exe().ok().filter(|_| wish.programs.is_empty());
    let readable = wish.read.iter().chain(&own).map(|path| (path, read));
    let writable = wish.write.iter().map(|path| (path, change));
    let run = wish.programs.iter().map(|path| (path, AccessFs::ReadFile | AccessFs::Execute));
    for (path, access) in readable.chain(writable).chain(run) {
        let place = PathFd::new(path).map_err(|error| asked_wrongly(&error))?;
        // what cannot be done to a file is not asked for of one
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
        ruleset = ruleset.add_rule(PathBeneath::new(place, access)).map_err(|error| asked_wrongly(&error))?;
    }
    let status = ruleset.restrict_self().map_err(|error| asked_wrongly(&error))?;
    Ok(match (status.ruleset, status.landlock) {
        (RulesetStatus::NotEnforced, _) => None,
        (_, LandlockStatus::Available { effective_abi, .. }) => Some(effective_abi as u32),
        _ => None,
    })
}
