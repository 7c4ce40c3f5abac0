//! The schemas of many versions in one pack. Most of what they say they share with the version before: every text, every field and
//! every type stands in it once, and a version is a list of types. One of them is read without making the others.

use super::codec::{In, Out, inflated};
use super::{Schema, SchemaError};
use std::collections::HashMap;

/// Different pieces in the order in which they first came.
#[derive(Default)]
struct Pieces {
    all: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u64>,
}

impl Pieces {
    fn number(&mut self, piece: Vec<u8>) -> u64 {
        if let Some(known) = self.numbers.get(&piece) {
            return *known;
        }
        let next = self.all.len() as u64;
        self.numbers.insert(piece.clone(), next);
        self.all.push(piece);
        next
    }

    fn write(&self, out: &mut Out) {
        out.number(self.all.len() as u64);
        for piece in &self.all {
            out.number(piece.len() as u64);
        }
        for piece in &self.all {
            out.body.extend_from_slice(piece);
        }
    }
}

fn read_pieces<'a>(read: &mut In<'a>) -> Result<Vec<&'a [u8]>, SchemaError> {
    let count = read.count()?;
    let lengths: Vec<usize> =
        (0..count).map(|_| read.number().map(|n| n as usize)).collect::<Result<_, _>>()?;
    lengths.into_iter().map(|length| read.take(length)).collect()
}

/// Schemas as one pack.
pub fn pack(schemas: &[Schema]) -> Vec<u8> {
    let mut out = Out::default();
    let (mut fields, mut types) = (Pieces::default(), Pieces::default());
    let mut versions = Vec::new();
    for schema in schemas {
        let numbers = schema.types.iter().map(|object| {
            let piece = out.apart(|out| {
                out.object(object, &mut |out, field| {
                    let piece = out.apart(|out| out.field(field));
                    out.number(fields.number(piece));
                });
            });
            types.number(piece)
        });
        let numbers: Vec<u64> = numbers.collect();
        versions.push(out.apart(|out| {
            out.text(&schema.version);
            out.number(numbers.len() as u64);
            // mostly the one behind the one before
            let mut expected = 0u64;
            for number in numbers {
                let step = number.wrapping_sub(expected) as i64;
                out.number(((step << 1) ^ (step >> 63)) as u64);
                expected = number + 1;
            }
        }));
    }
    fields.write(&mut out);
    types.write(&mut out);
    out.number(versions.len() as u64);
    for version in versions {
        out.body.extend_from_slice(&version);
    }
    out.finish()
}

/// The schema of one version, such as `9.6`, out of a pack.
pub fn unpack(packed: &[u8], version: &str) -> Result<Schema, SchemaError> {
    let body = inflated(packed)?;
    let mut read = In::new(&body)?;
    let (fields, types) = (read_pieces(&mut read)?, read_pieces(&mut read)?);
    for _ in 0..read.count()? {
        let name = read.text()?;
        let count = read.count()?;
        let mut numbers = Vec::with_capacity(count);
        let mut expected = 0u64;
        for _ in 0..count {
            let step = read.number()?;
            let number = expected.wrapping_add((step >> 1) ^ (step & 1).wrapping_neg());
            numbers.push(number);
            expected = number.wrapping_add(1);
        }
        if !name.strip_prefix(version).is_some_and(|rest| rest.starts_with('.')) {
            continue;
        }
        let made = numbers.into_iter().map(|number| {
            let piece = types.get(number as usize).copied().ok_or(SchemaError::Damaged)?;
            read.within(piece, |read| {
                read.object(&mut |read| {
                    let number = read.number()? as usize;
                    let piece = fields.get(number).copied().ok_or(SchemaError::Damaged)?;
                    read.within(piece, In::field)
                })
            })
        });
        let made = made.collect::<Result<_, _>>()?;
        return Ok(Schema::new(name, made));
    }
    Err(SchemaError::Damaged)
}
