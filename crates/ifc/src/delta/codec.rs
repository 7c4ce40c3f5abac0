//! A delta as bytes: numbers as varints, names once in a table, everything in one order, so that equal deltas have
//! equal bytes. Any bytes may be given to be read; they take memory in proportion to their number, and no more.

use super::{AttributeEdit, Content, Delta, DeltaError};
use crate::{Id, Value};
use std::collections::HashMap;

const VERSION: u8 = 1;
/// How deep values may nest.
const DEPTH: usize = 64;

const NULL: u8 = 0;
const DERIVED: u8 = 1;
const INTEGER: u8 = 2;
const REAL: u8 = 3;
const TRUE: u8 = 4;
const FALSE: u8 = 5;
const UNKNOWN: u8 = 6;
const TEXT: u8 = 7;
const ENUM: u8 = 8;
const BINARY: u8 = 9;
const REF: u8 = 10;
const NEW_REF: u8 = 11;
const LIST: u8 = 12;
const TYPED: u8 = 13;
/// A real that is a small whole number.
const WHOLE: u8 = 14;

const SET: u8 = 0;
const MEMBERS: u8 = 1;

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
        for list in [&self.created, &self.put] {
            writer.number(list.len() as u64);
            for (id, content) in list {
                writer.number((*id).into());
                writer.content(content);
            }
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
        out
    }

    /// Reads what [`Delta::encode`] wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, DeltaError> {
        let mut reader = Reader { bytes, at: 0, table: Vec::new(), first: 0, allocated: 0 };
        match reader.byte()? {
            VERSION => {}
            other => return Err(DeltaError::UnknownVersion(other)),
        }
        let first = reader.small()?;
        let allocated = reader.small()?;
        if first.checked_add(allocated).is_none() {
            return reader.damaged();
        }
        reader.first = first;
        reader.allocated = allocated;
        for _ in 0..reader.count()? {
            let name = reader.text()?;
            let is_name =
                !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_()-!".contains(&b));
            if !is_name {
                return reader.damaged();
            }
            reader.table.push(name);
        }
        let mut delta = Self { first, allocated, ..Self::default() };
        delta.created = reader.contents()?;
        if delta.created.iter().any(|(ordinal, _)| *ordinal >= allocated) {
            return reader.damaged();
        }
        delta.put = reader.contents()?;
        let mut last = None;
        for _ in 0..reader.count()? {
            let id = reader.ascending(&mut last)?;
            let mut edits = Vec::new();
            let mut last = None;
            for _ in 0..reader.count()? {
                let at = reader.ascending(&mut last)?;
                edits.push((at, reader.edit()?));
            }
            delta.changed.push((id, edits));
        }
        let mut last = None;
        for _ in 0..reader.count()? {
            let id = reader.ascending(&mut last)?;
            delta.removed.push(id);
        }
        if reader.at == bytes.len() { Ok(delta) } else { reader.damaged() }
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

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    table: Vec<String>,
    first: u32,
    allocated: u32,
}

impl Reader<'_> {
    fn damaged<T>(&self) -> Result<T, DeltaError> {
        Err(DeltaError::Damaged(self.at))
    }

    fn byte(&mut self) -> Result<u8, DeltaError> {
        let byte = self.bytes.get(self.at).copied().ok_or(DeltaError::Damaged(self.at))?;
        self.at += 1;
        Ok(byte)
    }

    fn number(&mut self) -> Result<u64, DeltaError> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        self.damaged()
    }

    fn small(&mut self) -> Result<u32, DeltaError> {
        let number = self.number()?;
        u32::try_from(number).map_err(|_| DeltaError::Damaged(self.at))
    }

    /// A number of things to come, each of which takes at least a byte.
    fn count(&mut self) -> Result<usize, DeltaError> {
        let count = self.number()?;
        let left = (self.bytes.len() - self.at) as u64;
        if count > left { self.damaged() } else { Ok(count as usize) }
    }

    fn ascending(&mut self, last: &mut Option<u32>) -> Result<u32, DeltaError> {
        let number = self.small()?;
        if last.is_some_and(|last| last >= number) {
            return self.damaged();
        }
        *last = Some(number);
        Ok(number)
    }

    fn text(&mut self) -> Result<String, DeltaError> {
        let length = self.count()?;
        let bytes = self.bytes.get(self.at..self.at + length).unwrap_or_default();
        let text = std::str::from_utf8(bytes).map_err(|_| DeltaError::Damaged(self.at))?;
        self.at += length;
        Ok(text.to_owned())
    }

    fn name(&mut self) -> Result<String, DeltaError> {
        let place = self.number()?;
        let name = usize::try_from(place).ok().and_then(|place| self.table.get(place));
        name.cloned().ok_or(DeltaError::Damaged(self.at))
    }

    fn contents(&mut self) -> Result<Vec<(u32, Content)>, DeltaError> {
        let mut list = Vec::new();
        let mut last = None;
        for _ in 0..self.count()? {
            let id = self.ascending(&mut last)?;
            let class = self.name()?;
            let values = self.values(0)?;
            list.push((id, Content { class, values }));
        }
        Ok(list)
    }

    fn values(&mut self, depth: usize) -> Result<Vec<Value>, DeltaError> {
        let count = self.count()?;
        (0..count).map(|_| self.value(depth)).collect()
    }

    fn edit(&mut self) -> Result<AttributeEdit, DeltaError> {
        match self.byte()? {
            SET => Ok(AttributeEdit::Set(self.value(0)?)),
            MEMBERS => Ok(AttributeEdit::Members { added: self.references()?, removed: self.references()? }),
            _ => self.damaged(),
        }
    }

    fn references(&mut self) -> Result<Vec<Id>, DeltaError> {
        let count = self.count()?;
        (0..count)
            .map(|_| match self.value(0)? {
                Value::Ref(id) => Ok(id),
                _ => self.damaged(),
            })
            .collect()
    }

    fn value(&mut self, depth: usize) -> Result<Value, DeltaError> {
        if depth > DEPTH {
            return self.damaged();
        }
        Ok(match self.byte()? {
            NULL => Value::Null,
            DERIVED => Value::Derived,
            INTEGER => Value::Integer(self.whole()?),
            WHOLE => Value::Real(self.whole()? as f64),
            REAL => {
                let chunk = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<8>());
                let number = chunk.map_or(f64::NAN, |chunk| f64::from_le_bytes(*chunk));
                if !number.is_finite() {
                    return self.damaged();
                }
                self.at += 8;
                Value::Real(number)
            }
            TRUE => Value::Boolean(true),
            FALSE => Value::Boolean(false),
            UNKNOWN => Value::Unknown,
            TEXT => Value::Text(self.text()?),
            ENUM => Value::Enum(self.name()?),
            BINARY => {
                let digits = self.text()?;
                if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                    return self.damaged();
                }
                Value::Binary(digits)
            }
            REF => Value::Ref(Id(self.small()?)),
            NEW_REF => {
                let ordinal = self.small()?;
                if ordinal >= self.allocated {
                    return self.damaged();
                }
                Value::Ref(Id(self.first + ordinal))
            }
            LIST => Value::List(self.values(depth + 1)?),
            TYPED => Value::Typed(self.name()?, Box::new(self.value(depth + 1)?)),
            _ => return self.damaged(),
        })
    }

    fn whole(&mut self) -> Result<i64, DeltaError> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }
}
