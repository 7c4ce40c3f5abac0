//! The index of a file that is known already, kept in a file of its own: what opening found, the instances by class, by
//! GlobalId and by what they refer to. Opening a version again then costs no look at the file but for its header.
//!
//! It is a cache and trusted as one. It says which content it belongs to (a SHA-256 that the caller knows, the size, and a
//! checksum over places all through the file) and which program and schema tables made it; another one's is not used. The
//! numbers are mapped and read in place, in blocks with a checksum each that is compared before the first number of the
//! block counts. Whatever instance is read is compared with the file's own text. On the first contradiction the index is
//! dropped and the file is scanned, as if there had been none.
//!
//! Little-endian machines only; elsewhere there is no index.

mod map;
mod sum;
#[cfg(test)]
mod tests;
mod text;
mod write;

pub(crate) use write::save;

use crate::columns::{ClassCodes, Untold, search};
use crate::lookup::Shadowed;
use crate::schema::Schema;
use crate::{Id, Problem, ProblemCode};
use map::{Map, Word};
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use text::Reader;

/// The first bytes of every index; the last byte is the format's version.
const MAGIC: &[u8; 8] = b"IFCINDX1";

/// Bytes before the first part.
const HEAD: usize = 64;

/// Bytes that one checksum is over.
const BLOCK: usize = 1 << 16;

/// The parts of an index, in their order.
#[derive(Clone, Copy)]
enum Part {
    /// Of each row, in file order: its id.
    Ids,
    /// The low half of its place.
    Starts,
    /// Its bytes.
    Lengths,
    /// Its class code, sixteen bits.
    Classes,
    /// Rows by class code.
    ByClass,
    /// Hashes of GlobalIds, ascending, sixty-four bits.
    GuidHashes,
    /// Their rows.
    GuidRows,
    /// Of each row, and one behind all: where its referrers begin.
    First,
    /// Rows that refer to others.
    Referrers,
    /// Pairs of a row and an id that it refers to in vain.
    Dangling,
    /// Ids, ascending, where rows do not have them in that order.
    SortedIds,
    /// Their rows.
    SortedRows,
}

const PARTS: usize = 12;

/// The place of a part.
#[derive(Clone, Copy, Default)]
struct Place {
    at: usize,
    bytes: usize,
    /// Its first block among all.
    block: usize,
}

/// An index that fits its file as far as that shows at once.
pub(crate) struct Sidecar {
    map: Map,
    parts: [Place; PARTS],
    sums: Vec<u64>,
    /// Per block: 0 not looked at, 1 whole.
    checked: Box<[AtomicU8]>,
    damaged: AtomicBool,
    rows: usize,
    ascending: bool,
    wraps: Vec<usize>,
    /// Class codes with where their rows begin.
    classes: Vec<(u16, u32)>,
    pub unknown: Vec<Box<str>>,
    pub shadowed: Vec<Shadowed>,
    pub awaited: Box<[u32]>,
    pub append_at: usize,
    pub problems: Vec<Problem>,
}

impl Sidecar {
    /// The index at `path`, if it is one of this content, made by this program with these tables.
    pub fn open(path: &Path, sha256: &[u8; 32], bytes: &[u8], schema: &'static Schema) -> Option<Self> {
        let map = Map::open(path).ok()?;
        let head = map.bytes(0..HEAD)?;
        let mut reader = Reader::new(head.get(MAGIC.len()..)?);
        let (at, length, meta_sum) = (reader.place()?, reader.place()?, reader.number()?);
        if head.get(..MAGIC.len())? != MAGIC || reader.number()? != sum::sum(head.get(..32)?, 0) {
            return None;
        }
        if at.checked_add(length)? != map.len() {
            return None;
        }
        let meta = map.bytes(at..at + length)?;
        if sum::sum(meta, meta_sum_seed(schema)) != meta_sum {
            return None;
        }
        let mut reader = Reader::new(meta);
        let same = reader.raw(32)? == sha256
            && reader.place()? == bytes.len()
            && reader.number()? == sum::sample(bytes);
        if !same {
            return None;
        }
        Self::read(&map, &mut reader, bytes.len()).map(|read| read(map))
    }

