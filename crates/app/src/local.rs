//! The daemon's local socket: a Unix socket. What of it the platform has is decided here; one that has none says what to do instead.

#[cfg(unix)]
use anyhow::Context as _;
use anyhow::Result;
use std::io;
use std::path::Path;

/// A connection to the daemon, as one who waits for its answers has it.
#[cfg(unix)]
pub(crate) type Stream = std::os::unix::net::UnixStream;
/// A connection as a task has it.
#[cfg(unix)]
pub(crate) type AsyncStream = tokio::net::UnixStream;
/// A socket that a daemon listens at.
#[cfg(unix)]
pub(crate) type Listener = tokio::net::UnixListener;

/// A connection to the daemon, of which there are none here.
#[cfg(not(unix))]
pub(crate) type Stream = std::net::TcpStream;
/// A connection as a task has it, of which there are none here.
#[cfg(not(unix))]
pub(crate) type AsyncStream = tokio::net::TcpStream;
/// A socket that a daemon listens at, of which there are none here.
#[cfg(not(unix))]
pub(crate) type Listener = tokio::net::TcpListener;

/// Why no server runs where there are no such sockets.
pub(crate) const LACKING: &str = "the server needs Unix sockets, which Pensaer has not on this platform";
/// The remedy.
pub(crate) const REMEDY: &str =
    "on Windows run Pensaer in WSL, or use a server on another machine over HTTP (http://HOST:8420/mcp)";

/// An error where no server can run, nor anything that asks one.
pub(crate) fn check() -> io::Result<()> {
    if cfg!(unix) { Ok(()) } else { Err(unsupported()) }
}

fn unsupported() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("{LACKING}: {REMEDY}"))
}

/// Connects to the daemon that listens at a socket.
#[cfg(unix)]
pub(crate) fn connect(socket: &Path) -> io::Result<Stream> {
    Stream::connect(socket)
}

/// Connects to the daemon that listens at a socket.
#[cfg(not(unix))]
pub(crate) fn connect(_: &Path) -> io::Result<Stream> {
    Err(unsupported())
}

/// Listens at a socket. Has to be called within a tokio runtime.
#[cfg(unix)]
pub(crate) fn listen(socket: &Path) -> io::Result<Listener> {
    Listener::bind(socket)
}

/// Listens at a socket.
#[cfg(not(unix))]
pub(crate) fn listen(_: &Path) -> io::Result<Listener> {
    Err(unsupported())
}

/// Hands a connection to tasks. Has to be called within a tokio runtime.
pub(crate) fn to_tasks(stream: Stream) -> io::Result<AsyncStream> {
    stream.set_nonblocking(true)?;
    AsyncStream::from_std(stream)
}

/// The user that a folder belongs to: one with sockets in it has to be one's own.
#[cfg(unix)]
pub(crate) fn owner(folder: &Path) -> Result<u32> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata =
        std::fs::symlink_metadata(folder).with_context(|| format!("cannot look at {}", folder.display()))?;
    anyhow::ensure!(metadata.is_dir(), "{} is not a folder", folder.display());
    Ok(metadata.uid())
}

/// The user that a folder belongs to, who is taken to be always the same where there are no sockets.
#[cfg(not(unix))]
pub(crate) fn owner(_: &Path) -> Result<u32> {
    Ok(0)
}
