//! What `print` wrote: the beginning is kept, the rest is counted and dropped, and a flood ends the script.

use monty_types::{ExcType, MontyException, PrintWriterCallback};
use std::borrow::Cow;

/// The factor beyond what is kept at which printing counts as a flood.
const FLOOD: usize = 256;

pub(crate) struct Printed {
    pub(crate) text: String,
    limit: usize,
    written: usize,
}

impl Printed {
    pub(crate) fn new(limit: usize) -> Self {
        Self { text: String::new(), limit, written: 0 }
    }

    /// True if something was dropped.
    pub(crate) fn is_cut(&self) -> bool {
        self.written > self.text.len()
    }

    /// True if far more was printed than anyone reads.
    pub(crate) fn is_flood(&self) -> bool {
        self.written > self.limit.saturating_mul(FLOOD)
    }

    fn write(&mut self, text: &str) -> Result<(), MontyException> {
        if !self.is_cut() {
            let left = self.limit.saturating_sub(self.text.len());
            let end = text.floor_char_boundary(left.min(text.len()));
            self.text.push_str(text.get(..end).unwrap_or_default());
        }
        self.written = self.written.saturating_add(text.len());
        if self.is_flood() {
            return Err(MontyException::new(ExcType::OSError, Some("too much was printed".to_owned())));
        }
        Ok(())
    }
}

impl PrintWriterCallback for Printed {
    fn stdout_write(&mut self, output: Cow<'_, str>) -> Result<(), MontyException> {
        self.write(&output)
    }

    fn stdout_push(&mut self, end: char) -> Result<(), MontyException> {
        self.write(end.encode_utf8(&mut [0; 4]))
    }
}
