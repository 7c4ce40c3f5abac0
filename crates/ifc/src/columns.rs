//! The instances of a file as columns: id, place, length and class, fourteen bytes each and no object.

use crate::memory::on_large_pages;
use crate::schema::{EntityId, Schema};
use crate::step::blocks::{self, WINDOW, Word};
use crate::step::head::is_keyword;
use std::collections::HashMap;

/// The places and classes of instances, in file order.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    pub id: Vec<u32>,
    /// The low half of the place of the `#`; `wraps` holds the rest.
    start: Vec<u32>,
    /// Bytes from the `#` to the `;`, both included.
    length: Vec<u32>,
    /// The class code of each row, given by [`ClassCodes`].
    pub class: Vec<u16>,
    /// The rows from which on another 4 GiB lie before the place.
    wraps: Vec<usize>,
    last: u32,
    /// True if ids only grow, so that none comes twice.
    pub ascending: bool,
}

impl Columns {
    pub fn with_capacity(rows: usize) -> Self {
        Self {
            id: on_large_pages(Vec::with_capacity(rows)),
            start: on_large_pages(Vec::with_capacity(rows)),
            length: on_large_pages(Vec::with_capacity(rows)),
            class: on_large_pages(Vec::with_capacity(rows)),
            ascending: true,
            ..Self::default()
        }
    }

    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Adds a row; `false` if it is longer than a row can say.
    #[expect(clippy::inline_always, reason = "the scan is fast only as one loop")]
    #[inline(always)]
    pub fn push(&mut self, id: u32, start: usize, length: usize, class: u16) -> bool {
        let Ok(length) = u32::try_from(length) else { return false };
        while start as u64 >> 32 > self.wraps.len() as u64 {
            self.wraps.push(self.id.len());
        }
        self.ascending &= id > self.last;
        self.last = id;
        self.id.push(id);
        self.start.push(start as u32);
        self.length.push(length);
        self.class.push(class);
        true
    }

    /// The place of a row's `#`, and the bytes up to and with its `;`.
    #[inline]
    pub fn span(&self, row: usize) -> Option<(usize, usize)> {
        let low = *self.start.get(row)? as usize;
        let high = if self.wraps.is_empty() { 0 } else { self.wraps.partition_point(|from| *from <= row) };
        Some(((high << 32) | low, *self.length.get(row)? as usize))
    }

    /// The columns that [`Columns::span`] is made of: low halves of places, lengths, and the rows from which on another
    /// 4 GiB lie before the place.
    pub fn places(&self) -> (&[u32], &[u32], &[usize]) {
        (&self.start, &self.length, &self.wraps)
    }

    /// Puts the rows of a later part of the file behind these.
    pub fn append(&mut self, mut other: Self) {
        let Some(first) = other.id.first() else { return };
        if self.id.is_empty() {
            *self = other;
            return;
        }
        self.ascending &= other.ascending && *first > self.last;
        self.last = other.last;
        // both count the turns of 4 GiB from the beginning of the file
        let offset = self.id.len();
        let turns: Vec<usize> = other.wraps.iter().skip(self.wraps.len()).map(|row| row + offset).collect();
        self.wraps.extend(turns);
        self.id.append(&mut other.id);
        self.start.append(&mut other.start);
        self.length.append(&mut other.length);
        self.class.append(&mut other.class);
    }

    /// Only the rows that `keep` says.
    pub fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let mut kept = Self::with_capacity(self.len());
        for row in 0..self.len() {
            if let (true, Some((start, length)), Some(id), Some(class)) =
                (keep(row), self.span(row), self.id.get(row), self.class.get(row))
            {
                kept.push(*id, start, length, *class);
            }
        }
        *self = kept;
    }

    /// Bytes of the longest row.
    pub fn longest(&self) -> u64 {
        self.length.iter().copied().max().unwrap_or(0).into()
    }

    /// Puts class codes that were given out by `from` in terms of `to`.
    pub fn recode(&mut self, from: &ClassCodes, to: &mut ClassCodes) {
        if from.names.is_empty() {
            return;
        }
        let codes: Vec<u16> = from.names.iter().map(|name| to.unknown_code(name)).collect();
        for class in &mut self.class {
            if let Some(place) = class.checked_sub(ClassCodes::UNKNOWN)
                && let Some(code) = codes.get(usize::from(place))
            {
                *class = *code;
            }
        }
    }

    /// Bytes of memory.
    pub fn weight(&self) -> u64 {
        (self.id.capacity() * 4
            + self.start.capacity() * 4
            + self.length.capacity() * 4
            + self.class.capacity() * 2) as u64
    }
}

