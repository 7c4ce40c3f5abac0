//! One MCP server: answers every request of the protocol from a surface and a door.
//!
//! Cheap to clone; streamable HTTP makes one per session, and one per request for clients without sessions.

use crate::answer::{ResultForm, answer, for_client};
use crate::completion;
use crate::discovery;
use crate::door::Door;
use crate::fixtures::Fixtures;
use crate::generation::{knows_links, later_than_sessions, shows_pages};
use crate::greeting::about;
use crate::in_person::{Decision, Question, answered};
use crate::log::{AskedLevel, Log};
use crate::progress::Reporter;
use crate::prompts;
use crate::resources::{self, Subscriptions};
use crate::roots;
use crate::session_tools::{SessionTools, query_options};
use crate::sessions::{SESSION_HEADER, Sessions};
use crate::surface::{ListOptions, Surface};
use crate::tasks::{self, Course};
use axum::extract::ConnectInfo;
use axum::http::request::Parts;
use contract::{ChatArtifact, Fault, FaultCode, Progress, Server};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestParams, CompleteResult,
    CustomRequest, CustomResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, GetTaskParams,
    GetTaskResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerConfig,
    SetLevelRequestMethod, SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
    UpdateTaskParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use service::{CallContext, Credentials, HttpCallers, ProgressSink};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::sync::mpsc;
use url::form_urlencoded;

/// Reports that wait to be sent; a client that is slow to take them misses some.
const REPORTS: usize = 8;
/// The member of a request's `_meta` that names the back end.
const BACKEND_META: &str = "pensaer/backend";

/// A server as one client sees it.
#[derive(Clone)]
pub struct Endpoint {
    surface: Arc<Surface>,
    door: Arc<dyn Door>,
    context: CallContext,
    form: ResultForm,
    options: ListOptions,
    subscriptions: Arc<Subscriptions>,
    session_tools: Arc<SessionTools>,
    log: Arc<Log>,
    sessions: Option<Arc<Sessions>>,
    callers: Option<Arc<HttpCallers>>,
    fixtures: Option<Arc<Fixtures>>,
}

impl Endpoint {
    /// A server over `surface` whose calls are made in `context`.
    pub fn new(surface: Arc<Surface>, door: Arc<dyn Door>, context: CallContext, form: ResultForm) -> Self {
        let context = CallContext { kind: surface.profile().server().map(Server::kind), ..context };
        Self {
            surface,
            door,
            context,
            form,
            options: ListOptions::default(),
            subscriptions: Arc::default(),
            session_tools: Arc::default(),
            log: Arc::default(),
            sessions: None,
            callers: None,
            fixtures: None,
        }
    }

    /// The same server over HTTP, where each request says who sends it, and clients have these sessions.
    #[must_use]
    pub(crate) fn over_http(self, callers: Arc<HttpCallers>, sessions: Arc<Sessions>) -> Self {
        Self { callers: Some(callers), sessions: Some(sessions), ..self }
    }

    /// The same server with what the protocol's conformance suite asks for.
    #[must_use]
    pub(crate) fn with_fixtures(self, fixtures: Option<Arc<Fixtures>>) -> Self {
        Self { fixtures, ..self }
    }

    /// The credentials of a request over HTTP; without such, those of the connection.
    fn credentials(&self, parts: &Parts) -> Credentials {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
        match &self.callers {
            Some(callers) => callers.credentials(parts, peer),
            None => self.context.credentials.clone(),
        }
    }

    /// Has the session of a request stay ready: from now on it holds what is nowhere else.
    fn pin_session(&self, context: &RequestContext<RoleServer>) {
        if let Some((sessions, id)) = self.session_of(context) {
            sessions.pin(id);
        }
    }

