//! An index with the vectors of its sections, which are made once and kept beside it.

use super::unreadable;
use contract::Fault;
use embeddings::Embedder;
use knowledge::vectors::{Precision, Vectors};
use knowledge::{Index, SectionVectors, Unmade};
use parking_lot::Mutex;
use rayon::prelude::*;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Texts whose vectors are made together.
const BATCH: usize = 32;
/// Batches after which what was made is kept and used.
const STRIDE: usize = 8;
/// How long nothing may be heard of a process that makes vectors, before another one does.
const SILENCE: Duration = Duration::from_secs(60);

/// The extension of a file that says that a process makes vectors.
pub(super) const CLAIM: &str = "claim";

/// The beginning of the name of a file of vectors.
pub(super) const VECTORS: &str = "vectors-";

/// The threads that make vectors.
#[derive(Debug, Clone, Copy)]
pub(super) enum Threads {
    /// One, beside other work.
    One,
    /// All that there are, where there is no other work.
    All,
}

/// An index and its vectors.
pub(crate) struct Book {
    index: Index,
    made: Mutex<Made>,
}

#[derive(Default)]
struct Made {
    vectors: Option<Arc<SectionVectors>>,
    /// When the file that they were read of was written.
    read: Option<SystemTime>,
    /// True while a thread of this process makes those that are missing.
    is_making: bool,
}

impl Deref for Book {
    type Target = Index;

    fn deref(&self) -> &Index {
        &self.index
    }
}

impl Book {
    /// An index whose vectors nobody has looked for.
    pub(super) fn new(index: Index) -> Self {
        Self { index, made: Mutex::default() }
    }

    /// The vectors that there are. Those that are missing are begun to be made in a thread of their own, if no other process makes them.
    pub(super) fn vectors(self: &Arc<Self>, embedder: &Arc<Embedder>) -> Result<Arc<SectionVectors>, Fault> {
        let mut made = self.made.lock();
        if let Some(vectors) = &made.vectors
            && (made.is_making || vectors.found() == vectors.sections())
        {
            return Ok(Arc::clone(vectors));
        }
        let written = self.file(embedder).and_then(|file| modified(&file));
        let vectors = match &made.vectors {
            Some(known) if written == made.read => Arc::clone(known),
            _ => {
                let (found, _) =
                    self.index.with_vectors(self.kept(embedder)).map_err(|error| unreadable(&error))?;
                made.read = written;
                Arc::new(found)
            }
        };
        made.vectors = Some(Arc::clone(&vectors));
        if vectors.found() < vectors.sections() {
            let (book, embedder) = (Arc::clone(self), Arc::clone(embedder));
            let maker = std::thread::Builder::new().name("vectors".to_owned());
            // without a thread there are words all the same
            made.is_making =
                maker.spawn(move || drop(book.make(&embedder, Threads::One, &|_, _| ()))).is_ok();
        }
        Ok(vectors)
    }

    /// Makes the vectors that are missing, unless another process does, and tells how many of how many there are.
    pub(super) fn make(
        &self,
        embedder: &Embedder,
        threads: Threads,
        tell: &dyn Fn(usize, usize),
    ) -> Result<(), Fault> {
        let done = self.make_missing(embedder, threads, tell);
        self.made.lock().is_making = false;
        done
    }

    fn make_missing(
        &self,
        embedder: &Embedder,
        threads: Threads,
        tell: &dyn Fn(usize, usize),
    ) -> Result<(), Fault> {
        let file = self.file(embedder);
        let claim = file.as_deref().map(Claim::on);
        if let Some(None) = claim {
            return Ok(());
        }
        let mut vectors = self.kept(embedder);
        let (found, unmade) = self.index.with_vectors(vectors.clone()).map_err(|error| unreadable(&error))?;
        let (mut count, all) = (found.found(), found.sections());
        tell(count, all);
        for stride in unmade.chunks(BATCH * STRIDE) {
            let made: Vec<_> = match threads {
                Threads::One => stride.chunks(BATCH).map(|batch| embedded(embedder, batch)).collect(),
                Threads::All => stride.par_chunks(BATCH).map(|batch| embedded(embedder, batch)).collect(),
            };
            for (own, vector) in stride.iter().zip(made.into_iter().flatten()) {
                if let Some(vector) = vector {
                    vectors
                        .insert(&own.key, &vector)
                        .map_err(|error| Fault::backend(format!("Vectors cannot be kept: {error}.")))?;
                }
            }
            count += stride.len();
            if let Some(file) = &file {
                // a folder that is full keeps nobody from what was made
                let _ = vectors.save(file);
            }
            if let Some(Some(claim)) = &claim {
                claim.renew();
            }
            let (found, _) = self.index.with_vectors(vectors.clone()).map_err(|error| unreadable(&error))?;
            let mut made = self.made.lock();
            made.vectors = Some(Arc::new(found));
            made.read = file.as_deref().and_then(modified);
            drop(made);
            tell(count, all);
        }
        Ok(())
    }

