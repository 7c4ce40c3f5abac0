//! Asking the person at the client: where a change waits for a yes, the gate trusts that person with it and the client can
//! ask (form elicitation), they are asked at once, and to the agent it is one call.
//!
//! Up to protocol 2025-11-25 the server asks its client while the call is open. From 2026-07-28 on the call answers what it
//! needs, and the client makes it again with the answers; what it needs is the approval's id and a form, so that any gateway
//! can take the answer.

use contract::{Fault, FaultCode};
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, InputRequest, InputRequests, InputRequiredResult, ProtocolVersion,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use std::time::Duration;

/// The member of a Fault by which the service says that the person at the client may decide.
const MAY_BE_ASKED: &str = "in_person";
/// The name of the question in a call that answers what it needs.
const QUESTION: &str = "approval";
/// The time that somebody is waited for while a call is open. Then it waits as any approval does.
const PATIENCE: Duration = Duration::from_mins(10);

/// A change that waits, and the question whether it shall be.
pub(crate) struct Question {
    pub(crate) approval_id: String,
    form: ElicitRequestParams,
}

/// A person's decision.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) approve: bool,
    pub(crate) comment: Option<String>,
}

impl Question {
    /// The question that a Fault leaves open to the person at this client, if it leaves one. The Fault no longer says so then.
    pub(crate) fn from_fault(
        fault: &mut Fault,
        tool: &str,
        context: &RequestContext<RoleServer>,
    ) -> Option<Self> {
        if fault.code != FaultCode::ApprovalRequired || fault.data.remove(MAY_BE_ASKED)? != Value::Bool(true)
        {
            return None;
        }
        let asks = context.client_capabilities().and_then(|capabilities| capabilities.elicitation)?;
        // a client that names no mode means forms
        if asks.form.is_none() && asks.url.is_some() {
            return None;
        }
        let approval_id = fault.data.get("approval_id")?.as_str()?.to_owned();
        let form = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: message(fault, tool),
            requested_schema: schema()?,
        };
        Some(Self { approval_id, form })
    }

    /// True if the client is asked by an answer to its call.
    pub(crate) fn is_answered_anew(context: &RequestContext<RoleServer>) -> bool {
        context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
    }

    /// The answer that asks.
    pub(crate) fn into_answer(self) -> CallToolResponse {
        let request = InputRequest::Elicitation(ElicitRequest::new(self.form));
        let requests = InputRequests::from([(QUESTION.to_owned(), request)]);
        InputRequiredResult::new(Some(requests), Some(self.approval_id)).into()
    }

    /// Asks while the call is open; nothing where nobody answers.
    pub(crate) async fn ask(self, context: &RequestContext<RoleServer>) -> Option<Decision> {
        let asked = context.peer.create_elicitation_with_timeout(self.form, Some(PATIENCE));
        match asked.await {
            Ok(answer) => said(&answer),
            Err(error) => {
                tracing::debug!(%error, "the person at the client was asked, and there was no answer");
                None
            }
        }
    }
}

/// The approval that a call made again is about, and what was said; an error where a client sent something else.
pub(crate) fn answered(request: &CallToolRequestParams) -> Option<Result<(String, Option<Decision>), Fault>> {
    let approval_id = request.request_state.clone()?;
    let answer = request.input_responses.as_ref().and_then(|responses| responses.get(QUESTION));
    let answer = answer.and_then(|answer| serde_json::from_value::<ElicitResult>(answer.clone()).ok());
    Some(answer.map(|answer| (approval_id, said(&answer))).ok_or_else(|| {
        Fault::invalid(
            "inputResponses",
            format!(
                "A call with `requestState` needs the answer to the question in `inputResponses.{QUESTION}`."
            ),
        )
    }))
}

/// Returns the person's decision; a form that was put away says nothing.
fn said(answer: &ElicitResult) -> Option<Decision> {
    if answer.action != ElicitationAction::Accept {
        return None;
    }
    let content = answer.content.as_ref()?;
    let approve = match content.get("decision")?.as_str()? {
        "approve" => true,
        "reject" => false,
        _ => return None,
    };
    let comment =
        content.get("comment").and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    Some(Decision { approve, comment: comment.map(str::to_owned) })
}

/// Returns the text that they read: what would change, why it waits, and what was said to it.
fn message(fault: &Fault, tool: &str) -> String {
    let text = |name: &str| fault.data.get(name).and_then(Value::as_str).unwrap_or_default();
    let mut message = format!("{tool} waits for a yes. {}", text("reason"));
    for (part, word) in [("added", "Adds"), ("modified", "Changes"), ("removed", "Removes")] {
        let counted =
            fault.data.get("changes").and_then(|changes| changes.get(part)).and_then(Value::as_object);
        let counted: Vec<String> =
            counted.into_iter().flatten().map(|(class, count)| format!("{count} {class}")).collect();
        if !counted.is_empty() {
            message.extend(["\n", word, ": ", &counted.join(", "), "."]);
        }
    }
    message
}

fn schema() -> Option<ElicitationSchema> {
    let schema = json!({
        "type": "object",
        "properties": {
            "decision": {
                "type": "string",
                "title": "Decision",
                "description": "approve commits exactly this; reject leaves the model as it is",
                "enum": ["approve", "reject"],
            },
            "comment": { "type": "string", "title": "Comment", "description": "Kept with the decision", "maxLength": 2000 },
        },
        "required": ["decision"],
    });
    serde_json::from_value(schema).ok()
}
