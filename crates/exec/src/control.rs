//! A socket over which a program beside a worker is handed connections: descriptors, one byte with each. Neither side needs a
//! name in the file system for it, and a worker that may open no socket can still talk to as many processes as there are.

use std::io;
#[cfg(unix)]
use std::os::unix::net::UnixStream;

/// One end of such a socket. The program at the other end, or the process of it that this end is to, ends when this is dropped.
#[cfg(unix)]
#[derive(Debug)]
pub struct Control(UnixStream);

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
    pub fn connect(&self) -> io::Result<UnixStream> {
        use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
        use std::mem::MaybeUninit;
        use std::os::fd::AsFd;
        let (ours, its) = UnixStream::pair()?;
        let handed = [its.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut message = SendAncillaryBuffer::new(&mut space);
        if !message.push(SendAncillaryMessage::ScmRights(&handed)) {
            return Err(io::Error::other("no room for a descriptor"));
        }
        sendmsg(&self.0, &[io::IoSlice::new(b"c")], &mut message, SendFlags::NOSIGNAL)?;
        Ok(ours)
    }

    /// True if there is somebody at the other end.
    pub fn is_alive(&self) -> bool {
        use rustix::net::{RecvFlags, recv};
        let end = recv(&self.0, &mut [0; 1], RecvFlags::DONTWAIT | RecvFlags::PEEK);
        matches!(end, Err(rustix::io::Errno::AGAIN))
    }
}

#[cfg(unix)]
impl From<UnixStream> for Control {
    fn from(socket: UnixStream) -> Self {
        Self(socket)
    }
}