    /// The session that a request is in, among all.
    fn session_of<'a>(
        &'a self,
        context: &'a RequestContext<RoleServer>,
    ) -> Option<(&'a Arc<Sessions>, &'a str)> {
        let named = context.extensions.get::<Parts>()?.headers.get(SESSION_HEADER)?;
        Some((self.sessions.as_ref()?, named.to_str().ok()?))
    }

    /// The same server with a list of tools as this client wants it.
    #[must_use]
    pub fn with_options(self, options: ListOptions) -> Self {
        Self { options, ..self }
    }

    /// The same server for a client that waits for nothing yet.
    pub(crate) fn for_new_client(&self) -> Self {
        Self {
            subscriptions: Arc::default(),
            session_tools: Arc::default(),
            log: Arc::default(),
            ..self.clone()
        }
    }

    /// The same server for the client of one session.
    pub(crate) fn in_session(&self, session: String) -> Self {
        let context = CallContext { mcp_session: Some(session), ..self.context.clone() };
        Self { context, ..self.for_new_client() }
    }

    /// In whose name a request is made.
    pub(crate) fn caller(&self, parts: &Parts) -> CallContext {
        self.for_sender(parts).context
    }

    /// The same server for whoever sent this request.
    pub(crate) fn for_sender(&self, parts: &Parts) -> Self {
        let credentials = self.credentials(parts);
        let options = query_options(&parts.uri, &self.options);
        Self { context: CallContext { credentials, ..self.context.clone() }, options, ..self.clone() }
    }

    /// The context of this request: what the transport knew, plus what the request itself says.
    fn context_of(&self, request: &RequestContext<RoleServer>) -> CallContext {
        let mut context = self.context.clone();
        if let Some(client) = request.client_info() {
            context.client = Some(format!("{} {}", client.name, client.version));
        }
        if let Some(backend) = request.meta.get(BACKEND_META) {
            context.backend = Some(backend.as_str().map_or_else(|| backend.to_string(), str::to_owned));
        }
        if let Some(parts) = request.extensions.get::<Parts>() {
            context.credentials = self.credentials(parts);
            if let Some(session) = parts.headers.get(SESSION_HEADER).and_then(|value| value.to_str().ok()) {
                context.mcp_session = Some(session.to_owned());
            }
        }
        context
    }

    /// The form asked for in the request's address, else the server's own.
    fn form_of(&self, context: &RequestContext<RoleServer>) -> ResultForm {
        let Some(parts) = context.extensions.get::<Parts>() else { return self.form };
        form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes())
            .filter(|(name, _)| name == "results")
            .find_map(|(_, form)| ResultForm::from_name(&form))
            .unwrap_or(self.form)
    }

    /// Returns the additions to this client's list: what it was opened with, what the request's address says, what was
    /// enabled in its session.
    fn options_of(&self, context: &RequestContext<RoleServer>) -> ListOptions {
        let mut options = match context.extensions.get::<Parts>() {
            Some(parts) => query_options(&parts.uri, &self.options),
            None => self.options.clone(),
        };
        options.toolsets.extend(self.session_tools.enabled());
        options.of_pages = shows_pages(context);
        options
    }

    /// Answers a call of one of the tools by which others are found.
    async fn discover(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<ChatArtifact, Fault> {
        let options = self.options_of(context);
        let parts = context.extensions.get::<Parts>();
        let is_kept = parts.is_none_or(|parts| parts.headers.contains_key(SESSION_HEADER));
        let enabling = discovery::Enabling { more: &options.toolsets, is_kept };
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let (answer, enabled) =
            discovery::call(&self.surface, self.door.as_ref(), &enabling, &request.name, arguments)?;
        let is_new = enabled.is_some_and(|set| self.session_tools.enable(set));
        if is_new {
            self.pin_session(context);
        }
        if is_new && !later_than_sessions(context) {
            // a client that cannot be told still gets its answer, which says so
            let _ = context.peer.notify_tool_list_changed().await;
        }
        Ok(answer)
    }

    /// Calls a tool, and tells its client how far it is.
    async fn call(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
        course: Option<Course>,
    ) -> Result<ChatArtifact, Fault> {
        let mut arguments = Value::Object(request.arguments.unwrap_or_default());
        let mut caller = self.context_of(context);
        if let Some(course) = course {
            tasks::begin(course, &mut caller, &mut arguments);
        }
        caller.roots = roots::of_client(context);
        let (tell, told) = mpsc::channel(REPORTS);
        let reporter = context.meta.get_progress_token().map(Reporter::new);
        if reporter.is_some() {
            caller.progress = Some(ProgressSink::new(move |progress| {
                let _ = tell.try_send(progress);
            }));
        }
        tokio::select! {
            outcome = self.door.call(caller, &request.name, arguments) => outcome,
            never = report(reporter, told, context) => match never {},
            () = context.ct.cancelled() => {
                Err(Fault::new(FaultCode::Cancelled, "The call was cancelled by the client."))
            }
        }
    }

    async fn decide(
        &self,
        caller: CallContext,
        tool: &str,
        approval_id: &str,
        said: &Decision,
    ) -> Result<ChatArtifact, Fault> {
        let said = (said.approve, said.comment.as_deref());
        self.door.decide_in_person(caller, tool, approval_id, said).await
    }

    fn unknown_tool(&self, name: &str) -> Fault {
        let near = self.surface.tools().near(name);
        let hint = if near.is_empty() {
            "search_tools finds what there is.".to_owned()
        } else {
            format!("Did you mean {}?", near.join(" or "))
        };
        Fault::new(FaultCode::InvalidParams, format!("There is no tool {name}. {hint}"))
            .with("field", "name")
            .with("near", near)
    }
}

