//! What is likely meant where a name is not known. A check looks through so much and no more: a file in which every name is wrong is
//! answered about as soon as one with a few mistakes, only that its later findings suggest nothing.

use crate::idf::Object;
use crate::references::{Names, number_of};
use crate::schema::{ObjectType, nearest};
use foldhash::HashMap;

/// Bytes of names that are compared with wrong ones in one check.
const COMPARED: usize = 16 << 20;

/// The names of a document, where they are followed, and what may still be compared.
pub struct Help<'a> {
    names: Option<&'a Names<'a>>,
    /// The names that may stand in a field, by the numbers of type and field.
    available: HashMap<(u32, u32), Vec<&'a str>>,
    left: usize,
}

impl<'a> Help<'a> {
    /// For one check.
    pub fn new(names: Option<&'a Names<'a>>) -> Self {
        Self { names, available: HashMap::default(), left: COMPARED }
    }

    /// The names, where they are followed.
    pub fn names(&self) -> Option<&'a Names<'a>> {
        self.names
    }

    /// The one of `names` that looks most like `wanted`.
    pub fn nearest<'n>(&mut self, wanted: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
        if self.left == 0 {
            return None;
        }
        let left = &mut self.left;
        let counted = names.inspect(|name| *left = left.saturating_sub(name.len()));
        nearest(wanted, counted, 1).first().map(|near| (*near).to_owned())
    }

    /// The names that may stand in a field of an object, and the one that looks most like what stands there.
    pub fn available(
        &mut self,
        object: Object<'_>,
        about: &ObjectType,
        position: usize,
        wanted: &str,
    ) -> (&[&'a str], Option<String>) {
        let Some(names) = self.names else { return (&[], None) };
        let field = number_of(about, position).unwrap_or_default();
        let key = (object.type_number().unwrap_or_default(), field);
        let known = self.available.remove(&key).unwrap_or_else(|| names.available(about, position));
        let near = self.nearest(wanted, known.iter().copied());
        (self.available.entry(key).or_insert(known), near)
    }
}
