//! `eplusout.sql`, opened for reading as a file from anybody.
//!
//! Views of the file are switched off (a table that is asked for could otherwise be a query of its author's), values are
//! limited in length, and a statement that runs for too long is ended. EnergyPlus holds the file locked while it runs and
//! writes without a journal, so a run that was killed may leave it torn: both are said in those words.

use contract::{Fault, FaultCode};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, ToSql};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The longest text in the file that is read, in bytes.
const LONGEST: i32 = 1 << 20;
/// The number of thousands of SQLite's steps that one statement may take: a scan of a hundred million rows, not an endless one.
const THOUSANDS_OF_STEPS: u64 = 4_000_000;

/// The results of one run.
pub struct Results {
    connection: Connection,
    /// Thousands of steps that the current statement took.
    steps: Arc<AtomicU64>,
}

/// A period that was simulated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Environment {
    /// Its number in the file.
    pub index: i64,
    /// Its name: a design day or a run period.
    pub name: String,
    /// The kind of period.
    pub kind: EnvironmentKind,
}

/// Design days are for sizing; run periods are weather as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EnvironmentKind {
    /// A design day, or days of the weather file used as one.
    Sizing,
    /// A run period over the weather file.
    Annual,
}

impl EnvironmentKind {
    /// The kind of the program's own number: 3 and 6 are run periods of the weather file, the others sizing periods.
    fn from_number(number: i64) -> Self {
        if matches!(number, 3 | 6) { Self::Annual } else { Self::Sizing }
    }
}

/// The description of its run in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Simulation {
    /// The program and its version, as it writes them.
    pub program: String,
    /// Time steps in an hour.
    pub timesteps_per_hour: i64,
}

impl Results {
    /// Opens a database for reading.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        if !path.is_file() {
            return Err(Fault::new(
                FaultCode::NoSimulationResults,
                "The run left no eplusout.sql. It may have ended before its first results; see its errors. The model needs \
                 an Output:SQLite object with the option SimpleAndTabular.",
            ));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags).map_err(fault)?;
        let steps = Arc::new(AtomicU64::new(0));
        prepare(&mut connection, steps.clone()).map_err(fault)?;
        let results = Self { connection, steps };
        // the first read tells whether it is a database at all
        let tables: i64 = results.value(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('Simulations', 'TabularData', 'Time')",
        )?;
        if tables < 3 {
            return Err(Fault::new(
                FaultCode::UnreadableFile,
                "This database is not one that EnergyPlus finished: its tables are missing. Run the simulation again.",
            ));
        }
        Ok(results)
    }

    /// Reads the file's description of its run.
    pub fn simulation(&self) -> Result<Simulation, Fault> {
        let rows = self.rows(
            "SELECT EnergyPlusVersion, NumTimestepsPerHour FROM Simulations ORDER BY SimulationIndex LIMIT 1",
            &[],
            |row| Ok(Simulation { program: text(row, 0)?, timesteps_per_hour: whole(row, 1)? }),
        )?;
        rows.into_iter().next().ok_or_else(|| torn("it does not say which program wrote it"))
    }

    /// The periods that were simulated, in order.
    pub fn environments(&self) -> Result<Vec<Environment>, Fault> {
        self.rows(
            "SELECT EnvironmentPeriodIndex, EnvironmentName, EnvironmentType FROM EnvironmentPeriods \
             ORDER BY EnvironmentPeriodIndex LIMIT 10000",
            &[],
            |row| {
                Ok(Environment {
                    index: whole(row, 0)?,
                    name: text(row, 1)?,
                    kind: EnvironmentKind::from_number(whole(row, 2)?),
                })
            },
        )
    }

    /// True if the file has a table; what a run did not compute is not there.
    pub(super) fn has_table(&self, name: &str) -> Result<bool, Fault> {
        let found =
            self.rows("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1", &[&name], |row| {
                whole(row, 0)
            })?;
        Ok(!found.is_empty())
    }

    /// All rows of a statement, each made a value.
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        parameters: &[&dyn ToSql],
        mut value: impl FnMut(&Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Fault> {
        let mut out = Vec::new();
        self.each(sql, parameters, |row| {
            out.push(value(row)?);
            Ok(true)
        })?;
        Ok(out)
    }

    /// Goes through the rows of a statement until `take` says that it has enough.
    pub(super) fn each(
        &self,
        sql: &str,
        parameters: &[&dyn ToSql],
        mut take: impl FnMut(&Row) -> rusqlite::Result<bool>,
    ) -> Result<(), Fault> {
        self.steps.store(0, Ordering::Relaxed);
        let mut run = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare(sql)?;
            let mut rows = statement.query(parameters)?;
            while let Some(row) = rows.next()? {
                if !take(row)? {
                    break;
                }
            }
            Ok(())
        };
        run().map_err(fault)
    }

    fn value(&self, sql: &str) -> Result<i64, Fault> {
        let rows = self.rows(sql, &[], |row| whole(row, 0))?;
        Ok(rows.first().copied().unwrap_or_default())
    }
}

fn prepare(connection: &mut Connection, steps: Arc<AtomicU64>) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_millis(300))?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection
        .progress_handler(1000, Some(move || steps.fetch_add(1, Ordering::Relaxed) >= THOUSANDS_OF_STEPS))?;
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    // a worker may not write beside the file
    connection.pragma_update(None, "temp_store", "MEMORY")
}

/// Translates a failure of SQLite into a Fault.
pub(super) fn fault(error: rusqlite::Error) -> Fault {
    let code = error.sqlite_error_code();
    match code {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Fault::new(
            FaultCode::Busy,
            "The run is still writing its results. Ask again when get_simulation_status says that it ended.",
        ),
        Some(ErrorCode::OperationInterrupted | ErrorCode::TooBig) => Fault::new(
            FaultCode::LimitReached,
            "Reading this from the results goes beyond what one call may take. Ask for one key_value, a coarser frequency \
             or fewer outputs.",
        ),
        _ => torn(&error.to_string()),
    }
}

fn torn(why: &str) -> Fault {
    Fault::new(
        FaultCode::UnreadableFile,
        format!(
            "eplusout.sql cannot be read ({why}). A run that was ended while it wrote leaves it torn; run it again."
        ),
    )
}

/// A text column; empty for NULL, and a number as it is written.
pub(super) fn text(row: &Row, column: usize) -> rusqlite::Result<String> {
    use rusqlite::types::ValueRef;
    Ok(match row.get_ref(column)? {
        ValueRef::Null => String::new(),
        ValueRef::Integer(value) => value.to_string(),
        ValueRef::Real(value) => value.to_string(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).trim().to_owned(),
    })
}

/// A whole number; 0 for anything else.
pub(super) fn whole(row: &Row, column: usize) -> rusqlite::Result<i64> {
    use rusqlite::types::ValueRef;
    Ok(match row.get_ref(column)? {
        ValueRef::Integer(value) => value,
        ValueRef::Real(value) => value as i64,
        _ => 0,
    })
}

/// A number, if it is one.
pub(super) fn real(row: &Row, column: usize) -> rusqlite::Result<Option<f64>> {
    use rusqlite::types::ValueRef;
    Ok(match row.get_ref(column)? {
        ValueRef::Integer(value) => Some(value as f64),
        ValueRef::Real(value) if value.is_finite() => Some(value),
        _ => None,
    })
}
