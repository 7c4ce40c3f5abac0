//! Indexes by what they hold: each made once for a folder, and opened once by a process.

use super::book::{Book, CLAIM, Threads, VECTORS};
use super::model::Model;
use super::{corpora, unreadable};
use contract::Fault;
use embeddings::Embedder;
use energy::schema::Schema;
use knowledge::{Index, IndexError, Section, fingerprint};
use parking_lot::Mutex;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

/// Indexes that a folder keeps; of more, those that were made first go.
const KEPT: usize = 64;
/// The beginning of the name of an index' folder.
const PREFIX: &str = "documentation-";

/// The documentation of this program, and the indexes that were opened.
#[derive(Default)]
pub struct Library {
    folder: Option<PathBuf>,
    guides: &'static [(&'static str, &'static str)],
    own: OnceLock<Result<Arc<Book>, String>>,
    others: Mutex<HashMap<String, Arc<Book>>>,
    model: Model,
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Library {
    /// A library with these guides, by name and text in Markdown, that keeps its indexes in a folder, if one is given.
    pub fn new(folder: Option<PathBuf>, guides: &'static [(&'static str, &'static str)]) -> Self {
        Self { folder, guides, ..Self::default() }
    }

    /// The model that makes vectors; none where none is installed, a reason where it cannot be read.
    pub(crate) fn model(&self) -> Option<Result<Arc<Embedder>, String>> {
        self.model.in_folder(self.folder.as_deref()?)
    }

    /// Makes the vectors of all that comes with the program, of which those that are there are not made again, and tells how many of how
    /// many there are. An error is a sentence.
    pub fn make_vectors(&self, tell: &dyn Fn(usize, usize)) -> Result<(), String> {
        let model = self.model().unwrap_or_else(|| Err("there is none".to_owned()));
        let model = model.map_err(|reason| format!("The model cannot be read: {reason}."))?;
        let own = self.own().map_err(|fault| fault.message)?;
        own.make(&model, Threads::All, tell).map_err(|fault| fault.message)
    }

    /// The index over all that comes with the program.
    pub(crate) fn own(&self) -> Result<Arc<Book>, Fault> {
        let made = self.own.get_or_init(|| {
            let index = index_of(self.folder.as_deref(), "program", corpora::own(self.guides));
            index.map(|index| Arc::new(Book::new(index))).map_err(|error| error.to_string())
        });
        made.clone().map_err(|error| Fault::backend(format!("The documentation cannot be indexed: {error}.")))
    }

    /// The index over the types of a version of EnergyPlus; none for the version that is in the index of the program.
    pub(crate) fn types(&self, schema: &Schema) -> Result<Option<Arc<Book>>, Fault> {
        if schema.version() == Schema::built_in().version() {
            return Ok(None);
        }
        let name = format!("energyplus-{}", schema.short_version());
        self.opened(&name, |folder| {
            index_of(folder, &name, corpora::types(schema)).map_err(|error| unreadable(&error))
        })
        .map(Some)
    }

    /// The index that is kept under a key, made of sections where there is none. A key says all that the sections hang on.
    pub(crate) fn kept(
        &self,
        key: &str,
        sections: impl FnOnce() -> Result<Vec<Section>, Fault>,
    ) -> Result<Arc<Book>, Fault> {
        self.opened(key, |folder| {
            let place =
                folder.map(|folder| folder.join(format!("{PREFIX}{key}-{}", env!("CARGO_PKG_VERSION"))));
            if let Some(index) = place.as_deref().and_then(|place| Index::open(place).ok()) {
                return Ok(index);
            }
            at(folder.zip(place.as_deref()), sections()?).map_err(|error| unreadable(&error))
        })
    }

    /// The index of a state of something that changes, made of its sections where there is none: from that of a state before it, in which
    /// only what differs is indexed again.
    pub(crate) fn kept_of(
        &self,
        family: &str,
        state: &str,
        sections: impl FnOnce() -> Result<Vec<Section>, Fault>,
    ) -> Result<Arc<Book>, Fault> {
        let name = format!("{family}-{state}");
        self.opened(&name, |folder| {
            let Some(folder) = folder else {
                return Index::in_memory(sections()?).map_err(|error| unreadable(&error));
            };
            let version = env!("CARGO_PKG_VERSION");
            let place = folder.join(format!("{PREFIX}{name}-{version}"));
            if let Ok(index) = Index::open(&place) {
                return Ok(index);
            }
            let sections = sections()?;
            let before = latest(folder, &format!("{PREFIX}{family}-"), &format!("-{version}"));
            let changed = before.and_then(|before| changed(folder, &before, &place, &sections).ok());
            match changed {
                Some(index) => Ok(index),
                None => at(Some((folder, &place)), sections).map_err(|error| unreadable(&error)),
            }
        })
    }

    /// The index of a name, opened once by this process.
    fn opened(
        &self,
        name: &str,
        open: impl FnOnce(Option<&Path>) -> Result<Index, Fault>,
    ) -> Result<Arc<Book>, Fault> {
        let mut others = self.others.lock();
        if let Some(index) = others.get(name) {
            return Ok(Arc::clone(index));
        }
        let index = Arc::new(Book::new(open(self.folder.as_deref())?));
        if others.len() >= KEPT {
            others.clear();
        }
        others.insert(name.to_owned(), Arc::clone(&index));
        Ok(index)
    }
}

/// The index over sections: the one in the folder, if it is of the same ones.
fn index_of(folder: Option<&Path>, name: &str, sections: Vec<Section>) -> Result<Index, IndexError> {
    let Some(folder) = folder else { return Index::in_memory(sections) };
    let place = folder.join(format!("{PREFIX}{name}-{}", fingerprint(&sections)?));
    if let Ok(index) = Index::open(&place) {
        return Ok(index);
    }
    let before = latest(folder, &format!("{PREFIX}{name}-"), "");
    let index = at(Some((folder, &place)), sections)?;
    if let Some(before) = before.filter(|before| *before != place) {
        carry_vectors(&before, &place);
    }
    Ok(index)
}

/// Copies the vectors of an index before this one: most texts are still the same, and vectors of the others are left out when they are
/// read. What cannot be copied is made anew.
fn carry_vectors(before: &Path, place: &Path) {
    for entry in std::fs::read_dir(before).into_iter().flatten().flatten() {
        let (from, to) = (entry.path(), place.join(entry.file_name()));
        let is_one = entry.file_name().to_string_lossy().starts_with(VECTORS);
        if is_one && from.extension().is_none() {
            let copied = std::fs::File::open(from)
                .and_then(|mut from| io::copy(&mut from, &mut std::fs::File::create_new(to)?));
            let _ = copied;
        }
    }
}

/// An index over sections at a place in a folder, or in memory.
fn at(place: Option<(&Path, &Path)>, sections: Vec<Section>) -> Result<Index, IndexError> {
    if let Some((folder, place)) = place
        && let Ok(index) = make(folder, place, &sections)
    {
        clear(folder, place);
        return Ok(index);
    }
    // a folder that is full or may not be written keeps nobody from searching
    Index::in_memory(sections)
}

/// The index in a folder that was made last, of those whose names begin and end so.
fn latest(folder: &Path, beginning: &str, end: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let own = entries.filter(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let state = name.strip_prefix(beginning).and_then(|rest| rest.strip_suffix(end));
        // of no family whose name only begins alike
        state.is_some_and(|state| {
            [32, 64].contains(&state.len()) && state.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    });
    own.max_by_key(|entry| entry.metadata().and_then(|known| known.modified()).ok()).map(|entry| entry.path())
}

/// An index as a copy of another one in which these sections stand in the place of all others.
fn changed(folder: &Path, before: &Path, place: &Path, sections: &[Section]) -> Result<Index, IndexError> {
    let beside = unfinished(folder)?;
    let made = copy(before, &beside).map_err(IndexError::from).and_then(|()| {
        let mut index = Index::open(&beside)?;
        let corpora: BTreeSet<&str> = sections.iter().map(|section| section.corpus.as_str()).collect();
        let known: Vec<String> = index.corpora()?.into_keys().collect();
        for corpus in known.iter().map(String::as_str).chain(corpora).collect::<BTreeSet<_>>() {
            let own = sections.iter().filter(|section| section.corpus == corpus).cloned().collect();
            index.replace_corpus(corpus, own)?;
        }
        drop(index);
        put(&beside, place)
    });
    if beside.exists() {
        std::fs::remove_dir_all(&beside)?;
    }
    made
}

/// Copies a folder with what is in it, but for claims of those who work on it. Files get the contents and no more: permissions may not be set in a confined process.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::create_dir(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        if entry.path().extension().is_some_and(|kind| kind == CLAIM) {
            continue;
        }
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            io::copy(&mut std::fs::File::open(entry.path())?, &mut std::fs::File::create_new(&to)?)?;
        }
    }
    Ok(())
}

