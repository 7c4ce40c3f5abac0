//! Reads the bytes of a delta. Any bytes may be given: they are refused where they are damaged, and take memory in
//! proportion to their number, no more.

use super::encode::{
    BINARY, DERIVED, ENUM, FALSE, FIRST_VERSION, INTEGER, LIST, MEMBERS, NEW_REF, NULL, REAL, REF, SET, TEXT,
    TRUE, TYPED, UNKNOWN, VERSION, WAS, WHOLE,
};
use super::{AttributeEdit, Content, Delta, DeltaError, Was, checksum};
use crate::{Id, Value};

/// The most levels that values may nest.
const DEPTH: usize = 64;

impl Delta {
    /// Reads what [`Delta::encode`] wrote, now or as version 1, which had no checksum.
    pub fn decode(bytes: &[u8]) -> Result<Self, DeltaError> {
        match bytes.first() {
            Some(&FIRST_VERSION) => Self::read(bytes),
            Some(&VERSION) => {
                let Some((body, sum)) = bytes.split_last_chunk::<4>() else {
                    return Err(DeltaError::Damaged(bytes.len()));
                };
                match checksum::damage(body, u32::from_le_bytes(*sum)) {
                    None => Self::read(body),
                    Some(at) => Err(DeltaError::Damaged(at)),
                }
            }
            Some(other) => Err(DeltaError::UnknownVersion(*other)),
            None => Err(DeltaError::Damaged(0)),
        }
    }

    /// Reads all but the checksum.
    fn read(bytes: &[u8]) -> Result<Self, DeltaError> {
        let mut reader = Reader { bytes, at: 0, table: Vec::new(), first: 0, allocated: 0 };
        let version = reader.byte()?;
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
        let mut last = None;
        for _ in 0..reader.count()? {
            let id = reader.ascending(&mut last)?;
            let was = if version == FIRST_VERSION { Was::Unknown } else { reader.was()? };
            delta.put.push((id, was, reader.content()?));
        }
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
            list.push((self.ascending(&mut last)?, self.content()?));
        }
        Ok(list)
    }

    fn content(&mut self) -> Result<Content, DeltaError> {
        Ok(Content { class: self.name()?, values: self.values(0)? })
    }

    fn was(&mut self) -> Result<Was, DeltaError> {
        let word = self.byte()?;
        WAS.get(usize::from(word)).copied().ok_or(DeltaError::Damaged(self.at - 1))
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
