//! A program that runs beside a worker and is talked to over a socket, such as a back end in another language. It is started
//! as workers are, ends with the process that started it, and is killed when nobody holds it any more.

use crate::{sandbox, transport};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// A running program, and the socket at which it listens.
pub struct Sibling {
    child: Arc<Mutex<Child>>,
    folder: PathBuf,
    socket: PathBuf,
}

impl Sibling {
    /// Starts a program with `--socket PATH` and waits until it listens there. Its messages go to `log`, or to this process's
    /// standard error. The folder of the socket is its own, for sockets that it opens besides.
    pub fn start(command: Vec<OsString>, log: Option<&Path>, patience: Duration) -> io::Result<Self> {
        let folder = transport::socket_folder()?;
        let socket = folder.join("main");
        let (tell, started) = mpsc::channel();
        let (at, log) = (socket.clone(), log.map(Path::to_owned));
        // The thread stays with the process: its end is taken for that of the parent (see `sandbox`).
        std::thread::Builder::new().name("sibling-watch".into()).stack_size(256 << 10).spawn(move || {
            match sandbox::spawn_worker(&command, &at, log.as_deref()) {
                Err(error) => drop(tell.send(Err(error))),
                Ok(child) => {
                    let id = child.id();
                    let child = Arc::new(Mutex::new(child));
                    drop(tell.send(Ok(Arc::clone(&child))));
                    #[cfg(unix)]
                    sandbox::await_end(id);
                    #[cfg(not(unix))]
                    let _ = id;
                    let _ = child.lock().unwrap_or_else(PoisonError::into_inner).wait();
                }
            }
        })?;
        let child = match started.recv() {
            Ok(child) => child?,
            Err(_) => return Err(io::Error::other("the thread that starts programs ended")),
        };
        let sibling = Self { child, folder, socket };
        let until = Instant::now() + patience;
        while !sibling.socket.exists() {
            if let Some(status) = sibling.ended() {
                return Err(io::Error::other(format!("the program ended at its start ({status})")));
            }
            if Instant::now() > until {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "the program did not listen in time"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(sibling)
    }

    /// Where it listens.
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    fn ended(&self) -> Option<std::process::ExitStatus> {
        let mut child = self.child.try_lock().ok()?;
        child.try_wait().ok().flatten()
    }
}

impl Drop for Sibling {
    fn drop(&mut self) {
        // if the lock is taken, it has ended already
        if let Ok(mut child) = self.child.try_lock() {
            let _ = child.kill();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
