//! Long calls as tasks (the protocol's extension `io.modelcontextprotocol/tasks`), for clients that know them: each is a job of the
//! service, so that it goes on whoever listens, and any gateway can be asked for it.
//!
//! The server decides what becomes a task: a call that only reads and may take long, and any call that leaves a job. One that ends within
//! a moment is answered at once.

use crate::answer::{ResultForm, answer};
use crate::door::Door;
use crate::resources::refused;
use contract::{ChatArtifact, Effect, Fault, FaultCode, JobRecord, JobState, ModelUse, Progress, ToolSpec};
use rmcp::ErrorData;
use rmcp::RoleServer;
use rmcp::model::{
    CallToolResponse, CreateTaskResult, DetailedTask, GetTaskResult, JsonObject, Task, TaskPayload,
    TaskStatus,
};
use rmcp::service::RequestContext;
use serde_json::Value;
use service::{CallContext, SeenJob};
use std::time::{Duration, SystemTime};

/// The parameter by which a call is submitted as a job.
const AS_JOB: &str = "as_job";
/// The time in which a call ends that need not become a task.
const MOMENT: Duration = Duration::from_secs(1);
/// How often a client may well ask, in milliseconds.
const POLL_MS: u64 = 1_000;

/// True if the client of this request knows tasks.
pub(crate) fn are_known(context: &RequestContext<RoleServer>) -> bool {
    context.client_capabilities().is_some_and(|declared| declared.supports_tasks())
}

/// The part of a long call that its server plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Course {
    /// It only reads, on a model, and may take long: it is submitted as a job.
    Submitted,
    /// It makes something, and may leave a job that does.
    MayLeaveAJob,
}

/// Returns what becomes of a call of this tool by a client that knows tasks; nothing where it is answered as ever. One that says for itself
/// whether it wants to be a job is left as it is.
pub(crate) fn course(spec: Option<&ToolSpec>, arguments: Option<&JsonObject>) -> Option<Course> {
    let spec = spec?;
    if arguments.is_some_and(|arguments| arguments.contains_key(AS_JOB)) {
        return None;
    }
    let effect = spec.effect_of(&arguments.cloned().unwrap_or_default().into());
    match effect {
        Effect::Query if spec.needs.job && spec.needs.model == ModelUse::Current => Some(Course::Submitted),
        Effect::Create => Some(Course::MayLeaveAJob),
        Effect::Query | Effect::Modify => None,
    }
}

/// Has a call take that course.
pub(crate) fn begin(course: Course, caller: &mut CallContext, arguments: &mut Value) {
    caller.patience = Some(MOMENT);
    if let (Course::Submitted, Value::Object(members)) = (course, arguments) {
        members.insert(AS_JOB.to_owned(), true.into());
    }
}

/// The id of the job that a call left, where it is not at its end.
fn left(artifact: &ChatArtifact) -> Option<&str> {
    let status = artifact.result.get("status").and_then(Value::as_str).or(artifact.status.as_deref())?;
    let is_open = [JobState::Queued, JobState::Running].iter().any(|state| state.as_str() == status);
    artifact.result.get("job_id").and_then(Value::as_str).filter(|_| is_open)
}

/// The answer of a call that was submitted here or left a job: its own where it ends in a moment, else a task.
pub(crate) async fn answer_of(
    door: &dyn Door,
    caller: CallContext,
    outcome: Result<ChatArtifact, Fault>,
    form: ResultForm,
) -> CallToolResponse {
    let id = outcome.as_ref().ok().and_then(left).map(str::to_owned);
    let Some(id) = id else { return answer(outcome, form).into() };
    match door.job(caller, &id, MOMENT).await {
        Ok(SeenJob { answer: Some(ended), .. }) => answer(ended, form).into(),
        Ok(SeenJob { record, .. }) => CreateTaskResult::new(task(&record)).into(),
        // the job is there all the same; its id is worth more than why it cannot be looked at
        Err(_) => answer(outcome, form).into(),
    }
}

/// Answers `tasks/get`.
pub(crate) async fn get(
    door: &dyn Door,
    caller: CallContext,
    id: &str,
    form: ResultForm,
) -> Result<GetTaskResult, ErrorData> {
    let SeenJob { record, answer: ended } =
        door.job(caller, id, Duration::ZERO).await.map_err(|fault| unknown(&fault))?;
    let payload = match (record.state, ended) {
        (JobState::Cancelled, _) => TaskPayload::Cancelled,
        (_, Some(ended)) => TaskPayload::Completed { result: object(ended, form)? },
        (_, None) => TaskPayload::Working,
    };
    Ok(GetTaskResult::new(DetailedTask::new(task(&record), payload)))
}

/// Answers `tasks/update`: these tasks ask nothing, and what answers nothing is passed over.
pub(crate) async fn update(door: &dyn Door, caller: CallContext, id: &str) -> Result<(), ErrorData> {
    door.job(caller, id, Duration::ZERO).await.map(drop).map_err(|fault| unknown(&fault))
}

/// Answers `tasks/cancel`.
pub(crate) async fn cancel(door: &dyn Door, caller: CallContext, id: &str) -> Result<(), ErrorData> {
    door.end_job(caller, id).await.map_err(|fault| unknown(&fault))
}

