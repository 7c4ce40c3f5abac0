//! A new energy model, and what is told of one that is there: its contents, an object, the references of a name.

use contract::Effect;
use contract::ops::{FileFormat, PlatformOperation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Makes a model with the objects that every model needs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NewEnergyModel {
    /// The form of its file: `idf`, if none is given, or `epjson`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<FileFormat>,
    /// The building's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The version of EnergyPlus, such as `25.2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// The new model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewEnergyModelAnswer {
    /// The version of EnergyPlus that it is of.
    pub version: String,
    /// Its objects.
    pub objects: u64,
}

impl PlatformOperation for NewEnergyModel {
    const NAME: &'static str = "new_energy_model";
    const EFFECT: Effect = Effect::Create;
    type Answer = NewEnergyModelAnswer;
}

/// Counts the objects of `model`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EnergySummary {}

/// The contents of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EnergySummaryAnswer {
    /// The version that it says it is of.
    pub version: Option<String>,
    /// The version whose schema it is read by.
    pub schema: String,
    /// The ending of its file.
    pub format: String,
    /// Its objects.
    pub total_objects: u64,
    /// Of these, zones.
    pub zone_count: u64,
    /// Objects by groups of types.
    pub groups: BTreeMap<String, TypeGroup>,
}

/// A group of types, as the schema groups them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TypeGroup {
    /// Objects in all.
    pub count: u64,
    /// Objects by type.
    pub types: BTreeMap<String, u64>,
}

impl PlatformOperation for EnergySummary {
    const NAME: &'static str = "energy_summary";
    const EFFECT: Effect = Effect::Query;
    type Answer = EnergySummaryAnswer;
}

/// Reads one object of `model`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnergyObject {
    /// Its type.
    pub object_type: String,
    /// Its name.
    pub name: String,
}

/// An object with its fields.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EnergyObjectAnswer {
    /// Its type and name.
    #[serde(flatten)]
    pub object: ObjectName,
    /// Its fields as epJSON has them.
    pub fields: Map<String, Value>,
}

/// The type and name of an object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ObjectName {
    /// Its type.
    pub object_type: String,
    /// Its name, or what it goes by where it has none.
    pub name: String,
}

impl PlatformOperation for EnergyObject {
    const NAME: &'static str = "energy_object";
    const EFFECT: Effect = Effect::Query;
    type Answer = EnergyObjectAnswer;
}

/// Lists who refers to the objects of a name in `model`, and to whom they refer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnergyReferences {
    /// The name.
    pub name: String,
}

/// The references of a name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EnergyReferencesAnswer {
    /// The name as it was asked for.
    pub name: String,
    /// The objects that have it.
    pub objects: Vec<ObjectName>,
    /// Fields of others that name them, to a bound.
    pub referenced_by: Vec<Referrer>,
    /// All of those.
    pub referenced_by_count: u64,
    /// Objects that their fields name, to a bound.
    pub references: Vec<Referrer>,
    /// All of those.
    pub references_count: u64,
}

/// An object at the other end of a reference.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Referrer {
    /// Its type and name.
    #[serde(flatten)]
    pub object: ObjectName,
    /// The field that names the one at the other end.
    pub field: Option<String>,
}

impl PlatformOperation for EnergyReferences {
    const NAME: &'static str = "energy_references";
    const EFFECT: Effect = Effect::Query;
    type Answer = EnergyReferencesAnswer;
}
