//! The text that is walked over, and where: the steps between tokens.

use ifc::step::Cursor;

/// The text that is walked over, and where.
pub(super) struct At<'t> {
    pub text: &'t [u8],
    pub at: usize,
}

impl At<'_> {
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    #[inline]
    pub fn space(&mut self) {
        if self.peek().is_some_and(|byte| byte <= b' ' || byte == b'/') {
            self.slow_space();
        }
    }

    /// True if the list here, behind its `(`, is empty.
    pub fn ends_at_once(&mut self) -> bool {
        self.space();
        self.peek() == Some(b')')
    }

    #[cold]
    fn slow_space(&mut self) {
        let mut cursor = Cursor::new(self.text, self.at);
        cursor.space();
        self.at = cursor.at();
    }
}

/// Takes digits and answers how many.
#[inline]
pub(super) fn digits(at: &mut At<'_>) -> usize {
    let start = at.at;
    while at.peek().is_some_and(|byte| byte.is_ascii_digit()) {
        at.at += 1;
    }
    at.at - start
}
