//! Where a test's store is: SQLite in a folder, or a schema at a PostgreSQL server with its blobs at an S3 server, or in a folder
//! where there is none.

use super::bucket::Server;
use super::cluster::Cluster;
use crate::{Store, StoreConfig, StoreError};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// An empty place for one store, or for several gateways to one.
pub(crate) struct Place<'a> {
    folder: TempDir,
    server: Option<(&'a Cluster, String, String)>,
    bucket: Option<&'a Server>,
}

/// The kind of a column whose bits are flipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Number,
    Text,
    Bytes,
}

impl<'a> Place<'a> {
    /// On SQLite.
    pub(crate) fn sqlite() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), server: None, bucket: None }
    }

    /// On PostgreSQL.
    pub(crate) fn postgresql(cluster: &'a Cluster) -> Self {
        let (url, schema) = cluster.schema();
        Self { folder: tempfile::tempdir().unwrap(), server: Some((cluster, url, schema)), bucket: None }
    }

    /// An empty one of the same sort.
    pub(crate) fn another(&self) -> Self {
        match self.server {
            Some((cluster, _, _)) => Self::postgresql(cluster).with_bucket(self.bucket),
            None => Self::sqlite(),
        }
    }

    /// Keeps blobs at an S3 server, if there is one.
    pub(crate) fn with_bucket(self, bucket: Option<&'a Server>) -> Self {
        Self { bucket, ..self }
    }

    /// The file of a blob in the bucket itself, not of a copy.
    pub(crate) async fn blob(&self, store: &Store, sha256: &str) -> PathBuf {
        match (self.bucket, &self.server) {
            (Some(bucket), Some((_, _, schema))) => bucket.file(schema, sha256),
            _ => store.blob_file(sha256).await.unwrap(),
        }
    }

    /// A folder for whatever the test needs beside the store.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The settings with which the store is opened.
    pub(crate) fn config(&self) -> StoreConfig {
        self.gateway("data")
    }

    /// The settings with which a gateway of its own opens the store.
    pub(crate) fn gateway(&self, name: &str) -> StoreConfig {
        StoreConfig {
            database: self.server.as_ref().map(|(_, url, _)| url.clone()),
            blobs: match self.bucket {
                Some(_) => None,
                None => self.server.as_ref().map(|_| self.folder.path().join("blobs")),
            },
            bucket: self
                .bucket
                .zip(self.server.as_ref())
                .map(|(bucket, (_, _, schema))| bucket.config(schema)),
            ..StoreConfig::in_folder(self.folder.path().join(name))
        }
    }

    pub(crate) async fn open(&self) -> Store {
        self.try_open().await.unwrap()
    }

    pub(crate) async fn try_open(&self) -> Result<Store, StoreError> {
        Store::open(self.config()).await
    }

    /// Does something to the tables behind the store's back.
    pub(crate) fn sql(&self, statements: &str) -> Result<(), String> {
        match &self.server {
            Some((cluster, _, schema)) => {
                cluster.sql(&format!("SET search_path = {schema}; {statements}")).map(|_| ())
            }
            None => rusqlite::Connection::open(self.config().folder.join("pensaer.db"))
                .and_then(|raw| raw.execute_batch(statements))
                .map_err(|error| error.to_string()),
        }
    }

    /// Does something that the database itself would refuse: references are not looked at.
    pub(crate) fn unchecked(&self, statements: &str) {
        let unchecked = match &self.server {
            Some(_) => "SET session_replication_role = replica;",
            None => "PRAGMA foreign_keys = OFF;",
        };
        self.sql(&format!("{unchecked} {statements}")).unwrap();
    }

    /// Answers a statement for one text.
    pub(crate) fn ask(&self, statement: &str) -> String {
        match &self.server {
            Some((cluster, _, schema)) => {
                cluster.sql(&format!("SET search_path = {schema}; {statement}")).unwrap()
            }
            None => rusqlite::Connection::open(self.config().folder.join("pensaer.db"))
                .and_then(|raw| raw.query_row(statement, [], |row| row.get(0)))
                .unwrap(),
        }
    }

    /// Flips the lowest bit of the byte in the middle of a value, or of a number.
    pub(crate) fn flip(&self, table: &str, column: &str, of: &str, kind: Kind) {
        let is_server = self.server.is_some();
        let value = match kind {
            Kind::Number => {
                let now: i64 = self
                    .ask(&format!("SELECT CAST({column} AS TEXT) FROM {table} WHERE {of}"))
                    .parse()
                    .unwrap();
                (now ^ 1).to_string()
            }
            Kind::Text | Kind::Bytes => {
                let hex = match (is_server, kind) {
                    (false, _) => format!("hex({column})"),
                    (true, Kind::Text) => format!("encode(convert_to({column}, 'UTF8'), 'hex')"),
                    (true, _) => format!("encode({column}, 'hex')"),
                };
                let hex = self.ask(&format!("SELECT {hex} FROM {table} WHERE {of}"));
                let middle = hex.len() / 4 * 2;
                let byte = u8::from_str_radix(&hex[middle..middle + 2], 16).unwrap() ^ 1;
                let hex = format!("{}{byte:02x}{}", &hex[..middle], &hex[middle + 2..]);
                match (is_server, kind) {
                    (false, Kind::Text) => format!("CAST(X'{hex}' AS TEXT)"),
                    (false, _) => format!("X'{hex}'"),
                    (true, Kind::Text) => format!("convert_from('\\x{hex}'::bytea, 'UTF8')"),
                    (true, _) => format!("'\\x{hex}'::bytea"),
                }
            }
        };
        self.unchecked(&format!("UPDATE {table} SET {column} = {value} WHERE {of};"));
    }

    /// Takes the lock off a table that is appended to only.
    pub(crate) fn unlock(&self, table: &str) {
        let on = if self.server.is_some() { format!(" ON {table}") } else { String::new() };
        self.sql(&format!(
            "DROP TRIGGER {table}_is_not_changed{on}; DROP TRIGGER {table}_is_not_removed{on}"
        ))
        .unwrap();
    }
}
