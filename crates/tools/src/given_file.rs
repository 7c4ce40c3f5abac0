//! The bytes of a file that came with a call.

use crate::IfcCall;
use contract::{Fault, FaultCode, FileInput, Source};
use std::io::Read;

/// The bytes of the file of a role, at most so many; `None` where the call was given none.
pub(crate) fn bytes(call: &IfcCall, role: &str, field: &str, most: usize) -> Result<Option<Vec<u8>>, Fault> {
    let file = call.files.iter().find(|file| file.role == role);
    file.map(|file| read(file, field, most)).transpose()
}

/// The bytes of a file that a parameter names, or that are its own text: of several lines, or markup.
pub(crate) fn bytes_or_text(call: &IfcCall, field: &str, given: &str, most: usize) -> Result<Vec<u8>, Fault> {
    if given.contains('\n') || given.trim_start().starts_with('<') {
        return Ok(given.as_bytes().to_vec());
    }
    let named = bytes(call, field, field, most)?;
    named.ok_or_else(|| {
        Fault::invalid(field, format!("Give a file as `{field}`: a path, a bucket key or its text."))
    })
}

/// The bytes of a file that came with a call, at most so many.
pub(crate) fn read(file: &FileInput, field: &str, most: usize) -> Result<Vec<u8>, Fault> {
    let unreadable = |why: String| {
        Fault::new(FaultCode::UnreadableFile, format!("The file of `{field}` cannot be read: {why}."))
            .with("field", field)
    };
    let bytes = match &file.source {
        Source::Path(path) => {
            let mut bytes = Vec::new();
            std::fs::File::open(path)
                .and_then(|file| file.take(most as u64 + 1).read_to_end(&mut bytes))
                .map_err(|error| unreadable(error.to_string()))?;
            bytes
        }
        Source::Inline(_) => {
            file.source.inline_bytes().ok_or_else(|| unreadable("its bytes are no base64".to_owned()))?
        }
        Source::Href(_) => return Err(unreadable("it did not come as a file of this machine".to_owned())),
    };
    if bytes.len() > most {
        return Err(Fault::new(
            FaultCode::LimitReached,
            format!("The file of `{field}` has more than {most} bytes. Nothing was read of it."),
        )
        .with("field", field));
    }
    Ok(bytes)
}
