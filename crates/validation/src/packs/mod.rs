//! Rules as data: packs of rules in TOML over attributes, properties and measures of a model, read strictly and held against it.
//!
//! A pack has a head, tables by usage, and rules. A rule is of a kind of things (doors, rooms, flights of stairs, …), may be limited by a selector and a
//! condition, and asks a condition of each: tests of measures, attributes, properties and classifications, joined by `all`, `any` and `not`, or asked of
//! `every` or `some` of the things that belong to it, or of their `count`. Numbers have units; parameters can be set otherwise by whoever asks. It refuses
//! to guess: a pack with a mistake is not read, and what cannot be judged is told of.

mod check;
mod context;
mod datum;
mod evaluate;
mod kind;
mod measure;
mod measures;
mod problem;
mod read;
mod report;
mod rule;
mod shipped;
mod source;
#[cfg(test)]
mod tests;
mod usage;
mod value;
mod words;

pub use check::{Overrides, Refused, check};
pub use context::Context;
pub use kind::{Item, Kind};
pub use measure::{Answer, Argument, Arguments, Measure, Preset, Reading};
pub use measures::{measure, measures};
pub use problem::Problem;
pub use read::read;
pub use report::{Report, RuleResult};
pub use rule::{Comparison, Condition, Datum, Each, Operand, Pack, Parameter, Quantifier, Rule, Table, Test};
pub use shipped::shipped;
pub use usage::Vocabulary;
pub use value::{Value, ValueType};
