//! Elements of a script: what they are read for. Everything is read when it is asked for, from the model as it is by
//! then; an element that was deleted meanwhile says so.

use super::adapter::Bench;
use super::arguments;
use contract::Fault;
use ifc::relations::Links;
use ifc::selector::Datum;
use ifc::{Id, Model, placement};
use script::{Arguments, Refused, Reply};
use serde_json::{Map, Value, json};
use tools::{Computed, Field, Reading, box_json, number_json};

/// Methods of elements.
const METHODS: [&str; 5] = ["get", "psets", "quantities", "attributes", "placement"];

impl Bench<'_> {
    /// An attribute: a relation, a measure of the shape, or an attribute of the IFC class.
    pub(super) fn read_element(&mut self, id: Id, name: &str) -> Result<Option<Reply>, Refused> {
        self.check_element(id)?;
        let model = self.call.edit.model();
        if let Some(reply) = self.relation(model, id, name) {
            return Ok(Some(reply));
        }
        match name {
            "parameters" => {
                let section = self.section(id, "geometry")?;
                Ok(Some(Reply::Value(section.get(name).cloned().unwrap_or_else(|| json!({})))))
            }
            _ if Computed::named(name).is_some() => Ok(Some(Reply::Value(self.computed(id, name)))),
            _ if METHODS.contains(&name) => {
                Err(Refused::Attribute(format!("{name} is a method: write {name}()")))
            }
            _ => match self.attribute(id, name)? {
                Some(reply) => Ok(Some(reply)),
                None => self.rooms_of_element(id, name),
            },
        }
    }

    /// A method. What is an attribute answers to a call as well.
    pub(super) fn call_element(&mut self, id: Id, name: &str, given: Arguments) -> Result<Reply, Refused> {
        self.check_element(id)?;
        match name {
            "get" => {
                let path = arguments::only(name, "path", given)?;
                let Some(path) = path.as_str() else {
                    return Err(Refused::Type(
                        "get takes a path as text, such as \"Pset_WallCommon.FireRating\"".into(),
                    ));
                };
                let field = Field::parse(path, "get")?;
                if let Some(computed) = Computed::ALL.into_iter().find(|(_, f)| field.computed() == Some(*f))
                {
                    return Ok(Reply::Value(self.computed(id, computed.0)));
                }
                let links = Links::of_one(self.call.edit.model());
                let stated = field.followed(&links, id);
                Ok(self.datum(&stated.unwrap_or_else(|| field.value(&Reading::new(&self.call), id))))
            }
            "psets" | "quantities" | "attributes" => {
                let section = if name == "psets" {
                    "psets"
                } else if name == "quantities" {
                    "quantities"
                } else {
                    "attributes"
                };
                Ok(Reply::Value(self.section(id, section)?))
            }
            "placement" => {
                let local = given.named.get("local").or(given.positional.first());
                let local = local.is_some_and(|local| local == &Value::Bool(true));
                Ok(Reply::Value(placement_json(self.call.edit.model(), id, local, self.units.length_mm)))
            }
            "neighbours" if !(given.positional.is_empty() && given.named.is_empty()) => {
                self.neighbours_through(id, given)?.ok_or_else(|| self.no_attribute(id, name))
            }
            _ if given.positional.is_empty() && given.named.is_empty() => {
                match self.read_element(id, name)? {
                    Some(reply) => Ok(reply),
                    None => Err(self.no_attribute(id, name)),
                }
            }
            _ => Err(self.no_attribute(id, name)),
        }
    }

    fn check_element(&self, id: Id) -> Result<(), Fault> {
        if self.call.edit.model().contains(id) {
            return Ok(());
        }
        Err(Fault::no_element(&id.to_string()))
    }

    fn relation(&self, model: &Model, id: Id, name: &str) -> Option<Reply> {
        let links = Links::of_one(model);
        let one = |found: Option<Id>| {
            Some(found.map_or(Reply::Value(Value::Null), |found| Reply::Element(self.element(found))))
        };
        let many = |found: Vec<Id>| Some(self.elements(found));
        match name {
            "name" => Some(Reply::Value(json!(tools::name_of(model, id)))),
            "global_id" => Some(Reply::Value(json!(model.get(id).and_then(|instance| instance.guid())))),
            "storey" => one(links.storey_of(id)),
            "container" => one(links.container(id)),
            "type" => one(links.type_of(id).filter(|of| *of != id)),
            "part_of" => one(links.aggregate_parent(id)),
            "fills" => one(links.opening_of_filling(id)),
            "host" => one(links.host_of(id)),
            "spaces" => many(links.spaces_of(id)),
            "boundaries" => many(links.bounding(id)),
            "parts" => many(links.children(id)),
            "contains" => many(links.contained(id)),
            "openings" => many(links.openings_of(id)),
            "fillings" => many(links.all_fillings_of(id)),
            "groups" => many(links.groups_of(id)),
            "occurrences" => many(links.occurrences_of(id)),
            "material" => Some(Reply::Value(json!(
                links.material_of(id).and_then(|material| tools::name_of(model, material))
            ))),
            "materials" => {
                let names =
                    links.materials_of(id).into_iter().filter_map(|material| tools::name_of(model, material));
                Some(Reply::Value(names.collect()))
            }
            "bounds" => Some(Reply::Value(
                geometry::bounds(model, id).map_or(Value::Null, |bounds| box_json(&bounds)),
            )),
            "origin" => {
                let place = placement_json(model, id, false, self.units.length_mm);
                Some(Reply::Value(place.get("origin").cloned().unwrap_or_default()))
            }
            _ => None,
        }
    }

    /// An attribute by its IFC name; `Undefined` where the class has none of that name.
    fn attribute(&self, id: Id, name: &str) -> Result<Option<Reply>, Refused> {
        let model = self.call.edit.model();
        let entity = model.get(id).and_then(|instance| instance.entity());
        if entity.and_then(|entity| entity.attribute(name)).is_none() {
            // hasattr() and getattr() with a default ask too, so that this is no Fault
            return Ok(None);
        }
        let field = Field::parse(name, name)?;
        Ok(field.followed(&Links::of_one(model), id).map(|value| self.datum(&value)))
    }

    fn datum(&self, value: &Datum) -> Reply {
        match value {
            Datum::Entity(id) => Reply::Element(self.element(*id)),
            Datum::List(members) if members.iter().any(|member| matches!(member, Datum::Entity(_))) => {
                let ids = members.iter().filter_map(|member| match member {
                    Datum::Entity(id) => Some(*id),
                    _ => None,
                });
                self.elements(ids)
            }
            other => Reply::Value(tools::shown(self.call.edit.model(), other)),
        }
    }

    /// A value computed from shape and material; kept until the next edit.
    fn computed(&mut self, id: Id, name: &str) -> Value {
        let Some((name, field)) = Computed::ALL.into_iter().find(|(known, _)| *known == name) else {
            return Value::Null;
        };
        if let Some(known) = self.known.get(&(id, name)) {
            return known.clone();
        }
        let found = tools::computed_json(&Reading::new(&self.call), field, id);
        if self.known.len() >= super::adapter::KEPT {
            self.known.clear();
        }
        self.known.insert((id, name), found.clone());
        found
    }

    /// A part of what `get_element` answers, with plain numbers; kept until the next edit.
    fn section(&mut self, id: Id, section: &'static str) -> Result<Value, Fault> {
        if let Some(known) = self.known.get(&(id, section)) {
            return Ok(known.clone());
        }
        let element = tools::id_of(self.call.edit.model(), id);
        let mut answer = self.run("get_element", json!({ "element_id": element, "include": [section] }))?;
        let found = answer.get_mut(section).map_or_else(|| json!({}), Value::take);
        let found = plain(found);
        if self.known.len() >= super::adapter::KEPT {
            self.known.clear();
        }
        self.known.insert((id, section), found.clone());
        Ok(found)
    }

    fn no_attribute(&self, id: Id, name: &str) -> Refused {
        let model = self.call.edit.model();
        let class = model.get(id).map_or("nothing", |instance| instance.class_name());
        Refused::Attribute(format!("an element of class {class} has no {name}"))
    }
}