    /// Reads the rest of the small part; what comes out takes the map.
    fn read(map: &Map, reader: &mut Reader<'_>, size: usize) -> Option<impl FnOnce(Map) -> Self + use<>> {
        let rows = reader.place()?;
        let ascending = reader.number()? == 1;
        let append_at = reader.place().filter(|at| *at <= size)?;
        let wraps = reader.list(Reader::place)?;
        let classes = reader.list(|r| Some((u16::try_from(r.number()?).ok()?, r.word()?)))?;
        let unknown = reader.list(|r| r.text().map(Box::from))?;
        let shadowed = reader.list(|r| {
            Some(Shadowed { id: r.word()?, start: r.place()?, length: r.place()? })
                .filter(|s| s.start.checked_add(s.length).is_some_and(|end| end <= size))
        })?;
        let awaited = reader.list(Reader::word)?.into_boxed_slice();
        let problems = reader.list(|r| {
            let (line, column, id, code) = (r.place()?, r.place()?, r.number()?, r.place()?);
            let id = id.checked_sub(1).map(u32::try_from).transpose().ok()?.map(Id);
            Some(Problem { line, column, id, code: *CODES.get(code)?, message: r.text()?.to_owned() })
        })?;
        let mut parts = [Place::default(); PARTS];
        let mut blocks = 0usize;
        for part in &mut parts {
            let (at, bytes) = (reader.place()?, reader.place()?);
            if at % HEAD != 0 || at.checked_add(bytes)? > map.len() {
                return None;
            }
            *part = Place { at, bytes, block: blocks };
            blocks += bytes.div_ceil(BLOCK);
        }
        let sums = reader.list(Reader::number)?;
        let count =
            |part: Part, width: usize| parts.get(part as usize).map_or(0, |place| place.bytes / width);
        let is_consistent = reader.is_at_end()
            && sums.len() == blocks
            && u32::try_from(rows).is_ok()
            && [Part::Ids, Part::Starts, Part::Lengths, Part::ByClass].iter().all(|p| count(*p, 4) == rows)
            && count(Part::Classes, 2) == rows
            && count(Part::First, 4) == rows + 1
            && count(Part::GuidHashes, 8) == count(Part::GuidRows, 4)
            && count(Part::SortedIds, 4) == count(Part::SortedRows, 4)
            && count(Part::SortedIds, 4) == if ascending { 0 } else { rows }
            && wraps.len() <= size >> 32
            && classes.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1)
            && classes.last().is_none_or(|(_, first)| *first as usize <= rows);
        let checked = sums.iter().map(|_| AtomicU8::new(0)).collect();
        if !is_consistent {
            return None;
        }
        Some(move |map| Self {
            map,
            parts,
            sums,
            checked,
            damaged: AtomicBool::new(false),
            rows,
            ascending,
            wraps,
            classes,
            unknown,
            shadowed,
            awaited,
            append_at,
            problems,
        })
    }

    /// True if something in it turned out to be wrong, so that nothing of it may be used any more.
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    /// Notes that it contradicts the file or itself.
    #[cold]
    pub fn drop_trust(&self) {
        self.damaged.store(true, Ordering::Relaxed);
    }

    /// Instances of the file.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Bytes of memory when all of it was used.
    pub fn weight(&self) -> u64 {
        self.map.len() as u64
    }

    /// True if the blocks under these bytes of a part are whole.
    fn is_whole(&self, place: Place, bytes: Range<usize>) -> bool {
        if bytes.is_empty() {
            return true;
        }
        (bytes.start / BLOCK..=(bytes.end - 1) / BLOCK).all(|block| {
            let number = place.block + block;
            let Some(checked) = self.checked.get(number) else { return false };
            if checked.load(Ordering::Relaxed) == 1 {
                return true;
            }
            let end = ((block + 1) * BLOCK).min(place.bytes);
            let found = self.map.bytes(place.at + block * BLOCK..place.at + end);
            let whole = found.map(|bytes| sum::sum(bytes, number as u64)).as_ref() == self.sums.get(number);
            if whole {
                checked.store(1, Ordering::Relaxed);
            } else {
                self.drop_trust();
            }
            whole
        })
    }

    /// Numbers of a part; `None` if the index cannot be trusted.
    fn range<T: Word>(&self, part: Part, range: Range<usize>) -> Option<&[T]> {
        let width = size_of::<T>();
        let place = *self.parts.get(part as usize)?;
        let bytes = range.start.checked_mul(width)?..range.end.checked_mul(width)?;
        if bytes.start > bytes.end || bytes.end > place.bytes {
            self.drop_trust();
            return None;
        }
        if !self.is_whole(place, bytes.clone()) {
            return None;
        }
        self.map.words(place.at + bytes.start..place.at + bytes.end)
    }

    fn get<T: Word>(&self, part: Part, at: usize) -> Option<T> {
        self.range(part, at..at + 1)?.first().copied()
    }

    /// All ids, in file order.
    pub fn ids(&self) -> Option<&[u32]> {
        self.range(Part::Ids, 0..self.rows)
    }

    /// All class codes, in file order.
    pub fn classes(&self) -> Option<&[u16]> {
        self.range(Part::Classes, 0..self.rows)
    }

    /// The id of a row.
    pub fn id(&self, row: usize) -> Option<u32> {
        self.get(Part::Ids, row)
    }

    /// The class code of a row.
    pub fn class(&self, row: usize) -> Option<u16> {
        self.get(Part::Classes, row)
    }

    /// Place and length of a row.
    pub fn span(&self, row: usize) -> Option<(usize, usize)> {
        let low = self.get::<u32>(Part::Starts, row)? as usize;
        let length = self.get::<u32>(Part::Lengths, row)? as usize;
        let high = if self.wraps.is_empty() { 0 } else { self.wraps.partition_point(|from| *from <= row) };
        Some(((high << 32) | low, length))
    }

    /// The row of an id, if there is such an id.
    pub fn row(&self, id: u32) -> Result<Option<usize>, Untold> {
        let part = if self.ascending { Part::Ids } else { Part::SortedIds };
        match search(self.rows, id, |at| self.get(part, at))? {
            Some(at) if !self.ascending => {
                self.get::<u32>(Part::SortedRows, at).map(|row| Some(row as usize)).ok_or(Untold)
            }
            found => Ok(found),
        }
    }

    /// The largest id; nought if there are no instances.
    pub fn last_id(&self) -> Option<u32> {
        let part = if self.ascending { Part::Ids } else { Part::SortedIds };
        self.rows.checked_sub(1).map_or(Some(0), |last| self.get(part, last))
    }

    /// Rows whose class code lies in `codes`, in the order of codes, then of the file.
    pub fn of_class(&self, codes: RangeInclusive<u16>) -> Option<&[u32]> {
        let begin = self.classes.partition_point(|(code, _)| code < codes.start());
        let end = self.classes.partition_point(|(code, _)| code <= codes.end());
        let at = |index: usize| self.classes.get(index).map_or(self.rows, |(_, first)| *first as usize);
        self.range(Part::ByClass, at(begin)..at(end))
    }

    /// Class codes that occur, with how often.
    pub fn class_counts(&self) -> impl Iterator<Item = (u16, usize)> + '_ {
        self.classes.iter().enumerate().map(|(at, (code, first))| {
            let end = self.classes.get(at + 1).map_or(self.rows, |(_, next)| *next as usize);
            (*code, end - *first as usize)
        })
    }

    /// Rows whose GlobalId has this hash.
    pub fn of_guid(&self, hash: u64) -> Option<&[u32]> {
        let hashes: usize = self.parts.get(Part::GuidHashes as usize)?.bytes / size_of::<u64>();
        let bound = |is_before: &dyn Fn(u64) -> bool| -> Option<usize> {
            let (mut low, mut high) = (0, hashes);
            while low < high {
                let middle = usize::midpoint(low, high);
                if is_before(self.get(Part::GuidHashes, middle)?) { low = middle + 1 } else { high = middle }
            }
            Some(low)
        };
        self.range(Part::GuidRows, bound(&|other| other < hash)?..bound(&|other| other <= hash)?)
    }

    /// The rows that refer to this one, in file order, as often as they do.
    pub fn referrers(&self, row: usize) -> Option<&[u32]> {
        let ends = self.range::<u32>(Part::First, row..row + 2)?;
        self.range(Part::Referrers, *ends.first()? as usize..*ends.get(1)? as usize)
    }

    /// Pairs of a row and an id that it refers to in vain.
    pub fn dangling(&self) -> Option<Vec<(u32, u32)>> {
        let numbers = self.parts.get(Part::Dangling as usize)?.bytes / size_of::<u32>();
        let pairs = self.range::<u32>(Part::Dangling, 0..numbers)?.chunks_exact(2);
        Some(pairs.filter_map(|pair| Some((*pair.first()?, *pair.get(1)?))).collect())
    }
}

/// Problem codes by their number in an index.
const CODES: [ProblemCode; 13] = [
    ProblemCode::Header,
    ProblemCode::ByteOrderMark,
    ProblemCode::Schema,
    ProblemCode::Syntax,
    ProblemCode::InstanceId,
    ProblemCode::DuplicateId,
    ProblemCode::UnknownClass,
    ProblemCode::ComplexInstance,
    ProblemCode::RawBytes,
    ProblemCode::Truncated,
    ProblemCode::DanglingReference,
    ProblemCode::AttributeCount,
    ProblemCode::Value,
];

/// A number that changes with the program's version and with the schema's table of classes, whose places are class codes.
fn meta_sum_seed(schema: &'static Schema) -> u64 {
    let seed = sum::sum(concat!(env!("CARGO_PKG_VERSION"), " ").as_bytes(), u64::from(ClassCodes::UNKNOWN));
    (0..)
        .map_while(|at| schema.entity_at(crate::schema::EntityId(at)))
        .fold(seed, |seed, entity| sum::sum(entity.name.as_bytes(), seed))
}
