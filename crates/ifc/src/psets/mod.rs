//! Property sets and quantities: what is said of an element beyond its attributes.
//!
//! Sets hang on an element by IfcRelDefinesByProperties, on a type by its HasPropertySets, on a material or profile by
//! its own kinds of property; an element has those of its type too, property by property, unless it has its own.
//! Properties are single, enumerated, listed, bounded, tabular, references or complex; predefined sets such as
//! IfcDoorLiningProperties have their attributes as properties. Values are as in the file, in the file's units.

mod read;
pub mod templates;
#[cfg(test)]
mod tests;
mod values;
mod write;

pub use read::{definitions, definitions_of, property, property_named, property_set};
pub use write::{Change, SetError, set};

use crate::relations::Links;
use crate::units::Units;
use crate::{Id, Model, Value};
use std::collections::HashMap;

/// A property set, a set of quantities or a predefined set.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertySet {
    /// Its instance.
    pub id: Id,
    /// `Pset_WallCommon`.
    pub name: String,
    /// `IfcPropertySet`, `IfcElementQuantity`, `IfcDoorLiningProperties`, …
    pub class: String,
    /// True if it holds quantities.
    pub is_quantity: bool,
    /// True if the element has it from its type.
    pub inherited: bool,
    /// In the file's order.
    pub properties: Vec<Property>,
}

/// One property or quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    /// Its instance; for an attribute of a predefined set, the set's.
    pub id: Id,
    /// `FireRating`.
    pub name: String,
    /// The value of a single property or quantity; the list of an enumerated or listed one; the set point of a bounded
    /// one; else null.
    pub value: Value,
    /// The kind of property, with what a plain value cannot hold.
    pub detail: Detail,
    /// The unit that the property itself gives, if it does; else the file's unit for the measure counts.
    pub unit: Option<Id>,
}

/// The kind of a property, with what a plain value cannot hold.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail {
    /// IfcPropertySingleValue.
    Single,
    /// IfcPropertyEnumeratedValue.
    Enumerated,
    /// IfcPropertyListValue.
    List,
    /// IfcPropertyBoundedValue.
    Bounded {
        /// Not less than.
        lower: Value,
        /// Not more than.
        upper: Value,
    },
    /// IfcPropertyTableValue.
    Table {
        /// The arguments.
        defining: Vec<Value>,
        /// The values for them.
        defined: Vec<Value>,
    },
    /// IfcPropertyReferenceValue, to this instance.
    Reference(Option<Id>),
    /// IfcComplexProperty or IfcPhysicalComplexQuantity.
    Complex(Vec<Property>),
    /// A simple quantity of this measure, such as `IfcAreaMeasure`.
    Quantity(&'static str),
    /// An attribute of a predefined set, with its declared type.
    Attribute(&'static str),
}

impl Property {
    /// The label of the value's unit, if it has one: the property's own, else the file's for its measure.
    pub fn unit_label(&self, model: &Model, units: &Units) -> Option<String> {
        if let Some(own) = self.unit.and_then(|id| crate::units::unit(model, id)) {
            return Some(own.label);
        }
        let of_value = |value: &Value| match value {
            Value::Typed(measure, _) => Some(measure.clone()),
            _ => None,
        };
        let measure = match &self.detail {
            Detail::Quantity(measure) | Detail::Attribute(measure) => Some((*measure).to_owned()),
            Detail::Bounded { lower, upper } => [&self.value, lower, upper].into_iter().find_map(of_value),
            _ => of_value(&self.value).or_else(|| self.value.as_list()?.first().and_then(of_value)),
        }?;
        units.label(&measure).map(str::to_owned)
    }

    /// The value in the SI unit of its measure, by the property's own unit or the file's; none if it is no number, or
    /// has no measure.
    pub fn in_si(&self, model: &Model, units: &Units) -> Option<f64> {
        let number = self.value.as_f64()?;
        if let Some(own) = self.unit.and_then(|id| crate::units::unit(model, id)) {
            return Some(own.to_si(number));
        }
        match (&self.value, &self.detail) {
            (Value::Typed(measure, _), _) => Some(units.to_si(measure, number)),
            (_, Detail::Quantity(measure) | Detail::Attribute(measure)) => Some(units.to_si(measure, number)),
            _ => None,
        }
    }

    /// The value as JSON without its type: what a person would read.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::json;
        match &self.detail {
            Detail::Bounded { lower, upper } => {
                let mut range = serde_json::Map::new();
                for (name, value) in [("lower", lower), ("upper", upper), ("set_point", &self.value)] {
                    if !value.is_null() {
                        range.insert(name.to_owned(), plain_json(value));
                    }
                }
                range.into()
            }
            Detail::Table { defining, defined } => {
                defining.iter().zip(defined).map(|(a, b)| json!([plain_json(a), plain_json(b)])).collect()
            }
            Detail::Reference(id) => id.map_or(serde_json::Value::Null, |id| json!(id.to_string())),
            Detail::Complex(parts) => parts.iter().map(|part| (part.name.clone(), part.to_json())).collect(),
            _ => plain_json(&self.value),
        }
    }
}

