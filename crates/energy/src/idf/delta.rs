//! What leads from one version of a document to another: objects added, changed and removed.
//!
//! A change names the values that changed and no others, so that two changes to one object can both be kept. Objects that
//! are added get their handles where the change is applied: on another document than it was made for, they are numbered
//! behind that one's. Bytes of a delta may come from anywhere; whatever is wrong with them is an error.

use super::{Document, Format, Handle, Record};
use crate::schema::HOME;
use contract::{Fault, FaultCode};
use serde_json::Value;

/// The largest list a delta may hold.
const MOST: u64 = 50_000_000;
/// A change in places of the text, or of the schema of `HOME`; and one that names the schema whose places it speaks of.
const MAGIC: &[u8] = b"EPD1";
const MAGIC_NAMED: &[u8] = b"EPD2";
/// The number of handles that a change may give and take back besides those of the objects it adds.
const SPARE: u64 = 1_000_000;

/// A change of a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Delta {
    /// The version of the schema whose places it speaks of, where those are not the places of the text; none for that of `HOME`.
    pub schema: Option<Box<str>>,
    /// The handle after the last one of the document it was made for.
    pub base_next: u32,
    /// The handle after the last one of the document it leads to.
    pub next: u32,
    /// Objects removed.
    pub removed: Vec<Handle>,
    /// Objects changed.
    pub changed: Vec<(Handle, Patch)>,
    /// Objects added.
    pub added: Vec<(Handle, Record)>,
    /// The whole document, where both do not come from one file.
    pub whole: Option<(Format, Vec<u8>)>,
}

/// The change of one object.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Patch {
    /// The number of values that it has afterwards.
    pub length: u32,
    /// The values that are others, by their position.
    pub values: Vec<(u32, Box<str>)>,
    /// The values that the schema has no field for, if they changed.
    pub extra: Option<Vec<(String, Value)>>,
    /// Its type, if that changed.
    pub type_name: Option<String>,
}

/// Why bytes are not a delta, or do not fit a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DeltaError {
    /// They were not written by this program, or are damaged.
    #[error("these bytes are not a change to an EnergyPlus model")]
    Damaged,
    /// The document lacks an object that is changed.
    #[error("the change is to object {0}, which this version of the model does not have")]
    Missing(Handle),
    /// The whole document in it cannot be read.
    #[error("the model within the change cannot be read")]
    Unreadable,
    /// It was made by a schema that is not here.
    #[error(
        "the change was made by the schema of a version of EnergyPlus that this program does not have; a later program made it"
    )]
    OtherSchema,
}

impl From<DeltaError> for Fault {
    fn from(error: DeltaError) -> Self {
        let code = match error {
            DeltaError::Missing(_) => FaultCode::Conflict,
            _ => FaultCode::BackendFailed,
        };
        Self::new(code, error.to_string())
    }
}

impl Document {
    /// Returns the change that leads from `before` to this document.
    pub fn delta_from(&self, before: &Self) -> Result<Delta, Fault> {
        let same = std::sync::Arc::ptr_eq(&self.base, &before.base) || self.base.text == before.base.text;
        if !same {
            let whole = Some((self.format(), self.to_bytes(self.format())?));
            return Ok(Delta { whole, base_next: before.next, next: self.next, ..Delta::default() });
        }
        let is_named = self.format() == Format::EpJson && self.schema.version() != HOME;
        let schema = is_named.then(|| self.schema.version().into());
        let mut delta = Delta { schema, base_next: before.next, next: self.next, ..Delta::default() };
        let mut handles: Vec<Handle> = self.changed.keys().chain(before.changed.keys()).copied().collect();
        handles.sort_unstable();
        handles.dedup();
        for handle in handles {
            if let (Some(Some(a)), Some(Some(b))) = (before.changed.get(&handle), self.changed.get(&handle))
                && std::sync::Arc::ptr_eq(a, b)
            {
                continue;
            }
            match (before.object(handle), self.object(handle)) {
                (Some(_), None) => delta.removed.push(handle),
                (None, Some(object)) => delta.added.push((handle, object.to_record())),
                (Some(old), Some(new)) => {
                    let patch = Patch::between(&old.to_record(), &new.to_record());
                    delta.changed.extend(patch.map(|patch| (handle, patch)));
                }
                (None, None) => {}
            }
        }
        Ok(delta)
    }

