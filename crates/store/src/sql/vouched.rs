//! Holds the tables against what the audit log vouches for: every column of every row, rows that are gone, and rows that no entry
//! knows. Rows from before entries vouched for any are told by their number; of versions among them it is seen that their event
//! says the same.

use super::log::{self, Log, Name};
use super::tables::{EVENTS, TABLES, Table, VERSIONS};
use crate::database::{Cell, Connection, values};
use crate::error::StoreError;
use crate::finding::{About, Finding};
use contract::WrittenRow;
use std::collections::HashSet;

/// The most findings of one sort that are told one by one.
const TOLD: usize = 200;

/// A row that is not as its entry has it.
struct Changed {
    table: &'static Table,
    key: String,
    model: Option<String>,
    entry: u64,
    sha256: Option<[u8; 32]>,
    /// The marks of its columns now.
    columns: String,
}

/// Returns what is wrong, and what could not be held against anything.
pub(crate) fn hold(connection: &Connection, log: &Log) -> Result<(Vec<Finding>, Vec<String>), StoreError> {
    let mut holding =
        Holding { log, first: None, met: HashSet::new(), changed: Vec::new(), findings: Vec::new() };
    let mut notes = Vec::new();
    for table in TABLES {
        let old = holding.table(connection, table)?;
        if old > 0 {
            let rows = if old == 1 { table.noun } else { table.plural };
            let since = match log.before {
                Some((_, time_ms)) => format!("written before {}", utc(time_ms)),
                None => "written by an earlier program".to_owned(),
            };
            notes.push(format!("{old} {rows} not covered by the audit log: {since}"));
        }
    }
    let Holding { met, changed, mut findings, .. } = holding;
    for changed in changed {
        findings.push(told(connection, &changed)?);
    }
    for (entry, row) in log.missing(connection, &met)? {
        findings.extend(gone(connection, entry, &row)?);
    }
    if let Some((before, _)) = log.before {
        findings.extend(unlike_their_events(connection, before)?);
    }
    let more = findings.len().saturating_sub(TOLD);
    findings.truncate(TOLD);
    if more > 0 {
        findings.push(Finding::new(format!("{more} more rows are not as the audit log says"), About::Other));
    }
    Ok((findings, notes))
}

struct Holding<'a> {
    log: &'a Log,
    /// The first event that the log vouches for.
    first: Option<u64>,
    met: HashSet<Name>,
    changed: Vec<Changed>,
    findings: Vec<Finding>,
}

impl Holding<'_> {
    /// Holds one table against the log; how many of its rows are older than what the log vouches for.
    fn table(&mut self, connection: &Connection, table: &'static Table) -> Result<u64, StoreError> {
        let mut old = 0;
        let place = table.columns.len();
        let sql = format!(
            "SELECT {}, {} FROM {} t ORDER BY {}",
            table.list("t."),
            table.place,
            table.stored,
            place + 1
        );
        connection.each(&sql, values![], |row| {
            let cells = table.cells(row);
            let place = match row.cell(place) {
                Cell::Integer(number) => u64::try_from(number).ok(),
                _ => None,
            };
            let hashed = table.hash(&cells);
            let name = log::name_of(table.name, &hashed.key);
            let model = table.text(&cells, "model_id").map(str::to_owned);
            if let Some(vouched) = self.log.rows.get(&name) {
                self.met.insert(name);
                if table.name == EVENTS.name && self.first.is_none() {
                    self.first = place;
                }
                if vouched.sha256 != log::bytes_of(&hashed.sha256) {
                    self.changed.push(Changed {
                        table,
                        key: hashed.key,
                        model,
                        entry: vouched.entry,
                        sha256: vouched.sha256,
                        columns: hashed.columns,
                    });
                }
            } else if table.value(&cells, "checkpoint_sha256") == Some(&Cell::Null) {
                // no whole file was made of this version
            } else if self.is_old(place) {
                old += 1;
            } else {
                let row = described(table, &hashed.key, model.as_deref());
                self.findings.push(Finding::new(
                    format!("no audit entry knows {row}: something else than this program put it there"),
                    About::Other,
                ));
            }
            Ok(true)
        })?;
        Ok(old)
    }

    /// True of a row that was written before the log vouched for rows.
    fn is_old(&self, place: Option<u64>) -> bool {
        let before = self.log.before.map_or(0, |(before, _)| before);
        match place {
            Some(place) => place <= before && self.first.is_none_or(|first| place < first),
            // of a time before there were such events
            None => before > 0 && self.first != Some(1),
        }
    }
}

