//! Versions as whole files: written with or without an archive around them, and taken out of one.

use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::{FileFormat, Materialise, PlatformOperation, Unpack, WrittenFile};
use contract::{Fault, FileOut, Outcome, Source};
use exec::files;
use std::io::{self, BufReader};

/// The outcome of writing one file.
pub(crate) fn written<O: PlatformOperation<Answer = WrittenFile>>(file: FileOut) -> Result<Outcome, Fault> {
    let outcome = O::outcome(WrittenFile { size: file.size })?;
    Ok(Outcome { files: vec![file], ..outcome })
}

impl Resolve for Materialise {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let model = &call.model("model")?.model;
        let time = tools::iso_time(self.time_ms.unwrap_or(call.request.time_ms));
        let file = match self.format.unwrap_or(FileFormat::Ifc) {
            FileFormat::Ifc => {
                let name = files::name(call.request, "model.ifc");
                files::out_with(call.request, "model", name, "application/x-step", |out| {
                    model.write_at(&time, out)
                })?
            }
            FileFormat::IfcZip => {
                let name = files::name(call.request, "model.ifczip");
                files::out_with(call.request, "model", name, "application/zip", |out| {
                    ifc::archive::pack("model.ifc", model.weight(), out, |out| model.write_at(&time, out))
                })?
            }
            other => {
                let problem = format!("An IFC model is not written as {}.", other.extension());
                return Err(Fault::invalid("format", problem)
                    .with("allowed", [FileFormat::Ifc, FileFormat::IfcZip].map(FileFormat::extension)));
            }
        };
        written::<Self>(file)
    }
}

impl Resolve for Unpack {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let archive = call.files.iter().find(|file| file.role == "archive");
        let Some(Source::Path(path)) = archive.map(|file| &file.source) else {
            return Err(Fault::invalid(
                "files",
                "unpack needs a file with the role \"archive\", by its path.",
            ));
        };
        let unreadable = |error: ifc::OpenError| crate::unreadable::cannot_open(&error);
        let archive = std::fs::File::open(path)
            .map_err(|source| unreadable(ifc::OpenError::Io { path: path.clone(), source }))?;
        let mut refused = None;
        let name = files::name(call.request, "model.ifc");
        let file = files::out_with(call.request, "model", name, "application/x-step", |out| {
            match ifc::archive::unpack(BufReader::new(archive), call.limits, out) {
                Ok(_) => Ok(()),
                Err(error) => {
                    refused = Some(error);
                    Err(io::Error::other("the archive is refused"))
                }
            }
        });
        match refused {
            Some(error) => Err(unreadable(error)),
            None => written::<Self>(file?),
        }
    }
}
