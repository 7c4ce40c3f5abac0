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

    /// The address under which a person's browser reaches the viewer and the bucket, without a slash at its end.
    fn public_url(&self) -> String;
}
