//! API keys and approvals.

use super::events;
use super::tables::APPROVALS;
use super::written::{Doing, Written};
use crate::database::{Connection, Row, values};
use crate::error::StoreError;
use crate::types::{ByCall, Decided, HeldChange, KeyRow};
use contract::{
    ApprovalRecord, ApprovalStatus, ApprovalStep, EventId, EventRecord, EventSubject, EventType, OperationId,
    Page, VersionId,
};
use serde_json::json;

/// The name of the decider where something waited too long.
const NOBODY: &str = "nobody";
/// The number of approvals that are written off in one transaction.
const EXPIRED_AT_ONCE: u32 = 500;

/// Keeps a key, in the place of the one with its id.
pub(crate) fn put_key(connection: &Connection, key: &KeyRow) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO api_keys (key_id, principal, created_ms, record) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (key_id) DO UPDATE SET record = excluded.record",
        values![&key.id, &key.principal, key.created_ms, &key.record.to_string()],
    )?;
    Ok(())
}

fn key_of(row: &Row<'_>) -> Result<KeyRow, StoreError> {
    Ok(KeyRow {
        id: row.get(0)?,
        principal: row.get(1)?,
        created_ms: row.get(2)?,
        record: serde_json::from_str(&row.get::<String>(3)?)?,
    })
}

/// The key with this id.
pub(crate) fn key(connection: &Connection, id: &str) -> Result<Option<KeyRow>, StoreError> {
    let sql = "SELECT key_id, principal, created_ms, record FROM api_keys WHERE key_id = ?1";
    connection.row(sql, values![id], key_of)
}

/// Every key, the oldest first.
pub(crate) fn keys(connection: &Connection) -> Result<Vec<KeyRow>, StoreError> {
    let sql = "SELECT key_id, principal, created_ms, record FROM api_keys ORDER BY created_ms, key_id";
    connection.rows(sql, values![], key_of)
}

/// Keeps a change that waits, with its event. One that asks for the same again is answered with the one that waits already,
/// and is no event.
pub(crate) fn hold(
    connection: &Connection,
    held: &HeldChange,
    call: &ByCall,
) -> Result<(ApprovalRecord, Option<EventRecord>), StoreError> {
    let record = &held.record;
    let known = connection.row(
        "SELECT record FROM approvals WHERE principal = ?1 AND request_sha256 = ?2 AND status = 'pending'
         AND expires_ms > ?3 ORDER BY requested_ms DESC LIMIT 1",
        values![&record.requested_by, &held.request_sha256, record.requested_ms],
        |row| Ok(serde_json::from_str::<ApprovalRecord>(&row.get::<String>(0)?)?),
    )?;
    if let Some(known) = known.filter(|known| known.base == record.base && known.changes == record.changes) {
        return Ok((known, None));
    }
    let mut written = Written::default();
    written.by(
        connection,
        &APPROVALS,
        "INSERT INTO approvals (approval_id, status, principal, request_sha256, model_id, blob_sha256, requested_ms,
             expires_ms, record, draft)
         VALUES (?1, 'pending', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        values![
            &record.approval_id,
            &record.requested_by,
            &held.request_sha256,
            &record.model_id,
            &held.blob_sha256,
            record.requested_ms,
            record.expires_ms,
            &serde_json::to_string(record)?,
            &held.draft.to_string(),
        ],
    )?;
    let (by, why) = (record.requested_by.clone(), record.reasoning.clone());
    let event = told(connection, record, (by, why), (record.requested_ms, call.clone()), &mut written)?;
    enter(connection, record, written, record.requested_ms, &record.requested_by)?;
    Ok((record.clone(), Some(event)))
}

/// Puts a step of a change that waits into the audit chain: the call that it goes with has an entry of its own, but later.
fn enter(
    connection: &Connection,
    record: &ApprovalRecord,
    written: Written,
    time_ms: u64,
    by: &str,
) -> Result<(), StoreError> {
    let is_asked = record.status == ApprovalStatus::Pending;
    let of = Doing {
        time_ms,
        model: Some(record.model_id.clone()),
        arguments: json!({ "approval_id": record.approval_id }),
        outcome: if is_asked { "held" } else { record.status.as_str() },
    };
    written.enter(connection, by, &record.tool, of)
}

/// Appends the event of what a change that waits has come to.
fn told(
    connection: &Connection,
    record: &ApprovalRecord,
    (actor, reasoning): (String, Option<String>),
    (time_ms, call): (u64, ByCall),
    written: &mut Written,
) -> Result<EventRecord, StoreError> {
    let is_asked = record.status == ApprovalStatus::Pending;
    let event = EventRecord {
        event_id: EventId::new(),
        sequence: 0,
        event_type: if is_asked { EventType::ApprovalRequested } else { EventType::ApprovalDecided },
        model_id: record.model_id.clone(),
        version: record.version.clone().or_else(|| record.base.clone()),
        ref_name: None,
        begun: None,
        approval: Some(ApprovalStep { approval_id: record.approval_id.clone(), status: record.status }),
        subject: Some(EventSubject::of_change(record.changes.as_ref(), serde_json::Value::Null)),
        tool: call.tool,
        params_sha256: call.params_sha256,
        operation_id: call.operation_id,
        actor,
        reasoning,
        time_ms,
    };
    events::append(connection, event, written)
}