/// A value as JSON, types left out.
pub fn plain_json(value: &Value) -> serde_json::Value {
    match value {
        Value::Typed(_, inner) => plain_json(inner),
        Value::List(members) => members.iter().map(plain_json).collect(),
        other => other.to_json(),
    }
}

/// The sets of an element: its own in the file's order, then its type's, less what its own sets override.
pub fn of_element(model: &Model, element: Id) -> Vec<PropertySet> {
    of_with(&Links::of_one(model), element)
}

/// [`of`] for those who ask it of many elements.
pub fn of_with(links: &Links<'_>, element: Id) -> Vec<PropertySet> {
    let (own, inherited) = definitions_of(links, element);
    let mut sets: Vec<PropertySet> =
        own.into_iter().filter_map(|id| property_set(links.model(), id)).collect();
    let mine = sets.len();
    for id in inherited {
        let Some(mut set) = property_set(links.model(), id) else { continue };
        set.inherited = true;
        for over in sets.iter().take(mine).filter(|over| over.name == set.name) {
            set.properties
                .retain(|p| !over.properties.iter().any(|o| o.name == p.name && !o.value.is_null()));
        }
        if !set.properties.is_empty() {
            sets.push(set);
        }
    }
    sets
}

/// The sets of an element by name, as a person reads them: those of the type first, the element's own properties over
/// the type's of the same name, sets of one name joined. `id` and `class` are the element's own set's, where it has
/// one; of two properties of one name in a set the last counts.
pub fn merged(links: &Links<'_>, element: Id) -> Vec<PropertySet> {
    let (own, inherited) = definitions_of(links, element);
    let mut order = Vec::new();
    let mut by_name: HashMap<String, Vec<PropertySet>> = HashMap::new();
    let all = inherited.into_iter().map(|id| (id, true)).chain(own.into_iter().map(|id| (id, false)));
    for (id, inherited) in all {
        let Some(mut set) = property_set(links.model(), id) else { continue };
        set.inherited = inherited;
        let same = by_name.entry(set.name.clone()).or_default();
        if same.is_empty() {
            order.push(set.name.clone());
        }
        same.push(set);
    }
    order.into_iter().filter_map(|name| join_sets(by_name.remove(&name)?)).collect()
}

/// Sets as one: the properties of later ones over those of earlier ones, the rest as the last one says.
pub(crate) fn join_sets(sets: impl IntoIterator<Item = PropertySet>) -> Option<PropertySet> {
    let mut properties = Vec::new();
    let mut last = None;
    for mut set in sets {
        join(&mut properties, std::mem::take(&mut set.properties));
        last = Some(set);
    }
    Some(PropertySet { properties, ..last? })
}

/// Puts properties behind others, or in the place of those of the same name.
fn join(into: &mut Vec<Property>, properties: Vec<Property>) {
    let mut places: HashMap<String, usize> =
        into.iter().enumerate().map(|(at, property)| (property.name.clone(), at)).collect();
    for property in properties {
        if let Some(known) = places.get(&property.name).and_then(|at| into.get_mut(*at)) {
            *known = property;
        } else {
            places.insert(property.name.clone(), into.len());
            into.push(property);
        }
    }
}

/// One value: the element's own, else its type's; none if neither has it or it holds nothing.
pub fn get(model: &Model, element: Id, set: &str, name: &str) -> Option<Value> {
    find_with(&Links::of_one(model), element, set, name)
        .map(|found| found.value)
        .filter(|value| !value.is_null())
}

/// One property: the element's own, else its type's.
pub fn find(model: &Model, element: Id, set: &str, name: &str) -> Option<Property> {
    find_with(&Links::of_one(model), element, set, name)
}

/// [`find`] for those who ask it of many elements.
pub fn find_with(links: &Links<'_>, element: Id, set: &str, name: &str) -> Option<Property> {
    let model = links.model();
    let within = |ids: Vec<Id>| {
        let named = ids.into_iter().find(|id| model.get(*id).is_some_and(|i| i.says("Name", set)))?;
        property_named(model, named, name)
    };
    let mine = within(read::definitions(links, element));
    match mine {
        Some(found) if !found.value.is_null() || !matches!(found.detail, Detail::Single) => Some(found),
        empty => within(read::inherited(links, element)).or(empty),
    }
}
