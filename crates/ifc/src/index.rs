//! Indexes found by looking at the whole file, made when first asked for and kept: instances by class, by GlobalId, by
//! what they refer to, and line numbers. All over the opened file only; the overlay keeps its own.

use crate::base::Base;
use crate::columns::ClassCodes;
use crate::guid;
use crate::lines::Lines;
use crate::memory::on_large_pages;
use crate::names::Names;
use crate::sidecar::Sidecar;
use crate::step::quote;
use foldhash::HashMap;
use parking_lot::RwLock;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The indexes of a base. Where a stored index serves, it answers; else each is made when first needed.
#[derive(Default)]
pub(crate) struct Indexes {
    classes: OnceLock<Classes>,
    references: OnceLock<References>,
    guids: OnceLock<Guids>,
    lines: OnceLock<Lines>,
    awaited: OnceLock<Box<[u32]>>,
    /// References among the instances of a class, by its codes.
    partial: RwLock<HashMap<RangeInclusive<u16>, Arc<Referring>>>,
    /// The number of rows that `partial` has looked through.
    part: AtomicUsize,
    /// The number of times that the column of classes was looked through instead.
    looked_through: AtomicU32,
    /// Names by class.
    pub names: Names,
}

/// The number of times that the column of classes is looked through before an index of it is worth its making.
const LOOKS: u32 = 4;

/// The part of all rows, one in so many, whose references are looked for by class before those of all are.
const PART: usize = 4;

impl Indexes {
    /// None yet, but for the ids that are waited for.
    pub fn with_awaited(awaited: Box<[u32]>) -> Self {
        Self { awaited: OnceLock::from(awaited), ..Self::default() }
    }

    pub fn classes(&self, base: &Base) -> &Classes {
        self.classes.get_or_init(|| Classes::new(base))
    }

    pub fn references(&self, base: &Base) -> &References {
        self.references.get_or_init(|| References::new(base))
    }

    pub fn guids(&self, base: &Base) -> &Guids {
        self.guids.get_or_init(|| Guids::new(base))
    }

    pub fn lines(&self, bytes: &[u8]) -> &Lines {
        self.lines.get_or_init(|| Lines::new(bytes))
    }

    /// The rows whose class code lies in `codes`, in no particular order.
    pub fn of_class<'a>(&'a self, base: &'a Base, codes: RangeInclusive<u16>) -> Cow<'a, [u32]> {
        if let Some(rows) = base.stored().and_then(|stored| stored.of_class(codes.clone())) {
            return Cow::Borrowed(rows);
        }
        if self.classes.get().is_none() && self.looked_through.fetch_add(1, Ordering::Relaxed) < LOOKS {
            return Cow::Owned(looked_through(base.classes(), &codes));
        }
        Cow::Borrowed(self.classes(base).rows(codes))
    }

    /// Class codes that occur, with how often.
    pub fn class_counts(&self, base: &Base) -> Vec<(u16, usize)> {
        match base.stored() {
            Some(stored) => stored.class_counts().collect(),
            None => self.classes(base).counts().collect(),
        }
    }

    /// The rows whose GlobalId may be this, in file order.
    pub fn of_guid<'a>(&'a self, base: &'a Base, guid: &[u8]) -> Cow<'a, [u32]> {
        match base.stored().and_then(|stored| stored.of_guid(guid::hash(guid))) {
            Some(rows) => Cow::Borrowed(rows),
            None => Cow::Owned(self.guids(base).candidates(guid).collect()),
        }
    }

    /// The rows that refer to this one, in file order, as often as they do.
    pub fn referrers<'a>(&'a self, base: &'a Base, row: usize) -> &'a [u32] {
        let stored = base.stored().and_then(|stored| stored.referrers(row));
        stored.unwrap_or_else(|| self.references(base).to(row))
    }

    /// Calls `each` with the rows of these classes that refer to this one, as often as they do. As long as few rows are of
    /// classes that were asked for, only those are read.
    pub fn referrers_of(
        &self,
        base: &Base,
        row: usize,
        codes: &RangeInclusive<u16>,
        mut each: impl FnMut(usize),
    ) {
        if base.stored().is_none()
            && self.references.get().is_none()
            && let Some(part) = self.referring(base, codes)
        {
            part.to(row).for_each(each);
            return;
        }
        for referrer in self.referrers(base, row) {
            let referrer = *referrer as usize;
            if codes.contains(&base.class(referrer)) {
                each(referrer);
            }
        }
    }

