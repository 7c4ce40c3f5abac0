//! The tables that the audit chain vouches for: which of their columns, and how a row is hashed.
//!
//! Not among the columns are a delta, which the version's id is a hash over, and the counts by which a next whole file comes
//! due, which move with later versions. The whole file that was made of a version later is a row of its own here (`checkpoints`).

use crate::database::{Cell, Row};
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

/// The digits of a column's hash that are kept to name it by.
const MARK: usize = 8;
/// The mark of a null.
const NOTHING: &str = "00000000";

/// A table as the chain knows it.
#[derive(Debug)]
pub(crate) struct Table {
    /// Its name in the chain.
    pub(crate) name: &'static str,
    /// Its name in the database.
    pub(crate) stored: &'static str,
    /// A row of it in a sentence.
    pub(crate) noun: &'static str,
    /// Rows of it.
    pub(crate) plural: &'static str,
    /// The columns that tell its rows apart.
    pub(crate) key: &'static [&'static str],
    /// The columns that are vouched for. New ones are added at the end: a null is the same as no column.
    pub(crate) columns: &'static [&'static str],
    /// The place in the log of events at which a row `t` was written.
    pub(crate) place: &'static str,
}

pub(crate) static MODELS: Table = Table {
    name: "models",
    stored: "models",
    noun: "model",
    plural: "models",
    key: &["model_id"],
    columns: &["model_id", "name", "kind", "created_ms", "origin"],
    place: "(SELECT min(e.sequence) FROM events e WHERE e.model_id = t.model_id AND e.model_name IS NOT NULL)",
};

pub(crate) static VERSIONS: Table = Table {
    name: "versions",
    stored: "versions",
    noun: "version",
    plural: "versions",
    key: &["version_id"],
    columns: &[
        "version_id",
        "model_id",
        "parent_id",
        "delta_sha256",
        "file_sha256",
        "movement",
        "moved_to",
        "operation_id",
        "tool",
        "author",
        "reasoning",
        "time_ms",
        "event_id",
        "event_type",
        "summary",
        "merged_id",
        "merge_note",
        "generation",
        "manifest",
    ],
    place: "(SELECT e.sequence FROM events e WHERE e.event_id = t.event_id AND e.version_id = t.version_id)",
};

pub(crate) static CHECKPOINTS: Table = Table {
    name: "checkpoints",
    stored: "versions",
    noun: "whole file of version",
    plural: "whole files of versions",
    key: &["version_id"],
    columns: &["version_id", "checkpoint_sha256"],
    place: "(SELECT e.sequence FROM events e WHERE e.event_id = t.event_id AND e.version_id = t.version_id)",
};

pub(crate) static REFS: Table = Table {
    name: "refs",
    stored: "refs",
    noun: "ref",
    plural: "refs",
    key: &["model_id", "name"],
    columns: &["model_id", "name", "version_id", "changed_ms"],
    place: "(SELECT max(e.sequence) FROM events e WHERE e.model_id = t.model_id AND e.ref_name = t.name)",
};

pub(crate) static EVENTS: Table = Table {
    name: "events",
    stored: "events",
    noun: "event",
    plural: "events",
    key: &["event_id"],
    columns: &[
        "event_id",
        "sequence",
        "event_type",
        "model_id",
        "version_id",
        "actor",
        "reasoning",
        "tool",
        "params_sha256",
        "operation_id",
        "time_ms",
        "ref_name",
        "model_name",
        "model_kind",
        "approval_id",
        "approval_status",
        "model_origin",
        "subject",
    ],
    place: "t.sequence",
};

pub(crate) static APPROVALS: Table = Table {
    name: "approvals",
    stored: "approvals",
    noun: "approval",
    plural: "approvals",
    key: &["approval_id"],
    columns: &[
        "approval_id",
        "status",
        "principal",
        "request_sha256",
        "model_id",
        "blob_sha256",
        "requested_ms",
        "expires_ms",
        "record",
        "draft",
    ],
    place: "(SELECT max(e.sequence) FROM events e WHERE e.approval_id = t.approval_id)",
};

/// Every table, in the order in which they are looked at: the events first, since they say when the others were written.
pub(crate) static TABLES: [&Table; 6] = [&EVENTS, &VERSIONS, &CHECKPOINTS, &MODELS, &REFS, &APPROVALS];

/// A row as it is, for the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hashed {
    pub(crate) key: String,
    pub(crate) sha256: String,
    pub(crate) columns: String,
}

