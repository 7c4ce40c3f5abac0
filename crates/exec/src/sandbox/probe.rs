//! Attempts to get out of a confined process, each made for real: what `pensaer exec --check` shows, and what tests rely on.

use super::{Attempt, log_to};
use std::fs::{self, File};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::process::Command;

/// Tries everything that this process should have lost.
pub fn attempts() -> Vec<Attempt> {
    let beside = std::env::temp_dir().join(format!("pensaer-check-{}", std::process::id()));
    let tried: [(&'static str, bool); 11] = [
        ("read a file outside (/etc/passwd)", fs::read("/etc/passwd").is_err()),
        ("list the root folder", fs::read_dir("/").is_err()),
        ("list processes (/proc)", fs::read_dir("/proc").is_err()),
        ("write a file outside", File::create(&beside).is_err()),
        ("open a log elsewhere", log_to(Some(&beside)).is_err()),
        ("start a program", Command::new("/bin/true").spawn().is_err()),
        ("reach the network", TcpStream::connect(("127.0.0.1", 9)).is_err_and(|error| not_permitted(&error))),
        ("listen on the network", TcpListener::bind(("127.0.0.1", 0)).is_err()),
        ("send a datagram", UdpSocket::bind(("127.0.0.1", 0)).is_err()),
        ("signal another process", signals_are_refused()),
        ("trace another process", tracing_is_refused()),
    ];
    let _ = fs::remove_file(&beside);
    tried.into_iter().map(|(what, refused)| Attempt { what, refused }).collect()
}

/// Nobody listening would be no proof.
fn not_permitted(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::PermissionDenied)
}

fn signals_are_refused() -> bool {
    let parent = rustix::process::getppid();
    parent.is_some_and(|parent| rustix::process::test_kill_process(parent).is_err())
}

fn tracing_is_refused() -> bool {
    // SAFETY: PTRACE_TRACEME takes no pointer; where it were allowed, it would only make this process traceable by its parent
    unsafe { libc::ptrace(libc::PTRACE_TRACEME) == -1 }
}
