//! The small part of an index: numbers and texts one after another, read back with every length checked.

/// Puts them together.
#[derive(Default)]
pub(super) struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    pub fn number(&mut self, number: u64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.raw(text.as_bytes());
    }

    pub fn list<T>(&mut self, items: impl ExactSizeIterator<Item = T>, mut put: impl FnMut(&mut Self, T)) {
        self.number(items.len() as u64);
        for item in items {
            put(self, item);
        }
    }
}

/// Takes them apart.
pub(super) struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    pub fn raw(&mut self, length: usize) -> Option<&'b [u8]> {
        let (head, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(head)
    }

    pub fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(*self.raw(8)?.first_chunk()?))
    }

    /// A number that a place or count may have.
    pub fn place(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// A number of 32 bits.
    pub fn word(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    pub fn text(&mut self) -> Option<&'b str> {
        let length = self.place()?;
        std::str::from_utf8(self.raw(length)?).ok()
    }

    pub fn list<T>(&mut self, mut take: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.place()?;
        // every item takes at least a number, so a count beyond that is a lie
        if count > self.bytes.len() / 8 {
            return None;
        }
        (0..count).map(|_| take(self)).collect()
    }

    pub fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }
}
