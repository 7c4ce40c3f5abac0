//! The system behind the transports, as they see it: one call at a time, in somebody's name.

use contract::{BoxFuture, ChatArtifact, Completion, EventRecord, EventType, Fault};
use serde_json::Value;
use service::{CallContext, ResourceListed, ResourceRead, SeenJob, Service};
use std::time::Duration;
use tokio::sync::broadcast::Receiver;

/// The one way in. Dropping the future cancels the call; what was committed by then stays.
pub trait Door: Send + Sync + 'static {
    /// The name of the principal that calls, if it is known; else why it is not let in, and what HTTP's `WWW-Authenticate` is to say.
    fn admits<'a>(&'a self, context: &'a CallContext) -> BoxFuture<'a, Result<String, (Fault, String)>>;

    /// Counts the beginning of a session against the limits of who begins it.
    fn begins_session<'a>(&'a self, context: &'a CallContext) -> BoxFuture<'a, Result<(), Fault>>;

    /// Runs a tool.
    fn call<'a>(
        &'a self,
        context: CallContext,
        tool: &'a str,
        arguments: Value,
    ) -> BoxFuture<'a, Result<ChatArtifact, Fault>>;

    /// Takes the yes or no of the person at the client to what a call of `tool` left waiting; answers as that call would have.
    fn decide_in_person<'a>(
        &'a self,
        context: CallContext,
        tool: &'a str,
        approval_id: &'a str,
        said: (bool, Option<&'a str>),
    ) -> BoxFuture<'a, Result<ChatArtifact, Fault>>;

    /// The resources that there are.
    fn resources(&self, context: CallContext) -> BoxFuture<'_, Result<Vec<ResourceListed>, Fault>>;

    /// The forms of resources' addresses.
    fn resource_templates(&self) -> Vec<ResourceListed>;

    /// The content of a resource.
    fn read<'a>(&'a self, context: CallContext, uri: &'a str) -> BoxFuture<'a, Result<ResourceRead, Fault>>;

    /// The event that alone changes what stands at an address, where commits do not.
    fn resource_changed_by(&self, uri: &str) -> Option<EventType>;

    /// The values that begin with what was typed; of the model named where they are a model's.
    fn complete<'a>(
        &'a self,
        context: CallContext,
        wanted: &'a Completion,
        typed: &'a str,
        model: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Vec<String>, Fault>>;

    /// A job at its end, or as far as it is after so long.
    fn job<'a>(
        &'a self,
        context: CallContext,
        id: &'a str,
        wait: Duration,
    ) -> BoxFuture<'a, Result<SeenJob, Fault>>;

    /// Asks for a job to end.
    fn end_job<'a>(&'a self, context: CallContext, id: &'a str) -> BoxFuture<'a, Result<(), Fault>>;

    /// True if a back end of this name is here.
    fn has_backend(&self, name: &str) -> bool;

    /// Everything that is committed from now on, if it can be followed.
    fn events(&self) -> Option<Receiver<EventRecord>>;
}

impl Door for Service {
    fn admits<'a>(&'a self, context: &'a CallContext) -> BoxFuture<'a, Result<String, (Fault, String)>> {
        Box::pin(async move { Service::admits(self, context).await.map(|principal| principal.name) })
    }

    fn begins_session<'a>(&'a self, context: &'a CallContext) -> BoxFuture<'a, Result<(), Fault>> {
        Box::pin(Service::begins_session(self, context))
    }

    fn call<'a>(
        &'a self,
        context: CallContext,
        tool: &'a str,
        arguments: Value,
    ) -> BoxFuture<'a, Result<ChatArtifact, Fault>> {
        Box::pin(async move { Service::call(self, &context, tool, arguments).await })
    }

    fn decide_in_person<'a>(
        &'a self,
        context: CallContext,
        tool: &'a str,
        approval_id: &'a str,
        (approve, comment): (bool, Option<&'a str>),
    ) -> BoxFuture<'a, Result<ChatArtifact, Fault>> {
        Box::pin(async move {
            Box::pin(Service::decide_in_person(self, &context, tool, approval_id, approve, comment)).await
        })
    }

    fn resources(&self, context: CallContext) -> BoxFuture<'_, Result<Vec<ResourceListed>, Fault>> {
        Box::pin(async move { Service::resources(self, &context).await })
    }

    fn resource_templates(&self) -> Vec<ResourceListed> {
        Service::resource_templates(self)
    }

    fn read<'a>(&'a self, context: CallContext, uri: &'a str) -> BoxFuture<'a, Result<ResourceRead, Fault>> {
        Box::pin(async move { self.read_resource(&context, uri).await })
    }

    fn resource_changed_by(&self, uri: &str) -> Option<EventType> {
        Service::resource_changed_by(self, uri)
    }

    fn complete<'a>(
        &'a self,
        context: CallContext,
        wanted: &'a Completion,
        typed: &'a str,
        model: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Vec<String>, Fault>> {
        Box::pin(async move { Service::complete(self, &context, wanted, typed, model).await })
    }

    fn job<'a>(
        &'a self,
        context: CallContext,
        id: &'a str,
        wait: Duration,
    ) -> BoxFuture<'a, Result<SeenJob, Fault>> {
        Box::pin(async move { Service::job(self, &context, id, wait).await })
    }

    fn end_job<'a>(&'a self, context: CallContext, id: &'a str) -> BoxFuture<'a, Result<(), Fault>> {
        Box::pin(async move { Service::end_job(self, &context, id).await })
    }

    fn has_backend(&self, name: &str) -> bool {
        Service::has_backend(self, name)
    }

    fn events(&self) -> Option<Receiver<EventRecord>> {
        Some(self.subscribe())
    }
}
