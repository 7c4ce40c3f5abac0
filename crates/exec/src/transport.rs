//! The connection between a gateway and a worker: on the same machine a Unix socket in a folder that only its owner may
//! enter, to another one TCP. What the platform has to offer is decided here and nowhere else; a platform without Unix
//! sockets says so.

use std::io;
use std::path::{Path, PathBuf};
use tokio::io::{AsyncRead, AsyncWrite};

/// A connection, whatever carries it.
pub(crate) trait Io: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

/// A connection to a worker.
pub(crate) type Stream = Box<dyn Io>;

/// The other end of a connection, where somebody waits for what was asked over it. That they are gone can be told without reading, and
/// so also while nobody reads: the operation that they asked for may hold the thread that would.
#[derive(Debug, Clone)]
pub struct Caller {
    #[cfg(unix)]
    socket: std::sync::Arc<std::os::fd::OwnedFd>,
}

impl Caller {
    /// True if the connection was closed there.
    #[cfg(unix)]
    pub(crate) fn is_gone(&self) -> bool {
        is_closed(self.socket.as_ref())
    }

    /// True if the connection was closed there.
    #[cfg(not(unix))]
    #[expect(clippy::unused_self, reason = "as where there are sockets")]
    pub(crate) fn is_gone(&self) -> bool {
        false
    }
}

/// Whoever connects to a worker's socket; none where the connection cannot be watched beside the one who serves it.
#[derive(Debug, Clone)]
pub(crate) struct Connected(pub(crate) Option<Caller>);

#[cfg(unix)]
impl axum::extract::connect_info::Connected<axum::serve::IncomingStream<'_, tokio::net::UnixListener>>
    for Connected
{
    fn connect_info(stream: axum::serve::IncomingStream<'_, tokio::net::UnixListener>) -> Self {
        let socket = std::os::fd::AsFd::as_fd(stream.io()).try_clone_to_owned();
        Self(socket.ok().map(|socket| Caller { socket: socket.into() }))
    }
}

#[cfg(not(unix))]
impl axum::extract::connect_info::Connected<axum::serve::IncomingStream<'_, tokio::net::TcpListener>>
    for Connected
{
    fn connect_info(_: axum::serve::IncomingStream<'_, tokio::net::TcpListener>) -> Self {
        Self(None)
    }
}

/// True if the other side closed a connection, or its direction of it.
#[cfg(unix)]
pub(crate) fn is_closed(connection: impl std::os::fd::AsFd) -> bool {
    use rustix::net::RecvFlags;
    let end = rustix::net::recv(connection, &mut [0; 1], RecvFlags::DONTWAIT | RecvFlags::PEEK);
    !matches!(end, Ok((_, 1..)) | Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR))
}

/// The address of an Execution Service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    /// A Unix socket.
    Unix(PathBuf),
    /// A host and port.
    Tcp(String),
}

impl Address {
    /// Reads `http://HOST:PORT` or `unix:PATH`.
    pub(crate) fn parse(url: &str) -> io::Result<Self> {
        let wrong = |why: &str| io::Error::new(io::ErrorKind::InvalidInput, format!("{url:?}: {why}"));
        if let Some(path) = url.strip_prefix("unix:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            return if path.is_empty() {
                Err(wrong("no path after unix:"))
            } else {
                Ok(Self::Unix(path.into()))
            };
        }
        if url.starts_with("https://") {
            return Err(wrong("TLS is not spoken here; put a proxy or a tunnel that does before it"));
        }
        let Some(authority) = url.strip_prefix("http://") else {
            return Err(wrong("expected http://HOST:PORT or unix:PATH"));
        };
        let authority = authority.trim_end_matches('/');
        let sound = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
        if authority.is_empty() || !authority.chars().all(sound) {
            return Err(wrong("expected a host and a port alone, as in http://10.0.0.5:8421"));
        }
        let host = authority.rsplit_once(']').map_or(authority, |(_, port)| port);
        Ok(Self::Tcp(if host.contains(':') { authority.to_owned() } else { format!("{authority}:80") }))
    }

    /// Returns the value of the Host header.
    pub(crate) fn authority(&self) -> &str {
        match self {
            Self::Unix(_) => "worker",
            Self::Tcp(authority) => authority,
        }
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
            Self::Tcp(authority) => write!(f, "http://{authority}"),
        }
    }
}

/// Opens a connection to a service.
pub(crate) async fn connect(address: &Address) -> io::Result<Stream> {
    match address {
        Address::Unix(socket) => connect_unix(socket).await,
        Address::Tcp(authority) => {
            let stream = tokio::net::TcpStream::connect(authority).await?;
            // an answer in two writes would wait for an acknowledgement
            stream.set_nodelay(true)?;
            Ok(Box::new(stream))
        }
    }
}

#[cfg(unix)]
async fn connect_unix(socket: &Path) -> io::Result<Stream> {
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

#[cfg(not(unix))]
#[expect(clippy::unused_async, reason = "as where there are sockets")]
async fn connect_unix(_: &Path) -> io::Result<Stream> {
    Err(unsupported())
}

/// Binds a worker's socket.
#[cfg(not(unix))]
pub(crate) fn bind(_: &Path) -> io::Result<Listener> {
    Err(unsupported())
}

#[cfg(not(unix))]
pub(crate) fn unsupported() -> io::Error {
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
    #[cfg_attr(not(unix), expect(unused_mut, reason = "there are no permissions to give"))]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_and_port_or_a_socket() {
        let read =
            |url| Address::parse(url).map(|address| address.to_string()).map_err(|error| error.to_string());
        assert_eq!(read("http://10.0.0.5:8421/").unwrap(), "http://10.0.0.5:8421");
        assert_eq!(read("http://bim.example").unwrap(), "http://bim.example:80");
        assert_eq!(read("http://[::1]:8421").unwrap(), "http://[::1]:8421");
        assert_eq!(read("http://[::1]").unwrap(), "http://[::1]:80");
        assert_eq!(read("unix:/run/exec.sock").unwrap(), "unix:/run/exec.sock");
        assert!(read("https://bim.example").unwrap_err().contains("TLS"));
        for wrong in ["bim.example:1", "http://", "http://me@host:1", "http://host:1/path", "unix:"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
