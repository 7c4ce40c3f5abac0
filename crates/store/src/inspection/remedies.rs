//! Remedies of findings: what can be brought back is looked for in the row itself, in the log of events, on this machine, and in a
//! copy.

use crate::blobs::{Blobs, blocking};
use crate::database::{self, Connection};
use crate::error::StoreError;
use crate::finding::{About, Finding, Mended};
use crate::mend as search;
use crate::sql;
use crate::sql::mend::{self, Reach, WholeRow};
use crate::sql::tables::Table;
use crate::store::{DATABASE, Store};
use contract::VersionId;
use std::path::{Path, PathBuf};

/// A copy of a store that `Store::backup` made.
pub(super) struct Backup {
    folder: PathBuf,
    blobs: Blobs,
}

impl Backup {
    /// Opens the copy in a folder.
    pub(super) fn open(folder: &Path) -> Result<Self, StoreError> {
        let blobs = folder.join("blobs");
        if !folder.join(DATABASE).is_file() || !blobs.is_dir() {
            return Err(StoreError::Config(format!(
                "{} is no copy that `pensaer admin backup` made",
                folder.display()
            )));
        }
        Ok(Self { folder: folder.to_owned(), blobs: Blobs::open(&blobs, false)? })
    }

    /// Reads something in the copy's database.
    async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let file = self.folder.join(DATABASE);
        blocking(move || work(&database::open_copy(&file)?)).await
    }
}

impl Store {
    /// Looks for what a finding is about, in whatever may have it.
    pub(super) async fn seek(&self, finding: &mut Finding, copy: Option<&Backup>) -> Result<(), StoreError> {
        match finding.about.clone() {
            About::Row { table, key, sha256, marks } => {
                if let Some((row, from)) = self.row_again(table, &key, (sha256, marks), copy).await? {
                    finding.found_again(Mended::Row(row), from);
                } else {
                    finding.remedy = Some(without_proof(table, copy));
                }
            }
            About::Delta { version, parent } => self.seek_delta(finding, version, parent, copy).await?,
            About::Blob(sha256) => self.seek_blob(finding, &sha256, copy).await?,
            About::Log => {
                finding.remedy = Some(
                    "nothing can be put in its place here: hold the log against a checkpoint or an export that was kept \
                     elsewhere, and take a copy from before with `pensaer admin restore`"
                        .to_owned(),
                );
            }
            About::Projection => {
                finding.remedy = Some("the log of events says what it should be".to_owned());
            }
            About::Other => {}
        }
        Ok(())
    }

    /// The row that the audit log vouches for, and where it was found.
    async fn row_again(
        &self,
        table: &'static Table,
        key: &str,
        (sha256, marks): (String, String),
        copy: Option<&Backup>,
    ) -> Result<Option<(WholeRow, String)>, StoreError> {
        let (wanted, hash) = (key.to_owned(), sha256.clone());
        let here = self
            .database()
            .read(move |c| {
                if let Some(row) = mend::from_events(c, table, &wanted)?
                    && table.hash(&row.cells).sha256 == hash
                {
                    return Ok(Some((row, "it can be made again from the log of events".to_owned())));
                }
                let Some(row) = mend::row(c, table, &wanted)? else { return Ok(None) };
                Ok(search::row(table, &row.cells, (&hash, &marks)).map(|(cells, column)| {
                    let found = format!("one bit of its column {column} was flipped and can be flipped back");
                    (WholeRow { cells, ..row }, found)
                }))
            })
            .await?;
        if here.is_some() {
            return Ok(here);
        }
        let Some(copy) = copy else { return Ok(None) };
        let wanted = key.to_owned();
        let row = copy.ask(move |c| mend::row(c, table, &wanted)).await?;
        let row = row.filter(|row| table.hash(&row.cells).sha256 == sha256);
        Ok(row.map(|row| (row, format!("it is in the copy in {}", copy.folder.display()))))
    }

