//! A commit: version, ref, event, audit entry and remembered answer in one transaction, or nothing.

use super::{audit, sessions, signed, unsigned};
use crate::error::StoreError;
use crate::types::{Chain, Commit, CommitOutcome, Content};
use contract::{EventRecord, ModelId, VersionId};
use rusqlite::{Connection, OptionalExtension as _, named_params};

/// How the content is kept in the row.
pub(crate) enum Kept {
    /// In the row.
    Inline(Vec<u8>),
    /// A delta in the bucket: hash and size.
    Blob(String, u64),
    /// A whole file in the bucket.
    File(String),
}

/// What a ref points to.
pub(crate) fn head(
    connection: &Connection,
    model: &ModelId,
    name: &str,
) -> Result<Option<VersionId>, StoreError> {
    Ok(connection
        .prepare_cached("SELECT version_id FROM refs WHERE model_id = ?1 AND name = ?2")?
        .query_row((model.as_str(), name), |row| row.get::<_, String>(0))
        .optional()?
        .map(VersionId))
}

/// Writes a commit; answers with the event it became, if it was made.
pub(crate) fn commit(
    connection: &Connection,
    commit: &Commit,
    kept: &Kept,
) -> Result<(CommitOutcome, Option<EventRecord>), StoreError> {
    if let Some(remember) = &commit.remember
        && let Some(known) = sessions::answer(connection, &remember.principal, &remember.key)?
    {
        return Ok((CommitOutcome::Replayed(known), None));
    }
    if let Some(new) = &commit.new_model {
        connection
            .prepare_cached("INSERT INTO models (model_id, name, kind, created_ms) VALUES (?1, ?2, ?3, ?4)")?
            .execute((commit.model.as_str(), &new.name, new.kind.as_str(), signed(commit.time_ms)))?;
    }
    let head = head(connection, &commit.model, &commit.ref_name)?;
    if head != commit.parent {
        return match head {
            Some(head) => Ok((CommitOutcome::RefMoved { head }, None)),
            None => Err(StoreError::NotFound { what: "model", id: commit.model.to_string() }),
        };
    }
    let chain = chain_after(connection, commit, kept)?;
    insert_version(connection, commit, kept, chain)?;
    connection
        .prepare_cached(
            "INSERT INTO refs (model_id, name, version_id, changed_ms) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (model_id, name) DO UPDATE SET version_id = excluded.version_id, changed_ms = excluded.changed_ms",
        )?
        .execute((
            commit.model.as_str(),
            &commit.ref_name,
            commit.version.as_str(),
            signed(commit.time_ms),
        ))?;
    let event = insert_event(connection, commit)?;
    if let Some(entry) = &commit.audit {
        audit::append(connection, entry.clone())?;
    }
    if let Some(remember) = &commit.remember {
        sessions::remember(connection, remember, commit.time_ms)?;
    }
    Ok((CommitOutcome::Committed { chain }, Some(event)))
}

fn chain_after(connection: &Connection, commit: &Commit, kept: &Kept) -> Result<Chain, StoreError> {
    let size = match kept {
        Kept::File(_) => return Ok(Chain::default()),
        Kept::Inline(bytes) => bytes.len() as u64,
        Kept::Blob(_, size) => *size,
    };
    let Some(parent) = &commit.parent else {
        return Err(StoreError::Inconsistent("a first version has to be a whole file".into()));
    };
    let before = connection
        .prepare_cached(
            "SELECT deltas, bytes, file_sha256 IS NOT NULL OR checkpoint_sha256 IS NOT NULL
             FROM versions WHERE version_id = ?1 AND model_id = ?2",
        )?
        .query_row((parent.as_str(), commit.model.as_str()), |row| {
            let whole: bool = row.get(2)?;
            let chain = Chain {
                deltas: u32::try_from(row.get::<_, i64>(0)?).unwrap_or(u32::MAX),
                bytes: unsigned(row.get(1)?),
            };
            Ok(if whole { Chain::default() } else { chain })
        })
        .optional()?
        .ok_or_else(|| StoreError::Inconsistent(format!("{parent} is no version of {}", commit.model)))?;
    Ok(Chain { deltas: before.deltas.saturating_add(1), bytes: before.bytes.saturating_add(size) })
}

fn insert_version(
    connection: &Connection,
    commit: &Commit,
    kept: &Kept,
    chain: Chain,
) -> Result<(), StoreError> {
    let (delta, delta_sha256, file_sha256) = match kept {
        Kept::Inline(bytes) => (Some(bytes), None, None),
        Kept::Blob(sha256, _) => (None, Some(sha256), None),
        Kept::File(sha256) => (None, None, Some(sha256)),
    };
    let summary = commit.summary.as_ref().map(serde_json::to_string).transpose()?;
    connection
        .prepare_cached(
            "INSERT INTO versions (version_id, model_id, parent_id, delta, delta_sha256, file_sha256, deltas, bytes,
                 movement, moved_to, operation_id, tool, author, reasoning, time_ms, event_id, event_type, summary)
             VALUES (:version, :model, :parent, :delta, :delta_sha256, :file_sha256, :deltas, :bytes,
                 :movement, :moved_to, :operation, :tool, :author, :reasoning, :time, :event, :event_type, :summary)",
        )?
        .execute(named_params! {
            ":version": commit.version.as_str(),
            ":model": commit.model.as_str(),
            ":parent": commit.parent.as_ref().map(VersionId::as_str),
            ":delta": delta,
            ":delta_sha256": delta_sha256,
            ":file_sha256": file_sha256,
            ":deltas": i64::from(chain.deltas),
            ":bytes": signed(chain.bytes),
            ":movement": commit.moved_to.as_ref().map(|(movement, _)| movement.as_str()),
            ":moved_to": commit.moved_to.as_ref().map(|(_, version)| version.as_str()),
            ":operation": commit.operation_id.as_str(),
            ":tool": commit.tool,
            ":author": commit.author,
            ":reasoning": commit.reasoning,
            ":time": signed(commit.time_ms),
            ":event": commit.event_id.as_str(),
            ":event_type": commit.event_type,
            ":summary": summary,
        })?;
    Ok(())
}

fn insert_event(connection: &Connection, commit: &Commit) -> Result<EventRecord, StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO events (event_id, event_type, model_id, version_id, actor, reasoning, tool, params_sha256,
                 operation_id, time_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute((
            commit.event_id.as_str(),
            &commit.event_type,
            commit.model.as_str(),
            commit.version.as_str(),
            &commit.author,
            &commit.reasoning,
            &commit.tool,
            &commit.params_sha256,
            commit.operation_id.as_str(),
            signed(commit.time_ms),
        ))?;
    Ok(EventRecord {
        event_id: commit.event_id.clone(),
        sequence: unsigned(connection.last_insert_rowid()),
        event_type: commit.event_type.clone(),
        model_id: commit.model.clone(),
        version: commit.version.clone(),
        actor: commit.author.clone(),
        reasoning: commit.reasoning.clone(),
        time_ms: commit.time_ms,
    })
}

/// Whether the content of a commit is to be kept as a file, and how large it may be beside its row.
pub(crate) fn is_small(content: &Content) -> bool {
    matches!(content, Content::Delta(bytes) if bytes.len() <= crate::types::INLINE_DELTA_BYTES)
}