/// A column that has no number where it should, or none to be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Untold;

/// Returns the place of a number among `count` ascending ones: by guessing from the distance to both ends and by halving in turn,
/// for ids are mostly dense.
pub(crate) fn search(
    count: usize,
    wanted: u32,
    get: impl Fn(usize) -> Option<u32>,
) -> Result<Option<usize>, Untold> {
    let get = |at: usize| get(at).ok_or(Untold);
    let Some(mut high) = count.checked_sub(1) else { return Ok(None) };
    let mut low = 0;
    let (mut least, mut most) = (get(low)?, get(high)?);
    let mut guessing = true;
    loop {
        if wanted == least {
            return Ok(Some(low));
        }
        if wanted == most {
            return Ok(Some(high));
        }
        if wanted < least || wanted > most || high - low < 2 {
            return Ok(None);
        }
        let part = u64::from(wanted - least) * (high - low) as u64 / u64::from(most - least);
        let guess = if guessing { low + part as usize } else { usize::midpoint(low, high) };
        guessing = !guessing;
        let guess = guess.clamp(low + 1, high - 1);
        let found = get(guess)?;
        if found <= wanted {
            (low, least) = (guess, found);
        } else {
            (high, most) = (guess, found);
        }
    }
}

/// Rows by id, in pages of 256 ids, for ids lie close together in clusters that may be far apart.
pub(crate) struct Pages {
    /// The page of each 256 ids, plus one; nought for none.
    directory: Vec<u32>,
    /// Row plus one; nought for none.
    slots: Vec<u32>,
}

impl Pages {
    /// The table; `None` if ids are so sparse that it would be large. If an id comes twice, the first row counts, and
    /// the second value is false.
    pub fn new(ids: &[u32]) -> Option<(Self, bool)> {
        let most = ids.len() / 32 + 16;
        let max = ids.iter().copied().max().unwrap_or(0);
        let slots = on_large_pages(Vec::with_capacity(ids.len() + ids.len() / 64 + 256));
        let mut pages = Self { directory: vec![0; (max >> 8) as usize + 1], slots };
        let mut unique = true;
        let mut count = 0usize;
        for (row, id) in ids.iter().enumerate() {
            let page = pages.directory.get_mut((id >> 8) as usize)?;
            if *page == 0 {
                count += 1;
                if count > most {
                    return None;
                }
                *page = count as u32;
                pages.slots.resize(count << 8, 0);
            }
            let slot = pages.slots.get_mut(((*page as usize - 1) << 8) | (id & 0xFF) as usize)?;
            if *slot == 0 {
                *slot = row as u32 + 1;
            } else {
                unique = false;
            }
        }
        Some((pages, unique))
    }

    /// The row of an id.
    #[inline]
    pub fn row(&self, id: u32) -> Option<usize> {
        let page = self.directory.get((id >> 8) as usize)?.checked_sub(1)? as usize;
        self.slots.get((page << 8) | (id & 0xFF) as usize)?.checked_sub(1).map(|row| row as usize)
    }

    /// Bytes of memory.
    pub fn weight(&self) -> u64 {
        (self.directory.len() * 4 + self.slots.len() * 4) as u64
    }
}

/// Numbers for class names: the entity's place in the schema's table, or one from `UNKNOWN` on for a name that the
/// schema does not have.
pub struct ClassCodes {
    schema: &'static Schema,
    /// An open-addressing cache over names as they stand in the file: none before the first, twice as large whenever it is half full.
    cache: Vec<Cached>,
    /// The bits of a hash that name a slot.
    mask: usize,
    filled: usize,
    unknown: HashMap<String, u16>,
    /// Names that the schema does not have, in capitals, by code less `UNKNOWN`.
    pub(crate) names: Vec<Box<str>>,
}

#[derive(Clone)]
struct Cached {
    /// Of no length where the slot is free.
    key: Word,
    /// The whole name where it is longer than the key.
    name: Box<[u8]>,
    code: u16,
}

/// A name's length and its first 32 bytes; of a longer one the last eight in place of the fourth.
fn key(name: &[u8]) -> Word {
    let mut window = [0; WINDOW];
    for (to, from) in window.iter_mut().zip(name) {
        *to = *from;
    }
    let mut key = Word { length: name.len(), ..blocks::word(&window, name.len().min(WINDOW)) };
    if name.len() > WINDOW
        && let ([_, _, _, fourth], Some(last)) = (&mut key.words, name.last_chunk::<8>())
    {
        *fourth = u64::from_le_bytes(*last);
    }
    key
}