    /// Returns the references of these classes; `None` where all references together are the better way.
    fn referring(&self, base: &Base, codes: &RangeInclusive<u16>) -> Option<Arc<Referring>> {
        let known = self.partial.read().get(codes).cloned();
        if known.is_some() {
            return known;
        }
        let rows = self.of_class(base, codes.clone());
        let looked_through = self.part.fetch_add(rows.len(), Ordering::Relaxed) + rows.len();
        if looked_through > base.len() / PART {
            return None;
        }
        let found = Arc::new(Referring::new(base, &rows));
        Some(Arc::clone(self.partial.write().entry(codes.clone()).or_insert(found)))
    }

    /// Pairs of a row and an id that it refers to though there is none such in the file.
    pub fn dangling<'a>(&'a self, base: &'a Base) -> Cow<'a, [(u32, u32)]> {
        match base.stored().and_then(Sidecar::dangling) {
            Some(pairs) => Cow::Owned(pairs),
            None => Cow::Borrowed(&self.references(base).dangling),
        }
    }

    /// Ids that no instance of the file has, beyond its largest, and that its instances refer to nevertheless, ascending:
    /// a new instance must not take one, or it would become what they mean.
    pub fn awaited(&self, base: &Base) -> &[u32] {
        self.awaited.get_or_init(|| {
            let beyond = |id: &u32| *id >= base.next_id;
            let mut found: Vec<u32> = match self.references.get() {
                Some(references) => references.dangling.iter().map(|(_, id)| *id).filter(beyond).collect(),
                None => (0..base.len().div_ceil(TASK))
                    .into_par_iter()
                    .map(|task| {
                        let mut found = Vec::new();
                        for row in task * TASK..((task + 1) * TASK).min(base.len()) {
                            each_reference(base.text(row), |id| found.extend(beyond(&id).then_some(id)));
                        }
                        found
                    })
                    .flatten_iter()
                    .collect(),
            };
            found.sort_unstable();
            found.dedup();
            found.into()
        })
    }

    /// Bytes of memory of those that were made.
    pub fn weight(&self) -> u64 {
        let classes = self.classes.get().map_or(0, |c| c.rows.len() * 4);
        let references = self.references.get().map_or(0, |r| (r.first.len() + r.rows.len()) * 4);
        let guids = self.guids.get().map_or(0, |g| g.pairs.len() * 16);
        let partial: usize = self.partial.read().values().map(|part| part.pairs.len() * 8).sum();
        (classes + references + guids + partial) as u64
    }
}

/// The rows whose class code lies in `codes`, found by looking at every code.
fn looked_through(column: &[u16], codes: &RangeInclusive<u16>) -> Vec<u32> {
    let (from, span) = (*codes.start(), codes.end().saturating_sub(*codes.start()));
    let is_wanted = |code: &u16| code.wrapping_sub(from) <= span;
    let mut found = Vec::new();
    for (chunk, at) in column.chunks(64).zip((0u32..).step_by(64)) {
        // most chunks have none, which the processor sees at once
        if chunk.iter().fold(false, |any, code| any | is_wanted(code)) {
            found.extend(chunk.iter().zip(at..).filter(|(code, _)| is_wanted(code)).map(|(_, row)| row));
        }
    }
    found
}

/// Rows that are sorted by class rather than counted by all 65,536 codes.
const SORTED: usize = 1 << 12;

/// Rows by class code, in file order.
pub(crate) struct Classes {
    /// Codes with where their rows begin, sorted, and a last one behind all.
    first: Vec<(u16, u32)>,
    rows: Vec<u32>,
}

impl Classes {
    fn new(base: &Base) -> Self {
        let column = base.classes();
        if column.len() <= SORTED { Self::sorted(column) } else { Self::counted(column) }
    }

    fn counted(column: &[u16]) -> Self {
        let mut counts = vec![0u32; usize::from(u16::MAX) + 1];
        for class in column {
            if let Some(count) = counts.get_mut(usize::from(*class)) {
                *count += 1;
            }
        }
        let mut first = Vec::new();
        let mut total = 0;
        for (code, count) in counts.iter_mut().enumerate() {
            if *count > 0 {
                first.push((code as u16, total));
            }
            total += std::mem::replace(count, total);
        }
        let mut rows = vec![0u32; total as usize];
        for (row, class) in column.iter().enumerate() {
            if let Some(next) = counts.get_mut(usize::from(*class)) {
                if let Some(slot) = rows.get_mut(*next as usize) {
                    *slot = row as u32;
                }
                *next += 1;
            }
        }
        Self { first, rows }
    }

