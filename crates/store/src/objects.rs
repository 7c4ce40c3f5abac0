//! Objects: content under a name of somebody's choice, such as drawings, BCF files and results of simulations, each change a version
//! that stays. Models are none of these: their versions are deltas with a history of their own.

use crate::error::StoreError;
use crate::sql::objects;
use crate::store::Store;
use crate::types::{ObjectDraft, ObjectRecord};
use contract::Page;

/// Bytes of a key.
const KEY_BYTES: usize = 512;
const PAGE_MAX: u32 = 200;

impl Store {
    /// Adds a version of an object. With `expected`, only where its newest version is this one, or where there is none for an
    /// empty one; else the newest is answered as the error.
    pub async fn put_object(
        &self,
        draft: ObjectDraft,
        expected: Option<String>,
    ) -> Result<Result<ObjectRecord, Option<ObjectRecord>>, StoreError> {
        self.may_change()?;
        check_key(&draft.key)?;
        self.database().write(move |c| objects::put(c, &draft, expected.as_deref())).await
    }

    /// An object's newest version, or the one named; a delete marker is a version without content.
    pub async fn object(&self, key: &str, version: Option<&str>) -> Result<Option<ObjectRecord>, StoreError> {
        let (key, version) = (key.to_owned(), version.map(str::to_owned));
        self.database()
            .read(move |c| match version {
                Some(version) => objects::version(c, &key, &version),
                None => objects::newest(c, &key),
            })
            .await
    }

    /// Objects whose keys begin so, by key, each in its newest version; at most 200.
    pub async fn objects(
        &self,
        prefix: &str,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<ObjectRecord>, StoreError> {
        let (prefix, after) = (prefix.to_owned(), cursor.map(str::to_owned));
        self.database()
            .read(move |c| objects::page(c, &prefix, limit.clamp(1, PAGE_MAX), after.as_deref()))
            .await
    }

    /// Every version of an object, the newest first; at most 200.
    pub async fn object_versions(
        &self,
        key: &str,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<ObjectRecord>, StoreError> {
        let (key, before) = (key.to_owned(), cursor.map(str::to_owned));
        self.database()
            .read(move |c| objects::versions(c, &key, limit.clamp(1, PAGE_MAX), before.as_deref()))
            .await
    }
}

/// A key is a path of plain names, so that it means the same in an address, on a disk and in a bucket.
fn check_key(key: &str) -> Result<(), StoreError> {
    let plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('\\');
    let fits = key.len() <= KEY_BYTES && !key.chars().any(char::is_control) && key.split('/').all(plain);
    if fits {
        return Ok(());
    }
    Err(StoreError::Inconsistent(format!(
        "an object's key is names with slashes between them, up to {KEY_BYTES} bytes in all, none of them empty, `.` or `..`"
    )))
}
