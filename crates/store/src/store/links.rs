//! Links that need no other right.

use super::Store;
use crate::error::StoreError;
use crate::sql;
use crate::types::LinkRow;

impl Store {
    /// Keeps a link; those that do not hold any more are forgotten with it.
    pub async fn put_link(&self, link: LinkRow) -> Result<(), StoreError> {
        self.database.write(move |c| sql::links::put(c, &link)).await
    }

    /// The link whose secret has this SHA-256, if it holds and is not used up.
    pub async fn link(&self, secret_sha256: &str) -> Result<Option<LinkRow>, StoreError> {
        let secret_sha256 = secret_sha256.to_owned();
        self.database.look_up(move |c| sql::links::find(c, &secret_sha256, crate::now_ms())).await
    }

    /// Uses a link up; false where somebody did before, or it does not hold any more.
    pub async fn use_link(&self, secret_sha256: &str) -> Result<bool, StoreError> {
        let secret_sha256 = secret_sha256.to_owned();
        self.database.write(move |c| sql::links::use_up(c, &secret_sha256, crate::now_ms())).await
    }
}
