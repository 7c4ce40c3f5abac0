//! A place where calls are run: a worker on this machine, or a service elsewhere.

use super::call::Call;
use super::holder::Holder;
use super::local::Local;
use super::missed::Missed;
use super::remote::Remote;
use contract::{Artifact, Fault, OperationId, Progress};
use std::sync::Arc;

/// A place, whatever is there at the moment.
#[derive(Clone)]
pub(super) enum Place {
    Local(Arc<Local>),
    Remote(Arc<Remote>),
}

impl Place {
    /// The name that it is known by, for ever.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Local(local) => local.name(),
            Self::Remote(remote) => remote.name(),
        }
    }

    /// True if it has this back end, as far as is known, now or when it is reached again.
    pub(super) fn has(&self, backend: &str) -> bool {
        match self {
            Self::Local(local) => local.backend() == backend && local.is_here(),
            Self::Remote(remote) => remote.has(backend),
        }
    }

    /// How far a call is there, if that is told.
    pub(super) async fn progress(&self, operation: &OperationId) -> Option<Progress> {
        match self {
            Self::Local(local) => local.progress(operation).await,
            Self::Remote(remote) => remote.progress(operation).await,
        }
    }

    /// Runs a call there.
    pub(super) async fn run(&self, call: &Call, holder: &Holder) -> Result<Result<Artifact, Fault>, Missed> {
        match self {
            Self::Local(local) => local.run(call, holder).await,
            Self::Remote(remote) => {
                holder.clear();
                remote.run(call).await
            }
        }
    }

    /// Waits for its turn with calls under which a place has died already: they are run one by one, so that the one that
    /// kills does not take the others with it again.
    pub(super) async fn turn_of_suspects(&self) -> tokio::sync::MutexGuard<'_, ()> {
        match self {
            Self::Local(local) => local.suspects().lock().await,
            Self::Remote(remote) => remote.suspects().lock().await,
        }
    }
}