/// `{value, unit}` as the value: scripts count in the file's units.
fn plain(value: Value) -> Value {
    match value {
        Value::Object(mut map) if map.len() == 2 && map.contains_key("unit") && map.contains_key("value") => {
            map.remove("value").unwrap_or_default()
        }
        Value::Object(map) => {
            map.into_iter().map(|(name, member)| (name, plain(member))).collect::<Map<_, _>>().into()
        }
        other => other,
    }
}

/// Where a product stands, in the world or on what it is placed on: origin in mm and the directions of its axes.
fn placement_json(model: &Model, id: Id, local: bool, length_mm: f64) -> Value {
    let Some(placed) = model.get(id).and_then(|instance| instance.reference("ObjectPlacement")) else {
        return Value::Null;
    };
    let Some(mut place) = placement::world(model, placed) else { return Value::Null };
    let below = model.get(placed).and_then(|instance| instance.reference("PlacementRelTo"));
    if local
        && let Some(below) =
            below.and_then(|below| placement::world(model, below)).and_then(|b| placement::inverse(&b))
    {
        place = below * place;
    }
    let [x, y, z] = place.matrix3.to_cols_array_2d();
    let origin = place.translation.to_array();
    let list = |v: [f64; 3]| Value::from(v.map(|v| number_json((v * 1e6).round() / 1e6)).to_vec());
    json!({ "origin": list(origin.map(|v| v * length_mm)), "x_axis": list(x), "y_axis": list(y), "z_axis": list(z) })
}
