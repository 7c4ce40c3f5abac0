//! A commit: version, ref, event, audit entry and remembered answer in one transaction, or nothing.

use super::tables::{MODELS, REFS, VERSIONS};

use super::written::{Doing, Written};
use super::{audit, events, governance, sessions, versions};
use crate::database::{Connection, values};
use crate::error::StoreError;
use crate::fault_points;
use crate::types::{AuditEntry, Chain, Commit, CommitOutcome, Content};
use contract::{EventRecord, ModelBegun, ModelId, VersionId};
use serde_json::json;

/// The place of a version's content: in its row or in the bucket.
pub(crate) enum StoredContent {
    /// In the row.
    Inline(Vec<u8>),
    /// A delta in the bucket: hash and size.
    Blob(String, u64),
    /// A whole file in the bucket.
    File(String),
}

/// Returns the version that a ref points to.
pub(crate) fn head(
    connection: &Connection,
    model: &ModelId,
    name: &str,
) -> Result<Option<VersionId>, StoreError> {
    connection.row(
        "SELECT version_id FROM refs WHERE model_id = ?1 AND name = ?2",
        values![model, name],
        |row| row.get(0),
    )
}

/// Writes a commit with the audit entry that was taken out of it; answers with the event it became, if it was made.
pub(crate) fn commit(
    connection: &Connection,
    commit: &Commit,
    audit: Option<AuditEntry>,
    kept: &StoredContent,
) -> Result<(CommitOutcome, Vec<EventRecord>), StoreError> {
    if let Some(remember) = &commit.remember
        && let Some(known) = sessions::answer(connection, &remember.principal, &remember.key)?
    {
        return Ok((CommitOutcome::Replayed(known), Vec::new()));
    }
    let head = head(connection, &commit.model, &commit.ref_name)?;
    if head != commit.parent {
        return match head {
            Some(head) => Ok((CommitOutcome::RefMoved { head }, Vec::new())),
            None => Err(StoreError::NotFound { what: "model", id: commit.model.to_string() }),
        };
    }
    let mut written = Written::default();
    let approval = match &commit.approval {
        None => None,
        Some(decided) => {
            match governance::decide(connection, decided, Some(&commit.version), &mut written)? {
                Some(record) => Some((decided, record)),
                None => return Ok((CommitOutcome::Decided, Vec::new())),
            }
        }
    };
    if let Some(new) = &commit.new_model {
        let origin = new.origin.as_ref().map(serde_json::to_string).transpose()?;
        written.by(
            connection,
            &MODELS,
            "INSERT INTO models (model_id, name, kind, created_ms, origin) VALUES (?1, ?2, ?3, ?4, ?5)",
            values![&commit.model, &new.name, new.kind.as_str(), commit.time_ms, &origin],
        )?;
        fault_points::pass("model row");
    }
    let chain = chain_after(connection, commit, kept)?;
    insert_version(connection, commit, (kept, chain), &mut written)?;
    fault_points::pass("version row");
    written.by(
        connection,
        &REFS,
        "INSERT INTO refs (model_id, name, version_id, changed_ms) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (model_id, name) DO UPDATE SET version_id = excluded.version_id, changed_ms = excluded.changed_ms",
        values![&commit.model, &commit.ref_name, &commit.version, commit.time_ms],
    )?;
    fault_points::pass("ref moved");
    let begun = commit.new_model.as_ref().map(|new| ModelBegun {
        name: new.name.clone(),
        kind: new.kind,
        origin: new.origin.clone().map(Box::new),
    });
    let event = events::append(
        connection,
        EventRecord {
            event_id: commit.event_id.clone(),
            sequence: 0,
            event_type: commit.event_type.clone(),
            model_id: commit.model.clone(),
            version: Some(commit.version.clone()),
            ref_name: Some(commit.ref_name.clone()),
            begun,
            approval: None,
            subject: commit.subject.clone(),
            tool: commit.tool.clone(),
            params_sha256: commit.params_sha256.clone(),
            operation_id: commit.operation_id.clone(),
            actor: commit.author.clone(),
            reasoning: commit.reasoning.clone(),
            time_ms: commit.time_ms,
        },
        &mut written,
    )?;
    let mut told = vec![event];
    if let Some((decided, record)) = approval {
        told.push(governance::tell(connection, &record, decided, &mut written)?);
    }
    fault_points::pass("event row");
    if let Some(entry) = audit {
        audit::append(connection, entry, written)?;
    } else {
        let of = Doing {
            time_ms: commit.time_ms,
            model: Some(commit.model.clone()),
            arguments: json!({}),
            outcome: "ok",
        };
        written.enter(connection, &commit.author, &commit.tool, of)?;
    }
    fault_points::pass("audit row");
    if let Some(remember) = &commit.remember {
        sessions::remember(connection, remember, commit.time_ms)?;
        fault_points::pass("answer row");
    }
    Ok((CommitOutcome::Committed { chain }, told))
}

