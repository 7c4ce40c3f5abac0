//! Whether the audit log can be written. Where it cannot (a full disk, a database that is gone), nothing that has to be audited is
//! served: neither changes, which fail with their entries, nor readings, whose entries come after the answer.

use contract::{Fault, FaultCode};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use store::{AuditEntry, Store, now_ms};

/// How long nothing is served before it is tried whether the log can be written again.
const PAUSE: Duration = Duration::from_secs(1);

/// Why an entry could not be written, and when that was last tried.
#[derive(Debug, Default)]
pub(crate) struct AuditState(Mutex<Option<(String, Instant)>>);

impl AuditState {
    /// Notes that an entry could not be written.
    pub(crate) fn failed(&self, why: String) {
        *self.0.lock() = Some((why, Instant::now()));
    }

    /// Why the log cannot be written, if it cannot.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.0.lock().as_ref().map(|(why, _)| why.clone())
    }

    /// Why nothing is served now; none where it is, or where it is time to try again.
    fn refuses(&self) -> Option<String> {
        self.0.lock().as_ref().filter(|(_, at)| at.elapsed() < PAUSE).map(|(why, _)| why.clone())
    }

    /// Refuses a call while the log cannot be written. One call a second tries it.
    pub(crate) async fn may_serve(&self, store: &Store) -> Result<(), Fault> {
        let Some(before) = self.trouble() else { return Ok(()) };
        if let Some(why) = self.refuses() {
            return Err(stopped(&why));
        }
        self.failed(before.clone());
        match store.audit(resumed(&before)).await {
            Ok(_) => {
                *self.0.lock() = None;
                tracing::warn!("the audit log can be written again");
                Ok(())
            }
            Err(error) => {
                self.failed(error.to_string());
                Err(stopped(&error.to_string()))
            }
        }
    }
}

fn stopped(why: &str) -> Fault {
    tracing::debug!(why, "nothing is served without an audit log");
    Fault::new(
        FaultCode::BackendFailed,
        "The audit log cannot be written, so that nothing is served. Whoever runs this server has to make room on its disk, or bring its \
         database back; then it goes on by itself.",
    )
    .with("retry_after_ms", 1000)
}

/// The entry that says that there was a gap.
fn resumed(why: &str) -> AuditEntry {
    AuditEntry {
        time_ms: now_ms(),
        principal: "pensaer".into(),
        client: None,
        tool: "resume_audit".into(),
        arguments: Value::Null,
        model_id: None,
        version_before: None,
        version_after: None,
        event_id: None,
        outcome: json!({ "missed": why }),
        result: Value::Null,
        manifest: None,
        reasoning: None,
        duration_us: 0,
    }
}
