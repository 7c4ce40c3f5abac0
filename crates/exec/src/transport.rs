//! The connection between a gateway and a worker on the same machine: a Unix socket in a folder that only its owner may
//! enter. What the platform has to offer is decided here and nowhere else; a platform without Unix sockets says so.

use std::io;
use std::path::{Path, PathBuf};
use tokio::io::{AsyncRead, AsyncWrite};

/// A connection, whatever carries it.
pub(crate) trait Io: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

/// A connection to a worker.
pub(crate) type Stream = Box<dyn Io>;

/// Opens a connection to a worker's socket.
#[cfg(unix)]
pub(crate) async fn connect(socket: &Path) -> io::Result<Stream> {
    Ok(Box::new(tokio::net::UnixStream::connect(socket).await?))
}

/// A bound socket, not yet served.
#[cfg(unix)]
pub type Listener = std::os::unix::net::UnixListener;
/// A bound socket, of which there are none here.
#[cfg(not(unix))]
pub type Listener = std::net::TcpListener;

/// Serves what was bound. Has to be called within a tokio runtime.
#[cfg(unix)]
pub(crate) fn accept_on(listener: Listener) -> io::Result<tokio::net::UnixListener> {
    listener.set_nonblocking(true)?;
    tokio::net::UnixListener::from_std(listener)
}

/// Serves what was bound.
#[cfg(not(unix))]
pub(crate) fn accept_on(_: Listener) -> io::Result<tokio::net::TcpListener> {
    Err(unsupported())
}

/// Binds a worker's socket. A file left behind by a worker that is gone is replaced; one that answers is not.
#[cfg(unix)]
pub(crate) fn bind(socket: &Path) -> io::Result<Listener> {
    if socket.exists() {
        if std::os::unix::net::UnixStream::connect(socket).is_ok() {
            return Err(io::Error::new(
                io::ErrorKind::AddrInUse,
                format!("{} is in use by a running worker", socket.display()),
            ));
        }
        std::fs::remove_file(socket)?;
    }
    Listener::bind(socket)
}

/// Opens a connection to a worker's socket.
#[cfg(not(unix))]
pub(crate) async fn connect(_: &Path) -> io::Result<Stream> {
    Err(unsupported())
}

/// Binds a worker's socket.
#[cfg(not(unix))]
pub(crate) fn bind(_: &Path) -> io::Result<Listener> {
    Err(unsupported())
}

#[cfg(not(unix))]
fn unsupported() -> io::Error {
    io::Error::new(
        io::ErrorKind::Unsupported,
        "the Execution Service needs Unix sockets, which this platform lacks",
    )
}

/// A new folder for sockets that only this user may enter, under the user's runtime folder or, without one, the
/// folder for temporary files. Socket paths have to be short (108 bytes on Linux), so it is never in a data folder.
pub(crate) fn socket_folder() -> io::Result<PathBuf> {
    let parent = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|p| p.is_dir());
    let parent = parent.unwrap_or_else(std::env::temp_dir);
    remove_leftovers(&parent);
    let nanos =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos());
    let folder = parent.join(format!("pensaer-exec-{}-{:x}", std::process::id(), nanos & 0xffff_ffff_ffff));
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&folder)?;
    Ok(folder)
}

/// Removes the folders of processes that ended without doing so.
fn remove_leftovers(parent: &Path) {
    #[cfg(target_os = "linux")]
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name
            .to_str()
            .and_then(|name| name.strip_prefix("pensaer-exec-"))
            .and_then(|rest| rest.split_once('-'));
        let Some(id) = owner.and_then(|(id, _)| id.parse::<u32>().ok()) else { continue };
        // A process that has ended but was not waited for has no program any more.
        let program = std::fs::read_link(format!("/proc/{id}/exe"));
        if program.is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            // Another user's folder stays: this fails on it.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = parent;
}
