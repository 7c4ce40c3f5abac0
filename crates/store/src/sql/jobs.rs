//! Jobs: asked for, begun by one gateway at a time, ended once.

use crate::database::{Connection, Row, values};
use crate::error::StoreError;
use crate::types::{JobEnd, JobTaken};
use contract::{Fault, FaultCode, JobDraft, JobFilter, JobRecord, JobState, OperationId, Page};

const COLUMNS: &str =
    "job_id, kind, state, principal, model_id, version_id, parameters, attempts, is_ending, progress, result,
    created_ms, heartbeat_ms";
/// A job under which gateways went away so often is not begun again: it may well be the cause.
const ATTEMPTS: u32 = 3;

fn record(row: &Row<'_>) -> Result<JobRecord, StoreError> {
    let state: String = row.get(2)?;
    let json = |text: Option<String>| text.map(|text| serde_json::from_str(&text)).transpose();
    Ok(JobRecord {
        job_id: row.get(0)?,
        kind: row.get(1)?,
        state: JobState::from_name(&state)
            .ok_or_else(|| StoreError::Damaged(format!("unknown state of a job {state}")))?,
        principal: row.get(3)?,
        model_id: row.get(4)?,
        version: row.get(5)?,
        parameters: serde_json::from_str(&row.get::<String>(6)?)?,
        attempts: row.get(7)?,
        is_ending: row.get(8)?,
        progress: json(row.get(9)?)?,
        result: json(row.get(10)?)?,
        created_ms: row.get(11)?,
        updated_ms: row.get(12)?,
    })
}

/// Puts a job behind those that wait.
pub(crate) fn submit(
    connection: &Connection,
    draft: &JobDraft,
    principal: &str,
    now_ms: u64,
) -> Result<JobRecord, StoreError> {
    let id = OperationId::new().0;
    connection.execute(
        "INSERT INTO jobs (job_id, kind, state, principal, model_id, version_id, parameters, heartbeat_ms, attempts,
             is_ending, created_ms)
         VALUES (?1, ?2, 'queued', ?3, ?4, ?5, ?6, ?7, 0, 0, ?7)",
        values![
            &id,
            &draft.kind,
            principal,
            draft.about.as_ref().map(|(model, _)| model),
            draft.about.as_ref().map(|(_, version)| version),
            &draft.parameters.to_string(),
            now_ms,
        ],
    )?;
    job(connection, &id)?.ok_or_else(|| StoreError::Inconsistent(format!("job {id} is not there")))
}

/// A job.
pub(crate) fn job(connection: &Connection, id: &str) -> Result<Option<JobRecord>, StoreError> {
    connection.row(&format!("SELECT {COLUMNS} FROM jobs WHERE job_id = ?1"), values![id], record)
}

/// A page of jobs that fit, the latest first.
pub(crate) fn page(
    connection: &Connection,
    filter: &JobFilter,
    limit: u32,
    before: Option<(u64, String)>,
) -> Result<Page<JobRecord>, StoreError> {
    let (time, id) = before.unwrap_or((i64::MAX.unsigned_abs(), String::new()));
    let mut items = connection.rows(
        &format!(
            "SELECT {COLUMNS} FROM jobs WHERE (created_ms, job_id) < (?1, ?2)
             AND (CAST(?4 AS TEXT) IS NULL OR principal = ?4) AND (CAST(?5 AS TEXT) IS NULL OR model_id = ?5)
             AND (CAST(?6 AS TEXT) IS NULL OR kind = ?6) AND (CAST(?7 AS TEXT) IS NULL OR state = ?7)
             ORDER BY created_ms DESC, job_id DESC LIMIT ?3"
        ),
        values![
            time,
            &id,
            limit + 1,
            &filter.principal,
            filter.model.as_ref(),
            &filter.kind,
            filter.state.map(JobState::as_str),
        ],
        record,
    )?;
    let more = items.len() > limit as usize;
    items.truncate(limit as usize);
    let last = items.last().filter(|_| more);
    let next_cursor = last.map(|last| format!("{}.{}", last.created_ms, last.job_id));
    Ok(Page { items, next_cursor })
}

/// The job of this kind that is to be begun next: the oldest of those that wait or whose gateway was last heard of before
/// `silent_ms`. `locked` stands at the end of the statement.
fn next(
    connection: &Connection,
    kind: &str,
    silent_ms: u64,
    locked: &str,
) -> Result<Option<JobRecord>, StoreError> {
    connection.row(
        &format!(
            "SELECT {COLUMNS} FROM jobs WHERE kind = ?1
             AND (state = 'queued' OR (state = 'running' AND heartbeat_ms < ?2))
             ORDER BY created_ms, job_id LIMIT 1 {locked}"
        ),
        values![kind, silent_ms],
        record,
    )
}

