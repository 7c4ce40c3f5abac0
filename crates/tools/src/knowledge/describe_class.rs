//! A class, type, property set or quantity set of IFC: what it is in each version, and how the model at hand uses it.

use crate::library::unreadable;
use crate::schema_name::SchemaName;
use crate::{IfcCall, Tool};
use contract::{Effect, Fault, FaultCode, ModelUse};
use ifc::psets::plain_json;
use ifc::{Instance, SchemaVersion};
use knowledge::Filter;
use knowledge::corpora::names::IFC;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Names that are proposed.
const NEAR: usize = 6;
/// Characters of an attribute's value that are shown.
const LONGEST: usize = 80;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Such as IfcWall, IfcWallTypeEnum, Pset_WallCommon, Qto_WallBaseQuantities; words find near names.
    name: String,
    /// This version alone.
    schema: Option<SchemaName>,
}

/// The class, type or set.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    name: String,
    /// The versions that have it.
    versions: Vec<String>,
    /// Supertypes, the most general first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    path: Vec<String>,
    /// Structure, words, sets, changes; a line that holds for some versions alone names them.
    about: String,
    /// Instances in the model, subclasses included.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_model: Option<usize>,
    /// One of them: attributes that have values.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    example: Option<Value>,
    /// Other names that the words fit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    near: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("describe_class", Effect::Query, run)
        .title("Describe class")
        .model(ModelUse::Optional)
        .description(
            "A class, type, enumeration, property or quantity set of IFC: attributes, inverses, predefined types, applicable sets, changes \
             between versions, an example of the model.",
        )
        .example("A class", json!({ "name": "IfcDoor", "schema": "IFC4" }))
        .example("A property set", json!({ "name": "Pset_DoorCommon" }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let name = input.name.trim();
    if name.is_empty() || name.len() > 200 {
        return Err(Fault::invalid("name", "Give the name of a class, type or set, or a few words."));
    }
    let index = call.library.own()?;
    let of_ifc = Filter { corpora: vec![IFC.to_owned()], ..Filter::default() };
    let hits = index.search(name, &of_ifc, NEAR + 1).map_err(|error| unreadable(&error))?.hits;
    let is_named = |title: &str| title.eq_ignore_ascii_case(name);
    let near: Vec<String> = hits.iter().map(|hit| hit.title.clone()).collect();
    // words lead to the best; a name that is none must not be answered by another
    let is_name = name.starts_with("Ifc") || name.contains('_');
    let hit = hits.iter().find(|hit| is_named(&hit.title)).or_else(|| hits.first().filter(|_| !is_name));
    let Some(hit) = hit else {
        let message = format!("IFC has no class, type or set {name}; near it: {}.", near.join(", "));
        return Err(Fault::new(FaultCode::NotFound, message).with("field", "name").with("near", near));
    };
    let section = index.section(&hit.location).map_err(|error| unreadable(&error))?;
    let section = section.ok_or_else(|| Fault::backend("A section that was found is not there."))?;
    let asked = input.schema.map(SchemaName::version);
    let is_there = |version: &SchemaVersion| section.versions.iter().any(|known| known == version.as_str());
    if let Some(version) = asked.filter(|version| !is_there(version)) {
        let message =
            format!("{} is not of {version}, but of {}.", section.title, section.versions.join(" and "));
        return Err(Fault::new(FaultCode::NotFound, message)
            .with("field", "schema")
            .with("allowed", section.versions));
    }
    let about = asked
        .map_or_else(|| section.text.clone(), |version| of_version(&section.text, &section.title, version));
    let model = call.edit.model();
    let class = model.schema().entity(&section.title).filter(|_| !model.is_empty());
    let found = class.map(|class| model.of_class(class.name));
    let example = found.as_ref().and_then(|found| found.first()).and_then(|id| model.get(*id));
    Ok(Output {
        about,
        in_model: found.as_ref().map(Vec::len),
        example: example.map(|instance| shown(&instance)),
        near: near
            .into_iter()
            .filter(|other| *other != section.title && !is_named(other))
            .take(NEAR)
            .collect(),
        name: section.title,
        versions: section.versions,
        path: section.path,
    })
}

/// The text of a section as far as it holds for a version: lines that name others before their colon are left out, and the attributes are
/// those of this version.
fn of_version(text: &str, name: &str, version: SchemaVersion) -> String {
    let is_other = |line: &str| {
        let label = line.split(':').next().unwrap_or(line);
        let named = label.split_once('(').map(|(_, named)| named.trim_end_matches([')', '.']));
        let named: Vec<&str> = named.map(|named| named.split(", ").collect()).unwrap_or_default();
        let known = |name: &&str| SchemaVersion::ALL.iter().any(|known| known.as_str() == *name);
        named.iter().any(known) && !named.contains(&version.as_str())
    };
    let entity = version.schema().entity(name);
    let mut told: Vec<String> = Vec::new();
    let mut is_listing = false;
    for line in text.lines() {
        // lists of attributes are of the newest version, each below its heading
        let begins = line.starts_with("Attributes ") || line.starts_with("Inverse attributes ");
        let is_entry = line.starts_with("- ") || line.starts_with(|c: char| c.is_ascii_digit());
        is_listing = begins || (is_listing && is_entry);
        if !(is_other(line) || entity.is_some() && is_listing) {
            told.push(line.to_owned());
        }
    }
    if let Some(entity) = entity {
        told.push(format!("Attributes in the order of a STEP line ({version}):"));
        for (at, attribute) in entity.attributes.iter().enumerate() {
            let optional = if attribute.optional { ", optional" } else { "" };
            told.push(format!(
                "{}. {}: {}{optional}, of {}",
                at + 1,
                attribute.name,
                attribute.declared,
                attribute.owner
            ));
        }
        told.push(format!("Inverse attributes ({version}):"));
        for inverse in version.schema().inverses(entity) {
            told.push(format!("- {}: of {}, by its {}", inverse.name, inverse.entity, inverse.attribute));
        }
    }
    told.join("\n")
}

/// An instance by the attributes that have values.
fn shown(instance: &Instance<'_>) -> Value {
    let mut values = Map::new();
    values.insert("class".to_owned(), instance.class_name().into());
    let attributes = instance.entity().map(|entity| entity.attributes).unwrap_or_default();
    for (at, attribute) in attributes.iter().enumerate() {
        let value = match plain_json(&instance.attr_at(at)) {
            Value::Null => instance.reference(attribute.name).map(|id| json!(id.to_string())),
            Value::String(text) => Some(json!(text.chars().take(LONGEST).collect::<String>())),
            other => Some(other),
        };
        if let Some(value) = value.filter(|value| value.to_string().len() <= 4 * LONGEST) {
            values.insert(attribute.name.to_owned(), value);
        }
    }
    Value::Object(values)
}