impl ServerHandler for Endpoint {
    fn get_info(&self) -> ServerConfig {
        about(self.surface.profile(), self.surface.instructions())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut tools =
            self.surface.listed(&self.options_of(&context), &|backend| self.door.has_backend(backend));
        tools.extend(self.fixtures.iter().flat_map(|fixtures| fixtures.tools().cloned()));
        Ok(ListToolsResult::with_all_items(tools))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let own = self.surface.tool(name);
        own.or_else(|| self.fixtures.as_ref()?.tool(name)).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let form = self.form_of(&context);
        // a client that lost its connection fetches the answer later, from this session
        let _at_work = self.session_of(&context).and_then(|(sessions, id)| sessions.at_work(id));
        if let Some(fixtures) = &self.fixtures
            && let Some(answered) = fixtures.call(&request, &context, &self.log).await
        {
            return answered;
        }
        if self.surface.tool(&request.name).is_none() {
            let fault = self.unknown_tool(&request.name);
            return Err(ErrorData::invalid_params(fault.message, Some(Value::Object(fault.data))));
        }
        if discovery::is_own(&request.name) {
            let outcome = self.discover(request, &context).await;
            return Ok(CallToolResponse::Complete(answer(outcome, form)));
        }
        let caller = self.context_of(&context);
        let tool = request.name.clone();
        let is_brought = request.request_state.is_some();
        let course = tasks::course(self.surface.tools().spec(&tool), request.arguments.as_ref());
        let course = course.filter(|_| tasks::are_known(&context));
        let outcome = match answered(&request) {
            Some(Ok((approval_id, Some(said)))) => self.decide(caller, &tool, &approval_id, &said).await,
            Some(Ok((approval_id, None))) => Err(undecided(&approval_id)),
            Some(Err(fault)) => Err(fault),
            None => match self.call(request, &context, course).await {
                Err(mut fault) => match Question::from_fault(&mut fault, &tool, &context) {
                    Some(question) if Question::is_answered_anew(&context) => {
                        return Ok(question.into_answer());
                    }
                    Some(question) => {
                        let approval_id = question.approval_id.clone();
                        let said = tokio::select! {
                            said = question.ask(&context) => said,
                            () = context.ct.cancelled() => None,
                        };
                        match said {
                            Some(said) => self.decide(caller, &tool, &approval_id, &said).await,
                            None => Err(fault),
                        }
                    }
                    None => Err(fault),
                },
                done => done,
            },
        };
        if is_brought
            && let Err(fault) = &outcome
            && is_unknown_state(fault)
        {
            return Err(ErrorData::invalid_params(fault.message.clone(), Some(fault.to_json())));
        }
        self.log.tell_outcome(&context, &tool, &outcome).await;
        if course.is_some() {
            return Ok(tasks::answer_of(self.door.as_ref(), self.context_of(&context), outcome, form).await);
        }
        Ok(CallToolResponse::Complete(for_client(answer(outcome, form), knows_links(&context))))
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut listed = resources::list(self.door.as_ref(), self.context_of(&context)).await?;
        listed
            .resources
            .extend(self.fixtures.iter().flat_map(|fixtures| fixtures.resources().iter().cloned()));
        Ok(listed)
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut listed = resources::templates(self.door.as_ref());
        let own = self.fixtures.iter().flat_map(|fixtures| fixtures.templates().iter().cloned());
        listed.resource_templates.extend(own);
        Ok(listed)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if let Some(read) = self.fixtures.as_ref().and_then(|fixtures| fixtures.read(&request.uri)) {
            return read.map(ReadResourceResponse::Complete);
        }
        let read = resources::read(self.door.as_ref(), self.context_of(&context), &request.uri).await?;
        Ok(ReadResourceResponse::Complete(read))
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let own = self.surface.tools().prompts().iter().map(prompts::listed);
        let fixtures = self.fixtures.iter().flat_map(|fixtures| fixtures.prompts().iter().cloned());
        Ok(ListPromptsResult::with_all_items(own.chain(fixtures).collect()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if let Some(answered) =
            self.fixtures.as_ref().and_then(|fixtures| fixtures.prompt(&request, &context))
        {
            return answered;
        }
        prompts::get(self.surface.tools().prompts(), &request).map(GetPromptResponse::Complete)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        if let Some(offered) = self.fixtures.as_ref().and_then(|fixtures| fixtures.complete(&request)) {
            return Ok(CompleteResult::new(offered));
        }
        let (prompts, caller) = (self.surface.tools().prompts(), self.context_of(&context));
        let offered = completion::complete(prompts, self.door.as_ref(), caller, &request).await?;
        Ok(CompleteResult::new(offered))
    }

    async fn set_level(
        &self,
        request: AskedLevel,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if later_than_sessions(&context) {
            return Err(ErrorData::method_not_found::<SetLevelRequestMethod>());
        }
        self.log.set(&request);
        self.pin_session(&context);
        Ok(())
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        if let Some(task) = self.fixtures.as_ref().and_then(|fixtures| fixtures.get_task(&request)) {
            return Ok(task);
        }
        let (caller, form) = (self.context_of(&context), self.form_of(&context));
        tasks::get(self.door.as_ref(), caller, &request.task_id, form).await
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if self.fixtures.as_ref().is_some_and(|fixtures| fixtures.update_task(&request)) {
            return Ok(());
        }
        tasks::update(self.door.as_ref(), self.context_of(&context), &request.task_id).await
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if self.fixtures.as_ref().is_some_and(|fixtures| fixtures.cancel_task(&request)) {
            return Ok(());
        }
        tasks::cancel(self.door.as_ref(), self.context_of(&context), &request.task_id).await
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let uris = requested.resource_subscriptions.iter().flatten();
        let filter = SubscriptionFilter::builder().resource_subscriptions(uris);
        let wants_tools = requested.tools_list_changed == Some(true);
        Some(if wants_tools { filter.tools_list_changed().build() } else { filter.build() })
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let context = self.context_of(subscription.request_context());
        let sink = subscription.sink().clone();
        let told = self.fixtures.as_ref().map(|fixtures| fixtures.tell(sink.clone()));
        tokio::select! {
            outcome = resources::listen(self.door.as_ref(), context, subscription) => outcome,
            never = self.session_tools.tell(sink) => match never {},
            never = told_by(told) => match never {},
        }
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if self.fixtures.as_ref().is_some_and(|fixtures| fixtures.has_resource(&request.uri)) {
            return Ok(());
        }
        let (caller, peer) = (self.context_of(&context), context.peer.clone());
        self.subscriptions.add(self.door.as_ref(), caller, &request.uri, (peer, &self.log)).await?;
        self.pin_session(&context);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscriptions.remove(&request.uri);
        if self.subscriptions.is_empty()
            && self.session_tools.enabled().is_empty()
            && self.log.is_silent()
            && let Some((sessions, id)) = self.session_of(&context)
        {
            sessions.unpin(id);
        }
        Ok(())
    }

    /// Requests that the protocol does not know, and those that it knows with parameters of another shape.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method == "tools/call" {
            return Err(ErrorData::invalid_params(wrong_call(request.params.as_ref()), None));
        }
        let message = format!("There is no method {}, or not with these parameters.", request.method);
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
    }
}

