//! Everything that a model says of its elements as five tables: elements, properties, quantities, relations, materials. Each is a CSV and,
//! if asked, a Parquet file; all together one zip.

use crate::ExchangeError;
use crate::archive::{File, zip};
use crate::cells::{Cell, Column, Table};
use crate::parquet;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use geometry::Scene;
use ifc::psets::{self, Detail, PropertySet};
use ifc::relations::Links;
use ifc::{Id, Model, Units, Value};
use serde_json::Map;

/// The files of a model's tables.
#[derive(Debug, Clone)]
pub struct Tables {
    /// `elements.csv`, `properties.csv`, `quantities.csv`, `relations.csv`, `materials.csv`, or the same with `.parquet`.
    pub files: Vec<File>,
    /// Rows of each table, by its name.
    pub rows: Vec<(String, usize)>,
}

impl Tables {
    /// All files in one archive.
    pub fn zip(&self) -> Result<Vec<u8>, ExchangeError> {
        zip(&self.files)
    }
}

const ELEMENTS: &[Column] = &[
    ("GlobalId", false),
    ("Class", false),
    ("Name", false),
    ("LongName", false),
    ("Description", false),
    ("ObjectType", false),
    ("PredefinedType", false),
    ("Tag", false),
    ("TypeGlobalId", false),
    ("TypeName", false),
    ("ContainerGlobalId", false),
    ("Storey", false),
    ("Elevation", true),
    ("Instance", false),
];
const PROPERTIES: &[Column] = &[
    ("GlobalId", false),
    ("Class", false),
    ("Set", false),
    ("Property", false),
    ("Kind", false),
    ("Value", false),
    ("Number", true),
    ("Unit", false),
    ("FromType", false),
];
const QUANTITIES: &[Column] = &[
    ("GlobalId", false),
    ("Class", false),
    ("Set", false),
    ("Quantity", false),
    ("Measure", false),
    ("Value", true),
    ("Unit", false),
    ("ValueSI", true),
];
const RELATIONS: &[Column] = &[
    ("Relation", false),
    ("RelationGlobalId", false),
    ("Relating", false),
    ("RelatingGlobalId", false),
    ("Related", false),
    ("RelatedGlobalId", false),
];
const MATERIALS: &[Column] = &[
    ("GlobalId", false),
    ("Class", false),
    ("Composition", false),
    ("Number", true),
    ("Part", false),
    ("Material", false),
    ("Category", false),
    ("ThicknessMm", true),
    ("Fraction", true),
    ("FromType", false),
];

/// The tables of a model: as CSV, or with `is_parquet` as Parquet.
pub fn tables(model: &Model, is_parquet: bool) -> Result<Tables, ExchangeError> {
    let links = Links::of_many(model);
    let units = Units::from_model(model);
    let mut elements = Table::new("elements", ELEMENTS);
    let mut properties = Table::new("properties", PROPERTIES);
    let mut quantities = Table::new("quantities", QUANTITIES);
    let mut materials = Table::new("materials", MATERIALS);
    for id in model.of_class("IfcObjectDefinition") {
        elements.rows.push(element(&links, &units, id));
        sets(&links, &units, id, &mut properties, &mut quantities);
        composition(&links, &units, id, &mut materials);
    }
    let relations = relations(model);
    let all = [elements, properties, quantities, relations, materials];
    let mut files = Vec::new();
    for table in &all {
        let (ending, bytes) =
            if is_parquet { ("parquet", parquet::write(table)?) } else { ("csv", table.csv()?) };
        files.push(File { name: format!("{}.{ending}", table.name), bytes });
    }
    let rows = all.iter().map(|table| (table.name.to_owned(), table.rows.len())).collect();
    Ok(Tables { files, rows })
}

fn element(links: &Links<'_>, units: &Units, id: Id) -> Vec<Cell> {
    let model = links.model();
    let text = |name: &str| Cell::from(model.get(id).and_then(|i| i.text(name)));
    let guid = |id: Option<Id>| Cell::from(id.and_then(|id| model.get(id)?.guid()));
    let of_type = links.type_of(id).filter(|of_type| *of_type != id);
    let storey = links.storey_of(id);
    let elevation = storey.filter(|s| *s == id).and_then(|s| ifc::placement::elevation(model, s));
    let class = model.get(id).map(|i| i.class_name()).unwrap_or_default();
    vec![
        guid(Some(id)),
        class.into(),
        text("Name"),
        text("LongName"),
        text("Description"),
        text("ObjectType"),
        Cell::from(links.predefined_type(id)),
        text("Tag"),
        guid(of_type),
        Cell::from(of_type.and_then(|id| model.get(id)?.name())),
        guid(links.container(id)),
        Cell::from(storey.and_then(|id| model.get(id)?.name())),
        Cell::from(elevation.map(|z| units.to_mm(z) / 1000.0)),
        Cell::Text(id.to_string()),
    ]
}

