//! What a client is working on, from one call to the next.
//!
//! A session is found by the principal and whatever ties its calls together: the MCP session id, else the token that
//! `load_model` and `new_model` return, else, for a client at this machine, its working directory. It lives in the store
//! and is read when a call needs it, so it outlives every process.

use crate::CallContext;
use crate::call::Call;
use contract::{
    BoxFuture, Fault, ModelId, ModelKind, ModelRecord, OperationId, Principal, SessionState, Sessions,
    VersionId,
};
use sha2::{Digest, Sha256};
use store::MAIN;

/// The key that a session is kept under; `None` where nothing ties this call to another.
pub(crate) fn session_key(
    principal: &Principal,
    context: &CallContext,
    token: Option<&str>,
) -> Option<String> {
    let tie = if let Some(session) = &context.mcp_session {
        format!("mcp\n{session}")
    } else if let Some(token) = token.or(context.session_token.as_deref()) {
        format!("token\n{token}")
    } else if let (true, Some(directory)) = (principal.local, &context.working_dir) {
        format!("directory\n{}", directory.display())
    } else {
        return None;
    };
    Some(key_of(principal, &tie))
}

/// The key of the session that a token stands for.
pub(crate) fn token_key(principal: &Principal, token: &str) -> String {
    key_of(principal, &format!("token\n{token}"))
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
    let since = if current(state, Some(kind)) == Some(model) { since(state, model) } else { time_ms };
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

impl Call {
    /// The state of the session, if there is one.
    pub(crate) async fn session_state(&self) -> Result<SessionState, Fault> {
        let key = self.session_key();
        match key {
            Some(key) => Ok(self.inner.store.session(&key).await?.unwrap_or_default()),
            None => Ok(SessionState::default()),
        }
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
        let known = self.session_key();
        let (key, token) = if let Some(key) = known {
            (key, None)
        } else {
            let token = OperationId::new().0;
            (token_key(&self.who.principal, &token), Some(token))
        };
        let before = state.clone();
        change(&mut state);
        if state != before {
            self.inner.store.set_session(&key, &state).await?;
        }
        self.set_session_key(key);
        Ok(token.or_else(|| self.common.session.clone()))
    }

    /// Has the session remember something under a name, where something ties this call to a session.
    pub(crate) async fn fill_slot(&self, name: &str, value: &str) -> Result<(), Fault> {
        let key = self.session_key();
        if let Some(key) = key {
            let mut state = self.inner.store.session(&key).await?.unwrap_or_default();
            state.slots.insert(name.to_owned(), value.to_owned());
            self.inner.store.set_session(&key, &state).await?;
        }
        Ok(())
    }

    /// Forgets what the session was working on.
    pub(crate) async fn forget_session(&self) -> Result<(), Fault> {
        let key = self.session_key();
        if let Some(key) = key {
            self.inner.store.clear_session(&key).await?;
        }
        Ok(())
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
            None => Err(Fault::no_model_loaded()),
        }
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
