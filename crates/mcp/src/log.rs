//! What a client is told beside answers (`notifications/message`), where it asked to be told: warnings and notes of a call, Faults, and
//! what is committed to models that it subscribed to.
//!
//! Up to protocol 2025-11-25 a session's client says from which level on (`logging/setLevel`), and is told nothing before it did; from
//! 2026-07-28 on each request says it for itself (`_meta`).
#![expect(
    deprecated,
    reason = "the protocol lets it go in years to come, and clients of today know no other way"
)]

use crate::generation::later_than_sessions;
use contract::{ChatArtifact, EventRecord, Fault};
use parking_lot::Mutex;
use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, SetLevelRequestParams};
use rmcp::service::{Peer, RequestContext};
use serde_json::{Value, json};

/// The parameters of `logging/setLevel`.
pub(crate) type AskedLevel = SetLevelRequestParams;

const LOGGER: &str = "pensaer";

/// How much a message matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Info,
    Notice,
    Warning,
    Error,
}

impl Weight {
    fn level(self) -> LoggingLevel {
        match self {
            Self::Info => LoggingLevel::Info,
            Self::Notice => LoggingLevel::Notice,
            Self::Warning => LoggingLevel::Warning,
            Self::Error => LoggingLevel::Error,
        }
    }

    fn reaches(self, from: LoggingLevel) -> bool {
        rank(self.level()) >= rank(from)
    }
}

fn rank(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 0,
        LoggingLevel::Info => 1,
        LoggingLevel::Notice => 2,
        LoggingLevel::Warning => 3,
        LoggingLevel::Error => 4,
        LoggingLevel::Critical => 5,
        LoggingLevel::Alert => 6,
        LoggingLevel::Emergency => 7,
    }
}

/// The level from which on the client of one session wants to be told.
#[derive(Debug, Default)]
pub(crate) struct Log {
    from: Mutex<Option<LoggingLevel>>,
}

impl Log {
    /// Takes the level that the client wants.
    pub(crate) fn set(&self, asked: &AskedLevel) {
        *self.from.lock() = Some(asked.level);
    }

    /// True if the client wants to be told nothing.
    pub(crate) fn is_silent(&self) -> bool {
        self.from().is_none()
    }

    fn from(&self) -> Option<LoggingLevel> {
        *self.from.lock()
    }

    /// Tells the client something while it waits for an answer, where it wants to be told.
    pub(crate) async fn tell(&self, context: &RequestContext<RoleServer>, weight: Weight, data: Value) {
        let from = if later_than_sessions(context) { context.meta.log_level() } else { self.from() };
        send(&context.peer, from, weight, data).await;
    }

    /// Tells the client of the outcome of a call what stands in it for people to mind.
    pub(crate) async fn tell_outcome(
        &self,
        context: &RequestContext<RoleServer>,
        tool: &str,
        outcome: &Result<ChatArtifact, Fault>,
    ) {
        match outcome {
            Ok(artifact) => {
                for (member, weight) in
                    [("warnings", Weight::Warning), ("problems", Weight::Warning), ("notes", Weight::Notice)]
                {
                    let said = artifact.result.get(member).and_then(Value::as_array);
                    for text in said.into_iter().flatten().filter(|said| said.is_string()) {
                        self.tell(context, weight, json!({ "tool": tool, "message": text })).await;
                    }
                }
            }
            Err(fault) => {
                let data = json!({ "tool": tool, "message": fault.message, "code": fault.code });
                self.tell(context, Weight::Error, data).await;
            }
        }
    }

    /// Tells the client of a commit to a model that it waits for.
    pub(crate) async fn tell_commit(&self, peer: &Peer<RoleServer>, event: &EventRecord) {
        let data = json!({
            "message": format!("{} changed this model with {}.", event.actor, event.tool),
            "event": event.event_type.as_str(), "model_id": event.model_id, "model_version": event.version,
            "branch": event.ref_name, "actor": event.actor, "reasoning": event.reasoning,
        });
        send(peer, self.from(), Weight::Info, data).await;
    }
}

async fn send(peer: &Peer<RoleServer>, from: Option<LoggingLevel>, weight: Weight, data: Value) {
    if from.is_some_and(|from| weight.reaches(from)) {
        let message = LoggingMessageNotificationParam::new(weight.level(), data).with_logger(LOGGER);
        // a client that cannot be told still gets its answer
        let _ = peer.notify_logging_message(message).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_sent_from_its_own_level_on() {
        use LoggingLevel::{Debug, Emergency, Error, Info, Notice, Warning};
        for (weight, least) in [
            (Weight::Info, Info),
            (Weight::Notice, Notice),
            (Weight::Warning, Warning),
            (Weight::Error, Error),
        ] {
            assert!(weight.reaches(Debug) && weight.reaches(least), "{weight:?}");
            assert!(!weight.reaches(Emergency), "{weight:?}");
        }
        assert!(!Weight::Info.reaches(Notice) && !Weight::Notice.reaches(Warning));
        assert!(!Weight::Warning.reaches(Error));
    }
}
