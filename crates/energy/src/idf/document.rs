//! A model: the file it was read from, and what was changed since.

use super::base::{Base, Index, Objects, name_hash};
use super::lexer::{Entry, TypeName};
use super::object::Content;
use super::{Format, Handle, Object, Record};
use crate::schema::Schema;
use rpds::{RedBlackTreeMap, RedBlackTreeMapSync, RedBlackTreeSet, RedBlackTreeSetSync};
use std::fmt;
use std::sync::Arc;

/// A model of EnergyPlus. A copy costs nothing.
#[derive(Clone)]
pub struct Document {
    pub(super) base: Arc<Base>,
    pub(super) schema: Arc<Schema>,
    /// Objects that are not as the file has them; none if removed.
    pub(super) changed: RedBlackTreeMapSync<Handle, Option<Arc<Record>>>,
    /// Hashes of type and name of changed objects.
    named: RedBlackTreeSetSync<(u64, Handle)>,
    /// The handle of the next object.
    pub(super) next: u32,
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Document of {} objects", self.len())
    }
}

impl Document {
    pub(super) fn from_base(base: Base, schema: Arc<Schema>) -> Self {
        Self {
            next: base.count(),
            base: Arc::new(base),
            schema,
            changed: RedBlackTreeMap::new_sync(),
            named: RedBlackTreeSet::new_sync(),
        }
    }

    /// The schema it is read with.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The schema it is read with, to be shared.
    pub fn shared_schema(&self) -> Arc<Schema> {
        self.schema.clone()
    }

    /// The format it was read in, in which it is saved.
    pub fn format(&self) -> Format {
        self.base.format()
    }

    /// The version that the model says it is of, such as `25.2`.
    pub fn version(&self) -> Option<&str> {
        self.of_type("Version").next().map(|object| object.value(0)).filter(|version| !version.is_empty())
    }

    /// True if it differs from the file it was read from.
    pub fn is_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Bytes of memory it holds, about.
    pub fn weight(&self) -> u64 {
        let objects = match &self.base.objects {
            Objects::Text(lexed) => lexed.entries.len() * 44 + lexed.values.len() * 8,
            Objects::Json(members) => members.len() * 400 + self.base.text.len() * 2,
        };
        (self.base.text.len() + objects + self.changed.size() * 1_000) as u64
    }

    /// Counts its objects.
    pub fn len(&self) -> usize {
        self.objects().count()
    }

    /// True if it has no objects.
    pub fn is_empty(&self) -> bool {
        self.objects().next().is_none()
    }