impl Table {
    /// The table of this name in the chain.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        TABLES.into_iter().find(|table| table.name == name)
    }

    /// Its columns as a statement lists them.
    pub(crate) fn list(&self, prefix: &str) -> String {
        let columns: Vec<String> = self.columns.iter().map(|column| format!("{prefix}{column}")).collect();
        columns.join(", ")
    }

    /// The values of a row that begins with [`Table::list`].
    pub(crate) fn cells(&self, row: &Row<'_>) -> Vec<Cell> {
        (0..self.columns.len()).map(|column| row.cell(column)).collect()
    }

    /// The value of one of its columns.
    pub(crate) fn value<'c>(&self, cells: &'c [Cell], column: &str) -> Option<&'c Cell> {
        self.columns.iter().position(|name| *name == column).and_then(|at| cells.get(at))
    }

    /// The text of one of its columns.
    pub(crate) fn text<'c>(&self, cells: &'c [Cell], column: &str) -> Option<&'c str> {
        match self.value(cells, column) {
            Some(Cell::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Hashes a row.
    pub(crate) fn hash(&self, cells: &[Cell]) -> Hashed {
        let key: Vec<&str> =
            self.key.iter().map(|column| self.text(cells, column).unwrap_or_default()).collect();
        let (mut members, mut columns) = (Vec::new(), String::with_capacity(self.columns.len() * MARK));
        for (name, cell) in self.columns.iter().zip(cells) {
            let text = text_of(cell);
            columns.push_str(&text.as_deref().map_or_else(|| NOTHING.to_owned(), mark_of));
            members.extend(text.map(|text| (*name, text)));
        }
        // the canonical JSON of an object of them, piece by piece: its members stand in the order of their names
        members.sort_unstable_by_key(|(name, _)| *name);
        let mut hash = Sha256::new();
        hash.update("{");
        for (at, (name, text)) in members.iter().enumerate() {
            hash.update(if at > 0 { ",\"" } else { "\"" });
            hash.update(name);
            hash.update("\":");
            hash.update(text);
        }
        hash.update("}");
        Hashed { key: key.join("/"), sha256: contract::hex(&hash.finalize()), columns }
    }

    /// The marks of one column, out of those of a row.
    pub(crate) fn mark(marks: &str, at: usize) -> &str {
        marks.get(at * MARK..(at + 1) * MARK).unwrap_or(NOTHING)
    }

    /// The columns in which a row differs from what its marks say.
    pub(crate) fn differing(&self, now: &str, then: &str) -> Vec<&'static str> {
        let changed =
            self.columns.iter().enumerate().filter(|(at, _)| Self::mark(now, *at) != Self::mark(then, *at));
        changed.map(|(_, name)| *name).collect()
    }
}

/// A value as it is hashed: its canonical JSON; none of a null. Bytes are in hexadecimal; what no column of ours holds is told from
/// every value that one does.
fn text_of(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Null => None,
        Cell::Integer(number) => Some(number.to_string()),
        Cell::Text(text) => Some(contract::canonical_json(&Json::from(text.as_str()))),
        Cell::Blob(bytes) => Some(format!("{{\"bytes\":\"{}\"}}", contract::hex(bytes))),
        Cell::Other => Some("{\"unreadable\":true}".to_owned()),
    }
}

/// The mark of a value.
pub(crate) fn mark_of_cell(cell: &Cell) -> String {
    text_of(cell).as_deref().map_or_else(|| NOTHING.to_owned(), mark_of)
}

fn mark_of(text: &str) -> String {
    let hash = contract::hex(&Sha256::digest(text.as_bytes()));
    hash.get(..MARK).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_is_hashed_as_the_canonical_json_of_its_columns_that_are_not_null() {
        let text = |text: &str| Cell::Text(text.into());
        let row = vec![text("m"), text("a \"house\"\n\u{1}é"), text("ifc"), Cell::Integer(-7), Cell::Null];
        let object = json!({"model_id": "m", "name": "a \"house\"\n\u{1}é", "kind": "ifc", "created_ms": -7});
        let hashed = MODELS.hash(&row);
        assert_eq!(
            (hashed.key.as_str(), hashed.sha256.as_str()),
            ("m", contract::json_sha256(&object).as_str())
        );
        assert_eq!(MODELS.differing(&hashed.columns, ""), ["model_id", "name", "kind", "created_ms"]);
        let bytes = vec![Cell::Blob(vec![1, 255]), Cell::Other, Cell::Null, Cell::Null, Cell::Null];
        let object = json!({"model_id": {"bytes": "01ff"}, "name": {"unreadable": true}});
        assert_eq!(MODELS.hash(&bytes).sha256, contract::json_sha256(&object));
    }
}
