//! The caller, and the way in which it asks.

use crate::{ModelKind, Permission, Principal};

/// The caller, and the way in which it asks.
pub trait Caller: Send + Sync {
    /// Who calls.
    fn principal(&self) -> &Principal;

    /// The kind of model that this call is about; none where it may be any.
    fn kind(&self) -> Option<ModelKind>;

    /// True if the call only asks what would happen.
    fn dry_run(&self) -> bool;

    /// The caller's rights, and where they hold.
    fn permissions(&self) -> Vec<Permission>;

    /// The whole address of a path of this server, such as `/bucket/ID`, for a person's browser: for the user of this machine with what lets
    /// them in, to that path alone or, on the viewer's page, to all that it shows.
    fn address_of(&self, path: &str) -> String;
}
