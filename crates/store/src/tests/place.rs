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

    /// Takes the lock off a table that is appended to only.
    pub(crate) fn unlock(&self, table: &str) {
        let on = if self.server.is_some() { format!(" ON {table}") } else { String::new() };
        self.sql(&format!(
            "DROP TRIGGER {table}_is_not_changed{on}; DROP TRIGGER {table}_is_not_removed{on}"
        ))
        .unwrap();
    }
}