/// A row in a sentence.
fn described(table: &Table, key: &str, model: Option<&str>) -> String {
    let of = match model {
        Some(model) if model != key && !key.starts_with(model) => format!(" of model {model}"),
        _ => String::new(),
    };
    match key.split_once('/').filter(|_| table.key.len() > 1) {
        Some((model, name)) => format!("{} {name} of model {model}", table.noun),
        None => format!("{} {key}{of}", table.noun),
    }
}

fn told(connection: &Connection, changed: &Changed) -> Result<Finding, StoreError> {
    let Changed { table, key, model, entry, .. } = changed;
    let model = match model {
        Some(model) => Some(model.clone()),
        None => model_of(connection, table, key)?,
    };
    let row = described(table, key, model.as_deref());
    let Some(sha256) = changed.sha256 else {
        let problem = format!("{row} is there again; audit entry {entry} says that it was removed");
        return Ok(Finding::new(problem, About::Other));
    };
    let then = log::written_by(connection, *entry)?
        .into_iter()
        .find(|row| row.table == table.name && row.key == *key)
        .and_then(|row| row.columns)
        .unwrap_or_default();
    let columns = table.differing(&changed.columns, &then);
    let which = match columns.as_slice() {
        [] => "it is".to_owned(),
        [one] => format!("its column {one} is"),
        many => format!("its columns {} are", many.join(", ")),
    };
    let problem = format!("{row} was changed: {which} not as audit entry {entry} wrote it");
    Ok(Finding::new(
        problem,
        About::Row { table, key: key.clone(), sha256: contract::hex(&sha256), marks: then },
    ))
}

fn gone(connection: &Connection, entry: u64, row: &WrittenRow) -> Result<Option<Finding>, StoreError> {
    let (Some(table), Some(sha256)) = (Table::named(&row.table), row.sha256.clone()) else { return Ok(None) };
    if table.name != table.stored {
        // what is gone with the version is told with it
        return Ok(None);
    }
    let of = super::audit::entry(connection, entry).ok().flatten().and_then(|entry| entry.model_id);
    let what = described(table, &row.key, of.as_ref().map(contract::ModelId::as_str));
    let problem = format!("{what} is gone; audit entry {entry} wrote it");
    Ok(Some(Finding::new(problem, About::Row { table, key: row.key.clone(), sha256, marks: String::new() })))
}

fn model_of(connection: &Connection, table: &Table, key: &str) -> Result<Option<String>, StoreError> {
    if table.stored != VERSIONS.stored {
        return Ok(None);
    }
    connection.row("SELECT model_id FROM versions WHERE version_id = ?1", values![key], |row| row.get(0))
}

/// Versions from before the log vouched for rows, as far as they and their events say different things.
fn unlike_their_events(connection: &Connection, before: u64) -> Result<Vec<Finding>, StoreError> {
    const BOTH: [(&str, &str); 8] = [
        ("version_id", "version_id"),
        ("model_id", "model_id"),
        ("operation_id", "operation_id"),
        ("tool", "tool"),
        ("author", "actor"),
        ("reasoning", "reasoning"),
        ("time_ms", "time_ms"),
        ("event_type", "event_type"),
    ];
    let columns: Vec<String> = BOTH.iter().map(|(ours, theirs)| format!("v.{ours}, e.{theirs}")).collect();
    let sql = format!(
        "SELECT {}, e.sequence FROM versions v JOIN events e ON e.event_id = v.event_id WHERE e.sequence <= ?1",
        columns.join(", ")
    );
    let mut findings = Vec::new();
    connection.each(&sql, values![before], |row| {
        let differ: Vec<&str> = BOTH
            .iter()
            .enumerate()
            .filter(|(at, _)| row.cell(at * 2) != row.cell(at * 2 + 1))
            .map(|(_, (ours, _))| *ours)
            .collect();
        if !differ.is_empty() {
            let text = |column: usize| match row.cell(column) {
                Cell::Text(text) => text,
                _ => "?".to_owned(),
            };
            findings.push(Finding::new(
                format!(
                    "version {} of model {} and its event {} differ in {}",
                    text(0),
                    text(2),
                    row.get::<u64>(BOTH.len() * 2)?,
                    differ.join(", ")
                ),
                About::Other,
            ));
        }
        Ok(true)
    })?;
    Ok(findings)
}

/// A Unix time in milliseconds as a date and a time of UTC.
fn utc(time_ms: u64) -> String {
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_millis(time_ms);
    humantime::format_rfc3339_seconds(time).to_string()
}
