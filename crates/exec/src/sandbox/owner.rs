//! Who a confined process is: namespaces in which there is nobody else, and for one that was root a user without rights.

use rustix::process::{Gid, Uid, geteuid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, UnshareFlags, configure_capability_in_ambient_set, set_capabilities,
    set_keep_capabilities, set_thread_groups, set_thread_res_gid, set_thread_res_uid, unshare_unsafe,
};
use std::io;

/// `nobody`, as every distribution numbers it.
const NOBODY: u32 = 65534;

/// Moves into a network, an IPC and a UTS namespace in which there is nobody else, and no network but what is open. Who is not
/// root needs a user namespace for that.
///
/// With `mounts` also into one in which it can mount what it will, where there is leave.
pub(super) fn own_namespaces(mounts: bool) -> io::Result<Vec<String>> {
    let (user, group) = (rustix::process::getuid(), rustix::process::getgid());
    let mut flags = UnshareFlags::NEWNET | UnshareFlags::NEWIPC | UnshareFlags::NEWUTS;
    if mounts {
        flags |= UnshareFlags::NEWNS;
    }
    let names = |all: &[&str]| all.iter().map(|&name| name.to_owned()).collect();
    // SAFETY: the table of descriptors is not unshared, and no other thread runs yet
    if geteuid().is_root() && unsafe { unshare_unsafe(flags) }.is_ok() {
        return Ok(names(&["network", "ipc", "uts"]));
    }
    // SAFETY: as above
    unsafe { unshare_unsafe(flags | UnshareFlags::NEWUSER) }?;
    // without a map files would seem to be nobody's; that is ugly, but no hole
    let _ = std::fs::write("/proc/self/setgroups", "deny");
    let _ = std::fs::write("/proc/self/uid_map", format!("{0} {0} 1", user.as_raw()));
    let _ = std::fs::write("/proc/self/gid_map", format!("{0} {0} 1", group.as_raw()));
    Ok(names(&["user", "network", "ipc", "uts"]))
}

/// From root to nobody, for ever. One right is kept, also by a program that this process turns into: to open files whoever owns
/// them, because the folders of the models are root's; landlock bounds which. The user that it became, if it could.
pub(super) fn become_nobody() -> io::Result<Option<u32>> {
    let files = CapabilitySet::DAC_OVERRIDE;
    let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    let with = |sets: CapabilitySet| CapabilitySets { effective: sets, permitted: sets, inheritable: sets };
    set_keep_capabilities(true)?;
    set_thread_groups(&[])?;
    set_thread_res_gid(group, group, group)?;
    set_thread_res_uid(user, user, user)?;
    set_capabilities(None, with(files))?;
    configure_capability_in_ambient_set(files, true)?;
    set_keep_capabilities(false)?;
    Ok(Some(NOBODY))
}
