//! The corpora that the program brings along, as sections. Some are made of tables that are here (IFC, IDS), the others of what the
//! caller gives: rules, tools, script, packs, guides.

pub mod catalogue;
pub mod guides;
pub mod ids;
pub mod ifc;
pub mod meanings;

/// Names of corpora.
pub mod names {
    /// Entities, types, property and quantity sets of IFC.
    pub const IFC: &str = "ifc";
    /// Rules of implementers and of the schema.
    pub const RULES: &str = "rules";
    /// Tools.
    pub const TOOLS: &str = "tools";
    /// The agent's Python.
    pub const SCRIPT: &str = "script";
    /// The manual.
    pub const GUIDES: &str = "guides";
    /// The API of IfcOpenShell.
    pub const IFCOPENSHELL: &str = "ifcopenshell";
    /// EnergyPlus.
    pub const ENERGYPLUS: &str = "energyplus";
    /// Packs of rules.
    pub const PACKS: &str = "packs";
    /// Information Delivery Specifications.
    pub const IDS: &str = "ids";
    /// The beginning of the addresses of users' documents.
    pub const DOCUMENTS: &str = "documents";
}