fn chain_after(connection: &Connection, commit: &Commit, kept: &StoredContent) -> Result<Chain, StoreError> {
    let size = match kept {
        StoredContent::File(_) => return Ok(Chain::default()),
        StoredContent::Inline(bytes) => bytes.len() as u64,
        StoredContent::Blob(_, size) => *size,
    };
    let Some(parent) = &commit.parent else {
        return Err(StoreError::Inconsistent("a first version has to be a whole file".into()));
    };
    let before = connection
        .row(
            "SELECT deltas, bytes, file_sha256 IS NOT NULL OR checkpoint_sha256 IS NOT NULL
             FROM versions WHERE version_id = ?1 AND model_id = ?2",
            values![parent, &commit.model],
            |row| {
                let chain = Chain { deltas: row.get(0)?, bytes: row.get(1)? };
                Ok(if row.get(2)? { Chain::default() } else { chain })
            },
        )?
        .ok_or_else(|| StoreError::Inconsistent(format!("{parent} is no version of {}", commit.model)))?;
    Ok(Chain { deltas: before.deltas.saturating_add(1), bytes: before.bytes.saturating_add(size) })
}

fn insert_version(
    connection: &Connection,
    commit: &Commit,
    (kept, chain): (&StoredContent, Chain),
    written: &mut Written,
) -> Result<(), StoreError> {
    let (delta, delta_sha256, file_sha256) = match kept {
        StoredContent::Inline(bytes) => (Some(bytes), None, None),
        StoredContent::Blob(sha256, _) => (None, Some(sha256), None),
        StoredContent::File(sha256) => (None, None, Some(sha256)),
    };
    let summary = commit.summary.as_ref().map(serde_json::to_string).transpose()?;
    let manifest = commit.manifest.as_ref().map(serde_json::to_string).transpose()?;
    let merged = commit.merged.as_ref();
    let note = merged.map(|merged| merged.note.to_string());
    let mut generation = 0;
    for parent in commit.parent.iter().chain(merged.map(|merged| &merged.version)) {
        let (model, of_parent) = versions::generation(connection, parent)?;
        if model != commit.model {
            return Err(StoreError::Inconsistent(format!("{parent} is no version of {}", commit.model)));
        }
        generation = generation.max(of_parent.saturating_add(1));
    }
    written.by(
        connection,
        &VERSIONS,
        "INSERT INTO versions (version_id, model_id, parent_id, delta, delta_sha256, file_sha256, deltas, bytes,
             movement, moved_to, operation_id, tool, author, reasoning, time_ms, event_id, event_type, summary,
             merged_id, merge_note, generation, manifest)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
             ?19, ?20, ?21, ?22)",
        values![
            &commit.version,
            &commit.model,
            commit.parent.as_ref(),
            delta,
            delta_sha256,
            file_sha256,
            chain.deltas,
            chain.bytes,
            commit.moved_to.as_ref().map(|(movement, _)| movement.as_str()),
            commit.moved_to.as_ref().map(|(_, version)| version),
            &commit.operation_id,
            &commit.tool,
            &commit.author,
            &commit.reasoning,
            commit.time_ms,
            &commit.event_id,
            commit.event_type.as_str(),
            &summary,
            merged.map(|merged| &merged.version),
            &note,
            generation,
            &manifest,
        ],
    )?;
    Ok(())
}

/// True if the content of a commit is small enough to stand in its row instead of a file.
pub(crate) fn is_small(content: &Content) -> bool {
    matches!(content, Content::Delta(bytes) if bytes.len() <= crate::types::INLINE_DELTA_BYTES)
}
