//! Approvals: changes that wait for somebody's yes.

use super::{BoxFuture, Committed};
use crate::{ApprovalRecord, Fault, Page};

/// The approvals that the caller may see or decide.
pub trait Approvals: Send + Sync {
    /// Changes that wait for somebody's yes, or all that ever did, the latest first.
    fn approvals<'a>(
        &'a self,
        pending: bool,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<ApprovalRecord>, Fault>>;

    /// Says yes or no to one of them. A yes commits exactly what was previewed.
    fn decide_approval<'a>(
        &'a self,
        id: &'a str,
        approve: bool,
        comment: Option<&'a str>,
    ) -> BoxFuture<'a, Result<(ApprovalRecord, Option<Committed>), Fault>>;
}
