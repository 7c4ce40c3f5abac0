//! A socket over which a program beside a worker is handed connections: descriptors, one byte with each. Neither side needs a
//! name in the file system for it, and a worker that may open no socket can still talk to as many processes as there are. Where the
//! platform has no Unix sockets there is no such program, and no control.

use std::io;

/// A connection to a program beside a worker.
#[cfg(unix)]
pub type Connection = std::os::unix::net::UnixStream;
/// A connection to a program beside a worker, of which there are none here.
#[cfg(not(unix))]
pub type Connection = std::net::TcpStream;

/// One end of such a socket. The program at the other end, or the process of it that this end is to, ends when this is dropped.
#[derive(Debug)]
#[cfg_attr(not(unix), expect(dead_code, reason = "there is none here"))]
pub struct Control(Connection);

#[cfg(unix)]
impl Control {
    /// The control that was given to this process as its standard output, which is nothing afterwards. What has been written
    /// there would be in the way.
    pub fn from_stdout() -> io::Result<Self> {
        let given = rustix::io::dup(rustix::stdio::stdout())?;
        rustix::io::fcntl_setfd(&given, rustix::io::FdFlags::CLOEXEC)?;
        let nothing = std::fs::File::options().write(true).open("/dev/null")?;
        rustix::stdio::dup2_stdout(&nothing)?;
        Ok(Self(given.into()))
    }

    /// A new connection, whose other end goes over this control.
    pub fn connect(&self) -> io::Result<Connection> {
        use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
        use std::mem::MaybeUninit;
        use std::os::fd::AsFd;
        let (ours, its) = Connection::pair()?;
        let handed = [its.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut message = SendAncillaryBuffer::new(&mut space);
        if !message.push(SendAncillaryMessage::ScmRights(&handed)) {
            return Err(io::Error::other("no room for a descriptor"));
        }
        // the runtime of Rust ignores the signal; where its refusal can be asked for with the message, it is
        #[cfg(not(target_vendor = "apple"))]
        let flags = SendFlags::NOSIGNAL;
        #[cfg(target_vendor = "apple")]
        let flags = SendFlags::empty();
        sendmsg(&self.0, &[io::IoSlice::new(b"c")], &mut message, flags)?;
        Ok(ours)
    }

    /// True if there is somebody at the other end.
    pub fn is_alive(&self) -> bool {
        use rustix::net::{RecvFlags, recv};
        let end = recv(&self.0, &mut [0; 1], RecvFlags::DONTWAIT | RecvFlags::PEEK);
        matches!(end, Err(rustix::io::Errno::AGAIN))
    }
}

#[cfg(not(unix))]
impl Control {
    /// The control that was given to this process, which nobody can have done.
    pub fn from_stdout() -> io::Result<Self> {
        Err(crate::transport::unsupported())
    }

    /// A new connection, which cannot be made.
    pub fn connect(&self) -> io::Result<Connection> {
        Err(crate::transport::unsupported())
    }

    /// True if there is somebody at the other end.
    pub fn is_alive(&self) -> bool {
        false
    }
}

impl From<Connection> for Control {
    fn from(socket: Connection) -> Self {
        Self(socket)
    }
}
