//! Files that an operation makes: written into the caller's folder, or carried in the answer where there is none.

use contract::{Fault, FaultCode, FileInput, FileOut, OperationId, Request, Source};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

/// The place where the files of an operation go: the caller's folder, or the answer itself where there is none.
#[derive(Debug, Clone)]
pub struct Destination {
    operation_id: OperationId,
    folder: Option<String>,
}

impl Destination {
    /// The place that a request names.
    pub fn from_request(request: &Request) -> Self {
        Self { operation_id: request.operation_id.clone(), folder: request.scratch.clone() }
    }

    /// Lets `write` make a file of this name. The folder may be shared with other requests, so that the file lies there under
    /// another one.
    pub fn make(
        &self,
        role: &str,
        name: &str,
        media_type: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<FileOut, Fault> {
        let in_folder = name_of(&self.operation_id, name);
        let file = write_to(self.folder.as_deref(), role, in_folder, media_type, write)?;
        Ok(FileOut { name: name.to_owned(), ..file })
    }
}

/// A name for a file of this request, unlike those of others.
pub fn name(request: &Request, what: &str) -> String {
    name_of(&request.operation_id, what)
}

fn name_of(operation_id: &OperationId, what: &str) -> String {
    let id = operation_id.as_str().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-');
    format!("{}-{what}", id.take(64).collect::<String>())
}

/// The bytes of a file that came with a request, at most so many.
pub fn bytes(file: &FileInput, limit: u64) -> Result<Vec<u8>, Fault> {
    let too_large = || {
        Fault::new(
            FaultCode::LimitReached,
            format!("The file {:?} has more than {limit} bytes. Nothing was read of it.", file.role),
        )
    };
    match &file.source {
        Source::Path(path) => {
            let mut bytes = Vec::new();
            let opened = File::open(path)
                .and_then(|opened| opened.take(limit.saturating_add(1)).read_to_end(&mut bytes));
            opened.map_err(|error| {
                Fault::new(
                    FaultCode::NotFound,
                    format!("The file {:?} of the request cannot be read: {error}.", file.role),
                )
            })?;
            if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
        }
        Source::Inline(_) => {
            let bytes = file.source.inline_bytes().ok_or_else(|| {
                Fault::invalid("files", format!("The bytes of the file {:?} are no base64.", file.role))
            })?;
            if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
        }
        Source::Href(_) => Err(Fault::new(
            FaultCode::NotSupported,
            format!("The file {:?} is behind a link, which is not followed here.", file.role),
        )),
    }
}

/// Puts bytes where the caller finds them.
pub fn out(
    request: &Request,
    role: &str,
    name: String,
    media_type: &str,
    bytes: &[u8],
) -> Result<FileOut, Fault> {
    put(request.scratch.as_deref(), role, name, media_type, bytes)
}

fn put(
    folder: Option<&str>,
    role: &str,
    name: String,
    media_type: &str,
    bytes: &[u8],
) -> Result<FileOut, Fault> {
    let source = match folder {
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
        sha256: contract::sha256_hex(bytes),
        size: bytes.len() as u64,
        media_type: media_type.to_owned(),
    })
}

/// Lets `write` put a file where the caller finds it; only where there is no folder does it pass through memory whole.
pub fn out_with(
    request: &Request,
    role: &str,
    name: String,
    media_type: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<FileOut, Fault> {
    write_to(request.scratch.as_deref(), role, name, media_type, write)
}

fn write_to(
    folder: Option<&str>,
    role: &str,
    name: String,
    media_type: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<FileOut, Fault> {
    let Some(folder) = folder else {
        let mut bytes = Vec::new();
        write(&mut bytes).map_err(|error| Fault::backend(format!("Cannot write {name}: {error}.")))?;
        return put(None, role, name, media_type, &bytes);
    };
    let path = Path::new(folder).join(&name);
    let failed = |error: io::Error| Fault::backend(format!("Cannot write {}: {error}.", path.display()));
    let file = BufWriter::with_capacity(1 << 18, File::create(&path).map_err(failed)?);
    let mut hashing = Hashing { out: file, hash: Sha256::new(), size: 0 };
    write(&mut hashing).and_then(|()| hashing.flush()).map_err(failed)?;
    Ok(FileOut {
        role: role.to_owned(),
        source: Source::Path(path.display().to_string()),
        sha256: contract::hex(&hashing.hash.finalize()),
        size: hashing.size,
        media_type: media_type.to_owned(),
        name,
    })
}

/// Passes bytes on, and counts and hashes them.
struct Hashing<W> {
    out: W,
    hash: Sha256,
    size: u64,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hash.update(bytes.get(..written).unwrap_or_default());
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
