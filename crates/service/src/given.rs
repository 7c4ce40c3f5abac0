//! Files that a caller gives in a call, and the list of those it has.

use crate::call::Call;
use contract::{Fault, KeptFile, Page};
use store::FileRecord;

/// What bytes are where nothing better is said.
const PLAIN: &str = "application/octet-stream";

impl Call {
    /// Keeps a file that came within a call, as an upload does.
    pub(crate) async fn keep_given(
        &self,
        name: &str,
        media_type: &str,
        bytes: &[u8],
    ) -> Result<KeptFile, Fault> {
        self.takes(bytes.len() as u64)?;
        let mut incoming = self.inner.store.incoming(self.inner.config.import_bytes)?;
        incoming.write(bytes)?;
        let staged = incoming.finish().await?;
        let media_type = if is_media_type(media_type) { media_type } else { PLAIN };
        if self.is_dry_run() {
            let blob = staged.blob();
            let record = FileRecord {
                key: String::new(),
                name: name.to_owned(),
                media_type: media_type.to_owned(),
                sha256: blob.sha256.clone(),
                size: blob.size,
                principal: self.principal.name.clone(),
                operation_id: None,
                time_ms: self.time_ms,
            };
            return Ok(self.kept("", &record));
        }
        let record = self.keep_file(name, media_type, staged).await?;
        Ok(self.kept("", &record))
    }

    /// The caller's files, the latest first.
    pub(crate) async fn own_files(&self, limit: u32, cursor: Option<&str>) -> Result<Page<KeptFile>, Fault> {
        let after = match cursor {
            None => None,
            Some(cursor) => {
                let parts =
                    cursor.split_once('-').and_then(|(time, key)| Some((time.parse().ok()?, key.to_owned())));
                let unknown = || {
                    Fault::invalid("cursor", "This cursor is none that a list here gave. Begin without one.")
                };
                Some(parts.ok_or_else(unknown)?)
            }
        };
        let limit = limit.clamp(1, 500);
        let mut records = self.inner.store.files_of(&self.principal.name, after, limit + 1).await?;
        let more = records.len() > limit as usize;
        records.truncate(limit as usize);
        let last = records.last().filter(|_| more);
        let next_cursor = last.map(|record| format!("{}-{}", record.time_ms, record.key));
        Ok(Page { items: records.iter().map(|record| self.kept("", record)).collect(), next_cursor })
    }
}

/// `text/csv` and the like.
fn is_media_type(text: &str) -> bool {
    let token = |part: &str| {
        (1..=100).contains(&part.len())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    text.split_once('/').is_some_and(|(kind, name)| token(kind) && token(name) && kind != "multipart")
}
