//! The store as the rest of the system sees it.

use crate::ancestry;
use crate::blobs::{Blobs, Incoming, Staged};
use crate::database::{Connection, Database, Source};
use crate::error::StoreError;
use crate::replay::Projection;
use crate::sql;
use crate::sql::commit::Kept;
use crate::types::{
    AuditEntry, Blob, ByCall, Commit, CommitOutcome, Content, Decided, FileRecord, HeldChange, JobEnd,
    JobTaken, KeyRow, Lineage, RefChange, RefOutcome, Remembered, StoreConfig,
};
use crate::{heads, history};
use bytes::Bytes;
use contract::{
    ApprovalRecord, AuditFilter, AuditRecord, EventRecord, JobDraft, JobFilter, JobRecord, ModelId,
    ModelRecord, Page, RefRecord, SessionState, VersionId, VersionRecord,
};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast;

/// How long an answer is kept for a retry with the same key.
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
    /// No version is added.
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
            let database = Database::open(source, sql::migrations::migrate)?;
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

    // ---- commits

    /// Commits one change: version, ref, event, audit entry and remembered answer, durable when this answers. Blobs that
    /// it names have to be there already.
    pub async fn commit(&self, mut commit: Commit) -> Result<CommitOutcome, StoreError> {
        if self.read_only {
            return Err(StoreError::ReadOnly);
        }
        let small = sql::commit::is_small(&commit.content);
        let kept = match std::mem::replace(&mut commit.content, Content::Delta(Vec::new())) {
            Content::File { sha256, .. } => Kept::File(sha256),
            Content::Delta(bytes) if small => Kept::Inline(bytes),
            Content::Delta(bytes) => {
                let blob = self.blobs.put(bytes.into()).await?;
                crate::fault_points::pass("blob written");
                Kept::Blob(blob.sha256, blob.size)
            }
        };
        self.write_and_tell(move |c| sql::commit::commit(c, &commit, &kept)).await
    }

    /// Runs a write that appends events, and tells subscribers of them.
    async fn write_and_tell<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<(T, Vec<EventRecord>), StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        // Where others commit, too, the log alone says what came when.
        let events = (!self.database.is_shared()).then(|| self.events.clone());
        let tell = move |(_, told): &(T, Vec<EventRecord>)| {
            let Some(events) = events else { return };
            for event in told {
                // Nobody listening is no fault.
                let _ = events.send(event.clone());
            }
        };
        Ok(self.database.write_then(work, tell).await?.0)
    }

    /// Appends an audit entry; durable when this answers.
    pub async fn audit(&self, entry: AuditEntry) -> Result<AuditRecord, StoreError> {
        self.database.write(move |c| sql::audit::append(c, entry)).await
    }

    /// Queues an audit entry: it takes its place in the chain now and becomes durable with the next transaction. For
    /// calls that changed nothing.
    pub fn audit_soon(&self, entry: AuditEntry) -> Result<(), StoreError> {
        self.database.submit(move |c| sql::audit::append(c, entry), |_| ()).map(|_| ())
    }

    /// Makes or removes a ref, with its event and audit entry; durable when this answers.
    pub async fn change_ref(&self, change: RefChange) -> Result<RefOutcome, StoreError> {
        if self.read_only {
            return Err(StoreError::ReadOnly);
        }
        self.write_and_tell(move |c| {
            let (outcome, event) = sql::refs::change(c, &change)?;
            Ok((outcome, event.into_iter().collect()))
        })
        .await
    }

    // ---- models, refs, versions

    /// What a ref points to, if the model has it.
    pub async fn head(&self, model: &ModelId, name: &str) -> Result<Option<VersionId>, StoreError> {
        let (model, name) = (model.clone(), name.to_owned());
        self.database.read(move |c| sql::commit::head(c, &model, &name)).await
    }

    /// The best common ancestors of two versions; see [`crate::merge_bases`].
    pub async fn merge_bases(
        &self,
        one: &VersionId,
        other: &VersionId,
    ) -> Result<Vec<VersionId>, StoreError> {
        let (one, other) = (one.clone(), other.clone());
        self.database
            .read(move |c| ancestry::merge_bases(&one, &other, |id| sql::versions::node(c, id)))
            .await
    }

    /// The notes of the merges by which what is in `ancestor` came into `descendant`, the earliest first.
    pub async fn merge_notes(
        &self,
        ancestor: &VersionId,
        descendant: &VersionId,
    ) -> Result<Vec<serde_json::Value>, StoreError> {
        let (ancestor, descendant) = (ancestor.clone(), descendant.clone());
        self.database
            .read(move |c| {
                let crossed = ancestry::crossings(&ancestor, &descendant, |id| sql::versions::node(c, id))?;
                let crossed = crossed.ok_or_else(|| {
                    StoreError::Inconsistent(format!("{ancestor} is not before {descendant}"))
                })?;
                crossed.iter().map(|merge| sql::versions::merge_note(c, merge)).collect()
            })
            .await
    }

    /// Models and refs as the event log alone has them; see [`Projection`].
    pub async fn replay(&self) -> Result<Projection, StoreError> {
        self.database
            .read(|c| {
                let mut projection = Projection::default();
                sql::events::each(c, |event| {
                    projection.apply(event);
                    Ok(())
                })?;
                Ok(projection)
            })
            .await
    }

    /// Models and refs as the tables have them.
    pub async fn projection(&self) -> Result<Projection, StoreError> {
        self.database.read(sql::models::projection).await
    }

    /// The model with this id.
    pub async fn model(&self, id: &ModelId) -> Result<ModelRecord, StoreError> {
        let id = id.clone();
        self.database
            .read(move |c| {
                sql::models::by_id(c, id.as_str())?
                    .ok_or_else(|| StoreError::NotFound { what: "model", id: id.to_string() })
            })
            .await
    }

    /// The model with this id, or the only one with exactly this name.
    pub async fn find_model(&self, id_or_name: &str) -> Result<ModelRecord, StoreError> {
        let wanted = id_or_name.to_owned();
        self.database
            .read(move |c| {
                if let Some(model) = sql::models::by_id(c, &wanted)? {
                    return Ok(model);
                }
                let mut named = sql::models::by_name(c, &wanted)?;
                match named.len() {
                    0 => Err(StoreError::NotFound { what: "model", id: wanted }),
                    1 => Ok(named.remove(0)),
                    _ => Err(StoreError::Ambiguous {
                        what: "model",
                        id: wanted,
                        candidates: named.into_iter().map(|model| model.model_id.0).collect(),
                    }),
                }
            })
            .await
    }

    /// Names of models, the latest changed first.
    pub async fn model_names(&self, limit: u32) -> Result<Vec<String>, StoreError> {
        self.database.read(move |c| sql::models::names(c, limit)).await
    }

    /// A page of models, the latest changed first; at most 200.
    pub async fn models(&self, limit: u32, cursor: Option<&str>) -> Result<Page<ModelRecord>, StoreError> {
        let after = cursor.map(time_and_id).transpose()?;
        self.database.read(move |c| sql::models::page(c, limit.clamp(1, PAGE_MAX), after)).await
    }

    /// The refs of a model.
    pub async fn refs(&self, model: &ModelId) -> Result<Vec<RefRecord>, StoreError> {
        let model = model.clone();
        self.database.read(move |c| sql::models::refs(c, &model)).await
    }

    /// Versions of a model from its head back, or from the version that the cursor names; at most 200.
    pub async fn versions(
        &self,
        model: &ModelId,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<VersionRecord>, StoreError> {
        let (model, cursor) = (model.clone(), cursor.map(VersionId::from));
        self.database
            .read(move |c| {
                let start = match cursor {
                    Some(start) => sql::versions::find(c, &model, start.as_str())?.version,
                    None => sql::commit::head(c, &model, crate::MAIN)?
                        .ok_or_else(|| StoreError::NotFound { what: "model", id: model.to_string() })?,
                };
                sql::versions::page(c, &model, &start, limit.clamp(1, PAGE_MAX))
            })
            .await
    }

    /// Every version of a model, of all its branches: no version before one that it comes from; at most 200.
    pub async fn history(
        &self,
        model: &ModelId,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<VersionRecord>, StoreError> {
        let model = model.clone();
        let after = cursor
            .map(|text| {
                let (generation, id) = text.split_once('.').ok_or_else(|| bad_cursor(text))?;
                let generation: u64 = generation.parse().map_err(|_| bad_cursor(text))?;
                Ok::<_, StoreError>((generation, VersionId::from(id)))
            })
            .transpose()?;
        self.database
            .read(move |c| sql::versions::history(c, &model, limit.clamp(1, PAGE_MAX), after.as_ref()))
            .await
    }

    /// One version, by its id or by the first digits of it (four at least) where they fit one only.
    pub async fn version(&self, model: &ModelId, id: &str) -> Result<VersionRecord, StoreError> {
        let (model, id) = (model.clone(), id.to_owned());
        self.database.read(move |c| sql::versions::find(c, &model, &id)).await
    }

    /// What a version is opened from.
    pub async fn lineage(&self, version: &VersionId) -> Result<Lineage, StoreError> {
        let version = version.clone();
        self.database.read(move |c| sql::versions::lineage(c, &version)).await
    }

    /// The version that undo goes to from `head`, and how many steps it is away; see [`crate::undo`].
    pub async fn undo_target(
        &self,
        head: &VersionId,
        steps: u32,
    ) -> Result<Option<(VersionId, u32)>, StoreError> {
        let head = head.clone();
        self.database.read(move |c| history::undo(&head, steps, |id| sql::versions::step(c, id))).await
    }

    /// The version that redo goes to from `head`, and how many steps it is away; see [`crate::redo`].
    pub async fn redo_target(
        &self,
        head: &VersionId,
        steps: u32,
    ) -> Result<Option<(VersionId, u32)>, StoreError> {
        let head = head.clone();
        self.database.read(move |c| history::redo(&head, steps, |id| sql::versions::step(c, id))).await
    }

    /// The blob of a version's whole file, if it is kept.
    pub async fn whole_file(&self, version: &VersionId) -> Result<Option<String>, StoreError> {
        let version = version.clone();
        self.database.read(move |c| sql::versions::whole_file(c, &version)).await
    }

    /// Records a blob as the whole file of a version, so that later versions are opened from it.
    pub async fn set_checkpoint(&self, version: &VersionId, sha256: &str) -> Result<(), StoreError> {
        let (version, sha256) = (version.clone(), sha256.to_owned());
        self.database.write(move |c| sql::versions::set_checkpoint(c, &version, &sha256)).await
    }

    /// Events after a position in the log, in order; of one model, if given.
    pub async fn events(
        &self,
        model: Option<&ModelId>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<EventRecord>, StoreError> {
        let model = model.cloned();
        self.database.read(move |c| sql::events::after(c, model.as_ref(), after, limit.clamp(1, 1000))).await
    }

    /// The position of the last event in the log; zero where there is none yet.
    pub async fn last_event(&self) -> Result<u64, StoreError> {
        self.database.read(sql::events::last).await
    }

    // ---- audit, sessions, answers

    /// Audit entries, the latest first; of one model, if given; at most 200.
    pub async fn audit_page(
        &self,
        model: Option<&ModelId>,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<AuditRecord>, StoreError> {
        let filter = AuditFilter { model: model.cloned(), ..AuditFilter::default() };
        self.audit_entries(&filter, limit, cursor).await
    }

    /// Audit entries that fit, the latest first; at most 200.
    pub async fn audit_entries(
        &self,
        filter: &AuditFilter,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<AuditRecord>, StoreError> {
        let filter = filter.clone();
        let before = cursor.map(|text| text.parse::<u64>().map_err(|_| bad_cursor(text))).transpose()?;
        self.database.read(move |c| sql::audit::page(c, &filter, limit.clamp(1, PAGE_MAX), before)).await
    }

    /// The number of audit entries if the chain holds from its first to its last, else what is wrong with it.
    pub async fn verify_audit(&self) -> Result<Result<u64, String>, StoreError> {
        self.database.read(sql::audit::verify).await
    }

    /// As [`Store::verify_audit`], and every head in `known` and every one that was noted in the folder has to be in the log
    /// still. Answers the head.
    pub async fn verify_audit_against(
        &self,
        mut known: Vec<(u64, String)>,
    ) -> Result<Result<(u64, String), String>, StoreError> {
        known.extend(heads::read(&self.folder.join(heads::FILE))?);
        self.database
            .read(move |c| {
                let count = match sql::audit::verify(c)? {
                    Ok(count) => count,
                    Err(problem) => return Ok(Err(problem)),
                };
                for (sequence, hash) in known {
                    match sql::audit::hash_of(c, sequence)? {
                        None => {
                            return Ok(Err(format!(
                                "audit entry {sequence} was there and is gone: the log was cut off after {count}"
                            )));
                        }
                        Some(found) if found != hash => {
                            return Ok(Err(format!("audit entry {sequence} is another than the one noted")));
                        }
                        Some(_) => {}
                    }
                }
                let hash = sql::audit::hash_of(c, count)?.unwrap_or_else(|| crate::GENESIS.to_owned());
                Ok(Ok((count, hash)))
            })
            .await
    }

    /// Notes the audit log's head in the folder, beside the database.
    pub async fn note_audit_head(&self) -> Result<(), StoreError> {
        let head = self.database.read(sql::audit::head).await?;
        let path = self.folder.join(heads::FILE);
        let Some((sequence, hash)) = head else { return Ok(()) };
        tokio::task::spawn_blocking(move || heads::note(&path, sequence, &hash))
            .await
            .map_err(|error| StoreError::Database(error.to_string()))?
    }

    /// Audit entries after one, in order; at most 200.
    pub async fn audit_after(&self, after: u64, limit: u32) -> Result<Vec<AuditRecord>, StoreError> {
        self.database.read(move |c| sql::audit::after(c, after, limit.clamp(1, PAGE_MAX))).await
    }

    /// What a client was working on.
    pub async fn session(&self, key: &str) -> Result<Option<SessionState>, StoreError> {
        let key = key.to_owned();
        self.database.read(move |c| sql::sessions::session(c, &key)).await
    }

    /// Keeps what a client is working on.
    pub async fn set_session(&self, key: &str, state: &SessionState) -> Result<(), StoreError> {
        let (key, state) = (key.to_owned(), state.clone());
        self.database.write(move |c| sql::sessions::set_session(c, &key, &state, crate::now_ms())).await
    }

    /// Forgets a session.
    pub async fn clear_session(&self, key: &str) -> Result<(), StoreError> {
        let key = key.to_owned();
        self.database.write(move |c| sql::sessions::clear_session(c, &key)).await
    }

    /// The answer kept under a principal's idempotency key.
    pub async fn answer(&self, principal: &str, key: &str) -> Result<Option<Remembered>, StoreError> {
        let (principal, key) = (principal.to_owned(), key.to_owned());
        self.database.read(move |c| sql::sessions::answer(c, &principal, &key)).await
    }

    /// Keeps an answer that came without a commit.
    pub async fn remember(&self, remembered: Remembered) -> Result<(), StoreError> {
        self.database.write(move |c| sql::sessions::remember(c, &remembered, crate::now_ms())).await
    }

    // ---- work beside the calls

    /// Takes a piece of work, such as `checkpoint of MODEL`, so that no other gateway does it meanwhile; nothing if one
    /// does. Work that is not given back in time, because its gateway is gone, can be taken again.
    pub async fn claim(&self, work: &str, at_most: Duration) -> Result<Option<Claim>, StoreError> {
        let claim = Claim { work: work.to_owned(), holder: uuid::Uuid::now_v7().to_string() };
        let wanted = claim.clone();
        let now = crate::now_ms();
        let until = now.saturating_add(u64::try_from(at_most.as_millis()).unwrap_or(u64::MAX));
        let taken = self
            .database
            .write(move |c| sql::claims::take(c, &wanted.work, &wanted.holder, now, until))
            .await?;
        Ok(taken.then_some(claim))
    }

    /// Gives a piece of work back, done or not.
    pub async fn give_back(&self, claim: Claim) -> Result<(), StoreError> {
        self.database.write(move |c| sql::claims::give_back(c, &claim.work, &claim.holder)).await
    }

    // ---- jobs

    /// Puts a job behind those that wait, for whichever gateway begins it.
    pub async fn submit_job(&self, draft: JobDraft, principal: &str) -> Result<JobRecord, StoreError> {
        let principal = principal.to_owned();
        self.database.write(move |c| sql::jobs::submit(c, &draft, &principal, crate::now_ms())).await
    }

    /// A job.
    pub async fn job(&self, id: &str) -> Result<Option<JobRecord>, StoreError> {
        let id = id.to_owned();
        self.database.read(move |c| sql::jobs::job(c, &id)).await
    }

    /// Jobs that fit, the latest first; at most 200.
    pub async fn jobs(
        &self,
        filter: &JobFilter,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<JobRecord>, StoreError> {
        let before = cursor.map(time_and_id).transpose()?;
        let filter = filter.clone();
        self.database.read(move |c| sql::jobs::page(c, &filter, limit.clamp(1, PAGE_MAX), before)).await
    }

    /// Begins the next job of this kind, so that nobody else does: the oldest of those that wait, or whose gateway was not
    /// heard of for `silence`. One under which gateways went away again and again has failed with that.
    pub async fn take_job(&self, kind: &str, silence: Duration) -> Result<Option<JobTaken>, StoreError> {
        let (kind, now) = (kind.to_owned(), crate::now_ms());
        let silent = now.saturating_sub(u64::try_from(silence.as_millis()).unwrap_or(u64::MAX));
        let asked = kind.clone();
        // looking is cheap, writing makes others wait
        if !self.database.read(move |c| sql::jobs::waits(c, &asked, silent)).await? {
            return Ok(None);
        }
        let owner = uuid::Uuid::now_v7().to_string();
        self.database.write(move |c| sql::jobs::take(c, &kind, &owner, (now, silent))).await
    }

    /// Says that a job goes on, and how far it is; whether it is to end. Nothing where another has it by now: then its
    /// outcome does not count any more.
    pub async fn beat_job(
        &self,
        job: &JobTaken,
        progress: Option<serde_json::Value>,
    ) -> Result<Option<bool>, StoreError> {
        let (id, owner) = (job.record.job_id.clone(), job.owner.clone());
        let progress = progress.map(|progress| progress.to_string());
        self.database
            .write(move |c| sql::jobs::beat(c, &id, &owner, progress.as_deref(), crate::now_ms()))
            .await
    }

    /// Writes down what became of a job; false where another has it by now.
    pub async fn end_job(&self, job: &JobTaken, end: JobEnd) -> Result<bool, StoreError> {
        let (id, owner) = (job.record.job_id.clone(), job.owner.clone());
        self.database.write(move |c| sql::jobs::end(c, &id, Some(&owner), &end, crate::now_ms())).await
    }

    /// Asks for a job to end; the job as it is then. One that runs ends a little later.
    pub async fn cancel_job(&self, id: &str) -> Result<Option<JobRecord>, StoreError> {
        let id = id.to_owned();
        self.database.write(move |c| sql::jobs::cancel(c, &id, crate::now_ms())).await
    }

    // ---- keys and approvals

    /// Keeps a key, in the place of the one with its id.
    pub async fn put_key(&self, key: KeyRow) -> Result<(), StoreError> {
        self.database.write(move |c| sql::governance::put_key(c, &key)).await
    }

    /// The key with this id.
    pub async fn key(&self, id: &str) -> Result<Option<KeyRow>, StoreError> {
        let id = id.to_owned();
        self.database.read(move |c| sql::governance::key(c, &id)).await
    }

    /// Every key, the oldest first.
    pub async fn keys(&self) -> Result<Vec<KeyRow>, StoreError> {
        self.database.read(sql::governance::keys).await
    }

    /// Keeps a change that waits for somebody's yes, with its event. The same call asks once: the record answered may be one
    /// that waits already.
    pub async fn hold(&self, held: HeldChange, call: ByCall) -> Result<ApprovalRecord, StoreError> {
        self.write_and_tell(move |c| {
            let (record, event) = sql::governance::hold(c, &held, &call)?;
            Ok((record, event.into_iter().collect()))
        })
        .await
    }

    /// Writes off, each with its event, what nobody decided on in time; how many there were. Until then it can be decided on
    /// just as little.
    pub async fn expire_approvals(&self) -> Result<usize, StoreError> {
        self.write_and_tell(|c| {
            let told = sql::governance::expire(c, crate::now_ms())?;
            Ok((told.len(), told))
        })
        .await
    }

    /// A change that waits or waited.
    pub async fn held(&self, id: &str) -> Result<Option<HeldChange>, StoreError> {
        let id = id.to_owned();
        self.database.read(move |c| sql::governance::held(c, &id, crate::now_ms())).await
    }

    /// Changes that wait, or all that ever did, the latest first; at most 200.
    pub async fn approvals(
        &self,
        pending: bool,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<ApprovalRecord>, StoreError> {
        let before = cursor.map(time_and_id).transpose()?;
        let limit = limit.clamp(1, PAGE_MAX);
        self.database.read(move |c| sql::governance::page(c, pending, limit, before, crate::now_ms())).await
    }

    /// Writes a no down, with its event and its audit entry, if it is the first decision and in time. A yes comes with its commit.
    pub async fn reject(
        &self,
        decided: Decided,
        audit: AuditEntry,
    ) -> Result<Option<ApprovalRecord>, StoreError> {
        self.write_and_tell(move |c| {
            let Some(record) = sql::governance::decide(c, &decided, None)? else {
                return Ok((None, Vec::new()));
            };
            let event = sql::governance::tell(c, &record, &decided)?;
            sql::audit::append(c, audit)?;
            Ok((Some(record), vec![event]))
        })
        .await
    }

    // ---- bytes

    /// Keeps bytes.
    pub async fn put_blob(&self, bytes: impl Into<Bytes>) -> Result<Blob, StoreError> {
        self.blobs.put(bytes.into()).await
    }

    /// The bytes of a blob.
    pub async fn blob(&self, sha256: &str) -> Result<Bytes, StoreError> {
        self.blobs.get(sha256).await
    }

    /// The size of a blob in bytes.
    pub async fn blob_size(&self, sha256: &str) -> Result<u64, StoreError> {
        self.blobs.size(sha256).await
    }

    /// Where a blob lies on this machine, for workers; fetched first if the bucket is elsewhere.
    pub async fn blob_file(&self, sha256: &str) -> Result<PathBuf, StoreError> {
        self.blobs.file(sha256).await
    }

    /// An address from which whoever has it may read a blob for so long, where the bucket itself gives any.
    pub async fn blob_link(&self, sha256: &str, keep: Duration) -> Result<Option<String>, StoreError> {
        self.blobs.link(sha256, keep).await
    }

    /// Begins to take in a file of at most `limit` bytes.
    pub fn incoming(&self, limit: u64) -> Result<Incoming, StoreError> {
        self.blobs.incoming(limit)
    }

    /// Copies a file of at most `limit` bytes in while hashing it.
    pub async fn stage(&self, file: &Path, limit: u64) -> Result<Staged, StoreError> {
        self.blobs.stage(file, limit).await
    }

    /// Makes a file that was taken in a blob.
    pub async fn adopt(&self, staged: Staged) -> Result<Blob, StoreError> {
        self.blobs.adopt(staged).await
    }

    /// Copies a blob or a staged file, by where it lies, to a path outside the store, complete or not at all. Without
    /// `overwrite` a file that is there stays and the answer is false.
    pub async fn export(&self, from: &Path, to: &Path, overwrite: bool) -> Result<bool, StoreError> {
        self.blobs.export(from, to, overwrite).await
    }

    /// A folder of its own for one call to write to. It is removed with everything in it when this is dropped.
    pub fn scratch(&self) -> Result<Scratch, StoreError> {
        let path = self.folder.join("scratch").join(uuid::Uuid::now_v7().to_string());
        fs::create_dir_all(&path).map_err(StoreError::io(&path))?;
        Ok(Scratch { path })
    }

    /// Records a file by name and key.
    pub async fn put_file(&self, file: FileRecord) -> Result<(), StoreError> {
        self.database.write(move |c| sql::files::put(c, &file)).await
    }

    /// The file under a key.
    pub async fn file(&self, key: &str) -> Result<Option<FileRecord>, StoreError> {
        let key = key.to_owned();
        self.database.read(move |c| sql::files::by_key(c, &key)).await
    }

    /// The latest file of this name that a principal gave.
    pub async fn file_named(&self, principal: &str, name: &str) -> Result<Option<FileRecord>, StoreError> {
        let (principal, name) = (principal.to_owned(), name.to_owned());
        self.database.read(move |c| sql::files::by_name(c, &principal, &name)).await
    }

    /// Records a blob that was made from versions and can be made again.
    pub async fn put_derived(&self, key: &str, blob: &Blob, media_type: &str) -> Result<(), StoreError> {
        let (key, blob, media_type) = (key.to_owned(), blob.clone(), media_type.to_owned());
        self.database.write(move |c| sql::files::put_derived(c, &key, &blob, &media_type)).await
    }

    /// The blob recorded under a key that can be made again, if it is there.
    pub async fn derived(&self, key: &str) -> Result<Option<Blob>, StoreError> {
        let key = key.to_owned();
        self.database.read(move |c| sql::files::derived(c, &key)).await
    }

    // ---- the whole

    /// What is wrong with the data folder; empty if all is well. `deep` reads every blob and compares its hash.
    pub async fn check(&self, deep: bool) -> Result<Vec<String>, StoreError> {
        let (mut problems, blobs) =
            self.database.read(|c| Ok((sql::check::problems(c)?, sql::check::blobs(c)?))).await?;
        let there: HashSet<String> = self.blobs.list().await?.into_iter().map(|blob| blob.sha256).collect();
        for sha256 in blobs {
            // what came after the list was made is asked for by itself
            let is_there = there.contains(&sha256) || self.blobs.exists(&sha256).await?;
            if !is_there {
                problems.push(format!("blob {sha256} is missing"));
            } else if deep && !self.blobs.is_whole(&sha256).await? {
                problems.push(format!("blob {sha256} is damaged"));
            }
        }
        Ok(problems)
    }
}

/// A piece of work that this gateway has to itself for a while; see [`Store::claim`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    work: String,
    holder: String,
}

/// A folder that goes away with this.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn time_and_id(cursor: &str) -> Result<(u64, String), StoreError> {
    let (time, id) = cursor.split_once('.').ok_or_else(|| bad_cursor(cursor))?;
    Ok((time.parse().map_err(|_| bad_cursor(cursor))?, id.to_owned()))
}

fn bad_cursor(text: &str) -> StoreError {
    StoreError::NotFound { what: "page", id: text.to_owned() }
}
