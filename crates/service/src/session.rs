//! What a client is working on, from one call to the next.
//!
//! A session is found by the principal and whatever ties its calls together: the MCP session id, else the token that
//! `load_model` and `new_model` return, else the connection of a client at this machine. It lives in the store
//! and is read when a call needs it. Two clients never share one.
//!
//! A connection ends with its process. So what a client at this machine works on is also kept for its working directory: a new
//! connection starts with a copy of that at its first call that needs it, and goes its own way from there. Calls from a shell, each a connection of its own, work
//! on the directory's.

use crate::call::Call;
use crate::{CallContext, Service};
use contract::{
    BoxFuture, Fault, FaultCode, ModelFile, ModelId, ModelKind, ModelRecord, OperationId, Principal,
    SessionFile, SessionJob, SessionState, Sessions, VersionId,
};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use store::MAIN;

/// The keys that a session is kept under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SessionKeys {
    /// Its own.
    own: String,
    /// That of its working directory, for those who begin there.
    directory: Option<String>,
}

impl SessionKeys {
    /// The keys of the session that a call belongs to; none where nothing ties it to another.
    pub(crate) fn of_call(principal: &Principal, context: &CallContext, token: Option<&str>) -> Option<Self> {
        let alone = |tie: String| Some(Self { own: key_of(principal, &tie), directory: None });
        if let Some(session) = &context.mcp_session {
            return alone(format!("mcp\n{session}"));
        }
        if let Some(token) = token.or(context.session_token.as_deref()) {
            return alone(format!("token\n{token}"));
        }
        let directory = context.working_dir.as_ref().filter(|_| principal.local);
        let directory = directory.map(|path| key_of(principal, &format!("directory\n{}", path.display())));
        match &context.connection {
            Some(connection) => {
                Some(Self { own: key_of(principal, &format!("connection\n{connection}")), directory })
            }
            None => directory.map(|own| Self { own, directory: None }),
        }
    }

    /// The key of the session that a token stands for.
    fn of_token(principal: &Principal, token: &str) -> Self {
        Self { own: key_of(principal, &format!("token\n{token}")), directory: None }
    }
}

fn key_of(principal: &Principal, tie: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(principal.name.as_bytes());
    hash.update([0]);
    hash.update(tie.as_bytes());
    contract::hex(&hash.finalize())
}

/// The session's model of a kind; without one the model that it took last, of whatever kind.
pub(crate) fn current(state: &SessionState, kind: Option<ModelKind>) -> Option<&ModelId> {
    match kind {
        Some(ModelKind::Ifc) => state.ifc.as_ref(),
        Some(ModelKind::EnergyPlus) => state.energyplus.as_ref(),
        None => latest(state),
    }
}

fn latest(state: &SessionState) -> Option<&ModelId> {
    // one that was the session's before keeps its time, from which its changes are told, and is the latest all the same
    let is_newer = match state.latest {
        Some(kind) => kind == ModelKind::EnergyPlus,
        None => state.energyplus_since_ms > state.ifc_since_ms,
    };
    let (newer, older) = (state.energyplus.as_ref(), state.ifc.as_ref());
    if is_newer { newer.or(older) } else { older.or(newer) }
}

/// The session's branch of a model; none where the model is not the session's, or where that is on `main`.
pub(crate) fn branch<'a>(state: &'a SessionState, model: &ModelId) -> Option<&'a str> {
    let of = |current: &Option<ModelId>, branch: &'a Option<String>| {
        branch.as_deref().filter(|_| current.as_ref() == Some(model))
    };
    of(&state.ifc, &state.ifc_branch).or_else(|| of(&state.energyplus, &state.energyplus_branch))
}

/// Since when the session has a model, in Unix milliseconds; zero where it has not.
pub(crate) fn since(state: &SessionState, model: &ModelId) -> u64 {
    let of =
        |current: &Option<ModelId>, since: Option<u64>| since.filter(|_| current.as_ref() == Some(model));
    of(&state.ifc, state.ifc_since_ms).or(of(&state.energyplus, state.energyplus_since_ms)).unwrap_or(0)
}

/// Makes a branch of a model the session's own, at this time.
pub(crate) fn set_current(
    state: &mut SessionState,
    kind: ModelKind,
    model: &ModelId,
    branch: &str,
    time_ms: u64,
) {
    let stays = current(state, Some(kind)) == Some(model);
    if !stays {
        // results and files are those of the model before
        state.jobs.retain(|_, job| job.kind != kind);
        *file_of(state, kind) = None;
    }
    let since = if stays { since(state, model) } else { time_ms };
    let (model, since) = (Some(model.clone()), Some(since));
    state.latest = Some(kind);
    let branch = (branch != MAIN).then(|| branch.to_owned());
    match kind {
        ModelKind::Ifc => (state.ifc, state.ifc_branch, state.ifc_since_ms) = (model, branch, since),
        ModelKind::EnergyPlus => {
            (state.energyplus, state.energyplus_branch, state.energyplus_since_ms) = (model, branch, since);
        }
    }
}

