//! Links to files of the bucket that hold for a while and need no other right: for programs that were asked to work on such a
//! file, which have no account here. Who knows the link may read the file; nobody can make one but this process.

use crate::WebState;
use crate::file::{CachePolicy, FileResponse, send};
use crate::reply::refuse;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, Response};
use axum::routing::get;
use contract::{Fault, FaultCode};
use serde::Deserialize;
use std::fmt;
use std::io;
use std::path::{Component, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use subtle::ConstantTimeEq;

/// The time in seconds for which a link holds.
const HOLDS: u64 = 15 * 60;

/// Makes and checks links to files below one folder.
pub struct Links {
    key: [u8; 32],
    root: PathBuf,
    public_url: String,
}

impl fmt::Debug for Links {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Links").field("root", &self.root).finish_non_exhaustive()
    }
}

impl Links {
    /// Links to files below `root`, under this server's own address. The key is new with each process.
    pub fn new(root: PathBuf, public_url: &str) -> io::Result<Self> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)?;
        Ok(Self { key, root: root.canonicalize()?, public_url: public_url.to_owned() })
    }

    /// A link to a file; none if it is not below the folder.
    pub fn to(&self, file: &std::path::Path) -> Option<String> {
        let file = file.canonicalize().ok()?;
        let name = file.strip_prefix(&self.root).ok()?.to_str()?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._/".contains(&byte);
        if !name.bytes().all(plain) {
            return None;
        }
        let until = now() + HOLDS;
        let signature = self.sign(name, until);
        Some(format!("{}/bucket/signed/{name}?until={until}&signature={signature}", self.public_url))
    }

    /// The file that a link leads to, if this process made it and it still holds.
    fn follow(&self, name: &str, until: u64, signature: &str) -> Option<PathBuf> {
        let expected = self.sign(name, until);
        let is_signed = bool::from(expected.as_bytes().ct_eq(signature.as_bytes()));
        let path = std::path::Path::new(name);
        let below = path.components().all(|part| matches!(part, Component::Normal(_)));
        (is_signed && until >= now() && below).then(|| self.root.join(path))
    }

    /// HMAC-SHA256 (RFC 2104) over the name and the time.
    fn sign(&self, name: &str, until: u64) -> String {
        service::mac(&self.key, &format!("{until}\n{name}"))
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

pub(crate) fn routes() -> Router<Arc<WebState>> {
    Router::new().route("/bucket/signed/{*name}", get(signed))
}

#[derive(Deserialize)]
struct Signature {
    until: u64,
    signature: String,
}

async fn signed(
    State(shared): State<Arc<WebState>>,
    headers: HeaderMap,
    Path(name): Path<String>,
    Query(given): Query<Signature>,
) -> Response<Body> {
    let links = shared.options.links.as_ref();
    match links.and_then(|links| links.follow(&name, given.until, &given.signature)) {
        Some(path) => {
            let tag = tag_of(&name);
            let sent = FileResponse {
                media_type: "application/octet-stream",
                tag: &tag,
                keep: CachePolicy::Revalidate,
                save_as: None,
            };
            send(&path, &sent, &headers).await
        }
        None => refuse(&Fault::new(
            FaultCode::PermissionDenied,
            "This link does not hold, or not any more. Ask for what you wanted again to get another.",
        )),
    }
}

/// Blobs never change under their name, nor do files that are being taken in.
fn tag_of(name: &str) -> String {
    name.replace('/', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_its_file_alone_and_only_for_a_while() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("ab")).unwrap();
        let file = folder.path().join("ab/cd");
        std::fs::write(&file, "text").unwrap();
        let links = Links::new(folder.path().to_owned(), "http://here").unwrap();
        let link = links.to(&file).unwrap();
        assert!(link.starts_with("http://here/bucket/signed/ab/cd?until="), "{link}");
        let (_, signature) = link.rsplit_once('=').unwrap();
        let until: u64 = link.split(['=', '&']).nth(1).unwrap().parse().unwrap();
        assert!(links.follow("ab/cd", until, signature).is_some());
        assert!(links.follow("ab/ce", until, signature).is_none());
        assert!(links.follow("ab/cd", until + 1, signature).is_none());
        assert!(links.follow("ab/cd", until, "").is_none());
        assert!(links.follow("ab/cd", 1, &links.sign("ab/cd", 1)).is_none());
        assert!(links.follow("../cd", until, &links.sign("../cd", until)).is_none());
        assert!(links.to(std::path::Path::new("/etc/passwd")).is_none());
        let other = Links::new(folder.path().to_owned(), "http://here").unwrap();
        assert!(other.follow("ab/cd", until, signature).is_none());
    }
}