    /// True if another document is a later or earlier state of the same file, so that handles mean the same in both.
    pub fn is_of_one_file(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.base, &other.base) || self.base.text == other.base.text
    }

    /// Every object, in the order of the file, those added last.
    pub fn objects(&self) -> impl Iterator<Item = Object<'_>> {
        (0..self.next).filter_map(|number| self.object(Handle(number)))
    }

    /// An object by its handle.
    pub fn object(&self, handle: Handle) -> Option<Object<'_>> {
        let content = match self.changed.get(&handle) {
            Some(changed) => Content::Record(changed.as_deref()?),
            None => self.in_base(handle)?,
        };
        Some(Object { document: self, handle, content })
    }

    fn in_base(&self, handle: Handle) -> Option<Content<'_>> {
        match &self.base.objects {
            Objects::Text(_) => self.base.entry(handle).map(Content::Text),
            Objects::Json(_) => self.base.member(handle).map(|member| Content::Record(&member.record)),
        }
    }

    fn index(&self) -> &Index {
        self.base.index(|handle| {
            let content = self.in_base(handle);
            content.map_or(("", ""), |content| {
                let object = Object { document: self, handle, content };
                (object.type_name(), object.name())
            })
        })
    }

    /// The objects of a type, whatever the case of its name, in order.
    pub fn of_type<'a>(&'a self, type_name: &str) -> impl Iterator<Item = Object<'a>> + use<'a> {
        let wanted = type_name.trim().to_ascii_lowercase();
        let listed = self.index().by_type.get(wanted.as_str()).map(Vec::as_slice).unwrap_or_default();
        let kept =
            listed.iter().map(|number| Handle(*number)).filter(|handle| !self.changed.contains_key(handle));
        let changed = self.changed.iter().filter_map(move |(handle, record)| {
            record.as_ref().filter(|record| record.type_name.eq_ignore_ascii_case(&wanted)).map(|_| *handle)
        });
        let mut handles: Vec<Handle> = kept.chain(changed).collect();
        handles.sort_unstable();
        handles.into_iter().filter_map(|handle| self.object(handle))
    }

    /// The types that occur and how many objects each has, in order of name.
    pub fn types(&self) -> Vec<(&str, usize)> {
        let mut counts: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
        for object in self.objects() {
            *counts.entry(object.type_name()).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    /// An object by its type and name, whatever the case; the first, should there be several. Where a type's objects have
    /// no names: by what it is known by ([`Object::label`]), by one word of that where only one has it, by its handle written `#12`, and
    /// the only one of its type by an empty name or by its type.
    pub fn get(&self, type_name: &str, name: &str) -> Option<Object<'_>> {
        let (type_name, name) = (type_name.trim(), name.trim());
        if let Some(found) = self.all_named(type_name, name).into_iter().next() {
            return Some(found);
        }
        if name.is_empty() || name.eq_ignore_ascii_case(type_name) {
            let mut all = self.of_type(type_name);
            return all.next().filter(|_| all.next().is_none());
        }
        if let Some(found) = self.all_known_by(type_name, name).into_iter().next() {
            return Some(found);
        }
        let by_handle = name.strip_prefix('#').and_then(|number| number.parse().ok()).map(Handle);
        let object = self.object(by_handle?)?;
        object.type_name().eq_ignore_ascii_case(type_name).then_some(object)
    }

    /// The objects of a type without names that are known by these words, or where none is by one of their words alone.
    pub fn all_known_by(&self, type_name: &str, words: &str) -> Vec<Object<'_>> {
        let about = self.schema.get(type_name).filter(|about| !about.named && !about.unique);
        if about.is_none() || words.starts_with('#') {
            return Vec::new();
        }
        let all: Vec<Object<'_>> = self.of_type(type_name).collect();
        let is_whole = |object: &Object<'_>| object.known_by().join(", ").eq_ignore_ascii_case(words);
        let whole: Vec<Object<'_>> = all.iter().copied().filter(is_whole).collect();
        if !whole.is_empty() {
            return whole;
        }
        let has_word =
            |object: &Object<'_>| object.known_by().iter().any(|word| word.eq_ignore_ascii_case(words));
        let by_word: Vec<Object<'_>> = all.into_iter().filter(has_word).collect();
        if by_word.len() == 1 { by_word } else { Vec::new() }
    }

    /// Every object of this type and name; more than one is a fault of the model.
    pub fn all_named(&self, type_name: &str, name: &str) -> Vec<Object<'_>> {
        let hash = name_hash(type_name, name);
        let list = &self.index().by_name;
        let from = list.partition_point(|(other, _)| *other < hash);
        let kept = list.get(from..).unwrap_or_default().iter().take_while(move |(other, _)| *other == hash);
        let kept =
            kept.map(|(_, number)| Handle(*number)).filter(|handle| !self.changed.contains_key(handle));
        let changed =
            self.named.range((hash, Handle(0))..=(hash, Handle(u32::MAX))).map(|(_, handle)| *handle);
        let same = |object: &Object<'_>| {
            !name.is_empty()
                && object.type_name().eq_ignore_ascii_case(type_name)
                && object.name().eq_ignore_ascii_case(name)
        };
        kept.chain(changed).filter_map(|handle| self.object(handle)).filter(same).collect()
    }

    /// The line on which an object begins in the file it was read from.
    pub fn line(&self, handle: Handle) -> Option<u32> {
        let at = match &self.base.objects {
            Objects::Text(_) => self.base.entry(handle)?.span.start as usize,
            Objects::Json(_) => self.base.member(handle)?.body.0,
        };
        Some(self.base.line(at))
    }

    /// Puts an object in place of another, or none to remove it. Whether that is right is for the caller to know.
    pub(crate) fn put(&mut self, handle: Handle, record: Option<Record>) {
        if let Some(Some(before)) = self.changed.get(&handle)
            && let Some(hash) = self.hash_of(before)
        {
            self.named.remove_mut(&(hash, handle));
        }
        if let Some(hash) = record.as_ref().and_then(|record| self.hash_of(record)) {
            self.named.insert_mut((hash, handle));
        }
        // what was added and removed again leaves nothing behind but its handle
        if record.is_none() && self.in_base(handle).is_none() {
            self.changed.remove_mut(&handle);
        } else {
            self.changed.insert_mut(handle, record.map(Arc::new));
        }
        self.next = self.next.max(handle.0.saturating_add(1));
    }

    /// Puts a new object behind all others, as it is given. Whether that is right is for the caller to know.
    pub(crate) fn push(&mut self, record: Record) -> Handle {
        let handle = Handle(self.next);
        self.put(handle, Some(record));
        handle
    }

    fn hash_of(&self, record: &Record) -> Option<u64> {
        let named = self.schema.type_at(record.number?)?.named;
        let name = record.values.first().filter(|name| named && !name.is_empty())?;
        Some(name_hash(&record.type_name, name))
    }

    pub(super) fn kind(&self, entry: &Entry) -> Option<&TypeName> {
        match &self.base.objects {
            Objects::Text(lexed) => lexed.kinds.get(entry.kind as usize),
            Objects::Json(_) => None,
        }
    }

    pub(super) fn text_value(&self, entry: &Entry, position: usize) -> &str {
        let Objects::Text(lexed) = &self.base.objects else { return "" };
        if position >= entry.count as usize {
            return "";
        }
        lexed.values.get(entry.first as usize + position).map_or("", |span| span.text_in(&self.base.text))
    }
}
