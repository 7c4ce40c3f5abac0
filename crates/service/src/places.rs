//! Where on this machine a caller who sits at it may have files written. An agent does what its input talks it into: it is not to replace a
//! shell's settings by a model, nor to put a file where some program would read it as its own.

use crate::call::Call;
use contract::{Fault, FaultCode, ModelKind};
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

/// Bytes at the beginning of a file by which a model is told from anything else.
const LOOKED_AT: u64 = 64 << 10;

impl Call {
    /// The path of a file or a new folder that a caller has written: below the folders that its client says its user works in, else below
    /// its working directory, or below one of the folders that the settings name; none of its names hidden; not in this server's own folder.
    pub(crate) async fn writable_path(&self, field: &str, text: &str) -> Result<PathBuf, Fault> {
        let path = self.local_path(field, text)?;
        let refused = |why: String| Fault::new(FaultCode::PermissionDenied, why).with("field", field);
        if path.components().any(|part| part == Component::ParentDir) {
            return Err(Fault::invalid(field, format!("Give the path {} without `..`.", path.display())));
        }
        let Some((parent, name)) = path.parent().zip(path.file_name()) else {
            return Err(Fault::invalid(
                field,
                format!("{} is a folder. Give the path of a file.", path.display()),
            ));
        };
        // links are followed before anything is compared
        let parent = parent.canonicalize().map_err(|_| {
            let problem =
                format!("The folder of {} does not exist. Make it first, or name another.", path.display());
            Fault::new(FaultCode::NotFound, problem).with("field", field)
        })?;
        let path = parent.join(name);
        if self.inner.config.own_folders.iter().any(|own| path.starts_with(own)) {
            return Err(refused(format!("{} is in this server's own folder.", path.display())));
        }
        let roots = self.roots().await;
        let Some(root) =
            roots.iter().filter(|root| path.starts_with(root)).max_by_key(|root| root.as_os_str().len())
        else {
            let there: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
            let below = if there.is_empty() { "no folder".to_owned() } else { there.join(", ") };
            return Err(refused(format!(
                "Files are written below {below} for this client. Write there, or have the folder of {} named under `write-dirs` in \
                 pensaer.toml.",
                path.display()
            ))
            .with("allowed", there));
        };
        let below = path.strip_prefix(root).unwrap_or(&path);
        let is_hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
        if below.components().any(is_hidden) {
            return Err(refused(format!(
                "{} is hidden: programs keep their settings under such names. Choose another.",
                path.display()
            )));
        }
        Ok(path)
    }

    /// Checks that a file that would be replaced is a model, or was written from here; not something else with a model's ending.
    pub(crate) async fn replaces_a_model(&self, path: &Path, kind: ModelKind) -> Result<(), Fault> {
        if is_a_model(path, kind) {
            return Ok(());
        }
        // what was written from here has the bytes of something that is kept here
        let is_file = path.symlink_metadata().is_ok_and(|about| about.is_file());
        if is_file
            && let Ok(staged) = self.inner.store.stage(path, self.inner.config.import_bytes).await
            && self.inner.store.blob_size(&staged.blob().sha256).await.is_ok()
        {
            return Ok(());
        }
        let problem = format!(
            "{} is there and is no model, so that it is not replaced. Save under another name.",
            path.display()
        );
        Err(Fault::new(FaultCode::ConstraintViolation, problem).with("field", "file_path"))
    }

    /// The folders below which this caller has files written: what its client says, else its working directory, and those of the settings. A
    /// working directory that is the root of all files says nothing: then it is
    /// the user's own folder.
    async fn roots(&self) -> Vec<PathBuf> {
        let home = || std::env::var_os("HOME").map(PathBuf::from);
        let working = self
            .who
            .working_dir
            .clone()
            .and_then(|dir| if dir.parent().is_none() { home() } else { Some(dir) });
        let told = match &self.who.roots {
            Some(roots) if self.who.principal.local => roots.ask().await,
            _ => Vec::new(),
        };
        let own = if told.is_empty() { working.into_iter().collect() } else { told };
        let all = own.into_iter().chain(self.inner.config.write_dirs.iter().cloned());
        all.filter_map(|root| root.canonicalize().ok()).filter(|root| root.parent().is_some()).collect()
    }
}

/// True for a file that begins as a model of a kind does.
pub(crate) fn is_a_model(path: &Path, kind: ModelKind) -> bool {
    let is_file = path.symlink_metadata().is_ok_and(|about| about.is_file());
    let mut start = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut start));
    is_file && read.is_ok() && looks_like(&start, kind)
}

/// True if a file that begins so may be a model of a kind.
fn looks_like(start: &[u8], kind: ModelKind) -> bool {
    let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    match kind {
        ModelKind::Ifc => text.starts_with(b"ISO-10303-21") || text.starts_with(b"PK\x03\x04"),
        ModelKind::EnergyPlus => {
            let text = String::from_utf8_lossy(text).to_ascii_lowercase();
            let is_json = text.starts_with('{') && text.contains("\"version\"");
            let says_version = text.lines().any(|line| {
                let rest = line.trim_start().strip_prefix("version");
                rest.is_some_and(|rest| rest.trim_start().starts_with(','))
            });
            !text.contains('\0') && (is_json || says_version)
        }
    }
}

/// Endings of files that a tool may be given by their paths: models, weather, results, exchange, packs of rules, documents, styles, fonts and pictures, and nothing that holds the keys
/// of other programs.
const READ: [&str; 42] = [
    "ifc", "ifczip", "ifcxml", "idf", "imf", "epjson", "osm", "epw", "ddy", "stat", "zip", "csv", "tsv",
    "ids", "xml", "bcf", "bcfzip", "json", "rules", "style", "geojson", "gml", "md", "markdown", "html",
    "htm", "docx", "txt", "pdf", "svg", "png", "jpg", "jpeg", "webp", "dxf", "xlsx", "sql", "eso", "glb",
    "obj", "ttf", "otf",
];

/// Checks that a file that is named by its path has the ending of something that is read here.
pub(crate) fn is_read(field: &str, path: &Path) -> Result<(), Fault> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    if ending.is_some_and(|ending| READ.contains(&ending.as_str())) {
        return Ok(());
    }
    let problem =
        format!("{} has no ending of a file that is read here ({}).", path.display(), READ.join(", "));
    Err(Fault::invalid(field, problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_told_from_other_files_by_its_beginning() {
        let (ifc, energy) = (ModelKind::Ifc, ModelKind::EnergyPlus);
        assert!(looks_like(b"\n ISO-10303-21;\nHEADER;", ifc) && looks_like(b"PK\x03\x04rest", ifc));
        assert!(
            looks_like(b"! a house\n\nVersion,25.2;\n", energy) && looks_like(b"{\"Version\": {}}", energy)
        );
        for other in [
            &b"export PATH=/usr/bin\nalias ls='ls -l'\n"[..],
            b"ssh-ed25519 AAAA ada@example.org\n",
            b"\x7fELF\0\0version,",
            b"",
            b"{\"name\": \"settings\"}",
        ] {
            assert!(
                !looks_like(other, ifc) && !looks_like(other, energy),
                "{}",
                String::from_utf8_lossy(other)
            );
        }
    }
}