    /// For a column that is sorted sooner than all codes are counted.
    fn sorted(column: &[u16]) -> Self {
        let mut pairs: Vec<(u16, u32)> = column.iter().copied().zip(0..).collect();
        pairs.sort_unstable();
        let mut first: Vec<(u16, u32)> = Vec::new();
        for ((code, _), at) in pairs.iter().zip(0..) {
            if first.last().is_none_or(|(known, _)| known != code) {
                first.push((*code, at));
            }
        }
        Self { first, rows: pairs.into_iter().map(|(_, row)| row).collect() }
    }

    /// All rows, in the order of codes, then of the file.
    pub fn all(&self) -> &[u32] {
        &self.rows
    }

    /// Codes with where their rows begin.
    pub fn first(&self) -> &[(u16, u32)] {
        &self.first
    }

    /// The rows whose class code lies in `codes`, in the order of codes, then of the file.
    pub fn rows(&self, codes: std::ops::RangeInclusive<u16>) -> &[u32] {
        let begin = self.first.partition_point(|(code, _)| code < codes.start());
        let end = self.first.partition_point(|(code, _)| code <= codes.end());
        let at = |index: usize| self.first.get(index).map_or(self.rows.len(), |(_, first)| *first as usize);
        self.rows.get(at(begin)..at(end)).unwrap_or_default()
    }

    /// Class codes that occur, with how often.
    pub fn counts(&self) -> impl Iterator<Item = (u16, usize)> + '_ {
        self.first.iter().enumerate().map(|(at, (code, first))| {
            let end = self.first.get(at + 1).map_or(self.rows.len(), |(_, next)| *next as usize);
            (*code, end - *first as usize)
        })
    }
}

/// The rows that refer to a row.
pub(crate) struct References {
    /// The place in `rows` at which a row's referrers begin, and a last one behind all.
    first: Vec<u32>,
    rows: Vec<u32>,
    /// Row and the id it refers to, where there is none such in the file.
    pub dangling: Vec<(u32, u32)>,
}

type Pairs = Vec<(u32, u32)>;

/// Rows that one task looks through.
const TASK: usize = 1 << 15;

impl References {
    fn new(base: &Base) -> Self {
        let count = base.len();
        base.prepare_lookup();
        let parts: Vec<(Pairs, Pairs)> = (0..count.div_ceil(TASK))
            .into_par_iter()
            .map(|task| {
                let mut found = Vec::with_capacity(TASK * 3);
                let mut dangling = Vec::new();
                for row in task * TASK..((task + 1) * TASK).min(count) {
                    each_reference(base.text(row), |id| match base.row(id) {
                        Some(target) => found.push((target as u32, row as u32)),
                        None => dangling.push((row as u32, id)),
                    });
                }
                (found, dangling)
            })
            .collect();
        let mut next = on_large_pages(vec![0u32; count + 1]);
        for (found, _) in &parts {
            for (target, _) in found {
                if let Some(slot) = next.get_mut(*target as usize) {
                    *slot += 1;
                }
            }
        }
        let mut total = 0u32;
        for slot in &mut next {
            total += std::mem::replace(slot, total);
        }
        let mut rows = on_large_pages(vec![0u32; total as usize]);
        let mut dangling = Vec::new();
        for (found, lost) in parts {
            for (target, source) in found {
                if let Some(slot) = next.get_mut(target as usize) {
                    if let Some(place) = rows.get_mut(*slot as usize) {
                        *place = source;
                    }
                    *slot += 1;
                }
            }
            dangling.extend(lost);
        }
        // filling moved every beginning to its end, which is the next one's beginning
        next.pop();
        next.insert(0, 0);
        Self { first: next, rows, dangling }
    }

    /// Returns the place at which each row's referrers begin, and a last one behind all; and the referrers.
    pub fn columns(&self) -> (&[u32], &[u32]) {
        (&self.first, &self.rows)
    }

    /// The rows that refer to this one, in file order, as often as they do.
    pub fn to(&self, row: usize) -> &[u32] {
        match (self.first.get(row), self.first.get(row + 1)) {
            (Some(from), Some(to)) => self.rows.get(*from as usize..*to as usize).unwrap_or_default(),
            _ => &[],
        }
    }
}

/// Returns the rows of some class that refer to a row.
struct Referring {
    /// Row referred to and row that refers, sorted.
    pairs: Pairs,
}

