//! Control groups: what a worker and everything that it works with may use together. Limits of a process bound each process by
//! itself; these bound a worker, the program beside it and all its forks as one, and end all of them at once.
//!
//! They are had where the system lets this process have them: as root, under a service manager that delegates a group
//! (`Delegate=yes`), in containers with a group of their own. Both versions of control groups are known.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Tells a process which groups it is to join.
pub(super) const GROUPS: &str = "PENSAER_EXEC_GROUPS";

/// The bounds of the control groups of one worker.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Bytes of memory, of all processes together.
    pub memory: u64,
    /// Processes and threads.
    pub tasks: u32,
}

/// A controller, and the folder in which groups of this process may be made for it.
#[derive(Debug, Clone)]
struct Controller {
    /// `memory` or `pids`.
    name: &'static str,
    /// The file that takes the limit.
    limit: &'static str,
    /// The folder in which groups are made.
    folder: PathBuf,
}

/// The groups of one worker; they end with it.
pub(crate) struct ControlGroup {
    folders: Vec<PathBuf>,
}

impl ControlGroup {
    /// New groups with these bounds; none where the system does not let this process have any.
    pub(crate) fn new(bounds: Bounds) -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("pensaer-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let mut group = Self { folders: Vec::new() };
        for controller in controllers() {
            let folder = controller.folder.join(&name);
            if !folder.exists() && fs::create_dir(&folder).is_err() {
                continue;
            }
            let most = if controller.name == "memory" { bounds.memory } else { u64::from(bounds.tasks) };
            if !group.folders.contains(&folder) {
                group.folders.push(folder.clone());
            }
            if let Err(error) = fs::write(folder.join(controller.limit), most.to_string()) {
                tracing::warn!("{} takes no limit: {error}", folder.display());
            }
        }
        (!group.folders.is_empty()).then_some(group)
    }

    /// Returns the value of the environment variable that tells a child which groups to join.
    pub(crate) fn variable(&self) -> std::ffi::OsString {
        std::env::join_paths(&self.folders).unwrap_or_default()
    }
}

impl Drop for ControlGroup {
    /// Ends whatever is left in them, and removes them.
    fn drop(&mut self) {
        for folder in &self.folders {
            end(folder);
        }
    }
}