/// Returns true if there is a job of this kind to be begun.
pub(crate) fn waits(connection: &Connection, kind: &str, silent_ms: u64) -> Result<bool, StoreError> {
    Ok(next(connection, kind, silent_ms, "")?.is_some())
}

/// Begins the next job of this kind, in the name of `owner`.
pub(crate) fn take(
    connection: &Connection,
    kind: &str,
    owner: &str,
    (now_ms, silent_ms): (u64, u64),
) -> Result<Option<JobTaken>, StoreError> {
    // Writers have the database to themselves here; but a row that somebody at the server's console holds would keep
    // them all waiting.
    let passing_over = connection.engine().passing_over_locked();
    while let Some(found) = next(connection, kind, silent_ms, passing_over)? {
        if found.is_ending {
            end(connection, &found.job_id, None, &JobEnd::Cancelled(None), now_ms)?;
            continue;
        }
        if found.attempts >= ATTEMPTS {
            let problem =
                format!("The gateway that was at it went away {ATTEMPTS} times; it is not begun again.");
            let fault = Fault::new(FaultCode::BackendFailed, problem).to_json();
            end(connection, &found.job_id, None, &JobEnd::Failed(fault), now_ms)?;
            continue;
        }
        let sql = format!(
            "UPDATE jobs SET state = 'running', owner = ?2, heartbeat_ms = ?3, attempts = attempts + 1, progress = NULL
             WHERE job_id = ?1 RETURNING {COLUMNS}"
        );
        let taken = connection.row(&sql, values![&found.job_id, owner, now_ms], record)?;
        return Ok(taken.map(|record| JobTaken { record, owner: owner.to_owned() }));
    }
    Ok(None)
}

/// Says that a job goes on, and how far it is; whether it is to end. Nothing where it belongs to another by now.
pub(crate) fn beat(
    connection: &Connection,
    id: &str,
    owner: &str,
    progress: Option<&str>,
    now_ms: u64,
) -> Result<Option<bool>, StoreError> {
    connection.row(
        "UPDATE jobs SET heartbeat_ms = ?3, progress = coalesce(?4, progress)
         WHERE job_id = ?1 AND owner = ?2 AND state = 'running' RETURNING is_ending",
        values![id, owner, now_ms, progress],
        |row| row.get(0),
    )
}

/// Writes down what became of a job that runs: that of `owner`, or of whoever has it. False where that is not so any more.
pub(crate) fn end(
    connection: &Connection,
    id: &str,
    owner: Option<&str>,
    end: &JobEnd,
    now_ms: u64,
) -> Result<bool, StoreError> {
    let (state, result) = match end {
        JobEnd::Done(result) => (JobState::Done, Some(result.to_string())),
        JobEnd::Failed(fault) => (JobState::Failed, Some(fault.to_string())),
        JobEnd::Cancelled(result) => (JobState::Cancelled, result.as_ref().map(serde_json::Value::to_string)),
        JobEnd::GivenBack => (JobState::Queued, None),
    };
    let fewer = u32::from(*end == JobEnd::GivenBack);
    let changed = connection.execute(
        "UPDATE jobs SET state = ?3, owner = NULL, result = ?4, is_ending = 0, heartbeat_ms = ?5,
             attempts = attempts - CAST(?6 AS BIGINT)
         WHERE job_id = ?1 AND state = 'running' AND (CAST(?2 AS TEXT) IS NULL OR owner = ?2)",
        values![id, owner, state.as_str(), &result, now_ms, fewer],
    )?;
    Ok(changed == 1)
}

/// Asks for a job to end: one that waits has ended with it, one that runs is told so. The job as it is then.
pub(crate) fn cancel(
    connection: &Connection,
    id: &str,
    now_ms: u64,
) -> Result<Option<JobRecord>, StoreError> {
    connection.execute(
        "UPDATE jobs SET state = 'cancelled', heartbeat_ms = ?2 WHERE job_id = ?1 AND state = 'queued'",
        values![id, now_ms],
    )?;
    connection
        .execute("UPDATE jobs SET is_ending = 1 WHERE job_id = ?1 AND state = 'running'", values![id])?;
    job(connection, id)
}
