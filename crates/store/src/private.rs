//! Who may read what this process writes: its owner alone, but for files that it writes where the owner says.

use std::fs::{self, File};
use std::path::Path;

/// The permissions that the process was started to take from new files.
#[cfg(unix)]
static TAKEN_AT_START: std::sync::OnceLock<u32> = std::sync::OnceLock::new();

/// Has everything that this process makes from now on be its owner's alone. To be called before there are other threads.
pub fn keep_private() {
    #[cfg(unix)]
    {
        let before = rustix::process::umask(rustix::fs::Mode::from_bits_truncate(0o077));
        let _ = TAKEN_AT_START.set(number(before.bits()));
    }
}

/// Permissions as a number, which is narrower on some platforms.
#[cfg(unix)]
fn number(bits: impl Into<u32>) -> u32 {
    bits.into()
}

/// Makes a folder that only its owner may enter, and takes one that is there away from others.
pub fn folder(path: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    mend(path, 0o700)
}

/// Has a file that is made by these options have these permissions from its first moment, where files have any.
pub fn made_with(options: &mut fs::OpenOptions, mode: u32) -> &mut fs::OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    options
}

/// Takes a file away from everybody but its owner.
pub fn file(path: &Path) -> std::io::Result<()> {
    mend(path, 0o600)
}

#[cfg(unix)]
fn mend(path: &Path, mode: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let is_open = fs::metadata(path)?.permissions().mode() & 0o077 != 0;
    if is_open { fs::set_permissions(path, fs::Permissions::from_mode(mode)) } else { Ok(()) }
}

#[cfg(not(unix))]
fn mend(_: &Path, _: u32) -> std::io::Result<()> {
    Ok(())
}

/// Gives a file that is written for its owner to use the permissions that any program's would have, or those of the file that it replaces.
pub(crate) fn give_out(file: &File, replaced: Option<&fs::Metadata>) -> std::io::Result<()> {
    #[cfg(unix)]
    if let Some(taken) = TAKEN_AT_START.get() {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = replaced.map_or(0o666 & !taken, |replaced| replaced.permissions().mode() & 0o777);
        file.set_permissions(fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = (file, replaced);
    Ok(())
}
