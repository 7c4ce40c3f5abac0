//! A copy of everything, taken while others work, and the way back from it.
//!
//! First the database as it is at one moment, then the blobs that it names: they were there before it named them and never
//! change, so the copy is of that moment however long it takes. A folder that has an earlier copy gets what is new. What is copied is
//! read whole and held against its hash, so that damage is found while there is still an original.

use crate::blobs::{Blobs, blocking};
use crate::database;
use crate::error::StoreError;
use crate::private;
use crate::store::{DATABASE, Store};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

/// The file in a copy that describes it.
const MANIFEST: &str = "backup.json";
/// The form of copies that this program makes and reads.
const FORM: u32 = 1;

/// The contents of a copy: counts of what was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupReport {
    /// The form of the copy.
    pub form: u32,
    /// The program's version.
    pub program: String,
    /// Unix time in milliseconds of the moment that it shows.
    pub time_ms: u64,
    /// SHA-256 of the database.
    pub database_sha256: String,
    /// Blobs in it.
    pub blobs: u64,
    /// Bytes of those.
    pub bytes: u64,
    /// Of the blobs, those that were copied this time.
    #[serde(default)]
    pub copied: u64,
    /// Blobs that can be made again and were gone already.
    #[serde(default)]
    pub left_out: u64,
}

impl Store {
    /// Copies everything into a folder, which may hold an earlier copy of the same store.
    pub async fn backup(&self, to: &Path) -> Result<BackupReport, StoreError> {
        if self.database().is_shared() {
            return Err(StoreError::Config(
                "a PostgreSQL database is backed up with its own programs (pg_dump, or an archive of its log), and a \
                 bucket elsewhere with those of its provider; the database first, then the bucket"
                    .into(),
            ));
        }
        let blobs_folder = to.join("blobs");
        for folder in [to, blobs_folder.as_path()] {
            private::folder(folder).map_err(StoreError::io(folder))?;
        }
        let (from, fresh) = (self.folder().join(DATABASE), to.join("pensaer.db.new"));
        let time_ms = crate::now_ms();
        let taken = fresh.clone();
        blocking(move || {
            let _ = fs::remove_file(&taken);
            database::copy_file(&from, &taken)?;
            private::file(&taken).map_err(StoreError::io(&taken))?;
            File::open(&taken).and_then(|file| file.sync_all()).map_err(StoreError::io(&taken))
        })
        .await?;
        let needed = named_in(&fresh).await?;
        let mut report = BackupReport {
            form: FORM,
            program: env!("CARGO_PKG_VERSION").into(),
            time_ms,
            database_sha256: hash_of(&fresh).await?.1,
            blobs: 0,
            bytes: 0,
            copied: 0,
            left_out: 0,
        };
        let there = Blobs::open(&blobs_folder, true)?;
        for (sha256, again) in needed {
            let had = there.exists(&sha256).await?;
            let size =
                if had { there.size(&sha256).await? } else { self.copy_blob(&sha256, &there, again).await? };
            if !had && size == 0 && again && !there.exists(&sha256).await? {
                report.left_out += 1;
                continue;
            }
            report.blobs += 1;
            report.bytes += size;
            report.copied += u64::from(!had);
        }
        let to = to.to_owned();
        let written = report.clone();
        blocking(move || {
            let text = serde_json::to_vec_pretty(&written)?;
            let (manifest, new) = (to.join(MANIFEST), to.join("backup.json.new"));
            let mut file = File::create(&new).map_err(StoreError::io(&new))?;
            private::file(&new).map_err(StoreError::io(&new))?;
            file.write_all(&text).and_then(|()| file.sync_all()).map_err(StoreError::io(&new))?;
            // the database first: a manifest that does not fit it is found by its hash
            let database = to.join(DATABASE);
            fs::rename(&fresh, &database).map_err(StoreError::io(&database))?;
            fs::rename(&new, &manifest).map_err(StoreError::io(&manifest))?;
            File::open(&to).and_then(|folder| folder.sync_all()).map_err(StoreError::io(&to))
        })
        .await?;
        Ok(report)
    }

