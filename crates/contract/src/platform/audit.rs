//! The audit log.

use super::BoxFuture;
use crate::{AuditFilter, AuditRecord, Fault, Page};

/// The audit log, as far as the caller may read it.
pub trait AuditLog: Send + Sync {
    /// Entries, the latest first.
    fn audit<'a>(
        &'a self,
        filter: &'a AuditFilter,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<AuditRecord>, Fault>>;
}