    /// The file of its vectors of a model; none where it is in memory.
    fn file(&self, embedder: &Embedder) -> Option<PathBuf> {
        let model = embedder.sha256().get(..16)?;
        Some(self.index.folder()?.join(format!("{VECTORS}{model}")))
    }

    /// The vectors that were kept; none where they cannot be read.
    fn kept(&self, embedder: &Embedder) -> Vectors {
        let fresh = || Vectors::new(embeddings::DIMENSIONS, Precision::Byte);
        let read = self.file(embedder).and_then(|file| Vectors::load(&file).ok());
        read.filter(|own| own.dimensions() == embeddings::DIMENSIONS).unwrap_or_else(fresh)
    }
}

/// The vectors of texts. One without words gets that of its address, so that it is not asked for again.
fn embedded(embedder: &Embedder, batch: &[Unmade]) -> Vec<Option<Vec<f32>>> {
    let texts: Vec<&str> = batch.iter().map(|own| own.text.as_str()).collect();
    match embedder.embed(&texts) {
        Ok(made) => made.into_iter().map(Some).collect(),
        Err(_) => batch.iter().map(|own| one(embedder, own)).collect(),
    }
}

fn one(embedder: &Embedder, own: &Unmade) -> Option<Vec<f32>> {
    let of = |text: &str| embedder.embed(&[text]).ok()?.pop();
    of(&own.text).or_else(|| of(&own.key))
}

fn modified(file: &Path) -> Option<SystemTime> {
    std::fs::metadata(file).and_then(|known| known.modified()).ok()
}

/// The right of one process to make the vectors of a file: a file beside it, that is written anew from time to time.
struct Claim(PathBuf);

impl Claim {
    fn on(file: &Path) -> Option<Self> {
        let path = file.with_extension(CLAIM);
        match File::create_new(&path) {
            Ok(_) => return Some(Self(path)),
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return None,
            Err(_) => {}
        }
        // whoever had it may have ended without a word
        let heard = modified(&path).and_then(|at| at.elapsed().ok());
        if heard.is_some_and(|silence| silence < SILENCE) {
            return None;
        }
        std::fs::remove_file(&path).ok()?;
        File::create_new(&path).ok().map(|_| Self(path))
    }

    fn renew(&self) {
        let _ = File::create(&self.0);
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use knowledge::Section;
    use std::time::Instant;

    fn sections() -> Vec<Section> {
        let one = |location: &str, text: &str| Section {
            corpus: "guides".to_owned(),
            location: location.to_owned(),
            title: location.to_owned(),
            text: text.to_owned(),
            ..Section::default()
        };
        vec![one("guides/a", "Walls carry the roof."), one("guides/b", "Doors are opened.")]
    }

    #[test]
    fn vectors_are_made_beside_other_work_and_kept_for_the_next_process() {
        let Some(model) = testing::embeddings() else { return };
        let embedder = Embedder::open(&model.join("model.onnx"), &model.join("tokenizer.json")).unwrap();
        let embedder = Arc::new(embedder);
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("index");
        let book = Arc::new(Book::new(Index::create(&place, sections()).unwrap()));
        assert_eq!(book.vectors(&embedder).unwrap().sections(), 2);
        let begun = Instant::now();
        while book.vectors(&embedder).unwrap().found() < 2 {
            assert!(begun.elapsed() < Duration::from_secs(120), "nothing is made");
            std::thread::sleep(Duration::from_millis(20));
        }
        let next = Arc::new(Book::new(Index::open(&place).unwrap()));
        assert_eq!(next.vectors(&embedder).unwrap().found(), 2);
        let told = std::cell::RefCell::new(Vec::new());
        next.make(&embedder, Threads::All, &|made, all| told.borrow_mut().push((made, all))).unwrap();
        assert_eq!(told.into_inner(), [(2, 2)]);
    }

    #[test]
    fn one_process_makes_vectors_until_nothing_is_heard_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("vectors-of-a-model");
        let claim = Claim::on(&file).unwrap();
        assert!(Claim::on(&file).is_none());
        drop(claim);
        let claim = Claim::on(&file).unwrap();
        let long_ago = SystemTime::now() - 2 * SILENCE;
        File::options().write(true).open(&claim.0).unwrap().set_modified(long_ago).unwrap();
        let other = Claim::on(&file).unwrap();
        other.renew();
        assert!(Claim::on(&file).is_none());
        assert!(Claim::on(&folder.path().join("no/such")).is_none());
    }
}
