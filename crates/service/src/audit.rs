//! The audit log: the entry that every call ends in, and what a caller may read of it.

use crate::call::Call;
use crate::redact::{bounded, bounded_answer, redacted, text_without};
use contract::{AuditFilter, AuditLog, AuditRecord, BoxFuture, Effect, Fault, ModelId, Page};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use store::{AuditEntry, StoreError};

impl Call {
    pub(crate) fn audit_entry(&self, outcome: Value, answer: Option<&Map<String, Value>>) -> AuditEntry {
        let trace = self.trace();
        AuditEntry {
            time_ms: self.clock.time_ms,
            principal: self.who.principal.name.clone(),
            client: self.who.client.clone(),
            tool: self.what.tool.clone(),
            arguments: self.what.arguments.clone(),
            model_id: trace.model,
            version_before: trace.before,
            version_after: trace.after,
            event_id: trace.event,
            outcome,
            result: answer
                .map_or(Value::Null, |answer| redacted(bounded_answer(Value::Object(answer.clone())))),
            manifest: trace.manifest.map(|manifest| *manifest),
            reasoning: self.common.reasoning.as_deref().map(text_without),
            duration_us: u64::try_from(self.clock.started.elapsed().as_micros()).unwrap_or(u64::MAX),
        }
    }

    /// Writes the audit entry, unless it went with the commit. What was refused, failed or changed something is durable
    /// before the answer; the entry of a successful reading becomes durable within some 20 ms of it, together with those of its neighbours.
    pub(crate) async fn end(&self, outcome: Result<Option<&Map<String, Value>>, &Fault>) {
        if self.outcome.ended.swap(true, Ordering::Relaxed) {
            return;
        }
        let trace = self.trace();
        let written = match outcome {
            Ok(_) if trace.committed => Ok(()),
            Ok(_) if trace.replayed => self.audit_soon(self.audit_entry("replayed".into(), None)),
            Ok(answer) if self.is_dry_run() => self.audit_soon(self.audit_entry("preview".into(), answer)),
            Ok(answer) if self.what.effect == Effect::Query => {
                self.audit_soon(self.audit_entry("ok".into(), answer))
            }
            Ok(answer) => self.inner.store.audit(self.audit_entry("ok".into(), answer)).await.map(|_| ()),
            Err(fault) => self
                .inner
                .store
                .audit(self.audit_entry(bounded(redacted(fault.to_json())), None))
                .await
                .map(|_| ()),
        };
        if let Err(error) = written {
            tracing::error!(tool = self.what.tool, %error, "a call could not be audited");
            self.inner.audit.failed(error.to_string());
        }
    }

    /// Queues an entry. If it cannot be written, nothing more is served.
    pub(crate) fn audit_soon(&self, entry: AuditEntry) -> Result<(), StoreError> {
        let inner = Arc::clone(&self.inner);
        self.inner.store.audit_soon(entry, move |error| {
            tracing::error!(%error, "a call could not be audited");
            inner.audit.failed(error.to_string());
        })
    }

    /// A page of the audit log: all of it for those who administer, else the caller's own entries and those about models
    /// that are there for it. It may be shorter than asked for.
    pub(crate) async fn seen_audit(
        &self,
        filter: &AuditFilter,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<AuditRecord>, Fault> {
        let mut page = self.inner.store.audit_entries(filter, limit, cursor).await?;
        page.items.iter_mut().for_each(|entry| self.outward_entry(entry));
        if self.administers_all() {
            return Ok(page);
        }
        let mut seen: HashMap<ModelId, bool> = HashMap::new();
        for entry in &page.items {
            if let Some(id) = &entry.model_id
                && !seen.contains_key(id)
            {
                let sees = self.known_model(id).await.is_ok();
                seen.insert(id.clone(), sees);
            }
        }
        page.items.retain(|entry| {
            entry.principal == self.who.principal.name
                || entry.model_id.as_ref().is_some_and(|id| seen.get(id).copied().unwrap_or(false))
        });
        Ok(page)
    }
}

impl AuditLog for Call {
    fn audit<'a>(
        &'a self,
        filter: &'a AuditFilter,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<AuditRecord>, Fault>> {
        Box::pin(self.seen_audit(filter, limit, cursor))
    }
}