/// The file of the session's model of a kind.
fn file_of(state: &mut SessionState, kind: ModelKind) -> &mut Option<ModelFile> {
    match kind {
        ModelKind::Ifc => &mut state.ifc_file,
        ModelKind::EnergyPlus => &mut state.energyplus_file,
    }
}

/// A file of this machine as it is now; none where there is none.
async fn look_at(path: &Path) -> Option<ModelFile> {
    let about = tokio::fs::metadata(path).await.ok().filter(std::fs::Metadata::is_file)?;
    let modified = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified_ms = modified.and_then(|time| u64::try_from(time.as_millis()).ok());
    Some(ModelFile { path: path.display().to_string(), size: about.len(), modified_ms })
}

impl Service {
    /// Forgets the session of a connection that has ended; its working directory's stays.
    pub async fn end_connection(&self, context: &CallContext) -> Result<(), Fault> {
        let inner = self.inner();
        let principal = inner.admit(context).await?;
        if context.connection.is_some()
            && let Some(keys) = SessionKeys::of_call(&principal, context, None)
        {
            inner.store.clear_session(&keys.own).await?;
        }
        Ok(())
    }
}

impl Call {
    /// The state of the session, if there is one.
    pub(crate) async fn session_state(&self) -> Result<SessionState, Fault> {
        let Some(keys) = self.session_keys() else { return Ok(SessionState::default()) };
        let store = &self.inner.store;
        match (store.session(&keys.own).await?, &keys.directory) {
            (Some(state), _) => Ok(state),
            (None, None) => Ok(SessionState::default()),
            // the first call that needs it: from now on it is this connection's own, whatever it begins with
            (None, Some(directory)) => {
                let state = store.session(directory).await?.unwrap_or_default();
                store.set_session(&keys.own, &state).await?;
                Ok(state)
            }
        }
    }

    async fn keep_session(&self, keys: &SessionKeys, state: &SessionState) -> Result<(), Fault> {
        self.inner.store.set_session(&keys.own, state).await?;
        if let Some(directory) = &keys.directory {
            self.inner.store.set_session(directory, state).await?;
        }
        Ok(())
    }

    /// Makes a model the session's own, on the branch where the session was if it is the same model; answers a token where
    /// the session has nothing else to be found by.
    pub(crate) async fn enter(&self, kind: ModelKind, model: &ModelId) -> Result<Option<String>, Fault> {
        let state = self.session_state().await?;
        let branch = branch(&state, model).map(str::to_owned);
        self.enter_at(kind, model, branch.as_deref().unwrap_or(MAIN)).await
    }

    /// The same on this branch.
    pub(crate) async fn enter_at(
        &self,
        kind: ModelKind,
        model: &ModelId,
        branch: &str,
    ) -> Result<Option<String>, Fault> {
        if self.is_dry_run() {
            return Ok(None);
        }
        self.alter_session(|state| set_current(state, kind, model, branch, self.clock.time_ms)).await
    }

    /// Changes what the session remembers, and begins one where there is none; answers its token, where it has nothing else to
    /// be found by.
    pub(crate) async fn alter_session(
        &self,
        change: impl FnOnce(&mut SessionState) + Send,
    ) -> Result<Option<String>, Fault> {
        let mut state = self.session_state().await?;
        let known = self.session_keys();
        let (keys, token) = if let Some(keys) = known {
            (keys, None)
        } else {
            let token = OperationId::new().0;
            (SessionKeys::of_token(&self.who.principal, &token), Some(token))
        };
        let before = state.clone();
        change(&mut state);
        if state != before {
            self.keep_session(&keys, &state).await?;
        }
        self.set_session_keys(keys);
        Ok(token.or_else(|| self.common.session.clone()))
    }

    /// Has the session remember a job on a model of a kind under a name, where something ties this call to a session.
    pub(crate) async fn keep_job(&self, name: &str, job_id: &str, kind: ModelKind) -> Result<(), Fault> {
        if let Some(keys) = self.session_keys() {
            let mut state = self.session_state().await?;
            state.jobs.insert(name.to_owned(), SessionJob { job_id: job_id.to_owned(), kind });
            self.keep_session(&keys, &state).await?;
        }
        Ok(())
    }

    /// Forgets what the session was working on, also for those who begin in its working directory.
    pub(crate) async fn forget_session(&self) -> Result<(), Fault> {
        let Some(keys) = self.session_keys() else { return Ok(()) };
        let store = &self.inner.store;
        match &keys.directory {
            // it has begun, and begins no second time
            Some(directory) => {
                store.set_session(&keys.own, &SessionState::default()).await?;
                store.clear_session(directory).await?;
            }
            None => store.clear_session(&keys.own).await?,
        }
        Ok(())
    }

