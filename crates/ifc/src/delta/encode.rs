//! A delta as bytes: numbers as varints, names once in a table, everything in one order, so that equal deltas have
//! equal bytes, and a CRC-32 of all that behind it. [`super::decode`] reads them.
//!
//! ```text
//! version = 2, first, allocated, names
//! created:  ordinal, class, values
//! put:      id, was (0 unknown, 1 absent, 2 present), class, values
//! changed:  id, (place, 0 value | 1 added members, removed members)
//! removed:  id
//! checksum: four bytes, the lowest first
//! ```

use super::checksum::checksum;
use super::{AttributeEdit, Content, Delta, Was};
use crate::{Id, Value};
use std::collections::HashMap;

/// The version that is written: as the first, with a word on every instance that is put, and a checksum at the end.
pub(super) const VERSION: u8 = 2;
/// The first version, which stores still hold.
pub(super) const FIRST_VERSION: u8 = 1;

/// The states before an instance is put whole, by the byte that stands for each.
pub(super) const WAS: [Was; 3] = [Was::Unknown, Was::Absent, Was::Present];

pub(super) const NULL: u8 = 0;
pub(super) const DERIVED: u8 = 1;
pub(super) const INTEGER: u8 = 2;
pub(super) const REAL: u8 = 3;
pub(super) const TRUE: u8 = 4;
pub(super) const FALSE: u8 = 5;
pub(super) const UNKNOWN: u8 = 6;
pub(super) const TEXT: u8 = 7;
pub(super) const ENUM: u8 = 8;
pub(super) const BINARY: u8 = 9;
pub(super) const REF: u8 = 10;
pub(super) const NEW_REF: u8 = 11;
pub(super) const LIST: u8 = 12;
pub(super) const TYPED: u8 = 13;
/// A real that is a small whole number.
pub(super) const WHOLE: u8 = 14;

pub(super) const SET: u8 = 0;
pub(super) const MEMBERS: u8 = 1;

impl Delta {
    /// Its bytes. Equal deltas have equal bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer {
            out: Vec::new(),
            names: HashMap::new(),
            table: Vec::new(),
            first: self.first,
            allocated: self.allocated,
        };
        writer.number(self.created.len() as u64);
        for (ordinal, content) in &self.created {
            writer.number((*ordinal).into());
            writer.content(content);
        }
        writer.number(self.put.len() as u64);
        for (id, was, content) in &self.put {
            writer.number((*id).into());
            writer.out.push(WAS.iter().position(|known| known == was).unwrap_or(0) as u8);
            writer.content(content);
        }
        writer.number(self.changed.len() as u64);
        for (id, edits) in &self.changed {
            writer.number((*id).into());
            writer.number(edits.len() as u64);
            for (at, edit) in edits {
                writer.number((*at).into());
                writer.edit(edit);
            }
        }
        writer.number(self.removed.len() as u64);
        for id in &self.removed {
            writer.number((*id).into());
        }
        let mut out = vec![VERSION];
        push_number(&mut out, self.first.into());
        push_number(&mut out, self.allocated.into());
        push_number(&mut out, writer.table.len() as u64);
        for name in &writer.table {
            push_number(&mut out, name.len() as u64);
            out.extend_from_slice(name.as_bytes());
        }
        out.extend_from_slice(&writer.out);
        let sum = checksum(&out);
        out.extend_from_slice(&sum.to_le_bytes());
        out
    }
}

fn push_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

struct Writer<'d> {
    out: Vec<u8>,
    names: HashMap<&'d str, u64>,
    table: Vec<&'d str>,
    first: u32,
    allocated: u32,
}

impl<'d> Writer<'d> {
    fn number(&mut self, number: u64) {
        push_number(&mut self.out, number);
    }

    fn name(&mut self, name: &'d str) {
        let next = self.table.len() as u64;
        let place = *self.names.entry(name).or_insert(next);
        if place == next {
            self.table.push(name);
        }
        self.number(place);
    }

    fn content(&mut self, content: &'d Content) {
        self.name(&content.class);
        self.values(&content.values);
    }

    fn values(&mut self, values: &'d [Value]) {
        self.number(values.len() as u64);
        for value in values {
            self.value(value);
        }
    }

    fn edit(&mut self, edit: &'d AttributeEdit) {
        match edit {
            AttributeEdit::Set(value) => {
                self.out.push(SET);
                self.value(value);
            }
            AttributeEdit::Members { added, removed } => {
                self.out.push(MEMBERS);
                for ids in [added, removed] {
                    self.number(ids.len() as u64);
                    for id in ids {
                        self.reference(*id);
                    }
                }
            }
        }
    }

    fn reference(&mut self, id: Id) {
        match id.0.checked_sub(self.first) {
            Some(ordinal) if ordinal < self.allocated => {
                self.out.push(NEW_REF);
                self.number(ordinal.into());
            }
            _ => {
                self.out.push(REF);
                self.number(id.0.into());
            }
        }
    }

    fn bytes(&mut self, tag: u8, text: &str) {
        self.out.push(tag);
        self.number(text.len() as u64);
        self.out.extend_from_slice(text.as_bytes());
    }

    fn value(&mut self, value: &'d Value) {
        match value {
            Value::Null => self.out.push(NULL),
            Value::Derived => self.out.push(DERIVED),
            Value::Integer(number) => {
                self.out.push(INTEGER);
                self.number(zigzag(*number));
            }
            Value::Real(number) => {
                let whole = *number as i64;
                let exact = whole.unsigned_abs() < 1 << 28 && (whole as f64).to_bits() == number.to_bits();
                if exact {
                    self.out.push(WHOLE);
                    self.number(zigzag(whole));
                } else {
                    self.out.push(REAL);
                    self.out.extend_from_slice(&number.to_le_bytes());
                }
            }
            Value::Boolean(true) => self.out.push(TRUE),
            Value::Boolean(false) => self.out.push(FALSE),
            Value::Unknown => self.out.push(UNKNOWN),
            Value::Text(text) => self.bytes(TEXT, text),
            Value::Enum(item) => {
                self.out.push(ENUM);
                self.name(item);
            }
            Value::Binary(digits) => self.bytes(BINARY, digits),
            Value::Ref(id) => self.reference(*id),
            Value::List(members) => {
                self.out.push(LIST);
                self.values(members);
            }
            Value::Typed(name, inner) => {
                self.out.push(TYPED);
                self.name(name);
                self.value(inner);
            }
        }
    }
}

fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}
