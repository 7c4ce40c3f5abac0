//! The model in one look: schema, units, what is in it, storeys, place on Earth.

use crate::elements::{brief, number_json};
use crate::{IfcCall, Tool, georeference};
use contract::{Effect, Fault, Operation};
use ifc::relations::Links;
use ifc::{Model, Units};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Classes and storeys that are listed at most.
const LISTED: usize = 60;
/// Instances up to which the model is read through for problems.
const READ_THROUGH: usize = 500_000;

/// The classes that are counted.
#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Default)]
#[serde(rename_all = "lowercase")]
enum Counts {
    #[default]
    Elements,
    All,
}

/// The tool's arguments.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// `all` counts every class of the file, geometry and relations included.
    #[schemars(extend("default" = "elements", "x-seldom" = true))]
    counts: Option<Counts>,
}

/// The summary.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    schema: String,
    #[serde(skip_serializing_if = "Map::is_empty")]
    project: Map<String, Value>,
    /// Sites and buildings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<Map<String, Value>>,
    units: Map<String, Value>,
    /// Products by class, subtypes apart; with spaces, storeys and annotations, which are no elements.
    counts: BTreeMap<String, usize>,
    /// Instances of IfcElement: built elements, openings, furniture, services; no spaces, storeys or annotations.
    element_count: usize,
    /// Types in all.
    type_count: usize,
    instance_count: usize,
    storeys: Vec<Map<String, Value>>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    georeference: Map<String, Value>,
    /// The program that wrote the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    application: Option<String>,
    /// References to instances that are not there, and texts that cannot be read; nought is well. Very large models
    /// are not read through for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem_count: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<String>,
}

/// The tool as an operation, for tools that ask the platform for it.
pub(crate) fn operation() -> Operation {
    Operation { effect: Effect::Query, name: "model_summary".to_owned(), params: json!({}) }
}

/// The schema that an answer of the tool names.
pub(crate) fn schema_of(summary: &Value) -> Result<String, Fault> {
    #[derive(Deserialize)]
    struct Named {
        schema: String,
    }
    let named = Named::deserialize(summary);
    named
        .map(|named| named.schema)
        .map_err(|error| Fault::backend(format!("The model's summary was not answered as such: {error}.")))
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("model_summary", Effect::Query, run)
        .description("The model in one look: schema, units, counts by class, storeys, georeference, problems. Begin here.")
        .example("The model", json!({}))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let model = call.edit.model();
    let units = Units::from_model(model);
    let schema = model.schema();
    let mut counts = BTreeMap::new();
    let all = input.counts == Some(Counts::All);
    for (class, count) in model.class_counts() {
        let product = schema.entity(&class).is_some_and(|e| e.is_a(schema, "IfcProduct"));
        if all || product {
            counts.insert(class, count);
        }
    }
    if counts.len() > LISTED && !all {
        let mut by_count: Vec<(String, usize)> = counts.into_iter().collect();
        by_count.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        by_count.truncate(LISTED);
        counts = by_count.into_iter().collect();
    }
    let project = ifc::relations::project(model).map(|id| brief(model, id)).unwrap_or_default();
    let places = ["IfcSite", "IfcBuilding", "IfcFacility"]
        .into_iter()
        .flat_map(|class| model.of_class(class))
        .map(|id| brief(model, id))
        .fold(Vec::new(), |mut places, place| {
            if !places.contains(&place) && places.len() < LISTED {
                places.push(place);
            }
            places
        });
    let verified = (model.len() <= READ_THROUGH).then(|| ifc_check::verify(model));
    let problem_count = verified.as_ref().map(Vec::len);
    let mut problems = verified.unwrap_or_default();
    problems.truncate(5);
    Ok(Output {
        schema: schema.version().to_string(),
        project,
        places,
        units: [
            ("length", units.length_label()),
            ("area", units.area_label()),
            ("volume", units.volume_label()),
            ("angle", units.angle_label()),
        ]
        .into_iter()
        .map(|(name, label)| (name.to_owned(), label.into()))
        .collect(),
        counts,
        element_count: element_count(model),
        type_count: model.of_class("IfcTypeObject").len(),
        instance_count: model.len(),
        storeys: storeys(model, &units),
        georeference: georeference(model, &units),
        application: application(model),
        problem_count,
        problems: problems.iter().map(ToString::to_string).collect(),
    })
}

/// Place and north; where true north is not given, says what is taken for it.
fn georeference(model: &Model, units: &Units) -> Map<String, Value> {
    let mut place = georeference::read(model, units);
    let sense = match georeference::true_north(model) {
        Some(_) => "degrees clockwise from +y to true north",
        None => "not given: +y is taken for north",
    };
    place.insert("north".into(), sense.into());
    place
}

/// The number of elements of a model, as every answer counts them: instances of IfcElement and its subtypes.
pub fn element_count(model: &Model) -> usize {
    model.of_class("IfcElement").len()
}

/// Storeys from the lowest up, with what is in them.
fn storeys(model: &Model, units: &Units) -> Vec<Map<String, Value>> {
    let links = Links::of_many(model);
    let mut storeys: Vec<(f64, Map<String, Value>)> = model
        .of_class("IfcBuildingStorey")
        .into_iter()
        .map(|id| {
            let mut map = brief(model, id);
            map.remove("class");
            let elevation = ifc::placement::elevation(model, id);
            if let Some(elevation) = elevation {
                map.insert(
                    "elevation".into(),
                    json!({ "value": number_json(elevation), "unit": units.length_label() }),
                );
            }
            map.insert("elements".into(), links.contained(id).len().into());
            let spaces = links.children(id).into_iter();
            let spaces = spaces.filter(|id| model.get(*id).is_some_and(|i| i.is_a("IfcSpace"))).count();
            if spaces > 0 {
                map.insert("spaces".into(), spaces.into());
            }
            (elevation.unwrap_or(f64::NEG_INFINITY), map)
        })
        .collect();
    storeys.sort_by(|a, b| a.0.total_cmp(&b.0));
    storeys.into_iter().take(LISTED).map(|(_, map)| map).collect()
}

fn application(model: &Model) -> Option<String> {
    let owned = model.of_class("IfcApplication").into_iter().next().and_then(|id| {
        let application = model.get(id)?;
        Some(format!(
            "{} {}",
            application.text("ApplicationFullName")?,
            application.text("Version").unwrap_or_default()
        ))
    });
    let header = || Some(model.header().originating_system.clone());
    owned.or_else(header).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}
