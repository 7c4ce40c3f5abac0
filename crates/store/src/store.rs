//! The store as the rest of the system sees it.

mod approvals;
mod bytes;
mod commits;
mod jobs;
mod links;
mod models;
mod records;

use crate::blobs::Blobs;
use crate::database::{Database, Source};
use crate::error::StoreError;
use crate::sql;
use crate::types::StoreConfig;
use contract::EventRecord;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::broadcast;

pub use bytes::Scratch;
pub use jobs::Claim;

/// The time in ms for which an answer is kept for a retry with the same key.
const ANSWERS_KEPT_MS: u64 = 7 * 24 * 3600 * 1000;
const EVENTS_BUFFERED: usize = 1024;
/// Fewer than a subscriber may lag behind.
const EVENTS_AT_ONCE: u32 = 256;
const PAGE_MAX: u32 = 200;

/// The database's file in the folder.
pub(crate) const DATABASE: &str = "pensaer.db";

/// Durable state. Cheap to clone; every clone is the same store.
#[derive(Clone)]
pub struct Store {
    database: Database,
    blobs: Blobs,
    folder: Arc<PathBuf>,
    events: broadcast::Sender<EventRecord>,
    /// Nothing of record changes; see [`StoreConfig::read_only`].
    read_only: bool,
}

impl Store {
    /// Opens the store in a folder, or makes it. One process at a time owns a folder; who ensures that is the daemon.
    pub async fn open(config: StoreConfig) -> Result<Self, StoreError> {
        let (events, _) = broadcast::channel(EVENTS_BUFFERED);
        let (bucket, read_only) = (config.bucket.clone(), config.read_only);
        let opened = tokio::task::spawn_blocking(move || {
            fs::create_dir_all(&config.folder).map_err(StoreError::io(&config.folder))?;
            let folder = fs::canonicalize(&config.folder).map_err(StoreError::io(&config.folder))?;
            let blobs = match &config.blobs {
                Some(shared) => Blobs::open(shared, false)?,
                None => Blobs::open(&folder.join("blobs"), !config.visits)?,
            };
            let scratch = folder.join("scratch");
            if !config.visits {
                // What is in scratch belonged to calls that ended with the process.
                let _ = fs::remove_dir_all(&scratch);
            }
            fs::create_dir_all(&scratch).map_err(StoreError::io(&scratch))?;
            let source = match &config.database {
                Some(url) => Source::server(url)?,
                None => Source::File(folder.join(DATABASE)),
            };
            let database = Database::open(source, |connection| {
                sql::migrations::migrate(connection)?;
                sql::identity::ensure(connection)
            })?;
            if config.database.is_none() && !config.visits {
                for name in [DATABASE.to_owned(), format!("{DATABASE}-wal"), format!("{DATABASE}-shm")] {
                    let file = folder.join(name);
                    if file.exists() {
                        crate::private::file(&file).map_err(StoreError::io(&file))?;
                    }
                }
            }
            if let Ok(directory) = fs::File::open(&folder) {
                let _ = directory.sync_all();
            }
            Ok::<_, StoreError>((database, blobs, folder))
        })
        .await
        .map_err(|error| StoreError::Database(error.to_string()))?;
        let (database, mut blobs, folder) = opened?;
        if let Some(bucket) = bucket {
            blobs = Blobs::elsewhere(&folder.join("blobs"), &bucket).await?;
        }
        let store = Self { database, blobs, folder: Arc::new(folder), events, read_only };
        if store.database.is_shared() {
            store.follow_events().await?;
        }
        let horizon = crate::now_ms().saturating_sub(ANSWERS_KEPT_MS);
        store.database.write(move |c| sql::sessions::forget_answers(c, horizon)).await?;
        store.database.write(move |c| sql::sights::forget_before(c, horizon)).await?;
        Ok(store)
    }

    /// Tells subscribers of every event in the log from now on, whichever gateway committed it, in the order of the log.
    async fn follow_events(&self) -> Result<(), StoreError> {
        let mut told = self.database.read(sql::events::last).await?;
        let events = self.events.clone();
        self.database.follow(move |connection| {
            loop {
                let next = sql::events::after(connection, None, told, EVENTS_AT_ONCE)?;
                let is_last = next.len() < EVENTS_AT_ONCE as usize;
                for event in next {
                    told = event.sequence;
                    // Nobody listening is no fault.
                    let _ = events.send(event);
                }
                if is_last {
                    return Ok(());
                }
            }
        })
    }

    /// A Fault where nothing of record may change.
    pub(crate) fn may_change(&self) -> Result<(), StoreError> {
        if self.read_only { Err(StoreError::ReadOnly) } else { Ok(()) }
    }

    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    pub(crate) fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// The folder that everything is in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder that workers may read.
    pub fn blob_folder(&self) -> &Path {
        self.blobs.root()
    }

    /// The folder in which calls get a folder each to write to.
    pub fn blobs_folder(&self) -> PathBuf {
        self.blobs.root().to_owned()
    }

    /// The folder of files of calls under way.
    pub fn scratch_folder(&self) -> PathBuf {
        self.folder.join("scratch")
    }

    /// Every event that is committed from now on. A receiver that lags is told so and reads the rest with
    /// [`Store::events`].
    pub fn subscribe(&self) -> broadcast::Receiver<EventRecord> {
        self.events.subscribe()
    }
}

fn time_and_id(cursor: &str) -> Result<(u64, String), StoreError> {
    let (time, id) = cursor.split_once('.').ok_or_else(|| bad_cursor(cursor))?;
    Ok((time.parse().map_err(|_| bad_cursor(cursor))?, id.to_owned()))
}

fn bad_cursor(text: &str) -> StoreError {
    StoreError::NotFound { what: "page", id: text.to_owned() }
}
