//! The schema as a few hundred kilobytes: every text once, then numbers, deflated.

use super::{Automatic, Bound, Extensible, Field, Kind, ObjectType, Schema, SchemaError, Text};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::collections::HashMap;
use std::io::{Read, Write};

/// What a packed schema may unpack to.
const LARGEST: u64 = 64 << 20;

#[derive(Default)]
struct Out {
    texts: Vec<Text>,
    numbers: HashMap<Text, u64>,
    body: Vec<u8>,
}

impl Out {
    fn number(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.body.push((n as u8) | 0x80);
            n >>= 7;
        }
        self.body.push(n as u8);
    }

    fn text(&mut self, text: &Text) {
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

    fn fields(&mut self, fields: &[Field]) {
        self.number(fields.len() as u64);
        for field in fields {
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
            for text in [
                &field.numbered,
                &field.default,
                &field.units,
                &field.ip_units,
                &field.units_from,
                &field.note,
            ] {
                self.optional(text.as_ref());
            }
            for texts in [&field.choices, &field.references, &field.class_references, &field.lists] {
                self.texts(texts);
            }
            self.bound(field.minimum);
            self.bound(field.maximum);
        }
    }
}

/// The packed form.
pub fn pack(schema: &Schema) -> Vec<u8> {
    let mut out = Out::default();
    out.text(&schema.version);
    out.number(schema.types.len() as u64);
    for object in &schema.types {
        for text in [&object.name, &object.group, &object.memo, &object.format] {
            out.text(text);
        }
        let flags = u64::from(object.named) | u64::from(object.unique) << 1 | u64::from(object.required) << 2;
        out.number(flags);
        out.number(u64::from(object.min_fields));
        out.fields(&object.fields);
        out.number(u64::from(object.extensible.is_some()));
        if let Some(group) = &object.extensible {
            out.text(&group.key);
            out.number(u64::from(group.min_items));
            out.number(group.max_items.map_or(0, |most| u64::from(most) + 1));
            out.fields(&group.fields);
        }
    }
    let mut whole = Out::default();
    whole.number(out.texts.len() as u64);
    for text in &out.texts {
        whole.number(text.len() as u64);
    }
    for text in &out.texts {
        whole.body.extend_from_slice(text.as_bytes());
    }
    whole.body.extend_from_slice(&out.body);
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // writing to memory does not fail
    let _ = encoder.write_all(&whole.body);
    encoder.finish().unwrap_or_default()
}

struct In<'a> {
    rest: &'a [u8],
    texts: Vec<Text>,
}

impl In<'_> {
    fn take(&mut self, count: usize) -> Result<&[u8], SchemaError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(SchemaError::Damaged)?;
        self.rest = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u64, SchemaError> {
        let mut n = 0u64;
        for shift in (0..63).step_by(7) {
            let (&byte, rest) = self.rest.split_first().ok_or(SchemaError::Damaged)?;
            self.rest = rest;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(n);
            }
        }
        Err(SchemaError::Damaged)
    }

    /// How many things follow; each takes at least a byte.
    fn count(&mut self) -> Result<usize, SchemaError> {
        let count = self.number()? as usize;
        if count > self.rest.len() { Err(SchemaError::Damaged) } else { Ok(count) }
    }

    fn text(&mut self) -> Result<Text, SchemaError> {
        let number = self.number()? as usize;
        self.texts.get(number).cloned().ok_or(SchemaError::Damaged)
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

    fn fields(&mut self) -> Result<Vec<Field>, SchemaError> {
        let count = self.count()?;
        let mut fields = Vec::with_capacity(count);
        for _ in 0..count {
            let (key, name, flags) = (self.text()?, self.text()?, self.number()?);
            let kind = match flags & 7 {
                0 => Kind::Real,
                1 => Kind::Integer,
                2 => Kind::Choice,
                3 => Kind::Text,
                4 => Kind::Reference,
                5 => Kind::External,
                6 => Kind::Node,
                _ => Kind::Mixed,
            };
            let automatic = match flags >> 5 {
                1 => Some(Automatic::Autosize),
                2 => Some(Automatic::Autocalculate),
                _ => None,
            };
            fields.push(Field {
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
            });
        }
        Ok(fields)
    }
}

/// Reads the packed form.
pub fn unpack(packed: &[u8]) -> Result<Schema, SchemaError> {
    let mut body = Vec::new();
    ZlibDecoder::new(packed).take(LARGEST).read_to_end(&mut body).map_err(|_| SchemaError::Damaged)?;
    let mut read = In { rest: &body, texts: Vec::new() };
    let count = read.count()?;
    let lengths: Vec<usize> =
        (0..count).map(|_| read.number().map(|n| n as usize)).collect::<Result<_, _>>()?;
    for length in lengths {
        let text = std::str::from_utf8(read.take(length)?).map_err(|_| SchemaError::Damaged)?.into();
        read.texts.push(text);
    }
    let version = read.text()?;
    let count = read.count()?;
    let mut types = Vec::with_capacity(count);
    for _ in 0..count {
        let (name, group, memo, format) = (read.text()?, read.text()?, read.text()?, read.text()?);
        let flags = read.number()?;
        let min_fields = read.number()? as u32;
        let fields = read.fields()?;
        let extensible = if read.number()? == 0 {
            None
        } else {
            let (key, least, most) = (read.text()?, read.number()?, read.number()?);
            let max_items = most.checked_sub(1).map(|most| most as u32);
            Some(Extensible { key, fields: read.fields()?, min_items: least as u32, max_items })
        };
        types.push(ObjectType {
            name,
            group,
            memo,
            format,
            fields,
            extensible,
            named: flags & 1 != 0,
            min_fields,
            unique: flags & 2 != 0,
            required: flags & 4 != 0,
        });
    }
    Ok(Schema::new(version, types))
}
