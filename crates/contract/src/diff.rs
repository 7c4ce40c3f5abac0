//! What an operation changed: every attribute of every instance (raw), and the few lines an agent reads (summary).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The identity of an instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EntityRef {
    /// The instance's id in the file, such as 123 for `#123`.
    pub id: u64,
    /// Its GlobalId, if it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub global_id: Option<String>,
    /// Its class, such as `IfcWall`.
    pub class: String,
    /// Its Name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
}

/// One attribute that changed, with its value before and after in STEP terms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AttributeChange {
    /// The attribute's name.
    pub attribute: String,
    /// Its value before.
    pub before: Value,
    /// Its value after.
    pub after: Value,
}

/// One instance whose attributes changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EntityChange {
    /// The instance.
    #[serde(flatten)]
    pub entity: EntityRef,
    /// The changes of its attributes.
    pub changes: Vec<AttributeChange>,
}

/// Every instance added, removed or modified.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiffRaw {
    /// Instances that were not there before.
    pub added: Vec<EntityRef>,
    /// Instances that are no longer there.
    pub removed: Vec<EntityRef>,
    /// Instances with other attribute values than before.
    pub modified: Vec<EntityChange>,
}

/// An element that a summary names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NamedElement {
    /// GlobalId.
    pub id: String,
    /// Class, such as `IfcDoor`.
    pub class: String,
    /// Name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// In what it changed, by kind: `moved` with `by_mm`, `reshaped`, `renamed`, `attributes`, `properties`,
    /// `contained_in`, `host`, `type`, `material`, `openings`, `groups`, `classification`; empty if added or removed.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub changes: BTreeMap<String, Value>,
}

/// A property that changed on an element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PropertyChange {
    /// GlobalId of the element.
    pub id: String,
    /// `Pset.Property`, or the attribute's name.
    pub property: String,
    /// Before; absent where there was none.
    #[serde(skip_serializing_if = "Value::is_null", default)]
    pub before: Value,
    /// After; absent where there is none any more.
    #[serde(skip_serializing_if = "Value::is_null", default)]
    pub after: Value,
    /// The number of further elements on which the same property changed from the same value to the same.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub also: u64,
}

/// The difference in a few lines. Lists are cut at a bound; the counts are whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiffSummary {
    /// Elements added, by class.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub added: BTreeMap<String, u64>,
    /// Elements removed, by class.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub removed: BTreeMap<String, u64>,
    /// Elements modified, by class.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub modified: BTreeMap<String, u64>,
    /// The elements touched, to a bound, those added first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub elements: Vec<NamedElement>,
    /// Names of the storeys touched.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub storeys: Vec<String>,
    /// Elements changed or removed that are on no storey, or that were too many to look it up.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub elsewhere: u64,
    /// Attributes and properties that changed, to a bound.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub properties: Vec<PropertyChange>,
    /// Instances added, removed and modified in the file, resources and relations included.
    pub instances: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references to these")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl DiffSummary {
    /// True if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.instances == 0
    }
}
