//! A connection that is made anew when it is lost.

use super::connection::{Connection, Source};
use crate::error::StoreError;
use std::time::{Duration, Instant};

/// The time for which a call waits for a server that went away before it is refused; those after it are refused at once until the
/// server is back.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 8 });
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LAST_PAUSE: Duration = Duration::from_secs(1);

/// The database connection of one thread, made anew when it is lost.
pub(super) struct Link {
    source: Source,
    writes: bool,
    connection: Option<Connection>,
    is_away: bool,
}

impl Link {
    /// Connects.
    pub(super) fn open(source: &Source, writes: bool) -> Result<Self, StoreError> {
        let connection = Some(source.connect(writes)?);
        Ok(Self { source: source.clone(), writes, connection, is_away: false })
    }

    /// A connection with a transaction begun on it. The transaction is rolled back when the guard goes, unless it was
    /// committed.
    pub(super) fn begin(&mut self) -> Result<Transaction<'_>, StoreError> {
        let writes = self.writes;
        let connection = self.patiently(|connection| connection.begin(writes))?;
        Ok(Transaction(connection))
    }

    /// A connection without a transaction: what one statement reads is one state anyway.
    pub(super) fn without_transaction(&mut self) -> Result<&Connection, StoreError> {
        self.patiently(|_| Ok(()))
    }

    /// Asks what became of a transaction whose end was not heard of: succeeds if it was committed, otherwise returns an error.
    pub(super) fn settle(&mut self, transaction: i64, why: String) -> Result<(), StoreError> {
        let mut known = None;
        let asked = self.patiently(|connection| {
            known = connection.was_committed(transaction)?;
            Ok(())
        });
        match (asked.map(|_| ()), known) {
            (Ok(()), Some(true)) => Ok(()),
            (Ok(()), Some(false)) => Err(StoreError::Unavailable(why)),
            _ => Err(StoreError::InDoubt { transaction: None, why }),
        }
    }

    /// Does `first` on a connection that is there, or on a new one as soon as one can be had.
    fn patiently(
        &mut self,
        mut first: impl FnMut(&Connection) -> Result<(), StoreError>,
    ) -> Result<&Connection, StoreError> {
        let until = Instant::now() + PATIENCE;
        let mut pause = FIRST_PAUSE;
        loop {
            match self.at_once(&mut first) {
                Ok(()) => break,
                Err(StoreError::Unavailable(why)) if !self.is_away && Instant::now() + pause < until => {
                    tracing::warn!(why, "the database does not answer");
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(LAST_PAUSE);
                }
                Err(error) => {
                    self.is_away = matches!(error, StoreError::Unavailable(_));
                    return Err(error);
                }
            }
        }
        self.is_away = false;
        self.connection.as_ref().ok_or(StoreError::Closed)
    }

    fn at_once(
        &mut self,
        first: &mut impl FnMut(&Connection) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let connection = match self.connection.take().filter(|connection| !connection.is_closed()) {
            Some(connection) => connection,
            None => self.source.connect(self.writes)?,
        };
        let done = first(&connection);
        match &done {
            // What it was left in is not known.
            Err(StoreError::Unavailable(_)) => {}
            Err(_) => {
                connection.rollback();
                self.connection = Some(connection);
            }
            Ok(()) => self.connection = Some(connection),
        }
        done
    }

    /// Ends in order.
    pub(super) fn finish(&self) {
        if let Some(connection) = &self.connection {
            connection.finish();
        }
    }
}

/// A transaction under way, undone if nothing else ends it, also while a panic passes through.
pub(super) struct Transaction<'a>(&'a Connection);

impl std::ops::Deref for Transaction<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.0
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        self.0.rollback();
    }
}
