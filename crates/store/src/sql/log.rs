//! The audit log read from its first entry on: whether its chain holds, whether the columns beside an entry say what the entry
//! says, and which rows of other tables it vouches for.

use super::identity::{EVENTS_BEFORE, VOUCHING};
use super::tables::Table;
use super::written::STORE;
use crate::audit::{GENESIS, chain_hash};
use crate::database::{Connection, values};
use crate::error::StoreError;
use contract::WrittenRow;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::{HashMap, HashSet};

/// The name of a row, short: databases have many.
pub(crate) type Name = [u8; 32];

/// The latest that the log says of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vouched {
    /// The entry that says it.
    pub(crate) entry: u64,
    /// The hash of the row; none where it was removed.
    pub(crate) sha256: Option<[u8; 32]>,
}

/// The log as a whole.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// How many entries there are.
    pub(crate) entries: u64,
    /// The hash of the last one.
    pub(crate) head: String,
    /// Its faults, as sentences.
    pub(crate) problems: Vec<String>,
    /// The rows that it vouches for.
    pub(crate) rows: HashMap<Name, Vouched>,
    /// How many events were written before rows were vouched for, in a database that is older than that; and when that ended.
    pub(crate) before: Option<(u64, u64)>,
}

/// The name of a row of a table.
pub(crate) fn name_of(table: &str, key: &str) -> Name {
    Sha256::new().chain_update(table).chain_update([0]).chain_update(key).finalize().into()
}

/// Reads the log; with `rows` also what it vouches for.
pub(crate) fn read(connection: &Connection, rows: bool) -> Result<Log, StoreError> {
    let mut log = Log { head: GENESIS.to_owned(), ..Log::default() };
    let mut at = 0_u64;
    let sql = "SELECT sequence, entry, hash, time_ms, principal, tool, model_id FROM audit ORDER BY sequence";
    connection.each(sql, values![], |row| {
        let sequence: u64 = row.get(0)?;
        log.entries += 1;
        at += 1;
        if sequence != at {
            log.problems.push(if sequence == at + 1 {
                format!("audit entry {at} is missing")
            } else {
                format!("audit entry {at} is missing, and whatever came after it up to entry {sequence}")
            });
            at = sequence;
        }
        let texts = (row.get::<String>(1), row.get::<String>(2));
        let (Ok(text), Ok(hash)) = texts else {
            log.problems.push(format!("audit entry {at} was changed: it is no text any more"));
            return Ok(true);
        };
        if chain_hash(&log.head, &text) != hash {
            log.problems.push(format!("audit entry {at} was changed: its hash does not match"));
        }
        log.head = hash;
        match serde_json::from_str::<Value>(&text) {
            Err(error) => log.problems.push(format!("audit entry {at} cannot be read: {error}")),
            Ok(entry) => {
                let beside = [
                    ("sequence", Some(sequence.into())),
                    ("time_ms", row.get::<u64>(3).ok().map(Value::from)),
                    ("principal", row.get::<String>(4).ok().map(Value::from)),
                    ("tool", row.get::<String>(5).ok().map(Value::from)),
                    ("model_id", row.get::<Option<String>>(6).ok().map(Value::from)),
                ];
                for (column, found) in beside {
                    let said = entry.get(column).unwrap_or(&Value::Null);
                    if found.as_ref() != Some(said) {
                        let found = found.unwrap_or_else(|| "what is no value of it".into());
                        log.problems.push(format!(
                            "audit entry {at}: its column {column} says {found}, the entry itself {said}"
                        ));
                    }
                }
                if rows {
                    log.take(at, &entry);
                }
            }
        }
        Ok(true)
    })?;
    Ok(log)
}

impl Log {
    /// Takes in what an entry vouches for.
    fn take(&mut self, at: u64, entry: &Value) {
        let text = |member: &str| entry.get(member).and_then(Value::as_str);
        if text("tool") == Some(VOUCHING) && text("principal") == Some(STORE) && self.before.is_none() {
            let before = entry.pointer(&format!("/arguments/{EVENTS_BEFORE}")).and_then(Value::as_u64);
            let time_ms = entry.get("time_ms").and_then(Value::as_u64);
            self.before = before.zip(time_ms);
        }
        let rows = entry.get("rows").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for row in rows {
            let member = |name: &str| row.get(name).and_then(Value::as_str);
            let (Some(table), Some(key)) = (member("table"), member("key")) else { continue };
            let vouched = Vouched { entry: at, sha256: member("sha256").and_then(bytes_of) };
            self.rows.insert(name_of(table, key), vouched);
        }
    }

    /// The rows that it says are there and that are not among those `met`, each as the entry that wrote it has it.
    pub(crate) fn missing(
        &self,
        connection: &Connection,
        met: &HashSet<Name>,
    ) -> Result<Vec<(u64, WrittenRow)>, StoreError> {
        let mut entries: Vec<u64> = self
            .rows
            .iter()
            .filter(|(name, vouched)| vouched.sha256.is_some() && !met.contains(*name))
            .map(|(_, vouched)| vouched.entry)
            .collect();
        entries.sort_unstable();
        entries.dedup();
        let mut missing = Vec::new();
        for entry in entries {
            for row in written_by(connection, entry)? {
                let name = name_of(&row.table, &row.key);
                let latest = self.rows.get(&name).is_some_and(|vouched| vouched.entry == entry);
                if latest
                    && row.sha256.is_some()
                    && !met.contains(&name)
                    && Table::named(&row.table).is_some()
                {
                    missing.push((entry, row));
                }
            }
        }
        Ok(missing)
    }
}

/// The rows that an entry vouches for.
pub(crate) fn written_by(connection: &Connection, entry: u64) -> Result<Vec<WrittenRow>, StoreError> {
    let text: Option<String> =
        connection.row("SELECT entry FROM audit WHERE sequence = ?1", values![entry], |row| row.get(0))?;
    let value: Value = text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let rows = value.get("rows").cloned().unwrap_or_default();
    // an entry that was damaged is told of already
    Ok(serde_json::from_value(rows).unwrap_or_default())
}

/// The bytes of a hash in hexadecimal.
pub(crate) fn bytes_of(hexadecimal: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if hexadecimal.len() != 64 {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hexadecimal.get(at * 2..at * 2 + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// The number of entries and the last one's hash if the log holds, else the first thing that is wrong with it.
pub(crate) fn verify(connection: &Connection) -> Result<Result<(u64, String), String>, StoreError> {
    let log = read(connection, false)?;
    Ok(match log.problems.into_iter().next() {
        None => Ok((log.entries, log.head)),
        Some(problem) => Err(problem),
    })
}