    async fn seek_delta(
        &self,
        finding: &mut Finding,
        version: VersionId,
        parent: Option<VersionId>,
        copy: Option<&Backup>,
    ) -> Result<(), StoreError> {
        let wanted = version.clone();
        let (bytes, (without, next)) =
            self.database().read(move |c| Ok((mend::delta(c, &wanted)?, mend::reach(c, &wanted)?))).await?;
        if let (Some(bytes), Some(parent)) = (bytes, &parent) {
            let (of, on) = (version.clone(), parent.clone());
            let found = blocking(move || Ok(search::delta(&of, &on, &bytes))).await?;
            if let Some((bytes, at)) = found {
                let remedy = format!("one bit of byte {at} was flipped and can be flipped back");
                finding.found_again(Mended::Delta(version, bytes), remedy);
                return Ok(());
            }
        }
        if let (Some(copy), Some(parent)) = (copy, &parent) {
            let wanted = version.clone();
            let bytes = copy.ask(move |c| mend::delta(c, &wanted)).await?;
            if let Some(bytes) = bytes.filter(|bytes| VersionId::of_delta(parent, bytes) == version) {
                let remedy = format!("it is in the copy in {}", copy.folder.display());
                finding.found_again(Mended::Delta(version, bytes), remedy);
                return Ok(());
            }
        }
        let rest = consequence(&version, (without, next));
        finding.remedy = Some(format!("a copy may have it (`--copy DIR`); without one, {rest}"));
        Ok(())
    }

    async fn seek_blob(
        &self,
        finding: &mut Finding,
        sha256: &str,
        copy: Option<&Backup>,
    ) -> Result<(), StoreError> {
        if let Some(copy) = copy
            && copy.blobs.exists(sha256).await?
            && copy.blobs.is_whole(sha256).await?
        {
            let from = copy.blobs.path(sha256);
            let remedy = format!("it is in the copy in {}", copy.folder.display());
            finding.found_again(Mended::Blob(sha256.to_owned(), from), remedy);
            return Ok(());
        }
        let here = self.blobs().path(sha256);
        if self.blobs().is_elsewhere() && self.blobs().is_whole_here(sha256).await? {
            let remedy = format!("it is whole on this machine, in {}", here.display());
            finding.found_again(Mended::Blob(sha256.to_owned(), here), remedy);
            return Ok(());
        }
        let wanted = sha256.to_owned();
        let (again, reach) = self
            .database()
            .read(move |c| Ok((sql::check::can_be_made_again(c, &wanted)?, mend::reach_of_blob(c, &wanted)?)))
            .await?;
        if again {
            let remedy = "it is made again from versions when it is asked for".to_owned();
            finding.found_again(Mended::Forgotten(sha256.to_owned()), remedy);
            return Ok(());
        }
        let mut remedy = "a copy has it under the same hash (`--copy DIR`)".to_owned();
        if self.blobs().is_elsewhere() {
            remedy.push_str(", or the bucket an earlier version of the object, if it keeps them");
        }
        if let Some((version, reach)) = reach {
            remedy.push_str("; without one, ");
            remedy.push_str(&consequence(&version, reach));
        }
        finding.remedy = Some(remedy);
        Ok(())
    }
}

/// The remedy of a row that was not found again.
fn without_proof(table: &Table, copy: Option<&Backup>) -> String {
    match copy {
        Some(copy) => format!("the copy in {} has no such {} either", copy.folder.display(), table.noun),
        None => "a copy may have it (`--copy DIR`)".to_owned(),
    }
}

/// The cost of losing a version's delta, in a sentence.
fn consequence(version: &VersionId, (without, next): Reach) -> String {
    let lost = match without {
        1 => "1 version, this one, does not open".to_owned(),
        _ => format!("{without} versions from this one on do not open"),
    };
    match next {
        Some(next) if next == *version => {
            "its content is kept as a whole file, too, and it opens from that; only what it changed is lost"
                .to_owned()
        }
        Some(next) => format!("{lost}, up to version {next}, which has a whole file of its own"),
        None => lost,
    }
}