#[expect(clippy::inline_always, reason = "the scan is fast only as one loop")]
#[inline(always)]
fn hash(key: &Word) -> usize {
    let [first, second, third, fourth] = key.words;
    let mixed =
        (first ^ second.rotate_left(23) ^ third.rotate_left(41) ^ fourth.rotate_left(53) ^ key.length as u64)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 40) as usize
}

/// Slots of the cache at first, and at most: a file of many made-up names must not fill memory.
const FIRST: usize = 32;
const CACHE: usize = 1024;

impl ClassCodes {
    /// The first code of an unknown class.
    pub const UNKNOWN: u16 = 0x8000;
    /// Unknown classes beyond those that codes are kept for.
    pub const OTHER: u16 = 0xFFFE;
    /// A complex instance.
    pub const COMPLEX: u16 = 0xFFFF;
    /// The most unknown names that are kept.
    const KEPT: u16 = 0x1000;

    pub(crate) fn new(schema: &'static Schema) -> Self {
        Self { schema, cache: Vec::new(), mask: 0, filled: 0, unknown: HashMap::new(), names: Vec::new() }
    }

    /// The schema that names are looked up in.
    pub fn schema(&self) -> &'static Schema {
        self.schema
    }

    /// The entity of a code.
    pub fn entity_id(code: u16) -> Option<EntityId> {
        (code < Self::UNKNOWN).then_some(EntityId(code))
    }

    /// The code of a class name as it stands in a file; `None` if that is no keyword.
    pub fn code(&mut self, name: &[u8]) -> Option<u16> {
        // a complex instance has no name; a free slot has none either
        if name.is_empty() { None } else { self.code_of(key(name), name) }
    }

    /// Returns the class by its name as a finder reads it.
    #[expect(clippy::inline_always, reason = "the scan is fast only as one loop")]
    #[inline(always)]
    pub(crate) fn code_of(&mut self, key: Word, name: &[u8]) -> Option<u16> {
        let mut slot = hash(&key) & self.mask;
        loop {
            match self.cache.get(slot) {
                Some(cached) if cached.key == key && (name.len() <= WINDOW || *cached.name == *name) => {
                    return Some(cached.code);
                }
                Some(cached) if cached.key.length > 0 => slot = (slot + 1) & self.mask,
                _ => return self.look_up(name),
            }
        }
    }

    #[cold]
    fn look_up(&mut self, name: &[u8]) -> Option<u16> {
        if !is_keyword(name) {
            return None;
        }
        let text = std::str::from_utf8(name).ok()?;
        let code = match self.schema.entity(text) {
            Some(entity) => entity.id.0,
            None => self.unknown_code(&text.to_ascii_uppercase()),
        };
        // a file of many made-up names must not fill the cache, or searches would not end
        if self.filled < CACHE / 2 {
            if self.filled >= self.cache.len() / 2 {
                self.grow();
            }
            let whole = if name.len() > WINDOW { name.into() } else { Box::default() };
            self.put(Cached { key: key(name), name: whole, code });
            self.filled += 1;
        }
        Some(code)
    }

    /// Makes room for twice as many names.
    fn grow(&mut self) {
        let slots = (self.cache.len() * 2).clamp(FIRST, CACHE);
        let free = Cached { key: key(b""), name: Box::default(), code: 0 };
        let known = std::mem::replace(&mut self.cache, vec![free; slots]);
        self.mask = slots - 1;
        known.into_iter().filter(|cached| cached.key.length > 0).for_each(|cached| self.put(cached));
    }

    /// Puts a name that is not there into a free slot.
    fn put(&mut self, own: Cached) {
        let mut slot = hash(&own.key) & self.mask;
        while self.cache.get(slot).is_some_and(|cached| cached.key.length > 0) {
            slot = (slot + 1) & self.mask;
        }
        if let Some(free) = self.cache.get_mut(slot) {
            *free = own;
        }
    }

    /// The code of a name, in capitals, that the schema does not have.
    pub fn unknown_code(&mut self, name: &str) -> u16 {
        if let Some(code) = self.unknown.get(name) {
            return *code;
        }
        let next = self.names.len() as u16;
        if next >= Self::KEPT || name.len() > 256 {
            return Self::OTHER;
        }
        self.names.push(name.into());
        self.unknown.insert(name.to_owned(), Self::UNKNOWN + next);
        Self::UNKNOWN + next
    }
}
