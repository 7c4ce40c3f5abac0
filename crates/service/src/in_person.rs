//! The yes or no of the person at the client that asked, where the client can ask them and the gate trusts them with it.
//!
//! It is the one way by which what a principal asked for is decided in that principal's own name: a transport comes here with
//! what a person answered, and no tool does. All else is as with any decision: the role, the record, the audit.

use crate::approvals::kept_answer;
use crate::arguments::Common;
use crate::call::{Call, Opening};
use crate::{CallContext, Service};
use contract::{Action, ChatArtifact, Effect, Fault, FaultCode};
use serde_json::json;
use std::time::Instant;

impl Service {
    /// Decides on what a call of `tool` left waiting, and answers what that call would have answered; a no is a Fault.
    pub async fn decide_in_person(
        &self,
        context: &CallContext,
        tool: &str,
        approval_id: &str,
        approve: bool,
        comment: Option<&str>,
    ) -> Result<ChatArtifact, Fault> {
        let decision = if approve { "approve" } else { "reject" };
        let arguments = json!({
            "approval_id": approval_id, "decision": decision, "comment": comment, "in_person": true,
        });
        let started = Instant::now();
        let name = "decide_approval";
        let (principal, _running) = self.inner().enter(context, name, &arguments, started).await?;
        let opening = Opening {
            tool: name,
            effect: Effect::Modify,
            action: Action::Approve,
            entry: None,
            arguments: &arguments,
            started,
        };
        let mut call = Call::new(self.inner(), context, principal, opening);
        call.take(context, Common::default(), &arguments);
        let outcome = Box::pin(decided(&call, tool, approval_id, approve, comment)).await;
        call.end(outcome.as_ref().map(|answer| Some(&answer.result))).await;
        outcome.map_err(|fault| call.outward(fault))
    }
}

async fn decided(
    call: &Call,
    tool: &str,
    approval_id: &str,
    approve: bool,
    comment: Option<&str>,
) -> Result<ChatArtifact, Fault> {
    call.may_begin()?;
    let held = call.waiting(approval_id).await?;
    if held.record.tool != tool {
        return Err(Fault::invalid("approval_id", format!("{approval_id} is not a change by {tool}.")));
    }
    let waiting = held.clone();
    let (record, committed) = call.decide_on_held(held, approve, comment, true).await?;
    let Some(committed) = committed else {
        let said = comment.map_or(String::new(), |text| format!(" They said: {text}"));
        let fault = Fault::new(
            FaultCode::PermissionDenied,
            format!("The person at your client said no to this. Nothing was changed.{said}"),
        );
        return Err(fault.with("approval_id", approval_id).with("status", record.status));
    };
    let (mut answer, new) = kept_answer(&waiting, &committed);
    if let Some(kind) = new
        && let Some(token) = call.enter(kind, &committed.model_id).await?
    {
        answer.result.insert("session".into(), token.into());
    }
    Ok(answer)
}
