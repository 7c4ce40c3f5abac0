//! Tables as Parquet: optional columns of UTF-8 texts and doubles, plain and uncompressed, one data page to a column and row group
//! (Apache Parquet format 2.10: file metadata in Thrift's compact protocol, levels as runs and bit-packed groups). Numbers stay
//! numbers, and texts are as they are: nothing reads formulas in it.
//!
//! Written by hand: the crate `parquet` brings twenty others, one of them for a licence that is not allowed here, and reads far more than
//! five tables need.

use crate::cells::{Cell, Column, Table};

/// Rows of a row group.
const GROUP: usize = 100_000;
const MAGIC: &[u8] = b"PAR1";
/// Physical types, encodings, repetition and the like, as parquet.thrift numbers them.
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const OPTIONAL: i32 = 1;
const UTF8: i32 = 0;
const UNCOMPRESSED: i32 = 0;
const DATA_PAGE: i32 = 0;

/// A column of a row group as it was written.
struct Chunk {
    offset: usize,
    length: usize,
    values: usize,
}

/// A table as the bytes of a Parquet file.
pub(crate) fn write(table: &Table) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    let mut groups: Vec<(usize, Vec<Chunk>)> = Vec::new();
    for rows in table.rows.chunks(GROUP) {
        let chunk = |at: usize, column: &Column, out: &mut Vec<u8>| {
            let offset = out.len();
            page(rows, at, column.1, out);
            Chunk { offset, length: out.len() - offset, values: rows.len() }
        };
        let chunks =
            table.columns.iter().enumerate().map(|(at, column)| chunk(at, column, &mut out)).collect();
        groups.push((rows.len(), chunks));
    }
    let footer = metadata(table, &groups);
    out.extend_from_slice(&footer);
    out.extend((footer.len() as u32).to_le_bytes());
    out.extend_from_slice(MAGIC);
    out
}

/// The one page of a column: its header, which rows say something, and what they say.
fn page(rows: &[Vec<Cell>], at: usize, is_number: bool, out: &mut Vec<u8>) {
    let cells = || rows.iter().map(|row| row.get(at).unwrap_or(&Cell::Empty));
    let levels = levels(cells().map(|cell| *cell != Cell::Empty), rows.len());
    let mut body = (levels.len() as u32).to_le_bytes().to_vec();
    body.extend_from_slice(&levels);
    for cell in cells() {
        let text = match cell {
            Cell::Empty => continue,
            Cell::Number(number) if is_number => {
                body.extend(number.to_le_bytes());
                continue;
            }
            Cell::Number(number) => number.to_string(),
            Cell::Text(text) => text.clone(),
        };
        body.extend((text.len() as u32).to_le_bytes());
        body.extend_from_slice(text.as_bytes());
    }
    let mut header = Thrift::default();
    header.i32(1, DATA_PAGE).i32(2, body.len() as i32).i32(3, body.len() as i32);
    let mut data = Thrift::default();
    data.i32(1, rows.len() as i32).i32(2, PLAIN).i32(3, RLE).i32(4, RLE);
    header.structure(5, &data.finish());
    out.extend(header.finish());
    out.extend(body);
}

/// Definition levels of one bit, in bit-packed groups of eight.
fn levels(said: impl Iterator<Item = bool>, count: usize) -> Vec<u8> {
    let groups = count.div_ceil(8);
    let mut out = Vec::with_capacity(groups + 5);
    varint((groups as u64) << 1 | 1, &mut out);
    let start = out.len();
    out.resize(start + groups, 0);
    for (at, _) in said.enumerate().filter(|(_, said)| *said) {
        if let Some(byte) = out.get_mut(start + at / 8) {
            *byte |= 1 << (at % 8);
        }
    }
    out
}