/// Waits with what tells a client for as long as it listens; for ever where nothing does.
async fn told_by(told: Option<impl Future<Output = Infallible>>) -> Infallible {
    match told {
        Some(told) => told.await,
        None => std::future::pending().await,
    }
}

/// True if a call that brings a state back is refused for that: there is no such approval, or none that is the caller's.
fn is_unknown_state(fault: &Fault) -> bool {
    matches!(fault.code, FaultCode::NotFound | FaultCode::InvalidParams)
}

/// The person at the client put the question away.
fn undecided(approval_id: &str) -> Fault {
    let message = format!(
        "The person at your client left {approval_id} undecided. Nothing was changed; it waits, and may be decided on by others."
    );
    Fault::new(FaultCode::ApprovalRequired, message).with("approval_id", approval_id)
}

/// Sends reports for as long as the call runs.
async fn report(
    reporter: Option<Reporter>,
    mut told: mpsc::Receiver<Progress>,
    context: &RequestContext<RoleServer>,
) -> Infallible {
    if let Some(mut reporter) = reporter {
        while let Some(progress) = told.recv().await {
            if let Some(next) = reporter.next(&progress) {
                // a client that cannot be told still gets its answer
                let _ = context.peer.notify_progress(next).await;
            }
        }
    }
    std::future::pending().await
}

/// Says what is wrong with the parameters of a `tools/call`.
fn wrong_call(params: Option<&Value>) -> &'static str {
    let Some(params) = params else { return "tools/call needs `params` with the tool's name." };
    if !params.get("name").is_some_and(Value::is_string) {
        return "`params.name` has to be the name of a tool.";
    }
    match params.get("arguments") {
        Some(Value::String(_)) => "`params.arguments` has to be a JSON object, not a string that holds one.",
        Some(other) if !other.is_object() => "`params.arguments` has to be a JSON object.",
        _ => "The members of `params` have to be as the protocol says.",
    }
}
