//! The store looked through: what of it is not as it was written, by name, and what can be brought back from where.
//!
//! Whatever is proposed is proven first: a row by the hash that the audit log has of it, a delta by the id of its version, a blob by
//! its name. `repair` writes nothing else.

mod remedies;

use crate::database::Connection;
use crate::error::StoreError;
use crate::finding::{About, Finding, Mended};
use crate::heads;
use crate::sql::mend;
use crate::sql::tables::Table;
use crate::sql::{self, versions};
use crate::store::Store;
use contract::{ModelId, VersionId};
use remedies::Backup;
use std::collections::HashSet;
use std::path::Path;

/// The most findings for which something to bring back is looked for.
const SOUGHT: usize = 100;

/// The outcome of a look through the store.
#[derive(Debug, Default)]
pub struct Inspection {
    /// Everything that is not as it was written; empty if all is well.
    pub findings: Vec<Finding>,
    /// Sentences about rows that could not be held against anything.
    pub notes: Vec<String>,
}

impl Store {
    /// Returns the faults of the data folder as sentences; empty if all is well. `deep` reads everything.
    pub async fn check(&self, deep: bool) -> Result<Vec<String>, StoreError> {
        let inspection = self.inspect(deep, None).await?;
        Ok(inspection.findings.into_iter().map(|finding| finding.problem).collect())
    }

    /// Looks through the store. `deep` reads every blob and every delta, and holds each version's id against them; a copy that
    /// [`Store::backup`] made is looked into for what is damaged here.
    pub async fn inspect(&self, deep: bool, copy: Option<&Path>) -> Result<Inspection, StoreError> {
        let known = heads::read(&self.folder().join(heads::FILE))?;
        let (mut findings, notes) = self.database().read(move |c| sql::check::problems(c, &known)).await?;
        findings.extend(self.blobs_in_doubt(deep).await?);
        if deep {
            findings.extend(self.versions_in_doubt().await?);
        }
        let copy = copy.map(Backup::open).transpose()?;
        for finding in findings.iter_mut().take(SOUGHT) {
            self.seek(finding, copy.as_ref()).await?;
        }
        Ok(Inspection { findings, notes })
    }

    /// Brings back what an inspection found again, in the name of `by`; how many findings that was. `what` is what the audit log
    /// calls it.
    pub async fn repair(&self, inspection: &Inspection, by: &str, what: &str) -> Result<usize, StoreError> {
        self.may_change()?;
        let (mut rows, mut deltas, mut done) = (Vec::new(), Vec::new(), 0);
        let mut seen = HashSet::new();
        for finding in &inspection.findings {
            let Some(mended) = &finding.mended else { continue };
            done += 1;
            match mended {
                Mended::Blob(sha256, from) => self.blobs().put_back(sha256, from).await?,
                Mended::Forgotten(sha256) => {
                    let (wanted, by, what) = (sha256.clone(), by.to_owned(), what.to_owned());
                    self.database().write(move |c| mend::forget(c, &wanted, (&by, &what))).await?;
                    self.blobs().remove_old(sha256, u64::MAX).await?;
                }
                Mended::Delta(version, bytes) => deltas.push((version.clone(), bytes.clone())),
                Mended::Row(row) => {
                    if seen.insert((row.table.name, row.key.clone())) {
                        rows.push(row.clone());
                    }
                }
            }
        }
        if !rows.is_empty() || !deltas.is_empty() {
            // what others refer to comes first
            rows.sort_by_key(|row| order(row.table));
            let (by, what) = (by.to_owned(), what.to_owned());
            self.database().write(move |c| mend::put_back(c, &rows, &deltas, (&by, &what))).await?;
        }
        Ok(done)
    }

