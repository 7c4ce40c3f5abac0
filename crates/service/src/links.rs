//! Links that need no other right: made by those who may read or give the file, followed by whoever has them. They hold for a
//! while, on every gateway; only the hash of their secret is kept. Whoever follows one acts in the name of its maker, who may do no
//! less by then than when it was made.

use crate::CallContext;
use crate::call::{Call, Opening};
use crate::service::Service;
use contract::{Action, BucketFile, Effect, Fault, FaultCode, TimedLink};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::time::Instant;
use store::{FileRecord, Incoming, LinkRow, Staged, now_ms};

/// The longest that a link holds: as long as those of S3.
const LONGEST_SECONDS: u64 = 7 * 24 * 3600;
/// The length of a secret: two identifiers of 122 random bits.
const SECRET_DIGITS: usize = 64;

impl Call {
    /// A link from which whoever has it may read a file.
    pub(crate) async fn link_to_file(
        &self,
        file: &BucketFile,
        name: &str,
        media_type: &str,
        seconds: u64,
    ) -> Result<TimedLink, Fault> {
        self.keep_link(name, media_type, Some(file.sha256.clone()), file.size, seconds).await
    }

    /// A link to which whoever has it may send one file.
    pub(crate) async fn link_for_file(
        &self,
        name: &str,
        max_bytes: Option<u64>,
        seconds: u64,
    ) -> Result<TimedLink, Fault> {
        let most = self.inner.config.import_bytes;
        let bytes = max_bytes.unwrap_or(most);
        if !(1..=most).contains(&bytes) {
            return Err(Fault::invalid(
                "max_bytes",
                format!("Files of 1 to {most} bytes are taken here. Ask for no more."),
            ));
        }
        self.keep_link(name, "application/octet-stream", None, bytes, seconds).await
    }

    async fn keep_link(
        &self,
        name: &str,
        media_type: &str,
        blob_sha256: Option<String>,
        bytes: u64,
        seconds: u64,
    ) -> Result<TimedLink, Fault> {
        let name = crate::run::plain_name(name)?;
        if !(1..=LONGEST_SECONDS).contains(&seconds) {
            return Err(Fault::invalid(
                "expires_seconds",
                format!("A link holds for 1 to {LONGEST_SECONDS} seconds (a week)."),
            ));
        }
        // version 4 takes its bits from the operating system
        let secret: String =
            [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()].map(|id| id.simple().to_string()).concat();
        let created_ms = now_ms();
        let expires_ms = created_ms.saturating_add(seconds.saturating_mul(1000));
        if !self.is_dry_run() {
            let link = LinkRow {
                secret_sha256: hashed(&secret),
                principal: self.who.principal.clone(),
                name,
                media_type: media_type.to_owned(),
                blob_sha256,
                bytes,
                created_ms,
                expires_ms,
            };
            self.inner.store.put_link(link).await?;
        }
        Ok(TimedLink { url: format!("{}/bucket/links/{secret}", self.inner.config.public_url), expires_ms })
    }
}

/// A file that somebody sends to a link.
pub struct LinkUpload {
    /// The place that its bytes go to.
    pub incoming: Incoming,
    link: LinkRow,
}

impl Service {
    /// The file that a link leads to, with its name and media type.
    pub async fn follow_link(
        &self,
        context: &CallContext,
        secret: &str,
    ) -> Result<(BucketFile, String, String), Fault> {
        let link = self.held_link(secret).await?;
        let Some(sha256) = link.blob_sha256.clone() else { return Err(no_link()) };
        let arguments = json!({ "name": link.name, "sha256": sha256 });
        let (call, _running) = self
            .link_call(context, &link, ("follow_link", Effect::Query, Action::Export), &arguments)
            .await?;
        let outcome = async {
            call.may_begin()?;
            call.gives(link.bytes)?;
            let path = call.inner.store.blob_file(&sha256).await?;
            Ok((BucketFile { path, sha256, size: link.bytes }, link.name, link.media_type))
        };
        let outcome = outcome.await;
        call.end(outcome.as_ref().map(|_| None)).await;
        outcome
    }

    /// Begins to take in the file that somebody sends to a link.
    pub async fn receive_link(&self, secret: &str) -> Result<LinkUpload, Fault> {
        let link = self.held_link(secret).await?;
        if link.blob_sha256.is_some() {
            return Err(no_link());
        }
        Ok(LinkUpload { incoming: self.inner().store.incoming(link.bytes)?, link })
    }

    /// Keeps the file that somebody sent to a link, as one of its maker's, and uses the link up.
    pub async fn keep_linked(
        &self,
        context: &CallContext,
        link: LinkRow,
        staged: Staged,
    ) -> Result<FileRecord, Fault> {
        let (sha256, size) = (staged.blob().sha256.clone(), staged.blob().size);
        let arguments = json!({ "name": link.name, "sha256": sha256, "size": size });
        let (call, _running) = self
            .link_call(context, &link, ("receive_link", Effect::Create, Action::Create), &arguments)
            .await?;
        let outcome = async {
            call.may_begin()?;
            call.takes(size)?;
            if !call.inner.store.use_link(&link.secret_sha256).await? {
                return Err(no_link());
            }
            call.keep_file(&link.name, &link.media_type, staged).await
        };
        let outcome = outcome.await;
        call.end(outcome.as_ref().map(|_| None)).await;
        outcome
    }

    async fn held_link(&self, secret: &str) -> Result<LinkRow, Fault> {
        if secret.len() != SECRET_DIGITS {
            return Err(no_link());
        }
        self.inner().store.link(&hashed(secret)).await?.ok_or_else(no_link)
    }

    async fn link_call(
        &self,
        context: &CallContext,
        link: &LinkRow,
        (tool, effect, action): (&str, Effect, Action),
        arguments: &serde_json::Value,
    ) -> Result<(Call, governance::Running), Fault> {
        let inner = self.inner();
        let started = Instant::now();
        let running = inner.begin_as(&link.principal, context, tool, arguments, started).await?;
        let opening = Opening { tool, effect, action, entry: None, arguments, started };
        Ok((Call::new(inner, context, link.principal.clone(), opening), running))
    }
}

impl LinkUpload {
    /// The bytes and the link, to be given to [`Service::keep_linked`] when all are there.
    pub fn into_parts(self) -> (Incoming, LinkRow) {
        (self.incoming, self.link)
    }
}

fn hashed(secret: &str) -> String {
    contract::hex(&Sha256::digest(secret.as_bytes()))
}

/// Returns the one Fault for a link that never was, does not hold any more, or is used up.
fn no_link() -> Fault {
    Fault::new(
        FaultCode::PermissionDenied,
        "This link does not hold, or not any more. Ask whoever gave it to you for another.",
    )
}