    /// This document with a change applied.
    pub fn apply(&self, delta: &Delta) -> Result<Self, DeltaError> {
        if let Some((format, bytes)) = &delta.whole {
            // it may be of another version than what it takes the place of
            let read = Self::open_as(bytes, *format);
            return read.map(|read| read.0).map_err(|_| DeltaError::Unreadable);
        }
        let over = self.brought_over(delta)?;
        let delta = over.as_ref().unwrap_or(delta);
        let mut document = self.clone();
        for handle in &delta.removed {
            if self.object(*handle).is_none() {
                return Err(DeltaError::Missing(*handle));
            }
            document.put(*handle, None);
        }
        for (handle, patch) in &delta.changed {
            let object = self.object(*handle).ok_or(DeltaError::Missing(*handle))?;
            let mut record = object.to_record();
            patch.apply(&mut record);
            if let Some(name) = &patch.type_name {
                record.type_name = name.as_str().into();
                record.number = self.schema.number(name);
            }
            document.put(*handle, Some(record));
        }
        for (handle, record) in &delta.added {
            let moved = handle.0.checked_sub(delta.base_next).and_then(|local| local.checked_add(self.next));
            // an object that an undo brings back has its old place, unless another has it by now
            let own = handle.0 < delta.base_next && document.object(*handle).is_none();
            let wanted = if own { handle.0 } else { moved.unwrap_or(document.next) };
            let target = if document.object(Handle(wanted)).is_some() { document.next } else { wanted };
            // bytes from elsewhere cannot use up the handles
            if u64::from(target) > u64::from(self.next) + delta.added.len() as u64 + SPARE {
                return Err(DeltaError::Damaged);
            }
            let mut record = record.clone();
            record.number = self.schema.number(&record.type_name);
            if let Some(about) = record.number.and_then(|number| self.schema.type_at(number)) {
                record.type_name = about.name.clone();
            }
            document.put(Handle(target), Some(record));
        }
        let grown = delta.next.saturating_sub(delta.base_next);
        // handles given up by the change are not given again
        if u64::from(grown) <= delta.added.len() as u64 + SPARE {
            document.next = document.next.max(self.next.saturating_add(grown));
        }
        Ok(document)
    }
}

impl Patch {
    pub(super) fn between(old: &Record, new: &Record) -> Option<Self> {
        let values = new.values.iter().enumerate().filter(|(at, value)| old.values.get(*at) != Some(value));
        let patch = Self {
            length: new.values.len() as u32,
            values: values.map(|(at, value)| (at as u32, value.clone())).collect(),
            extra: (new.extra != old.extra).then(|| new.extra.clone()),
            type_name: (new.type_name != old.type_name).then(|| new.type_name.to_string()),
        };
        let same = patch.values.is_empty()
            && patch.extra.is_none()
            && patch.type_name.is_none()
            && old.values.len() == new.values.len();
        (!same).then_some(patch)
    }

    pub(super) fn apply(&self, record: &mut Record) {
        // a length is only believed as far as values stand for it
        let known = record.values.len().max(self.values.last().map_or(0, |last| last.0 as usize + 1));
        record.values.resize((self.length as usize).min(known), "".into());
        for (at, value) in &self.values {
            if let Some(place) = record.values.get_mut(*at as usize) {
                place.clone_from(value);
            }
        }
        if let Some(extra) = &self.extra {
            record.extra.clone_from(extra);
        }
    }
}

