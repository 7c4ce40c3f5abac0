//! How far the tables of a database have come, for those who only look: nothing is made or migrated.

use crate::database::{Database, Source, values};
use crate::error::StoreError;
use crate::sql::migrations;
use crate::store::DATABASE;
use crate::types::StoreConfig;

/// The form of a database's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// The migrations that it has had.
    pub step: u32,
    /// The migrations that this program knows.
    pub known: u32,
}

/// Looks at the database of a place; none if there is none yet. An error if it cannot be reached or read.
pub async fn form(place: &StoreConfig) -> Result<Option<Form>, StoreError> {
    let source = match &place.database {
        Some(url) => Source::server(url)?,
        None => Source::File(place.folder.join(DATABASE)),
    };
    if let Source::File(file) = &source
        && !file.is_file()
    {
        return Ok(None);
    }
    let opened = tokio::task::spawn_blocking(move || Database::open(source, |_| Ok(())));
    let database = opened.await.map_err(|error| StoreError::Database(error.to_string()))??;
    let _: u32 = database.read(|connection| connection.one("SELECT 1", values![])).await?;
    // a database that was never migrated has no such table
    let step = database.read(migrations::done).await.ok();
    Ok(step.map(|step| Form { step, known: migrations::KNOWN }))
}
