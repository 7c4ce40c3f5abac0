//! A building model: a file as it was opened, and what was changed since. Copies share both, so a version costs what
//! it changed. A model never changes; [`Model::edit`] makes the next one.

use crate::base::{Base, Bytes, Style};
use crate::columns::{ClassCodes, Columns};
use crate::header::Header;
use crate::index::Indexes;
use crate::instance::{Instance, Source};
use crate::lookup::Lookup;
use crate::overlay::{Overlay, Slot};
use crate::schema::{Entity, Schema, SchemaVersion};
use crate::sidecar::Sidecar;
use crate::{Id, Limits, OpenError, Problem, guid};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A building model. Cloning it is O(1).
#[derive(Clone)]
pub struct Model {
    pub(crate) base: Arc<Base>,
    pub(crate) overlay: Overlay,
    /// Live instances.
    pub(crate) count: usize,
    /// The id of the next instance made.
    pub(crate) next_id: u32,
}

impl Model {
    /// Opens a file. It is mapped, not copied: it must stay as it is for as long as the model lives. The problems are
    /// those that show without reading attributes; [`Model::verify`] finds the rest.
    pub fn open(path: &Path, limits: &Limits) -> Result<(Self, Vec<Problem>), OpenError> {
        crate::open::open(crate::open::bytes_of(path, limits)?, limits)
            .map(|(base, problems)| (Self::from_base(base), problems))
    }

    /// Opens a file that is in memory.
    pub fn from_bytes(bytes: Vec<u8>, limits: &Limits) -> Result<(Self, Vec<Problem>), OpenError> {
        crate::open::open(Bytes::Owned(bytes), limits)
            .map(|(base, problems)| (Self::from_base(base), problems))
    }

    /// Opens a file whose content is known to have this SHA-256 by the index that [`Model::save_index`] left of it:
    /// without looking at more of the file than its header. `None` where there is no such index or it does not fit; it is
    /// a cache, and [`Model::open`] needs none. Problems are those of the opening that the index was made by.
    pub fn open_known(
        path: &Path,
        index: &Path,
        sha256: &[u8; 32],
        limits: &Limits,
    ) -> Option<(Self, Vec<Problem>)> {
        crate::open::open_known(path, index, sha256, limits)
            .map(|(base, problems)| (Self::from_base(base), problems))
    }

    /// Writes an index of the file as it was opened, whose content has this SHA-256, with the problems that opening
    /// found: for [`Model::open_known`]. Takes as long as asking for every class, GlobalId and reference once.
    pub fn save_index(&self, index: &Path, sha256: &[u8; 32], problems: &[Problem]) -> std::io::Result<()> {
        crate::sidecar::save(&self.base, problems, sha256, index)
    }

    /// A model without instances.
    pub fn blank(schema: SchemaVersion, header: Header) -> Self {
        let mut text = header.write(schema);
        let append_at = text.len();
        text.push_str("ENDSEC;\nEND-ISO-10303-21;\n");
        let header = Header { schema_identifiers: vec![schema.file_schema().to_owned()], ..header };
        Self::from_base(Base {
            bytes: Bytes::Owned(text.into_bytes()),
            header,
            version: schema,
            rows: Columns::with_capacity(0),
            unknown: Vec::new(),
            shadowed: Vec::new(),
            lookup: Lookup::ascending(),
            stored: None,
            rebuilt: OnceLock::new(),
            append_at,
            style: Style { line_end: "\n", equals: "=" },
            next_id: 1,
            indexes: Indexes::default(),
            problems: Vec::new(),
        })
    }

    fn from_base(base: Base) -> Self {
        let (count, next_id) = (base.len(), base.next_id);
        Self { base: Arc::new(base), overlay: Overlay::default(), count, next_id }
    }

    /// The file as it was opened.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// The changes since the file was opened.
    pub fn overlay(&self) -> &Overlay {
        &self.overlay
    }

