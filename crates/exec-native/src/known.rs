//! Files that were opened before: the index that an opening leaves in a folder of its own, so that a worker that starts again
//! has the model at once. Blobs are named by their SHA-256, which is what ties an index to its content; other files get none.
//! It is not beside the blob, for those a worker may only read.

use ifc::{Limits, Model, OpenError, Problem};
use std::path::{Path, PathBuf};

/// Files below this size are opened as fast as an index.
const WORTH: u64 = 4 << 20;

/// The content that a path in a bucket stands for (`ab/cdef…`), and where its index goes.
fn identity(file: &Path, indexes: &Path) -> Option<([u8; 32], PathBuf)> {
    let rest = file.file_name()?.to_str()?;
    let folder = file.parent()?.file_name()?.to_str()?;
    let digits = format!("{folder}{rest}");
    let mut sha256 = [0; 32];
    if folder.len() != 2 || digits.len() != 64 {
        return None;
    }
    for (byte, pair) in sha256.iter_mut().zip(digits.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some((sha256, indexes.join(format!("{digits}.index"))))
}

/// Opens a file, by its index where it has one. Where it has none and should, one is made in the background.
pub(crate) fn open(
    file: &Path,
    indexes: Option<&Path>,
    limits: &Limits,
) -> Result<(Model, Vec<Problem>), OpenError> {
    let identity = indexes.and_then(|indexes| identity(file, indexes));
    let identity = identity.filter(|_| file.metadata().is_ok_and(|found| found.len() >= WORTH));
    let Some((sha256, index)) = identity else { return Model::open(file, limits) };
    if let Some(known) = Model::open_known(file, &index, &sha256, limits) {
        return Ok(known);
    }
    let (model, problems) = Model::open(file, limits)?;
    let (kept, found) = (model.clone(), problems.clone());
    // it is a cache: where none can be written, the next opening takes its time again
    let made = std::thread::Builder::new().name("index".into()).spawn(move || {
        let _ = kept.save_index(&index, &sha256, &found);
    });
    drop(made);
    Ok((model, problems))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::SMALL;
    use std::time::{Duration, Instant};

    #[test]
    fn only_blobs_have_an_identity() {
        let name = "cd".repeat(31);
        let indexes = Path::new("/data/indexes");
        let (sha256, index) = identity(Path::new(&format!("/data/blobs/ab/{name}")), indexes).unwrap();
        assert_eq!((sha256[0], sha256[1]), (0xab, 0xcd));
        assert_eq!(index, Path::new(&format!("/data/indexes/ab{name}.index")));
        for other in ["/data/house.ifc", "/data/blobs/incoming/0198", "/", "/ab/cd"] {
            assert!(identity(Path::new(other), indexes).is_none(), "{other}");
        }
        assert!(identity(Path::new(&format!("/data/zz/{name}")), indexes).is_none());
    }

    #[test]
    fn a_blob_is_opened_by_its_index_the_second_time() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = folder.path().join("ab");
        std::fs::create_dir(&blobs).unwrap();
        let blob = blobs.join("cd".repeat(31));
        let filler = "/* as long as a large model */\n".repeat((WORTH as usize) / 30);
        std::fs::write(&blob, SMALL.replace("ENDSEC;\nDATA;", &format!("ENDSEC;\n{filler}DATA;"))).unwrap();
        let limits = Limits::default();
        let indexes = folder.path().join("indexes");
        std::fs::create_dir(&indexes).unwrap();
        let open = |file: &Path| open(file, Some(&indexes), &limits);
        let (first, _) = open(&blob).unwrap();
        let (sha256, index) = identity(&blob, &indexes).unwrap();
        let begun = Instant::now();
        while !index.exists() {
            assert!(begun.elapsed() < Duration::from_mins(1), "no index is made");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(Model::open_known(&blob, &index, &sha256, &limits).is_some());
        let (second, _) = open(&blob).unwrap();
        assert_eq!(second.of_class("IfcWall"), first.of_class("IfcWall"));
        // a worker that may not write there, or finds nonsense there, opens the file all the same
        std::fs::write(&index, "nonsense").unwrap();
        assert_eq!(open(&blob).unwrap().0.len(), first.len());
    }
}
