//! Typed columns as Apache Parquet (format 2, one schema, groups of rows), compressed by gzip: written row after row, in the memory of one
//! group of rows.

use parquet::basic::{Compression, GzipLevel, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::sync::Arc;

/// Cells that a group of rows has at most, so that the memory is bounded however many columns there are.
const CELLS: usize = 1 << 20;

/// The kind of a column's values; any value may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParquetKind {
    /// UTF-8.
    Text,
    /// 64-bit floating point.
    Number,
    /// A date and a time of day without zone, in milliseconds.
    LocalTime,
}

/// A value for a column of its kind.
#[derive(Debug, Clone, PartialEq)]
pub enum ParquetValue<'a> {
    /// For text.
    Text(&'a str),
    /// For numbers; one that is not finite is kept as it is.
    Number(f64),
    /// Milliseconds since 1970-01-01 00:00 by the clock of the place.
    LocalTime(i64),
    /// Missing.
    Missing,
}

/// Columns as they fill.
#[derive(Debug)]
enum Filling {
    Text(Vec<ByteArray>),
    Number(Vec<f64>),
    LocalTime(Vec<i64>),
}

/// A file while it is written.
pub struct ParquetFile<'a> {
    to: &'a mut dyn Write,
    // the library wants a sink that may change threads; it writes into memory, which is passed on after each group
    writer: SerializedFileWriter<Vec<u8>>,
    filling: Vec<(Filling, Vec<i16>)>,
    rows: usize,
    group: usize,
}

impl<'a> ParquetFile<'a> {
    /// Begins a file with these columns; names that stand twice are told apart by a number.
    pub fn begin(to: &'a mut dyn Write, columns: &[(String, ParquetKind)]) -> io::Result<Self> {
        let mut names: Vec<String> = Vec::new();
        let mut fields = Vec::new();
        for (name, kind) in columns {
            let mut own = name.clone();
            let mut number = 1;
            while names.contains(&own) {
                number += 1;
                own = format!("{name} ({number})");
            }
            fields.push(Arc::new(field(&own, *kind).map_err(bad)?));
            names.push(own);
        }
        let schema = Type::group_type_builder("schema").with_fields(fields).build().map_err(bad)?;
        let properties = WriterProperties::builder()
            .set_created_by(concat!("Pensaer ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::GZIP(GzipLevel::try_new(4).map_err(bad)?))
            .build();
        let writer =
            SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).map_err(bad)?;
        let filling = columns.iter().map(|(_, kind)| (Filling::new(*kind), Vec::new())).collect();
        Ok(Self { to, writer, filling, rows: 0, group: (CELLS / columns.len().max(1)).max(1) })
    }

    /// Takes a row: a value for each column.
    pub fn row<'v>(&mut self, values: impl IntoIterator<Item = ParquetValue<'v>>) -> io::Result<()> {
        let mut values = values.into_iter();
        for (filling, levels) in &mut self.filling {
            levels.push(filling.take(values.next().unwrap_or(ParquetValue::Missing))?);
        }
        self.rows += 1;
        if self.rows >= self.group { self.pass_on() } else { Ok(()) }
    }

    /// Ends the file.
    pub fn end(mut self) -> io::Result<()> {
        self.pass_on()?;
        self.writer.finish().map_err(bad)?;
        self.drain()
    }

    fn pass_on(&mut self) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group().map_err(bad)?;
        for (filling, levels) in &mut self.filling {
            filling.write(levels, &mut group).map_err(bad)?;
            levels.clear();
        }
        group.close().map_err(bad)?;
        self.rows = 0;
        self.drain()
    }

    fn drain(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        let made = std::mem::take(self.writer.inner_mut());
        self.to.write_all(&made)
    }
}

impl Filling {
    fn new(kind: ParquetKind) -> Self {
        match kind {
            ParquetKind::Text => Self::Text(Vec::new()),
            ParquetKind::Number => Self::Number(Vec::new()),
            ParquetKind::LocalTime => Self::LocalTime(Vec::new()),
        }
    }

    /// Keeps a value; its definition level: 1 where there is one, else 0.
    fn take(&mut self, value: ParquetValue<'_>) -> io::Result<i16> {
        match (self, value) {
            (_, ParquetValue::Missing) => return Ok(0),
            (Self::Text(all), ParquetValue::Text(text)) => all.push(ByteArray::from(text)),
            (Self::Number(all), ParquetValue::Number(number)) => all.push(number),
            (Self::LocalTime(all), ParquetValue::LocalTime(time)) => all.push(time),
            (own, value) => {
                return Err(io::Error::other(format!("{value:?} is of another kind than {own:?}")));
            }
        }
        Ok(1)
    }

    fn write(
        &mut self,
        levels: &[i16],
        group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    ) -> Result<(), ParquetError> {
        let Some(mut column) = group.next_column()? else { return Ok(()) };
        match self {
            Self::Text(all) => {
                column.typed::<ByteArrayType>().write_batch(all, Some(levels), None)?;
                all.clear();
            }
            Self::Number(all) => {
                column.typed::<DoubleType>().write_batch(all, Some(levels), None)?;
                all.clear();
            }
            Self::LocalTime(all) => {
                column.typed::<Int64Type>().write_batch(all, Some(levels), None)?;
                all.clear();
            }
        }
        column.close()
    }
}

fn field(name: &str, kind: ParquetKind) -> Result<Type, ParquetError> {
    let (physical, logical) = match kind {
        ParquetKind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        ParquetKind::Number => (Physical::DOUBLE, None),
        ParquetKind::LocalTime => (Physical::INT64, Some(LogicalType::timestamp(false, TimeUnit::MILLIS))),
    };
    Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
}

fn bad(error: ParquetError) -> io::Error {
    io::Error::other(error)
}
