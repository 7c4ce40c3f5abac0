//! Packs and rules as types: what a rule is of, when it holds, what it asks, and the words around it.

use super::kind::Kind;
use super::measure::Measure;
use super::value::{Value, ValueType};
use crate::finding::{Quantity, Severity, Unit};
use ifc::selector::Selector;
use regex::Regex;

/// A set of rules with its source.
#[derive(Debug, Clone)]
pub struct Pack {
    /// Its identifier: `ada-2010`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The edition or date of its source.
    pub edition: String,
    /// The source: publication, with an address where there is one.
    pub source: String,
    /// The terms under which its text may be used.
    pub licence: String,
    /// Notes on what it covers and what it leaves out.
    pub notes: String,
    /// Its rules, in the order of the text.
    pub rules: Vec<Rule>,
    /// Its tables.
    pub tables: Vec<Table>,
    /// The usages that it adds, each with a word for it.
    pub usages: Vec<(String, String)>,
}

impl Pack {
    /// A rule by its identifier, with or without the pack's.
    pub fn rule(&self, id: &str) -> Option<&Rule> {
        let own = id.strip_prefix(self.id.as_str()).and_then(|rest| rest.strip_prefix('.')).unwrap_or(id);
        self.rules.iter().find(|rule| rule.id == own || rule.id == id)
    }
}

/// A table from usages to quantities.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// The meaning, with its source.
    pub means: String,
    /// The kind of its quantities.
    pub unit: Unit,
    /// The rows: a usage and its quantity.
    pub rows: Vec<(String, Quantity)>,
    /// The quantity of what no row names; none where that cannot be said.
    pub default: Option<Quantity>,
}

impl Table {
    /// The quantity of a usage.
    pub fn get(&self, usage: &str) -> Option<Quantity> {
        self.rows.iter().find(|(own, _)| own == usage).map(|(_, quantity)| *quantity).or(self.default)
    }
}

/// A number, text or truth that a caller may set otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub value: ValueType,
    /// Its value unless it is set otherwise.
    pub default: Value,
    /// The meaning.
    pub means: String,
}

/// A rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its identifier within the pack.
    pub id: String,
    /// The clause of the source, as the source numbers it.
    pub clause: String,
    /// Its title.
    pub title: String,
    /// Its requirement in words.
    pub text: String,
    /// The reason for it.
    pub why: String,
    /// The kind of things that it judges.
    pub each: Kind,
    /// The elements that it is limited to.
    pub select: Option<Selector>,
    /// The condition under which it asks anything.
    pub when: Option<Condition>,
    /// Its requirement.
    pub require: Condition,
    /// The weight of what is found.
    pub severity: Severity,
    /// The parameters, which a caller may set otherwise.
    pub parameters: Vec<Parameter>,
    /// The source, where it is not the pack's.
    pub source: String,
    /// True if its figures were compared with the text of the source.
    pub verified: bool,
    /// The remedy of a finding; names in braces stand for what was found.
    pub suggestion: String,
}

/// A condition on a thing.
#[derive(Debug, Clone)]
pub enum Condition {
    /// All of these hold.
    All(Vec<Condition>),
    /// At least one of these holds.
    Any(Vec<Condition>),
    /// This does not hold.
    Not(Box<Condition>),
    /// A condition on the things of a kind that belong to this one.
    Each(Box<Each>),
    /// A test of a value.
    Test(Box<Test>),
}

/// A condition on the things of a kind that belong to another.
#[derive(Debug, Clone)]
pub struct Each {
    /// How many of them have to meet it.
    pub quantifier: Quantifier,
    /// Their kind.
    pub kind: Kind,
    /// Those of them that count.
    pub when: Option<Condition>,
    /// The condition that each has to meet.
    pub require: Option<Condition>,
}

/// How many things have to meet a condition.
#[derive(Debug, Clone)]
pub enum Quantifier {
    /// Every one.
    Every,
    /// At least one.
    Some,
    /// As many as a comparison asks; there is no condition but that they count.
    Count(Comparison),
}

/// A test of a value of a thing.
#[derive(Debug, Clone)]
pub struct Test {
    /// The value.
    pub datum: Datum,
    /// The comparison with what it has to be.
    pub comparison: Comparison,
}

/// A value of a thing.
#[derive(Debug, Clone)]
pub enum Datum {
    /// Something measured, with what the measure takes.
    Measure(&'static Measure, Vec<(&'static str, Operand)>),
    /// An attribute of the element.
    Attribute(String),
    /// A property or quantity of the element or its type, by its set and name.
    Property(String, String),
    /// The codes and names of its classifications.
    Classification,
}

/// A value that something is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// The value itself.
    Literal(Value),
    /// The value of a parameter.
    Parameter(String),
    /// The quantity that a table has for the usage of the room.
    Table(String),
}

/// A comparison.
#[derive(Debug, Clone)]
pub enum Comparison {
    /// At least so much.
    AtLeast(Operand),
    /// At most so much.
    AtMost(Operand),
    /// More than so much.
    MoreThan(Operand),
    /// Less than so much.
    LessThan(Operand),
    /// From so much to so much.
    Between(Operand, Operand),
    /// This value.
    Equals(Operand),
    /// One of these texts.
    OneOf(Operand),
    /// None of these texts.
    NoneOf(Operand),
    /// A text that a regular expression matches.
    Matches(Regex),
    /// A value that is there, or is not.
    Exists(bool),
}