impl Delta {
    /// True if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.changed.is_empty() && self.added.is_empty() && self.whole.is_none()
    }

    /// The change as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Out(if self.schema.is_some() { MAGIC_NAMED } else { MAGIC }.to_vec());
        if let Some(schema) = &self.schema {
            out.text(schema);
        }
        out.number(self.base_next.into());
        out.number(self.next.into());
        out.number(self.removed.len() as u64);
        for handle in &self.removed {
            out.number(handle.0.into());
        }
        out.number(self.changed.len() as u64);
        for (handle, patch) in &self.changed {
            out.number(handle.0.into());
            out.number(patch.length.into());
            out.number(patch.values.len() as u64);
            for (at, value) in &patch.values {
                out.number((*at).into());
                out.text(value);
            }
            out.number(u64::from(patch.extra.is_some()));
            if let Some(extra) = &patch.extra {
                out.extra(extra);
            }
            out.optional(patch.type_name.as_deref());
        }
        out.number(self.added.len() as u64);
        for (handle, record) in &self.added {
            out.number(handle.0.into());
            out.text(&record.type_name);
            out.number(record.values.len() as u64);
            for value in &record.values {
                out.text(value);
            }
            out.optional(record.key.as_deref());
            out.extra(&record.extra);
        }
        match &self.whole {
            None => out.number(0),
            Some((format, bytes)) => {
                out.number(if *format == Format::Idf { 1 } else { 2 });
                out.number(bytes.len() as u64);
                out.0.extend_from_slice(bytes);
            }
        }
        out.0
    }

    /// Reads the bytes of a change.
    pub fn decode(bytes: &[u8]) -> Result<Self, DeltaError> {
        let named = bytes.strip_prefix(MAGIC_NAMED);
        let mut read = In(named.or_else(|| bytes.strip_prefix(MAGIC)).ok_or(DeltaError::Damaged)?);
        let schema = if named.is_some() { Some(read.text()?.into()) } else { None };
        let mut delta = Self { schema, base_next: read.small()?, next: read.small()?, ..Self::default() };
        for _ in 0..read.count()? {
            delta.removed.push(Handle(read.small()?));
        }
        for _ in 0..read.count()? {
            let handle = Handle(read.small()?);
            let mut patch = Patch { length: read.small()?, ..Patch::default() };
            for _ in 0..read.count()? {
                let at = read.small()?;
                if patch.values.last().is_some_and(|last| last.0 >= at) || u64::from(at) > MOST {
                    return Err(DeltaError::Damaged);
                }
                patch.values.push((at, read.text()?.into()));
            }
            patch.extra = if read.number()? == 0 { None } else { Some(read.extra()?) };
            patch.type_name = read.optional()?.map(str::to_owned);
            delta.changed.push((handle, patch));
        }
        for _ in 0..read.count()? {
            let handle = Handle(read.small()?);
            let type_name = read.text()?.into();
            let count = read.count()?;
            let mut record = Record { type_name, ..Record::default() };
            for _ in 0..count {
                record.values.push(read.text()?.into());
            }
            record.key = read.optional()?.map(Into::into);
            record.extra = read.extra()?;
            delta.added.push((handle, record));
        }
        delta.whole = match read.number()? {
            0 => None,
            form @ (1 | 2) => {
                let length = read.number()? as usize;
                let format = if form == 1 { Format::Idf } else { Format::EpJson };
                Some((format, read.take(length)?.to_vec()))
            }
            _ => return Err(DeltaError::Damaged),
        };
        if read.0.is_empty() { Ok(delta) } else { Err(DeltaError::Damaged) }
    }
}

struct Out(Vec<u8>);

impl Out {
    fn number(&mut self, n: u64) {
        // what is written to memory is written
        let _ = leb128::write::unsigned(&mut self.0, n);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn optional(&mut self, text: Option<&str>) {
        self.number(u64::from(text.is_some()));
        if let Some(text) = text {
            self.text(text);
        }
    }

    fn extra(&mut self, extra: &[(String, Value)]) {
        self.number(extra.len() as u64);
        for (name, value) in extra {
            self.text(name);
            self.text(&value.to_string());
        }
    }
}

struct In<'a>(&'a [u8]);

impl<'a> In<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], DeltaError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(DeltaError::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u64, DeltaError> {
        leb128::read::unsigned(&mut self.0).map_err(|_| DeltaError::Damaged)
    }

    fn small(&mut self) -> Result<u32, DeltaError> {
        u32::try_from(self.number()?).map_err(|_| DeltaError::Damaged)
    }

    /// Reads the number of things that follow; each takes at least a byte.
    fn count(&mut self) -> Result<u64, DeltaError> {
        let count = self.number()?;
        if count > self.0.len() as u64 { Err(DeltaError::Damaged) } else { Ok(count) }
    }

    fn text(&mut self) -> Result<&'a str, DeltaError> {
        let length = self.number()? as usize;
        std::str::from_utf8(self.take(length)?).map_err(|_| DeltaError::Damaged)
    }

    fn optional(&mut self) -> Result<Option<&'a str>, DeltaError> {
        Ok(if self.number()? == 0 { None } else { Some(self.text()?) })
    }

    fn extra(&mut self) -> Result<Vec<(String, Value)>, DeltaError> {
        let mut extra = Vec::new();
        for _ in 0..self.count()? {
            let name = self.text()?.to_owned();
            let value = serde_json::from_str(self.text()?).map_err(|_| DeltaError::Damaged)?;
            extra.push((name, value));
        }
        Ok(extra)
    }
}
