//! One instance of a model, seen through its class: attributes by name, decoded when asked for.

use crate::overlay::Stored;
use crate::schema::Entity;
use crate::step::{Cursor, Unreadable};
use crate::{Id, Model, Value};

/// An instance. It borrows the model and costs nothing to copy; every attribute asked for is decoded anew.
#[derive(Clone, Copy)]
pub struct Instance<'m> {
    pub(crate) model: &'m Model,
    pub(crate) id: Id,
    pub(crate) source: Source<'m>,
}

/// The source of an instance's content.
#[derive(Clone, Copy)]
pub enum Source<'m> {
    /// In the file, at this row.
    Base(usize),
    /// In the overlay.
    Overlay(&'m Stored),
}

impl<'m> Instance<'m> {
    /// The place of its content.
    pub fn source(&self) -> Source<'m> {
        self.source
    }

    /// Its id.
    pub fn id(&self) -> Id {
        self.id
    }

    /// Its class in the schema's spelling, `IfcWall`; in capitals if the schema does not have it.
    pub fn class_name(&self) -> &'m str {
        match self.source {
            Source::Base(row) => self.model.base.class_name(row),
            Source::Overlay(stored) => stored.class.name(),
        }
    }

    /// Its class in the schema's table, unless the schema does not have it.
    pub fn entity(&self) -> Option<&'static Entity> {
        match self.source {
            Source::Base(row) => self.model.base.entity(row),
            Source::Overlay(stored) => stored.class.entity(),
        }
    }

    /// True if its class is this one or a subtype of it, in any letter case.
    pub fn is_a(&self, class: &str) -> bool {
        match self.entity() {
            Some(entity) => entity.is_a(self.model.schema(), class),
            None => self.class_name().eq_ignore_ascii_case(class),
        }
    }

    /// An attribute by its exact name; `Null` if the class has none of that name or its text cannot be read.
    pub fn attr(&self, name: &str) -> Value {
        self.entity().and_then(|entity| entity.index_of(name)).map_or(Value::Null, |at| self.attr_at(at))
    }

    /// An attribute by its place in the STEP line, from nought; `Null` behind the last one.
    pub fn attr_at(&self, at: usize) -> Value {
        match self.source {
            Source::Overlay(stored) => stored.values.get(at).cloned().unwrap_or_default(),
            Source::Base(row) => self
                .cursor_at(row, at)
                .and_then(|mut cursor| cursor.attribute(&|name| self.spelling(name)).ok())
                .unwrap_or_default(),
        }
    }

    /// All attributes as they stand, in the order of the STEP line; what cannot be read is `Null`.
    pub fn attributes(&self) -> Vec<Value> {
        match self.source {
            Source::Overlay(stored) => stored.values.clone(),
            Source::Base(_) => {
                let mut values = Vec::new();
                let _ = self.try_attributes(|value| values.push(value.unwrap_or_default()));
                values
            }
        }
    }

    /// Decodes every attribute in turn; an error ends it if what follows cannot be told apart.
    pub fn try_attributes(&self, mut each: impl FnMut(Result<Value, Unreadable>)) -> Result<(), Unreadable> {
        let row = match self.source {
            Source::Base(row) => row,
            Source::Overlay(stored) => {
                stored.values.iter().for_each(|value| each(Ok(value.clone())));
                return Ok(());
            }
        };
        let Some(mut cursor) = self.model.base.attributes(row) else {
            return Err(Unreadable { at: 0, message: "the instance has no attribute list" });
        };
        if cursor.take(b')') {
            return Ok(());
        }
        loop {
            let before = cursor;
            let value = cursor.attribute(&|name| self.spelling(name));
            if value.is_err() {
                cursor = before;
                cursor.skip_value()?;
            }
            each(value);
            if cursor.take(b',') {
                continue;
            }
            if cursor.take(b')') {
                return Ok(());
            }
            return Err(Unreadable { at: cursor.at(), message: "the attributes end without )" });
        }
    }

    /// The bytes of each attribute as they stand in the file.
    pub fn raw_attributes(&self) -> Vec<&'m [u8]> {
        let Source::Base(row) = self.source else { return Vec::new() };
        let text = self.model.base.text(row);
        let mut spans = Vec::new();
        let Some(mut cursor) = self.model.base.attributes(row) else { return spans };
        loop {
            let from = cursor.at();
            if cursor.skip_value().is_err() {
                return spans;
            }
            spans.push(text.get(from..cursor.at()).unwrap_or_default());
            if !cursor.take(b',') {
                return spans;
            }
        }
    }

    fn cursor_at(&self, row: usize, at: usize) -> Option<Cursor<'m>> {
        let mut cursor = self.model.base.attributes(row)?;
        for _ in 0..at {
            cursor.skip_value().ok()?;
            if !cursor.take(b',') {
                return None;
            }
        }
        Some(cursor)
    }

    /// The place of an attribute in the STEP line.
    fn place_of(&self, name: &str) -> Option<usize> {
        self.entity()?.index_of(name)
    }

    /// The text of an attribute, if it stands in the file.
    fn cursor_of(&self, at: usize) -> Option<Cursor<'m>> {
        match self.source {
            Source::Base(row) => self.cursor_at(row, at),
            Source::Overlay(_) => None,
        }
    }

    fn spelling(&self, name: &str) -> Option<&'static str> {
        self.model.schema().type_declaration(name).map(|declaration| declaration.name)
    }

    /// The value at a place, if it does not stand in the file: then it need not be decoded.
    fn kept(&self, at: usize) -> Option<&'m Value> {
        match self.source {
            Source::Overlay(stored) => stored.values.get(at),
            Source::Base(_) => None,
        }
    }

    /// A text attribute; `None` if absent or no text.
    pub fn text(&self, name: &str) -> Option<String> {
        let at = self.place_of(name)?;
        match self.source {
            Source::Overlay(stored) => stored.values.get(at)?.as_text().map(str::to_owned),
            Source::Base(_) => self.attr_at(at).into_text(),
        }
    }

    /// True if an attribute is this text; it is compared as it stands in the file where nothing in it has to be decoded.
    pub fn says(&self, name: &str, text: &str) -> bool {
        let Some(at) = self.place_of(name) else { return false };
        match self.source {
            Source::Overlay(stored) => stored.values.get(at).and_then(Value::as_text) == Some(text),
            Source::Base(row) => match self.cursor_at(row, at).and_then(|mut cursor| cursor.plain_text()) {
                Some(plain) => plain == text.as_bytes(),
                None => self.attr_at(at).as_text() == Some(text),
            },
        }
    }

    /// A number, in the file's own units; `None` if absent or no number.
    pub fn number(&self, name: &str) -> Option<f64> {
        let at = self.place_of(name)?;
        if let Some(kept) = self.kept(at) {
            return kept.as_f64();
        }
        self.cursor_of(at).and_then(|mut cursor| cursor.plain_number()).or_else(|| self.attr_at(at).as_f64())
    }

    /// A truth; `None` if absent, unknown or no truth.
    pub fn truth(&self, name: &str) -> Option<bool> {
        let at = self.place_of(name)?;
        self.cursor_of(at).and_then(|mut cursor| cursor.plain_truth()).or_else(|| self.attr_at(at).as_bool())
    }

    /// The members of a list of numbers, in the file's own units, put into `into`: how many there are. `None` if absent,
    /// no list of numbers, or longer than there is room for.
    pub fn numbers(&self, name: &str, into: &mut [f64]) -> Option<usize> {
        let at = self.place_of(name)?;
        if let Some(count) = self.cursor_of(at).and_then(|mut cursor| cursor.plain_numbers(into)) {
            return Some(count);
        }
        let decoded;
        let value = if let Some(kept) = self.kept(at) {
            kept
        } else {
            decoded = self.attr_at(at);
            &decoded
        };
        let list = value.as_list()?;
        for (slot, member) in into.get_mut(..list.len())?.iter_mut().zip(list) {
            *slot = member.as_f64()?;
        }
        Some(list.len())
    }

    /// The members of a list of lists of `N` numbers each, in the file's own units. `None` if absent or anything else.
    pub fn rows_of_numbers<const N: usize>(&self, name: &str) -> Option<Vec<[f64; N]>> {
        let at = self.place_of(name)?;
        let mut rows = Vec::new();
        if self.cursor_of(at).is_some_and(|mut cursor| cursor.plain_rows(&mut rows)) {
            return Some(rows);
        }
        let value = self.attr_at(at);
        let row = |member: &Value| {
            let list = member.as_list().filter(|list| list.len() == N)?;
            let mut row = [0.0; N];
            for (slot, number) in row.iter_mut().zip(list) {
                *slot = number.as_f64()?;
            }
            Some(row)
        };
        value.as_list()?.iter().map(row).collect()
    }

    /// An enumeration attribute, in capitals without dots.
    pub fn enumeration(&self, name: &str) -> Option<String> {
        self.attr(name).as_enum().map(str::to_owned)
    }

    /// The instance that an attribute refers to; it may be one that is not there.
    pub fn reference(&self, name: &str) -> Option<Id> {
        let at = self.place_of(name)?;
        if let Some(kept) = self.kept(at) {
            return kept.as_ref();
        }
        self.cursor_of(at)
            .and_then(|mut cursor| cursor.plain_reference())
            .or_else(|| self.attr_at(at).as_ref())
    }

    /// The instances that an attribute refers to: the members of a list, or the one of a single reference.
    pub fn references(&self, name: &str) -> Vec<Id> {
        let mut ids = Vec::new();
        self.add_references(name, &mut ids);
        ids
    }

    /// Adds the instances that an attribute refers to, as [`Instance::references`] lists them.
    pub fn add_references(&self, attribute: &str, ids: &mut Vec<Id>) {
        let Some(at) = self.entity().and_then(|entity| entity.index_of(attribute)) else { return };
        let known = ids.len();
        if let Source::Base(row) = self.source
            && self.cursor_at(row, at).is_some_and(|mut cursor| cursor.plain_references(ids))
        {
            return;
        }
        ids.truncate(known);
        match self.source {
            Source::Overlay(stored) => {
                if let Some(value) = stored.values.get(at) {
                    value.for_each_ref(&mut |id| ids.push(id));
                }
            }
            Source::Base(_) => self.attr_at(at).for_each_ref(&mut |id| ids.push(id)),
        }
    }

    /// The bytes that it takes in the file; nought for one that is not in the file as it was opened.
    pub fn length(&self) -> usize {
        match self.source {
            Source::Base(row) => self.model.base.span(row).map_or(0, |(_, length)| length),
            Source::Overlay(_) => 0,
        }
    }

    /// Its GlobalId, if its class has one.
    pub fn guid(&self) -> Option<String> {
        let entity = self.entity()?;
        if entity.attributes.first()?.name != "GlobalId" {
            return None;
        }
        match self.attr_at(0) {
            Value::Text(guid) => Some(guid),
            _ => None,
        }
    }

    /// Its Name, if its class has one and it is given.
    pub fn name(&self) -> Option<String> {
        self.text("Name")
    }

    /// The line it begins in, from 1; nought for one that is not in the file as it was opened.
    pub fn line(&self) -> usize {
        let row = self.model.base.row(self.id.0);
        row.and_then(|row| self.model.base.span(row)).map_or(0, |(start, _)| self.model.base.line(start))
    }

    /// Line and column where it begins, both from 1; both nought for one that is not in the file as it was opened.
    pub fn place(&self) -> (usize, usize) {
        let base = &self.model.base;
        let row = match self.source {
            Source::Base(row) => Some(row),
            Source::Overlay(_) => base.row(self.id.0),
        };
        let start = row.and_then(|row| base.span(row)).map(|(start, _)| start);
        start.map_or((0, 0), |start| base.indexes.lines(&base.bytes).place(&base.bytes, start))
    }

    /// The model it belongs to.
    pub fn model(&self) -> &'m Model {
        self.model
    }
}

impl std::fmt::Debug for Instance<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.id, self.class_name())?;
        let mut text = String::new();
        crate::step::encode::list(&self.attributes(), &mut text);
        f.write_str(&text)
    }
}