    /// The schema's tables.
    pub fn schema(&self) -> &'static Schema {
        self.base.schema()
    }

    /// The header as it was read.
    pub fn header(&self) -> &Header {
        &self.base.header
    }

    /// The problems found when the file was opened, in its order, as far as [`Limits::problems`] lists it.
    pub fn problems(&self) -> &[Problem] {
        &self.base.problems
    }

    /// The number of instances.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The id that the next new instance gets, unless the file refers to it already without having it.
    pub fn next_id(&self) -> Id {
        Id(self.next_id)
    }

    /// The lowest id from `from` on that a new instance may take: one that no dangling reference of the file waits for.
    pub fn free_id(&self, from: u32) -> Option<u32> {
        let awaited = self.base.indexes.awaited(&self.base);
        let taken = awaited.get(awaited.partition_point(|id| *id < from)..).unwrap_or_default();
        taken.iter().try_fold(from, |free, id| if *id == free { free.checked_add(1) } else { Some(free) })
    }

    /// The lowest number from `from` on, or nearly so, that puts all of these ordinals behind it on ids that may be taken.
    pub fn free_ids(&self, from: u32, ordinals: impl Iterator<Item = u32> + Clone) -> Option<u32> {
        let mut from = from;
        for _ in 0..64 {
            let is_free = |id: &u32| self.free_id(*id) == Some(*id);
            match ordinals.clone().filter_map(|ordinal| from.checked_add(ordinal)).find(|id| !is_free(id)) {
                Some(taken) => from = self.free_id(taken)?,
                None => return Some(from),
            }
        }
        // so many that no search for a gap should take longer
        self.base.indexes.awaited(&self.base).last()?.checked_add(1)
    }

    /// All instances: those of the file in its order, then those added, by id.
    pub fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        let unchanged = self.overlay.slots.is_empty();
        let kept = move |id: &u32| unchanged || !matches!(self.overlay.get(*id), Some(Slot::Removed));
        let in_file = self.base.ids().iter().copied().filter(kept);
        in_file.chain(self.added()).map(Id)
    }

    /// Instances that the file does not have.
    pub fn added(&self) -> impl Iterator<Item = u32> + '_ {
        self.overlay
            .slots
            .iter()
            .filter(|(id, slot)| matches!(slot, Slot::Present(_)) && self.base.row(**id).is_none())
            .map(|(id, _)| *id)
    }

    /// An instance by id.
    pub fn get(&self, id: Id) -> Option<Instance<'_>> {
        let source = match self.overlay.get(id.0) {
            Some(Slot::Removed) => return None,
            Some(Slot::Present(stored)) => Source::Overlay(stored),
            None => Source::Base(self.base.row(id.0)?),
        };
        Some(Instance { model: self, id, source })
    }

    /// True if there is an instance of this id.
    pub fn contains(&self, id: Id) -> bool {
        match self.overlay.get(id.0) {
            Some(slot) => matches!(slot, Slot::Present(_)),
            None => self.base.row(id.0).is_some(),
        }
    }

    /// Instances of a class and its subtypes, named in any letter case: those of the file in its order, then those
    /// added, by id. None for a class that the schema and the file do not have.
    pub fn of_class(&self, name: &str) -> Vec<Id> {
        match self.schema().entity(name) {
            Some(entity) => self.of_codes(entity.id.0..=entity.last.0),
            None => self.of_unknown(name),
        }
    }

    /// True if there is an instance of a class or its subtypes.
    pub fn has_class(&self, name: &str) -> bool {
        let Some(entity) = self.schema().entity(name) else { return !self.of_unknown(name).is_empty() };
        let codes = entity.id.0..=entity.last.0;
        let in_file = self.base.indexes.of_class(&self.base, codes.clone());
        let is_as_in_file =
            |row: &u32| self.base.id(*row as usize).is_some_and(|id| !self.overlay.contains(id));
        self.overlay.of_class(codes).next().is_some() || in_file.iter().any(is_as_in_file)
    }

    /// Instances of exactly this class, in the order of [`Model::of_class`].
    pub fn of_class_exact(&self, name: &str) -> Vec<Id> {
        match self.schema().entity(name) {
            Some(entity) => self.of_codes(entity.id.0..=entity.id.0),
            None => self.of_unknown(name),
        }
    }

    /// Instances of exactly this class whose attribute is this text, in the order of [`Model::of_class`]. Those of the file are found by
    /// an index that is made when a class and attribute are first asked about; those changed since are looked at.
    pub fn of_text(&self, class: &str, attribute: &str, text: &str) -> Vec<Id> {
        let Some(entity) = self.schema().entity(class) else { return Vec::new() };
        let Some(at) = entity.index_of(attribute) else { return Vec::new() };
        let code = entity.id.0;
        let of_file = self.base.indexes.names.of_texts(&self.base, code, at);
        let rows = of_file.get(text).map(Vec::as_slice).unwrap_or_default().iter().copied();
        let mut rows: Vec<u32> = rows
            .filter(|row| self.base.id(*row as usize).is_some_and(|id| !self.overlay.contains(id)))
            .collect();
        let mut added = Vec::new();
        for id in self.overlay.of_class(code..=code).map(Id) {
            if self.get(id).is_some_and(|instance| instance.says(attribute, text)) {
                match self.base.row(id.0) {
                    Some(row) => rows.push(row as u32),
                    None => added.push(id),
                }
            }
        }
        rows.sort_unstable();
        added.sort_unstable();
        rows.into_iter().filter_map(|row| self.base.id(row as usize)).map(Id).chain(added).collect()
    }

    fn of_codes(&self, codes: std::ops::RangeInclusive<u16>) -> Vec<Id> {
        let found = self.base.indexes.of_class(&self.base, codes.clone());
        let mut rows: Vec<u32> = if self.overlay.slots.is_empty() {
            found.to_vec()
        } else {
            let is_replaced = self.overlay.replaced();
            let untouched = |row: &u32| self.base.id(*row as usize).is_some_and(|id| !is_replaced(id));
            found.iter().copied().filter(untouched).collect()
        };
        let mut added = Vec::new();
        for id in self.overlay.of_class(codes.clone()) {
            match self.base.row(id) {
                Some(row) => rows.push(row as u32),
                None => added.push(Id(id)),
            }
        }
        rows.sort_unstable();
        added.sort_unstable();
        let in_file = rows.into_iter().filter_map(|row| self.base.id(row as usize)).map(Id);
        in_file.chain(added).collect()
    }

    /// True if an instance of a class or its subtypes bears this name, or bore it in the file as it was opened.
    pub fn is_name_taken(&self, class: &str, name: &str) -> bool {
        let Some(entity) = self.schema().entity(class) else { return false };
        let codes = entity.id.0..=entity.last.0;
        self.base.indexes.names.of_codes(&self.base, &codes).contains(name)
            || self.overlay.has_name(codes, name)
    }

    /// How many names instances of a class or its subtypes bear in the file as it was opened, and how many instances were added since;
    /// with a beginning, only of names that begin so.
    pub fn count_names(&self, class: &str, beginning: &str) -> usize {
        let Some(entity) = self.schema().entity(class) else { return 0 };
        let codes = entity.id.0..=entity.last.0;
        self.base.indexes.names.of_codes(&self.base, &codes).count(beginning)
            + self.overlay.count_added(codes, beginning)
    }

    /// Instances of classes that the schema does not have.
    pub fn of_unknown_classes(&self) -> Vec<Id> {
        self.of_codes(ClassCodes::UNKNOWN..=ClassCodes::COMPLEX)
    }

    fn of_unknown(&self, name: &str) -> Vec<Id> {
        let all = self.of_unknown_classes();
        all.into_iter()
            .filter(|id| self.get(*id).is_some_and(|i| i.class_name().eq_ignore_ascii_case(name)))
            .collect()
    }

    /// The classes of the schema that instances are of, without subtypes, in the order of its table.
    pub fn classes(&self) -> Vec<&'static Entity> {
        let schema = self.schema();
        let mut found: Vec<_> = if self.overlay.slots.is_empty() {
            let ids = self.base.indexes.class_counts(&self.base).into_iter();
            ids.filter_map(|(code, _)| schema.entity_at(ClassCodes::entity_id(code)?)).collect()
        } else {
            self.class_counts().keys().filter_map(|name| schema.entity(name)).collect()
        };
        found.sort_unstable_by_key(|class| class.id.0);
        found
    }

    /// The number of instances of each class that occurs, by the class's own name, without subtypes.
    pub fn class_counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for (code, count) in self.base.indexes.class_counts(&self.base) {
            if let Some(entity) = ClassCodes::entity_id(code).and_then(|id| self.schema().entity_at(id)) {
                *counts.entry(entity.name.to_owned()).or_default() += count;
            } else {
                for row in self.base.indexes.of_class(&self.base, code..=code).iter() {
                    *counts.entry(self.base.class_name(*row as usize).to_owned()).or_default() += 1;
                }
            }
        }
        for (id, slot) in &self.overlay.slots {
            if let Some(row) = self.base.row(*id) {
                let name = self.base.class_name(row);
                if let Some(count) = counts.get_mut(name) {
                    *count -= 1;
                    if *count == 0 {
                        counts.remove(name);
                    }
                }
            }
            if let Slot::Present(stored) = slot {
                *counts.entry(stored.class.name().to_owned()).or_default() += 1;
            }
        }
        counts
    }

    /// The instance with this GlobalId, given as such or as a UUID. If several have it, the first one.
    pub fn by_guid(&self, global_id: &str) -> Option<Id> {
        if let Some(found) = self.by_exact_guid(global_id) {
            return Some(found);
        }
        let other = guid::compress(guid::parse(global_id)?);
        if other == global_id { None } else { self.by_exact_guid(&other) }
    }

    fn by_exact_guid(&self, guid: &str) -> Option<Id> {
        let in_file = || {
            let rows = self.base.indexes.of_guid(&self.base, guid.as_bytes());
            rows.iter().find_map(|row| {
                let id = self.base.id(*row as usize)?;
                let same = crate::index::raw_guid(&self.base, *row as usize)? == guid.as_bytes();
                (same && !self.overlay.contains(id)).then_some(Id(id))
            })
        };
        self.overlay.by_guid(guid).or_else(in_file)
    }

    /// The instances that refer to this one, by id, each once.
    pub fn referrers(&self, id: Id) -> Vec<Id> {
        let mut found: Vec<Id> = self.overlay.referrers(id.0).map(Id).collect();
        if let Some(row) = self.base.row(id.0) {
            let rows = self.base.indexes.referrers(&self.base, row);
            found.extend(rows.iter().filter_map(|row| {
                let source = self.base.id(*row as usize)?;
                (!self.overlay.contains(source)).then_some(Id(source))
            }));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The instances of a class (subtypes included) that refer to this one, by id, each once.
    pub fn referrers_of(&self, id: Id, class: &str) -> Vec<Id> {
        let Some(wanted) = self.schema().entity(class) else {
            let mut found = self.referrers(id);
            found.retain(|source| self.get(*source).is_some_and(|instance| instance.is_a(class)));
            return found;
        };
        // by row and code: most referrers are of other classes, and need not be looked up
        let codes = wanted.id.0..=wanted.last.0;
        let mut found: Vec<Id> = self.overlay.referrers_of(id.0, codes.clone()).map(Id).collect();
        if let Some(row) = self.base.row(id.0) {
            self.base.indexes.referrers_of(&self.base, row, &codes, |source| {
                let source = self.base.id(source).filter(|source| !self.overlay.contains(*source));
                found.extend(source.map(Id));
            });
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Bytes of memory that the model takes, roughly; the mapped file is counted, for it fills memory when read.
    pub fn weight(&self) -> u64 {
        let lookup = self.base.lookup.weight() + self.base.stored.as_ref().map_or(0, Sidecar::weight);
        let overlay = self.overlay.slots.len() as u64 * 1_000;
        self.base.bytes.len() as u64 + self.base.rows.weight() + lookup + self.base.indexes.weight() + overlay
    }

    /// The instances that differ between this state and another over the very same opened file, by id: those that only one of
    /// both has, and those that were written since. `None` where the two were opened apart. O(changes of both).
    pub fn differing(&self, other: &Self) -> Option<Vec<Id>> {
        self.has_same_base(other).then(|| crate::delta::differing(self, other).map(Id).collect())
    }

    /// True if both stand over the very same opened file.
    pub fn has_same_base(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.base, &other.base)
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Model({}, {} instances)", self.base.version, self.count)
    }
}