fn metadata(table: &Table, groups: &[(usize, Vec<Chunk>)]) -> Vec<u8> {
    let mut root = Thrift::default();
    root.text(4, table.name).i32(5, table.columns.len() as i32);
    let mut schema = vec![root.finish()];
    for (name, is_number) in table.columns {
        let mut column = Thrift::default();
        column.i32(1, if *is_number { DOUBLE } else { BYTE_ARRAY }).i32(3, OPTIONAL).text(4, name);
        if !is_number {
            column.i32(6, UTF8);
        }
        schema.push(column.finish());
    }
    let groups: Vec<Vec<u8>> = groups.iter().map(|(rows, chunks)| group(table, *rows, chunks)).collect();
    let mut file = Thrift::default();
    file.i32(1, 1).structures(2, &schema).i64(3, table.rows.len() as i64).structures(4, &groups);
    file.text(6, concat!("Pensaer version ", env!("CARGO_PKG_VERSION")));
    file.finish()
}

fn group(table: &Table, rows: usize, chunks: &[Chunk]) -> Vec<u8> {
    let mut columns = Vec::new();
    for ((name, is_number), chunk) in table.columns.iter().zip(chunks) {
        let mut data = Thrift::default();
        data.i32(1, if *is_number { DOUBLE } else { BYTE_ARRAY })
            .numbers(2, &[PLAIN, RLE])
            .texts(3, &[name])
            .i32(4, UNCOMPRESSED)
            .i64(5, chunk.values as i64)
            .i64(6, chunk.length as i64)
            .i64(7, chunk.length as i64)
            .i64(9, chunk.offset as i64);
        let mut column = Thrift::default();
        column.i64(2, chunk.offset as i64).structure(3, &data.finish());
        columns.push(column.finish());
    }
    let size: usize = chunks.iter().map(|chunk| chunk.length).sum();
    let mut group = Thrift::default();
    group.structures(1, &columns).i64(2, size as i64).i64(3, rows as i64);
    group.finish()
}

fn varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push((number as u8 & 0x7f) | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A structure in Thrift's compact protocol; fields come in ascending order.
#[derive(Default)]
struct Thrift {
    out: Vec<u8>,
    last: u8,
}

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Thrift {
    /// The head of a field, whose number is at most fifteen above that of the last.
    fn field(&mut self, number: u8, kind: u8) {
        self.out.push((number - self.last) << 4 | kind);
        self.last = number;
    }

    fn integer(&mut self, number: i64) {
        varint(((number << 1) ^ (number >> 63)) as u64, &mut self.out);
    }

    fn i32(&mut self, number: u8, value: i32) -> &mut Thrift {
        self.field(number, I32);
        self.integer(value.into());
        self
    }

    fn i64(&mut self, number: u8, value: i64) -> &mut Thrift {
        self.field(number, I64);
        self.integer(value);
        self
    }

    fn bytes(&mut self, text: &str) {
        varint(text.len() as u64, &mut self.out);
        self.out.extend_from_slice(text.as_bytes());
    }

    fn text(&mut self, number: u8, text: &str) -> &mut Thrift {
        self.field(number, BINARY);
        self.bytes(text);
        self
    }

    fn list(&mut self, number: u8, kind: u8, count: usize) {
        self.field(number, LIST);
        if count < 15 {
            self.out.push((count as u8) << 4 | kind);
        } else {
            self.out.push(0xf0 | kind);
            varint(count as u64, &mut self.out);
        }
    }

    fn numbers(&mut self, number: u8, values: &[i32]) -> &mut Thrift {
        self.list(number, I32, values.len());
        for value in values {
            self.integer((*value).into());
        }
        self
    }

    fn texts(&mut self, number: u8, texts: &[&str]) -> &mut Thrift {
        self.list(number, BINARY, texts.len());
        for text in texts {
            self.bytes(text);
        }
        self
    }

    fn structure(&mut self, number: u8, structure: &[u8]) -> &mut Thrift {
        self.field(number, STRUCT);
        self.out.extend_from_slice(structure);
        self
    }

    fn structures(&mut self, number: u8, structures: &[Vec<u8>]) -> &mut Thrift {
        self.list(number, STRUCT, structures.len());
        for structure in structures {
            self.out.extend_from_slice(structure);
        }
        self
    }

    /// The structure with its end.
    fn finish(mut self) -> Vec<u8> {
        self.out.push(0);
        self.out
    }
}
