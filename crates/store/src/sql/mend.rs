//! Rows found again elsewhere: in a copy, or in the log of events that they are a projection of; and put back where they belong.

use super::tables::{CHECKPOINTS, EVENTS, MODELS, REFS, Table, VERSIONS};

use super::written::{Doing, Written};
use crate::database::{Cell, Connection, Value, values};
use crate::error::StoreError;
use contract::VersionId;

/// Columns of a version that are not vouched for and belong to its row.
const BESIDE: [&str; 4] = ["delta", "checkpoint_sha256", "deltas", "bytes"];

/// A whole row, to be written in the place of a damaged one.
#[derive(Debug, Clone)]
pub(crate) struct WholeRow {
    pub(crate) table: &'static Table,
    pub(crate) key: String,
    /// The columns that are vouched for.
    pub(crate) cells: Vec<Cell>,
    /// The other columns of a version, for one that is gone.
    pub(crate) beside: Vec<Cell>,
}

/// The columns by which a row is known, and their values.
fn known_by<'k>(table: &Table, key: &'k str) -> (String, Vec<Value<'k>>) {
    let values = match table.key {
        [_, _] => key.split_once('/').map_or_else(Vec::new, |(one, other)| vec![one.into(), other.into()]),
        _ => vec![key.into()],
    };
    let terms: Vec<String> =
        table.key.iter().zip(1..).map(|(column, at)| format!("{column} = ?{at}")).collect();
    (terms.join(" AND "), values)
}

/// A row as it stands; none where there is none.
pub(crate) fn row(
    connection: &Connection,
    table: &'static Table,
    key: &str,
) -> Result<Option<WholeRow>, StoreError> {
    let (known, values) = known_by(table, key);
    let beside = if table.name == VERSIONS.name { format!(", {}", BESIDE.join(", ")) } else { String::new() };
    let sql = format!("SELECT {}{beside} FROM {} WHERE {known}", table.list(""), table.stored);
    connection.row(&sql, &values, |row| {
        let first = table.columns.len();
        let count = if beside.is_empty() { 0 } else { BESIDE.len() };
        Ok(WholeRow {
            table,
            key: key.to_owned(),
            cells: table.cells(row),
            beside: (first..first + count).map(|column| row.cell(column)).collect(),
        })
    })
}

/// A ref or a model as the log of events makes it.
pub(crate) fn from_events(
    connection: &Connection,
    table: &'static Table,
    key: &str,
) -> Result<Option<WholeRow>, StoreError> {
    let (_, values) = known_by(table, key);
    let sql = if table.name == REFS.name {
        "SELECT model_id, ref_name, version_id, time_ms FROM events WHERE model_id = ?1 AND ref_name = ?2
         ORDER BY sequence DESC LIMIT 1"
    } else if table.name == MODELS.name {
        "SELECT model_id, model_name, model_kind, time_ms, model_origin FROM events
         WHERE model_id = ?1 AND model_name IS NOT NULL ORDER BY sequence LIMIT 1"
    } else {
        return Ok(None);
    };
    connection.row(sql, &values, |row| {
        Ok(WholeRow { table, key: key.to_owned(), cells: table.cells(row), beside: Vec::new() })
    })
}

/// The delta of a version in its row.
pub(crate) fn delta(connection: &Connection, version: &VersionId) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = "SELECT delta FROM versions WHERE version_id = ?1";
    Ok(connection.row(sql, values![version], |row| row.get::<Option<Vec<u8>>>(0))?.flatten())
}

/// How many versions need one, and one that has a whole file of its own behind which none does.
pub(crate) type Reach = (u64, Option<VersionId>);

/// The versions after one up to, on each line, the next that has a whole file of its own: how many have none, and one that has.
pub(crate) fn reach(connection: &Connection, version: &VersionId) -> Result<Reach, StoreError> {
    let (mut without, mut next) = (0, None);
    connection.each(
        "WITH RECURSIVE after (id, whole, generation) AS (
             SELECT version_id, file_sha256 IS NOT NULL OR checkpoint_sha256 IS NOT NULL, generation
             FROM versions WHERE version_id = ?1
             UNION ALL
             SELECT v.version_id, v.file_sha256 IS NOT NULL OR v.checkpoint_sha256 IS NOT NULL, v.generation
             FROM after JOIN versions v ON v.parent_id = after.id WHERE NOT after.whole
         )
         SELECT id, whole FROM after ORDER BY generation, id",
        values![version],
        |row| {
            if row.get(1)? {
                next = next.take().or(Some(row.get(0)?));
            } else {
                without += 1;
            }
            Ok(true)
        },
    )?;
    Ok((without, next))
}

