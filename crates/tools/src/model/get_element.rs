//! One element whole: attributes, property sets, quantities, type, material, relations, placement.

use crate::elements::{box_json, brief, id_of, name_of, named, number_json, tidy};
use crate::fields::Reading;
use crate::shape::shape_json;
use crate::stored;
use crate::{IfcCall, Tool};
use contract::{Effect, Fault};
use ifc::relations::Links;
use ifc::{Id, Model, Units, Value, placement, psets};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

/// Members of a list of related elements that are shown.
const SHOWN: usize = 40;

/// About how many bytes of properties are shown.
const BUDGET: usize = 24_000;
/// Characters of one text that are shown.
const LONGEST: usize = 1_000;

/// A part of the answer.
#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Section {
    Attributes,
    Psets,
    Quantities,
    Type,
    Material,
    Relations,
    Geometry,
}

/// The tool's arguments.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// Id, or a name that only one bears.
    element_id: String,
    /// Only these sections.
    include: Option<Vec<Section>>,
}

/// One element.
#[derive(Serialize, JsonSchema, Default)]
pub struct Output {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    class: String,
    #[serde(skip_serializing_if = "Map::is_empty")]
    attributes: Map<String, Json>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    psets: Map<String, Json>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    quantities: Map<String, Json>,
    /// `Set.Property` of those that come from the type.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inherited: Vec<String>,
    #[serde(rename = "type", skip_serializing_if = "Map::is_empty")]
    of_type: Map<String, Json>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    material: Map<String, Json>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    relations: Map<String, Json>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    geometry: Map<String, Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("get_element", Effect::Query, run)
        .description(
            "One element whole: attributes, property sets, quantities (in the file's units), type, material, \
             relations, placement in mm.",
        )
        .example("What a wall is made of", json!({ "element_id": "2O2Fr$t4X7Zf8NOew3FL9r", "include": ["attributes", "material", "quantities"] }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let model = call.edit.model();
    let id = named(model, "element_id", &input.element_id)?;
    let Some(instance) = model.get(id) else { return Err(Fault::no_element(&input.element_id)) };
    let has =
        |section| input.include.as_ref().is_none_or(|wanted| wanted.is_empty() || wanted.contains(&section));
    let links = Links::of_one(model);
    let units = Units::from_model(model);
    let mut output = Output {
        id: id_of(model, id),
        name: name_of(model, id),
        class: instance.class_name().to_owned(),
        ..Output::default()
    };
    if has(Section::Attributes) {
        output.attributes = attributes(model, &units, id);
    }
    let mut left = BUDGET;
    for set in psets::of_with(&links, id) {
        if !has(if set.is_quantity { Section::Quantities } else { Section::Psets }) {
            continue;
        }
        let into = if set.is_quantity { &mut output.quantities } else { &mut output.psets };
        let entry = into.entry(set.name.clone()).or_insert_with(|| Map::new().into());
        let Some(entry) = entry.as_object_mut() else { continue };
        for property in set.properties {
            let value = shortened(tidy(property.to_json()));
            if value.is_null() || value == json!("") {
                continue;
            }
            let size = property.name.len() + value.to_string().len() + 6;
            if size > left {
                left = 0;
                continue;
            }
            left -= size;
            if set.inherited {
                output.inherited.push(format!("{}.{}", set.name, property.name));
            }
            let value = match property.unit_label(model, &units) {
                Some(unit) => json!({ "value": value, "unit": unit }),
                None => value,
            };
            entry.insert(property.name, value);
        }
    }
    for sets in [&mut output.psets, &mut output.quantities] {
        sets.retain(|_, set| set.as_object().is_some_and(|set| !set.is_empty()));
    }
    if left == 0 {
        output.notes.push(
            "Not all properties are shown; ask for others by name with query_elements fields.".to_owned(),
        );
    }
    if !output.quantities.is_empty() {
        let differing = stored::of_element(&Reading::new(call), id);
        output.notes.extend(differing.iter().map(|one| format!("{}.", one.say())));
    }
    if has(Section::Type)
        && let Some(of_type) = links.type_of(id).filter(|of| *of != id)
    {
        output.of_type = brief(model, of_type);
    }
    if has(Section::Material) {
        output.material = material(&links, &units, id);
    }
    if has(Section::Relations) {
        output.relations = relations(&links, id);
    }
    if has(Section::Geometry) && instance.reference("ObjectPlacement").is_some() {
        let place = placement::of_product(model, id);
        let origin = (place.translation * units.length_mm).to_array();
        let [x, y, z] = place.matrix3.to_cols_array_2d();
        let axis = |v: [f64; 3]| Json::from(v.map(number_json).to_vec());
        output.geometry.insert("origin".into(), axis(origin.map(|v| (v * 1e6).round() / 1e6)));
        if [x, y, z] != [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            output.geometry.insert("x_axis".into(), axis(x));
            output.geometry.insert("z_axis".into(), axis(z));
        }
        if let Some(bounds) = geometry::bounds(model, id) {
            output.geometry.insert("bbox".into(), box_json(&bounds));
        }
        output.geometry.extend(shape_json(model, id));
        output.geometry.insert("unit".into(), "mm".into());
        let kinds: Vec<String> = instance
            .reference("Representation")
            .and_then(|shape| model.get(shape))
            .map(|shape| shape.references("Representations"))
            .unwrap_or_default()
            .into_iter()
            .filter_map(|id| {
                let part = model.get(id)?;
                Some(format!(
                    "{}: {}",
                    part.text("RepresentationIdentifier")?,
                    part.text("RepresentationType")?
                ))
            })
            .collect();
        if !kinds.is_empty() {
            output.geometry.insert("representations".into(), kinds.into());
        }
    }
    Ok(output)
}

/// The value with texts and lists cut to what a reader takes in.
fn shortened(json: Json) -> Json {
    match json {
        Json::String(text) if text.chars().count() > LONGEST => {
            text.chars().take(LONGEST).chain(['…']).collect::<String>().into()
        }
        Json::Array(items) => items.into_iter().take(SHOWN * 5).map(shortened).collect(),
        other => other,
    }
}

/// The attributes that are given, references by name; what other sections say is left out.
fn attributes(model: &Model, units: &Units, id: Id) -> Map<String, Json> {
    let mut map = Map::new();
    let Some(instance) = model.get(id) else { return map };
    let Some(entity) = instance.entity() else { return map };
    let elsewhere = [
        "GlobalId",
        "Name",
        "OwnerHistory",
        "ObjectPlacement",
        "Representation",
        "HasPropertySets",
        "RepresentationMaps",
    ];
    for (place, attribute) in entity.attributes.iter().enumerate() {
        let value = instance.attr_at(place);
        if elsewhere.contains(&attribute.name) || matches!(value, Value::Null | Value::Derived) {
            continue;
        }
        let shown = shortened(tidy(shown(model, &value)));
        if shown.is_null() || shown == json!("") {
            continue;
        }
        let unit = units.label(attribute.declared).filter(|_| shown.is_number());
        map.insert(
            attribute.name.to_owned(),
            unit.map_or_else(|| shown.clone(), |unit| json!({ "value": shown, "unit": unit })),
        );
    }
    map
}

fn shown(model: &Model, value: &Value) -> Json {
    match value {
        Value::Ref(id) => {
            let instance = model.get(*id);
            let class = instance.map_or("nothing", |i| i.class_name());
            match (name_of(model, *id), instance.and_then(|i| i.guid())) {
                (_, Some(_)) => brief(model, *id).into(),
                (Some(name), None) => json!(format!("{name} ({class} {id})")),
                (None, None) => json!(format!("{class} {id}")),
            }
        }
        Value::List(members) => {
            let mut list: Vec<Json> = members.iter().take(SHOWN).map(|member| shown(model, member)).collect();
            if members.len() > SHOWN {
                list.push(json!(format!("and {} more", members.len() - SHOWN)));
            }
            list.into()
        }
        other => psets::plain_json(other),
    }
}

fn material(links: &Links<'_>, units: &Units, id: Id) -> Map<String, Json> {
    let model = links.model();
    let mut map = Map::new();
    let Some(material) = links.material_of(id) else { return map };
    if let Some(name) = name_of(model, material) {
        map.insert("name".into(), name.into());
    }
    let Some(instance) = model.get(material) else { return map };
    map.insert("class".into(), instance.class_name().into());
    let layers: Vec<Json> = instance
        .references("MaterialLayers")
        .into_iter()
        .filter_map(|layer| {
            let layer = model.get(layer)?;
            let name = layer.reference("Material").and_then(|m| name_of(model, m));
            Some(json!({ "material": name, "thickness": layer.number("LayerThickness").map(number_json) }))
        })
        .collect();
    if !layers.is_empty() {
        map.insert("layers".into(), layers.into());
        map.insert("unit".into(), units.length_label().into());
    } else if !instance.is_a("IfcMaterial") {
        let names: Vec<String> =
            links.materials_of(id).into_iter().filter_map(|m| name_of(model, m)).collect();
        map.insert("materials".into(), names.into());
    }
    map
}

fn relations(links: &Links<'_>, id: Id) -> Map<String, Json> {
    let model = links.model();
    let mut map = Map::new();
    let mut one = |name: &str, id: Option<Id>| {
        if let Some(id) = id {
            map.insert(name.to_owned(), brief(model, id).into());
        }
    };
    let container = links.container(id);
    let storey = links.storey_of(id).filter(|storey| *storey != id);
    one("container", container.filter(|c| Some(*c) != storey));
    one("storey", storey);
    one("part_of", links.aggregate_parent(id).filter(|whole| Some(*whole) != storey));
    one("fills", links.opening_of_filling(id));
    one("host", links.host_of(id));
    let many = [
        ("parts", links.children(id)),
        ("contains", links.contained(id)),
        ("spaces", links.spaces_of(id)),
        ("boundaries", links.bounding(id)),
        ("openings", links.openings_of(id)),
        ("filled_by", links.fillings_of(id)),
        ("groups", links.groups_of(id)),
        ("classifications", links.classifications_of(id)),
    ];
    for (name, ids) in many.into_iter().filter(|(_, ids)| !ids.is_empty()) {
        let mut list: Vec<Json> = ids.iter().take(SHOWN).map(|id| related(links, name, *id)).collect();
        if ids.len() > SHOWN {
            list.push(json!(format!("and {} more", ids.len() - SHOWN)));
        }
        map.insert(name.to_owned(), list.into());
    }
    let occurrences = links.occurrences_of(id).len();
    if occurrences > 0 {
        map.insert("occurrences".into(), occurrences.into());
    }
    map
}

fn related(links: &Links<'_>, name: &str, id: Id) -> Json {
    let model = links.model();
    let mut map = brief(model, id);
    if name == "openings" {
        let fillings: Vec<Json> = links.fillings_of(id).into_iter().map(|f| brief(model, f).into()).collect();
        if !fillings.is_empty() {
            map.insert("filled_by".into(), fillings.into());
        }
    }
    if name == "classifications"
        && let Some(instance) = model.get(id)
    {
        map.remove("id");
        map.remove("class");
        let code = instance.text("Identification").or_else(|| instance.text("ItemReference"));
        map.insert("code".into(), code.into());
        let system = ifc::relations::classification_system(model, id).and_then(|id| name_of(model, id));
        map.insert("system".into(), system.into());
        map.retain(|_, value| !value.is_null());
    }
    map.into()
}