/// A folder for an index that is being made, which is not there.
fn unfinished(folder: &Path) -> io::Result<PathBuf> {
    let beside = folder.join(format!("{PREFIX}unfinished-{}", std::process::id()));
    if beside.exists() {
        std::fs::remove_dir_all(&beside)?;
    }
    Ok(beside)
}

/// Puts an index in its place, unless another process was faster, and opens it there.
fn put(beside: &Path, place: &Path) -> Result<Index, IndexError> {
    let renamed = std::fs::rename(beside, place);
    if renamed.is_err() && !place.exists() {
        renamed?;
    }
    Index::open(place)
}

/// Makes an index beside its place and puts it there when it is whole, unless another process was faster.
fn make(folder: &Path, place: &Path, sections: &[Section]) -> Result<Index, IndexError> {
    let beside = unfinished(folder)?;
    // what is there and could not be opened is damaged, or of another form
    if place.exists() {
        std::fs::remove_dir_all(place)?;
    }
    let made = Index::create(&beside, sections.to_vec()).and_then(|index| {
        drop(index);
        put(&beside, place)
    });
    if beside.exists() {
        std::fs::remove_dir_all(&beside)?;
    }
    made
}

/// Removes the oldest indexes of a folder, and those that a process left unfinished. What cannot be removed stays.
fn clear(folder: &Path, latest: &Path) {
    let mut found: BTreeSet<(SystemTime, PathBuf)> = BTreeSet::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_one = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let made = entry.metadata().and_then(|known| known.modified());
        if let (true, Ok(made)) = (is_one && entry.path() != latest, made) {
            found.insert((made, entry.path()));
        }
    }
    let surplus = found.len().saturating_sub(KEPT);
    for (_, path) in found.into_iter().take(surplus) {
        let _ = std::fs::remove_dir_all(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(location: &str, text: &str) -> Section {
        let (location, text) = (location.to_owned(), text.to_owned());
        Section { corpus: "guides".to_owned(), title: location.clone(), location, text, ..Section::default() }
    }

    fn indexes(folder: &Path) -> Vec<String> {
        let names = std::fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<String> =
            names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn an_index_is_made_once_and_anew_where_its_sources_changed_or_it_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let open = |text: &str| {
            let sections = vec![section("guides/a", text)];
            index_of(Some(folder.path()), "k", sections).unwrap()
        };
        open("walls and doors");
        let made = indexes(folder.path());
        assert_eq!(made.len(), 1);
        let place = folder.path().join(&made[0]);
        let written = std::fs::metadata(&place).unwrap().modified().unwrap();
        assert_eq!(open("walls and doors").len(), 1);
        assert_eq!(std::fs::metadata(&place).unwrap().modified().unwrap(), written);
        std::fs::write(place.join("vectors-of-a-model"), "numbers").unwrap();
        std::fs::write(place.join("vectors-of-a-model.claim"), "").unwrap();
        open("walls and windows");
        assert_eq!(indexes(folder.path()).len(), 2);
        // vectors go along, as most sections are the same
        let next = indexes(folder.path()).into_iter().find(|name| *name != made[0]).unwrap();
        let carried = |name: &str| std::fs::read_to_string(folder.path().join(&next).join(name)).ok();
        assert_eq!(carried("vectors-of-a-model").as_deref(), Some("numbers"));
        assert_eq!(carried("vectors-of-a-model.claim"), None);
        std::fs::write(place.join("current"), "nonsense").unwrap();
        assert_eq!(open("walls and doors").len(), 1);
        assert!(Index::open(&place).is_ok());
    }

    #[test]
    fn what_a_key_names_is_read_once_for_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let mut read = 0;
        for _ in 0..3 {
            let library = Library::new(Some(folder.path().to_owned()), &[]);
            for _ in 0..2 {
                let sections = || {
                    read += 1;
                    Ok(vec![section("guides/a", "walls")])
                };
                assert_eq!(library.kept("k", sections).unwrap().len(), 1);
            }
        }
        assert_eq!(read, 1);
    }

    #[test]
    fn a_state_is_made_from_the_one_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let library = || Library::new(Some(folder.path().to_owned()), &[]);
        let of = |own: Library, state: &str, texts: &[(&str, &str)]| {
            let sections = texts.iter().map(|(location, text)| section(location, text)).collect();
            own.kept_of("documents-own", &state.repeat(64), || Ok(sections)).unwrap()
        };
        assert_eq!(of(library(), "a", &[("guides/a", "oak"), ("guides/b", "ash")]).len(), 2);
        let now = of(library(), "b", &[("guides/a", "oak"), ("guides/c", "elm")]);
        assert_eq!(now.len(), 2);
        assert!(now.section("guides/b").unwrap().is_none() && now.section("guides/c").unwrap().is_some());
        // a family whose name begins alike is another one
        let other = library();
        let sections = vec![section("guides/z", "fir")];
        let index = other.kept_of("documents-own-2", &"c".repeat(64), || Ok(sections)).unwrap();
        assert!(index.section("guides/a").unwrap().is_none());
        // what was made is opened, and nothing is read again
        let again = library().kept_of("documents-own", &"b".repeat(64), || panic!("made already")).unwrap();
        assert_eq!(again.len(), 2);
        assert!(indexes(folder.path()).iter().all(|name| !name.contains("unfinished")));
    }

    #[test]
    fn old_indexes_go_and_a_folder_that_cannot_be_written_keeps_nobody_from_searching() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..KEPT + 4 {
            let library = Library::new(Some(folder.path().to_owned()), &[]);
            library.kept(&format!("k{number}"), || Ok(vec![section("guides/a", "walls")])).unwrap();
        }
        assert_eq!(indexes(folder.path()).len(), KEPT + 1);
        let nowhere = Library::new(Some(folder.path().join("no/such")), &[]);
        std::fs::write(folder.path().join("no"), "a file").unwrap();
        assert_eq!(nowhere.kept("k", || Ok(vec![section("guides/a", "walls")])).unwrap().len(), 1);
    }
}
