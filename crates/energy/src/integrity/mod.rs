//! Whether a model holds together beyond what its schema asks: zones that are closed, surfaces that belong to something
//! and face outwards, names that something stands behind, nodes and branches that lead somewhere, schedules that say every day, set points
//! that are put and do not cross, sizes that something is sized by, programs that can be read, and a place and time to simulate. Each issue
//! names the objects and what to do.
//!
//! The rules are those by which EnergyPlus itself calls a model severe or ends with it, and an error here is one there; what it only warns of
//! is a warning. Nothing is guessed from a run: what it finds while it simulates stands in its error file (`results`).

mod constructions;
mod controls;
mod enclosure;
mod equipment;
mod inventory;
mod loops;
mod management;
mod model;
mod near;
mod nodes;
mod outdoor;
mod paths;
mod period;
mod schedules;
mod setpoints;
mod sizing;
mod surfaces;
#[cfg(test)]
mod tests;
mod weather;
mod windows;

use crate::idf::{Document, Handle, Object};
use crate::references::Graph;
use crate::weather::Epw;
use model::Model;
use near::Near;
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
    /// A node at which something is taken in, watched or steered, and nothing stands on the other side.
    DanglingNode,
    /// A node that two components let out into, or take in from.
    DuplicateNode,
    /// A side of a loop whose branches do not lead from its beginning to its end.
    BrokenLoop,
    /// A node that needs a set point, and has none.
    MissingSetpoint,
    /// A thermostat without the set points that its schedule asks for, or with those that cross.
    Thermostat,
    /// A list of equipment that cannot be followed, or shares that are more than all.
    Equipment,
    /// A schedule that does not say every minute of every day.
    IncompleteSchedule,
    /// A value of a schedule beyond its limits, or that its user cannot take.
    ScheduleValue,
    /// A surface with too few corners, or without area.
    BadSurface,
    /// A window beside its surface.
    WindowOutside,
    /// Layers that do not belong together, or a construction in the wrong place.
    WrongConstruction,
    /// A sensor, actuator or program that cannot work.
    EnergyManagement,
    /// No zone at all.
    NoZones,
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
pub struct Surroundings<'a> {
    /// True if a weather file is at hand; none if that is not known.
    pub weather: Option<bool>,
    /// The heading of that file.
    pub heading: Option<&'a Epw>,
}

/// Everything that does not hold together, the worst first.
pub fn check(document: &Document, around: Surroundings<'_>) -> Vec<Issue> {
    let graph = Graph::from_document(document);
    let model = Model::from_document(document);
    let mut near = Near::default();
    let mut issues = Vec::new();
    surfaces::check(&model, &mut near, &mut issues);
    windows::check(&model, &mut near, &mut issues);
    constructions::check(&model, &graph, &mut issues);
    enclosure::check(document, &mut issues);
    inventory::check(document, &graph, &mut near, &mut issues);
    schedules::check(&model, &mut issues);
    controls::check(&model, &mut issues);
    equipment::check(&model, &mut issues);
    // of templates other objects are made before a run, with nodes, branches and sizing of their own
    if !document.objects().any(|object| object.type_name().starts_with("HVACTemplate:")) {
        nodes::check(&model, &mut near, &mut issues);
        loops::check(&model, &mut near, &mut issues);
        paths::check(&model, &mut issues);
        outdoor::check(&model, &mut issues);
        setpoints::check(&model, &mut issues);
        management::check(&model, &mut near, &mut issues);
    }
    sizing::check(document, &mut issues);
    period::check(document, around, &mut issues);
    if let Some(heading) = around.heading {
        weather::check(document, heading, &mut issues);
    }
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