    /// Blobs that are not there or not what their names say.
    async fn blobs_in_doubt(&self, deep: bool) -> Result<Vec<Finding>, StoreError> {
        let blobs = match self.database().read(sql::check::blobs).await {
            Err(StoreError::Damaged(why)) => {
                let problem = format!("it cannot be told which blobs have to be there: {why}");
                return Ok(vec![Finding::new(problem, About::Other)]);
            }
            other => other?,
        };
        let there: HashSet<String> = self.blobs().list().await?.into_iter().map(|blob| blob.sha256).collect();
        let mut findings = Vec::new();
        for sha256 in blobs {
            // what came after the list was made is asked for by itself
            let state = if !there.contains(&sha256) && !self.blobs().exists(&sha256).await? {
                "is missing"
            } else if deep && !self.blobs().is_whole(&sha256).await? {
                "is damaged"
            } else {
                continue;
            };
            let wanted = sha256.clone();
            let names = self.database().read(move |c| sql::check::names_of(c, &wanted)).await?;
            let names = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
            findings.push(Finding::new(format!("blob {sha256} {state}{names}"), About::Blob(sha256)));
        }
        Ok(findings)
    }

    /// Versions whose ids are not the hashes of their parents and of what they are kept as.
    async fn versions_in_doubt(&self) -> Result<Vec<Finding>, StoreError> {
        let (mut findings, blobs) = match self.database().read(ids_in_rows).await {
            Err(StoreError::Damaged(why)) => {
                let problem = format!("the versions cannot be read through: {why}");
                return Ok(vec![Finding::new(problem, About::Other)]);
            }
            other => other?,
        };
        for (version, model, parent, sha256) in blobs {
            let bytes = match self.blobs().get(&sha256).await {
                Ok(bytes) => bytes,
                // told of already
                Err(StoreError::NotFound { .. } | StoreError::Damaged(_)) => continue,
                Err(error) => return Err(error),
            };
            if VersionId::of_delta(&parent, &bytes) == version {
                continue;
            }
            if contract::sha256_hex(&bytes) == sha256 {
                findings.push(Finding::new(
                    format!(
                        "version {version} of model {model}: blob {sha256}, its delta by the column delta_sha256, is not what \
                         its id was made of"
                    ),
                    About::Other,
                ));
            } else if self.blobs().is_elsewhere() {
                let copy = self.blobs().path(&sha256);
                findings.push(Finding::told(
                    format!(
                        "version {version} of model {model}: the copy of its delta in {} is damaged",
                        copy.display()
                    ),
                    Some("remove that file: it is fetched from the bucket again".to_owned()),
                ));
            }
        }
        Ok(findings)
    }
}

/// Where a table stands among those that refer to one another.
fn order(table: &Table) -> usize {
    ["models", "versions", "checkpoints", "events", "refs", "approvals"]
        .iter()
        .position(|name| *name == table.name)
        .unwrap_or(usize::MAX)
}

/// Versions whose deltas are blobs: the version, its model, its parent, the blob.
type InBlobs = Vec<(VersionId, ModelId, VersionId, String)>;

/// Holds the ids of versions against what is in their rows, and answers those whose deltas are blobs.
fn ids_in_rows(connection: &Connection) -> Result<(Vec<Finding>, InBlobs), StoreError> {
    let (mut findings, mut blobs) = (Vec::new(), Vec::new());
    versions::each_kept(connection, |kept| {
        let versions::Kept { version, model, parent, inline, delta, file } = kept;
        let problem = match (inline, delta, file, &parent) {
            (Some(bytes), _, _, Some(parent)) if VersionId::of_delta(parent, &bytes) == version => {
                return Ok(());
            }
            (Some(bytes), _, _, _) => {
                format!(
                    "its delta ({} bytes in the column delta) is damaged, or it has another parent",
                    bytes.len()
                )
            }
            (None, Some(sha256), _, Some(parent)) => {
                blobs.push((version, model, parent.clone(), sha256));
                return Ok(());
            }
            (None, None, Some(sha256), parent)
                if VersionId::of_file(&model, parent.as_ref(), &sha256) == version =>
            {
                return Ok(());
            }
            (None, None, Some(sha256), _) => {
                format!("blob {sha256}, its file by the column file_sha256, is not what its id was made of")
            }
            (None, _, _, _) => "nothing is kept that its id was made of".to_owned(),
        };
        let problem = format!("version {version} of model {model}: {problem}");
        findings.push(Finding::new(problem, About::Delta { version, parent }));
        Ok(())
    })?;
    Ok((findings, blobs))
}