fn sets(links: &Links<'_>, units: &Units, id: Id, properties: &mut Table, quantities: &mut Table) {
    let model = links.model();
    let Some(instance) = model.get(id) else { return };
    let guid = Cell::from(instance.guid());
    let class = instance.class_name();
    for set in psets::of_with(links, id) {
        for property in &set.properties {
            let unit = Cell::from(property.unit_label(model, units));
            let number = property.value.as_f64();
            if set.is_quantity {
                let measure = match property.detail {
                    Detail::Quantity(measure) => measure,
                    _ => "",
                };
                quantities.rows.push(vec![
                    guid.clone(),
                    class.into(),
                    set.name.as_str().into(),
                    property.name.as_str().into(),
                    measure.into(),
                    number.into(),
                    unit,
                    property.in_si(model, units).into(),
                ]);
                continue;
            }
            let kind = match &property.value {
                Value::Typed(name, _) => name.clone(),
                _ => kind(&property.detail).to_owned(),
            };
            properties.rows.push(vec![
                guid.clone(),
                class.into(),
                set.name.as_str().into(),
                property.name.as_str().into(),
                Cell::Text(kind),
                plain(&property.to_json()),
                number.into(),
                unit,
                if set.inherited { "true" } else { "false" }.into(),
            ]);
        }
    }
}

fn kind(detail: &Detail) -> &'static str {
    match detail {
        Detail::Single => "single",
        Detail::Enumerated => "enumerated",
        Detail::List => "list",
        Detail::Bounded { .. } => "bounded",
        Detail::Table { .. } => "table",
        Detail::Reference(_) => "reference",
        Detail::Complex(_) => "complex",
        Detail::Quantity(measure) | Detail::Attribute(measure) => measure,
    }
}

/// A value as a text that people read; what has members is JSON.
fn plain(value: &serde_json::Value) -> Cell {
    match value {
        serde_json::Value::Null => Cell::Empty,
        serde_json::Value::String(text) => Cell::Text(text.clone()),
        other => Cell::Text(other.to_string()),
    }
}

fn composition(links: &Links<'_>, units: &Units, id: Id, table: &mut Table) {
    let model = links.model();
    let Some(composition) = links.composition_of(id) else { return };
    let Some(instance) = model.get(id) else { return };
    let class = |id: Id| model.get(id).map(|i| i.class_name()).unwrap_or_default();
    for (number, part) in composition.parts.iter().enumerate() {
        table.rows.push(vec![
            Cell::from(instance.guid()),
            instance.class_name().into(),
            class(composition.material).into(),
            Cell::Number(number as f64 + 1.0),
            Cell::from(part.name.clone()),
            Cell::from(part.material.and_then(|id| model.get(id)?.name())),
            Cell::from(part.category.clone()),
            Cell::from(part.thickness.map(|t| units.to_mm(t))),
            Cell::from(part.fraction),
            if composition.inherited { "true" } else { "false" }.into(),
        ]);
    }
}

/// One row for each pair that a relation brings together; what has no GlobalId is named by its number.
fn relations(model: &Model) -> Table {
    let mut table = Table::new("relations", RELATIONS);
    let name = |id: Id| model.get(id).map(|i| i.guid().unwrap_or_else(|| id.to_string()));
    for id in model.of_class("IfcRelationship") {
        let Some(relation) = model.get(id) else { continue };
        let Some(entity) = relation.entity() else { continue };
        let ends = entity.attributes.iter().filter(|a| a.owner != "IfcRoot").map(|attribute| attribute.name);
        let with = |part: &str| -> Vec<(&'static str, Id)> {
            let named = ends.clone().filter(|name| name.starts_with(part));
            named.flat_map(|name| relation.references(name).into_iter().map(move |id| (name, id))).collect()
        };
        let (relating, related) = (with("Relating"), with("Related"));
        for (one, from) in &relating {
            for (other, to) in &related {
                table.rows.push(vec![
                    relation.class_name().into(),
                    Cell::from(relation.guid()),
                    (*one).into(),
                    Cell::from(name(*from)),
                    (*other).into(),
                    Cell::from(name(*to)),
                ]);
            }
        }
    }
    table
}

/// The properties and quantities of an element by set and name, as JSON.
pub(crate) fn properties_json(links: &Links<'_>, id: Id) -> Map<String, serde_json::Value> {
    let set = |set: PropertySet| {
        let properties = set.properties.iter().map(|p| (p.name.clone(), p.to_json()));
        (set.name, serde_json::Value::Object(properties.collect()))
    };
    psets::merged(links, id).into_iter().map(set).collect()
}

/// The elements that are drawn and what they are in, each behind what it is in, and what that is.
pub(crate) fn in_spatial_order(links: &Links<'_>, scene: &Scene) -> (Vec<Id>, HashMap<Id, Id>) {
    let model = links.model();
    let is_cut = |id: &Id| model.get(*id).is_some_and(|i| i.is_a("IfcFeatureElementSubtraction"));
    let mut parents: HashMap<Id, Id> = HashMap::new();
    let mut seen: HashSet<Id> = HashSet::new();
    let mut children: HashMap<Option<Id>, Vec<Id>> = HashMap::new();
    for entry in scene.entries() {
        let way: Vec<Id> = links.upwards(entry.id).into_iter().filter(|id| !is_cut(id)).collect();
        for (at, id) in way.iter().enumerate() {
            if !seen.insert(*id) {
                break;
            }
            let parent = way.get(at + 1).copied();
            parents.extend(parent.map(|parent| (*id, parent)));
            children.entry(parent).or_default().push(*id);
        }
    }
    for list in children.values_mut() {
        list.sort_unstable();
    }
    let mut order = Vec::with_capacity(seen.len());
    let mut open: Vec<Id> = children.get(&None).cloned().unwrap_or_default();
    open.reverse();
    while let Some(id) = open.pop() {
        order.push(id);
        open.extend(children.get(&Some(id)).into_iter().flatten().rev());
    }
    (order, parents)
}