/// The version whose delta a blob is, and what [`reach`] says of it.
pub(crate) fn reach_of_blob(
    connection: &Connection,
    sha256: &str,
) -> Result<Option<(VersionId, Reach)>, StoreError> {
    let sql =
        "SELECT version_id FROM versions WHERE delta_sha256 = ?1 ORDER BY generation, version_id LIMIT 1";
    let version: Option<VersionId> = connection.row(sql, values![sha256], |row| row.get(0))?;
    version.map(|version| Ok((version.clone(), reach(connection, &version)?))).transpose()
}

/// Forgets a blob that can be made again.
pub(crate) fn forget(
    connection: &Connection,
    sha256: &str,
    (by, what): (&str, &str),
) -> Result<(), StoreError> {
    let mut written = Written::default();
    let checkpoints = "UPDATE versions SET checkpoint_sha256 = NULL WHERE checkpoint_sha256 = ?1";
    written.by(connection, &CHECKPOINTS, checkpoints, values![sha256])?;
    connection.execute("DELETE FROM derived WHERE sha256 = ?1", values![sha256])?;
    let of = Doing {
        time_ms: crate::now_ms(),
        model: None,
        arguments: serde_json::json!({ "sha256": sha256 }),
        outcome: "ok",
    };
    written.enter(connection, by, what, of)
}

/// Writes rows and deltas that were found again, and an entry in the audit log that says so. What is only ever appended to otherwise
/// is changed here, within the transaction.
pub(crate) fn put_back(
    connection: &Connection,
    rows: &[WholeRow],
    deltas: &[(VersionId, Vec<u8>)],
    (by, what): (&str, &str),
) -> Result<(), StoreError> {
    let engine = connection.engine();
    let is_locked = rows.iter().any(|row| row.table.name == EVENTS.name);
    if is_locked {
        connection.batch(&engine.no_longer_append_only(EVENTS.stored))?;
    }
    let mut written = Written::default();
    for row in rows {
        let (known, key) = known_by(row.table, &row.key);
        let offset = key.len();
        let sets: Vec<String> = row
            .table
            .columns
            .iter()
            .enumerate()
            .map(|(at, column)| format!("{column} = ?{}", at + 1 + offset))
            .collect();
        let values: Vec<Value<'_>> = key.into_iter().chain(row.cells.iter().map(Value::from)).collect();
        let update = format!("UPDATE {} SET {} WHERE {known}", row.table.stored, sets.join(", "));
        if written.by(connection, row.table, &update, &values)?.is_empty() {
            let beside = BESIDE.iter().take(row.beside.len());
            let columns: Vec<&str> = row.table.columns.iter().chain(beside).copied().collect();
            let places: Vec<String> = (1..=columns.len()).map(|at| format!("?{at}")).collect();
            let values: Vec<Value<'_>> = row.cells.iter().chain(&row.beside).map(Value::from).collect();
            let insert = format!(
                "INSERT INTO {} ({}) VALUES ({})",
                row.table.stored,
                columns.join(", "),
                places.join(", ")
            );
            written.by(connection, row.table, &insert, &values)?;
        }
    }
    for (version, bytes) in deltas {
        let update = "UPDATE versions SET delta = ?2 WHERE version_id = ?1";
        written.by(connection, &VERSIONS, update, values![version, bytes])?;
    }
    if is_locked {
        connection.batch(&engine.append_only(EVENTS.stored))?;
    }
    let of = Doing {
        time_ms: crate::now_ms(),
        model: None,
        arguments: serde_json::json!({ "rows": rows.len(), "deltas": deltas.len() }),
        outcome: "ok",
    };
    written.enter(connection, by, what, of)
}
