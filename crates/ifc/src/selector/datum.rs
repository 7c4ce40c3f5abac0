//! Values as a selector sees them: plain, whatever attribute, property or relation they come from.

use super::{Operator, Test, Wanted};
use crate::psets::{Detail, Property};
use crate::schema::Kind;
use crate::{Id, Model, Value};

/// A value found on the way along a path.
#[derive(Debug, Clone, PartialEq)]
pub enum Datum {
    /// Nothing there.
    Null,
    /// A truth value.
    Truth(bool),
    /// A whole number.
    Whole(i64),
    /// A real number.
    Real(f64),
    /// A text, an enumeration item or bits.
    Text(String),
    /// An instance.
    Entity(Id),
    /// Several.
    List(Vec<Datum>),
    /// Named values: a property set, a complex property.
    Record(Vec<(String, Datum)>),
    /// A value that an attribute holds with its type, such as the NominalValue of a property.
    Typed(String, Box<Datum>),
}

impl Datum {
    /// A value of an attribute of this kind.
    pub fn of_value(model: &Model, value: &Value, kind: Option<Kind>) -> Self {
        match value {
            Value::Null | Value::Derived => Self::Null,
            // a real may be written without its point
            Value::Integer(number) if kind == Some(Kind::Number) => Self::Real(*number as f64),
            Value::Integer(number) => Self::Whole(*number),
            Value::Real(number) => Self::Real(*number),
            Value::Boolean(truth) => Self::Truth(*truth),
            Value::Unknown => Self::Text("UNKNOWN".to_owned()),
            Value::Text(text) | Value::Enum(text) | Value::Binary(text) => Self::Text(text.clone()),
            Value::Ref(id) => Self::Entity(*id),
            Value::List(members) => {
                let of = match kind {
                    Some(Kind::List(list)) => Some(list.of),
                    _ => None,
                };
                Self::List(members.iter().map(|member| Self::of_value(model, member, of)).collect())
            }
            Value::Typed(name, inner) => {
                let kind = model.schema().kind_of_type(name);
                Self::Typed(name.clone(), Box::new(Self::of_value(model, inner, kind)))
            }
        }
    }

    /// An attribute of an instance by its exact name; of an inverse attribute, the instances that it holds.
    pub fn of_attribute(model: &Model, id: Id, name: &str) -> Self {
        let Some(instance) = model.get(id) else { return Self::Null };
        let Some(entity) = instance.entity() else { return Self::Null };
        if let Some(place) = entity.index_of(name) {
            let kind = entity.attributes.get(place).map(|attribute| attribute.kind);
            return Self::of_value(model, &instance.attr_at(place), kind);
        }
        let inverse = model.schema().inverses(entity).find(|inverse| inverse.name == name);
        inverse.map_or(Self::Null, |inverse| Self::entities(model.inverse(id, inverse)))
    }

    /// Several instances.
    pub(super) fn entities(ids: impl IntoIterator<Item = Id>) -> Self {
        Self::List(ids.into_iter().map(Self::Entity).collect())
    }

    /// An instance, or nothing.
    pub(super) fn entity(id: Option<Id>) -> Self {
        id.map_or(Self::Null, Self::Entity)
    }

    /// As JSON: instances are `"#12"`, typed values plain, records objects.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::json;
        match self {
            Self::Null => serde_json::Value::Null,
            Self::Truth(truth) => json!(truth),
            Self::Whole(number) => json!(number),
            Self::Real(number) => json!(number),
            Self::Text(text) => json!(text),
            Self::Entity(id) => json!(id.to_string()),
            Self::List(members) => members.iter().map(Self::to_json).collect(),
            Self::Record(members) => {
                members.iter().map(|(name, value)| (name.clone(), value.to_json())).collect()
            }
            Self::Typed(_, inner) => inner.to_json(),
        }
    }

    /// The value of a property or quantity, its type left out.
    pub fn of_property(model: &Model, property: &Property) -> Self {
        let plain = |value: &Value| Self::of_value(model, value, None).untyped();
        match &property.detail {
            Detail::Single | Detail::Attribute(_) => plain(&property.value),
            Detail::Enumerated | Detail::List => match plain(&property.value) {
                Self::List(members) => Self::List(members.into_iter().map(Self::untyped).collect()),
                other => other,
            },
            Detail::Quantity(measure) => {
                Self::of_value(model, &property.value, model.schema().kind_of_type(measure))
            }
            Detail::Bounded { lower, upper } => Self::Record(vec![
                ("LowerBoundValue".to_owned(), plain(lower)),
                ("UpperBoundValue".to_owned(), plain(upper)),
                ("SetPointValue".to_owned(), plain(&property.value)),
            ]),
            Detail::Table { defining, defined } => {
                let list = |values: &[Value]| Self::List(values.iter().map(plain).collect());
                Self::Record(vec![
                    ("DefiningValues".to_owned(), list(defining)),
                    ("DefinedValues".to_owned(), list(defined)),
                ])
            }
            Detail::Reference(id) => id.map_or(Self::Null, Self::Entity),
            Detail::Complex(parts) => {
                let parts =
                    parts.iter().map(|part| (part.name.clone(), Self::of_property(model, part))).collect();
                Self::Record(vec![("properties".to_owned(), Self::Record(parts))])
            }
        }
    }

    /// The value without the type it says.
    pub fn untyped(self) -> Self {
        match self {
            Self::Typed(_, inner) => inner.untyped(),
            other => other,
        }
    }

    /// The number, if it is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Whole(number) => Some(*number as f64),
            Self::Real(number) => Some(*number),
            Self::Typed(_, inner) => inner.as_f64(),
            _ => None,
        }
    }

    /// True if it passes a test. A list passes if any member does; a negated test is the opposite of the plain one.
    pub(super) fn passes(&self, test: &Test) -> bool {
        self.passes_plain(test) != test.not
    }

    fn passes_plain(&self, test: &Test) -> bool {
        match (&test.wanted, self) {
            (_, Self::List(members)) => members.iter().any(|member| member.passes_plain(test)),
            (Wanted::Null, value) => *value == Self::Null,
            (Wanted::Truth(wanted), value) => *value == Self::Truth(*wanted),
            (Wanted::Regex(regex), Self::Text(text)) => regex.is_match(text),
            (Wanted::Text(wanted), Self::Text(text)) => match test.operator {
                Operator::Contains => text.contains(wanted.as_str()),
                // an order of texts is not defined: any other comparison is equality
                _ => text == wanted,
            },
            // numbers in words compare with numbers; what is no number is no match
            (Wanted::Text(wanted), Self::Truth(truth)) => {
                whole(wanted).is_some_and(|wanted| ordered(&i64::from(*truth), &wanted, test.operator))
            }
            (Wanted::Text(wanted), Self::Whole(number)) => {
                whole(wanted).is_some_and(|wanted| ordered(number, &wanted, test.operator))
            }
            (Wanted::Text(wanted), Self::Real(number)) => {
                wanted.trim().parse().is_ok_and(|wanted: f64| ordered(number, &wanted, test.operator))
            }
            _ => false,
        }
    }
}

fn whole(text: &str) -> Option<i64> {
    text.trim().parse().ok()
}

fn ordered<T: PartialOrd>(value: &T, wanted: &T, operator: Operator) -> bool {
    match operator {
        Operator::Less => value < wanted,
        Operator::LessOrEqual => value <= wanted,
        Operator::Greater => value > wanted,
        Operator::GreaterOrEqual => value >= wanted,
        Operator::Equal | Operator::Contains => value == wanted,
    }
}
