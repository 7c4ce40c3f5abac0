//! Public collections of archives, as the settings name them: an address, and what fetches from there.

use contract::{BoxFuture, FetchProblem};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::fmt;
use std::sync::Arc;

/// Everything but what stands in a path as it is: the unreserved characters of RFC 3986, 2.3, and the slash.
pub(crate) const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// An archive that was fetched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fetched {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The SHA-256 that the server states of it, in hexadecimal, if it states one.
    pub stated_sha256: Option<String>,
}

/// A function that fetches an address, bounded in bytes and time.
pub type FetchArchive =
    Arc<dyn Fn(String, u64) -> BoxFuture<'static, Result<Fetched, FetchProblem>> + Send + Sync>;

/// A collection of archives.
#[derive(Clone, Default)]
pub struct Collection {
    /// The address of the collection, or of the mirror that stands in for it.
    pub address: String,
    /// The function that fetches from there. Where there is none, only what is here already is answered.
    pub fetch: Option<FetchArchive>,
}

impl fmt::Debug for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collection")
            .field("address", &self.address)
            .field("fetches", &self.fetch.is_some())
            .finish()
    }
}

impl Collection {
    /// The address of a file below the collection. What stands in an index as a name is no address yet.
    pub(crate) fn address_of(&self, path: &str) -> String {
        format!("{}/{}", self.address.trim_end_matches('/'), utf8_percent_encode(path, PATH))
    }
}
