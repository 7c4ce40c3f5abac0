//! One object of a document, as it is read: its type, name and values by position or by field.

use super::lexer::Entry;
use super::{Document, Handle, Record};
use crate::schema::{Field, ObjectType};
use serde_json::Value;

#[derive(Clone, Copy)]
pub(super) enum Content<'a> {
    Text(&'a Entry),
    Record(&'a Record),
}

/// One object of a document.
#[derive(Clone, Copy)]
pub struct Object<'a> {
    pub(super) document: &'a Document,
    pub(super) handle: Handle,
    pub(super) content: Content<'a>,
}

/// A value with what the schema says of its field.
#[derive(Clone, Copy, Debug)]
pub struct FieldValue<'a> {
    /// Its position in the text form, from 0.
    pub position: usize,
    /// The field; none where the schema knows none there.
    pub field: Option<&'a Field>,
    /// The number of the repeated group, from 0.
    pub group: Option<usize>,
    /// The value; empty where it is blank.
    pub value: &'a str,
}

impl FieldValue<'_> {
    /// The field's name with the number of its group, or its position where the schema knows none.
    pub fn name(&self) -> String {
        self.field.map_or_else(|| format!("Field {}", self.position + 1), |field| field.name_in(self.group))
    }
}

impl std::fmt::Debug for Object<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.type_name(), self.label())
    }
}

impl<'a> Object<'a> {
    /// The document it is of.
    pub fn document(&self) -> &'a Document {
        self.document
    }

    /// Returns the handle, which stays the same while the document is edited.
    pub fn handle(&self) -> Handle {
        self.handle
    }

    /// Its type, as the schema spells it, or as written where the schema does not know it.
    pub fn type_name(&self) -> &'a str {
        match self.content {
            Content::Text(entry) => self.document.kind(entry).map_or("", |kind| &*kind.name),
            Content::Record(record) => &record.type_name,
        }
    }

    /// The number of its type in the schema.
    pub fn type_number(&self) -> Option<u32> {
        match self.content {
            Content::Text(entry) => self.document.kind(entry).and_then(|kind| kind.number),
            Content::Record(record) => record.number,
        }
    }

    /// Returns its type in the schema.
    pub fn about(&self) -> Option<&'a ObjectType> {
        self.document.schema().type_at(self.type_number()?)
    }

    /// True if objects of its type have names.
    pub fn is_named(&self) -> bool {
        self.about().is_some_and(|about| about.named)
    }

    /// Its name; empty where it has none.
    pub fn name(&self) -> &'a str {
        if self.is_named() { self.value(0) } else { "" }
    }

    /// Its name, or where it has none what it is known by: the words that it begins with, up to the first that its type
    /// requires (`SPACE1-1` for the `Sizing:Zone` of that zone), the type itself for the only one of it, else its handle.
    pub fn label(&self) -> String {
        let name = self.name();
        if !name.is_empty() {
            return name.to_owned();
        }
        if self.is_only_one() {
            return self.type_name().to_owned();
        }
        let known_by = self.known_by();
        if known_by.is_empty() { self.handle.to_string() } else { known_by.join(", ") }
    }

    /// True if it has no name and needs none: its type allows one object, or has but this one, and says nothing to know it by.
    fn is_only_one(&self) -> bool {
        let Some(about) = self.about().filter(|about| !about.named) else { return false };
        about.unique || (self.known_by().is_empty() && self.document.of_type(&about.name).nth(1).is_none())
    }

    /// The words that an object without a name is known by, in the order of its fields: those before its first number, up to the first
    /// that its type requires, and the frequency of what it reports. A key that stands for all is left out.
    pub(super) fn known_by(&self) -> Vec<&'a str> {
        let Some(about) = self.about().filter(|about| !about.named) else { return Vec::new() };
        let mut words = Vec::new();
        for (position, field) in about.fields.iter().enumerate() {
            if field.is_numeric() {
                break;
            }
            let value = self.value(position);
            if !value.is_empty() && value != "*" {
                words.push(value);
            }
            if field.required && !value.is_empty() {
                break;
            }
        }
        words
            .extend(self.get("reporting_frequency").filter(|word| !word.is_empty() && !words.contains(word)));
        words
    }

    /// Counts its values, blank ones included.
    pub fn len(&self) -> usize {
        match self.content {
            Content::Text(entry) => entry.count as usize,
            Content::Record(record) => record.values.len(),
        }
    }

    /// True if it has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A value by its position; empty where it is blank or absent.
    pub fn value(&self, position: usize) -> &'a str {
        match self.content {
            Content::Text(entry) => self.document.text_value(entry, position),
            Content::Record(record) => record.values.get(position).map_or("", |value| value),
        }
    }

    /// Every value in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &'a str> + use<'a> {
        let object = *self;
        (0..self.len()).map(move |position| object.value(position))
    }

    /// The value of a field by its key or name, whatever the case; none where the type has no such field.
    pub fn get(&self, field: &str) -> Option<&'a str> {
        Some(self.value(self.about()?.position(field)?))
    }

    /// The number in a field; none where it is blank or a word.
    pub fn number(&self, field: &str) -> Option<f64> {
        self.get(field)?.parse().ok()
    }

    /// Every value with its field.
    pub fn fields(&self) -> impl Iterator<Item = FieldValue<'a>> + use<'a> {
        let about = self.about();
        self.values().enumerate().map(move |(position, value)| {
            let at = about.and_then(|about| about.field_at(position));
            FieldValue { position, field: at.map(|at| at.0), group: at.and_then(|at| at.1), value }
        })
    }

    /// The groups of values that repeat at its end, each as long as the schema's group, but perhaps the last.
    pub fn groups(&self) -> impl Iterator<Item = Vec<&'a str>> + use<'a> {
        let about = self.about();
        let size = about.and_then(|about| about.extensible.as_ref()).map_or(0, |group| group.fields.len());
        let from = about.map_or(0, |about| about.fields.len());
        let object = *self;
        let count = if size == 0 { 0 } else { self.len().saturating_sub(from).div_ceil(size) };
        (0..count).map(move |group| {
            let start = from + group * size;
            (start..(start + size).min(object.len())).map(|at| object.value(at)).collect()
        })
    }

    /// The line on which it begins in the file it was read from; none for one that was added.
    pub fn line(&self) -> Option<u32> {
        self.document.line(self.handle)
    }

    /// Returns the members of epJSON that the schema has no field for.
    pub fn extra(&self) -> &'a [(String, Value)] {
        match self.content {
            Content::Text(_) => &[],
            Content::Record(record) => &record.extra,
        }
    }

    pub(super) fn key(&self) -> Option<&'a str> {
        match self.content {
            Content::Text(_) => None,
            Content::Record(record) => record.key.as_deref(),
        }
    }

    /// A copy that can be changed.
    pub(crate) fn to_record(self) -> Record {
        match self.content {
            Content::Record(record) => record.clone(),
            Content::Text(entry) => Record {
                type_name: self.document.kind(entry).map_or_else(|| "".into(), |kind| kind.name.clone()),
                number: self.type_number(),
                values: self.values().map(Into::into).collect(),
                key: None,
                extra: Vec::new(),
            },
        }
    }
}
