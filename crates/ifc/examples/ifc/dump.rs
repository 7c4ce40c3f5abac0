//! Prints a file as the kernel reads it, as lines of JSON, for `tests/python/compare_kernel.py` to hold beside IfcOpenShell:
//!
//! - `dump instances FILE`: `[id, class, [attributes], {inverse: [ids]}]` for every instance; `$` and `*` are null;
//! - `dump elements FILE`: type, container, material, world placement, property sets and more of each object, type,
//!   material and profile, then one line on units and georeference;
//! - `dump paths FILE`: for each path on standard input the values it leads to from every product and type;
//! - `dump templates`: the sets for each class of the three schemas.

use crate::Arguments;
use ifc::georeference::{self, Georeference};
use ifc::relations::Links;
use ifc::selector::{Datum, Path};
use ifc::{Id, Instance, Limits, Model, SchemaVersion, Units, Value, placement, psets};
use serde_json::{Map, Value as Json, json};
use std::error::Error;
use std::io::{BufRead, BufWriter, Write};

pub fn run(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let mode = arguments.next().unwrap_or_default();
    let mut out = BufWriter::new(std::io::stdout().lock());
    if mode == "templates" {
        return templates(&mut out);
    }
    let file = arguments.next().ok_or("usage: dump instances|elements|paths FILE, or dump templates")?;
    let (model, _) =
        Model::open(std::path::Path::new(&file), &Limits { lenient: true, ..Limits::default() })?;
    match mode.as_str() {
        "instances" => instances(&model, &mut out),
        "elements" => elements(&model, &mut out),
        "paths" => paths(&model, &mut out),
        _ => Err("the mode is instances, elements, paths or templates".into()),
    }
}

fn plain(value: &Value) -> Json {
    match value {
        Value::Derived => Json::Null,
        Value::List(members) => members.iter().map(plain).collect(),
        Value::Typed(name, inner) => json!({"type": name, "value": plain(inner)}),
        other => other.to_json(),
    }
}

fn numbers(ids: Vec<Id>) -> Vec<u32> {
    ids.into_iter().map(|id| id.0).collect()
}

fn instances(model: &Model, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    for instance in model.ids().filter_map(|id| model.get(id)) {
        let attributes: Vec<Json> = instance.attributes().iter().map(plain).collect();
        let mut inverses = Map::new();
        for inverse in instance.entity().into_iter().flat_map(|entity| model.schema().inverses(entity)) {
            let found = model.inverse(instance.id(), inverse);
            if !found.is_empty() {
                inverses.insert(inverse.name.to_owned(), json!(numbers(found)));
            }
        }
        writeln!(out, "{}", json!([instance.id().0, instance.class_name(), attributes, inverses]))?;
    }
    Ok(())
}

fn elements(model: &Model, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let links = Links::of_many(model);
    for instance in model.ids().filter_map(|id| model.get(id)) {
        let wanted = ["IfcObjectDefinition", "IfcMaterialDefinition", "IfcMaterial", "IfcProfileDef"];
        if wanted.iter().any(|class| instance.is_a(class)) {
            writeln!(out, "{}", element(&links, &instance))?;
        }
    }
    let units = Units::from_model(model);
    let scales: Map<String, Json> =
        units.all().map(|(kind, unit)| (kind.to_owned(), json!(unit.si))).collect();
    let points = [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [-1000.5, 250.25, 12.0]];
    let map = Georeference::from_model(model).map(|found| {
        json!({
            "to_map": points.map(|point| found.to_map(point.into()).to_array()),
            "from_map": points.map(|point| found.from_map(point.into()).map(|found| found.to_array())),
            "grid_north": found.grid_north(),
        })
    });
    writeln!(out, "{}", json!({"units": scales, "map": map, "true_north": georeference::true_north(model)}))?;
    Ok(())
}

fn element(links: &Links<'_>, instance: &Instance<'_>) -> Json {
    let (model, id) = (links.model(), instance.id());
    let one = |found: Option<Id>| found.map(|id| id.0);
    let sets: Map<String, Json> = psets::merged(links, id)
        .into_iter()
        .map(|set| {
            let values = set.properties.iter().filter(|p| !matches!(p.detail, psets::Detail::Reference(_)));
            let mut values: Map<String, Json> =
                values.map(|p| (p.name.clone(), Datum::of_property(model, p).to_json())).collect();
            values.insert("id".to_owned(), json!(set.id.0));
            (set.name, Json::Object(values))
        })
        .collect();
    let world =
        instance.reference("ObjectPlacement").and_then(|placement| placement::world(model, placement));
    json!({
        "id": id.0,
        "psets": sets,
        "type": one(links.type_of(id)),
        "container": one(links.container(id)),
        "parent": one(links.parent(id)),
        "material": one(links.material_of(id)),
        "materials": numbers(links.materials_of(id)),
        "groups": numbers(links.groups_of(id)),
        "systems": numbers(links.systems_of(id)),
        "zones": numbers(links.zones_of(id)),
        "classification": numbers(links.classifications_of(id)),
        "ports": numbers(links.ports_of(id)),
        "referenced": numbers(links.referenced_structures(id)),
        "parts": numbers(links.children(id)),
        "predefined_type": links.predefined_type(id),
        // rows of axes and origin
        "placement": world.map(|world| [0, 1, 2].map(|row| glam::DMat4::from(world).row(row).to_array())),
    })
}

fn paths(model: &Model, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let links = Links::of_many(model);
    let elements = [model.of_class("IfcProduct"), model.of_class("IfcTypeProduct")].concat();
    for line in std::io::stdin().lock().lines() {
        let path = Path::parse(&line?)?;
        let values: Vec<Json> =
            elements.iter().map(|id| json!([id.0, path.follow(&links, *id).to_json()])).collect();
        writeln!(out, "{}", json!(values))?;
    }
    Ok(())
}

fn templates(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    for version in SchemaVersion::ALL {
        for entity in version.schema().entities() {
            let sets = psets::templates::applicable(version, entity.name, None);
            let names: Vec<&str> = sets.iter().map(|set| set.name).collect();
            writeln!(out, "{}", json!([version.as_str(), entity.name, names]))?;
        }
    }
    Ok(())
}
