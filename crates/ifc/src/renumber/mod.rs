//! A model under new ids, counted from 1: as a file of its own, for ids are what a history is told by. Instances of
//! the file keep their text but for the ids in it; comments between them, and whatever else stands between instances,
//! are left behind.

mod merge;
#[cfg(test)]
mod tests;

use crate::dense::Dense;
use crate::instance::Source;
use crate::step::{encode, quote};
use crate::{Id, Limits, Model, OpenError};
use std::collections::BTreeMap;

/// In which order ids are given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// As instances stand in the file, then those added, by id.
    #[default]
    File,
    /// Each instance behind those it refers to.
    Dependency,
}

/// Options of a renumbering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Renumber {
    /// The order of the new ids, which is also that of the new file.
    pub order: Order,
    /// True if resources that say the same become one: points, directions, profiles, materials, properties. Kept apart
    /// are rooted instances, placements, representations, whatever may have only one owner by the schema's inverse
    /// attributes, and whatever another resource is about (a styled shape).
    pub merge: bool,
}

/// The outcome of a renumbering.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Renumbered {
    /// Old and new id, by old id; several old ones have one new id where instances were merged.
    pub ids: Vec<(Id, Id)>,
    /// The number of instances of each class that were merged into another.
    pub merged: BTreeMap<String, usize>,
}

impl Model {
    /// Returns the model under ids from 1 on, without gaps. References to instances that are not there keep pointing
    /// nowhere.
    pub fn renumber(&self, how: Renumber) -> Result<(Self, Renumbered), OpenError> {
        let merged = if how.merge { merge::merged(self) } else { Dense::new(self) };
        let canonical = |id: u32| match merged.get(self, id) {
            0 => id,
            other => other,
        };
        let order = match how.order {
            Order::File => self.ids().collect(),
            Order::Dependency => self.by_dependency(),
        };
        let mut numbers: Dense<u32> = Dense::new(self);
        let mut next = 0;
        for id in &order {
            if canonical(id.0) == id.0 {
                next += 1;
                numbers.set(self, id.0, next);
            }
        }
        // what is not there gets numbers behind all others
        let mut missing: BTreeMap<u32, u32> = BTreeMap::new();
        let mut number = |id: u32| {
            if self.contains(Id(id)) {
                return numbers.get(self, canonical(id));
            }
            let beyond = next.saturating_add(missing.len() as u32).saturating_add(1);
            *missing.entry(id).or_insert(beyond)
        };
        let mut out = self.header().write(self.base.version).into_bytes();
        out.reserve(self.base.bytes.len());
        let mut record = Renumbered::default();
        for id in order {
            if canonical(id.0) != id.0 {
                let class = self.get(id).map(|instance| instance.class_name().to_owned()).unwrap_or_default();
                *record.merged.entry(class).or_default() += 1;
                continue;
            }
            self.rewrite(id, &mut number, &mut out);
            out.push(b'\n');
        }
        out.extend_from_slice(b"ENDSEC;\nEND-ISO-10303-21;\n");
        record.ids = self.ids().map(|id| (id, Id(numbers.get(self, canonical(id.0))))).collect();
        record.ids.sort_unstable();
        let limits = Limits { lenient: true, ..Limits::default() };
        Self::from_bytes(out, &limits).map(|(model, _)| (model, record))
    }

    /// Writes an instance, from its `#` to its `;`, with other ids.
    fn rewrite(&self, id: Id, number: &mut impl FnMut(u32) -> u32, out: &mut Vec<u8>) {
        match self.get(id).map(|instance| instance.source) {
            Some(Source::Base(row)) => rewritten(self.base.text(row), number, out),
            Some(Source::Overlay(stored)) => {
                let mut text = format!("#{}=", number(id.0));
                text.extend(stored.class.name().chars().map(|c| c.to_ascii_uppercase()));
                let values = stored.values.iter().map(|value| {
                    let mapped =
                        value.map_refs(&mut |id| Ok::<_, std::convert::Infallible>(Id(number(id.0))));
                    mapped.unwrap_or_default()
                });
                encode::list(&values.collect::<Vec<_>>(), &mut text);
                text.push(';');
                out.extend_from_slice(text.as_bytes());
            }
            None => {}
        }
    }
}

/// Copies an instance's text with other ids. Strings and comments are copied as they stand.
fn rewritten(text: &[u8], number: &mut impl FnMut(u32) -> u32, out: &mut Vec<u8>) {
    let mut from = 0;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'#' => {
                let start = at;
                let mut value = 0u64;
                while let Some(digit) = text.get(at).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
                    value = value.saturating_mul(10).saturating_add(u64::from(digit));
                    at += 1;
                }
                if at > start
                    && let Ok(id) = u32::try_from(value)
                {
                    out.extend_from_slice(text.get(from..start).unwrap_or_default());
                    out.extend_from_slice(number(id).to_string().as_bytes());
                    from = at;
                }
            }
            b'\'' => at = quote::closing(text, at - 1).map_or(text.len(), |close| close + 1),
            b'/' if text.get(at) == Some(&b'*') => {
                let end = memchr::memmem::find(text.get(at..).unwrap_or_default(), b"*/");
                at = end.map_or(text.len(), |found| at + found + 2);
            }
            _ => {}
        }
    }
    out.extend_from_slice(text.get(from..).unwrap_or_default());
}
