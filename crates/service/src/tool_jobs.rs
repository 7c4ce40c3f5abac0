//! Calls that are done as jobs: the caller has its answer's place at once, and the answer when it is there.
//!
//! A job carries the call as it was made: the tool, its arguments with the version that was the newest then, and who called. It
//! passes the same pipeline when it is begun, so that a grant that was taken back by then holds. Only calls that read are done
//! like this; one that is done twice answers the same.

use crate::arguments::split;
use crate::call::{Call, Opening};
use crate::{CallContext, Entry, JobWatch, JobWorker, Service};
use contract::{BoxFuture, ChatArtifact, Fault, JobDraft, JobRecord, OperationId, Principal};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::now_ms;

/// The kind of these jobs.
pub(crate) const KIND: &str = "call";
/// How long one may take.
const LONGEST: Duration = Duration::from_hours(1);

/// A call, as its job carries it.
#[derive(Debug, Serialize, Deserialize)]
struct CarriedCall {
    tool: String,
    arguments: Value,
    principal: Principal,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client: Option<String>,
}

impl Call {
    /// Submits a call of a tool with these parameters of its own as a job on the version that this call reads.
    pub(crate) async fn submit_call(&self, entry: &Entry, own: Value) -> Result<ChatArtifact, Fault> {
        let (model, version) = self.model_and_version().await?;
        let mut arguments = own.as_object().cloned().unwrap_or_default();
        arguments.insert("model_id".into(), json!(model.model_id));
        arguments.insert("model_version".into(), json!(version));
        // another model is read as it is now, too, and one that is not there is told at once
        for need in &entry.spec.needs.models {
            if let Some((other, version)) = self.further_model(need, &own).await? {
                if let Some(id) = &need.id {
                    arguments.insert(id.clone(), json!(other.model_id));
                }
                arguments.insert(need.version.clone(), json!(version));
            }
        }
        if let Some(backend) = &self.common.backend {
            arguments.insert("backend".into(), backend.clone().into());
        }
        let carried = CarriedCall {
            tool: entry.spec.name.clone(),
            arguments: arguments.into(),
            principal: self.who.principal.clone(),
            client: self.who.client.clone(),
        };
        let parameters = serde_json::to_value(&carried)
            .map_err(|error| Fault::backend(format!("The job cannot be written down: {error}.")))?;
        let about = Some((model.model_id, version));
        let job = self.submit_draft(JobDraft { kind: KIND.to_owned(), about, parameters }).await?;
        let mut answer = ChatArtifact { status: Some("queued".to_owned()), ..ChatArtifact::default() };
        answer.result.insert("job_id".into(), job.job_id.into());
        answer.result.insert("next".into(), "get_job waits for its answer; cancel_job ends it.".into());
        Ok(answer)
    }
}

impl Call {
    /// True if the other models that a job's call names are there for the caller, too.
    pub(crate) async fn sees_others_of(&self, job: &JobRecord) -> bool {
        let named = |member: &str| job.parameters.get(member);
        let (Some(tool), Some(arguments)) = (named("tool").and_then(Value::as_str), named("arguments"))
        else {
            return true;
        };
        let Some(entry) = self.inner.catalogue.get(tool) else { return true };
        for id in entry.spec.needs.models.iter().filter_map(|need| need.id.as_deref()) {
            if let Some(other) = arguments.get(id).and_then(Value::as_str)
                && self.find_model(other).await.is_err()
            {
                return false;
            }
        }
        true
    }
}

/// Does such calls.
struct Calls(Service);

impl Service {
    /// The worker for the jobs that calls are submitted as.
    pub fn calls_as_jobs(&self) -> Arc<dyn JobWorker> {
        Arc::new(Calls(self.clone()))
    }

    async fn call_of_job(
        &self,
        job: &JobRecord,
        carried: CarriedCall,
        watch: &JobWatch,
    ) -> Result<Value, Fault> {
        let Some(entry) = self.catalogue().get(&carried.tool) else {
            return Err(Fault::backend(format!("This program has no tool {}.", carried.tool)));
        };
        let spec = &entry.spec;
        let opening = Opening {
            tool: &carried.tool,
            effect: spec.effect_of(&carried.arguments),
            action: spec.action_of(&carried.arguments),
            entry: Some(entry),
            arguments: &carried.arguments,
            started: Instant::now(),
        };
        let context = CallContext { client: carried.client, ..CallContext::default() };
        let now = self.inner().as_now(&carried.principal).await;
        let principal = now.as_ref().unwrap_or(&carried.principal).clone();
        let mut call = Call::new(self.inner(), &context, principal, opening);
        call.what.operation_id = OperationId(job.job_id.clone());
        call.clock.deadline_ms =
            now_ms().saturating_add(u64::try_from(LONGEST.as_millis()).unwrap_or(u64::MAX));
        let telling = watch.told_by(&mut call.who.progress);
        let answered = async {
            now?;
            call.may_begin()?;
            let (own, common) = split(spec, carried.arguments.clone())?;
            let own = Value::Object(own);
            call.take(&context, common, &own);
            let answer = self.answer(&call, entry, own).await?;
            // nothing is left to who lost the right to it while it was made
            self.inner().as_now(&call.who.principal).await?;
            Ok(answer)
        };
        // dropping the call ends it in its worker, too; the audit log says that it was given up
        let outcome = tokio::select! {
            outcome = answered => outcome,
            () = watch.unwanted() => Err(Fault::given_up(&spec.name)),
            never = telling => match never {},
        };
        call.end(outcome.as_ref().map(|answer| Some(&answer.result))).await;
        serde_json::to_value(outcome?)
            .map_err(|error| Fault::backend(format!("The answer cannot be written down: {error}.")))
    }
}

impl JobWorker for Calls {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn run<'a>(&'a self, job: &'a JobRecord, watch: &'a JobWatch) -> BoxFuture<'a, Result<Value, Fault>> {
        Box::pin(async move {
            let carried: CarriedCall = serde_json::from_value(job.parameters.clone())
                .map_err(|error| Fault::backend(format!("This job cannot be read: {error}.")))?;
            self.0.call_of_job(job, carried, watch).await
        })
    }
}
