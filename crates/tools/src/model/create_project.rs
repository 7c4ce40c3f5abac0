//! A new model with the frame that everything stands in: project, site, building, storeys, units and contexts.

use crate::modelling::{author, iso_time};
use crate::{IfcCall, Tool};
use building::address;
use building::project::{self, LengthUnit, NewProject, NewStorey, ProjectAnswer};
use contract::{Effect, EventType, Fault, Toolset};
use ifc::{Header, Model, SchemaVersion};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The schema to write in.
#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
enum Schema {
    #[serde(rename = "IFC2X3")]
    Ifc2x3,
    #[default]
    #[serde(rename = "IFC4")]
    Ifc4,
    #[serde(rename = "IFC4X3", alias = "IFC4X3_ADD2")]
    Ifc4x3,
}

/// The unit of length in the file.
#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    #[default]
    #[serde(rename = "m", alias = "metre", alias = "meter")]
    Metre,
    #[serde(rename = "mm", alias = "millimetre", alias = "millimeter")]
    Millimetre,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Storey {
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: String,
    /// mm above the building's zero.
    elevation: f64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected an address as one text, or {lines, town, region, postal_code, country}"
)]
enum Address {
    Text(String),
    Fields(Fields),
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Fields {
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    lines: Vec<String>,
    #[schemars(extend("x-seldom" = true))]
    town: Option<String>,
    #[schemars(extend("x-seldom" = true))]
    region: Option<String>,
    #[schemars(extend("x-seldom" = true))]
    postal_code: Option<String>,
    #[schemars(extend("x-seldom" = true))]
    country: Option<String>,
}

impl From<Address> for address::Address {
    fn from(given: Address) -> Self {
        let said =
            |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        match given {
            Address::Text(text) => Self::from_text(&text),
            Address::Fields(fields) => Self {
                lines: fields.lines.into_iter().filter_map(|line| said(Some(line))).collect(),
                town: said(fields.town),
                region: said(fields.region),
                postal_code: said(fields.postal_code),
                country: said(fields.country),
            },
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// Of the project and the model.
    name: String,
    /// IFC2X3, IFC4 or IFC4X3.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    schema: Schema,
    /// Name of the site.
    #[schemars(extend("default" = "Site"))]
    site: Option<String>,
    /// Name of the building.
    #[schemars(extend("default" = "Building"))]
    building: Option<String>,
    /// Of the building; lines parted by commas, or its fields.
    #[schemars(extend("x-seldom" = true))]
    address: Option<Address>,
    /// Storeys to make at once.
    #[serde(default)]
    storeys: Vec<Storey>,
    /// Unit of length in the file, m or mm; tools speak mm either way.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    units: Unit,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_project", Effect::Create, run)
        .description(
            "Makes a new IFC model with project, site, building, storeys and units; it becomes the session's. \
             Then create_building_shell, or create_level and create_wall.",
        )
        .toolset(Toolset::Model)
        .makes_model("name")
        .event(EventType::ProjectCreated)
        .example(
            "A house with its ground floor",
            json!({
                "name": "House", "site": "Garden Lane 5", "building": "House",
                "storeys": [{ "name": "Ground Floor", "elevation": 0 }]
            }),
        )
}

pub(crate) fn run(call: &mut IfcCall, input: Input) -> Result<ProjectAnswer, Fault> {
    let schema = match input.schema {
        Schema::Ifc2x3 => SchemaVersion::Ifc2x3,
        Schema::Ifc4 => SchemaVersion::Ifc4,
        Schema::Ifc4x3 => SchemaVersion::Ifc4x3,
    };
    let mut header = Header::new(&format!("{}.ifc", input.name), &iso_time(call.time_ms));
    header.authors = vec![call.actor.principal.clone()];
    call.begin(&Model::blank(schema, header));
    let new = NewProject {
        name: input.name,
        site: input.site,
        building: input.building,
        address: input.address.map(address::Address::from).unwrap_or_default(),
        storeys: input
            .storeys
            .into_iter()
            .map(|s| NewStorey { name: s.name, elevation: s.elevation })
            .collect(),
        unit: match input.units {
            Unit::Metre => LengthUnit::Metre,
            Unit::Millimetre => LengthUnit::Millimetre,
        },
    };
    project::create(&mut author(call), &new)
}
