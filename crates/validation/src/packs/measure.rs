//! The measures: each with its name, the kind of things that it is of, its unit, what it takes, and what it means.

use super::context::Context;
use super::kind::{Item, Kind};
use super::value::{Value, ValueType};
use crate::finding::{Quantity, Unit};
use glam::DVec3;
use ifc::Id;
use std::fmt;

/// One thing that a measure found: most measures find one, some one for each pair or part.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The value.
    pub value: Value,
    /// Further elements that it is about.
    pub elements: Vec<Id>,
    /// The room that it is about, by its place.
    pub room: Option<usize>,
    /// The place, in metres of the world, where that of the thing would not do.
    pub point: Option<DVec3>,
    /// Lines that show it, in metres of the world.
    pub lines: Vec<Vec<DVec3>>,
    /// A sentence that says more of it.
    pub detail: Option<String>,
}

impl Reading {
    /// A reading of a value.
    pub fn new(value: Value) -> Self {
        Self { value, elements: Vec::new(), room: None, point: None, lines: Vec::new(), detail: None }
    }

    /// A reading of a number in the unit that its kind is kept in.
    pub fn number(value: f64, unit: Unit) -> Self {
        Self::new(Value::Quantity(Quantity { value, unit }))
    }

    /// A reading of a length in metres.
    pub fn length(metres: f64) -> Self {
        Self::number(metres, Unit::Length)
    }

    /// The same at a place.
    #[must_use]
    pub fn at(mut self, point: DVec3) -> Self {
        self.point = Some(point);
        self
    }

    /// The same about further elements.
    #[must_use]
    pub fn about(mut self, elements: impl IntoIterator<Item = Id>) -> Self {
        self.elements.extend(elements);
        self
    }

    /// The same with a sentence that says more.
    #[must_use]
    pub fn saying(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }
}

/// The readings of a thing, or the reason why it cannot be measured.
pub type Answer = Result<Vec<Reading>, String>;

/// The value that an argument has where a pack gives none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Preset {
    /// There is none: the pack has to give one.
    Needed,
    /// A number in the unit that its kind is kept in.
    Number(f64),
    /// A text.
    Text(&'static str),
    /// Several texts.
    Texts(&'static [&'static str]),
    /// True or false.
    Truth(bool),
}

/// Something that a measure takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub value: ValueType,
    /// Its value where a pack gives none.
    pub default: Preset,
    /// The texts that it may be, where it is a text; none where it may be any.
    pub choices: &'static [&'static str],
    /// The meaning.
    pub means: &'static str,
}

impl Argument {
    /// A length, with a default in metres.
    pub const fn length(name: &'static str, metres: f64, means: &'static str) -> Self {
        let (value, default) = (ValueType::Quantity(Unit::Length), Preset::Number(metres));
        Self { name, value, default, choices: &[], means }
    }

    /// True or false, with a default.
    pub const fn truth(name: &'static str, default: bool, means: &'static str) -> Self {
        Self { name, value: ValueType::Truth, default: Preset::Truth(default), choices: &[], means }
    }

    /// One of some texts, with a default.
    pub const fn choice(
        name: &'static str,
        choices: &'static [&'static str],
        default: &'static str,
        means: &'static str,
    ) -> Self {
        Self { name, value: ValueType::Text, default: Preset::Text(default), choices, means }
    }

    /// Several texts, with a default.
    pub const fn texts(name: &'static str, default: &'static [&'static str], means: &'static str) -> Self {
        Self { name, value: ValueType::Texts, default: Preset::Texts(default), choices: &[], means }
    }
}

/// The arguments of a measure, as they hold for one thing: every one has a value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Arguments(pub(crate) Vec<(&'static str, Value)>);

impl Arguments {
    fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// A number in the unit that its kind is kept in; 0 of what is no number.
    pub fn number(&self, name: &str) -> f64 {
        self.get(name).and_then(Value::number).unwrap_or_default()
    }

    /// A text; empty of what is none.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// Several texts.
    pub fn texts(&self, name: &str) -> &[String] {
        match self.get(name) {
            Some(Value::Texts(texts)) => texts,
            _ => &[],
        }
    }

    /// True if a truth is.
    pub fn truth(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Value::Truth(true)))
    }
}

/// The function that reads a thing.
pub(crate) type Run = fn(&Context<'_>, Item, &Arguments) -> Answer;

/// Something that can be measured.
#[derive(Clone, Copy)]
pub struct Measure {
    /// Its name in packs: the kind, a point, and what is measured.
    pub name: &'static str,
    /// The kind of things that it is of.
    pub kind: Kind,
    /// The type of its values.
    pub value: ValueType,
    /// Its name in messages: "clear width".
    pub label: &'static str,
    /// The way it is measured, and from where to where.
    pub means: &'static str,
    /// The things that it takes.
    pub arguments: &'static [Argument],
    /// True if it may find several values of a thing, or none.
    pub is_many: bool,
    pub(crate) run: Run,
}

impl fmt::Debug for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Measure").field("name", &self.name).finish_non_exhaustive()
    }
}

impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