    /// Copies one blob and answers its size; one that can be made `again` may be gone.
    async fn copy_blob(&self, sha256: &str, there: &Blobs, again: bool) -> Result<u64, StoreError> {
        let from = match self.blobs().file(sha256).await {
            Ok(path) if again && !path.exists() => return Ok(0),
            Err(StoreError::NotFound { .. }) if again => return Ok(0),
            other => other?,
        };
        let staged = there.stage(&from, u64::MAX).await?;
        if staged.blob().sha256 != sha256 {
            return Err(StoreError::Damaged(format!(
                "blob {sha256} has other bytes than its name says; `pensaer admin fsck --deep` lists all that are damaged"
            )));
        }
        Ok(there.adopt(staged).await?.size)
    }
}

/// Puts a copy into a folder that has no store yet.
pub async fn restore(from: &Path, into: &Path) -> Result<BackupReport, StoreError> {
    let manifest = from.join(MANIFEST);
    let text = fs::read(&manifest).map_err(StoreError::io(&manifest))?;
    let report: BackupReport = serde_json::from_slice(&text)?;
    if report.form != FORM {
        return Err(StoreError::Config(format!(
            "this copy has form {}, and this program reads form {FORM}; use the program that made it ({})",
            report.form, report.program
        )));
    }
    let database = into.join(DATABASE);
    if database.exists() || into.join("blobs").read_dir().is_ok_and(|mut inside| inside.next().is_some()) {
        return Err(StoreError::Config(format!(
            "{} holds a store already; restore into another folder",
            into.display()
        )));
    }
    let source = from.join(DATABASE);
    if hash_of(&source).await?.1 != report.database_sha256 {
        return Err(StoreError::Damaged(format!("{} is not the database of this copy", source.display())));
    }
    let folder = into.join("blobs");
    for folder in [into, folder.as_path()] {
        private::folder(folder).map_err(StoreError::io(folder))?;
    }
    let (here, there) = (Blobs::open(&from.join("blobs"), false)?, Blobs::open(&folder, true)?);
    for (sha256, again) in named_in(&source).await? {
        if again && !here.exists(&sha256).await? {
            continue;
        }
        let staged = there.stage(&here.file(&sha256).await?, u64::MAX).await?;
        if staged.blob().sha256 != sha256 {
            return Err(StoreError::Damaged(format!("blob {sha256} of the copy is damaged")));
        }
        there.adopt(staged).await?;
    }
    // the database comes last: without it there is no store
    let partial = into.join("pensaer.db.restored");
    blocking(move || {
        fs::copy(&source, &partial).map_err(StoreError::io(&partial))?;
        private::file(&partial).map_err(StoreError::io(&partial))?;
        File::open(&partial).and_then(|file| file.sync_all()).map_err(StoreError::io(&partial))?;
        fs::rename(&partial, &database).map_err(StoreError::io(&database))
    })
    .await?;
    Ok(report)
}

/// The blobs that a database file names, each with whether it can be made again.
async fn named_in(file: &Path) -> Result<Vec<(String, bool)>, StoreError> {
    let file = file.to_owned();
    blocking(move || {
        let connection = database::open_copy(&file)?;
        let derived: HashSet<String> = crate::sql::check::derived(&connection)?.into_iter().collect();
        let needed: HashSet<String> = crate::sql::check::needed(&connection)?.into_iter().collect();
        let again = derived.difference(&needed).map(|sha256| (sha256.clone(), true)).collect::<Vec<_>>();
        Ok(needed.iter().map(|sha256| (sha256.clone(), false)).chain(again).collect())
    })
    .await
}

/// Size and SHA-256 of a file.
async fn hash_of(file: &Path) -> Result<(u64, String), StoreError> {
    let file = file.to_owned();
    blocking(move || {
        let mut source = File::open(&file).map_err(StoreError::io(&file))?;
        let (mut hash, mut size, mut buffer) = (Sha256::new(), 0, vec![0_u8; 1 << 20]);
        loop {
            let read = source.read(&mut buffer).map_err(StoreError::io(&file))?;
            let Some(bytes @ [_, ..]) = buffer.get(..read) else {
                return Ok((size, contract::hex(&hash.finalize())));
            };
            hash.update(bytes);
            size += bytes.len() as u64;
        }
    })
    .await
}
