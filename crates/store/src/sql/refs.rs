//! Refs that come and go by themselves; those that move do so in a commit.

use super::tables::REFS;

use super::written::{Doing, Written};
use super::{audit, commit, events, versions};
use crate::database::{Connection, values};
use crate::error::StoreError;
use crate::fault_points;
use crate::types::{MAIN, RefChange, RefOutcome};
use contract::{EventRecord, EventType};
use serde_json::json;

/// Makes or removes a ref, with its event and its audit entry.
pub(crate) fn change(
    connection: &Connection,
    change: &RefChange,
) -> Result<(RefOutcome, Option<EventRecord>), StoreError> {
    let head = commit::head(connection, &change.model, &change.name)?;
    let mut written = Written::default();
    if change.event_type == EventType::BranchDeleted {
        match head {
            None => return Ok((RefOutcome::Gone, None)),
            Some(head) if head != change.version => return Ok((RefOutcome::Moved(head), None)),
            Some(_) if change.name == MAIN => {
                return Err(StoreError::Inconsistent("a model has its main ref for ever".into()));
            }
            Some(_) => {
                connection.execute(
                    "DELETE FROM refs WHERE model_id = ?1 AND name = ?2",
                    values![&change.model, &change.name],
                )?;
                written.gone(&REFS, format!("{}/{}", change.model, change.name));
            }
        }
    } else {
        if head.is_some() {
            return Ok((RefOutcome::Taken, None));
        }
        if versions::generation(connection, &change.version)?.0 != change.model {
            let problem = format!("{} is no version of {}", change.version, change.model);
            return Err(StoreError::Inconsistent(problem));
        }
        written.by(
            connection,
            &REFS,
            "INSERT INTO refs (model_id, name, version_id, changed_ms) VALUES (?1, ?2, ?3, ?4)",
            values![&change.model, &change.name, &change.version, change.time_ms],
        )?;
    }
    fault_points::pass("ref moved");
    let event = events::append(
        connection,
        EventRecord {
            event_id: change.event_id.clone(),
            sequence: 0,
            event_type: change.event_type.clone(),
            model_id: change.model.clone(),
            version: Some(change.version.clone()),
            ref_name: Some(change.name.clone()),
            begun: None,
            approval: None,
            subject: change.subject.clone(),
            tool: change.tool.clone(),
            params_sha256: change.params_sha256.clone(),
            operation_id: change.operation_id.clone(),
            actor: change.author.clone(),
            reasoning: change.reasoning.clone(),
            time_ms: change.time_ms,
        },
        &mut written,
    )?;
    fault_points::pass("event row");
    if let Some(entry) = &change.audit {
        audit::append(connection, entry.clone(), written)?;
    } else {
        let of = Doing {
            time_ms: change.time_ms,
            model: Some(change.model.clone()),
            arguments: json!({ "branch": change.name }),
            outcome: "ok",
        };
        written.enter(connection, &change.author, &change.tool, of)?;
    }
    Ok((RefOutcome::Done, Some(event)))
}
