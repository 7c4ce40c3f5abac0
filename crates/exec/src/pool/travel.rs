//! Requests and answers between this machine and another, which share no files: what a request names by its path is sent
//! along or linked to, and what an answer keeps there is fetched.

use super::PoolConfig;
use crate::Endpoint;
use crate::host::time_left;
use contract::{Artifact, Fault, FaultCode, Request, Source};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// From a file's path to its address.
type Address = dyn Fn(&Path) -> Option<String> + Send + Sync;

/// Makes an address of this machine from which a service elsewhere can have a file for a while; none where there is no
/// such address.
#[derive(Clone)]
pub struct Linker(pub Arc<Address>);

impl fmt::Debug for Linker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Linker")
    }
}

/// A request as a service on another machine can answer it.
pub(super) async fn pack(request: &mut Request, config: &PoolConfig) -> Result<(), Fault> {
    // clocks differ: what is left of the time means the same everywhere
    if let Some(left) = time_left(request.deadline_ms) {
        let left = (left.as_millis() as u64).max(1);
        let wall = request.limits.wall_ms;
        request.limits.wall_ms = if wall == 0 { left } else { wall.min(left) };
        request.deadline_ms = 0;
    }
    request.scratch = None;
    let mut sources: Vec<&mut Source> = Vec::new();
    for model in &mut request.models {
        sources.extend(model.base.iter_mut().chain(&mut model.deltas));
    }
    sources.extend(request.files.iter_mut().map(|file| &mut file.source));
    for source in sources {
        if let Source::Path(path) = source {
            *source = carried(Path::new(path), config).await?;
        }
    }
    Ok(())
}

/// A file within the request if it is small, else an address for it, else within the request all the same.
async fn carried(path: &Path, config: &PoolConfig) -> Result<Source, Fault> {
    let unreadable =
        |error: std::io::Error| Fault::backend(format!("{} cannot be read: {error}.", path.display()));
    let size = tokio::fs::metadata(path).await.map_err(unreadable)?.len();
    if size > config.inline_bytes
        && let Some(link) = config.link.as_ref().and_then(|linker| (linker.0)(path))
    {
        return Ok(Source::Href(link));
    }
    if size > config.carried_bytes {
        return Err(Fault::new(
            FaultCode::LimitReached,
            format!(
                "A file of {size} bytes is too large to be sent along to an execution service elsewhere, and that service \
                 has no address to fetch it from. Give this server a public_url that it can reach."
            ),
        )
        .with("limit", "carried_bytes")
        .with("limit_bytes", config.carried_bytes));
    }
    Ok(Source::inline(&tokio::fs::read(path).await.map_err(unreadable)?))
}

/// Fetches what an answer keeps at its service into the folder that the request gave for files.
pub(super) async fn unpack(
    artifact: &mut Artifact,
    scratch: Option<&str>,
    endpoint: &Endpoint,
    limit: u64,
) -> Result<(), Fault> {
    let mut number = 0;
    let mut wanted: Vec<(&mut Source, Option<(&str, u64)>)> = Vec::new();
    for change in &mut artifact.changes {
        wanted.extend(change.delta.iter_mut().map(|source| (source, None)));
        wanted.extend(
            change.file.iter_mut().map(|file| (&mut file.source, Some((file.sha256.as_str(), file.size)))),
        );
    }
    wanted.extend(
        artifact.files.iter_mut().map(|file| (&mut file.source, Some((file.sha256.as_str(), file.size)))),
    );
    for (source, known) in wanted {
        let Source::Href(at) = source else {
            if matches!(source, Source::Path(_)) {
                return Err(Fault::backend("A service elsewhere answered a path, which means nothing here."));
            }
            continue;
        };
        if !at.starts_with("/files/") {
            return Err(Fault::backend("A service elsewhere answered a link that is not its own."));
        }
        let Some(folder) = scratch else {
            return Err(Fault::backend(
                "A service elsewhere made a file, but the request gave no folder for files.",
            ));
        };
        number += 1;
        let path = Path::new(folder).join(format!("fetched-{number}"));
        let (size, sha256) = endpoint.download(at, &path, limit).await?;
        if known
            .is_some_and(|(expected, bytes)| (!expected.is_empty() && expected != sha256) || bytes != size)
        {
            return Err(Fault::backend(
                "A file was damaged on its way from a service elsewhere. Try once more.",
            ));
        }
        *source = Source::Path(path.display().to_string());
    }
    Ok(())
}
