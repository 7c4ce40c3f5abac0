//! A document with its names at hand: each is looked for once, however many objects have it.

use crate::idf::{Document, Object};
use crate::schema::Schema;
use foldhash::HashMap;

/// A document, and its objects by type and name.
pub struct Model<'a> {
    document: &'a Document,
    by_name: HashMap<u64, Object<'a>>,
}

fn hash(type_name: &str, name: &str) -> u64 {
    let bytes = type_name.bytes().chain([b'\n']).chain(name.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The value of a field by its key, exactly as epJSON spells it; empty where it is blank, or the type has none.
pub fn value<'a>(object: Object<'a>, key: &str) -> &'a str {
    let at = object.about().and_then(|about| about.fields.iter().position(|field| *field.key == *key));
    at.map_or("", |at| object.value(at))
}

impl<'a> Model<'a> {
    /// Reads the names of a document; of objects with one name the first counts.
    pub fn from_document(document: &'a Document) -> Self {
        let mut by_name = HashMap::default();
        for object in document.objects().filter(|object| !object.name().is_empty()) {
            by_name.entry(hash(object.type_name(), object.name())).or_insert(object);
        }
        Self { document, by_name }
    }

    /// The document.
    pub fn document(&self) -> &'a Document {
        self.document
    }

    /// The schema it is read with.
    pub fn schema(&self) -> &'a Schema {
        self.document.schema()
    }

    /// Every object, in the order of the file.
    pub fn objects(&self) -> impl Iterator<Item = Object<'a>> + use<'a> {
        self.document.objects()
    }

    /// The objects of a type.
    pub fn of_type(&self, type_name: &str) -> impl Iterator<Item = Object<'a>> + use<'a> {
        self.document.of_type(type_name)
    }

    /// An object by its type and name, whatever the case; none by an empty name.
    pub fn get(&self, type_name: &str, name: &str) -> Option<Object<'a>> {
        let (type_name, name) = (type_name.trim(), name.trim());
        if name.is_empty() {
            return None;
        }
        let found = *self.by_name.get(&hash(type_name, name))?;
        let is_it =
            found.type_name().eq_ignore_ascii_case(type_name) && found.name().eq_ignore_ascii_case(name);
        // two names that hash alike are as good as never met
        if is_it { Some(found) } else { self.document.get(type_name, name) }
    }
}
