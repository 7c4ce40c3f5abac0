//! Paths of keys from an element to a value, as in IfcOpenShell's `get_element_value`: `storey.Name`,
//! `type.Pset_WallCommon.FireRating`, `material.item.0.LayerThickness`.
//!
//! Keys with a meaning of their own (`type`, `material`, `storey`, …) come first, then attributes, then property sets,
//! then what is in them. A key applied to several values gives several values.

use super::{Datum, SelectorError, parse};
use crate::relations::{GROUPED, Links};
use crate::{Id, Model, placement, psets};
use regex::Regex;

/// A path that has been understood.
#[derive(Debug, Clone)]
pub struct Path {
    /// Its keys in order; at least one.
    pub steps: Vec<Step>,
}

/// One key.
#[derive(Debug, Clone)]
pub enum Step {
    /// A word.
    Key(String),
    /// Every name that it matches from its start.
    Regex(Regex),
}

impl Path {
    /// Reads keys separated by dots; a key in quotes may hold dots, `/…/` is a regular expression.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        let error = |at: usize, message: &str| SelectorError { at, message: message.to_owned() };
        let chars: Vec<char> = text.chars().collect();
        let mut steps = Vec::new();
        let mut at = 0;
        loop {
            while chars.get(at).is_some_and(|c| c.is_whitespace()) {
                at += 1;
            }
            let start = at;
            let close = chars.get(at).copied().filter(|c| matches!(c, '"' | '/'));
            if let Some(close) = close {
                let rest = chars.get(at + 1..).unwrap_or_default();
                let length = rest.iter().position(|c| *c == close);
                let length = length.ok_or_else(|| error(start, "what opens here is never closed"))?;
                let inner: String = rest.iter().take(length).collect();
                at += length + 2;
                steps.push(if close == '"' {
                    Step::Key(inner)
                } else {
                    Step::Regex(parse::anchored(&inner).map_err(|message| error(start, &message))?)
                });
            } else {
                let key: String = chars.iter().skip(at).take_while(|c| **c != '.').collect();
                at += key.chars().count();
                let key = key.trim();
                if key.is_empty() {
                    return Err(error(start, "expected a key, as in storey.Name"));
                }
                steps.push(Step::Key(key.to_owned()));
            }
            while chars.get(at).is_some_and(|c| c.is_whitespace()) {
                at += 1;
            }
            match chars.get(at) {
                None => return Ok(Self { steps }),
                Some('.') => at += 1,
                Some(_) => return Err(error(at, "expected a dot and the next key, as in storey.Name")),
            }
        }
    }

    /// Where it leads from an element.
    pub fn follow(&self, links: &Links<'_>, element: Id) -> Datum {
        self.steps.iter().fold(Datum::Entity(element), |value, step| match value {
            Datum::Null => Datum::Null,
            value => next(links, value, step),
        })
    }
}

fn entities(ids: impl IntoIterator<Item = Id>) -> Datum {
    Datum::List(ids.into_iter().map(Datum::Entity).collect())
}

fn entity(id: Option<Id>) -> Datum {
    id.map_or(Datum::Null, Datum::Entity)
}

fn next(links: &Links<'_>, value: Datum, step: &Step) -> Datum {
    match (value, step) {
        (Datum::Entity(id), Step::Key(key)) => of_entity(links, id, key),
        (Datum::Entity(id), Step::Regex(regex)) => {
            let matching: Vec<Datum> = sets(links, id)
                .into_iter()
                .filter(|(name, _)| regex.is_match(name))
                .map(|(_, properties)| Datum::Record(without_id(properties)))
                .collect();
            one_or_more(matching)
        }
        (Datum::Record(members), Step::Regex(regex)) => {
            let mut found = Vec::new();
            for (name, value) in members {
                if regex.is_match(&name) {
                    match value {
                        Datum::List(inner) => found.extend(inner),
                        other => found.push(other),
                    }
                }
            }
            one_or_more(found)
        }
        (Datum::Record(members), Step::Key(key)) => {
            let find = |members: &[(String, Datum)]| {
                members.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone())
            };
            find(&members).unwrap_or_else(|| {
                let inner = members.iter().find(|(name, _)| name == "properties").map(|(_, value)| value);
                match inner {
                    Some(Datum::Record(inner)) => find(inner).unwrap_or(Datum::Null),
                    _ => Datum::Null,
                }
            })
        }
        (Datum::List(members), Step::Key(key)) if key == "count" => Datum::Whole(members.len() as i64),
        (Datum::List(members), Step::Key(key)) if key.chars().all(|c| c.is_ascii_digit()) => {
            key.parse::<usize>().ok().and_then(|at| members.into_iter().nth(at)).unwrap_or(Datum::Null)
        }
        (Datum::List(members), step) => {
            let mut found = Vec::new();
            for member in members.into_iter().filter(|member| *member != Datum::Null) {
                match next(links, member, step) {
                    Datum::List(inner) => found.extend(inner),
                    other => found.push(other),
                }
            }
            Datum::List(found)
        }
        // a plain value has no parts; the path stays at it
        (_, Step::Key(key)) if key == "count" => Datum::Whole(1),
        (value, _) => value,
    }
}

fn one_or_more(mut found: Vec<Datum>) -> Datum {
    match found.len() {
        0 => Datum::Null,
        1 => found.remove(0),
        _ => Datum::List(found),
    }
}

