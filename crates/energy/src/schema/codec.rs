//! The schema as a few hundred kilobytes: every text once, then numbers, deflated.

use super::{Automatic, Bound, Extensible, Field, FieldKind, ObjectType, Schema, SchemaError, Text};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::collections::HashMap;
use std::io::{Read, Write};

/// The largest size that a packed schema may unpack to.
const LARGEST: u64 = 64 << 20;

/// The writer: every text once, in the order in which they came, and numbers.
#[derive(Default)]
pub(super) struct Out {
    texts: Vec<Text>,
    numbers: HashMap<Text, u64>,
    pub(super) body: Vec<u8>,
}

impl Out {
    pub(super) fn number(&mut self, n: u64) {
        // what is written to memory is written
        let _ = leb128::write::unsigned(&mut self.body, n);
    }

    pub(super) fn text(&mut self, text: &Text) {
        let next = self.texts.len() as u64;
        let number = *self.numbers.entry(text.clone()).or_insert(next);
        if number == next {
            self.texts.push(text.clone());
        }
        self.number(number);
    }

    fn texts(&mut self, texts: &[Text]) {
        self.number(texts.len() as u64);
        for text in texts {
            self.text(text);
        }
    }

    fn optional(&mut self, text: Option<&Text>) {
        self.number(u64::from(text.is_some()));
        if let Some(text) = text {
            self.text(text);
        }
    }

    fn bound(&mut self, bound: Option<Bound>) {
        self.number(bound.map_or(0, |bound| 1 + u64::from(bound.exclusive)));
        if let Some(bound) = bound {
            self.body.extend_from_slice(&bound.value.to_le_bytes());
        }
    }

    pub(super) fn field(&mut self, field: &Field) {
        self.text(&field.key);
        self.text(&field.name);
        let automatic = match field.automatic {
            None => 0,
            Some(Automatic::Autosize) => 1,
            Some(Automatic::Autocalculate) => 2,
        };
        let flags = field.kind as u64
            | u64::from(field.required) << 3
            | u64::from(field.retain_case) << 4
            | automatic << 5;
        self.number(flags);
        for text in
            [&field.numbered, &field.default, &field.units, &field.ip_units, &field.units_from, &field.note]
        {
            self.optional(text.as_ref());
        }
        for texts in [&field.choices, &field.references, &field.class_references, &field.lists] {
            self.texts(texts);
        }
        self.bound(field.minimum);
        self.bound(field.maximum);
    }

    /// A type; how each of its fields is written is for the caller to say.
    pub(super) fn object(&mut self, object: &ObjectType, write: &mut dyn FnMut(&mut Self, &Field)) {
        let mut fields = |out: &mut Self, fields: &[Field]| {
            out.number(fields.len() as u64);
            for field in fields {
                write(out, field);
            }
        };
        for text in [&object.name, &object.group, &object.memo, &object.format] {
            self.text(text);
        }
        let flags = u64::from(object.named) | u64::from(object.unique) << 1 | u64::from(object.required) << 2;
        self.number(flags);
        self.number(u64::from(object.min_fields));
        fields(self, &object.fields);
        self.number(u64::from(object.extensible.is_some()));
        if let Some(group) = &object.extensible {
            self.text(&group.key);
            self.number(u64::from(group.min_items));
            self.number(group.max_items.map_or(0, |most| u64::from(most) + 1));
            fields(self, &group.fields);
        }
    }

    /// Returns what another writing would put here, on its own.
    pub(super) fn apart(&mut self, write: impl FnOnce(&mut Self)) -> Vec<u8> {
        let body = std::mem::take(&mut self.body);
        write(self);
        std::mem::replace(&mut self.body, body)
    }

    /// Texts and body, deflated.
    pub(super) fn finish(self) -> Vec<u8> {
        let mut whole = Self::default();
        whole.number(self.texts.len() as u64);
        for text in &self.texts {
            whole.number(text.len() as u64);
        }
        for text in &self.texts {
            whole.body.extend_from_slice(text.as_bytes());
        }
        whole.body.extend_from_slice(&self.body);
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        // writing to memory does not fail
        let _ = encoder.write_all(&whole.body);
        encoder.finish().unwrap_or_default()
    }
}

/// The packed form.
pub fn pack(schema: &Schema) -> Vec<u8> {
    let mut out = Out::default();
    out.text(&schema.version);
    out.number(schema.types.len() as u64);
    for object in &schema.types {
        out.object(object, &mut Out::field);
    }
    out.finish()
}

/// The reader, and the texts that it speaks of by number; each is made when it is first met.
pub(super) struct In<'a> {
    rest: &'a [u8],
    spans: Vec<&'a [u8]>,
    texts: Vec<Option<Text>>,
}

/// Inflates a packed form.
pub(super) fn inflated(packed: &[u8]) -> Result<Vec<u8>, SchemaError> {
    let mut body = Vec::new();
    ZlibDecoder::new(packed).take(LARGEST).read_to_end(&mut body).map_err(|_| SchemaError::Damaged)?;
    Ok(body)
}

