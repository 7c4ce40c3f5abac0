//! What a client is working on, from one call to the next.
//!
//! A session is found by the principal and whatever ties its calls together: the MCP session id, else the token that
//! `load_model` and `new_model` return, else, for a client at this machine, its working directory. It lives in the store
//! and is read when a call needs it, so it outlives every process.

use crate::CallContext;
use contract::{ModelId, ModelKind, Principal, SessionState};
use sha2::{Digest, Sha256};

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

/// Makes a simulation the session's latest.
pub(crate) fn set_simulation(state: &mut SessionState, job: &str) {
    state.simulation = Some(job.to_owned());
}

/// The session's model of a kind.
pub(crate) fn current(state: &SessionState, kind: ModelKind) -> Option<&ModelId> {
    match kind {
        ModelKind::Ifc => state.ifc.as_ref(),
        ModelKind::EnergyPlus => state.energyplus.as_ref(),
    }
}

/// The model that the session took last, of whatever kind.
pub(crate) fn latest(state: &SessionState) -> Option<&ModelId> {
    let is_newer = state.energyplus_since_ms > state.ifc_since_ms;
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
    let since = if current(state, kind) == Some(model) { since(state, model) } else { time_ms };
    let (model, since) = (Some(model.clone()), Some(since));
    let branch = (branch != store::MAIN).then(|| branch.to_owned());
    match kind {
        ModelKind::Ifc => (state.ifc, state.ifc_branch, state.ifc_since_ms) = (model, branch, since),
        ModelKind::EnergyPlus => {
            (state.energyplus, state.energyplus_branch, state.energyplus_since_ms) = (model, branch, since);
        }
    }
}
