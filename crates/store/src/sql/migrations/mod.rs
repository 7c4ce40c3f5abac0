//! The tables, as a list of steps that is only ever appended to. A database remembers how far it has come.
//!
//! A step is a file of its own in this folder, written once for both engines (`database::dialect` says in what). It runs in
//! one transaction with the note that it was made, while no other gateway migrates.

use crate::database::{Connection, values};
use crate::error::StoreError;

/// What one step adds.
struct Step {
    /// Statements that make tables and indexes.
    tables: &'static str,
    /// Those of the tables whose rows are never changed or removed.
    append_only: &'static [&'static str],
}

const STEPS: &[Step] = &[
    Step { tables: include_str!("01_models.sql"), append_only: &["audit"] },
    Step { tables: include_str!("02_claims.sql"), append_only: &[] },
    Step { tables: include_str!("03_governance.sql"), append_only: &[] },
    Step { tables: include_str!("04_objects.sql"), append_only: &["objects"] },
    Step { tables: include_str!("05_branches.sql"), append_only: &["events"] },
];

/// Brings the database to the present form. Runs in a transaction that writes.
pub(crate) fn migrate(connection: &Connection) -> Result<(), StoreError> {
    let engine = connection.engine();
    connection.batch(&engine.tables(
        "CREATE TABLE IF NOT EXISTS migrations (step INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL) STRICT;",
    ))?;
    let done: u32 = connection.one("SELECT coalesce(max(step), 0) FROM migrations", values![])?;
    if done as usize > STEPS.len() {
        return Err(StoreError::Database(format!(
            "its tables were made by a later program (step {done}, this one knows {}); update Pensaer",
            STEPS.len()
        )));
    }
    for (step, number) in STEPS.iter().zip(1_u32..).skip(done as usize) {
        connection.batch(&engine.tables(step.tables))?;
        for table in step.append_only {
            connection.batch(&engine.append_only(table))?;
        }
        connection.execute(
            "INSERT INTO migrations (step, time_ms) VALUES (?1, ?2)",
            values![number, crate::now_ms()],
        )?;
    }
    Ok(())
}
