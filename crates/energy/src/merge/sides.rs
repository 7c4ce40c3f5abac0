//! The two sides of a merge and what both come from, brought to one numbering and one naming.
//!
//! An object is the same in all three by its handle where they come from one file, else by its type and name. Objects that either
//! side renamed get a name that no model has, in all three, with all that refer to them: so that a reference made on one side to an
//! object renamed on the other still means it, and a new object that took the old name is another.

use crate::idf::{Document, Handle, Object, set_value};
use crate::references::Graph;
use std::collections::{BTreeMap, HashMap};

/// The handles of one document in another: runs of from, up to but without, and what the first becomes. No runs mean that every handle
/// stands for itself.
pub type Runs = Vec<(u32, u32, u32)>;

/// Follows a handle through several merges, one after another; none where it went.
pub fn follow(steps: &[Runs], handle: Handle) -> Option<Handle> {
    steps.iter().try_fold(handle, |handle, runs| {
        if runs.is_empty() {
            return Some(handle);
        }
        let (from, _, to) = runs.iter().find(|(from, end, _)| (*from..*end).contains(&handle.0))?;
        to.checked_add(handle.0 - from).map(Handle)
    })
}

/// Runs of these pairs; none if every handle stands for itself.
pub(super) fn runs(pairs: &BTreeMap<u32, u32>) -> Runs {
    if pairs.iter().all(|(from, to)| from == to) {
        return Vec::new();
    }
    let mut runs: Runs = Vec::new();
    for (&from, &to) in pairs {
        match runs.last_mut() {
            Some((start, end, first)) if *end == from && *first + (from - *start) == to => *end += 1,
            _ => runs.push((from, from + 1, to)),
        }
    }
    runs
}

/// The handles of two documents that stand for the same object.
#[derive(Default)]
pub(super) struct Same {
    to: HashMap<Handle, Handle>,
    back: HashMap<Handle, Handle>,
}

impl Same {
    /// Of what leads from one version to another, with what merges between them made of handles.
    pub fn between(base: &Document, other: &Document, steps: &[Runs]) -> Self {
        let mut same = Self::default();
        if base.is_of_one_file(other) {
            for object in base.objects() {
                if let Some(to) = follow(steps, object.handle()).filter(|to| other.object(*to).is_some()) {
                    same.put(object.handle(), to);
                }
            }
            return same;
        }
        let mut others: HashMap<(String, String), Vec<Handle>> = HashMap::new();
        for object in other.objects() {
            others.entry(signature(object)).or_default().push(object.handle());
        }
        for list in others.values_mut() {
            list.reverse();
        }
        for object in base.objects() {
            if let Some(to) = others.get_mut(&signature(object)).and_then(Vec::pop) {
                same.put(object.handle(), to);
            }
        }
        same
    }

    fn put(&mut self, from: Handle, to: Handle) {
        self.to.insert(from, to);
        self.back.insert(to, from);
    }

    pub fn to(&self, handle: Handle) -> Option<Handle> {
        self.to.get(&handle).copied()
    }

    pub fn back(&self, handle: Handle) -> Option<Handle> {
        self.back.get(&handle).copied()
    }
}

/// Type and name; of an object without a name all that it says.
fn signature(object: Object<'_>) -> (String, String) {
    let said = if object.name().is_empty() {
        object.values().collect::<Vec<_>>().join(",")
    } else {
        object.name().to_lowercase()
    };
    (object.type_name().to_lowercase(), said)
}

/// The name by which a renamed object is known while models are joined; no file can have it.
pub(super) fn stand_in(base: Handle) -> String {
    format!("\u{1}{}", base.0)
}

/// Names of one object: in the base, and in either side.
pub(super) struct Names {
    pub base: String,
    pub ours: Option<String>,
    pub theirs: Option<String>,
}

/// Three versions in which renamed objects have stand-ins for names.
pub(super) struct Sides {
    pub base: Document,
    pub ours: Document,
    pub theirs: Document,
    pub to_ours: Same,
    pub to_theirs: Same,
    /// By their handles in the base, those that either side renamed.
    pub renamed: BTreeMap<Handle, Names>,
}

impl Sides {
    pub fn new(
        base: &Document,
        ours: &Document,
        theirs: &Document,
        ours_steps: &[Runs],
        theirs_steps: &[Runs],
    ) -> Self {
        let to_ours = Same::between(base, ours, ours_steps);
        let to_theirs = Same::between(base, theirs, theirs_steps);
        let mut renamed = BTreeMap::new();
        for object in base.objects().filter(Object::is_named) {
            let name = |document: &Document, same: &Same| {
                let other = document.object(same.to(object.handle())?)?;
                other.is_named().then(|| other.name().to_owned())
            };
            let names = Names {
                base: object.name().to_owned(),
                ours: name(ours, &to_ours),
                theirs: name(theirs, &to_theirs),
            };
            let is_other = |other: &Option<String>| other.as_ref().is_some_and(|other| *other != names.base);
            if is_other(&names.ours) || is_other(&names.theirs) {
                renamed.insert(object.handle(), names);
            }
        }
        let plain = |document: &Document, to: &dyn Fn(Handle) -> Option<Handle>| {
            let names = renamed.keys().filter_map(|base| Some((to(*base)?, stand_in(*base))));
            renamed_all(document, &names.collect())
        };
        Self {
            base: plain(base, &Some),
            ours: plain(ours, &|handle| to_ours.to(handle)),
            theirs: plain(theirs, &|handle| to_theirs.to(handle)),
            to_ours,
            to_theirs,
            renamed,
        }
    }
}

/// A document in which objects have other names, all at once, and what refers to them follows.
pub(super) fn renamed_all(document: &Document, names: &BTreeMap<Handle, String>) -> Document {
    if names.is_empty() {
        return document.clone();
    }
    let graph = Graph::from_document(document);
    let mut places: BTreeMap<Handle, Vec<(usize, &String)>> = BTreeMap::new();
    for (handle, name) in names {
        places.entry(*handle).or_default().push((0, name));
        for reference in graph.to(*handle) {
            places.entry(reference.from).or_default().push((reference.position as usize, name));
        }
    }
    let mut after = document.clone();
    for (handle, values) in places {
        let Some(object) = document.object(handle) else { continue };
        let mut record = object.to_record();
        for (position, name) in values {
            set_value(&mut record.values, position, name.clone());
        }
        after.put(handle, Some(record));
    }
    after
}
