//! Named sets of tools. A list of tools is read by every agent before its first word, so clients are shown the sets that
//! most work needs and may ask for the others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A named set of tools that is listed as a whole or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Toolset {
    /// Models: make, load, read, query, set properties, run code.
    Model,
    /// History: list, compare, restore and redo versions.
    Versions,
    /// Branches: begin, switch, merge and delete them.
    Branches,
    /// Uploads, links to files, the session and its changes.
    Files,
    /// Storeys, walls, slabs, roofs, openings, rooms; change and delete elements.
    Geometry,
    /// Single spaces, booleans, joins, several openings at once, moving elements, georeference.
    Detailing,
    /// Grids, columns, beams, footings, piles.
    Structure,
    /// Stairs, ramps, railings, shafts.
    Stairs,
    /// Curtain walls, coverings, furniture, elements of any class and shape.
    Furnishing,
    /// Copies, arrays, mirror images; turned and aligned elements.
    Arranging,
    /// Types, materials, styles, groups, classification, documents, names.
    Library,
    /// Spatial analysis.
    Spatial,
    /// Checks of models.
    Validation,
    /// Standards: rule packs, accessibility, fire, egress.
    Compliance,
    /// Drawings, schedules and exports.
    Documentation,
    /// Documentation to search and read.
    Knowledge,
    /// `EnergyPlus` models: objects, schema, integrity, simulation.
    Energy,
    /// Results of simulations.
    Results,
    /// Weather stations and files.
    Weather,
    /// Between IFC, other programs' models and `EnergyPlus`.
    Exchange,
    /// Approvals, audit log, who one is.
    Governance,
    /// Views of a model for people: links and pictures.
    Viewer,
    /// The few tools that suffice for agents who write code.
    Code,
}

impl Toolset {
    /// The sets that most work on buildings needs.
    pub const USUAL: [Self; 5] =
        [Self::Model, Self::Geometry, Self::Validation, Self::Documentation, Self::Viewer];

    /// Every set, in the order they are told in.
    pub const ALL: [Self; 23] = [
        Self::Model,
        Self::Versions,
        Self::Branches,
        Self::Files,
        Self::Geometry,
        Self::Detailing,
        Self::Structure,
        Self::Stairs,
        Self::Furnishing,
        Self::Arranging,
        Self::Library,
        Self::Spatial,
        Self::Validation,
        Self::Compliance,
        Self::Documentation,
        Self::Knowledge,
        Self::Energy,
        Self::Results,
        Self::Weather,
        Self::Exchange,
        Self::Governance,
        Self::Viewer,
        Self::Code,
    ];

    /// The name by which it is asked for.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Versions => "versions",
            Self::Branches => "branches",
            Self::Files => "files",
            Self::Geometry => "geometry",
            Self::Detailing => "detailing",
            Self::Structure => "structure",
            Self::Stairs => "stairs",
            Self::Furnishing => "furnishing",
            Self::Arranging => "arranging",
            Self::Library => "library",
            Self::Spatial => "spatial",
            Self::Validation => "validation",
            Self::Compliance => "compliance",
            Self::Documentation => "documentation",
            Self::Knowledge => "knowledge",
            Self::Energy => "energy",
            Self::Results => "results",
            Self::Weather => "weather",
            Self::Exchange => "exchange",
            Self::Governance => "governance",
            Self::Viewer => "viewer",
            Self::Code => "code",
        }
    }

    /// Describes in a line what its tools are for.
    pub fn about(self) -> &'static str {
        match self {
            Self::Model => "models: make, load, read, query, set properties, run code",
            Self::Versions => "history: list, compare, restore and redo versions",
            Self::Branches => "branches: begin, switch, merge and delete them",
            Self::Files => "uploads, links to files, the session and its changes",
            Self::Geometry => "storeys, walls, slabs, roofs, openings, rooms; change and delete elements",
            Self::Detailing => {
                "single spaces, booleans, joins, several openings at once, moving elements, georeference"
            }
            Self::Structure => "grids, columns, beams, footings, piles",
            Self::Stairs => "stairs, ramps, railings, shafts",
            Self::Furnishing => "curtain walls, coverings, furniture, elements of any class and shape",
            Self::Arranging => "copies, arrays, mirror images; turned and aligned elements",
            Self::Library => "types, materials, styles, groups, classification, documents, names",
            Self::Spatial => "spatial analysis",
            Self::Validation => "checks of models",
            Self::Compliance => "models held against standards: rule packs, accessibility, fire, egress",
            Self::Documentation => "drawings, schedules and exports",
            Self::Knowledge => "documentation to search and read",
            Self::Energy => "EnergyPlus models: objects, schema, integrity, simulation",
            Self::Results => "results of simulations",
            Self::Weather => "weather stations and files",
            Self::Exchange => "between IFC, other programs' models and EnergyPlus",
            Self::Governance => "approvals, audit log, who one is",
            Self::Viewer => "views of a model for people: links and pictures",
            Self::Code => "the few tools that suffice for agents who write code",
        }
    }

    /// The set of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.as_str() == name)
    }

    /// The set that a server's tools belong to unless they say otherwise.
    pub fn main_of(server: crate::Server) -> Self {
        use crate::Server;
        match server {
            Server::Model => Self::Model,
            Server::Geometry => Self::Geometry,
            Server::Spatial => Self::Spatial,
            Server::Validation => Self::Validation,
            Server::Documentation => Self::Documentation,
            Server::Knowledge => Self::Knowledge,
            Server::Energy => Self::Energy,
            Server::Governance => Self::Governance,
            Server::Viewer => Self::Viewer,
        }
    }
}
