//! What the checks ask of a model again and again: relations, elements, property sets, units; each looked up once, for all threads.

use super::constraint::{Constraint, Datum};
use super::element::Element;
use super::memo::Memo;
use super::reference::Reference;
use super::reverse::Relations;
use super::sets::Set;
use ifc::psets::{self, Detail};
use ifc::{Entity, Id, Model, SchemaVersion, Units, Value};
use std::borrow::Cow;
use std::sync::OnceLock;

/// A model and what was found out about it.
pub(super) struct Context<'m> {
    pub model: &'m Model,
    pub version: SchemaVersion,
    pub relations: Relations<'m>,
    pub elements: Memo<Element<'m>>,
    pub sets: Memo<Set<'m>>,
    /// Names and categories of materials and of what they consist of.
    pub material_words: Memo<Vec<String>>,
    /// References of classifications, and classifications.
    pub references: Memo<Reference>,
    units: OnceLock<Units>,
    classes: OnceLock<Vec<&'static Entity>>,
}

impl<'m> Context<'m> {
    pub fn new(model: &'m Model) -> Self {
        Self {
            model,
            version: model.schema().version(),
            relations: Relations::new(model),
            elements: Memo::default(),
            sets: Memo::default(),
            material_words: Memo::default(),
            references: Memo::default(),
            units: OnceLock::new(),
            classes: OnceLock::new(),
        }
    }

    /// The class of an instance.
    pub fn class(&self, id: Id) -> Option<&'static Entity> {
        self.model.get(id)?.entity()
    }

    /// The classes that the model has instances of, in the order of the schema's table.
    pub fn classes(&self) -> &[&'static Entity] {
        self.classes.get_or_init(|| self.model.classes())
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
            None => self.units.get_or_init(|| Units::from_model(self.model)).to_si(measure, number),
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
