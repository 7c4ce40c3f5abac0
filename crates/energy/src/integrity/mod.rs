//! Whether a model holds together beyond what its schema asks: zones that are closed, surfaces that belong to something
//! and face outwards, names that something stands behind, nodes that lead somewhere, sizes that something is sized by,
//! and a place and time to simulate. Each issue names the objects and what to do.
//!
//! Nothing here is guessed from a run: what EnergyPlus itself finds stands in its error file (`results`).

mod enclosure;
mod inventory;
mod nodes;
mod sizing;
mod surfaces;
#[cfg(test)]
mod tests;

use crate::idf::{Document, Handle, Object};
use crate::references::Graph;
use serde::Serialize;

/// The class of an integrity issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueKind {
    /// A surface that belongs to no zone, a window to no wall, a boundary to no other side.
    UnattachedSurface,
    /// The surfaces of a zone leave a gap.
    ZoneNotClosed,
    /// A surface faces inwards.
    WrongNormal,
    /// A construction or material that is named and not there.
    MissingConstruction,
    /// A schedule that is named and not there.
    MissingSchedule,
    /// Objects that nothing refers to.
    Unused,
    /// A node that only one object knows.
    DanglingNode,
    /// A node that two components let out into.
    DuplicateNode,
    /// Something is to be sized, and nothing says by what.
    MissingSizing,
    /// No place, or no time to simulate.
    NoWeatherOrLocation,
}

/// The severity of an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// EnergyPlus will call it severe or end with it, or answer nonsense.
    Error,
    /// A simulation runs, but likely not as it is meant.
    Warning,
    /// Worth knowing.
    Notice,
}

/// An object that an issue is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Subject {
    /// Its handle.
    pub handle: Handle,
    /// Its type.
    pub object_type: String,
    /// Its name, or handle where it has none.
    pub name: String,
}

impl From<Object<'_>> for Subject {
    fn from(object: Object<'_>) -> Self {
        Self { handle: object.handle(), object_type: object.type_name().to_owned(), name: object.label() }
    }
}

/// Something that does not hold together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Issue {
    /// Its severity.
    pub severity: Severity,
    /// Its class.
    pub kind: IssueKind,
    /// The issue in words.
    pub message: String,
    /// The remedy.
    pub suggestion: String,
    /// The objects it is about.
    pub objects: Vec<Subject>,
}

/// Facts that are known beside the model.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings {
    /// True if a weather file is at hand; none if that is not known.
    pub weather: Option<bool>,
}

/// Everything that does not hold together, the worst first.
pub fn check(document: &Document, around: Surroundings) -> Vec<Issue> {
    let graph = Graph::from_document(document);
    let mut issues = Vec::new();
    surfaces::check(document, &mut issues);
    enclosure::check(document, &mut issues);
    inventory::check(document, &graph, &mut issues);
    nodes::check(document, &graph, &mut issues);
    sizing::check(document, around, &mut issues);
    issues.sort_by_key(|issue| (issue.severity, issue.kind));
    issues
}

fn issue(
    severity: Severity,
    kind: IssueKind,
    objects: Vec<Subject>,
    message: String,
    suggestion: &str,
) -> Issue {
    Issue { severity, kind, message, suggestion: suggestion.to_owned(), objects }
}
