//! Who calls: credentials become a principal, or a Fault.

use crate::{CallContext, Credentials};
use contract::{Fault, FaultCode, Principal};

/// Says who stands behind credentials. Tried in turn; `None` leaves it to the next.
pub trait Authenticator: Send + Sync {
    /// The principal, if these credentials are of a kind it knows.
    fn authenticate(&self, context: &CallContext) -> Option<Result<Principal, Fault>>;
}

/// The user of this machine, whom the operating system vouches for. May do everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalUser;

impl Authenticator for LocalUser {
    fn authenticate(&self, context: &CallContext) -> Option<Result<Principal, Fault>> {
        match &context.credentials {
            Credentials::Local { user } => Some(Ok(Principal {
                name: if user.is_empty() { "local".to_owned() } else { user.clone() },
                roles: vec!["admin".to_owned()],
                local: true,
            })),
            Credentials::Key(_) | Credentials::None => None,
        }
    }
}

/// Asks each authenticator in turn.
pub(crate) fn authenticate(
    authenticators: &[Box<dyn Authenticator>],
    context: &CallContext,
) -> Result<Principal, Fault> {
    authenticators.iter().find_map(|authenticator| authenticator.authenticate(context)).unwrap_or_else(|| {
        Err(Fault::new(
            FaultCode::Unauthenticated,
            "This server does not know who calls. Connect from this machine, or give a key it knows.",
        ))
    })
}