fn end(folder: &Path) {
    // processes that are ending are in it for a moment still
    for _ in 0..100 {
        if fs::remove_dir(folder).is_ok() || !folder.exists() {
            return;
        }
        if fs::write(folder.join("cgroup.kill"), "1").is_err() {
            let members = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
            members.lines().filter_map(|line| line.parse().ok()).for_each(kill);
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    tracing::warn!("{} is still in use", folder.display());
}

#[cfg(unix)]
fn kill(process: i32) {
    if let Some(pid) = rustix::process::Pid::from_raw(process) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill(_: i32) {}

/// True if there is no such process.
#[cfg(unix)]
fn is_gone(process: i32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    Pid::from_raw(process).is_some_and(|pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_gone(_: i32) -> bool {
    false
}

/// Joins the groups that this process was told of, with all that it will start. What they bound.
#[cfg(unix)]
pub(super) fn join() -> Vec<String> {
    let told = std::env::var_os(GROUPS).unwrap_or_default();
    let mut bounded = Vec::new();
    for folder in std::env::split_paths(&told).filter(|folder| folder.is_absolute()) {
        if let Err(error) = fs::write(folder.join("cgroup.procs"), "0") {
            tracing::warn!("cannot join {}: {error}", folder.display());
            continue;
        }
        for (name, limits) in LIMITS {
            let is_limited = |file: &&str| {
                fs::read_to_string(folder.join(file)).is_ok_and(|text| text.trim().parse::<u64>().is_ok())
            };
            if limits.iter().any(is_limited) {
                bounded.push(name.to_owned());
            }
        }
    }
    bounded
}

/// The bounded resources, with the file that bounds each: in the second version of control groups, and in the first.
pub(super) const LIMITS: [(&str, [&str; 2]); 2] =
    [("memory", ["memory.max", "memory.limit_in_bytes"]), ("pids", ["pids.max", "pids.max"])];

/// Looked up once.
static FOUND: OnceLock<Vec<Controller>> = OnceLock::new();

/// Ends all groups that this process has made, with whatever is in them. For a process that is about to end, whose threads that
/// wait for workers will not come to it.
pub fn end_groups() {
    let own = format!("pensaer-{}-", std::process::id());
    for controller in FOUND.get().into_iter().flatten() {
        let groups = fs::read_dir(&controller.folder).into_iter().flatten().flatten();
        groups
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(&own))
            .for_each(|entry| end(&entry.path()));
    }
}

/// The controllers that this process may make groups for.
fn controllers() -> &'static [Controller] {
    FOUND.get_or_init(|| {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let places = places(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup"));
        let mut found = Vec::new();
        for (name, [second, first]) in LIMITS {
            let unified = places.iter().find(|place| place.controllers.is_empty());
            let unified = unified.filter(|place| delegated(&place.folder, name).is_ok());
            let own = places.iter().find(|place| place.controllers.iter().any(|it| it == name));
            let controller = match (unified, own) {
                (Some(place), _) => Controller { name, limit: second, folder: place.folder.clone() },
                (None, Some(place)) => Controller { name, limit: first, folder: place.folder.clone() },
                (None, None) => continue,
            };
            remove_left_behind(&controller.folder);
            found.push(controller);
        }
        found
    })
}

/// The group of this process in one hierarchy.
#[derive(Debug, PartialEq)]
struct Place {
    /// The controllers of the hierarchy; none in that of the second version, where every group says which it has.
    controllers: Vec<String>,
    /// Its folder.
    folder: PathBuf,
}

/// Finds the groups of a process, from what the kernel says of mounts and of the process.
fn places(mounts: &str, groups: &str) -> Vec<Place> {
    let mut places = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let controllers: Vec<String> =
            controllers.split(',').filter(|it| !it.is_empty()).map(str::to_owned).collect();
        let mount = mounts.lines().find_map(|line| {
            let (before, after) = line.split_once(" - ")?;
            let mut before = before.split(' ').skip(3);
            let (root, point) = (before.next()?, before.next()?);
            let mut after = after.split(' ');
            let (kind, options) = (after.next()?, after.nth(1)?);
            let fits = match controllers.as_slice() {
                [] => kind == "cgroup2",
                these => {
                    kind == "cgroup" && these.iter().all(|it| options.split(',').any(|option| option == it))
                }
            };
            fits.then_some((root, point))
        });
        let Some((root, point)) = mount else { continue };
        // in a container the mount may begin within the hierarchy
        let within = Path::new(path).strip_prefix(root).or_else(|_| Path::new(path).strip_prefix("/"));
        let Ok(within) = within else { continue };
        places.push(Place { controllers, folder: Path::new(point).join(within) });
    }
    places
}

/// Makes sure that groups within this one have that controller, where that is allowed; an error otherwise. A group whose members are to
/// be bounded may have no process itself, so this process moves one down.
fn delegated(folder: &Path, controller: &str) -> io::Result<()> {
    let lists = |file: &str| {
        fs::read_to_string(folder.join(file))
            .is_ok_and(|text| text.split_whitespace().any(|name| name == controller))
    };
    if lists("cgroup.subtree_control") {
        return Ok(());
    }
    if !lists("cgroup.controllers") {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let given = || fs::write(folder.join("cgroup.subtree_control"), format!("+{controller}"));
    given().or_else(|_| {
        let below = folder.join("pensaer-supervisor");
        fs::create_dir(&below).or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Ok(()),
            _ => Err(error),
        })?;
        fs::write(below.join("cgroup.procs"), "0")?;
        given()
    })
}

/// Removes groups of processes that ended without doing so.
fn remove_left_behind(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix("pensaer-")?.split_once('-'));
        let Some(owner) = owner.and_then(|(owner, _)| owner.parse().ok()) else { continue };
        if is_gone(owner) {
            // one that still has processes stays
            let _ = fs::remove_dir(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HYBRID: &str = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
                          39 31 0:36 / /sys/fs/cgroup/pids rw,relatime shared:5 - cgroup cgroup rw,pids\n\
                          41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

    fn place(controllers: &[&str], folder: &str) -> Place {
        Place { controllers: controllers.iter().map(|&it| it.to_owned()).collect(), folder: folder.into() }
    }

    #[test]
    fn the_groups_of_a_process_are_found_in_both_versions() {
        let found = places(HYBRID, "8:pids:/\n4:memory:/service/a\n0::/\n");
        assert_eq!(
            found,
            [
                place(&["pids"], "/sys/fs/cgroup/pids/"),
                place(&["memory"], "/sys/fs/cgroup/memory/service/a"),
                place(&[], "/sys/fs/cgroup/unified/"),
            ]
        );
        let unified = "30 24 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
        let found = places(unified, "0::/system.slice/pensaer.service\n");
        assert_eq!(found, [place(&[], "/sys/fs/cgroup/system.slice/pensaer.service")]);
    }

    #[test]
    fn a_mount_that_begins_within_the_hierarchy_is_not_named_twice() {
        let mounts = "30 24 0:26 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup rw\n";
        assert_eq!(places(mounts, "0::/docker/abc\n"), [place(&[], "/sys/fs/cgroup/")]);
        assert_eq!(places("nonsense\n - \n", "x\n::\n0::/\n"), []);
    }

    #[test]
    fn what_is_left_in_a_group_ends_with_it() {
        let Some(group) = ControlGroup::new(Bounds { memory: 1 << 30, tasks: 64 }) else {
            // nothing of this is permitted here, which is said where a worker starts
            return;
        };
        let folders = group.folders.clone();
        let mut sleeper = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        for folder in &folders {
            fs::write(folder.join("cgroup.procs"), sleeper.id().to_string()).unwrap();
        }
        let waiting = std::thread::spawn(move || sleeper.wait().unwrap());
        drop(group);
        assert!(!waiting.join().unwrap().success(), "it was killed");
        assert!(folders.iter().all(|folder| !folder.exists()), "{folders:?}");
    }
}
