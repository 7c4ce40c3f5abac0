//! Scripts of one process take turns: the interpreter measures memory by one counter for the process. Changes to a model
//! take turns anyway; workers are several.

use contract::{Fault, FaultCode};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

static RUNNING: Mutex<bool> = Mutex::new(false);
static ENDED: Condvar = Condvar::new();

/// The right to run; given back when dropped.
pub(crate) struct Turn(());

/// Waits for the others to end, until `deadline`.
pub(crate) fn take(deadline: Instant) -> Result<Turn, Fault> {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let left = deadline.saturating_duration_since(Instant::now());
    let (mut running, _) =
        ENDED.wait_timeout_while(running, left, |running| *running).unwrap_or_else(PoisonError::into_inner);
    if *running {
        return Err(Fault::new(
            FaultCode::Busy,
            "Other scripts took all the time there was. Nothing was run; try again.",
        ));
    }
    *running = true;
    Ok(Turn(()))
}

impl Drop for Turn {
    fn drop(&mut self) {
        *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = false;
        ENDED.notify_one();
    }
}
