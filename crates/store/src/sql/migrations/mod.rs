//! The tables, as a list of steps that is only ever appended to. A database remembers how far it has come.
//!
//! A step is a file of its own in this folder, written once for both engines (`database::dialect` says in what). All that a database
//! lacks run in one transaction with the notes that they were made, while no other gateway migrates; where one fails the database stays
//! as it was. What changes the meaning of anything that is kept, be it a delta or a file in the bucket, is a step as well, even if no
//! table changes: a program that does not know it then leaves the folder alone.

use crate::database::{Connection, values};
use crate::error::StoreError;

/// The tables and columns that one migration adds.
struct Step {
    /// Statements that make tables and indexes.
    tables: &'static str,
    /// The tables among them whose rows are never changed or removed.
    append_only: &'static [&'static str],
}

const STEPS: &[Step] = &[
    Step { tables: include_str!("01_models.sql"), append_only: &["audit"] },
    Step { tables: include_str!("02_claims.sql"), append_only: &[] },
    Step { tables: include_str!("03_governance.sql"), append_only: &[] },
    Step { tables: include_str!("04_objects.sql"), append_only: &["objects"] },
    Step { tables: include_str!("05_branches.sql"), append_only: &["events"] },
    Step { tables: include_str!("06_approval_events.sql"), append_only: &["events"] },
    Step { tables: include_str!("07_jobs.sql"), append_only: &[] },
    Step { tables: include_str!("08_links.sql"), append_only: &[] },
    Step { tables: include_str!("09_origins.sql"), append_only: &[] },
    Step { tables: include_str!("10_version_files.sql"), append_only: &[] },
    Step { tables: include_str!("11_manifests.sql"), append_only: &[] },
    Step { tables: include_str!("12_identity.sql"), append_only: &["identity"] },
    Step { tables: include_str!("13_sights.sql"), append_only: &[] },
    Step { tables: include_str!("14_programs.sql"), append_only: &[] },
];

/// The step from which on a step says which program made it.
const NAMED_FROM: u32 = 14;

/// The number of steps that this program knows.
pub(crate) const KNOWN: u32 = STEPS.len() as u32;

/// Returns the number of the last step that a database has had. An error if it has had none.
pub(crate) fn done(connection: &Connection) -> Result<u32, StoreError> {
    connection.one("SELECT coalesce(max(step), 0) FROM migrations", values![])
}

/// Brings the database to the present form. Runs in a transaction that writes.
pub(crate) fn migrate(connection: &Connection) -> Result<(), StoreError> {
    migrate_to(connection, STEPS.len())
}

fn migrate_to(connection: &Connection, last: usize) -> Result<(), StoreError> {
    let engine = connection.engine();
    connection.batch(&engine.tables(
        "CREATE TABLE IF NOT EXISTS migrations (step INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL) STRICT;",
    ))?;
    let done = done(connection)?;
    if done > KNOWN {
        // every later database has the column
        let made_by: Option<String> =
            connection.one("SELECT max(program) FROM migrations WHERE step = ?1", values![done])?;
        let program = made_by.map(|version| format!(", Pensaer {version}")).unwrap_or_default();
        return Err(StoreError::Database(format!(
            "its tables were made by a later program{program} (step {done}, this one knows {KNOWN}); update Pensaer, or take \
             another data folder. Nothing was changed"
        )));
    }
    for (step, number) in STEPS.iter().zip(1_u32..).take(last).skip(done as usize) {
        connection.batch(&engine.tables(step.tables))?;
        for table in step.append_only {
            connection.batch(&engine.append_only(table))?;
        }
        connection.execute(
            "INSERT INTO migrations (step, time_ms) VALUES (?1, ?2)",
            values![number, crate::now_ms()],
        )?;
        if number >= NAMED_FROM {
            connection.execute(
                "UPDATE migrations SET program = ?2 WHERE step = ?1",
                values![number, env!("CARGO_PKG_VERSION")],
            )?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::{Database, Source};

    #[tokio::test]
    async fn a_log_of_events_moves_as_it_is_into_later_tables() {
        let folder = tempfile::tempdir().unwrap();
        let file = || Source::File(folder.path().join("test.db"));
        let database = Database::open(file(), |c| migrate_to(c, 5)).unwrap();
        let rows = "INSERT INTO models VALUES ('m', 'House', 'ifc', 1);
            INSERT INTO versions (version_id, model_id, file_sha256, deltas, bytes, operation_id, tool, author, time_ms,
                event_id, event_type) VALUES ('v', 'm', 'f', 0, 0, 'o', 't', 'ada', 1, 'e1', 'ModelLoaded');
            INSERT INTO events VALUES (1, 'e1', 'ModelLoaded', 'm', 'v', 'ada', NULL, 't', 'p', 'o', 1, 'main', 'House', 'ifc');
            INSERT INTO events VALUES (2, 'e2', 'BranchCreated', 'm', 'v', 'ben', 'why', 't', 'p', 'o', 2, 'side', NULL, NULL);";
        database.write(move |c| c.batch(rows)).await.unwrap();
        drop(database);
        let database = Database::open(file(), migrate).unwrap();
        let moved = database.read(|c| crate::sql::events::after(c, None, 0, 10)).await.unwrap();
        let shown: Vec<_> =
            moved.iter().map(|e| (e.sequence, e.event_id.as_str(), e.ref_name.as_deref())).collect();
        assert_eq!(shown, [(1, "e1", Some("main")), (2, "e2", Some("side"))]);
        assert_eq!((moved[0].begun.is_some(), moved[1].reasoning.as_deref()), (true, Some("why")));
        let refused = database.write(|c| c.batch("DELETE FROM events")).await.unwrap_err().to_string();
        assert!(refused.contains("append-only"), "{refused}");
    }

    #[tokio::test]
    async fn steps_are_made_together_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let file = || Source::File(folder.path().join("test.db"));
        drop(Database::open(file(), |c| migrate_to(c, 10)).unwrap());
        let broken = |c: &Connection| {
            migrate(c)?;
            c.batch("ALTER TABLE no_such_table ADD COLUMN a TEXT")
        };
        assert!(Database::open(file(), broken).is_err());
        let database = Database::open(file(), |_| Ok(())).unwrap();
        assert_eq!(database.read(done).await.unwrap(), 10);
        let sights = database.read(|c| c.one::<u32>("SELECT count(*) FROM sights", values![])).await;
        assert!(sights.is_err(), "no table of a step that was not noted stays");
        drop(database);
        let database = Database::open(file(), migrate).unwrap();
        let programs = database.read(|c| {
            c.rows("SELECT program FROM migrations ORDER BY step", values![], |row| {
                row.get::<Option<String>>(0)
            })
        });
        let programs = programs.await.unwrap();
        assert_eq!(
            (programs.len(), &programs[12], &programs[13]),
            (14, &None, &Some(env!("CARGO_PKG_VERSION").to_owned()))
        );
    }
}
