//! Scripts of one process take turns: the interpreter measures memory by one counter for the process. Changes to a model
//! take turns anyway; workers are several.

use contract::{Fault, FaultCode};
use parking_lot::{Condvar, Mutex};
use std::time::Instant;

static RUNNING: Mutex<bool> = Mutex::new(false);
static ENDED: Condvar = Condvar::new();

/// The right to run; given back when dropped.
pub(crate) struct Turn(());

/// Waits for the others to end, until `deadline`.
pub(crate) fn take(deadline: Instant) -> Result<Turn, Fault> {
    let mut running = RUNNING.lock();
    ENDED.wait_while_until(&mut running, |running| *running, deadline);
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
        *RUNNING.lock() = false;
        ENDED.notify_one();
    }
}