/// The error to a client that asks for a task that is not there for it.
fn unknown(fault: &Fault) -> ErrorData {
    if fault.code == FaultCode::NotFound {
        ErrorData::invalid_params(fault.message.clone(), Some(fault.to_json()))
    } else {
        refused(fault)
    }
}

fn object(ended: Result<ChatArtifact, Fault>, form: ResultForm) -> Result<JsonObject, ErrorData> {
    match serde_json::to_value(answer(ended, form)) {
        Ok(Value::Object(members)) => Ok(members),
        _ => Err(ErrorData::internal_error("The answer of this task cannot be written down.", None)),
    }
}

/// A job as the protocol tells of it.
fn task(job: &JobRecord) -> Task {
    let status = match job.state {
        JobState::Queued | JobState::Running => TaskStatus::Working,
        // what a tool failed with is its answer
        JobState::Done | JobState::Failed => TaskStatus::Completed,
        JobState::Cancelled => TaskStatus::Cancelled,
    };
    let task = Task::new(&job.job_id, status, time(job.created_ms), time(job.updated_ms));
    let task = task.with_poll_interval_ms(POLL_MS);
    match said(job) {
        Some(said) => task.with_status_message(said),
        None => task,
    }
}

/// The step that a job is at.
fn said(job: &JobRecord) -> Option<String> {
    match job.state {
        JobState::Queued => Some("It waits for its turn.".to_owned()),
        JobState::Running if job.is_ending => Some("It is being ended.".to_owned()),
        JobState::Running => {
            let now: Progress = serde_json::from_value(job.progress.clone()?).ok()?;
            let what = Some(now.what.clone()).filter(|what| !what.is_empty())?;
            Some(match now.total {
                Some(total) if total > 0 => format!("{what}: {} of {total}", now.done),
                _ => what,
            })
        }
        JobState::Done | JobState::Failed | JobState::Cancelled => None,
    }
}

fn time(ms: u64) -> String {
    humantime::format_rfc3339_millis(SystemTime::UNIX_EPOCH + Duration::from_millis(ms)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::{ModelKind, Needs, Server};
    use serde_json::json;

    fn spec(effect: Effect, job: bool) -> ToolSpec {
        ToolSpec {
            name: "t".into(),
            title: "T".into(),
            server: Server::Model,
            also_on: Vec::new(),
            toolsets: Vec::new(),
            description: "T.".into(),
            effect,
            destructive: false,
            idempotent: false,
            side_effects: false,
            open_world: false,
            reads_when: None,
            needs: Needs { job, ..Needs::model(ModelUse::Current, ModelKind::Ifc) },
            platform: false,
            action: None,
            page: None,
            for_pages_only: false,
            input_schema: json!({}),
            output_schema: json!({}),
            examples: Vec::new(),
        }
    }

    #[test]
    fn long_reading_is_submitted_and_only_what_makes_something_may_leave_a_job() {
        let course = |effect, job| course(Some(&spec(effect, job)), None);
        assert_eq!(course(Effect::Query, true), Some(Course::Submitted));
        assert_eq!(course(Effect::Query, false), None, "a tool that tells of a job leaves none");
        assert_eq!(course(Effect::Modify, true), None, "a change is committed once");
        assert_eq!(course(Effect::Create, false), Some(Course::MayLeaveAJob));
        let own = json!({ "as_job": false });
        assert_eq!(super::course(Some(&spec(Effect::Query, true)), own.as_object()), None);
    }

    #[test]
    fn a_job_that_is_not_at_its_end_is_left_by_its_call() {
        let artifact = |result: Value, status: Option<&str>| ChatArtifact {
            status: status.map(str::to_owned),
            result: result.as_object().cloned().unwrap_or_default(),
            ..ChatArtifact::default()
        };
        assert_eq!(left(&artifact(json!({"job_id": "j"}), Some("queued"))), Some("j"));
        assert_eq!(left(&artifact(json!({"job_id": "j", "status": "running"}), Some("created"))), Some("j"));
        assert_eq!(left(&artifact(json!({"job_id": "j"}), Some("completed"))), None);
        assert_eq!(left(&artifact(json!({}), Some("queued"))), None);
    }

    #[test]
    fn the_time_and_the_step_of_a_job_are_told() {
        let mut job: JobRecord = serde_json::from_value(json!({
            "job_id": "j", "kind": "call", "state": "running", "principal": "ada", "parameters": {}, "attempts": 1,
            "progress": {"step": 1, "what": "checking", "done": 3, "total": 8},
            "created_ms": 1_700_000_000_000_u64, "updated_ms": 1_700_000_001_500_u64}))
        .unwrap();
        let told = task(&job);
        assert_eq!(told.created_at, "2023-11-14T22:13:20.000Z");
        assert_eq!(told.last_updated_at, "2023-11-14T22:13:21.500Z");
        assert_eq!(told.status_message.as_deref(), Some("checking: 3 of 8"));
        assert_eq!(told.status, TaskStatus::Working);
        job.state = JobState::Failed;
        assert_eq!(task(&job).status, TaskStatus::Completed, "a tool's error is its answer");
    }
}
