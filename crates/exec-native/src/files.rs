//! Files that an operation makes: written into the caller's folder, or carried in the answer where there is none.

use contract::{Fault, FileOut, Request, Source};
use exec::sha256_hex;
use std::path::Path;

/// A name for a file of this request, unlike those of others.
pub(crate) fn name(request: &Request, what: &str) -> String {
    let id = request.operation_id.as_str().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-');
    format!("{}-{what}", id.take(64).collect::<String>())
}

/// Puts bytes where the caller finds them.
pub(crate) fn out(
    request: &Request,
    role: &str,
    name: String,
    media_type: &str,
    bytes: &[u8],
) -> Result<FileOut, Fault> {
    let source = match &request.scratch {
        Some(folder) => {
            let path = Path::new(folder).join(&name);
            std::fs::write(&path, bytes)
                .map_err(|error| Fault::backend(format!("Cannot write {}: {error}.", path.display())))?;
            Source::Path(path.display().to_string())
        }
        None => Source::inline(bytes),
    };
    Ok(FileOut {
        role: role.to_owned(),
        name,
        source,
        sha256: sha256_hex(bytes),
        size: bytes.len() as u64,
        media_type: media_type.to_owned(),
    })
}
