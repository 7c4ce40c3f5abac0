//! The text of a pack as tables whose keys and values know their places, read strictly: what is not asked for is a problem, and so is
//! what is of another type.

use super::problem::{Problem, instead};
use std::cell::RefCell;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text of a pack, and the problems found in it so far.
pub(crate) struct Source<'t> {
    text: &'t str,
    problems: RefCell<Vec<Problem>>,
}

impl<'t> Source<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, problems: RefCell::default() }
    }

    /// Notes a problem at a place, given in bytes.
    pub(crate) fn problem(&self, at: usize, message: impl Into<String>) {
        let before = self.text.get(..at.min(self.text.len())).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        self.problems.borrow_mut().push(Problem { line, column, message: message.into() });
    }

    /// The place in the text of a character within a text value, which begins behind its quote.
    pub(crate) fn within(&self, span: &Range<usize>, character: usize) -> usize {
        let written = self.text.get(span.clone()).unwrap_or_default();
        let quotes = if written.starts_with("\"\"\"") || written.starts_with("'''") { 3 } else { 1 };
        let inner = written.get(quotes..).unwrap_or_default();
        let offset = inner.char_indices().nth(character).map_or(inner.len(), |(at, _)| at);
        span.start + (quotes + offset).min(written.len())
    }

    /// The problems, in the order of the text.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        let mut problems = self.problems.into_inner();
        problems.sort();
        problems.dedup();
        problems
    }

    /// Reads the text as a table of tables; what is no TOML becomes a problem.
    pub(crate) fn parse(&self) -> Spanned<DeTable<'t>> {
        let (table, errors) = DeTable::parse_recoverable(self.text);
        for error in errors {
            self.problem(error.span().map_or(0, |span| span.start), error.message());
        }
        table
    }
}

/// A table of the text of which keys are taken one by one; what is left in the end is unknown.
pub(crate) struct Table<'s, 't> {
    pub(crate) source: &'s Source<'t>,
    entries: &'s DeTable<'t>,
    /// The place of the table, or of its first key.
    pub(crate) at: usize,
    known: RefCell<Vec<&'static str>>,
}

impl<'s, 't> Table<'s, 't> {
    pub(crate) fn new(source: &'s Source<'t>, entries: &'s DeTable<'t>, at: usize) -> Self {
        Self { source, entries, at, known: RefCell::default() }
    }

    /// The value of a key, if it is there.
    pub(crate) fn get(&self, key: &'static str) -> Option<&'s Spanned<DeValue<'t>>> {
        self.known.borrow_mut().push(key);
        self.entries.get(key)
    }

    /// True if a key is there, without taking it.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// The place of a key, or of the table where it is not there.
    pub(crate) fn place(&self, key: &str) -> usize {
        self.entries.get_key_value(key).map_or(self.at, |(found, _)| found.span().start)
    }

    /// All keys with their values, in the order of the text.
    pub(crate) fn entries(&self) -> Vec<(&'s str, usize, &'s Spanned<DeValue<'t>>)> {
        let mut all: Vec<_> = self
            .entries
            .iter()
            .map(|(key, value)| (key.get_ref().as_ref(), key.span().start, value))
            .collect();
        all.sort_by_key(|(_, at, _)| *at);
        all
    }

    /// Says that a key is missing, and what it is for.
    pub(crate) fn missing(&self, key: &str, what: &str) {
        self.source.problem(self.at, format!("`{key}` is missing: {what}"));
    }

    /// A text; one of another type is a problem.
    pub(crate) fn text(&self, key: &'static str) -> Option<String> {
        let value = self.get(key)?;
        let text = value.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong(key, value, "a text");
        }
        text
    }

    /// A text that has to be there and to say something.
    pub(crate) fn needed_text(&self, key: &'static str, what: &str) -> String {
        if !self.has(key) {
            self.known.borrow_mut().push(key);
            self.missing(key, what);
            return String::new();
        }
        let text = self.text(key).unwrap_or_default();
        if self.entries.get(key).is_some_and(|v| v.get_ref().is_str()) && text.trim().is_empty() {
            self.source.problem(self.place(key), format!("`{key}` is empty: {what}"));
        }
        text
    }

    /// True or false.
    pub(crate) fn truth(&self, key: &'static str) -> Option<bool> {
        let value = self.get(key)?;
        let truth = value.get_ref().as_bool();
        if truth.is_none() {
            self.wrong(key, value, "true or false");
        }
        truth
    }

    /// A table within.
    pub(crate) fn table(&self, key: &'static str) -> Option<Table<'s, 't>> {
        let value = self.get(key)?;
        let table = as_table(self.source, value);
        if table.is_none() {
            self.wrong(key, value, "a table");
        }
        table
    }

    /// The tables of a list.
    pub(crate) fn tables(&self, key: &'static str) -> Vec<Table<'s, 't>> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let Some(list) = value.get_ref().as_array() else {
            self.wrong(key, value, "a list of tables");
            return Vec::new();
        };
        let table = |value: &'s Spanned<DeValue<'t>>| {
            let table = as_table(self.source, value);
            if table.is_none() {
                self.wrong(key, value, "a list of tables");
            }
            table
        };
        list.iter().filter_map(table).collect()
    }

    fn wrong(&self, key: &str, value: &Spanned<DeValue<'t>>, wanted: &str) {
        let found = value.get_ref().type_str();
        self.source.problem(value.span().start, format!("`{key}` has to be {wanted}, not a TOML {found}"));
    }

    /// Notes every key that nobody took.
    pub(crate) fn finish(&self) {
        let known = self.known.borrow();
        for (key, at, _) in self.entries() {
            if !known.contains(&key) {
                let near = instead(key, known.iter().copied());
                self.source.problem(at, format!("unknown key `{key}`{near}"));
            }
        }
    }
}

/// A value as a table, if it is one.
pub(crate) fn as_table<'s, 't>(
    source: &'s Source<'t>,
    value: &'s Spanned<DeValue<'t>>,
) -> Option<Table<'s, 't>> {
    Some(Table::new(source, value.get_ref().as_table()?, value.span().start))
}