fn of_entity(links: &Links<'_>, id: Id, key: &str) -> Datum {
    let model = links.model();
    let Some(instance) = model.get(id) else { return Datum::Null };
    match key {
        "type" => entity(links.type_of(id)),
        "material" | "mat" => entity(links.material_of(id)),
        "materials" | "mats" => entities(links.materials_of(id)),
        "item" | "i" => ["MaterialLayers", "MaterialProfiles", "MaterialConstituents"]
            .into_iter()
            .map(|name| instance.references(name))
            .find(|members| !members.is_empty())
            .map_or(Datum::Entity(id), entities),
        "container" => entity(links.container(id)),
        "space" => entity(links.ancestor(id, "IfcSpace")),
        "storey" => entity(links.ancestor(id, "IfcBuildingStorey")),
        "building" => entity(links.ancestor(id, "IfcBuilding")),
        "site" => entity(links.ancestor(id, "IfcSite")),
        "parent" => entity(links.parent(id)),
        "types" | "occurrences" => entities(links.occurrences_of(id)),
        "count" => Datum::Whole(1),
        "class" => Datum::Text(instance.class_name().to_owned()),
        "predefined_type" => links.predefined_type(id).map_or(Datum::Null, Datum::Text),
        "id" => Datum::Whole(i64::from(id.0)),
        "classification" => entities(links.classifications_of(id)),
        "group" => entities(links.groups_of(id)),
        "system" => entities(assigned(links, id, "IfcSystem")),
        "zone" => entities(assigned(links, id, "IfcZone")),
        "x" | "y" | "z" if instance.reference("ObjectPlacement").is_some() => {
            let [x, y, z] = placement::of_product(model, id).origin();
            Datum::Real(match key {
                "x" => x,
                "y" => y,
                _ => z,
            })
        }
        "x" | "y" | "z" => Datum::Null,
        _ => {
            let name =
                if key == "Name" && instance.is_a("IfcMaterialLayerSet") { "LayerSetName" } else { key };
            match Datum::of_attribute(model, id, name) {
                Datum::Null => whole_set(links, id, key),
                found => found,
            }
        }
    }
}

fn assigned(links: &Links<'_>, id: Id, class: &str) -> Vec<Id> {
    let mut groups = links.across(id, GROUPED, "RelatingGroup");
    groups.retain(|group| links.model().get(*group).is_some_and(|g| g.is_a(class)));
    groups
}

fn without_id(mut properties: Vec<(String, Datum)>) -> Vec<(String, Datum)> {
    properties.retain(|(name, _)| name != "id");
    properties
}

/// A property set as a record, the type's properties under the element's own; null if there is none.
fn whole_set(links: &Links<'_>, element: Id, name: &str) -> Datum {
    let (own, inherited) = psets::definitions_of(links, element);
    let named =
        |ids: Vec<Id>| ids.into_iter().find(|id| set_name(links.model(), *id).is_some_and(|n| n == name));
    let mut record = Vec::new();
    let sets: Vec<Id> = named(inherited).into_iter().chain(named(own)).collect();
    if sets.is_empty() {
        return Datum::Null;
    }
    for set in sets {
        update(&mut record, properties(links.model(), set));
    }
    Datum::Record(record)
}

fn set_name(model: &Model, set: Id) -> Option<String> {
    model.get(set)?.name()
}

/// All sets of an element by name, those of its type first, same names joined; each with an `id` at its end.
pub(super) fn sets(links: &Links<'_>, element: Id) -> Vec<(String, Vec<(String, Datum)>)> {
    let (own, inherited) = psets::definitions_of(links, element);
    let mut sets: Vec<(String, Vec<(String, Datum)>)> = Vec::new();
    for id in inherited.into_iter().chain(own) {
        let Some(name) = set_name(links.model(), id) else { continue };
        let mut members = properties(links.model(), id);
        members.push(("id".to_owned(), Datum::Whole(i64::from(id.0))));
        match sets.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => update(known, members),
            None => sets.push((name, members)),
        }
    }
    sets
}

fn properties(model: &Model, set: Id) -> Vec<(String, Datum)> {
    let mut members = Vec::new();
    for property in psets::property_set(model, set).map(|set| set.properties).unwrap_or_default() {
        let datum = Datum::of_property(model, &property);
        update(&mut members, vec![(property.name, datum)]);
    }
    members
}

fn update(into: &mut Vec<(String, Datum)>, members: Vec<(String, Datum)>) {
    for (name, value) in members {
        match into.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => into.push((name, value)),
        }
    }
}

/// One property of an element as selectors see it: its own, or where that says nothing, its type's.
pub(super) fn property(links: &Links<'_>, element: Id, set: &str, name: &str) -> Datum {
    let model = links.model();
    let (own, inherited) = psets::definitions_of(links, element);
    let within = |ids: Vec<Id>| {
        let set = ids.into_iter().find(|id| set_name(model, *id).is_some_and(|n| n == set))?;
        Some(Datum::of_property(model, &psets::property_named(model, set, name)?))
    };
    within(own).filter(|value| *value != Datum::Null).or_else(|| within(inherited)).unwrap_or(Datum::Null)
}

/// The plain materials of an element and their categories, for the material facet.
pub(super) fn material_names(links: &Links<'_>, element: Id) -> Vec<[Datum; 2]> {
    let model = links.model();
    let names =
        |id: &Id| [Datum::of_attribute(model, *id, "Name"), Datum::of_attribute(model, *id, "Category")];
    links.materials_of(element).iter().map(names).collect()
}
