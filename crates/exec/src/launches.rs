//! Programs that are run for this process by the one that started it, since it may start none itself: what is asked over their
//! socket, and what is answered. One connection carries one run: a line of JSON that asks, lines that tell, the last of which
//! says how it ended.

use crate::{Connection, Control};
use contract::{Fault, FaultCode, Launch, Launched, Launcher};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, BufReader, Write};
use std::net::Shutdown;
use std::time::Duration;

/// The time between two questions whether a run is still wanted.
const PULSE: Duration = Duration::from_millis(100);
/// The time that a launcher may take to accept what is asked of it.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of one line.
const LINE: usize = 1 << 20;

/// A message of a launcher about one run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LauncherMessage {
    /// Text that the program printed.
    Printed(String),
    /// The end of the program; the last message.
    Ended(Launched),
    /// Why it was not begun.
    Refused(String),
}

/// Writes one value as one line.
pub(crate) fn write_line(mut to: &Connection, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    to.write_all(&line)
}

/// Reads one line as one value; none at the end. What was read of a line before an error, such as a time limit, stays in `line`
/// for the next attempt.
pub(crate) fn read_line<T: DeserializeOwned>(
    from: &mut impl BufRead,
    line: &mut Vec<u8>,
) -> io::Result<Option<T>> {
    from.read_until(b'\n', line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') || line.len() > LINE {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a line that is cut off or too long"));
    }
    let value = serde_json::from_slice(line)?;
    line.clear();
    Ok(Some(value))
}

/// The launcher at the other end of a control.
#[derive(Debug)]
pub struct Launches(Control);

impl Launches {
    /// The one at the other end of this.
    pub fn at(control: Control) -> Self {
        Self(control)
    }
}

impl Launcher for Launches {
    fn launch(
        &self,
        launch: &Launch,
        said: &mut dyn FnMut(&str),
        wanted: &dyn Fn() -> bool,
    ) -> Result<Launched, Fault> {
        let lost = |error: io::Error| {
            Fault::backend(format!(
                "{} could not be run: its launcher does not answer ({error}).",
                launch.program
            ))
        };
        let connection = self.0.connect().map_err(lost)?;
        connection.set_write_timeout(Some(PATIENCE)).map_err(lost)?;
        connection.set_read_timeout(Some(PULSE)).map_err(lost)?;
        write_line(&connection, launch).map_err(lost)?;
        let mut lines = BufReader::new(&connection);
        let mut line = Vec::new();
        let mut given_up = false;
        loop {
            if !given_up && !wanted() {
                given_up = true;
                // only this direction, so that how the program ended still comes back
                connection.shutdown(Shutdown::Write).map_err(lost)?;
            }
            match read_line(&mut lines, &mut line) {
                Ok(Some(LauncherMessage::Printed(text))) => said(&text),
                Ok(Some(LauncherMessage::Ended(ended))) => return Ok(ended),
                Ok(Some(LauncherMessage::Refused(why))) => {
                    return Err(Fault::new(FaultCode::BackendFailed, why).with("program", &launch.program));
                }
                Ok(None) => return Err(lost(io::ErrorKind::UnexpectedEof.into())),
                Err(error) if is_pulse(&error) => {}
                Err(error) => return Err(lost(error)),
            }
        }
    }
}

fn is_pulse(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}
