//! The event log: what happened, in order, never changed.

use super::kind_of;
use super::tables::EVENTS;
use super::written::Written;
use crate::database::{Cell, Connection, Row, values};
use crate::error::StoreError;
use contract::{
    ApprovalStatus, ApprovalStep, EventRecord, EventType, ModelBegun, ModelId, ModelOrigin, OperationId,
};

const COLUMNS: &str =
    "event_id, sequence, event_type, model_id, version_id, actor, reasoning, time_ms, ref_name,
    model_name, model_kind, tool, params_sha256, operation_id, approval_id, approval_status,
    model_origin, subject";

fn record(row: &Row<'_>) -> Result<EventRecord, StoreError> {
    let (name, kind): (Option<String>, Option<String>) = (row.get(9)?, row.get(10)?);
    let begun = match name.zip(kind) {
        Some((name, kind)) => {
            let origin = origin_of(row.get(16)?)?.map(Box::new);
            Some(ModelBegun { name, kind: kind_of(&kind)?, origin })
        }
        None => None,
    };
    let (approval_id, status): (Option<String>, Option<String>) = (row.get(14)?, row.get(15)?);
    let approval = match approval_id.zip(status) {
        Some((approval_id, status)) => {
            let status = ApprovalStatus::from_name(&status)
                .ok_or_else(|| StoreError::Damaged(format!("unknown status of an approval {status}")))?;
            Some(ApprovalStep { approval_id, status })
        }
        None => None,
    };
    let subject: Option<String> = row.get(17)?;
    let subject = subject.map(|text| serde_json::from_str(&text)).transpose()?;
    Ok(EventRecord {
        event_id: row.get(0)?,
        sequence: row.get(1)?,
        event_type: EventType::from(row.get::<String>(2)?),
        model_id: row.get(3)?,
        version: row.get(4)?,
        ref_name: row.get(8)?,
        begun,
        approval,
        subject,
        tool: row.get(11)?,
        params_sha256: row.get(12)?,
        operation_id: row.get(13)?,
        actor: row.get(5)?,
        reasoning: row.get(6)?,
        time_ms: row.get(7)?,
    })
}

/// Reads the stored origin of a model.
pub(crate) fn origin_of(text: Option<String>) -> Result<Option<ModelOrigin>, StoreError> {
    let read = |text: String| {
        serde_json::from_str(&text).map_err(|error| {
            StoreError::Damaged(format!("what a model was made from cannot be read: {error}"))
        })
    };
    text.map(read).transpose()
}

/// Appends an event. Its number is the next one, without gaps: a transaction that writes has the log to itself.
pub(crate) fn append(
    connection: &Connection,
    mut event: EventRecord,
    written: &mut Written,
) -> Result<EventRecord, StoreError> {
    let origin = event.begun.as_ref().and_then(|begun| begun.origin.as_ref());
    let origin = origin.map(serde_json::to_string).transpose()?;
    let subject = event.subject.as_ref().map(serde_json::to_string).transpose()?;
    let rows = written.by(
        connection,
        &EVENTS,
        "INSERT INTO events (sequence, event_id, event_type, model_id, version_id, actor, reasoning, tool,
             params_sha256, operation_id, time_ms, ref_name, model_name, model_kind, approval_id,
             approval_status, model_origin, subject)
         VALUES ((SELECT coalesce(max(sequence), 0) + 1 FROM events), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,
             ?13, ?14, ?15, ?16, ?17)",
        values![
            &event.event_id,
            event.event_type.as_str(),
            &event.model_id,
            event.version.as_ref(),
            &event.actor,
            &event.reasoning,
            &event.tool,
            &event.params_sha256,
            &event.operation_id,
            event.time_ms,
            &event.ref_name,
            event.begun.as_ref().map(|begun| begun.name.as_str()),
            event.begun.as_ref().map(|begun| begun.kind.as_str()),
            event.approval.as_ref().map(|approval| approval.approval_id.as_str()),
            event.approval.as_ref().map(|approval| approval.status.as_str()),
            &origin,
            &subject,
        ],
    )?;
    let sequence = rows.first().and_then(|cells| EVENTS.value(cells, "sequence"));
    event.sequence = match sequence {
        Some(Cell::Integer(number)) => u64::try_from(*number).unwrap_or_default(),
        _ => return Err(StoreError::Damaged("an event was given no number".into())),
    };
    connection.announce(event.sequence);
    Ok(event)
}

/// Events after a position in the log, in order; of one model, if given.
pub(crate) fn after(
    connection: &Connection,
    model: Option<&ModelId>,
    after: u64,
    limit: u32,
) -> Result<Vec<EventRecord>, StoreError> {
    connection.rows(
        &format!(
            "SELECT {COLUMNS} FROM events
             WHERE sequence > ?1 AND (CAST(?2 AS TEXT) IS NULL OR model_id = ?2) ORDER BY sequence LIMIT ?3"
        ),
        values![after, model, limit],
        record,
    )
}

/// Every event, one after another.
pub(crate) fn each(
    connection: &Connection,
    mut each: impl FnMut(EventRecord) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    connection.each(&format!("SELECT {COLUMNS} FROM events ORDER BY sequence"), values![], |row| {
        each(record(row)?)?;
        Ok(true)
    })
}

/// By which call a change was asked for that waits, or waited, for approval: operation and hash of its parameters.
pub(crate) fn asked_by(
    connection: &Connection,
    approval_id: &str,
) -> Result<Option<(OperationId, String)>, StoreError> {
    connection.row(
        "SELECT operation_id, params_sha256 FROM events WHERE approval_id = ?1 ORDER BY sequence LIMIT 1",
        values![approval_id],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

/// The position of the last event in the log.
pub(crate) fn last(connection: &Connection) -> Result<u64, StoreError> {
    connection.one("SELECT coalesce(max(sequence), 0) FROM events", values![])
}
