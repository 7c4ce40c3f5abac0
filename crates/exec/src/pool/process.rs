//! A worker's process: started, waited for and killed from a thread of its own.
//!
//! The thread lives as long as the process. That is what the kernel measures a worker's parent by (see `sandbox`), and
//! waiting there means that its end is known at once and that its id cannot be another's while it may still be killed.

use crate::WorkerConfig;
use crate::sandbox::{self, Bounds, ControlGroup};
use parking_lot::Mutex;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use tokio::sync::{oneshot, watch};

/// A running or ended child process.
pub(super) struct Process {
    id: u32,
    child: Mutex<Option<Child>>,
    ended: watch::Sender<Option<Ending>>,
}

/// How a process ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ending(Option<ExitStatus>);

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(status) => status.fmt(f),
            None => f.write_str("cause unknown"),
        }
    }
}

impl Process {
    /// Starts a worker's process and a thread that stays with it.
    pub(super) async fn start(
        command: Vec<OsString>,
        config: WorkerConfig,
        log: Option<PathBuf>,
        bounds: Option<Bounds>,
    ) -> io::Result<Arc<Self>> {
        let (tell, started) = oneshot::channel();
        std::thread::Builder::new().name("worker-watch".into()).stack_size(256 << 10).spawn(move || {
            // goes with the worker, and takes along what the worker left
            let group = bounds.and_then(ControlGroup::new);
            match sandbox::spawn_worker(&command, &config, log.as_deref(), group.as_ref()) {
                Err(error) => {
                    let _ = tell.send(Err(error));
                }
                Ok(child) => {
                    let process = Arc::new(Self {
                        id: child.id(),
                        child: Mutex::new(Some(child)),
                        ended: watch::Sender::new(None),
                    });
                    // If nobody waits for it any more, it has to go.
                    if tell.send(Ok(Arc::clone(&process))).is_err() {
                        process.kill();
                    }
                    process.watch();
                }
            }
        })?;
        started.await.unwrap_or_else(|_| Err(io::Error::other("the thread that starts workers ended")))
    }

    /// Waits for the end, takes the child in, and tells those who wait.
    fn watch(&self) {
        #[cfg(unix)]
        sandbox::await_end(self.id);
        #[cfg(not(unix))]
        while self.with_child(|child| child.try_wait().ok().flatten()).flatten().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let child = self.child.lock().take();
        let status = child.and_then(|mut child| child.wait().ok());
        self.ended.send_replace(Some(Ending(status)));
    }

    fn with_child<T>(&self, act: impl FnOnce(&mut Child) -> T) -> Option<T> {
        self.child.lock().as_mut().map(act)
    }

    pub(super) fn id(&self) -> u32 {
        self.id
    }

    pub(super) fn kill(&self) {
        self.with_child(|child| {
            if let Err(error) = child.kill() {
                tracing::warn!(worker = self.id, "cannot be killed: {error}");
            }
        });
    }

    /// How it ended, if it has.
    pub(super) fn ending(&self) -> Option<Ending> {
        *self.ended.borrow()
    }

    /// Returns when it has ended.
    pub(super) async fn end(&self) {
        let _ = self.ended.subscribe().wait_for(Option::is_some).await;
    }
}
