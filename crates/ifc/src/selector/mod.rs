//! Choosing elements by a line of text, in the selector syntax of IfcOpenShell: `IfcWall, Pset_WallCommon.IsExternal=TRUE`.
//!
//! | facet | meaning |
//! | --- | --- |
//! | `IfcWall`, `!IfcWall` | adds (takes away) the instances of a class and its subtypes |
//! | `2O2Fr$t4X7Zf8NOew3FLOH`, `!…` | adds (takes away) one element |
//! | `Name="x"`, `Name=/bed.*/` | keeps those with this attribute |
//! | `Pset_WallCommon.FireRating=F90`, `/Qto_.*/.Length>="3"` | keeps those with this property or quantity, the type's included |
//! | `type=`, `material=`, `classification=`, `location=`, `group=`, `parent=` | keeps those so related, by name or id |
//! | `storey=`, `space=`, `host=`, `part_of=` | the same, for their own storey, room, host or whole (not in IfcOpenShell) |
//! | `volume>2`, `thickness=200`, `facing=south`, … | keeps those of which such a value is computed ([`COMPUTED`]; not in IfcOpenShell) |
//! | `query:"storey.Elevation">"2.5"` | keeps those where a path of keys leads to such a value |
//!
//! Comma: facets apply from left to right; a list that begins with a filter begins with all products and product
//! types. `+`: union of lists. Comparisons: `= != > >= < <= *= !*=` (contains). Values: bare words, `"quoted"`,
//! `/regular expression/` (matched from the start, as Python's `re.match`), `NULL`, `TRUE`, `FALSE`. Numbers are
//! compared with numbers as numbers, without tolerance, in the file's units.
//!
//! `classification=NULL` keeps also what has a reference without a name or a code; `classification!=/.*/` keeps only
//! what has none.
//!
//! Results equal IfcOpenShell's (`tests/python/compare_selectors.py`) but for oddities that answer another question than
//! was asked: there, `*=` with material, classification, location, group or parent selects the complement, `!=` with
//! material, classification or parent nearly nothing, and `material=NULL` also what has a material without a category.

mod asked;
mod datum;
mod expression;
mod filter;
mod keys;
#[cfg(test)]
mod laws;
mod parse;
mod path;
mod run;
#[cfg(test)]
mod tests;

pub use asked::{Asked, Subject};
pub use datum::Datum;
pub use keys::KEYS;
pub use path::{Path, Step};

use crate::{Id, Model};
use regex::Regex;
use std::fmt;

/// A selector that has been understood.
#[derive(Debug, Clone)]
pub struct Selector {
    lists: Vec<Vec<Facet>>,
}

/// A fault in the text of a selector, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct SelectorError {
    /// The place, in characters from 0.
    pub at: usize,
    /// The form that was expected there, with an example.
    pub message: String,
}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: {}", self.at + 1, self.message)
    }
}

#[derive(Debug, Clone)]
enum Facet {
    Class {
        name: String,
        not: bool,
    },
    Instance {
        guid: String,
        not: bool,
    },
    Attribute {
        name: String,
        test: Test,
    },
    Property {
        set: Pattern,
        name: Pattern,
        test: Test,
    },
    Type(Test),
    Material(Test),
    Classification(Test),
    Location(Test),
    Group(Test),
    Parent(Test),
    /// Elements by the name or GlobalId of what a key of paths leads to.
    Related {
        key: &'static str,
        test: Test,
    },
    /// Elements by what is computed of them.
    Computed {
        name: &'static str,
        test: Test,
    },
    Query {
        path: Path,
        test: Test,
    },
}

/// The names of values that a selector compares and no file states.
pub const COMPUTED: [&str; 11] =
    ["volume", "area", "surface", "thickness", "profile", "layers", "facing", "bearing", "x", "y", "z"];

/// Computes the values that a selector compares and no file states: who knows shapes does.
pub trait Computes {
    /// The values of some elements by a name of [`COMPUTED`], in their order.
    fn values(&self, name: &str, elements: &[Id]) -> Vec<Datum>;
}

/// A name as written or a regular expression for names.
#[derive(Debug, Clone)]
enum Pattern {
    Exact(String),
    Regex(Regex),
}

impl Pattern {
    fn matches(&self, name: &str) -> bool {
        match self {
            Self::Exact(exact) => exact == name,
            Self::Regex(regex) => regex.is_match(name),
        }
    }
}

/// The question asked of a value.
#[derive(Debug, Clone)]
struct Test {
    operator: Operator,
    not: bool,
    wanted: Wanted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
}

#[derive(Debug, Clone)]
enum Wanted {
    Null,
    Truth(bool),
    Text(String),
    Regex(Regex),
}

impl Selector {
    /// Reads a selector; the error names the place and what is expected there.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        parse::selector(text)
    }

    /// The elements it chooses, in the order of their ids.
    ///
    /// Of values that are computed ([`COMPUTED`]) nothing has any here; [`Selector::run_with`] is told them.
    pub fn run(&self, model: &Model) -> Vec<Id> {
        run::run(self, model, None, None)
    }

    /// The same, with somebody who computes what no file states.
    pub fn run_with(&self, model: &Model, computes: &dyn Computes) -> Vec<Id> {
        run::run(self, model, None, Some(computes))
    }

    /// The elements it chooses among these, in the order of their ids: a class stands for its instances among them,
    /// and a list that begins with a filter begins with all of them.
    pub fn run_within(&self, model: &Model, elements: &[Id]) -> Vec<Id> {
        let mut elements = elements.to_vec();
        elements.sort_unstable();
        elements.dedup();
        run::run(self, model, Some(&elements), None)
    }

    /// The classes it names, with the place of each among the facets: for saying which are unknown.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.lists.iter().flatten().filter_map(|facet| match facet {
            Facet::Class { name, .. } => Some(name.as_str()),
            _ => None,
        })
    }

    /// The elements that it begins with before any filter: those of its classes and GlobalIds, else all products and product types.
    pub fn unfiltered(&self, model: &Model) -> Vec<Id> {
        let begins = |facet: &&Facet| matches!(facet, Facet::Class { .. } | Facet::Instance { .. });
        let plain = |facets: &Vec<Facet>| facets.iter().filter(begins).cloned().collect();
        let lists: Vec<Vec<Facet>> = self.lists.iter().map(plain).collect();
        if lists.iter().any(Vec::is_empty) {
            return run::everything(model);
        }
        run::run(&Self { lists }, model, None, None)
    }

    /// The filters of every list, each with what it names.
    pub fn asked(&self) -> Vec<Asked<'_>> {
        self.lists.iter().flat_map(|facets| asked::of_list(facets)).collect()
    }

    /// The number of lists that it joins.
    pub fn lists(&self) -> usize {
        self.lists.len()
    }

    /// The GlobalIds it names.
    pub fn guids(&self) -> impl Iterator<Item = &str> {
        self.lists.iter().flatten().filter_map(|facet| match facet {
            Facet::Instance { guid, .. } => Some(guid.as_str()),
            _ => None,
        })
    }

    /// The attributes it names.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.lists.iter().flatten().filter_map(|facet| match facet {
            Facet::Attribute { name, .. } => Some(name.as_str()),
            _ => None,
        })
    }
}
