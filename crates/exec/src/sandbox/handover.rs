//! A document handed to a process that is started here: one line of JSON, the first on its standard input.
//!
//! Arguments would be seen by everybody on this machine, and would have to be put into words and read again; an environment is
//! passed on to whatever the process starts. Exactly the line is read, since what follows on the same descriptor may be a socket
//! that the process, or what it becomes, goes on to use.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Write};

/// Bytes of the longest document.
#[cfg(unix)]
const LONGEST: usize = 1 << 20;

/// Writes a document to what is, or will be, the standard input of a process.
pub(super) fn send(document: &impl Serialize, mut to: impl Write) -> io::Result<()> {
    let mut line = serde_json::to_vec(document)?;
    line.push(b'\n');
    to.write_all(&line)?;
    to.flush()
}

/// Reads the document that this process was handed.
#[cfg(unix)]
pub fn receive<T: DeserializeOwned>() -> io::Result<T> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < LONGEST {
        match rustix::io::read(rustix::stdio::stdin(), &mut byte) {
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
            Ok(0) if line.is_empty() => {
                let message = "this process was handed no document on its standard input";
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
            }
            Ok(_) if byte == *b"\n" => break,
            Ok(0) => break,
            Ok(_) => line.extend(byte),
        }
    }
    Ok(serde_json::from_slice(&line)?)
}

/// Reads the document that this process was handed.
#[cfg(not(unix))]
pub fn receive<T: DeserializeOwned>() -> io::Result<T> {
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(serde_json::from_str(&line)?)
}