    async fn file_of_model(&self, model: &ModelId) -> Result<Option<SessionFile>, Fault> {
        let mut state = self.session_state().await?;
        let kind = [ModelKind::Ifc, ModelKind::EnergyPlus]
            .into_iter()
            .find(|kind| current(&state, Some(*kind)) == Some(model));
        // only who sits at this machine means its files
        let known =
            kind.filter(|_| self.who.principal.local).and_then(|kind| file_of(&mut state, kind).take());
        let Some(known) = known else { return Ok(None) };
        let path = PathBuf::from(&known.path);
        let was_changed = look_at(&path).await.is_some_and(|now| now != known);
        Ok(Some(SessionFile { path, was_changed }))
    }

    async fn keep_file_of_model(&self, model: &ModelId, path: &str) -> Result<PathBuf, Fault> {
        let path = self.local_path("file_path", path)?;
        if self.is_dry_run() {
            return Ok(path);
        }
        let model = self.known_model(model).await?;
        let Some(file) = look_at(&path).await else {
            let problem = format!("{} is not there any more.", path.display());
            return Err(Fault::new(FaultCode::NotFound, problem).with("field", "file_path"));
        };
        let keep = |state: &mut SessionState| {
            if current(state, Some(model.kind)) == Some(&model.model_id) {
                *file_of(state, model.kind) = Some(file);
            }
        };
        self.alter_session(keep).await?;
        Ok(path)
    }

    /// The model that this call is about, where it may do with it what it is to do.
    pub(crate) async fn model_of_call(&self) -> Result<ModelRecord, Fault> {
        let model = self.model_of_call_unnoted().await?;
        self.note(|trace| trace.model = Some(model.model_id.clone()));
        self.may(self.what.action, &model)?;
        self.opens(&model.model_id)?;
        Ok(model)
    }

    async fn model_of_call_unnoted(&self) -> Result<ModelRecord, Fault> {
        if let Some(wanted) = &self.common.model_id {
            return self.find_model(wanted).await;
        }
        let state = self.session_state().await?;
        if let Some(model) = current(&state, self.what.kind) {
            return self.known_model(model).await;
        }
        match &self.who.default_model {
            Some(wanted) => self.find_model(wanted).await,
            None => Err(self.none_loaded(&state)),
        }
    }

    /// The Fault of a session without a model, or without one of the kind that the tool works on.
    fn none_loaded(&self, state: &SessionState) -> Fault {
        let other = match self.what.kind {
            Some(ModelKind::Ifc) => state.energyplus.as_ref().map(|_| ("an EnergyPlus model", "IFC models")),
            Some(ModelKind::EnergyPlus) => state.ifc.as_ref().map(|_| ("an IFC model", "EnergyPlus models")),
            None => None,
        };
        let Some((there, wanted)) = other else { return Fault::no_model_loaded() };
        let message = format!(
            "The session's model is {there}, and {} works on {wanted}. Load one of those, or use a tool for this one (search_tools finds it).",
            self.what.tool
        );
        Fault { message, ..Fault::no_model_loaded() }
    }
}

impl Sessions for Call {
    fn current_model(&self) -> BoxFuture<'_, Result<ModelRecord, Fault>> {
        Box::pin(self.model_of_call())
    }

    fn current_version(&self) -> BoxFuture<'_, Result<VersionId, Fault>> {
        Box::pin(async move { Ok(self.model_and_version().await?.1) })
    }

    fn current_branch(&self) -> BoxFuture<'_, Result<String, Fault>> {
        Box::pin(async move {
            let model = self.model_of_call().await?;
            Ok(self.position(&model.model_id).await?.ref_name)
        })
    }

    fn set_current_model<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<Option<String>, Fault>> {
        Box::pin(async move {
            if self.is_dry_run() {
                return Ok(None);
            }
            let model = self.known_model(model).await?;
            self.note(|trace| trace.model = Some(model.model_id.clone()));
            self.enter(model.kind, &model.model_id).await
        })
    }

    fn session_since<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<u64, Fault>> {
        Box::pin(async move { Ok(since(&self.session_state().await?, model)) })
    }

    fn model_file<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<Option<SessionFile>, Fault>> {
        Box::pin(self.file_of_model(model))
    }

    fn set_model_file<'a>(
        &'a self,
        model: &'a ModelId,
        path: &'a str,
    ) -> BoxFuture<'a, Result<PathBuf, Fault>> {
        Box::pin(self.keep_file_of_model(model, path))
    }

    fn clear_session(&self) -> BoxFuture<'_, Result<(), Fault>> {
        Box::pin(self.forget_session())
    }

    fn slot<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<String>, Fault>> {
        Box::pin(async move { Ok(self.session_state().await?.slots.remove(name)) })
    }

    fn set_slot<'a>(&'a self, name: &'a str, text: &'a str) -> BoxFuture<'a, Result<Option<String>, Fault>> {
        Box::pin(async move {
            if self.is_dry_run() {
                return Ok(None);
            }
            self.alter_session(|state| drop(state.slots.insert(name.to_owned(), text.to_owned()))).await
        })
    }
}