impl<'a> In<'a> {
    /// Begins to read what was inflated, behind its texts.
    pub(super) fn new(body: &'a [u8]) -> Result<Self, SchemaError> {
        let mut read = Self { rest: body, spans: Vec::new(), texts: Vec::new() };
        let count = read.count()?;
        let lengths: Vec<usize> =
            (0..count).map(|_| read.number().map(|n| n as usize)).collect::<Result<_, _>>()?;
        for length in lengths {
            let span = read.take(length)?;
            read.spans.push(span);
        }
        read.texts = vec![None; count];
        Ok(read)
    }

    /// Reads other bytes with the same texts.
    pub(super) fn within<T>(
        &mut self,
        bytes: &'a [u8],
        read: impl FnOnce(&mut Self) -> Result<T, SchemaError>,
    ) -> Result<T, SchemaError> {
        let rest = std::mem::replace(&mut self.rest, bytes);
        let done = read(self);
        self.rest = rest;
        done
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], SchemaError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(SchemaError::Damaged)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn number(&mut self) -> Result<u64, SchemaError> {
        leb128::read::unsigned(&mut self.rest).map_err(|_| SchemaError::Damaged)
    }

    /// Reads the number of things that follow; each takes at least a byte.
    pub(super) fn count(&mut self) -> Result<usize, SchemaError> {
        let count = self.number()? as usize;
        if count > self.rest.len() { Err(SchemaError::Damaged) } else { Ok(count) }
    }

    pub(super) fn text(&mut self) -> Result<Text, SchemaError> {
        let number = self.number()? as usize;
        let place = self.texts.get_mut(number).ok_or(SchemaError::Damaged)?;
        if let Some(text) = place {
            return Ok(text.clone());
        }
        let span = self.spans.get(number).ok_or(SchemaError::Damaged)?;
        let text: Text = std::str::from_utf8(span).map_err(|_| SchemaError::Damaged)?.into();
        Ok(place.insert(text).clone())
    }

    fn texts(&mut self) -> Result<Vec<Text>, SchemaError> {
        let count = self.count()?;
        (0..count).map(|_| self.text()).collect()
    }

    fn optional(&mut self) -> Result<Option<Text>, SchemaError> {
        Ok(if self.number()? == 0 { None } else { Some(self.text()?) })
    }

    fn bound(&mut self) -> Result<Option<Bound>, SchemaError> {
        let kind = self.number()?;
        if kind == 0 {
            return Ok(None);
        }
        let bytes = self.take(8)?.try_into().map_err(|_| SchemaError::Damaged)?;
        Ok(Some(Bound { value: f64::from_le_bytes(bytes), exclusive: kind == 2 }))
    }

    pub(super) fn field(&mut self) -> Result<Field, SchemaError> {
        let (key, name, flags) = (self.text()?, self.text()?, self.number()?);
        let kind = match flags & 7 {
            0 => FieldKind::Real,
            1 => FieldKind::Integer,
            2 => FieldKind::Choice,
            3 => FieldKind::Text,
            4 => FieldKind::Reference,
            5 => FieldKind::External,
            6 => FieldKind::Node,
            _ => FieldKind::Mixed,
        };
        let automatic = match flags >> 5 {
            1 => Some(Automatic::Autosize),
            2 => Some(Automatic::Autocalculate),
            _ => None,
        };
        Ok(Field {
            key,
            name,
            kind,
            automatic,
            required: flags & 8 != 0,
            retain_case: flags & 16 != 0,
            numbered: self.optional()?,
            default: self.optional()?,
            units: self.optional()?,
            ip_units: self.optional()?,
            units_from: self.optional()?,
            note: self.optional()?,
            choices: self.texts()?,
            references: self.texts()?,
            class_references: self.texts()?,
            lists: self.texts()?,
            minimum: self.bound()?,
            maximum: self.bound()?,
        })
    }

    /// A type; how each of its fields is read is for the caller to say.
    pub(super) fn object(
        &mut self,
        field: &mut dyn FnMut(&mut Self) -> Result<Field, SchemaError>,
    ) -> Result<ObjectType, SchemaError> {
        let mut fields = |read: &mut Self| -> Result<Vec<Field>, SchemaError> {
            let count = read.count()?;
            (0..count).map(|_| field(read)).collect()
        };
        let (name, group, memo, format) = (self.text()?, self.text()?, self.text()?, self.text()?);
        let flags = self.number()?;
        let min_fields = self.number()? as u32;
        let own = fields(self)?;
        let extensible = if self.number()? == 0 {
            None
        } else {
            let (key, least, most) = (self.text()?, self.number()?, self.number()?);
            let max_items = most.checked_sub(1).map(|most| most as u32);
            Some(Extensible { key, fields: fields(self)?, min_items: least as u32, max_items })
        };
        Ok(ObjectType {
            name,
            group,
            memo,
            format,
            fields: own,
            extensible,
            named: flags & 1 != 0,
            min_fields,
            unique: flags & 2 != 0,
            required: flags & 4 != 0,
        })
    }
}

/// Reads the packed form.
pub fn unpack(packed: &[u8]) -> Result<Schema, SchemaError> {
    let body = inflated(packed)?;
    let mut read = In::new(&body)?;
    let version = read.text()?;
    let count = read.count()?;
    let types = (0..count).map(|_| read.object(&mut In::field)).collect::<Result<_, _>>()?;
    Ok(Schema::new(version, types))
}
