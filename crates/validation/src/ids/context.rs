//! What the checks ask of a model again and again: types, property sets, units; each looked up once.

use super::constraint::{Constraint, Datum};
use foldhash::{HashMap, HashMapExt};
use ifc::psets::{self, Detail, PropertySet};
use ifc::relations::Links;
use ifc::{Entity, Id, Model, SchemaVersion, Units, Value};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// A model and what was found out about it.
pub(super) struct Context<'m> {
    pub model: &'m Model,
    pub links: Links<'m>,
    pub units: Units,
    pub version: SchemaVersion,
    sets: RefCell<HashMap<Id, Rc<Vec<Rc<PropertySet>>>>>,
    read: RefCell<HashMap<Id, Option<Rc<PropertySet>>>>,
    types: RefCell<HashMap<Id, Option<Id>>>,
    upper: RefCell<HashMap<&'static str, Rc<str>>>,
}

impl<'m> Context<'m> {
    pub fn new(model: &'m Model) -> Self {
        Self {
            model,
            links: Links::of_many(model),
            units: Units::from_model(model),
            version: model.schema().version(),
            sets: RefCell::new(HashMap::new()),
            read: RefCell::new(HashMap::new()),
            types: RefCell::new(HashMap::new()),
            upper: RefCell::new(HashMap::new()),
        }
    }

    /// The class of an instance.
    pub fn class(&self, id: Id) -> Option<&'static Entity> {
        self.model.get(id)?.entity()
    }

    /// The name of a class in capitals.
    pub fn upper(&self, name: &'static str) -> Rc<str> {
        Rc::clone(self.upper.borrow_mut().entry(name).or_insert_with(|| name.to_ascii_uppercase().into()))
    }

    /// The type of an element, itself left out.
    pub fn type_of(&self, element: Id) -> Option<Id> {
        if let Some(known) = self.types.borrow().get(&element) {
            return *known;
        }
        let found = self.links.type_of(element).filter(|found| *found != element);
        self.types.borrow_mut().insert(element, found);
        found
    }

    fn set(&self, id: Id) -> Option<Rc<PropertySet>> {
        if let Some(known) = self.read.borrow().get(&id) {
            return known.clone();
        }
        let found = psets::property_set(self.model, id).map(Rc::new);
        self.read.borrow_mut().insert(id, found.clone());
        found
    }

    /// The property sets of an element by name, each once: its own properties over those of its type.
    pub fn property_sets(&self, element: Id) -> Rc<Vec<Rc<PropertySet>>> {
        if let Some(known) = self.sets.borrow().get(&element) {
            return Rc::clone(known);
        }
        let own = psets::definitions(&self.links, element);
        let of_type = self.type_of(element).and_then(|of_type| self.model.get(of_type));
        let inherited = of_type.map(|of_type| of_type.references("HasPropertySets")).unwrap_or_default();
        let mut sets: Vec<Rc<PropertySet>> = Vec::new();
        for set in own.into_iter().chain(inherited).filter_map(|id| self.set(id)) {
            match sets.iter_mut().find(|known| known.name == set.name) {
                None => sets.push(set),
                Some(known) => {
                    let further: Vec<_> = set
                        .properties
                        .iter()
                        .filter(|property| !known.properties.iter().any(|own| own.name == property.name))
                        .cloned()
                        .collect();
                    if !further.is_empty() {
                        Rc::make_mut(known).properties.extend(further);
                    }
                }
            }
        }
        let sets = Rc::new(sets);
        self.sets.borrow_mut().insert(element, Rc::clone(&sets));
        sets
    }

    /// A plain value of a measure as one that can be compared: numbers in the SI, by their own unit or the file's. None for what is
    /// absent, unknown, an instance or a list.
    pub fn datum<'v>(&self, value: &'v Value, measure: &str, unit: Option<Id>) -> Option<Datum<'v>> {
        Some(match value.untyped() {
            Value::Text(text) => Datum::Text(Cow::Borrowed(text)),
            Value::Enum(word) => Datum::Text(Cow::Borrowed(word)),
            Value::Boolean(truth) => Datum::Boolean(*truth),
            Value::Integer(number) if !self.is_real(measure) => Datum::Integer(*number),
            Value::Integer(number) => Datum::Real(self.in_si(*number as f64, measure, unit)),
            Value::Real(number) => Datum::Real(self.in_si(*number, measure, unit)),
            _ => return None,
        })
    }

    /// A number as a file may write it without a point is still one of a real type.
    fn is_real(&self, measure: &str) -> bool {
        matches!(self.model.schema().kind_of_type(measure), Some(ifc::Kind::Number))
    }

    fn in_si(&self, number: f64, measure: &str, unit: Option<Id>) -> f64 {
        match unit.and_then(|id| ifc::units::unit(self.model, id)) {
            Some(own) => own.to_si(number),
            None => self.units.to_si(measure, number),
        }
    }
}

/// The values of a property, each with its type: those of which any may be meant.
pub(super) fn values(property: &psets::Property) -> Vec<(&Value, &str)> {
    fn typed(value: &Value) -> (&Value, &str) {
        match value {
            Value::Typed(name, _) => (value, name),
            other => (other, ""),
        }
    }
    let listed = |value: &'_ Value| value.as_list().is_some();
    match &property.detail {
        Detail::Single => vec![typed(&property.value)],
        Detail::Enumerated | Detail::List if listed(&property.value) => {
            property.value.as_list().unwrap_or_default().iter().map(typed).collect()
        }
        Detail::Bounded { lower, upper } => {
            [lower, upper, &property.value].into_iter().filter(|value| !value.is_null()).map(typed).collect()
        }
        Detail::Table { defining, defined } => defining.iter().chain(defined).map(typed).collect(),
        Detail::Quantity(measure) | Detail::Attribute(measure) => vec![(&property.value, measure)],
        _ => Vec::new(),
    }
}

/// True if a text is asked for, and it is this one.
pub(super) fn meets(constraint: Option<&Constraint>, text: Option<&str>) -> bool {
    match constraint {
        None => true,
        Some(constraint) if constraint.is_empty() => text.is_some_and(|text| !text.is_empty()),
        Some(constraint) => text.is_some_and(|text| constraint.accepts_text(text)),
    }
}
