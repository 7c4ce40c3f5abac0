//! The name that is likely meant where one is not there. A check compares so much and no more: its later findings suggest nothing.

use crate::schema::nearest;

/// Bytes of names that are compared in one check.
const COMPARED: usize = 4 << 20;

/// The comparisons that may still be made.
pub struct Near {
    left: usize,
}

impl Default for Near {
    fn default() -> Self {
        Self { left: COMPARED }
    }
}

impl Near {
    /// The one of these names that looks most like the wanted one.
    pub fn name<'a>(&mut self, wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
        if self.left == 0 {
            return None;
        }
        let left = &mut self.left;
        let counted = names.inspect(|name| *left = left.saturating_sub(name.len().max(1)));
        nearest(wanted, counted, 1).first().map(|near| (*near).to_owned())
    }

    /// The same as a question behind a sentence; empty where nothing looks like it.
    pub fn meant<'a>(&mut self, wanted: &str, names: impl Iterator<Item = &'a str>) -> String {
        self.name(wanted, names).map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default()
    }
}