/// Writes off what nobody decided on in time; the events of it.
pub(crate) fn expire(connection: &Connection, now_ms: u64) -> Result<Vec<EventRecord>, StoreError> {
    let late = connection.rows(
        "SELECT record FROM approvals WHERE status = 'pending' AND expires_ms <= ?1 ORDER BY expires_ms, approval_id
         LIMIT ?2",
        values![now_ms, EXPIRED_AT_ONCE],
        |row| Ok(serde_json::from_str::<ApprovalRecord>(&row.get::<String>(0)?)?),
    )?;
    let mut events_of = Vec::new();
    for mut record in late {
        record.status = ApprovalStatus::Expired;
        record.decided_ms = Some(record.expires_ms);
        let mut written = Written::default();
        written.by(
            connection,
            &APPROVALS,
            "UPDATE approvals SET status = ?2, record = ?3 WHERE approval_id = ?1",
            values![&record.approval_id, record.status.as_str(), &serde_json::to_string(&record)?],
        )?;
        // one that was held before there were such events has none to be known by
        let asked = events::asked_by(connection, &record.approval_id)?;
        let (operation_id, params_sha256) = asked.unwrap_or((OperationId(String::new()), String::new()));
        let call = ByCall { operation_id, tool: record.tool.clone(), params_sha256 };
        let event = told(connection, &record, (NOBODY.to_owned(), None), (now_ms, call), &mut written)?;
        enter(connection, &record, written, now_ms, NOBODY)?;
        events_of.push(event);
    }
    Ok(events_of)
}

/// One that waits or waited, as it stands at this time.
pub(crate) fn held(connection: &Connection, id: &str, now_ms: u64) -> Result<Option<HeldChange>, StoreError> {
    connection.row(
        "SELECT record, draft, blob_sha256, request_sha256 FROM approvals WHERE approval_id = ?1",
        values![id],
        |row| {
            Ok(HeldChange {
                record: record_of(&row.get::<String>(0)?, now_ms)?,
                draft: serde_json::from_str(&row.get::<String>(1)?)?,
                blob_sha256: row.get(2)?,
                request_sha256: row.get(3)?,
            })
        },
    )
}

fn record_of(text: &str, now_ms: u64) -> Result<ApprovalRecord, StoreError> {
    let mut record: ApprovalRecord = serde_json::from_str(text)?;
    if record.status == ApprovalStatus::Pending && record.expires_ms <= now_ms {
        record.status = ApprovalStatus::Expired;
    }
    Ok(record)
}

/// A page of them, the latest first; those that wait alone, if asked.
pub(crate) fn page(
    connection: &Connection,
    pending: bool,
    limit: u32,
    before: Option<(u64, String)>,
    now_ms: u64,
) -> Result<Page<ApprovalRecord>, StoreError> {
    let (time, id) = before.unwrap_or((i64::MAX.unsigned_abs(), String::new()));
    let only =
        if pending { "AND status = 'pending' AND expires_ms > ?4" } else { "AND CAST(?4 AS BIGINT) >= 0" };
    let sql = format!(
        "SELECT record FROM approvals WHERE (requested_ms, approval_id) < (?1, ?2) {only}
         ORDER BY requested_ms DESC, approval_id DESC LIMIT ?3"
    );
    let mut items = connection
        .rows(&sql, values![time, &id, limit + 1, now_ms], |row| record_of(&row.get::<String>(0)?, now_ms))?;
    let more = items.len() > limit as usize;
    items.truncate(limit as usize);
    let last = items.last().filter(|_| more);
    let next_cursor = last.map(|last| format!("{}.{}", last.requested_ms, last.approval_id));
    Ok(Page { items, next_cursor })
}

/// Writes a decision down, if it is the first and in time; the record as it is from now on.
pub(crate) fn decide(
    connection: &Connection,
    decided: &Decided,
    version: Option<&VersionId>,
    written: &mut Written,
) -> Result<Option<ApprovalRecord>, StoreError> {
    let text: Option<String> = connection.row(
        "SELECT record FROM approvals WHERE approval_id = ?1 AND status = 'pending' AND expires_ms > ?2",
        values![&decided.approval_id, decided.time_ms],
        |row| row.get(0),
    )?;
    let Some(text) = text else { return Ok(None) };
    let mut record: ApprovalRecord = serde_json::from_str(&text)?;
    record.status = decided.status;
    record.decided_by = Some(decided.by.clone());
    record.in_person = decided.in_person;
    record.decided_ms = Some(decided.time_ms);
    record.comment.clone_from(&decided.comment);
    record.version = version.cloned();
    let changed = written.by(
        connection,
        &APPROVALS,
        "UPDATE approvals SET status = ?2, record = ?3 WHERE approval_id = ?1 AND status = 'pending'",
        values![&decided.approval_id, decided.status.as_str(), &serde_json::to_string(&record)?],
    )?;
    Ok((changed.len() == 1).then_some(record))
}

/// Appends the event of a decision.
pub(crate) fn tell(
    connection: &Connection,
    record: &ApprovalRecord,
    decided: &Decided,
    written: &mut Written,
) -> Result<EventRecord, StoreError> {
    let said = (decided.by.clone(), decided.comment.clone());
    told(connection, record, said, (decided.time_ms, decided.call.clone()), written)
}
