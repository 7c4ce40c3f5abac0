//! A root folder of its own, in which there is nothing but what a program may use: what landlock forbids to open can still be asked about by
//! its path, so a program that runs foreign code is given no such paths.

use std::collections::BTreeSet;
use std::ffi::CString;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, symlink};
use std::path::{Component, Path, PathBuf};

/// Folders over which the new root is made.
const OVER: [&str; 4] = ["/sys", "/mnt", "/media", "/srv"];
/// Links that are followed from one path before it is given up.
const LINKS: usize = 40;

/// Leaves nothing of the file system but these paths, under their names. Needs the right to mount, in a mount namespace of its own. Where it
/// fails nothing has changed for this process.
pub(super) fn leave_only(paths: &[&Path]) -> io::Result<()> {
    let folder = std::env::current_dir().ok();
    // it is made over a folder that is there and of no use here, so that nothing is left of it outside
    let is_free = |folder: &&Path| folder.is_dir() && !paths.iter().any(|path| path.starts_with(folder));
    let root = OVER.into_iter().map(Path::new).find(is_free);
    let root = root.ok_or_else(|| io::Error::other("there is no folder to make it over"))?;
    if let Err(error) = build(root, paths) {
        let _ = unmount(root);
        return Err(error);
    }
    std::env::set_current_dir(root)?;
    let here = c".";
    // SAFETY: both paths are terminated strings
    check(unsafe { libc::syscall(libc::SYS_pivot_root, here.as_ptr(), here.as_ptr()) } as libc::c_int)?;
    // the old root lies over the new one now, and its end takes every other path with it
    // SAFETY: as above
    check(unsafe { libc::umount2(here.as_ptr(), libc::MNT_DETACH) })?;
    let back = folder.filter(|folder| folder.is_dir()).unwrap_or_else(|| PathBuf::from("/"));
    std::env::set_current_dir(back)
}

fn build(root: &Path, paths: &[&Path]) -> io::Result<()> {
    // what is mounted here is seen nowhere else
    mount(None, Path::new("/"), None, libc::MS_REC | libc::MS_PRIVATE)?;
    mount(Some(Path::new("tmpfs")), root, Some(c"tmpfs"), libc::MS_NOSUID | libc::MS_NODEV)?;
    let mut placed = BTreeSet::new();
    for path in paths {
        place(root, path, &mut placed, LINKS)?;
    }
    Ok(())
}

/// Puts a path into the new root: the links on the way as they are, and what they lead to as a mount of itself.
fn place(root: &Path, path: &Path, placed: &mut BTreeSet<PathBuf>, links: usize) -> io::Result<()> {
    let mut way = PathBuf::from("/");
    let parts: Vec<Component<'_>> = path.components().collect();
    for (at, part) in parts.iter().enumerate() {
        let Component::Normal(name) = part else { continue };
        // what lies below a mount is there with it
        if placed.contains(&way) {
            return Ok(());
        }
        way.push(name);
        let about = fs::symlink_metadata(&way)?;
        if about.is_symlink() && !placed.contains(&way) {
            let target = fs::read_link(&way)?;
            let link = within(root, &way);
            if link.symlink_metadata().is_err() {
                symlink(&target, &link)?;
            }
            let rest: PathBuf = parts.iter().skip(at + 1).collect();
            let next = way.parent().unwrap_or(Path::new("/")).join(target).join(rest);
            if links == 0 {
                return Err(io::Error::other(format!("{} has too many links", path.display())));
            }
            return place(root, &plain(&next), placed, links - 1);
        }
        let inside = within(root, &way);
        if at + 1 < parts.len() {
            if !inside.is_dir() {
                DirBuilder::new().mode(0o755).create(&inside)?;
            }
        } else if !placed.contains(&way) {
            if about.is_dir() {
                if !inside.is_dir() {
                    DirBuilder::new().mode(0o755).create(&inside)?;
                }
            } else {
                File::options().write(true).create(true).truncate(false).mode(0o600).open(&inside)?;
            }
            let itself =
                File::options().read(true).custom_flags(libc::O_PATH | libc::O_NOFOLLOW).open(&way)?;
            let source = PathBuf::from(format!("/proc/self/fd/{}", itself.as_raw_fd()));
            mount(Some(&source), &inside, None, libc::MS_BIND | libc::MS_REC)?;
            placed.insert(way.clone());
        }
    }
    Ok(())
}

/// A path without `.` and `..`, each of which is taken for what it says.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::Normal(name) => plain.push(name),
            _ => {}
        }
    }
    plain
}

fn within(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

fn mount(
    source: Option<&Path>,
    target: &Path,
    kind: Option<&std::ffi::CStr>,
    flags: libc::c_ulong,
) -> io::Result<()> {
    let text = |path: &Path| CString::new(path.as_os_str().as_bytes()).map_err(io::Error::other);
    let (source, target) = (source.map(text).transpose()?, text(target)?);
    let pointer = |text: Option<&std::ffi::CStr>| text.map_or(std::ptr::null(), std::ffi::CStr::as_ptr);
    // SAFETY: all are terminated strings or null, and live until the call returns
    check(unsafe {
        libc::mount(pointer(source.as_deref()), target.as_ptr(), pointer(kind), flags, std::ptr::null())
    })
}

fn unmount(target: &Path) -> io::Result<()> {
    let target = CString::new(target.as_os_str().as_bytes()).map_err(io::Error::other)?;
    // SAFETY: a terminated string
    check(unsafe { libc::umount2(target.as_ptr(), libc::MNT_DETACH) })
}

fn check(answer: libc::c_int) -> io::Result<()> {
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_made_plain() {
        for (path, expected) in [("/a/./b/../c", "/a/c"), ("/usr/bin/../lib", "/usr/lib"), ("/..", "/")] {
            assert_eq!(plain(Path::new(path)), Path::new(expected));
        }
    }
}