impl Referring {
    fn new(base: &Base, rows: &[u32]) -> Self {
        let mut pairs = Vec::new();
        for source in rows {
            each_reference(base.text(*source as usize), |id| {
                pairs.extend(base.row(id).map(|target| (target as u32, *source)));
            });
        }
        pairs.sort_unstable();
        Self { pairs }
    }

    /// The rows that refer to this one, in file order, as often as they do.
    fn to(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let from = self.pairs.partition_point(|(target, _)| (*target as usize) < row);
        let rest = self.pairs.get(from..).unwrap_or_default();
        rest.iter().take_while(move |(target, _)| *target as usize == row).map(|(_, source)| *source as usize)
    }
}

/// Calls `each` with every id that an instance's text refers to.
pub fn each_reference(text: &[u8], mut each: impl FnMut(u32)) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // the lowest byte marked is one that is equal; above it there may be others
    let equal = |word: u64, byte: u8| {
        let word = word ^ (ONES * u64::from(byte));
        word.wrapping_sub(ONES) & !word & (ONES << 7)
    };
    let mut at = 1;
    let mut value;
    while let Some(&byte) = text.get(at) {
        // eight bytes at a time over what cannot begin anything
        if let Some(chunk) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            let word = u64::from_le_bytes(*chunk);
            let found = equal(word, b'#') | equal(word, b'\'') | equal(word, b'/');
            let skipped = found.trailing_zeros() as usize / 8;
            if skipped > 0 {
                at += skipped;
                continue;
            }
        }
        at += 1;
        match byte {
            b'#' => {
                value = 0u64;
                let start = at;
                while let Some(digit) = text.get(at).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
                    value = value.saturating_mul(10).saturating_add(u64::from(digit));
                    at += 1;
                }
                if at > start
                    && let Ok(id) = u32::try_from(value)
                {
                    each(id);
                }
            }
            b'\'' => match quote::closing(text, at - 1) {
                Some(close) => at = close + 1,
                None => return,
            },
            b'/' if text.get(at) == Some(&b'*') => {
                match memchr::memmem::find(text.get(at..).unwrap_or_default(), b"*/") {
                    Some(found) => at += found + 2,
                    None => return,
                }
            }
            _ => {}
        }
    }
}

/// Rows by a hash of their GlobalId.
pub(crate) struct Guids {
    pairs: Vec<(u64, u32)>,
}

impl Guids {
    fn new(base: &Base) -> Self {
        let rooted: Vec<u32> = base
            .indexes
            .class_counts(base)
            .into_iter()
            .filter_map(|(code, _)| {
                let entity = base.schema().entity_at(ClassCodes::entity_id(code)?)?;
                (entity.attributes.first()?.name == "GlobalId").then_some(code)
            })
            .flat_map(|code| base.indexes.classes(base).rows(code..=code).iter().copied())
            .collect();
        let mut pairs: Vec<(u64, u32)> = rooted
            .par_iter()
            .with_min_len(4096)
            .filter_map(|row| Some((guid::hash(raw_guid(base, *row as usize)?), *row)))
            .collect();
        pairs.par_sort_unstable();
        Self { pairs }
    }

    /// Hashes of GlobalIds with their rows, sorted.
    pub fn pairs(&self) -> &[(u64, u32)] {
        &self.pairs
    }

    /// The rows whose GlobalId may be this, in file order.
    pub fn candidates(&self, guid: &[u8]) -> impl Iterator<Item = u32> + '_ {
        let hash = guid::hash(guid);
        let from = self.pairs.partition_point(|(other, _)| *other < hash);
        self.pairs
            .get(from..)
            .unwrap_or_default()
            .iter()
            .take_while(move |(other, _)| *other == hash)
            .map(|(_, row)| *row)
    }
}

/// The raw text of the first attribute, if it is a string.
pub(crate) fn raw_guid(base: &Base, row: usize) -> Option<&[u8]> {
    let text = base.text(row);
    let mut cursor = base.attributes(row)?;
    cursor.space();
    let start = cursor.at();
    if cursor.peek() != Some(b'\'') {
        return None;
    }
    let rest = text.get(start + 1..)?;
    rest.get(..memchr::memchr(b'\'', rest)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn classes_that_are_sorted_are_those_that_are_counted(
            column in proptest::collection::vec(prop_oneof![0u16..9, any::<u16>()], 0..200),
        ) {
            let (sorted, counted) = (Classes::sorted(&column), Classes::counted(&column));
            prop_assert_eq!(sorted.first, counted.first);
            prop_assert_eq!(sorted.rows, counted.rows);
        }
    }
}
